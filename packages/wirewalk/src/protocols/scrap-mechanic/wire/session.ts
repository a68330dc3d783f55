/**
 * A session of **our own**: the game's login goes over Steam and is not described, so these messages stand in for
 * it. Their ids are not the game's, and they are not compressed.
 *
 * A client says `hello`; the server answers `playing` with the character's number, its place, and the tick from which
 * the client counts. Movement before `playing` is a protocol error. `left` names a character that is gone. 0x18
 * cannot express that. `use` is the use key: the packet that the game sends for it is not described.
 *
 * ```ts
 * import { decode, encode, formatHex, parseHex } from "wirewalk/wire";
 *
 * formatHex(encode(hello, { version: 1 })); // => "01"
 * decode(playing, parseHex("00000007 00003039 00000000 3f800000 40000000")).position; // => { x: 0, y: 1, z: 2 }
 * ```
 */
import { float32, type Infer, struct, u8, u32be, withMeaning } from "../../../wire/index.ts";

/** The version of this session that this build speaks. */
export const SESSION_VERSION = 1;

/** A 32-bit float that is a number: a character is somewhere. */
const coordinate = float32({ order: "be", finite: true });
const along = (doc: string) => withMeaning(coordinate, { doc, unit: "1/4 block" });
const character = withMeaning(u32be, { doc: "the number of the character" });

/** Client (0xF0): a request to play. */
export const hello = struct({
  version: withMeaning(u8, { doc: "the version of this session that the client speaks" }),
});
export type Hello = Infer<typeof hello>;

/** Client (0xF3): the use key. The server seats the character on a seat in reach, or stands it up from its seat. */
export const use = struct({});
export type Use = Infer<typeof use>;

/** Server (0xF1): the client's character, its position, and the tick that the client plays next. */
export const playing = struct({
  character,
  tick: withMeaning(u32be, { doc: "the tick that the client plays next", unit: "1/40 s" }),
  position: struct({ x: along("to the right"), y: along("forward"), z: along("up") }),
});
export type Playing = Infer<typeof playing>;

/** Server (0xF2): a character has left. */
export const left = struct({ character });
export type Left = Infer<typeof left>;
