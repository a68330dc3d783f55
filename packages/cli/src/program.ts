import { Command, CommanderError, Option } from "commander";
import type { Protocol } from "wirewalk/protocol";
import type { CompletionProgram } from "./commands/completion.ts";
import {
  type CommandContext,
  type CommandLineContext,
  ExitCode,
  FailedError,
  type Finish,
  isUsageError,
  type OutsideFiles,
  UsageError,
} from "./context.ts";
import { peekInput } from "./files/input-bytes.ts";
import { suggest } from "./input/nearest.ts";
import { noFiles, takeOutsideFiles } from "./input/outside-files.ts";
import { isTerminal } from "./output/colours.ts";

/** Adds a command with its flags, its help and what it does. `around` is for commands about commands. */
type AddCommand = (
  program: Command,
  context: CommandContext,
  args: readonly string[],
  finish: Finish,
  around: CompletionProgram,
) => void;

/** A command as the general help lists it: what it does and its own help are loaded when it is called. */
interface CommandEntry {
  readonly name: string;
  readonly group: string;
  /** Its arguments, as help shows them. */
  readonly usage: string;
  /** Whether help shows that it has flags. */
  readonly hasFlags: boolean;
  readonly summary: string;
  /** Whether it is about the game that its first argument names, so that no other one is loaded. */
  readonly isOfOneGame?: true;
  /** Whether its flags follow from what the standard input is. */
  readonly looksAtInput?: true;
  /** Whether it loads the games itself, if it needs them. */
  readonly loadsGames?: true;
  load(): Promise<AddCommand>;
}

const PACKETS = "Packets:";
const PLAY = "Play:";
const RECORDINGS = "Recordings:";
const OPERATION = "Operation:";
const SHELL = "Shell:";

