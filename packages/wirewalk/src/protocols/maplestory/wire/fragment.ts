/**
 * Movement fragments: what all movement packets have in common. One table of kinds per dialect drives reading, writing,
 * traces and JSON; `fragment-io.ts` does the same by hand where it must be fast, `fragment-rows.ts` without objects.
 *
 * QUIRK: in `v62` position and velocity are those at the **end** of a fragment and the duration is the time since the
 * node before it; the document says, and dialect `documented` means, the start. Source:
 * docs/protocols/maplestory.md 4, E5.
 */
import { handWritten, i16le, joinPath, type Layout, u8, u16le, WireError, withPath } from "../../../wire/index.ts";

/** What a fragment does, by the fields it carries. `jumpDown` exists in `documented` alone. */
export type FragmentKind =
  | "absolute"
  | "fallDown"
  | "relative"
  | "instant"
  | "startFallDown"
  | "equipment"
  | "jumpDown";

/** The fields that a fragment may have; which of them follows from its type. */
export interface FragmentFields {
  /** The byte on the wire: several types mean the same kind. */
  readonly type: number;
  readonly kind?: FragmentKind;
  /** Pixels, x to the right, y downwards. */
  readonly x?: number;
  readonly y?: number;
  /** Pixels per second. */
  readonly vx?: number;
  readonly vy?: number;
  /** 0 in the air, negative a ladder or rope. */
  readonly foothold?: number;
  /** The foothold that a fall through a platform began on. */
  readonly fallStart?: number;
  /** `documented` alone: "truly unknown". Where `v62` has the foothold, or before it. */
  readonly unknown?: number;
  /** The stance; the low bit says that it looks left. */
  readonly state?: number;
  readonly durationMs?: number;
  /** Of equipment: which item changed. */
  readonly data?: number;
}

/**
 * One fragment as a reader gives it. Every field is always set, to 0 where the kind has none, so that whatever looks at
 * fragments sees one shape: with one literal per kind reading took three times as long.
 */
export class Fragment implements Required<FragmentFields> {
  readonly type: number;
  readonly kind: FragmentKind;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly foothold: number;
  readonly fallStart: number;
  readonly unknown: number;
  readonly state: number;
  readonly durationMs: number;
  readonly data: number;

  constructor(
    type: number,
    kind: FragmentKind,
    x: number,
    y: number,
    vx: number,
    vy: number,
    foothold: number,
    fallStart: number,
    unknown: number,
    state: number,
    durationMs: number,
    data: number,
  ) {
    this.type = type;
    this.kind = kind;
    this.x = x;
    this.y = y;
    this.vx = vx;
    this.vy = vy;
    this.foothold = foothold;
    this.fallStart = fallStart;
    this.unknown = unknown;
    this.state = state;
    this.durationMs = durationMs;
    this.data = data;
  }

  /** A fragment out of the fields that its kind has; the others are 0. */
  static of(kind: FragmentKind, fields: FragmentFields): Fragment {
    const { type, x = 0, y = 0, vx = 0, vy = 0, foothold = 0, fallStart = 0, unknown = 0 } = fields;
    const { state = 0, durationMs = 0, data = 0 } = fields;
    return new Fragment(type, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data);
  }
}

/** A field of a fragment beside its type. */
export type FragmentField = Exclude<keyof FragmentFields, "type" | "kind">;

/** How the bytes after the type lie. A name per layout, not per kind: dialects lay out the same kind differently. */
export type Shape =
  | "absolute"
  | "fallDown"
  | "relative"
  | "instant"
  | "startFallDown"
  | "equipment"
  | "documentedAbsolute"
  | "documentedJumpDown"
  | "documentedInstant";

interface KindRow {
  readonly kind: FragmentKind;
  readonly shape: Shape;
  readonly types: readonly number[];
  readonly fields: readonly FragmentField[];
}

