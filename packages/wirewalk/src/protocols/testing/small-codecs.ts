/** The codecs of `wirewalk/<game>/codec` beside those of the games. */
import { isDeepStrictEqual } from "node:util";
import type { SmallCodec } from "../../wire/described/codec.ts";
import { formatHex, WireError } from "../../wire/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { mapleMessages } from "../maplestory/codec.ts";
import { osrsMessages } from "../osrs/codec.ts";
import { scrapMessages } from "../scrap-mechanic/codec.ts";
import { slimeMessages } from "../slime-online-2/codec.ts";

export type AnySmallCodec = SmallCodec<WireMessage, WireMessage>;

const small = {
  "slime-online-2": slimeMessages,
  osrs: osrsMessages,
  maplestory: mapleMessages,
  "scrap-mechanic": scrapMessages,
} as unknown as Readonly<Record<string, (dialect: string) => AnySmallCodec>>;

/** The small codec of a game's dialect. */
export function smallCodecOf(game: string, dialect: string): AnySmallCodec {
  const of = small[game];
  if (of === undefined) throw new RangeError(`${game} has no small codec`);
  return of(dialect);
}

/** What a codec says of a payload: its message in JSON, for fragments of MapleStory have members that their kind does not use. */
function reading(full: PayloadCodec, sender: Side, read: () => WireMessage): object {
  try {
    return full.toJson(sender, read());
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, bitOffset, path } = error;
    return { code, bitOffset, path };
  }
}

/**
 * Throws unless the small codec reads a payload as the whole one does, refuses it at the same place, and writes what it read as
 * the whole one does. Says which of the two it was.
 */
export function compareSmallCodec(
  full: PayloadCodec,
  codec: AnySmallCodec,
  sender: Side,
  payload: Uint8Array,
): "value" | "refused" {
  const mustBeEqual = (what: string, found: unknown, expected: unknown): void => {
    if (isDeepStrictEqual(found, expected)) return;
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    throw new Error(`${formatHex(payload)}: ${what}\n  small codec: ${a}\n  whole codec: ${b}`);
  };
  const expected = reading(full, sender, () => full.read(sender, payload));
  const found = reading(full, sender, () => codec.read(sender as "client", payload));
  const isRefused = "code" in expected;
  // Of a block that was unpacked the small codec counts in what came out of it.
  const isInBlock = isRefused && "bitOffset" in found && full.id.name === "id" && payload[0] === BLOCK_ID;
  mustBeEqual(
    "read",
    isInBlock ? { ...found, bitOffset: 0 } : found,
    isInBlock ? { ...expected, bitOffset: 0 } : expected,
  );
  if (isRefused) return "refused";
  const message = codec.read(sender as "client", payload);
  const again = codec.write(sender as "client", message);
  // A block may be packed in several ways.
  if (full.id.name === "id" && payload[0] === BLOCK_ID) mustBeEqual("written", full.read(sender, again), message);
  else mustBeEqual("written", formatHex(again), formatHex(full.write(sender, message)));
  const idBytes = again.length - codec.writeBody(sender as "client", message).length;
  const fromBody = codec.readBody(sender as "client", message.message, again.subarray(idBytes));
  mustBeEqual("read from its body", full.toJson(sender, fromBody), full.toJson(sender, message));
  return "value";
}

/** The update of Scrap Mechanic, whose `id` has a block behind it. */
const BLOCK_ID = 0x18;
