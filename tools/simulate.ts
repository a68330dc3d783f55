/** Long runs of the deterministic simulation: `npm run simulate`. See docs/reliability.md. */
import { protocols } from "wirewalk/protocols";
import { type EpisodeResult, playEpisode } from "../packages/server/src/testing/simulation/episode.ts";
import { type Mark, sometimes } from "../packages/server/src/testing/simulation/findings.ts";
import { isKnown } from "../packages/server/src/testing/simulation/known.ts";
import { type Plan, partOf, planOf } from "../packages/server/src/testing/simulation/plan.ts";
import { shrink } from "../packages/server/src/testing/simulation/shrink.ts";
import { LedgerEntry, SEEDS_PER_RUN } from "./ledger.ts";
import { checkKnown, checkWhole, mapsOption, parseOptions } from "./options.ts";
import { printSpeeds } from "./simulate-speed.ts";

/** A run of so many player-hours must have reached every rare path. */
const LONG_RUN_HOURS = 200;
const PROGRESS_HOURS = 5;

const usage = `npm run simulate -- [--seed N] [--hours H] [--game G] [--size small|large]
                    [--players LIST] [--faults LIST] [--seconds S] [--maps PATH] [--ledger FILE]
       npm run simulate -- --speed [--game G]

Plays the server's own code with real clients and bots in one process on a virtual clock: bad lines, crashes, full disks, wrong
clocks. Everything follows from the seed and the commit. The episodes have the seeds N, N + 1 and so on.

  --seed N        seed of the first episode, default 1
  --hours H       player-hours to play, default 0: one episode
  --game G        one game only: ${Object.keys(protocols).join(", ")}
  --size S        small: 3 players for some seconds; large (default): up to 200 for minutes
  --players LIST  of one episode only these players: 0,3
  --faults LIST   of one episode only these faults: 1,2, or none
  --maps PATH     maps of the game, or GAME=PATH: it alone is played, in them
  --seconds S     one episode ends after so long
  --ledger FILE   writes what is played into FILE after each episode, with seeds that no earlier run of FILE had
  --speed         measures how much faster than real time 200 players of each dialect are played
  --help          prints this

SIGINT or SIGTERM ends the run after the current episode. A finding is made smaller, and the line that repeats it is printed.
The exit code is 1 after a finding that is not known, or when a run of ${LONG_RUN_HOURS} player-hours never took one of
the rare paths; 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    seed: { type: "string", default: "1" },
    hours: { type: "string", default: "0" },
    game: { type: "string" },
    size: { type: "string", default: "large" },
    players: { type: "string" },
    faults: { type: "string" },
    seconds: { type: "string" },
    maps: { type: "string" },
    ledger: { type: "string" },
    speed: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
checkWhole(values, ["seed"]);
checkKnown("size", values.size, ["small", "large"]);
if (values.game !== undefined) checkKnown("game", values.game, Object.keys(protocols));
const list = (text: string | undefined): readonly number[] | undefined =>
  text === undefined ? undefined : text === "none" ? [] : text.split(",").map(Number);
const [players, faults] = [list(values.players), list(values.faults)];
const isOfNumbers = (numbers: readonly number[] = []): boolean =>
  numbers.every((each) => Number.isSafeInteger(each) && each >= 0);
const wrong = [
  Number(values.hours) >= 0 || "--hours takes a number",
  isOfNumbers(players) || "--players takes whole numbers by commas",
  isOfNumbers(faults) || "--faults takes whole numbers by commas, or none",
  values.seconds === undefined || Number(values.seconds) > 0 || "--seconds takes a number over 0",
].find((each) => each !== true);
if (wrong !== undefined) {
  console.error(wrong);
  process.exit(2);
}
const given = values.maps === undefined ? undefined : mapsOption(values.maps, values.game, protocols);
const game = values.game ?? given?.game;
const size = values.size === "small" ? "small" : "large";
const [givenSeed, hours] = [Number(values.seed), Number(values.hours)];
if (values.speed) {
  await printSpeeds(game);
  process.exit();
}
const wanted = {
  players,
  faults,
  durationMs: values.seconds === undefined ? undefined : Number(values.seconds) * 1000,
};
const isPart = Object.values(wanted).some((each) => each !== undefined);
const ledger =
  values.ledger === undefined ? undefined : new LedgerEntry(values.ledger, "simulate", process.argv.slice(2));
const seed = ledger?.firstSeed ?? givenSeed;

const marks = new Map<Mark, number>();
const counts = new Map<string, number>();
const shrunk = new Set<string>();
let playerHours = 0;
let virtualMs = 0;
let episodes = 0;
let progress = PROGRESS_HOURS;
let stopped = false;
// The summary of a run that is ended early is as good.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopped = true;
  });
}
const cpuStart = process.cpuUsage();
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage(cpuStart);
  return (user + system) / 1e6;
};

do {
  const plan = partOf(inMaps(planOf({ seed: seed + episodes, game, size })), wanted);
  const result = await playEpisode(plan);
  episodes += 1;
  playerHours += result.playerHours;
  virtualMs += plan.durationMs;
  for (const [mark, count] of result.marks) marks.set(mark, (marks.get(mark) ?? 0) + count);
  ledger?.played({
    subject: `${plan.game}/${plan.dialect}`,
    amount: result.playerHours,
    seconds: cpuSeconds(),
    lastSeed: plan.seed,
    findings: [...result.counts.keys()]
      .filter((check) => !isKnown(plan.game, { check }))
      .map((check) => `${plan.game}/${plan.dialect} seed ${plan.seed}: ${check}`),
  });
  await report(plan, result);
  if (playerHours >= progress) {
    progress = playerHours + PROGRESS_HOURS;
    console.log(
      `${playerHours.toFixed(1)} player-hours, ${episodes} episodes, ${cpuSeconds().toFixed(0)} s of processor time`,
    );
  }
} while (playerHours < hours && !stopped && episodes < SEEDS_PER_RUN);
ledger?.end();

const speed = (playerHours * 3600) / cpuSeconds();
console.log(
  `${playerHours.toFixed(2)} player-hours in ${episodes} episodes (${(virtualMs / 3_600_000).toFixed(2)} h each player's time), ` +
    `${cpuSeconds().toFixed(0)} s of processor time: ${speed.toFixed(0)} player-seconds a second`,
);
for (const [check, count] of [...counts].sort()) console.log(`  ${count} x ${check}`);
for (const mark of sometimes) console.log(`  ${marks.get(mark) ?? 0} x ${mark}`);
const never = sometimes.filter((mark) => !marks.has(mark));
if (playerHours >= LONG_RUN_HOURS && game === undefined && never.length > 0) {
  console.error(`Never reached: ${never.join(", ")}`);
  process.exitCode = 1;
}

