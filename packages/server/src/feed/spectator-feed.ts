/** The **spectator feed**: sends every page what happens in the worlds, as `feed.ts` describes it. Any page: it knows no socket. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import type {
  FeedMessage,
  FeedPlayer,
  FeedRates,
  FeedWireRecord,
  PlaybackRequest,
  ServedWorld,
  WatchRequest,
} from "./feed.ts";
import { type NamedVerdict, parseRequest, playerOf, roomsOf, verdictOf } from "./feed-messages.ts";
import type { FeedPage, ShownBans } from "./feed-page.ts";
import type { FeedCounts, FeedWorld, Observation } from "./feed-world.ts";
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

export interface SpectatorFeedOptions<Text> {
  readonly clock: Clock;
  /** Takes the bans in force; the function that it returns gives those of a game, by its name. */
  readonly bans: () => (protocol: string) => ShownBans;
  readonly text: (message: FeedMessage) => Text;
  /** Makes of a snapshot of tracks what all pages are sent. */
  readonly carry: (snapshot: Uint8Array) => Uint8Array;
  /** Which of the server's threads this is, and how many it has. Default: the only one. */
  readonly thread?: { readonly index: number; readonly threads: number };
}

/** All pages. */
export class SpectatorFeed<Page extends FeedPage<Text>, Text> {
  /** Undefined: the worlds are live, and requests to control them are invalid. */
  playback: FeedControl | undefined;

  readonly #clock: Clock;
  readonly #worlds = new Map<string, WatchedWorld>();
  readonly #pages = new Map<string, Page>();
  readonly #options: SpectatorFeedOptions<Text>;
  #served: readonly ServedWorld[] = [];
  #cancels: readonly Cancel[] = [];
  readonly #threads: number;
  #lastStream: number;

