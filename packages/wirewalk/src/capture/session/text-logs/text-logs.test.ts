import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as wire from "../../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import { isMsb } from "../mapleshark/recognize.ts";
import type { SessionHeader, SessionReader, SessionRecord, SessionSink } from "../session.ts";
import { MAX_LINE_BYTES } from "./line-reader.ts";
import { isMapleSharkText, MapleSharkTextReader, MapleSharkTextWriter } from "./mapleshark-text.ts";
import { isMsnifferLog, MsnifferReader } from "./msniffer.ts";

const { encodeLatin1, formatHex, joinBytes } = wire;
const folder = new URL(".", import.meta.url);

test.each(["msniffer.ts", "mapleshark-text.ts"])("the example of %s is true", async (name) => {
  const exports = await exportsIn(folder);
  const examples = findExamples(readFileSync(new URL(name, folder), "utf8"));
  expect(examples.length).toBe(1);
  for (const example of examples) runExample(example, { ...wire, ...exports });
});

interface Read {
  readonly headers: readonly SessionHeader[];
  readonly records: readonly SessionRecord[];
  readonly faults: readonly string[];
}

type Reader = new (sink: SessionSink) => SessionReader;

function read(Reader: Reader, file: Uint8Array, pieceBytes = Math.max(1, file.length)): Read {
  const headers: SessionHeader[] = [];
  const records: SessionRecord[] = [];
  const faults: string[] = [];
  const reader = new Reader({
    header: (header) => headers.push(header),
    record: (record) => records.push(record),
    fault: (error, byteOffset) => {
      expect(byteOffset).toBe(error.bitOffset / 8);
      faults.push(error.message);
    },
  });
  for (let at = 0; at < file.length; at += pieceBytes) reader.push(file.slice(at, at + pieceBytes));
  reader.end();
  return { headers, records, faults };
}

/** The same whole and in pieces of a byte. */
function readText(Reader: Reader, text: string): Read {
  const file = encodeLatin1(text);
  const whole = read(Reader, file);
  expect(read(Reader, file, 1)).toEqual(whole);
  return whole;
}

const summary = ({ timeMs, sender, payload }: SessionRecord): string =>
  `${new Date(timeMs).toISOString()} ${sender} ${formatHex(payload)}`;

const ends = [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
] as const;

describe("MSniffer", () => {
  const capturing = 'Capturing MapleStory version 62 on 10.0.0.1:8484 with unknown "1" and more';
  const log = [
    "MSniffer",
    "",
    capturing,
    "[23:59:58][4] Send:  29 00 aa BB",
    "",
    "[0:0:1][2] Recv:  11 00",
    "a line between",
    "[12:00:00][3] Recv:  11 00 7F ",
    'Capturing MapleStory version 83 on 10.0.0.2:7575 with unknown ""',
    "[1:2:3][2] Send:  18 00",
  ];

  test.each(ends)("sessions and packets, lines end in %s", (_, end) => {
    for (const last of ["", end]) {
      const { headers, records, faults } = readText(MsnifferReader, log.join(end) + last);
      expect(faults).toEqual([]);
      expect(headers).toEqual([
        {
          format: "msniffer",
          protocol: "maplestory",
          dialect: "v62",
          settings: {},
          startMs: undefined,
          flow: "?-10.0.0.1:8484",
          fields: {
            build: 62,
            patchLocation: "1",
            server: "10.0.0.1:8484",
            locale: 8,
            localeName: "Global",
            date: "not in the file",
          },
        },
        expect.objectContaining({ dialect: "v83", flow: "?-10.0.0.2:7575" }),
      ]);
      expect(records.map(summary)).toEqual([
        "2012-10-10T23:59:58.000Z client 29 00 aa bb",
        "2012-10-11T00:00:01.000Z server 11 00",
        "2012-10-11T12:00:00.000Z server 11 00 7f",
        "2012-10-10T01:02:03.000Z client 18 00",
      ]);
      expect(records[0]).toMatchObject({ number: 1, byteOffset: log.slice(0, 3).join(end).length + end.length });
    }
  });

  test.each([
    ["[1:2:3][2] Recv:  11", "it says 2 bytes and has 1"],
    ["[1:2:3][2] Recv:  11 00 01", "it says 2 bytes and has 3"],
    ["[1:2:3][1] Recv:  11", "a packet has an opcode of 2 bytes"],
    ["[1:2:3][2] Recv:  11 0", '"0" stands in the place of two hex digits'],
    ["[1:2:3][2] Recv:  11,00", '"11,00" stands in the place of two hex digits'],
    ["[1:2:3][2] Recv:  \x1b[31m 00", '"\\\\x1b[31m" stands in the place of two hex digits'],
    ["[1:2:3][2] Receive:  11 00", "it is no packet of the form [h:m:s][length] Recv:  hex or Send:"],
    ["[25:2:3][2] Recv:  11 00", "its time is 25:2:3"],
    ['Capturing MapleStory version 65536 on 10.0.0.1:8484 with unknown "1"', "it is no start of the form"],
    ["Capturing MapleStory version x", "it is no start of the form"],
  ])("%j is a fault of its line", (bad, why) => {
    const { records, faults } = readText(MsnifferReader, [capturing, log[3], "", bad, log[3]].join("\n"));
    const at = capturing.length + (log[3] as string).length + 3;
    expect(records.length).toBe(1);
    expect(faults).toEqual([expect.stringContaining(`Cannot read line 4: ${why}`)]);
    expect(faults[0]).toMatch(new RegExp(` at byte ${at}$`));
  });

  test("a packet before the first session", () => {
    expect(readText(MsnifferReader, "\n[1:2:3][2] Recv:  11 00\n").faults).toEqual([
      'Cannot read line 2: a packet stands before the first "Capturing MapleStory" at byte 1',
    ]);
  });

  test("a line that is too long is refused before it is read whole", () => {
    const { faults } = read(MsnifferReader, new Uint8Array(MAX_LINE_BYTES + 2).fill(0x20), 65_536);
    expect(faults).toEqual([`Cannot read line 1: it has over ${MAX_LINE_BYTES} bytes at byte 0`]);
  });

  test("recognition", () => {
    expect(isMsnifferLog(encodeLatin1(log.join("\r\n")))).toBe(true);
    expect(isMsnifferLog(encodeLatin1(` ${capturing}`))).toBe(false);
    expect(isMsnifferLog(encodeLatin1("11 00"))).toBe(false);
    expect(isMsnifferLog(new Uint8Array(0))).toBe(false);
    expect(isMsb(encodeLatin1(log.join("\r\n")))).toBe(false);
  });
});

