/**
 * Whether the rules are fair: every game, dialect, network and cheat, played on a virtual clock. The same options give the
 * same table.
 */
import { protocols } from "wirewalk/protocols";
import { LedgerEntry, SEEDS_PER_RUN } from "../ledger.ts";
import { mapsOption, parseOptions } from "../options.ts";
import { fairnessGames } from "./games.ts";
import { groupsOf, type Measured, measure, total } from "./measure.ts";
import { harsherNetworks, networks } from "./networks.ts";
import { lineOf, missedGoals, placesLine, type Row, tablesOf } from "./report.ts";

const everyNetwork = { ...networks, ...harsherNetworks };

const usage = `npm run fairness -- [--game G] [--dialect D] [--network N] [--cheat C] [--hours H] [--players P] [--seed N] [--maps PATH] [--rooms LIST | --each-room] [--unknown] [--json] [--ledger FILE]

Plays bots of every game through bad networks and prints what the rules made of them: for honest players verdicts above
benign, corrections and bans; for each cheat how many were found, how soon, and what they gained.

  --game G     only this game: ${Object.keys(protocols).join(", ")}
  --dialect D  only this dialect, default all
  --network N  only these, by commas: ${Object.keys(everyNetwork).join(", ")}; default all but ${Object.keys(harsherNetworks).join(" and ")}
  --cheat C    only these, by commas: "none" are the honest players, "cheats" all cheats; default all
  --hours H    player-hours of honest players on each network, default 2
  --minutes M  minutes for which each cheat plays, default 2 on a clean network and 4 on others
  --players P  players of one world, default 20
  --per-room N players of one room, default what suits the game
  --seed N     default 1
  --maps PATH  maps of the game, or GAME=PATH: it is played in them, and other games are left out
  --rooms LIST places by commas, in which rooms of players take turns: with --maps; default some of all kinds, or where the game begins
  --each-room  with --maps and --cheat none: players begin in each of its places in turn, of --minutes each, default 1; --hours does not count
  --unknown    worlds do not know the shapes of their places; bots do
  --json       prints rows as JSON lines
  --ledger FILE  honest players only: writes what is played into FILE while it is played, with seeds that no earlier run of FILE had
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
    maps: { type: "string" },
    rooms: { type: "string" },
    "each-room": { type: "boolean", default: false },
    unknown: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    ledger: { type: "string" },
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

const given = values.maps === undefined ? undefined : mapsOption(values.maps, values.game, protocols);
const rooms = values.rooms?.split(",").map(Number);
if (rooms !== undefined && given === undefined) fail("--rooms is for --maps");
const absent = rooms?.find((room) => given?.maps.digest(String(room)) === undefined);
if (absent !== undefined) fail(`--rooms: ${given?.path} has no place ${absent}, or it cannot be read`);

const hours = Number(values.hours);
const players = Number(values.players);
const perRoom = values["per-room"] === undefined ? undefined : Number(values["per-room"]);
const givenSeed = Number(values.seed);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (
  !(
    hours > 0 &&
    Number.isInteger(players) &&
    players > 0 &&
    Number.isSafeInteger(givenSeed) &&
    (minutes ?? 1) > 0 &&
    (perRoom ?? 1) > 0
  )
) {
  fail(
    "--hours, --minutes and --per-room take a number over 0, --players a whole number over 0, --seed a whole number",
  );
}

/**
 * Longest play of one world: many worlds have more latencies and more kinds of luck than one that goes on. A ledger is written after each,
 * once in a minute or more often.
 */
const WORLD_MINUTES = 15;

/** One row of the tables, played world by world. */
interface Job {
  readonly game: string;
  readonly dialect: string;
  readonly network: string;
  readonly cheat: string;
  /** Minutes of each world. */
  readonly worlds: readonly number[];
  readonly parts: Measured[];
}

if (values.ledger !== undefined && (values.cheat ?? "none") !== "none")
  fail("--ledger is for honest players: --cheat none");
if (values["each-room"] && values.cheat !== "none") fail("--each-room is for honest players: --cheat none");
const groups = groupsOf(players, perRoom ?? fairnessGames[given?.game ?? ""]?.perRoom ?? players);
const eachRoom =
  values["each-room"] && given !== undefined ? fairnessGames[given.game]?.allRooms?.(given.maps) : undefined;
if (values["each-room"] && (eachRoom === undefined || rooms !== undefined))
  fail("--each-room is for --maps of a game with places to begin in, without --rooms");
const honestWorlds: number[] = [];
if (eachRoom !== undefined) {
  for (let at = 0; at < eachRoom.length; at += groups) honestWorlds.push(minutes ?? 1);
} else {
  for (let left = (hours * 60) / players; left > 1e-9; left -= WORLD_MINUTES)
    honestWorlds.push(Math.min(left, WORLD_MINUTES));
}

const jobs: Job[] = [];
for (const game of chosen("game", Object.keys(protocols))) {
  if (given !== undefined && game !== given.game) continue;
  const protocol = protocols[game] as (typeof protocols)[string];
  const dialects = protocol.dialects.map(({ name }) => name);
  const isOther = values.game === undefined && values.dialect !== undefined && !dialects.includes(values.dialect);
  for (const dialect of isOther ? [] : chosen("dialect", dialects)) {
    for (const network of chosen("network", Object.keys(everyNetwork), Object.keys(networks))) {
      // Without maps of the user's those that need one have no place.
      const cheats = ["none", ...protocol.bots.cheats, ...(given === undefined ? [] : (protocol.bots.mapCheats ?? []))];
      const isForeign =
        values.game === undefined && !cheats.includes(values.cheat ?? "none") && values.cheat !== "cheats";
      const wanted = isForeign ? [] : values.ledger === undefined ? chosen("cheat", cheats) : ["none"];
      for (const cheat of wanted) {
        const worlds = cheat === "none" ? honestWorlds : [minutes ?? (network === "clean" ? 2 : 4)];
        jobs.push({ game, dialect, network, cheat, worlds, parts: [] });
      }
    }
  }
}
if (jobs.length === 0) fail("Nothing to play: no game has this dialect or cheat");
if (values.ledger !== undefined && honestWorlds.length > SEEDS_PER_RUN)
  fail("--hours: more worlds than a run has seeds");

const ledger =
  values.ledger === undefined ? undefined : new LedgerEntry(values.ledger, "fairness", process.argv.slice(2));
const seed = ledger?.firstSeed ?? givenSeed;
const rows: Row[] = [];
let seconds = 0;
// The first world of every job, then the second of each: a run that is killed has played all networks equally long.
for (let at = 0; jobs.some(({ worlds }) => at < worlds.length); at++) {
  for (const job of jobs) {
    const world = job.worlds[at];
    if (world === undefined) continue;
    const { game, dialect, network, cheat, parts } = job;
    const part = playWorld(job, world, seed + at, eachRoom?.slice(at * groups, (at + 1) * groups) ?? rooms);
    parts.push(part);
    seconds += part.cpuSeconds;
    ledger?.played({
      subject: `${game}/${dialect}`,
      amount: part.playerHours,
      seconds,
      lastSeed: seed + at,
      findings: missedGoals(game, network, cheat, part).map(
        (goal) => `${game}/${dialect} ${network} seed ${seed + at}: ${goal}`,
      ),
    });
    if (parts.length < job.worlds.length) continue;
    const measured = total(parts);
    const row = { game, dialect, network, cheat, measured, missed: missedGoals(game, network, cheat, measured) };
    rows.push(row);
    console.log(values.json ? JSON.stringify(row) : lineOf(row));
  }
}
ledger?.end();

if (!values.json) {
  const played = rows.reduce((sum, { measured }) => sum + measured.playerHours, 0);
  console.log(`\n${tablesOf(rows)}\n`);
  if (given !== undefined) console.log(`${given.maps.name}: ${placesLine(given.game, given.maps, rows)}`);
  console.log(
    `${played.toFixed(1)} player-hours in ${seconds.toFixed(0)} s of one core: ${(played / seconds).toFixed(2)} player-hours a second`,
  );
}
if (rows.some(({ missed }) => missed.length > 0)) process.exitCode = 1;

function playWorld(
  { game, dialect, network, cheat }: Job,
  minutes: number,
  seed: number,
  rooms: readonly number[] | undefined,
): Measured {
  return measure({
    protocol: protocols[game] as (typeof protocols)[string],
    dialect,
    network: everyNetwork[network] as (typeof everyNetwork)[string],
    cheat,
    players,
    ...(perRoom === undefined ? {} : { perRoom }),
    unknown: values.unknown,
    ...(given === undefined ? {} : { maps: given.maps, ...(rooms === undefined ? {} : { rooms }) }),
    minutes,
    seed,
  });
}
