/**
 * Builds the page, the inspector as a file of its own and the scripts of cases, if they are not built from the sources as they are: `npm run build:studio`, `npm start` and the tests of the page
 * call it. What it was built from is kept beside it, as a hash of all its sources.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCases, casesFolder } from "./build-cases.ts";
import { buildInspector, staticInspector } from "./build-inspector.ts";

const studio = fileURLToPath(new URL(".", import.meta.url));
const workspace = fileURLToPath(new URL("../..", import.meta.url));
const page = join(workspace, "packages/server/page");
const built = join(page, "index.html");
/** No part of the page: the server does not serve files whose names begin with a dot. */
const builtFrom = join(page, ".sources");

/** Everything that the built page is made of: its sources, the library, recordings, what plays them, and the versions of what is installed. */
const sources = [
  join(studio, "src"),
  join(studio, "public"),
  join(studio, "index.html"),
  join(studio, "build-cases.ts"),
  join(studio, "build-inspector.ts"),
  join(studio, "build-page.ts"),
  join(studio, "in-script.ts"),
  join(studio, "precompress.ts"),
  join(studio, "shared-workers.ts"),
  join(studio, "vite.config.ts"),
  join(studio, "package.json"),
  join(workspace, "packages/wirewalk/src"),
  join(workspace, "packages/wirewalk/package.json"),
  join(workspace, "packages/recording/src"),
  join(workspace, "packages/recording/package.json"),
  join(workspace, "packages/server/src/feed"),
  join(workspace, "packages/server/src/playback"),
  join(workspace, "packages/server/package.json"),
  join(workspace, "package-lock.json"),
];

/** Builds the page unless it is up to date; true when it was built. Calls `onBuild` before it begins. Rejects when the sources cannot be built. */
export async function buildPage(onBuild: () => void = () => {}): Promise<boolean> {
  const hash = hashOf(sources);
  const isThere = [built, builtFrom, staticInspector, casesFolder].every((file) => existsSync(file));
  if (isThere && readFileSync(builtFrom, "utf8") === hash) return false;
  onBuild();
  // Only here: a page that is up to date needs no builder.
  const { build } = await import("vite");
  const { NODE_ENV } = process.env;
  // Vitest sets `test`, with which every element would carry its file and line: 4 kB more of the first load, compressed.
  process.env.NODE_ENV = "production";
  try {
    await build({ configFile: join(studio, "vite.config.ts"), logLevel: "warn" });
    await buildInspector();
    await buildCases();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  writeFileSync(builtFrom, hash);
  return true;
}

/** A hash of names and contents. Tests are no part of the page. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesOf).sort()) {
    const bytes = readFileSync(file);
    hash.update(`${relative(workspace, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const isSource = entry.isFile() && !entry.name.includes(".test.") && !entry.parentPath.includes("testing");
    return isSource ? [join(entry.parentPath, entry.name)] : [];
  });
}

if (import.meta.main)
  await buildPage(() => process.stdout.write("Building the page, once for these sources: about 20 seconds.\n"));
