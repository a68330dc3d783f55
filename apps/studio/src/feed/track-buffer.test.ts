import { expect, test } from "vitest";
import type { Track } from "wirewalk/motion";
import { PLAYBACK_DELAY_MS, TRAIL_MS, TrackBuffer } from "./track-buffer.ts";

const at = (player: number, x: number, atMs = 0): Track => ({
  player,
  room: "1",
  atMs,
  position: { x, y: 10 },
  velocity: { x: 0, y: 0 },
  facingTurns: 0,
  stance: "stand",
  source: "claimed",
});

/** Takes a snapshot; until `heldMs` the one before it was right. */
function push(buffer: TrackBuffer, atMs: number, tracks: readonly Track[], nowMs: number, heldMs = 0): void {
  buffer.push({ atMs, heldMs, isFull: false, tracks: new Map(tracks.map((track) => [track.player, track])) }, nowMs);
}

test("without a snapshot no player is drawn", () => {
  const buffer = new TrackBuffer();
  expect(buffer.sample(1_000)).toEqual([]);
  expect(buffer.trail(1, 1_000)).toEqual([]);
  expect(buffer.serverTime(1_000)).toBeUndefined();
});

test("a player is drawn between two snapshots, a little in the past", () => {
  const buffer = new TrackBuffer();
  // The server's clock is 5 s ahead of the page's.
  push(buffer, 5_000, [at(1, 0)], 0);
  push(buffer, 5_050, [at(1, 10)], 50);
  expect(buffer.sample(PLAYBACK_DELAY_MS + 25)[0]?.position.x).toBe(5);
  expect(buffer.sample(PLAYBACK_DELAY_MS + 50)[0]?.position.x).toBe(10);
  expect(buffer.serverTime(50)).toBe(5_050);
});

test("a snapshot that waited in a queue does not turn the clock back", () => {
  const buffer = new TrackBuffer();
  push(buffer, 0, [at(1, 0)], 0);
  push(buffer, 50, [at(1, 10)], 250);
  expect(buffer.serverTime(250)).toBeGreaterThan(245);
});

test("nothing is drawn between two places with a gap in time", () => {
  const buffer = new TrackBuffer();
  push(buffer, 0, [at(1, 0)], 0);
  push(buffer, 2_000, [at(1, 100)], 2_000);
  expect(buffer.sample(1_000 + PLAYBACK_DELAY_MS)[0]?.position.x).toBe(100);
});

test("a player that stood for a long time is drawn from the time on at which it moved", () => {
  const buffer = new TrackBuffer();
  push(buffer, 0, [at(1, 0)], 0);
  push(buffer, 2_000, [at(1, 100)], 2_000, 1_950);
  expect(buffer.latestMs).toBe(2_000);
  expect(buffer.sample(1_000 + PLAYBACK_DELAY_MS)[0]?.position.x).toBe(0);
  expect(buffer.sample(1_975 + PLAYBACK_DELAY_MS)[0]?.position.x).toBe(50);
  // Of the time before a full snapshot nothing is known.
  buffer.push({ atMs: 4_000, heldMs: 4_000, isFull: true, tracks: new Map([[1, at(1, 900)]]) }, 4_000);
  expect(buffer.sample(3_000 + PLAYBACK_DELAY_MS)[0]?.position.x).toBe(900);
});

test("a player missing from the newest snapshot is gone, a new player is there at once", () => {
  const buffer = new TrackBuffer();
  push(buffer, 0, [at(1, 0)], 0);
  push(buffer, 50, [at(2, 7)], 50);
  expect(buffer.sample(PLAYBACK_DELAY_MS + 40).map(({ player }) => player)).toEqual([2]);
});

test("a trail goes back as far as it should, and memory no farther", () => {
  const buffer = new TrackBuffer();
  for (let ms = 0; ms <= 20_000; ms += 50) push(buffer, ms, [at(1, ms)], ms);
  const trail = buffer.trail(1, 20_000);
  expect(trail.length).toBeGreaterThan(40);
  expect(trail.length).toBeLessThan(60);
  expect(trail[0]?.x).toBeGreaterThanOrEqual(20_000 - TRAIL_MS - PLAYBACK_DELAY_MS);
  expect(trail.every(({ age }) => age >= 0 && age <= 1)).toBe(true);
});

test("a server that started again is a new one", () => {
  const buffer = new TrackBuffer();
  push(buffer, 90_000, [at(1, 0)], 1_000);
  push(buffer, 40, [at(1, 3)], 2_000);
  expect(buffer.serverTime(2_000)).toBe(40);
});

test("of a recording that is played fast, snapshots are further apart; while it stands still, the newest is drawn", () => {
  const buffer = new TrackBuffer();
  push(buffer, 0, [at(1, 0)], 0);
  // Eight times as fast: 400 ms of the recording in 50 ms, and the scene's clock goes with it.
  buffer.setRate(8);
  push(buffer, 400, [at(1, 80)], 400);
  push(buffer, 800, [at(1, 160)], 800);
  expect(buffer.sample(1_000)[0]?.position.x).toBe(40);
  expect(buffer.sample(1_200)[0]?.position.x).toBe(80);
  buffer.setRate(0);
  expect(buffer.sample(1_200)[0]?.position.x).toBe(160);
  expect(buffer.serverTime(1_200)).toBe(800);
  push(buffer, 850, [at(1, 170)], 1_200);
  expect(buffer.sample(1_200)[0]?.position.x).toBe(170);
});

test("what is held stands still while newer snapshots come, whatever they say of the clocks", () => {
  const buffer = new TrackBuffer();
  for (let step = 0; step <= 10; step++) push(buffer, step * 50, [at(1, step * 10)], step * 50);
  buffer.viewMs = 325;
  const held = buffer.sample(325);
  expect(held[0]?.position.x).toBe(45);
  for (let step = 11; step <= 30; step++) push(buffer, step * 50, [at(1, step * 10)], step * 50 + (step % 3) * 20 - 30);
  expect(buffer.sample(325)).toEqual(held);
});
