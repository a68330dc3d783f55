import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../testing/scale.ts";
import { joinBytes } from "../../wire/index.ts";
import { Bytes, ipv4, ipv6, type MadeSegment, tcp } from "../testing/made-packets.ts";
import { type ConnectionInfo, type ConnectionLimits, Connections } from "./connections.ts";
import { formatAddress, type IpPacket, readIp } from "./ip.ts";
import { IpFragments } from "./ip-fragments.ts";
import { ipStart } from "./link-layer.ts";
import type { Stamp } from "./stream-assembler.ts";
import { readTcp } from "./tcp-segment.ts";

const packet = ipv4(Uint8Array.of(1, 2, 3));
const packet6 = ipv6(Uint8Array.of(1, 2, 3));
const macs = new Array<number>(12).fill(0);

describe("link layers", () => {
  test.each<[string, number, Uint8Array, Uint8Array]>([
    ["Ethernet", 1, new Bytes(false).bytes(macs).uint(16, 0x0800).done, packet],
    ["Ethernet with a VLAN", 1, new Bytes(false).bytes(macs).uint(32, 0x8100_0005).uint(16, 0x86dd).done, packet6],
    [
      "Ethernet with QinQ",
      1,
      new Bytes(false).bytes(macs).uint(32, 0x88a8_0005).uint(32, 0x8100_0006).uint(16, 0x0800).done,
      packet,
    ],
    ["Linux cooked", 113, new Bytes(false).bytes(new Array<number>(14).fill(1)).uint(16, 0x0800).done, packet],
    ["Linux cooked 2", 276, new Bytes(false).uint(16, 0x86dd).bytes(new Array<number>(18).fill(1)).done, packet6],
    ["raw", 101, new Uint8Array(0), packet],
    ["raw IPv6", 229, new Uint8Array(0), packet6],
    ["loopback of a little-endian machine", 0, new Bytes(true).uint(32, 30).done, packet6],
    ["loopback of a big-endian machine", 0, new Bytes(false).uint(32, 2).done, packet],
    ["loopback of OpenBSD", 108, new Bytes(false).uint(32, 24).done, packet6],
  ])("%s", (_name, linkType, head, ip) => {
    expect(ipStart(linkType, joinBytes([head, ip]))).toBe(head.length);
  });

  test("what has no IP is told from an unknown link type", () => {
    expect(ipStart(1, new Bytes(false).bytes(macs).uint(16, 0x0806).done)).toBe("other");
    expect(ipStart(1, new Uint8Array(3))).toBe("other");
    expect(ipStart(147, packet)).toBe("unknown-link");
  });
});

describe("IP", () => {
  test.each([
    ["4", packet, "10.0.0.7", "10.0.0.1"],
    ["6, behind its extension headers", packet6, "[2001:db8::7]", "[2001:db8::1]"],
  ])("version %s", (_name, bytes, source, destination) => {
    const read = readIp(bytes, 0) as IpPacket;
    expect([formatAddress(read.source), formatAddress(read.destination)]).toEqual([source, destination]);
    expect(read).toMatchObject({ protocol: 6, payload: Uint8Array.of(1, 2, 3), length: 3 });
  });

  test("padding behind a short packet is no payload, and a packet that was cut keeps its length", () => {
    expect(readIp(joinBytes([packet, new Uint8Array(20)]), 0)).toMatchObject({ payload: Uint8Array.of(1, 2, 3) });
    expect(readIp(packet.subarray(0, 21), 0)).toMatchObject({ payload: Uint8Array.of(1), length: 3 });
  });

  test("every prefix and any bytes are read or refused", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 90 }),
        fc.constantFrom(packet, packet6),
        fc.nat(60),
        (noise, start, length) => {
          const bytes = joinBytes([start.subarray(0, length), noise]);
          const read = readIp(bytes, 0);
          if (read !== undefined) readTcp(read.payload, read.length);
        },
      ),
      { numRuns: propertyRuns },
    );
  });

  test.each([
    ["::", new Uint8Array(16)],
    ["::ffff:1.2.3.4", Uint8Array.of(...new Array<number>(10).fill(0), 0xff, 0xff, 1, 2, 3, 4)],
    ["1:0:0:2::3", Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3)],
  ])("address [%s]", (text, bytes) => {
    expect(formatAddress(bytes)).toBe(`[${text}]`);
  });
});

