/** `wirewalk verdicts FILE` lists the verdicts of a recording. */
import type { RecordedVerdict } from "@wirewalk/recording";
import type { Command } from "commander";
import type { Filter } from "wirewalk/capture";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, UsageError } from "../context.ts";
import {
  addSessionFlags,
  ofFile,
  RECORDING_ARGUMENT,
  readRecording,
  recordingMaps,
  type SessionFlags,
} from "../files/recording-input.ts";
import { write } from "../output/output.ts";

interface VerdictsFlags extends SessionFlags {
  readonly json?: true;
}

const COLUMNS = ["id", "time", "severity", "rule", "player", "measured", "allowed", "unit"] as const;
/** Lines of the table that are written at once. */
const BATCH = 500;

export function addVerdicts(program: Command, context: CommandContext): void {
  addSessionFlags(program.command("verdicts"))
    .argument("<file>", RECORDING_ARGUMENT)
    .argument("[filter]", "verdicts to show: rule == teleport && severity != benign && time > 12s")
    .option("--json", "one JSON object for each verdict")
    .summary("the verdicts of a recording, as a table")
    .description(
      "Lists what the rules found in a recording: when, about whom, what was measured and allowed. The filter is that of " +
        "wirewalk inspect, with the fields of docs/verdicts.md. An id stays the same; wirewalk verdict opens it.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk verdicts play.mcap
  $ wirewalk verdicts play.mcap 'rule == axis-speed && severity != benign && name == ann && time > 12s'
  $ wirewalk verdicts play.mcap 'share > 2' --json`,
    )
    .action((file: string, filter: string | undefined, flags: VerdictsFlags) => list(context, file, filter, flags));
}

async function list(
  context: CommandContext,
  file: string,
  text: string | undefined,
  flags: VerdictsFlags,
): Promise<void> {
  const { checkRecordedMaps, listVerdicts, verdictFields, verdictFilterFields } = await import("@wirewalk/recording");
  const filter = text === undefined ? undefined : await readFilter(text, verdictFilterFields);
  const json = flags.json === true;
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, flags, chosen);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  // The verdicts stand in the file: maps are not needed to list them, but those of another world are a mistake.
  if (maps !== undefined) await ofFile(file, () => checkRecordedMaps(recording, maps));
  const startNs = recording.chunks[0]?.startTime ?? 0n;
  let lines: string[] = json ? [] : [tableRow(COLUMNS.map(String), "what the rule found")];
  let count = 0;
  for (const verdict of listVerdicts(recording)) {
    const fields = verdictFields(verdict, startNs);
    if (filter?.(fields) === false) continue;
    count += 1;
    lines.push(json ? `${JSON.stringify({ ...fields, message: hexOf(verdict) })}\n` : row(fields, verdict));
    if (lines.length < BATCH) continue;
    await write(context.stdout, lines.join(""));
    lines = [];
  }
  if (!json && count === 0) lines = ["No verdicts.\n"];
  await write(context.stdout, lines.join(""));
  for (const { start, end, reason } of recording.damage) {
    await write(context.stderr, `${escapeControls(`wirewalk: ${file}: bytes ${start} to ${end}: ${reason}`)}\n`);
  }
}

async function readFilter(text: string, names: readonly string[]): Promise<Filter> {
  const { FilterError, parseFilter } = await import("wirewalk/capture");
  try {
    return parseFilter(text, names);
  } catch (error) {
    if (error instanceof FilterError) throw new UsageError(error.message);
    throw error;
  }
}

function hexOf({ verdict: { message } }: RecordedVerdict): string {
  return Buffer.from(message).toString("hex");
}

type Fields = Readonly<Record<string, unknown>>;

function row(fields: Fields, { verdict, name }: RecordedVerdict): string {
  const { time, player, measured, allowed } = fields;
  const who = name === undefined ? String(player) : `${player} ${name}`;
  const values: Fields = {
    ...fields,
    time: Number(time).toFixed(3),
    player: who,
    measured: number(measured),
    allowed: number(allowed),
  };
  return tableRow(
    COLUMNS.map((column) => String(values[column] ?? "")),
    verdict.reason,
  );
}

function number(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : "";
}

const WIDTHS = [18, 9, 8, 18, 16, 10, 10, 14];

function tableRow(cells: readonly string[], last: string): string {
  const padded = cells.map((cell, index) => {
    const width = WIDTHS[index] ?? 0;
    return COLUMNS[index] === "measured" || COLUMNS[index] === "allowed" ? cell.padStart(width) : cell.padEnd(width);
  });
  return `${escapeControls([...padded, last].join(" ").trimEnd())}\n`;
}
