/**
 * Whether the rules are fair: every game, dialect, network and cheat, played on a virtual clock. The same options give the
 * same table.
 */
import { protocols } from "wirewalk/protocols";
import { parseOptions } from "../options.ts";
import { type Measured, measure, total } from "./measure.ts";
import { harsherNetworks, networks } from "./networks.ts";
import { lineOf, missedGoals, type Row, tablesOf } from "./report.ts";

const everyNetwork = { ...networks, ...harsherNetworks };

const usage = `npm run fairness -- [--game G] [--dialect D] [--network N] [--cheat C] [--hours H] [--players P] [--seed N] [--json]

Plays bots of every game through bad networks and prints what the rules made of them: for honest players verdicts above
benign, corrections and bans; for each cheat how many were found, how soon, and what they gained.

  --game G     only this game: ${Object.keys(protocols).join(", ")}
  --dialect D  only this dialect, default all
  --network N  only these, by commas: ${Object.keys(everyNetwork).join(", ")}; default all but the last
  --cheat C    only these, by commas: "none" are the honest players, "cheats" all cheats; default all
  --hours H    player-hours of honest players on each network, default 2
  --minutes M  minutes for which each cheat plays, default 2 on a clean network and 4 on others
  --players P  players of one world, default 20
  --per-room N players of one room, default what suits the game
  --seed N     default 1
  --json       prints rows as JSON lines
  --help       prints this

The exit code is 1 when a goal is missed: an honest player has a verdict above benign, a ban or a correction over the game's
tolerance, or a cheat is not found within 60 s (120 s on other networks than clean). 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    game: { type: "string" },
    dialect: { type: "string" },
    network: { type: "string" },
    cheat: { type: "string" },
    hours: { type: "string", default: "2" },
    minutes: { type: "string" },
    players: { type: "string", default: "20" },
    "per-room": { type: "string" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The chosen names; all without a choice. */
function chosen(option: string, names: readonly string[], all = names): readonly string[] {
  const value = values[option as "game"];
  if (value === undefined) return all;
  const picked = value.split(",").flatMap((name) => (name === "cheats" ? all.filter((each) => each !== "none") : name));
  const unknown = picked.find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`--${option}: unknown "${unknown}"; known are ${names.join(", ")}`);
  return picked;
}

const hours = Number(values.hours);
const players = Number(values.players);
const perRoom = values["per-room"] === undefined ? undefined : Number(values["per-room"]);
const seed = Number(values.seed);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (
  !(
    hours > 0 &&
    Number.isInteger(players) &&
    players > 0 &&
    Number.isSafeInteger(seed) &&
    (minutes ?? 1) > 0 &&
    (perRoom ?? 1) > 0
  )
) {
  fail(
    "--hours, --minutes and --per-room take a number over 0, --players a whole number over 0, --seed a whole number",
  );
}

/** Longest play of one world: many worlds have more latencies and more kinds of luck than one that goes on. */
const WORLD_MINUTES = 30;

const rows: Row[] = [];
for (const game of chosen("game", Object.keys(protocols))) {
  const protocol = protocols[game] as (typeof protocols)[string];
  const dialects = protocol.dialects.map(({ name }) => name);
  const isOther = values.game === undefined && values.dialect !== undefined && !dialects.includes(values.dialect);
  for (const dialect of isOther ? [] : chosen("dialect", dialects)) {
    for (const network of chosen("network", Object.keys(everyNetwork), Object.keys(networks))) {
      const cheats = ["none", ...protocol.bots.cheats];
      const isForeign =
        values.game === undefined && !cheats.includes(values.cheat ?? "none") && values.cheat !== "cheats";
      for (const cheat of isForeign ? [] : chosen("cheat", cheats)) {
        const measured = measureAll(game, dialect, network, cheat);
        const row = { game, dialect, network, cheat, measured, missed: missedGoals(game, network, cheat, measured) };
        rows.push(row);
        console.log(values.json ? JSON.stringify(row) : lineOf(row));
      }
    }
  }
}
if (rows.length === 0) fail("Nothing to play: no game has this dialect or cheat");

if (!values.json) {
  const played = rows.reduce((sum, { measured }) => sum + measured.playerHours, 0);
  const seconds = rows.reduce((sum, { measured }) => sum + measured.cpuSeconds, 0);
  console.log(`\n${tablesOf(rows)}\n`);
  console.log(
    `${played.toFixed(1)} player-hours in ${seconds.toFixed(0)} s of one core: ${(played / seconds).toFixed(2)} player-hours a second`,
  );
}
if (rows.some(({ missed }) => missed.length > 0)) process.exitCode = 1;

function measureAll(game: string, dialect: string, name: string, cheat: string): Measured {
  const protocol = protocols[game] as (typeof protocols)[string];
  const network = everyNetwork[name] as (typeof everyNetwork)[string];
  const options = { protocol, dialect, network, cheat, players, ...(perRoom === undefined ? {} : { perRoom }) };
  if (cheat !== "none") return measure({ ...options, minutes: minutes ?? (name === "clean" ? 2 : 4), seed });
  const parts: Measured[] = [];
  for (let left = (hours * 60) / players; left > 1e-9; left -= WORLD_MINUTES) {
    parts.push(measure({ ...options, minutes: Math.min(left, WORLD_MINUTES), seed: seed + parts.length }));
  }
  return total(parts);
}
