/** What may stand at the cursor of an unfinished command line. */
import type { Argument, Command, Option } from "commander";
import type { Protocol } from "wirewalk/protocol";

/** A word that fits, or a request that the shell itself completes names of files or folders. */
export type Completion = { readonly word: string; readonly summary: string } | { readonly shell: "files" | "folders" };

/** What is known where a completion is made. */
export interface CompletionSources {
  /** All commands, with summaries. */
  readonly program: Command;
  /** The program with one command in it whole, with the flags that this line has. */
  describe(args: readonly string[]): Promise<Command>;
  protocols(): Promise<Readonly<Record<string, Protocol>>>;
  attacks(): Promise<readonly { readonly name: string; readonly summary: string }[]>;
}

const FILES: readonly Completion[] = [{ shell: "files" }];
const FOLDERS: readonly Completion[] = [{ shell: "folders" }];

/** Commander holds it apart. */
const HELP: Completion = { word: "help", summary: "print the help of a command" };

/**
 * The completions of the last word, which may be empty. `words` are those behind `wirewalk` up to the cursor. The shell keeps those
 * that begin with what was typed.
 */
export async function completionsOf(
  given: readonly string[],
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  // bash has `=` as a word of its own.
  const words = given.filter((word, index) => word !== "=" || index === given.length - 1);
  const current = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = words.slice(0, -1);
  if (before.at(-1) === "--protocol") return FILES;
  const { rest } = withoutProtocolFiles(before);
  const found = await candidates(rest, current, sources);
  return found.filter((each) => "shell" in each || each.word.startsWith(current));
}

function withoutProtocolFiles(words: readonly string[]): { readonly rest: readonly string[] } {
  return { rest: words.filter((word, index) => word !== "--protocol" && words[index - 1] !== "--protocol") };
}

async function candidates(
  before: readonly string[],
  current: string,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const { program } = sources;
  const [name] = before.filter((word) => !word.startsWith("-"));
  if (name === undefined || name === "help") {
    return current.startsWith("-") ? flagsOf(program, before) : [...commandsOf(program), HELP];
  }
  const described = await sources.describe(before);
  const command = described.commands.find((each) => each.name() === name);
  if (command === undefined) return [];
  return ofCommand(command, before.slice(before.indexOf(name) + 1), current, sources);
}

async function ofCommand(
  command: Command,
  before: readonly string[],
  current: string,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  if (command.commands.length > 0) {
    for (const [at, word] of before.entries()) {
      const inner = command.commands.find((each) => each.name() === word);
      if (inner !== undefined) return ofCommand(inner, before.slice(at + 1), current, sources);
    }
    return current.startsWith("-") ? flagsOf(command, before) : commandsOf(command);
  }
  const last = before.at(-1);
  const option = command.options.find(({ long, short }) => last !== undefined && (last === long || last === short));
  if (option !== undefined && takesValue(option)) return valuesOf(option, before, sources);
  if (current.startsWith("-")) return flagsOf(command, before);
  const operands = operandsOf(command, before);
  const all = command.registeredArguments;
  const argument = all[operands.length] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
  return argument === undefined ? [] : argumentsOf(command, argument, operands, sources);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** The words that are neither flags nor their values. */
function operandsOf(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    if (word.startsWith("-") && word !== "-") return false;
    const flag = words[index - 1];
    const option = command.options.find(({ long, short }) => flag !== undefined && (flag === long || flag === short));
    return option === undefined || !takesValue(option);
  });
}

function commandsOf(command: Command): readonly Completion[] {
  return command.commands.map((each) => ({ word: each.name(), summary: each.summary() || each.description() }));
}

/** The flags that were not given; those that gather values may be given again. */
function flagsOf(command: Command, before: readonly string[]): readonly Completion[] {
  const options = command.options.filter(
    ({ long, hidden, parseArg, required }) =>
      !hidden && (!before.includes(long ?? "") || (required && parseArg !== undefined)),
  );
  const flags = options.flatMap(({ long, description }) =>
    long == null ? [] : [{ word: long, summary: description }],
  );
  return [...flags, { word: "--help", summary: "print the help" }];
}

