/**
 * Installs the packed packages into an empty project, as a reader would, and uses them there: `npm run check:install`. Every subpath is
 * imported, the examples run, and the command serves its page, under each runtime; types are checked under each module resolution, also
 * those of the examples of the documentation.
 * Needs the npm registry. `--keep` leaves the folder.
 */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { blocksOf } from "./docs-blocks.ts";
import { packAll, packages, packDocs, root, run, runOrFail } from "./install/run.ts";
import { installRuntimes, type Runtime } from "./install/runtimes.ts";
import { problemsOfImage, problemsOfServer } from "./install/serve-installed.ts";

/** Every subpath with code, of packages with exports. */
const subpaths: readonly string[] = packages.flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const withCode = Object.entries(exports).filter(([, target]) => typeof target === "object");
  return withCode.map(([subpath]) => `${name}${subpath.slice(1)}`);
});

/** Examples that end by themselves, in an order in which each finds the files of those before it, and what they print last. */
const programs: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["check-movement.ts", [], /1200 ms: flag teleport: Moved 3440\.0 px where 812\.7 px were possible\n$/],
  ["record-and-replay.ts", ["play.mcap"], /^[1-9]\d* inputs and [1-9]\d* effects, 0 differences\n$/],
  ["read-mcap.ts", ["play.mcap"], /\n3 players in 6 topics\n$/],
];

