/** Once for all tests of the page: builds it and starts the browser that their files share. Vitest calls it before the first of them. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { TestProject } from "vitest/node";
import { launchChromium, missingChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the shared browser is connected to. */
    browser: string;
  }
}

const studio = fileURLToPath(new URL("..", import.meta.url));

/** Everything that the built page is made of. */
const sources = [
  join(studio, "src"),
  join(studio, "public"),
  join(studio, "index.html"),
  join(studio, "vite.config.ts"),
  fileURLToPath(new URL("../../../packages/wirewalk/src", import.meta.url)),
];

/** Without a browser it does nothing: the files say so themselves. Gives what ends it all. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingChromium() !== undefined) return undefined;
  await buildPage();
  const browser = await launchChromium();
  project.provide("browser", browser.wsEndpoint());
  return () => browser.close();
}

/** Builds only when a source is newer than the page. */
async function buildPage(): Promise<void> {
  const builtMs = modifiedMs(join(studio, "dist", "index.html"));
  if (builtMs !== undefined && sources.every((source) => newestMs(source) <= builtMs)) return;
  await build({ configFile: join(studio, "vite.config.ts"), logLevel: "warn" });
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** When a file, or any file of a folder, was changed last; tests are not part of the page. */
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
