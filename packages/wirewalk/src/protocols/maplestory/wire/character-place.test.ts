import { describe, expect, test } from "vitest";
import { placeOfCharacter } from "./character-place.ts";

type Version = "v62" | "v83" | "v95";

const zeros = (count: number): number[] => new Array(count).fill(0);
const u16 = (value: number): number[] => [value & 0xff, value >> 8];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

interface Made {
  readonly name: string;
  readonly job: number;
  /** Pairs of a level and points, for jobs that have a table. */
  readonly table?: readonly number[];
  readonly level?: number;
  readonly mapId?: number;
  readonly parts?: number;
}

/** A character as public servers of the version write it, up to what follows its place. */
function character(
  version: Version,
  { name, job, table, level = 30, mapId = 100_000_000, parts = 0xff }: Made,
): Uint8Array {
  const head = { v62: zeros(2 + 3 * 4), v83: [], v95: [] }[version];
  const gap = { v62: [], v83: [0], v95: [0, 0] }[version];
  const letters = Array.from(name, (letter) => letter.charCodeAt(0));
  const points = version === "v95" ? [5000, 5000, 900, 900].flatMap(u32) : [5000, 5000, 900, 900].flatMap(u16);
  return Uint8Array.from([
    ...head,
    ...[parts, ...new Array(7).fill(0xff)],
    ...gap,
    ...u32(4711),
    ...letters,
    ...zeros(13 - letters.length),
    ...[0, 2, ...u32(20_000), ...u32(30_000), ...zeros(24)],
    level,
    ...u16(job),
    ...[4, 5, 6, 7].flatMap(u16),
    ...points,
    ...u16(3),
    ...(table === undefined ? u16(1) : [table.length / 2, ...table]),
    ...[...u32(123_456), ...u16(9), ...u32(0)],
    ...u32(mapId),
    4,
    ...zeros(60),
  ]);
}

const place = { mapId: 100_000_000, portal: 4 };

describe.each(["v62", "v83", "v95"] as const)("the place of a character of %s", (version) => {
  test.each([
    { name: "Ann", job: 100 },
    { name: "Twelvelength", job: 2100 },
    // A name in the letters of another country.
    { name: "\u00b0\u00a1\u00b3\u00aa", job: 0, level: 250 },
    { name: "Evan", job: 2215, table: [1, 3, 2, 1] },
    { name: "Evan", job: 2001, table: [] },
  ])("is read: $name of job $job", (made) => {
    expect(placeOfCharacter(version, character(version, made))).toEqual(place);
  });

  test.each([
    ["a map's number that no map has", { name: "Ann", job: 100, mapId: 0xffff_ffff }],
    ["a level that nobody has", { name: "Ann", job: 100, level: 0 }],
    ["no numbers", { name: "Ann", job: 100, parts: 0xfe }],
    ["no name", { name: "", job: 100 }],
    ["a name without an end", { name: "Thirteen long", job: 100 }],
    ["a control character", { name: "A\u0007n", job: 100 }],
  ])("is not known with %s", (_, made) => {
    expect(placeOfCharacter(version, character(version, made))).toBeUndefined();
  });

  test("is not known where it was cut", () => {
    const whole = character(version, { name: "Ann", job: 100 }).subarray(0, -60);
    expect(placeOfCharacter(version, whole)).toEqual(place);
    for (let length = 0; length < whole.length; length++) {
      expect(placeOfCharacter(version, whole.subarray(0, length))).toBeUndefined();
    }
  });
});

test("jobs of the third thousand have a table in v95 alone", () => {
  const made = { name: "Ann", job: 3211, table: [1, 3] };
  expect(placeOfCharacter("v95", character("v95", made))).toEqual(place);
  expect(placeOfCharacter("v83", character("v83", { name: "Ann", job: 3211 }))).toEqual(place);
});

test("documented has no character", () => {
  expect(placeOfCharacter("documented", character("v83", { name: "Ann", job: 100 }))).toBeUndefined();
});
