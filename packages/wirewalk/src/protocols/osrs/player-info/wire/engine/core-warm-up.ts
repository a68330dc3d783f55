/**
 * Runs the core's hot path before the first engine's first tick, on a small world of its own. A browser's or Node's compiler makes fast code of
 * a function only when it has run for a while: without this the first tick of a town of 2047 took 3 to 4 times the later ones,
 * and with it as long as they do. It takes about 20 ms of processor time, most of it the compiler's.
 */
import type { CoreExports } from "./core-exports.ts";

const PLAYERS = 320;
const TICKS = 2;
const SIDE = 16;
const NO_ROOM = 4;
/** Of masks, which are all zeros here. */
const MASK_BYTES = 20;
const MASKS_BYTES = 4096;
const PACKETS_BYTES = 1 << 20;

/** Bytes of memory that {@link warmUp} needs after the core's own. */
export const WARM_UP_BYTES: number = MASKS_BYTES + PACKETS_BYTES;

/** `core`: an instance that nothing else uses. */
export function warmUp(core: CoreExports): void {
  const masks = core.free.value;
  let tick = 0;
  // A crowd, and a box in which views shrink and players come and go.
  for (const [maxLocals, stride] of [[2047, 1] as const, [60, 5] as const]) {
    core.setup(0x36, 15, maxLocals, 0, masks, masks + MASKS_BYTES, PACKETS_BYTES);
    for (let index = 1; index <= PLAYERS; index++) {
      core.addPlayer(index, 0, 3200, 3200);
      core.observe(index);
    }
    for (let round = 0; round < TICKS; round++) {
      tick++;
      for (let index = 1; index <= PLAYERS; index++) {
        const step = index * 7 + tick * stride;
        core.movePlayer(index, 3200 + (step % SIDE), 3200 + ((index + tick * stride) % SIDE));
        if (index % 3 === 0) core.setMasks(index, 0, MASK_BYTES);
      }
      core.beginTick(tick);
      while (core.makePackets() === NO_ROOM) core.reusePackets();
      core.endTick();
    }
    for (let index = 1; index <= PLAYERS; index++) core.removePlayer(index);
  }
}
