/** Time by the game's own ticks, of a recording that was made of a file whose clock runs slow. */
import { type SessionHeader, TickClock } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { type RecordedWorld, RecordKind, readWorldRecord } from "../profile.ts";
import type { Recording } from "../reading/read-recording.ts";

/** The format whose times lose a part of a millisecond with every record. */
const SLOW_FORMAT = "rsprox";

/**
 * Reads the recording chunk by chunk and counts the ticks that its server ended.
 *
 * ```ts
 * const ticks = gameTicks(recording, recorded, protocols);
 * while (ticks?.isAll === false) ticks.read();
 * ticks?.gameMs(nowMs);
 * ```
 */
export class GameTicks {
  readonly #recording: Recording;
  readonly #clock: TickClock;
  /** Times of the world's clock at which ticks ended. */
  readonly #ends: number[] = [];
  #chunk = 0;

  constructor(recording: Recording, clock: TickClock) {
    this.#recording = recording;
    this.#clock = clock;
  }

  get isAll(): boolean {
    return this.#chunk >= this.#recording.chunks.length;
  }

  /** Reads the next chunk of the recording. */
  read(): void {
    const chunk = this.#recording.chunks[this.#chunk];
    this.#chunk += 1;
    if (chunk === undefined) return;
    for (const { schema, data } of this.#recording.messagesOf(chunk, (topic) => topic.includes("/sessions/"))) {
      const record = schema === "wirewalk.Record" ? readWorldRecord(data) : undefined;
      if (record?.kind !== RecordKind.observed) continue;
      const { nowMs, body } = record;
      this.#clock.timeMs({ number: 0, byteOffset: 0, timeMs: nowMs, sender: "server", payload: body });
      if (this.#clock.ticks > this.#ends.length) this.#ends.push(nowMs);
    }
  }

  /**
   * The length of the ticks that ended until a time of the world's clock, in milliseconds. Undefined while the recording is not read that
   * far, and for a recording in which no tick ends.
   */
  gameMs(nowMs: number): number | undefined {
    const last = this.#ends.at(-1);
    if (last === undefined || (!this.isAll && last <= nowMs)) return undefined;
    let [from, to] = [0, this.#ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#ends[middle] as number) <= nowMs) from = middle + 1;
      else to = middle;
    }
    return from * this.#clock.tickMs;
  }
}

/** Undefined for a recording whose own clock is right, and for a revision without the end of a tick. */
export function gameTicks(
  recording: Recording,
  { protocol, session }: RecordedWorld,
  protocols: Readonly<Record<string, Protocol>>,
): GameTicks | undefined {
  const header = session === undefined ? undefined : (JSON.parse(session) as SessionHeader);
  if (header?.format !== SLOW_FORMAT) return undefined;
  const sizes = protocols[protocol]?.capabilities?.revisions?.table(header.settings.revision ?? 0);
  return sizes !== undefined && TickClock.fits(sizes) ? new GameTicks(recording, new TickClock(sizes)) : undefined;
}
