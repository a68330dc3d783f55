/**
 * Mask blocks as layouts: the data of a revision says what a block's bytes mean, and reading, writing, traces, JSON and
 * sizes follow from it.
 *
 * ```ts
 * const layout = blockLayout(blockNamed(revision206, "faceAngle"));
 * encode(layout, { angle: 1024 }); // => new Uint8Array([0x04, 0x80])
 * decode(layout, new Uint8Array([0x04, 0x80])); // => { angle: 1024 }
 * ```
 *
 * Source: docs/protocols/osrs-player-info.md 6.
 */
import {
  array,
  type ByteTransform,
  byteRun,
  type IntegerOptions,
  type IntegerOrder,
  integer,
  type Layout,
  optional,
  sizeOf,
  smart,
  struct,
  tagged,
  windows1252String,
  withMeaning,
} from "../../../../../wire/index.ts";
import {
  type HeadBar,
  type Hit,
  MAX_STRING_LENGTH,
  type MaskBlock,
  type MaskByteOrder,
  type MaskField,
  type MaskFields,
  type MaskValue,
  type MaskWordOrder,
} from "./mask-revision.ts";

/** What stands in place of a hit's type: a soak follows; nothing is shown. */
const SOAKED_HIT = 32_767;
const NO_HIT = 32_766;
/** The end time of a bar that is being removed. */
const BAR_REMOVED = 32_767;
/** What a counting byte holds. */
const MAX_COUNT = 255;

const cycles = withMeaning(smart(), { unit: "cycles" });

/** Standard 6.4. The two numbers that are not types do not stand in the value. */
const hit = tagged(
  "type",
  withMeaning(smart(), {
    words: [
      { from: SOAKED_HIT, to: SOAKED_HIT, text: "hit with a soak" },
      { from: NO_HIT, to: NO_HIT, text: "no hit" },
    ],
  }),
  [
    { tags: [NO_HIT], hidden: true, when: { type: "absent" }, layout: struct({ delay: cycles }) },
    {
      tags: [SOAKED_HIT],
      hidden: true,
      when: { soakType: "present" },
      layout: struct({ type: smart(), value: smart(), soakType: smart(), soakValue: smart(), delay: cycles }),
    },
    { layout: struct({ value: smart(), delay: cycles }) },
  ],
) as Layout<Hit>;

/** Standard 6.4. */
function headBar(fill: ByteTransform | undefined): Layout<HeadBar> {
  const part = withMeaning(byte(fill), { unit: "1/255" });
  return struct({
    id: smart(),
    endTime: withMeaning(cycles, { words: [{ from: BAR_REMOVED, to: BAR_REMOVED, text: "removed" }] }),
    startTime: optional(cycles, { field: "endTime", not: BAR_REMOVED }),
    startFill: optional(part, { field: "endTime", not: BAR_REMOVED }),
    endFill: optional(part, { field: "endTime", from: 1, not: BAR_REMOVED }),
  });
}

const transformedBy = (transform: ByteTransform | undefined): Partial<IntegerOptions> =>
  transform === undefined ? {} : { transform };

function byte(transform: ByteTransform | undefined): Layout<number> {
  return integer({ bits: 8, ...transformedBy(transform) });
}

const counted = (transform: ByteTransform | undefined): { count: Layout<number>; limit: number } => ({
  count: byte(transform),
  limit: MAX_COUNT,
});

const orders: Readonly<Record<MaskByteOrder | MaskWordOrder, IntegerOrder>> = {
  BE: "be",
  "BE+": "be",
  LE: "le",
  "LE+": "le",
  2301: "2301",
  1032: "1032",
};

function numberField(field: Extract<MaskField, { type: "u8" | "i8" | "u16" | "i16" | "i32" }>): Layout<number> {
  const order = "order" in field ? (field.order ?? "BE") : "BE";
  const transform = order === "BE+" || order === "LE+" ? "+128" : field.transform;
  return integer({
    bits: Number(field.type.slice(1)),
    signed: field.type.startsWith("i"),
    order: orders[order],
    ...transformedBy(transform),
  });
}

function bareField(field: MaskField): Layout<MaskValue> {
  switch (field.type) {
    case "string":
      return windows1252String({ limit: MAX_STRING_LENGTH }) as Layout<MaskValue>;
    case "bytes": {
      const { transform, reversed } = field;
      return byteRun(counted(field.count), {
        ...(transform === undefined ? {} : { transform }),
        ...(reversed === undefined ? {} : { reversed }),
      }) as Layout<MaskValue>;
    }
    case "hits":
      return array(hit, counted(field.count)) as Layout<MaskValue>;
    case "headBars":
      return array(headBar(field.fill), counted(field.count)) as Layout<MaskValue>;
    case "smart":
      return smart() as Layout<MaskValue>;
    case "wideSmart":
      return smart({ wide: true }) as Layout<MaskValue>;
    case "list":
      return array(fieldsLayout(field.fields), counted(field.count)) as Layout<MaskValue>;
    default:
      return numberField(field) as Layout<MaskValue>;
  }
}

function fieldLayout(field: MaskField): Layout<MaskValue> {
  const { doc, unit, words, when } = field;
  const layout = withMeaning(bareField(field), {
    ...(doc === undefined ? {} : { doc }),
    ...(unit === undefined ? {} : { unit }),
    ...(words === undefined ? {} : { words }),
  });
  return when === undefined ? layout : optional(layout, when);
}

function fieldsLayout(fields: readonly MaskField[]): Layout<MaskFields> {
  return struct(Object.fromEntries(fields.map((field) => [field.name, fieldLayout(field)]))) as Layout<MaskFields>;
}

const layouts = new WeakMap<MaskBlock, Layout<MaskFields>>();

/** The layout of a block: its fields one after another, without flags. Made once for each block. */
export function blockLayout(block: MaskBlock): Layout<MaskFields> {
  let layout = layouts.get(block);
  if (layout === undefined) {
    layout = fieldsLayout(block.fields);
    layouts.set(block, layout);
  }
  return layout;
}

/** The most bytes that a block takes. */
export function maxBlockBytes(block: MaskBlock): number {
  return sizeOf(blockLayout(block).node).most / 8;
}
