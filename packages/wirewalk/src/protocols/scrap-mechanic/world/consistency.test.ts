import { describe, expect, it } from "vitest";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { ConsistencyCheck, type Inconsistency } from "./consistency.ts";

const HORIZONTAL = 4;
const SPRINT = 8;

type Packet = readonly [tick: number, keys: number, more?: Partial<PlayerMovement>];

/** The rules that the last of these packets breaks. */
function judge(packets: readonly Packet[], seated = false): Inconsistency["rule"][] {
  const check = new ConsistencyCheck();
  let found: readonly Inconsistency[] = [];
  for (const [tick, keys, more] of packets) {
    const movement = { tick, keys: keySets[keys] as MovementKeys, direction: 64, yaw: 0, pitch: 64, ...more };
    found = check.judge(movement, tick, seated);
  }
  return found.map(({ rule }) => rule);
}

describe("sprint without moving", () => {
  it("is legal for one packet after stopping", () => {
    expect(
      judge([
        [1, HORIZONTAL],
        [2, HORIZONTAL + SPRINT],
        [3, SPRINT],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, HORIZONTAL],
        [2, HORIZONTAL + SPRINT],
        [3, SPRINT],
        [4, SPRINT],
      ]),
    ).toEqual(["sprint-standing"]);
    expect(
      judge([
        [1, 0],
        [2, SPRINT],
      ]),
    ).toEqual(["sprint-standing"]);
  });

  it("is not judged next to a packet that got lost, unless it goes on and on", () => {
    expect(
      judge([
        [1, 0],
        [3, SPRINT],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, SPRINT],
        [3, SPRINT],
        [5, SPRINT],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, SPRINT],
        [3, SPRINT],
        [5, SPRINT],
        [7, SPRINT],
      ]),
    ).toEqual(["sprint-standing"]);
  });
});

describe("sprint from standstill", () => {
  it("begins in the second packet", () => {
    expect(
      judge([
        [1, 0],
        [2, HORIZONTAL],
        [3, HORIZONTAL + SPRINT],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, 0],
        [2, HORIZONTAL + SPRINT],
      ]),
    ).toEqual(["sprint-start"]);
  });

  it("may follow on a sprint that has just ended, or on a packet that got lost", () => {
    expect(
      judge([
        [1, HORIZONTAL + SPRINT],
        [2, SPRINT],
        [3, HORIZONTAL + SPRINT],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, 0],
        [3, HORIZONTAL + SPRINT],
      ]),
    ).toEqual([]);
  });
});

describe("direction", () => {
  it("keeps its value while standing", () => {
    expect(
      judge([
        [1, 0],
        [2, 0, { direction: 65 }],
      ]),
    ).toEqual(["direction-standing"]);
    expect(
      judge([
        [1, HORIZONTAL],
        [2, 0, { direction: 0 }],
      ]),
    ).toEqual(["direction-standing"]);
    expect(
      judge([
        [1, 0],
        [2, HORIZONTAL, { direction: 0 }],
      ]),
    ).toEqual([]);
    expect(
      judge([
        [1, 0],
        [3, 0, { direction: 0 }],
      ]),
    ).toEqual([]);
  });
});

describe("every other tick is left out", () => {
  /** Packets of 20 frames a second. */
  const slow = (
    count: number,
    of: (index: number) => readonly [keys: number, more?: Partial<PlayerMovement>],
  ): Packet[] => Array.from({ length: count }, (_, index) => [1 + 2 * index, ...of(index)]);

  it("by a slow machine, which is honest", () => {
    const keysOf = [0, HORIZONTAL, HORIZONTAL + SPRINT, SPRINT];
    for (const count of [397, 398, 399, 400])
      expect(judge(slow(count, (index) => [keysOf[index % 4] ?? 0]))).toEqual([]);
  });

  it("to hide what the rules about two packets find", () => {
    const turning = (index: number) => [0, { direction: index % 256 }] as const;
    expect(judge(slow(11, turning))).toEqual([]);
    expect(judge(slow(12, turning))).toEqual(["direction-standing"]);
    const starting = (index: number) => [index % 2 === 0 ? 0 : HORIZONTAL + SPRINT] as const;
    expect(judge(slow(20, starting))).toEqual([]);
    expect(judge(slow(24, starting))).toEqual(["sprint-start"]);
  });

  it("now and then where the packet between was lost", () => {
    // A tenth of 400 starts of a sprint, each after 2 s at rest.
    const packets = Array.from({ length: 400 }, (_, start): readonly Packet[] => {
      const tick = 1 + start * 100;
      const first: readonly Packet[] = start % 10 === 0 ? [] : [[tick + 80, HORIZONTAL]];
      return [[tick + 79, 0], ...first, [tick + 81, HORIZONTAL + SPRINT], [tick + 82, SPRINT], [tick + 83, 0]];
    }).flat();
    expect(judge(packets.slice(0, -2))).toEqual([]);
    const check = new ConsistencyCheck();
    for (const [tick, bits] of packets) {
      const movement = { tick, keys: keySets[bits] as MovementKeys, direction: 64, yaw: 0, pitch: 64 };
      expect(check.judge(movement, tick, false)).toEqual([]);
    }
  });
});

it("nobody looks further up than straight up", () => {
  expect(judge([[1, 0, { pitch: 128 }]])).toEqual([]);
  expect(judge([[1, 0, { pitch: 129 }]])).toEqual(["pitch"]);
});

it("a seated player presses no keys", () => {
  expect(judge([[1, 0]], true)).toEqual([]);
  expect(judge([[1, 16]], true)).toEqual(["keys-seated"]);
});
