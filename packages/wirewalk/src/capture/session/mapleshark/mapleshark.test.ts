import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { scaled, stride } from "../../../testing/scale.ts";
import { formatHex, joinBytes, parseHex } from "../../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import type { SessionHeader } from "../session.ts";
import { gameOf } from "./game.ts";
import { MapleSharkReader } from "./reader.ts";
import { isMsb } from "./recognize.ts";
import { checkDamagedMsb, checkMsb, damagedFiles, flipped, readMsb } from "./testing/check-msb.ts";
import { madeFiles, madeRecords } from "./testing/made-msb.ts";
import { LOOK_AHEAD_BYTES } from "./trial.ts";
import { mapleSharkVersions } from "./versions.ts";
import { MapleSharkWriter, type MapleSharkWriterOptions } from "./writer.ts";

const folder = new URL(".", import.meta.url);

test.each(["reader.ts", "writer.ts", "recognize.ts"])("the example of %s is true", async (name) => {
  const exports = await exportsIn(folder);
  const examples = findExamples(readFileSync(new URL(name, folder), "utf8"));
  expect(examples.length).toBe(1);
  for (const example of examples) runExample(example, { ...exports, formatHex, parseHex });
});

/** Assembled by hand: sheet 2.8. */
const v2027 = parseHex(
  "27 20 0c 31 2e 32 2e 33 2e 34 3a 35 30 30 30 88 13 0c 39 2e 39 2e 39 2e 39 3a 38 34 38 34 24 21 08 53 00 01 31 " +
    "00 00 e4 e8 5e e5 db 08 00 00 00 00 18 00 01 44 33 22 11 88 77 66 55",
);
const v2012 = parseHex("12 20 08 00 53 00 88 13 00 00 e4 e8 5e e5 db 08 02 80 29 00 aa bb");

/** A header of no file. */
const flow = "10.0.0.7:5000-10.0.0.1:8484";
const made: SessionHeader = {
  format: "pcap",
  protocol: "maplestory",
  dialect: "v95",
  settings: {},
  startMs: undefined,
  flow,
  fields: {},
};

describe("worked examples", () => {
  test("0x2027: one outbound packet with the states of its cipher", () => {
    const { header, records, faults } = checkMsb(v2027, 1);
    expect(faults).toEqual([]);
    expect(header).toEqual({
      format: "mapleshark",
      protocol: "maplestory",
      dialect: "v83",
      settings: {},
      startMs: 1_700_000_000_000,
      flow: "1.2.3.4:5000-9.9.9.9:8484",
      fields: {
        program: "MapleShark",
        version: 0x2027,
        versionName: "2.0.2.7",
        records: "size-32-ivs",
        time: "ticks",
        localEndpoint: "1.2.3.4:5000",
        localPort: 5000,
        remoteEndpoint: "9.9.9.9:8484",
        remotePort: 8484,
        locale: 8,
        localeName: "Global",
        build: 83,
        patchLocation: "1",
      },
    });
    expect(records).toEqual([
      {
        number: 1,
        byteOffset: 37,
        timeMs: 1_700_000_000_000,
        sender: "client",
        payload: Uint8Array.of(0x18, 0),
        fields: { ivBefore: 0x11223344, ivAfter: 0x55667788 },
      },
    ]);
  });

  test("0x2012: one outbound packet of two bytes", () => {
    const { header, records } = checkMsb(v2012, 3);
    expect(header).toMatchObject({ dialect: "v83", flow: "?:5000-?", fields: { version: 0x2012, locale: 8 } });
    expect(records).toEqual([
      { number: 1, byteOffset: 8, timeMs: 1_700_000_000_000, sender: "client", payload: parseHex("29 00 aa bb") },
    ]);
  });
});

