/**
 * Frames out of a byte stream that splits and glues them anywhere.
 *
 * ```ts
 * import { LengthPrefixDeframer } from "wirewalk/wire";
 *
 * const deframer = new LengthPrefixDeframer({ limit: 8192, lengthLayout: "u16le" });
 * deframer.push(new Uint8Array([2, 0, 7, 8, 1]));
 * deframer.next(); // => new Uint8Array([7, 8])
 * deframer.next(); // => undefined
 * deframer.pending; // => 1
 * deframer.push(new Uint8Array([0, 9]));
 * deframer.next(); // => new Uint8Array([9])
 * deframer.push(new Uint8Array([0xff, 0xff])); // throws limit: Cannot read frame length: 65535 is over its limit of 8192 at byte 7
 * ```
 *
 * @module
 */

import { WireError } from "./wire-error.ts";

const LENGTH_BYTES = 2;
/** Shared: a typed array of its own for each frame costs more than all else that is done for it. */
const NO_BYTES = new Uint8Array(0);
/** A frame's memory begins this small and doubles as its bytes arrive: a claimed length alone costs nothing. */
const INITIAL_FRAME_BYTES = 64;

/** A view of the chunk costs more than a loop over so few bytes. */
const COPIED_BY_LOOP = 32;

/** What a {@link LengthPrefixDeframer} reads. */
export interface DeframerOptions {
  /** The longest payload that is accepted, in bytes. */
  limit: number;
  /** How the payload's length, which does not count itself, lies before the payload. */
  lengthLayout: "u16le" | "u16be";
  /** Whether a payload may have no bytes: no, unless said. */
  allowEmpty?: boolean;
}

/** The state of a {@link LengthPrefixDeframer}, as plain data. */
export interface SavedDeframer {
  /** Complete payloads that were not taken. */
  readonly ready: readonly Uint8Array[];
  /** Bytes of the unfinished frame, its length included. */
  readonly held: Uint8Array;
  readonly streamOffset: number;
  readonly refused: boolean;
}

/**
 * Takes a stream's chunks and gives its payloads. Take every payload with {@link next} after each {@link push}: what
 * waits is then at most one unfinished frame. Each byte is copied a bounded number of times, however small the chunks.
 *
 * A length over the limit (`limit`) or of zero (`bad-length`) is refused as soon as its two bytes are there. Payloads
 * completed before it can still be taken; everything else then throws `bad-state`, for the stream has lost its place.
 */
export class LengthPrefixDeframer {
  readonly #limit: number;
  readonly #littleEndian: boolean;
  readonly #allowEmpty: boolean;
  /** Complete payloads, from `#taken` on. */
  #ready: Uint8Array<ArrayBuffer>[] = [];
  #taken = 0;
  #header = 0;
  #headerLength = 0;
  #frame = NO_BYTES;
  #frameLength = 0;
  #frameReceived = 0;
  /** Bytes of the stream before the next one, for the place of errors. */
  #streamOffset = 0;
  #refused = false;