/** All commands, in the order of the help. A test compares them with what the commands say of themselves. */
export const commandEntries: readonly CommandEntry[] = [
  {
    name: "decode",
    group: PACKETS,
    usage: "<protocol>",
    hasFlags: true,
    summary: "hex lines in, JSON lines out",
    isOfOneGame: true,
    looksAtInput: true,
    load: async () => (await import("./commands/convert.ts")).addDecode,
  },
  {
    name: "encode",
    group: PACKETS,
    usage: "<protocol>",
    hasFlags: true,
    summary: "JSON lines in, hex lines out",
    isOfOneGame: true,
    load: async () => (await import("./commands/convert.ts")).addEncode,
  },
  {
    name: "inspect",
    group: PACKETS,
    usage: "[protocol] [input...]",
    hasFlags: true,
    summary: "every field of a message, annotated",
    isOfOneGame: true,
    looksAtInput: true,
    load: async () => (await import("./commands/inspect.ts")).addInspect,
  },
  {
    name: "export",
    group: PACKETS,
    usage: "<format> <protocol>",
    hasFlags: true,
    summary: "the messages of a protocol, described for other programs and for documentation",
    load: async () => (await import("./commands/export.ts")).addExport,
  },
  {
    name: "protocols",
    group: PACKETS,
    usage: "[protocol...]",
    hasFlags: true,
    summary: "games, dialects, parts and messages",
    load: async () => (await import("./commands/protocols.ts")).addProtocols,
  },
  {
    name: "rules",
    group: PACKETS,
    usage: "[protocol...]",
    hasFlags: true,
    summary: "settings of games: limits of rules with unit, value, bounds and source",
    load: async () => (await import("./commands/rules.ts")).addRules,
  },
  {
    name: "maps",
    group: PACKETS,
    usage: "<protocol> <path> [id...]",
    hasFlags: true,
    summary: "what is in a set of maps: a line for each place",
    isOfOneGame: true,
    load: async () => (await import("./commands/maps.ts")).addMaps,
  },
  {
    name: "serve",
    group: PLAY,
    usage: "",
    hasFlags: true,
    summary: "worlds over TCP and WebSocket, and the page",
    load: async () => (await import("./commands/serve.ts")).addServe,
  },
  {
    name: "bots",
    group: PLAY,
    usage: "<protocol>",
    hasFlags: true,
    summary: "programmed players, over real sockets",
    load: async () => (await import("./commands/bots.ts")).addBots,
  },
  {
    name: "engine",
    group: PLAY,
    usage: "<engine>",
    hasFlags: true,
    summary: "an engine for servers in other languages, JSON lines in and out",
    isOfOneGame: true,
    load: async () => (await import("./commands/engine.ts")).addEngine,
  },
  {
    name: "relay",
    group: PLAY,
    usage: "<protocol>",
    hasFlags: true,
    summary: "between a real client and its server: shows, judges and records what passes",
    isOfOneGame: true,
    load: async () => (await import("./commands/relay.ts")).addRelay,
  },
  {
    name: "capture",
    group: PLAY,
    usage: "",
    hasFlags: true,
    summary: "the sessions of a running server as a pcapng file, for Wireshark and inspect",
    load: async () => {
      const { addCapture } = await import("./commands/capture.ts");
      return (program, context, _args, finish) => addCapture(program, context, finish);
    },
  },
  {
    name: "convert",
    group: RECORDINGS,
    usage: "<in> <out>",
    hasFlags: true,
    summary: "sessions from one kind of file into another",
    load: async () => (await import("./commands/convert-file.ts")).addConvert,
  },
  {
    name: "replay",
    group: RECORDINGS,
    usage: "<file>",
    hasFlags: true,
    summary: "play a recording again: its verdicts, on the page, or compared with what was recorded",
    load: async () => (await import("./commands/replay.ts")).addReplay,
  },
  {
    name: "verdicts",
    group: RECORDINGS,
    usage: "<file> [filter]",
    hasFlags: true,
    summary: "the verdicts of a recording, as a table",
    load: async () => (await import("./commands/verdicts.ts")).addVerdicts,
  },
  {
    name: "verdict",
    group: RECORDINGS,
    usage: "",
    hasFlags: false,
    summary: "one verdict: shown with its evidence, as one file to send, judged again, acted upon",
    load: async () => (await import("./commands/verdict.ts")).addVerdict,
  },
  {
    name: "check",
    group: RECORDINGS,
    usage: "<folder>",
    hasFlags: true,
    summary: "recordings in which the rules must, or must not, find something",
    load: async () => (await import("./commands/check.ts")).addCheck,
  },
  {
    name: "tune",
    group: RECORDINGS,
    usage: "<folder>",
    hasFlags: true,
    summary: "proposes limits of rules from your own honest recordings, and what they cost",
    load: async () => (await import("./commands/tune.ts")).addTune,
  },
  {
    name: "tables",
    group: RECORDINGS,
    usage: "<file>",
    hasFlags: true,
    summary: "a recording as tables for analysis: positions, verdicts, mouse strokes",
    load: async () => (await import("./commands/tables.ts")).addTables,
  },
  {
    name: "bans",
    group: OPERATION,
    usage: "",
    hasFlags: false,
    summary: "list, show, lift and export the bans that a server has kept",
    load: async () => (await import("./commands/bans.ts")).addBans,
  },
  {
    name: "accounts",
    group: OPERATION,
    usage: "",
    hasFlags: false,
    summary: "list, add and remove the accounts of a server",
    load: async () => (await import("./commands/accounts.ts")).addAccounts,
  },
  {
    name: "store",
    group: OPERATION,
    usage: "",
    hasFlags: false,
    summary: "copy bans and accounts to another store",
    load: async () => (await import("./commands/store.ts")).addStore,
  },
  {
    name: "cluster",
    group: OPERATION,
    usage: "",
    hasFlags: false,
    summary: "show the nodes and worlds of a cluster",
    load: async () => (await import("./commands/cluster.ts")).addCluster,
  },
  {
    name: "drain",
    group: OPERATION,
    usage: "<node>",
    hasFlags: true,
    summary: "make a node of a cluster hand over its worlds and end",
    load: async () => (await import("./commands/cluster.ts")).addDrain,
  },
  {
    name: "attack",
    group: OPERATION,
    usage: "[name...]",
    hasFlags: true,
    summary: "run attacks on a server and report which it withstands",
    load: async () => {
      const { addAttack } = await import("./commands/attack.ts");
      return (program, context, _args, finish) => addAttack(program, context, finish);
    },
  },
  {
    name: "completion",
    group: SHELL,
    usage: "<shell>",
    hasFlags: true,
    summary: "a script that completes command lines in bash, zsh or fish",
    loadsGames: true,
    load: async () => {
      const { addCompletion } = await import("./commands/completion.ts");
      return (program, context, _args, _finish, around) => addCompletion(program, context, around);
    },
  },
];

/** The command that a command line calls, or whose help it asks for; undefined for the general help and unknown names. */
function calledEntry(args: readonly string[]): CommandEntry | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const name = words[0] === "help" ? words[1] : words[0];
  return commandEntries.find((each) => each.name === name);
}

/** The game that a command line is about, where its command is about one; undefined where all are needed. */
function namedGame({ isOfOneGame }: CommandEntry, args: readonly string[]): string | undefined {
  const isHelp = args[0] === "help" || args.includes("--help") || args.includes("-h");
  if (isOfOneGame !== true || isHelp) return undefined;
  const [, stream] = args.filter((arg) => !arg.startsWith("-"));
  return stream?.split("/")[0];
}

/** A command that is not called: its line of the general help. */
function addLine(program: Command, { name, usage, hasFlags, summary }: CommandEntry): void {
  const command = program.command(name).summary(summary);
  if (usage !== "") command.arguments(usage);
  if (hasFlags) command.addOption(new Option("--flags").hideHelp());
}

/** The command that is called, with the games that it needs. */
interface Called {
  readonly entry: CommandEntry;
  readonly add: AddCommand;
  readonly protocols: Readonly<Record<string, Protocol>>;
}

