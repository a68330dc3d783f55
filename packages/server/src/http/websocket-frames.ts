/**
 * WebSocket frames (RFC 6455, section 5.2), as far as this server makes and measures them itself. `ws` parses what
 * arrives; messages to players are framed here, once for all recipients: a server's frames are unmasked.
 */

/** FIN and the opcode of a binary message. */
const BINARY = 0x82;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A whole binary message in one unmasked frame. */
export function frameBinary(payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const head = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = new Uint8Array(head + length);
  frame[0] = BINARY;
  if (head === 2) {
    frame[1] = length;
  } else {
    const view = new DataView(frame.buffer);
    if (head === 4) {
      frame[1] = LENGTH_16;
      view.setUint16(2, length);
    } else {
      frame[1] = LENGTH_64;
      view.setBigUint64(2, BigInt(length));
    }
  }
  frame.set(payload, head);
  return frame;
}

/**
 * Follows the frames of a peer without keeping them. It knows whether a frame or a message is unfinished, which `ws` does
 * not report and which limits how long a peer may take to finish one.
 */
export class FrameMeter {
  /** Bytes of the current frame's head so far, at most 14. */
  #head: number[] = [];
  /** Bytes of the current frame's payload that have not arrived. */
  #left = 0;
  /** Frames of a message that was begun and goes on. */
  #fragments = 0;
  #mostFragments = 0;
  /** Completed messages, control frames not counted. */
  messages = 0;

  /** True in the middle of a frame, or between the frames of one message. */
  get unfinished(): boolean {
    return this.#left > 0 || this.#head.length > 0 || this.#fragments > 0;
  }

  /** The most frames that one message has had so far, finished or not. */
  get mostFragments(): number {
    return this.#mostFragments;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const take = Math.min(this.#left, bytes.length - at);
        this.#left -= take;
        at += take;
        if (this.#left === 0) this.#finish();
        continue;
      }
      this.#head.push(bytes[at++] as number);
      const needed = headBytes(this.#head);
      if (this.#head.length < needed) continue;
      this.#left = payloadBytes(this.#head);
      if (this.#left === 0) this.#finish();
    }
  }

  #finish(): void {
    const first = this.#head[0] as number;
    const isControl = (first & 0x08) !== 0;
    const isFinal = (first & 0x80) !== 0;
    this.#head = [];
    if (isControl) return;
    this.#fragments += 1;
    this.#mostFragments = Math.max(this.#mostFragments, this.#fragments);
    if (!isFinal) return;
    this.messages += 1;
    this.#fragments = 0;
  }
}

/** Length of this frame's head, as far as its bytes so far tell. */
function headBytes(head: readonly number[]): number {
  const second = head[1];
  if (second === undefined) return 2;
  const length = second & 0x7f;
  return 2 + (length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}

function payloadBytes(head: readonly number[]): number {
  const length = (head[1] as number) & 0x7f;
  const extended = length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0;
  if (extended === 0) return length;
  let value = 0;
  for (let index = 0; index < extended; index += 1) value = value * 256 + (head[2 + index] as number);
  return value;
}
