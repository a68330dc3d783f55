/** The committed inputs of each target: one line of hex each, in `fuzz/corpus/<target>.txt`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

function fileOf(target: string): string {
  return fileURLToPath(new URL(`../corpus/${target.replaceAll(/[^a-z0-9]+/gi, "-")}.txt`, import.meta.url));
}

export function readCorpus(target: string): readonly Uint8Array[] {
  const file = fileOf(target);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => Uint8Array.from(Buffer.from(line, "hex")));
}

/** Inputs that were once found to break a rule stay, as all that were there before. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const file = fileOf(target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, inputs.map((input) => `${Buffer.from(input).toString("hex")}\n`).join(""));
}
