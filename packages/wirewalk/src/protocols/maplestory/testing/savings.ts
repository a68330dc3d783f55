/** Bytes saved by the optimisation of the recorders: the same ten seconds with and without it. */

import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { DocumentRecorder } from "../movement/document-recorder.ts";
import { PathRecorder, playerRecording } from "../movement/recorder.ts";
import { HEAD_BYTES, TAIL_BYTES } from "../movement/verification-pattern.ts";
import { type Keys, type Move, stepWalker } from "../movement/walker.ts";
import { mapleCodec } from "../wire/codec.ts";
import type { MapleDialect } from "../wire/dialect.ts";
import { nibbleOf, Play } from "./play.ts";

/** A long floor, and a rope over it. */
export const flat = writtenMap({
  mapId: 9,
  title: "Flat",
  footholds: footholdsAlong([
    [-2000, 100],
    [2000, 100],
  ]),
  ladders: [{ id: 1, x: 500, top: -300, bottom: 95, rope: true }],
});

/** The start of a recording. */
export function moveAt({ body }: Play): Move {
  const [move] = stepWalker({ ...body }, {}, flat, 30) as [Move];
  return { ...move, x: body.x, y: body.y, vx: 0, vy: 0, foothold: body.foothold };
}

interface Scene {
  readonly name: string;
  readonly x: number;
  /** The keys held after so many milliseconds. */
  readonly keys: (ms: number) => Keys;
}

const scenes: readonly Scene[] = [
  { name: "walk", x: -1500, keys: () => ({ right: true }) },
  { name: "jump", x: 0, keys: () => ({ jump: true }) },
  { name: "rope", x: 500, keys: (ms) => (ms % 6000 < 3000 ? { up: true } : { down: true }) },
  { name: "stand", x: 0, keys: () => ({}) },
];

/** About 20 packets of each dialect. */
const SCENE_MS = 10_200;

function sentBytes({ x, keys }: Scene, dialect: MapleDialect, optimise: boolean): number {
  const stepMs = dialect === "v62" ? 30 : 50;
  const play = new Play(flat, { x, y: 100 }, stepMs);
  const start = moveAt(play);
  const codec = mapleCodec(dialect);
  const client = new PathRecorder({ ...playerRecording, start, optimise });
  const printed = new DocumentRecorder({ start, optimise });
  const opaque = { head: new Uint8Array(HEAD_BYTES), tail: new Uint8Array(TAIL_BYTES) };
  let bytes = 0;
  for (let ms = 0; ms < SCENE_MS; ms += stepMs) {
    const held = keys(ms);
    const { moves } = play.step(held);
    const path = dialect === "v62" ? client.record(moves, nibbleOf(held)) : undefined;
    const fragments = dialect === "documented" ? printed.record(moves) : undefined;
    if (path !== undefined) {
      bytes += codec.write("client", { message: "movePlayer", value: { fieldKey: 1, ...path } }).length;
    } else if (fragments !== undefined) {
      bytes += codec.write("client", { message: "movePlayer", value: { ...opaque, fragments } }).length;
    }
  }
  return bytes;
}

/** Bytes that a client sends, opcodes and everything around the fragments included. */
export interface Saving {
  readonly scene: string;
  readonly dialect: MapleDialect;
  /** With a fragment for each step. */
  readonly allBytes: number;
  readonly sentBytes: number;
  /** 0..1. */
  readonly saved: number;
}

/** A walk, jumps, a rope and standing, in both dialects. */
export function savings(): readonly Saving[] {
  return scenes.flatMap((scene) =>
    (["v62", "documented"] as const).map((dialect) => {
      const all = sentBytes(scene, dialect, false);
      const sent = sentBytes(scene, dialect, true);
      return { scene: scene.name, dialect, allBytes: all, sentBytes: sent, saved: 1 - sent / all };
    }),
  );
}
