/**
 * Synthetic movements of a hand: a human's by the minimum-jerk model, and those of cheating bots. For tests of the
 * kinematics and for the game's bots.
 *
 * ```ts
 * const plan = movers.linear({ x: 10, y: 10 }, { x: 410, y: 310 }, createRandom(1));
 * plan.at(plan.durationMs / 2); // => { x: 210, y: 160 }
 * ```
 *
 * Model of a human's hand: a fast submovement that lands a few percent off, then slower ones that correct it, each with
 * the speed profile of minimum jerk (Flash and Hogan 1985), together as long as Fitts' law says; the path bends, and the
 * hand trembles while it moves.
 */
import type { Random } from "../../../../motion/index.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A planned movement: where the pointer is at each time from its start. Fractions of pixels. */
export interface MovementPlan {
  readonly durationMs: number;
  at(ms: number): Place;
}

/** Plans a movement from one place to another. */
export type Mover = (from: Place, to: Place, random: Random) => MovementPlan;

/** Ways of moving by their names on the command line; `human` is not a cheat. */
export type MoverName = "human" | "linear" | "bezier" | "jump" | "windmouse" | "minimumJerk" | "fitts";

/** Progress of a movement of minimum jerk, 0 to 1: starts and ends at rest and without acceleration. */
export function minimumJerk(share: number): number {
  const t = Math.min(Math.max(share, 0), 1);
  return t * t * t * (10 + t * (6 * t - 15));
}

/** A number around 0 with standard deviation 1. */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Size of the target, for Fitts' law. */
const TARGET_PX = 24;

/** A submovement begins with a burst and brakes for longer: its fastest moment is before the half of its time. */
function burst(share: number): number {
  return share <= 0 ? 0 : share ** 0.8;
}

interface Submovement {
  readonly startMs: number;
  readonly durationMs: number;
  readonly dx: number;
  readonly dy: number;
}

const human: Mover = (from, to, random) => {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const along = distance === 0 ? { x: 1, y: 0 } : { x: (to.x - from.x) / distance, y: (to.y - from.y) / distance };
  const across = { x: -along.y, y: along.x };
  const difficulty = Math.log2(distance / TARGET_PX + 1);
  const fittsMs = (120 + 130 * difficulty) * Math.exp(0.18 * gaussian(random));

  const parts: Submovement[] = [];
  let [x, y] = [from.x, from.y];
  const moveBy = (startMs: number, durationMs: number, dx: number, dy: number): void => {
    parts.push({ startMs, durationMs, dx, dy });
    x += dx;
    y += dy;
  };
  const reach = distance * (0.96 + 0.05 * gaussian(random));
  const miss = distance * 0.03 * gaussian(random);
  const firstMs = fittsMs * (0.75 + 0.1 * random.next());
  moveBy(0, firstMs, along.x * reach + across.x * miss, along.y * reach + across.y * miss);
  let endMs = firstMs;
  for (let left = 3; left > 0 && Math.hypot(to.x - x, to.y - y) > 3; left--) {
    const off = Math.hypot(to.x - x, to.y - y);
    const startMs = endMs * (0.9 + 0.2 * random.next());
    const durationMs = 110 + 60 * Math.log2(off / 6 + 1) + 60 * random.next();
    const error = 0.12 * off;
    moveBy(startMs, durationMs, to.x - x + error * gaussian(random), to.y - y + error * gaussian(random));
    endMs = startMs + durationMs;
  }
  const bendPx = distance * 0.045 * gaussian(random);
  // The wrist wanders slowly about the way, and trembles.
  const tremors = Array.from({ length: 6 }, (_, index) => ({
    perMs: ((index < 4 ? 1.5 + 3.5 * random.next() : 8 + 4 * random.next()) * 2 * Math.PI) / 1000,
    phase: 2 * Math.PI * random.next(),
    direction: 2 * Math.PI * random.next(),
    px: index < 4 ? 0.03 * distance * random.next() + 0.4 : 0.4 + 0.4 * random.next(),
  }));
  // The hand does not keep to its plan: it surges and falls back two to five times a second, by up to half of its speed.
  const surges = Array.from({ length: 3 }, () => {
    const perMs = (2 * Math.PI * (2 + 4 * random.next())) / 1000;
    return { perMs, phase: 2 * Math.PI * random.next(), depthMs: (0.2 + 0.35 * random.next()) / perMs };
  });
  return {
    durationMs: endMs,
    at(ms) {
      if (ms <= 0) return from;
      let px = from.x;
      let py = from.y;
      const uneven =
        ms + surges.reduce((sum, { perMs, phase, depthMs }) => sum + depthMs * Math.sin(perMs * ms + phase), 0);
      for (const { startMs, durationMs, dx, dy } of parts) {
        const done = minimumJerk(burst((uneven - startMs) / durationMs));
        px += dx * done;
        py += dy * done;
      }
      const done = minimumJerk(ms / firstMs);
      const bend = 4 * done * (1 - done) * bendPx;
      // Trembling begins and ends with the movement.
      const alive = Math.min(ms / 80, (endMs - ms) / 80, 1);
      if (alive > 0) {
        for (const tremor of tremors) {
          const amount = alive * tremor.px * Math.sin(tremor.perMs * ms + tremor.phase);
          px += amount * Math.cos(tremor.direction);
          py += amount * Math.sin(tremor.direction);
        }
      }
      return { x: px + across.x * bend, y: py + across.y * bend };
    },
  };
};

