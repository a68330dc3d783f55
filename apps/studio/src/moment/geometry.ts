/** What of a moment is to be seen at a time: pure, in places of the game. Times count from the verdict, in milliseconds. */
import type { FeedMoment, FeedPlace } from "@wirewalk/server/feed";

/** A message of the client that names places. */
type Step = FeedMoment["claimed"][number];

/** The message that the verdict is about; undefined where it is none. */
export function judgedStep({ claimed }: FeedMoment): Step | undefined {
  return claimed.find(({ isJudged }) => isJudged);
}

/** The way that the client claimed up to then for whom the verdict is about, in this room and without the judged message. */
export function claimedWay(moment: FeedMoment, ms: number): readonly FeedPlace[] {
  const judged = judgedStep(moment);
  const { room } = moment.verdict;
  return moment.claimed
    .filter((step) => step !== judged && step.ms <= ms && step.mover === (judged?.mover ?? null))
    .flatMap((step) => ((step.room ?? room) === room ? step.places : []));
}

/** Where the server had the player up to then. */
export function serverWay({ server }: FeedMoment, ms: number): readonly FeedPlace[] {
  return server.filter((step) => step.ms <= ms);
}

/** From what the rule measured from to where the message says that who moved is, along the places that it names. */
export function judgedWay(moment: FeedMoment): readonly FeedPlace[] {
  const { from, at } = moment;
  if (at === null) return [];
  const places = judgedStep(moment)?.places ?? [];
  const isEnd = isEqual(places.at(-1), at);
  const way = isEnd ? places : [at];
  return from === null ? way : [from, ...way];
}

function isEqual(place: FeedPlace | undefined, { x, y }: FeedPlace): boolean {
  return place?.x === x && place.y === y;
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

/** The part of a way that is as long as was allowed, and what is beyond; all of it where the two are not of one kind. */
export function splitWay(
  way: readonly FeedPlace[],
  allowed: number | undefined,
): { readonly within: readonly FeedPlace[]; readonly beyond: readonly FeedPlace[] } {
  if (allowed === undefined) return { within: [], beyond: way };
  const within: FeedPlace[] = [];
  let left = allowed;
  for (const [index, place] of way.entries()) {
    const last = way[index - 1];
    if (last === undefined) {
      within.push(place);
      continue;
    }
    const length = Math.hypot(place.x - last.x, place.y - last.y);
    if (length <= left) {
      within.push(place);
      left -= length;
      continue;
    }
    const share = length === 0 ? 0 : left / length;
    const end = { x: last.x + (place.x - last.x) * share, y: last.y + (place.y - last.y) * share };
    return { within: [...within, end], beyond: [end, ...way.slice(index)] };
  }
  return { within, beyond: [] };
}
