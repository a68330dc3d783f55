/**
 * Every block of code and every command in README and docs runs, or says why it cannot: `<!-- not run: reason -->` or
 * `<!-- tested by FILE -->` before the block. Commands that answer and end run here, and print what the page shows; of those that serve or
 * need a file, the flags and arguments are checked, and the tests of the command run them.
 */
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { WireError } from "wirewalk/wire";
import { parse } from "yaml";
import { startCommand } from "../packages/cli/src/testing/run-command.ts";
import { flagErrors } from "./command-flags.ts";
import { type Block, blocksOf, exampleModule, pipeline, shellLines } from "./docs-blocks.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

/** Pages whose examples a test of their own runs, which names the page. */
const tested: Readonly<Record<string, string>> = {
  "docs/tutorial-new-game.md": "tools/tutorial.test.ts",
};

const pages = globSync(["README.md", "docs/**/*.md"], { cwd: root });
const blocks = pages.flatMap((page) => blocksOf(page, read(page)));
const nameOf = ({ page, line }: Block): string => `${page}:${line}`;

test("marks name tests that exist and read the page, or a reason", () => {
  for (const block of blocks) {
    const { mark = "" } = block;
    const [, file] = /^tested by (\S+)$/.exec(mark) ?? [];
    if (file !== undefined) expect(read(file), `${nameOf(block)}: ${file}`).toMatch(/docs|tutorial/);
    if (mark.startsWith("not run")) expect(mark, nameOf(block)).toMatch(/^not run: \S.{15}/);
  }
  for (const [page, file] of Object.entries(tested))
    expect(read(file)).toContain(page.split("/").at(-1)?.replace(".md", ""));
});

/** Whether something else than this test runs a block, or nothing can. */
function isElsewhere({ page, mark = "", language }: Block): boolean {
  if (/^(?:not run: |tested by |programs\/)/.test(mark)) return true;
  // The standards' sessions, and the guides' examples.
  if (page.startsWith("docs/protocols/")) return true;
  return tested[page] !== undefined && language !== "sh";
}

const SHELL = ["sh", "console", "text"];
const CODE = ["ts", "js"];
const rest = blocks.filter((block) => !isElsewhere(block));

describe("commands", () => {
  const printing = rest.filter(({ mark }) => mark === "printed by the program");
  const shells = rest.filter((block) => SHELL.includes(block.language) && !printing.includes(block));

  test.each(shells.map((block) => [nameOf(block), block] as const))("%s", async (_, block) => {
    const lines = shellLines(block.code);
    expect(lines.length).toBeGreaterThan(0);
    for (const { command, output } of lines) {
      let input = "";
      for (const program of pipeline(command)) input = await runProgram(program, input);
      if (output !== undefined) expect(input.trimEnd(), command).toBe(output);
    }
  });
});

/** Commands of `wirewalk` that end by themselves and read no file. */
const ENDS = /^(?:decode|encode|inspect|export|protocols|rules|engine|completion|--help)$/;

/** Runs one program of a line; gives what it prints. Of what cannot run here only its words are checked. */
async function runProgram(given: readonly string[], input: string): Promise<string> {
  const [first = "", ...after] = given;
  // `UPDATE_DOCS=1 npx …`
  if (/^\w+=/.test(first)) return runProgram(after, input);
  const [name = "", ...args] = first === "npx" ? after : given;
  if (name === "echo") return `${args.join(" ")}\n`;
  if (name === "cut") return cut(args, input);
  if (name === "npm") return checkScript(args);
  if (name === "python3") {
    expect(existsSync(root + args[0]), args[0]).toBe(true);
    return "";
  }
  if (name === "vitest") {
    for (const file of args.filter((arg) => arg.endsWith(".test.ts"))) expect(existsSync(root + file), file).toBe(true);
    return "";
  }
  if (name === "cd" || name === "wireshark" || name === "openssl") return "";
  expect(name).toBe("wirewalk");
  if (args[0] === "--help") return "";
  expect(await flagErrors(args), args.join(" ")).toEqual([]);
  const isOfFile = args.some((arg) => /\.(?:pcapng|pcap|mcap|json|js)$|\/$|^-$/.test(arg)) || args.includes("--out");
  const isFed = input !== "" || !/^(?:decode|encode|engine)$/.test(args[0] ?? "");
  if (!ENDS.test(args[0] ?? "") || isOfFile || !isFed) return "";
  const { code, stdout, stderr } = await startCommand(args, input, protocols).ended;
  // 3: a line was refused, which the page shows.
  expect([0, 3], `${args.join(" ")}: ${stderr}`).toContain(code);
  return stdout;
}

