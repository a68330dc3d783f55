/**
 * The client's recorder: samples in, packets out, byte for byte as the real writer, its quirks included.
 *
 * ```ts
 * const recorder = new MouseRecorder({ dialect: "client" });
 * recorder.sample(400, 300, 1000);
 * recorder.sample(405, 298, 1050);
 * recorder.cycle(true); // => [parseHex("0500 ffff012c0190 295e")]
 * recorder.cycle(true); // => []
 * ```
 */
import { ByteWriter } from "../../../../wire/index.ts";
import { CYCLE_MS, type MouseRules, mouseRules } from "../wire/dialect.ts";
import { FIRST_DT, HEADER_BYTES, MAX_PAYLOAD_BYTES, QUICK_CYCLES, SMALL_CYCLES } from "../wire/packet-description.ts";

/** Samples that wait at most; more are lost (standard 5.1). */
export const MAX_WAITING_SAMPLES = 500;
/** Samples (`documented`: client cycles) that make a packet without a button. */
export const FLUSH_SAMPLES = 40;
/** A packet of this size takes no further record. */
export const FULL_PAYLOAD_BYTES = 246;

/** The real client's time before the first record: only the full form holds it, as 8191 in its 13 bits. */
const NO_TIME_CYCLES = 0x7fff_ffff;
const OUTSIDE_WORD = 0x8000_0000;

export interface MouseRecorderOptions {
  readonly dialect: string;
  /**
   * Never write records that a reader would misread: a clock that goes back stands still, a pause is at most 8190 cycles, a
   * position with one coordinate outside is wholly outside, and (0,32768), which is the outside mark, is one pixel
   * higher. Default false: as the real client. `documented`, which has no real client, always does so.
   */
  readonly safe?: boolean;
}

