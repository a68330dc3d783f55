/**
 * The thirteen direction codes of MSG_MOVE_PLAYER, in one table: everything that depends on the code reads it here.
 *
 * ```ts
 * directions[1].name; // "rightPress"
 * directionRow("landing").code; // 9
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 3.
 */

/** A movement key. */
export type Key = "left" | "right" | "up" | "down";

/** The name of a direction code. */
export type Direction =
  | "leftPress"
  | "rightPress"
  | "upPress"
  | "downPress"
  | "leftRelease"
  | "rightRelease"
  | "upRelease"
  | "downRelease"
  | "landing"
  | "leftPressAir"
  | "rightPressAir"
  | "leftReleaseAir"
  | "rightReleaseAir";

/** One row of {@link directions}. */
export interface DirectionRow {
  /** The byte on the wire, 1..13. */
  readonly code: number;
  readonly name: Direction;
  /** The position the message carries: both coordinates, x alone (the document: "server knows ground level"), or none. */
  readonly position: "xy" | "x" | "none";
  /** The key whose state changes; landing has none. */
  readonly key: Key | undefined;
  readonly action: "press" | "release" | "land";
  /**
   * Where the code may be sent. Up and down releases and down presses carry no ground variant: they are legal
   * anywhere, and so is landing (standard 3, 8.5).
   */
  readonly where: "ground" | "air" | "any";
}

/** All direction codes in wire order; row `i` is code `i + 1`. Codes 0 and 14..255 do not exist. */
export const directions: readonly DirectionRow[] = [
  { code: 1, name: "leftPress", position: "xy", key: "left", action: "press", where: "ground" },
  { code: 2, name: "rightPress", position: "xy", key: "right", action: "press", where: "ground" },
  { code: 3, name: "upPress", position: "x", key: "up", action: "press", where: "ground" },
  { code: 4, name: "downPress", position: "none", key: "down", action: "press", where: "any" },
  { code: 5, name: "leftRelease", position: "xy", key: "left", action: "release", where: "ground" },
  { code: 6, name: "rightRelease", position: "xy", key: "right", action: "release", where: "ground" },
  { code: 7, name: "upRelease", position: "none", key: "up", action: "release", where: "any" },
  { code: 8, name: "downRelease", position: "none", key: "down", action: "release", where: "any" },
  { code: 9, name: "landing", position: "xy", key: undefined, action: "land", where: "any" },
  { code: 10, name: "leftPressAir", position: "none", key: "left", action: "press", where: "air" },
  { code: 11, name: "rightPressAir", position: "none", key: "right", action: "press", where: "air" },
  { code: 12, name: "leftReleaseAir", position: "none", key: "left", action: "release", where: "air" },
  { code: 13, name: "rightReleaseAir", position: "none", key: "right", action: "release", where: "air" },
];

const rowByName = Object.fromEntries(directions.map((row) => [row.name, row])) as Readonly<
  Record<Direction, DirectionRow>
>;

/** The row of a direction. */
export function directionRow(name: Direction): DirectionRow {
  return rowByName[name];
}
