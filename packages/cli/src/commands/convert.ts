import type { Command } from "commander";
import { decodeLines, encodeLines, type LineConverter, type LineResult } from "wirewalk/inspect";
import { WireError } from "wirewalk/wire";
import { CaptureProgress } from "../capture/capture-progress.ts";
import { type CommandContext, ExitCode, type Finish } from "../context.ts";
import { inputSize, noteWaiting } from "../files/standard-input.ts";
import { type InputLine, LINE_LIMIT, LineSplitter } from "../input/line-splitter.ts";
import { chooseStream, packetCommand } from "../input/streams.ts";
import { write } from "../output/output.ts";
import { addInspectCapture, inspectedFile } from "./inspect-capture.ts";

/** `wirewalk decode`: lines of hex in, lines of JSON out. */
export function addDecode(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  const inspected = inspectedFile(args, context);
  if (inspected !== undefined) {
    addInspectCapture(program, context, inspected, finish, "decode");
    return;
  }
  packetCommand(program, "decode", context, args)
    .summary("hex lines in, JSON lines out")
    .description(
      "Reads lines of hex from the standard input and writes for each the message in it as a line of JSON: " +
        '{"ok":true,"message":…,"value":…}, or {"ok":false,"error":{…},"line":N} for a line that it refuses. Blank lines ' +
        "are skipped.",
    )
    .addHelpText(
      "after",
      "A file in the place of the protocol (a capture, a recording, a session of another tool) gives the lines of inspect FILE --json.\n\n" +
        "Exit code 3 when a line was refused.",
    )
    .action(async (name: string, _flags: object, command: Command) => {
      const { stream, setup } = chooseStream(context, name, command);
      if (await convert(context, decodeLines(stream, setup))) finish(ExitCode.refused);
    });
}

/** `wirewalk encode`: the output of `decode` back to hex. */
export function addEncode(program: Command, context: CommandContext, args: readonly string[], finish: Finish): void {
  packetCommand(program, "encode", context, args)
    .summary("JSON lines in, hex lines out")
    .description(
      "Reads lines of JSON as decode writes them from the standard input and writes for each its bytes as hex; " +
        'for a line that it refuses {"ok":false,"error":{…},"line":N} stands in its place. Blank lines are skipped.',
    )
    .addHelpText("after", "Exit code 3 when a line was refused.")
    .action(async (name: string, _flags: object, command: Command) => {
      const { stream, setup } = chooseStream(context, name, command);
      if (await convert(context, encodeLines(stream, setup))) finish(ExitCode.refused);
    });
}

/** Runs the input through the converter, in constant memory. True when something was refused. */
async function convert(context: CommandContext, converter: LineConverter): Promise<boolean> {
  const splitter = new LineSplitter();
  let isRefused = false;
  /** Lines that were read, blank ones too. */
  let count = 0;
  const print = (result: LineResult): string => {
    if ("text" in result) return `${result.text}\n`;
    if ("json" in result) return `${JSON.stringify({ ok: true, ...result.json })}\n`;
    isRefused = true;
    return `${JSON.stringify({ ok: false, error: result.error, line: count })}\n`;
  };
  const answer = (lines: readonly InputLine[]): string =>
    lines
      .map((line) => {
        count += 1;
        return convertLine(converter, line).map(print).join("");
      })
      .join("");

  await noteWaiting(context, "lines");
  const progress = new CaptureProgress(context.stderr, context.stdout, inputSize(context.stdin));
  let bytes = 0;
  // One write per chunk: a line costs no system call of its own.
  for await (const chunk of context.stdin) {
    await write(context.stdout, answer(splitter.push(chunk)));
    bytes += chunk.length;
    progress.show(bytes);
  }
  progress.end();
  await write(
    context.stdout,
    answer(splitter.end()) +
      attempt(() => converter.end())
        .map(print)
        .join(""),
  );
  return isRefused;
}

function convertLine(converter: LineConverter, line: InputLine): readonly LineResult[] {
  if (line === undefined) {
    const why = `the line is over the limit of ${LINE_LIMIT} characters`;
    return [{ error: new WireError("limit", `Cannot read line: ${why}`, 0) }];
  }
  return line.trim() === "" ? [] : attempt(() => converter.line(line));
}

function attempt(work: () => readonly LineResult[]): readonly LineResult[] {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) return [{ error }];
    throw error;
  }
}
