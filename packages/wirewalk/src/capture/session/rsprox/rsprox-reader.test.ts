import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { stride } from "../../../testing/scale.ts";
import { joinBytes, parseHex } from "../../../wire/index.ts";
import { findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as capture from "../../index.ts";
import { TRIED_BYTES } from "./fitting-revisions.ts";
import { checkChange, checkCut, checkFile, readFile, writtenBack } from "./testing/check-rsprox.ts";
import { head, headWith, init, worked } from "./testing/hand-made.ts";
import { madeFile, madeHeader, madeRecords, madeSizes, START_MS } from "./testing/made-rsprox.ts";

const sizes = (revision: number): capture.MessageSizes | undefined => madeSizes.get(revision);
const sizes239 = madeSizes.get(239) as capture.MessageSizes;

test.each(["rsprox-reader.ts", "tick-clock.ts"])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...capture, parseHex });
});

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
    expect([header, records.length, fault?.error.code]).toEqual([undefined, 0, "unknown-variant"]);
    expect(fault?.error.message).toBe(
      "Cannot read records: no table of messages is known for revision 242 (--table FILE gives one) at byte " +
        `${fault?.byteOffset}; the file's first ${file.length} bytes fit revision 230, not revision 242, which the head names`,
    );
  });
});

test("a clock by ticks needs their end in the table", () => {
  expect(() => new capture.TickClock({ client: new Map(), server: new Map() })).toThrow(
    "The table has no SERVER_TICK_END",
  );
});
