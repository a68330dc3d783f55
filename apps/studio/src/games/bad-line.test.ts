import { expect, test } from "vitest";
import { memoryPair, VirtualClock } from "wirewalk/net";
import { BadLine, goodLine } from "./bad-line.ts";

function setUp() {
  const clock = new VirtualClock();
  const line = new BadLine(clock);
  const [near, far] = memoryPair({ clock, carrier: "message" });
  const own = line.wrap(near);
  const received: string[] = [];
  const arrived: string[] = [];
  own.listen({ bytes: (bytes) => received.push(`${bytes[0]} at ${Math.round(clock.now())}`), closed: () => {} });
  far.listen({ bytes: (bytes) => arrived.push(`${bytes[0]} at ${Math.round(clock.now())}`), closed: () => {} });
  return { clock, line, own, far, received, arrived };
}

test("messages of both directions take as long as is asked for, and as ever when it is taken back", () => {
  const { clock, line, own, far, received, arrived } = setUp();
  line.settings.value = { ...goodLine, latencyMs: 100 };
  own.send(Uint8Array.of(1));
  far.send(Uint8Array.of(2));
  clock.advanceBy(99);
  expect([received, arrived]).toEqual([[], []]);
  clock.advanceBy(2);
  expect([received, arrived]).toEqual([["2 at 100"], ["1 at 100"]]);
  line.settings.value = goodLine;
  own.send(Uint8Array.of(3));
  clock.advanceBy(1);
  expect(arrived).toEqual(["1 at 100", "3 at 101"]);
});

test("keeps the order of what was sent, also over a change of the line, and loses nothing", () => {
  const { clock, line, own, arrived } = setUp();
  line.settings.value = { ...goodLine, latencyMs: 50, jitterMs: 200, loss: 0.3, stallMs: 300, bytesPerSecond: 2_000 };
  for (let number = 0; number < 60; number++) {
    if (number === 30) line.settings.value = goodLine;
    own.send(Uint8Array.of(number));
    clock.advanceBy(10);
  }
  clock.advanceBy(120_000);
  expect(arrived.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 60 }, (_, index) => index));
});

test("nothing arrives after the end", () => {
  const { clock, line, own, far, received } = setUp();
  line.settings.value = { ...goodLine, latencyMs: 100 };
  far.send(Uint8Array.of(1));
  clock.advanceBy(10);
  own.close("left");
  clock.advanceBy(1_000);
  expect(received).toEqual([]);
});
