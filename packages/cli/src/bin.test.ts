/** The command as it is installed, in processes of its own. The system's Node may be older than the command needs. */
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { bundledCommand } from "./testing/bundled-command.ts";

const bin = fileURLToPath(new URL("../bin/wirewalk.js", import.meta.url));
/** How a process ends is the same from the sources, where it takes longer to start. */
const bundled = await bundledCommand();

/** The first `node` of the path that no package brought. */
function systemNode(): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, "node")).find(existsSync) ?? process.execPath;
}

/** Where a test says what is undone at its end. Tests run beside each other, since most of them wait for processes. */
type Cleaning = Pick<TestContext, "onTestFinished">;

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(node: string, args: readonly string[], input = "", script = bin): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(node, [script, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr });
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function folder({ onTestFinished }: Cleaning): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-bin-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe.concurrent("a process", () => {
  const node = process.execPath;

  it("decodes", async () => {
    expect(await run(node, ["decode", "slime-online-2"], "02 00 0A\n")).toEqual({
      code: 0,
      stdout: '{"ok":true,"message":"movePlayer","value":{"code":10,"direction":"leftPressAir"}}\n',
      stderr: "",
    });
  });

  it("ends with the command's exit code", async () => {
    const [refused, misused, failed] = await Promise.all([
      run(node, ["decode", "slime-online-2"], "00\n"),
      run(node, ["decode", "slime-online"]),
      run(node, ["bots", "slime-online-2", "--port", "1"]),
    ]);
    expect(refused).toMatchObject({ code: 3, stderr: "" });
    expect(misused).toEqual({
      code: 2,
      stdout: "",
      stderr: "wirewalk: unknown protocol 'slime-online'; did you mean slime-online-2?\n",
    });
    expect(failed).toMatchObject({ code: 1, stdout: "" });
  });

  it("ends quietly when its reader has enough", async ({ onTestFinished }) => {
    const child = spawn(node, [bin, "decode", "slime-online-2"], { stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void child.kill());
    child.stdin.on("error", () => {});
    let stderr = "";
    child.stderr.on("data", (bytes: Buffer) => {
      stderr += bytes.toString();
    });
    child.stdin.write("02 00 0A\n".repeat(10_000));
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stdin.write("02 00 0A\n".repeat(10_000));
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(stderr).toBe("");
  });

  async function serve({ onTestFinished }: Cleaning, logLevel = "silent") {
    const flags = ["--http", "0", "--listen", "slime-online-2=0", "--log-level", logLevel];
    const stderr = logLevel === "silent" ? "inherit" : "pipe";
    const child = spawn(node, [bundled, "serve", ...flags], { stdio: ["ignore", "pipe", stderr] });
    onTestFinished(() => void child.kill("SIGTERM"));
    let printed = "";
    if (child.stdout === null) throw new Error("it has no output");
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk;
      if (/ at http:/.test(printed)) break;
    }
    return { child, stdout: child.stdout, port: Number(/TCP +\S+:(\d+)/.exec(printed)?.[1]) };
  }

  it("serve drains at SIGINT", async (context) => {
    const { child } = await serve(context);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("serve goes on after SIGHUP, by which it reads its files again, and drains at SIGTERM", async (context) => {
    const { child, port } = await serve(context, "info");
    let log = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      log += bytes;
    });
    const socket = connect({ port, host: "127.0.0.1" });
    context.onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    for (const times of [1, 2]) {
      child.kill("SIGHUP");
      await context.expect.poll(() => log.match(/"msg":"reloaded"/g)?.length).toBe(times);
    }
    expect([child.exitCode, socket.destroyed]).toEqual([null, false]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("serve is gone when it is killed, and gives its port back", async (context) => {
    const { child, port } = await serve(context);
    child.kill("SIGKILL");
    const dial = async (): Promise<unknown> => {
      const socket = connect({ port, host: "127.0.0.1" });
      return new Promise((resolve) => {
        socket.once("connect", () => resolve("connected"));
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      }).finally(() => socket.destroy());
    };
    await context.expect.poll(dial).toBe("ECONNREFUSED");
  });

  it("serve ends at once at a second signal", async (context) => {
    const { child, port, stdout } = await serve(context);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    context.onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    child.kill("SIGTERM");
    await once(stdout, "data");
    await new Promise((resolve) => setTimeout(resolve, 150));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
  });
});

describe.concurrent("attack", () => {
  it.for([
    ["SIGINT", 130, "as soon as its server has a folder", /^wirewalk-attack-\w+$/],
    ["SIGTERM", 143, "while its server runs", /wal$/],
  ] as const)("leaves no folder behind after %s: exit code %i, %s", async ([signal, code, _, file], context) => {
    const path = folder(context);
    const child = spawn(process.execPath, [bundled, "attack", "http-silent-connection"], {
      // Compiled code stays where other commands keep it.
      env: { ...process.env, TMPDIR: path, NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
      stdio: "ignore",
    });
    context.onTestFinished(() => void child.kill("SIGKILL"));
    const names = (): string => readdirSync(path, { recursive: true }).join("\n");
    await context.expect
      .poll(() =>
        names()
          .split("\n")
          .some((name) => file.test(name)),
      )
      .toBe(true);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([code, null]);
    expect(names()).toBe("");
  });
});

describe.concurrent("npx", () => {
  it("has its server drained when its shell dies of a signal", async ({ onTestFinished }) => {
    const command = `"$0" "${bundled}" serve --http 0 --listen slime-online-2=0 --log-level silent; true`;
    const shell = spawn("/bin/sh", ["-c", command, process.execPath], {
      env: { ...process.env, npm_command: "exec" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void shell.kill());
    let stdout = "";
    shell.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (/ at http:.*\n$/.test(stdout)) shell.kill("SIGTERM");
    });
    // The output is the server's too: it ends with the server.
    await once(shell, "close");
    expect(stdout).toMatch(/\nDisconnecting all sessions, .*\n$/);
  });
});

describe("on a terminal", () => {
  const terminal = (command: string, env: NodeJS.ProcessEnv = {}): string =>
    execFileSync("script", ["-qec", `"${process.execPath}" "${bin}" ${command}`, "/dev/null"], {
      encoding: "utf8",
      env: { ...process.env, TERM: "xterm", NO_COLOR: "", FORCE_COLOR: undefined, ...env },
    });
  const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

  // A terminal for the command is made by script(1) of util-linux.
  it.skipIf(!hasScript)("inspect has colours, unless NO_COLOR is set", () => {
    const coloured = terminal("inspect slime-online-2 02000a");
    const plain = terminal("inspect slime-online-2 02000a", { NO_COLOR: "1" });
    expect(coloured).toContain("\u001b[32mleftPressAir\u001b[0m");
    expect(plain).not.toContain("\u001b");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out.
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
  });
});

describe("npm start", () => {
  it("ends in a command that takes the place of the shell: only then does a signal to npm reach it", () => {
    const root = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect(root.scripts.start).toMatch(/ exec wirewalk serve [^&|;]*$/);
  });
});

describe("as a published package", () => {
  /** The start script beside a build, without sources. */
  function published(context: Cleaning): string {
    const root = folder(context);
    mkdirSync(join(root, "bin"));
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "package.json"), '{"type":"module"}');
    writeFileSync(join(root, "dist/main.js"), 'console.log("built", ...process.argv.slice(2));');
    const script = join(root, "bin/wirewalk.js");
    copyFileSync(bin, script);
    return script;
  }

  it("starts the build", async (context) => {
    expect(await run(process.execPath, ["a", "b"], "", published(context))).toEqual({
      code: 0,
      stdout: "built a b\n",
      stderr: "",
    });
  });
});

describe("under a Node that is too old", () => {
  const older = systemNode();
  const [major = 0, minor = 0] = execFileSync(older, ["--version"], { encoding: "utf8" })
    .replace("v", "")
    .split(".")
    .map(Number);

  it.skipIf(major > 22 || (major === 22 && minor >= 18))("says in one sentence which Node is needed", async () => {
    const { code, stdout, stderr } = await run(older, ["--version"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^wirewalk: Node 22\.18 or later is needed, and this is Node [\d.]+\.\n$/);
  });

  it.each(["cli", "server", "wirewalk", "recording", "nats", "postgres"])("%s asks for the same", (name) => {
    const manifest = readFileSync(new URL(`../../${name}/package.json`, import.meta.url), "utf8");
    expect(JSON.parse(manifest).engines.node).toBe(">=22.18");
  });
});