const fieldLayouts: Readonly<Record<FragmentField, Layout<number>>> = {
  x: i16le,
  y: i16le,
  vx: i16le,
  vy: i16le,
  foothold: i16le,
  fallStart: i16le,
  unknown: u16le,
  state: u8,
  durationMs: u16le,
  data: u8,
};
const oneByteFields: ReadonlySet<FragmentField> = new Set(["state", "data"]);

/** What a type means, in one look: three tables by type cost 2 ns more per fragment. */
export interface TypeRow {
  /** Bytes with the type; 0 for a type that there is not. */
  readonly size: number;
  readonly shape: Shape | "none";
  readonly kind: FragmentKind;
}

/** The fragments of one dialect. */
export interface FragmentTable {
  /** By type, all 256 of them. */
  readonly types: readonly TypeRow[];
  /** A bit for every type of the shape `absolute`, all of them below 32: what nearly all fragments are, tried first. */
  readonly absoluteTypes: number;
  /** The kind of a type; undefined for a type that there is not. */
  kindOf(type: number): FragmentKind | undefined;
  /** The fields of a type in wire order. */
  fieldsOf(type: number): readonly FragmentField[];
  /** What the body does, in words: `walk`, `jump`; a state that has no name as `stance 23`. */
  stanceOf(state: number): string;
  /** The definition: what the fast readers and writers must equal, and what traces and errors come from. */
  readonly layout: Layout<Fragment>;
}

function createTable(
  rows: readonly KindRow[],
  jumpDownFoothold: Layout<number>,
  stances: readonly string[],
): FragmentTable {
  const rowOf = new Map<number, KindRow>();
  for (const row of rows) for (const type of row.types) rowOf.set(type, row);
  const types = Array.from({ length: 256 }, (_, type): TypeRow => {
    const row = rowOf.get(type);
    if (row === undefined) return { size: 0, shape: "none", kind: "absolute" };
    const size = row.fields.reduce((sum, field) => sum + (oneByteFields.has(field) ? 1 : 2), 1);
    return { size, shape: row.shape, kind: row.kind };
  });
  const absoluteTypes = types.reduce((bits, { shape }, type) => (shape === "absolute" ? bits | (1 << type) : bits), 0);
  const stanceOf = (state: number): string => stances[state >> 1] ?? `stance ${state >> 1}`;
  const known = [...rowOf.keys()].sort((a, b) => a - b).join(", ");
  const layoutOf = (row: KindRow, field: FragmentField): Layout<number> =>
    field === "foothold" && row.kind === "jumpDown" ? jumpDownFoothold : fieldLayouts[field];

  const readWith = (read: (layout: Layout<number>, name: string) => number, at: number): Fragment => {
    let current = "type";
    try {
      const type = read(u8, "type");
      const row = rowOf.get(type);
      if (row === undefined) {
        throw new WireError("unknown-variant", `Cannot read value: ${type} is none of ${known} at byte ${at}`, at * 8);
      }
      const values: { -readonly [K in keyof FragmentFields]: FragmentFields[K] } = { type };
      for (const field of row.fields) {
        current = field;
        values[field] = read(layoutOf(row, field), field);
      }
      return Fragment.of(row.kind, values as FragmentFields);
    } catch (error) {
      throw withPath(error, current);
    }
  };

  const layout: Layout<Fragment> = handWritten({
    read: (reader) => readWith((field) => field.read(reader), reader.offset),
    trace(reader, tracer, path) {
      const start = reader.offset;
      return readWith((field, name) => {
        const value = field.trace(reader, tracer, joinPath(path, name));
        const kind = name === "type" ? rowOf.get(value)?.kind : undefined;
        if (kind !== undefined) tracer.reshow(`${value}, ${kind}`);
        if (name === "state") tracer.reshow(`${value}, ${stanceOf(value)} ${(value & 1) === 1 ? "left" : "right"}`);
        return value;
      }, start);
    },
    write(writer, value) {
      let current = "type";
      try {
        const row = rowOf.get(value.type);
        if (row === undefined) throw new RangeError(`value must be one of ${known}, got ${String(value.type)}`);
        const { kind } = value as FragmentFields;
        current = "kind";
        if (kind !== undefined && kind !== row.kind) {
          throw new RangeError(`value of type ${value.type} must be ${row.kind}, got ${String(kind)}`);
        }
        current = "type";
        u8.write(writer, value.type);
        for (const field of row.fields) {
          current = field;
          layoutOf(row, field).write(writer, value[field]);
        }
      } catch (error) {
        throw withPath(error, current);
      }
    },
  });

  return {
    types,
    absoluteTypes,
    kindOf: (type) => rowOf.get(type)?.kind,
    fieldsOf: (type) => rowOf.get(type)?.fields ?? [],
    stanceOf,
    layout,
  };
}

