/**
 * What the descriptions say is what the codecs do. A reader that knows nothing but descriptions (`interpret.ts`) reads what
 * the real ones read: payloads of the games' own bots, payloads made up from the descriptions, and both of them damaged.
 * Both must find the same value, or refuse with the same code at the same place.
 */
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { encode, formatHex, type JsonValue, type LayoutNode, layoutOf, sizeOf, WireError } from "../../wire/index.ts";
import { generate } from "../../wire/testing/generate.ts";
import { interpret, Refusal } from "../../wire/testing/interpret.ts";
import type { PayloadCodec, Side } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import { protocols } from "../table.ts";
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

/** What a codec says of a payload, in the words of the interpreter. */
function realReading(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | WireError {
  try {
    return codec.toJson(sender, codec.read(sender, payload)).value as JsonValue;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

/** The payload by the description of the message that its id names; undefined for an id without a message. */
function describedReading(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | Refusal | undefined {
  const { id, layouts } = codec;
  const idBytes = sizeOf(id.node).most / 8;
  if (payload.length < idBytes) return new Refusal("truncated", 0, id.name);
  const number = interpret(id.node, payload.subarray(0, idBytes), 0);
  const info = codec.messages.find((each) => each.sender === sender && each.id === number);
  const layout = info && layouts[sender][info.message];
  return layout && interpret(layout.node, payload, idBytes);
}

/** Throws unless both readings are the same. */
function compare(codec: PayloadCodec, sender: Side, payload: Uint8Array): "value" | "refused" {
  const found = realReading(codec, sender, payload);
  const expected = describedReading(codec, sender, payload);
  const say = (reading: unknown): string =>
    reading instanceof WireError || reading instanceof Refusal
      ? `${reading.code} ${reading.path} at bit ${"bit" in reading ? reading.bit : reading.bitOffset}`
      : JSON.stringify(reading);
  const mismatch = (): Error =>
    new Error(`${formatHex(payload)}\n  codec:       ${say(found)}\n  description: ${say(expected)}`);
  if (expected === undefined) {
    if (!(found instanceof WireError && found.code === "unknown-message")) throw mismatch();
    return "refused";
  }
  if (expected instanceof Refusal) {
    if (!(found instanceof WireError)) throw mismatch();
    const sameCode = expected.code === "*" || expected.code === found.code;
    const samePlace = expected.bit < 0 || expected.bit === found.bitOffset;
    const samePath = expected.path === found.path || expected.code === "trailing";
    if (!sameCode || !samePlace || !samePath) throw mismatch();
    return "refused";
  }
  if (found instanceof WireError || JSON.stringify(found) !== JSON.stringify(expected)) throw mismatch();
  return "value";
}

/** Messages of a sender, with its id in front. */
function generated(codec: PayloadCodec, sender: Side, random: Random, count: number): Uint8Array[] {
  const { id, layouts } = codec;
  const messages = codec.messages.filter((each) => each.sender === sender);
  if (messages.length === 0) return [];
  return Array.from({ length: count }, () => {
    const { message, id: number } = random.pick(messages);
    const layout = layouts[sender][message];
    const body =
      layout === undefined ? new Uint8Array() : generate(layout.node, (low, high) => random.integer(low, high));
    return Uint8Array.of(...encode(id.layout, number), ...body);
  });
}

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
    ...generated(codec, sender, random, GENERATED),
  ];

  it("the codec reads what the descriptions say", () => {
    const values = corpus.filter((payload) => compare(codec, sender, payload) === "value");
    // Sides that send nothing have no corpus.
    if (codec.messages.some((each) => each.sender === sender)) expect(values.length).toBeGreaterThan(corpus.length / 2);
  });

  it("damaged payloads are read alike, or refused alike", { timeout: 600_000 }, () => {
    if (corpus.length === 0) return;
    const seen = { value: 0, refused: 0 };
    for (let count = 0; count < DAMAGED; count++)
      seen[compare(codec, sender, mutated(random, random.pick(corpus)))] += 1;
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
