/**
 * One direction of a WebSocket connection (RFC 6455) as it was captured: the HTTP head, then frames, masked or not, fragmented or not.
 * Messages that `permessage-deflate` has compressed are refused one by one, because their frames keep the stream's place.
 */
import type { Side } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";

/** A message, or why it was refused. */
export interface WebSocketMessage {
  readonly payload: Uint8Array;
  readonly error?: WireError;
}

/** No head of a handshake is longer. */
const MAX_HEAD_BYTES = 16_384;
/** The longest message that is read: longer than any packet of a game. */
const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_FRAME_HEAD_BYTES = 14;
const INITIAL_BYTES = 256;

const FIN = 0x80;
const COMPRESSED = 0x40;
const RESERVED = 0x30;
const MASKED = 0x80;
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const FIRST_CONTROL = 8;
const LAST_CONTROL = 10;
const MAX_CONTROL_BYTES = 125;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

export class WebSocketReader {
  readonly #sender: Side;
  /** The HTTP head, once it is complete. */
  head: Uint8Array | undefined;
  #head: number[] = [];
  #inFrames: boolean;
  #frameHead: number[] = [];
  #bytesLeft = 0;
  #mask: readonly number[] = [];
  #maskAt = 0;
  #isControl = false;
  #isLast = false;
  #message: Uint8Array = new Uint8Array(0);
  #length = 0;
  /** The opcode of the message that is being read, with the bit of compression. */
  #kind: number | undefined;
  #inFrame = false;
  #ready: WebSocketMessage[] = [];
  #offset = 0;

  /** `inFrames` is true for a stream that begins behind its HTTP head, at a frame. */
  constructor(sender: Side, inFrames = false) {
    this.#sender = sender;
    this.#inFrames = inFrames;
  }

  /** Bytes held of what is not complete. */
  get pendingBytes(): number {
    return this.#head.length + this.#frameHead.length + this.#length + (this.#inFrame ? 1 : 0);
  }

