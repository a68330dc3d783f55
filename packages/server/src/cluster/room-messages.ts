/**
 * What the owner of a world sends to **spectator relays**, once for all of them: about each watched room its players, tracks and
 * observations, about each followed player its messages and limits, and about the whole world its rooms, counts and verdicts. Relays
 * send the owner the names of the rooms that their pages watch, and the players that they follow.
 *
 * What comes from a broker is not trusted: lengths, numbers and shapes are checked here.
 */
import { encodeCbor } from "@wirewalk/recording";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { PlayerBudget, Side } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import { decodeOrNothing, isCount, isEpoch, isObject, isObserved, isPlayer, isTime, isVerdict } from "./batch.ts";
import { encodeParts, headOf, PartJoiner, type PartsFormat, readPart } from "./parts.ts";
import type { PlayedTraffic } from "./played-world.ts";

/** A room that somebody may watch has a name of at most so many characters, as in a page's request. */
const MAX_ROOM_LENGTH = 64;
/** Rooms of one world that one relay watches, and that the owner sends: each page watches one. */
export const MAX_WATCHED_ROOMS = 4_096;
/** Players of one world that pages of one relay follow, and whose messages the owner sends: each page follows one. */
export const MAX_FOLLOWED = 256;
/** Twice what a feed sends at once. */
const MAX_RECORDS = 50;
const MAX_BUDGETS = 100;
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

export interface PlayerMessage {
  readonly kind: "player";
  readonly player: PlayerId;
  /** In both directions, since the message before. */
  readonly records: readonly CarriedRecord[];
  /** How much of what adds up it has used; undefined in a message without them. */
  readonly budgets: readonly PlayerBudget[] | undefined;
}

export interface CarriedRecord {
  readonly sender: Side;
  /** Of the world's clock. */
  readonly atMs: number;
  readonly payload: Uint8Array;
}

export type ShownMessage = RoomMessage | WorldMessage | PlayerMessage;

/** What stands before each message. */
export interface ShownHead {
  readonly epoch: number;
  /** Counts the messages of a room, or of the world, within an epoch. */
  readonly number: number;
}

export type Shown<M extends ShownMessage> = M & ShownHead;

/** A message as bytes: several parts when it is long. */
export function encodeShown({ epoch, number }: ShownHead, message: ShownMessage): readonly Uint8Array[] {
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
  take(bytes: Uint8Array): Shown<ShownMessage> | "invalid" | undefined {
    const part = readPart(format, bytes);
    const head = checkedHead(part?.numbers);
    if (part === undefined || head === undefined) return "invalid";
    const joined = this.#joiner.take(head.epoch, head.number, part);
    if (joined === undefined) return undefined;
    const body = decodeOrNothing(joined);
    const message = roomMessage(body) ?? playerMessage(body) ?? worldMessage(body);
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

function playerMessage(data: unknown): PlayerMessage | undefined {
  if (!isObject(data) || data.kind !== "player" || !isPlayer(data.player)) return undefined;
  const { player, records, budgets } = data;
  if (!Array.isArray(records) || records.length > MAX_RECORDS || !records.every(isRecord)) return undefined;
  if (budgets === undefined) return { kind: "player", player, records, budgets };
  if (!Array.isArray(budgets) || budgets.length > MAX_BUDGETS || !budgets.every(isBudget)) return undefined;
  return { kind: "player", player, records, budgets };
}

function isRecord(data: unknown): data is CarriedRecord {
  if (!isObject(data) || !isTime(data.atMs) || !(data.payload instanceof Uint8Array)) return false;
  return data.sender === "client" || data.sender === "server";
}

function isBudget(data: unknown): data is PlayerBudget {
  if (!isObject(data) || !isTime(data.used) || !isTime(data.limit)) return false;
  return [data.name, data.rule, data.unit].every((each) => typeof each === "string");
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
  /** The players that its pages follow. */
  readonly players: readonly PlayerId[];
  /** Those that another page has begun to follow: it needs what the world shows a spectator first. */
  readonly begun: readonly PlayerId[];
}

export function encodeWatched(watched: WatchedRooms): Uint8Array {
  return encodeCbor(watched);
}

/** Undefined for bytes that no relay sends. */
export function decodeWatched(bytes: Uint8Array): WatchedRooms | undefined {
  const data = decodeOrNothing(bytes);
  if (!isObject(data) || typeof data.relay !== "string") return undefined;
  const { relay, rooms, whole, players, begun } = data;
  if (!isRooms(rooms) || !isRooms(whole) || !isPlayers(players) || !isPlayers(begun)) return undefined;
  return { relay, rooms, whole, players, begun };
}

function isPlayers(data: unknown): data is readonly PlayerId[] {
  return Array.isArray(data) && data.length <= MAX_FOLLOWED && data.every(isPlayer);
}

function isRooms(data: unknown): data is readonly string[] {
  return Array.isArray(data) && data.length <= MAX_WATCHED_ROOMS && data.every(isRoom);
}
