/** Schemas against what the codecs read and write, by a validator that knows nothing of layouts. */
import { describe, expect, it } from "vitest";
import { decodeLines } from "../../inspect/index.ts";
import { createRandom, type Random } from "../../motion/index.ts";
import { defaultDialect, type PayloadCodec, type Side } from "../../protocols/index.ts";
import { protocols } from "../../protocols/table.ts";
import { generatedPayloads } from "../../protocols/testing/generated-payloads.ts";
import { scale } from "../../testing/scale.ts";
import { type JsonObject, type JsonValue, WireError } from "../../wire/index.ts";
import { schemaValidator } from "../testing/schema-validator.ts";
import { messageSchema } from "./json-schema.ts";

/** Random messages of each kind. */
const MESSAGES = scale < 1 ? 15 : 10_000;
/** Messages in memory at a time. */
const BATCH = 1000;

const dialects = Object.values(protocols).flatMap((protocol) =>
  // A schema of MapleStory takes 50 ms to compile: a small run checks the default dialects.
  protocol.dialects
    .filter(({ name }) => scale >= 1 || name === defaultDialect(protocol))
    .flatMap(({ name }) =>
      (["client", "server"] as const)
        .filter((side) => protocol.codec(name).messages.some(({ sender }) => sender === side))
        .map((side) => [`${protocol.name} ${name}`, side, protocol, name] as const),
    ),
);

/** The JSON of a message as it comes out of a line. */
function readJson(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonObject | undefined {
  try {
    return JSON.parse(JSON.stringify(codec.toJson(sender, codec.read(sender, payload))));
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** The payload of the JSON, or why the codec cannot write it. */
function attemptWrite(codec: PayloadCodec, sender: Side, json: JsonObject): Uint8Array | Error {
  try {
    return codec.write(sender, codec.fromJson(sender, json));
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError || error instanceof TypeError) return error;
    throw error;
  }
}

const wrong: readonly JsonValue[] = [
  -1,
  0.5,
  256,
  70_000,
  2 ** 32,
  -(2 ** 31) - 1,
  1e39,
  "x",
  "0",
  "zz",
  "\u2000",
  null,
  true,
  [],
  {},
];

/** What encode refuses and a schema cannot say. docs/export.md lists them. */
const beyondSchemas: readonly RegExp[] = [
  // A meaning beside its bytes: both are well-formed, and do not agree.
  /: it is not what \w+ says/,
  // The bytes of all fields together.
  /bytes are over its limit of /,
  // The first byte of an item, which a schema does not know.
  /: it must not begin with the byte /,
];

/** The same JSON with one value at a random place changed, left out or added. */
function damaged(json: JsonValue, random: Random): JsonValue {
  if (typeof json !== "object" || json === null) return random.pick(wrong);
  if (Array.isArray(json)) {
    if (json.length === 0 || random.integer(0, 7) === 0) return random.pick(wrong);
    const at = random.integer(0, json.length - 1);
    return json.map((each, index) => (index === at ? damaged(each, random) : each));
  }
  const entries = Object.entries(json as JsonObject);
  const kind = random.integer(0, 11);
  if (entries.length === 0 || kind === 0) return { ...(json as JsonObject), more: 1 };
  const [name, value] = random.pick(entries);
  if (kind === 1) return Object.fromEntries(entries.filter(([key]) => key !== name));
  return { ...(json as JsonObject), [name]: damaged(value, random) };
}

describe.each(dialects)("%s, from the %s", (_name, sender, protocol, dialect) => {
  const codec = protocol.codec(dialect);
  const count = codec.messages.filter((each) => each.sender === sender).length * MESSAGES;
  const validate = schemaValidator(messageSchema({ protocol, dialects: [dialect], sender }, dialect));

  /** The same messages at each call, a batch at a time in memory. */
  function* corpus(): Generator<JsonObject> {
    const random = createRandom(14);
    for (let left = count; left > 0; left -= BATCH) {
      for (const payload of generatedPayloads(codec, sender, random, Math.min(left, BATCH))) {
        const json = readJson(codec, sender, payload);
        if (json !== undefined) yield json;
      }
    }
  }

  it("the schema accepts what decode prints", { timeout: 1_800_000 }, () => {
    let accepted = 0;
    for (const json of corpus()) {
      accepted += 1;
      const line = { ok: true, ...json };
      if (!validate(line)) throw new Error(`${JSON.stringify(line)}\n${JSON.stringify(validate.errors)}`);
    }
    expect(accepted).toBeGreaterThanOrEqual(count / 2);
  });

  it("the schema refuses what encode refuses", { timeout: 1_800_000 }, () => {
    const random = createRandom(15);
    let refused = 0;
    for (const json of corpus()) {
      const other = { ...json, value: damaged(json.value as JsonValue, random) };
      const isValid = validate(other);
      const written = attemptWrite(codec, sender, other);
      if (written instanceof Error) {
        refused += 1;
        if (isValid && !beyondSchemas.some((reason) => reason.test(written.message)))
          throw new Error(`${JSON.stringify(other)}\nencode: ${written.message}`);
      } else if (!isValid) {
        // encode also takes JSON in which what follows from the rest is left out: decode prints it.
        expect(JSON.stringify(other)).not.toBe(JSON.stringify(readJson(codec, sender, written)));
      }
    }
    expect(refused).toBeGreaterThan(count / 8);
  });
});

it("a line that was refused has a schema of its own", async () => {
  const [, , protocol, dialect] = dialects[0] as (typeof dialects)[number];
  const stream = protocol.streams?.[""];
  if (stream === undefined) throw new Error("no stream");
  const lines = decodeLines(stream, { dialect, sender: "client", framed: false, options: {} });
  const validate = schemaValidator(messageSchema({ protocol, dialects: [dialect] }, dialect));
  for (const line of ["", "00", "0008", "xx", "ffff"]) {
    const [result] = lines.line(line);
    if (result === undefined || !("error" in result)) throw new Error("not refused");
    const printed = JSON.parse(JSON.stringify({ ok: false, error: result.error, line: 1 }));
    expect(validate(printed)).toBe(true);
    expect(validate({ ...printed, more: 1 })).toBe(false);
  }
});
