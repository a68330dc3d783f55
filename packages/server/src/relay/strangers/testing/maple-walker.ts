/**
 * A character on two platforms: steps of 30 ms by the numbers of the game's Physics.img, as public clients and servers name them: 125 px/s,
 * forces of 1400 and 800 px/s², jump 555 px/s, gravity 2000 px/s², fall at most 670 px/s.
 */
export const STEP_MS = 30;

const SPEED = 125;
const PUSH = 1400;
const BRAKE = 800;
const JUMP = 555;
const GRAVITY = 2000;
const FASTEST_FALL = 670;

export interface Foothold {
  readonly id: number;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

export interface MapleMap {
  readonly mapId: number;
  readonly footholds: readonly Foothold[];
  readonly spawn: { readonly x: number; readonly y: number };
}

/** A small platform above a wide one. */
export const TOWN: MapleMap = {
  mapId: 100_000_000,
  footholds: [
    { id: 1, left: -150, right: 150, y: 0 },
    { id: 2, left: -900, right: 900, y: 240 },
  ],
  spawn: { x: 0, y: 0 },
};

export interface Keys {
  readonly left?: boolean;
  readonly right?: boolean;
  readonly jump?: boolean;
}

/** A character at the end of a step, in whole pixels. `foothold` 0: in the air. */
export interface Stance {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly foothold: number;
  /** Twice the action (1 walk, 2 stand, 3 in the air), and 1 when it looks left. */
  readonly state: number;
}

const WALK = 1;
const STAND = 2;
const AIR = 3;

export class Walker {
  readonly #map: MapleMap;
  #x: number;
  #y: number;
  #vx = 0;
  #vy = 0;
  #foothold: Foothold | undefined;
  #looksLeft = false;
  #action = STAND;

  constructor(map: MapleMap) {
    this.#map = map;
    this.#x = map.spawn.x;
    this.#y = map.spawn.y;
    this.#foothold = map.footholds.find((each) => each.y === this.#y && isOver(each, this.#x));
  }

  get stance(): Stance {
    return {
      x: whole(this.#x),
      y: whole(this.#y),
      vx: whole(this.#vx),
      vy: whole(this.#vy),
      foothold: this.#foothold?.id ?? 0,
      state: this.#action * 2 + (this.#looksLeft ? 1 : 0),
    };
  }

  /** One step. With `jumped`, the velocity at its start, when it began with a jump. */
  step(keys: Keys): { readonly jumped?: { readonly vx: number; readonly vy: number } } {
    const seconds = STEP_MS / 1000;
    const jumped = keys.jump === true && this.#foothold !== undefined;
    if (jumped) {
      this.#foothold = undefined;
      this.#vy = -JUMP;
    }
    if (keys.left !== keys.right && (keys.left || keys.right)) this.#looksLeft = keys.left === true;
    const started = { vx: whole(this.#vx), vy: this.#vy };
    if (this.#foothold === undefined) this.#fall(seconds);
    else this.#walk(keys, this.#foothold, seconds);
    return jumped ? { jumped: started } : {};
  }

  #walk(keys: Keys, foothold: Foothold, seconds: number): void {
    const wanted = (keys.right ? 1 : 0) - (keys.left ? 1 : 0);
    const before = this.#vx;
    if (wanted === 0) this.#vx = Math.sign(before) * Math.max(0, Math.abs(before) - BRAKE * seconds);
    else this.#vx = Math.max(-SPEED, Math.min(SPEED, before + wanted * PUSH * seconds));
    this.#x += ((before + this.#vx) / 2) * seconds;
    this.#action = wanted === 0 ? STAND : WALK;
    if (isOver(foothold, this.#x)) return;
    this.#foothold = undefined;
    this.#action = AIR;
  }

  #fall(seconds: number): void {
    const [before, from] = [this.#vy, this.#y];
    this.#vy = Math.min(FASTEST_FALL, before + GRAVITY * seconds);
    this.#x += this.#vx * seconds;
    this.#y += ((before + this.#vy) / 2) * seconds;
    this.#action = AIR;
    const ground = this.#map.footholds.find(
      (each) => this.#vy > 0 && from <= each.y && this.#y >= each.y && isOver(each, this.#x),
    );
    if (ground === undefined) return;
    this.#foothold = ground;
    this.#y = ground.y;
    this.#vy = 0;
    this.#action = STAND;
  }
}

/** Never -0, which no packet can say. */
const whole = (value: number): number => Math.round(value) + 0;

const isOver = ({ left, right }: Foothold, x: number): boolean => x >= left && x <= right;
