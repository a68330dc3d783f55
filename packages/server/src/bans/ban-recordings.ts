/** The recordings that bans carry, in the store: base64 in a table of its own, so that a megabyte is not read to list bans. */
import type { Store } from "wirewalk/net";

const TABLE = "ban-recordings";
/** Of all together; the oldest give way. */
const MAX_BYTES = 32_000_000;

/** Throws what the store throws. */
export class BanRecordings {
  readonly #store: Store;
  /** Bytes by ban, the oldest first; read when the first one is kept. */
  #kept: Map<string, number> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** False when it is too large. `fromMs` says when the bans began whose recordings an earlier run has kept. */
  keep(id: string, bytes: Uint8Array, fromMs: (id: string) => number): boolean {
    if (bytes.length > MAX_BYTES) return false;
    this.#kept ??= this.#read(fromMs);
    this.#kept.delete(id);
    let total = bytes.length;
    for (const each of this.#kept.values()) total += each;
    for (const [oldest, length] of this.#kept) {
      if (total <= MAX_BYTES) break;
      this.drop(oldest);
      total -= length;
    }
    this.#store.put(TABLE, id, { bytes: bytes.length, mcap: Buffer.from(bytes).toString("base64") });
    this.#kept.set(id, bytes.length);
    return true;
  }

  get(id: string): Uint8Array<ArrayBuffer> | undefined {
    const kept = this.#store.get(TABLE, id)?.mcap;
    return typeof kept === "string" ? new Uint8Array(Buffer.from(kept, "base64")) : undefined;
  }

  drop(id: string): void {
    this.#store.delete(TABLE, id);
    this.#kept?.delete(id);
  }

  #read(fromMs: (id: string) => number): Map<string, number> {
    const found = this.#store.list(TABLE).map(({ key, record }): [string, number] => [key, Number(record.bytes) || 0]);
    return new Map(found.sort(([a], [b]) => fromMs(a) - fromMs(b)));
  }
}
