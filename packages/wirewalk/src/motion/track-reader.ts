/**
 * Reads **track snapshots**: the other end of `track-writer.ts`. Bytes that no writer writes are refused with `WireError`; then
 * the reader is of no more use until a full snapshot arrives.
 *
 * ```ts
 * const writer = new TrackWriter({ stream: 1, world: "osrs", room: "main" });
 * const reader = new TrackReader();
 * reader.read(writer.full(0)).tracks.size; // => 0
 * reader.read(writer.still(1000)).atMs; // => 1000
 * reader.read(new Uint8Array([1, 7])); // throws unknown-variant: Cannot read kind: 7, 0 or 1 expected
 * ```
 */
import { ByteReader, type JsonObject, type JsonValue, WireError } from "../wire/index.ts";
import type { PlayerId, Position, Track, TrackSource, Velocity } from "./track.ts";
import {
  MAX_SHAPES,
  MAX_STRINGS,
  ShapeBit,
  SnapshotKind,
  STEPS_PER_UNIT,
  TRACK_SNAPSHOT_VERSION,
  type TrackShape,
  trackShape,
  ValueKind,
} from "./track-snapshots.ts";

const MAX_PLAYER = 65_535;
const NUMBER_BYTES = 8;

/** The tracks of a room at one time. */
export interface TrackSnapshot {
  readonly world: string;
  readonly room: string;
  /** Milliseconds of the server's clock. */
  readonly atMs: number;
  /** Until this time the tracks of the snapshot before were right. `atMs` in a full snapshot. */
  readonly heldMs: number;
  readonly isFull: boolean;
  /**
   * By player, in the order of the world. The same object as in the snapshot before when nothing has changed. The `atMs` of
   * a track is that of the snapshot in which it changed last.
   */
  readonly tracks: ReadonlyMap<PlayerId, Track>;
}

/** What is known of one player: the values of its columns, and the steps of those that are numbers (0 in others). */
interface Entry {
  readonly shape: TrackShape;
  readonly steps: Float64Array;
  readonly values: JsonValue[];
}

interface Stream {
  readonly stream: number;
  readonly world: string;
  readonly room: string;
  readonly strings: string[];
  readonly shapes: TrackShape[];
  readonly entries: Map<PlayerId, Entry>;
  tracks: ReadonlyMap<PlayerId, Track>;
  number: number;
}

/** The spectator's end of a feed: one room at a time, the last of which a full snapshot arrived. */
export class TrackReader {
  #stream: Stream | undefined;

  /**
   * Undefined for a delta of another stream than that of the last full snapshot: a late one of the room that was watched before.
   * Throws `WireError` for invalid bytes, and `bad-state` when a delta is missing.
   */
  read(bytes: Uint8Array): TrackSnapshot | undefined {
    const reader = new ByteReader(bytes);
    const version = field("version", () => reader.u8());
    if (version !== TRACK_SNAPSHOT_VERSION) {
      throw new WireError("unknown-message", `Cannot read version: ${version}, ${TRACK_SNAPSHOT_VERSION} expected`, 0);
    }
    const kind = field("kind", () => reader.u8());
    if (kind !== SnapshotKind.delta && kind !== SnapshotKind.full) {
      throw new WireError("unknown-variant", `Cannot read kind: ${kind}, 0 or 1 expected`, 8);
    }
    const number = field("stream", () => readNumber(reader));
    const before = this.#stream;
    if (kind === SnapshotKind.delta && before?.stream !== number) return undefined;
    // A reader that has refused a snapshot has lost its place.
    this.#stream = undefined;
    const at = reader.offset;
    const count = field("number", () => readNumber(reader));
    const atMs = field("at", () => readNumber(reader)) / 1000;
    if (kind === SnapshotKind.delta && before !== undefined) {
      if (count !== before.number + 1) {
        throw new WireError("bad-state", `Cannot read number: ${count}, ${before.number + 1} expected`, at * 8);
      }
      before.number = count;
      const heldMs = atMs - field("held", () => readNumber(reader));
      this.#readTracks(reader, before, atMs);
      return this.#snapshot(before, { atMs, heldMs, isFull: false });
    }
    const world = field("world", () => readText(reader));
    const room = field("room", () => readText(reader));
    const stream: Stream = {
      stream: number,
      world,
      room,
      strings: [],
      shapes: [],
      entries: new Map(),
      tracks: new Map(),
      number: count,
    };
    this.#readTracks(reader, stream, atMs);
    return this.#snapshot(stream, { atMs, heldMs: atMs, isFull: true });
  }

