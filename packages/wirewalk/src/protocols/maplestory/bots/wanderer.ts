/**
 * What an honest bot presses: it goes through whole maps. It walks, jumps over gaps and against walls, climbs, drops down, swims, flies,
 * sits down, and passes through portals. Where it does not get on it tries something else.
 */
import type { Random } from "../../../motion/index.ts";
import { type Foothold, isFloor } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import type { Keys, Walker } from "../movement/walker.ts";

/** Steps after which it looks whether it has got on, and how far that is, pixels. */
const WATCH_STEPS = 200;
const WATCH_PX = 24;
/** Steps for which it does something else then. */
const SHAKE_STEPS = 60;
/** Steps for which it leaves a ladder alone that it has come from. */
const LADDER_REST_STEPS = 150;
/** How near the end of a platform it decides what to do there, pixels, and how near the world's end it turns. */
const EDGE_PX = 6;
const WORLD_PX = 30;
/** How much lower the ground beyond an edge is at most for a walk over it, pixels. */
const DEEP_PX = 2000;

const onGround: readonly Keys[] = [
  {},
  { left: true },
  { left: true },
  { left: true },
  { right: true },
  { right: true },
  { right: true },
  { down: true },
  { down: true, jump: true },
];
const afloat: readonly Keys[] = [
  {},
  { left: true },
  { right: true },
  { up: true },
  { down: true },
  { left: true, up: true },
  { right: true, up: true },
  { left: true, down: true },
  { right: true, down: true },
];
const elsewhere: readonly Keys[] = [
  { left: true, jump: true },
  { right: true, jump: true },
  { left: true, jump: true },
  { right: true, jump: true },
  { down: true, jump: true },
  { up: true },
  { left: true, up: true },
  { right: true, up: true },
  { left: true },
  { right: true },
];

/** What of a character it looks at. */
export interface Wandering {
  readonly map: MapleMap;
  readonly body: Readonly<Walker>;
  readonly isAtPortal: boolean;
}

export class Wanderer {
  readonly #random: Random;
  /** Whether it may sit down where it stands. */
  readonly #sits: boolean;
  #keys: Keys = {};
  #keySteps = 0;
  #sitSteps = 0;
  #shakeSteps = 0;
  #steps = 0;
  #watched = { x: 0, y: 0 };
  /** The ladder that it has come from, and for how long it leaves it alone. */
  #ladder = 0;
  #ladderSteps = 0;

  constructor(random: Random, sits: boolean) {
    this.#random = random;
    this.#sits = sits;
  }

  /** Whether it wants to sit. */
  get isSitting(): boolean {
    return this.#sitSteps > 0;
  }

  /** It is on another map. */
  enter(): void {
    this.#keys = {};
    this.#keySteps = 0;
    this.#sitSteps = 0;
    this.#shakeSteps = 0;
  }

