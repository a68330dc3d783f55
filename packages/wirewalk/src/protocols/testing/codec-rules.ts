/** Rules of `PayloadCodec`: any bytes are a message that encodes back, or are refused. */
import { createRandom } from "../../motion/index.ts";
import { checkPayload, sides } from "./payloads.ts";
import { mutated, randomBytes } from "./random-bytes.ts";
import { must, type RuleSet } from "./rule.ts";
import type { Subject } from "./subject.ts";

/** Payloads of each side in one check. */
const PAYLOADS = 200;
const MAX_NOISE_BYTES = 64;

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

export const codecRules: RuleSet<never, Subject> = {
  needs: [],
  rules: [
    {
      name: "any bytes are a message that encodes back, or are refused",
      check: checkPayloads,
    },
    { name: "reads what its table of messages names", check: checkTable },
  ],
};
