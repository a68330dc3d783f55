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

test("the first message goes at once, a release that comes too early is flushed and not swallowed", () => {
  const debouncer = new MovementDebouncer();
  expect(debouncer.push(leftPress, 0)).toEqual([leftPress]);
  expect(debouncer.push(leftRelease, 5)).toEqual([]);
  expect(debouncer.due(16)).toBe(false);
  expect(debouncer.flush(16)).toEqual([]);
  expect(debouncer.due(17)).toBe(true);
  expect(debouncer.flush(17)).toEqual([leftRelease]);
  expect(debouncer.due(100)).toBe(false);
});

test("what waits keeps its order, before what comes later", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(leftPress, 0);
  debouncer.push(leftRelease, 1);
  debouncer.push(rightPress, 2);
  expect(debouncer.push({ direction: "downPress" }, 20)).toEqual([leftRelease, rightPress, { direction: "downPress" }]);
  expect(debouncer.push(upPress, 21)).toEqual([]);
});

test("a key that bounces while nobody has heard of it is not heard of", () => {
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

test("of two landings that wait the last is told", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(rightPress, 0);
  debouncer.push({ direction: "landing", x: 1, y: 1 }, 1);
  debouncer.push({ direction: "landing", x: 2, y: 1 }, 2);
  expect(debouncer.flush(17)).toEqual([{ direction: "landing", x: 2, y: 1 }]);
});

test("whatever is pushed, the keys the server ends with are the keys held", () => {
  const debouncer = new MovementDebouncer();
  const held = new Set<string>();
  const heard = new Set<string>();
  const hear = (messages: readonly { direction: string }[]) => {
    for (const { direction } of messages) {
      if (direction.endsWith("Press")) heard.add(direction.slice(0, -5));
      else heard.delete(direction.slice(0, -7));
    }
  };
  for (let step = 0; step < 5000; step++) {
    const key = (["left", "right", "up", "down"] as const)[(step * step + (step >> 3)) % 4] ?? "up";
    const down = !held.has(key);
    if (down) held.add(key);
    else held.delete(key);
    hear(debouncer.push({ direction: `${key}${down ? "Press" : "Release"}` }, step * 3));
    if (step % 50 === 49) {
      hear(debouncer.flush(step * 3 + 2));
      if (!debouncer.due(Infinity)) expect(heard).toEqual(held);
    }
  }
  hear(debouncer.flush(Infinity));
  expect(heard).toEqual(held);
});

test("reset drops what waits (standard 5.4)", () => {
  const debouncer = new MovementDebouncer();
  debouncer.push(leftPress, 0);
  debouncer.push(leftRelease, 1);
  debouncer.reset();
  expect(debouncer.flush(100)).toEqual([]);
});
