/** What one packet did, player by player, for people to read. Pure. */
import type { MaskFields, PlayerInfoUpdate } from "wirewalk/osrs";
import type { TraceField } from "wirewalk/wire";

/** Kinds in the order in which they are told. */
export const deedKinds = ["walk", "run", "teleport", "add", "remove", "quarter", "masks"] as const;

export type DeedKind = (typeof deedKinds)[number];

export interface DeedPlace {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** One thing that happened to one player. */
export interface Deed {
  readonly kind: DeedKind;
  readonly index: number;
  /** Where the player was: of movements and removals. */
  readonly from?: DeedPlace;
  /** Where the player is: of movements and additions. */
  readonly to?: DeedPlace;
  /** What else is to be said. */
  readonly words: string;
}

/** Deeds of a packet kept for reading: the counts say how many more there were. */
export const MAX_DEEDS = 400;

export interface Deeds {
  readonly counts: Readonly<Record<DeedKind, number>>;
  /** At most {@link MAX_DEEDS}. */
  readonly list: readonly Deed[];
}

/** Characters of a mask's value. */
const LONGEST_VALUE = 24;

const compass: readonly (readonly string[])[] = [
  ["SW", "S", "SE"],
  ["W", "", "E"],
  ["NW", "N", "NE"],
];

/**
 * What a packet did. `before` is where a player was before it, `after` where it is; `fields` are the packet's, since
 * what becomes of a player out of view stands nowhere else.
 */
export function deedsOf(
  { moves, added, removed, masks }: PlayerInfoUpdate,
  fields: readonly TraceField[],
  before: (index: number) => DeedPlace,
  after: (index: number) => DeedPlace,
): Deeds {
  const counts: Record<DeedKind, number> = { walk: 0, run: 0, teleport: 0, add: 0, remove: 0, quarter: 0, masks: 0 };
  const list: Deed[] = [];
  const tell = (kind: DeedKind, make: () => Omit<Deed, "kind">): void => {
    counts[kind] += 1;
    if (list.length < MAX_DEEDS) list.push({ kind, ...make() });
  };
  for (const { index, type, level, x, z, arrival } of moves) {
    const kind = type === "walk" || type === "run" ? type : "teleport";
    tell(kind, () => {
      const [from, to] = [before(index), { level, x, z }];
      return { index, from, to, words: moveWords(kind, from, to, arrival === "stop") };
    });
  }
  for (const index of added) {
    const to = after(index);
    tell("add", () => ({ index, to, words: `at ${to.x}, ${to.z}` }));
  }
  for (const index of removed) tell("remove", () => ({ index, from: before(index), words: "is out of view" }));
  for (const { path } of fields) {
    const index = /^pass\d\.player\[(\d+)\]\.quarter\.level$/.exec(path)?.[1];
    if (index !== undefined) tell("quarter", () => ({ index: Number(index), words: "is in another map quarter" }));
  }
  for (const { index, blocks } of masks) {
    tell("masks", () => ({
      index,
      words: Object.entries(blocks)
        .map(([name, of]) => blockWords(name, of))
        .join(", "),
    }));
  }
  return { counts, list };
}

function moveWords(kind: DeedKind, from: DeedPlace, to: DeedPlace, stops: boolean): string {
  const way = kind === "teleport" ? "" : (compass[Math.sign(to.z - from.z) + 1]?.[Math.sign(to.x - from.x) + 1] ?? "");
  const level = to.level === from.level ? "" : `, level ${to.level}`;
  const how = stops && kind !== "teleport" ? ", at once" : "";
  return `${way} to ${to.x}, ${to.z}${level}${how}`.trim();
}

/** A block with its value, where that is one short word. */
function blockWords(name: string, fields: MaskFields): string {
  const [value, ...more] = Object.values(fields);
  if (more.length > 0 || value === undefined) return name;
  if (value instanceof Uint8Array) return `${name} of ${value.length} bytes`;
  if (typeof value === "number") return `${name} ${value}`;
  if (typeof value !== "string") return name;
  return `${name} “${value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value}”`;
}
