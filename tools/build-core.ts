/**
 * Compiles the player-info core (`packages/wirewalk/core`) to WebAssembly, and writes it into the library as text and beside the sources
 * as a module for hosts in other languages.
 *
 *   npm run build:core              writes core-module.ts and player-info.wasm
 *   npm run build:core -- --check   compiles, and fails when the committed ones are others
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = `${root}packages/wirewalk/src/protocols/osrs/player-info/wire/engine/core-module.ts`;
const moduleFile = `${root}packages/wirewalk/core/player-info.wasm`;
const LINE = 110;

const files = new Map<string, Uint8Array>();
const { error, stderr } = await asc.main(
  [
    "index.ts",
    ...["--baseDir", `${root}packages/wirewalk/core/player-info`],
    ...["--outFile", "core.wasm", "-O3", "--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory"],
    // Up to here the memory is the core's own; see memory.ts.
    ...["--initialMemory", "1", "--memoryBase", "512"],
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
const base64 = Buffer.from(wasm).toString("base64");
const lines = base64.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
const text = `/** Made by \`npm run build:core\` from \`packages/wirewalk/core/player-info\`: ${wasm.length} bytes of WebAssembly in base64. */
export const coreModule =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
  writeFileSync(moduleFile, wasm);
  console.log(`core-module.ts, player-info.wasm: ${wasm.length} bytes of WebAssembly`);
} else if (readFileSync(target, "utf8") !== text || !readFileSync(moduleFile).equals(wasm)) {
  console.error("core-module.ts or player-info.wasm is not what the sources compile to: run npm run build:core");
  process.exit(1);
} else {
  console.log(`core-module.ts, player-info.wasm: ${wasm.length} bytes, as the sources compile`);
}