const resolutions = [
  { module: "node16", moduleResolution: "node16" },
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

let failed = 0;
function report(what: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${what}`);
  for (const problem of problems) console.log(`         ${problem.trim().replaceAll("\n", "\n         ")}`);
  if (problems.length > 0) failed += 1;
}

async function checkRuntime({ name, command, isNode }: Runtime, project: string): Promise<void> {
  const [program, ...args] = command;
  const imported = await run(program, [...args, "import-all.mjs"], project);
  report(`${name}: imports all ${subpaths.length} subpaths`, imported.code === 0 ? [] : [imported.stderr]);
  for (const [file, options, expected] of programs) {
    const { code, stdout, stderr } = await run(program, [...args, file, ...options], project);
    const isExpected = code === 0 && expected.test(stdout);
    report(`${name}: ${file}`, isExpected ? [] : [`ended with ${code}\n${stdout}${stderr}`]);
  }
  if (!isNode) return;
  const bin = join(project, "node_modules/@wirewalk/cli/bin/wirewalk.js");
  const empty = join(project, "empty");
  mkdirSync(empty, { recursive: true });
  report(`${name}: wirewalk serve has the page`, await problemsOfServer(program, bin, empty, ["--bots", "2"]));
  report(`${name}: with two worker threads`, await problemsOfServer(program, bin, empty, ["--workers", "2"]));
}

/** Writes every example of README, the docs and the packages' READMEs as a file, as a reader pastes it; gives their names. */
function pasteExamples(project: string): readonly string[] {
  mkdirSync(join(project, "pasted"), { recursive: true });
  const pages = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root });
  return pages.flatMap((page) =>
    blocksOf(page, readFileSync(join(root, page), "utf8")).flatMap(({ language, line, code }) => {
      // Parts of a game in this repository: `tools/tutorial.test.ts` puts them together.
      if (language !== "ts" || page === "docs/tutorial-new-game.md") return [];
      const file = `pasted/${page.replace(/\.md$/, "").replaceAll("/", "-")}-${line}.ts`;
      // Without an import or export a file is a script, in which `await` has no place.
      writeFileSync(join(project, file), `${code}export {};\n`);
      return [file];
    }),
  );
}

async function checkTypes(project: string): Promise<void> {
  const names = subpaths.map((subpath, at) => `import * as all${at} from "${subpath}";`);
  const used = subpaths.map((_, at) => `all${at}`).join(", ");
  writeFileSync(join(project, "import-all.ts"), `${names.join("\n")}\nexport const all = [${used}];\n`);
  const examples = globSync("examples/*.ts", { cwd: root }).map((file) => basename(file));
  const pasted = pasteExamples(project);
  for (const { module, moduleResolution } of resolutions) {
    const config = {
      compilerOptions: {
        module,
        moduleResolution,
        target: "es2024",
        lib: ["es2024", "dom"],
        types: ["node"],
        strict: true,
        noEmit: true,
        // Declarations of libraries too, as the strictest reader has it.
        skipLibCheck: false,
      },
      files: ["import-all.ts", ...examples, ...pasted],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    const { code, stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], project);
    report(`types under ${moduleResolution}`, code === 0 ? [] : [stdout]);
  }
}

/** The first `node` of the path that no package brought: it may be older than the command needs. */
async function checkOlderNode(project: string): Promise<void> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const node = folders.map((folder) => join(folder, "node"));
  for (const program of node) {
    const { code, stdout } = await run(program, ["--version"], project);
    const [major = 0, minor = 0] = stdout.slice(1).split(".").map(Number);
    if (code !== 0) continue;
    if (major > 22 || (major === 22 && minor >= 18)) return;
    const { code: ended, stderr } = await run(
      program,
      ["node_modules/@wirewalk/cli/bin/wirewalk.js", "serve"],
      project,
    );
    const isClear = ended === 1 && /^wirewalk: Node 22\.18 or later is needed, .*\n$/.test(stderr);
    report(`Node ${stdout.trim().slice(1)}: one sentence`, isClear ? [] : [`ended with ${ended}: ${stderr}`]);
    return;
  }
}

/** The steps of `docs/deploy/Dockerfile`, in an empty folder in place of an image: what it installs, what it starts, and its health check. */
async function checkImage(tarballs: string, place: string): Promise<void> {
  const text = readFileSync(join(root, "docs/deploy/Dockerfile"), "utf8");
  const here = (line: string): string =>
    line
      .replaceAll("/opt/wirewalk", place)
      .replaceAll("/data", join(place, "data"))
      .replace(/ && chown \S+ \S+/, "");
  mkdirSync(join(place, "release"), { recursive: true });
  for (const file of globSync("*.tgz", { cwd: tarballs }))
    copyFileSync(join(tarballs, file), join(place, "release", file));
  const [, install = ""] = /^RUN (.*)$/m.exec(text) ?? [];
  const { code, stderr } = await run("sh", ["-c", here(install)], place);
  report("image: its step installs a release", code === 0 ? [] : [stderr]);
  const [entry, command] = ["ENTRYPOINT", "CMD"].map(
    (word) => JSON.parse(here(new RegExp(`^${word} (.*)$`, "m").exec(text)?.[1] ?? "[]")) as string[],
  );
  const [, check = ""] = /^HEALTHCHECK .*? CMD (.*)$/m.exec(text) ?? [];
  const problems = await problemsOfImage([...(entry ?? []), ...(command ?? [])], check, place);
  report("image: its command serves, and its health check sees it", problems);
}

const scratch = mkdtempSync(join(tmpdir(), "wirewalk-install-"));
try {
  const [tarballs, project, tools] = [join(scratch, "tarballs"), join(scratch, "project"), join(scratch, "runtimes")];
  for (const folder of [tarballs, project, tools]) mkdirSync(folder);
  const packed = [...(await packAll(tarballs)), ...(await packDocs(tarballs))];
  report(`packed ${packed.length} packages`, packed.length === packages.length + 1 ? [] : ["some are missing"]);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(tools, "package.json"), '{ "private": true }');
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const install = ["install", "--no-audit", "--no-fund", "--loglevel", "error"];
  const installed = [...packed.map(({ file }) => file), `@types/node@${devDependencies["@types/node"]}`];
  await runOrFail("npm", [...install, ...installed], project);
  for (const file of globSync("examples/*.ts", { cwd: root }))
    copyFileSync(join(root, file), join(project, basename(file)));
  writeFileSync(join(project, "import-all.mjs"), subpaths.map((subpath) => `await import("${subpath}");`).join("\n"));
  await checkTypes(project);
  await checkOlderNode(project);
  await checkImage(tarballs, join(scratch, "image"));
  const { runtimes, missing } = await installRuntimes(tools);
  for (const runtime of runtimes) await checkRuntime(runtime, project);
  for (const why of missing) console.log(`not tried: ${why}`);
  if (failed > 0) console.error(`${failed} checks failed`);
} finally {
  if (process.argv.includes("--keep")) console.log(`kept ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
