import type { Command } from "commander";
import { formatTrace, traceStream } from "wirewalk/inspect";
import type { PacketStream, Side, StreamSetup, TracedBytes } from "wirewalk/protocol";
import { countBytes, parseHex, WireError } from "wirewalk/wire";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { LINE_LIMIT } from "../line-splitter.ts";
import { write } from "../output.ts";
import { addInspectCapture, captureArgument } from "./inspect-capture.ts";
import { type ChosenStream, chooseStream, packetCommand } from "./streams.ts";

/** `wirewalk inspect`: every field of a message with its place, bytes, value and meaning. */
export function addInspect(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  if (captureArgument(args) !== undefined) {
    addInspectCapture(program, context, finish);
    return;
  }
  packetCommand(program, "inspect", context, args)
    .argument("<hex...>", "the bytes, in one argument or several; - reads them from the standard input")
    .summary("every field of a message, annotated")
    .description(
      "Shows the fields of a message: where each begins, its bytes, name, value and meaning, and where and why " +
        "reading fails. Then the dialects, directions and framings are listed that read all of the bytes.",
    )
    .addHelpText("after", "Exit code 3 when the message is refused.")
    .action(async (name: string, hex: string[], _flags: object, command: Command) => {
      const chosen = chooseStream(context, name, command);
      const bytes = await readBytes(context, hex);
      const parts = traceStream(chosen.stream, bytes, chosen.setup);
      const isBroken = !fits(parts);
      const text = [describe(chosen, bytes), ...parts.map(showPart)];
      if (isBroken) text.push(showFits(chosen, bytes));
      await write(context.stdout, `${text.filter((each) => each !== "").join("\n\n")}\n`);
      if (isBroken) finish(ExitCode.refused);
    });
}

async function readBytes(context: CommandContext, hex: readonly string[]): Promise<Uint8Array> {
  let text = hex.join(" ");
  if (text === "-") {
    text = "";
    for await (const chunk of context.stdin) {
      text += chunk;
      if (text.length > LINE_LIMIT) throw new UsageError(`the input is over the limit of ${LINE_LIMIT} characters`);
    }
  }
  try {
    return parseHex(text);
  } catch (error) {
    if (error instanceof WireError) throw new UsageError(error.message);
    throw error;
  }
}

function fits(parts: readonly TracedBytes[]): boolean {
  return parts.every((part) => part.error === undefined);
}

/** `Slime Online 2, dialect documented, from the client, 7 bytes`. */
function describe({ protocol, name, stream, setup }: ChosenStream, bytes: Uint8Array): string {
  const title = name === protocol.name ? protocol.title : `${protocol.title} (${name})`;
  const words = [title, `dialect ${setup.dialect}`];
  if (stream.senders.length > 1) words.push(`from the ${setup.sender}`);
  words.push(countBytes(bytes.length));
  return words.join(", ");
}

function showPart(part: TracedBytes): string {
  const { message, title, notes = [] } = part;
  const lines = [title, message?.message, formatTrace(part.bytes, part), ...notes];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** The setups that read all of the bytes, of those that the command line left open. */
function showFits({ protocol, stream, setup, given }: ChosenStream, bytes: Uint8Array): string {
  const dialects = given.dialect ? [setup.dialect] : protocol.dialects.map((dialect) => dialect.name);
  const senders: readonly Side[] = given.direction ? [setup.sender] : stream.senders;
  const framings = given.framed ? [true] : [false, true];
  const fitting: StreamSetup[] = dialects.flatMap((dialect) =>
    senders.flatMap((sender) =>
      framings
        .map((framed) => ({ ...setup, dialect, sender, framed }))
        .filter((other) => fits(traceStream(stream, bytes, other))),
    ),
  );
  if (fitting.length === 0) return "";
  const width = Math.max(...fitting.map((other) => nameOf(other, stream).length));
  return fitting.map((other) => `fits ${nameOf(other, stream).padEnd(width)}  ${flagsFor(other, stream)}`).join("\n");
}

/** `v0106 (client, framed)`. */
function nameOf({ dialect, sender, framed }: StreamSetup, stream: PacketStream): string {
  const words = [...(stream.senders.length > 1 ? [sender] : []), ...(framed ? ["framed"] : [])];
  return words.length === 0 ? dialect : `${dialect} (${words.join(", ")})`;
}

function flagsFor({ dialect, sender, framed }: StreamSetup, stream: PacketStream): string {
  const flags = [`--dialect ${dialect}`];
  if (stream.senders.length > 1) flags.push(`--direction ${sender}`);
  if (framed) flags.push("--framed");
  return flags.join(" ");
}
