import { expect, test } from "vitest";
import { memoryPair, type Transport, VirtualClock } from "wirewalk/net";
import { perfectLine, WorseNetwork } from "./worse-network.ts";

/** A wrapped end and the bare other one, with what each has received: the time and the second byte. */
function setUp() {
  const clock = new VirtualClock();
  const network = new WorseNetwork(clock);
  const [near, far] = memoryPair({ clock, carrier: "message" });
  const wrapped = network.wrap(near);
  const record = (transport: Transport): [number, number | string][] => {
    const arrived: [number, number | string][] = [];
    transport.listen({
      bytes: (bytes) => arrived.push([clock.now(), bytes[1] ?? -1]),
      closed: (reason) => arrived.push([clock.now(), reason]),
    });
    return arrived;
  };
  return { clock, network, wrapped, far, atNear: record(wrapped), atFar: record(far) };
}

const movement = (number: number) => new Uint8Array([0x1e, number]);
const update = (number: number) => new Uint8Array([0x18, number]);
const hello = new Uint8Array([0xf0, 1]);

test("adds nothing until it is asked to", () => {
  const { clock, wrapped, far, atNear, atFar } = setUp();
  wrapped.send(movement(1));
  far.send(update(2));
  clock.advanceBy(0);
  expect([atFar, atNear]).toEqual([[[0, 1]], [[0, 2]]]);
});

test("delays packets both ways, and no message of the session", () => {
  const { clock, network, wrapped, far, atNear, atFar } = setUp();
  network.change({ ...perfectLine, delayMs: 80 });
  wrapped.send(movement(1));
  wrapped.send(hello);
  far.send(update(2));
  far.send(new Uint8Array([0xf1, 3]));
  clock.advanceBy(200);
  expect(atFar).toEqual([
    [0, 1],
    [80, 1],
  ]);
  expect(atNear).toEqual([
    [0, 3],
    [80, 2],
  ]);
});

test("loses as many as asked for, several in a row, and counts them", () => {
  const { clock, network, wrapped, atFar } = setUp();
  network.change({ ...perfectLine, loss: 0.1, jitterMs: 20 });
  for (let number = 0; number < 4_000; number++) {
    clock.advanceBy(25);
    wrapped.send(movement(number % 256));
  }
  clock.advanceBy(1_000);
  const { sent, lost } = network.counts.up;
  expect(sent).toBe(4_000);
  expect(atFar).toHaveLength(sent - lost);
  expect(lost).toBeGreaterThan(250);
  expect(lost).toBeLessThan(550);
  expect(network.counts.down).toEqual({ sent: 0, lost: 0 });
});

test("equal seeds lose the same packets", () => {
  const lostOf = (seed: number): readonly (number | string)[] => {
    const { clock, network, wrapped, atFar } = setUp();
    network.change({ ...perfectLine, loss: 0.3, seed });
    for (let number = 0; number < 200; number++) wrapped.send(movement(number));
    clock.advanceBy(0);
    return atFar.map(([, number]) => number);
  };
  expect(lostOf(5)).toEqual(lostOf(5));
  expect(lostOf(5)).not.toEqual(lostOf(6));
});

test("changes while it runs, and counts anew", () => {
  const { clock, network, wrapped, atFar } = setUp();
  network.change({ ...perfectLine, delayMs: 100 });
  wrapped.send(movement(1));
  network.change(perfectLine);
  wrapped.send(movement(2));
  clock.advanceBy(100);
  expect(atFar).toEqual([
    [0, 2],
    [100, 1],
  ]);
  expect(network.counts.up.sent).toBe(1);
  expect(() => network.change({ ...perfectLine, loss: 1 })).toThrow(RangeError);
});

test("what is on its way when the line ends is lost", () => {
  const { clock, network, wrapped, far, atNear, atFar } = setUp();
  network.change({ ...perfectLine, delayMs: 100 });
  wrapped.send(movement(1));
  far.send(update(1));
  clock.advanceBy(50);
  wrapped.close("left");
  clock.advanceBy(500);
  expect(atFar).toEqual([[50, "left"]]);
  expect(atNear.map(([, what]) => what)).toEqual(["left"]);
});
