/** The blocks of code in README and docs, and what a test does with each. */

/** One fenced block. */
export interface Block {
  readonly page: string;
  /** Of its first line of code, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The comment before it: `not run: why`, `tested by tools/guides.test.ts`, `programs/own-server.ts`, `printed by the program`. */
  readonly mark: string | undefined;
}

export function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const found of text.matchAll(/(?:^<!-- (.*) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [all, mark, language = "", code = ""] = found;
    const before = text.slice(0, found.index + all.indexOf("```")).split("\n").length;
    blocks.push({ page, line: before + 1, language, code, mark });
  }
  return blocks;
}

/** One line of a shell with what it prints, where the page shows that. */
export interface ShellLine {
  readonly command: string;
  readonly output: string | undefined;
}

/** The commands of a block. Where it has prompts, what follows a command is its output. */
export function shellLines(code: string): readonly ShellLine[] {
  const joined = code.replaceAll(/\\\n\s*/g, "");
  if (!/^\$ /m.test(joined)) {
    return joined
      .split("\n")
      .map((line) => line.replace(/\s+#(?: .*)?$/, "").trim())
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((command) => ({ command, output: undefined }));
  }
  return joined
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { command: part.slice(0, end), output: part.slice(end + 1).trimEnd() };
    });
}

/** The words of a command line as a shell takes them, with pipes as words of their own. */
export function words(command: string): readonly string[] {
  const found = command.matchAll(/\|\||&&|\||>|(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s|>"'])+/g);
  return Array.from(found, ([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}

/** The programs of a command line, one after the other: `&&` and pipes part them. A file behind `>` is left out. */
export function pipeline(command: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let isFile = false;
  for (const word of words(command)) {
    if (word === "|" || word === "&&") parts.push([]);
    else if (word === ">") isFile = true;
    else if (isFile) isFile = false;
    else parts.at(-1)?.push(word);
  }
  return parts;
}

/**
 * An example as a module whose claims are calls of `claims`: `value; // => wanted`, `call; // throws message`,
 * `console.log(value); // what it prints`. Lines that are comments stay out.
 */
export function exampleModule(code: string): string {
  const body = code
    .replace(/^\s*\/\/ .*$/gm, "")
    .replace(/^(\s*)console\.log\((.*)\); \/\/ (.*)$/gm, (_, indent: string, value: string, printed: string) => {
      return `${indent}claims.prints(${JSON.stringify(printed)}, ${value});`;
    })
    .replace(/^(.*); \/\/ => (.*)$/gm, (_, value: string, wanted: string) => `claims.equals(${value}, ${wanted});`)
    .replace(/^(.*); \/\/ throws (.*)$/gm, (_, call: string, wanted: string) => {
      return `claims.throws(() => ${call}, ${JSON.stringify(wanted)});`;
    });
  const [imports, rest] = [body.match(/^import .*$/gm) ?? [], body.replace(/^import .*$/gm, "")];
  return `${imports.join("\n")}\nexport async function example(claims, console) {\n${rest}\n}\n`;
}
