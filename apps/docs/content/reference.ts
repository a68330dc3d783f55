/**
 * The API reference, made by typedoc from the sources: one page for each subpath of each package. typedoc needs TypeScript 6, which
 * lies beside it; the workspace checks its types with another one, so type errors are not its matter here.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Application, type DeclarationReflection, ReflectionKind } from "typedoc";
import type {} from "typedoc-plugin-markdown";

const published = ["wirewalk", "server", "recording", "postgres", "nats"];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly "wirewalk-source"?: string }>>;
}

/** What a reader imports, by the file of its source: `wirewalk/wire` of `packages/wirewalk/src/wire/index.ts`. */
export function subpaths(workspace: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of published) {
    const home = join(workspace, "packages", folder);
    const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
    for (const [subpath, target] of Object.entries(exports)) {
      const source = typeof target === "string" ? undefined : target["wirewalk-source"];
      if (source !== undefined) found.set(join(home, source), `${name}${subpath.slice(1)}`);
    }
  }
  return found;
}

/** Writes the pages to the folder; gives the subpaths in order. Rejects when a subpath is missing. */
export async function writeReference(workspace: string, folder: string): Promise<readonly string[]> {
  const names = subpaths(workspace);
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    tsconfig: join(workspace, "apps/docs/tsconfig.reference.json"),
    entryPoints: [...names.keys()],
    // Its default is `docs`, which it would empty.
    out: folder,
    cleanOutputDir: false,
    readme: "none",
    excludePrivate: true,
    excludeInternal: true,
    skipErrorChecking: true,
    logLevel: "Error",
    gitRevision: "main",
    sourceLinkTemplate: "https://github.com/wirewalk/wirewalk/blob/main/{path}#L{line}",
    ...{
      outputFileStrategy: "modules",
      hidePageHeader: true,
      hideBreadcrumbs: true,
      disableSources: true,
    },
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("The API reference cannot be made");
  const modules = project.getChildrenByKind(ReflectionKind.Module) as readonly DeclarationReflection[];
  const files = new Map(
    modules.map((module) => [String(project.getSymbolIdFromReflection(module)?.fileName), module] as const),
  );
  for (const [file, name] of names) {
    const module = files.get(file);
    if (module === undefined) throw new Error(`The API reference has no ${name}: ${[...files.keys()].join(", ")}`);
    module.name = name;
  }
  await app.generateOutputs(project);
  tidy(folder);
  return [...names.values()];
}

/** What the site cannot use of typedoc's pages: anchors as HTML and its own list of modules. */
function tidy(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    if (relative(folder, file) === "README.md") rmSync(file);
    else
      writeFileSync(
        file,
        readFileSync(file, "utf8")
          .replaceAll(/<a id="[^"]*"><\/a>\s?/g, "")
          .replaceAll("<br />", " ")
          .replace(/^# (.*)$/m, (_, name: string) => `# ${name.replaceAll("\\", "")}`),
      );
  }
}
