/**
 * What the descriptions say is what the codecs do. A reader that knows nothing but descriptions (`interpret.ts`) reads what
 * the real ones read: payloads of the games' own bots, payloads made up from the descriptions, and both of them damaged.
 * Both must find the same value, or refuse with the same code at the same place.
 */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { type LayoutNode, layoutOf } from "../../wire/index.ts";
import type { Protocol } from "../protocol.ts";
import { protocols } from "../table.ts";
import { compareWithDescription } from "./described-reading.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { mutated } from "./random-bytes.ts";
import { Subject } from "./subject.ts";

/** Damaged payloads of each dialect and side. */
const DAMAGED = scaled(100_000, 1_500);
const GENERATED = scaled(10_000, 300);

const dialects = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.flatMap(({ name }) =>
    (["client", "server"] as const).map(
      (sender) => [`${protocol.name} ${name}, from the ${sender}`, protocol, name, sender] as const,
    ),
  ),
);

const subjects = new Map<string, Subject>();

/** Both sides send in one play of the bots. */
function subjectOf(protocol: Protocol, dialect: string): Subject {
  const key = `${protocol.name} ${dialect}`;
  const subject = subjects.get(key) ?? new Subject(protocol, dialect);
  subjects.set(key, subject);
  return subject;
}

describe.each(dialects)("%s", (_name, protocol, dialect, sender) => {
  const codec = protocol.codec(dialect);
  const random = createRandom(23);
  const corpus = [
    ...subjectOf(protocol, dialect).payloads(1, sender).slice(0, 500),
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

  it("a description is plain data, from which the layout can be made again", () => {
    const { layouts, messages } = codec;
    const names = messages.filter((each) => each.sender === sender).map((each) => each.message);
    expect(Object.keys(layouts[sender])).toEqual(names);
    for (const [message, layout] of Object.entries(layouts[sender])) {
      const copy = JSON.parse(JSON.stringify(layout.node)) as LayoutNode;
      expect(copy).toEqual(layout.node);
      expect(layoutOf(copy).node, message).toEqual(layout.node);
    }
  });
});
