/**
 * A protocol that is not a game: the one fake of all tests. It has dialects with and without cipher, login, greeting and shared
 * frames, a packet stream with memory, a setting, a world with all kinds of effects, and bots.
 */
import type { Random } from "../../motion/index.ts";
import { type JsonObject, WireError } from "../../wire/index.ts";
import type { Bot, BotOptions } from "../bot.ts";
import type { Channel, ChannelOptions, PayloadCodec, Side } from "../codec.ts";
import type { Admission } from "../login.ts";
import type { PacketStream, StreamSetup } from "../packet-stream.ts";
import { payloadStream } from "../payload-stream.ts";
import type { PlayableProtocol } from "../protocol.ts";
import {
  type FakeClientMessage,
  type FakeServerMessage,
  fakeCodec,
  fakeDialects,
  openFakeChannel,
} from "./fake-codec.ts";
import { fakeMapReading, isFakeMaps } from "./fake-maps.ts";
import { FakeWorld } from "./fake-world.ts";

const admission: Admission<FakeClientMessage, FakeServerMessage> = {
  credentials(message) {
    if (message.message !== "login") return undefined;
    const [name = "", password = ""] = message.value.text.split("\0");
    return { name, password };
  },
  refusal: (reason) => ({ message: "refused", value: { text: reason } }),
};

function openChannel(side: Side, { dialect }: StreamSetup): Channel {
  return openFakeChannel({ side, dialect, carrier: "stream" });
}

/** Numbers in hex, answered with their sum so far: a stream with memory. */
const sums: PacketStream = {
  summary: "Sums of bytes, over all lines",
  senders: ["client"],
  options: [
    { name: "times", kind: "number", unit: "number", min: 1, max: 99, summary: "multiply each sum" },
    { name: "factor", kind: "document", names: ["two"], summary: "multiply by this too" },
    { name: "runningSum", kind: "switch", default: true, summary: "the sum of the lines before" },
  ],
  reversible: false,
  openReader({ options }) {
    let sum = 0;
    const read = (packet: Uint8Array): JsonObject => {
      if (options.runningSum === false) sum = 0;
      for (const byte of packet) sum += byte;
      const factor = options.factor === undefined ? 1 : options.factor === "two" ? 2 : Number(options.factor);
      return { sum: sum * factor * Number(options.times ?? 1) };
    };
    return {
      read,
      receive: ({ payload }) => read(payload),
      trace: (bytes) => ({
        bytes,
        fields: [...bytes].map((raw, at) => ({ path: `[${at}]`, bitOffset: at * 8, bitLength: 8, raw, shown: "!" })),
      }),
    };
  },
  openWriter: () => ({
    write({ sums: numbers }) {
      if (!Array.isArray(numbers)) throw new WireError("bad-value", "Cannot read sums: it must be a list", 0, "sums");
      return { packets: numbers.map((number) => String(number)) };
    },
  }),
  openChannel,
};

/** Words of a bot that has any. */
const words = [
  "hello",
  "/roll",
  "/later soon",
  "/room 2",
  "/room 1",
  "/appear",
  "/vanish",
  "/show",
  "/verdict",
  "/look",
  "/news of today",
];

/** It walks, or leaps; in dialects without steps, and now and then elsewhere, it talks. */
class FakeBot implements Bot<FakeClientMessage, FakeServerMessage> {
  readonly stepMs = 5;
  readonly #random: Random;
  readonly #stride: number;
  readonly #walks: boolean;
  readonly #width: number;
  #x = 0;
  #steps = 0;

  /** Throws `RangeError` for an unknown dialect. */
  constructor({ dialect, random, cheat, maps }: BotOptions) {
    this.#walks = fakeCodec(dialect).messages.some(({ message }) => message === "step");
    this.#random = random;
    this.#width = (maps !== undefined && isFakeMaps(maps) ? maps.width("1") : undefined) ?? 0xffff;
    this.#stride = cheat === "leap" ? 1000 : 1;
  }

  start(): readonly FakeClientMessage[] {
    return [];
  }

  receive(): readonly FakeClientMessage[] {
    return [];
  }

  step(): readonly FakeClientMessage[] {
    this.#steps += 1;
    if (this.#steps % COUNT_STEPS === 0) return [{ message: "count", value: { number: this.#steps & 0xff } }];
    if (!this.#walks || this.#steps % TALK_STEPS === 0) {
      return [{ message: "say", value: { text: this.#random.pick(words) } }];
    }
    this.#x = Math.min(this.#x + this.#stride, this.#width) & 0xffff;
    return [{ message: "step", value: { x: this.#x } }];
  }
}

/** It counts and talks at each of these steps. */
const COUNT_STEPS = 10;
const TALK_STEPS = 7;

/** The protocol `fake`, with the part `fake/sums`. */
export const fakeProtocol: Required<PlayableProtocol<FakeClientMessage, FakeServerMessage>> = {
  name: "fake",
  title: "Fake",
  summary: "For tests.",
  dialects: fakeDialects,
  defaultPort: 4999,
  codec: fakeCodec,
  openChannel: ((options: ChannelOptions) => openFakeChannel(options)) as Required<
    PlayableProtocol<FakeClientMessage, FakeServerMessage>
  >["openChannel"],
  createWorld: (options) => new FakeWorld(options),
  bots: { cheats: ["leap"], create: (options) => new FakeBot(options) },
  streams: {
    "": payloadStream({
      summary: "Payloads",
      codec: ({ dialect }) => fakeCodec(dialect) as PayloadCodec,
      openChannel,
    }),
    sums,
  },
  capabilities: {
    login: {
      admission(dialect) {
        fakeCodec(dialect);
        return dialect === "login" ? admission : undefined;
      },
    },
    maps: fakeMapReading,
    settings: {
      values: {
        opcode: {
          summary: "Number of the only message",
          kind: "game",
          unit: "",
          default: 7,
          least: 0,
          most: 255,
          isWhole: true,
          source: "ours",
          rules: [],
        },
      },
      configure({ opcode = 7 }) {
        if (opcode > 255) throw new RangeError(`fake.opcode must be a byte, got ${opcode}`);
        return { ...fakeProtocol, title: `Fake with opcode ${opcode}` };
      },
    },
  },
};
