/** The feed's text messages, to and from `feed.ts`. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { FeedMessage, FeedPlayer, FeedRequest, FeedVerdict, PlaybackRequest, WatchRequest } from "./feed.ts";
import type { FeedWorld } from "./feed-world.ts";
import { verdictJson } from "./verdict-json.ts";

/** Names of worlds and rooms in a request. */
const MAX_NAME_LENGTH = 64;
export const MIN_SPEED = 0.1;
export const MAX_SPEED = 16;

/** A verdict, with the name that its player had then. */
export interface NamedVerdict {
  readonly verdict: Verdict;
  readonly name: string | null;
}

export function verdictOf(world: string, { verdict, name }: NamedVerdict): FeedMessage {
  const shown: FeedVerdict = { ...verdictJson(verdict), name };
  return { type: "verdict", world, verdict: shown };
}

export function roomsOf(world: FeedWorld): FeedMessage {
  const rooms = [...world.rooms()].map(([room, players]) => ({ room, players }));
  return { type: "rooms", world: world.name, rooms };
}

export function playerOf(world: FeedWorld, player: PlayerId, room: string): FeedPlayer {
  return { player, name: world.nameOf(player) ?? `player ${player}`, room };
}

export function parseRequest(text: string): FeedRequest | undefined {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof request !== "object" || request === null) return undefined;
  const members = request as Members;
  return members.type === "watch" ? parseWatch(members) : parseControl(members);
}

type Members = Readonly<Record<string, unknown>>;

function parseWatch({ world, room, player = null }: Members): WatchRequest | undefined {
  if (!isName(world) || !(room === null || isName(room))) return undefined;
  if (player !== null && !(typeof player === "number" && Number.isSafeInteger(player))) return undefined;
  return { type: "watch", world, room, player };
}

function parseControl({ type, to, speed, atMs, which, player, rule }: Members): PlaybackRequest | undefined {
  switch (type) {
    case "play":
    case "pause":
    case "leave-moment":
      return { type };
    case "step":
      return to === "tick" || to === "packet" ? { type, to } : undefined;
    case "speed":
      return typeof speed === "number" && speed >= MIN_SPEED && speed <= MAX_SPEED ? { type, speed } : undefined;
    case "seek":
      return typeof atMs === "number" && atMs >= 0 && Number.isFinite(atMs) ? { type, atMs } : undefined;
    case "verdict":
      return which === "next" || which === "previous" ? { type, which } : undefined;
    case "moment": {
      if (!isWhole(player) || !isWhole(atMs) || !(rule === undefined || isName(rule))) return undefined;
      return { type, player, atMs, ...(rule === undefined ? {} : { rule }) };
    }
    default:
      return undefined;
  }
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME_LENGTH;
}
