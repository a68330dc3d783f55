/** Measurements as tables in Markdown. */
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";
import { fairnessGames } from "./games.ts";
import { type Measured, type Spread, total } from "./measure.ts";

export interface Row {
  readonly game: string;
  readonly dialect: string;
  readonly network: string;
  /** `none` for honest players. */
  readonly cheat: string;
  readonly measured: Measured;
  /** What the goals demand and this row does not hold. */
  readonly missed: readonly string[];
}

/** Seconds within which every cheat is found on a clean network; others have twice the time. */
export const FOUND_WITHIN_SECONDS = 60;

/** The goals that a measurement misses. */
export function missedGoals(game: string, network: string, cheat: string, measured: Measured): readonly string[] {
  const missed: string[] = [];
  if (cheat === "none") {
    const { tolerance = 0, unit = "" } = fairnessGames[game] ?? {};
    if (measured.found > 0) missed.push("a verdict above benign");
    if (measured.bans > 0) missed.push("a ban");
    if (measured.greatestCorrection > tolerance) missed.push(`a correction over ${tolerance} ${unit}`);
    return missed;
  }
  const withinSeconds = FOUND_WITHIN_SECONDS * (network === "clean" ? 1 : 2);
  if (measured.found < measured.players) missed.push("not all found");
  if ((measured.firstFlag?.worst ?? 0) > withinSeconds) missed.push(`not within ${withinSeconds} s`);
  return missed;
}

const honestHead = [
  "| game | dialect | network | player-hours | verdicts above benign | players with one | corrections | greatest correction | bans | greatest gain | goals |",
  "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |",
];
const cheatHead = [
  "| game | dialect | network | cheat | found | first flag, median / worst s | first correction, median / worst s | gain when flagged | gain, median / greatest | verdicts | bans | goals |",
  "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |",
];

/** Both tables; one without rows is left out. */
export function tablesOf(rows: readonly Row[]): string {
  const honest = rows.filter(({ cheat }) => cheat === "none");
  const cheats = rows.filter(({ cheat }) => cheat !== "none");
  const tables: string[] = [];
  if (honest.length > 0) tables.push(["Honest players:", "", ...honestHead, ...honest.map(honestLine)].join("\n"));
  if (cheats.length > 0) tables.push(["Cheats:", "", ...cheatHead, ...cheats.map(cheatLine)].join("\n"));
  return tables.join("\n\n");
}

export function lineOf(row: Row): string {
  return row.cheat === "none" ? honestLine(row) : cheatLine(row);
}

/** A player is in a place for so long at least that it counts as played in, seconds. */
const PLAYED_SECONDS = 30;

/** In how many places of a set players were, of which kinds, and for how long in the median. */
export function placesLine(game: string, maps: WorldMaps, rows: readonly Row[]): string {
  const { places } = total(rows.map(({ measured }) => measured));
  const played = Object.keys(places).filter((name) => (places[name] ?? 0) >= PLAYED_SECONDS);
  const minutes = played.map((name) => (places[name] ?? 0) / 60).toSorted((a, b) => a - b);
  const median = (minutes[minutes.length >> 1] ?? 0).toFixed(1);
  const kinds = Object.entries(fairnessGames[game]?.kindsOfPlaces?.(maps, played) ?? {});
  const byKind = kinds.map(([kind, count]) => `${kind} ${count}`).join(", ");
  const least = `${played.length} different places with half a player-minute or more, ${median} in the median`;
  return `${Object.keys(places).length} different places; ${least}${byKind === "" ? "" : `: ${byKind}`}`;
}

function honestLine({ game, dialect, network, measured, missed }: Row): string {
  const { playerHours, verdicts, found, players, corrections, greatestCorrection, bans } = measured;
  return line([
    game,
    dialect,
    network,
    playerHours.toFixed(playerHours < 10 ? 1 : 0),
    countsOf(verdicts),
    `${found} of ${players}`,
    corrections,
    `${greatestCorrection.toFixed(2)} ${fairnessGames[game]?.unit ?? ""}`,
    bans,
    gainOf(game, measured.greatestGain),
    goalsOf(missed),
  ]);
}

function cheatLine({ game, dialect, network, cheat, measured, missed }: Row): string {
  const { verdicts, found, players, startRooms, firstFlag, firstCorrection, bans } = measured;
  return line([
    game,
    dialect,
    network,
    cheat,
    `${found} of ${players}${startRooms === undefined ? "" : `, ${startRooms} maps`}`,
    spreadOf(firstFlag),
    spreadOf(firstCorrection),
    gainOf(game, measured.gainWhenFlagged),
    measured.medianGain === undefined
      ? "-"
      : `${Math.round(measured.medianGain)} / ${gainOf(game, measured.greatestGain)}`,
    countsOf(verdicts),
    bans,
    goalsOf(missed),
  ]);
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

function countsOf(verdicts: Readonly<Record<string, number>>): string {
  const counts = Object.entries(verdicts).map(([rule, count]) => `${rule} ${count}`);
  return counts.length === 0 ? "none" : counts.join(", ");
}

function spreadOf(spread: Spread | undefined): string {
  return spread === undefined ? "never" : `${spread.median.toFixed(1)} / ${spread.worst.toFixed(1)}`;
}

function gainOf(game: string, gain: number | undefined): string {
  return gain === undefined ? "-" : `${Math.round(gain)} ${fairnessGames[game]?.gainUnit ?? ""}`;
}

function goalsOf(missed: readonly string[]): string {
  return missed.length === 0 ? "held" : `missed: ${missed.join("; ")}`;
}
