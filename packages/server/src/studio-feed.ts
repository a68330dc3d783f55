/** The page's feed at `/ws/studio`, as `feed.ts` describes it: sends every page what happens in the worlds. */
import { randomBytes } from "node:crypto";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import { banKind } from "./ban-key.ts";
import { type Ban, verdictJson } from "./bans.ts";
import type { Budgets } from "./budgets.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { FeedBan, FeedMessage, FeedPlayer, FeedProtocol, FeedRates, FeedRequest, FeedVerdict } from "./feed.ts";
import type { HostedWorld, Observation, WorldObserver } from "./hosted-world.ts";
import type { WebSocketLink } from "./links.ts";
import type { LogBudget } from "./log-budget.ts";
import type { Place } from "./places.ts";
import { Silence } from "./silence.ts";
import type { Stalls } from "./stalls.ts";
import { TokenBucket } from "./token-bucket.ts";

const TRACKS_EVERY_MS = 50;
const RATES_EVERY_MS = 1_000;
/** Verdicts kept, and sent after `watch`. */
const VERDICTS_KEPT = 100;
/** Verdicts sent every 50 ms, at most; of more only the last, or one cheat would fill the page of every spectator. */
const VERDICTS_AT_ONCE = 25;
/** Bans sent: the newest. */
const BANS_SHOWN = 50;
/** Names of protocols and rooms in a request. */
const MAX_NAME_LENGTH = 64;
const TOKEN_BYTES = 16;
/** A page that is closed has this long to read the reason. */
const CLOSE_WITHIN_MS = 2_000;

/** The state of the feed for one world. */
interface WorldFeed {
  readonly world: HostedWorld;
  verdicts: Verdict[];
  /** Not sent yet. */
  fresh: Verdict[];
  roomsChanged: boolean;
  /** The bans that were sent last, in short: a ban that is lifted or over changes them too. */
  bansShown: string;
  /** Players that the world follows. */
  readonly followed: Set<PlayerId>;
  last: { bytesIn: number; bytesOut: number; messagesIn: number; messagesOut: number; verdicts: number };
}

/** The subscription of a page. */
interface Watched {
  readonly protocol: string;
  readonly room: string | null;
  /** A player of the room that the page follows. */
  readonly player?: PlayerId;
}

export interface FeedContext {
  readonly budgets: Budgets;
  readonly stalls: Stalls;
  readonly clock: Clock;
  /** The page has sent its first valid request. */
  proved(session: FeedSession): void;
  ended(session: FeedSession, reason: DisconnectReason, detail: string | undefined): void;
  gone(session: FeedSession): void;
}

/** A page's connection. */
export interface FeedConnection {
  readonly link: WebSocketLink;
  readonly place: Place;
  readonly log: LogBudget;
}

/** One page. */
export class FeedSession {
  readonly token = randomBytes(TOKEN_BYTES).toString("hex");
  readonly link: WebSocketLink;
  readonly place: Place;
  readonly log: LogBudget;
  readonly #silence: Silence;
  readonly #context: FeedContext;
  readonly #requests: TokenBucket;
  readonly #bytes: TokenBucket;
  #unfinishedMs: number | undefined;
  #finishedMessages = 0;
  #isOver = false;
  #answers = false;
  watched: Watched | undefined;
  /** The player of this page while it plays, with the room that was last sent. */
  self: { readonly world: HostedWorld; readonly player: PlayerId; readonly room: string } | undefined;

