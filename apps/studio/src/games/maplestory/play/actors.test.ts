import { expect, test } from "vitest";
import { Fragment } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { policyNames } from "./actor.ts";
import { Actors, ERROR_WINDOW_MS } from "./actors.ts";
import { ErrorWindow, summarize } from "./errors.ts";
import { networkChoices } from "./networks.ts";

function crowd(): Actors {
  return new Actors({ dialect: "v62", random: createRandom(1) });
}

/** There and back, a batch each. */
function walk(actors: Actors, kind: "player" | "monster" | "pet", id: number, batches: number): void {
  const durationMs = kind === "monster" ? 1080 : 510;
  for (let number = 1; number <= batches; number++) {
    const [from, to] = number % 2 === 1 ? [0, 60] : [60, 0];
    const fragments = [
      Fragment.of("absolute", { type: 0, x: to, y: 0, vx: to - from, foothold: 1, state: 2, durationMs }),
    ];
    const received = { start: { x: from, y: 0 }, fragments };
    actors.receive(kind, id, { received, packetBytes: 40, atMs: number * durationMs });
  }
}

function errorsAfter(actors: Actors, untilMs: number): readonly (number | undefined)[] {
  for (let atMs = 0; atMs <= untilMs; atMs += 16) actors.advance(atMs);
  return actors.errors().map((error) => error?.meanPx);
}

test("errors are by policy, least for native and most for hold", () => {
  const actors = crowd();
  expect(actors.errors()).toEqual(policyNames.map(() => undefined));
  walk(actors, "player", 1, 8);
  walk(actors, "monster", 2, 4);
  const [native = 0, , linear = 0, hold = 0] = errorsAfter(actors, 4000);
  expect(native).toBeLessThan(linear);
  expect(linear).toBeLessThan(hold);
});

test("a pet follows its owner and does not count twice", () => {
  const actors = crowd();
  walk(actors, "pet", 1, 8);
  expect(errorsAfter(actors, 4000)).toEqual(policyNames.map(() => undefined));
});

test("a worse network makes the client's own policy worse, from a fresh start", () => {
  const best = crowd();
  walk(best, "player", 1, 20);
  const worse = crowd();
  worse.setNetwork(networkChoices[1]?.conditions);
  walk(worse, "player", 1, 20);
  expect(worse.lagMs("player")).toBe(570);
  const [[good = Infinity], [bad]] = [errorsAfter(best, 10_000), errorsAfter(worse, 10_000)];
  expect(bad).toBeGreaterThan(3 * good);
  worse.setNetwork(undefined);
  expect(worse.errors()).toEqual(policyNames.map(() => undefined));
});

test("an actor that left is removed, and a clear removes all", () => {
  const actors = crowd();
  actors.show("player", 1, { x: 0, y: 0, state: 4 }, 0).name = "one";
  actors.show("player", 2, { x: 0, y: 0, state: 4 }, 900);
  actors.keep(({ seenMs }) => seenMs > 500);
  expect([...actors.all].map(({ key }) => key)).toEqual(["player 2"]);
  actors.remove("player", 2);
  expect(actors.get("player 2")).toBeUndefined();
  walk(actors, "player", 3, 4);
  errorsAfter(actors, 1500);
  actors.clear();
  expect([...actors.all]).toEqual([]);
  expect(actors.errors()).toEqual(policyNames.map(() => undefined));
});

test("mean and 95th percentile are those of the window", () => {
  expect(summarize([])).toBeUndefined();
  expect(summarize(Array.from({ length: 100 }, (_, px) => 99 - px))).toEqual({ count: 100, meanPx: 49.5, p95Px: 95 });
  const random = createRandom(5);
  for (let count = 1; count < 200; count++) {
    const px = Array.from({ length: count }, () => random.integer(0, 40));
    const sorted = [...px].sort((a, b) => a - b);
    expect(summarize(px)?.p95Px).toBe(sorted[Math.floor(count * 0.95)]);
  }
  const errors = new ErrorWindow(ERROR_WINDOW_MS);
  errors.add(0, [100]);
  errors.add(8000, [2]);
  errors.add(9000, [4]);
  expect(errors.summaries(10_000, 1)).toEqual([{ count: 2, meanPx: 3, p95Px: 4 }]);
});
