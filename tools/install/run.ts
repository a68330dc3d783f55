/** Runs programs to their end, and packs the packages. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeStale } from "../remove-stale.ts";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of the published packages, with what each of them needs before it. */
export const packages: readonly string[] = ["wirewalk", "recording", "postgres", "nats", "server", "cli"];

export interface Finished {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without conditions and loaders of the caller: they would let a package find what its readers do not have. */
export const plainEnv: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1" };

/** Never rejects: a program that cannot be started has its error in `stderr`. */
export function run(program: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, env: plainEnv, encoding: "utf8", maxBuffer: 1 << 26, timeout: 600_000 } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? error.signal ?? 1);
      resolve({ code, stdout, stderr: stderr === "" && error !== null ? error.message : stderr });
    });
  });
}

/** The same, and throws an `Error` with the output of a program that fails. */
export async function runOrFail(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** A packed package. */
export interface Tarball {
  readonly name: string;
  readonly file: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
}

/** Builds and packs all packages into a folder, as `npm publish` would. */
export async function packAll(folder: string): Promise<readonly Tarball[]> {
  const workspaces = packages.flatMap((name) => ["-w", `packages/${name}`]);
  await runOrFail("npm", ["run", "build"], root);
  removeStale();
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  return packedIn(folder, await runOrFail("npm", [...pack, ...workspaces], root));
}

/** Builds and packs the documentation: each file as it is smallest, which the server reads for browsers that want it otherwise. */
export async function packDocs(folder: string): Promise<readonly Tarball[]> {
  await runOrFail("npm", ["run", "build:docs"], root);
  const staged = mkdtempSync(join(tmpdir(), "wirewalk-docs-"));
  try {
    const source = join(root, "apps/docs");
    const isSmallest = (path: string): boolean => !existsSync(`${path}.br`) && !/\.gz$|\/\.sources$/.test(path);
    cpSync(join(source, "dist"), join(staged, "dist"), { recursive: true, filter: isSmallest });
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    writeFileSync(join(staged, "package.json"), JSON.stringify(manifest));
    return packedIn(folder, await runOrFail("npm", ["pack", "--json", "--pack-destination", folder], staged));
  } finally {
    rmSync(staged, { recursive: true });
  }
}

/** What `npm pack --json` says of the tarballs in a folder. */
function packedIn(folder: string, stdout: string): readonly Tarball[] {
  interface Packed {
    readonly name: string;
    readonly filename: string;
    readonly size: number;
    readonly unpackedSize: number;
    readonly files: readonly { readonly path: string }[];
  }
  // npm 11 gives an object by name where workspaces are named, older ones a list.
  const packed = Object.values(JSON.parse(stdout) as Record<string, Packed>);
  return packed.map(({ name, filename, size, unpackedSize, files }) => ({
    name,
    file: `${folder}/${filename.replace("@", "").replace("/", "-")}`,
    packedBytes: size,
    unpackedBytes: unpackedSize,
    files: files.map(({ path }) => path),
  }));
}
