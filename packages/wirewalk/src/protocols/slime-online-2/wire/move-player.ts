/**
 * MSG_MOVE_PLAYER: `direction u8 [x u16 [y u16]]`, with `player_id u16` before it when a server relays it. Which
 * coordinates there are follows from the code. Source: docs/protocols/slime-online-2.md 4.1, 4.2.
 *
 * ```ts
 * import { encode, formatHex } from "wirewalk/wire";
 *
 * formatHex(encode(movePlayerLayout(false), movePlayer("rightPress", 448, 160))); // => "02 c0 01 a0 00"
 * movePlayer("upPress", 448, 160); // throws TypeError: upPress carries x and no y
 * ```
 */
import { concat, constant, i16le, type Layout, struct, tagged, u8, u16le, withMeaning } from "../../../wire/index.ts";
import { type Direction, type DirectionRow, directionRow, directions } from "./direction.ts";

/** A key pressed, released, or a landing; coordinates in pixels where the code has them. */
export interface MovePlayer {
  readonly code: number;
  readonly direction: Direction;
  readonly x?: number;
  readonly y?: number;
}

/** The same as a server relays it: who moved. */
export interface MovePlayerNotice extends MovePlayer {
  readonly playerId: number;
}

/** A direction with the position that its code carries: x and y, x alone or none. Throws `TypeError` for another. */
export function movePlayer(direction: Direction, x?: number, y?: number): MovePlayer {
  const row = directionRow(direction);
  if (misplacedCoordinate(row, x, y) !== undefined) throw new TypeError(positionRule(row));
  return {
    code: row.code,
    direction,
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
  };
}

/** The coordinate that is there and should not be, or should be there and is not. */
function misplacedCoordinate({ position }: DirectionRow, x: unknown, y: unknown): "x" | "y" | undefined {
  if ((x !== undefined) !== (position !== "none")) return "x";
  if ((y !== undefined) !== (position === "xy")) return "y";
  return undefined;
}

function positionRule({ name, position }: DirectionRow): string {
  return `${name} carries ${{ xy: "x and y", x: "x and no y", none: "no position" }[position]}`;
}

/** The message of a client: `movePlayer` wrapped for a codec or a channel. */
export function moveMessage(direction: Direction, x?: number, y?: number): MoveMessage {
  return { message: "movePlayer", value: movePlayer(direction, x, y) };
}

/** A client's move. */
interface MoveMessage {
  readonly message: "movePlayer";
  readonly value: MovePlayer;
}

/** Where the player was when it happened. */
const place = {
  x: { doc: "where: from the left edge of the room", unit: "px" },
  y: { doc: "where: from the top edge of the room, downwards", unit: "px" },
} as const;
const x = withMeaning(u16le, place.x);
const y = withMeaning(u16le, place.y);

/** 0 and 14..255 are refused: the original relays them and crashes its clients. */
const code = withMeaning(u8, {
  doc: "what was pressed, released or landed on",
  words: directions.map(({ code: from, name: text }) => ({ from, to: from, text })),
});

/**
 * The code, then the coordinates that it carries. In JSON the code may be left out where the direction is named.
 * `signedJumpX`: x of upPress is a signed short.
 */
function moveFields(signedJumpX: boolean): Layout<MovePlayer> {
  const jumpX = signedJumpX ? withMeaning(i16le, place.x) : x;
  const fields = { xy: { x, y }, x: { x: jumpX }, none: {} } as const;
  const cases = directions.map(({ code: tag, name, position }) => ({
    tags: [tag],
    layout: struct({ direction: constant(name), ...fields[position] }) as Layout<Omit<MovePlayer, "code">>,
  }));
  return tagged("code", code, cases, { exact: true });
}

/** The body of a client's message. `signedJumpX`: x of upPress is a signed short. */
export function movePlayerLayout(signedJumpX: boolean): Layout<MovePlayer> {
  return moveFields(signedJumpX);
}

const playerId = withMeaning(u16le, { doc: "who moved: the server's number of the session" });

/** The body of a server's message. */
export function movePlayerNoticeLayout(signedJumpX: boolean): Layout<MovePlayerNotice> {
  return concat(struct({ playerId }), moveFields(signedJumpX));
}
