/** Links of README and docs: to files that exist, and to headings that those have, by the anchors that GitHub gives. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { contents } from "../apps/docs/content/pages.ts";
import { slugOf } from "../apps/docs/content/slug.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(
  ["*.md", "docs/**/*.md", "bench/*.md", "{packages,examples,apps}/*/{,src/**/}README.md", "examples/*.md"],
  {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  },
);

/** The text without code: a bracket in code is no link. */
function proseOf(page: string): string {
  return readFileSync(root + page, "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "");
}

const known = new Map<string, ReadonlySet<string>>();

/** The anchors of a page: a heading that is there twice has a number from the second on. */
function anchorsOf(page: string): ReadonlySet<string> {
  const before = known.get(page);
  if (before !== undefined) return before;
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const slug = slugOf(text);
    let anchor = slug;
    for (let times = 1; anchors.has(anchor); times++) anchor = `${slug}-${times}`;
    anchors.add(anchor);
  }
  known.set(page, anchors);
  return anchors;
}

/** What is wrong with the links of a page. */
function deadLinks(page: string): string[] {
  const links = Array.from(
    proseOf(page)
      .replace(/`[^`\n]*`/g, "code")
      .matchAll(/\]\(([^)\s]+)\)/g),
    ([, link = ""]) => link,
  );
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = "", anchor] = link.split("#", 2);
    const target = path === "" ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(root + target)) return [`${page}: ${link}: there is no ${target}`];
    if (anchor === undefined || !target.endsWith(".md")) return [];
    return anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}: ${target} has no such heading`];
  });
}

test("all links lead to files and headings that exist", () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap(deadLinks)).toEqual([]);
});

test("every page of docs is in the contents of the site", () => {
  const listed = contents.flatMap((group) => group.pages.map(({ file }) => file));
  expect(new Set(listed).size).toBe(listed.length);
  const missing = globSync("docs/**/*.md", { cwd: root }).filter((file) => !listed.includes(file));
  expect(missing).toEqual([]);
  // The reference is made by the build.
  const gone = listed.filter((file) => file !== "docs/reference/README.md" && !existsSync(root + file));
  expect(gone).toEqual([]);
});

test("every page is reached from docs/README.md or its side", () => {
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    for (const [, link = ""] of proseOf(page).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)) {
      const target = posix.join(posix.dirname(page), link);
      if (target.endsWith(".md") && existsSync(root + target) && statSync(root + target).isFile()) visit(target);
    }
  };
  visit("docs/README.md");
  expect(globSync("docs/**/*.md", { cwd: root }).filter((file) => !reached.has(file))).toEqual([]);
});
