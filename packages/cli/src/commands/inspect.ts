import type { Command } from "commander";
import type { LineOptions, LineTools, Side, TracedBytes } from "wirewalk/protocol";
import { countBytes, formatTrace, parseHex, WireError } from "wirewalk/wire";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { LINE_LIMIT } from "../line-splitter.ts";
import { write } from "../output.ts";
import { type ChosenLines, chooseLines, lineCommand } from "./line-tools.ts";

/** `wirewalk inspect`: every field of a message with its place, bytes, value and meaning. */
export function addInspect(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  lineCommand(program, "inspect", context, args, [
    "wirewalk inspect slime-online-2 00 08 02 C0 01 A0 00",
    "wirewalk inspect slime-online-2 --dialect v0106 --framed 070060A207E586EEA1",
    "xxd -p packet.bin | wirewalk inspect slime-online-2 --direction server -",
  ])
    .argument("<hex...>", "the bytes, in one argument or several; - reads them from the standard input")
    .summary("every field of a message, annotated")
    .description(
      "Shows the fields of a message: where each begins, its bytes, name, value and meaning, and where and why " +
        "reading breaks. What does not fit is tried in the other dialects and directions that were not asked for.",
    )
    .addHelpText("after", "Exit code 3 when the message is refused.")
    .action(async (name: string, hex: string[], _flags: object, command: Command) => {
      const chosen = chooseLines(context, name, command);
      const bytes = await readBytes(context, hex);
      const parts = chosen.tools.trace(bytes, chosen.options);
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
function describe({ protocol, name, tools, options }: ChosenLines, bytes: Uint8Array): string {
  const title = name === protocol.name ? protocol.title : `${protocol.title} (${name})`;
  const words = [title, `dialect ${options.dialect}`];
  if (tools.senders.length > 1) words.push(`from the ${options.direction}`);
  words.push(countBytes(bytes.length));
  return words.join(", ");
}

function showPart(part: TracedBytes): string {
  const { message, title } = part;
  const lines = [title, message?.message, formatTrace(part.bytes, part)];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** Which ways of reading that the command line left open take the bytes whole. */
function showFits({ protocol, tools, options, given }: ChosenLines, bytes: Uint8Array): string {
  const dialects = given.dialect ? [options.dialect] : protocol.dialects.map((dialect) => dialect.name);
  const directions: readonly Side[] = given.direction ? [options.direction] : tools.senders;
  const framings = given.framed ? [true] : [false, true];
  const fitting: LineOptions[] = dialects.flatMap((dialect) =>
    directions.flatMap((direction) =>
      framings
        .map((framed) => ({ ...options, dialect, direction, framed }))
        .filter((other) => takes(tools, bytes, other)),
    ),
  );
  if (fitting.length === 0) return "";
  const width = Math.max(...fitting.map((other) => name(other, tools).length));
  return fitting.map((other) => `fits ${name(other, tools).padEnd(width)}  ${flagsFor(other, tools)}`).join("\n");
}

function takes(tools: LineTools, bytes: Uint8Array, options: LineOptions): boolean {
  return fits(tools.trace(bytes, options));
}

/** `v0106 (client, framed)`. */
function name({ dialect, direction, framed }: LineOptions, tools: LineTools): string {
  const words = [...(tools.senders.length > 1 ? [direction] : []), ...(framed ? ["framed"] : [])];
  return words.length === 0 ? dialect : `${dialect} (${words.join(", ")})`;
}

function flagsFor({ dialect, direction, framed }: LineOptions, tools: LineTools): string {
  const flags = [`--dialect ${dialect}`];
  if (tools.senders.length > 1) flags.push(`--direction ${direction}`);
  if (framed) flags.push("--framed");
  return flags.join(" ");
}
