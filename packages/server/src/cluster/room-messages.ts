/**
 * What the owner of a world sends to **spectator relays**, once for all of them: about each watched room its players, tracks and
 * observations, and about the whole world its rooms, counts and verdicts. Relays send the owner the names of the rooms that their
 * pages watch.
 *
 * What comes from a broker is not trusted: lengths, numbers and shapes are checked here.
 */
import { encodeCbor } from "@wirewalk/recording";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { JsonObject } from "wirewalk/wire";
import { decodeOrNothing, isCount, isEpoch, isObject, isObserved, isPlayer, isTime, isVerdict } from "./batch.ts";
import { encodeParts, headOf, PartJoiner, type PartsFormat, readPart } from "./parts.ts";
import type { PlayedTraffic } from "./played-world.ts";

/** A room that somebody may watch has a name of at most so many characters, as in a page's request. */
const MAX_ROOM_LENGTH = 64;
/** Rooms of one world that one relay watches, and that the owner sends: each page watches one. */
export const MAX_WATCHED_ROOMS = 4_096;
const MAX_EVENTS = 100_000;
const MAX_ROOMS = 100_000;
/** In the head: epoch, number. As many parts hold four times a full snapshot of 65,535 players. */
const format: PartsFormat = { numbers: 2, maxParts: 32, refusal: "Cannot show a room in" };

export type RoomEvent =
  | { readonly event: "join"; readonly player: PlayerId; readonly name: string }
  | { readonly event: "leave"; readonly player: PlayerId }
  | {
      readonly event: "observe";
      /** 0 for one of the room itself. */
      readonly player: PlayerId;
      readonly atMs: number;
      readonly what: string;
      readonly data: JsonObject;
      readonly toFollowers: boolean;
    };

export interface RoomMessage {
  readonly kind: "room";
  readonly room: string;
  /** Of the world's clock. */
  readonly atMs: number;
  /** All players of the room, in a message from which a relay can begin. */
  readonly players: readonly (readonly [PlayerId, string])[] | undefined;
  /** Since the message before. */
  readonly events: readonly RoomEvent[];
  /** A snapshot as `TrackReader` reads it: full where `players` are given. */
  readonly tracks: Uint8Array | undefined;
}

export interface WorldMessage {
  readonly kind: "world";
  readonly atMs: number;
  readonly rooms: readonly (readonly [string, number])[];
  readonly players: number;
  readonly traffic: PlayedTraffic;
  readonly verdicts: readonly { readonly verdict: Verdict; readonly name: string | null }[];
}

/** What stands before each message. */
export interface ShownHead {
  readonly epoch: number;
  /** Counts the messages of a room, or of the world, within an epoch. */
  readonly number: number;
}

export type Shown<M extends RoomMessage | WorldMessage> = M & ShownHead;

/** A message as bytes: several parts when it is long. */
export function encodeShown({ epoch, number }: ShownHead, message: RoomMessage | WorldMessage): readonly Uint8Array[] {
  return encodeParts(format, [epoch, number], encodeCbor(message));
}

/** Undefined for bytes that no owner sends. */
export function shownHead(bytes: Uint8Array): ShownHead | undefined {
  return checkedHead(headOf(format, bytes));
}

function checkedHead([epoch, number]: readonly number[] = []): ShownHead | undefined {
  return isEpoch(epoch) && isCount(number) ? { epoch, number } : undefined;
}

/** Puts the parts of messages together. Parts of one message arrive in their order. */
export class ShownReader {
  readonly #joiner = new PartJoiner();

  /** The message that these bytes complete; undefined as long as parts are missing, `invalid` for bytes that no owner sends. */
  take(bytes: Uint8Array): Shown<RoomMessage> | Shown<WorldMessage> | "invalid" | undefined {
    const part = readPart(format, bytes);
    const head = checkedHead(part?.numbers);
    if (part === undefined || head === undefined) return "invalid";
    const joined = this.#joiner.take(head.epoch, head.number, part);
    if (joined === undefined) return undefined;
    const body = decodeOrNothing(joined);
    const message = roomMessage(body) ?? worldMessage(body);
    return message === undefined ? "invalid" : { ...message, ...head };
  }
}

