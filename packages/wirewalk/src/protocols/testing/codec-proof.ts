/**
 * Three readers of the same descriptions, which must agree: the oracle of the tests (`interpret.ts`), the interpreter, and the
 * generated code. Payloads of bots and payloads made up from the descriptions, whole and damaged: the same value with its keys in
 * the same order, or the same code, path and place; and the same bytes, or the same path of a value that cannot be written.
 */
import type { Random } from "../../motion/index.ts";
import {
  ByteReader,
  ByteWriter,
  formatHex,
  type JsonObject,
  type JsonValue,
  readLayout,
  sizeOf,
  WireError,
  writeLayout,
} from "../../wire/index.ts";
import { interpret, Refusal } from "../../wire/testing/interpret.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { mutated } from "./random-bytes.ts";

/** What a reader says of a payload. */
type Reading =
  | { readonly message: WireMessage }
  | { readonly code: string; readonly path: string; readonly bit: number };

/** Text of any data: keys in their order, bytes and big numbers too. */
function textOf(data: unknown): string {
  return (
    JSON.stringify(data, (_key, each: unknown) => {
      if (typeof each === "bigint") return `${each}n`;
      if (each instanceof Uint8Array) return `hex ${formatHex(each)}`;
      if (typeof each === "number" && (!Number.isFinite(each) || Object.is(each, -0)))
        return `number ${Object.is(each, -0) ? "-0" : each}`;
      return each;
    }) ?? "undefined"
  );
}

function readingOf(read: () => WireMessage): Reading {
  try {
    return { message: read() };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { code: error.code, path: error.path, bit: error.bitOffset };
  }
}

/** A payload by the interpreter: its number, then the layout that it names. */
function interpreted(codec: PayloadCodec, sender: Side, payload: Uint8Array): WireMessage | undefined {
  const reader = new ByteReader(payload);
  const idBytes = sizeOf(codec.id.node).most / 8;
  if (payload.length < idBytes) return undefined;
  const number = readLayout(codec.id.layout, reader);
  const info = codec.messages.find((each) => each.sender === sender && each.id === number);
  const layout = info && codec.layouts[sender][info.message];
  if (info === undefined || layout === undefined) return undefined;
  const value = readLayout(layout, reader);
  reader.expectEnd();
  return { message: info.message, value };
}

/** The same by the oracle: JSON, a refusal, or undefined where no message has the number. */
function foretold(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | Refusal | undefined {
  const { id, layouts } = codec;
  const idBytes = sizeOf(id.node).most / 8;
  if (payload.length < idBytes) return new Refusal("truncated", 0, id.name);
  const number = interpret(id.node, payload.subarray(0, idBytes), 0);
  const info = codec.messages.find((each) => each.sender === sender && each.id === number);
  const layout = info && layouts[sender][info.message];
  return layout && interpret(layout.node, payload, idBytes);
}

/** Throws unless all three read a payload alike; says whether it is a message. */
export function compareReaders(codec: PayloadCodec, sender: Side, payload: Uint8Array): WireMessage | undefined {
  const disagree = (what: string, a: unknown, b: unknown): Error =>
    new Error(`${formatHex(payload)}\n  ${what}\n  generated:  ${textOf(a)}\n  other: ${textOf(b)}`);
  const generated = readingOf(() => codec.read(sender, payload));
  const oracle = foretold(codec, sender, payload);
  if (oracle === undefined) {
    if (!("code" in generated) || generated.code !== "unknown-message")
      throw disagree("the number has no message", generated, "");
    return undefined;
  }
  const plain = readingOf(() => interpreted(codec, sender, payload) ?? { message: "", value: {} });
  if ("message" in plain && plain.message.message === "") {
    if (!("code" in generated) || generated.code !== "truncated")
      throw disagree("there is no whole number", generated, oracle);
  } else if (textOf(plain) !== textOf(generated))
    throw disagree("the interpreter reads it otherwise", generated, plain);
  if (oracle instanceof Refusal) {
    if (!("code" in generated)) throw disagree("the oracle refuses it", generated, oracle);
    const { code, bit, path } = oracle;
    const isSame =
      (code === "*" || code === generated.code) &&
      (bit < 0 || bit === generated.bit) &&
      (path === generated.path || code === "trailing");
    if (!isSame) throw disagree("the oracle refuses it otherwise", generated, oracle);
    return undefined;
  }
  if ("code" in generated) throw disagree("the oracle reads it", generated, oracle);
  const json = (codec.toJson(sender, generated.message) as JsonObject).value;
  if (JSON.stringify(json) !== JSON.stringify(oracle)) throw disagree("the oracle reads another value", json, oracle);
  return generated.message;
}

/** What writing gives: bytes, or the kind of error and the path in it. */
function writing(write: () => Uint8Array): string {
  try {
    return formatHex(write());
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return `${error.name} ${/^Cannot write ([^:]*):/.exec(error.message)?.[1] ?? ""}`;
  }
}

/** Throws unless the interpreter and the generated code write a message alike, or refuse it at the same field. */
export function compareWriters(codec: PayloadCodec, sender: Side, message: WireMessage): void {
  const { id, layouts } = codec;
  const info = codec.messages.find((each) => each.sender === sender && each.message === message.message);
  const layout = layouts[sender][message.message];
  if (info === undefined || layout === undefined) throw new Error(`a ${sender} sends no ${message.message}`);
  const generated = writing(() => codec.write(sender, message));
  const plain = writing(() => {
    const writer = new ByteWriter();
    writeLayout(id.layout, writer, info.id);
    writeLayout(layout, writer, message.value);
    return writer.toBytes();
  });
  if (generated !== plain) throw new Error(`${textOf(message)}\n  generated:   ${generated}\n  interpreter: ${plain}`);
}

/** Values that writers must refuse, or take for what they are. */
const oddValues: readonly unknown[] = [
  -1,
  0.5,
  -0,
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

/** The value with one of its parts replaced, at any depth. */
export function withOddPart(value: unknown, random: Random): unknown {
  const odd = random.pick(oddValues);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return odd;
  const names = Object.keys(value);
  const name = names[random.integer(0, names.length)];
  if (name === undefined) return odd;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[name] = random.chance(0.3) ? odd : withOddPart(copy[name], random);
  return copy;
}

/** How many payloads were read, and how many were refused. */
export interface ProofCount {
  read: number;
  refused: number;
}

/** Compares `count` payloads of a sender: those of the corpus, damaged ones, and values with odd parts. Throws where two differ. */
export function proveCodec(
  codec: PayloadCodec,
  sender: Side,
  corpus: readonly Uint8Array[],
  random: Random,
  count: number,
): ProofCount {
  const seen: ProofCount = { read: 0, refused: 0 };
  if (corpus.length === 0) return seen;
  for (let index = 0; index < count; index++) {
    const whole = index < corpus.length ? (corpus[index] as Uint8Array) : random.pick(corpus);
    const message = compareReaders(codec, sender, index < corpus.length ? whole : mutated(random, whole));
    if (message === undefined) {
      seen.refused += 1;
      continue;
    }
    seen.read += 1;
    compareWriters(codec, sender, message);
    compareWriters(codec, sender, { ...message, value: withOddPart(message.value, random) as object });
  }
  return seen;
}
