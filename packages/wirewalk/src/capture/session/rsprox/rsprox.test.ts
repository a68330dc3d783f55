import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { propertyRuns, scaled, stride } from "../../../testing/scale.ts";
import { joinBytes, parseHex } from "../../../wire/index.ts";
import { findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as capture from "../../index.ts";
import { pcapngHeader } from "../../pcapng.ts";
import { pcapFile } from "../../testing/made-packets.ts";
import type { SessionHeader } from "../session.ts";
import { TRIED_BYTES } from "./fitting-revisions.ts";
import { isRsprox } from "./recognize.ts";
import { writeRsprox } from "./rsprox-writer.ts";
import {
  checkChange,
  checkCut,
  checkDamage,
  checkFile,
  readFile,
  recordText,
  writtenBack,
} from "./testing/check-rsprox.ts";
import { madeFile, madeHeader, madeRecords, madeSizes, START_MS } from "./testing/made-rsprox.ts";

const sizes = (revision: number): capture.MessageSizes | undefined => madeSizes.get(revision);
const sizes239 = madeSizes.get(239) as capture.MessageSizes;

test.each(["rsprox-reader.ts", "tick-clock.ts"])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...capture, parseHex });
});

/** By hand. Source: the form of `BinaryHeader.kt` and `BinaryStream.kt`. */
const head = parseHex(`
  00000001 000000ef 00000001 04 00 0000018bcfe56800
  012d 00000001 00 77 2e 65 78 61 6d 70 6c 65 00 2d 00
  0005 0002 abcd 44 65 6d 6f 00 00000000`);
const init = Uint8Array.from({ length: 4608 }, (_, at) => (at * 5) & 0xff);
const worked = joinBytes([
  head,
  parseHex("8931 1c 0003 007ff4"),
  parseHex("28 6e 04 00005860"),
  parseHex("01 80ff 1200"),
  init,
]);

/** The head with a byte changed, or bytes in the place of others. */
function headWith(at: number, hex: string, removed: number = hex.length / 2): Uint8Array {
  return joinBytes([head.subarray(0, at), parseHex(hex), head.subarray(at + removed)]);
}

describe("a file made by hand", () => {
  test("has its head, the observer, and three records", () => {
    expect(head.length).toBe(56);
    const { header, records, fault } = readFile(worked, madeSizes);
    expect(fault).toBeUndefined();
    expect(header).toEqual({
      format: "rsprox",
      protocol: "osrs",
      dialect: "client",
      settings: { revision: 239 },
      startMs: START_MS,
      observer: 5,
      flow: "client-w.example:43594",
      fields: {
        headerVersion: 1,
        revision: 239,
        subRevision: 1,
        clientType: 4,
        platformType: 0,
        timestamp: START_MS,
        worldId: 301,
        worldFlags: 1,
        worldLocation: 0,
        worldHost: "w.example",
        worldActivity: "-",
        localPlayerIndex: 5,
        accountHash: "abcd",
        clientName: "Demo",
        js5MasterIndex: "",
      },
    });
    expect(records).toEqual([
      { number: 0, byteOffset: 41, timeMs: START_MS, sender: "server", payload: Uint8Array.of(253, 0, 5) },
      { number: 1, byteOffset: 56, timeMs: START_MS + 600, sender: "server", payload: parseHex("1c 007ff4") },
      { number: 2, byteOffset: 64, timeMs: START_MS + 620, sender: "client", payload: parseHex("6e 00005860") },
      {
        number: 3,
        byteOffset: 71,
        timeMs: START_MS + 620,
        sender: "server",
        payload: joinBytes([Uint8Array.of(255), init]),
      },
    ]);
  });

  test("is written back byte for byte", () => {
    expect(writtenBack(readFile(worked, madeSizes), madeSizes)).toEqual(worked);
  });

  test("gives the same in pieces of one byte, and after each cut", () => {
    checkFile(worked, madeSizes, 1);
    const whole = { file: worked, sizes: madeSizes, read: readFile(worked, madeSizes) };
    for (let length = 0; length < 120; length++) checkCut(whole, length, 3);
  });

  test("keeps what is before a changed byte", () => {
    const file = worked.subarray(0, 71);
    const small = { file, sizes: madeSizes, read: readFile(file, madeSizes) };
    for (let at = 0; at < file.length; at++) {
      for (let change = 1; change < 0x100; change += stride(7)) checkChange(small, at, change, 5);
    }
  });

  test("without an observer has no record for it", () => {
    const { header, records, fault } = readFile(joinBytes([headWith(41, "0000"), worked.subarray(56, 64)]), madeSizes);
    expect([header?.observer, records.map(({ number }) => number), fault]).toEqual([undefined, [1], undefined]);
    expect(header).not.toHaveProperty("observer");
  });

  test("may have any of the characters of Windows-1252", () => {
    const file = joinBytes([headWith(29, "80819ffe00", 10), worked.subarray(56)]);
    const read = checkFile(file, madeSizes, 1);
    expect(read.header?.fields.worldHost).toBe("€\u0081Ÿþ");
  });
});