  /** Takes the next bytes. Throws `WireError` when the stream cannot go on. */
  push(bytes: Uint8Array): void {
    let at = 0;
    if (!this.#inFrames) at = this.#readHead(bytes);
    while (at < bytes.length) {
      if (!this.#inFrame) {
        this.#frameHead.push(bytes[at] as number);
        at += 1;
        this.#offset += 1;
        this.#readFrameHead();
      } else {
        const count = Math.min(this.#bytesLeft, bytes.length - at);
        this.#take(bytes.subarray(at, at + count));
        at += count;
        this.#offset += count;
      }
      if (this.#inFrame && this.#bytesLeft === 0) this.#endFrame();
    }
  }

  /** The next message; undefined when more bytes are needed. */
  next(): WebSocketMessage | undefined {
    return this.#ready.shift();
  }

  /** The index behind the head; `bytes.length` while it goes on. */
  #readHead(bytes: Uint8Array): number {
    for (let at = 0; at < bytes.length; at++) {
      this.#head.push(bytes[at] as number);
      this.#offset += 1;
      if (this.#head.length > MAX_HEAD_BYTES) {
        this.#refuse("limit", "HTTP head", `it is over its limit of ${MAX_HEAD_BYTES} bytes`);
      }
      const { length } = this.#head;
      const wanted = this.#sender === "client" ? "GET " : "HTTP/1.1 ";
      if (length <= wanted.length && this.#head[length - 1] !== wanted.charCodeAt(length - 1)) {
        this.#refuse("bad-value", "HTTP head", `a ${this.#sender} of WebSocket begins with "${wanted.trim()}"`);
      }
      if (bytes[at] !== 0x0a || this.#head[length - 3] !== 0x0a) continue;
      this.#endHead(String.fromCharCode(...this.#head));
      return at + 1;
    }
    return bytes.length;
  }

  #endHead(text: string): void {
    this.head = Uint8Array.from(this.#head);
    this.#head = [];
    this.#inFrames = true;
    const isUpgrade = /^upgrade:[ \t]*websocket[ \t]*\r?$/im.test(text);
    if (this.#sender === "client" && !isUpgrade) {
      this.#refuse("bad-value", "HTTP request", "it asks for no WebSocket");
    }
    if (this.#sender === "server" && !/^HTTP\/1\.1 101 /.test(text)) {
      this.#refuse("bad-value", "HTTP answer", `"${text.split("\r\n", 1)[0]}" opens no WebSocket`);
    }
  }

  #readFrameHead(): void {
    const head = this.#frameHead;
    const [first, second] = head;
    if (first === undefined || second === undefined) return;
    if (head.length === 2) this.#checkFrame(first, second);
    const size = second & 0x7f;
    const lengthBytes = size === LENGTH_16 ? 2 : size === LENGTH_64 ? 8 : 0;
    const maskBytes = (second & MASKED) === 0 ? 0 : 4;
    if (head.length < 2 + lengthBytes + maskBytes || head.length > MAX_FRAME_HEAD_BYTES) return;
    let length = lengthBytes === 0 ? size : 0;
    for (let index = 0; index < lengthBytes; index++) length = length * 256 + (head[2 + index] as number);
    if (this.#length + length > MAX_MESSAGE_BYTES) {
      this.#refuse(
        "limit",
        "WebSocket message",
        `${this.#length + length} bytes are over the limit of ${MAX_MESSAGE_BYTES}`,
      );
    }
    this.#mask = head.slice(2 + lengthBytes);
    this.#maskAt = 0;
    this.#bytesLeft = length;
    this.#inFrame = true;
    this.#frameHead = [];
  }

  #checkFrame(first: number, second: number): void {
    const opcode = first & 0x0f;
    this.#isControl = opcode >= FIRST_CONTROL;
    this.#isLast = (first & FIN) !== 0;
    const refuse = (why: string): never => this.#refuse("bad-value", "WebSocket frame", why);
    if ((first & RESERVED) !== 0) refuse("a reserved bit is set");
    const isMasked = (second & MASKED) !== 0;
    if (isMasked !== (this.#sender === "client")) {
      refuse(`a frame of a ${this.#sender} must ${isMasked ? "not " : ""}be masked`);
    }
    if (this.#isControl) {
      if (opcode > LAST_CONTROL) refuse(`opcode ${opcode} is unknown`);
      if (!this.#isLast || (second & 0x7f) > MAX_CONTROL_BYTES)
        refuse("a control frame has one frame of at most 125 bytes");
      return;
    }
    if (opcode > BINARY) refuse(`opcode ${opcode} is unknown`);
    if ((opcode === CONTINUATION) !== (this.#kind !== undefined)) {
      refuse(opcode === CONTINUATION ? "it continues a message that has not begun" : "a message begins within another");
    }
    if (opcode !== CONTINUATION) this.#kind = opcode | (first & COMPRESSED);
  }

  #take(bytes: Uint8Array): void {
    this.#bytesLeft -= bytes.length;
    if (this.#isControl) return;
    const length = this.#length + bytes.length;
    if (length > this.#message.length) {
      const grown = new Uint8Array(Math.max(length, this.#message.length * 2, INITIAL_BYTES));
      grown.set(this.#message.subarray(0, this.#length));
      this.#message = grown;
    }
    if (this.#mask.length === 0) this.#message.set(bytes, this.#length);
    else {
      for (let index = 0; index < bytes.length; index++) {
        this.#message[this.#length + index] = (bytes[index] as number) ^ (this.#mask[this.#maskAt & 3] as number);
        this.#maskAt += 1;
      }
    }
    this.#length = length;
  }

  #endFrame(): void {
    this.#inFrame = false;
    if (this.#isControl || !this.#isLast) return;
    const payload = this.#message.slice(0, this.#length);
    const kind = this.#kind as number;
    this.#kind = undefined;
    this.#length = 0;
    const error = refusalOf(kind);
    this.#ready.push(error === undefined ? { payload } : { payload, error });
  }

  #refuse(code: WireError["code"], what: string, why: string): never {
    throw new WireError(code, `Cannot read ${what}: ${why} at byte ${this.#offset}`, this.#offset * 8);
  }
}

function refusalOf(kind: number): WireError | undefined {
  if ((kind & COMPRESSED) !== 0) {
    const why =
      "it is compressed by permessage-deflate, which is not read. Turn the extension off at the server or client";
    return new WireError("bad-value", `Cannot read WebSocket message: ${why}`, 0);
  }
  if ((kind & 0x0f) === TEXT) {
    return new WireError("bad-value", "Cannot read WebSocket message: it is text, a game sends binary messages", 0);
  }
  return undefined;
}
