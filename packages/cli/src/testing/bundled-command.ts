/**
 * The command as one bundle of the sources, for tests that start it in processes of their own: it starts in a quarter of the processor
 * time (0.28 s, from the sources 1.05). `bin.test.ts` starts it from the sources, too.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const library = join(root, "packages/wirewalk");
const DAY_MS = 86_400_000;
const cache = join(root, "node_modules/.cache/command");

/** The path of the script that starts the bundle. It is made once for all tests, and anew when a source changes. */
export async function bundledCommand(): Promise<string> {
  const folder = join(cache, keyOfSources());
  const bin = join(folder, "bin/wirewalk.js");
  if (existsSync(bin)) return bin;
  removeOld();
  const own = `${folder}.${process.pid}`;
  await bundle(own);
  try {
    renameSync(own, folder);
  } catch {
    // Another test file was first.
    rmSync(own, { recursive: true });
  }
  return bin;
}

/** Bundles of other sources, but for those that another run may be using. */
function removeOld(): void {
  for (const name of globSync("*", { cwd: cache })) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Names, sizes and times of all sources. */
function keyOfSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(["packages/*/src/**/*.ts", "packages/*/package.json", "packages/cli/bin/*"], {
    cwd: root,
  })) {
    if (file.endsWith(".test.ts")) continue;
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 24);
}

async function bundle(folder: string): Promise<void> {
  const subpaths = subpathsOfLibrary();
  const input = {
    command: join(root, "packages/cli/src/main.ts"),
    ...Object.fromEntries(subpaths.map(({ file }, index) => [`library-${index}`, file])),
  };
  const build = await rolldown({
    input,
    platform: "node",
    resolve: { conditionNames: ["wirewalk-source", "node", "import"] },
    // What stands beside a source, such as the file of a thread, is found there.
    plugins: [
      {
        name: "own-places",
        transform: (code, id) => code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
      },
    ],
    logLevel: "silent",
  });
  await build.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "[name].js" });
  // A game that is made elsewhere, and one that is loaded by its name, share the library of the command.
  const files = Object.fromEntries(subpaths.map(({ specifier }, index) => [specifier, `./library-${index}.js`]));
  writeFileSync(
    join(folder, "dist/main.js"),
    `import { registerHooks } from "node:module";
const files = ${JSON.stringify(files)};
registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(files, specifier)
      ? { url: new URL(files[specifier], import.meta.url).href, format: "module", shortCircuit: true }
      : next(specifier, context),
});
await import("./command.js");
`,
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "bin"));
  copyFileSync(join(root, "packages/cli/bin/wirewalk.js"), join(folder, "bin/wirewalk.js"));
}

/** What the library exports, and the sources of it. */
function subpathsOfLibrary(): readonly { readonly specifier: string; readonly file: string }[] {
  const { exports } = JSON.parse(readFileSync(join(library, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === "string" ? undefined : target["wirewalk-source"];
    return source === undefined ? [] : [{ specifier: `wirewalk${subpath.slice(1)}`, file: join(library, source) }];
  });
}
