/**
 * What the game's motion can make of a player between two positions: the places that it can have reached in the time that has passed,
 * with the keys that its messages name, on the ground that is known. A position outside of them was not played (standard 8.6).
 *
 * The state is small: the last position, what the keys allow since then, and two accounts of time. **Lead** is the time along an axis that
 * a player is ahead of the clock; a line that varies explains some of it. **Drawn** is time that only a line which held messages
 * back explains: silence pays it in, each claim pays it out, and what was paid out comes back slowly.
 *
 * Everything here is pure: a check returns a result and what to keep, so a refused message changes nothing.
 *
 * Source: docs/protocols/slime-online-2.md 8.6.
 */
import { judgeAdvantage } from "../../../motion/index.ts";
import { flag, maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import type { SlimeRoom } from "../maps/room.ts";
import { fallFrames, type MotionBounds, riseFrames } from "../movement/bounds.ts";
import type { MovementState } from "../movement/movement-state.ts";
import type { SlimeRuleLimits } from "./limits.ts";

/** What rounding to pixels adds to the distance of two positions along an axis, px. */
const ROUNDING_PX = 2;

/** What is known of a player's way. Times in seconds unless named otherwise. */
export const savedReach = state({
  /** The last accepted position; y is undefined while only x has been reported (upPress carries no y). */
  x: number,
  y: maybe(number),
  /** Nothing is known of its speed at that position: it may be in the middle of a jump. */
  loose: flag,
  /** The lead along each axis; below 0 it is credit of a late message. */
  xLead: number,
  yLead: number,
  /** Time since the last accepted x in which the player was known to move left, to move right, and to do neither. */
  left: number,
  right: number,
  rested: number,
  /** The part of `left` and `right` in which it crouched on the ground. */
  crouched: number,
  /** Time since the last accepted y, and the part of it in which up was held. */
  high: number,
  up: number,
  /** Jumps since the last accepted y, and pixels to the side. */
  jumps: number,
  across: number,
  /** Where it last came to the ground by a jump or a fall: what it climbs since then are slopes. */
  footX: number,
  footY: number,
  /** Whether the key of a direction alone was held since the last accepted x, in the order of the messages. */
  leftHeld: flag,
  rightHeld: flag,
  /** Pixels that it may still move in each direction without such a key. */
  leftSlide: number,
  rightSlide: number,
  /** Seconds of claims that the keys were not held for, as far as delays that vary explain them, and the rest of them. */
  early: number,
  drawn: number,
  /** Up to when the times above are counted, milliseconds. */
  atMs: number,
});
export type Reach = Readonly<StateOf<typeof savedReach>>;

/** The ground that a player may have under its feet. Where a room is not known, all of it is possible. */
export interface Terrain {
  readonly ice: boolean;
  readonly water: boolean;
  readonly slopes: boolean;
  /** The shape of the room is known, so that the place of each landing is checked by itself. */
  readonly isKnown: boolean;
}

const anyTerrain: Terrain = { ice: true, water: true, slopes: true, isKnown: false };

export function terrainOf(room: SlimeRoom | undefined): Terrain {
  if (room?.geometry === undefined) return anyTerrain;
  const { ice, water, free } = room;
  return { ice: ice.length > 0, water: water.length > 0, slopes: free.length > 0, isKnown: true };
}

/** What a position is measured by. */
export interface ReachContext {
  /** How late the message and those after it may be (`LinkPace`), ms. */
  readonly lateMs: number;
  /** The player's own, the largest in force since the last position. */
  readonly bounds: MotionBounds;
  readonly terrain: Terrain;
  readonly rules: SlimeRuleLimits;
}

/** Why a place is out of reach. */
export type Obstacle = "run" | "rise" | "fall" | "slide" | "held-back";

/** A way that the game's motion does not make. */
export interface ReachExcess {
  readonly obstacle: Obstacle;
  /** Pixels moved along that axis since the last accepted position. */
  readonly measured: number;
  /** Pixels that were possible. */
  readonly allowed: number;
  /** The time that the way takes. */
  readonly seconds: number;
}

export type ReachJudgement =
  | { readonly accepted: true; readonly reach: Reach }
  | { readonly accepted: false; readonly excess: ReachExcess };

/**
 * The way of a player from its first position on. The first message may be late by `lateMs`, and what follows it is not.
 *
 * @param bounds of a player that may be in the middle of a jump or of a run; undefined for one that the server has put there to stand.
 */
export function startReach(
  x: number,
  y: number | undefined,
  nowMs: number,
  lateMs: number,
  bounds?: MotionBounds,
): Reach {
  const lead = -lateMs / 1000;
  const slide = bounds === undefined ? 0 : bounds.iceSlide + bounds.flight;
  return {
    x,
    y,
    loose: bounds !== undefined,
    xLead: lead,
    yLead: lead,
    left: 0,
    right: 0,
    rested: 0,
    crouched: 0,
    high: 0,
    up: 0,
    jumps: bounds === undefined ? 0 : 1,
    across: 0,
    footX: x,
    footY: y ?? 0,
    leftHeld: false,
    rightHeld: false,
    leftSlide: slide,
    rightSlide: slide,
    early: 0,
    drawn: 0,
    atMs: nowMs,
  };
}

/** The same account of time, for a player that stands elsewhere by the server's own will. */
export function moveReach({ xLead, yLead, early, drawn }: Reach, x: number, y: number, nowMs: number): Reach {
  return { ...startReach(x, y, nowMs, 0), xLead, yLead, early, drawn };
}

/** The keys that time passes with. */
export interface PassingKeys extends Pick<MovementState, "ileft" | "iright" | "iup"> {
  readonly crouches: boolean;
}

/**
 * Counts the time until now by the keys that the player was known to hold in it. Call it for each accepted message, before its
 * keys are applied.
 *
 * @param jumped whether the message is a jump, which the client has made even where the rules refuse it.
 */
export function passTime(
  reach: Reach,
  { ileft, iright, iup, crouches }: PassingKeys,
  nowMs: number,
  jumped: boolean,
  bounds: MotionBounds,
  { heldBackShare, lateMaxMs }: SlimeRuleLimits,
): Reach {
  const seconds = Math.max(0, nowMs - reach.atMs) / 1000;
  const goesLeft = ileft && !iright;
  const goesRight = iright && !ileft;
  const fly = (slide: number): number =>
    jumped && slide > 0 ? Math.min(slide + bounds.flight, bounds.mostSlide) : slide;
  return {
    ...reach,
    left: reach.left + (goesLeft ? seconds : 0),
    right: reach.right + (goesRight ? seconds : 0),
    rested: reach.rested + (ileft === iright ? seconds : 0),
    crouched: reach.crouched + (crouches && ileft !== iright ? seconds : 0),
    high: reach.high + seconds,
    up: reach.up + (iup ? seconds : 0),
    jumps: reach.jumps + (jumped ? 1 : 0),
    leftHeld: reach.leftHeld || goesLeft,
    rightHeld: reach.rightHeld || goesRight,
    leftSlide: fly(reach.leftSlide),
    rightSlide: fly(reach.rightSlide),
    drawn: fade(Math.max(-lateMaxMs / 1000, reach.drawn), seconds * heldBackShare),
    atMs: nowMs,
  };
}

/** Brings an account nearer to 0. */
function fade(account: number, by: number): number {
  return account > 0 ? Math.max(0, account - by) : Math.min(0, account + by);
}

/** Our own process stood for this long, and made messages late: nobody else pays for that. */
export function payForStall(reach: Reach, seconds: number): Reach {
  return { ...reach, drawn: reach.drawn - seconds };
}

/**
 * Whether the motion of the game can have made a position of the last one.
 *
 * @param reach with the time until now counted.
 * @param position pixels; y absent for upPress.
 */
export function judgeReach(
  reach: Reach,
  position: { readonly x: number; readonly y?: number | undefined },
  context: ReachContext,
): ReachJudgement {
  const { lateMs, bounds, rules } = context;
  const credit = lateMs / 1000;
  const most = rules.lateMaxMs / 1000;
  const dx = position.x - reach.x;
  const width = Math.abs(dx);
  const needed = width / bounds.run;
  const way = dx < 0 ? reach.left : reach.right;
  const restMax = Math.max(most, credit);
  const rested = reach.left + reach.right - way + reach.rested;
  const run = judgeAdvantage(rules.advantage, reach.xLead, {
    claimed: needed,
    passed: way + Math.min(rested, restMax),
    credit,
  });
  if (!run.accepted) {
    return excess("run", width, run.allowed * bounds.run, needed);
  }
  const { y } = position;
  const dy = reach.y === undefined || y === undefined ? 0 : y - reach.y;
  const slides = slide(reach, dx, dy, context);
  if (slides.missing > 0) return excess("slide", width, width - slides.missing, needed);

  // Time that the keys were held for, as the messages arrived: what else it takes, a line held back.
  const onFeet = way - Math.min(way, reach.crouched);
  const slid = Math.min(reach.rested, slides.most / bounds.run);
  const unheld = reach.early + needed - slid - onFeet - Math.min(way, reach.crouched) * bounds.crouchShare;
  const overdrawn = Math.max(0, unheld - rules.advantageSeconds);
  const drawn = reach.drawn + overdrawn;
  if (overdrawn > 0 && drawn > most) {
    const over = Math.min(overdrawn, drawn - most);
    return excess("held-back", width, Math.max(0, width - over * bounds.run), needed);
  }
  const across = reach.across + width;
  const moved = {
    ...reach,
    x: position.x,
    xLead: run.held,
    left: 0,
    right: 0,
    rested: 0,
    crouched: 0,
    leftHeld: false,
    rightHeld: false,
    leftSlide: slides.left,
    rightSlide: slides.right,
    across,
    early: Math.max(0, unheld - overdrawn),
    drawn,
  };
  if (y === undefined) return { accepted: true, reach: moved };

  const climbed = dy < 0 ? climb(reach, position.x, y, across, credit, context) : undefined;
  if (climbed !== undefined && climbed.missing > 0) {
    const measured = Math.abs(dy);
    return excess("rise", measured, Math.max(0, measured - climbed.missing), climbed.seconds);
  }
  const claimed = climbed?.seconds ?? fallSeconds(reach, dy, bounds);
  const passed = Math.min(reach.high, Math.max(rules.fallMaxSeconds, credit));
  const vertical = judgeAdvantage(rules.advantage, reach.yLead, { claimed, passed, credit });
  if (!vertical.accepted) {
    const measured = Math.abs(dy);
    // As a share: seconds are worth different distances on the way.
    const allowed = (measured * Math.max(0, vertical.allowed)) / claimed;
    return excess(dy < 0 ? "rise" : "fall", measured, allowed, claimed);
  }
  const isNewFoot = reach.y === undefined || reach.jumps > 0 || dy > ROUNDING_PX;
  const foot = isNewFoot ? { footX: position.x, footY: y } : { footX: reach.footX, footY: reach.footY };
  const counted = { high: 0, up: 0, jumps: 0, across: 0, loose: false };
  return { accepted: true, reach: { ...moved, ...foot, ...counted, y, yLead: vertical.held } };
}

function excess(obstacle: Obstacle, measured: number, allowed: number, seconds: number): ReachJudgement {
  return { accepted: false, excess: { obstacle, measured, allowed, seconds } };
}

/** Slides after a move along x: what is left of them, and the pixels that none explains. */
interface Slides {
  readonly left: number;
  readonly right: number;
  readonly missing: number;
  /** How far it may have slid and flown in the direction of the move, px. */
  readonly most: number;
}

/** Without the key of a direction a player slides and flies on with the speed that it has; what it has of that only a key renews. */
function slide(reach: Reach, dx: number, dy: number, { bounds, terrain }: ReachContext): Slides {
  const most = (terrain.ice ? bounds.iceSlide : bounds.groundSlide) + bounds.flight;
  const left = reach.leftHeld ? most : reach.leftSlide;
  const right = reach.rightHeld ? most : reach.rightSlide;
  const isLeft = dx < 0;
  const has = isLeft ? left : right;
  if (dx === 0 || (isLeft ? reach.leftHeld : reach.rightHeld)) return { left, right, missing: 0, most: has };
  // It falls on with that speed, however deep.
  const falls = has > 0 && dy > 0 ? fallFrames(bounds, dy) * bounds.runPerFrame : 0;
  const rest = has - Math.max(0, Math.abs(dx) - falls);
  const after = Math.max(0, rest);
  const missing = Math.max(0, -rest - ROUNDING_PX);
  // What moves one way without a key does not slide the other way, unless the key of that way turned it round.
  const isTurned = isLeft ? reach.rightHeld : reach.leftHeld;
  const other = Math.abs(dx) > ROUNDING_PX && !isTurned ? 0 : isLeft ? right : left;
  return { left: isLeft ? after : other, right: isLeft ? other : after, missing, most: has };
}

function fallSeconds({ loose }: Reach, dy: number, bounds: MotionBounds): number {
  const frames = loose ? dy / bounds.fallPerFrame : fallFrames(bounds, Math.max(0, dy - ROUNDING_PX));
  return frames / bounds.framesPerSecond;
}

/** What a rise takes: seconds, and the pixels for which there is neither a slope, nor a jump, nor water. */
function climb(
  reach: Reach,
  x: number,
  y: number,
  across: number,
  credit: number,
  { bounds, terrain, rules }: ReachContext,
): { readonly seconds: number; readonly missing: number } {
  // Without a jump it walks on one line, which is where it was when it comes back.
  const isWalk = reach.jumps === 0;
  const rise = (isWalk ? reach.footY : (reach.y ?? y)) - y;
  const aside = isWalk ? Math.abs(x - reach.footX) : across;
  const steep = rise - (terrain.slopes ? aside * rules.slope : 0) - ROUNDING_PX;
  if (steep <= 0) return { seconds: 0, missing: 0 };
  const jumped = Math.min(steep, reach.jumps * bounds.jumpHeight);
  const full = Math.floor(jumped / bounds.jumpHeight);
  const part = jumped - full * bounds.jumpHeight;
  // It lands when it no longer rises. In a known room a low ceiling may end the rise before, and the ground is checked by itself.
  const partFrames = part === 0 ? 0 : terrain.isKnown ? riseFrames(bounds, part) : bounds.apexFrames;
  const frames = full * bounds.apexFrames + partFrames;
  // A swimmer rises while it holds the key.
  const swims = terrain.water && reach.up > 0;
  const most = swims ? (reach.up + credit + rules.advantageSeconds) * bounds.swim : 0;
  const swum = Math.min(steep - jumped, most);
  const missing = steep - jumped - swum;
  return { seconds: frames / bounds.framesPerSecond + swum / bounds.swim, missing };
}
