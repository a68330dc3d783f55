/** Captures are read again by code that shares nothing with the writer, and by tshark where it is installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import * as capture from "./index.ts";
import { addressBytes, TcpPackets } from "./tcp-packets.ts";

test("the examples of index.ts are true", () => {
  const examples = findExamples(readFileSync(new URL("index.ts", import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, capture);
});

/** No game's: tshark tries no dissector of another protocol. */
const SERVER_PORT = 40_001;
const LONG = 150_001;
const long = Uint8Array.from({ length: LONG }, (_, index) => (index * 7 + (index >>> 8)) & 0xff);

/** A connection with all that can happen to it. */
function conversation(client: string, server: string): Uint8Array {
  const packets = new TcpPackets({
    client: { address: client, port: 50_000 },
    server: { address: server, port: SERVER_PORT },
  });
  const frames = [
    ...packets.open(),
    ...packets.data("client", Uint8Array.of(1, 2, 3)),
    ...packets.data("server", long),
    ...packets.data("client", Uint8Array.of(4)),
    ...packets.end("client"),
    ...packets.data("server", Uint8Array.of(9, 9)),
    ...packets.end("server"),
  ];
  const timeNs = 1_790_000_000_123_456_789n;
  const header = capture.pcapngHeader({ application: "a test", interfaceName: "relay" });
  return Buffer.concat([
    header,
    ...frames.map((frame, index) =>
      capture.pcapngPacket(timeNs + BigInt(index), frame, index === 3 ? "first" : undefined),
    ),
  ]);
}

/** The sum of 16-bit words with its carries added: 0xffff over a header with a right checksum. */
function onesSum(bytes: Buffer): number {
  const even = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
  let sum = 0;
  for (let at = 0; at < even.length; at += 2) {
    sum += even.readUInt16BE(at);
    if (sum > 0xffff) sum -= 0xffff;
  }
  return sum;
}

interface ReadPacket {
  readonly timeNs: bigint;
  readonly ports: readonly [number, number];
  readonly sequence: number;
  readonly acknowledged: number;
  readonly flags: number;
  readonly body: Buffer;
}

/** Written from the standards: pcapng, Ethernet, RFC 791, RFC 8200, RFC 9293. Checks every length and checksum. */
function readPackets(file: Buffer): readonly ReadPacket[] {
  const packets: ReadPacket[] = [];
  for (let at = 0; at < file.length; ) {
    const type = file.readUInt32LE(at);
    const length = file.readUInt32LE(at + 4);
    expect(length % 4).toBe(0);
    expect(file.readUInt32LE(at + length - 4)).toBe(length);
    if (type === 6) {
      const timeNs = (BigInt(file.readUInt32LE(at + 12)) << 32n) | BigInt(file.readUInt32LE(at + 16));
      const captured = file.readUInt32LE(at + 20);
      packets.push({ timeNs, ...readFrame(file.subarray(at + 28, at + 28 + captured)) });
    } else expect([0x0a0d0d0a, 1]).toContain(type);
    at += length;
  }
  return packets;
}

function readFrame(frame: Buffer): Omit<ReadPacket, "timeNs"> {
  const isIpv4 = frame.readUInt16BE(12) === 0x0800;
  const ip = frame.subarray(14);
  const tcp = ip.subarray(isIpv4 ? 20 : 40);
  if (isIpv4) {
    expect(ip.readUInt16BE(2)).toBe(ip.length);
    expect(onesSum(ip.subarray(0, 20))).toBe(0xffff);
  } else expect(ip.readUInt16BE(4)).toBe(tcp.length);
  const addresses = isIpv4 ? ip.subarray(12, 20) : ip.subarray(8, 40);
  const pseudo = Buffer.concat([addresses, Buffer.from([0, 6, tcp.length >>> 8, tcp.length & 0xff])]);
  expect(onesSum(Buffer.concat([pseudo, tcp]))).toBe(0xffff);
  return {
    ports: [tcp.readUInt16BE(0), tcp.readUInt16BE(2)],
    sequence: tcp.readUInt32BE(4),
    acknowledged: tcp.readUInt32BE(8),
    flags: tcp.readUInt8(13),
    body: tcp.subarray((tcp.readUInt8(12) >>> 4) * 4),
  };
}

test.each([
  ["127.0.0.1", "192.0.2.7"],
  ["::1", "2001:db8::5:0:7"],
  ["::ffff:127.0.0.1", "192.0.2.7"],
])("a connection from %s to %s is read again", (client, server) => {
  const packets = readPackets(Buffer.from(conversation(client, server)));
  const next: Record<number, number> = {};
  const streams: Record<number, Buffer[]> = {};
  for (const { ports, sequence, acknowledged, flags, body } of packets) {
    const [from, to] = ports;
    expect(sequence).toBe(next[from] ?? sequence);
    if ((flags & 16) !== 0) expect(acknowledged).toBe(next[to]);
    next[from] = sequence + body.length + ((flags & 3) === 0 ? 0 : 1);
    streams[from] = [...(streams[from] ?? []), body];
  }
  expect([...Buffer.concat(streams[50_000] ?? [])]).toEqual([1, 2, 3, 4]);
  expect(Buffer.concat(streams[SERVER_PORT] ?? []).equals(Buffer.from([...long, 9, 9]))).toBe(true);
  expect(packets[0]?.timeNs).toBe(1_790_000_000_123_456_789n);
});

test("sequence numbers go over their end, and left out bytes are missing in them", () => {
  const packets = new TcpPackets({
    client: { address: "127.0.0.1", port: 1 },
    server: { address: "127.0.0.1", port: 2 },
  });
  packets.open();
  packets.skip("client", 0xffff_fff0);
  const frames = packets.data("client", new Uint8Array(20));
  expect(frames.map((frame) => readFrame(Buffer.from(frame)).sequence)).toEqual([0xffff_fff1]);
  const [last] = packets.data("client", Uint8Array.of(1));
  expect(readFrame(Buffer.from(last as Uint8Array)).sequence).toBe(5);
});

test.each(["", "1.2.3", "1.2.3.256", "::1::", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "localhost"])(
  "%j is no address",
  (text) => {
    expect(() => addressBytes(text)).toThrow(RangeError);
  },
);

const hasTshark = spawnSync("tshark", ["--version"]).status === 0;

// Wireshark's own reader: where it is not installed, the reader above is what remains.
test.skipIf(!hasTshark)("tshark reads the packets without a complaint", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-capture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.pcapng");
  writeFileSync(file, conversation("127.0.0.1", "192.0.2.7"));
  const fields = ["frame.time_epoch", "frame.interface_name", "ip.checksum.status", "tcp.checksum.status"];
  const of = [...fields, "tcp.analysis.flags", "_ws.malformed", "tcp.srcport", "tcp.payload"];
  const checks = ["-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"];
  const args = ["-r", file, ...checks, "-T", "fields", ...of.flatMap((field) => ["-e", field])];
  const rows = execFileSync("tshark", args, { stdio: "pipe" })
    .toString()
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
  expect(rows[0]?.slice(0, 2)).toEqual(["1790000000.123456789", "relay"]);
  // Good checksums, and nothing that its analysis of TCP finds odd.
  expect([...new Set(rows.map((row) => row.slice(2, 6).join(" ")))]).toEqual(["1 1  "]);
  const sent = (port: number): string =>
    rows.flatMap((row) => (row[6] === String(port) ? [row[7] ?? ""] : [])).join("");
  expect(sent(50_000)).toBe("01020304");
  expect(sent(SERVER_PORT) === Buffer.from([...long, 9, 9]).toString("hex")).toBe(true);
});