/** The plan in the given maps: its rooms are those of the demo, so players ask for none. */
function inMaps(plan: Plan): Plan {
  if (given === undefined) return plan;
  return { ...plan, maps: given.path, players: plan.players.map((player) => ({ ...player, room: undefined })) };
}

async function report(plan: Plan, result: EpisodeResult): Promise<void> {
  for (const [check, count] of result.counts) {
    const name = `${plan.game}/${plan.dialect}: ${check}`;
    counts.set(name, (counts.get(name) ?? 0) + count);
    const known = isKnown(plan.game, { check });
    if (!known) process.exitCode = 1;
    if (shrunk.has(name)) continue;
    shrunk.add(name);
    const finding = result.findings.find((each) => each.check === check);
    console.log(`${known ? "known" : "FOUND"} ${name}, seed ${plan.seed} at ${finding?.atMs} ms: ${finding?.detail}`);
    if (known || isPart) continue;
    const { part, detail } = await shrink(plan, check);
    const flags = [
      `--seed ${plan.seed} --size ${size}`,
      ...(game === undefined ? [] : [`--game ${game}`]),
      ...(given === undefined ? [] : [`--maps ${given.path}`]),
      `--players ${part.players?.join(",")}`,
      `--faults ${part.faults?.join(",") || "none"}`,
      `--seconds ${(part.durationMs ?? 0) / 1000}`,
    ];
    console.log(`  again: npm run simulate -- ${flags.join(" ")}\n  ${detail}`);
  }
}