  /** Throws RangeError unless `limit` is in 1..65535. */
  constructor(options: DeframerOptions) {
    const { limit, lengthLayout, allowEmpty = false } = options;
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 0xffff)) {
      throw new RangeError(`limit must be in 1..65535, got ${limit}`);
    }
    this.#limit = limit;
    this.#littleEndian = lengthLayout === "u16le";
    this.#allowEmpty = allowEmpty;
  }

  /** How many bytes of an unfinished frame have arrived, its length included. */
  get pending(): number {
    return this.#headerLength + this.#frameReceived;
  }

  /** Takes the stream's next bytes; `chunk` may be reused afterwards. Throws {@link WireError}, see the class. */
  push(chunk: Uint8Array): void {
    if (this.#refused) this.#refuse("bad-state", "the stream was refused before");
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerLength < LENGTH_BYTES) {
        this.#pushHeaderByte(chunk[at++] as number);
      } else {
        const count = Math.min(this.#frameLength - this.#frameReceived, chunk.length - at);
        this.#pushPayload(chunk, at, count);
        at += count;
      }
    }
  }

  /** The next payload, or `undefined` until more bytes arrive. The payload is the caller's own. */
  next(): Uint8Array<ArrayBuffer> | undefined {
    const payload = this.#ready[this.#taken];
    if (payload !== undefined) {
      this.#taken++;
      return payload;
    }
    this.#ready = [];
    this.#taken = 0;
    if (this.#refused) this.#refuse("bad-state", "the stream was refused before");
    return undefined;
  }

  /** The state, which shares nothing with the deframer. */
  save(): SavedDeframer {
    const held = new Uint8Array(this.pending);
    held.set(this.#headerBytes());
    held.set(this.#frame.subarray(0, this.#frameReceived), this.#headerLength);
    return {
      ready: this.#ready.slice(this.#taken).map((payload) => payload.slice()),
      held,
      streamOffset: this.#streamOffset,
      refused: this.#refused,
    };
  }

  /** Takes over the state of a deframer with the same options. Throws `WireError` for a length that those refuse. */
  restore({ ready, held, streamOffset, refused }: SavedDeframer): void {
    this.#ready = ready.map((payload) => payload.slice());
    this.#taken = 0;
    this.#startFrame();
    this.#refused = false;
    this.#streamOffset = streamOffset - held.length;
    if (!refused) {
      this.push(held);
      return;
    }
    // What was refused is a length: no frame has begun.
    for (const byte of held) this.#addHeaderByte(byte);
    this.#refused = true;
  }

  /** The bytes of the length that have arrived. */
  #headerBytes(): readonly number[] {
    const bytes = [this.#header & 0xff, this.#header >> 8];
    return (this.#littleEndian ? bytes : bytes.reverse()).slice(0, this.#headerLength);
  }

  #addHeaderByte(byte: number): void {
    const isLow = this.#littleEndian === (this.#headerLength === 0);
    this.#header |= isLow ? byte : byte << 8;
    this.#headerLength++;
    this.#streamOffset++;
  }

  #pushHeaderByte(byte: number): void {
    this.#addHeaderByte(byte);
    if (this.#headerLength < LENGTH_BYTES) return;
    const length = this.#header;
    if (length > this.#limit) this.#refuse("limit", `${length} is over its limit of ${this.#limit}`);
    if (length === 0 && !this.#allowEmpty) this.#refuse("bad-length", "0 is not a length of a message");
    this.#frameLength = length;
    this.#frame = new Uint8Array(Math.min(length, INITIAL_FRAME_BYTES));
    if (length === 0) this.#finishFrame();
  }

  #pushPayload(chunk: Uint8Array, from: number, count: number): void {
    const received = this.#frameReceived + count;
    if (received > this.#frame.length) {
      const grown = new Uint8Array(Math.min(Math.max(received, this.#frame.length * 2), this.#frameLength));
      grown.set(this.#frame.subarray(0, this.#frameReceived));
      this.#frame = grown;
    }
    if (count > COPIED_BY_LOOP) {
      this.#frame.set(chunk.subarray(from, from + count), this.#frameReceived);
    } else {
      for (let index = 0; index < count; index += 1) {
        this.#frame[this.#frameReceived + index] = chunk[from + index] as number;
      }
    }
    this.#frameReceived = received;
    this.#streamOffset += count;
    if (received === this.#frameLength) this.#finishFrame();
  }

  #finishFrame(): void {
    this.#ready.push(this.#frame);
    this.#startFrame();
  }

  #startFrame(): void {
    this.#frame = NO_BYTES;
    this.#frameLength = 0;
    this.#frameReceived = 0;
    this.#header = 0;
    this.#headerLength = 0;
  }

  #refuse(code: "limit" | "bad-length" | "bad-state", why: string): never {
    this.#refused = true;
    const at = code === "bad-state" ? this.#streamOffset : this.#streamOffset - LENGTH_BYTES;
    const what = code === "bad-state" ? "stream" : "frame length";
    throw new WireError(code, `Cannot read ${what}: ${why} at byte ${at}`, at * 8);
  }
}
