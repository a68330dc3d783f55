/** Messages of the wire that wait for the next turn of the feed. Of too many only the last are kept: nobody reads faster. */

/** Messages at once. */
const MAX_RECORDS = 25;

/** Bytes at once, of all payloads together: some packets of player info are 5 kB. */
const MAX_BYTES = 65_536;

export class WireBatch<R> {
  #records: { readonly record: R; readonly bytes: number }[] = [];
  #bytes = 0;

  /** `bytes` is the length of its payload. */
  add(record: R, bytes: number): void {
    if (bytes > MAX_BYTES) return;
    this.#records.push({ record, bytes });
    this.#bytes += bytes;
    while (this.#records.length > MAX_RECORDS || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#records.shift()?.bytes ?? 0;
    }
  }

  /** Those that wait, oldest first, which then wait no more. */
  take(): readonly R[] {
    if (this.#records.length === 0) return [];
    const records = this.#records;
    this.#records = [];
    this.#bytes = 0;
    return records.map(({ record }) => record);
  }
}
