import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../testing/scale.ts";
import { joinBytes, WireError } from "../../wire/index.ts";
import {
  Bytes,
  block,
  enhancedBlock,
  interfaceBlock,
  type MadeFilePacket,
  pcapFile,
  sectionBlock,
} from "../testing/made-packets.ts";
import { CaptureReader } from "./capture-reader.ts";
import { type CaptureFault, formatCaptureTime } from "./packet.ts";

interface Read {
  readonly packets: {
    readonly time: string;
    readonly linkType: number;
    readonly hex: string;
    readonly length: number;
  }[];
  readonly faults: CaptureFault[];
}

/** Everything that a reader gives for a file in pieces of the given sizes, the last one again and again. */
function readFile(file: Uint8Array, sizes: readonly number[] = [file.length]): Read {
  const read: Read = { packets: [], faults: [] };
  const reader = new CaptureReader({
    packet: ({ time, linkType, data, originalLength }) =>
      read.packets.push({
        time: formatCaptureTime(time),
        linkType,
        hex: Buffer.from(data).toString("hex"),
        length: originalLength,
      }),
    fault: (fault) => read.faults.push(fault),
  });
  for (let at = 0, index = 0; at < file.length; index++) {
    const size = Math.max(1, sizes[Math.min(index, sizes.length - 1)] as number);
    // A piece may be reused after it was pushed.
    const piece = file.slice(at, at + size);
    reader.push(piece);
    piece.fill(0xee);
    at += size;
  }
  reader.end();
  expect(reader.offset).toBe(file.length);
  return read;
}

const packets: readonly MadeFilePacket[] = Array.from({ length: 30 }, (_, index) => ({
  seconds: 1_700_000_000 + index,
  nanoseconds: 123_456_000 + index * 1000,
  data: Uint8Array.from({ length: 14 + ((index * 7) % 60) }, (_, at) => (at * 3 + index) & 0xff),
}));

const wanted = packets.map(({ seconds, nanoseconds, data }) => ({
  time: `${seconds}.${String(nanoseconds).padStart(9, "0")}`,
  linkType: 1,
  hex: Buffer.from(data).toString("hex"),
  length: data.length,
}));

const pcapKinds = [true, false].flatMap((littleEndian) =>
  [true, false].map((nanoseconds) => ({ littleEndian, nanoseconds })),
);

/** The packets in a section with nanoseconds, with blocks and options between them that readers skip. */
function pcapng(littleEndian: boolean): Uint8Array {
  return joinBytes([
    sectionBlock(littleEndian),
    block(littleEndian, 0x0000_0bad, Uint8Array.of(1, 2, 3)),
    interfaceBlock(littleEndian, 1, 9),
    ...packets.flatMap(({ seconds, nanoseconds, data }) => [
      enhancedBlock(littleEndian, 0, BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds), data),
      block(littleEndian, 0x7777_7777, new Uint8Array(20)),
    ]),
  ]);
}

describe("pcap", () => {
  test.each(pcapKinds)("%o", (kind) => {
    expect(readFile(pcapFile(packets, kind))).toEqual({ packets: wanted, faults: [] });
  });

  test("keeps the link type and the length of packets that were cut", () => {
    const made = [{ seconds: 1, nanoseconds: 0, data: new Uint8Array(20), originalLength: 1500 }];
    const { packets: read } = readFile(
      pcapFile(made, { littleEndian: true, nanoseconds: true, linkType: 113 | 0x3000_0000 }),
    );
    expect(read).toMatchObject([{ linkType: 113, length: 1500 }]);
  });

  test.each(pcapKinds)("goes on after a damaged length: %o", (kind) => {
    const file = pcapFile(packets, kind);
    const tenth = 24 + packets.slice(0, 10).reduce((sum, { data }) => sum + 16 + data.length, 0);
    file.fill(0xff, tenth + 8, tenth + 12);
    const { packets: read, faults } = readFile(file, [100]);
    expect(read).toEqual(wanted.filter((_, index) => index !== 10));
    expect(faults).toHaveLength(1);
    expect(faults[0]?.byteOffset).toBe(tenth);
    expect(faults[0]?.text).toContain(`${16 + (packets[10]?.data.length ?? 0)} bytes skipped`);
  });

  test("finds the first packet of a file whose start is missing behind its header", () => {
    const file = pcapFile(packets, { littleEndian: true, nanoseconds: false });
    const { packets: read, faults } = readFile(joinBytes([file.subarray(0, 24), file.subarray(24 + 16 + 3)]), [64]);
    expect(read).toEqual(wanted.slice(1));
    expect(faults).toHaveLength(1);
  });
});