/** Straight on at one speed. */
const linear: Mover = (from, to, random) => {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const speed = 0.7 + 0.2 * random.next();
  const durationMs = Math.max(distance / speed, 1);
  return {
    durationMs,
    at(ms) {
      const done = Math.min(Math.max(ms / durationMs, 0), 1);
      return { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done };
    },
  };
};

/** A cubic curve with two random points beside the straight line, at even steps of its parameter. */
const bezier: Mover = (from, to, random) => {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const durationMs = 350 + 400 * random.next();
  const control = (share: number): Place => {
    const aside = 0.5 * (random.next() - 0.5);
    return { x: from.x + dx * share - dy * aside, y: from.y + dy * share + dx * aside };
  };
  const a = control(0.25 + 0.15 * random.next());
  const b = control(0.6 + 0.15 * random.next());
  const curve = (p0: number, p1: number, p2: number, p3: number, t: number): number =>
    (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t * t * p2 + t ** 3 * p3;
  return {
    durationMs,
    at(ms) {
      const t = Math.min(Math.max(ms / durationMs, 0), 1);
      return { x: curve(from.x, a.x, b.x, to.x, t), y: curve(from.y, a.y, b.y, to.y, t) };
    },
  };
};

/** There at once. */
const jump: Mover = (from, to) => ({ durationMs: 1, at: (ms) => (ms < 1 ? from : to) });

/** Between two steps of WindMouse, in milliseconds. */
const WIND_STEP_MS = 10;
/** Steps of one movement at most: one that circles its target ends there. */
const WIND_STEPS = 1000;

/**
 * WindMouse, the mover of many public bots: the pointer is pulled to its target by gravity and pushed by a wind that changes at random,
 * at a limited speed; near the target the wind dies down. Its constants are those in use: gravity 9, wind 3, 15 px a step, damping from 12 px.
 */
const windmouse: Mover = (from, to, random) => {
  const [gravity, gusts, damping] = [9, 3, 12];
  let [fastest, x, y, vx, vy, windX, windY] = [15, from.x, from.y, 0, 0, 0, 0];
  const places: Place[] = [from];
  for (let step = 0; step < WIND_STEPS; step++) {
    const distance = Math.hypot(to.x - x, to.y - y);
    if (distance < 1) break;
    const gust = Math.min(gusts, distance);
    if (distance >= damping) {
      windX = windX / Math.sqrt(3) + ((2 * random.next() - 1) * gust) / Math.sqrt(5);
      windY = windY / Math.sqrt(3) + ((2 * random.next() - 1) * gust) / Math.sqrt(5);
    } else {
      windX /= Math.sqrt(3);
      windY /= Math.sqrt(3);
      fastest = fastest < 3 ? 3 + 3 * random.next() : fastest / Math.sqrt(5);
    }
    vx += windX + (gravity * (to.x - x)) / distance;
    vy += windY + (gravity * (to.y - y)) / distance;
    const speed = Math.hypot(vx, vy);
    if (speed > fastest) {
      const clipped = fastest / 2 + (random.next() * fastest) / 2;
      vx = (vx / speed) * clipped;
      vy = (vy / speed) * clipped;
    }
    x += vx;
    y += vy;
    places.push({ x, y });
  }
  places.push(to);
  return alongPlaces(places, WIND_STEP_MS);
};

/** From place to place at even steps of time. */
function alongPlaces(places: readonly Place[], stepMs: number): MovementPlan {
  return {
    durationMs: Math.max((places.length - 1) * stepMs, 1),
    at(ms) {
      const step = Math.min(Math.max(ms / stepMs, 0), places.length - 1);
      const [a, b] = [places[Math.floor(step)] as Place, places[Math.ceil(step)] as Place];
      const share = step - Math.floor(step);
      return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
    },
  };
}

/**
 * One movement of minimum jerk with noise that grows with the speed (Harris and Wolpert 1998): what the literature gives for an arm, and
 * no more. It takes as long as Fitts' law says and bends a little.
 */
const minimumJerkMover: Mover = (from, to, random) => {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  const durationMs = (150 + 140 * Math.log2(distance / TARGET_PX + 1)) * Math.exp(0.2 * gaussian(random));
  const bend = 0.04 * gaussian(random);
  // The noise has a time constant of 60 ms, and a size of 6 % of the speed.
  const steps = Math.max(Math.ceil(durationMs / 10), 2);
  const planned: Place[] = [];
  const off: Place[] = [];
  let [noiseX, noiseY, offX, offY] = [0, 0, 0, 0];
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    const done = minimumJerk(share);
    const speed = (distance / durationMs) * 30 * share * share * (1 - share) * (1 - share);
    noiseX = noiseX * 0.85 + 0.53 * gaussian(random);
    noiseY = noiseY * 0.85 + 0.53 * gaussian(random);
    offX += 0.06 * speed * 10 * noiseX;
    offY += 0.06 * speed * 10 * noiseY;
    const aside = 4 * bend * done * (1 - done);
    planned.push({ x: from.x + dx * done - dy * aside, y: from.y + dy * done + dx * aside });
    off.push({ x: offX, y: offY });
  }
  // It knows where it goes: what the noise adds up to is taken back on the way.
  const places = planned.map(({ x, y }, step) => {
    const back = minimumJerk(step / steps);
    const here = off[step] as Place;
    return { x: x + here.x - back * offX, y: y + here.y - back * offY };
  });
  return alongPlaces(places, durationMs / steps);
};

/** A straight line with an even rise and fall of speed (half a cosine), that takes as long as Fitts' law says. */
const fitts: Mover = (from, to, random) => {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const durationMs = (100 + 150 * Math.log2(distance / TARGET_PX + 1)) * (0.9 + 0.2 * random.next());
  return {
    durationMs,
    at(ms) {
      const done = (1 - Math.cos(Math.PI * Math.min(Math.max(ms / durationMs, 0), 1))) / 2;
      return { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done };
    },
  };
};

export const movers: Readonly<Record<MoverName, Mover>> = {
  human,
  linear,
  bezier,
  jump,
  windmouse,
  minimumJerk: minimumJerkMover,
  fitts,
};