/** The memory of one client process: a new login keeps it. */
export class MouseRecorder {
  readonly #rules: MouseRules;
  readonly #safe: boolean;
  readonly #xs = new Int32Array(MAX_WAITING_SAMPLES);
  readonly #ys = new Int32Array(MAX_WAITING_SAMPLES);
  readonly #times = new Float64Array(MAX_WAITING_SAMPLES);
  readonly #buttons = new Uint8Array(MAX_WAITING_SAMPLES);
  readonly #writer = new ByteWriter(MAX_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES);
  #waiting = 0;
  #cycles = 0;
  #lastX = -1;
  #lastY = -1;
  #lastMs: number | undefined;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: MouseRecorderOptions) {
    this.#rules = mouseRules(options.dialect);
    this.#safe = options.safe ?? false;
  }

  /** Waiting samples. In `client` and `native` the last one handled is among them. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * One sample: the pointer's place in the window's pixels, (-1,-1) outside, and its event's time in whole milliseconds.
   * `button` is the last mouse button (`native`: 0 none, 2 left, 8 right, 14 middle), or not 0 when one was pressed in
   * this cycle (`documented`, where a click is a record even without movement). Lost when 500 wait. Throws `RangeError`
   * for numbers that are not whole.
   */
  sample(x: number, y: number, timeMs: number, button = 0): void {
    for (const [name, value] of Object.entries({ x, y, timeMs })) {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number, got ${value}`);
    }
    if (!(Number.isInteger(button) && button >= 0 && button <= 0xff)) {
      throw new RangeError(`button must be an integer in 0..255, got ${button}`);
    }
    const at = this.#waiting;
    if (at === MAX_WAITING_SAMPLES) return;
    const high = this.#rules.maxCoordinate;
    this.#xs[at] = Math.min(Math.max(x, -1), high);
    this.#ys[at] = Math.min(Math.max(y, -1), high);
    this.#times[at] = timeMs;
    this.#buttons[at] = button;
    this.#waiting = at + 1;
  }

  /** The flush test, once per client cycle: payloads when a button was pressed in this cycle, or enough samples wait. */
  cycle(pressed: boolean): readonly Uint8Array[] {
    this.#cycles += 1;
    const due = this.#rules.header === "window" ? this.#cycles : this.#waiting;
    return pressed || due >= FLUSH_SAMPLES ? this.flush() : [];
  }

  /**
   * Writes the waiting samples: nothing when they hold no change. In `client` and `native` at most one payload, and samples
   * that do not fit wait on; in `documented` as many payloads as it takes.
   */
  flush(): readonly Uint8Array[] {
    this.#cycles = 0;
    if (this.#rules.header === "residue") {
      const payload = this.#writeClient();
      return payload === undefined ? [] : [payload];
    }
    const payloads: Uint8Array[] = [];
    while (this.#waiting > 0) {
      const payload = this.#writeDocumented();
      if (payload !== undefined) payloads.push(payload);
    }
    return payloads;
  }

  /** Forgets the waiting samples, as the client does while it is not logged in. The last written record stays the base. */
  discard(): void {
    this.#waiting = 0;
  }

  #writeClient(): Uint8Array | undefined {
    const writer = this.#writer;
    writer.reset();
    let records = 0;
    let residues = 0;
    let handled = 0;
    for (let index = 0; index < this.#waiting && (records === 0 || writer.length < FULL_PAYLOAD_BYTES); index++) {
      handled = index;
      this.#makeSafe(index);
      const x = this.#xs[index] as number;
      const y = this.#ys[index] as number;
      if (x === this.#lastX && y === this.#lastY) continue;
      if (records === 0) writer.skip(HEADER_BYTES);
      let dx = x;
      let dy = y;
      let dt = NO_TIME_CYCLES;
      const timeMs = this.#times[index] as number;
      if (this.#lastMs !== undefined) {
        const ms = timeMs - this.#lastMs;
        dx = x - this.#lastX;
        dy = y - this.#lastY;
        // QUIRK: Java keeps the low 32 bits, and the sign of what is left over.
        dt = Math.trunc(ms / CYCLE_MS) | 0;
        if (this.#safe) dt = Math.min(dt, FIRST_DT - 1);
        residues = (residues + (ms % CYCLE_MS)) | 0;
      }
      this.#lastX = x;
      this.#lastY = y;
      this.#lastMs = timeMs;
      writeClientRecord(writer, dt, dx, dy, x, y);
      if (this.#rules.buttons) writer.u8(this.#buttons[index] as number);
      records += 1;
    }
    // QUIRK: the last sample handled stays, so that 39 more are enough for the next packet.
    this.#drop(handled);
    if (records === 0) return undefined;
    const payload = writer.toBytes();
    payload[0] = Math.trunc(residues / records);
    payload[1] = residues % records;
    return payload;
  }

  #makeSafe(index: number): void {
    if (!this.#safe) return;
    const x = this.#xs[index] as number;
    const y = this.#ys[index] as number;
    if (x < 0 || y < 0) {
      this.#xs[index] = -1;
      this.#ys[index] = -1;
    } else if (x === 0 && y === 0x8000) {
      this.#ys[index] = y - 1;
    }
    this.#times[index] = Math.max(this.#times[index] as number, this.#lastMs ?? Number.NEGATIVE_INFINITY);
  }

  #writeDocumented(): Uint8Array | undefined {
    const writer = this.#writer;
    writer.reset();
    writer.skip(HEADER_BYTES);
    let records = 0;
    let window = 0;
    let index = 0;
    for (; index < this.#waiting && writer.length < FULL_PAYLOAD_BYTES; index++) {
      const x = this.#xs[index] as number;
      const y = this.#ys[index] as number;
      const dx = x - this.#lastX;
      const dy = y - this.#lastY;
      if (dx === 0 && dy === 0 && this.#buttons[index] === 0) continue;
      // There is no real writer to follow for a clock that goes back or a very long pause: here both stand still.
      const lastMs = this.#lastMs ?? (this.#times[index] as number);
      const timeMs = Math.max(this.#times[index] as number, lastMs);
      const dt = Math.min(Math.trunc((timeMs - lastMs) / CYCLE_MS), FIRST_DT);
      writeDocumentedRecord(writer, dt, dx, dy, x === -1 && y === -1);
      if (records > 0) window += dt;
      records += 1;
      this.#lastX = x;
      this.#lastY = y;
      this.#lastMs = timeMs;
    }
    this.#drop(index);
    if (records === 0) return undefined;
    const payload = writer.toBytes();
    payload[0] = Math.min(Math.floor(window / records), 0xff);
    payload[1] = window % records;
    return payload;
  }

  #drop(count: number): void {
    for (const queue of [this.#xs, this.#ys, this.#times, this.#buttons]) queue.copyWithin(0, count, this.#waiting);
    this.#waiting -= count;
  }
}

/** Writes masked: times of a clock that goes back spill into the form bits, as they do in the real writer. */
function writeClientRecord(writer: ByteWriter, dt: number, dx: number, dy: number, x: number, y: number): void {
  if (dt < SMALL_CYCLES && dx >= -32 && dx <= 31 && dy >= -32 && dy <= 31) {
    writer.u16be(((dt << 12) | ((dx + 32) << 6) | (dy + 32)) & 0xffff);
    return;
  }
  if (dt < QUICK_CYCLES && dx >= -128 && dx <= 127 && dy >= -128 && dy <= 127) {
    writer.u8((0x80 + dt) & 0xff);
    writer.u8(dx + 128);
    writer.u8(dy + 128);
    return;
  }
  if (dt < QUICK_CYCLES) writer.u8((0xc0 + dt) & 0xff);
  else writer.u16be(0xe000 | (dt & 0x1fff));
  // QUIRK: a position with one coordinate outside is sent as outside, while the writer goes on from the true coordinates.
  writer.u32be(x === -1 || y === -1 ? OUTSIDE_WORD : ((y << 16) | x) >>> 0);
}

function writeDocumentedRecord(writer: ByteWriter, dt: number, dx: number, dy: number, outside: boolean): void {
  if (dt < SMALL_CYCLES && dx >= 0 && dx <= 31 && dy >= 0 && dy <= 31) {
    writer.u16be((dt << 12) | (dx << 6) | dy);
    return;
  }
  if (dt < QUICK_CYCLES && dx >= -128 && dx <= 127 && dy >= -128 && dy <= 127) {
    writer.u8(0x80 | dt);
    writer.u8(dx + 128);
    writer.u8(dy + 128);
    return;
  }
  if (dt < QUICK_CYCLES) writer.u8(0xc0 | dt);
  else writer.u16be(0xe000 | dt);
  writer.u32be(outside ? OUTSIDE_WORD : (((dy & 0xffff) << 16) | (dx & 0xffff)) >>> 0);
}
