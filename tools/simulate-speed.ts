/** How much faster than real time the simulation plays: `npm run simulate -- --speed`. */
import { protocols } from "wirewalk/protocols";
import { playEpisode } from "../packages/server/src/testing/simulation/episode.ts";
import { planOf } from "../packages/server/src/testing/simulation/plan.ts";

const PLAYERS = 200;
/** Players join within the first ten seconds. */
const SECONDS = 60;
const ROUNDS = 3;
/** Enough to compile what is used. */
const WARM_UP = { players: 100, seconds: 20 };

interface Speed {
  /** Of one player, to one second of processor time. */
  readonly playerSeconds: number;
  /** Messages that a player receives in a second. */
  readonly messages: number;
  readonly findings: number;
}

async function speedOf(game: string, dialect: string, seed: number, players: number, seconds: number): Promise<Speed> {
  const plan = planOf({ seed, game, dialect, size: "large", count: players });
  const start = process.cpuUsage();
  const result = await playEpisode({ ...plan, durationMs: seconds * 1000, quietMs: 0, faults: [] });
  const { user, system } = process.cpuUsage(start);
  const played = result.playerHours * 3600;
  return {
    playerSeconds: played / ((user + system) / 1e6),
    messages: result.messages / played,
    findings: result.findings.length,
  };
}

/** Prints the speed of every dialect, or those of one game, with 200 players and no faults: the median of three seeds. */
export async function printSpeeds(game: string | undefined): Promise<void> {
  console.log(
    `${PLAYERS} players for ${SECONDS} s, times real time by processor time, median (least to most) of ${ROUNDS} seeds`,
  );
  for (const [name, { dialects }] of Object.entries(protocols)) {
    if (game !== undefined && name !== game) continue;
    for (const { name: dialect } of dialects) {
      await speedOf(name, dialect, ROUNDS + 1, WARM_UP.players, WARM_UP.seconds);
      const speeds: Speed[] = [];
      for (let seed = 1; seed <= ROUNDS; seed += 1) {
        speeds.push(await speedOf(name, dialect, seed, PLAYERS, SECONDS));
      }
      const sorted = speeds.map(({ playerSeconds }) => playerSeconds / PLAYERS).sort((a, b) => a - b);
      const [least = 0, middle = 0, most = 0] = sorted;
      const messages = speeds.map((each) => each.messages.toFixed(0)).join(", ");
      const microseconds = (1e6 / (middle * PLAYERS)).toFixed(0);
      console.log(
        `  ${`${name}/${dialect}`.padEnd(38)} ${middle.toFixed(1).padStart(5)} (${least.toFixed(1)} to ${most.toFixed(1)}): ` +
          `${microseconds} µs for a second of a player, who receives ${messages} messages a second`,
      );
      const findings = speeds.reduce((sum, each) => sum + each.findings, 0);
      if (findings > 0) process.exitCode = 1;
      if (findings > 0) console.log(`    ${findings} findings: see npm run simulate -- --game ${name}`);
    }
  }
}
