/**
 * Three readers of the same descriptions, which must agree: the oracle of the tests (`interpret.ts`), the interpreter, and the
 * generated code. Of the same payload they have the same value with its keys in the same order, or the same error at the same path
 * and bit. The interpreter and the generated code also agree on the words of errors, and on the bytes or the error of every value
 * that is written; the oracle reads what they write.
 */
import type { Random } from "../../motion/index.ts";
import {
  ByteReader,
  ByteWriter,
  decode,
  encode,
  formatHex,
  fromJson,
  type JsonValue,
  type Layout,
  readAt,
  readLayout,
  readPath,
  sizeOf,
  tilingFault,
  toJson,
  traceLayout,
  WireError,
  writeLayout,
} from "../../wire/index.ts";
import { interpret, Refusal } from "../../wire/testing/interpret.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { sameData, textOf } from "./same-data.ts";

/** Readers or writers that disagree. */
export class Difference extends Error {
  constructor(what: string, subject: string, readings: Readonly<Record<string, unknown>>) {
    const width = Math.max(...Object.keys(readings).map((name) => name.length)) + 1;
    const lines = Object.entries(readings).map(([name, each]) => `  ${`${name}:`.padEnd(width)} ${textOf(each)}`);
    super([`${what}: ${subject}`, ...lines].join("\n"));
    this.name = "Difference";
  }
}

/** What a reader says of a payload or a value: what came out, or the error. */
export type Outcome<T> = { readonly value: T } | { readonly error: Error };

/** What a call gives, or the error of bytes or of a value that it throws. */
export function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError || error instanceof RangeError) return { error };
    throw error;
  }
}

/** An error as data: of bytes with its code and place, of a value with its kind. */
export function sayError(error: Error): object {
  if (!(error instanceof WireError)) return { name: error.name, message: error.message };
  const { code, path, bitOffset, message } = error;
  // Which messages there are is said by tables of messages alone.
  return code === "unknown-message" ? { code, path, bitOffset } : { code, path, bitOffset, message };
}

/** An outcome as data. */
export const say = (outcome: Outcome<unknown>): unknown =>
  "error" in outcome ? sayError(outcome.error) : outcome.value;

interface Row {
  readonly id: number;
  readonly message: string;
  readonly layout: Layout<object>;
}

interface Rows {
  readonly idBytes: number;
  readonly byId: ReadonlyMap<number, Row>;
  readonly byName: ReadonlyMap<string, Row>;
}

const known = new WeakMap<PayloadCodec, Readonly<Record<Side, Rows>>>();

/** The messages of a sender by number and by name. */
function rowsOf(codec: PayloadCodec, sender: Side): Rows {
  const of = (side: Side): Rows => {
    const rows = codec.messages.flatMap(({ message, id, sender: own }) => {
      const layout = codec.layouts[side][message];
      return own === side && layout !== undefined ? [{ id, message, layout }] : [];
    });
    return {
      idBytes: sizeOf(codec.id.node).most / 8,
      byId: new Map(rows.map((row) => [row.id, row])),
      byName: new Map(rows.map((row) => [row.message, row])),
    };
  };
  const both = known.get(codec) ?? { client: of("client"), server: of("server") };
  known.set(codec, both);
  return both[sender];
}

/** A payload by the interpreter: its number, then the layout that it names. */
function interpreted(codec: PayloadCodec, sender: Side, payload: Uint8Array): WireMessage {
  const reader = new ByteReader(payload);
  readPath.depth = 0;
  const { id } = codec;
  const row = rowsOf(codec, sender).byId.get(readAt(id.name, () => readLayout(id.layout, reader)));
  if (row === undefined) throw new WireError("unknown-message", "", 0, id.name);
  const value = readLayout(row.layout, reader);
  reader.expectEnd();
  return { message: row.message, value };
}

