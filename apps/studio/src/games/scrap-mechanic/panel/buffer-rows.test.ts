import { expect, test } from "vitest";
import type { Track } from "wirewalk/motion";
import { bufferRows } from "./buffer-rows.ts";

const track = (player: number, details: NonNullable<Track["details"]>): Track => ({
  player,
  room: "1",
  atMs: 0,
  position: { x: 0, y: 0 },
  velocity: { x: 0, y: 0 },
  facingTurns: 0,
  stance: "stand",
  source: "simulated",
  details,
});

test("the own player comes first, then the others by number, with ticks, wait and clock", () => {
  const tracks = [
    track(9, { bufferedTicks: 3, delayMs: 60, clockRate: 1.02 }),
    track(2, { bufferedTicks: 0, delayMs: 0, clockRate: null }),
    track(5, { bufferedTicks: 1, delayMs: 26, clockRate: 1 }),
  ];
  const names = new Map([[9, "bot 9"]]);
  expect(bufferRows(tracks, { names, self: 5, chosen: 9 })).toEqual([
    { player: 5, name: "#5", own: true, chosen: false, depth: 1, target: 1, delayMs: 26, rate: 1 },
    { player: 2, name: "#2", own: false, chosen: false, depth: 0, target: 0, delayMs: 0, rate: undefined },
    { player: 9, name: "bot 9", own: false, chosen: true, depth: 3, target: 2, delayMs: 60, rate: 1.02 },
  ]);
});
