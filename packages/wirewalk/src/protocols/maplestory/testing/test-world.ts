/** A world under test with a clock that the test sets, and short ways to look at its effects. */
import type { Verdict } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import type { MapleMap } from "../maps/map.ts";
import { type MapleMaps, mapleMapsOf } from "../maps/maple-maps.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec, type V62MovePlayer } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Point } from "../wire/messages.ts";
import { MapleWorld, type MapleWorldOptions } from "../world/world.ts";

export type MapleEffect = Effect<MapleServerMessage>;

/** The portal at which a player enters follows from its id: 3 and 6 enter map 1 at x = -500. */
export const start: Point = { x: -500, y: 300 };

/** A set in which each number is this map; without one it knows none. */
export function anyMapleMap(map: MapleMap | undefined): MapleMaps {
  const set = mapleMapsOf("one map", map === undefined ? [] : [map]);
  return { ...set, map: () => map, digest: () => map && set.digest(String(map.mapId)) };
}

/** A world of `v62` with the demo maps. */
export class TestWorld extends MapleWorld {
  nowMs = 0;
  readonly #codec;

  constructor(options: Partial<MapleWorldOptions> = {}) {
    super({ dialect: "v62", seed: 1, demo: true, ...options });
    this.#codec = mapleCodec(options.dialect ?? "v62");
  }

  /** A player sends a message now; the effects of it. */
  send(player: number, message: MapleClientMessage): readonly MapleEffect[] {
    this.receive(player, message, this.#codec.write("client", message), this.nowMs);
    return this.takeEffects();
  }

  /** A character logs in on map 1; the effects of it. */
  logIn(player: number, characterId = player + 100): readonly MapleEffect[] {
    this.join(player, { account: `${player}`, name: `bot${player}`, room: "1" }, this.nowMs);
    return this.send(player, { message: "playerLoggedIn", value: { characterId, reserved: 0 } });
  }
}

/** An honest walk of 510 ms on the ground, with some fields changed. */
export function walk(
  from: Point,
  x: number,
  change: Partial<V62MovePlayer> = {},
): Extract<MapleClientMessage, { message: "movePlayer" }> {
  const fragments = [
    Fragment.of("absolute", { type: 0, x, y: from.y, vx: 100, foothold: 1, state: 2, durationMs: 510 }),
  ];
  const value = {
    fieldKey: 1,
    start: from,
    fragments,
    keypad: new Array(17).fill(4),
    box: boxOf(from, change.fragments ?? fragments),
    ...change,
  };
  return { message: "movePlayer", value };
}

export function verdicts(effects: readonly MapleEffect[]): readonly Verdict[] {
  return effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
}

/** Kind and rule of each verdict. */
export function kinds(effects: readonly MapleEffect[]): string[] {
  return verdicts(effects).map(({ kind, rule }) => `${kind} ${rule}`);
}

export function broadcasts(effects: readonly MapleEffect[]) {
  return effects.filter((effect) => effect.effect === "broadcast");
}

export function messagesTo(effects: readonly MapleEffect[], player: number): MapleServerMessage[] {
  return effects.flatMap((effect) => (effect.effect === "send" && effect.to === player ? [effect.message] : []));
}
