/** `wirewalk tables FILE`: a recording as tables for analysis: positions, verdicts, mouse strokes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Replay } from "@wirewalk/recording";
import { type Command, Option } from "commander";
import type { PlayerId } from "wirewalk/motion";
import type { Effect, World } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import type { CommandContext } from "../context.ts";
import {
  addSessionFlags,
  ofFile,
  RECORDING_ARGUMENT,
  readRecording,
  recordingMaps,
  type SessionFlags,
} from "../files/recording-input.ts";
import { wholeNumber } from "../input/numbers.ts";
import { write } from "../output/output.ts";
import { OutputFile } from "../output/output-file.ts";
import {
  type Cell,
  type MousePoint,
  type MouseStroke,
  recordingTables,
  StrokeCutter,
  type TableName,
} from "../output/recording-tables.ts";
import { openJsonLines, openParquetTable, type TableFile } from "../output/table-file.ts";

interface TablesFlags extends SessionFlags {
  readonly to: string;
  readonly format: "parquet" | "jsonl";
  readonly everyMs: number;
}

const names = Object.keys(recordingTables) as readonly TableName[];

export function addTables(program: Command, context: CommandContext): void {
  addSessionFlags(program.command("tables"))
    .argument("<file>", RECORDING_ARGUMENT)
    .requiredOption("--to <folder>", `where the files go: ${names.join(", ")}`)
    .addOption(new Option("--format <name>", "of the files").choices(["parquet", "jsonl"]).default("parquet"))
    .option("--every-ms <number>", "milliseconds between two positions of a player", wholeNumber(1, 3_600_000), 500)
    .summary("a recording as tables for analysis: positions, verdicts, mouse strokes")
    .description(
      "Replays a recording and writes what happens as one file for each table, in Parquet or JSON lines. docs/recordings.md describes " +
        "the columns.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk tables play.mcap --to ./tables
  $ wirewalk tables play.mcap --to ./tables --format jsonl --every-ms 100`,
    )
    .action((file: string, flags: TablesFlags) => exportTables(context, file, flags));
}

async function exportTables(context: CommandContext, file: string, flags: TablesFlags): Promise<void> {
  const { Replay } = await import("@wirewalk/recording");
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, flags, chosen);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  await ofFile(flags.to, () => mkdirSync(flags.to, { recursive: true }));
  const files = await openTables(flags);
  const rows: Record<TableName, number> = { positions: 0, verdicts: 0, strokes: 0 };
  const add = (table: TableName, row: readonly Cell[]): void => {
    rows[table] += 1;
    files[table].add(row);
  };
  let epochNs = 0n;
  const timeOf = (nowMs: number): bigint => epochNs + BigInt(Math.round(nowMs * 1000)) * 1000n;
  const whoAt = (nowMs: number, player: PlayerId): Cell[] => {
    return [timeOf(nowMs), player, replay.players.get(player)?.name ?? null];
  };
  const cutters = new Map<PlayerId, StrokeCutter>();
  const stroke = (player: PlayerId, found: MouseStroke | undefined): void => {
    if (found !== undefined) add("strokes", [...whoAt(found.startMs, player), ...strokeCells(found)]);
  };
  let sampledMs = Number.NEGATIVE_INFINITY;
  const replay: Replay = new Replay(recording, {
    protocols: context.protocols,
    maps,
    onBegin: (_world, { nowMs, epochMs }) => {
      epochNs = BigInt(Math.round((epochMs - nowMs) * 1000)) * 1000n;
    },
    onVerdict: ({ player, room, atMs, kind, rule, reason, measured, allowed, unit, message }) => {
      const found = [measured ?? null, allowed ?? null, unit ?? null, formatHex(message, { separator: "" })];
      add("verdicts", [...whoAt(atMs, player), room, kind, rule, reason, ...found]);
    },
    onEffect: (effect) => {
      if (effect.effect === "exit") {
        stroke(effect.player, cutters.get(effect.player)?.end());
        cutters.delete(effect.player);
      }
      for (const point of mousePoints(effect)) {
        const { player } = effect as Extract<Effect, { effect: "observe" }>;
        const cutter = cutters.get(player) ?? new StrokeCutter();
        cutters.set(player, cutter);
        stroke(player, cutter.push(point));
      }
    },
    onTick: (world, nowMs) => {
      if (nowMs - sampledMs < flags.everyMs) return;
      sampledMs = nowMs;
      for (const row of positionCells(world, nowMs)) {
        const [player, ...cells] = row;
        add("positions", [...whoAt(nowMs, player as PlayerId), ...cells]);
      }
    },
  });
  await ofFile(file, () => {
    while (replay.next() !== undefined) {
      // All of it.
    }
    for (const [player, cutter] of cutters) stroke(player, cutter.end());
    replay.report();
  });
  for (const name of names) files[name].end();
  await write(context.stdout, names.map((name) => `${pathOf(flags, name)}: ${rows[name]} rows\n`).join(""));
}

function pathOf({ to, format }: TablesFlags, name: TableName): string {
  return join(to, `${name}.${format}`);
}

async function openTables(flags: TablesFlags): Promise<Record<TableName, TableFile>> {
  const open = (name: TableName): TableFile | Promise<TableFile> => {
    const file = new OutputFile(pathOf(flags, name));
    const columns = recordingTables[name];
    return flags.format === "jsonl" ? openJsonLines(file, columns) : openParquetTable(file, columns);
  };
  return { positions: await open("positions"), verdicts: await open("verdicts"), strokes: await open("strokes") };
}

function* positionCells(world: World, nowMs: number): Generator<readonly Cell[], void, void> {
  for (const { player, room, position, velocity, facingTurns, stance, source } of world.tracks(nowMs)) {
    const { x, y, z, level } = position;
    yield [player, room, x, y, z ?? null, level ?? null, velocity.x, velocity.y, facingTurns, stance, source];
  }
}

function mousePoints(effect: Effect): readonly MousePoint[] {
  if (effect.effect !== "observe" || effect.what !== "mouse-packet") return [];
  return (effect.data as unknown as { readonly points?: readonly MousePoint[] }).points ?? [];
}

function strokeCells({ durationMs, restMs, points, pathPx, chordPx }: MouseStroke): readonly Cell[] {
  const [from, to] = [points[0] as MousePoint, points.at(-1) as MousePoint];
  return [durationMs, restMs ?? null, points.length, from.x, from.y, to.x, to.y, pathPx, chordPx, chordPx / pathPx];
}
