import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { expectEqual, withoutStackTraces } from "../../../../testing/inner-loops.ts";
import { scaled, stride } from "../../../../testing/scale.ts";
import { describeNode, type JsonObject, parseHex, sizeOf, tilingFault, WireError } from "../../../../wire/index.ts";
import type { PayloadCodec } from "../../../codec.ts";
import { generatedPayloads } from "../../../testing/generated-payloads.ts";
import { osrsCodec } from "../../osrs.ts";
import { payloads, traces } from "../testing/vectors.ts";
import { mouseDialects, mouseRules } from "./dialect.ts";
import { MouseCursor, packetSpan, readMousePacket, writeMousePacket } from "./packet.ts";
import { MAX_PAYLOAD_BYTES, type MousePacket, mousePacketDescription } from "./packet-description.ts";
import { traceMousePacket } from "./trace.ts";

withoutStackTraces();

const dialects = mouseDialects.map(({ name }) => name);

/** What reading gives: the value, or the refusal. Anything else that is thrown fails the test. */
function attempt<T>(work: () => T): T | WireError {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

describe("the real writer's packets", () => {
  it.each(traces.map((trace) => [trace.id, trace.kind, trace] as const))("trace %i, %s", (_id, kind, trace) => {
    const rules = mouseRules("client");
    let written = 0;
    let lastMs: number | undefined;
    let [lastX, lastY] = [-1, -1];
    // The samples that became records, with their times.
    const moves = trace.samples.flatMap(([x, y, timeMs]) => {
      const [cx, cy] = [x, y].map((value) => Math.min(Math.max(value, -1), 65_534)) as [number, number];
      if (cx === lastX && cy === lastY) return [];
      [lastX, lastY] = [cx, cy];
      return [timeMs];
    });
    trace.packets.forEach((hex, index) => {
      const bytes = parseHex(hex);
      const packet = readMousePacket("client", bytes);
      expect(writeMousePacket("client", packet)).toEqual(bytes);
      if (kind === "quirk-backwards-clock") return;
      expect(packet.records).toHaveLength(trace.recordsPerPacket[index] as number);
      expect(packet.cut).toHaveLength(0);
      expect(readMousePacket("client", bytes, { strict: true })).toEqual(packet);
      for (const { dt } of packet.records) expect(dt).toBe((trace.positions[written++]?.[2] as number) & 0x1fff);
      const endMs = moves[written - 1] as number;
      // A pause that came round is the one thing that the formula cannot know.
      if (kind !== "quirk-dt-wrap") {
        expect(packetSpan(rules, packet)).toBe(endMs - (lastMs ?? (moves[0] as number)));
      }
      lastMs = endMs;
    });
  });
});

it.each(dialects)("in %s they are the bodies of the codec's messages", (dialect) => {
  const codec = osrsCodec(dialect) as PayloadCodec;
  for (const payload of generatedPayloads(codec, "client", createRandom(31), scaled(2_000, 60))) {
    const message = codec.read("client", payload);
    expect(readMousePacket(dialect, payload.subarray(1))).toEqual(message.value);
    expect(writeMousePacket(dialect, message.value as MousePacket)).toEqual(codec.write("client", message).subarray(1));
  }
});

describe("any bytes", () => {
  const check = (dialect: string, bytes: Uint8Array): void => {
    const tolerant = attempt(() => readMousePacket(dialect, bytes));
    const strict = attempt(() => readMousePacket(dialect, bytes, { strict: true }));
    const trace = traceMousePacket(dialect, bytes);
    const strictTrace = traceMousePacket(dialect, bytes, { strict: true });
    if (tolerant instanceof WireError) {
      // Only what has no header, or cannot be a frame, is refused altogether.
      expect(bytes.length < 2 || bytes.length > MAX_PAYLOAD_BYTES).toBe(true);
      expect(strict).toEqual(tolerant);
      expect(trace.error?.toJSON()).toEqual(tolerant.toJSON());
      return;
    }
    expectEqual(trace.message?.value, tolerant);
    expectEqual(tilingFault(trace.fields, bytes.length), undefined);
    const again = writeMousePacket(dialect, tolerant);
    expectEqual(readMousePacket(dialect, again), tolerant);
    if (dialect !== "documented") expectEqual(again, new Uint8Array(bytes));
    if (strict instanceof WireError) {
      if (tolerant.cut.length === 0) expect.fail("refused, and nothing was cut");
      expectEqual(strict.bitOffset, (bytes.length - tolerant.cut.length) * 8);
      expectEqual(strictTrace.error?.toJSON(), strict.toJSON());
    } else {
      expectEqual(strict, tolerant);
      expectEqual(tolerant.cut.length, 0);
      expectEqual(strictTrace.error, undefined);
    }
  };

  // Every bit at full size, otherwise each 25th, beginning elsewhere in each vector.
  const step = stride(25);

  it.each(dialects)(`%s: every prefix and each ${step === 1 ? "bit" : `${step}th bit`} of every vector`, (dialect) => {
    for (const [index, payload] of payloads.entries()) {
      for (let length = 0; length <= payload.length; length++) check(dialect, payload.subarray(0, length));
      const damaged = payload.slice();
      for (let bit = index % step; bit < payload.length * 8; bit += step) {
        const byte = bit >> 3;
        damaged[byte] = (payload[byte] as number) ^ (1 << (bit & 7));
        check(dialect, damaged);
        damaged[byte] = payload[byte] as number;
      }
    }
  });

  it.each(dialects)("%s: random bytes", (dialect) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: "max" }), (bytes) => {
        check(dialect, bytes);
      }),
      { numRuns: 500 },
    );
  });
});

