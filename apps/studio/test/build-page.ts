/** Builds the page for the tests that open it: for the `globalSetup` of Vitest. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const studio = fileURLToPath(new URL("..", import.meta.url));

/** The built page, as the server serves it. */
export const pageFolder = join(studio, "dist");

/** Everything that the built page is made of. */
const sources = [
  join(studio, "src"),
  join(studio, "public"),
  join(studio, "index.html"),
  join(studio, "vite.config.ts"),
  fileURLToPath(new URL("../../../packages/wirewalk/src", import.meta.url)),
];

/** Builds only when a source is newer than the page. */
export async function setup(): Promise<void> {
  const builtMs = modifiedMs(join(pageFolder, "index.html"));
  if (builtMs !== undefined && sources.every((source) => newestMs(source) <= builtMs)) return;
  await build({ configFile: join(studio, "vite.config.ts"), logLevel: "warn" });
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** When a file, or any file of a folder, was changed last; tests are no part of the page. */
function newestMs(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  let newest = stats.mtimeMs;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.includes(".test.") || entry.parentPath.includes("testing")) continue;
    newest = Math.max(newest, modifiedMs(join(entry.parentPath, entry.name)) ?? 0);
  }
  return newest;
}
