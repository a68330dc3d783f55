/** The page's feed at `/ws/studio`, as `feed.ts` describes it: sends every page what happens in the worlds. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import type { Ban } from "../bans/bans.ts";
import type { Observation, WorldObserver } from "../worlds/hosted-world.ts";
import type {
  FeedMessage,
  FeedPlayer,
  FeedRates,
  FeedWireRecord,
  PlaybackRequest,
  ServedWorld,
  WatchRequest,
} from "./feed.ts";
import {
  encode,
  encodeBans,
  encodeVerdict,
  type NamedVerdict,
  newestBans,
  parseRequest,
  playerOf,
  roomsOf,
} from "./feed-messages.ts";
import { type FeedConnection, type FeedContext, FeedSession } from "./feed-session.ts";
import type { FeedCounts, FeedWorld } from "./feed-world.ts";
import { RoomTracks } from "./room-tracks.ts";
import { WireBatch } from "./wire-batch.ts";

const TRACKS_EVERY_MS = 50;
const RATES_EVERY_MS = 1_000;
/** Verdicts kept, and sent after `watch`. */
const VERDICTS_KEPT = 100;
/** Verdicts sent every 50 ms, at most; of more only the last, or one cheat would fill the page of every spectator. */
const VERDICTS_AT_ONCE = 25;

/** The state of the feed for one world. */
interface WatchedWorld {
  readonly world: FeedWorld;
  verdicts: NamedVerdict[];
  /** Not sent yet. */
  fresh: NamedVerdict[];
  roomsChanged: boolean;
  /** The bans that were sent last, in short: a ban that is lifted or over changes them too. */
  bansShown: string;
  /** Players that the world follows. */
  readonly followed: Set<PlayerId>;
  /** Of the rooms that pages watch. */
  readonly tracks: Map<string, RoomTracks>;
  last: FeedCounts;
  /** Messages that passed through a relay and were not sent yet. */
  readonly relayed: WireBatch<FeedWireRecord>;
  /** Messages of followed players that were not sent yet. */
  readonly wires: Map<PlayerId, WireBatch<FeedWireRecord>>;
}

/** What controls a playback. */
export interface FeedControl {
  /** How it stands, for a new page. */
  readonly messages: readonly FeedMessage[];
  control(request: PlaybackRequest): void;
}

/** All pages. */
export class StudioFeed implements WorldObserver {
  /** Undefined: the worlds are live, and requests to control them are invalid. */
  playback: FeedControl | undefined;

  readonly #clock: Clock;
  readonly #worlds = new Map<string, WatchedWorld>();
  readonly #sessions = new Map<string, FeedSession>();
  readonly #bans: () => readonly Ban[];
  #served: readonly ServedWorld[] = [];
  #cancels: readonly Cancel[] = [];
  readonly #threads: number;
  #lastStream: number;

  /** `bans` gives those in force; `thread`: which of the server's threads this is, and how many it has. */
  constructor(
    clock: Clock,
    bans: () => readonly Ban[],
    { index, threads }: { readonly index: number; readonly threads: number } = { index: 0, threads: 1 },
  ) {
    this.#clock = clock;
    this.#bans = bans;
    this.#threads = threads;
    this.#lastStream = index;
  }

  get sessions(): Iterable<FeedSession> {
    return this.#sessions.values();
  }

