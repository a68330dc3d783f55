/**
 * The **profile** `wirewalk` of MCAP files: topics, schemas and the bytes of records. `docs/recordings.md` has it for readers
 * without this package.
 *
 * A file is the recording of one world. Records that replay needs have a **number**, which counts from 0 in each recording and
 * is the `sequence` of their message: a gap says how many are lost.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Joining, Responses, SavedChannel, SavedWorld } from "wirewalk/protocol";

export const PROFILE = "wirewalk";

/** Counts the changes of this profile that a reader has to know. */
export const PROFILE_VERSION = 1;

/** `version` of this package and of the library: they are published together. */
export const LIBRARY_VERSION = "0.1.0";

/** What a record of an input or an effect says. The number is its first byte. */
export const RecordKind = {
  /** A player joins. Body: CBOR of {@link Joining}. */
  join: 1,
  leave: 2,
  /** A message of a client, without frame and cipher. Body: its payload. */
  message: 3,
  /** A slow reader has caught up, and is sent the current state. */
  refresh: 4,
  /** A spectator follows the player. */
  follow: 5,
  unfollow: 6,
  /** Bytes of a client as its carrier brought them, before its channel. Not needed for replay. Body: the bytes. */
  carried: 7,
  /** The state of a client's channel before the carried bytes that follow. Body: CBOR of {@link SavedChannel}. */
  channel: 8,
  /** The world ticks. */
  tick: 9,
  /** What the world has done since the record of effects before. Body: a hash (u32, little endian) of each effect. */
  effects: 10,
  /** Records were lost here, for want of memory or disk. Body: how many (u32, little endian). */
  lost: 11,
  /** A message of another server to the player's client, as a relay saw it. Body: its payload. */
  observed: 12,
  /** From here on the world uses a place of its maps. Not needed for replay. Body: CBOR of {@link UsedPlace}. */
  place: 13,
} as const;

export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

/** A place of the world's maps, with the digest of what rules use of it. */
export interface UsedPlace {
  readonly place: string;
  readonly digest: string;
}

const kinds: ReadonlySet<number> = new Set(Object.values(RecordKind));

/** Kind u8, player u16, time f64, all little endian; the body follows. */
export const RECORD_HEADER_BYTES = 11;

/** A record of an input or of effects. */
export interface WorldRecord {
  readonly kind: RecordKind;
  /** 0 where no player is meant. */
  readonly player: PlayerId;
  /** Milliseconds of the world's clock, exactly as the world was given them. */
  readonly nowMs: number;
  readonly body: Uint8Array;
}

const TIME_AT = 3;
const TIME_BYTES = 8;
const timeBytes = new Uint8Array(TIME_BYTES);
/** One for all records: to make one takes longer than to read the rest of a record. */
const timeView = new DataView(timeBytes.buffer);

/** Undefined for bytes that are no record of this version. */
export function readWorldRecord(bytes: Uint8Array): WorldRecord | undefined {
  if (bytes.length < RECORD_HEADER_BYTES || !kinds.has(bytes[0] as number)) return undefined;
  for (let index = 0; index < TIME_BYTES; index += 1) timeBytes[index] = bytes[TIME_AT + index] as number;
  return {
    kind: bytes[0] as RecordKind,
    player: (bytes[1] as number) | ((bytes[2] as number) << 8),
    nowMs: timeView.getFloat64(0, true),
    body: bytes.subarray(RECORD_HEADER_BYTES),
  };
}

/** What a world was made with: enough to make it again with the same protocol. */
export interface RecordedWorld {
  readonly protocol: string;
  readonly dialect: string;
  readonly seed: number;
  readonly enforcement: "enforce" | "log";
  readonly demo: boolean;
  /** True for a world beside another server. Absent for every other world, and in recordings of versions that did not record it. */
  readonly shadow?: true;
  /** Undefined: the game's own. */
  readonly tickMs: number | undefined;
  /** The protocol's settings by name. */
  readonly settings: Readonly<Record<string, number>>;
  /** Responses to rules that were chosen. Absent: none. */
  readonly responses?: Responses;
  /** The name of the set of maps that the world was made with. Absent: none. */
  readonly maps?: string;
  /** Of a world of a cluster. */
  readonly owner?: RecordedOwner;
  /** Of a session of another tool: the head of its file, as JSON. */
  readonly session?: string;
}

/**
 * The node of a cluster that played the world. Each owner records what it plays, on a clock that goes on from one owner to the next: a
 * recording begins at the snapshot with which its owner took the world over, up to a second before the owner before it ended.
 */
export interface RecordedOwner {
  readonly node: string;
  /** That of the next owner is greater. */
  readonly epoch: number;
}

/** A player at a key frame. */
export interface RecordedPlayer {
  readonly player: PlayerId;
  /** Topic of its inputs. */
  readonly topic: string;
  readonly joining: Joining;
  /** The room whose broadcasts it receives. */
  readonly room: string | undefined;
}

