/**
 * The frames of Old School RuneScape: an opcode, a size unless the opcode's bodies have a fixed one, a body. The **payload**
 * of a frame is `opcode, body`.
 *
 * Opcodes change with every revision, and the game enciphers them after the login: with an `OpcodeCipher` so do frames here.
 * Without one they are plain numbers that server and clients agree on.
 *
 * ```ts
 * import { OsrsDeframer, frameOsrs } from "wirewalk/osrs";
 *
 * const sizes = new Map([[34, "varByte"]]);
 * frameOsrs(sizes, new Uint8Array([34, 0, 0, 0x58, 0x60])); // => new Uint8Array([34, 4, 0, 0, 0x58, 0x60])
 * const deframer = new OsrsDeframer(sizes);
 * deframer.push(new Uint8Array([34, 2, 7]));
 * deframer.next(); // => undefined
 * deframer.push(new Uint8Array([8]));
 * deframer.next(); // => new Uint8Array([34, 7, 8])
 * ```
 *
 * @module
 */
import { WireError, type WireErrorJson } from "../../../wire/index.ts";
import type { MessageSize } from "../../revisions.ts";
import { type OpcodeCipher, type SavedIsaac, smartOpcode } from "./isaac.ts";

/** The size of a body: fixed in bytes, or in one or two bytes (high byte first) before it. */
export type BodySize = MessageSize;

/** The size of each opcode's bodies. */
export type BodySizes = ReadonlyMap<number, BodySize>;

/** The opcode that every payload begins with. */
export const OPCODE_BYTES = 1;
/** The client's buffer: no body is longer. */
export const MAX_BODY_BYTES = 40_000;

/** Opcodes that an error lists. A revision of the game has more than a hundred. */
const MAX_LISTED = 8;

/** Initial memory of a frame. It doubles as bytes arrive: a claimed length alone costs nothing. */
const INITIAL_BODY_BYTES = 256;

function sizeBytes(size: BodySize): 0 | 1 | 2 {
  return size === "varByte" ? 1 : size === "varShort" ? 2 : 0;
}

/** How opcodes are carried. */
export interface OpcodeCarriage {
  /** Hides them: that of the sender. Default: they are plain. */
  readonly cipher?: OpcodeCipher | undefined;
  /** Opcodes whose bodies the cipher hides too, byte by byte; their sizes are plain. Default: none. */
  readonly hiddenBodies?: ReadonlySet<number> | undefined;
  /** Whether plain ones from 128 on have two bytes, as those of the game's server. Default: one byte. A cipher knows it by itself. */
  readonly isSmart?: boolean;
  /** The revision of the sizes, for errors. */
  readonly revision?: number | undefined;
}

/** The frame of a payload. Throws `RangeError` for an opcode without a size, or a body of another size. */
export function frameOsrs(
  sizes: BodySizes,
  payload: Uint8Array,
  { cipher, isSmart = false, hiddenBodies }: OpcodeCarriage = {},
): Uint8Array<ArrayBuffer> {
  const [opcode = Number.NaN] = payload;
  const size = sizes.get(opcode);
  if (size === undefined) throw new RangeError(`There is no opcode ${opcode}`);
  const length = payload.length - 1;
  const limit = size === "varByte" ? 0xff : MAX_BODY_BYTES;
  if (typeof size === "number" ? length !== size : length > limit) {
    const wanted = typeof size === "number" ? size : `at most ${limit}`;
    throw new RangeError(`A body of opcode ${opcode} has ${wanted} bytes, got ${length}`);
  }
  const opcodes = cipher?.hide(opcode) ?? (isSmart ? smartOpcode(opcode) : [opcode]);
  const opcodeBytes = opcodes.length;
  const head = opcodeBytes + sizeBytes(size);
  const frame = new Uint8Array(head + length);
  frame.set(opcodes);
  if (size === "varByte") frame[opcodeBytes] = length;
  else if (size === "varShort") {
    frame[opcodeBytes] = length >>> 8;
    frame[opcodeBytes + 1] = length & 0xff;
  }
  const body = payload.subarray(1);
  frame.set(cipher !== undefined && hiddenBodies?.has(opcode) === true ? cipher.hideBytes(body) : body, head);
  return frame;
}

/** The state of an {@link OsrsDeframer}, as plain data. */
export interface SavedOsrsDeframer {
  /** Complete payloads that were not taken. */
  readonly ready: readonly Uint8Array[];
  /** Bytes of the unfinished frame: opcode, size and body, as far as they have arrived. */
  readonly held: Uint8Array;
  readonly streamOffset: number;
  /** Why the stream cannot go on. */
  readonly refusal: WireErrorJson | undefined;
  /** Of a deframer with a cipher. */
  readonly cipher?: SavedIsaac;
  /** Of a deframer whose opcodes may have two bytes. The opcode in `held` is in one byte. */
  readonly smart?: {
    readonly opcodeHigh: number | undefined;
    /** Bytes of the unfinished frame as they were carried. */
    readonly heldBytes: number;
  };
}

