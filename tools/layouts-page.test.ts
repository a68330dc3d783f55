/** Every row of `docs/layouts.md`: its layout reads the bytes as the value, and writes the value as the bytes. Each constructor has one. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as wire from "wirewalk/wire";
import * as described from "../packages/wirewalk/src/wire/describe/index.ts";

const page = readFileSync(fileURLToPath(new URL("../docs/layouts.md", import.meta.url)), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")));

/** Exports that make no layout: they ask descriptions, or put layouts of messages together. */
const others = [
  ...["describeNode", "dialect", "formatSize", "namedNumbers", "parseNode", "readingFor", "sizeOf"],
  ...["tagsText", "typeName", "wordsFor"],
];

function run(code: string): unknown {
  return new Function(...Object.keys(wire), `return ${code};`)(...Object.values(wire));
}

describe("a row of docs/layouts.md", () => {
  test.each(rows)("%j", (_, code = "", hex = "", value = "", meaning = "") => {
    const layout = run(code) as wire.Layout<unknown>;
    expect(wire.decode(layout, wire.parseHex(hex))).toEqual(run(`(${value})`));
    expect(wire.formatHex(wire.encode(layout, run(`(${value})`)))).toBe(hex);
    expect(meaning).not.toBe("");
  });
});

test("every constructor has a row", () => {
  const shown = new Set(rows.flatMap(([, code = ""]) => code.match(/\w+/g) ?? []));
  const constructors = Object.keys(described).filter((name) => !others.includes(name));
  expect(constructors.length).toBeGreaterThan(40);
  expect(constructors.filter((name) => !shown.has(name))).toEqual([]);
});

test("the page is short", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(150);
});
