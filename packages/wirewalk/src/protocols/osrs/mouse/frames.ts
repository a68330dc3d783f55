/**
 * Mouse packets as a stream carries them: opcode, size byte, payload.
 *
 * ```ts
 * const deframer = new MouseDeframer();
 * deframer.push(frameMousePayload(parseHex("0000 5860")));
 * deframer.next(); // => parseHex("0000 5860")
 * deframer.next(); // => undefined
 * ```
 */
import { WireError } from "../../../wire/index.ts";
import { MAX_PAYLOAD_BYTES } from "./packet.ts";

/** The game's own number changes with every revision; this one is ours, where nobody says otherwise. */
export const DEFAULT_MOUSE_OPCODE = 34;

const FRAME_HEADER_BYTES = 2;

/** A payload with its opcode and size before it. Throws `RangeError` for an opcode or size that is no byte. */
export function frameMousePayload(payload: Uint8Array, opcode = DEFAULT_MOUSE_OPCODE): Uint8Array<ArrayBuffer> {
  if (!(Number.isInteger(opcode) && opcode >= 0 && opcode <= 0xff)) {
    throw new RangeError(`opcode must be an integer in 0..255, got ${opcode}`);
  }
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw new RangeError(`A payload has at most ${MAX_PAYLOAD_BYTES} bytes, got ${payload.length}`);
  }
  const frame = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  frame[0] = opcode;
  frame[1] = payload.length;
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

/**
 * Takes a stream's chunks and gives the payloads in it. Another opcode has a size that nobody here knows: it is refused
 * (`unknown-message`) once the payloads before it are taken, and so is everything after it (`bad-state`).
 */
export class MouseDeframer {
  readonly #opcode: number;
  /** Never more than one frame that is not complete, and what one chunk brought. */
  #bytes: Uint8Array = new Uint8Array();
  /** Bytes of the stream before `#bytes`. */
  #streamOffset = 0;
  #refused = false;

  constructor(opcode = DEFAULT_MOUSE_OPCODE) {
    this.#opcode = opcode;
  }

  /** Bytes held of a frame that is not complete, once `next` has given undefined. */
  get pending(): number {
    return this.#bytes.length;
  }

  /** Takes the stream's next bytes; `chunk` may be reused afterwards. Throws `WireError` `bad-state` after a refusal. */
  push(chunk: Uint8Array): void {
    if (this.#refused) this.#refuse("bad-state", "the stream was refused before");
    const joined = new Uint8Array(this.#bytes.length + chunk.length);
    joined.set(this.#bytes);
    joined.set(chunk, this.#bytes.length);
    this.#bytes = joined;
  }

  /** The next payload; undefined until more bytes arrive. Throws `WireError`, see the class. */
  next(): Uint8Array | undefined {
    if (this.#refused) this.#refuse("bad-state", "the stream was refused before");
    const [opcode, length] = this.#bytes;
    if (opcode === undefined) return undefined;
    if (opcode !== this.#opcode) this.#refuse("unknown-message", `${opcode} is not ${this.#opcode}, mouse movement,`);
    if (length === undefined) return undefined;
    const end = FRAME_HEADER_BYTES + length;
    if (this.#bytes.length < end) return undefined;
    const payload = this.#bytes.subarray(FRAME_HEADER_BYTES, end);
    this.#bytes = this.#bytes.subarray(end);
    this.#streamOffset += end;
    return payload;
  }

  #refuse(code: "unknown-message" | "bad-state", why: string): never {
    this.#refused = true;
    const at = this.#streamOffset;
    throw new WireError(code, `Cannot read opcode: ${why} at byte ${at}`, at * 8, "opcode");
  }
}
