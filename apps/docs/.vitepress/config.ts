/** The site: see `../build-site.ts`, which puts its pages together first. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownEnv } from "vitepress";
import { contents, pageLink } from "../content/pages.ts";
import { slugOf } from "../content/slug.ts";

const list = fileURLToPath(new URL("../.content/public/reference.json", import.meta.url));
const subpaths = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as readonly string[]) : [];

/** Characters of a piece of code that does not fit into a column of a table, or a line on a phone. */
const LONG_CODE = 30;

export default defineConfig({
  title: "Wirewalk",
  description: "Player movement on the wire: read, write, check, relay and show the movement protocols of real games.",
  lang: "en",
  base: "/docs/",
  srcDir: ".content",
  // Its own folder in the workspace's cache would be taken for a change of the sources.
  cacheDir: "../../node_modules/.cache/vitepress",
  // The page beside it is called the same.
  titleTemplate: ":title · Wirewalk",
  lastUpdated: false,
  metaChunk: true,
  ignoreDeadLinks: false,
  // Browsers ask for /favicon.ico otherwise.
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // The default colours of comments and strings have a contrast below 4.5 on the ground of a block.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Pages have no HTML of their own, so angle brackets and braces in sentences are text.
    html: false,
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    headers: { slugify: slugOf },
    languageAlias: { console: "sh", alloy: "txt" },
    config: (md) => {
      const text = md.renderer.rules.text;
      md.renderer.rules.text = (tokens, index, ...rest) =>
        (text?.(tokens, index, ...rest) ?? "").replaceAll("{{", "&#123;&#123;");
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index];
        if (token?.info.trim() === "drawing") return `<div v-pre>${token.content}</div>\n`;
        return fence?.(tokens, index, ...rest) ?? "";
      };
      // A command line breaks between its words; a name or a flag never does.
      const code = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        const html = code?.(tokens, index, ...rest) ?? "";
        if ((tokens[index]?.content.length ?? 0) < LONG_CODE) return html;
        return html.replace(/^<code([^>]*)>([\s\S]*)<\/code>$/, (_, attributes: string, text: string) => {
          const words = text.split(" ").map((word) => (word.length < LONG_CODE ? `<span>${word}</span>` : word));
          return `<code class="long"${attributes}>${words.join(" ")}</code>`;
        });
      };
      // Tables may be wider than a phone: they scroll, also by the keyboard.
      md.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>';
      md.renderer.rules.table_close = () => "</table></div>";
    },
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start" },
      { text: "Standards", link: "/protocols/" },
      { text: "Rules", link: "/rules" },
      { text: "API", link: "/reference/" },
      // Out of the base of the site: "/" alone would be its own contents.
      { text: "The page", link: "/../", target: "_self", rel: "home" },
    ],
    sidebar: contents.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ file, title: text }) => ({
        text,
        link: pageLink(file),
        ...(file === "docs/reference/README.md"
          ? { collapsed: true, items: subpaths.map((each) => ({ text: each, link: `/reference/${each}.html` })) }
          : {}),
      })),
    })),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        detailedView: false,
        // A word of a guide is also in the names of many methods, and headings count four times: only those of classes and functions do.
        _render: (text, env: MarkdownEnv, md) => {
          const html = md.render(text, env);
          return env.relativePath.startsWith("reference/") ? html.replace(/<(\/?)h[4-6]\b/g, "<$1p") : html;
        },
        // The button shows "Search" and then the key K: its name has both, and the space stands between them in both.
        translations: { button: { buttonText: "Search ", buttonAriaLabel: "Search K" } },
      },
    },
    docFooter: { prev: "Before", next: "Next" },
    externalLinkIcon: true,
  },
});
