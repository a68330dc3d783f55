/**
 * What the descriptions say is what the codecs do. A reader that knows nothing but descriptions (`interpret.ts`) reads what
 * the real ones read: payloads of the games' own bots, payloads made up from the descriptions, and both of them damaged.
 * Both must find the same value, or refuse with the same code at the same place.
 */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { ByteReader, encode, type LayoutNode, layoutOf, parseNode } from "../../wire/index.ts";
import { checkReadPlan, checkWritePlan, damagedValue } from "../../wire/testing/check-plan.ts";
import type { PayloadCodec } from "../codec.ts";
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
/** Payloads that are read and written with plans and without. */
const PLANNED = scaled(10_000, 60);

const dialects = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.flatMap(({ name }) =>
    (["client", "server"] as const).map(
      (sender) => [`${protocol.name} ${name}, from the ${sender}`, protocol, name, sender] as const,
    ),
  ),
);

/** The number that a payload begins with. */
function idOf({ id }: PayloadCodec, payload: Uint8Array): number {
  return id.layout.read(new ByteReader(payload));
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

  it("plans read and write what the layouts do without them", () => {
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
    const made = new Map(Object.entries(codec.layouts[sender]).map(([name, { node }]) => [name, layoutOf(node)]));
    for (const payload of corpus.slice(0, PLANNED)) {
      const id = idOf(codec, payload);
      const name = codec.messages.find((each) => each.sender === sender && each.id === id)?.message ?? "";
      const layout = made.get(name);
      if (layout === undefined) continue;
      const body = payload.subarray(encode(codec.id.layout, id).length);
      const value = checkReadPlan(layout, body);
      checkReadPlan(layout, mutated(random, body));
      if (value === undefined) continue;
      checkWritePlan(layout, value);
      checkWritePlan(
        layout,
        damagedValue(value, (count) => random.integer(0, count - 1), random.pick(wrong)),
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
