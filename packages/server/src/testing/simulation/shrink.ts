/** Makes a failing episode smaller: shorter, with fewer faults and fewer players, as long as the same check fails. */
import { type EpisodeResult, playEpisode } from "./episode.ts";
import { type Plan, type PlanPart, partOf } from "./plan.ts";

/** Time of players that is played at most: about a minute of one core. */
const MAX_PLAYER_MS = 60_000_000;

export interface Shrunk {
  readonly part: Required<PlanPart>;
  /** The first finding of the check in the smaller episode. */
  readonly detail: string;
}

/** The smallest part of the plan that was found in which the check fails. `play` plays a plan. */
export async function shrink(
  plan: Plan,
  check: string,
  play: (plan: Plan) => Promise<Pick<EpisodeResult, "findings">> = playEpisode,
): Promise<Shrunk> {
  let playerMs = 0;
  let detail = "";
  let part = {
    players: plan.players.map(({ number }) => number),
    faults: plan.faults.map((_, index) => index),
    durationMs: plan.durationMs,
  };
  /** When the check first fails in this part; undefined when it does not. */
  const fails = async (smaller: typeof part): Promise<number | undefined> => {
    if (playerMs >= MAX_PLAYER_MS) return undefined;
    playerMs += smaller.players.length * smaller.durationMs;
    const found = (await play(partOf(plan, smaller))).findings.find((each) => each.check === check);
    if (found === undefined) return undefined;
    part = smaller;
    detail = found.detail;
    return found.atMs;
  };
  const shorten = async (): Promise<void> => {
    const atMs = await fails(part);
    if (atMs !== undefined && atMs + 1 < part.durationMs) await fails({ ...part, durationMs: atMs + 1 });
  };
  await shorten();
  for (const list of ["faults", "players"] as const) {
    // Halves first, then quarters, down to single ones.
    for (let size = Math.ceil(part[list].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < part[list].length; ) {
        const rest = part[list].filter((_, index) => index < at || index >= at + size);
        const isSmaller =
          (list === "faults" || rest.length > 0) && (await fails({ ...part, [list]: rest })) !== undefined;
        if (!isSmaller) at += size;
      }
    }
  }
  await shorten();
  return { part, detail };
}
