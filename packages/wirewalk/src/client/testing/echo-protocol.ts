/**
 * The smallest protocol that a client can speak, and a server's end to speak it with: a client says a number, the server
 * has said it. Over a stream a frame is `u8 length, payload`; a payload is `u8 id (1), u8 number`. A length over 16
 * breaks the stream; a greeting (`0xee`) comes first from the client.
 *
 * @module
 */
import type { Transport } from "../../net/index.ts";
import type { Bot } from "../../protocols/bot.ts";
import type { Channel, ChannelOptions, Received } from "../../protocols/codec.ts";
import type { Protocol } from "../../protocols/protocol.ts";
import { WireError } from "../../wire/index.ts";

export interface Say {
  readonly message: "say";
  readonly value: { readonly number: number };
}

export interface Said {
  readonly message: "said";
  readonly value: { readonly number: number };
}

export const GREETING = 0xee;
const ID = 1;
const MAX_LENGTH = 16;

class EchoChannel implements Channel<Said, Say> {
  readonly greeting = new Uint8Array([GREETING]);
  readonly sharesFrames = true;
  readonly #options: ChannelOptions;
  #bytes: number[] = [];
  readonly #payloads: Uint8Array[] = [];
  #broken = false;

  constructor(options: ChannelOptions) {
    if (options.dialect !== "plain") throw new RangeError(`Unknown dialect: ${options.dialect}`);
    this.#options = options;
  }

  get pendingBytes(): number {
    return this.#bytes.length;
  }

  push(bytes: Uint8Array): void {
    if (this.#options.carrier === "message") {
      this.#payloads.push(bytes);
      return;
    }
    this.#bytes.push(...bytes);
    for (;;) {
      const [length] = this.#bytes;
      if (length === undefined) return;
      if (length > MAX_LENGTH) {
        this.#broken = true;
        throw new WireError("limit", `Cannot read frame length: ${length} is over its limit of 16 at byte 0`, 0);
      }
      if (this.#bytes.length < 1 + length) return;
      this.#payloads.push(Uint8Array.from(this.#bytes.splice(0, 1 + length).slice(1)));
    }
  }

  next(): Received<Said> | undefined {
    const payload = this.#payloads.shift();
    if (payload === undefined) {
      if (this.#broken) throw new WireError("bad-state", "Cannot read stream: it was refused before", 0);
      return undefined;
    }
    const [id, number] = payload;
    if (id === ID && number !== undefined && payload.length === 2) {
      return { payload, message: { message: "said", value: { number } } };
    }
    return { payload, error: new WireError("unknown-message", `Cannot read id: no message has ${id} at byte 0`, 0) };
  }

  write({ value }: Say): Uint8Array {
    if (value.number > 255) throw new RangeError(`Cannot write number: ${value.number} is over 255`);
    return this.frame(new Uint8Array([ID, value.number]));
  }

  frame(payload: Uint8Array): Uint8Array {
    return this.#options.carrier === "message" ? payload : new Uint8Array([payload.length, ...payload]);
  }
}

/** What a client needs of a protocol, and nothing else: what is missing throws when it is touched. */
export const echoProtocol = Object.freeze({
  name: "echo",
  defaultDialect: "plain",
  openChannel: (options: ChannelOptions): unknown => new EchoChannel(options),
}) as unknown as Protocol<Say, Said>;

/** The server's end: sends back all that comes after the greeting. Gives what it has heard. */
export function echo(transport: Transport): { readonly heard: number[]; readonly closed: string[] } {
  const heard: number[] = [];
  const closed: string[] = [];
  let greeted = false;
  transport.listen({
    bytes(bytes) {
      heard.push(...bytes);
      const answer = greeted ? bytes : bytes.subarray(1);
      greeted = true;
      if (answer.length > 0) transport.send(answer);
    },
    closed: (reason) => closed.push(reason),
  });
  return { heard, closed };
}

/** Says 0 at the start, then one more with each step; answers 100 with 101. Notes what it is told, with the time. */
export function countingBot(stepMs: number): Bot<Say, Said> & { readonly told: [number, number][] } {
  let number = 0;
  const told: [number, number][] = [];
  const say = (value: number): readonly Say[] => [{ message: "say", value: { number: value } }];
  return {
    stepMs,
    told,
    start: () => say(0),
    receive(message, nowMs) {
      told.push([message.value.number, nowMs]);
      return message.value.number === 100 ? say(101) : [];
    },
    step: () => say(++number),
  };
}
