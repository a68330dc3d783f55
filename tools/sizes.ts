/**
 * Measures what a reader pays and writes the table of `docs/packages.md`: `npm run sizes`. The first load of the page, each package
 * packed and installed into an empty folder, and the codec of each game in a bundle. Needs the npm registry.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOf, codecNames } from "./bundle-of.ts";
import { packAll, root, runOrFail, type Tarball } from "./install/run.ts";
import { parseOptions } from "./options.ts";
import { outdated, readSizes, type Sizes, writeSizes } from "./sizes-table.ts";

const usage = `npm run sizes

Builds the packages, installs them into empty folders and writes the table of docs/packages.md. Needs the npm registry.`;
parseOptions(usage, { options: { help: { type: "boolean", default: false } } });

const built = join(root, "packages/server/page");

/** A file with all that a browser loads for it without being asked by the page: what a page links, what a script imports. */
function loadedWith(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(built, path), "utf8");
  const links = path.endsWith(".html")
    ? text.matchAll(/(?:src|href)="\/(.+?)"/g)
    : text.matchAll(/(?:^|[;}\n])import(?:[^"'();]*?from)?["']\.\/(.+?)["']/g);
  for (const [, link = ""] of links) loadedWith(path.endsWith(".html") ? link : `assets/${link}`, found);
  return found;
}

function pageSizes(): Sizes {
  const files = [...loadedWith("index.html")];
  const sum = (suffix: string): number =>
    files.reduce((total, path) => total + statSync(join(built, `${path}${suffix}`)).size, 0);
  return { "page, first load": { br: sum(".br"), gzip: sum(".gz"), plain: sum(""), files: files.length } };
}

/** A package's own dependencies among the packed ones, itself included. */
function closure(name: string, packed: readonly Tarball[], found = new Set<Tarball>()): ReadonlySet<Tarball> {
  const tarball = packed.find((each) => each.name === name);
  if (tarball === undefined || found.has(tarball)) return found;
  found.add(tarball);
  const folder = name.replace("@wirewalk/", "");
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) closure(dependency, packed, found);
  return found;
}

async function packageSizes(scratch: string): Promise<Sizes> {
  const tarballs = join(scratch, "tarballs");
  mkdirSync(tarballs);
  const packed = await packAll(tarballs);
  const sizes: Record<string, Readonly<Record<string, number>>> = {};
  for (const { name, packedBytes, unpackedBytes, files } of packed) {
    const project = mkdtempSync(join(scratch, "project-"));
    writeFileSync(join(project, "package.json"), '{ "private": true }');
    const specs = [...closure(name, packed)].map(({ file }) => file);
    await runOrFail("npm", ["install", "--no-audit", "--no-fund", "--loglevel", "error", ...specs], project);
    const installed = globSync("node_modules/**", { cwd: project, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = installed.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
    const packages = Object.keys(lock.packages).filter((path) => path !== "").length;
    sizes[name] = { packed: packedBytes, unpacked: unpackedBytes, files: files.length, installed: bytes, packages };
  }
  return sizes;
}

async function codecSizes(): Promise<Sizes> {
  const sizes: Record<string, Readonly<Record<string, number>>> = {};
  for (const [name, subpath] of codecNames) {
    const { gzipBytes, minifiedBytes } = await bundleOf(name, `wirewalk/${subpath}`);
    sizes[`wirewalk/${subpath}`] = { gzip: gzipBytes, minified: minifiedBytes };
  }
  return sizes;
}

const scratch = mkdtempSync(join(tmpdir(), "wirewalk-sizes-"));
try {
  // Packing builds the page.
  const packages = await packageSizes(scratch);
  const sizes = { ...pageSizes(), ...packages, ...(await codecSizes()) };
  for (const change of outdated(readSizes(), sizes)) console.log(change);
  writeSizes(sizes);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