function roomMessage(data: unknown): RoomMessage | undefined {
  if (!isObject(data) || data.kind !== "room" || !isRoom(data.room) || !isTime(data.atMs)) return undefined;
  const { room, atMs, players, events, tracks } = data;
  if (!Array.isArray(events) || events.length > MAX_EVENTS || !events.every(isEvent)) return undefined;
  if (tracks !== undefined && !(tracks instanceof Uint8Array)) return undefined;
  if (players === undefined) return { kind: "room", room, atMs, players, events, tracks };
  if (!Array.isArray(players) || !players.every(isNamed)) return undefined;
  return { kind: "room", room, atMs, players, events, tracks };
}

function worldMessage(data: unknown): WorldMessage | undefined {
  if (!isObject(data) || data.kind !== "world" || !isTime(data.atMs) || !isCount(data.players)) return undefined;
  const { atMs, rooms, players, traffic, verdicts } = data;
  if (!Array.isArray(rooms) || rooms.length > MAX_ROOMS || !rooms.every(isCounted)) return undefined;
  if (!isTraffic(traffic) || !Array.isArray(verdicts) || !verdicts.every(isNamedVerdict)) return undefined;
  return { kind: "world", atMs, rooms, players, traffic, verdicts };
}

/** Names of rooms that a page may ask for. */
function isRoom(data: unknown): data is string {
  return typeof data === "string" && data.length > 0 && data.length <= MAX_ROOM_LENGTH;
}

function isEvent(data: unknown): data is RoomEvent {
  if (!isObject(data)) return false;
  if (data.event === "join") return isPlayer(data.player) && typeof data.name === "string";
  if (data.event === "leave") return isPlayer(data.player);
  if (data.event !== "observe" || !isTime(data.atMs) || typeof data.what !== "string") return false;
  return isObserved(data.player) && isObject(data.data) && typeof data.toFollowers === "boolean";
}

function isNamed(data: unknown): data is readonly [PlayerId, string] {
  return Array.isArray(data) && isPlayer(data[0]) && typeof data[1] === "string";
}

function isCounted(data: unknown): data is readonly [string, number] {
  return Array.isArray(data) && typeof data[0] === "string" && isCount(data[1]);
}

function isTraffic(data: unknown): data is PlayedTraffic {
  if (!isObject(data)) return false;
  return [data.messagesIn, data.bytesIn, data.messagesOut, data.bytesOut, data.verdicts].every(isCount);
}

function isNamedVerdict(data: unknown): data is WorldMessage["verdicts"][number] {
  return isObject(data) && isVerdict(data.verdict) && (data.name === null || typeof data.name === "string");
}

/** The rooms that the pages of a relay watch: it sends all of them again and again. */
export interface WatchedRooms {
  /** The member. */
  readonly relay: string;
  readonly rooms: readonly string[];
  /** Those of which the relay needs all: it has just begun to watch them, or has lost a message. */
  readonly whole: readonly string[];
}

export function encodeWatched(watched: WatchedRooms): Uint8Array {
  return encodeCbor(watched);
}

/** Undefined for bytes that no relay sends. */
export function decodeWatched(bytes: Uint8Array): WatchedRooms | undefined {
  const data = decodeOrNothing(bytes);
  if (!isObject(data) || typeof data.relay !== "string") return undefined;
  const { relay, rooms, whole } = data;
  if (!isRooms(rooms) || !isRooms(whole)) return undefined;
  return { relay, rooms, whole };
}

function isRooms(data: unknown): data is readonly string[] {
  return Array.isArray(data) && data.length <= MAX_WATCHED_ROOMS && data.every(isRoom);
}
