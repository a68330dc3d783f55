/**
 * Checks what would be published: `npm run check:packages`. Builds, packs every package into a temporary folder, and
 * looks at the tarballs only: publint, attw, files that have no business there, exports without files, and whether the
 * library stands alone under plain Node.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { buildPage } from "../apps/studio/build-page.ts";
import { removeStale, sourceOf } from "./remove-stale.ts";
import { outdated, readSizes } from "./sizes-table.ts";
import { outsideFiles, outsideSuite } from "./tutorial-game.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What is published, and what nobody may have to install beside it. */
const packages = [
  { folder: "packages/wirewalk", standsAlone: true },
  { folder: "packages/recording", standsAlone: false },
  { folder: "packages/postgres", standsAlone: false },
  { folder: "packages/nats", standsAlone: false },
  { folder: "packages/server", standsAlone: false },
  { folder: "packages/cli", standsAlone: false },
];

/**
 * Files of the workshop: no reader of a package needs them. The contract suite is for readers too; the fakes are not.
 */
const workshopFile =
  /\.test\.|(?:^|\/)(?<!protocols\/)testing\/|testing\/(?:fake-|broken-|suite-options)|\.tsbuildinfo$|(?:^|\/)tsconfig[^/]*\.json$/;

interface Manifest {
  readonly name: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Finished {
  readonly ok: boolean;
  readonly stdout: string;
  /** Both streams, for people. */
  readonly output: string;
}

function run(command: string, args: readonly string[], cwd: string): Finished {
  // A condition or loader of the caller would let a package find what its readers do not have.
  const env = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1" };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return { ok: status === 0, stdout, output: [stdout, stderr, error?.message].filter(Boolean).join("\n").trim() };
}

function runBin(name: string, args: readonly string[], cwd: string): Finished {
  return run(join(root, "node_modules/.bin", name), args, cwd);
}

/** Everything wrong with one package; empty when it may be published. `scratch` is an empty folder of its own. */
async function problemsOf(folder: string, standsAlone: boolean, scratch: string): Promise<readonly string[]> {
  const pkgDir = join(root, folder);
  const pack = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], pkgDir);
  if (!pack.ok) return [`npm pack: ${pack.output}`];
  const [packed] = JSON.parse(pack.stdout) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  const tarball = join(scratch, packed.filename.split("/").at(-1) ?? "");
  const files = new Set(packed.files.map((file) => file.path));
  const manifest = JSON.parse(readFileSync(join(pkgDir, "package.json"), "utf8")) as Manifest;
  const problems: string[] = [];

  for (const file of files) {
    if (workshopFile.test(file)) problems.push(`${file} is published`);
    if (file.startsWith("dist/") && !existsSync(join(pkgDir, sourceOf(file)))) problems.push(`${file} has no source`);
  }
  const sizes = { packed: packed.size, unpacked: packed.unpackedSize, files: files.size };
  problems.push(...outdated(readSizes(), { [manifest.name]: sizes }));
  if (manifest.files.includes("page") && !files.has("page/index.html")) problems.push("the page is missing");
  for (const file of ["LICENSE", "README.md"]) if (!files.has(file)) problems.push(`${file} is missing`);
  for (const [subpath, target] of Object.entries({ ...manifest.exports, ...manifest.bin })) {
    for (const file of typeof target === "string" ? [target] : Object.values(target)) {
      if (!files.has(file.replace(/^\.\//, ""))) problems.push(`${subpath} leads to ${file}, which is not there`);
    }
  }

  const installed = join(scratch, "node_modules", manifest.name);
  mkdirSync(installed, { recursive: true });
  const untar = run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], scratch);
  if (!untar.ok) return [...problems, `tar: ${untar.output}`];

  const { messages, pkg } = await publint({ pkgDir: installed, strict: true, pack: false });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg, { color: false })}`);

  if (Object.keys(manifest.exports).some((subpath) => subpath !== "./package.json")) {
    const modules = Object.keys(manifest.exports).filter((subpath) => subpath.endsWith(".wasm"));
    const exclude = modules.length > 0 ? ["--exclude-entrypoints", ...modules] : [];
    const options = ["--profile", "esm-only", "--no-definitely-typed", "--no-emoji", ...exclude];
    const attw = runBin("attw", [tarball, ...options], scratch);
    if (!attw.ok) problems.push(`attw: ${attw.output}`);
  }

  if (standsAlone) problems.push(...problemsAlone(manifest, scratch), ...problemsOfOutsideGame(scratch));
  return problems;
}

/** Whether the package, installed in `scratch`, imports with nothing around it. */
function problemsAlone(manifest: Manifest, scratch: string): readonly string[] {
  const { name, dependencies, peerDependencies, optionalDependencies } = manifest;
  const needed = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  if (needed.length > 0) return [`depends on ${needed.join(", ")}`];
  return Object.keys(manifest.exports).flatMap((subpath) => {
    const specifier = join(name, subpath);
    if (specifier.endsWith(".json")) return [];
    if (specifier.endsWith(".wasm")) {
      const file = createRequire(join(scratch, "index.js")).resolve(specifier);
      return WebAssembly.validate(readFileSync(file)) ? [] : [`${specifier} is no WebAssembly`];
    }
    const imported = run(process.execPath, ["--input-type=module", "-e", `await import("${specifier}")`], scratch);
    return imported.ok ? [] : [`import "${specifier}" fails: ${imported.output}`];
  });
}

/** Whether the tutorial's game passes the contract suite as a package of its own, beside the one installed in `scratch`. */
function problemsOfOutsideGame(scratch: string): readonly string[] {
  const folder = join(scratch, "outside-game");
  const files = new Map(outsideFiles()).set("package.json", '{ "type": "module" }').set("suite.ts", outsideSuite);
  for (const [name, code] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  const suite = run(process.execPath, ["--test-reporter=tap", "suite.ts"], folder);
  return suite.ok ? [] : [`a game outside of the package fails: ${suite.output}`];
}

const build = runBin("tsc", ["-b", ...packages.map(({ folder }) => folder)], root);
if (!build.ok) {
  console.error(`Cannot check packages: the build fails\n${build.output}`);
  process.exit(1);
}
removeStale();
await buildPage();
let failed = false;
for (const { folder, standsAlone } of packages) {
  const scratch = mkdtempSync(join(tmpdir(), "wirewalk-package-"));
  try {
    const problems = await problemsOf(folder, standsAlone, scratch);
    console.log(`${folder}: ${problems.length === 0 ? "ok" : `${problems.length} wrong`}`);
    for (const problem of problems) console.log(`  ${problem.replaceAll("\n", "\n  ")}`);
    failed ||= problems.length > 0;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
process.exitCode = failed ? 1 : 0;
