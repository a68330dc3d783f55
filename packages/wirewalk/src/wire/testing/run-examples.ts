/**
 * Runs the examples that stand in doc comments, so that they stay true.
 *
 * An example is a fenced `ts` block. It imports from one module, whose exports the runner provides. A statement may end
 * in `// => value`, which must equal its value (and may go on over comment lines), or in `// throws start of the message`;
 * a {@link WireError} is written as `code: message`, any other as `Name: message`.
 *
 * @module
 */

import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { WireError } from "../wire-error.ts";

/** The code of every example in a source text, without the comment's stars. */
export function findExamples(source: string): string[] {
  return [...source.matchAll(/^ \* ```ts\n([\s\S]*?)^ \* ```$/gm)].map(([, block = ""]) =>
    block.replace(/^ \* ?/gm, ""),
  );
}

/**
 * What every module of a folder exports, of its folders too: an example of an internal module may use more than the names
 * that the package publishes.
 */
export async function exportsIn(folder: URL): Promise<Record<string, unknown>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.split("/").includes("testing"),
  );
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  return Object.assign({}, ...modules);
}

/** Runs one example; fails the test where the example is not true. */
export function runExample(example: string, exports: Record<string, unknown>): void {
  const body = example
    .replace(/\n\/\/ ([^\n]*)/g, "$1")
    .replace(/^import .*$/gm, "")
    .replace(/^(.*); \/\/ => (.*)$/gm, (_, code: string, wanted: string) => `check(${code}, ${wanted});`)
    .replace(/^(.*); \/\/ throws (.*)$/gm, (_, code: string, wanted: string) => {
      return `checkThrows(() => ${code}, ${JSON.stringify(wanted)});`;
    });
  const names = Object.keys(exports);
  const run = new Function("check", "checkThrows", ...names, body);
  const check = (found: unknown, wanted: unknown): void => expect(found).toEqual(wanted);
  run(check, checkThrows, ...names.map((name) => exports[name]));
}

function checkThrows(action: () => unknown, wanted: string): void {
  let found = "nothing";
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    found = `${error instanceof WireError ? error.code : error.name}: ${error.message}`;
  }
  expect(found).toBe(wanted);
}
