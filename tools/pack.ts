/**
 * Packs all packages as a release has them, with the documentation: `npm run pack`. What it writes is installed without a registry of ours:
 * `npm install --global ./release/*.tgz`.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packAll, packDocs, root } from "./install/run.ts";
import { parseOptions } from "./options.ts";

const usage = `npm run pack [-- --out FOLDER]

Builds and packs the packages and the documentation into FOLDER (default: release), which is emptied first.`;
const { out } = parseOptions(usage, {
  options: { out: { type: "string", default: "release" }, help: { type: "boolean", default: false } },
}).values;

const folder = join(root, out);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const packed = [...(await packAll(folder)), ...(await packDocs(folder))];
for (const { name, file, packedBytes, unpackedBytes } of packed) {
  console.log(
    `${name}: ${relative(root, file)}, ${kilobytes(packedBytes)} kB, ${kilobytes(unpackedBytes)} kB unpacked`,
  );
}
console.log(`\nOne command installs all of them:\n\n  npm install --global ./${out}/*.tgz`);

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1000).toLocaleString("en");
}
