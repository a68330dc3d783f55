/**
 * What the game's motion can make of a player between two positions: the places that it can have reached in the time that has passed,
 * with the keys that its messages name, on the ground that is known. A position outside of them was not played (standard 8.6).
 *
 * The state is small: the last position, what the keys allow since then, and two accounts of time. **Lead** is the time along an axis that
 * a player is ahead of the clock; a line that varies explains some of it. **Drawn** is time that only a line which held messages
 * back explains: silence pays it in, each claim pays it out, and what was paid out comes back slowly. **Hidden** is the time in which a key may
 * have been held that the server did not know of: an answered ping ends it.
 *
 * Everything here is pure: a check returns a result and what to keep, so a refused message changes nothing.
 *
 * Source: docs/protocols/slime-online-2.md 8.6.
 */
import { type AdvantageLimits, judgeAdvantage } from "../../../motion/index.ts";
import { flag, maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import type { Terrain } from "../maps/room.ts";
import type { Direction } from "../wire/direction.ts";
import { fallDepth, fallFrames, fallSlide, type MotionBounds, riseFrames } from "./bounds.ts";
import type { MovementState } from "./movement-state.ts";

/** What rounding to pixels adds to the distance of two positions along an axis, px. */
const ROUNDING_PX = 2;

/** How far below a player there is ground in a room of unknown shape, px: servers of the game know of no higher room. */
const DEEP_PX = 3000;

/** What a line may hold back at once that has not been seen to stall, seconds, and the share of passing time by which it may do so again. */
const STEADY_SECONDS = 1;
const STEADY_SHARE = 0.02;
/** How far ahead of time others see a player, seconds: what delays of a good line explain. */
export const SHOWN_SECONDS = 0.25;
/** On a line that is not steady a stall explains more than this, and is seen at once; of less than that so much is held. */
const STALL_SECONDS = 1;
const HELD_SECONDS = 0.35;

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
  /** Up was pressed and not released: a swimmer's press is refused where the server knows of no water. */
  upHeld: flag,
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
  /** How deep it must have fallen since the last accepted y, to have moved so far without a key, px. */
  sunk: number,
  /** Seconds of claims that the keys were not held for, as far as delays that vary explain them, and the rest of them. */
  early: number,
  drawn: number,
  /** The same without what a line explains: how long its last positions came before others could expect them. A rest takes it back. */
  ahead: number,
  /** Time since the last accepted x in which a key of that direction may have been held unknown to the server. */
  leftHidden: number,
  rightHidden: number,
  /** All that the client did before this time has arrived, or is counted as hidden, ms. */
  seenMs: number,
  /** Up to when the times above are counted, milliseconds. */
  atMs: number,
});
export type Reach = Readonly<StateOf<typeof savedReach>>;

/** What is allowed beyond the motion itself, seconds unless named otherwise. */
export interface ReachLimits {
  readonly advantage: AdvantageLimits;
  /** The gain that delays of a working line explain. */
  readonly advantageSeconds: number;
  /** All that a line may hold back at once, ms, and the share of passing time by which it may do so again. */
  readonly lateMaxMs: number;
  readonly heldBackShare: number;
  /** The time since the last y that counts. */
  readonly fallMaxSeconds: number;
  /** The rise of a slope, px/px. */
  readonly slope: number;
}

/** What pings have shown of a player's line. */
export interface Line {
  /** All that its client sent before this time has arrived, ms; -Infinity where no ping was answered. */
  readonly provenMs: number;
  /** Its pings are answered at once: it has not been seen to stall. */
  readonly isSteady: boolean;
}

/** A line without pings. */
export const unprovenLine: Line = { provenMs: -Infinity, isSteady: false };

/** What a position is measured by. */
export interface ReachContext {
  readonly line: Line;
  /** How late the message and those after it may be (`LinkPace`), ms. */
  readonly lateMs: number;
  /** The player's own, the largest in force since the last position. */
  readonly bounds: MotionBounds;
  readonly terrain: Terrain;
  readonly rules: ReachLimits;
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
  const slide = bounds === undefined ? 0 : bounds.mostSlide;
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
    upHeld: false,
    jumps: bounds === undefined ? 0 : 1,
    across: 0,
    footX: x,
    footY: y ?? 0,
    leftHeld: false,
    rightHeld: false,
    leftSlide: slide,
    rightSlide: slide,
    sunk: 0,
    early: 0,
    drawn: 0,
    ahead: 0,
    leftHidden: 0,
    rightHidden: 0,
    // Which keys it holds is not known yet.
    seenMs: -Infinity,
    atMs: nowMs,
  };
}

