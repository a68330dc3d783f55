/**
 * The others, out of the updates that arrive on the own socket: each is drawn between two of them, so much in the past
 * that the next one is usually there. How much that is, a time budget says: the same that schedules inputs on the server.
 */
import type { PlayerId } from "wirewalk/motion";
import {
  angleTurns,
  keySets,
  LEVEL_PITCH,
  type MovementKeys,
  type ObjectUpdate,
  type UnreliableUpdate,
  type Vector3,
} from "wirewalk/scrap-mechanic";
import { movementModel, type Place, plain, seatAt, TICK_MS, TimeBudget } from "wirewalk/scrap-mechanic/movement";
import { type BodyState, type Figure, liftOf } from "./figure.ts";

/** Ticks kept of each ghost, 1.6 seconds: more than the longest delay. */
const MAX_SAMPLES = 64;

/** A player in no update for this many ticks has left, or the connection is lost. */
const FORGET_TICKS = 80;

/** The longest that a ghost is drawn late. */
const MAX_DELAY_MS = 700;

const noKeys = keySets[0] as MovementKeys;

interface Sample {
  readonly tick: number;
  readonly position: Vector3;
  readonly yaw: number;
  readonly pitch: number;
  readonly keys: MovementKeys;
  readonly direction: number;
  readonly body: BodyState | undefined;
}

export class Ghosts {
  /** Oldest first. */
  readonly #samples = new Map<PlayerId, Sample[]>();
  #budget = new TimeBudget({ tickMs: TICK_MS, maxDelayMs: MAX_DELAY_MS });
  #newest: number | undefined;
  readonly #place: Place;

  /** `place` is that of the server. */
  constructor(place: Place = plain) {
    this.#place = place;
  }

  /** Takes in where everybody but `own` is. Older updates fill gaps that they find. */
  receive({ serverTick, updates }: UnreliableUpdate, own: PlayerId, nowMs: number): void {
    const tick = this.#newest === undefined ? serverTick : this.#newest + ((serverTick - this.#newest) | 0);
    this.#newest = Math.max(this.#newest ?? tick, tick);
    this.#budget.arrived(tick, nowMs);
    for (const update of updates) {
      if (update.kind === "opaque" || update.id === own) continue;
      const samples = this.#samples.get(update.id) ?? [];
      this.#samples.set(update.id, samples);
      insert(samples, sampleOf(tick, update, samples.at(-1), this.#place));
    }
    for (const [id, samples] of this.#samples) {
      if ((samples.at(-1)?.tick ?? 0) < this.#newest - FORGET_TICKS) this.#samples.delete(id);
    }
  }

  /** Somebody has left. */
  forget(player: PlayerId): void {
    this.#samples.delete(player);
  }

  has(player: PlayerId): boolean {
    return this.#samples.has(player);
  }

  /** How far behind the newest update the ghosts are drawn. */
  get delayMs(): number {
    return this.#budget.delayMs + TICK_MS;
  }

  /** Everybody where they are drawn now. */
  draw(nowMs: number): readonly Figure[] {
    this.#budget.advance(nowMs);
    // An update is there when its tick is due: the way to it lies in the tick before.
    const tick = (nowMs - this.#budget.dueMs(0)) / TICK_MS - 1;
    return Array.from(this.#samples, ([player, samples]) => drawnAt(player, samples, tick, this.#place));
  }
}

/** A body whose middle is lower than this over its ground lies, in metres. */
const LYING = (movementModel.crawlHeight + movementModel.height) / 4;

function bodyOf(position: Vector3, { ground, seats }: Place): BodyState | undefined {
  if (seatAt(position, seats, ground) !== undefined) return "seated";
  return position.z - ground(position.x, position.y) < LYING ? "lying" : undefined;
}

function sampleOf(
  tick: number,
  update: Exclude<ObjectUpdate, { kind: "opaque" }>,
  last: Sample | undefined,
  place: Place,
): Sample {
  const { position } = update;
  if (update.kind === "character") {
    const { keys, direction, yaw, pitch } = update;
    return { tick, position, keys, direction, yaw, pitch, body: bodyOf(position, place) };
  }
  // A tumbling character has no look: the last one stays.
  const { yaw = 0, pitch = LEVEL_PITCH, direction = 0 } = last ?? {};
  return { tick, position, keys: noKeys, direction, yaw, pitch, body: "tumbling" };
}

function insert(samples: Sample[], sample: Sample): void {
  let at = samples.length;
  while (at > 0 && (samples[at - 1]?.tick ?? 0) > sample.tick) at -= 1;
  if (samples[at - 1]?.tick === sample.tick) return;
  samples.splice(at, 0, sample);
  if (samples.length > MAX_SAMPLES) samples.shift();
}

function drawnAt(player: PlayerId, samples: readonly Sample[], tick: number, { ground }: Place): Figure {
  const after = samples.findIndex((sample) => sample.tick > tick);
  // After the newest update it stands still; before the oldest it is not moving yet.
  const to = (after < 0 ? samples.at(-1) : samples[after]) as Sample;
  const from = after <= 0 ? to : (samples[after - 1] as Sample);
  const part = from === to ? 0 : (tick - from.tick) / (to.tick - from.tick);
  const mix = (a: number, b: number): number => a + (b - a) * part;
  const turn = ((to.yaw - from.yaw + 128) & 255) - 128;
  const { keys, direction } = from;
  return {
    player,
    x: mix(from.position.x, to.position.x),
    y: mix(from.position.y, to.position.y),
    lift: mix(liftOfSample(from, ground), liftOfSample(to, ground)),
    yawTurns: angleTurns(from.yaw) + (turn * part) / 256,
    pitch: mix(from.pitch, to.pitch),
    keys,
    direction,
    body: from.body,
  };
}

function liftOfSample({ position: { x, y, z }, body, keys }: Sample, ground: Place["ground"]): number {
  return body === "seated" ? 0 : liftOf(z, keys.crawl || body !== undefined, ground(x, y));
}
