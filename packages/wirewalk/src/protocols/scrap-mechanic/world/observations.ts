/** What is shown of characters: tracks for spectators, the state in verdicts, and the places that 0x18 carries. */
import type { Track } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import { angleTurns } from "../wire/angle.ts";
import { keysByte } from "../wire/player-movement.ts";
import type { ObjectUpdate } from "../wire/unreliable-update.ts";
import type { Character } from "./character.ts";
import type { ScrapLimits } from "./limits.ts";

/** The places of all characters. Frozen: the codec then encodes the list once for all who receive it. */
export function updatesOf(characters: Iterable<Character>): readonly ObjectUpdate[] {
  return Object.freeze(
    Array.from(characters, ({ player, movement, state }): ObjectUpdate => {
      const { x, y, z, vx, vy, vz } = state;
      if (state.tumbling) {
        const velocity = { x: vx, y: vy, z: vz };
        return { kind: "tumbling", id: player, ...state.spin, position: { x, y, z }, velocity };
      }
      const { keys, direction, yaw, pitch } = movement;
      return { kind: "character", id: player, keys, direction, yaw, pitch, position: { x, y, z } };
    }),
  );
}

export function trackOf(character: Character, nowMs: number): Track {
  const { player, room, state, movement, buffer, budget } = character;
  const { x, y, z, vx, vy, vz } = state;
  return {
    player,
    room,
    atMs: nowMs,
    position: { x, y, z },
    velocity: { x: vx, y: vy, z: vz },
    // Yaw 0 looks along +Y, a quarter turn from +X.
    facingTurns: angleTurns(movement.yaw + 64),
    stance: stanceOf(character),
    source: "simulated",
    details: {
      tick: movement.tick,
      keys: keysByte(movement.keys),
      direction: movement.direction,
      yaw: movement.yaw,
      pitch: movement.pitch,
      bufferedTicks: buffer.depth,
      delayMs: Math.round(budget.delayMs),
      clockRate: budget.rate ?? null,
    },
  };
}

function stanceOf({ state, movement: { keys }, seatedTick }: Character): string {
  if (seatedTick !== undefined) return "seated";
  if (state.tumbling) return "tumble";
  if (!state.onGround) return "air";
  if (!keys.horizontal) return state.crawling ? "crouch" : "stand";
  if (keys.sprint) return "sprint";
  return keys.aim ? "aim" : state.crawling ? "crawl" : "walk";
}

/** The time that a client's clock has gained, of what it may gain, and what it has played at once. */
export function budgetsOf({ budget, saved }: Character, { savedMs }: ScrapLimits): readonly PlayerBudget[] {
  const { gainedMs, allowanceMs } = budget;
  return [
    { name: "time", rule: "fast-clock", used: gainedMs, limit: gainedMs + allowanceMs, unit: "ms" },
    { name: "saved", rule: "saved-up", used: saved.heldMs, limit: savedMs, unit: "ms" },
  ];
}

/** The state that a verdict shows. */
export function evidenceOf({ state: { spin, ...state }, movement, buffer, budget, saved }: Character): JsonObject {
  return {
    tick: movement.tick,
    keys: keysByte(movement.keys),
    direction: movement.direction,
    ...state,
    ...(state.tumbling
      ? { spin: { rotation: { ...spin.rotation }, angularVelocity: { ...spin.angularVelocity } } }
      : {}),
    bufferedTicks: buffer.depth,
    allowanceMs: Math.round(budget.allowanceMs),
    aheadMs: Math.round(budget.aheadMs),
    savedMs: Math.round(saved.heldMs),
  };
}