/** A claim of no way at all: the time that was counted is credit for messages that are as late. */
export function rest(reach: Reach, lateMs: number, { advantage, fallMaxSeconds }: ReachLimits): Reach {
  const credit = lateMs / 1000;
  const lead = (held: number, passed: number): number =>
    judgeAdvantage(advantage, held, { claimed: 0, passed, credit }).held;
  const xLead = lead(reach.xLead, reach.left + reach.right + reach.rested);
  return { ...reach, xLead, yLead: lead(reach.yLead, Math.min(reach.high, Math.max(fallMaxSeconds, credit))) };
}

/** The same account of time, for a player that stands elsewhere by the server's own will. */
export function moveReach({ xLead, yLead, early, drawn, ahead }: Reach, x: number, y: number, nowMs: number): Reach {
  return { ...startReach(x, y, nowMs, 0), xLead, yLead, early, drawn, ahead: Math.min(ahead, SHOWN_SECONDS) };
}

/** The keys that time passes with. */
export interface PassingKeys extends Pick<MovementState, "ileft" | "iright"> {
  readonly crouches: boolean;
}

/**
 * Counts the time until now by the keys that the player was known to hold in it. Call it for each accepted message, before its
 * keys are applied.
 *
 * @param direction of the message: a jump is one that the client has made, even where the rules refuse it. Undefined: it is no move.
 */
export function passTime(
  reach: Reach,
  { ileft, iright, crouches }: PassingKeys,
  nowMs: number,
  direction: Direction | undefined,
  bounds: MotionBounds,
  { heldBackShare, lateMaxMs }: ReachLimits,
  { provenMs, isSteady }: Line,
): Reach {
  const seconds = Math.max(0, nowMs - reach.atMs) / 1000;
  const jumped = direction === "upPress";
  const goesLeft = ileft && !iright;
  const goesRight = iright && !ileft;
  const unseenMs = Math.max(0, nowMs - Math.max(provenMs, reach.seenMs));
  // What is held is known, but for how fast it crouches. It was held from where the last position was sent on, which is before that arrived.
  const goneMs = Math.max(0, reach.atMs - reach.seenMs) + (crouches ? Math.min(unseenMs, seconds * 1000) : 0);
  const hidden = (goes: boolean): number => (goes ? goneMs : unseenMs) / 1000;
  const fly = (slide: number): number =>
    jumped && slide > 0 ? Math.min(slide + bounds.flight, bounds.mostSlide) : slide;
  return {
    ...reach,
    left: reach.left + (goesLeft ? seconds : 0),
    right: reach.right + (goesRight ? seconds : 0),
    rested: reach.rested + (ileft === iright ? seconds : 0),
    crouched: reach.crouched + (crouches && ileft !== iright ? seconds : 0),
    high: reach.high + seconds,
    up: reach.up + (reach.upHeld ? seconds : 0),
    upHeld: jumped || (reach.upHeld && direction !== "upRelease"),
    jumps: reach.jumps + (jumped ? 1 : 0),
    leftHeld: reach.leftHeld || goesLeft,
    rightHeld: reach.rightHeld || goesRight,
    leftSlide: fly(reach.leftSlide),
    rightSlide: fly(reach.rightSlide),
    drawn: fade(Math.max(-lateMaxMs / 1000, reach.drawn), seconds * (isSteady ? STEADY_SHARE : heldBackShare)),
    ahead: reach.ahead < 0 ? fade(Math.max(-lateMaxMs / 1000, reach.ahead), seconds * STEADY_SHARE) : reach.ahead,
    leftHidden: reach.leftHidden + hidden(goesLeft),
    rightHidden: reach.rightHidden + hidden(goesRight),
    seenMs: nowMs,
    atMs: nowMs,
  };
}

/** Brings an account nearer to 0. */
function fade(account: number, by: number): number {
  return account > 0 ? Math.max(0, account - by) : Math.min(0, account + by);
}

/** All that a line may have held back at once, seconds, but for the part that delays vary by. */
export function mostHeldBack({ lateMaxMs, advantageSeconds }: ReachLimits, { isSteady }: Line): number {
  return Math.max(0, Math.min(isSteady ? STEADY_SECONDS : Infinity, lateMaxMs / 1000 - advantageSeconds));
}