describe("fragments", () => {
  const payload = Uint8Array.from({ length: 100 }, (_, at) => at);
  const pieces = [0, 24, 56, 80].map((offset, index, all) => {
    const end = all[index + 1] ?? payload.length;
    return { bytes: payload.slice(offset, end), fragment: { id: 7, offset, more: end < payload.length } };
  });

  test.each([
    ["4", ipv4],
    ["6", ipv6],
  ])("of version %s come in any order, and twice", (_name, make) => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        const fragments = new IpFragments();
        let whole: IpPacket | undefined;
        for (const index of [order[0] as number, ...order]) {
          const { bytes, fragment } = pieces[index] as (typeof pieces)[number];
          whole ??= fragments.add(readIp(make(bytes, fragment), 0) as Required<IpPacket>);
        }
        expect(whole?.payload).toEqual(payload);
        expect(fragments).toMatchObject({ waiting: 0, lost: 0 });
      }),
      { numRuns: 30 },
    );
  });

  test("that overlap are refused, and memory is bounded", () => {
    const fragments = new IpFragments();
    const add = (id: number, offset: number, bytes: Uint8Array) =>
      fragments.add(readIp(ipv4(bytes, { id, offset, more: true }), 0) as Required<IpPacket>);
    add(1, 0, payload.slice(0, 24));
    add(1, 16, payload.slice(0, 24));
    expect(fragments).toMatchObject({ waiting: 0, lost: 1 });
    for (let id = 0; id < 1000; id++) add(id, 0, new Uint8Array(8));
    expect(fragments.waiting).toBe(256);
    expect(fragments.lost).toBe(1 + 1000 - 256);
  });
});

type TimedSegment = MadeSegment & { readonly atSeconds?: number };

/** What a list of segments becomes: per connection the bytes of each side as text, with gaps in brackets. */
function follow(segments: readonly TimedSegment[], limits?: ConnectionLimits): readonly string[][] {
  return play(segments, limits).texts;
}

