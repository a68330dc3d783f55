/** Runs one attack beside honest players, and judges it. */
import { Arena, type ArenaOptions } from "./arena.ts";
import type { Attack, AttackResult, Verdict } from "./attack.ts";
import type { Noticed } from "./honest.ts";
import type { HonestThread } from "./honest-thread.ts";
import { CannotRun } from "./outcome.ts";

export interface RunOptions extends ArenaOptions {
  /** Players that play already; without them nobody checks what others notice. */
  readonly honest?: Honest;
}

type Honest = Pick<HonestThread, "play" | "notice" | "ban">;

/** Moves that honest players make and see during an attack, at least. */
const HONEST_MOVES = 1;
const HONEST_MS = 5_000;

/**
 * Runs an attack. It is broken when its expectation is not met, or when an honest player is disconnected, banned or delayed
 * by more than `MAX_DELAY_MS` meanwhile.
 */
export async function runAttack(attack: Attack, { honest, ...options }: RunOptions): Promise<AttackResult> {
  const arena = new Arena(options);
  const startMs = performance.now();
  await honest?.notice();
  let verdict: Verdict;
  let figure: string;
  try {
    const outcome = await attack.run(arena);
    verdict = outcome.held ? "held" : "broken";
    figure = outcome.figure;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    verdict = "could not be run";
    figure = error.message;
  } finally {
    arena.end();
  }
  const noticed = await notice(honest, attack.maxHonestDelayMs);
  // Also of one that could not be finished: the server may be gone.
  if (noticed?.isFine === false) verdict = "broken";
  const seconds = (performance.now() - startMs) / 1000;
  return { name: attack.name, verdict, figure, honest: noticed?.text, seconds };
}

async function notice(honest: Honest | undefined, maxDelayMs?: number): Promise<Noticed | undefined> {
  if (honest === undefined) return undefined;
  await honest.play(HONEST_MOVES, HONEST_MS);
  const noticed = await honest.notice(maxDelayMs);
  const ban = await honest.ban();
  return ban === undefined ? noticed : { isFine: false, text: `${noticed.text}; ${ban}` };
}
