import { type Command, Option } from "commander";
import { type InputFormat, inputFormats, type KnownOfPackets, tracePackets, waysToRead } from "wirewalk/inspect";
import type { Side } from "wirewalk/protocol";
import { nearest } from "wirewalk/wire";
import { CaptureProgress } from "../capture/capture-progress.ts";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { type ChosenReading, chooseReading } from "../input/inspect-readings.ts";
import { type InspectSource, isHex, isPath, NOTHING, readSources } from "../input/inspect-sources.ts";
import { suggest } from "../input/nearest.ts";
import { optionValues } from "../input/stream-flags.ts";
import { allStreams, type NamedStream, packetCommand, requireFrames } from "../input/streams.ts";
import { painter, widthOf } from "../output/colours.ts";
import { inspectionJson } from "../output/inspect-json.ts";
import { inspectionText, type TextStyle } from "../output/inspect-text.ts";
import { write } from "../output/output.ts";
import { addInspectCapture, inspectedFile } from "./inspect-capture.ts";

interface InspectFlags {
  readonly dialect?: string;
  readonly direction?: Side;
  readonly framed?: boolean;
  readonly format?: InputFormat;
  readonly json?: boolean;
  readonly tries?: boolean;
}

const CAPTURE_HELP = `A capture (pcap or pcapng, also with gzip) shows the messages of all its connections, and has flags of its own:
  $ wirewalk inspect game.pcapng
  $ wirewalk inspect game.pcapng --filter 'message == movePlayer && time > 12s' --json
  $ wirewalk inspect game.pcapng --help

Exit code 3 when a packet is refused.`;

/** `wirewalk inspect`: every field of a message with its place, bytes, value and meaning. */
export function addInspect(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  const inspected = inspectedFile(args, context);
  if (inspected !== undefined) {
    addInspectCapture(program, context, inspected, finish);
    return;
  }
  packetCommand(program, "inspect", context, args)
    .argument("[input...]", "hex, files, folders, or - for the standard input; a capture is read as in docs/inspect.md")
    .summary("every field of a message, annotated")
    .description(
      "Shows the fields of packets: where each begins, its bytes, name, value and meaning, and where and why reading fails. " +
        "Input is hex, base64, binary, an array or text of a program, or the output of xxd, hexdump, od or Wireshark. " +
        "Protocol, dialect, direction and framing that are not given are tried: then the ways that read all of the bytes are " +
        "listed, and why and at which bit the others do not.",
    )
    .addOption(new Option("--format <format>", "how the input is written (default: found out)").choices(inputFormats))
    .option("--tries", "list every way of reading that was tried, and why it does not fit")
    .option("--json", "one JSON object for each packet, as docs/inspect.md describes")
    .addHelpText("after", CAPTURE_HELP)
    .action(async (_name: string | undefined, _input: readonly string[], flags: InspectFlags, command: Command) => {
      const inspection = new Inspection(context, flags, command);
      if (await inspection.run()) finish(ExitCode.refused);
    });
}

class Inspection {
  readonly #context: CommandContext;
  readonly #flags: InspectFlags;
  readonly #stream: NamedStream | undefined;
  readonly #words: readonly string[];
  readonly #known: KnownOfPackets;
  readonly #style: TextStyle;

