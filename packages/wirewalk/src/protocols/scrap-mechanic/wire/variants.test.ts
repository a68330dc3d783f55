/** What is generated for every way of reading packets, which `testing/codecs.test.ts` has for the dialect's own way alone. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { expectEqual, withoutStackTraces } from "../../../testing/inner-loops.ts";
import { scaled } from "../../../testing/scale.ts";
import { generate } from "../../../wire/describe/generate.ts";
import { decode, encode, type Layout } from "../../../wire/index.ts";
import type { PayloadCodec } from "../../codec.ts";
import { outcomeOf, proveOn, say } from "../../testing/codec-proof.ts";
import { generatedPayloads } from "../../testing/generated-payloads.ts";
import { sides } from "../../testing/payloads.ts";
import { mutated } from "../../testing/random-bytes.ts";
import { scrapCodec } from "./codec.ts";
import { compiledMovementBody, decodePlayerMovement, movementBody, movementPacketLayout } from "./player-movement.ts";
import { decodeUpdateBody, encodeUpdateBody, updateBody } from "./unreliable-update.ts";

withoutStackTraces();

const ways = [false, true].flatMap((lenient) => [true, false].map((countByte) => ({ lenient, countByte })));
const RUNS = scaled(20_000, 200);

describe.each(ways)("what is generated for $lenient lenient, $countByte count", (options) => {
  const codec = scrapCodec("documented", options) as PayloadCodec;
  const strictness = options.lenient ? "lenient" : "strict";

  it("reads and writes packets as the description says", () => {
    const random = createRandom(41);
    const count = { read: 0, refused: 0, written: 0 };
    for (const sender of sides) {
      for (const payload of generatedPayloads(codec, sender, random, RUNS)) {
        for (const each of [payload, mutated(random, payload)]) proveOn(codec, sender, each, random, count);
      }
    }
    expect(count.read).toBeGreaterThan(RUNS);
    expect(count.refused).toBeGreaterThan(RUNS / 2);
  });

  it("reads bodies and movement alone as the description says", () => {
    const random = createRandom(42);
    const { read, after } = compiledMovementBody(strictness);
    const readers: readonly [Layout<object>, (bytes: Uint8Array) => object][] = [
      [updateBody(options), (bytes) => decodeUpdateBody(bytes, options)],
      [movementPacketLayout(strictness), (bytes) => decodePlayerMovement(Uint8Array.of(0x1e, ...bytes), strictness)],
    ];
    for (let run = 0; run < RUNS; run++) {
      for (const [layout, byCode] of readers) {
        const whole = generate(layout.node, (low, high) => random.integer(low, high));
        for (const bytes of [whole, mutated(random, whole)]) {
          const found = outcomeOf(() => byCode(bytes));
          const described = outcomeOf(() => decode(layout, bytes));
          // Behind an id places in the bytes are one more.
          expectEqual(withoutPlace(found), withoutPlace(described));
        }
      }
      const body = generate(movementBody(strictness).node, (low, high) => random.integer(low, high));
      const value = decode(movementBody(strictness), body);
      expectEqual([read(body, 0, body.length), after()], [value, body.length]);
    }
  });

  it("writes bodies as the description says", () => {
    const random = createRandom(43);
    for (let run = 0; run < RUNS; run++) {
      const body = generate(updateBody(options).node, (low, high) => random.integer(low, high));
      const read = outcomeOf(() => decodeUpdateBody(body, options));
      if ("error" in read) continue;
      expectEqual(encodeUpdateBody(read.value, options), encode(updateBody(options), read.value));
    }
  });
});

function withoutPlace(outcome: ReturnType<typeof outcomeOf>): unknown {
  if (!("error" in outcome)) return outcome;
  const { code, path, message } = say(outcome) as { readonly code: string; readonly path: string; message: string };
  return [code, path, message.replace(/ at byte \d+( bit \d)?$/, "")];
}