/**
 * Takes a stream's chunks and returns the payloads in it. An opcode without a size is refused (`unknown-message`), one below 128
 * in two bytes (`bad-value`), and a size over {@link MAX_BODY_BYTES} (`limit`): the place of the next frame is unknown then. The payloads
 * before it can be taken; after them `next` throws the refusal.
 */
export class OsrsDeframer {
  readonly #sizes: BodySizes;
  readonly #cipher: OpcodeCipher | undefined;
  readonly #isSmart: boolean;
  readonly #hiddenBodies: ReadonlySet<number> | undefined;
  readonly #revision: number | undefined;
  /** The high part of an opcode of two bytes, while the second one is awaited. */
  #opcodeHigh: number | undefined;
  #ready: Uint8Array[] = [];
  #taken = 0;
  #opcode: number | undefined;
  /** Bytes of the size that are still to come, and what they have said so far. */
  #sizeLeft = 0;
  #length = 0;
  #body = new Uint8Array(0);
  #received = 0;
  /** Bytes held of the frame that is not complete. */
  #held = 0;
  #streamOffset = 0;
  #refusal: WireError | undefined;

  constructor(sizes: BodySizes, { cipher, isSmart = false, revision, hiddenBodies }: OpcodeCarriage = {}) {
    this.#sizes = sizes;
    this.#cipher = cipher;
    this.#isSmart = cipher?.isSmart ?? isSmart;
    this.#revision = revision;
    this.#hiddenBodies = cipher === undefined ? undefined : hiddenBodies;
  }

  /** Bytes held of a frame that is not complete. */
  get pending(): number {
    return this.#held;
  }

  /** Takes the stream's next bytes; `chunk` may be reused afterwards. Throws `WireError` `bad-state` after a refusal. */
  push(chunk: Uint8Array): void {
    if (this.#refusal !== undefined) {
      const at = this.#streamOffset;
      throw new WireError("bad-state", `Cannot read stream: it was refused before, at byte ${at}`, at * 8);
    }
    this.#take(chunk, (piece) => this.#revealed(piece));
  }

