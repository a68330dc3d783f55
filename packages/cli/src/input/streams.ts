import { type Command, Option } from "commander";
import {
  defaultDialect,
  MissingMemberError,
  type PacketStream,
  type Protocol,
  packetStreams,
  type Side,
  type StreamSetup,
} from "wirewalk/protocol";
import { type CommandContext, UsageError } from "../context.ts";
import { examplesOf, type PacketCommand } from "./examples.ts";
import { suggest } from "./nearest.ts";
import { addOptionFlags, optionValues } from "./stream-flags.ts";

/** A packet stream of a game. */
export interface NamedStream {
  /** `slime-online-2`, `osrs/mouse`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly stream: PacketStream;
}

/** All packet streams of a game, by the names that the command line has for them. */
export function streamsOf(protocol: Protocol): NamedStream[] {
  return Object.entries(packetStreams(protocol)).map(([part, stream]) => ({
    name: part === "" ? protocol.name : `${protocol.name}/${part}`,
    protocol,
    stream,
  }));
}

/** All packet streams of all games, in the order of the table. */
export function allStreams({ protocols }: CommandContext): NamedStream[] {
  return Object.values(protocols).flatMap(streamsOf);
}

/** What the flags of every packet command give. */
interface PacketFlags {
  readonly dialect?: string;
  readonly direction?: Side;
  readonly framed?: boolean;
}

/** The stream that a command line names, with its setup. */
export interface ChosenStream extends NamedStream {
  readonly setup: StreamSetup;
  /** True for what stands on the command line, false for a default. */
  readonly given: { readonly dialect: boolean; readonly direction: boolean; readonly framed: boolean };
}

/**
 * A command about packets: its argument `<protocol>`, the flags that all streams share, and those of the stream that
 * `args` name, so that its help shows them and an unknown one is refused.
 */
export function packetCommand(
  program: Command,
  name: PacketCommand,
  context: CommandContext,
  args: readonly string[],
): Command {
  const streams = allStreams(context);
  const named = streams.find((each) => args.includes(each.name));
  // `inspect` tries what is not given.
  const isOptional = name === "inspect";
  const open = isOptional ? " (default: all are tried)" : "";
  const command = program
    .command(name)
    .argument(isOptional ? "[protocol]" : "<protocol>", `${streams.map((each) => each.name).join(", ")}${open}`)
    .option(
      "--dialect <name>",
      `dialect of the protocol (${named === undefined ? "see wirewalk protocols" : dialectHelp(named.protocol, isOptional)})`,
    )
    .addOption(
      new Option(
        "--direction <sender>",
        `who sent the packets${isOptional ? open : ` (default: ${named?.stream.senders[0] ?? "client"})`}`,
      ).choices(["client", "server"]),
    )
    .option(
      "--framed",
      `carried bytes of one stream, with frames and cipher; without: ${isOptional ? "both are tried" : "bare packets"}`,
    );

  const about = named === undefined ? "" : `\n${named.name}: ${named.stream.summary}\n`;
  const examples = examplesOf(name, named?.name).map((line) => `  $ ${line}\n`);
  command.addHelpText("after", `${about}\nExamples:\n${examples.join("")}`);

  // Flags cannot be checked before the protocol is known: then its name is what is wrong.
  if (named === undefined) command.allowUnknownOption().allowExcessArguments();
  else if (named.stream.options.length > 0) {
    command.optionsGroup(`Options of ${named.name}:`);
    addOptionFlags(command, named.stream.options);
  }
  return command;
}

/** The dialects of a game, for help. */
export function dialectHelp(protocol: Protocol, triesAll = false): string {
  const otherwise = triesAll ? `${defaultDialect(protocol)}, then the others` : defaultDialect(protocol);
  return `choices: ${protocol.dialects.map(({ name }) => name).join(", ")}; default: ${otherwise}`;
}

/** What the command line of {@link packetCommand} chose. Throws {@link UsageError} for an unknown name, and `MissingMemberError` for unknown frames. */
export function chooseStream(context: CommandContext, name: string, command: Command): ChosenStream {
  const streams = allStreams(context);
  const chosen = streams.find((each) => each.name === name);
  if (chosen === undefined) {
    const known = streams.map((each) => each.name);
    throw new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
  }
  const { protocol, stream } = chosen;
  const flags = command.opts<PacketFlags>();
  const isGiven = (flag: string): boolean => command.getOptionValueSource(flag) === "cli";
  const sender = flags.direction ?? stream.senders[0];
  if (!stream.senders.includes(sender)) {
    throw new UsageError(`lines of ${name} come from the ${stream.senders.join(" or the ")}, not from the ${sender}`);
  }
  if (flags.framed === true) requireFrames(chosen);
  return {
    ...chosen,
    setup: {
      dialect: chooseDialect(protocol, flags.dialect),
      sender,
      isSenderGiven: isGiven("direction"),
      framed: flags.framed === true,
      options: optionValues(command, stream.options, flags.framed === true),
    },
    given: { dialect: isGiven("dialect"), direction: isGiven("direction"), framed: isGiven("framed") },
  };
}

/** Throws `MissingMemberError` for a stream whose frames are not known. */
export function requireFrames({ name, stream }: NamedStream): void {
  if (stream.openChannel === undefined) {
    throw new MissingMemberError(name, ["openChannel"], "be read or written in frames");
  }
}

/** The protocol's dialect of that name, the default one without a name. Throws {@link UsageError} for an unknown name. */
export function chooseDialect(protocol: Protocol, name: string | undefined): string {
  if (name === undefined) return defaultDialect(protocol);
  const known = protocol.dialects.map((dialect) => dialect.name);
  if (known.includes(name)) return name;
  throw new UsageError(`unknown dialect '${name}' of ${protocol.name}${suggest(name, known)}`);
}

/** The game of that name. Throws {@link UsageError} for an unknown one. */
export function chooseProtocol(context: CommandContext, name: string): Protocol {
  const protocol = Object.values(context.protocols).find((each) => each.name === name);
  if (protocol !== undefined) return protocol;
  const known = Object.values(context.protocols).map((each) => each.name);
  throw new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
}