describe("a head is refused", () => {
  test.each([
    ["that is cut", head.subarray(0, 40), "truncated", "Cannot read header: the file ends 40 bytes into it at byte 0"],
    ["that is missing", new Uint8Array(0), "truncated", "Cannot read header: the file ends 0 bytes into it at byte 0"],
    ["of another version", headWith(3, "02"), "bad-value", "Cannot read header.headerVersion: 2 is not 1"],
    [
      "of RuneScape 3",
      headWith(47, "52533320 4e6174697665".replace(" ", ""), 4),
      "bad-value",
      'Cannot read header.clientName: "RS3 Native" is a client of RuneScape 3, whose messages are not those of Old School RuneScape at byte 47',
    ],
    ["after the year 9999", headWith(14, "0000e678"), "bad-value", "Cannot read header.timestampHigh"],
    ["with an index over 2047", headWith(41, "0800"), "bad-value", "Cannot read header.localPlayerIndex"],
    ["with a hash over its limit", headWith(43, "0401"), "limit", "Cannot read header.accountHash"],
    ["with a cache index over its limit", headWith(52, "00004001"), "limit", "Cannot read header.js5MasterIndex"],
    ["with a negative cache index", headWith(52, "ffffffff"), "limit", "Cannot read header.js5MasterIndex"],
    [
      "with a text without an end",
      joinBytes([head.subarray(0, 29), new Uint8Array(1026).fill(65)]),
      "limit",
      "Cannot read header.worldHost",
    ],
  ])("%s", (_name, file, code, text) => {
    const { header, records, fault } = readFile(file, madeSizes, 9);
    expect([header, records.length, fault?.error.code]).toEqual([undefined, 0, code]);
    expect(fault?.error.message.slice(0, text.length)).toBe(text);
  });

  test("at the byte that ends a limit, without the rest of the file", () => {
    const faults: number[] = [];
    const reader = capture.readRsprox({
      sizes,
      sink: { header: () => {}, record: () => {}, fault: (_error, byteOffset) => faults.push(byteOffset) },
    });
    reader.push(headWith(52, "7fffffff"));
    expect(faults).toEqual([52]);
  });
});

describe("a record is refused", () => {
  const one = worked.subarray(56, 64);
  test.each([
    ["6 bytes of time", "81818181 8101 1c", "limit", "its time has more than 5 bytes at byte 64"],
    ["a time over 32 bits", "9080808001", "limit", "its time and sender, 4294967297, are over 32 bits at byte 64"],
    ["a padded time", "8001", "bad-value", "its time begins with a byte of no value at byte 64"],
    ["an unknown opcode of the server", "01 1d", "unknown-message", "the server has no opcode 29 at byte 65"],
    ["an unknown opcode of the client", "00 1c", "unknown-message", "the client has no opcode 28 at byte 65"],
    ["an opcode over 255", "01 8101", "unknown-message", "the server has no opcode 257 at byte 65"],
    ["a padded opcode", "01 801c", "bad-value", "opcode 28 has two bytes at byte 65"],
    ["our own message", "01 80fd 0005", "unknown-message", "the server has no opcode 253 at byte 65"],
    ["a size over its limit", "01 1c 9c41", "limit", "size 40001 of opcode 28 is over its limit of 40000 at byte 66"],
    ["an end in its body", "01 1c 0003 00", "truncated", "the file ends 5 bytes into it at byte 64"],
  ])("with %s", (_name, hex, code, why) => {
    const read = checkFile(joinBytes([head, one, parseHex(hex)]), new Map([[239, sizes239]]), 1);
    expect(read.records.map(({ number }) => number)).toEqual([0, 1]);
    expect(read.fault?.error.code).toBe(code);
    expect(read.fault?.error.message.startsWith(`Cannot read record 2: ${why}`)).toBe(true);
  });
});

