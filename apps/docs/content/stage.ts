/** Puts the pages of the site together in a folder, from `docs/` and from the code. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withDiagrams } from "./diagrams.ts";
import { copyName, siteText } from "./page-text.ts";
import { contents, pagePath } from "./pages.ts";
import { writeReference } from "./reference.ts";

/** The page of the reference that lists the others, which is made. */
const REFERENCE = "docs/reference/README.md";

export async function stageSite(workspace: string, folder: string): Promise<void> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const files = new Set<string>();
  for (const { file } of contents.flatMap(({ pages }) => pages)) {
    if (file === REFERENCE) continue;
    const source = readFileSync(join(workspace, file), "utf8");
    const page = siteText(file, withDiagrams(source));
    for (const each of page.files) files.add(each);
    write(pagePath(file), page.text);
  }
  for (const file of files) {
    if (!existsSync(join(workspace, file))) throw new Error(`A page refers to ${file}, which does not exist`);
    cpSync(join(workspace, file), join(folder, "public/files", copyName(file)));
  }
  const subpaths = await writeReference(workspace, join(folder, "reference"));
  write(pagePath(REFERENCE), referencePage(subpaths));
  write("public/reference.json", JSON.stringify(subpaths));
}

function referencePage(subpaths: readonly string[]): string {
  const rows = subpaths.map((subpath) => `* [\`${subpath}\`](./${subpath}.md)`);
  return [
    "# API reference",
    "",
    "Everything that the packages export, made from the sources: what it is for, shapes, units and errors. One page for each path that a",
    "program imports from. [The library](../library.md) says which one to take for what.",
    "",
    ...rows,
    "",
  ].join("\n");
}
