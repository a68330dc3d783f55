import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { propertyRuns, scaled } from "../../../testing/scale.ts";
import { joinBytes, parseHex } from "../../../wire/index.ts";
import type * as capture from "../../index.ts";
import type { SessionHeader } from "../session.ts";
import { writeRsprox } from "./rsprox-writer.ts";
import { checkDamage, checkFile, readFile, recordText } from "./testing/check-rsprox.ts";
import { madeFile, madeHeader, madeRecords, madeSizes, START_MS } from "./testing/made-rsprox.ts";

const sizes = (revision: number): capture.MessageSizes | undefined => madeSizes.get(revision);
const sizes239 = madeSizes.get(239) as capture.MessageSizes;

describe("writing", () => {
  const write = (header: SessionHeader = madeHeader()): capture.SessionWriter => {
    const writer = writeRsprox({ sizes });
    writer.header(header);
    return writer;
  };
  const record = (timeMs: number, hex: string, sender: "client" | "server" = "server") => {
    return { timeMs, sender, payload: parseHex(hex) };
  };

  test("a session of other origin has a head of constants", () => {
    const { header } = readFile(writeRsprox({ sizes }).header(madeHeader()), madeSizes);
    expect(header?.fields).toEqual({
      headerVersion: 1,
      revision: 239,
      subRevision: 1,
      clientType: 1,
      platformType: 0,
      timestamp: START_MS,
      worldId: 0,
      worldFlags: 0,
      worldLocation: 0,
      worldHost: "10.0.0.1",
      worldActivity: "-",
      localPlayerIndex: 5,
      accountHash: "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb",
      clientName: "Wirewalk",
      js5MasterIndex: "",
    });
  });

  test("takes observer and start from the first record where the head has neither", () => {
    const { observer: _, ...rest } = madeHeader();
    const writer = writeRsprox({ sizes });
    expect(writer.header({ ...rest, startMs: undefined })).toHaveLength(0);
    const bytes = joinBytes([
      writer.record(record(START_MS + 0.9, "fd 0007")),
      writer.record(record(START_MS + 2.2, "53")),
    ]);
    const { header, records, fault } = readFile(bytes, madeSizes);
    expect([header?.observer, header?.startMs, fault]).toEqual([7, START_MS, undefined]);
    expect(records.map(recordText)).toEqual([
      `0 40 ${START_MS} server fd 00 07`,
      `1 ${bytes.length - 2} ${START_MS + 2} server 53`,
    ]);
  });

  test("cuts times to milliseconds, and no remainder adds up", () => {
    const times = Array.from({ length: 1000 }, (_, index) => START_MS + index * 0.7);
    const file = madeFile(
      madeHeader(),
      times.map((timeMs) => record(timeMs, "53")),
    );
    const { records } = readFile(file, madeSizes);
    expect(records.slice(1).map(({ timeMs }) => timeMs)).toEqual(times.map(Math.floor));
  });

  test.each([
    ["a session without a revision", { ...madeHeader(), settings: {} }, "the session has no setting revision"],
    ["a revision without a table", madeHeader(231), "no table of messages is known for revision 231"],
    ["another game", { ...madeHeader(), protocol: "maplestory" }, "it holds sessions of osrs, not of maplestory"],
    ["an index over 2047", madeHeader(239, 2048), "localPlayerIndex"],
    ["a host that is not Windows-1252", { ...madeHeader(), flow: "a-\u4e00:1" }, "worldHost"],
    ["a time after the year 9999", { ...madeHeader(), startMs: 2e15 }, "timestampHigh"],
    ["a time before 1970", { ...madeHeader(), startMs: -1 }, "timestamp"],
  ] as const)("refuses %s", (_name, header, why) => {
    expect(() => writeRsprox({ sizes }).header(header)).toThrow(RangeError);
    expect(() => writeRsprox({ sizes }).header(header)).toThrow(why);
  });

  test.each([
    [
      "a time before the head's",
      record(START_MS - 1, "53"),
      `a record at ${START_MS - 1} ms comes after ${START_MS} ms`,
    ],
    ["no time", record(Number.NaN, "53"), "a record at NaN ms"],
    ["a pause over 31 bits", record(START_MS + 2 ** 31, "53"), "a pause of 2147483648 ms is over 2147483647"],
    ["a second observer", record(START_MS, "fd 0006"), "a file has one observer, 5, not 6 as well"],
    ["a cut observer", record(START_MS, "fd 00"), "playerIndex has 3 bytes, got 2"],
    ["an opcode that the table does not have", record(START_MS, "54"), "the server has no opcode 84"],
    ["an opcode of the other side", record(START_MS, "6e", "server"), "the server has no opcode 110"],
    ["no opcode", record(START_MS, ""), "a record has no opcode"],
    ["a body of another size", record(START_MS, "53 00"), "a body of opcode 83 of the server has 0 bytes, got 1"],
    [
      "a long body",
      record(START_MS, `96${"00".repeat(256)}`),
      "a body of opcode 150 of the server has at most 255 bytes, got 256",
    ],
    ["a longer body", record(START_MS, `1c${"00".repeat(40_001)}`), "has at most 40000 bytes, got 40001"],
  ])("refuses %s, and goes on unchanged", (_name, wrong, why) => {
    const writer = write();
    const good = record(START_MS + 600, "1c 007ff4");
    expect(() => writer.record(wrong)).toThrow(RangeError);
    expect(() => writer.record(wrong)).toThrow(why);
    expect(writer.record(good)).toEqual(write().record(good));
  });

  test("refuses a record that is earlier than the one before it", () => {
    const writer = write();
    writer.record(record(START_MS + 600, "53"));
    expect(() => writer.record(record(START_MS + 599.9, "53"))).toThrow("comes after");
  });

  test("refuses a first record that is not playerIndex where the head has no observer", () => {
    const { observer: _, ...rest } = madeHeader();
    expect(() => write(rest).record(record(START_MS, "53"))).toThrow("the header has no observer");
  });

  test("has one header, which comes first", () => {
    expect(() => write().header(madeHeader())).toThrow(TypeError);
    expect(() => writeRsprox({ sizes }).record(record(START_MS, "53"))).toThrow(TypeError);
  });

  test("writes no record for the same observer again", () => {
    expect(write().record(record(START_MS, "fd 0005"))).toHaveLength(0);
  });
});

