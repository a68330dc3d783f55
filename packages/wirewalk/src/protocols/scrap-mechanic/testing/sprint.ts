/** A character that sprints along +Y on a clock of its own, without a network. */

import { TICK_MS } from "../movement/model.ts";
import { keySets, type MovementKeys } from "../wire/player-movement.ts";
import { ScrapWorld } from "../world/world.ts";

const SPRINT = keySets[12] as MovementKeys;

/** How many ticks it said, and how far it came. `rate` is its clock's seconds a second. */
export function sprintFor(durationMs: number, rate: number): { readonly said: number; readonly way: number } {
  const world = new ScrapWorld({ dialect: "documented", seed: 1 });
  world.join(1, { account: "ann", name: "Ann" }, 0);
  world.receive(1, { message: "hello", value: { version: 1 } }, new Uint8Array(2), 0);
  const start = world.tracks(0)[0]?.position.y ?? Number.NaN;
  const packet = new Uint8Array(10);
  let said = 0;
  for (let nowMs = 1; nowMs <= durationMs; nowMs++) {
    for (; said < Math.floor((nowMs * rate) / TICK_MS); said++) {
      const value = { tick: said, keys: SPRINT, direction: 64, yaw: 0, pitch: 64 };
      world.receive(1, { message: "playerMovement", value }, packet, nowMs);
    }
    if (nowMs % TICK_MS === 0) world.tick(nowMs);
    world.takeEffects();
  }
  return { said, way: (world.tracks(durationMs)[0]?.position.y ?? Number.NaN) - start };
}
