/**
 * What the descriptions say is what the codecs do. A reader that knows nothing but descriptions (`interpret.ts`) reads what
 * the real ones read: payloads of the games' own bots, payloads made up from the descriptions, and both of them damaged.
 * Both must find the same value, or refuse with the same code at the same place.
 */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { expectEqual } from "../../testing/inner-loops.ts";
import { scaled } from "../../testing/scale.ts";
import {
  ByteReader,
  encode,
  type LayoutNode,
  layoutOf,
  parseNode,
  readAt,
  readLayout,
  readPath,
  WireError,
} from "../../wire/index.ts";
import { damagedValue } from "../../wire/testing/damage-value.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import { protocols } from "../table.ts";
import { compareWithDescription } from "./described-reading.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { mutated } from "./random-bytes.ts";
import { Subject } from "./subject.ts";

/** Payloads of the bots, of each dialect and side. */
const PLAYED = scaled(500, 200);
/** Damaged payloads of each dialect and side. */
const DAMAGED = scaled(100_000, 150);
const GENERATED = scaled(10_000, 60);
/** Payloads that are read and written by the codec and by the interpreter. */
const INTERPRETED = scaled(10_000, 60);

const dialects = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.flatMap(({ name }) =>
    (["client", "server"] as const).map(
      (sender) => [`${protocol.name} ${name}, from the ${sender}`, protocol, name, sender] as const,
    ),
  ),
);

/** The message of a payload by the interpreter of descriptions alone. */
function interpreted({ id, messages, layouts }: PayloadCodec, sender: Side, payload: Uint8Array): WireMessage {
  const reader = new ByteReader(payload);
  const number = readAt(id.name, () => readLayout(id.layout, reader));
  const name = messages.find((each) => each.sender === sender && each.id === number)?.message ?? "";
  const layout = layouts[sender][name];
  if (layout === undefined) throw new WireError("unknown-message", "", 0, id.name);
  const value = readLayout(layout, reader);
  reader.expectEnd();
  return { message: name, value };
}

/** What a call gives, or what it throws. The words for an unknown message are those of the codec. */
function outcome(call: () => unknown): unknown {
  readPath.depth = 0;
  try {
    return call();
  } catch (error) {
    if (error instanceof WireError) {
      const { message, ...json } = error.toJSON();
      return json.code === "unknown-message" ? json : { message, ...json };
    }
    if (error instanceof RangeError || error instanceof TypeError) return `${error.name}: ${error.message}`;
    throw error;
  }
}

const subjects = new Map<string, Subject>();

/** Both sides send in one play of the bots. */
function subjectOf(protocol: Protocol, dialect: string): Subject {
  const key = `${protocol.name} ${dialect}`;
  const subject = subjects.get(key) ?? new Subject(protocol, dialect, { durationMs: scaled(12_000, 4000) });
  subjects.set(key, subject);
  return subject;
}

describe.each(dialects)("%s", (_name, protocol, dialect, sender) => {
  const codec = protocol.codec(dialect);
  const random = createRandom(23);
  const corpus = [
    ...subjectOf(protocol, dialect).payloads(1, sender).slice(0, PLAYED),
    ...generatedPayloads(codec, sender, random, GENERATED),
  ];

  it("the codec reads what the descriptions say", () => {
    const values = corpus.filter((payload) => compareWithDescription(codec, sender, payload) === "value");
    // Sides that send nothing have no corpus.
    if (codec.messages.some((each) => each.sender === sender)) expect(values.length).toBeGreaterThan(corpus.length / 2);
  });

  it("damaged payloads are read alike, or refused alike", { timeout: 600_000 }, () => {
    if (corpus.length === 0) return;
    const seen = { value: 0, refused: 0 };
    for (let count = 0; count < DAMAGED; count++)
      seen[compareWithDescription(codec, sender, mutated(random, random.pick(corpus)))] += 1;
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.value).toBeGreaterThan(0);
  });

  it("codecs read and write what the interpreter does, and refuse the same", () => {
    const wrong = [
      -1,
      0.5,
      300,
      70_000,
      2 ** 32,
      Number.NaN,
      1n,
      "x",
      "\u0100",
      null,
      undefined,
      true,
      [],
      {},
      new Uint8Array(1),
    ];
    for (const payload of corpus.slice(0, INTERPRETED)) {
      for (const some of [payload, mutated(random, payload)]) {
        expectEqual(
          outcome(() => codec.read(sender, some)),
          outcome(() => interpreted(codec, sender, some)),
        );
      }
      const message = outcome(() => codec.read(sender, payload)) as WireMessage;
      const layout = codec.layouts[sender][message.message];
      if (layout === undefined) continue;
      const head = codec.write(sender, message).length - encode(layout, message.value).length;
      const { value } = message;
      const damaged = damagedValue(value, (count) => random.integer(0, count - 1), random.pick(wrong)) as object;
      expectEqual(
        outcome(() => codec.write(sender, { ...message, value: damaged }).subarray(head)),
        outcome(() => encode(layout, damaged)),
      );
    }
  });

  it("a description is plain data, from which the layout can be made again", () => {
    const { layouts, messages } = codec;
    const names = messages.filter((each) => each.sender === sender).map((each) => each.message);
    expect(Object.keys(layouts[sender])).toEqual(names);
    for (const [message, layout] of Object.entries(layouts[sender])) {
      const copy = JSON.parse(JSON.stringify(layout.node)) as LayoutNode;
      expect(copy).toEqual(layout.node);
      expect(layoutOf(parseNode(copy)).node, message).toEqual(layout.node);
    }
  });
});