  constructor(
    { link, place, log }: FeedConnection,
    context: FeedContext,
    request: (session: FeedSession, text: string) => void,
  ) {
    this.link = link;
    this.place = place;
    this.log = log;
    this.#silence = new Silence(context.stalls);
    this.#context = context;
    const { feedRequestsPerSecond, bytesPerSecond, bytesBurst } = context.budgets;
    this.#requests = new TokenBucket(
      { perSecond: feedRequestsPerSecond, burst: feedRequestsPerSecond },
      context.stalls,
    );
    this.#bytes = new TokenBucket({ perSecond: bytesPerSecond, burst: bytesBurst }, context.stalls);
    link.listen({
      carried: (bytes) => this.#carried(bytes),
      content: () => this.end("bad-request", "text messages only"),
      text: (text) => {
        if (!this.#requests.take(1)) this.end("message-rate");
        else request(this, text);
      },
      control: () => {
        this.#answers = true;
        if (!this.#requests.take(1)) this.end("message-rate", "control frames");
      },
      misused: (reason, detail) => this.end(reason, detail),
      drained: () => {},
      closed: (reason) => {
        this.end(reason);
        context.gone(this);
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True when the page reads too slowly for tracks. */
  get isBehind(): boolean {
    return this.link.queuedBytes > this.#context.budgets.feedQueuedBytesSoft;
  }

  send(text: Buffer): void {
    if (!this.#isOver) this.link.writeText(text);
  }

  checkDeadlines(): void {
    const { budgets, stalls } = this.#context;
    if (this.link.queuedBytes > budgets.feedQueuedBytesHard) this.end("slow-reader");
    else if (this.#unfinishedMs !== undefined && stalls.fairNow() - this.#unfinishedMs > budgets.unfinishedFrameMs) {
      this.end("unfinished-frame");
    } else if (this.place.isSilent && !this.#answers && this.#silence.exceeds(budgets.silentMs)) {
      this.end("silent");
    }
  }

  end(reason: DisconnectReason, detail?: string, withinMs = CLOSE_WITHIN_MS): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.link.close(reason, withinMs);
    this.#context.ended(this, reason, detail);
  }

  /** The page has sent a valid request. */
  watch(watched: Watched): void {
    this.watched = watched;
    if (this.place.isSilent) this.#context.proved(this);
  }

  #carried(bytes: number): void {
    if (!this.#bytes.take(bytes)) {
      this.end("byte-rate");
      return;
    }
    const { unfinished, messages, mostFragments } = this.link.meter;
    if (mostFragments > this.#context.budgets.websocketFragments) {
      this.end("fragments", `a message of ${mostFragments} frames`);
      return;
    }
    if (!unfinished) this.#unfinishedMs = undefined;
    else if (messages !== this.#finishedMessages || this.#unfinishedMs === undefined) {
      this.#unfinishedMs = this.#context.stalls.fairNow();
    }
    this.#finishedMessages = messages;
  }
}

/** All pages. */
export class StudioFeed implements WorldObserver {
  readonly #clock: Clock;
  readonly #worlds = new Map<string, WorldFeed>();
  readonly #sessions = new Map<string, FeedSession>();
  readonly #bans: () => readonly Ban[];
  #protocols: readonly FeedProtocol[] = [];
  #cancels: readonly Cancel[] = [];

  /** `bans` gives those in force. */
  constructor(clock: Clock, bans: () => readonly Ban[]) {
    this.#clock = clock;
    this.#bans = bans;
  }

  get sessions(): Iterable<FeedSession> {
    return this.#sessions.values();
  }

  /** Starts the feed of these worlds. */
  start(worlds: readonly HostedWorld[], protocols: readonly FeedProtocol[]): void {
    this.#protocols = protocols;
    for (const world of worlds) this.#feedOf(world);
    this.#cancels = [
      this.#clock.every(TRACKS_EVERY_MS, () => this.#sendSoon()),
      this.#clock.every(RATES_EVERY_MS, () => this.#sendRates()),
    ];
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
  }

  /** A page has connected. */
  open(connection: FeedConnection, context: FeedContext): FeedSession {
    const session = new FeedSession(connection, context, (from, text) => this.#request(from, text));
    this.#sessions.set(session.token, session);
    session.send(encode({ type: "hello", token: session.token, protocols: this.#protocols }));
    for (const { world } of this.#worlds.values()) session.send(encode(roomsOf(world)));
    return session;
  }

  close(session: FeedSession): void {
    this.#sessions.delete(session.token);
  }

  /** Sends a page the id of the player that was opened with its token, now and whenever the player enters a room. */
  self(token: string, world: HostedWorld, player: PlayerId): void {
    const session = this.#sessions.get(token);
    if (session !== undefined) sendSelf(session, world, player);
  }

  /** The page's player left: its id may be given to another player. */
  forgetSelf(token: string, world: HostedWorld, player: PlayerId): void {
    const session = this.#sessions.get(token);
    if (session?.self?.player === player && session.self.world === world) session.self = undefined;
  }

  verdict(world: HostedWorld, verdict: Verdict): void {
    if (verdict.kind === "accept") return;
    const feed = this.#feedOf(world);
    feed.fresh.push(verdict);
    if (feed.fresh.length > VERDICTS_AT_ONCE) feed.fresh.shift();
    feed.verdicts.push(verdict);
    if (feed.verdicts.length > VERDICTS_KEPT) feed.verdicts.shift();
  }

  observed(world: HostedWorld, { player, room, what, data, toFollowers }: Observation): void {
    const protocol = world.protocol.name;
    const atMs = this.#clock.now();
    const make = (): FeedMessage => ({ type: "observation", protocol, room, player, atMs, what, data });
    this.#sendToRoom(protocol, room, make, toFollowers === true ? player : undefined);
  }

  moved(world: HostedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void {
    this.#feedOf(world).roomsChanged = true;
    const protocol = world.protocol.name;
    if (from !== undefined) {
      this.#sendToRoom(protocol, from, () => ({ type: "leave", protocol, player, room: from }));
      this.#dropFollowed(protocol, from, player);
    }
    if (to !== undefined) {
      this.#sendToRoom(protocol, to, () => ({ type: "join", protocol, player: playerOf(world, player, to) }));
    }
    for (const session of this.#sessions.values()) {
      const { self } = session;
      if (self?.player === player && self.world === world && world.roomOf(player) !== undefined) {
        sendSelf(session, world, player);
      }
    }
  }

  /** A player that left the room is no longer followed: its id may be given to another player. */
  #dropFollowed(protocol: string, room: string, player: PlayerId): void {
    for (const session of this.#sessions.values()) {
      const { watched } = session;
      if (watched?.player === player && watched.protocol === protocol && watched.room === room) {
        session.watched = { protocol, room };
      }
    }
  }

  /** Sends the bans in force to the pages that have not received them yet. */
  bansChanged(): void {
    if (this.#sessions.size === 0) return;
    const bans = this.#bans();
    for (const [protocol, feed] of this.#worlds) {
      const newest = newestBans(bans, protocol);
      const shown = newest.map(({ key, fromMs, durationMs }) => `${key} ${fromMs} ${durationMs}`).join("\n");
      if (shown === feed.bansShown) continue;
      feed.bansShown = shown;
      this.#sendToWatchers(protocol, () => encodeBans(protocol, newest));
    }
  }

  #feedOf(world: HostedWorld): WorldFeed {
    let feed = this.#worlds.get(world.protocol.name);
    if (feed === undefined) {
      const last = { bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 };
      feed = { world, verdicts: [], fresh: [], roomsChanged: true, bansShown: "", followed: new Set(), last };
      this.#worlds.set(world.protocol.name, feed);
    }
    return feed;
  }

  #request(session: FeedSession, text: string): void {
    const request = parseRequest(text);
    const feed = request === undefined ? undefined : this.#worlds.get(request.protocol);
    if (request === undefined || feed === undefined) {
      session.end("bad-request", request === undefined ? "not a request" : "no such protocol");
      return;
    }
    const { protocol, room, player } = request;
    const { world, followed } = feed;
    // A player that is not in the room is not followed: so at most one is followed per page.
    const isThere = typeof player === "number" && room !== null && world.isIn(player, room);
    session.watch({ protocol, room, ...(isThere ? { player } : {}) });
    if (room !== null) {
      const players = world.playersIn(room).map((each): FeedPlayer => playerOf(world, each, room));
      session.send(encode({ type: "players", protocol, room, players }));
    }
    session.send(encodeBans(protocol, newestBans(this.#bans(), protocol)));
    for (const verdict of feed.verdicts) session.send(encodeVerdict(protocol, verdict));
    if (!isThere) return;
    followed.add(player);
    world.follow(player);
  }

  /** Unfollows players that no page follows any more. */
  #unfollow({ world, followed }: WorldFeed): void {
    if (followed.size === 0) return;
    const wanted = new Set<PlayerId>();
    for (const { watched } of this.#sessions.values()) {
      if (watched?.player !== undefined && watched.protocol === world.protocol.name) wanted.add(watched.player);
    }
    for (const player of followed) {
      if (wanted.has(player)) continue;
      followed.delete(player);
      world.unfollow(player);
    }
  }

  /** Sends tracks, and what has changed since the last call. Each text is made once for all its recipients. */
  #sendSoon(): void {
    const watchers = new Map<string, Map<string, FeedSession[]>>();
    for (const session of this.#sessions.values()) {
      session.checkDeadlines();
      const { watched } = session;
      if (watched === undefined || watched.room === null || session.isOver || session.isBehind) continue;
      const rooms = watchers.get(watched.protocol) ?? new Map<string, FeedSession[]>();
      watchers.set(watched.protocol, rooms);
      const room = rooms.get(watched.room);
      if (room === undefined) rooms.set(watched.room, [session]);
      else room.push(session);
    }
    const atMs = this.#clock.now();
    for (const [protocol, feed] of this.#worlds) {
      this.#unfollow(feed);
      if (feed.roomsChanged) this.#sendRooms(feed);
      for (const verdict of feed.fresh.splice(0)) {
        this.#sendToWatchers(protocol, () => encodeVerdict(protocol, verdict));
      }
      for (const [room, sessions] of watchers.get(protocol) ?? []) {
        const tracks = feed.world.tracks(atMs, room);
        const text = encode({ type: "tracks", protocol, room, atMs, tracks });
        for (const session of sessions) session.send(text);
      }
    }
  }

  #sendRates(): void {
    this.bansChanged();
    for (const feed of this.#worlds.values()) {
      const rates = ratesOf(feed);
      if (this.#sessions.size === 0) continue;
      this.#sendAll(encode({ type: "rates", protocol: feed.world.protocol.name, rates }));
      this.#sendRooms(feed);
    }
  }

  #sendRooms(feed: WorldFeed): void {
    feed.roomsChanged = false;
    if (this.#sessions.size > 0) this.#sendAll(encode(roomsOf(feed.world)));
  }

  #sendAll(text: Buffer): void {
    for (const session of this.#sessions.values()) session.send(text);
  }

  #sendToWatchers(protocol: string, make: () => Buffer): void {
    let text: Buffer | undefined;
    for (const session of this.#sessions.values()) {
      if (session.watched?.protocol !== protocol) continue;
      text ??= make();
      session.send(text);
    }
  }

  /** Sends to the pages that watch the room; with `followed` only to those that follow this player. */
  #sendToRoom(protocol: string, room: string, make: () => FeedMessage, followed?: PlayerId): void {
    let text: Buffer | undefined;
    for (const session of this.#sessions.values()) {
      if (session.watched?.protocol !== protocol || session.watched.room !== room) continue;
      if (followed !== undefined && session.watched.player !== followed) continue;
      text ??= encode(make());
      session.send(text);
    }
  }
}

/** Sends a page its player's id and room, unless they are those that were sent last. */
function sendSelf(session: FeedSession, world: HostedWorld, player: PlayerId): void {
  const room = world.roomOf(player) ?? "";
  const { self } = session;
  if (self?.world === world && self.player === player && self.room === room) return;
  session.self = { world, player, room };
  session.send(encode({ type: "self", protocol: world.protocol.name, player, room }));
}

function encode(message: FeedMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

function encodeVerdict(protocol: string, verdict: Verdict): Buffer {
  const shown: FeedVerdict = verdictJson(verdict);
  return encode({ type: "verdict", protocol, verdict: shown });
}

function newestBans(bans: readonly Ban[], protocol: string): readonly Ban[] {
  const mine = bans.filter((ban) => ban.protocol === protocol);
  return mine.sort((a, b) => b.fromMs - a.fromMs).slice(0, BANS_SHOWN);
}

/** Without the values of keys: a page does not see the address of a player. */
function encodeBans(protocol: string, bans: readonly Ban[]): Buffer {
  const shown = bans.map(({ key, name, rule, reason, fromMs, untilMs }): FeedBan => {
    return { holdsOn: banKind(key), name, rule, reason, fromMs, untilMs };
  });
  return encode({ type: "bans", protocol, bans: shown });
}

function roomsOf(world: HostedWorld): FeedMessage {
  const rooms = [...world.rooms()].map(([room, players]) => ({ room, players }));
  return { type: "rooms", protocol: world.protocol.name, rooms };
}

function playerOf(world: HostedWorld, player: PlayerId, room: string): FeedPlayer {
  return { player, name: world.host.players.get(player)?.name ?? `player ${player}`, room };
}

/** Counts since the last call, which was a second ago. */
function ratesOf(feed: WorldFeed): FeedRates {
  const { world, last } = feed;
  const { tcp, websocket } = world.traffic;
  const total = {
    bytesIn: tcp.bytesIn + websocket.bytesIn,
    bytesOut: tcp.bytesOut + websocket.bytesOut,
    messagesIn: tcp.messagesIn + websocket.messagesIn,
    messagesOut: world.host.counts.deliveries,
    verdicts: world.verdicts,
  };
  feed.last = total;
  return {
    sessions: tcp.sessions + websocket.sessions,
    bytesIn: total.bytesIn - last.bytesIn,
    bytesOut: total.bytesOut - last.bytesOut,
    messagesIn: total.messagesIn - last.messagesIn,
    messagesOut: total.messagesOut - last.messagesOut,
    verdicts: total.verdicts - last.verdicts,
  };
}

function parseRequest(text: string): FeedRequest | undefined {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof request !== "object" || request === null) return undefined;
  const { type, protocol, room, player = null } = request as Readonly<Record<string, unknown>>;
  if (type !== "watch" || !isName(protocol) || !(room === null || isName(room))) return undefined;
  if (player !== null && !(typeof player === "number" && Number.isSafeInteger(player))) return undefined;
  return { type, protocol, room, player };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME_LENGTH;
}
