/** What of a moment is to be seen at a time: pure, in places of the game. Times count from the verdict, in milliseconds. */
import type { FeedMoment, FeedPlace } from "@wirewalk/server/feed";
import { beyondEnvelope, type Envelope } from "wirewalk/protocol";

/** A message of the client that names places. */
type Step = FeedMoment["claimed"][number];

/** The message that the verdict is about; undefined where it is none. */
export function judgedStep({ claimed }: FeedMoment): Step | undefined {
  return claimed.find(({ isJudged }) => isJudged);
}

/** Messages that were refused or corrected led nowhere. */
const refused: readonly unknown[] = ["correct", "reject"];

/** The way that the client claimed up to then for whom the verdict is about, in this room and without the judged message. */
export function claimedWay(moment: FeedMoment, ms: number): readonly FeedPlace[] {
  const judged = judgedStep(moment);
  const { room } = moment.verdict;
  return moment.claimed
    .filter((step) => step !== judged && step.ms <= ms && step.mover === (judged?.mover ?? null))
    .filter(({ kind }) => !refused.includes(kind))
    .flatMap((step) => ((step.room ?? room) === room ? step.places : []));
}

/** Where the server had the player up to then. */
export function serverWay({ server }: FeedMoment, ms: number): readonly FeedPlace[] {
  return server.filter((step) => step.ms <= ms);
}

/** What the rule measured: from there straight to the claimed place. For rules that measure no place it is the way that the message names. */
export function judgedWay(moment: FeedMoment): readonly FeedPlace[] {
  const { from, at, picture } = moment;
  if (picture === "places") return from === null || at === null ? [] : [from, at];
  const { room = null, places = [] } = judgedStep(moment) ?? {};
  return (room ?? moment.verdict.room) === moment.verdict.room ? places : [];
}

/** Where the server had the player then: the last place that is known, or where the rule measured from. */
export function playerPlace(moment: FeedMoment, ms: number): FeedPlace | undefined {
  const { server, from } = moment;
  const at = server.findLast((step) => step.ms <= ms) ?? server[0];
  // Mostly the player is judged; the place of a monster is not that of the player who drives it.
  return at ?? ((judgedStep(moment)?.mover ?? null) === null ? (from ?? undefined) : undefined);
}

/**
 * How much of what was allowed an honest player could have used by then: nothing at the message before, all at the judged one. Undefined
 * before, and for a rule that measures no place.
 */
export function shadowShare(moment: FeedMoment, ms: number): number | undefined {
  if (moment.envelope === null) return undefined;
  const beforeMs = moment.claimed.findLast((step) => step.ms < 0 && step.places.length > 0)?.ms ?? 0;
  if (ms < beforeMs) return undefined;
  return beforeMs === 0 || ms >= 0 ? 1 : 1 - ms / beforeMs;
}

/** Halvings of a part of a way: a thousandth of a pixel at the ends of a room. */
const HALVINGS = 24;

/** The part of a way that lies within what was possible, and what is beyond. `spare`: what is tolerated beyond it is no part of it. */
export function splitWay(
  way: readonly FeedPlace[],
  envelope: Envelope | null,
): { readonly within: readonly FeedPlace[]; readonly beyond: readonly FeedPlace[] } {
  if (envelope === null) return { within: [], beyond: way };
  const isWithin = (place: FeedPlace): boolean => beyondPossible(envelope, place) <= 0;
  const index = way.findIndex((place) => !isWithin(place));
  if (index === -1) return { within: way, beyond: [] };
  const [last, first] = [way[index - 1], way[index]];
  if (last === undefined || first === undefined) return { within: [], beyond: way };
  const along = (share: number): FeedPlace => ({
    x: last.x + (first.x - last.x) * share,
    y: last.y + (first.y - last.y) * share,
  });
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (isWithin(along(middle))) low = middle;
    else high = middle;
  }
  const end = along(low);
  return { within: [...way.slice(0, index), end], beyond: [end, ...way.slice(index)] };
}

/** How far a place is beyond what was possible, without what is tolerated. */
export function beyondPossible(envelope: Envelope, place: FeedPlace): number {
  const { spare: _, ...possible } = envelope as Envelope & { readonly shape: "box" };
  return beyondEnvelope(envelope.shape === "circle" ? envelope : possible, place);
}

/** How long the measured way is: along an axis where the rule measures one. */
export function lengthOf(from: FeedPlace, at: FeedPlace, envelope: Envelope | null): number {
  const [dx, dy] = [Math.abs(at.x - from.x), Math.abs(at.y - from.y)];
  if (envelope?.shape === "box") {
    const { left, right, top, bottom } = envelope;
    if (top === undefined && bottom === undefined) return dx;
    if (left === undefined && right === undefined) return dy;
  }
  return Math.hypot(dx, dy);
}

/** The corners of what a box tolerates beyond what is possible, along both axes together. */
export function toleratedCorners(envelope: Envelope): readonly FeedPlace[] {
  if (envelope.shape !== "box") return [];
  const { left, right, top, bottom, spare = 0 } = envelope;
  if (left === undefined || right === undefined || top === undefined || bottom === undefined || spare <= 0) return [];
  return [
    { x: left, y: top - spare },
    { x: right, y: top - spare },
    { x: right + spare, y: top },
    { x: right + spare, y: bottom },
    { x: right, y: bottom + spare },
    { x: left, y: bottom + spare },
    { x: left - spare, y: bottom },
    { x: left - spare, y: top },
  ];
}
