/** Builds the page for the tests that open it. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

/** Held by the test file that builds: files run at the same time, and share the built page. */
const lock = fileURLToPath(new URL("../../../node_modules/.cache/page.lock", import.meta.url));

/** A build takes seconds: who has held the lock for so long was killed. */
const LONGEST_BUILD_MS = 60_000;

/** Builds only when a source is newer than the page. */
export async function setup(): Promise<void> {
  await takeLock();
  try {
    const builtMs = modifiedMs(join(pageFolder, "index.html"));
    if (builtMs !== undefined && sources.every((source) => newestMs(source) <= builtMs)) return;
    await build({ configFile: join(studio, "vite.config.ts"), logLevel: "warn" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function takeLock(): Promise<void> {
  mkdirSync(join(lock, ".."), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (Date.now() - (modifiedMs(lock) ?? Date.now()) > LONGEST_BUILD_MS)
      rmSync(lock, { recursive: true, force: true });
    else await sleep(100);
  }
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
