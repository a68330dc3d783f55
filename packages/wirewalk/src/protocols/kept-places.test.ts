import { expect, test } from "vitest";
import { KeptPlaces } from "./kept-places.ts";
import { MapFileError } from "./map-files.ts";
import { MapError, type MapProblem } from "./maps.ts";

/** A set of the numbers below 100; what is read, and what is told. */
function numbers(kept: number, read: (key: number) => { readonly key: number } | undefined = (key) => ({ key })) {
  const reads: number[] = [];
  const problems: MapProblem[] = [];
  const places = new KeptPlaces<number, { readonly key: number }>({
    kept,
    onProblem: (problem) => problems.push(problem),
    read(key) {
      reads.push(key);
      return key < 100 ? read(key) : undefined;
    },
  });
  return { places, reads, problems };
}

test("those that were used last are kept, the same object each time", () => {
  const { places, reads } = numbers(2);
  const first = places.get(1);
  for (const key of [2, 1, 1, 3, 1]) expect(places.get(key)?.key).toBe(key);
  expect(places.get(1)).toBe(first);
  places.get(2);
  expect(reads).toEqual([1, 2, 3, 2]);
});

test("what is not there is not kept", () => {
  const { places, problems } = numbers(1);
  places.get(1);
  expect([places.get(100), places.need(100), problems]).toEqual([undefined, undefined, []]);
  expect(places.get(1)?.key).toBe(1);
});

test.each([new MapError("cut"), new MapFileError("cut")])("one that cannot be read is told once: %s", (error) => {
  const { places, reads, problems } = numbers(1, (key) => {
    if (key === 7) throw error;
    return { key };
  });
  for (let time = 0; time < 3; time++) expect([places.get(7), places.get(8)?.key]).toEqual([undefined, 8]);
  expect(() => places.need(7)).toThrow(new MapError("cut"));
  expect([reads, problems]).toEqual([[7, 8], [{ place: "7", reason: "cut" }]]);
});

test("any other error is no fault of the place", () => {
  const { places, problems } = numbers(1, () => {
    throw new TypeError("a bug");
  });
  expect(() => places.get(1)).toThrow(TypeError);
  expect(problems).toEqual([]);
});

test("one that another asks for is told when it is asked for itself", () => {
  const { places, problems } = numbers(1, (key) => {
    if (key === 2) throw new MapError("2 is cut");
    return places.need(key + 1);
  });
  expect([places.get(1), problems.map(({ place }) => place)]).toEqual([undefined, ["1"]]);
  expect([places.get(2), problems.map(({ place }) => place)]).toEqual([undefined, ["1", "2"]]);
});

test.each([0, -1, 1.5, Number.NaN])("%d places cannot be kept", (kept) => {
  expect(() => numbers(kept)).toThrow(RangeError);
});