describe.each(madeFiles(6))("$name", (file) => {
  const { bytes, header, records, offsets } = file;
  const original = readMsb(bytes);

  test("gives what was written, and the same bytes when it is written again", () => {
    const read = checkMsb(bytes, 1);
    expect(read.faults).toEqual([]);
    expect(read.records).toEqual(
      records.map((record, index) => ({ number: index + 1, byteOffset: offsets[index], ...record })),
    );
    const { version, program, records: form } = header.fields;
    expect(read.header).toMatchObject({ startMs: records[0]?.timeMs, fields: { version, program, records: form } });
    expect(isMsb(bytes)).toBe(true);
  });

  test("every cut and every changed byte gives what is before it, and one fault at most", () => {
    const changes = [0x01, 0x80, 0xff];
    for (let at = 0; at < bytes.length; at++) {
      checkDamagedMsb(file, original, { kind: "cut", at, bytes: bytes.slice(0, at) }, 1 + (at % 5));
      for (let index = at % 3; index < changes.length; index += stride(9)) {
        checkDamagedMsb(file, original, flipped(bytes, at, changes[index] as number), 1 + (at % 7));
      }
    }
  });

  test("2,000 cuts and 2,000 changed bytes of a longer file", () => {
    const long = madeFiles(40).find(({ name }) => name === file.name) as typeof file;
    const whole = readMsb(long.bytes);
    const count = scaled(2000, 20);
    let faults = 0;
    for (const damaged of damagedFiles(long.bytes, 7, count)) {
      faults += checkDamagedMsb(long, whole, damaged, 64).faults.length;
    }
    // A cut is a fault but at the end of a record; a changed byte is one where it is in a head.
    expect(faults).toBeGreaterThan(count * 0.8);
  });

  test("a file without records is its header", () => {
    const head = bytes.slice(0, offsets[0]);
    const read = checkMsb(head, 1);
    expect(read.faults).toEqual([]);
    expect(read.header).toMatchObject({ startMs: undefined, fields: { build: 83 } });
  });
});

describe("versions", () => {
  test.each([0x2013, 0x2016, 0x201f, 0x2028, 0x202f, 0x2031, 0x2000, 0xd4c3])("0x%s is refused by name", (version) => {
    const file = Uint8Array.of(version & 0xff, version >> 8, ...v2027.slice(2));
    const [fault] = checkMsb(file, 1).faults;
    expect(fault?.[0]).toContain(`Cannot read header.version: 0x${version.toString(16)} (`);
    expect(fault?.[1]).toBe(0);
  });

  test("an empty file and a file of one byte have no version", () => {
    expect(checkMsb(new Uint8Array(0), 1).faults).toEqual([
      ["Cannot read header.version: 2 bytes needed, 0 left at byte 0", 0],
    ]);
    expect(checkMsb(Uint8Array.of(0x27), 1).faults).toEqual([
      ["Cannot read header.version: 2 bytes needed, 1 left at byte 0", 0],
    ]);
  });

  test("in the form of MapleShark 2 is of MapleStory where the build is one of its dialects", () => {
    const file = madeFiles(3).find(({ name }) => name === "0x2027 MapleShark2 size-32-ivs")?.bytes as Uint8Array;
    const { header } = readMsb(file);
    expect(header).toMatchObject({ protocol: "maplestory", dialect: "v83" });
    expect(header?.fields).toMatchObject({ build: 83, program: "MapleShark2" });
  });

  test("of MapleStory 2 is another game, without a dialect", () => {
    expect(gameOf("MapleShark2", 12)).toEqual({ protocol: "maplestory-2", dialect: undefined });
  });

  test.each([
    [62, "v62"],
    [83, "v83"],
    [95, "v95"],
    [117, undefined],
  ])("build %s is the dialect %s", (build, dialect) => {
    const writer = new MapleSharkWriter({ build });
    const [record] = madeRecords(1, true);
    const file = joinBytes([writer.header(made), writer.record(record as NonNullable<typeof record>)]);
    expect(readMsb(file).header?.dialect).toBe(dialect);
  });

  test("the build can be given, where a server writes another one", () => {
    const headers: SessionHeader[] = [];
    const sink = { header: (header: SessionHeader) => headers.push(header), record: () => {}, fault: () => {} };
    const reader = new MapleSharkReader(sink, { build: 95 });
    reader.push(v2012);
    reader.end();
    expect(headers).toMatchObject([{ dialect: "v95", fields: { build: 83 } }]);
  });
});

/** What a server's logger makes (sheet 2.7): Unix milliseconds, 16 bits of size, no states of ciphers. */
function serverFile(version: number, count: number): Uint8Array {
  const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
  const head = [0x15, 0x20, ...text("127.0.0.1"), 0x97, 0x1d, ...text("8.31.99.140"), 0x39, 0x1b, 8, 83, 0];
  head[0] = version & 0xff;
  if (version > 0x2020) head.push(...text("1"));
  const records = Array.from({ length: count }, (_, index) => {
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(BigInt(1_700_000_000_000 + index));
    const isOutbound = index % 2;
    const size = version < 0x2020 ? [index, isOutbound << 7] : [index, 0];
    const direction = version < 0x2020 ? [] : [isOutbound];
    return [...time, ...size, 0x29, 0, ...direction, ...new Uint8Array(index).fill(0xa0 + index)];
  });
  return Uint8Array.from([...head, ...records.flat()]);
}

