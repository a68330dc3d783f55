import { expect, test } from "vitest";
import { MovementDebouncer } from "./debouncer.ts";

const leftPress = { direction: "leftPress", x: 1, y: 2 } as const;
const leftRelease = { direction: "leftRelease", x: 3, y: 2 } as const;
const rightPress = { direction: "rightPress", x: 3, y: 2 } as const;
const upPress = { direction: "upPress", x: 3 } as const;
const upRelease = { direction: "upRelease" } as const;

test("canSend: strictly more than 16 ms apart", () => {
  const debouncer = new MovementDebouncer();
  expect(debouncer.canSend(0)).toBe(true);
  expect(debouncer.canSend(16)).toBe(false);
  expect(debouncer.canSend(16.1)).toBe(true);
  expect(debouncer.canSend(17)).toBe(false);
});

test("the first message is sent at once, a release that comes too early is sent later", () => {
  const debouncer = new MovementDebouncer();
  expect(debouncer.push(leftPress, 0)).toEqual([leftPress]);
  expect(debouncer.push(leftRelease, 5)).toEqual([]);
  expect(debouncer.due(16)).toBe(false);
  expect(debouncer.flush(16)).toEqual([]);
  expect(debouncer.due(17)).toBe(true);
  expect(debouncer.flush(17)).toEqual([leftRelease]);
  expect(debouncer.due(100)).toBe(false);
});

test("what waits is sent in its order, before later messages", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(leftPress, 0);
  debouncer.push(leftRelease, 1);
  debouncer.push(rightPress, 2);
  expect(debouncer.push({ direction: "downPress" }, 20)).toEqual([leftRelease, rightPress, { direction: "downPress" }]);
  expect(debouncer.push(upPress, 21)).toEqual([]);
});

test("a press and a release that both wait cancel each other", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(rightPress, 0);
  debouncer.push(leftPress, 1);
  debouncer.push(leftRelease, 2);
  expect(debouncer.due(50)).toBe(false);
});

test("a jump is never lost, however short", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(rightPress, 0);
  debouncer.push(upPress, 1);
  debouncer.push(upRelease, 2);
  expect(debouncer.flush(17)).toEqual([upPress, upRelease]);
});

test("of two landings that wait the last is sent", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(rightPress, 0);
  debouncer.push({ direction: "landing", x: 1, y: 1 }, 1);
  debouncer.push({ direction: "landing", x: 2, y: 1 }, 2);
  expect(debouncer.flush(17)).toEqual([{ direction: "landing", x: 2, y: 1 }]);
});

test("the keys that the server ends with are the keys held", () => {
  const debouncer = new MovementDebouncer();
  const held = new Set<string>();
  const received = new Set<string>();
  const receive = (messages: readonly { direction: string }[]) => {
    for (const { direction } of messages) {
      if (direction.endsWith("Press")) received.add(direction.slice(0, -5));
      else received.delete(direction.slice(0, -7));
    }
  };
  for (let step = 0; step < 5000; step++) {
    const key = (["left", "right", "up", "down"] as const)[(step * step + (step >> 3)) % 4] ?? "up";
    const down = !held.has(key);
    if (down) held.add(key);
    else held.delete(key);
    receive(debouncer.push({ direction: `${key}${down ? "Press" : "Release"}` }, step * 3));
    if (step % 50 === 49) {
      receive(debouncer.flush(step * 3 + 2));
      if (!debouncer.due(Infinity)) expect(received).toEqual(held);
    }
  }
  receive(debouncer.flush(Infinity));
  expect(received).toEqual(held);
});

test("reset drops what waits (standard 5.4)", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(leftPress, 0);
  debouncer.push(leftRelease, 1);
  debouncer.reset();
  expect(debouncer.flush(100)).toEqual([]);
});

test("the last messages are sent before a client leaves, however early", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(leftPress, 0);
  debouncer.push(leftRelease, 1);
  expect(debouncer.isWaiting).toBe(true);
  expect(debouncer.takeAll()).toEqual([leftRelease]);
  expect(debouncer.isWaiting).toBe(false);
  expect(debouncer.flush(100)).toEqual([]);
});
