/** The samples of docs/languages: those of a page are one program, which is compiled beside the exported codec and prints what the page shows. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { exportFormats } from "wirewalk/export";
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { type Block, blocksOf } from "../docs-blocks.ts";
import { isInstalled, toolchains } from "./toolchains.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = globSync("docs/languages/*.md", { cwd: root });

it("every page is that of a language", () => {
  const named = pages.map((page) => basename(page, ".md"));
  expect(named.filter((name) => languages[name] === undefined)).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

/** The programs of a page: each begins with the command that exports its codec. */
function programsOf(
  page: string,
): readonly { readonly page: string; readonly command: string; readonly blocks: readonly Block[] }[] {
  const blocks = blocksOf(page, readFileSync(join(root, page), "utf8"));
  const starts = blocks.flatMap(({ language }, at) => (language === "sh" ? [at] : []));
  return starts.map((start, index) => ({
    page,
    command: blocks[start]?.code.trim() ?? "",
    blocks: blocks.slice(start, starts[index + 1]),
  }));
}

describe.each(pages.flatMap(programsOf))("$page: $command", ({ page, command, blocks }) => {
  const language = basename(page, ".md");
  const toolchain = toolchains[language];
  const samples = blocks.filter((block) => block.language === language);
  const shown = blocks.find(({ mark }) => mark === "printed by the program");

  it("has samples, and what they print", () => {
    expect(samples.length).toBeGreaterThan(2);
    expect(shown).toBeDefined();
  });

  // Where its compiler is missing, nothing can be said of a language.
  it.skipIf(toolchain === undefined || !isInstalled(toolchain))(
    "its samples compile, run and print what it shows",
    async () => {
      if (toolchain === undefined) return;
      const [, subject = "", dialect = ""] = /wirewalk export \w+ (\S+) --dialect (\S+)/.exec(command) ?? [];
      const [game = "", stream] = subject.split("/");
      const [, revision] = /--revision (\S+)/.exec(command) ?? [];
      const protocol = protocols[game];
      const more = { ...(stream === undefined ? {} : { stream }), ...(revision === undefined ? {} : { revision }) };
      const [codec] =
        protocol === undefined
          ? []
          : (exportFormats[language]?.files({ protocol, dialects: [dialect], ...more }) ?? []);
      expect(codec, command).toBeDefined();
      if (codec === undefined) return;
      const ending = codec.name.replace(/^[^.]*/, "");
      // A class of Java has the name of its file.
      const name = samples.some(({ code }) => code.includes("class Page ")) ? "Page" : "page";
      const folder = mkdtempSync(join(tmpdir(), "wirewalk-page-"));
      try {
        writeFileSync(join(folder, codec.name), codec.text);
        writeFileSync(join(folder, `${name}${ending}`), samples.map(({ code }) => code).join("\n"));
        const program = { name, folder, files: [codec.name, `${name}${ending}`] };
        await toolchain.build([program]);
        const [run, ...args] = toolchain.command(program);
        expect(execFileSync(run, args, { encoding: "utf8", cwd: folder })).toBe(shown?.code);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    300_000,
  );
});
