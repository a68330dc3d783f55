import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectEqual } from "../testing/inner-loops.ts";
import { scaled } from "../testing/scale.ts";
import { type JsonObject, parseHex, WireError } from "../wire/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import { createRandom, type PlayerId, type Random, type Track, TrackReader, TrackWriter } from "./index.ts";

const stream = { stream: 3, world: "osrs", room: "world" };

const walker = (player: number, x: number, more: Partial<Track> = {}): Track => ({
  player,
  room: "world",
  atMs: 0,
  position: { x, y: 10 },
  velocity: { x: 0, y: 0 },
  facingTurns: 0,
  stance: "stand",
  source: "simulated",
  ...more,
});

const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");

/** The tracks without their times. */
function timeless(tracks: Iterable<Track>): readonly object[] {
  return Array.from(tracks, ({ atMs: _, ...track }) => track);
}

/** A writer and a reader that receives all that it writes, from a full snapshot on. */
function pair() {
  const writer = new TrackWriter(stream);
  const reader = new TrackReader();
  reader.read(writer.full(0));
  return { writer, reader };
}

describe("the bytes", () => {
  const standing = walker(7, 3200, { position: { x: 3200, y: 10, level: 1 }, details: { index: 2 } });

  test("of a full snapshot, a delta and one without changes", () => {
    const { writer } = pair();
    expect(hexOf(writer.update(1_000, [standing]))).toBe(
      [
        "01 00 03 01 c0843d e807", // version, delta, stream, number, 1,000,000 µs, 1,000 ms after the check before
        "03 05696e646578 057374616e64 0973696d756c61746564", // strings: index, stand, simulated
        "01 0a 01 00", // one shape: level and details, one key: string 0
        "00 01", // none removed, one track
        "0c 01 00", // player 7 is 6 after player 1, new, shape 0
        "80c801 50 08 00 00 00 06 0a 10", // 3200, 10, level 1, 0, 0, facing 0, stand, simulated, index 2
      ]
        .join("")
        .replaceAll(" ", ""),
    );
    const stepped = { ...standing, position: { x: 3201, y: 10, level: 1 }, facingTurns: 0.25 };
    // Columns 0 and 5 are bits 1 and 6 of the mask. A turn has 4096 steps.
    expect(hexOf(writer.update(1_600, [stepped]))).toBe(
      "01000302 80d461 d804 00 00 00 01 0c 42 08 8140".replaceAll(" ", ""),
    );
    expect(writer.update(1_650, [stepped])).toBeUndefined();
    expect(hexOf(writer.still(2_650))).toBe("01000303 90dfa101 e807 00 00 00 00".replaceAll(" ", ""));
    expect(hexOf(writer.full(2_650))).toBe(
      [
        "01 01 03 03 90dfa101 046f737273 05776f726c64", // world and room
        "03 05696e646578 057374616e64 0973696d756c61746564 01 0a 01 00 00 01",
        "0c 01 00 88c801 50 08 00 00 8140 06 0a 10",
      ]
        .join("")
        .replaceAll(" ", ""),
    );
  });

  test("of 2,000 players that walk on tiles are under 16 each, of players that stand none", () => {
    const { writer } = pair();
    const random = createRandom(1);
    const all = Array.from({ length: 2_000 }, (_, index) =>
      walker(index + 1, random.integer(3_000, 3_200), {
        position: { x: random.integer(3_000, 3_200), y: random.integer(3_000, 3_200), level: 0 },
        details: { index: index + 1, name: `player ${index}`, local: 100, viewDistance: 15, packetBytes: 400 },
      }),
    );
    expect(writer.update(0, all)?.length).toBeLessThan(100_000);
    expect(writer.update(600, all)).toBeUndefined();
    const walked = all.map((track) => {
      const [dx, dy] = [random.integer(-2, 2), random.integer(-2, 2)];
      const { x, y } = track.position;
      const details = { ...track.details, local: random.integer(80, 120), packetBytes: random.integer(300, 500) };
      const position = { x: x + dx, y: y + dy, level: 0 };
      return { ...track, position, velocity: { x: dx / 0.6, y: dy / 0.6 }, facingTurns: 0.125, stance: "run", details };
    });
    expect(writer.update(1_200, walked)?.length).toBeLessThan(16 * walked.length);
  });
});