  constructor(context: CommandContext, flags: InspectFlags, command: Command) {
    this.#context = context;
    this.#flags = flags;
    const streams = allStreams(context);
    const [first] = command.args;
    this.#stream = streams.find(({ name }) => name === first);
    if (this.#stream === undefined && first !== undefined) checkFirstWord(first, streams);
    this.#words = this.#stream === undefined ? command.args : command.args.slice(1);
    const unknown = this.#words.find((word) => /^--?[a-z]/i.test(word));
    if (unknown !== undefined) throw unknownFlag(unknown, command);
    this.#known = this.#readKnown(command);
    this.#style = { paint: painter(context.stdout, context.env), width: widthOf(context.stdout) };
  }

  /** True when a packet was refused. */
  async run(): Promise<boolean> {
    const { protocols } = this.#context;
    const ways = waysToRead(Object.values(protocols), this.#known);
    const sources = await readSources(this.#context, this.#words, this.#flags.format);
    const isEmpty = sources.every(({ input }) => input.packets.every(({ bytes }) => bytes.length === 0));
    if (isEmpty && this.#stream === undefined) throw new UsageError(NOTHING);
    let isRefused = false;
    for (const [index, source] of sources.entries()) {
      const reading = chooseReading(source, ways, this.#stream !== undefined);
      if (index > 0 && this.#flags.json !== true) await write(this.#context.stdout, "\n");
      if (await this.#show(source, reading)) isRefused = true;
    }
    return isRefused;
  }

  async #show(source: InspectSource, reading: ChosenReading): Promise<boolean> {
    const { stdout, stderr } = this.#context;
    const { way, packets } = reading;
    const bytes = packets.map((packet) => packet.bytes);
    const total = bytes.reduce((sum, { length }) => sum + length, 0);
    const progress = new CaptureProgress(stderr, stdout, total);
    const traces = way === undefined ? undefined : tracePackets(way, bytes);
    const shown = {
      source,
      reading,
      traces,
      withProtocol: this.#stream === undefined,
      allTries: this.#flags.tries === true,
    };
    let isRefused = false;
    const pieces = this.#flags.json === true ? inspectionJson(shown) : inspectionText(shown, this.#style);
    for (const piece of pieces) {
      if (piece.isRefused) isRefused = true;
      await write(stdout, piece.text);
      progress.show(piece.bytes);
    }
    progress.end();
    return isRefused;
  }

  #readKnown(command: Command): KnownOfPackets {
    const { dialect, direction, framed } = this.#flags;
    const { protocols } = this.#context;
    const stream = this.#stream;
    const of = stream === undefined ? Object.values(protocols) : [stream.protocol];
    const dialects = [...new Set(of.flatMap((protocol) => protocol.dialects.map(({ name }) => name)))];
    if (dialect !== undefined && !dialects.includes(dialect)) {
      const where = stream === undefined ? "" : ` of ${stream.protocol.name}`;
      throw new UsageError(`unknown dialect '${dialect}'${where}${suggest(dialect, dialects)}`);
    }
    const senders = stream?.stream.senders ?? ["client", "server"];
    if (direction !== undefined && !senders.includes(direction)) {
      throw new UsageError(
        `lines of ${stream?.name} come from the ${senders.join(" or the ")}, not from the ${direction}`,
      );
    }
    if (framed === true && stream !== undefined) requireFrames(stream);
    return {
      name: stream?.name,
      dialect,
      sender: direction,
      framed: framed === true ? true : undefined,
      options: stream === undefined ? {} : optionValues(command, stream.stream.options, framed === true),
    };
  }
}

/** A first word that is no protocol is input, unless it can be nothing but a mistyped protocol. */
function checkFirstWord(word: string, streams: readonly NamedStream[]): void {
  if (word === "" || word === "-" || isHex(word) || isPath(word)) return;
  const names = streams.map(({ name }) => name);
  const isPathLike = /[\\/.]/.test(word);
  const near = nearest(word, names);
  if (near !== undefined && (!isPathLike || /^[a-z\d-]+\/[a-z-]+$/i.test(word))) {
    throw new UsageError(`unknown protocol '${word}'; did you mean ${near}?`);
  }
  // A single word in letters: as hex or base64 it would be refused without a hint.
  if (/^[a-z][a-z\d-]*$/.test(word) && !/^[\da-fx]+$/.test(word)) {
    throw new UsageError(`'${word}' is no protocol, no file and no hex; known protocols are ${names.join(", ")}`);
  }
}

function unknownFlag(word: string, command: Command): UsageError {
  const [flag = ""] = word.split("=");
  const known = [
    ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
    "--help",
  ];
  const near = nearest(flag, known);
  return new UsageError(`unknown option '${flag}'${near === undefined ? "" : `; did you mean ${near}?`}`);
}
