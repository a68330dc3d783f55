/**
 * A protocol that is no game: the one fake of all tests. It has dialects with and without cipher, login, greeting and shared
 * frames, a part with lines that remember, a setting, a world with all kinds of effects, and bots.
 */
import type { Random } from "../../motion/index.ts";
import { parseHex } from "../../wire/index.ts";
import type { Bot, BotOptions } from "../bot.ts";
import type { ChannelOptions } from "../codec.ts";
import type { LineResult, LineTools } from "../line-tools.ts";
import { payloadLines } from "../lines.ts";
import type { Protocol } from "../protocol.ts";
import type { Admission } from "../world.ts";
import {
  type FakeClientMessage,
  type FakeServerMessage,
  fakeCodec,
  fakeDialects,
  openFakeChannel,
} from "./fake-codec.ts";
import { FakeWorld } from "./fake-world.ts";

const admission: Admission<FakeClientMessage, FakeServerMessage> = {
  credentials(message) {
    if (message.message !== "login") return undefined;
    const [name = "", password = ""] = message.value.text.split("\0");
    return { name, password };
  },
  refusal: (reason) => ({ message: "refused", value: { text: reason } }),
};

/** Lines of numbers in hex, answered with their sum so far: lines with memory. */
const sums: LineTools = {
  summary: "Sums of bytes, over all lines",
  senders: ["client"],
  flags: [
    { flag: "--times <number>", summary: "multiply each sum" },
    { flag: "--factor <name|file>", summary: "multiply by this too", fileUnless: ["two"] },
    { flag: "--plain-text", summary: "bare numbers" },
  ],
  decoder({ flags }) {
    let sum = 0;
    return {
      line(text): LineResult[] {
        for (const byte of parseHex(text)) sum += byte;
        const factor = flags.factor === undefined ? 1 : flags.factor === "two" ? 2 : Number(flags.factor);
        const value = sum * factor * Number(flags.times ?? 1);
        return [flags.plainText === true ? { text: String(value) } : { json: { sum: value } }];
      },
      end: () => [{ json: { lines: "done" } }],
    };
  },
  encoder: () => ({ line: (text) => [{ text: text.toUpperCase() }], end: () => [] }),
  trace: (bytes) => [
    {
      bytes,
      fields: [...bytes].map((raw, at) => ({ path: `[${at}]`, bitOffset: at * 8, bitLength: 8, raw, shown: "!" })),
    },
  ],
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
  #x = 0;
  #steps = 0;

  /** Throws `RangeError` for an unknown dialect. */
  constructor({ dialect, random, cheat }: BotOptions) {
    this.#walks = fakeCodec(dialect).messages.some(({ message }) => message === "step");
    this.#random = random;
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
    this.#x = (this.#x + this.#stride) & 0xffff;
    return [{ message: "step", value: { x: this.#x } }];
  }
}

/** It counts and talks at each of these steps. */
const COUNT_STEPS = 10;
const TALK_STEPS = 7;

/** The protocol `fake`, with the part `fake/sums`. */
export const fakeProtocol: Protocol<FakeClientMessage, FakeServerMessage> = {
  name: "fake",
  title: "Fake",
  summary: "For tests.",
  dialects: fakeDialects,
  defaultDialect: "plain",
  defaultPort: 4999,
  codec: fakeCodec,
  openChannel: ((options: ChannelOptions) => openFakeChannel(options)) as Protocol<
    FakeClientMessage,
    FakeServerMessage
  >["openChannel"],
  admission(dialect) {
    fakeCodec(dialect);
    return dialect === "login" ? admission : undefined;
  },
  createWorld: (options) => new FakeWorld(options),
  settings: { opcode: { summary: "Number of the only message", default: 7 } },
  configure({ opcode = 7 }) {
    if (opcode > 255) throw new RangeError(`fake.opcode must be a byte, got ${opcode}`);
    return { ...fakeProtocol, title: `Fake with opcode ${opcode}` };
  },
  cheats: ["leap"],
  createBot: (options) => new FakeBot(options),
  lines: {
    "": payloadLines({
      summary: "Payloads",
      codec: (dialect) => fakeCodec(dialect),
      openChannel: (options: ChannelOptions) => openFakeChannel(options) as never,
    }),
    sums,
  },
};