describe("a reader", () => {
  test("has the tracks that were written, from the first or from any later time on", () => {
    const seeds = fc.integer({ min: 0, max: 1 << 30 });
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const writer = new TrackWriter(stream);
        const readers: TrackReader[] = [];
        let tracks: readonly Track[] = [];
        for (let step = 1; step <= 12; step += 1) {
          if (random.chance(0.5)) {
            const late = new TrackReader();
            expectEqual(
              sorted(timeless(late.read(writer.full(step))?.tracks.values() ?? [])),
              sorted(timeless(tracks)),
            );
            readers.push(late);
          }
          tracks = someChange(random, tracks);
          const delta = writer.update(step * 50, tracks);
          for (const reader of readers) {
            const snapshot = delta === undefined ? undefined : reader.read(delta);
            if (snapshot === undefined) continue;
            const { world, room, atMs, isFull } = snapshot;
            expectEqual(
              { world, room, atMs, isFull },
              { world: "osrs", room: "world", atMs: step * 50, isFull: false },
            );
            expectEqual(sorted(timeless(snapshot.tracks.values())), sorted(timeless(tracks)));
            for (const [player, track] of snapshot.tracks) expectEqual(track.player, player);
          }
        }
      }),
      { numRuns: scaled(1_000, 15) },
    );
  });

  test("has places, velocities and directions to 1/4096, and details exactly", () => {
    const { writer, reader } = pair();
    const details = {
      rate: 1.000123456789,
      keys: 9,
      huge: 1e300,
      none: null,
      on: true,
      list: [1, { a: "ü" }],
    };
    const track = walker(1, 1 / 3, { velocity: { x: -1 / 3, y: 1e9, z: 5.5 }, facingTurns: 0.7, details });
    for (const [step, x] of [1 / 3, 1 / 3 + 1e-5, 0.5].entries()) {
      const delta = writer.update(step * 50, [{ ...track, position: { x, y: 10 } }]);
      if (step === 1) expect(delta).toBeUndefined();
      const read = delta === undefined ? undefined : reader.read(delta)?.tracks.get(1);
      if (read === undefined) continue;
      expect(Math.abs(read.position.x - x)).toBeLessThanOrEqual(1 / 8192);
      expect(Math.abs(read.velocity.x + 1 / 3)).toBeLessThanOrEqual(1 / 8192);
      expect(Math.abs(read.facingTurns - 0.7)).toBeLessThanOrEqual(1 / 8192);
      expect(read.velocity).toMatchObject({ y: 1e9, z: 5.5 });
      expect(read.details).toEqual(details);
      expect(Object.keys(read.details ?? {})).toEqual(Object.keys(details));
    }
  });

  test("knows until when the tracks before were right, and keeps them as they are while nothing changes", () => {
    const { writer, reader } = pair();
    reader.read(writer.update(100, [walker(1, 1)]) ?? new Uint8Array());
    expect(writer.update(150, [walker(1, 1)])).toBeUndefined();
    writer.hold(200);
    const moved = reader.read(writer.update(250, [walker(1, 2), walker(2, 0)]) ?? new Uint8Array());
    expect(moved).toMatchObject({ atMs: 250, heldMs: 200 });
    const still = reader.read(writer.still(1_250));
    expect(still).toMatchObject({ atMs: 1_250, heldMs: 250 });
    expect(still?.tracks).toBe(moved?.tracks);
    const one = reader.read(writer.update(1_300, [walker(1, 2), walker(2, 5)]) ?? new Uint8Array());
    expect(one?.tracks.get(1)).toBe(moved?.tracks.get(1));
    expect(one?.tracks.get(2)?.position.x).toBe(5);
  });

  test("ignores deltas of another stream, and refuses one after a gap until a full snapshot arrives", () => {
    const { writer, reader } = pair();
    const other = new TrackWriter({ ...stream, stream: 4 });
    expect(reader.read(other.still(0))).toBeUndefined();
    const [first, second, third] = [writer.still(50), writer.still(100), writer.still(150)];
    expect(reader.read(first)?.atMs).toBe(50);
    expect(() => reader.read(third)).toThrow("Cannot read number: 3, 2 expected");
    expect(reader.read(second)).toBeUndefined();
    expect(reader.read(writer.full(200))?.isFull).toBe(true);
    expect(reader.read(writer.still(250))?.atMs).toBe(250);
  });

  test("refuses every prefix and every longer form of a snapshot with an error of the wire", () => {
    const { writer } = pair();
    writer.update(0, [walker(1, 1, { details: { name: "ann" } }), walker(2, 700)]);
    const full = writer.full(50);
    for (let length = 0; length < full.length; length += 1) {
      expect(() => new TrackReader().read(full.subarray(0, length)), `${length}`).toThrow(WireError);
    }
    expect(() => new TrackReader().read(Uint8Array.of(...full, 0))).toThrow(WireError);
  });

  test("reads any bytes or refuses them with an error of the wire", () => {
    const { writer } = pair();
    writer.update(0, [
      walker(1, 1, { details: { name: "ann", deep: [1] } }),
      walker(2, 700, { position: { x: 1, y: 2, z: 3 } }),
    ]);
    const [full, delta] = [writer.full(50), writer.update(60, [walker(2, 9), walker(5, 1.5)]) ?? new Uint8Array()];
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.boolean(), damage, fc.uint8Array({ maxLength: 40 }), (isDelta, bytes, random) => {
        const reader = new TrackReader();
        if (isDelta) reader.read(full);
        const damaged = Uint8Array.from(isDelta ? delta : full);
        for (const [at, byte] of bytes) damaged[at % damaged.length] = byte;
        for (const each of [damaged, Uint8Array.of(1, 1, ...random), random]) {
          try {
            reader.read(each);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        }
      }),
      { numRuns: scaled(50_000, 1_000) },
    );
  });

  test.each([
    ["02", "unknown-message", "Cannot read version: 2, 1 expected"],
    ["0102", "unknown-variant", "Cannot read kind: 2, 0 or 1 expected"],
    ["0101 01 00 00 00 00 ff", "truncated", "Cannot read strings: 1 byte needed, 0 left at byte 8"],
    ["0101 01 00 00 00 00 7f", "truncated", "Cannot read strings: 127 counted, 0 bytes left"],
    [
      "0101 01 00 00 00 00 00 01 1000 00 00",
      "bad-value",
      "Cannot read shapes[0]: the bits of a shape are 0..15, got 16",
    ],
    ["0101 01 00 00 00 00 00 00 00 01 00 02", "bad-value", "player 1 has no track"],
    ["0101 01 00 00 00 00 00 00 00 01 00 01 00", "bad-value", "no shape 0"],
    ["0101 01 00 00 00 00 00 00 01 05 00", "bad-value", "no player 5"],
    [
      "0101 01 00 00 00 00 00 00 00 01 e0c508 01 00",
      "bad-value",
      "Cannot read tracks[0].player: 70001, 0..65535 expected",
    ],
  ])("refuses %s: %s", (hex, code, says) => {
    const read = (): unknown => new TrackReader().read(parseHex(hex));
    expect(read).toThrow(says);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ code });
    }
  });
});

