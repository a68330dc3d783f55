/** The verdicts of a whole recording: where they are, for the line of time and for jumps from one to the next. */
import type { Recording } from "@wirewalk/recording";
import type { Verdict, VerdictKind } from "wirewalk/motion";
import type { FeedMark } from "../feed/feed.ts";

/** Parts of the length at most: what a slider on a wide screen shows apart. */
export const MAX_MARKS = 400;
/** Times kept for jumps at most, 8 MB. Later verdicts of such a recording have a mark, and no jump leads to them. */
const MAX_TIMES = 1_000_000;

const gravity: Readonly<Record<VerdictKind, number>> = { accept: 0, benign: 1, flag: 2, correct: 3, reject: 4 };

export class VerdictMarks {
  readonly #recording: Recording;
  readonly #startMs: number;
  readonly #firstMs: number;
  readonly #partMs: number;
  readonly #parts: ({ kind: VerdictKind; count: number } | undefined)[] = [];
  readonly #times: number[] = [];
  #chunk = 0;

  /** `startMs` is the time of the world's clock at position 0; `firstMs` and `lastMs` are positions. */
  constructor(
    recording: Recording,
    { startMs, firstMs, lastMs }: { startMs: number; firstMs: number; lastMs: number },
  ) {
    this.#recording = recording;
    this.#startMs = startMs;
    this.#firstMs = firstMs;
    this.#partMs = Math.max(1, (lastMs - firstMs) / MAX_MARKS);
  }

  get isAll(): boolean {
    return this.#chunk >= this.#recording.chunks.length;
  }

  /** Of what was read so far. */
  get marks(): readonly FeedMark[] {
    return this.#parts.flatMap((part, index) =>
      part === undefined ? [] : [{ atMs: this.#firstMs + index * this.#partMs, ...part }],
    );
  }

  /** Reads the next chunk of the recording. */
  read(): void {
    const chunk = this.#recording.chunks[this.#chunk];
    this.#chunk += 1;
    if (chunk === undefined) return;
    for (const { schema, data } of this.#recording.messagesOf(chunk, (topic) => topic.endsWith("/verdicts"))) {
      if (schema !== "wirewalk.Verdict") continue;
      const { atMs, kind } = JSON.parse(new TextDecoder().decode(data)) as Pick<Verdict, "atMs" | "kind">;
      this.#add(atMs - this.#startMs, kind);
    }
  }

  /** The position of the next verdict after a position, or of the last one before it; undefined when there is none. */
  near(atMs: number, which: "next" | "previous"): number | undefined {
    // The world's times are in order, and so are those of its verdicts.
    const isThere = (time: number): boolean => (which === "next" ? time > atMs : time < atMs);
    return which === "next" ? this.#times.find(isThere) : this.#times.findLast(isThere);
  }

  #add(atMs: number, kind: VerdictKind): void {
    const index = Math.floor((atMs - this.#firstMs) / this.#partMs);
    if (!(index >= 0 && index <= MAX_MARKS) || !Object.hasOwn(gravity, kind)) return;
    if (this.#times.length < MAX_TIMES) this.#times.push(atMs);
    const part = this.#parts[Math.min(index, MAX_MARKS - 1)];
    if (part === undefined) this.#parts[Math.min(index, MAX_MARKS - 1)] = { kind, count: 1 };
    else {
      part.count += 1;
      if (gravity[kind] > gravity[part.kind]) part.kind = kind;
    }
  }
}
