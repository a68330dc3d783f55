/**
 * The server's memory of one session: absolute positions and absolute times out of packets that carry neither.
 *
 * ```ts
 * const tracker = new MouseTracker({ dialect: "client" });
 * const seen = [];
 * tracker.read(parseHex("0800 ffff012c0190 295e"), ({ x, y, atMs }) => seen.push([x, y, atMs])).spanMs; // => 56
 * seen; // => [[400, 300, 0], [405, 298, 56]]
 * ```
 *
 * Nothing is allocated per record: the point is one object, filled anew.
 */
import { checkState, choice, flag, maybe, number, type StateOf, state } from "../../../world-kit/index.ts";
import { CYCLE_MS, type MouseRules } from "../wire/dialect.ts";
import { isFirstOfProcess, MouseCursor, type MouseReadOptions } from "../wire/packet.ts";
import { type MouseForm, QUICK_CYCLES, WRAP_CYCLES } from "../wire/packet-description.ts";

const WRAP_MS = WRAP_CYCLES * CYCLE_MS;
/**
 * By how much two packets may arrive nearer to each other than they were sent: a late one before, and flushes that came
 * at other times. A stall in between makes them farther apart, up to 143 s without being taken for a pause.
 */
const EARLY_MS = 20_000;

/** `possible` where the bytes leave it open, `certain` where they do not. */
export type Suspicion = "none" | "possible" | "certain";

/** A record with the absolute position and time that the session's memory gives it. */
export interface MousePoint {
  readonly form: MouseForm;
  /** Client cycles on the wire, modulo 8192. */
  readonly dt: number;
  readonly button: number;
  /** Place of the record in its packet. */
  readonly index: number;
  /**
   * Pixels of the window; (-1,-1) outside. While `known` is false, relative to an unknown position: movements are right, but
   * not positions.
   */
  readonly x: number;
  readonly y: number;
  /** x and y are positions: false until the session's first record that carries one. */
  readonly known: boolean;
  /** The pointer is outside the window, as far as is known. */
  readonly outside: boolean;
  /** Milliseconds on the client's clock since the session's first record (its first packet's start, if that is earlier). */
  readonly atMs: number;
  /** Milliseconds since the record before. */
  readonly sinceMs: number;
  /** The first record of the client's process: no time has passed before it. A pause of 8191 cycles looks the same. */
  readonly first: boolean;
  /**
   * A pause of 163.84 s or more, which the time on the wire does not show: `certain` for a full record whose time would
   * have fitted a shorter form. `atMs` then counts 163.84 s once, or as often as the times of arrival show.
   */
  readonly pause: Suspicion;
  /**
   * The position may be wrong: `possible` after a record outside the window, of which one coordinate may have been inside,
   * `certain` after records were lost with the rest of a packet. Ends with a record that carries a position.
   */
  readonly drift: Suspicion;
}

/** What `MouseTracker.save` returns. */
export const savedTracker = state({
  x: number,
  y: number,
  known: flag,
  drift: choice("none", "possible", "certain"),
  atMs: number,
  arrivedMs: maybe(number),
});
type SavedTracker = StateOf<typeof savedTracker>;

/** The one point of a tracker. */
class Point implements MousePoint {
  form: MouseForm = "small";
  dt = 0;
  button = 0;
  index = 0;
  x = 0;
  y = 0;
  known = false;
  outside = false;
  atMs = 0;
  sinceMs = 0;
  first = false;
  pause: Suspicion = "none";
  drift: Suspicion = "none";
}

/** A packet as a whole. */
export interface MousePacketSummary {
  readonly records: number;
  /**
   * Milliseconds from the record before the packet to its last one, by the packet's own times: wrapped pauses (163.84 s) and
   * the time before a process's first record are not in it.
   */
  readonly spanMs: number;
  /** `documented`: the header's time window in client cycles. In the other dialects 0. */
  readonly timeWindow: number;
  /** Mean of the milliseconds that whole cycles left over, 0..19.95 from a sound clock. `documented`: 0. */
  readonly meanResidueMs: number;
  /** Bytes at the end that are less than a record. */
  readonly cutBytes: number;
}

export interface MouseTrackerOptions extends Pick<MouseReadOptions, "strict"> {
  readonly dialect: string;
}