describe("pcapng", () => {
  test.each([true, false])("little endian %s", (littleEndian) => {
    expect(readFile(pcapng(littleEndian))).toEqual({ packets: wanted, faults: [] });
  });

  test("sections change the byte order and forget interfaces", () => {
    const data = new Uint8Array(14);
    const file = joinBytes([
      sectionBlock(true),
      interfaceBlock(true, 101),
      interfaceBlock(true, 1),
      enhancedBlock(true, 1, 5n, data),
      sectionBlock(false),
      interfaceBlock(false, 276),
      enhancedBlock(false, 0, 6n, data),
      enhancedBlock(false, 1, 6n, data),
    ]);
    const { packets: read, faults } = readFile(file);
    expect(read.map(({ linkType, time }) => [linkType, time])).toEqual([
      [1, "0.000005000"],
      [276, "0.000006000"],
    ]);
    expect(faults).toMatchObject([{ text: "a packet is not read: the section has no interface 1" }]);
  });

  test.each([
    ["microseconds by default", undefined, undefined, 1_700_000_000_000_001n, "1700000000.000001000"],
    ["seconds", 0, undefined, 1_700_000_000n, "1700000000.000000000"],
    ["picoseconds", 12, undefined, 1_700_000_000_000_000_999n, "1700000.000000000"],
    ["powers of two", 0x80 | 10, undefined, 1_700_000_000n * 1024n + 512n, "1700000000.500000000"],
    ["an offset", 9, 1_600_000_000n, 5_000_000_001n, "1600000005.000000001"],
  ] as const)("times in %s", (_name, resolution, offset, units, time) => {
    const file = joinBytes([
      sectionBlock(true),
      interfaceBlock(true, 1, resolution, offset),
      enhancedBlock(true, 0, units, new Uint8Array(14)),
    ]);
    expect(readFile(file).packets).toMatchObject([{ time }]);
  });

  test("simple packets have the time of the packet before, obsolete ones their own", () => {
    const data = Uint8Array.from({ length: 15 }, (_, at) => at);
    const simple = block(true, 3, new Bytes(true).uint(32, 15).bytes(data).done);
    const obsolete = new Bytes(true)
      .uint(16, 0)
      .uint(16, 9)
      .uint(32, 0)
      .uint(32, 7)
      .uint(32, 15)
      .uint(32, 15)
      .bytes(data);
    const file = joinBytes([
      sectionBlock(true),
      interfaceBlock(true),
      enhancedBlock(true, 0, 3n, data),
      simple,
      block(true, 2, obsolete.done),
    ]);
    const hex = Buffer.from(data).toString("hex");
    expect(readFile(file).packets.map(({ time, hex: read }) => [time, read])).toEqual([
      ["0.000003000", hex],
      ["0.000003000", hex],
      ["0.000007000", hex],
    ]);
  });

  test("a length that no block has is damaged, and loses nothing behind it", () => {
    const claims = Uint8Array.of(0x34, 0x12, 0, 0, 0, 0, 0, 0x40, 1, 2, 3, 4);
    const packet = enhancedBlock(true, 0, 3n, new Uint8Array(14));
    const { packets: read, faults } = readFile(
      joinBytes([sectionBlock(true), interfaceBlock(true), claims, packet]),
      [70],
    );
    expect(read).toMatchObject([{ time: "0.000003000" }]);
    expect(faults).toMatchObject([{ text: expect.stringContaining("12 bytes skipped") }]);
  });

  test.each([true, false])("goes on after a damaged block: little endian %s", (littleEndian) => {
    const head = joinBytes([sectionBlock(littleEndian), interfaceBlock(littleEndian, 1, 9)]);
    const blocks = packets.map(({ seconds, nanoseconds, data }) =>
      enhancedBlock(littleEndian, 0, BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds), data),
    );
    const damaged = blocks.map((each, index) => (index === 4 ? each.slice(5) : each));
    const { packets: read, faults } = readFile(joinBytes([head, ...damaged]), [333]);
    expect(read).toEqual(wanted.filter((_, index) => index !== 4));
    expect(faults).toHaveLength(1);
  });
});

test.each([
  ["pcap", pcapFile(packets, { littleEndian: true, nanoseconds: true })],
  ["pcapng", pcapng(false)],
])("%s: pieces of any size give the same packets", (_name, file) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      expect(readFile(file, sizes)).toEqual({ packets: wanted, faults: [] });
    }),
    { numRuns: 20 },
  );
});

test.each([
  ["pcap", pcapFile(packets, { littleEndian: true, nanoseconds: true }), 24],
  ["pcapng", pcapng(true), sectionBlock(true).length],
])("%s: every prefix gives the packets that are whole, and says what is cut", (_name, file, head) => {
  for (let length = head; length < file.length; length++) {
    const { packets: read, faults } = readFile(file.subarray(0, length));
    expect(read).toEqual(wanted.slice(0, read.length));
    expect(faults.length).toBeLessThanOrEqual(1);
  }
});

test.each([
  ["nothing", new Uint8Array(0), "Cannot read capture: its first bytes are missing"],
  ["text", new TextEncoder().encode("hello world"), "Cannot read capture: its first bytes are 68 65 6c 6c"],
  [
    "half a header",
    pcapFile([], { littleEndian: true, nanoseconds: true }).subarray(0, 23),
    "the file ends 23 bytes into its header of 24",
  ],
  ["another version", Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1, 9, 0, ...new Uint8Array(20)), "version 9 of pcap is not 2"],
  [
    "a section without its byte order",
    block(true, 0x0a0d0d0a, new Uint8Array(20)),
    "its first block is no section header",
  ],
])("%s is no capture", (_name, file, text) => {
  expect(() => readFile(file)).toThrow(WireError);
  expect(() => readFile(file)).toThrow(text);
});

test("damaged bytes never throw behind the header, and never hang", () => {
  const files = [pcapFile(packets, { littleEndian: false, nanoseconds: true }), pcapng(true)];
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(5000), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 }),
      (file, changes) => {
        const damaged = file.slice();
        for (const [at, value] of changes) damaged[48 + (at % (damaged.length - 48))] = value;
        const { packets: read } = readFile(damaged, [97]);
        expect(read.length).toBeLessThanOrEqual(packets.length * 4);
      },
    ),
    { numRuns: propertyRuns },
  );
});
