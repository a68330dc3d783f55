import type { FeedMessage } from "../feed/feed.ts";

/** A message of the feed as the bytes of a WebSocket's text. */
export function encode(message: FeedMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}
