/**
 * The dialects of Slime Online 2 as data (standard 1.4): what differs between the document read literally and the
 * shipped client, and nothing else.
 *
 * ```ts
 * import { slimeDialects } from "wirewalk/slime-online-2";
 *
 * slimeDialects.map(({ name }) => name); // => ["documented", "documentedLittleEndian", "v0106"]
 * ```
 */
import { type Layout, Rc4Key, u16be, u16le } from "../../../wire/index.ts";
import type { DialectInfo, Side } from "../../codec.ts";

export type SlimeDialect = "documented" | "documentedLittleEndian" | "v0106";

/** What sets one dialect apart. */
export interface DialectRules extends DialectInfo {
  readonly name: SlimeDialect;
  /** How the message type is written; all fields after it are little-endian everywhere. */
  readonly type: Layout<number>;
  readonly movePlayerId: number;
  /** Whether MOVE_PLAYER is the only message. Otherwise there are login, introductions, pings, warps and chat too. */
  readonly movementOnly: boolean;
  /** Whether x of upPress is a signed short (same bytes; the client wraps negatives). */
  readonly signedJumpX: boolean;
  /** The same keys as texts. */
  readonly keyTexts: Readonly<Record<Side, string>> | undefined;
  /** RC4 keys by sender, keyed afresh for every message; undefined: no cipher. */
  readonly keys: Readonly<Record<Side, Rc4Key>> | undefined;
}

function key(text: string): Rc4Key {
  return new Rc4Key(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

const keyTexts = { client: "retrtz7jmijb5467n47", server: "t54gz65u74njb6zg6" };

const rules: Readonly<Record<SlimeDialect, DialectRules>> = {
  documented: {
    name: "documented",
    source: "document",
    summary: "The document as printed: type 8 with the high byte first, fields little-endian, no cipher.",
    type: u16be,
    movePlayerId: 8,
    movementOnly: true,
    signedJumpX: false,
    keyTexts: undefined,
    keys: undefined,
  },
  documentedLittleEndian: {
    name: "documentedLittleEndian",
    source: "document",
    summary: "As documented, but type 8 is little-endian like the fields.",
    type: u16le,
    movePlayerId: 8,
    movementOnly: true,
    signedJumpX: false,
    keyTexts: undefined,
    keys: undefined,
  },
  v0106: {
    name: "v0106",
    source: "client",
    summary: "The shipped client 0.106 and the original server: type 2, all little-endian, RC4, login and rooms.",
    type: u16le,
    movePlayerId: 2,
    movementOnly: false,
    signedJumpX: true,
    keyTexts,
    keys: { client: key(keyTexts.client), server: key(keyTexts.server) },
  },
};

/** All dialects. */
export const slimeDialects: readonly DialectRules[] = Object.values(rules);

/** The rules of a dialect. Throws `RangeError` for an unknown one. */
export function dialectRules(dialect: string): DialectRules {
  const found = slimeDialects.find((candidate) => candidate.name === dialect);
  if (found === undefined) {
    const known = slimeDialects.map((candidate) => candidate.name).join(", ");
    throw new RangeError(`Unknown dialect ${dialect} of slime-online-2: it has ${known}`);
  }
  return found;
}