/** The document's "Server Code Example", line by line. Reading past the end throws, as its buffer does. */
function documentSample(bytes: Uint8Array): { timeWindow: number; entries: [x: number, y: number, time: number][] } {
  let at = 0;
  const readUnsignedByte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new RangeError("IndexOutOfBoundsException");
    at += 1;
    return value;
  };
  const readUnsignedShort = (): number => {
    if (at + 2 > bytes.length) throw new RangeError("IndexOutOfBoundsException");
    return (readUnsignedByte() << 8) | readUnsignedByte();
  };
  const readShort = (): number => (readUnsignedShort() << 16) >> 16;
  const averageTimePerIterationFloored = readUnsignedByte();
  const excessTime = readUnsignedByte();
  const entries: [number, number, number][] = [];
  while (at < bytes.length) {
    const currentByte = bytes[at] as number;
    let xOffset: number;
    let yOffset: number;
    let timeSinceLastMovement: number;
    if ((currentByte & 0xe0) === 0xe0) {
      timeSinceLastMovement = readUnsignedShort() & 0x1fff;
      yOffset = readShort();
      xOffset = readShort();
      if (xOffset === 0 && yOffset === -0x8000) {
        xOffset = -1;
        yOffset = -1;
      }
    } else if ((currentByte & 0xe0) === 0xc0) {
      timeSinceLastMovement = readUnsignedByte() & 0x1f;
      yOffset = readShort();
      xOffset = readShort();
      if (xOffset === 0 && yOffset === -0x8000) {
        xOffset = -1;
        yOffset = -1;
      }
    } else if ((currentByte & 0xe0) === 0x80) {
      timeSinceLastMovement = readUnsignedByte() & 0x1f;
      const packed = readUnsignedShort();
      xOffset = (packed >> 8) - 128;
      yOffset = (packed & 0xff) - 128;
    } else {
      const packed = readUnsignedShort();
      timeSinceLastMovement = (packed >> 12) & 0x7;
      xOffset = (packed >> 6) & 0x1f;
      yOffset = packed & 0x1f;
    }
    entries.push([xOffset, yOffset, timeSinceLastMovement]);
  }
  return { timeWindow: entries.length * averageTimePerIterationFloored + excessTime, entries };
}