const absolute: readonly FragmentField[] = ["x", "y", "vx", "vy", "foothold", "state", "durationMs"];
const fallDown: readonly FragmentField[] = ["x", "y", "vx", "vy", "foothold", "fallStart", "state", "durationMs"];
const relative: readonly FragmentField[] = ["vx", "vy", "state", "durationMs"];
const instant: readonly FragmentField[] = ["x", "y", "foothold", "state", "durationMs"];
const startFallDown: readonly FragmentField[] = ["vx", "vy", "fallStart", "state", "durationMs"];

/** Stances by `state >> 1`, in `v62` (standard 4.4). */
export const stances = {
  walk: 1,
  stand: 2,
  jump: 3,
  alert: 4,
  prone: 5,
  swim: 6,
  ladder: 7,
  rope: 8,
  dead: 9,
  sit: 10,
} as const;

/** Stances as the document prints them: an attack where `v62` is alert, rope and ladder each a place earlier and the other way round. */
export const documentedStances = { walk: 1, stand: 2, jump: 3, attack: 4, prone: 5, rope: 6, ladder: 7 } as const;

/** Names by number. */
function namesOf(numbers: Readonly<Record<string, number>>): readonly string[] {
  const names: string[] = ["none"];
  for (const [name, number] of Object.entries(numbers)) names[number] = name;
  return names;
}

/** The fragments of `v62` (standard 4.2). */
export const v62Fragments = createTable(
  [
    { kind: "absolute", shape: "absolute", types: [0, 5, 17], fields: absolute },
    { kind: "fallDown", shape: "fallDown", types: [15], fields: fallDown },
    { kind: "relative", shape: "relative", types: [1, 2, 6, 12, 13, 16], fields: relative },
    { kind: "instant", shape: "instant", types: [3, 4, 7, 8, 9, 11], fields: instant },
    { kind: "startFallDown", shape: "startFallDown", types: [14], fields: startFallDown },
    { kind: "equipment", shape: "equipment", types: [10], fields: ["data"] },
  ],
  i16le,
  namesOf(stances),
);

/** The fragments of `documented`, as printed (standard 4.3). */
export const documentedFragments = createTable(
  [
    {
      kind: "absolute",
      shape: "documentedAbsolute",
      types: [0, 5, 17],
      fields: ["x", "y", "vx", "vy", "unknown", "state", "durationMs"],
    },
    { kind: "relative", shape: "relative", types: [1, 2, 6, 12, 13, 16], fields: relative },
    {
      kind: "instant",
      shape: "documentedInstant",
      types: [3, 4, 7, 8, 9, 14],
      fields: ["x", "y", "vx", "vy", "state"],
    },
    { kind: "equipment", shape: "equipment", types: [10], fields: ["data"] },
    {
      kind: "jumpDown",
      shape: "documentedJumpDown",
      types: [11],
      fields: ["x", "y", "vx", "vy", "unknown", "foothold", "state", "durationMs"],
    },
  ],
  u16le,
  namesOf(documentedStances),
);
