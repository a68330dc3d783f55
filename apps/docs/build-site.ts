/**
 * Builds the documentation as a static site, if it is not built from the sources as they are: `npm run build:docs`. `npm start` does it
 * beside the server (`--background`: at low priority, without a word unless it fails).
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOf } from "../studio/build-page.ts";
import { precompressFolder } from "../studio/precompress.ts";
import { stageSite } from "./content/stage.ts";

const home = fileURLToPath(new URL(".", import.meta.url));
const workspace = fileURLToPath(new URL("../..", import.meta.url));
/** Pages as VitePress reads them. */
const staged = join(home, ".content");
/** What is built now: the finished site takes the place of the one before at once. */
const fresh = join(home, ".fresh");
const site = join(home, "dist");
const builtFrom = join(site, ".sources");

/** Everything that the site is made of. */
const sources = [
  "docs",
  "bench/RESULTS.md",
  "bench/RESULTS-charts",
  "ARCHITECTURE.md",
  "apps/docs/build-site.ts",
  "apps/docs/content",
  "apps/docs/.vitepress/config.ts",
  "apps/docs/.vitepress/theme",
  "apps/docs/tsconfig.reference.json",
  "apps/docs/package.json",
  "apps/studio/precompress.ts",
  "packages/wirewalk/src",
  "packages/wirewalk/package.json",
  "packages/server/src",
  "packages/server/package.json",
  "packages/recording/src",
  "packages/postgres/src",
  "packages/nats/src",
  "package-lock.json",
].map((path) => join(workspace, path));

/** Its pages are several times the bytes of the page of the server: 11 instead of 5 takes ten times as long. */
const BROTLI_QUALITY = 5;

/** Builds the site unless it is up to date; true when it was built. Rejects when the sources cannot be built. */
export async function buildSite(): Promise<boolean> {
  const hash = hashOf(sources);
  if (existsSync(builtFrom) && readFileSync(builtFrom, "utf8") === hash) return false;
  rmSync(staged, { recursive: true, force: true });
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await stageSite(workspace, staged);
  // Only here: a site that is up to date needs no builder.
  const { build } = await import("vitepress");
  await build(home, { outDir: fresh });
  const { scriptsToFiles } = await import("./content/scripts-to-files.ts");
  scriptsToFiles(fresh);
  await precompressFolder(fresh, BROTLI_QUALITY);
  writeFileSync(join(fresh, ".sources"), hash);
  rmSync(site, { recursive: true, force: true });
  renameSync(fresh, site);
  return true;
}

/** Below everything else on the machine. */
const LOW_PRIORITY = 19;

/** What the builders write is kept, and shown when they fail: another program has the terminal. */
async function quietly(run: () => Promise<unknown>): Promise<void> {
  const written: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams) {
    stream.write = (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    };
  }
  try {
    await run();
  } catch (error) {
    written.push(`The documentation could not be built: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
  for (const { stream, write } of streams) stream.write = write;
  if (process.exitCode === 1) process.stderr.write(written.join(""));
}

if (import.meta.main) {
  if (process.argv.includes("--background")) {
    setPriority(LOW_PRIORITY);
    await quietly(buildSite);
  } else {
    const startMs = performance.now();
    const isBuilt = await buildSite();
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(isBuilt ? `built apps/docs/dist in ${seconds} s` : "apps/docs/dist is up to date");
  }
}
