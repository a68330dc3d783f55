/**
 * Movement fragments: what all movement packets have in common. Each dialect is described once; reading, writing, traces,
 * JSON, sizes and the tables of `fragment-table.ts` follow from that. `fragment-rows.ts` reads them without objects.
 *
 * QUIRK: in the clients' dialects (`v62`, `v83`, `v95`) position and velocity are those at the **end** of a fragment and the duration is the time since the
 * node before it; the document says, and dialect `documented` means, the start. Source:
 * docs/protocols/maplestory.md 4, E5.
 */
import {
  constant,
  i16le,
  type Layout,
  struct,
  tagged,
  u8,
  u16le,
  type WordRule,
  withMeaning,
} from "../../../wire/index.ts";
import { place } from "./path-blocks.ts";

/** What a fragment does, by the fields it carries. `jumpDown` exists in `documented` alone, `bare` in `v83` and `v95`, `flyingBlock` in `v95`. */
export type FragmentKind =
  | "absolute"
  | "fallDown"
  | "relative"
  | "instant"
  | "startFallDown"
  | "equipment"
  | "bare"
  | "flyingBlock"
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
  /** `v95` alone, in fragments with a foothold and a velocity. */
  readonly xOffset?: number;
  readonly yOffset?: number;
}

/** The fields of every fragment after its type, in their order, and what they are where a kind has none. */
const members = {
  kind: "absolute",
  x: 0,
  y: 0,
  vx: 0,
  vy: 0,
  foothold: 0,
  fallStart: 0,
  unknown: 0,
  state: 0,
  durationMs: 0,
  data: 0,
} as const;
const v95Members = { ...members, xOffset: 0, yOffset: 0 } as const;

/**
 * One fragment as a reader gives it. Every field is always set, to 0 where the kind has none, so that whatever looks at
 * fragments sees one shape: with one literal per kind reading took three times as long. `v95` alone has the offsets.
 */
export type Fragment = Required<Omit<FragmentFields, Offset>> & Pick<FragmentFields, Offset>;
type Offset = "xOffset" | "yOffset";

export const Fragment = {
  /** A fragment out of the fields that its kind has; the others are 0. */
  of(kind: FragmentKind, fields: FragmentFields): Fragment {
    const { type, ...own } = fields;
    return { type, ...members, ...own, kind };
  },
} as const;

/** A field of a fragment beside its type. */
export type FragmentField = Exclude<keyof FragmentFields, "type" | "kind">;

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

/** One kind of fragment: its types, and the fields after the type in wire order. */
interface Kind {
  readonly kind: FragmentKind;
  readonly types: readonly number[];
  readonly fields: Readonly<Partial<Record<FragmentField, Layout<number>>>>;
}

/** The description of a dialect's fragments. The kind follows from the type: a writer may leave it out. */
function describe(kinds: readonly Kind[], section: string, shape: typeof members = members): Layout<Fragment> {
  const words = kinds.flatMap(({ kind, types }) =>
    types.map((type): WordRule => ({ from: type, to: type, text: `{number}, ${kind}` })),
  );
  return tagged(
    "type",
    withMeaning(u8, { doc: "decides the fields", section: "4.1", words }),
    kinds.map(({ kind, types, fields }) => ({
      tags: types,
      layout: withMeaning(struct({ kind: constant(kind, { optional: true }), ...fields }), {
        section,
      }) as Layout<object>,
    })),
    { members: shape },
  ) as Layout<Fragment>;
}

/** A state: a stance, and in the low bit the side. */
function stateOf(names: Readonly<Record<string, number>>): Layout<number> {
  const named = Object.entries({ none: 0, ...names }).flatMap(([name, stance]): WordRule[] => [
    { from: stance << 1, to: stance << 1, text: `{number}, ${name} right` },
    { from: (stance << 1) | 1, to: (stance << 1) | 1, text: `{number}, ${name} left` },
  ]);
  return withMeaning(u8, {
    section: "4.4",
    words: [
      ...named,
      { every: 2, text: "{number}, stance {} right", factor: 0.5 },
      { from: 1, every: 2, text: "{number}, stance {} left", factor: 0.5, offset: 1 },
    ],
  });
}

