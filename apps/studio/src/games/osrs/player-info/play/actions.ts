/** The actions in one packet, player by player, for display. Pure. */
import type { MaskFields, PlayerInfoUpdate } from "wirewalk/osrs/player-info";
import type { TraceField } from "wirewalk/wire";

/** Kinds in the order of display. */
export const actionKinds = ["walk", "run", "teleport", "add", "remove", "quarter", "masks"] as const;

export type ActionKind = (typeof actionKinds)[number];

export interface ActionPlace {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** One action of one player. */
export interface Action {
  readonly kind: ActionKind;
  readonly index: number;
  /** Where the player was: of movements and removals. */
  readonly from?: ActionPlace;
  /** Where the player is: of movements and additions. */
  readonly to?: ActionPlace;
  /** The rest of the description. */
  readonly words: string;
}

/** Actions of a packet kept for display: the counts include all. */
export const MAX_ACTIONS = 400;

export interface Actions {
  readonly counts: Readonly<Record<ActionKind, number>>;
  /** At most {@link MAX_ACTIONS}. */
  readonly list: readonly Action[];
}

/** Characters of a mask's value. */
const LONGEST_VALUE = 24;

const compass: readonly (readonly string[])[] = [
  ["SW", "S", "SE"],
  ["W", "", "E"],
  ["NW", "N", "NE"],
];

/**
 * The actions in a packet. `before` gives where a player was before it, `after` where it is; `fields` are those of the packet:
 * only they have the map quarters of players out of view.
 */
export function actionsOf(
  { moves, added, removed, masks }: PlayerInfoUpdate,
  fields: readonly TraceField[],
  before: (index: number) => ActionPlace,
  after: (index: number) => ActionPlace,
): Actions {
  const counts: Record<ActionKind, number> = { walk: 0, run: 0, teleport: 0, add: 0, remove: 0, quarter: 0, masks: 0 };
  const list: Action[] = [];
  const add = (kind: ActionKind, make: () => Omit<Action, "kind">): void => {
    counts[kind] += 1;
    if (list.length < MAX_ACTIONS) list.push({ kind, ...make() });
  };
  for (const { index, type, level, x, z, arrival } of moves) {
    const kind = type === "walk" || type === "run" ? type : "teleport";
    add(kind, () => {
      const [from, to] = [before(index), { level, x, z }];
      return { index, from, to, words: moveWords(kind, from, to, arrival === "stop") };
    });
  }
  for (const index of added) {
    const to = after(index);
    add("add", () => ({ index, to, words: `at ${to.x}, ${to.z}` }));
  }
  for (const index of removed) add("remove", () => ({ index, from: before(index), words: "is out of view" }));
  for (const { path } of fields) {
    const index = /^pass\d\.player\[(\d+)\]\.quarter\.level$/.exec(path)?.[1];
    if (index !== undefined) add("quarter", () => ({ index: Number(index), words: "is in another map quarter" }));
  }
  for (const { index, blocks } of masks) {
    add("masks", () => ({
      index,
      words: Object.entries(blocks)
        .map(([name, of]) => blockWords(name, of))
        .join(", "),
    }));
  }
  return { counts, list };
}

function moveWords(kind: ActionKind, from: ActionPlace, to: ActionPlace, stops: boolean): string {
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