  constructor(options: SpectatorFeedOptions<Text>) {
    const { clock, thread = { index: 0, threads: 1 } } = options;
    this.#options = options;
    this.#clock = clock;
    this.#threads = thread.threads;
    this.#lastStream = thread.index;
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
  add(page: Page): void {
    this.#pages.set(page.token, page);
    this.#sendTo(page, { type: "hello", version: 3, token: page.token, worlds: this.#served });
    for (const { world } of this.#worlds.values()) this.#sendTo(page, roomsOf(world));
    for (const message of this.playback?.messages ?? []) this.#sendTo(page, message);
  }

  /** True while no page is open: nothing that only pages are sent has to be made. */
  get isUnseen(): boolean {
    return this.#pages.size === 0;
  }

  /** Sends all pages a message. */
  send(message: FeedMessage): void {
    if (!this.isUnseen) this.#sendAll(message);
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
    for (const page of this.#pages.values()) {
      const { watched } = page;
      if (watched?.world === world.name) page.watched = { world: watched.world, room: watched.room };
    }
  }

  /** A verdict from before the time that the world has jumped to: sent after `watch` alone. */
  earlierVerdict(world: FeedWorld, verdict: Verdict): void {
    if (verdict.kind === "accept") return;
    const { verdicts } = this.#feedOf(world);
    verdicts.push(namedVerdict(world, verdict));
    if (verdicts.length > VERDICTS_KEPT) verdicts.shift();
  }

  close(page: Page): void {
    this.#pages.delete(page.token);
  }

  /** Sends a page the id of the player that was opened with its token, now and whenever the player enters a room. */
  self(token: string, world: FeedWorld, player: PlayerId): void {
    const page = this.#pages.get(token);
    if (page !== undefined) this.#sendSelf(page, world, player);
  }

  /** The page's player left: its id may be given to another player. */
  forgetSelf(token: string, world: FeedWorld, player: PlayerId): void {
    const page = this.#pages.get(token);
    if (page?.self?.player === player && page.self.world === world) page.self = undefined;
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
    for (const page of this.#pages.values()) {
      const { self } = page;
      if (self?.player === player && self.world === world && world.roomOf(player) !== undefined) {
        this.#sendSelf(page, world, player);
      }
    }
  }

  /** Sends the pages that watch the room all of its players: they come from another process, and later than the page. */
  filled(world: FeedWorld, room: string): void {
    this.#sendToRoom(world.name, room, () => playersOf(world, room));
  }

  /** A player that left the room is no longer followed: its id may be given to another player. */
  #dropFollowed(world: string, room: string, player: PlayerId): void {
    for (const page of this.#pages.values()) {
      const { watched } = page;
      if (watched?.player === player && watched.world === world && watched.room === room) {
        page.watched = { world, room };
      }
    }
  }

  /** Sends the bans in force to the pages that have not received them yet. */
  bansChanged(): void {
    if (this.#pages.size === 0) return;
    const bansOf = this.#options.bans();
    for (const [world, feed] of this.#worlds) {
      const { version, bans } = bansOf(feed.world.protocol.name);
      if (version === feed.bansShown) continue;
      feed.bansShown = version;
      this.#sendToWatchers(world, () => ({ type: "bans", world, bans }));
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

  /** Carries out what a page asks for; an invalid request ends the page. */
  request(page: Page, text: string): void {
    const request = parseRequest(text);
    if (request === undefined) page.end("bad-request", "not a request");
    else if (request.type === "watch") this.#watch(page, request);
    else if (this.playback === undefined) page.end("bad-request", "no recording is played");
    else this.playback.control(request);
  }

  #watch(page: Page, { world: name, room, player }: WatchRequest): void {
    const feed = this.#worlds.get(name);
    if (feed === undefined) {
      page.end("bad-request", "no such world");
      return;
    }
    const { world, followed } = feed;
    // A player that is not in the room is not followed: so at most one is followed per page.
    const isThere = typeof player === "number" && room !== null && world.isIn(player, room);
    page.watch({ world: name, room, ...(isThere ? { player } : {}) });
    if (room !== null) this.#sendTo(page, playersOf(world, room));
    this.#sendTo(page, { type: "bans", world: name, bans: this.#options.bans()(world.protocol.name).bans });
    for (const verdict of feed.verdicts) this.#sendTo(page, verdictOf(name, verdict));
    if (!isThere) return;
    followed.add(player);
    if (!feed.wires.has(player)) feed.wires.set(player, new WireBatch());
    world.follow(player);
  }

  /** Unfollows players that no page follows any more. */
  #unfollow({ world, followed, wires }: WatchedWorld): void {
    if (followed.size === 0) return;
    const wanted = new Set<PlayerId>();
    for (const { watched } of this.#pages.values()) {
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
    for (const page of this.#pages.values()) page.checkDeadlines();
    const atMs = this.#clock.now();
    for (const [world, feed] of this.#worlds) {
      this.#unfollow(feed);
      if (feed.roomsChanged) this.#sendRooms(feed);
      // Before the verdicts on them.
      const relayed = feed.relayed.take();
      if (relayed.length > 0) this.#sendToWatchers(world, () => ({ type: "wire", world, records: relayed }));
      this.#sendWires(world, feed);
      for (const verdict of feed.fresh.splice(0)) {
        this.#sendToWatchers(world, () => verdictOf(world, verdict));
      }
      const spectators = this.#spectators(world);
      feed.world.watch?.(new Set(spectators.keys()));
      for (const room of feed.tracks.keys()) if (!spectators.has(room)) feed.tracks.delete(room);
      for (const [room, pages] of spectators) {
        let tracks = feed.tracks.get(room);
        if (tracks === undefined) {
          tracks = new RoomTracks(feed.world, room, {
            nextStream: () => this.#nextStream(),
            carry: this.#options.carry,
          });
          feed.tracks.set(room, tracks);
        }
        const tracksMs = feed.world.tracksMs === undefined ? atMs : feed.world.tracksMs(room);
        if (tracksMs !== undefined) tracks.send(pages, tracksMs);
      }
    }
  }

  /** Sends the messages of each followed player to the pages that follow it. */
  #sendWires(world: string, { wires }: WatchedWorld): void {
    for (const [player, batch] of wires) {
      const records = batch.take();
      if (records.length === 0) continue;
      const text = this.#options.text({ type: "wire", world, records });
      for (const page of this.#pages.values()) {
        const { watched } = page;
        if (watched?.player === player && watched.world === world && !page.isBehind) page.send(text);
      }
    }
  }

  /** The pages that watch a room of the world, by room. */
  #spectators(world: string): ReadonlyMap<string, readonly Page[]> {
    const rooms = new Map<string, Page[]>();
    for (const page of this.#pages.values()) {
      const { watched } = page;
      if (watched?.world !== world || watched.room === null || page.isOver) continue;
      const others = rooms.get(watched.room);
      if (others === undefined) rooms.set(watched.room, [page]);
      else others.push(page);
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
      if (this.#pages.size === 0) continue;
      this.#sendAll({ type: "rates", world: feed.world.name, rates });
      this.#sendRooms(feed);
      this.#sendBudgets(feed);
    }
  }

  #sendBudgets({ world, followed }: WatchedWorld): void {
    const { name } = world;
    for (const player of followed) {
      const budgets = world.budgets?.(player) ?? [];
      if (budgets.length === 0) continue;
      const text = this.#options.text({ type: "budgets", world: name, player, budgets });
      for (const page of this.#pages.values()) {
        const { watched } = page;
        if (watched?.world === name && watched.player === player) page.send(text);
      }
    }
  }

  #sendRooms(feed: WatchedWorld): void {
    feed.roomsChanged = false;
    if (this.#pages.size > 0) this.#sendAll(roomsOf(feed.world));
  }

  /** Sends a page its player's id and room, unless they are those that were sent last. */
  #sendSelf(page: Page, world: FeedWorld, player: PlayerId): void {
    const room = world.roomOf(player) ?? "";
    const { self } = page;
    if (self?.world === world && self.player === player && self.room === room) return;
    page.self = { world, player, room };
    this.#sendTo(page, { type: "self", world: world.name, player, room });
  }

  #sendTo(page: FeedPage<Text>, message: FeedMessage): void {
    page.send(this.#options.text(message));
  }

  #sendAll(message: FeedMessage): void {
    const text = this.#options.text(message);
    for (const page of this.#pages.values()) page.send(text);
  }

  #sendToWatchers(world: string, make: () => FeedMessage): void {
    let text: Text | undefined;
    for (const page of this.#pages.values()) {
      if (page.watched?.world !== world) continue;
      text ??= this.#options.text(make());
      page.send(text);
    }
  }

  /** Sends to the pages that watch the room; with `followed` only to those that follow this player. */
  #sendToRoom(world: string, room: string, make: () => FeedMessage, followed?: PlayerId): void {
    let text: Text | undefined;
    for (const page of this.#pages.values()) {
      if (page.watched?.world !== world || page.watched.room !== room) continue;
      if (followed !== undefined && page.watched.player !== followed) continue;
      text ??= this.#options.text(make());
      page.send(text);
    }
  }
}

function wireRecord(player: PlayerId, sender: Side, payload: Uint8Array, atMs: number): FeedWireRecord {
  return { sender, player, atMs, payload: formatHex(payload, { separator: "" }) };
}

function playersOf(world: FeedWorld, room: string): FeedMessage {
  const players = world.playersIn(room).map((each): FeedPlayer => playerOf(world, each, room));
  return { type: "players", world: world.name, room, players };
}

function namedVerdict(world: FeedWorld, verdict: Verdict): NamedVerdict {
  return { verdict, name: world.nameOf(verdict.player) ?? null };
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