  #snapshot(stream: Stream, times: Pick<TrackSnapshot, "atMs" | "heldMs" | "isFull">): TrackSnapshot {
    const { world, room, tracks } = stream;
    this.#stream = stream;
    return { world, room, ...times, tracks };
  }

  #readTracks(reader: ByteReader, stream: Stream, atMs: number): void {
    readStrings(reader, stream.strings);
    readShapes(reader, stream);
    const removed = Array.from({ length: readCount(reader, "removed") }, (_, index) => {
      const player = field(`removed[${index}]`, () => readNumber(reader));
      return stream.entries.delete(player)
        ? player
        : refuse(reader, "bad-value", `removed[${index}]`, `no player ${player}`);
    });
    const changed = readCount(reader, "tracks");
    if (removed.length > 0 || changed > 0) stream.tracks = readChanged(reader, stream, { removed, changed, atMs });
    reader.expectEnd();
  }
}

interface Changes {
  readonly removed: readonly PlayerId[];
  /** How many tracks follow. */
  readonly changed: number;
  readonly atMs: number;
}

/** The tracks without those that are removed, and with those that follow. */
function readChanged(
  reader: ByteReader,
  stream: Stream,
  { removed, changed, atMs }: Changes,
): ReadonlyMap<PlayerId, Track> {
  const tracks = new Map(stream.tracks);
  for (const player of removed) tracks.delete(player);
  let player = 0;
  for (let count = 0; count < changed; count += 1) {
    try {
      player += readSigned(reader) + 1;
      if (!(player >= 0 && player <= MAX_PLAYER))
        refuse(reader, "bad-value", "player", `${player}, 0..${MAX_PLAYER} expected`);
      tracks.set(player, trackOf(readEntry(reader, stream, player), player, stream.room, atMs));
    } catch (error) {
      throw error instanceof WireError ? error.within(`tracks[${count}]`) : error;
    }
  }
  return tracks;
}

function readStrings(reader: ByteReader, strings: string[]): void {
  const count = readCount(reader, "strings");
  for (let index = 0; index < count; index += 1) strings.push(field(`strings[${index}]`, () => readText(reader)));
  if (strings.length > MAX_STRINGS) refuse(reader, "limit", "strings", `${strings.length}, at most ${MAX_STRINGS}`);
}

function readShapes(reader: ByteReader, { strings, shapes }: Stream): void {
  const count = readCount(reader, "shapes");
  for (let index = 0; index < count; index += 1) {
    const bits = field(`shapes[${index}].bits`, () => readNumber(reader));
    const length = readCount(reader, `shapes[${index}].keys`);
    const keys = Array.from({ length }, (_, key) => stringAt(reader, strings, `shapes[${index}].keys[${key}]`));
    try {
      shapes.push(trackShape(shapes.length, bits, keys));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refuse(reader, "bad-value", `shapes[${index}]`, error.message);
    }
  }
  if (shapes.length > MAX_SHAPES) refuse(reader, "limit", "shapes", `${shapes.length}, at most ${MAX_SHAPES}`);
}

function stringAt(reader: ByteReader, strings: readonly string[], path: string): string {
  const index = field(path, () => readNumber(reader));
  return strings[index] ?? refuse(reader, "bad-value", path, `no string ${index}`);
}

/** Reads the columns that have changed, or with a new shape all of them. */
function readEntry(reader: ByteReader, { strings, shapes, entries }: Stream, player: PlayerId): Entry {
  let mask = reader.u8();
  if ((mask & 1) === 1) {
    if (mask !== 1) refuse(reader, "bad-value", "mask", `${mask}, a new shape has no other columns`);
    const index = readNumber(reader);
    const shape = shapes[index] ?? refuse(reader, "bad-value", "shape", `no shape ${index}`);
    const entry: Entry = {
      shape,
      steps: new Float64Array(shape.columns),
      values: Array<JsonValue>(shape.columns).fill(null),
    };
    for (let column = 0; column < shape.columns; column += 1) readValue(reader, entry, column, strings);
    entries.set(player, entry);
    return entry;
  }
  const entry = entries.get(player) ?? refuse(reader, "bad-value", "player", `player ${player} has no track`);
  const changed: number[] = [];
  for (let first = 0; ; first += 7) {
    for (let bit = 0; bit < 7; bit += 1) if ((mask & (1 << bit)) !== 0) changed.push(first + bit - 1);
    if (mask < 0x80) break;
    if (first > entry.shape.columns) refuse(reader, "limit", "mask", "longer than the shape");
    mask = reader.u8();
  }
  for (const column of changed) {
    if (column >= entry.shape.columns) refuse(reader, "bad-value", "mask", `no column ${column}`);
    readValue(reader, entry, column, strings);
  }
  return entry;
}

