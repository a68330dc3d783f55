/** Messages of the wire that wait for the next turn of the feed. Of too many only the last are kept: nobody reads faster. */
import type { PlayerId } from "wirewalk/motion";
import type { Side } from "wirewalk/protocol";
import type { FeedWireRecord } from "./feed.ts";

/** Messages at once. */
const MAX_RECORDS = 25;

/** Bytes at once, of all payloads together: some packets of player info are 5 kB. */
const MAX_BYTES = 65_536;

export class WireBatch {
  #records: FeedWireRecord[] = [];
  #bytes = 0;

  add(sender: Side, player: PlayerId, atMs: number, payload: Uint8Array): void {
    if (payload.length > MAX_BYTES) return;
    this.#records.push({ sender, player, atMs, payload: Buffer.from(payload).toString("hex") });
    this.#bytes += payload.length;
    while (this.#records.length > MAX_RECORDS || this.#bytes > MAX_BYTES) {
      this.#bytes -= (this.#records.shift()?.payload.length ?? 0) / 2;
    }
  }

  /** Those that wait, oldest first, which then wait no more. */
  take(): readonly FeedWireRecord[] {
    if (this.#records.length === 0) return [];
    const records = this.#records;
    this.#records = [];
    this.#bytes = 0;
    return records;
  }
}
