import { beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import type { PlayableProtocol } from "../protocols/index.ts";
import { protocols } from "../protocols/table.ts";
import { bytesGame } from "../protocols/testing/fake-bytes.ts";
import { fakeProtocol } from "../protocols/testing/fake-protocol.ts";
import { scaled } from "../testing/scale.ts";
import { joinBytes } from "../wire/index.ts";
import { CaptureInspector, type InspectorOptions } from "./capture-inspector.ts";
import type { FlowReport } from "./flow-reader.ts";
import { pcapngPacket } from "./pcapng.ts";
import { type CaptureRecord, recordJson } from "./records.ts";
import { TcpPackets } from "./tcp-packets.ts";
import { checkDamaged } from "./testing/check-damaged.ts";
import {
  allWorlds,
  captureBlock,
  captureHead,
  damagePackets,
  type MadePacket,
  makePackets,
} from "./testing/made-capture.ts";
import { ipv4, pcapFile, tcp as segmentOf } from "./testing/made-packets.ts";

interface Inspected {
  readonly records: readonly CaptureRecord[];
  readonly flows: readonly FlowReport[];
  readonly faults: readonly string[];
  readonly counts: CaptureInspector["counts"];
}

function inspect(file: Uint8Array, options: Partial<InspectorOptions> = {}): Inspected {
  const records: CaptureRecord[] = [];
  const flows: FlowReport[] = [];
  const faults: string[] = [];
  const inspector = new CaptureInspector({
    protocols: Object.values(protocols),
    ...options,
    sink: {
      record: (record) => records.push(record),
      flow: (flow) => flows.push(flow),
      fault: ({ text }) => faults.push(text),
    },
  });
  for (let at = 0; at < file.length; at += 65_536) inspector.push(file.subarray(at, at + 65_536));
  inspector.end();
  return { records, flows, faults, counts: inspector.counts };
}

/** All dialects of all games, over TCP and WebSocket. */
const worlds = allWorlds(Object.values(protocols), 2);
const packets: MadePacket[] = [];
/** Payloads in the order in which the game's own channels have read them, by connection and sender. */
const read = new Map<string, string[]>();
let whole: Inspected;
/** Of one bot of each world: enough where every connection is tried as every protocol. */
let few: readonly MadePacket[] = [];

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const fileOf = (of: readonly MadePacket[]): Uint8Array => joinBytes([captureHead(), ...of.map(captureBlock)]);

beforeAll(() => {
  makePackets({
    worlds,
    seed: 5,
    durationMs: scaled(30_000, 3000),
    packet: (packet) => packets.push(packet),
    read(key, payload) {
      const list = read.get(key) ?? [];
      list.push(hexOf(payload));
      read.set(key, list);
    },
  });
  whole = inspect(fileOf(packets));
  const directions = [...new Set(packets.map(({ direction }) => direction))];
  const chosen = worlds.flatMap((_, index) =>
    directions.filter((each) => each.includes(`:${7000 + index} `)).slice(0, 2),
  );
  few = packets.filter(({ direction }) => chosen.includes(direction));
  // Playing takes a second; on a machine with other work more than the default limit.
}, 120_000);

test("every message that the game's channels have read is found, in its order, as what it is", () => {
  const found = new Map<string, string[]>();
  for (const record of whole.records) {
    if (record.kind !== "message") throw new Error(recordJson(record).slice(0, 500));
    const key = `${record.flow} ${record.direction}`;
    const list = found.get(key) ?? [];
    list.push(hexOf(record.payload));
    found.set(key, list);
  }
  for (const [key, payloads] of read) expect(found.get(key)?.slice(0, payloads.length), key).toEqual(payloads);
  const names = new Set(whole.records.map(({ protocol, dialect }) => `${protocol}/${dialect}`));
  // Nothing that 3 s of play show tells native from client: the first that fits is taken, and the other is named.
  const wanted = new Set(worlds.map(({ protocol, dialect }) => `${protocol.name}/${dialect}`));
  for (const name of names) expect(wanted).toContain(name);
  const fits = whole.flows.flatMap((flow) => flow.fits.map(({ protocol, dialect }) => `${protocol.name}/${dialect}`));
  expect(new Set(fits)).toEqual(wanted);
  expect(whole.faults).toEqual([]);
});

test("records come in the order of the capture", () => {
  const places = whole.records.map(({ packet }) => packet);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

describe("a capture of which 5 % of the packets are dropped, swapped or doubled", () => {
  test.each(Array.from({ length: scaled(20, 1) }, (_, index) => index + 1))(
    "seed %i: everything readable is shown, in its order",
    (seed) => {
      const damaged = damagePackets(packets, 0.05, createRandom(seed));
      const dropped = new Map<string, number[]>();
      for (const packet of damaged.dropped) {
        const list = dropped.get(packet.direction) ?? [];
        if (packet.bytes > 0) list.push(packets.indexOf(packet) + 1);
        dropped.set(packet.direction, list);
      }
      const { records, counts, flows } = inspect(fileOf(damaged.packets));
      const unknown = new Set(flows.filter(({ reading }) => reading === undefined).map(({ flow }) => flow));
      for (const { direction, certain, found, invented } of checkDamaged(whole.records, dropped, records)) {
        // A connection that has just begun, of which the greeting or initialisation is missing, may show nothing of its game.
        if (unknown.has(direction.split(" ")[0] as string)) expect(certain, direction).toBeLessThan(4);
        else expect(found, direction).toBeGreaterThanOrEqual(certain);
        expect(invented, direction).toBeUndefined();
      }
      expect(counts.gaps).toBeGreaterThan(0);
    },
  );
});

test("a capture that is cut at any place is read up to there", () => {
  const random = createRandom(7);
  const file = fileOf(few);
  const keys = inspect(file).records.map((record) => `${record.packet} ${hexOf(recordPayload(record)).slice(0, 40)}`);
  for (let count = 0; count < scaled(200, 1); count++) {
    const { records, faults } = inspect(file.subarray(0, random.integer(captureHead().length, file.length)));
    expect(faults.length).toBeLessThanOrEqual(1);
    // Connections that are not known yet when the capture ends have few messages: what is read of them is not compared.
    const messages = records.filter(({ kind, protocol }) => kind === "message" && protocol !== null);
    const known = new Set(keys);
    const others = messages.filter(
      (record) => !known.has(`${record.packet} ${hexOf(recordPayload(record)).slice(0, 40)}`),
    );
    expect(others.length).toBeLessThan(20);
  }
});

test("a capture that begins in the middle: what can be read is read, and the missing start is named", () => {
  const half = few.slice(Math.floor(few.length / 2));
  const { records } = inspect(fileOf(half));
  const byFlow = Map.groupBy(records, ({ flow }) => flow);
  const ports = new Set(worlds.map((_, index) => 7000 + index));
  for (const [flow, of] of byFlow) {
    expect(ports).toContain(Number(flow.slice(flow.lastIndexOf(":") + 1)));
    const messages = of.filter(({ kind }) => kind === "message");
    const isPlayerInfo = of[0]?.protocol === "osrs";
    if (of.length > 20 && !isPlayerInfo) expect(messages.length, flow).toBeGreaterThan(of.length / 2);
  }
  const texts = records.filter((record) => record.kind === "refused").map(({ error }) => error.message);
  expect(texts).toContain("Cannot read stream: the capture does not have the start of this direction");
});

test("player info of a capture without its start is read with the initialisation that is given, until a packet is missing", () => {
  const osrs = protocols.osrs;
  const messages = whole.records.filter((record) => record.kind === "message" && record.direction === "server");
  const init = messages.find((record) => record.kind === "message" && record.message === "playerInfoInit");
  if (osrs === undefined || init?.kind !== "message") throw new Error("The bots of the capture play no osrs");
  const of = messages.flatMap((record) => (record.kind === "message" && record.flow === init.flow ? [record] : []));
  const local = of.find(({ message }) => message === "playerIndex")?.value as { readonly index: number };
  const streamOptions = {
    "osrs/player-info": { init: hexOf(init.payload.subarray(1)), local: local.index },
  };
  const mapping = { port: Number(init.flow.slice(init.flow.lastIndexOf(":") + 1)), protocol: osrs };
  const mappings = [{ ...mapping, dialect: String(init.dialect) }];
  const rest = packets.filter(({ direction }, at) => at >= init.packet && direction === `${init.flow} server`);
  const valuesOf = ({ records }: Inspected): readonly unknown[] =>
    records.flatMap((record) => (record.kind === "message" ? [record.value] : []));
  const expected = of.filter(({ message, packet }) => message === "playerInfo" && packet > init.packet);
  expect(expected.length).toBeGreaterThan(1);
  const read = inspect(fileOf(rest), { streamOptions, mappings });
  expect(valuesOf(read)).toEqual(expected.map(({ value }) => value));
  // Without it nothing is read, and behind a missing packet neither.
  expect(valuesOf(inspect(fileOf(rest), { mappings }))).toEqual([]);
  const whereGap = rest.findIndex(({ bytes }, at) => at > 0 && bytes > 0);
  const cut = inspect(fileOf(rest.filter((_, at) => at !== whereGap)), { streamOptions, mappings });
  expect(valuesOf(cut).length).toBeLessThanOrEqual(whereGap);
  // A connection with its start has its own: the option changes nothing.
  const all = packets.filter(({ direction }) => direction.startsWith(`${init.flow} `));
  const wrong = { "osrs/player-info": { init: "00".repeat(init.payload.length - 1), local: 7 } };
  expect(valuesOf(inspect(fileOf(all), { streamOptions: wrong, mappings }))).toEqual(
    valuesOf(inspect(fileOf(all), { mappings })),
  );
});

function recordPayload(record: CaptureRecord): Uint8Array {
  return record.kind === "gap" ? new Uint8Array(0) : record.payload;
}

test("what no protocol fits is said, with the reason for each", () => {
  const bytes = new TextEncoder().encode("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u2\r\n");
  const segments = [
    segmentOf({ fromClient: true, sequence: 1, flags: "S", port: 22 }),
    segmentOf({ fromClient: true, sequence: 2, acknowledged: 0, bytes, port: 22 }),
  ];
  const file = pcapFile(
    segments.map((segment) => ({ seconds: 1, nanoseconds: 5, data: ipv4(segment) })),
    { littleEndian: false, nanoseconds: true, linkType: 101 },
  );
  const { records, flows } = inspect(file);
  expect(records).toHaveLength(1);
  const [line = ""] = records.map(recordJson);
  expect(JSON.parse(line)).toMatchObject({
    time: "1.000000005",
    flow: "10.0.0.7:20000-10.0.0.1:22",
    direction: "client",
    protocol: null,
    dialect: null,
    error: { code: "unknown-message", path: "", byteOffset: 0 },
    hex: hexOf(bytes),
  });
  expect(line).toContain("maplestory/v62");
  expect(flows[0]?.others.every(({ reason }) => reason.length > 0)).toBe(true);
});

test.each<[string, Partial<InspectorOptions>]>([
  ["tried", {}],
  ["mapped", { mappings: [{ port: 22, protocol: fakeProtocol as PlayableProtocol, dialect: "greeting" }] }],
])("a game whose ends greet and that has no tap is named as such: %s", (_, options) => {
  const greeter = { ...fakeProtocol, dialects: fakeProtocol.dialects.filter(({ name }) => name === "greeting") };
  const segments = [
    segmentOf({ fromClient: true, sequence: 1, flags: "S", port: 22 }),
    segmentOf({ fromClient: true, sequence: 2, acknowledged: 0, bytes: Uint8Array.of(1, 0, 3), port: 22 }),
  ];
  const file = pcapFile(
    segments.map((segment) => ({ seconds: 1, nanoseconds: 5, data: ipv4(segment) })),
    { littleEndian: false, nanoseconds: true, linkType: 101 },
  );
  const { records } = inspect(file, { protocols: [greeter as PlayableProtocol], ...options });
  const [line = ""] = records.map(recordJson);
  expect(records).toHaveLength(1);
  expect(line).toContain(
    "fake/greeting: fake cannot be read from beside: its ends greet, and it has no capability tap",
  );
});

test("a game without channels is not looked for, and no port can be of it", () => {
  const slime = protocols["slime-online-2"] as PlayableProtocol;
  const own = packets.slice(0, 2000);
  const alone = inspect(fileOf(own), { protocols: [slime] });
  expect(alone.counts.messages).toBeGreaterThan(0);
  const { records } = inspect(fileOf(own), { protocols: [bytesGame, slime] });
  expect(records.map(recordJson)).toEqual(alone.records.map(recordJson));
  const protocol = bytesGame as (typeof worlds)[number]["protocol"];
  expect(() => inspect(captureHead(), { mappings: [{ port: 22, protocol }] })).toThrow(
    "bytes has no channel (openChannel): it cannot be read in a capture",
  );
});

test("more connections than are tried at once are all read, when the rest of their bytes comes", () => {
  const connections = 300;
  const slime = protocols["slime-online-2"] as PlayableProtocol;
  const codec = slime.codec("v0106");
  const move = codec.write("client", {
    message: "movePlayer",
    value: { code: 2, direction: "rightPress", x: 1, y: 2 },
  });
  const frames = Array.from({ length: connections }, (_, index) => {
    const channel = slime.openChannel({ side: "client", dialect: "v0106", carrier: "stream" });
    const bytes = joinBytes(Array.from({ length: 6 }, () => channel.frame(move)));
    const client = { address: "10.0.0.7", port: 20_000 + index };
    return { tcp: new TcpPackets({ client, server: { address: "10.0.0.1", port: 7001 } }), bytes };
  });
  const all = frames.flatMap(({ tcp }) => tcp.open());
  // Each has begun before the first one goes on, with a few bytes at a time.
  for (let at = 0; at < (frames[0]?.bytes.length ?? 0); at += 9) {
    for (const { tcp, bytes } of frames) all.push(...tcp.data("client", bytes.subarray(at, at + 9)));
  }
  const blocks = all.map((packet, index) => pcapngPacket(BigInt(index), packet));
  const { counts } = inspect(joinBytes([captureHead(), ...blocks]));
  expect(counts).toMatchObject({ connections, messages: connections * 6, refused: 0, gaps: 0 });
});

test("a message compressed by permessage-deflate is refused, and the next one read", () => {
  const world = worlds.find(({ protocol, carrier }) => protocol.name === "scrap-mechanic" && carrier === "websocket");
  const port = 7000 + worlds.indexOf(world as (typeof worlds)[number]);
  const own = packets.filter(({ direction }) => direction.includes(`:${port} `));
  const damaged = own.map((packet) => {
    // The first byte of a binary message that is a segment of the client. Other segments may begin with this byte too.
    const at = packet.frame.length - packet.bytes;
    const isWhole = packet.frame[at] === 0x82 && packet.bytes === 6 + ((packet.frame[at + 1] as number) & 0x7f);
    if (!packet.direction.endsWith("client") || !isWhole) return packet;
    const frame = packet.frame.slice();
    frame[at] = 0xc2;
    return { ...packet, frame };
  });
  const { records } = inspect(fileOf(damaged), {
    mappings: [
      { port, protocol: protocols["scrap-mechanic"] as (typeof worlds)[number]["protocol"], dialect: "documented" },
    ],
  });
  const refused = records.filter((record) => record.kind === "refused");
  expect(refused.length).toBeGreaterThan(0);
  for (const { error } of refused) expect(error.message).toContain("compressed by permessage-deflate");
  expect(records.some(({ kind, direction }) => kind === "message" && direction === "server")).toBe(true);
});

test("the same ports on another protocol: a mapping decides", () => {
  const slime = protocols["slime-online-2"] as (typeof worlds)[number]["protocol"];
  const port = 7000 + worlds.findIndex(({ protocol }) => protocol.name === "osrs");
  const { records } = inspect(fileOf(packets), { mappings: [{ port, protocol: slime, dialect: "v0106" }] });
  const own = records.filter(({ flow }) => flow.endsWith(`:${port}`));
  expect(new Set(own.map(({ protocol, dialect }) => `${protocol}/${dialect}`))).toEqual(
    new Set(["slime-online-2/v0106"]),
  );
  expect(own.some(({ kind }) => kind === "refused")).toBe(true);
});
