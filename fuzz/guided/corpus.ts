/**
 * The committed inputs of each target: one line of hex each, in `fuzz/corpus/<target>.txt`. A line may go on with ` # ` and what
 * the input once broke: such an input is never dropped.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

function fileOf(target: string): string {
  return fileURLToPath(new URL(`../corpus/${target.replaceAll(/[^a-z0-9]+/gi, "-")}.txt`, import.meta.url));
}

function readLines(target: string): readonly string[] {
  const file = fileOf(target);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

export function readCorpus(target: string): readonly Uint8Array[] {
  return readLines(target).map((line) => Uint8Array.from(Buffer.from(line.split(" ", 1)[0] ?? "", "hex")));
}

/** Replaces the inputs of a target, but for those with a remark. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const file = fileOf(target);
  mkdirSync(dirname(file), { recursive: true });
  const remarked = readLines(target).filter((line) => line.includes(" # "));
  const kept = new Set(remarked.map((line) => line.split(" ", 1)[0]));
  const lines = inputs.map((input) => Buffer.from(input).toString("hex")).filter((hex) => !kept.has(hex));
  writeFileSync(file, [...remarked, ...lines].map((line) => `${line}\n`).join(""));
}
