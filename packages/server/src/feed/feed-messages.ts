/** The feed's text messages, to and from `feed.ts`. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import { banKind } from "../bans/ban-key.ts";
import { type Ban, verdictJson } from "../bans/bans.ts";
import type {
  FeedBan,
  FeedMessage,
  FeedPlayer,
  FeedRequest,
  FeedVerdict,
  PlaybackRequest,
  WatchRequest,
} from "./feed.ts";
import type { FeedWorld } from "./feed-world.ts";

/** Bans sent: the newest. */
const BANS_SHOWN = 50;
/** Names of worlds and rooms in a request. */
const MAX_NAME_LENGTH = 64;
export const MIN_SPEED = 0.1;
export const MAX_SPEED = 16;

/** A verdict, with the name that its player had then. */
export interface NamedVerdict {
  readonly verdict: Verdict;
  readonly name: string | null;
}

export function encode(message: FeedMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

export function encodeVerdict(world: string, { verdict, name }: NamedVerdict): Buffer {
  const shown: FeedVerdict = { ...verdictJson(verdict), name };
  return encode({ type: "verdict", world, verdict: shown });
}

export function newestBans(bans: readonly Ban[], protocol: string): readonly Ban[] {
  const mine = bans.filter((ban) => ban.protocol === protocol);
  return mine.sort((a, b) => b.fromMs - a.fromMs).slice(0, BANS_SHOWN);
}

/** Without the values of keys: a page does not see the address of a player. */
export function encodeBans(world: string, bans: readonly Ban[]): Buffer {
  const shown = bans.map(({ key, name, rule, reason, fromMs, untilMs }): FeedBan => {
    return { holdsOn: banKind(key), name, rule, reason, fromMs, untilMs };
  });
  return encode({ type: "bans", world, bans: shown });
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

function parseControl({ type, to, speed, atMs, which }: Members): PlaybackRequest | undefined {
  switch (type) {
    case "play":
    case "pause":
      return { type };
    case "step":
      return to === "tick" || to === "packet" ? { type, to } : undefined;
    case "speed":
      return typeof speed === "number" && speed >= MIN_SPEED && speed <= MAX_SPEED ? { type, speed } : undefined;
    case "seek":
      return typeof atMs === "number" && atMs >= 0 && Number.isFinite(atMs) ? { type, atMs } : undefined;
    case "verdict":
      return which === "next" || which === "previous" ? { type, which } : undefined;
    default:
      return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME_LENGTH;
}