  /** The keys of the next step. */
  decide(seen: Wandering): Keys {
    const { body, map } = seen;
    this.#steps += 1;
    this.#sitSteps -= 1;
    if (this.#sitSteps > 0) return this.#press({});
    this.#watch(body);
    this.#keySteps -= 1;
    this.#ladderSteps -= 1;
    if (this.#shakeSteps > 0) return this.#shake(body);
    if (body.foothold < 0) return this.#climb(body);
    if (body.foothold > 0) return this.#walk(seen);
    if (map.flies || map.isWater(body.x, body.y)) return this.#float(body, map);
    return this.#press({ ...this.#keys, jump: false, down: false, up: this.#grabs(seen) });
  }

  #press(keys: Keys): Keys {
    this.#keys = keys;
    return keys;
  }

  /** Where it does not get on it does something else for a while. */
  #watch({ x, y }: Readonly<Walker>): void {
    if (this.#steps % WATCH_STEPS !== 0) return;
    if (Math.hypot(x - this.#watched.x, y - this.#watched.y) < WATCH_PX) {
      this.#shakeSteps = SHAKE_STEPS;
      this.#keys = this.#random.pick(elsewhere);
    }
    this.#watched = { x, y };
  }

  #shake({ foothold }: Readonly<Walker>): Keys {
    this.#shakeSteps -= 1;
    if (this.#shakeSteps % 20 === 0) this.#keys = this.#random.pick(elsewhere);
    // A jump is a press of the key: it is not held in the air.
    return { ...this.#keys, jump: this.#keys.jump === true && foothold !== 0 };
  }

  #climb({ foothold, vy }: Readonly<Walker>): Keys {
    const random = this.#random;
    this.#ladder = foothold;
    this.#ladderSteps = LADDER_REST_STEPS;
    const holds = this.#keys.up || this.#keys.down;
    // Up or down to the end; sometimes it jumps off.
    if (this.#keySteps > 0 && holds && (vy !== 0 || this.#keySteps > 1)) return this.#keys;
    this.#keySteps = random.integer(20, 80);
    if (!random.chance(0.15)) return this.#press(random.chance(0.7) ? { up: true } : { down: true });
    return this.#press({ jump: true, ...(random.chance(0.5) ? { left: true } : { right: true }) });
  }

  #float({ x, y }: Readonly<Walker>, map: MapleMap): Keys {
    const random = this.#random;
    if (this.#keySteps <= 0) {
      this.#keys = random.pick(afloat);
      this.#keySteps = random.integer(15, 90);
    }
    let { left = false, right = false, up = false, down = false } = this.#keys;
    if (x < map.left + WORLD_PX) [left, right] = [false, true];
    if (x > map.right - WORLD_PX) [left, right] = [true, false];
    if (y > map.bounds.bottom - WORLD_PX) [up, down] = [true, false];
    if (y < map.bounds.top - WORLD_PX) [up, down] = [false, true];
    this.#press({ left, right, up, down });
    return { ...this.#keys, jump: !map.flies && random.chance(0.03) };
  }

  #walk(seen: Wandering): Keys {
    const random = this.#random;
    const { map, body, isAtPortal } = seen;
    if (this.#keySteps <= 0) {
      this.#keys = random.pick(onGround);
      this.#keySteps = random.integer(10, 120);
      if (this.#sits && random.chance(0.02)) return this.#sitDown();
    }
    this.#keys = { ...this.#keys, jump: this.#keys.down === true && this.#keys.jump === true };
    if (map.flies && random.chance(0.02)) return this.#press({ up: true });
    if (isAtPortal && random.chance(0.02)) {
      this.#keySteps = 2;
      return this.#press({ up: true });
    }
    if (this.#sits && map.seats.length > 0 && random.chance(0.02) && isAtSeat(map, body)) return this.#sitDown();
    if (this.#grabs(seen)) {
      this.#keySteps = random.integer(10, 60);
      return this.#press({ up: true });
    }
    if (random.chance(0.01)) return { ...this.#keys, down: false, jump: true };
    const { left = false, right = false } = this.#keys;
    return left !== right ? this.#goOn(map, body, right) : this.#keys;
  }

  /** At an edge, at a wall, or at the world's end it jumps, goes on or turns. */
  #goOn(map: MapleMap, { x, y, foothold, vx }: Readonly<Walker>, right: boolean): Keys {
    const random = this.#random;
    const turned: Keys = right ? { left: true } : { right: true };
    if (right ? x > map.right - WORLD_PX : x < map.left + WORLD_PX) return this.#press(turned);
    const ground = map.foothold(foothold);
    if (ground === undefined) return this.#keys;
    if ((right ? ground.x2 - x : x - ground.x1) > EDGE_PX) return this.#keys;
    const next = map.foothold(right ? ground.next : ground.previous);
    if (next !== undefined && isFloor(next)) return this.#keys;
    const isWall = next !== undefined && rises(next, y);
    if (isWall) {
      // Against a wall it stands still: a jump may lead over it.
      if (vx === 0 && random.chance(0.1)) return this.#press(turned);
      return random.chance(0.15) ? { ...this.#keys, jump: true } : this.#keys;
    }
    const under = map.below(x + (right ? 2 * EDGE_PX : -2 * EDGE_PX), y);
    if ((under === undefined || under.y - y > DEEP_PX) && !random.chance(0.02)) return this.#press(turned);
    const wish = random.next();
    if (wish < 0.1) return this.#press(turned);
    return wish < 0.35 ? { ...this.#keys, jump: true } : this.#keys;
  }

  /** Whether it takes a ladder that is near: now and then, and not the one that it has come from. */
  #grabs({ map, body: { x, y } }: Wandering): boolean {
    if (map.ladders.length === 0 || !this.#random.chance(0.3)) return false;
    const near = map.ladders.find(
      (each) => Math.abs(each.x - x) < 8 && y > each.top + 4 && y < each.bottom + 12,
    );
    if (near === undefined) return false;
    return -near.id !== this.#ladder || this.#ladderSteps <= 0;
  }

  #sitDown(): Keys {
    this.#sitSteps = this.#random.integer(60, 300);
    this.#watched = { x: Number.NaN, y: 0 };
    return this.#press({});
  }
}

function isAtSeat(map: MapleMap, { x, y }: Readonly<Walker>): boolean {
  return map.seats.some((seat) => Math.hypot(seat.x - x, seat.y - y) <= 14);
}

/** Whether a wall goes up from the feet. */
function rises({ x1, x2, y1, y2 }: Foothold, y: number): boolean {
  return x1 === x2 && Math.min(y1, y2) < y - 1;
}