function cut(args: readonly string[], input: string): string {
  const [flag, range = ""] = args;
  expect(flag).toBe("-c");
  const [from = 1, to = 0] = range.split("-").map(Number);
  return input
    .split("\n")
    .map((line) => line.slice(from - 1, to))
    .join("\n");
}

/** `npm run X`, `npm start`, `npm ci`. */
function checkScript(args: readonly string[]): string {
  const [word = "", ...more] = args.filter((arg) => !arg.startsWith("-"));
  if (word === "ci") return "";
  if (word === "install") {
    // As `npm run pack` names them. Without `./` npm takes `release/` for a repository.
    const files = more.filter((arg) => arg.endsWith(".tgz"));
    for (const file of files) expect(file).toMatch(/^\.\/release\/(?:\*|wirewalk(?:-[a-z]+)?-\d+\.\d+\.\d+)\.tgz$/);
    expect(files.length, args.join(" ")).toBeGreaterThan(0);
    return "";
  }
  const script = word === "run" ? more[0] : word;
  expect(Object.keys(scripts), args.join(" ")).toContain(script ?? "bench");
  return "";
}

describe("examples", () => {
  const folder = mkdtempSync(`${root}.docs-blocks-`);
  afterAll(() => rmSync(folder, { recursive: true }));
  const examples = rest.filter(({ language }) => CODE.includes(language));

  test.each(examples.map((block) => [nameOf(block), block] as const))("%s", async (_, block) => {
    const name = `${folder}/${block.page.replaceAll("/", "-")}-${block.line}`;
    const file = `${name}.${block.language}`;
    // A recording in which something is found: of an example that writes one, it is another file.
    copyFileSync(`${root}corpus/slime-online-2/cheat-teleport.mcap`, `${name}.mcap`);
    writeFileSync(file, exampleModule(block.code).replaceAll('"play.mcap"', JSON.stringify(`${name}.mcap`)));
    const { example } = (await import(file)) as { example: (claims: unknown, console: unknown) => Promise<void> };
    const printed: string[] = [];
    const print = (...values: readonly unknown[]): void => {
      printed.push(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "));
    };
    const claims = {
      equals: (found: unknown, wanted: unknown) => expect(found).toEqual(wanted),
      prints: (wanted: string, ...values: readonly unknown[]) => {
        print(...values);
        expect(printed.at(-1)).toBe(wanted);
      },
      throws: (call: () => unknown, wanted: string) => expect(refusal(call)).toBe(wanted),
    };
    await example(claims, { log: print });
    const next = blocks[blocks.indexOf(block) + 1];
    if (next?.mark === "printed by the program") expect(`${printed.join("\n")}\n`).toBe(next.code);
  });
});

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof WireError) return `${error.code}: ${error.message}`;
    if (error instanceof Error) return `${error.name}: ${error.message}`;
  }
  return "nothing";
}

test("data is valid, and no other language is without a test", () => {
  for (const block of rest) {
    const { language, code } = block;
    if (language === "json") {
      const isLines = code
        .trim()
        .split("\n")
        .every((line) => line.startsWith("{") && line.endsWith("}"));
      for (const text of isLines ? code.trim().split("\n") : [code]) JSON.parse(text);
    } else if (language === "yaml") parse(code);
    else if (![...SHELL, ...CODE].includes(language)) expect.fail(`${nameOf(block)}: nothing runs ${language}`);
  }
});