const px = (doc: string): Layout<number> => withMeaning(i16le, { doc, unit: "px" });
const pxPerSecond = (doc: string): Layout<number> => withMeaning(i16le, { doc, unit: "px/s" });
const velocity = { vx: pxPerSecond("to the right"), vy: pxPerSecond("downwards") };
const foothold = withMeaning(i16le, { doc: "0 in the air, negative a ladder or rope" });
const fallStart = withMeaning(i16le, { doc: "the foothold that the fall began on" });
const unknown = withMeaning(u16le, { doc: "not known" });
const durationMs = withMeaning(u16le, { doc: "how long it took", unit: "ms" });
const state = stateOf(stances);
const documentedState = stateOf(documentedStances);
const data = withMeaning(u8, { doc: "a change of what is worn" });
const equipment: Kind = { kind: "equipment", types: [10], fields: { data } };

/** What the fragments of the clients have in common; they differ in the types that set the velocity. */
const clientKinds = (relative: readonly number[]): readonly Kind[] => [
  { kind: "absolute", types: [0, 5, 17], fields: { ...place, ...velocity, foothold, state, durationMs } },
  { kind: "fallDown", types: [15], fields: { ...place, ...velocity, foothold, fallStart, state, durationMs } },
  { kind: "relative", types: relative, fields: { ...velocity, state, durationMs } },
  { kind: "instant", types: [3, 4, 7, 8, 9, 11], fields: { ...place, foothold, state, durationMs } },
  { kind: "startFallDown", types: [14], fields: { ...velocity, fallStart, state, durationMs } },
  equipment,
];

/** The fragments of `v62` (standard 4.2). */
export const v62Fragment: Layout<Fragment> = describe(clientKinds([1, 2, 6, 12, 13, 16]), "4.2");

/** The fragments of `v83`: those of `v62`, four more types that set the velocity, and one with nothing but time (standard 4.7). */
export const v83Fragment: Layout<Fragment> = describe(
  [...clientKinds([1, 2, 6, 12, 13, 16, 18, 19, 20, 22]), { kind: "bare", types: [21], fields: { state, durationMs } }],
  "4.7",
);

const offsets = { xOffset: px("not known"), yOffset: px("not known") };

/** The fragments of `v95`: the types are numbered anew, and a place with a foothold and a velocity has offsets (standard 4.8). */
export const v95Fragment: Layout<Fragment> = describe(
  [
    {
      kind: "absolute",
      types: [0, 5, 14, 35, 36],
      fields: { ...place, ...velocity, foothold, ...offsets, state, durationMs },
    },
    {
      kind: "fallDown",
      types: [12],
      fields: { ...place, ...velocity, foothold, fallStart, ...offsets, state, durationMs },
    },
    { kind: "relative", types: [1, 2, 13, 16, 18, 31, 32, 33, 34], fields: { ...velocity, state, durationMs } },
    { kind: "instant", types: [3, 4, 6, 7, 8, 10], fields: { ...place, foothold, state, durationMs } },
    { kind: "startFallDown", types: [11], fields: { ...velocity, fallStart, state, durationMs } },
    { kind: "flyingBlock", types: [17], fields: { ...place, ...velocity, state, durationMs } },
    { kind: "equipment", types: [9], fields: { data } },
    { kind: "bare", types: [15, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30], fields: { state, durationMs } },
  ],
  "4.8",
  v95Members,
);

/** The fragments of `documented`, as printed (standard 4.3). */
export const documentedFragment: Layout<Fragment> = describe(
  [
    {
      kind: "absolute",
      types: [0, 5, 17],
      fields: { ...place, ...velocity, unknown, state: documentedState, durationMs },
    },
    { kind: "relative", types: [1, 2, 6, 12, 13, 16], fields: { ...velocity, state: documentedState, durationMs } },
    { kind: "instant", types: [3, 4, 7, 8, 9, 14], fields: { ...place, ...velocity, state: documentedState } },
    equipment,
    {
      kind: "jumpDown",
      types: [11],
      fields: {
        ...place,
        ...velocity,
        unknown,
        foothold: withMeaning(u16le, { doc: "the one jumped off" }),
        state: documentedState,
        durationMs,
      },
    },
  ],
  "4.3",
);
