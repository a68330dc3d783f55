import { expect, test } from "vitest";
import { type TraceField, Tracer, tilingFault } from "./index.ts";

const field = (path: string, bitOffset: number, bitLength: number): TraceField => ({
  path,
  bitOffset,
  bitLength,
  raw: 0,
  shown: "0",
});

test("a field without words of its own shows its value", () => {
  const tracer = new Tracer();
  tracer.field("a", 0, 3, 5);
  tracer.field("b", 3, 64, 7n, "seven");
  expect(tracer.fields).toEqual([
    { path: "a", bitOffset: 0, bitLength: 3, raw: 5, shown: "5" },
    { path: "b", bitOffset: 3, bitLength: 64, raw: 7n, shown: "seven" },
  ]);
});

test("reshow changes the last field alone", () => {
  const tracer = new Tracer();
  tracer.reshow("nothing yet");
  tracer.field("a", 0, 1, 0);
  tracer.field("b", 1, 1, 1);
  tracer.reshow("walk");
  expect(tracer.fields.map(({ shown }) => shown)).toEqual(["0", "walk"]);
});

test.each<[string, TraceField[], number, string | undefined]>([
  ["nothing tiles no bytes", [], 0, undefined],
  ["fields in any order tile", [field("b", 3, 5), field("a", 0, 3)], 1, undefined],
  ["a gap before a field", [field("a", 0, 3), field("b", 4, 4)], 1, "bits 3..3 before b belong to no field"],
  ["an overlap", [field("a", 0, 5), field("b", 4, 4)], 1, "b at bit 4 overlaps the field before it, which ends at 5"],
  ["a gap at the end", [field("a", 0, 8)], 2, "bits 8..15 belong to no field"],
  ["past the end", [field("a", 0, 9)], 1, "the last field ends at bit 9 of 8"],
  ["a field of no bits", [field("a", 0, 0)], 0, "a is 0 bits long"],
])("tilingFault: %s", (_, fields, byteLength, fault) => {
  expect(tilingFault(fields, byteLength)).toBe(fault);
});
