/** Random fragments of either dialect, for properties. */
import fc from "fast-check";
import { dialectRules, type MapleDialect } from "../wire/dialect.ts";
import { Fragment, type FragmentField } from "../wire/fragment.ts";

const i16 = fc.integer({ min: -0x8000, max: 0x7fff });
const u16 = fc.integer({ min: 0, max: 0xffff });
const u8 = fc.integer({ min: 0, max: 0xff });

const values: Readonly<Record<FragmentField, fc.Arbitrary<number>>> = {
  x: i16,
  y: i16,
  vx: i16,
  vy: i16,
  foothold: i16,
  fallStart: i16,
  unknown: u16,
  state: u8,
  durationMs: u16,
  data: u8,
  xOffset: i16,
  yOffset: i16,
};

/** The types that the dialect has. */
export function typesOf(dialect: MapleDialect): number[] {
  const table = dialectRules(dialect).fragments;
  return Array.from({ length: 256 }, (_, type) => type).filter((type) => table.kindOf(type) !== undefined);
}

/** A fragment of any kind of the dialect. */
export function fragmentOf(dialect: MapleDialect): fc.Arbitrary<Fragment> {
  const table = dialectRules(dialect).fragments;
  return fc.constantFrom(...typesOf(dialect)).chain((type) => {
    const kind = table.kindOf(type) ?? "absolute";
    const fields = Object.fromEntries(
      table.fieldsOf(type).map((field) => [field, kind === "jumpDown" && field === "foothold" ? u16 : values[field]]),
    );
    const offsets = dialect === "v95" ? { xOffset: 0, yOffset: 0 } : {};
    return fc.record(fields).map((drawn) => Fragment.of(kind, { type, ...offsets, ...drawn }));
  });
}