/** The same, with the second at which each connection was closed, and how many were open at once. */
function play(
  segments: readonly TimedSegment[],
  limits?: ConnectionLimits,
): { readonly texts: readonly string[][]; readonly closedAt: readonly number[]; readonly mostOpen: number } {
  const connections: { readonly info: ConnectionInfo; readonly text: string[] }[] = [];
  const closedAt: number[] = [];
  let open = 0;
  let mostOpen = 0;
  const table = new Connections((info) => {
    const text = ["", "", "open"];
    const index = connections.push({ info, text }) - 1;
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    // The end of port 20000 is the client's.
    const side = (from: 0 | 1): number => (info.ends[from].port === 20_000 ? 0 : 1);
    return {
      data(from, bytes) {
        text[side(from)] += String.fromCharCode(...bytes);
      },
      gap(from, bytes) {
        text[side(from)] += `[${bytes}]`;
      },
      close({ time }) {
        text[2] = "closed";
        closedAt[index] = time.seconds;
        open -= 1;
      },
    };
  }, limits);
  let stamp: Stamp = { number: 0, time: { seconds: 0, nanoseconds: 0 } };
  for (const [index, segment] of segments.entries()) {
    stamp = { number: index + 1, time: { seconds: segment.atSeconds ?? 0, nanoseconds: 0 } };
    const bytes = tcp(segment);
    const made = ipv4(bytes);
    const ip = readIp(made, 0) as IpPacket;
    const [source, destination] = segment.fromClient ? [ip.source, ip.destination] : [ip.destination, ip.source];
    const read = readTcp(ip.payload, ip.length);
    if (read !== undefined) table.segment({ ...ip, source, destination }, read, stamp);
    table.closeSilent(stamp);
  }
  table.finish(stamp);
  return { texts: connections.map(({ text }) => text), closedAt, mostOpen };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const say = (sequence: number, value: string, acknowledged = 0): MadeSegment => ({
  fromClient: true,
  sequence,
  acknowledged,
  bytes: text(value),
});
const syn = (sequence = 99): MadeSegment => ({ fromClient: true, sequence, flags: "S" });
const confirm = (acknowledged: number): MadeSegment => ({ fromClient: false, sequence: 500, acknowledged });

describe("TCP", () => {
  test.each<[string, MadeSegment[], string]>([
    ["in order", [syn(), say(100, "abc"), say(103, "def")], "abcdef"],
    ["out of order", [syn(), say(103, "def"), say(106, "g"), say(100, "abc")], "abcdefg"],
    ["sent again", [syn(), say(100, "abc"), say(100, "abc"), say(100, "abcdef")], "abcdef"],
    [
      "overlapping: the first copy counts",
      [syn(), say(102, "CDE"), say(104, "efg"), say(100, "abc")],
      "abCDEfg".replace("abC", "abc"),
    ],
    ["SYN out of order", [say(100, "abc"), syn(), say(103, "def")], "abcdef"],
    ["SYN with data", [{ ...syn(), bytes: text("ab") }, say(102, "c")], "abc"],
    ["a keep-alive", [syn(), say(100, "abc"), say(102, "?"), say(103, "d")], "abcd"],
    ["a gap at the end of the capture", [syn(), say(100, "abc"), say(110, "def")], "abc[7]def"],
    ["a start that is missing", [say(103, "def"), say(100, "abc"), say(106, "g")], "abcdefg"],
    ["what was confirmed and never seen", [syn(), say(100, "abc"), confirm(110)], "abc[7]"],
    ["an end that was confirmed", [syn(), say(100, "abc"), confirm(104)], "abc"],
    ["an end before the last bytes", [syn(), { ...say(103, "def"), flags: "F" }, say(100, "abc")], "abcdef"],
    [
      "an end behind missing bytes",
      [syn(), say(100, "abc"), { fromClient: true, sequence: 110, acknowledged: 0, flags: "F" }],
      "abc[7]",
    ],
  ])("%s", (_name, segments, wanted) => {
    expect(follow(segments)).toEqual([[wanted, "", "closed"]]);
  });

  test("sequence numbers wrap around", () => {
    const start = 0xffff_fffd;
    expect(
      follow([syn(start - 1), say(start + 3, "def"), say(start, "abc"), say(start + 8, "ij"), say(start + 6, "gh")]),
    ).toEqual([["abcdefghij", "", "closed"]]);
  });

  test("the answer to a handshake tells where the client starts", () => {
    const answer: MadeSegment = { fromClient: false, sequence: 499, acknowledged: 100, flags: "S" };
    expect(
      follow([answer, say(103, "def"), say(100, "abc"), { fromClient: false, sequence: 500, bytes: text("x") }]),
    ).toEqual([["abcdef", "x", "closed"]]);
  });

  test("bytes that the receiver has confirmed are not waited for", () => {
    const segments = [syn(), say(100, "abc"), say(110, "def"), ...Array.from({ length: 40 }, () => confirm(113))];
    const more = [...segments, { ...syn(7), port: 6 }];
    expect(follow(more)[0]).toEqual(["abc[7]def", "", "closed"]);
  });

  test("ports that are used again make a new connection: with SYN, and without one", () => {
    const again = [syn(), say(100, "abc"), syn(900_000), say(900_001, "xyz")];
    expect(follow(again).map(([client]) => client)).toEqual(["abc", "xyz"]);
    const far = 2_000_000_000;
    const strays = [say(far, "x"), say(far + 1, "y"), say(far + 2, "z"), say(far + 3, "!")];
    expect(follow([syn(), say(100, "abc"), ...strays]).map(([client]) => client)).toEqual(["abc", "z!"]);
  });

  test("segments of a closed connection that come again begin no new one", () => {
    const end: MadeSegment = { fromClient: true, sequence: 103, acknowledged: 500, flags: "F" };
    const answer: MadeSegment = { fromClient: false, sequence: 499, acknowledged: 100, flags: "S" };
    const endAnswer: MadeSegment = { fromClient: false, sequence: 500, acknowledged: 104, flags: "F" };
    const late = [say(100, "abc"), end, { fromClient: true, sequence: 104, acknowledged: 501 }];
    expect(follow([syn(), answer, say(100, "abc"), end, endAnswer, ...late])).toEqual([["abc", "", "closed"]]);
    expect(follow([syn(), answer, say(100, "abc"), end, endAnswer, ...late, syn(5000), say(5001, "z")])).toHaveLength(
      2,
    );
  });

  test("data that a reset overtook is read", () => {
    const reset: MadeSegment = { fromClient: true, sequence: 103, flags: "R" };
    expect(follow([syn(), reset, say(100, "abc")])).toEqual([["abc", "", "closed"]]);
  });

  test("what waits behind gaps is bounded in one direction and in all", () => {
    const waiting = Array.from({ length: 50 }, (_, index) => say(200 + index * 20, "0123456789"));
    const [one] = follow([syn(), say(100, "abc"), ...waiting], { heldBytes: 100 });
    expect(one?.[0]?.startsWith("abc[97]0123456789[10]")).toBe(true);
    const all = follow([syn(), say(100, "abc"), ...waiting], { heldBytesInAll: 100 });
    expect(all[0]?.[0]).toBe(one?.[0]);
  });

  test("connections are bounded: the most silent are closed", () => {
    const segments = Array.from({ length: 64 }, (_, index) => ({ ...syn(index * 10), port: index + 1 }));
    const first = { ...say(1, "a"), port: 1 };
    const read = follow([...segments.slice(0, 8), first, ...segments.slice(8)], { connections: 8 });
    expect(read).toHaveLength(64);
    expect(read.every(([, , state]) => state === "closed")).toBe(true);
  });

  /** Packets of another connection, ten seconds apart. */
  const passing = (from: number, to: number): TimedSegment[] =>
    Array.from({ length: (to - from) / 10 }, (_, index) => ({
      ...say(1 + index, "."),
      port: 9,
      atSeconds: from + index * 10,
    }));
  const end: MadeSegment = { fromClient: true, sequence: 103, acknowledged: 500, flags: "F" };

  test("a connection that one end has ended is closed after four minutes of silence, others after two hours", () => {
    const isSilent = [syn(), say(100, "abc")];
    const ended = play([...isSilent, end, ...passing(0, 9000)]);
    expect(ended.closedAt[0]).toBe(250);
    const open = play([...isSilent, ...passing(0, 9000)]);
    expect(open.closedAt[0]).toBe(7450);
    // Half of it talks on: nothing is closed.
    const answers = Array.from({ length: 100 }, (_, index) => [
      { fromClient: false, sequence: index, acknowledged: 104, bytes: text("x"), atSeconds: index * 200 },
      ...passing(index * 200, index * 200 + 200),
    ]).flat();
    expect(play([...isSilent, { ...end, acknowledged: 0 }, ...answers]).texts[0]).toEqual([
      "abc",
      "x".repeat(100),
      "closed",
    ]);
  });

  test("one wrong time closes nothing, and nor does a pause of the recorder", () => {
    const wrong = { ...say(1, "."), port: 9, atSeconds: 4_000_000_000 };
    const late = { ...say(103, "d"), atSeconds: 90_000 };
    expect(follow([syn(), say(100, "abc"), wrong, late])[0]).toEqual(["abcd", "", "closed"]);
  });

  test("a connection that was closed for its silence and goes on loses no byte", () => {
    const texts = follow([syn(), say(100, "abc"), ...passing(0, 9000), { ...say(103, "def"), atSeconds: 9000 }]);
    expect(texts.map(([client]) => client).join()).toContain("abc,");
    expect(texts.at(-1)).toEqual(["def", "", "closed"]);
  });

  test("bytes behind a gap are given up after a minute without a segment of their connection", () => {
    const held = [syn(), say(100, "abc"), { ...say(110, "def"), flags: "F" }];
    const answer: MadeSegment = { fromClient: false, sequence: 499, acknowledged: 100, flags: "SF" };
    const { texts, closedAt } = play([answer, ...held, ...passing(0, 200)]);
    expect(texts[0]).toEqual(["abc[7]def", "", "closed"]);
    expect(closedAt[0]).toBe(70);
  });

  test("connections of which the end is missing do not pile up", () => {
    const segments = Array.from({ length: 5000 }, (_, index) => {
      const port = 10 + index;
      return [syn(), say(100, "abc"), end].map((segment) => ({ ...segment, port, atSeconds: index }));
    });
    const { texts, mostOpen } = play(segments.flat());
    expect(texts).toHaveLength(5000);
    expect(mostOpen).toBeLessThanOrEqual(252);
  });

  test("any segments of a stream in any order give its bytes, when all are there", () => {
    const stream = Array.from({ length: 120 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
    const cut = fc.record({ from: fc.nat(119), length: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff_ffff }),
        fc.array(cut, { maxLength: 30 }),
        fc.infiniteStream(fc.nat()),
        (start, cuts, order) => {
          const whole = [0, 30, 60, 90].map((from) => ({ from, length: 30 }));
          const segments = [...cuts, ...whole].map(({ from, length }) =>
            say(start + from, stream.slice(from, from + length)),
          );
          const shuffled = segments
            .map((segment) => ({ segment, place: order.next().value as number }))
            .sort((a, b) => a.place - b.place);
          expect(follow([syn(start - 1), ...shuffled.map(({ segment }) => segment)])).toEqual([[stream, "", "closed"]]);
        },
      ),
      { numRuns: propertyRuns },
    );
  });
});
