/**
 * Removes compiled files whose source is gone, which the compiler leaves: `npm pack` would publish them. Every `prepack` calls it
 * after the build.
 */
import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The source of a compiled file of a package: `src/a.ts` of `dist/a.d.ts.map`. */
export function sourceOf(compiled: string): string {
  return compiled.replace(/^(.*\/)?dist\//, "$1src/").replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, ".ts");
}

/** Removes them in all packages, and gives their names. */
export function removeStale(folder: string = root): readonly string[] {
  const compiled = globSync("packages/*/dist/**/*.{js,d.ts,js.map,d.ts.map}", { cwd: folder });
  const stale = compiled.filter((file) => !existsSync(join(folder, sourceOf(file))));
  for (const file of stale) rmSync(join(folder, file));
  return stale;
}

if (import.meta.main) removeStale();