/** Our own process stood for this long, and made messages late: nobody else pays for that. */
export function payForStall(reach: Reach, seconds: number): Reach {
  return { ...reach, drawn: reach.drawn - seconds, ahead: reach.ahead - seconds };
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
  const { lateMs, bounds, rules, line } = context;
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
  const slides = slide(reach, dx, y === undefined || reach.y === undefined ? undefined : dy, context);
  if (slides.missing > 0) return excess("slide", width, width - slides.missing, needed);

  // Time that the keys were held for, as the messages arrived: what else it takes, a line held back.
  const known = way - Math.min(way, reach.crouched) * (1 - bounds.crouchShare);
  const unkeyed = unkeyedSeconds(reach, dy, y, slides.most, context);
  // A machine that plays several frames at once answers a ping before it does.
  const unsaid = y === undefined ? unsaidSeconds(reach, context) : 0;
  const hidden = (dx < 0 ? reach.leftHidden : reach.rightHidden) + unkeyed + unsaid + rules.advantageSeconds;
  if (needed - known > hidden) return excess("held-back", width, (known + hidden) * bounds.run, needed);
  // A rest takes back what delays vary by. On a steady line it explains a slide alone, which may go on against the other key.
  const slid = Math.min(unkeyed, line.isSteady ? Math.min(rested, needed) : reach.rested);
  const unheld = reach.early + needed - slid - known;
  const forgiven = (way + rested) * (rules.advantage.forgiven ?? 0);
  const least = Math.min(0, reach.ahead);
  const unknown = needed - Math.min(unkeyed, rested, needed) - known;
  const ahead = Math.max(least, Math.max(least, reach.ahead - rested - forgiven) + unknown);
  const overdrawn = Math.max(0, unheld - rules.advantageSeconds);
  const drawn = reach.drawn + overdrawn;
  const heldBackMost = mostHeldBack(rules, line);
  if (overdrawn > 0 && drawn > heldBackMost) {
    const over = Math.min(overdrawn, drawn - heldBackMost);
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
    sunk: slides.sunk,
    across,
    early: Math.max(0, unheld - overdrawn),
    drawn,
    ahead,
    leftHidden: 0,
    rightHidden: 0,
    seenMs: line.provenMs,
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
  const counted = { high: 0, up: 0, jumps: 0, across: 0, loose: false, sunk: 0 };
  return { accepted: true, reach: { ...moved, ...foot, ...counted, y, yLead: vertical.held } };
}

/**
 * Where others see a player that is believed to be at `reach`, and was seen at `fromX`: about as far as it can have got in the time that has
 * passed. What it is ahead by is seen when the time for it has passed; what only a stall explains is seen at once.
 */
export function shownX({ x, ahead }: Reach, fromX: number, { isSteady }: Line, { run }: MotionBounds): number {
  const over = ahead - SHOWN_SECONDS;
  if (over <= 0 || (!isSteady && ahead > STALL_SECONDS)) return x;
  const held = (isSteady ? over : Math.min(over, HELD_SECONDS)) * run;
  return x < fromX ? Math.min(x + held, fromX) : Math.max(x - held, fromX);
}

function excess(obstacle: Obstacle, measured: number, allowed: number, seconds: number): ReachJudgement {
  return { accepted: false, excess: { obstacle, measured, allowed, seconds } };
}

/** Slides after a move along x: what is left of them, and the pixels that none explains. */
interface Slides {
  readonly left: number;
  readonly right: number;
  readonly missing: number;
  readonly sunk: number;
  /** How far it may have slid and flown in the direction of the move, px. */
  readonly most: number;
}

/**
 * Without the key of a direction a player slides and flies on with the speed that it has; what it has of that only a key renews. It falls
 * on with it as well, from the highest place where it may have stood since it said where that is, to a depth that a jump does not say.
 */
function slide(reach: Reach, dx: number, dy: number | undefined, context: ReachContext): Slides {
  const { bounds, terrain } = context;
  const ground = terrain.ice ? bounds.onIce : bounds.onGround;
  const most = ground.px + bounds.flight;
  const left = reach.leftHeld ? most : reach.leftSlide;
  const right = reach.rightHeld ? most : reach.rightSlide;
  const isLeft = dx < 0;
  const has = isLeft ? left : right;
  const { sunk } = reach;
  if (dx === 0 || (isLeft ? reach.leftHeld : reach.rightHeld)) return { left, right, missing: 0, most: has, sunk };
  // What moves one way without a key does not slide the other way, unless the key of that way turned it round.
  const isTurned = isLeft ? reach.rightHeld : reach.leftHeld;
  const width = Math.abs(dx);
  const other = width > ROUNDING_PX && !isTurned ? 0 : isLeft ? right : left;
  const after = (rest: number, depth: number): Slides => {
    const missing = Math.max(0, -rest - ROUNDING_PX);
    const own = Math.max(0, rest);
    return { left: isLeft ? own : other, right: isLeft ? other : own, missing, most: has, sunk: depth };
  };
  if (has <= 0 || width <= has) return after(has - width, sunk);
  if (dy !== undefined)
    return after(Math.min(0, has - width + fallSlide(bounds, ground, dy + ascent(reach, context))), 0);
  const depth = sunk + fallDepth(bounds, (width - has) / bounds.runPerFrame - ground.frames / 3);
  const least = reach.y === undefined ? 0 : reach.y - ascent(reach, context);
  return depth <= Math.min(DEEP_PX, terrain.bottom - least) ? after(0, depth) : after(has - width, sunk);
}

/** The time for which a player may have moved on without a key, seconds: on the ground, in a jump and in a fall. */
function unkeyedSeconds(
  { loose, jumps }: Reach,
  dy: number,
  y: number | undefined,
  slidePx: number,
  { bounds, terrain }: ReachContext,
): number {
  const { px } = terrain.ice ? bounds.onIce : bounds.onGround;
  const mayFly = loose || jumps > 0 || y === undefined;
  return fallTime(bounds, dy) + (mayFly ? slidePx : Math.min(slidePx, px)) / bounds.run;
}

/** A jump does not say how deep it has fallen before, seconds. */
function unsaidSeconds({ y }: Reach, { bounds, terrain }: ReachContext): number {
  return fallTime(bounds, Math.min(DEEP_PX, terrain.bottom - (y ?? -Infinity)));
}

function fallTime(bounds: MotionBounds, depth: number): number {
  return depth > ROUNDING_PX ? fallFrames(bounds, depth) / bounds.framesPerSecond : 0;
}

/** How far above its last height a player may have stood, px: the last jump is still in the air, or has come down again. */
function ascent({ jumps, across, up }: Reach, { bounds, terrain, rules }: ReachContext): number {
  const jumped = Math.max(0, jumps - 1) * bounds.jumpHeight;
  return jumped + (terrain.slopes ? across * rules.slope : 0) + (terrain.water ? up * bounds.swim : 0);
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
  const slopes = terrain.slopes ? rules.slope : 0;
  const steep = rise - aside * slopes - ROUNDING_PX;
  const jumped = Math.min(Math.max(0, steep), reach.jumps * bounds.jumpHeight);
  // Slopes and jumps come one after the other. How much of the rise was which is not known: what takes less time.
  const risen = Math.max(0, (reach.y ?? y) - y - ROUNDING_PX);
  const most = Math.min(risen, reach.jumps * bounds.jumpHeight);
  const least = Math.min(jumped, risen);
  const upTo = (height: number): number => Math.min(risen - height, across * slopes) / (slopes * bounds.run || 1);
  const bySlope = jumpSeconds(least, terrain, bounds) + upTo(least);
  const seconds = most === least ? bySlope : Math.min(bySlope, jumpSeconds(most, terrain, bounds) + upTo(most));
  if (steep <= 0) return { seconds, missing: 0 };
  // A swimmer rises while it holds the key.
  const swims = terrain.water && (reach.up > 0 || reach.upHeld || reach.jumps > 0);
  const swimmable = swims ? (reach.up + credit + rules.advantageSeconds) * bounds.swim : 0;
  const swum = Math.min(steep - jumped, swimmable);
  return { seconds: seconds + swum / bounds.swim, missing: steep - jumped - swum };
}

/** What jumps of that height in all take. It lands when it no longer rises. */
function jumpSeconds(height: number, { isKnown }: Terrain, bounds: MotionBounds): number {
  const full = Math.floor(height / bounds.jumpHeight);
  const part = height - full * bounds.jumpHeight;
  // In a known room a low ceiling may end the rise before, and the ground is checked by itself.
  const partFrames = part === 0 ? 0 : isKnown ? riseFrames(bounds, part) : bounds.apexFrames;
  return (full * bounds.apexFrames + partFrames) / bounds.framesPerSecond;
}
