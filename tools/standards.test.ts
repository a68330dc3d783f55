/**
 * The standards in `docs/protocols` and the references to them.
 *
 * A source refers to sections and errata of its standard in short: `standard 8.4`, `standard 5.2, E9`. Its standard is
 * the one that it names (`docs/protocols/<name>.md`), or the one of its folder. Every such section exists, and every
 * example of a standard is what the command line answers.
 */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommand } from "../packages/cli/src/testing/run-command.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = "docs/protocols";

/** What `wirewalk decode` calls the messages of each standard. */
const protocolOf: Readonly<Record<string, string>> = {
  "slime-online-2": "slime-online-2",
  maplestory: "maplestory",
  "osrs-mouse": "osrs/mouse",
  "osrs-player-info": "osrs/player-info",
  "scrap-mechanic": "scrap-mechanic",
};

const names = globSync("*.md", { cwd: `${root}${folder}` })
  .map((file) => file.slice(0, -".md".length))
  .filter((name) => name !== "README");

function textOf(name: string): string {
  return readFileSync(`${root}${folder}/${name}.md`, "utf8");
}

/** The sections (`8.4`) and errata (`E9`) of a standard. */
function placesOf(text: string): ReadonlySet<string> {
  const places = new Set<string>();
  for (const [, heading, erratum] of text.matchAll(/^#{2,4} ([\d.]+) |^\| (E\d+) \|/gm)) {
    const place = heading ?? erratum ?? "";
    if (places.has(place)) throw new Error(`${place} is there twice`);
    places.add(place);
  }
  return places;
}

const places = new Map(names.map((name) => [name, placesOf(textOf(name))]));

/** `standard 8.4, 8.5 and E9`, also after the name of its file, also across the lines of a comment. */
const references =
  /(?:\bstandard|docs\/protocols\/[\w-]+\.md),?(?:\s|\*|\/\/)+((?:E?\d+(?:\.\d+)*)(?:(?:,| and| to)(?:\s|\*|\/\/)+E?\d+(?:\.\d+)*)*)/g;

/** The standard of the folder or the file name of a source. */
function standardOfFolder(file: string): string | undefined {
  return names.find((name) => file.includes(`/${protocolOf[name]}/`) || file.includes(`/${name}.`));
}

/** What is wrong with the references of a source. */
function wrongReferences(file: string, source: string): string[] {
  const files = new Set(Array.from(source.matchAll(/docs\/protocols\/([\w-]+)\.md/g), ([, name = ""]) => name));
  const wrong = Array.from(files)
    .filter((name) => name !== "README" && !places.has(name))
    .map((name) => `${name}.md does not exist`);
  const usual = files.size === 1 ? Array.from(files)[0] : standardOfFolder(file);
  const short = Array.from(source.matchAll(references));
  for (const [reference, sections = ""] of short) {
    const named = /docs\/protocols\/([\w-]+)\.md/.exec(reference)?.[1];
    const known = places.get(named ?? usual ?? "");
    if (known === undefined) {
      wrong.push(`"${reference}": of which standard?`);
      continue;
    }
    for (const [section] of sections.matchAll(/E?\d+(?:\.\d+)*/g)) {
      if (!known.has(section)) wrong.push(`"${reference}": there is no ${section}`);
    }
  }
  return wrong;
}

/** The rows of all tables whose header is `header`, as the texts of their cells. */
function rowsOf(text: string, header: string): string[][] {
  const rows: string[][] = [];
  let inTable = false;
  for (const line of text.split("\n")) {
    if (line === header) inTable = true;
    else if (!line.startsWith("|")) inTable = false;
    else if (inTable && !line.startsWith("| ---")) {
      const cells = line.slice(1, -1).split("|");
      rows.push(cells.map((cell) => cell.trim().replace(/^`|`$/g, "")));
    }
  }
  return rows;
}

/** `<4604 x 00>` written out. */
function expanded(text: string): string {
  return text.replaceAll(/<(\d+) x ([\da-f]+)>/g, (_, count: string, bytes: string) => bytes.repeat(Number(count)));
}

function commandLine(command: string, name: string, options: string): string[] {
  return [command, protocolOf[name] ?? name, ...options.split(" ").filter((option) => option !== "")];
}

/** They explain how to refer to a section, and so refer to made-up ones. */
const explaining: ReadonlySet<string> = new Set(["tools/standards.test.ts", `${folder}/README.md`]);

test("sources refer to sections that exist", () => {
  const sources = globSync("{packages,apps,bench,fuzz,tools,vectors,docs}/**/*.{ts,tsx,md,json}", {
    cwd: root,
    exclude: (path) => /node_modules|(^|\/)dist$/.test(path),
  });
  expect(sources.length).toBeGreaterThan(100);
  const wrong = sources
    .filter((file) => !explaining.has(file))
    .flatMap((file) => wrongReferences(file, readFileSync(`${root}${file}`, "utf8")).map((why) => `${file}: ${why}`));
  expect(wrong).toEqual([]);
});

test("a wrong reference is found", () => {
  const standard = "docs/protocols/slime-online-2.md";
  const wrong = (source: string, file = "tools/a.ts"): string[] => wrongReferences(file, source);
  expect(wrong(`Source: ${standard}. (standard 8.4, E9)`)).toEqual([]);
  expect(wrong(`Source: ${standard} 8.4 and 99.1`)).toEqual([`"${standard} 8.4 and 99.1": there is no 99.1`]);
  expect(wrong(`Source: ${standard}. standard 8.4,\n * E99`)).toEqual([`"standard 8.4,\n * E99": there is no E99`]);
  expect(wrong("standard 8.4")).toEqual([`"standard 8.4": of which standard?`]);
  expect(wrong("standard 8.4", "protocols/slime-online-2/world/a.ts")).toEqual([]);
  expect(wrong("docs/protocols/chess.md")).toEqual(["chess.md does not exist"]);
});

test.each(names)("%s refers to sections of its own that exist", (name) => {
  // `(8.4, E5)` and `section 8`; a list of plain numbers is not a reference.
  const within = textOf(name).matchAll(/\((E?\d+(?:\.\d+)*(?:, E?\d+(?:\.\d+)*)*)\)|\bsection (\d+(?:\.\d+)*)/g);
  const sections = Array.from(within).flatMap(([, list = "", section]) =>
    section === undefined ? list.split(", ").filter((each) => /E|\./.test(each)) : [section],
  );
  expect(sections.length).toBeGreaterThan(5);
  expect(sections.filter((section) => places.get(name)?.has(section) !== true)).toEqual([]);
});

test("links between documents lead somewhere", () => {
  const documents = globSync(["docs/**/*.md", "examples/*.md", "*.md"], { cwd: root });
  const all = new Set(
    globSync(["docs/**/*", "*", "examples/*", "packages/*/README.md", "bench/RESULTS*", "bench/RESULTS*/*"], {
      cwd: root,
    }),
  );
  const dead = documents.flatMap((file) =>
    Array.from(readFileSync(`${root}${file}`, "utf8").matchAll(/\]\(((?!https?:)[^)#]+)/g), ([, link = ""]) => link)
      .filter((link) => !all.has(posix.join(posix.dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  );
  expect(dead).toEqual([]);
});

describe.each(names)("examples of %s", (name) => {
  const text = textOf(name);
  const messages = rowsOf(text, "| options | bytes | message |");
  const errors = rowsOf(text, "| options | bytes | error |");
  const sessions = Array.from(text.matchAll(/```console\n([\s\S]*?)```/g), ([, block = ""]) => block);

  test("there are some", () => {
    expect(messages.length + sessions.length).toBeGreaterThan(0);
  });

  test.each(messages)("%s %s", async (options = "", bytes = "", message = "") => {
    const decoded = await runCommand(commandLine("decode", name, options), `${bytes}\n`);
    expect(JSON.parse(decoded.stdout)).toEqual({ ok: true, ...(JSON.parse(message) as object) });
    const encoded = await runCommand(commandLine("encode", name, options), message);
    expect(encoded.stdout).toBe(`${bytes.replaceAll(" ", "").toLowerCase()}\n`);
  });

  test.each(errors)("%s %s is refused", async (options = "", bytes = "", code = "") => {
    const { stdout } = await runCommand(commandLine("decode", name, options), `${bytes}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code } });
  });

  test.each(sessions)("%s", async (block) => {
    const [command = "", ...rest] = block.trimEnd().split("\n");
    const args = command.replace(/^\$ npx wirewalk /, "").split(" ");
    const input = rest.filter((line) => line.startsWith("> ")).map((line) => expanded(line.slice(2)));
    const answers = rest.filter((line) => !line.startsWith("> "));
    const { stdout } = await runCommand(args, `${input.join("\n")}\n`);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBe(answers.length);
    answers.forEach((answer, at) => {
      // Of an error what matters is its kind and its place.
      if (answer.startsWith('{"ok":false'))
        expect(JSON.parse(lines[at] ?? "")).toMatchObject(JSON.parse(answer) as object);
      else expect(lines[at]).toBe(answer);
    });
  });
});
