/** JavaScript runtimes out of the npm registry, beside the Node that runs this. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

/** The oldest Node that the packages support, as their `engines` say. */
const OLDEST_NODE = "22.18.0";
const BUN = "1.4.5";
/** 2.9.6 lacks packages of some platforms. */
const DENO = "2.9.5";

export interface Runtime {
  readonly name: string;
  /** Program and arguments before the file. */
  readonly command: readonly [string, ...string[]];
  readonly isNode: boolean;
}

/** All runtimes that the registry has for this machine, and why others are missing. */
export async function installRuntimes(
  folder: string,
): Promise<{ readonly runtimes: readonly Runtime[]; readonly missing: readonly string[] }> {
  const oldest = `node-${process.platform}-${process.arch}`;
  const runtimes: Runtime[] = [{ name: `Node ${process.versions.node}`, command: [process.execPath], isNode: true }];
  const missing: string[] = [];
  const add = async (spec: string, name: string, pattern: string, args: readonly string[]): Promise<void> => {
    // Scripts only link the binary to another place.
    const installed = await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", spec], folder);
    const [binary] = globSync(join("node_modules", pattern), { cwd: folder });
    if (installed.code !== 0 || binary === undefined || !existsSync(join(folder, binary))) {
      missing.push(`${name}: the registry has no binary for ${process.platform} ${process.arch}`);
      return;
    }
    const command: [string, ...string[]] = [join(folder, binary), ...args];
    const works = await run(command[0], ["--version"], folder);
    if (works.code === 0) runtimes.push({ name, command, isNode: name.startsWith("Node") });
    else missing.push(`${name} does not run here: ${works.stderr.trim().split("\n")[0]}`);
  };
  await add(`${oldest}@${OLDEST_NODE}`, `Node ${OLDEST_NODE}`, `${oldest}/bin/node`, []);
  await add(`bun@${BUN}`, `Bun ${BUN}`, "@oven/bun-*/bin/bun", ["run"]);
  await add(`deno@${DENO}`, `Deno ${DENO}`, "@deno/*/deno", ["run", "--allow-all", "--node-modules-dir=manual"]);
  return { runtimes, missing };
}
