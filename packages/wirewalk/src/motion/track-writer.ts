/**
 * Writes the tracks of one room as **track snapshots**: once for all spectators, each of which starts with a full snapshot and
 * then takes every delta.
 *
 * ```ts
 * const writer = new TrackWriter({ stream: 1, world: "osrs", room: "main" });
 * const still = { x: 0, y: 0 };
 * const walker = { player: 7, position: { x: 3222, y: 3218 }, velocity: still, facingTurns: 0, stance: "stand", source: "simulated" };
 * writer.update(600, [walker]).length; // => 45
 * writer.update(650, [walker]); // => undefined
 * writer.update(1200, [{ ...walker, position: { x: 3223, y: 3218 } }]).length; // => 16
 * new TrackReader().read(writer.full(1250)).tracks.get(7).position; // => { x: 3223, y: 3218 }
 * ```
 */
import type { JsonValue } from "../wire/index.ts";
import { SnapshotBytes } from "./snapshot-bytes.ts";
import type { PlayerId, Track } from "./track.ts";
import {
  MAX_SHAPES,
  MAX_STEPS,
  MAX_STRINGS,
  ShapeBit,
  SnapshotKind,
  STEPS_PER_UNIT,
  TRACK_SNAPSHOT_VERSION,
  type TrackShape,
  trackShape,
  ValueKind,
} from "./track-snapshots.ts";

/** A room, and the number that its snapshots have: another one for each writer of a server. */
export interface TrackStream {
  readonly stream: number;
  readonly world: string;
  readonly room: string;
}

/** What a column holds: steps, a string of the table by its number, a value that JSON writes, or such a value as its JSON text. */
const Held = { steps: 0, string: 1, value: 2, text: 3 } as const;

/** One row of columns. `numbers` are steps, or numbers of strings; `values` what is neither. */
interface Row {
  kinds: Uint8Array;
  numbers: Float64Array;
  values: JsonValue[];
}

interface Entry extends Row {
  readonly player: PlayerId;
  shape: TrackShape;
  /** The update that had a track of this player last. */
  updated: number;
}

function newRow(columns: number): Row {
  return { kinds: new Uint8Array(columns), numbers: new Float64Array(columns), values: Array(columns).fill(null) };
}

/** One stream of snapshots. */
export class TrackWriter {
  readonly #stream: TrackStream;
  readonly #strings = new Map<string, number>();
  readonly #shapes = new Map<string, TrackShape>();
  /** In the order of their first tracks. */
  readonly #entries = new Map<PlayerId, Entry>();
  /** The columns of the track that is compared. */
  #row = newRow(16);
  #column = 0;
  readonly #body = new SnapshotBytes();
  readonly #head = new SnapshotBytes();
  #updates = 0;
  #deltas = 0;
  /** Strings and shapes that spectators have. */
  #sentStrings = 0;
  #sentShapes = 0;
  #checkedMs = 0;

  constructor(stream: TrackStream) {
    this.#stream = stream;
  }

  get stream(): number {
    return this.#stream.stream;
  }

  /** True when the tables are so long that readers take no more: another stream has to begin. */
  get isFull(): boolean {
    return this.#strings.size > MAX_STRINGS / 2 || this.#shapes.size > MAX_SHAPES / 2;
  }

