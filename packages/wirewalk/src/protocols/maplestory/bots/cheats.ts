/** Ways to cheat, in numbers: what they do is done by the bot. */
import type { MapleMap } from "../maps/map.ts";
import { type Move, stepWalker, type WalkConstants, type Walker, walkConstants } from "../movement/walker.ts";
import type { Point } from "../wire/messages.ts";

/**
 * The values of `--cheat`. `speed` walks twice as fast, `speed-1.05` to `speed-5` as much faster as they say; the clock of
 * `clock-1.5` is faster, and so is all that it does; `idle-burst` stands still for a while and then walks for
 * all of that time at once. `float` falls half as fast as others, and `hover` stays in the air for seconds. `teleport` is elsewhere from one step to the next, ten times a minute, `leap` twice a minute and
 * further, and `reconnect` connects again after each of its jumps. `vacuum` pulls its monsters to itself, `aggro` takes over every monster that it sees, `spoofed-box` sends another
 * box than that of its path, `replayed-path` sends an old path again, `foreign-monster` moves monsters that another client
 * drives. `herd` makes its monsters walk to it over their own ground, `false-velocity` names velocities that it does not have, and `air-stairs`
 * rises for ever and names landings in the air. `documented` has no boxes, and no messages for monster control: there cheats take the monsters
 * that they see.
 */
export const mapleCheats = [
  "speed",
  "speed-1.05",
  "speed-1.1",
  "speed-5",
  "clock-1.5",
  "idle-burst",
  "float",
  "hover",
  "teleport",
  "leap",
  "reconnect",
  "vacuum",
  "aggro",
  "spoofed-box",
  "replayed-path",
  "foreign-monster",
  "herd",
  "false-velocity",
  "air-stairs",
] as const;

/** Cheats that move monsters, also where no server assigns them. */
export const monsterCheats: readonly string[] = ["vacuum", "aggro", "herd"];

/** How fast `air-stairs` rises, and from where on it begins anew, pixels above the map. */
const AIR_STAIRS_PX_PER_SECOND = 540;
export const AIR_STAIRS_PX = 3000;
/** How fast a herd is, pixels per second: honest monsters of some maps are as fast. */
const HERD_PX_PER_SECOND = 250;
/** How near a herd comes, pixels. */
const HERD_PX = 20;
/** What `false-velocity` names, pixels per second. */
export const FALSE_PX_PER_SECOND = -700;

/** How much faster the cheats of that name walk. */
const cheatSpeeds: Readonly<Record<string, number>> = {
  speed: 2,
  "speed-1.05": 1.05,
  "speed-1.1": 1.1,
  "speed-5": 5,
};
/** What cheats of that name do in the air. */
const cheatFlights: Readonly<Record<string, (usual: WalkConstants) => Partial<WalkConstants>>> = {
  float: ({ gravity }) => ({ gravity: gravity / 2 }),
  hover: () => ({ gravity: 60, jump: 90 }),
  "air-stairs": () => ({ gravity: 0.01, jump: AIR_STAIRS_PX_PER_SECOND }),
};
/** How much faster their clock is. */
export const cheatClocks: Readonly<Record<string, number>> = { "clock-1.5": 1.5 };
/** Far enough that no jump explains it, pixels. */
export const TELEPORT_PX = 350;
export const LEAP_PX = 800;
/** Steps between two teleports, or two old paths: about six seconds. */
export const CHEAT_EVERY_STEPS = 200;
/** Half a minute of steps. */
export const LEAP_EVERY_STEPS = 1000;
/** Steps from a jump to the next connection: its path has been sent. */
export const RECONNECT_STEPS = 20;
/** The id of a monster that is on no map. */
export const NO_MONSTER = 1;
/** How long `idle-burst` stands still: nine seconds, in steps. */
export const IDLE_STEPS = 300;
/** Monsters that `aggro` takes over in a step. */
export const AGGRO_PER_STEP = 3;
/** How much larger a spoofed box is, pixels. */
export const BOX_PX = 40;
/** How fast a vacuum pulls, pixels per second: faster than any monster, and below the limit on speed. */
export const VACUUM_PX_PER_SECOND = 500;
/** How likely in a step a vacuum is noticed: three times a second. */
export const VACUUM_CHANCE = 0.1;

/** The constants of a character that cheats so, or of an honest one. `usual` are those of the maps that it plays in. */
export function constantsOf(cheat: string, usual: WalkConstants = walkConstants): WalkConstants {
  const { walk, walkAcceleration } = usual;
  const factor = cheatSpeeds[cheat] ?? 1;
  const faster = { walk: walk * factor, walkAcceleration: walkAcceleration * factor };
  return { ...usual, ...faster, ...cheatFlights[cheat]?.(usual) };
}

/** Makes a monster walk to the cheater over its own ground. */
export function herdTo(at: Point, body: Walker, map: MapleMap, ms: number): readonly Move[] {
  const dx = at.x - body.x;
  const keys = Math.abs(dx) < HERD_PX ? {} : dx < 0 ? { left: true } : { right: true };
  const { constants } = body;
  const fast = { ...constants, walk: HERD_PX_PER_SECOND, walkAcceleration: constants.walkAcceleration * 4 };
  Object.assign(body, { constants: fast });
  const moves = stepWalker(body, keys, map, ms);
  Object.assign(body, { constants });
  return moves;
}

/** Pulls a monster straight to the cheater, through the air. */
export function pullTo(at: Point, body: Walker, ms: number): readonly Move[] {
  const dx = at.x - body.x;
  const dy = at.y - body.y;
  const far = Math.hypot(dx, dy);
  const share = far === 0 ? 0 : Math.min(1, (VACUUM_PX_PER_SECOND * ms) / 1000 / far);
  body.x += dx * share;
  body.y += dy * share;
  const vx = (dx * share * 1000) / ms;
  const vy = (dy * share * 1000) / ms;
  const move = { kind: "step", type: 0, durationMs: ms, fallStart: 0, foothold: 1, state: 2 } as const;
  return [{ ...move, x: body.x, y: body.y, vx, vy }];
}