describe("files of servers", () => {
  test.each([0x2015, 0x2020, 0x2021, 0x2025, 0x2026, 0x2027])("0x%s", (version) => {
    for (const count of [1, 2, 3, 30]) {
      const { header, records, faults } = checkMsb(serverFile(version, count), 1);
      expect(faults).toEqual([]);
      expect(header).toMatchObject({
        flow: "127.0.0.1:7575-8.31.99.140:6969",
        startMs: 1_700_000_000_000,
        fields: { time: "unix-ms", records: version < 0x2020 ? "bit-15" : "size-16" },
      });
      expect(records.map(({ sender, timeMs, payload }) => [sender, timeMs, payload.length])).toEqual(
        Array.from({ length: count }, (_, at) => [at % 2 === 1 ? "client" : "server", 1_700_000_000_000 + at, at + 2]),
      );
    }
  });

  test("written as another version, their times are ticks", () => {
    const read = readMsb(serverFile(0x2015, 4));
    const writer = new MapleSharkWriter({ version: 0x2027 });
    const header = writer.header(read.header as SessionHeader);
    const again = readMsb(joinBytes([header, ...read.records.map((record) => writer.record(record))]));
    expect(again.header?.fields).toMatchObject({ time: "ticks", records: "size-32-ivs", patchLocation: "" });
    expect(again.records.map(({ timeMs }) => timeMs)).toEqual(read.records.map(({ timeMs }) => timeMs));
  });
});

describe("quirks", () => {
  /** A record with this many bytes of body, and the one after it. */
  function longFile(version: number, bodyBytes: number): Uint8Array {
    const writer = new MapleSharkWriter({ version });
    const record = (size: number) => ({
      timeMs: 1_700_000_000_000,
      sender: "server" as const,
      payload: new Uint8Array(2 + size).fill(7),
    });
    const written = [
      writer.header(made),
      writer.record(record(0)),
      writer.record(record(bodyBytes)),
      writer.record(record(1)),
    ];
    return joinBytes(written);
  }

  test.each([
    [0x2015, 32_767],
    [0x2020, 65_535],
    [0x2025, 65_535],
    [0x2027, 300_000],
    [0x2030, 16_777_216],
  ])("0x%s holds a body of %s bytes, and the writer refuses a longer one of 16 bits", (version, most) => {
    expect(readMsb(longFile(version, most), 65_536)).toMatchObject({ faults: [], records: { length: 3 } });
    if (version === 0x2027) return;
    const why = `Cannot write record 2: its body has ${most + 1} bytes, this version holds at most ${most}`;
    expect(() => longFile(version, most + 1)).toThrow(new RangeError(why));
  });

  test.each([
    [0x2015, 32_768],
    [0x2020, 65_536],
    [0x2026, 65_536],
  ])("0x%s: a size that MapleShark has cut shows in the record after it", (version, tooMany) => {
    const file = longFile(version, 5);
    const at = readMsb(file).records[2]?.byteOffset as number;
    // The size says 5, the body has more.
    const cut = joinBytes([file.slice(0, at), new Uint8Array(tooMany).fill(7), file.slice(at)]);
    const { records, faults } = checkMsb(cut, 60_000);
    expect(records.length).toBe(2);
    expect(faults).toEqual([
      [
        "Cannot read record 3: its time is 506381209866536711, expected .NET ticks as in the records before: the file is " +
          `damaged, or a payload of ${tooMany} bytes or more before it was written with a cut size, as this version does at byte ${at}`,
        at,
      ],
    ]);
  });

  test("a first record that is longer than the look-ahead is read", () => {
    const writer = new MapleSharkWriter();
    const payload = new Uint8Array(LOOK_AHEAD_BYTES * 2).fill(1);
    const record = { timeMs: 1_700_000_000_000, sender: "client" as const, payload };
    const file = joinBytes([writer.header(made), writer.record(record), writer.record(record)]);
    expect(checkMsb(file, 100_000)).toMatchObject({ faults: [], records: { length: 2 } });
  });

  test.each([
    ["MapleShark: the client is remote", "10.0.0.1:8484", "10.0.0.7:5000", flow],
    ["a server's log: the client is local", "10.0.0.7:5000", "10.0.0.1:8484", flow],
    ["SOCKS5: local is the server behind the proxy", "9.9.9.9:1234", "10.0.0.7:5000", "10.0.0.7:5000-9.9.9.9:1234"],
    ["without ports", "10.0.0.7", "10.0.0.1", flow],
    ["unknown", "???", "???", "?:5000-?:8484"],
    ["empty", "", "10.0.0.1", "?:5000-10.0.0.1:8484"],
    ["IPv6", "[::1]:8484", "[::2]:5000", "[::2]:5000-[::1]:8484"],
  ])("endpoints: %s", (_, localEndpoint, remoteEndpoint, wanted) => {
    const fields = {
      build: 83,
      locale: 8,
      localEndpoint,
      localPort: 5000,
      remoteEndpoint,
      remotePort: 8484,
      patchLocation: "",
    };
    const header = new MapleSharkWriter().header({ ...made, format: "mapleshark", fields });
    expect(readMsb(header).header?.flow).toBe(wanted);
  });

  test("100 ns of ticks survive, at any year", () => {
    for (const ticks of [630_000_000_000_000_001n, 638_355_968_000_000_019n, 659_999_999_999_999_999n]) {
      const file = v2012.slice();
      new DataView(file.buffer).setBigInt64(8, ticks, true);
      const { records } = checkMsb(file, 1);
      expect(records[0]?.fields).toEqual({ hundredNs: Number(ticks % 10n) });
    }
  });

  test("times of the other unit in the same file are a fault", () => {
    const file = joinBytes([v2012, v2012.slice(8)]);
    new DataView(file.buffer).setBigInt64(v2012.length, 1_700_000_000_000n, true);
    expect(checkMsb(file, 1)).toMatchObject({
      records: { length: 1 },
      faults: [
        [expect.stringMatching(/^Cannot read record 2: its time is 1700000000000, expected \.NET ticks as in/), 22],
      ],
    });
  });
});