async function valuesOf(
  option: Option,
  before: readonly string[],
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const { argChoices, flags } = option;
  if (argChoices !== undefined) return argChoices.map((word) => ({ word, summary: "" }));
  const placeholder = /<([^>]*)>/.exec(flags)?.[1] ?? "";
  if (/folder/.test(placeholder)) return FOLDERS;
  const names = await namedValues(option, before, sources);
  return /file|path/.test(placeholder) ? [...names, ...FILES] : names;
}

async function namedValues(
  { long, flags, description }: Option,
  before: readonly string[],
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const protocols = async (): Promise<readonly Protocol[]> => {
    const all = Object.values(await sources.protocols());
    const named = all.filter(({ name }) => before.some((word) => word === name || word.startsWith(`${name}/`)));
    return named.length === 0 ? all : named;
  };
  const unique = (found: readonly Completion[]): readonly Completion[] => {
    const seen = new Set<string>();
    return found.filter((each) => !("word" in each) || (!seen.has(each.word) && seen.add(each.word)));
  };
  switch (long) {
    case "--dialect": {
      const isPair = flags.includes("=");
      const found = (await protocols()).flatMap(({ name, dialects }) =>
        dialects.map((dialect) => ({
          word: isPair ? `${name}=${dialect.name}` : dialect.name,
          summary: dialect.summary,
        })),
      );
      return unique(found);
    }
    case "--maps":
      return flags.includes("=")
        ? Object.values(await sources.protocols()).flatMap(({ name, title, capabilities }) =>
            capabilities?.maps === undefined ? [] : [{ word: `${name}=`, summary: title }],
          )
        : [];
    case "--cheat":
      return unique(
        (await protocols()).flatMap(({ bots }) =>
          ["none", ...(bots?.cheats ?? []), ...(bots?.mapCheats ?? []), ...(bots?.hardCheats ?? [])].map((word) => ({
            word,
            summary: "",
          })),
        ),
      );
    case "--game":
      return Object.values(await sources.protocols()).map(({ name, title }) => ({ word: name, summary: title }));
    case "--listen":
      return Object.values(await sources.protocols()).flatMap(({ name, defaultPort }) =>
        defaultPort === undefined ? [] : [{ word: `${name}=${defaultPort}`, summary: "its own port" }],
      );
    case "--set":
      return (await protocols()).flatMap(({ name, capabilities }) =>
        Object.entries(capabilities?.settings?.values ?? {}).map(([setting, value]) => {
          return { word: `${name}.${setting}=${value.default}`, summary: value.summary };
        }),
      );
    default:
      // Options of packet streams name their values: "mask blocks: 206, 223, none (default)".
      return /<name\|file>/.test(flags) ? listedIn(description.replace(/^[^:]*: /, "")) : [];
  }
}

async function argumentsOf(
  command: Command,
  argument: Argument,
  operands: readonly string[],
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word, summary: "" }));
  if (command.name() === "attack") {
    return (await sources.attacks())
      .filter(({ name }) => !operands.includes(name))
      .map(({ name, summary }) => ({ word: name, summary }));
  }
  const names = isListOfNames(argument.description) ? listedIn(argument.description) : [];
  if (command.name() === "protocols" || command.name() === "rules") {
    return Object.values(await sources.protocols()).map(({ name, title }) => ({ word: name, summary: title }));
  }
  // The first word of `inspect` is a protocol or already a file.
  return ["input", "file", "path"].includes(argument.name()) || command.name() === "inspect"
    ? [...names, ...FILES]
    : names;
}

/** `slime-online-2, osrs/mouse (default: all are tried)`. */
function isListOfNames(text: string): boolean {
  return /^[\w/-]+(?:, [\w/-]+)*(?: \([^)]*\))?$/.test(text);
}

function listedIn(text: string): readonly Completion[] {
  return text
    .replaceAll(/ \([^)]*\)/g, "")
    .split(", ")
    .filter((word) => /^[\w/-]+$/.test(word))
    .map((word) => ({ word, summary: "" }));
}
