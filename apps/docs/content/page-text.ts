/** Text of the repository as text of the site: links lead to pages, files and the repository, and comments are left out. */
import { posix } from "node:path";
import { contents, pagePath } from "./pages.ts";

/** Where sources are that are no pages. */
export const REPOSITORY = "https://github.com/wirewalk/wirewalk/blob/main";

const pages: ReadonlySet<string> = new Set(contents.flatMap(({ pages: each }) => each.map(({ file }) => file)));

/** What a page refers to and what is to be copied beside the pages. */
export interface SiteText {
  readonly text: string;
  /** Files of the repository, by their path there. */
  readonly files: readonly string[];
}

/** Files of these folders are copied, so that they are read without a network. */
const copied = /^(?:docs|bench\/RESULTS-charts)\//;

/** The name of a copy: what a browser would offer to save is text. */
export function copyName(file: string): string {
  return /\.(?:svg|png|json)$/.test(file) ? file : `${file}.txt`;
}

/** Fences stay as they are: what is rewritten stands outside of them. */
function outsideFences(text: string, change: (prose: string) => string): string {
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}

/** One page. `exists` says whether the repository has a path. */
export function siteText(file: string, source: string): SiteText {
  const files: string[] = [];
  const target = (link: string): string => {
    if (/^(?:[a-z]+:|#)/i.test(link)) return link;
    const [path = "", anchor] = link.split("#", 2);
    const found = posix.join(posix.dirname(file), path);
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    const page = [found, posix.join(found, "README.md")].find((each) => pages.has(each));
    if (page !== undefined) {
      const way = posix.relative(posix.dirname(pagePath(file)), pagePath(page));
      return `${way.startsWith(".") ? way : `./${way}`}${suffix}`;
    }
    if (!copied.test(found)) return `${REPOSITORY}/${found}${suffix}`;
    files.push(found);
    return `/files/${copyName(found)}`;
  };
  const text = outsideFences(source, (prose) =>
    prose
      .replace(/<!--[\s\S]*?-->\n?/g, "")
      .replace(/<details><summary>(.*?)<\/summary>/g, "::: details $1")
      .replace(/<\/details>/g, ":::")
      .replace(
        /(\]\()([^)\s]+)(\))/g,
        (_, open: string, link: string, close: string) => `${open}${target(link)}${close}`,
      ),
  );
  return { text, files };
}
