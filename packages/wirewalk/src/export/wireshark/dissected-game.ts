/** What a game adds to the descriptions of its messages. */
import type { Protocol } from "../../protocols/index.ts";
import type { LayoutNode } from "../../wire/index.ts";
import type { DescriptionWriter } from "./descriptions.ts";
import type { LuaValue } from "./lua-text.ts";

/** A game as Wireshark's dissectors need it. */
export interface DissectedGame {
  readonly protocol: string;
  /** How an id reads in refusals, as a format of Lua. */
  readonly idFormat: "%d" | "0x%x" | "0x%02X";
  /** A connection on another port is believed from payloads of so many bytes on. */
  readonly leastBytes: number;
  /** Beside the messages of a dialect: what its frames and ciphers need. */
  dialect(name: string): Readonly<Record<string, LuaValue | undefined>>;
  /** Beside the dialects: what the Lua of the game needs of the protocol with its settings. */
  constants?(protocol: Protocol): Readonly<Record<string, LuaValue>>;
  /** More Lua behind the messages, where descriptions outside of them can stand. */
  tables?(writer: DescriptionWriter): Readonly<Record<string, LuaValue>>;
  /** What stands outside of the messages, as `game.descriptions`: a greeting. */
  readonly descriptions?: Readonly<Record<string, LayoutNode>>;
  /** Lua that frames, deciphers and reads: `game.frame`, `game.open` and what they need, before the dissector. */
  readonly lua: readonly string[];
  /** What a user must know: lines of the file's header. */
  readonly notes: readonly string[];
}