describe("a table that does not fit", () => {
  const random = createRandom(7);
  const sizes230 = madeSizes.get(230) as capture.MessageSizes;
  /** The name of another revision in a file of revision 230. */
  const named = (count: number, revision = "000000ef"): Uint8Array => {
    const file = madeFile(madeHeader(230), madeRecords(random, sizes230, count)).slice();
    file.set(parseHex(revision), 4);
    return file;
  };

  test("names the revisions that fit", () => {
    const file = named(40);
    const { error } = readFile(file, madeSizes).fault ?? {};
    expect(error?.message).toMatch(
      new RegExp(
        `at byte \\d+; the file's first ${file.length} bytes fit revision 230, not revision 239, which the head names$`,
      ),
    );
  });

  test("is tried on no more than the start of a long file", () => {
    const file = named(20_000);
    expect(file.length).toBeGreaterThan(TRIED_BYTES);
    const { error } = checkFile(file, madeSizes, 4096).fault ?? {};
    expect(error?.message).toContain(`; the file's first ${TRIED_BYTES} bytes fit revision 230, not`);
  });

  test("is told from damage, which fits no revision", () => {
    const file = joinBytes([named(40, "000000e6"), Uint8Array.of(1, 99)]);
    const { error } = readFile(file, madeSizes).fault ?? {};
    expect(error?.message).toContain(`; the file's first ${file.length} bytes fit no known revision (239, 230)`);
  });

  test("is not blamed for damage behind its start", () => {
    const file = joinBytes([named(20_000, "000000e6"), Uint8Array.of(1, 99)]);
    expect(readFile(file, madeSizes).fault?.error.message).toMatch(/the server has no opcode 99 at byte \d+$/);
  });

  test("is missing", () => {
    const file = named(40, "000000f2");
    const { header, records, fault } = checkFile(file, madeSizes, 100);
    expect([header?.settings.revision, records.length, fault?.error.code]).toEqual([242, 1, "unknown-variant"]);
    expect(fault?.error.message).toBe(
      "Cannot read records: no table of messages is known for revision 242 (--table FILE gives one) at byte " +
        `${fault?.byteOffset}; the file's first ${file.length} bytes fit revision 230, not revision 242, which the head names`,
    );
  });
});

describe("recognition", () => {
  test("needs the head, and no more", () => {
    for (let length = 0; length < head.length; length++) expect(isRsprox(worked.subarray(0, length))).toBeUndefined();
    expect(isRsprox(head)).toBe(true);
    expect(isRsprox(worked)).toBe(true);
  });

  test("takes RuneScape 3, which is refused with its reason", () => {
    expect(isRsprox(headWith(47, "52533320"))).toBe(true);
  });

  test.each([
    ["pcap", pcapFile([], { littleEndian: true, nanoseconds: true })],
    ["pcap, high byte first", pcapFile([], { littleEndian: false, nanoseconds: false })],
    ["pcapng", pcapngHeader({ application: "a test", interfaceName: "relay" })],
    ["gzip", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
    ["MCAP", Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a)],
    ["JSON", new TextEncoder().encode('{"a":1}')],
    ["hex", new TextEncoder().encode("00000001000000ef")],
    ["MapleShark", parseHex("2720 0c 31 2e 32 2e 33 2e 34 3a 35 30 30 30 88 13")],
    ["MapleShark before 2.0.1.2", parseHex("5300 8813 0000e4e85ee5db08 0280 2900 aabb")],
    ["a revision over 400", headWith(6, "0191")],
    ["a revision under 200", headWith(6, "00c7")],
    ["another version", headWith(3, "02")],
    ["an index over 2047", headWith(41, "ffff")],
  ])("is false for %s", (_name, file) => {
    expect(isRsprox(file)).toBe(false);
  });
});

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

  test("refuses a record before the one before it", () => {
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

  test("the observer again is no record", () => {
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

test("a window passes from record to record without a change, longest bodies too", () => {
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
  checkDamage(file, madeSizes, random, scaled(2000, 100));
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

test("a clock by ticks needs their end in the table", () => {
  expect(() => new capture.TickClock({ client: new Map(), server: new Map() })).toThrow(
    "The table has no SERVER_TICK_END",
  );
});
