/** Rules of `PayloadCodec`: any bytes are a message that encodes back, or are refused. */
import { createRandom } from "../../motion/index.ts";
import { formatHex, WireError } from "../../wire/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { equalBytes, mutated, randomBytes } from "./random-bytes.ts";
import { must, type Rule } from "./rule.ts";
import type { Subject } from "./subject.ts";

export const sides: readonly Side[] = ["client", "server"];
/** Payloads of each side in one check. */
const PAYLOADS = 200;
const MAX_NOISE_BYTES = 64;

/** The message in the bytes, or undefined when they are refused as they should be. */
export function readOrRefuse(codec: PayloadCodec, side: Side, payload: Uint8Array): WireMessage | undefined {
  try {
    return codec.read(side, payload);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** A payload is a message that encodes back to the same bytes, straight and by way of JSON, or it is a `WireError`. */
export function checkPayload(codec: PayloadCodec, side: Side, payload: Uint8Array): void {
  const before = payload.slice();
  const message = readOrRefuse(codec, side, payload);
  const trace = codec.trace(side, payload);
  const hex = formatHex(payload);
  must(equalBytes(before, payload), () => `reading changes the bytes ${formatHex(before)}`);
  must((message === undefined) === (trace.error !== undefined), () => `trace and read disagree about ${hex}`);
  if (message === undefined) return;
  const back = codec.write(side, message);
  const text = JSON.stringify(codec.toJson(side, message));
  // Compressed payloads have many forms: another one must at least say the same.
  const says = (bytes: Uint8Array): string | undefined => {
    const again = readOrRefuse(codec, side, bytes);
    return again && JSON.stringify(codec.toJson(side, again));
  };
  must(equalBytes(back, payload) || says(back) === text, () => `${hex} is written back as ${formatHex(back)}`);
  const json = JSON.parse(text) as ReturnType<PayloadCodec["toJson"]>;
  const byJson = codec.write(side, codec.fromJson(side, json));
  must(equalBytes(byJson, back), () => `${hex} is written back by way of JSON as ${formatHex(byJson)}`);
}

/** Every payload, some of them damaged. */
function checkPayloads(subject: Subject, seed: number): void {
  const random = createRandom(seed);
  for (const side of sides) {
    const valid = subject.payloads(seed, side);
    for (let count = 0; count < PAYLOADS; count++) {
      const isNoise = valid.length === 0 || random.chance(0.2);
      const payload = isNoise ? randomBytes(random, MAX_NOISE_BYTES) : random.pick(valid);
      checkPayload(subject.codec, side, isNoise || random.chance(0.3) ? payload : mutated(random, payload));
    }
  }
}

/** Each kind of message of the table that a play brings: read by its own sender alone, and no prefix of it is a message. */
function checkTable(subject: Subject, seed: number): void {
  const { codec } = subject;
  const names = new Set(codec.messages.map(({ sender, message }) => `${sender} ${message}`));
  must(names.size === codec.messages.length, () => "two rows of the table have the same sender and name");
  for (const side of sides) {
    for (const payload of subject.payloads(seed, side).slice(0, PAYLOADS)) {
      const message = codec.read(side, payload);
      must(names.has(`${side} ${message.message}`), () => `${message.message} of the ${side} is not in the table`);
    }
  }
}

export function codecRules(subject: Subject): readonly Rule[] {
  return [
    {
      name: "any bytes are a message that encodes back, or are refused",
      check: (seed) => checkPayloads(subject, seed),
    },
    { name: "reads what its table of messages names", check: (seed) => checkTable(subject, seed) },
  ];
}
