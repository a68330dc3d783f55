import type { Recording } from "@wirewalk/recording";
import type { FeedPlayback } from "../feed/feed.ts";

/** What of a recording cannot be read, as far as it was read; null while that is nothing. */
export function damageOf({ damage }: Recording): FeedPlayback["damage"] {
  const [first] = damage;
  if (first === undefined) return null;
  return { places: damage.length, first: `bytes ${first.start} to ${first.end}: ${first.reason}` };
}