  /** Starts the feed of these worlds. */
  start(worlds: readonly FeedWorld[], served: readonly ServedWorld[]): void {
    this.#served = served;
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
    session.send(encode({ type: "hello", version: 3, token: session.token, worlds: this.#served }));
    for (const { world } of this.#worlds.values()) session.send(encode(roomsOf(world)));
    for (const message of this.playback?.messages ?? []) session.send(encode(message));
    return session;
  }

  /** True while no page is open: nothing that only pages are sent has to be made. */
  get isUnseen(): boolean {
    return this.#sessions.size === 0;
  }

  /** Sends all pages a message. */
  send(message: FeedMessage): void {
    if (!this.isUnseen) this.#sendAll(encode(message));
  }

  /** The world is at another time: what was sent of it holds no more, and pages send `watch` again. */
  jumped(world: FeedWorld): void {
    const feed = this.#feedOf(world);
    feed.verdicts = [];
    feed.fresh = [];
    feed.relayed.take();
    feed.wires.clear();
    feed.roomsChanged = true;
    feed.tracks.clear();
    feed.followed.clear();
    for (const session of this.#sessions.values()) {
      const { watched } = session;
      if (watched?.world === world.name) session.watched = { world: watched.world, room: watched.room };
    }
  }

  /** A verdict from before the time that the world has jumped to: sent after `watch` alone. */
  earlierVerdict(world: FeedWorld, verdict: Verdict): void {
    if (verdict.kind === "accept") return;
    const { verdicts } = this.#feedOf(world);
    verdicts.push(namedVerdict(world, verdict));
    if (verdicts.length > VERDICTS_KEPT) verdicts.shift();
  }

  close(session: FeedSession): void {
    this.#sessions.delete(session.token);
  }

  /** Sends a page the id of the player that was opened with its token, now and whenever the player enters a room. */
  self(token: string, world: FeedWorld, player: PlayerId): void {
    const session = this.#sessions.get(token);
    if (session !== undefined) sendSelf(session, world, player);
  }

  /** The page's player left: its id may be given to another player. */
  forgetSelf(token: string, world: FeedWorld, player: PlayerId): void {
    const session = this.#sessions.get(token);
    if (session?.self?.player === player && session.self.world === world) session.self = undefined;
  }

  verdict(world: FeedWorld, verdict: Verdict): void {
    if (verdict.kind === "accept") return;
    const { fresh } = this.#feedOf(world);
    fresh.push(namedVerdict(world, verdict));
    if (fresh.length > VERDICTS_AT_ONCE) fresh.shift();
    this.earlierVerdict(world, verdict);
  }

  /** A message passed through the relay of this world. */
  relayed(world: FeedWorld, player: PlayerId, sender: Side, payload: Uint8Array): void {
    const name = world.nameOf(player);
    const record = wireRecord(player, sender, payload, this.#clock.now());
    this.#feedOf(world).relayed.add(name === undefined ? record : { ...record, name }, payload.length);
  }

  carried(world: FeedWorld, player: PlayerId, sender: Side, payload: Uint8Array, atMs = this.#clock.now()): void {
    this.#feedOf(world)
      .wires.get(player)
      ?.add(wireRecord(player, sender, payload, atMs), payload.length);
  }

  observed(
    world: FeedWorld,
    { player, room, what, data, toFollowers }: Observation,
    atMs: number = this.#clock.now(),
  ): void {
    const { name } = world;
    const make = (): FeedMessage => ({ type: "observation", world: name, room, player, atMs, what, data });
    this.#sendToRoom(name, room, make, toFollowers === true ? player : undefined);
  }

  moved(world: FeedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void {
    this.#feedOf(world).roomsChanged = true;
    const { name } = world;
    if (from !== undefined) {
      this.#sendToRoom(name, from, () => ({ type: "leave", world: name, player, room: from }));
      this.#dropFollowed(name, from, player);
    }
    if (to !== undefined) {
      this.#sendToRoom(name, to, () => ({ type: "join", world: name, player: playerOf(world, player, to) }));
    }
    this.selfMoved(world, player);
  }

  /** Sends the page whose player this is the player's room. */
  selfMoved(world: FeedWorld, player: PlayerId): void {
    for (const session of this.#sessions.values()) {
      const { self } = session;
      if (self?.player === player && self.world === world && world.roomOf(player) !== undefined) {
        sendSelf(session, world, player);
      }
    }
  }

  /** Sends the pages that watch the room all of its players: they come from another process, and later than the page. */
  filled(world: FeedWorld, room: string): void {
    this.#sendToRoom(world.name, room, () => playersOf(world, room));
  }

  /** A player that left the room is no longer followed: its id may be given to another player. */
  #dropFollowed(world: string, room: string, player: PlayerId): void {
    for (const session of this.#sessions.values()) {
      const { watched } = session;
      if (watched?.player === player && watched.world === world && watched.room === room) {
        session.watched = { world, room };
      }
    }
  }

  /** Sends the bans in force to the pages that have not received them yet. */
  bansChanged(): void {
    if (this.#sessions.size === 0) return;
    const bans = this.#bans();
    for (const [world, feed] of this.#worlds) {
      const newest = newestBans(bans, feed.world.protocol.name);
      const shown = newest.map(({ key, fromMs, durationMs }) => `${key} ${fromMs} ${durationMs}`).join("\n");
      if (shown === feed.bansShown) continue;
      feed.bansShown = shown;
      this.#sendToWatchers(world, () => encodeBans(world, newest));
    }
  }

  #feedOf(world: FeedWorld): WatchedWorld {
    let feed = this.#worlds.get(world.name);
    if (feed === undefined) {
      const last = { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 };
      feed = {
        world,
        verdicts: [],
        fresh: [],
        roomsChanged: true,
        bansShown: "",
        followed: new Set(),
        tracks: new Map(),
        last,
        relayed: new WireBatch(),
        wires: new Map(),
      };
      this.#worlds.set(world.name, feed);
    }
    return feed;
  }

  #request(session: FeedSession, text: string): void {
    const request = parseRequest(text);
    if (request === undefined) session.end("bad-request", "not a request");
    else if (request.type === "watch") this.#watch(session, request);
    else if (this.playback === undefined) session.end("bad-request", "no recording is played");
    else this.playback.control(request);
  }

  #watch(session: FeedSession, { world: name, room, player }: WatchRequest): void {
    const feed = this.#worlds.get(name);
    if (feed === undefined) {
      session.end("bad-request", "no such world");
      return;
    }
    const { world, followed } = feed;
    // A player that is not in the room is not followed: so at most one is followed per page.
    const isThere = typeof player === "number" && room !== null && world.isIn(player, room);
    session.watch({ world: name, room, ...(isThere ? { player } : {}) });
    if (room !== null) {
      session.send(encode(playersOf(world, room)));
    }
    session.send(encodeBans(name, newestBans(this.#bans(), world.protocol.name)));
    for (const verdict of feed.verdicts) session.send(encodeVerdict(name, verdict));
    if (!isThere) return;
    followed.add(player);
    if (!feed.wires.has(player)) feed.wires.set(player, new WireBatch());
    world.follow(player);
  }

  /** Unfollows players that no page follows any more. */
  #unfollow({ world, followed, wires }: WatchedWorld): void {
    if (followed.size === 0) return;
    const wanted = new Set<PlayerId>();
    for (const { watched } of this.#sessions.values()) {
      if (watched?.player !== undefined && watched.world === world.name) wanted.add(watched.player);
    }
    for (const player of followed) {
      if (wanted.has(player)) continue;
      followed.delete(player);
      wires.delete(player);
      world.unfollow(player);
    }
  }

  /** Sends tracks, and what has changed since the last call. Each message is made once for all its recipients. */
  #sendSoon(): void {
    for (const session of this.#sessions.values()) session.checkDeadlines();
    const atMs = this.#clock.now();
    for (const [world, feed] of this.#worlds) {
      this.#unfollow(feed);
      if (feed.roomsChanged) this.#sendRooms(feed);
      // Before the verdicts on them.
      const relayed = feed.relayed.take();
      if (relayed.length > 0) this.#sendToWatchers(world, () => encode({ type: "wire", world, records: relayed }));
      this.#sendWires(world, feed);
      for (const verdict of feed.fresh.splice(0)) {
        this.#sendToWatchers(world, () => encodeVerdict(world, verdict));
      }
      const spectators = this.#spectators(world);
      feed.world.watch?.(new Set(spectators.keys()));
      for (const room of feed.tracks.keys()) if (!spectators.has(room)) feed.tracks.delete(room);
      for (const [room, sessions] of spectators) {
        let tracks = feed.tracks.get(room);
        if (tracks === undefined) {
          tracks = new RoomTracks(feed.world, room, () => this.#nextStream());
          feed.tracks.set(room, tracks);
        }
        const tracksMs = feed.world.tracksMs === undefined ? atMs : feed.world.tracksMs(room);
        if (tracksMs !== undefined) tracks.send(sessions, tracksMs);
      }
    }
  }

  /** Sends the messages of each followed player to the pages that follow it. */
  #sendWires(world: string, { wires }: WatchedWorld): void {
    for (const [player, batch] of wires) {
      const records = batch.take();
      if (records.length === 0) continue;
      const text = encode({ type: "wire", world, records });
      for (const session of this.#sessions.values()) {
        const { watched } = session;
        if (watched?.player === player && watched.world === world && !session.isBehind) session.send(text);
      }
    }
  }

  /** The pages that watch a room of the world, by room. */
  #spectators(world: string): ReadonlyMap<string, readonly FeedSession[]> {
    const rooms = new Map<string, FeedSession[]>();
    for (const session of this.#sessions.values()) {
      const { watched } = session;
      if (watched?.world !== world || watched.room === null || session.isOver) continue;
      const others = rooms.get(watched.room);
      if (others === undefined) rooms.set(watched.room, [session]);
      else others.push(session);
    }
    return rooms;
  }

  /** A page that watches worlds of several threads receives each number from one of them alone. */
  #nextStream(): number {
    this.#lastStream += this.#threads;
    return this.#lastStream;
  }

  #sendRates(): void {
    this.bansChanged();
    for (const feed of this.#worlds.values()) {
      const rates = ratesOf(feed);
      if (this.#sessions.size === 0) continue;
      this.#sendAll(encode({ type: "rates", world: feed.world.name, rates }));
      this.#sendRooms(feed);
      this.#sendBudgets(feed);
    }
  }

  #sendBudgets({ world, followed }: WatchedWorld): void {
    const { name } = world;
    for (const player of followed) {
      const budgets = world.budgets?.(player) ?? [];
      if (budgets.length === 0) continue;
      const text = encode({ type: "budgets", world: name, player, budgets });
      for (const session of this.#sessions.values()) {
        const { watched } = session;
        if (watched?.world === name && watched.player === player) session.send(text);
      }
    }
  }

  #sendRooms(feed: WatchedWorld): void {
    feed.roomsChanged = false;
    if (this.#sessions.size > 0) this.#sendAll(encode(roomsOf(feed.world)));
  }

  #sendAll(text: Buffer): void {
    for (const session of this.#sessions.values()) session.send(text);
  }

  #sendToWatchers(world: string, make: () => Buffer): void {
    let text: Buffer | undefined;
    for (const session of this.#sessions.values()) {
      if (session.watched?.world !== world) continue;
      text ??= make();
      session.send(text);
    }
  }

  /** Sends to the pages that watch the room; with `followed` only to those that follow this player. */
  #sendToRoom(world: string, room: string, make: () => FeedMessage, followed?: PlayerId): void {
    let text: Buffer | undefined;
    for (const session of this.#sessions.values()) {
      if (session.watched?.world !== world || session.watched.room !== room) continue;
      if (followed !== undefined && session.watched.player !== followed) continue;
      text ??= encode(make());
      session.send(text);
    }
  }
}