describe("documented: the document's own sample", () => {
  /** Random bytes, and random records glued together, whole or cut, so that both outcomes are common. */
  function randomPayload(random: ReturnType<typeof createRandom>): Uint8Array {
    const byte = (): number => random.integer(0, 255);
    if (random.chance(0.3)) return Uint8Array.from({ length: random.integer(0, 40) }, byte);
    const bytes = [byte(), byte()];
    for (let records = random.integer(0, 20); records > 0; records--) {
      const first = random.chance(0.02) ? byte() : random.pick([0, 0x20, 0x40, 0x60, 0x80, 0xc0, 0xe0]) | (byte() & 31);
      const length = first < 0x80 ? 2 : first < 0xc0 ? 3 : first < 0xe0 ? 5 : 6;
      const record = [first, ...Array.from({ length: length - 1 }, byte)];
      if (first >= 0xc0 && random.chance(0.1)) record.splice(length - 4, 4, 0x80, 0, 0, 0);
      bytes.push(...record);
    }
    return Uint8Array.from(random.chance(0.1) ? bytes.slice(0, -1) : bytes);
  }

  const packets = scaled(100_000, 400);

  it(`agrees with our reader on ${packets} packets, or both refuse`, () => {
    const random = createRandom(3);
    const rules = mouseRules("documented");
    const counts = { agreed: 0, refused: 0, excepted: 0 };
    while (counts.agreed + counts.refused < packets) {
      const bytes = randomPayload(random);
      const ours = attempt(() => readMousePacket("documented", bytes, { strict: true }));
      if (ours instanceof WireError && ours.code === "unknown-variant") {
        // A0-BF: the sample reads it as small, ours has no such form.
        expectEqual((bytes[ours.bitOffset / 8] as number) >> 5, 5);
        counts.excepted += 1;
        continue;
      }
      let sample: ReturnType<typeof documentSample> | undefined;
      try {
        sample = documentSample(bytes);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      if (ours instanceof WireError) {
        expectEqual(sample, undefined);
        counts.refused += 1;
        continue;
      }
      expectEqual(packetSpan(rules, ours), sample?.timeWindow);
      expectEqual(
        ours.records.map(({ x, y, dt }) => [x, y, dt]),
        sample?.entries,
      );
      counts.agreed += 1;
    }
    expect(counts.agreed).toBeGreaterThan(packets / 2);
    expect(counts.refused).toBeGreaterThan(packets / 10);
    expect(counts.excepted).toBeGreaterThan(packets / 100);
  });

  it("marks the one offset that it takes for outside", () => {
    const { records } = readMousePacket("documented", parseHex("0000 c280000000 c27fff0000 82 7f 7f"));
    expect(records).toEqual([
      { form: "largeQuick", dt: 2, x: -1, y: -1, outside: true, button: 0 },
      { form: "largeQuick", dt: 2, x: 0, y: 32_767, outside: false, button: 0 },
      { form: "medium", dt: 2, x: -1, y: -1, outside: false, button: 0 },
    ]);
  });
});

describe("refusals", () => {
  it.each([
    ["", "truncated", "Cannot read average: 1 byte needed, 0 left at byte 0", "average"],
    ["05", "truncated", "Cannot read excess: 1 byte needed, 0 left at byte 1", "excess"],
    ["0500 295e e860", "truncated", "Cannot read records[1]: 6 bytes needed, 2 left at byte 4", "records[1]"],
    ["0500 29", "truncated", "Cannot read records[0]: 2 bytes needed, 1 left at byte 2", "records[0]"],
    [
      "0500 295e 295e a021",
      "unknown-variant",
      "Cannot read records[2].form: a record beginning with a0 has no form, at byte 6",
      "records[2].form",
    ],
    ["00".repeat(256), "limit", "Cannot read payload: 256 bytes are over its limit of 255", "payload"],
  ])("%s", (hex, code, message, path) => {
    const error = attempt(() => readMousePacket("client", parseHex(hex), { strict: true }));
    expect(error).toMatchObject({ code, message, path });
  });

  it.each(dialects)("%s: a payload of 255 bytes, the most that a frame holds, is read and written", (dialect) => {
    const payload = new Uint8Array(255);
    const packet = readMousePacket(dialect, payload);
    expect(packet.records.length).toBeGreaterThan(80);
    expect(writeMousePacket(dialect, packet)).toEqual(payload);
  });

  it("native counts the button: a record without it is cut", () => {
    const error = attempt(() => readMousePacket("native", parseHex("0000 295e"), { strict: true }));
    expect(error).toMatchObject({
      code: "truncated",
      message: "Cannot read records[0]: 3 bytes needed, 2 left at byte 2",
    });
    expect(readMousePacket("native", parseHex("0000 295e 08")).records[0]).toMatchObject({ button: 8, x: 5, y: -2 });
  });

  it("a header of a clock that went back is signed", () => {
    expect(readMousePacket("client", parseHex("fb00 295e"))).toMatchObject({ average: -5, excess: 0 });
    expect(readMousePacket("documented", parseHex("fb00 295e"))).toMatchObject({ average: 251, excess: 0 });
  });
});

describe("writing is strict with its caller", () => {
  const record = { form: "small", dt: 1, x: 1, y: 1, outside: false, button: 0 } as const;
  const write = (fields: object, dialect = "client") =>
    writeMousePacket(dialect, {
      average: 0,
      excess: 0,
      cut: new Uint8Array(),
      records: [record, { ...record, ...fields }],
    });

  it.each<[string, object, string?]>([
    ["Cannot write records[1].dt: u3 must be an integer in 0..7, got 8", { dt: 8 }],
    ["Cannot write records[1].x: u6 must be an integer in -32..31, got 32", { x: 32 }],
    ["Cannot write records[1].x: u5 must be an integer in 0..31, got -1", { x: -1 }, "documented"],
    ["Cannot write records[1].y: u8 must be an integer in -128..127, got 200", { form: "medium", y: 200 }],
    ["Cannot write records[1].x: u16be must be an integer in 0..65535, got -1", { form: "full", x: -1 }],
    ["Cannot write records[1].y: value must not be y 32768, x 0, the mark", { form: "full", x: 0, y: 32_768 }],
    ["Cannot write records[1].outside: value must be false, got true", { outside: true }],
    ["Cannot write records[1].button: value must be 0, got 2", { button: 2 }],
    ["Cannot write records[1].form: value must be one of small, medium, largeQuick, full, got tiny", { form: "tiny" }],
    ["Cannot write records[1].dt: u3 must be an integer in 0..7, got 1", { dt: "1" }],
  ])("%s", (message, fields, dialect) => {
    expect(() => write(fields, dialect)).toThrow(message);
  });

  it("a packet that no frame holds is refused", () => {
    const records = Array.from({ length: 200 }, () => record);
    expect(() => writeMousePacket("client", { average: 0, excess: 0, cut: new Uint8Array(), records })).toThrow(
      RangeError,
    );
  });
});

it("a cursor gives the records of the object reader, packet after packet", () => {
  for (const dialect of dialects) {
    const cursor = new MouseCursor(dialect);
    for (const payload of payloads) {
      cursor.open(payload);
      const seen: object[] = [];
      while (cursor.next()) {
        const { form, dt, x, y, outside, button } = cursor;
        seen.push({ form, dt, x, y, outside, button });
      }
      expect(seen).toEqual(readMousePacket(dialect, payload).records.map((record) => ({ ...record })));
      const { offset } = cursor;
      cursor.open(payload);
      let skipped = 0;
      while (cursor.skip()) skipped += 1;
      expect([skipped, cursor.offset]).toEqual([seen.length, offset]);
    }
  }
});

it("packets are JSON, with what was cut as hex", () => {
  const codec = osrsCodec("client");
  const value = readMousePacket("client", parseHex("fb00 ffff000a000a e860"));
  const json = codec.toJson("client", { message: "mouseMove", value });
  expect(json).toMatchObject({ message: "mouseMove", value: { average: -5, cut: "e860" } });
  expect(codec.fromJson("client", json).value).toEqual(value);
  const { cut: _cut, ...rest } = json.value as JsonObject;
  expect(codec.fromJson("client", { message: "mouseMove", value: rest }).value).toEqual({
    ...value,
    cut: new Uint8Array(),
  });
  expect(() => codec.fromJson("client", { ...json, message: "walk" })).toThrow(WireError);
  expect(() => codec.fromJson("client", { message: "mouseMove", value: { average: 300 } })).toThrow(WireError);
  expect(() =>
    codec.fromJson("client", { message: "mouseMove", value: { ...(json.value as object), extra: 1 } }),
  ).toThrow("extra");
  const records = Array.from({ length: 127 }, () => ({ form: "small", dt: 0, x: 0, y: 0, outside: false, button: 0 }));
  const tooLong = attempt(() => codec.fromJson("client", { message: "mouseMove", value: { ...rest, records } }));
  expect(tooLong).toMatchObject({ code: "limit", path: "payload" });
});

it("the description is data, with sizes and rows", () => {
  for (const rules of mouseDialects) {
    const { node } = mousePacketDescription(rules.name);
    expect(sizeOf(node)).toEqual({ least: 16, most: 255 * 8 });
  }
  const rows = describeNode(mousePacketDescription("documented").node).map(({ path, type }) => `${path}: ${type}`);
  expect(rows.slice(0, 9)).toEqual([
    "average: u8",
    "excess: u8",
    "records: list, to the end",
    "records[].form: prefix code",
    "(form small) records[].dt: u3",
    "(form small) records[].unused: unused",
    "(form small) records[].x: u5",
    "(form small) records[].unused: unused",
    "(form small) records[].y: u5",
  ]);
});