function readValue(reader: ByteReader, { steps, values }: Entry, column: number, strings: readonly string[]): void {
  const head = readNumber(reader);
  const kind = head % 4;
  const number = Math.floor(head / 4);
  const before = steps[column] ?? 0;
  steps[column] = 0;
  if (kind === ValueKind.string) values[column] = strings[number] ?? refuse(reader, "bad-value", "value", "no string");
  else if (kind === ValueKind.json) values[column] = readJson(reader, number);
  else {
    const difference = number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    const now = before + (kind === ValueKind.units ? difference * STEPS_PER_UNIT : difference);
    steps[column] = now;
    values[column] = now / STEPS_PER_UNIT;
  }
}

function trackOf({ shape: { bits, keys }, values }: Entry, player: PlayerId, room: string, atMs: number): Track {
  let column = 0;
  const number = (): number => {
    const value = values[column++];
    if (typeof value !== "number") throw new WireError("bad-value", `Cannot read value: a number expected`, 0);
    return value;
  };
  const string = (): string => {
    const value = values[column++];
    if (typeof value !== "string") throw new WireError("bad-value", `Cannot read value: a string expected`, 0);
    return value;
  };
  const [x, y] = [number(), number()];
  const z = (bits & ShapeBit.z) === 0 ? {} : { z: number() };
  const position: Position = { x, y, ...z, ...((bits & ShapeBit.level) === 0 ? {} : { level: number() }) };
  const [vx, vy] = [number(), number()];
  const velocity: Velocity = { x: vx, y: vy, ...((bits & ShapeBit.velocityZ) === 0 ? {} : { z: number() }) };
  const facingTurns = number();
  const stance = string();
  const source = string() as TrackSource;
  const track: Track = { player, room, atMs, position, velocity, facingTurns, stance, source };
  if ((bits & ShapeBit.details) === 0) return track;
  const details: JsonObject = Object.fromEntries(keys.map((key, index) => [key, values[column + index] ?? null]));
  return { ...track, details };
}

/** Numbers of up to 53 bits: seven a byte, the low ones first. */
function readNumber(reader: ByteReader): number {
  let number = 0;
  let factor = 1;
  for (let count = 0; count < NUMBER_BYTES; count += 1) {
    const byte = reader.u8();
    number += (byte % 0x80) * factor;
    if (byte < 0x80) {
      return Number.isSafeInteger(number) ? number : refuse(reader, "bad-value", "number", "over 2^53");
    }
    factor *= 0x80;
  }
  return refuse(reader, "bad-length", "number", `longer than ${NUMBER_BYTES} bytes`);
}

function readSigned(reader: ByteReader): number {
  const number = readNumber(reader);
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

/** Each of what is counted takes a byte at least. */
function readCount(reader: ByteReader, path: string): number {
  const count = field(path, () => readNumber(reader));
  return count <= reader.remaining
    ? count
    : refuse(reader, "truncated", path, `${count} counted, ${reader.remaining} bytes left`);
}

function readText(reader: ByteReader): string {
  return readCharacters(reader, readNumber(reader));
}

/** UTF-16 code units, each a number. */
function readCharacters(reader: ByteReader, length: number): string {
  if (length > reader.remaining)
    refuse(reader, "truncated", "text", `${length} characters, ${reader.remaining} bytes left`);
  let text = "";
  for (let count = 0; count < length; count += 1) {
    const unit = readNumber(reader);
    if (unit > 0xffff) refuse(reader, "bad-value", "text", `${unit} is no UTF-16 code unit`);
    text += String.fromCharCode(unit);
  }
  return text;
}

function readJson(reader: ByteReader, length: number): JsonValue {
  const text = readCharacters(reader, length);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return refuse(reader, "bad-value", "value", "not JSON");
  }
}

function refuse(reader: ByteReader, code: WireError["code"], path: string, why: string): never {
  throw new WireError(code, `Cannot read ${path}: ${why}`, reader.bitOffset, path);
}

/** Names the field of a read that is refused. */
function field<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WireError ? error.within(path) : error;
  }
}
