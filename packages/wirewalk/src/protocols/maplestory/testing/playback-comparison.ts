/**
 * Playback policies side by side: the same captures through the same seeded network, measured against the player's true
 * position one batch and the network's least latency earlier.
 */
import { createRandom } from "../../../motion/index.ts";
import { type NetworkConditions, NetworkLink } from "../../../net/index.ts";
import { demoMaps } from "../maps/demo-maps.ts";
import { type NodePath, nodesOf } from "../movement/nodes.ts";
import type { PlaybackPolicyInfo } from "../movement/playback.ts";
import { PathRecorder, playerRecording } from "../movement/recorder.ts";
import { stepWalker } from "../movement/walker.ts";
import { mapleCodec } from "../wire/codec.ts";
import type { Path } from "../wire/messages.ts";
import { Play, randomKeys } from "./play.ts";

const STEP_MS = 30;
const BATCH_MS = 510;
/** A larger change of the drawn velocity within one step is a jerk, px/s: a walk that stops in one step. */
const JERK_PX_PER_SECOND = 250;
/** A body that moves more than this is not frozen, px per step. */
const FROZEN_PX = 0.5;

/** The measurements of one policy. */
export interface PlaybackScore {
  readonly policy: string;
  readonly meanPx: number;
  readonly p95Px: number;
  /** Jerks a minute that the truth does not have. */
  readonly jerksPerMinute: number;
  /** Share of the time in which it stood still while the truth moved, in percent. */
  readonly frozenPercent: number;
  /** Share of the time in which it extrapolated, in percent. */
  readonly aheadPercent: number;
}

interface Capture {
  readonly truth: readonly { readonly x: number; readonly y: number }[];
  readonly paths: readonly { readonly atMs: number; readonly path: NodePath }[];
}

/** Some minutes of a player, as sent on the wire. */
function capture(seed: number, minutes: number): Capture {
  const random = createRandom(seed);
  const map = random.pick(demoMaps());
  const play = new Play(map, map.portals[0] ?? { x: 0, y: 0 }, STEP_MS);
  const [start] = stepWalker({ ...play.body }, {}, map, STEP_MS);
  if (start === undefined) throw new Error("Cannot happen: a step is a move");
  const recorder = new PathRecorder({ ...playerRecording, start });
  const next = randomKeys(random);
  const codec = mapleCodec("v62");
  const truth: { x: number; y: number }[] = [{ x: play.body.x, y: play.body.y }];
  const paths: { atMs: number; path: NodePath }[] = [];
  for (let step = 1; step * STEP_MS <= minutes * 60_000; step++) {
    const { keys, sits } = next();
    const { moves, keys: nibble, x, y } = play.step(keys, sits);
    truth.push({ x, y });
    const path = recorder.record(moves, nibble);
    if (path === undefined) continue;
    const payload = codec.write("client", { message: "movePlayer", value: { fieldKey: 1, ...path } });
    const read = codec.read("client", payload).value as Path;
    paths.push({ atMs: step * STEP_MS, path: nodesOf(read.fragments, "v62", read.start) });
  }
  return { truth, paths };
}

/** Plays `players` captures of some minutes through the network with each policy. Equal arguments give equal scores. */
export function comparePlayback(
  policies: readonly PlaybackPolicyInfo[],
  conditions: NetworkConditions,
  options: { readonly seed: number; readonly players: number; readonly minutes: number },
): readonly PlaybackScore[] {
  const captures = Array.from({ length: options.players }, (_, index) =>
    capture(options.seed + index, options.minutes),
  );
  return policies.map(({ name, create }) => {
    const errors: number[] = [];
    let jerks = 0;
    let frozen = 0;
    let ahead = 0;
    captures.forEach(({ truth, paths }, index) => {
      const link = new NetworkLink({ conditions, delivery: "ordered", random: createRandom(options.seed + index) });
      const shortestMs = link.latencyMs;
      const arrivals = paths.map(({ atMs, path }) => ({ atMs: link.send(atMs)[0] ?? atMs, path }));
      const policy = create();
      let due = 0;
      let last: { x: number; y: number; vx: number; vy: number } | undefined;
      let lastTrue = { vx: 0, vy: 0 };
      for (let nowMs = STEP_MS; nowMs < truth.length * STEP_MS; nowMs += STEP_MS) {
        for (let next = arrivals[due]; next !== undefined && next.atMs <= nowMs; next = arrivals[due]) {
          policy.push(next.path, next.atMs);
          due += 1;
        }
        const point = policy.sample(nowMs);
        const then = truthAt(truth, nowMs - BATCH_MS - shortestMs);
        const before = truthAt(truth, nowMs - BATCH_MS - shortestMs - STEP_MS);
        if (point === undefined || then === undefined || before === undefined) continue;
        errors.push(Math.hypot(point.x - then.x, point.y - then.y));
        const trueSpeed = speed(before, then);
        if (last !== undefined) {
          const drawn = speed(last, point);
          const jerk = Math.hypot(drawn.vx - last.vx, drawn.vy - last.vy);
          const trueJerk = Math.hypot(trueSpeed.vx - lastTrue.vx, trueSpeed.vy - lastTrue.vy);
          if (jerk > JERK_PX_PER_SECOND && trueJerk <= JERK_PX_PER_SECOND) jerks += 1;
          const moved = Math.hypot(point.x - last.x, point.y - last.y);
          const trueMoved = Math.hypot(then.x - before.x, then.y - before.y);
          if (moved === 0 && trueMoved > FROZEN_PX) frozen += 1;
          last = { x: point.x, y: point.y, ...drawn };
        } else {
          last = { x: point.x, y: point.y, vx: 0, vy: 0 };
        }
        lastTrue = trueSpeed;
        if (point.source === "guessed") ahead += 1;
      }
    });
    const sorted = errors.toSorted((a, b) => a - b);
    const minutes = (errors.length * STEP_MS) / 60_000;
    return {
      policy: name,
      meanPx: errors.reduce((sum, error) => sum + error, 0) / errors.length,
      p95Px: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
      jerksPerMinute: jerks / minutes,
      frozenPercent: (100 * frozen) / errors.length,
      aheadPercent: (100 * ahead) / errors.length,
    };
  });
}

function speed(from: { x: number; y: number }, to: { x: number; y: number }): { vx: number; vy: number } {
  return { vx: ((to.x - from.x) * 1000) / STEP_MS, vy: ((to.y - from.y) * 1000) / STEP_MS };
}

function truthAt(truth: Capture["truth"], ms: number): { x: number; y: number } | undefined {
  const index = Math.floor(ms / STEP_MS);
  const from = truth[index];
  const to = truth[index + 1];
  if (from === undefined || to === undefined) return undefined;
  const share = ms / STEP_MS - index;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** A good network, a usual one and a bad one. */
export const comparedNetworks: Readonly<Record<string, NetworkConditions>> = {
  "steady, 60 ms": { latencyMs: { low: 60, high: 60 }, jitterMs: 0 },
  "60 ms, jitter 80 ms": { latencyMs: { low: 60, high: 60 }, jitterMs: 80 },
  "150 ms, jitter 500 ms, stalls of 2 s": {
    latencyMs: { low: 150, high: 150 },
    jitterMs: 500,
    stall: { everyMs: 30_000, durationMs: 2000 },
  },
};