test("random sessions come back as they were written, in pieces of any size", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 5000 }), fc.constantFrom(239, 230), (seed, step, revision) => {
      const random = createRandom(seed);
      const records = madeRecords(random, madeSizes.get(revision) as capture.MessageSizes, random.integer(0, 120));
      const read = checkFile(madeFile(madeHeader(revision), records), madeSizes, step);
      expect(read.fault).toBeUndefined();
      expect(read.records.slice(1).map(({ timeMs, sender, payload }) => ({ timeMs, sender, payload }))).toEqual(
        records,
      );
    }),
    { numRuns: propertyRuns },
  );
});

test("a new window changes no record, also among the longest bodies", () => {
  const random = createRandom(3);
  const long = Uint8Array.from({ length: 40_001 }, (_, at) => (at === 0 ? 28 : at & 0xff));
  const records = madeRecords(random, sizes239, 4000).flatMap((record, index) =>
    index % 100 === 0 ? [record, { timeMs: record.timeMs, sender: "server" as const, payload: long }] : [record],
  );
  const read = readFile(madeFile(madeHeader(), records), madeSizes, 100_000);
  expect(read.fault).toBeUndefined();
  expect(read.records.slice(1).map(({ timeMs, sender, payload }) => ({ timeMs, sender, payload }))).toEqual(records);
});

test("cuts and changed bytes lose nothing before them", () => {
  const random = createRandom(1);
  const file = madeFile(madeHeader(), madeRecords(random, sizes239, 60));
  checkDamage(file, madeSizes, random, scaled(2000, 30));
});

test("a table with an opcode or a size that no message has is refused", () => {
  for (const [opcode, size] of [
    [256, 1],
    [-1, 1],
    [1, 40_001],
    [1, -1],
  ] as const) {
    const table = { client: new Map(), server: new Map([[opcode, { name: "WRONG", size }]]) };
    expect(() => writeRsprox({ sizes: () => table }).header(madeHeader())).toThrow(RangeError);
  }
});