/** The same by the oracle: JSON or a refusal. */
function foretold(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | Refusal {
  const { id } = codec;
  const { idBytes, byId } = rowsOf(codec, sender);
  if (payload.length < idBytes) return new Refusal("truncated", 0, id.name);
  const row = byId.get(interpret(id.node, payload.subarray(0, idBytes), 0) as number);
  return row === undefined ? new Refusal("unknown-message", 0, id.name) : interpret(row.layout.node, payload, idBytes);
}

/** Whether an error is the one that the oracle foretells. It leaves open why and where a compressed block is refused. */
export function isForetold({ code, bit, path }: Refusal, error: WireError): boolean {
  return (
    (code === "*" || code === error.code) &&
    (bit < 0 || bit === error.bitOffset) &&
    (code === "trailing" || path === error.path)
  );
}

/**
 * What the interpreter reads by a description. Throws a {@link Difference} unless the oracle reads the same, the trace has a place for
 * every bit of it, and its JSON is written as the value.
 */
export function compareInterpreter(layout: Layout<unknown>, bytes: Uint8Array): Outcome<unknown> {
  const { node } = layout;
  const found = outcomeOf(() => decode(layout, bytes));
  const oracle = interpret(node, bytes, 0);
  const trace = traceLayout(layout, bytes);
  const differ = (what: string): Difference =>
    new Difference(what, `${formatHex(bytes)} by ${JSON.stringify(node)}`, { found: say(found), oracle, trace });
  if ("error" in found) {
    if (!(found.error instanceof WireError && oracle instanceof Refusal && isForetold(oracle, found.error)))
      throw differ("the oracle does not refuse it so");
    if (trace.error === undefined || !sameData(sayError(trace.error), sayError(found.error)))
      throw differ("its trace is refused otherwise");
    return found;
  }
  if (oracle instanceof Refusal || !sameData(toJson(layout, found.value), oracle))
    throw differ("the oracle reads it otherwise");
  const fault = tilingFault(trace.fields, bytes.length);
  if (fault !== undefined || !sameData(trace.value, found.value)) throw differ(`its trace is another: ${fault}`);
  const json = JSON.stringify(oracle);
  const byJson = encode(layout, fromJson(layout, JSON.parse(json) as JsonValue));
  // Not the same bytes: the payload of a NaN is lost.
  if (JSON.stringify(toJson(layout, decode(layout, byJson))) !== json) throw differ("its JSON is written otherwise");
  return found;
}

/** Throws a {@link Difference} unless all three read a payload alike. Gives the message; undefined where they refuse it. */
export function compareReaders(codec: PayloadCodec, sender: Side, payload: Uint8Array): WireMessage | undefined {
  const generated = outcomeOf(() => codec.read(sender, payload));
  const plain = outcomeOf(() => interpreted(codec, sender, payload));
  const oracle = foretold(codec, sender, payload);
  const differ = (what: string): Difference =>
    new Difference(what, `a ${sender}'s ${formatHex(payload)}`, {
      generated: say(generated),
      interpreter: say(plain),
      oracle,
    });
  if ("error" in generated) {
    if (!("error" in plain && sameData(sayError(generated.error), sayError(plain.error))))
      throw differ("the interpreter does not refuse it so");
    if (!(generated.error instanceof WireError && oracle instanceof Refusal && isForetold(oracle, generated.error)))
      throw differ("the oracle does not refuse it so");
    return undefined;
  }
  if ("error" in plain || !sameData(generated.value, plain.value)) throw differ("the interpreter reads it otherwise");
  if (oracle instanceof Refusal || !sameData(codec.toJson(sender, generated.value).value, oracle))
    throw differ("the oracle reads it otherwise");
  return generated.value;
}

/**
 * Throws a {@link Difference} unless the interpreter and the generated code write a message alike, or refuse it alike. Gives the
 * bytes; undefined where they refuse it.
 */
export function compareWriters(codec: PayloadCodec, sender: Side, message: WireMessage): Uint8Array | undefined {
  const row = rowsOf(codec, sender).byName.get(message.message);
  if (row === undefined) throw new RangeError(`a ${sender} sends no ${message.message}`);
  const generated = outcomeOf(() => codec.write(sender, message));
  const plain = outcomeOf(() => {
    const writer = new ByteWriter();
    writeLayout(codec.id.layout, writer, row.id);
    writeLayout(row.layout, writer, message.value);
    return writer.toBytes();
  });
  if (!sameData(say(generated), say(plain)))
    throw new Difference("written otherwise", `a ${sender}'s ${textOf(message)}`, {
      generated: say(generated),
      interpreter: say(plain),
    });
  return "error" in generated ? undefined : generated.value;
}

/** Throws a {@link Difference} unless the oracle reads what is written of a message as that message. */
function compareWritten(codec: PayloadCodec, sender: Side, message: WireMessage, written: Uint8Array): void {
  const oracle = foretold(codec, sender, written);
  const json = codec.toJson(sender, message).value;
  if (!sameData(oracle, json))
    throw new Difference("the oracle reads what is written otherwise", formatHex(written), { json, oracle });
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
  -1n,
  2n ** 64n,
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
  if (names.length === 0) return odd;
  const name = random.pick(names);
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[name] = random.chance(0.3) ? odd : withOddPart(copy[name], random);
  return copy;
}

/** How many payloads were read and refused, and how many values were written: whole ones, and ones with an odd part. */
export interface ProofCount {
  read: number;
  refused: number;
  written: number;
}

/**
 * Compares the readers on a payload, and the writers on its message, whole and with an odd part or two. Adds to `count`; throws a
 * {@link Difference}.
 */
export function proveOn(
  codec: PayloadCodec,
  sender: Side,
  payload: Uint8Array,
  random: Random,
  count: ProofCount,
): void {
  const message = compareReaders(codec, sender, payload);
  if (message === undefined) {
    count.refused += 1;
    return;
  }
  count.read += 1;
  const written = compareWriters(codec, sender, message);
  if (written === undefined)
    throw new Difference("a message that was read cannot be written", formatHex(payload), { message });
  count.written += 1;
  // The oracle has read the payload itself as the message.
  if (!sameData(written, payload)) compareWritten(codec, sender, message, written);
  // Of two odd parts the writers must name the same one.
  const once = withOddPart(message.value, random);
  const odd = { ...message, value: (random.chance(0.3) ? withOddPart(once, random) : once) as object };
  if (typeof odd.value === "object" && odd.value !== null && compareWriters(codec, sender, odd) !== undefined)
    count.written += 1;
}
