/**
 * Cheats that claim what the motion of the game does not make: rises without a jump, landings in the air, ways without a key and runs out
 * of a silence. Each is a few lines that are played once a frame.
 */
import { physicsConstants } from "../movement/physics-constants.ts";

/** What such a cheat may do in a frame. Claims change where the bot is. */
export interface FalseMover {
  /** Frames since it began. */
  readonly frame: number;
  readonly x: number;
  readonly y: number;
  /** Says that it stands so far from where it was, pixels. */
  land(dx: number, dy: number): void;
  /** Says that it jumps, so far from where it was. */
  jump(dx: number): void;
  press(key: "left" | "right", down: boolean): void;
}

/** Pixels above which it falls back: positions on the wire are never negative. */
const HIGH_PX = 110;
const FALL_PX = 400;
/** Frames between a fall back and the next claim: more than the fall takes. */
const FALL_FRAMES = 90;

/** Rises by `step` every `every` frames, and falls back before it is at the top of what the wire can say. */
function rising(every: number, step: (mover: FalseMover, count: number) => void): (mover: FalseMover) => void {
  return (mover) => {
    const { frame, y } = mover;
    if (frame % FALL_FRAMES === 0 && y < HIGH_PX) mover.land(0, FALL_PX);
    else if (frame % every === 0 && y >= HIGH_PX) step(mover, frame / every);
  };
}

/** To and fro, so that it stays in its room. */
const side = (count: number): 1 | -1 => (count % 2 === 0 ? 1 : -1);

const RUN_PX = physicsConstants.hspMax;
const REST_FRAMES = 720;
const SPRINT_PX = 600;
const SILENCE_FRAMES = 330;
const SILENCE_EVERY_FRAMES = 600;
const SILENCE_SPEED = 1.12;
const HOVER_FRAMES = 41;
const HOVER_PX = 100;

/** Of the values of `--cheat`. */
export const falseMoves: Readonly<Record<string, (mover: FalseMover) => void>> = {
  zigzag: rising(20, (mover, count) => mover.land(50 * side(count), -100)),
  "air-landing": rising(12, (mover) => {
    mover.land(0, -37);
    mover.jump(0);
  }),
  "jump-cancel": rising(22, (mover) => {
    mover.land(0, -44);
    mover.jump(0);
  }),
  "swim-rise": rising(60, (mover) => mover.land(0, -60)),
  hover(mover) {
    if (mover.frame % HOVER_FRAMES === 0) mover.jump(HOVER_PX * side(Math.floor(mover.frame / (8 * HOVER_FRAMES))));
  },
  "rest-sprint"(mover) {
    const phase = mover.frame % REST_FRAMES;
    const way = side(Math.floor(mover.frame / REST_FRAMES));
    const key = way === 1 ? "right" : "left";
    if (phase === REST_FRAMES - 2) mover.press(key, true);
    if (phase === REST_FRAMES - 1) {
      // The release says where it is by now.
      mover.land(way * SPRINT_PX, 0);
      mover.press(key, false);
    }
  },
  "held-silence"(mover) {
    const phase = mover.frame % SILENCE_EVERY_FRAMES;
    const way = side(Math.floor(mover.frame / SILENCE_EVERY_FRAMES));
    const key = way === 1 ? "right" : "left";
    if (phase === SILENCE_EVERY_FRAMES - SILENCE_FRAMES) mover.press(key, true);
    if (phase === SILENCE_EVERY_FRAMES - 1) {
      mover.land(way * SILENCE_FRAMES * RUN_PX * SILENCE_SPEED, 0);
      mover.press(key, false);
    }
  },
};
