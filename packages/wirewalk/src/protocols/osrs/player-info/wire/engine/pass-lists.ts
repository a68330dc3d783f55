/**
 * The four passes of one packet as lists: the codes whose bits make the pass, and the players whose masks follow. The
 * sorter and the groups fill them, the packet writer reads them.
 *
 * List numbers: 0 and 1 hold locals, 2 and 3 externals; 1 and 3 hold the players that the last packet skipped. The
 * dialect decides which pass reads which list.
 */
import { PLAYER_SLOTS } from "../constants.ts";
import { SKIPS } from "./engine-memory.ts";

// A player has two codes at most, a skip and its own, or the two of a return. The list of players is longer by a word,
// since a player without masks is listed too and overwritten by the next.
/** From the begin of a pass to its list of players. */
export const CODE_WORDS = PLAYER_SLOTS * 3;
/** From a pass to the next. */
export const PASS_WORDS = CODE_WORDS + PLAYER_SLOTS + 1;

// Counts of a pass.
export const PASS_COUNTS = 4;
/** Players of it so far. */
export const MEMBERS = 0;
/** The rank after its last event. */
export const RANK = 1;
/** The ends of its lists. */
export const CODES_END = 2;
export const LIST_END = 3;

/** One array for all codes and players, one for all counts: loops work on few arrays. */
export class PassLists {
  /** By pass: its codes; then its pending players in their order, index | combination << 11. */
  readonly lists = new Int32Array(4 * PASS_WORDS);
  /** By pass: see MEMBERS to LIST_END. */
  readonly counts = new Int32Array(4 * PASS_COUNTS);

  /** Empties all lists. */
  begin(): void {
    const { counts } = this;
    for (let pass = 0; pass < 4; pass++) {
      counts[pass * PASS_COUNTS + MEMBERS] = 0;
      counts[pass * PASS_COUNTS + RANK] = 0;
      counts[pass * PASS_COUNTS + CODES_END] = pass * PASS_WORDS;
      counts[pass * PASS_COUNTS + LIST_END] = pass * PASS_WORDS + CODE_WORDS;
    }
  }

  /** Skips the players of a pass after its last event. */
  skipRest(list: number): void {
    const pass = list * PASS_COUNTS;
    const run = (this.counts[pass + MEMBERS] as number) - (this.counts[pass + RANK] as number);
    if (run === 0) return;
    const end = this.counts[pass + CODES_END] as number;
    this.lists[end] = SKIPS + run;
    this.counts[pass + CODES_END] = end + 1;
  }
}
