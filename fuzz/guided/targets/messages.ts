/** Messages as values: what the writers and the readers of JSON refuse, and what they accept. */
import type { PayloadCodec, Side } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { dialectCodecs, payloadsOf, sides } from "./payloads.ts";
import { src } from "./sources.ts";

/** Runs `work`; undefined when it throws one of `refusals`. */
function unless<Value>(
  work: () => Value,
  refusals: readonly (abstract new (...args: never[]) => Error)[],
): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return undefined;
    throw error;
  }
}

type MessageCheck = (codec: PayloadCodec, side: Side, payload: Uint8Array, changes: Uint8Array) => void;

/** Reads a payload and changes what is in it, as value and as JSON: what is written of that is read, and written again as it is. */
export async function messageCheck(): Promise<MessageCheck> {
  const { WireError } = await import("wirewalk/wire");
  return (codec, side, payload, changes) => {
    const message = unless(() => codec.read(side, payload), [WireError]);
    if (message === undefined) return;
    /** Bytes that were written are read, and written again as they are. */
    const mustBeRead = (bytes: Uint8Array): void => {
      const again = codec.write(side, codec.read(side, bytes));
      if (Buffer.compare(bytes, again) !== 0) {
        throw new Error(
          `${Buffer.from(bytes).toString("hex")} is written again as ${Buffer.from(again).toString("hex")}`,
        );
      }
    };
    const json = { value: codec.toJson(side, message) as unknown };
    changeValue(json, changes, true);
    const isObject = typeof json.value === "object" && json.value !== null && !Array.isArray(json.value);
    const parsed = isObject ? unless(() => codec.fromJson(side, json.value as JsonObject), [WireError]) : undefined;
    if (parsed !== undefined) mustBeRead(codec.write(side, parsed));
    const changed = { value: structuredClone(message.value) as unknown };
    changeValue(changed, changes, false);
    const value = changed.value as object;
    const bytes = unless(() => codec.write(side, { message: message.message, value }), [RangeError, TypeError]);
    if (bytes !== undefined) mustBeRead(bytes);
  };
}

export const messages: Target = {
  name: "messages",
  summary: "a message with changed members, as value and as JSON: refused, or its bytes are read as what was written",
  cover: new RegExp(`${src}(?:wire/(?!testing)|protocols/(?:message-table|.*/wire/(?!engine/))).*(?<!\\.test)\\.ts$`),
  maxBytes: 300,
  async open() {
    const check = await messageCheck();
    const codecs = await dialectCodecs();
    const seeds: Uint8Array[] = [];
    for (const [which, codec] of codecs.entries()) {
      for (const [at, side] of sides.entries()) {
        for (const payload of await payloadsOf(codec, side)) {
          if (payload.length < 200) seeds.push(Uint8Array.of(which * 2 + at, payload.length, ...payload, 0, 0, 0));
        }
      }
    }
    return {
      seeds,
      run(input) {
        const [which = 0, length = 0] = input;
        const codec = codecs[(which >> 1) % codecs.length] as (typeof codecs)[number];
        const side = sides[which & 1] as (typeof sides)[number];
        check(codec, side, input.subarray(2, 2 + length), input.subarray(2 + length));
      },
    };
  },
};