async function loadCalled(
  args: readonly string[],
  files: OutsideFiles,
  context: CommandLineContext,
): Promise<Called | undefined> {
  const entry = calledEntry(args);
  if (entry === undefined) return undefined;
  const [add, protocols] = await Promise.all([
    entry.load(),
    entry.loadsGames === true ? {} : context.loadProtocols(namedGame(entry, args), files),
  ]);
  return { entry, add, protocols };
}

/**
 * The command line as a commander program. `args` are read beforehand: the flags of `decode`, `encode` and `inspect` depend
 * on the protocol that they name, and only the command that is called is loaded.
 */
export async function buildProgram(
  context: CommandLineContext,
  args: readonly string[],
  finish: Finish,
  files: OutsideFiles = noFiles,
): Promise<Command> {
  const called = await loadCalled(args, files, context);
  const program = new Command("wirewalk")
    .description("Read, write, check and serve player movement over the wire protocols of real games.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    // Taken out beforehand: the arguments of a command follow from the games.
    .option(
      "--protocol <file>",
      "a game made elsewhere, for any command: the module of the file exports it (repeatable)",
    )
    .option(
      "--table <file>",
      "opcodes and sizes of a game's revision, for any command, as docs/osrs-player-info.md has them (repeatable)",
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(`wirewalk: ${toSentence(text, helpOf(args))}\n`),
    })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      "after",
      `
Examples:
  $ echo "02 00 02 C0 01 A0 00" | wirewalk decode slime-online-2
  $ wirewalk inspect slime-online-2 02 00 02 C0 01 A0 00
  $ wirewalk serve --bots 24
  $ wirewalk bots my-game --protocol ./my-game.js

Exit codes: 0 done, 1 a server, port or file failed, 2 wrong usage, 3 a line or message was refused.`,
    );

  const around: CompletionProgram = {
    describe: (others) => buildProgram(context, others, finish, files),
    protocols: () => context.loadProtocols(undefined, files),
  };
  for (const entry of commandEntries) {
    program.commandsGroup(entry.group);
    if (entry === called?.entry)
      called.add(program, { ...context, protocols: called.protocols, outsideFiles: files }, args, finish, around);
    else addLine(program, entry);
  }
  program.addHelpCommand(
    new Command("help").argument("[command]").description("print the help of a command").helpGroup("Help:"),
  );
  return program;
}

/** Runs one command line to its end and gives its exit code. */
export async function run(given: readonly string[], context: CommandLineContext): Promise<number> {
  let exitCode: number = ExitCode.ok;
  try {
    const { files, rest: args } = takeOutsideFiles(given);
    const finish = (code: number): void => {
      exitCode = code;
    };
    const program = await buildProgram(await looked(args, context), args, finish, files);
    checkCommand(program, args);
    // Without a command it prints the help.
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    if (isUsageError(error) || error instanceof FailedError) {
      context.stderr.write(`wirewalk: ${error.message}\n`);
      return error instanceof FailedError ? ExitCode.failed : ExitCode.usage;
    }
    throw error;
  }
}

/** With what the standard input is, where the command reads it and its flags follow from that. */
async function looked(args: readonly string[], context: CommandLineContext): Promise<CommandLineContext> {
  const words = args.slice(1).filter((arg) => !(arg.startsWith("-") && arg !== "-"));
  const isHelp = args[0] === "help" || args.includes("--help") || args.includes("-h");
  const isRead = calledEntry(args)?.looksAtInput === true && (words.length === 0 || words.includes("-"));
  if (!isRead || isHelp || isTerminal(context.stdin)) return context;
  const peeked = await peekInput(context.stdin);
  return { ...context, stdin: peeked.stdin, peeked };
}

/**
 * Commander answers `help` of an unknown command with the general help, without naming the error, and an unknown command without those
 * that it knows.
 */
function checkCommand(program: Command, [command, of]: readonly string[]): void {
  const name = command === "help" ? of : command;
  if (name === undefined || name.startsWith("-")) return;
  const known = [...program.commands.map((each) => each.name()), "help"];
  if (!known.includes(name)) throw new UsageError(`unknown command '${name}'${suggest(name, known)}`);
}

/** The command line that prints the help of what these arguments call. */
function helpOf(args: readonly string[]): string {
  const entry = calledEntry(args);
  const [name, of] = args.filter((arg) => !arg.startsWith("-"));
  // Such as `bans list`; a file is no command.
  const isCommand = entry?.hasFlags === false && of !== undefined && /^[a-z]+$/.test(of);
  const words = isCommand ? [name, of] : [name];
  return ["wirewalk", ...words, "--help"].join(" ");
}

/** Errors after which the reader needs to know what the command takes. */
const NEEDS_HELP = /^(missing required argument|required option|too many arguments)/;

/** Commander's `error: unknown option '--x'` and its suggestion on a second line as one sentence. */
function toSentence(text: string, help: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const hint = rest.join(" ").replace(/^\(Did you mean (.*)\?\)$/, "did you mean $1?");
  const sentence = first.replace(/^error: /, "").replace(/\.$/, "");
  if (NEEDS_HELP.test(sentence)) return `${sentence}; see ${help}`;
  return hint === "" ? sentence : `${sentence}; ${hint}`;
}
