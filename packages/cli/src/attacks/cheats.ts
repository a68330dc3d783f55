/** Every cheat that the games' own bots know: the rules have to find it. */
import type { Protocol } from "wirewalk/protocol";
import { type Arena, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";
import type { Outcome } from "./outcome.ts";

/** A cheat is found within this time; speeds of 1.05 and clocks of 1.02 take longest. */
const FOUND_MS = 60_000;

/** How often the server is asked for its verdicts. */
const LOOK_MS = 250;
const STEP_MS = 20;

/** Cheaters at the same time: some cheats need luck, such as a monster to steal. */
const CHEATERS = 3;

export function cheatAttacks(protocols: Readonly<Record<string, Protocol>>): readonly Attack[] {
  return Object.values(protocols).flatMap(({ name: game, bots }) =>
    (bots?.cheats ?? []).map(
      (cheat): Attack => ({
        name: `cheats-${game}-${cheat}`,
        family: "cheats",
        summary: `lets ${CHEATERS} players of ${game} cheat with ${cheat}`,
        expectation: `a verdict above benign within ${FOUND_MS / 1000} s`,
        // The rules need places that they know, and honest players beside the cheat.
        flags: ["--bots", "3"],
        run: (arena) => play(arena, game, cheat),
      }),
    ),
  );
}

async function play(arena: Arena, game: string, cheat: string): Promise<Outcome> {
  const before = await arena.verdicts(game);
  let isOver = false;
  arena.onEnd(() => {
    isOver = true;
  });
  const ends: string[] = [];
  const cheaters = Array.from({ length: arena.count(CHEATERS) }, (_, index) => cheatOn(index));
  async function cheatOn(index: number): Promise<void> {
    const bot = arena.bot(game, { cheat, number: 10 + index });
    const run = await arena.player(game, { bot, localAddress: arena.addressOf(index + 1) });
    while (!isOver && run.closed === undefined) await arena.sleep(STEP_MS);
    if (run.closed !== undefined) ends.push(run.closed);
    run.stop();
  }
  let found = 0;
  const watch = arena.until(
    async () => {
      found = (await arena.verdicts(game)) - before;
      return found > 0;
    },
    FOUND_MS,
    LOOK_MS,
  );
  const failure = Promise.all(cheaters).then(
    () => undefined,
    (error: unknown) => error,
  );
  const tookMs = await watch;
  isOver = true;
  const error = await failure;
  if (error !== undefined) throw error;
  const ended = ends.length === 0 ? "" : `; ended: ${ends.join(", ")}`;
  return { held: tookMs !== undefined, figure: `${found} verdicts, the first after ${formatMs(tookMs)}${ended}` };
}