/** Replay may begin at any of these. */
export interface KeyFrame {
  readonly profile: number;
  readonly library: string;
  readonly world: RecordedWorld;
  readonly saved: SavedWorld;
  /** `digest()` of the world, as 16 hex digits. */
  readonly digest: string;
  readonly nowMs: number;
  /** Milliseconds since 1970. */
  readonly epochMs: number;
  readonly players: readonly RecordedPlayer[];
  /** Of a world with maps: the places that it has used so far, with their digests. */
  readonly maps?: ReadonlyMap<string, string>;
  /** The channels of players whose carried bytes are recorded. */
  readonly channels: ReadonlyMap<PlayerId, SavedChannel>;
}

/** Topics of a world's recording, by what they hold. */
export interface Topics {
  readonly keyFrames: string;
  readonly world: string;
  readonly verdicts: string;
  readonly corrections: string;
  readonly tracks: string;
  session(number: number): string;
}

export function topicsOf(protocol: string): Topics {
  const base = `/${protocol}`;
  return {
    keyFrames: `${base}/key-frames`,
    world: `${base}/world`,
    verdicts: `${base}/verdicts`,
    corrections: `${base}/corrections`,
    tracks: `${base}/tracks`,
    session: (number) => `${base}/sessions/${number}`,
  };
}

/** Encoding of {@link WorldRecord}s. */
export const RECORD_ENCODING = "wirewalk";

export interface RecordingSchema {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly text: string;
}

const number = { type: "number" } as const;
const text = { type: "string" } as const;
const vector = { type: "object", properties: { x: number, y: number, z: number }, required: ["x", "y", "z"] } as const;
const time = { type: "object", properties: { sec: { type: "integer" }, nsec: { type: "integer" } } } as const;
const texts = { type: "object", properties: { key: text, value: text } } as const;

const verdictSchema = {
  title: "wirewalk.Verdict",
  description: "The finding of a rule about one message of a client",
  type: "object",
  properties: {
    player: { type: "integer", description: "Number of the player in its world" },
    room: text,
    atMs: { ...number, description: "Milliseconds of the world's clock" },
    kind: { enum: ["benign", "flag", "correct", "reject"] },
    rule: text,
    reason: text,
    measured: { ...number, description: "What the rule measured, in unit" },
    allowed: { ...number, description: "The most that the rule allows, in unit" },
    unit: text,
    message: { ...text, description: "The message without frame and cipher, in hex" },
    stateBefore: { type: "object", description: "The state that the rule read, before the message" },
  },
  required: ["player", "room", "atMs", "kind", "rule", "reason", "message", "stateBefore"],
} as const;

const correctionSchema = {
  title: "wirewalk.Correction",
  description: "A message that put a client back after a verdict of kind correct",
  type: "object",
  properties: {
    player: { type: "integer" },
    atMs: number,
    message: { ...text, description: "Name of the message" },
    payload: { ...text, description: "The message without frame and cipher, in hex" },
  },
  required: ["player", "atMs", "message", "payload"],
} as const;

/** The part of `foxglove.SceneUpdate` that is written. Viewers go by the name. */
const sceneSchema = {
  title: "foxglove.SceneUpdate",
  description: "Players as arrows: their place, and the direction that they face",
  type: "object",
  properties: {
    deletions: { type: "array", items: { type: "object" } },
    entities: {
      type: "array",
      items: {
        type: "object",
        properties: {
          timestamp: time,
          frame_id: { ...text, description: "Room" },
          id: { ...text, description: "Number of the player in its world" },
          lifetime: time,
          frame_locked: { type: "boolean" },
          metadata: { type: "array", items: texts },
          arrows: {
            type: "array",
            items: {
              type: "object",
              properties: {
                pose: {
                  type: "object",
                  properties: {
                    position: vector,
                    orientation: { type: "object", properties: { x: number, y: number, z: number, w: number } },
                  },
                },
                shaft_length: number,
                shaft_diameter: number,
                head_length: number,
                head_diameter: number,
                color: { type: "object", properties: { r: number, g: number, b: number, a: number } },
              },
            },
          },
        },
      },
    },
  },
} as const;

/** Schemas by what they describe. Ids count from 1, 0 means none. */
export const schemas: Readonly<Record<"record" | "verdict" | "correction" | "scene", RecordingSchema>> = {
  record: {
    id: 1,
    name: "wirewalk.Record",
    encoding: "text",
    text: "u8 kind, u16 player, f64 milliseconds of the world's clock, little endian; then the body: docs/recordings.md",
  },
  verdict: { id: 2, name: verdictSchema.title, encoding: "jsonschema", text: JSON.stringify(verdictSchema) },
  correction: { id: 3, name: correctionSchema.title, encoding: "jsonschema", text: JSON.stringify(correctionSchema) },
  scene: { id: 4, name: sceneSchema.title, encoding: "jsonschema", text: JSON.stringify(sceneSchema) },
};
