/** The module with threads, for shared memory: that of `index.ts`, what the other threads run, and what the host says about them. */
import { own, setWorkArea, WORK_BYTES } from "./memory";
import { help } from "./packets";
import { beginToServe, CLOSE, kindOfTurn, MAKE, waitForTurn } from "./threads";

export * from "./index";
export { endHelp, helpers, setPatience } from "./threads";

/** Bytes of a work area: one for each other thread, of zeros, anywhere after {@link free}. */
export const workBytes: usize = WORK_BYTES;

/** Where the number of the turn is, and where claims are: see `threads.ts`. */
export { beginToServe, CLAIMS as claims, TURN as turn } from "./threads";

/** On another thread: helps with the packets of every tick, with a work area at `workArea`, until the host ends it. */
export function serve(workArea: usize): void {
  setWorkArea(workArea);
  let turn = beginToServe(workArea);
  while (true) {
    turn = waitForTurn(turn);
    const kind = kindOfTurn();
    if (kind == CLOSE) return;
    if (kind == MAKE) help(turn);
  }
}
