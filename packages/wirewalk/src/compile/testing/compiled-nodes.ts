/** Descriptions as generated code, for tests: a module is written into a temporary folder and imported. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CompiledLayout } from "../../wire/compiled/index.ts";
import type { LayoutNode } from "../../wire/index.ts";
import { typescriptModule } from "../typescript/module.ts";

const runtime = fileURLToPath(new URL("../../wire/compiled/index.ts", import.meta.url));

/** Readers and writers of descriptions by their names, all of them in one module. */
export async function compiledNodes(
  nodes: Readonly<Record<string, LayoutNode>>,
): Promise<Readonly<Record<string, CompiledLayout<unknown>>>> {
  // Not below node_modules: Node reads no TypeScript there.
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-compile-"));
  const path = join(folder, "nodes.mts");
  writeFileSync(path, typescriptModule({ title: "a test", dialects: [], others: nodes, runtime, madeBy: "a test" }));
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, CompiledLayout<unknown>>>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