/** One session. A refused packet changes nothing. */
export class MouseTracker {
  readonly rules: MouseRules;
  readonly #strict: boolean;
  readonly #cursor: MouseCursor;
  readonly #point = new Point();
  #x = 0;
  #y = 0;
  #known = false;
  #drift: Suspicion = "none";
  #atMs = 0;
  #arrivedMs: number | undefined;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: MouseTrackerOptions) {
    this.#cursor = new MouseCursor(options.dialect);
    this.rules = this.#cursor.rules;
    this.#strict = options.strict ?? false;
    this.relogin();
  }

  /** Whether the position is known. */
  get known(): boolean {
    return this.#known;
  }

  /** The last record's time: see `MousePoint.atMs`. */
  get atMs(): number {
    return this.#atMs;
  }

  /**
   * The same player logs in again, with the same client process or another: packets do not show which. So the position is
   * unknown until a record carries one. Time goes on.
   */
  relogin(): void {
    const { startsOutside } = this.rules;
    this.#x = startsOutside ? -1 : 0;
    this.#y = this.#x;
    this.#known = startsOutside;
    this.#drift = "none";
  }

  /**
   * Reads a payload and calls `visit` with each record, in one object that is filled anew. `arrivedMs`, on any clock that does
   * not go back, gives the length of pauses that the wire leaves open: without it they are the shortest that the bytes allow.
   *
   * Throws `WireError` as `readMousePacket` does; then nothing has changed.
   */
  read(payload: Uint8Array, visit?: (point: MousePoint) => void, arrivedMs?: number): MousePacketSummary {
    const cursor = this.#cursor;
    // Counted first: the rest of whole cycles is spread over all records of the packet.
    cursor.open(payload);
    let records = 0;
    while (cursor.skip()) records += 1;
    const { cutBytes, average, excess } = cursor;
    if (cutBytes > 0 && this.#strict) throw cursor.refusal(records);
    const window = this.rules.header === "window";
    const header = average * records + excess;
    const residueMs = window ? 0 : header;

    cursor.open(payload);
    const gapMs = arrivedMs === undefined || this.#arrivedMs === undefined ? undefined : arrivedMs - this.#arrivedMs;
    const point = this.#point;
    const startMs = this.#atMs;
    let addedMs = 0;
    let cycles = 0;
    let untimed = 0;
    for (let index = 0; index < records; index++) {
      cursor.next();
      const first = this.#isFirst(index);
      this.#move(first);
      point.pause = this.#pause(first);
      if (first) {
        untimed = 1;
        // Between the old process's last record and this one lies the time between their packets, where it is known.
        addedMs += Math.max(gapMs ?? 0, 0);
      } else {
        cycles += cursor.dt;
        if (point.pause !== "none") addedMs += this.#wraps(point.pause, index === 0 ? gapMs : undefined) * WRAP_MS;
      }
      const timed = index + 1 - untimed;
      const spreadMs = timed === 0 ? 0 : Math.floor((residueMs * timed) / (records - untimed));
      const atMs = startMs + addedMs + CYCLE_MS * cycles + spreadMs;
      point.sinceMs = atMs - this.#atMs;
      point.atMs = atMs;
      this.#atMs = atMs;
      point.index = index;
      point.first = first;
      visit?.(point);
    }
    if (cutBytes > 0) this.#drift = "certain";
    if (arrivedMs !== undefined) this.#arrivedMs = arrivedMs;
    return {
      records,
      spanMs: window ? CYCLE_MS * header : CYCLE_MS * cycles + header,
      timeWindow: window ? header : 0,
      meanResidueMs: records === untimed ? 0 : residueMs / (records - untimed),
      cutBytes,
    };
  }

  /** Everything that decides how the next packet is read. */
  save(): SavedTracker {
    return {
      x: this.#x,
      y: this.#y,
      known: this.#known,
      drift: this.#drift,
      atMs: this.#atMs,
      arrivedMs: this.#arrivedMs,
    };
  }

  /** Goes on as the saved tracker would. Throws `TypeError` or `RangeError` for malformed data: then nothing has changed. */
  restore(data: SavedTracker): void {
    const { x, y, known, drift, atMs, arrivedMs } = checkState(savedTracker, data, "tracker");
    this.#x = x;
    this.#y = y;
    this.#known = known;
    this.#drift = drift;
    this.#atMs = atMs;
    this.#arrivedMs = arrivedMs;
  }

  #isFirst(index: number): boolean {
    return index === 0 && this.rules.header === "residue" && isFirstOfProcess(this.#cursor, index);
  }

  /** Takes the cursor's record into the position, and the point. */
  #move(first: boolean): void {
    const cursor = this.#cursor;
    const point = this.#point;
    const { form, outside } = cursor;
    const placed = outside || (this.rules.absolute && (form === "largeQuick" || form === "full"));
    if (placed) {
      this.#x = cursor.x;
      this.#y = cursor.y;
      this.#known = true;
      this.#drift = "none";
    } else {
      this.#x += cursor.x;
      this.#y += cursor.y;
    }
    point.form = form;
    point.dt = cursor.dt;
    point.button = cursor.button;
    point.x = this.#x;
    point.y = this.#y;
    point.known = this.#known;
    point.outside = this.#known && (this.#x < 0 || this.#y < 0);
    point.drift = this.#drift;
    // The writer goes on from the coordinate that was inside, if there was one: also after a process's first record.
    if (outside && this.rules.absolute) this.#drift = "possible";
    point.first = first;
  }

  #pause(first: boolean): Suspicion {
    const { form, dt } = this.#cursor;
    if (first || form !== "full" || this.rules.header === "window") return "none";
    return dt < QUICK_CYCLES ? "certain" : "possible";
  }

  /** How often the 13 bits wrapped. */
  #wraps(pause: Suspicion, gapMs: number | undefined): number {
    const least = pause === "certain" ? 1 : 0;
    if (gapMs === undefined) return least;
    return Math.max(least, Math.floor((gapMs - this.#cursor.dt * CYCLE_MS + EARLY_MS) / WRAP_MS));
  }
}