describe("the writer refuses", () => {
  const headerOf = (options: MapleSharkWriterOptions, header: Partial<SessionHeader> = {}) => {
    return () => new MapleSharkWriter(options).header({ ...made, ...header });
  };
  const known = {
    build: 83,
    locale: 8,
    localEndpoint: "",
    localPort: 1,
    remoteEndpoint: "",
    remotePort: 2,
    patchLocation: "",
  };
  const ofFile = (fields: object) =>
    ({ format: "mapleshark", fields: { ...known, ...fields } }) as Partial<SessionHeader>;

  test.each<[string, () => Uint8Array, string]>([
    ["an unknown version", headerOf({ version: 0x2013 }), "version must be one of 0, 0x2012, "],
    [
      "a dialect of no build",
      headerOf({}, { dialect: "documented" }),
      "Cannot write header: dialect documented names no build",
    ],
    ["a build of 17 bits", headerOf({ build: 65_536 }), "Cannot write header.build: u16le must be"],
    [
      "a build of 14 bits in the oldest form",
      headerOf({ version: 0, build: 0x2000 }),
      "Cannot write header.build: the oldest",
    ],
    ["a locale of 9 bits", headerOf({ locale: 256 }), "Cannot write header.locale: u8 must be"],
    [
      "a long text",
      headerOf({}, ofFile({ patchLocation: "é".repeat(513) })),
      "Cannot write header.patchLocation: text must be at most 1024 bytes, got 1026",
    ],
    [
      "half a surrogate pair",
      headerOf({}, ofFile({ localEndpoint: "\ud800" })),
      "Cannot write header.localEndpoint: text must be well-formed",
    ],
    ["a port of 17 bits", headerOf({}, { flow: "a:70000-b:1" }), "Cannot write header.localPort: u16le must be"],
  ])("%s", (_, action, message) => {
    expect(action).toThrow(RangeError);
    expect(action).toThrow(message);
  });

  test("long texts of any characters are read again", () => {
    const patchLocation = `é\u{1f600}"%0a ${"x".repeat(200)}`;
    const header = new MapleSharkWriter().header({ ...made, ...ofFile({ patchLocation }) });
    expect(checkMsb(header, 1).header?.fields.patchLocation).toBe(patchLocation);
  });

  test("records, by their number, and writes the next one", () => {
    const writer = new MapleSharkWriter();
    const good = { timeMs: 1_700_000_000_000, sender: "client" as const, payload: Uint8Array.of(1, 0) };
    expect(() => writer.record(good)).toThrow(TypeError);
    const parts = [writer.header(made), writer.record(good)];
    const bad: readonly (readonly [Partial<typeof good> & { fields?: object }, string])[] = [
      [{ payload: Uint8Array.of(1) }, "its payload of 1 byte has no opcode"],
      [{ timeMs: Number.NaN }, "its time of NaN ms is not of the years 1998 to 2092"],
      [{ timeMs: 5e12 }, "its time of 5000000000000 ms is not of the years 1998 to 2092"],
      [{ fields: { ivBefore: -1 } }, "ivBefore must be an integer in 0..4294967295, got -1"],
      [{ fields: { ivAfter: "x" } }, 'ivAfter must be an integer in 0..4294967295, got "x"'],
      [{ fields: { hundredNs: 10 } }, "hundredNs must be an integer in 0..9, got 10"],
    ];
    for (const [change, why] of bad) {
      const record = { ...good, ...change } as Parameters<typeof writer.record>[0];
      expect(() => writer.record(record)).toThrow(new RangeError(`Cannot write record 2: ${why}`));
    }
    parts.push(writer.record(good));
    expect(checkMsb(joinBytes(parts), 1)).toMatchObject({ faults: [], records: { length: 2 } });
  });
});

