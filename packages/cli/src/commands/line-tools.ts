import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { LineFlag, LineOptions, LineTools, Protocol, Side } from "wirewalk/protocol";
import { type CommandContext, UsageError } from "../context.ts";
import { suggest } from "../nearest.ts";

/** The lines of one game, or of one part of it. */
export interface NamedLines {
  /** `slime-online-2`, `osrs/mouse`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly tools: LineTools;
}

/** All lines of all games, in the order of the table. */
export function allLines(protocols: Readonly<Record<string, Protocol>>): NamedLines[] {
  return Object.values(protocols).flatMap((protocol) =>
    Object.entries(protocol.lines).map(([part, tools]) => ({
      name: part === "" ? protocol.name : `${protocol.name}/${part}`,
      protocol,
      tools,
    })),
  );
}

/** What the flags of a line command gave. */
type LineFlags = Readonly<Record<string, string | boolean | undefined>>;

/** The lines that a command line is about, with their options. */
export interface ChosenLines extends NamedLines {
  readonly options: LineOptions;
  /** True for what the command line itself said. */
  readonly given: { readonly dialect: boolean; readonly direction: boolean; readonly framed: boolean };
}

/**
 * A command about lines: its argument `<protocol>`, the flags that all protocols share, and those of the protocol that
 * `args` name, so that its help shows them and a wrong one is refused. `examples` are for protocols without their own.
 */
export function lineCommand(
  program: Command,
  name: "decode" | "encode" | "inspect",
  context: CommandContext,
  args: readonly string[],
  examples: readonly string[],
): Command {
  const lines = allLines(context.protocols);
  const named = lines.find((each) => args.includes(each.name));
  const command = program
    .command(name)
    .argument("<protocol>", lines.map((each) => each.name).join(", "))
    .option(
      "--dialect <name>",
      `way of speaking the protocol (${named === undefined ? "see wirewalk protocols" : dialectHelp(named.protocol)})`,
    )
    .addOption(
      new Option(
        "--direction <sender>",
        `who sent the payloads (default: ${named?.tools.senders[0] ?? "client"})`,
      ).choices(["client", "server"]),
    )
    .option("--framed", "carried bytes of one stream, with frames and cipher; without: bare payloads");

  const shown = named?.tools.examples?.[name] ?? examples;
  const about = named === undefined ? "" : `\n${named.name}: ${named.tools.summary}\n`;
  command.addHelpText("after", `${about}\nExamples:\n${shown.map((line) => `  $ ${line}\n`).join("")}`);

  // Nothing can be said about flags before the protocol is known: its name is what is wrong then.
  if (named === undefined) command.allowUnknownOption().allowExcessArguments();
  else if (named.tools.flags.length > 0) {
    command.optionsGroup(`Options of ${named.name}:`);
    for (const { flag, summary } of named.tools.flags) command.option(flag, summary);
  }
  return command;
}

function dialectHelp({ dialects, defaultDialect }: Protocol): string {
  return `choices: ${dialects.map(({ name }) => name).join(", ")}; default: ${defaultDialect}`;
}

/** What the command line of {@link lineCommand} chose. Throws {@link UsageError} for a name that is none. */
export function chooseLines(context: CommandContext, name: string, command: Command): ChosenLines {
  const lines = allLines(context.protocols);
  const chosen = lines.find((each) => each.name === name);
  if (chosen === undefined) {
    const known = lines.map((each) => each.name);
    throw new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
  }
  const { protocol, tools } = chosen;
  const flags = command.opts<LineFlags>();
  const isGiven = (flag: string): boolean => command.getOptionValueSource(flag) === "cli";
  const direction = (flags.direction ?? tools.senders[0]) as Side;
  if (!tools.senders.includes(direction)) {
    throw new UsageError(`lines of ${name} come from the ${tools.senders.join(" or the ")}, not from the ${direction}`);
  }
  const own = tools.flags.map((flag) => {
    const key = new Option(flag.flag).attributeName();
    return [key, givenValue(flag, flags[key])] as const;
  });
  return {
    ...chosen,
    options: {
      dialect: chooseDialect(protocol, flags.dialect as string | undefined),
      direction,
      framed: flags.framed === true,
      flags: Object.fromEntries(own),
    },
    given: { dialect: isGiven("dialect"), direction: isGiven("direction"), framed: isGiven("framed") },
  };
}

/** What a flag of the protocol's own was given: where it may be a file, the file's text. */
function givenValue({ flag, fileUnless }: LineFlag, value: LineFlags[string]): LineFlags[string] {
  if (fileUnless === undefined || typeof value !== "string" || fileUnless.includes(value)) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const known = `a file, or one of ${fileUnless.join(", ")}`;
    throw new UsageError(`${flag.split(" ")[0]} ${value}: it must be ${known} (${why})`);
  }
}

/** The protocol's dialect of that name, by default its default one. Throws {@link UsageError} when it has none such. */
export function chooseDialect(protocol: Protocol, name: string | undefined): string {
  if (name === undefined) return protocol.defaultDialect;
  const known = protocol.dialects.map((dialect) => dialect.name);
  if (known.includes(name)) return name;
  throw new UsageError(`unknown dialect '${name}' of ${protocol.name}${suggest(name, known)}`);
}

/** The game of that name. Throws {@link UsageError} when there is none. */
export function chooseProtocol(context: CommandContext, name: string): Protocol {
  const protocol = Object.values(context.protocols).find((each) => each.name === name);
  if (protocol !== undefined) return protocol;
  const known = Object.values(context.protocols).map((each) => each.name);
  throw new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
}
