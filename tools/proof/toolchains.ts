/** The compilers of languages, and how programs are compiled and run with nothing but them. */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A program of the proof: its files lie in a folder of its own. */
export interface ProofProgram {
  /** Of the file that is begun, without its ending. */
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** A compiler. */
export interface Toolchain {
  /** Of `compile/languages.ts`. */
  readonly language: string;
  /** The packages of Debian that bring it, for those who have none. */
  readonly packages: string;
  /** A command that succeeds where it is installed. */
  readonly probe: readonly [command: string, ...args: string[]];
  /** Whether its programs are machine code, or become it as they run: the proof sends them all messages, others a tenth. */
  readonly isCompiled: boolean;
  /** Compiles programs; `isFast`: as they are compiled for use. Throws with what the compiler finds, warnings too. */
  build(programs: readonly ProofProgram[], isFast?: boolean): Promise<void>;
  /** Compiles a codec and its test with vectors, and runs the test. Throws with what it prints where it fails. */
  test(program: ProofProgram): Promise<void>;
  /** The command that runs a program. */
  command(program: ProofProgram): readonly [command: string, ...args: string[]];
}

/** Runs a compiler; throws with what it prints. */
async function compile(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    const { stdout, stderr } = await execute(command, args, { cwd, maxBuffer: 64 << 20 });
    if (stdout + stderr !== "") throw new Error(`${command} has warnings in ${cwd}:\n${stdout}${stderr}`);
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw stdout + stderr === "" ? error : new Error(`${command} fails in ${cwd}:\n${stdout}${stderr}`);
  }
}

/** Without warnings. The compiler itself runs for two seconds: what makes it faster later costs it as much again. */
const javac = [
  ...["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"],
  ...["-Xlint:all", "-Werror", "--release", "17", "-d", "out"],
] as const;

const java: Toolchain = {
  language: "java",
  isCompiled: true,
  packages: "default-jdk-headless",
  probe: ["javac", "-version"],
  build: async (programs) => {
    for (const { folder, files } of programs) await compile("javac", [...javac, ...files], folder);
  },
  test: async ({ name, folder, files }) => {
    await compile("javac", [...javac, ...files], folder);
    await execute("java", ["-cp", "out", `wirewalk.${name}`], { cwd: folder });
  },
  command: ({ name, folder }) => [
    "java",
    "-Xshare:auto",
    "-XX:+UseSerialGC",
    // Programs of the proof hold a message, or a world of player info: what takes more has no bound.
    "-Xmx256m",
    "-cp",
    join(folder, "out"),
    `wirewalk.${name}`,
  ],
};

const csharp: Toolchain = {
  language: "csharp",
  isCompiled: true,
  packages: "mono-mcs and mono-runtime",
  probe: ["mcs", "--version"],
  build: async (programs) => {
    for (const { name, folder, files } of programs)
      await compile("mcs", [...MCS, `-out:${name}.exe`, ...files], folder);
  },
  test: async ({ name, folder, files }) => {
    await compile("mcs", [...MCS, `-out:${name}.exe`, ...files], folder);
    await execute("mono", [`${name}.exe`], { cwd: folder });
  },
  command: ({ name, folder }) => ["mono", join(folder, `${name}.exe`)],
};

/** Every warning is an error; nothing but the base class library. */
const MCS = ["-warn:4", "-warnaserror", "-optimize+"];

const python: Toolchain = {
  language: "python",
  isCompiled: false,
  packages: "python3",
  probe: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
  build: async (programs) => {
    for (const { folder, files } of programs)
      await compile("python3", ["-W", "error", "-m", "py_compile", ...files], folder);
  },
  test: async ({ name, folder, files }) => {
    // The formatter is a package of its own.
    if (succeeds(["ruff", "--version"]))
      await execute("ruff", ["format", "--isolated", "--no-cache", "--check", ...files], { cwd: folder });
    await execute("python3", ["-W", "error", `${name}.py`], { cwd: folder });
  },
  command: ({ name, folder }) => ["python3", join(folder, `${name}.py`)],
};

/** Without warnings. A codec is also a library by itself that has no standard library and no unsafe code. */
const rustc = ["--edition", "2021", "-D", "warnings"] as const;

const rust: Toolchain = {
  language: "rust",
  isCompiled: true,
  packages: "rustc",
  probe: ["rustc", "--version"],
  build: async (programs, isFast = false) => {
    const options = isFast ? ["-C", "opt-level=3"] : ["-C", "opt-level=1", "-C", "overflow-checks=on"];
    for (const { name, folder, files } of programs) {
      const [codec = ""] = files.filter((file) => file !== `${name}.rs`);
      const library = `#![no_std]\n#![forbid(unsafe_code)]\n#[path = ${JSON.stringify(codec)}]\npub mod codec;\n`;
      writeFileSync(join(folder, "library.rs"), library);
      await compile("rustc", [...rustc, "--crate-type", "lib", "--emit", "metadata", "library.rs"], folder);
      await compile("rustc", [...rustc, ...options, `${name}.rs`], folder);
    }
  },
  test: async ({ name, folder, files }) => {
    const [codec = ""] = files;
    // The formatter is a package of its own.
    if (succeeds(["rustfmt", "--version"])) await compile("rustfmt", ["--edition", "2021", "--check", codec], folder);
    await compile("rustc", [...rustc, "--test", `${name}.rs`], folder);
    await execute(join(folder, name), [], { cwd: folder });
  },
  command: ({ name, folder }) => [join(folder, name)],
};

const go: Toolchain = {
  language: "go",
  isCompiled: true,
  packages: "golang-go",
  probe: ["go", "version"],
  build: async (programs) => {
    for (const { name, folder, files } of programs) {
      const [codec = ""] = files.filter((file) => file !== `${name}.go`);
      // A program imports a codec from a folder of its module that is called as its package.
      const own = codec.replace(/\.go$/, "");
      mkdirSync(join(folder, own), { recursive: true });
      copyFileSync(join(folder, codec), join(folder, own, codec));
      writeFileSync(join(folder, "go.mod"), "module example.com/server\n\ngo 1.19\n");
      await compile("gofmt", ["-l", ...files], folder);
      await compile("go", ["vet", `./${own}`], folder);
      await compile("go", ["build", "-o", name, `${name}.go`], folder);
    }
  },
  test: async ({ folder, files }) => {
    await compile("gofmt", ["-l", ...files], folder);
    await execute("go", ["test", ...files], { cwd: folder });
  },
  command: ({ name, folder }) => [join(folder, name)],
};

/** Every compiler by its language: one line each. */
export const toolchains: Readonly<Record<string, Toolchain>> = Object.freeze({
  [csharp.language]: csharp,
  [go.language]: go,
  [java.language]: java,
  [python.language]: python,
  [rust.language]: rust,
});

/** Whether a compiler is installed here. */
export function isInstalled({ probe }: Toolchain): boolean {
  return succeeds(probe);
}

function succeeds([command, ...args]: readonly [command: string, ...args: string[]]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
