/**
 * Compiles the player-info core (`packages/wirewalk/core`) to WebAssembly, and writes it into the library as text and beside the sources
 * as a module for hosts in other languages. And the same for threads over shared memory, as text for Node.
 *
 *   npm run build:core              writes core-module.ts, player-info.wasm and shared-core-module.ts
 *   npm run build:core -- --check   compiles, and fails when the committed ones are others
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("../", import.meta.url));
const sources = "packages/wirewalk/core/player-info";
const moduleFile = "packages/wirewalk/core/player-info.wasm";
/** Pages of the memory that an engine gives its core; a shared one has a maximum. */
const SHARED_PAGES = 1 << 10;
const LINE = 110;

interface Build {
  readonly entry: string;
  readonly flags: readonly string[];
  /** The module as text, and its name there. */
  readonly target: string;
  readonly name: string;
}

const alone: Build = {
  entry: "index.ts",
  flags: ["--use", "THREADS=0"],
  target: "packages/wirewalk/src/protocols/osrs/player-info/wire/engine/core-module.ts",
  name: "coreModule",
};
const withThreads: Build = {
  entry: "thread.ts",
  flags: ["--use", "THREADS=1", "--enable", "threads", "--sharedMemory", "--maximumMemory", String(SHARED_PAGES)],
  target: "packages/wirewalk/src/node/shared-core-module.ts",
  name: "sharedCoreModule",
};

async function compile({ entry, flags }: Build): Promise<Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const { error, stderr } = await asc.main(
    [
      entry,
      ...["--baseDir", `${root}${sources}`],
      ...["--outFile", "core.wasm", "-O3", "--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory"],
      // Up to here the memory is the core's own; see memory.ts.
      ...["--initialMemory", "1", "--memoryBase", "512"],
      ...flags,
    ],
    {
      writeFile: (name, contents) => {
        files.set(name, typeof contents === "string" ? new TextEncoder().encode(contents) : contents);
      },
    },
  );
  if (error !== null) {
    console.error(stderr.toString());
    process.exit(1);
  }
  const wasm = files.get("core.wasm");
  if (wasm === undefined) throw new Error("The compiler wrote no module");
  return wasm;
}

/** A module as a source file of the library. */
function asText(wasm: Uint8Array, { name }: Build): string {
  const base64 = Buffer.from(wasm).toString("base64");
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `/** Made by \`npm run build:core\` from \`${sources}\`: ${wasm.length} bytes of WebAssembly in base64. */
export const ${name} =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
}

/** The files, by path. */
const written = new Map<string, Uint8Array>();
for (const build of [alone, withThreads]) {
  const wasm = await compile(build);
  written.set(build.target, new TextEncoder().encode(asText(wasm, build)));
  if (build === alone) written.set(moduleFile, wasm);
  console.log(`${build.target}: ${wasm.length} bytes of WebAssembly`);
}
for (const [file, bytes] of written) {
  if (!process.argv.includes("--check")) writeFileSync(root + file, bytes);
  else if (!readFileSync(root + file).equals(bytes)) {
    console.error(`${file} is not what the sources compile to: run npm run build:core`);
    process.exitCode = 1;
  }
}
