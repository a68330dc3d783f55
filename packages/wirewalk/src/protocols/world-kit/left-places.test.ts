import { describe, expect, test } from "vitest";
import { type Left, LeftPlaces } from "./left-places.ts";

const left = (account: string, leftMs: number, room = "1"): Omit<Left<number>, "id"> => ({
  account,
  room,
  leftMs,
  kept: leftMs,
});
const keptOf = (places: LeftPlaces<number>, account: string, nowMs: number, room?: string): number[] =>
  places.of(account, room, nowMs).map(({ kept }) => kept);

describe("left places", () => {
  test("are those of an account, the latest first, until they are too old", () => {
    const places = new LeftPlaces<number>({ keptMs: 1000, most: 100 });
    places.add(left("a", 0));
    places.add(left("a", 400, "2"));
    places.add(left("b", 500));
    places.add(left("a", 600));
    expect([keptOf(places, "a", 999), keptOf(places, "a", 1000), keptOf(places, "a", 1000, "2")]).toEqual([
      [600, 400, 0],
      [600, 400],
      [400],
    ]);
    places.tick(1500);
    expect(places.save().entries.map(({ account }) => account)).toEqual(["a", "a", "a"]);
    places.tick(1600);
    expect(places.save().entries).toEqual([]);
  });

  test("are taken once, also of those that left at the same time", () => {
    const places = new LeftPlaces<number>({ keptMs: 1000, most: 100 });
    for (const leftMs of [1, 2, 2]) places.add(left("a", leftMs));
    const [, second] = places.of("a", "1", 2);
    for (const id of [second?.id ?? 0, second?.id ?? 0, 4]) places.take("a", id);
    places.take("b", 1);
    expect(places.of("a", "1", 2).map(({ id }) => id)).toEqual([3, 1]);
    for (const id of [1, 3]) places.take("a", id);
    expect(places.save()).toEqual({ nextId: 4, entries: [] });
  });

  test("are a bounded number, of each account and in all", () => {
    const places = new LeftPlaces<number>({ keptMs: 1000, most: 100 });
    for (let leftMs = 0; leftMs < 70; leftMs += 1) places.add(left("a", leftMs));
    expect(keptOf(places, "a", 100)).toEqual(Array.from({ length: 64 }, (_, index) => 69 - index));
    for (let count = 0; count < 50; count += 1) places.add(left(`b${count}`, 70 + count));
    expect([places.save().entries.length, keptOf(places, "a", 130).length]).toEqual([100, 50]);
    // The account that left most recently keeps its own.
    places.add(left("a", 200));
    places.add(left("c", 201));
    expect([places.save().entries.length, keptOf(places, "a", 201).length, keptOf(places, "b0", 201)]).toEqual([
      100,
      51,
      [],
    ]);
  });

  test("go on as they were when they are saved", () => {
    const options = { keptMs: 1000, most: 3 };
    const places = new LeftPlaces<number>(options);
    for (const each of [left("a", 1), left("b", 2), left("a", 3)]) places.add(each);
    const again = new LeftPlaces(options, places.save());
    for (const each of [places, again]) each.add(left("c", 4));
    expect(again.save()).toEqual(places.save());
    expect(again.save().entries.map(({ kept }) => kept)).toEqual([1, 3, 4]);
  });
});