  /** Takes the tracks at this time. Returns the delta; undefined when nothing has changed. */
  update(atMs: number, tracks: readonly Track[]): Uint8Array | undefined {
    this.#updates += 1;
    const body = this.#body;
    body.reset();
    let changed = 0;
    let before = 0;
    let present = 0;
    for (const track of tracks) {
      const entry = this.#entries.get(track.player);
      const isSame = entry !== undefined && hasShape(entry.shape, track);
      const shape = isSame ? entry.shape : this.#shapeOf(track);
      this.#read(track, shape);
      if (entry?.updated !== this.#updates) present += 1;
      if (isSame) {
        entry.updated = this.#updates;
        const changes = this.#compare(entry);
        if (changes < 0) continue;
        body.signed(track.player - before - 1);
        this.#writeChanges(entry, changes);
      } else {
        body.signed(track.player - before - 1);
        this.#writeNew(track.player, shape);
      }
      before = track.player;
      changed += 1;
    }
    const removed = present === this.#entries.size ? [] : this.#remove();
    const delta =
      changed === 0 && removed.length === 0 ? undefined : this.#finish(SnapshotKind.delta, atMs, removed, changed);
    this.#checkedMs = atMs;
    return delta;
  }

  /** The tracks are still those of the last update. */
  hold(atMs: number): void {
    this.#checkedMs = atMs;
  }

  /** A delta without changes: says that the tracks are still those of the last update. */
  still(atMs: number): Uint8Array {
    this.#body.reset();
    const bytes = this.#finish(SnapshotKind.delta, atMs, [], 0);
    this.#checkedMs = atMs;
    return bytes;
  }

  /** All tracks of the last update. */
  full(atMs: number): Uint8Array {
    const body = this.#body;
    body.reset();
    let before = 0;
    for (const entry of this.#entries.values()) {
      body.signed(entry.player - before - 1);
      before = entry.player;
      this.#writeWhole(entry, entry.shape);
    }
    return this.#finish(SnapshotKind.full, atMs, [], this.#entries.size);
  }

  #finish(kind: number, atMs: number, removed: readonly PlayerId[], changed: number): Uint8Array {
    const head = this.#head;
    const isFull = kind === SnapshotKind.full;
    head.reset();
    head.byte(TRACK_SNAPSHOT_VERSION);
    head.byte(kind);
    head.number(this.#stream.stream);
    if (!isFull) this.#deltas += 1;
    head.number(this.#deltas);
    head.number(Math.round(atMs * 1000));
    if (isFull) {
      head.text(this.#stream.world);
      head.text(this.#stream.room);
    } else head.number(Math.max(0, Math.round(atMs - this.#checkedMs)));
    this.#writeTables(isFull ? 0 : this.#sentStrings, isFull ? 0 : this.#sentShapes);
    head.number(removed.length);
    for (const player of removed) head.number(player);
    head.number(changed);
    return head.with(this.#body);
  }

  #writeTables(stringsBefore: number, shapesBefore: number): void {
    const head = this.#head;
    head.number(this.#strings.size - stringsBefore);
    for (const [string, at] of this.#strings) if (at >= stringsBefore) head.text(string);
    head.number(this.#shapes.size - shapesBefore);
    for (const { id, bits, keys } of this.#shapes.values()) {
      if (id < shapesBefore) continue;
      head.number(bits);
      head.number(keys.length);
      for (const key of keys) head.number(this.#strings.get(key) ?? 0);
    }
    this.#sentStrings = this.#strings.size;
    this.#sentShapes = this.#shapes.size;
  }

  #remove(): readonly PlayerId[] {
    const removed: PlayerId[] = [];
    for (const { player, updated } of this.#entries.values()) if (updated !== this.#updates) removed.push(player);
    for (const player of removed) this.#entries.delete(player);
    return removed;
  }

  #stringId(string: string): number {
    const known = this.#strings.get(string);
    if (known !== undefined) return known;
    this.#strings.set(string, this.#strings.size);
    return this.#strings.size - 1;
  }

  #shapeOf({ position, velocity, details }: Track): TrackShape {
    const bits =
      (position.z === undefined ? 0 : ShapeBit.z) |
      (position.level === undefined ? 0 : ShapeBit.level) |
      (velocity.z === undefined ? 0 : ShapeBit.velocityZ) |
      (details === undefined ? 0 : ShapeBit.details);
    const keys = Object.keys(details ?? {});
    const name = JSON.stringify([bits, ...keys]);
    let shape = this.#shapes.get(name);
    if (shape === undefined) {
      for (const key of keys) this.#stringId(key);
      shape = trackShape(this.#shapes.size, bits, keys);
      this.#shapes.set(name, shape);
    }
    return shape;
  }

  // --- A track as columns ------------------------------------------------------------------------------------------------

  #read({ position, velocity, facingTurns, stance, source, details }: Track, { keys, columns }: TrackShape): void {
    if (this.#row.kinds.length < columns) this.#row = newRow(columns);
    this.#column = 0;
    this.#measure(position.x);
    this.#measure(position.y);
    if (position.z !== undefined) this.#measure(position.z);
    if (position.level !== undefined) this.#measure(position.level);
    this.#measure(velocity.x);
    this.#measure(velocity.y);
    if (velocity.z !== undefined) this.#measure(velocity.z);
    this.#measure(facingTurns);
    this.#hold(Held.string, this.#stringId(stance), null);
    this.#hold(Held.string, this.#stringId(source), null);
    if (details !== undefined) for (const key of keys) this.#value(details[key] ?? null);
  }

  #hold(kind: number, number: number, value: JsonValue): void {
    const { kinds, numbers, values } = this.#row;
    const column = this.#column;
    kinds[column] = kind;
    numbers[column] = number;
    values[column] = value;
    this.#column = column + 1;
  }

  /** The nearest step: a number that is not finite, which no world gives, is 0. */
  #measure(number: number): void {
    const steps = Math.round(number * STEPS_PER_UNIT);
    this.#hold(Held.steps, Number.isFinite(steps) ? Math.min(MAX_STEPS, Math.max(-MAX_STEPS, steps)) : 0, null);
  }

  /** A detail is exact. */
  #value(value: JsonValue): void {
    if (typeof value === "number") {
      const steps = value * STEPS_PER_UNIT;
      const isExact = Number.isInteger(steps) && Math.abs(steps) <= MAX_STEPS;
      this.#hold(isExact ? Held.steps : Held.value, isExact ? steps : 0, isExact ? null : value);
    } else if (typeof value === "object" && value !== null) this.#hold(Held.text, 0, JSON.stringify(value));
    else this.#hold(Held.value, 0, value);
  }

  // --- Rows --------------------------------------------------------------------------------------------------------------

  /** The last column in which the row differs from what spectators have; -1: in none. */
  #compare({ kinds, numbers, values, shape }: Entry): number {
    const row = this.#row;
    for (let column = shape.columns - 1; column >= 0; column -= 1) {
      const isSame =
        row.numbers[column] === numbers[column] &&
        row.kinds[column] === kinds[column] &&
        Object.is(row.values[column], values[column]);
      if (!isSame) return column;
    }
    return -1;
  }

  /** Writes a row's columns that differ up to `last`, and takes them over. */
  #writeChanges(entry: Entry, last: number): void {
    const row = this.#row;
    const body = this.#body;
    const { kinds, numbers, values } = entry;
    // Bit 0 of the mask is for new shapes. Seven bits a byte, the top bit says that another byte follows.
    const maskAt = body.skip(((last + 1) / 7 + 1) | 0);
    for (let column = 0; column <= last; column += 1) {
      const number = row.numbers[column] ?? 0;
      const kind = row.kinds[column] ?? 0;
      const value = row.values[column] ?? null;
      if (number === numbers[column] && kind === kinds[column] && Object.is(value, values[column])) continue;
      body.setBit(maskAt + (((column + 1) / 7) | 0), (column + 1) % 7);
      this.#writeValue(kind, number, value, kinds[column] === Held.steps ? (numbers[column] ?? 0) : 0);
      kinds[column] = kind;
      numbers[column] = number;
      values[column] = value;
    }
    for (let byte = ((last + 1) / 7) | 0; byte > 0; byte -= 1) body.setBit(maskAt + byte - 1, 7);
  }

  /** The row of a player that spectators do not have, or have with another shape. */
  #writeNew(player: PlayerId, shape: TrackShape): void {
    const { kinds, numbers, values } = this.#row;
    const entry: Entry = {
      player,
      shape,
      updated: this.#updates,
      kinds: kinds.slice(0, shape.columns),
      numbers: numbers.slice(0, shape.columns),
      values: values.slice(0, shape.columns),
    };
    this.#entries.set(player, entry);
    this.#writeWhole(entry, shape);
  }

  #writeWhole({ kinds, numbers, values }: Row, { id, columns }: TrackShape): void {
    this.#body.number(1);
    this.#body.number(id);
    for (let column = 0; column < columns; column += 1) {
      this.#writeValue(kinds[column] ?? 0, numbers[column] ?? 0, values[column] ?? null, 0);
    }
  }

  #writeValue(kind: number, number: number, value: JsonValue, stepsBefore: number): void {
    const body = this.#body;
    if (kind === Held.steps) {
      const steps = number - stepsBefore;
      const units = steps / STEPS_PER_UNIT;
      if (Number.isInteger(units)) body.tagged(units, ValueKind.units);
      else body.tagged(steps, ValueKind.steps);
    } else if (kind === Held.string) body.number(number * 4 + ValueKind.string);
    else {
      const text = kind === Held.text ? String(value) : JSON.stringify(value);
      body.number(text.length * 4 + ValueKind.json);
      body.characters(text);
    }
  }
}

/** Whether a track has the members of a shape, details in the same order. */
function hasShape({ bits, keys }: TrackShape, { position, velocity, details }: Track): boolean {
  if ((position.z !== undefined) !== ((bits & ShapeBit.z) !== 0)) return false;
  if ((position.level !== undefined) !== ((bits & ShapeBit.level) !== 0)) return false;
  if ((velocity.z !== undefined) !== ((bits & ShapeBit.velocityZ) !== 0)) return false;
  if ((details !== undefined) !== ((bits & ShapeBit.details) !== 0)) return false;
  let at = 0;
  for (const key in details) {
    if (keys[at] !== key) return false;
    at += 1;
  }
  return at === keys.length;
}
