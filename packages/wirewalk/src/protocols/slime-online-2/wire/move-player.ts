/**
 * MSG_MOVE_PLAYER: `direction u8 [x u16 [y u16]]`, with `player_id u16` before it when a server relays it. Which
 * coordinates there are follows from the code. Source: docs/protocols/slime-online-2.md 4.1, 4.2.
 *
 * ```ts
 * import { movePlayer, movePlayerLayout } from "wirewalk/slime-online-2";
 * import { encode, formatHex } from "wirewalk/wire";
 *
 * formatHex(encode(movePlayerLayout(false), movePlayer("rightPress", 448, 160))); // => "02 c0 01 a0 00"
 * movePlayer("upPress", 448, 160); // throws TypeError: upPress carries x and no y
 * ```
 */
import {
  handWritten,
  i16le,
  joinPath,
  type Layout,
  mapped,
  u8,
  u16le,
  WireError,
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

/** Refuses 0 and 14..255: the original relays them and crashes its clients. */
const code: Layout<number> = mapped(u8, {
  read(value, bitOffset) {
    if (directionOfCode(value) === undefined) {
      throw new WireError(
        "unknown-variant",
        `Cannot read value: ${value} is no direction, 1 to ${directions.length}, at byte ${bitOffset / 8}`,
        bitOffset,
      );
    }
    return value;
  },
  write(value) {
    if (directionOfCode(value) === undefined)
      throw new RangeError(`value must be in 1..${directions.length}, got ${value}`);
    return value;
  },
  show: (value) => directionOfCode(value)?.name ?? String(value),
});

interface Fields {
  playerId: Layout<number> | undefined;
  jumpX: Layout<number>;
}

/** Reads in wire order; `read` is how one field is read, plainly or into a trace. */
function readMove(
  fields: Fields,
  read: (layout: Layout<number>, name: string) => number,
): MovePlayer | MovePlayerNotice {
  const playerId = fields.playerId === undefined ? undefined : read(fields.playerId, "playerId");
  const number = read(code, "code");
  const row = directionOfCode(number);
  if (row === undefined) throw new RangeError(`Cannot happen: code ${number} was checked`);
  const { name: direction, position } = row;
  const x = position === "none" ? undefined : read(position === "x" ? fields.jumpX : u16le, "x");
  const y = position === "xy" ? read(u16le, "y") : undefined;
  return {
    ...(playerId === undefined ? {} : { playerId }),
    code: number,
    direction,
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
  };
}

function layout(fields: Fields): Layout<MovePlayer | MovePlayerNotice> {
  return handWritten({
    read: (reader) =>
      readMove(fields, (field, name) => {
        try {
          return field.read(reader);
        } catch (error) {
          throw withPath(error, name);
        }
      }),
    trace: (reader, tracer, path) =>
      readMove(fields, (field, name) => {
        try {
          return field.trace(reader, tracer, joinPath(path, name));
        } catch (error) {
          throw withPath(error, name);
        }
      }),
    write(writer, value) {
      const { direction, code: given, x, y } = value;
      const put = (field: Layout<number>, name: string, number: number): void => {
        try {
          field.write(writer, number);
        } catch (error) {
          throw withPath(error, name);
        }
      };
      if (fields.playerId !== undefined) put(fields.playerId, "playerId", (value as MovePlayerNotice).playerId);
      put(code, "code", given);
      const row = directionOfCode(given);
      if (row === undefined) throw new RangeError(`Cannot happen: code ${given} was checked`);
      if (row.name !== direction) {
        throw withPath(new RangeError(`value of code ${given} must be ${row.name}, got ${direction}`), "direction");
      }
      const misplaced = misplacedCoordinate(row, x, y);
      if (misplaced !== undefined) throw withPath(new TypeError(positionRule(row)), misplaced);
      if (x !== undefined) put(row.position === "x" ? fields.jumpX : u16le, "x", x);
      if (y !== undefined) put(u16le, "y", y);
    },
  });
}

/** The body of a client's message. `signedJumpX`: x of upPress is a signed short. */
export function movePlayerLayout(signedJumpX: boolean): Layout<MovePlayer> {
  return layout({ playerId: undefined, jumpX: signedJumpX ? i16le : u16le });
}

/** The body of a server's message. */
export function movePlayerNoticeLayout(signedJumpX: boolean): Layout<MovePlayerNotice> {
  return layout({ playerId: u16le, jumpX: signedJumpX ? i16le : u16le }) as Layout<MovePlayerNotice>;
}