  /** `revealed` gives a piece of a body as it was before the sender hid it. */
  #take(chunk: Uint8Array, revealed: (piece: Uint8Array) => Uint8Array): void {
    let at = 0;
    while (at < chunk.length && this.#refusal === undefined) {
      if (this.#opcode === undefined) this.#readOpcode(chunk[at++] as number);
      else if (this.#sizeLeft > 0) this.#measure(chunk[at++] as number);
      else {
        const count = Math.min(this.#length - this.#received, chunk.length - at);
        this.#fill(revealed(chunk.subarray(at, at + count)));
        at += count;
      }
    }
    // What follows a refusal is not read either.
    this.#held += chunk.length - at;
  }

  #revealed(piece: Uint8Array): Uint8Array {
    if (this.#cipher === undefined || this.#hiddenBodies?.has(this.#opcode as number) !== true) return piece;
    return this.#cipher.revealBytes(piece);
  }

  /** The next payload, the caller's own; undefined until more bytes arrive. Throws `WireError`, see the class. */
  next(): Uint8Array | undefined {
    const payload = this.#ready[this.#taken];
    if (payload !== undefined) {
      this.#taken += 1;
      return payload;
    }
    this.#ready = [];
    this.#taken = 0;
    if (this.#refusal !== undefined) throw this.#refusal;
    return undefined;
  }

  /** The state, which shares nothing with the deframer. */
  save(): SavedOsrsDeframer {
    return {
      ready: this.#ready.slice(this.#taken).map((payload) => payload.slice()),
      held: this.#heldBytes(),
      streamOffset: this.#streamOffset,
      refusal: this.#refusal?.toJSON(),
      ...(this.#cipher === undefined ? {} : { cipher: this.#cipher.save() }),
      // What follows a refusal is counted, and is no part of a frame.
      ...(this.#isSmart || this.#refusal !== undefined
        ? { smart: { opcodeHigh: this.#opcodeHigh, heldBytes: this.#held } }
        : {}),
    };
  }

  /** Takes over the state of a deframer with the same sizes. */
  restore({ ready, held, streamOffset, refusal, cipher, smart }: SavedOsrsDeframer): void {
    this.#ready = ready.map((payload) => payload.slice());
    this.#taken = 0;
    this.#opcode = undefined;
    this.#body = new Uint8Array(0);
    this.#held = 0;
    this.#refusal = undefined;
    this.#streamOffset = streamOffset - held.length;
    this.#opcodeHigh = undefined;
    const [opcode] = held;
    if (opcode !== undefined) {
      this.#begin(opcode);
      // What is held was revealed before it was saved.
      this.#take(held.subarray(OPCODE_BYTES), (piece) => piece);
    }
    if (cipher !== undefined) this.#cipher?.restore(cipher);
    if (smart !== undefined) {
      this.#opcodeHigh = smart.opcodeHigh;
      this.#held = smart.heldBytes;
      this.#streamOffset = streamOffset;
    }
    if (refusal !== undefined) {
      this.#refusal = new WireError(refusal.code, refusal.message, refusal.bitOffset, refusal.path);
    }
  }

  #heldBytes(): Uint8Array {
    if (this.#opcode === undefined) return new Uint8Array(0);
    const sizeLength = sizeBytes(this.#sizes.get(this.#opcode) as BodySize);
    const known = sizeLength - this.#sizeLeft;
    const held = new Uint8Array(OPCODE_BYTES + known + (this.#sizeLeft === 0 ? this.#received : 0));
    held[0] = this.#opcode;
    for (let index = 0; index < known; index++) held[1 + index] = this.#length >>> (8 * (known - 1 - index));
    if (this.#sizeLeft === 0) held.set(this.#body.subarray(1, 1 + this.#received), 1 + sizeLength);
    return held;
  }

  #readOpcode(byte: number): void {
    const plain = this.#cipher?.reveal(byte) ?? byte;
    const high = this.#opcodeHigh;
    this.#opcodeHigh = undefined;
    if (high !== undefined) {
      const opcode = (high << 8) | plain;
      // An opcode below 128 is framed in one byte. Accepted in two it could not be framed again: the cipher would be one number behind.
      if (opcode >= 0x80) this.#begin(opcode);
      else this.#refuse("bad-value", "opcode", `${opcode} has two bytes, expected one`, this.#streamOffset);
    } else if (this.#isSmart && plain >= 0x80) {
      this.#opcodeHigh = plain & 0x7f;
      this.#held += 1;
      this.#streamOffset += 1;
    } else this.#begin(plain);
  }

  #begin(opcode: number): void {
    const size = this.#sizes.get(opcode);
    if (size === undefined) {
      this.#held += 1;
      this.#refuse("unknown-message", "opcode", `${opcode} ${this.#stranger()}`, this.#streamOffset);
      return;
    }
    this.#held += 1;
    this.#streamOffset += 1;
    this.#opcode = opcode;
    // Counts bytes of this frame alone. Where its size is refused there is no body, and `save` must not look for one.
    this.#received = 0;
    this.#sizeLeft = sizeBytes(size);
    this.#length = typeof size === "number" ? size : 0;
    if (this.#sizeLeft === 0) this.#open();
  }

  /** What is wrong with an opcode without a size. */
  #stranger(): string {
    if (this.#revision !== undefined) return `is no message of revision ${this.#revision}`;
    const known = [...this.#sizes.keys()];
    if (known.length > MAX_LISTED) return `is none of ${known.length} known opcodes`;
    return `is not among ${known.join(", ") || "nothing"}`;
  }

  #measure(byte: number): void {
    this.#length = (this.#length << 8) | byte;
    this.#sizeLeft -= 1;
    this.#held += 1;
    this.#streamOffset += 1;
    if (this.#sizeLeft > 0) return;
    if (this.#length > MAX_BODY_BYTES) {
      const at = this.#streamOffset - 2;
      this.#refuse("limit", "size", `${this.#length} is over its limit of ${MAX_BODY_BYTES}`, at);
      return;
    }
    this.#open();
  }

  #open(): void {
    this.#body = new Uint8Array(1 + Math.min(this.#length, INITIAL_BODY_BYTES));
    this.#body[0] = this.#opcode as number;
    if (this.#length === 0) this.#finish();
  }

  #fill(piece: Uint8Array): void {
    const received = this.#received + piece.length;
    if (received + 1 > this.#body.length) {
      const larger = new Uint8Array(1 + Math.min(Math.max(received, this.#body.length * 2), this.#length));
      larger.set(this.#body.subarray(0, 1 + this.#received));
      this.#body = larger;
    }
    this.#body.set(piece, 1 + this.#received);
    this.#received = received;
    this.#held += piece.length;
    this.#streamOffset += piece.length;
    if (received === this.#length) this.#finish();
  }

  #finish(): void {
    this.#ready.push(this.#body);
    this.#body = new Uint8Array(0);
    this.#opcode = undefined;
    this.#held = 0;
  }

  #refuse(code: "unknown-message" | "bad-value" | "limit", what: string, why: string, at: number): void {
    this.#refusal = new WireError(code, `Cannot read ${what}: ${why} at byte ${at}`, at * 8, what);
  }
}
