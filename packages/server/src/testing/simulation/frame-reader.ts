/**
 * Reads what a server wrote without a channel: it compares every byte with the frames of what the world sent, in order. That
 * takes a tenth of the time of reading frames and messages, and finds more: also a frame that a client would forgive.
 */
import type { Channel, PlayableProtocol } from "wirewalk/protocol";
import { carried } from "../../session/carriage.ts";
import type { LinkKind } from "../../session/links.ts";
import type { Expected, SentMessage } from "./delivery-check.ts";

/** Messages that were left out in a row, at most. */
const MAX_OMITTED = 10_000;

export interface FrameReaderOptions {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly kind: LinkKind;
  /** What the player is still to receive; undefined before it has joined. */
  readonly expected: () => Expected | undefined;
  /** The server's greeting, in protocols in which it greets first. */
  readonly greeted: (greeting: Uint8Array) => void;
  readonly arrived: (sent: SentMessage) => void;
}

/** A frame in two parts that follow each other. Most are a head before the payload of the message, which is not copied. */
interface Frame {
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

const nothing = new Uint8Array();

/** The frames of one connection. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  /** A server's end that sends what the real one should: where frames are for one peer alone, it has the same memory. */
  readonly #channel: Channel;
  /** What shared frames have before payloads of a length; undefined where they are more than a head and the payload. */
  readonly #heads = new Map<number, Uint8Array | undefined>();
  /** The frame that is arriving, with its message, and how much of it is there. */
  #frame: Frame | undefined;
  #sent: SentMessage | undefined;
  #matched = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    const { protocol, dialect, kind } = options;
    const carrier = kind === "tcp" ? "stream" : "message";
    this.#channel = protocol.openChannel({ side: "server", dialect, carrier });
    const greeting = this.#channel.handshake?.greeting;
    if (greeting !== undefined) this.#frame = { head: carried(kind, greeting), body: nothing };
  }

  /** Whether a channel may go on with what `read` gives: no frame depends on those before it. */
  get isStateless(): boolean {
    return this.#channel.sharesFrames;
  }

  /** Takes what has arrived; gives what nobody expected, from the start of its frame on. */
  read(bytes: Uint8Array): Uint8Array | undefined {
    for (let at = 0; at < bytes.length; ) {
      const frame = this.#frame ?? this.#begin(bytes, at);
      if (frame === undefined) return bytes.subarray(at);
      const { head, body } = frame;
      const whole = head.length + body.length;
      const length = Math.min(whole - this.#matched, bytes.length - at);
      if (!isFrame(frame, this.#matched, bytes, at, length)) {
        const rest = new Uint8Array(this.#matched + bytes.length - at);
        rest.set(head.subarray(0, this.#matched));
        if (this.#matched > head.length) rest.set(body.subarray(0, this.#matched - head.length), head.length);
        rest.set(bytes.subarray(at), this.#matched);
        return rest;
      }
      at += length;
      this.#matched += length;
      if (this.#matched === whole) this.#end();
    }
    return undefined;
  }

  /** The frame of the message that arrives next; undefined without one. */
  #begin(bytes: Uint8Array, at: number): Frame | undefined {
    const expected = this.#options.expected();
    this.#sent = expected?.at(0);
    if (expected === undefined || this.#sent === undefined) return undefined;
    this.#frame = expected.isNextCertain ? this.#frameOf(this.#sent) : this.#afterOmitted(expected, bytes, at);
    return this.#frame;
  }

  /** Some messages may have been left out: looks for the one whose frame begins here. */
  #afterOmitted(expected: Expected, bytes: Uint8Array, at: number): Frame | undefined {
    for (const omitted of expected.omissible(MAX_OMITTED)) {
      const sent = expected.at(omitted);
      if (sent === undefined) return undefined;
      const before = this.#channel.sharesFrames ? undefined : this.#channel.save();
      const frame = this.#frameOf(sent);
      const length = frame.head.length + frame.body.length;
      if (length <= bytes.length - at && isFrame(frame, 0, bytes, at, length)) {
        expected.omit(omitted);
        this.#sent = sent;
        return frame;
      }
      if (before !== undefined) this.#channel.restore(before);
    }
    return undefined;
  }

  #frameOf(sent: SentMessage): Frame {
    const { kind } = this.#options;
    const channel = this.#channel;
    if (channel.sharesFrames) return this.#sharedFrameOf(sent.payload);
    const { sealing } = channel;
    if (sealing === undefined || kind !== "tcp") {
      return { head: carried(kind, channel.frame(sent.payload)), body: nothing };
    }
    const prepared = sent.frame(kind, (payload) => sealing.prepare(payload));
    const frame = new Uint8Array(prepared.length);
    sealing.seal(prepared, frame);
    return { head: frame, body: nothing };
  }

  /** Without memory, frames of payloads of one length have one head: it is looked at once for each length. */
  #sharedFrameOf(payload: Uint8Array): Frame {
    const { length } = payload;
    const known = this.#heads.get(length);
    if (known !== undefined) return { head: known, body: payload };
    const frame = carried(this.#options.kind, this.#channel.frame(payload));
    if (this.#heads.has(length)) return { head: frame, body: nothing };
    const from = frame.length - length;
    const endsWithPayload = from >= 0 && isSame(frame, from, payload, 0, length);
    this.#heads.set(length, endsWithPayload ? frame.slice(0, from) : undefined);
    return { head: frame, body: nothing };
  }

  #end(): void {
    const { expected, greeted, arrived } = this.#options;
    const [sent, frame] = [this.#sent, this.#frame];
    this.#frame = undefined;
    this.#sent = undefined;
    this.#matched = 0;
    if (sent === undefined) {
      greeted((frame as Frame).head);
      return;
    }
    expected()?.arrived();
    arrived(sent);
  }
}

/** Whether these bytes are what the frame has from `from` on. */
function isFrame({ head, body }: Frame, from: number, bytes: Uint8Array, at: number, length: number): boolean {
  const inHead = Math.max(0, Math.min(head.length - from, length));
  return (
    isSame(head, from, bytes, at, inHead) &&
    isSame(body, from + inHead - head.length, bytes, at + inHead, length - inHead)
  );
}

/** From this length on Node compares faster than a loop, its call included. */
const LONG_BYTES = 96;

function isSame(a: Uint8Array, aFrom: number, b: Uint8Array, bFrom: number, length: number): boolean {
  if (length >= LONG_BYTES) {
    return Buffer.compare(a.subarray(aFrom, aFrom + length), b.subarray(bFrom, bFrom + length)) === 0;
  }
  for (let index = 0; index < length; index += 1) if (a[aFrom + index] !== b[bFrom + index]) return false;
  return true;
}
