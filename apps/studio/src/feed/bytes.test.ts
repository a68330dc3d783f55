import { expect, test } from "vitest";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseHex, WireError } from "wirewalk/wire";
import { bitRuns, byteCells, fieldPlace } from "./bytes.ts";

test("every byte of a message belongs to the field that the codec read there", () => {
  const payload = parseHex("00 08 02 C0 01 A0 00");
  const trace = slimeOnline2.codec("documented").trace("client", payload);
  const cells = byteCells(payload, trace);
  expect(cells.map(({ hex }) => hex)).toEqual(["00", "08", "02", "C0", "01", "A0", "00"]);
  expect(cells.map(({ field }) => trace.fields[field]?.path)).toEqual(["type", "type", "code", "x", "x", "y", "y"]);
  expect(cells[3]?.bits.map(({ bit }) => bit)).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
  expect(cells.some(({ broken }) => broken)).toBe(false);
});

test("a byte that two fields share belongs to none as a whole, its bits do", () => {
  const fields = [
    { path: "a", bitOffset: 0, bitLength: 3, raw: 5, shown: "5" },
    { path: "b", bitOffset: 3, bitLength: 7, raw: 0, shown: "0" },
  ];
  const [first, second] = byteCells(new Uint8Array([0b1010_0000, 0]), { fields });
  expect(first?.field).toBe(-1);
  expect(first?.bits.map(({ field }) => field)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  expect(second?.bits.map(({ field }) => field)).toEqual([1, 1, -1, -1, -1, -1, -1, -1]);
  const runs = first === undefined ? [] : bitRuns(first);
  expect(runs.map(({ from, bits, field }) => [from, bits, field])).toEqual([
    [0, "101", 0],
    [3, "00000", 1],
  ]);
});

test("the byte where reading stopped is marked", () => {
  const error = new WireError("truncated", "Cannot read x", 8);
  expect(byteCells(new Uint8Array(3), { fields: [], error }).map(({ broken }) => broken)).toEqual([false, true, false]);
});

test.each([
  [0, 8, "byte 0"],
  [16, 16, "bytes 2–3"],
  [4, 1, "bit 4 of byte 0"],
  [20, 3, "bits 4–6 of byte 2"],
  [12, 8, "bits 12–19"],
])("a field at bit %i with %i bits is %s", (bitOffset, bitLength, place) => {
  expect(fieldPlace({ path: "", bitOffset, bitLength, raw: 0, shown: "" })).toBe(place);
});
