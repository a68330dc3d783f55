import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { protocols } from "../protocols/table.ts";
import { joinBytes } from "../wire/index.ts";
import { CaptureReader } from "./file/capture-reader.ts";
import { Connections } from "./net/connections.ts";
import { readIp } from "./net/ip.ts";
import { ipStart } from "./net/link-layer.ts";
import type { Stamp } from "./net/stream-assembler.ts";
import { readTcp } from "./net/tcp-segment.ts";
import { allWorlds, captureBlock, captureHead, type MadePacket, makePackets } from "./testing/made-capture.ts";

// Debian's package tshark. Without it these tests are skipped, and their names say why.
const isInstalled = spawnSync("tshark", ["--version"]).status === 0 && spawnSync("editcap", ["--version"]).status === 0;
const name = (text: string): string => (isInstalled ? text : `${text} (skipped: tshark is not installed)`);

const MISSING = Buffer.from(" bytes missing in capture file]").toString("hex");

let folder = "";
const packets: MadePacket[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-tshark-"));
  const games = ["slime-online-2", "maplestory"].flatMap((game) => protocols[game] ?? []);
  makePackets({ worlds: allWorlds(games, 2), seed: 3, durationMs: 3000, packet: (packet) => packets.push(packet) });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The bytes of every connection in hex, by its ends and then by the end that sends. */
type Streams = Record<string, Record<string, string>>;

function ownStreams(file: Uint8Array): Streams {
  const streams: Streams = {};
  const table = new Connections(({ ends }) => {
    const names = ends.map(({ address, port }) => `${address}:${port}`);
    const own: Record<string, string> = Object.fromEntries(names.map((each) => [each, ""]));
    streams[names.toSorted().join(" ")] = own;
    return {
      data(from, bytes) {
        own[names[from] as string] += Buffer.from(bytes).toString("hex");
      },
      gap() {
        throw new Error("nothing is missing");
      },
      close() {},
    };
  });
  let stamp: Stamp = { number: 0, time: { seconds: 0, nanoseconds: 0 } };
  const reader = new CaptureReader({
    packet({ number, time, linkType, data }) {
      stamp = { number, time };
      const start = ipStart(linkType, data);
      const ip = typeof start === "number" ? readIp(data, start) : undefined;
      const segment = ip === undefined ? undefined : readTcp(ip.payload, ip.length);
      if (ip !== undefined && segment !== undefined) table.segment(ip, segment, stamp);
    },
    fault: ({ text }) => {
      throw new Error(text);
    },
  });
  reader.push(file);
  reader.end();
  table.finish(stamp);
  return streams;
}

function tsharkStreams(path: string, count: number): Streams {
  const follow = Array.from({ length: count }, (_, index) => ["-z", `follow,tcp,raw,${index}`]).flat();
  const { stdout } = spawnSync("tshark", ["-r", path, "-q", ...follow], { encoding: "utf8", maxBuffer: 1 << 28 });
  const streams: Streams = {};
  for (const section of stdout.split(/^=+$/m)) {
    const ends = [...section.matchAll(/^Node [01]: (.*)$/gm)].map(([, end = ""]) => end);
    const [first = "", second = ""] = ends;
    if (ends.length !== 2) continue;
    const bytes: Record<string, string> = { [first]: "", [second]: "" };
    for (const line of section.split("\n")) {
      if (/^\t?[0-9a-f]+$/.test(line)) bytes[line.startsWith("\t") ? second : first] += line.trim();
    }
    streams[ends.toSorted().join(" ")] = bytes;
  }
  return streams;
}

test.skipIf(!isInstalled).each([
  ["in order", 0],
  ["with packets that are swapped and doubled", 0.1],
])(name("the bytes of every connection are those that tshark follows: %s"), (_name, share) => {
  const random = createRandom(4);
  const all: MadePacket[] = [];
  for (const packet of packets) {
    if (random.chance(share)) all.splice(-1, 0, packet);
    else all.push(packet);
    if (random.chance(share)) all.push(packet);
  }
  const file = joinBytes([captureHead(), ...all.map(captureBlock)]);
  const path = join(folder, "follow.pcapng");
  writeFileSync(path, file);
  const own = ownStreams(file);
  const followed = tsharkStreams(path, Object.keys(own).length);
  // Where an answer overtakes what it answers, tshark takes the bytes for missing and writes so into them.
  const compared = Object.entries(followed).filter(([, bytes]) =>
    Object.values(bytes).every((hex) => !hex.includes(MISSING)),
  );
  expect(compared.length).toBeGreaterThan(5);
  for (const [ends, bytes] of compared) expect(own[ends], ends).toEqual(bytes);
});

test.skipIf(!isInstalled).each([["pcap"], ["nsecpcap"], ["pcapng"]])(
  name("a capture that editcap has written as %s has the same packets"),
  (format) => {
    const file = joinBytes([captureHead(), ...packets.map(captureBlock)]);
    const path = join(folder, "own.pcapng");
    const converted = join(folder, `converted.${format}`);
    writeFileSync(path, file);
    expect(spawnSync("editcap", ["-F", format, path, converted]).status).toBe(0);
    const { stdout } = spawnSync(
      "tshark",
      ["-r", converted, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len"],
      { encoding: "utf8" },
    );
    const read: string[] = [];
    const reader = new CaptureReader({
      packet: ({ time, originalLength }) =>
        read.push(`${time.seconds}.${String(time.nanoseconds).padStart(9, "0")}\t${originalLength}`),
      fault: ({ text }) => read.push(text),
    });
    reader.push(readFileSync(converted));
    reader.end();
    expect(read).toEqual(stdout.trim().split("\n"));
  },
);
