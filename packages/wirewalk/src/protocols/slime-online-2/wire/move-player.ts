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
import {
  concat,
  constant,
  countBytes,
  i16le,
  type Layout,
  struct,
  tagged,
  tagsText,
  u8,
  u16le,
  WireError,
  withFastPath,
  withMeaning,
  withPath,
} from "../../../wire/index.ts";
import { type Direction, type DirectionRow, directionOfCode, directionRow, directions } from "./direction.ts";

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
export interface MoveMessage {
  readonly message: "movePlayer";
  readonly value: MovePlayer;
}

/** 0 and 14..255 are refused: the original relays them and crashes its clients. */
const code = withMeaning(u8, {
  doc: "what was pressed, released or landed on",
  words: directions.map(({ code: from, name: text }) => ({ from, to: from, text })),
});

/**
 * The code, then the coordinates that it carries. In JSON the code may be left out where the direction is named.
 * `signedJumpX`: x of upPress is a signed short.
 *
 * Read and written by hand where everything fits: the description takes 4 times as long (bench `slime`). All else it refuses.
 */
function moveFields(signedJumpX: boolean): Layout<MovePlayer> {
  const x = withMeaning(u16le, { unit: "px" });
  const jumpX = signedJumpX ? withMeaning(i16le, { unit: "px" }) : x;
  const fields = { xy: { x, y: x }, x: { x: jumpX }, none: {} } as const;
  const cases = directions.map(({ code: tag, name, position }) => ({
    tags: [tag],
    layout: struct({ direction: constant(name), ...fields[position] }) as Layout<Omit<MovePlayer, "code">>,
  }));
  const layout = tagged("code", code, cases);
  return withFastPath(layout, {
    read(reader) {
      const bytes = reader.region(0, reader.end);
      const at = reader.offset;
      const row = directionOfCode(bytes[at] as number);
      const size = row === undefined ? 0 : moveBytes[row.position];
      if (row === undefined || at + size > bytes.length) throw moveRefusal(bytes, at, row);
      reader.skip(size);
      return moveAt(row, bytes, at, signedJumpX);
    },
    write(writer, value) {
      const row = typeof value === "object" && value !== null ? directionOfCode(value.code) : undefined;
      if (row === undefined || value.code !== row.code || value.direction !== row.name)
        return layout.write(writer, value);
      const { x, y } = value;
      const misplaced = misplacedCoordinate(row, x, y);
      // A coordinate that the code does not carry would be lost, so it is refused.
      if (misplaced !== undefined) throw withPath(new TypeError(positionRule(row)), misplaced);
      const fits = row.position === "x" && signedJumpX ? isI16(x) : isU16(x) && isU16(y);
      if (!fits) return layout.write(writer, value);
      writer.u8(row.code);
      if (x !== undefined) writer.u16le(x & 0xffff);
      if (y !== undefined) writer.u16le(y);
    },
  });
}

/** A move whose bytes are all there. */
function moveAt(row: DirectionRow, bytes: Uint8Array, at: number, signedJumpX: boolean): MovePlayer {
  const { code: own, name: direction, position } = row;
  if (position === "none") return { code: own, direction };
  const first = (bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8);
  if (position === "x") return { code: own, direction, x: signedJumpX ? (first << 16) >> 16 : first };
  return { code: own, direction, x: first, y: (bytes[at + 3] as number) | ((bytes[at + 4] as number) << 8) };
}

/**
 * A client's move that ends its payload, read from `at` on: what servers read most, in half the time of the table of messages.
 * Undefined for all else.
 */
export function wholeMove(payload: Uint8Array, at: number, signedJumpX: boolean): MovePlayer | undefined {
  const row = directionOfCode(payload[at] as number);
  if (row === undefined || payload.length - at !== moveBytes[row.position]) return undefined;
  return moveAt(row, payload, at, signedJumpX);
}

/** Bytes of a move with its code. */
const moveBytes = { xy: 5, x: 3, none: 1 } as const;

const knownCodes = tagsText(directions.map(({ code: known }) => known));

/** What is wrong with a move, in the words of the description: a layout that only throws is never compiled (1 us). */
function moveRefusal(bytes: Uint8Array, at: number, row: DirectionRow | undefined): WireError {
  const { length } = bytes;
  if (row === undefined && at < length) {
    const why = `${bytes[at]} is none of ${knownCodes} at byte ${at}`;
    return new WireError("unknown-variant", `Cannot read code: ${why}`, at * 8, "code");
  }
  const [name, size, place]: readonly [string, number, number] =
    at >= length ? ["code", 1, at] : at + 3 > length ? ["x", 2, at + 1] : ["y", 2, at + 3];
  const why = `${countBytes(size)} needed, ${length - place} left at byte ${place}`;
  return new WireError("truncated", `Cannot read ${name}: ${why}`, place * 8, name);
}

/** Whether a coordinate fits, or is none. */
function isU16(value: number | undefined): boolean {
  return value === undefined || (value & 0xffff) === value;
}

function isI16(value: number | undefined): boolean {
  return value === undefined || (value << 16) >> 16 === value;
}

/** The body of a client's message. `signedJumpX`: x of upPress is a signed short. */
export function movePlayerLayout(signedJumpX: boolean): Layout<MovePlayer> {
  return moveFields(signedJumpX);
}

/** The body of a server's message. */
export function movePlayerNoticeLayout(signedJumpX: boolean): Layout<MovePlayerNotice> {
  const move = moveFields(signedJumpX);
  const layout = concat(struct({ playerId: u16le }), move);
  return withFastPath(layout, {
    read(reader) {
      // Less is refused by the description.
      if (reader.remaining < 2) return layout.read(reader);
      const playerId = reader.u16le();
      return { playerId, ...move.read(reader) };
    },
  });
}