describe("MapleShark's export", () => {
  const head = [
    "=== MapleStory Version: 95; Locale: 8 ===",
    "Endpoint From: 10.0.0.1:8484",
    "Endpoint To: 10.0.0.7:5000",
    "- Packets: 3",
    "- Data: 8 bytes",
    "================================================",
  ];
  const packets = [
    "[2015-11-08 09:05:03.007][Inbound ] [FFFF | Hand]shake] 0E 00",
    "[2015-11-08 09:05:03.010][Outbound] [0018] ",
    "[2015-11-08 09:05:04.000][Inbound ] [0011 | N/A] ",
  ];
  const text = [...head, ...packets, ""].join("\r\n");

  test.each(ends)("packets, lines end in %s", (_, end) => {
    const { headers, records, faults } = readText(MapleSharkTextReader, [...head, ...packets, ""].join(end));
    expect(faults).toEqual([]);
    expect(headers).toEqual([
      {
        format: "mapleshark-text",
        protocol: "maplestory",
        dialect: "v95",
        settings: {},
        startMs: undefined,
        flow: "10.0.0.7:5000-10.0.0.1:8484",
        fields: {
          build: 95,
          locale: 8,
          localeName: "Global",
          localEndpoint: "10.0.0.1:8484",
          remoteEndpoint: "10.0.0.7:5000",
          packets: 3,
          dataBytes: 8,
        },
      },
    ]);
    expect(records.map(summary)).toEqual([
      "2015-11-08T09:05:03.007Z server ff ff 0e 00",
      "2015-11-08T09:05:03.010Z client 18 00",
      "2015-11-08T09:05:04.000Z server 11 00",
    ]);
    expect(records.map(({ fields }) => fields)).toEqual([{ name: "Hand]shake" }, undefined, { name: "N/A" }]);
  });

  test("the writer gives back the same bytes", () => {
    const { headers, records } = readText(MapleSharkTextReader, text);
    const writer = new MapleSharkTextWriter({ packets: 3, dataBytes: 8 });
    const parts = [writer.header(headers[0] as SessionHeader), ...records.map((record) => writer.record(record))];
    expect(Buffer.from(joinBytes(parts)).toString("latin1")).toBe(text);
  });

  test("the writer takes a session of another format, and refuses what it cannot write", () => {
    const header: SessionHeader = {
      format: "pcap",
      protocol: "maplestory",
      dialect: "v83",
      settings: {},
      startMs: undefined,
      flow: "10.0.0.7:5000-10.0.0.1:8484",
      fields: {},
    };
    const writer = new MapleSharkTextWriter({ packets: 0, dataBytes: 1_234_567 });
    const lines = Buffer.from(writer.header(header)).toString("latin1").split("\r\n");
    expect(lines.slice(0, 5)).toEqual([
      "=== MapleStory Version: 83; Locale: 8 ===",
      "Endpoint From: 10.0.0.1:8484",
      "Endpoint To: 10.0.0.7:5000",
      "- Packets: 0",
      "- Data: 1,234,567 bytes",
    ]);
    const { dialect: _, ...rest } = header;
    expect(() => writer.header({ ...rest, dialect: undefined })).toThrow(
      "Cannot write header: dialect unknown names no build",
    );
    const record = { timeMs: 0, sender: "client" as const, payload: new Uint8Array(2) };
    expect(() => writer.record({ ...record, payload: new Uint8Array(1) })).toThrow(
      "Cannot write record 1: its payload has no opcode",
    );
    expect(() => writer.record({ ...record, timeMs: Number.NaN })).toThrow(
      "Cannot write record 1: its time of NaN ms has no year",
    );
    expect(() => writer.record({ ...record, fields: { name: "a\n" } })).toThrow("text must be one line");
    expect(() => writer.record({ ...record, timeMs: 1e15 })).toThrow("has no year of 4 digits");
  });

  test("separators of other languages", () => {
    const other = text.replace("8 bytes", "0.008 bytes").replaceAll(/(\d\d):(\d\d):(\d\d)\./g, "$1.$2.$3.");
    expect(readText(MapleSharkTextReader, other)).toMatchObject({ faults: [], records: { length: 3 } });
  });

  test("every cut is a fault, and what is before it is read", () => {
    const whole = readText(MapleSharkTextReader, text).records;
    for (let at = 0; at < text.length; at++) {
      const { records, faults } = read(MapleSharkTextReader, encodeLatin1(text.slice(0, at)), 1 + (at % 5));
      // The last packet has no body: its end is the bracket.
      const isWhole = at >= text.length - 3;
      expect(faults.length, `${at}`).toBe(isWhole ? 0 : 1);
      const complete = Math.max(0, records.length - 1);
      expect(records.slice(0, complete)).toEqual(whole.slice(0, complete));
    }
  });

  test("every changed character is read or a fault", () => {
    let faults = 0;
    for (let at = 0; at < text.length; at++) {
      const file = encodeLatin1(text);
      file[at] = (file[at] as number) ^ (1 + (at % 127));
      const damaged = read(MapleSharkTextReader, file);
      expect(read(MapleSharkTextReader, file, 3)).toEqual(damaged);
      expect(damaged.faults.length).toBeLessThan(2);
      faults += damaged.faults.length;
    }
    expect(faults).toBeGreaterThan(text.length / 2);
  });

  test.each([
    [
      0,
      "=== MapleStory Version: 65536; Locale: 8 ===",
      "it is not of the form === MapleStory Version: N; Locale: N ===",
    ],
    [1, "Endpoint: 10.0.0.1:8484", "it is no line of a head"],
    [1, "====", 'no line "Endpoint From: " stands before it'],
    [6, "[2015-02-30 09:05:03.007][Inbound ] [FFFF] 0E", "its time is 2015-02-30T09:05:03.007Z"],
    [6, "[2015-11-08 09:05:03.007][Inbound] [FFFF] 0E", "it is no packet of the form [time][direction] [opcode] hex"],
    [7, "[2015-11-08 09:05:03.007][Inbound ] [FFFF] 0E 0", '"0" stands in the place of two hex digits'],
  ])("line %s of %j", (index, bad, why) => {
    const lines = [...head, ...packets];
    lines[index] = bad;
    const { faults } = readText(MapleSharkTextReader, lines.join("\n"));
    expect(faults).toEqual([
      `Cannot read line ${index + 1}: ${why} at byte ${lines.slice(0, index).join("\n").length + (index > 0 ? 1 : 0)}`,
    ]);
  });

  test("recognition", () => {
    expect(isMapleSharkText(encodeLatin1(text))).toBe(true);
    expect(isMapleSharkText(encodeLatin1(head[0] as string))).toBe(true);
    expect(isMapleSharkText(encodeLatin1("=== MapleStory"))).toBe(false);
    expect(isMsnifferLog(encodeLatin1(text))).toBe(false);
    expect(isMsb(encodeLatin1(text))).toBe(false);
  });
});
