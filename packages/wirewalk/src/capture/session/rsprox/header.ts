/**
 * The head of a file: the game's revision, the world, the observer. It has no length of its own and must be read to find the records.
 *
 * Source: `blurite/rsprox`, `proxy/src/main/kotlin/net/rsprox/proxy/binary/BinaryHeader.kt`.
 */
import {
  ByteReader,
  encode,
  fromJson,
  type Infer,
  integer,
  type JsonObject,
  type Layout,
  prefixedBytes,
  readLayout,
  struct,
  toJson,
  u8,
  u16be,
  u32be,
  WireError,
  windows1252String,
} from "../../../wire/index.ts";
import type { SessionHeader } from "../session.ts";

/** Texts are names of hosts, activities and clients; those known have up to 40 characters. */
const MAX_TEXT = 1024;
/** The hash is a SHA-256 of 32 bytes. */
const MAX_HASH_BYTES = 1024;
/** 8 bytes for each of the game's 20 to 30 archives, and a frame. */
const MAX_INDEX_BYTES = 16_384;
/** Slots of players; 0 is no player. */
const MAX_PLAYER_INDEX = 2047;
/** High half of the milliseconds up to the year 9999. */
const MAX_TIME_HIGH = 0xe677;
const HIGH_HALF = 0x1_0000_0000;

/** All builds of RSProx write it. */
const VERSION = 1;
/** How names of RuneScape 3 clients begin. Nothing else tells their files. */
const RUNESCAPE_3 = "RS3 ";
/** The port of every world, which the file does not have. */
const PORT = 43_594;

const signed = integer({ bits: 32, signed: true });
const text = windows1252String({ limit: MAX_TEXT });

const layout = struct({
  headerVersion: signed,
  revision: signed,
  subRevision: signed,
  clientType: u8,
  platformType: u8,
  timestampHigh: integer({ bits: 32, max: MAX_TIME_HIGH }),
  timestampLow: u32be, // milliseconds since 1970, when the login was answered
  worldId: u16be,
  worldFlags: signed,
  worldLocation: u8,
  worldHost: text,
  worldActivity: text,
  localPlayerIndex: integer({ bits: 16, max: MAX_PLAYER_INDEX }),
  accountHash: prefixedBytes({ count: u16be, limit: MAX_HASH_BYTES }),
  clientName: text,
  js5MasterIndex: prefixedBytes({ count: u32be, limit: MAX_INDEX_BYTES }),
});

type Head = Infer<typeof layout>;

/** Where the observer's index stands, behind two texts: the length of what is before them. */
const FIXED_BYTES = 29;
const FINAL_ZERO = 1;

/** A head that was read. */
export interface ReadHeader {
  readonly header: SessionHeader;
  readonly revision: number;
  readonly bytes: number;
  /** The byte of the observer's index. */
  readonly observerOffset: number;
}

/** Milliseconds in place of their halves. */
function fieldsOf(head: Head): JsonObject {
  const { timestampHigh: _, timestampLow: __, ...rest } = toJson(layout as Layout<object>, head) as JsonObject;
  return { ...rest, timestamp: timestampOf(head) };
}

function timestampOf({ timestampHigh, timestampLow }: Head): number {
  return timestampHigh * HIGH_HALF + timestampLow;
}

/**
 * Reads the head at the start of `bytes`. Undefined while bytes are missing. Throws `WireError` for what is no head: another version, a
 * time after the year 9999, an index, text or run of bytes over its limit. RuneScape 3 is refused: its messages are others.
 */
export function readHeader(bytes: Uint8Array): ReadHeader | undefined {
  const reader = new ByteReader(bytes);
  let head: Head;
  try {
    head = readLayout(layout, reader);
  } catch (error) {
    if (error instanceof WireError && error.code === "truncated") return undefined;
    throw error;
  }
  const { headerVersion, revision, worldHost, clientName, localPlayerIndex } = head;
  if (headerVersion !== VERSION) {
    throw refused(
      "headerVersion",
      `${headerVersion} is not ${VERSION}, which every build of RSProx writes at byte 0`,
      0,
    );
  }
  const observerOffset = FIXED_BYTES + worldHost.length + head.worldActivity.length + 2 * FINAL_ZERO;
  if (clientName.startsWith(RUNESCAPE_3)) {
    const at = observerOffset + 4 + head.accountHash.length;
    const why = `"${clientName}" is a client of RuneScape 3, whose messages are not those of Old School RuneScape`;
    throw refused("clientName", `${why} at byte ${at}`, at);
  }
  const header: SessionHeader = {
    format: "rsprox",
    protocol: "osrs",
    dialect: "client",
    settings: { revision },
    startMs: timestampOf(head),
    ...(localPlayerIndex === 0 ? {} : { observer: localPlayerIndex }),
    flow: `client-${worldHost}:${PORT}`,
    fields: fieldsOf(head),
  };
  return { header, revision, bytes: reader.offset, observerOffset };
}

function refused(what: string, why: string, byte: number): WireError {
  return new WireError("bad-value", `Cannot read ${what}: ${why}`, byte * 8, what);
}

/** What a head has where nothing is known. */
const unknownFields: JsonObject = {
  headerVersion: VERSION,
  subRevision: 1,
  clientType: 1, // the Java client
  platformType: 0,
  worldId: 0,
  worldFlags: 0,
  worldLocation: 0,
  worldActivity: "-",
  // SHA-256 of 16 zero bytes: of an account without an id, as on most private servers.
  accountHash: "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb",
  clientName: "Wirewalk",
  js5MasterIndex: "",
};

/** Behind `client-`, without the port. */
function hostOf(flow: string): string {
  return flow.slice(flow.indexOf("-") + 1).replace(/:\d+$/, "");
}

/** The bytes of a head. Throws `RangeError` for what it cannot hold. */
export function writeHeader(
  header: SessionHeader,
  known: { readonly startMs: number; readonly observer: number },
): Uint8Array {
  const { revision } = header.settings;
  if (revision === undefined) throw new RangeError("Cannot write rsprox: the session has no setting revision");
  const { timestamp: _, ...own } = header.format === "rsprox" ? header.fields : {};
  const timestamp = Math.floor(known.startMs);
  const json = {
    ...unknownFields,
    worldHost: hostOf(header.flow),
    ...own,
    revision,
    localPlayerIndex: known.observer,
    timestampHigh: Math.floor(timestamp / HIGH_HALF),
    timestampLow: timestamp % HIGH_HALF,
  };
  try {
    return encode(layout, fromJson(layout, json));
  } catch (error) {
    if (error instanceof WireError) throw new RangeError(error.message.replace("Cannot read ", "Cannot write "));
    throw error;
  }
}