function wireRecord(player: PlayerId, sender: Side, payload: Uint8Array, atMs: number): FeedWireRecord {
  return { sender, player, atMs, payload: Buffer.from(payload).toString("hex") };
}

function playersOf(world: FeedWorld, room: string): FeedMessage {
  const players = world.playersIn(room).map((each): FeedPlayer => playerOf(world, each, room));
  return { type: "players", world: world.name, room, players };
}

function namedVerdict(world: FeedWorld, verdict: Verdict): NamedVerdict {
  return { verdict, name: world.nameOf(verdict.player) ?? null };
}

/** Sends a page its player's id and room, unless they are those that were sent last. */
function sendSelf(session: FeedSession, world: FeedWorld, player: PlayerId): void {
  const room = world.roomOf(player) ?? "";
  const { self } = session;
  if (self?.world === world && self.player === player && self.room === room) return;
  session.self = { world, player, room };
  session.send(encode({ type: "self", world: world.name, player, room }));
}

/** Counts since the last call, which was a second ago. */
function ratesOf(feed: WatchedWorld): FeedRates {
  const { world, last } = feed;
  const total = world.feedCounts;
  feed.last = total;
  return {
    sessions: total.sessions,
    bytesIn: total.bytesIn - last.bytesIn,
    bytesOut: total.bytesOut - last.bytesOut,
    messagesIn: total.messagesIn - last.messagesIn,
    messagesOut: total.messagesOut - last.messagesOut,
    verdicts: total.verdicts - last.verdicts,
  };
}