test.each(["track-writer.ts", "track-reader.ts"])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { TrackWriter, TrackReader });
});

test("a writer whose table of strings is long says so, before readers refuse it", () => {
  const { writer, reader } = pair();
  for (let step = 0; !writer.isFull; step += 1) {
    expect(
      reader.read(writer.update(step, [walker(1, 0, { stance: `stance ${step}` })]) ?? new Uint8Array()),
    ).toBeDefined();
    expect(step).toBeLessThan(4_096);
  }
  expect(new TrackReader().read(writer.full(1))?.tracks.size).toBe(1);
});

function sorted(tracks: readonly object[]): readonly object[] {
  const playerOf = (track: object): PlayerId => (track as Track).player;
  return tracks.toSorted((a, b) => playerOf(a) - playerOf(b));
}

/** Tracks after something has changed: players that come, go, move, change their members or do nothing. */
function someChange(random: Random, tracks: readonly Track[]): readonly Track[] {
  const stay = tracks.filter(() => random.chance(0.9));
  const changed = stay.map((track) => (random.chance(0.5) ? track : someTrack(random, track.player)));
  const free = Array.from({ length: 6 }, () => random.integer(1, 65_535));
  const isFree = (player: number, at: number): boolean =>
    free.indexOf(player) === at && !changed.some((track) => track.player === player);
  return [...changed, ...free.filter(isFree).map((player) => someTrack(random, player))];
}

function someTrack(random: Random, player: PlayerId): Track {
  const number = (): number =>
    random.integer(-(2 ** random.integer(0, 30)), 2 ** random.integer(0, 30)) / random.pick([1, 16, 4096]);
  const details: Record<string, JsonObject[string]> = {};
  for (const key of ["a", "b", "__proto__", "0"]) {
    const value = random.pick([1, -7, 0.1, "text", "ü\ud800", true, null, [1, [2]], { deep: {} }]);
    if (random.chance(0.4))
      Object.defineProperty(details, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return {
    player,
    room: "world",
    atMs: 0,
    position: {
      x: number(),
      y: number(),
      ...(random.chance(0.5) ? { z: number() } : {}),
      ...(random.chance(0.5) ? { level: random.integer(0, 3) } : {}),
    },
    velocity: { x: number(), y: number(), ...(random.chance(0.5) ? { z: number() } : {}) },
    facingTurns: random.integer(0, 4095) / 4096,
    stance: random.pick(["stand", "walk"]),
    source: random.pick(["observed", "claimed"]),
    ...(random.chance(0.7) ? { details } : {}),
  };
}