describe("recognition", () => {
  const others: readonly (readonly [string, Uint8Array])[] = [
    ["nothing", new Uint8Array(0)],
    [
      "pcap",
      parseHex("d4c3b2a1 0200 0400 00000000 00000000 00000400 65000000 00f15365 01000000 02000000 02000000 4500"),
    ],
    ["pcap, other order", parseHex("a1b2c3d4 0002 0004 00000000 00000000 00040000 00000065 5365f100 00000001")],
    ["pcap, nanoseconds", parseHex("4d3cb2a1 0200 0400 00000000 00000000 00000400 65000000 00f15365 01000000")],
    ["pcapng", parseHex("0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000")],
    ["gzip", parseHex("1f8b0800000000000003 0b49ad2801 00 1f3a4e5d 04000000")],
    ["MCAP", parseHex("894d434150300d0a 01 1000000000000000 00000000 08000000 77697265")],
    ["hex text", Buffer.from("0 20 0 01 02 03 04 05 06 07 08 09\n0a 0b 0c 0d 0e 0f 10 11\n")],
    ["hex text of a file", Buffer.from(formatHex(v2027))],
    ["JSON", Buffer.from('{"time":"1700000000.0","flow":"a-b"}\n')],
    [
      "RSProx",
      parseHex("00000001 000000ef 00000001 04 00 0000018bcfe56800 012d 00000001 00 772e6578616d706c6500 2d00 0005"),
    ],
  ];

  test.each(others)("not %s", (_, bytes) => expect(isMsb(bytes)).toBe(false));

  test("not a start that is too short, nor one with a damaged first record", () => {
    for (let length = 0; length < 37 + 15; length++) expect(isMsb(v2027.slice(0, length))).toBe(false);
    expect(isMsb(v2027.slice(0, 37 + 15))).toBe(true);
    const damaged = v2027.slice();
    damaged[44] = 0x18;
    expect(isMsb(damaged)).toBe(false);
  });

  test("not random bytes", () => {
    let state = 1;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    };
    let recognized = 0;
    for (let file = 0; file < 5000; file++) if (isMsb(Uint8Array.from({ length: 200 }, random))) recognized += 1;
    expect(recognized).toBe(0);
  });
});

/** Bytes that are in use. Memory is given back a while after the garbage was collected. */
async function usedBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await sleep(20);
  collect();
  return process.memoryUsage().arrayBuffers;
}

test("memory is bounded by twice the longest record and a constant", async () => {
  const writer = new MapleSharkWriter();
  const bodyBytes = 4_000_000;
  const record = { timeMs: 1_700_000_000_000, sender: "client" as const, payload: new Uint8Array(bodyBytes) };
  const header = writer.header(made);
  const bytes = writer.record(record);
  let count = 0;
  const reader = new MapleSharkReader({ header: () => {}, record: () => (count += 1), fault: () => {} });
  const before = await usedBytes();
  let most = 0;
  reader.push(header);
  for (let index = 0; index < 4; index++) {
    for (let at = 0; at < bytes.length; at += 100_000) {
      reader.push(bytes.slice(at, at + 100_000));
      if (at === 3_900_000) most = Math.max(most, (await usedBytes()) - before);
    }
  }
  reader.end();
  expect(count).toBe(4);
  expect(most).toBeGreaterThan(3_900_000);
  expect(most).toBeLessThan(2 * bodyBytes + LOOK_AHEAD_BYTES);
});

test("the versions of the sheet are written", () => {
  expect(mapleSharkVersions).toEqual([
    0, 0x2012, 0x2014, 0x2015, 0x2020, 0x2021, 0x2022, 0x2023, 0x2024, 0x2025, 0x2026, 0x2027, 0x2030,
  ]);
});
