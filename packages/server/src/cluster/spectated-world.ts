/**
 * A **spectated world**: a world as the page's feed of this node sees it, wherever its owner is. For each room that pages watch it
 * has one subscription, however many pages there are, and keeps the room's players and newest tracks; of other rooms it has nothing.
 */
import { type PlayerId, type Track, TrackReader } from "wirewalk/motion";
import type { Cancel, Clock, Cluster } from "wirewalk/net";
import type { Effect, PlayerBudget, Protocol } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import type { FeedCounts, FeedWorld } from "../feed/feed-world.ts";
import type { StudioFeed } from "../pages/studio-feed.ts";
import type { PlayedTraffic } from "./played-world.ts";
import {
  encodeWatched,
  MAX_FOLLOWED,
  MAX_WATCHED_ROOMS,
  type RoomEvent,
  type Shown,
  type ShownMessage,
  ShownReader,
  shownHead,
} from "./room-messages.ts";
import { playerSubject, roomSubject, worldSubjects } from "./subjects.ts";

/** The owner is sent the names of the watched rooms this often: it sends them for three seconds. */
const NAME_MS = 1_000;
/** Whole rooms are asked for again after this time. */
const ASK_AGAIN_MS = 250;

/** What a spectated world shows: a part of `StudioFeed`. */
export type SpectatedFeed = Pick<StudioFeed, "moved" | "observed" | "verdict" | "filled" | "carried">;

export interface SpectatedWorldOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly name: string;
  readonly protocol: Protocol;
  readonly feed: SpectatedFeed;
}

interface SpectatedPlayer {
  readonly cancel: Cancel;
  budgets: readonly PlayerBudget[];
  /** A page has begun to follow it, and the owner was not told yet. */
  isBegun: boolean;
}

interface SpectatedRoom {
  readonly cancel: Cancel;
  players: Map<PlayerId, string>;
  tracks: TrackReader;
  latest: ReadonlyMap<PlayerId, Track>;
  version: number;
  /** The world's time of the newest message; undefined before the first. */
  atMs: number | undefined;
  /** Of the next message; undefined while the whole room is asked for. */
  next: number | undefined;
}

export class SpectatedWorld implements FeedWorld {
  readonly name: string;
  readonly protocol: Protocol;
  /** Messages of a lower epoch and invalid ones, which were dropped, and rooms that were asked for whole since a message was lost. */
  readonly counts = { fenced: 0, refused: 0, gaps: 0 };
  readonly #options: SpectatedWorldOptions;
  readonly #rooms = new Map<string, SpectatedRoom>();
  readonly #players = new Map<PlayerId, SpectatedPlayer>();
  readonly #cancels: readonly Cancel[];
  #counted: ReadonlyMap<string, number> = new Map();
  #totals: FeedCounts = { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, verdicts: 0 };
  #traffic: PlayedTraffic | undefined;
  #trafficEpoch = 0;
  /** The player of the verdict that is shown now: it may have left. */
  #judged: { readonly player: PlayerId; readonly name: string | null } | undefined;
  #epoch = 0;
  /** The world's time less that of this node's clock. */
  #offsetMs = 0;
  #namedMs = Number.NEGATIVE_INFINITY;

  constructor(options: SpectatedWorldOptions) {
    const { cluster, clock, name, protocol } = options;
    this.#options = options;
    this.name = name;
    this.protocol = protocol;
    const reader = new ShownReader();
    this.#cancels = [
      cluster.subscribe(worldSubjects(name).shown, ({ bytes }) => this.#worldShown(this.#read(reader, bytes))),
      clock.every(ASK_AGAIN_MS, () => this.#nameRoomsAgain()),
    ];
  }

  /** Rooms that this node is subscribed to. */
  get watched(): number {
    return this.#rooms.size;
  }

  /** Players that this node is subscribed to. */
  get followed(): number {
    return this.#players.size;
  }

  get feedCounts(): FeedCounts {
    return this.#totals;
  }

  /** The world's time, as well as it is known here. */
  get worldMs(): number {
    return this.#options.clock.now() + this.#offsetMs;
  }

  /** These are the rooms that pages watch: called often. */
  watch(rooms: ReadonlySet<string>): void {
    const { cluster, name } = this.#options;
    for (const [room, { cancel }] of this.#rooms) {
      if (rooms.has(room)) continue;
      cancel();
      this.#rooms.delete(room);
    }
    let hasNew = false;
    for (const room of rooms) {
      if (this.#rooms.has(room) || this.#rooms.size >= MAX_WATCHED_ROOMS) continue;
      hasNew = true;
      const reader = new ShownReader();
      const watched: SpectatedRoom = {
        cancel: cluster.subscribe(roomSubject(name, room), ({ bytes }) =>
          this.#roomShown(room, this.#read(reader, bytes)),
        ),
        players: new Map(),
        tracks: new TrackReader(),
        latest: new Map(),
        version: 0,
        atMs: undefined,
        next: undefined,
      };
      this.#rooms.set(room, watched);
    }
    if (hasNew) this.#nameRooms();
  }

  nameOf(player: PlayerId): string | undefined {
    if (this.#judged?.player === player) return this.#judged.name ?? undefined;
    for (const { players } of this.#rooms.values()) {
      const name = players.get(player);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** One of the watched rooms. */
  roomOf(player: PlayerId): string | undefined {
    for (const [room, { players }] of this.#rooms) if (players.has(player)) return room;
    return undefined;
  }

  playersIn(room: string): readonly PlayerId[] {
    return [...(this.#rooms.get(room)?.players.keys() ?? [])];
  }

  isIn(player: PlayerId, room: string): boolean {
    return this.#rooms.get(room)?.players.has(player) === true;
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#counted;
  }

  tracks(_nowMs: number, room: string): readonly Track[] {
    return [...(this.#rooms.get(room)?.latest.values() ?? [])];
  }

  tracksVersion(room: string): number | undefined {
    return this.#rooms.get(room)?.version;
  }

  tracksMs(room: string): number | undefined {
    return this.#rooms.get(room)?.atMs;
  }

  /** One subscription for the player, however many pages follow it. Call it for each of them. */
  follow(player: PlayerId): void {
    const { cluster, name } = this.#options;
    const known = this.#players.get(player);
    if (known === undefined && this.#players.size >= MAX_FOLLOWED) return;
    const reader = new ShownReader();
    const followed = known ?? {
      cancel: cluster.subscribe(playerSubject(name, player), ({ bytes }) =>
        this.#playerShown(player, this.#read(reader, bytes)),
      ),
      budgets: [],
      isBegun: true,
    };
    followed.isBegun = true;
    this.#players.set(player, followed);
    this.#nameRooms();
  }

  /** No page follows it any more. The owner ends it when no relay has named it for three seconds. */
  unfollow(player: PlayerId): void {
    this.#players.get(player)?.cancel();
    this.#players.delete(player);
  }

  budgets(player: PlayerId): readonly PlayerBudget[] | undefined {
    return this.#players.get(player)?.budgets;
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    for (const { cancel } of [...this.#rooms.values(), ...this.#players.values()]) cancel();
    this.#rooms.clear();
    this.#players.clear();
  }

  /** Undefined for invalid bytes and those of an owner that is no longer the owner. */
  #read(reader: ShownReader, bytes: Uint8Array): Shown<ShownMessage> | undefined {
    const head = shownHead(bytes);
    if (head === undefined) {
      this.counts.refused += 1;
      return undefined;
    }
    if (head.epoch < this.#epoch) {
      this.counts.fenced += 1;
      return undefined;
    }
    if (head.epoch > this.#epoch) {
      this.#epoch = head.epoch;
      this.#options.cluster.raiseFloor(worldSubjects(this.name).lease, head.epoch);
      // Another owner knows nothing of what this node has: it shows the last tracks until it has the rooms anew.
      const known = [...this.#rooms.values()].filter(({ next }) => next !== undefined);
      for (const room of known) room.next = undefined;
      if (known.length > 0 || this.#players.size > 0) this.#nameRooms();
    }
    const message = reader.take(bytes);
    if (message !== "invalid") return message;
    this.counts.refused += 1;
    return undefined;
  }

  #worldShown(message: Shown<ShownMessage> | undefined): void {
    if (message?.kind !== "world") return;
    const { atMs, epoch, rooms, players, traffic, verdicts } = message;
    this.#offsetMs = atMs - this.#options.clock.now();
    this.#counted = new Map(rooms);
    // Those of a new owner begin at 0.
    const before = this.#trafficEpoch === epoch ? this.#traffic : undefined;
    const grown = (key: keyof PlayedTraffic): number =>
      this.#totals[key] + Math.max(0, traffic[key] - (before?.[key] ?? 0));
    this.#totals = {
      sessions: players,
      bytesIn: grown("bytesIn"),
      bytesOut: grown("bytesOut"),
      messagesIn: grown("messagesIn"),
      messagesOut: grown("messagesOut"),
      verdicts: grown("verdicts"),
    };
    this.#traffic = traffic;
    this.#trafficEpoch = epoch;
    for (const { verdict, name } of verdicts) {
      this.#judged = { player: verdict.player, name };
      this.#options.feed.verdict(this, verdict);
    }
    this.#judged = undefined;
  }

  /** Messages that were lost are not sent again: a page shows the last ones. */
  #playerShown(player: PlayerId, message: Shown<ShownMessage> | undefined): void {
    const followed = this.#players.get(player);
    if (message?.kind !== "player" || message.player !== player || followed === undefined) return;
    const { records, budgets } = message;
    if (budgets !== undefined) followed.budgets = budgets;
    for (const { sender, payload, atMs } of records) this.#options.feed.carried(this, player, sender, payload, atMs);
  }

  #roomShown(name: string, message: Shown<ShownMessage> | undefined): void {
    const room = this.#rooms.get(name);
    if (message?.kind !== "room" || room === undefined || message.room !== name) return;
    const { players, events, number, atMs } = message;
    const isNext = number === room.next;
    if (!isNext) {
      if (players === undefined) {
        if (room.next !== undefined) this.#lost(room);
        return;
      }
      room.players = new Map(players);
      room.tracks = new TrackReader();
    }
    if (!this.#readTracks(room, message.tracks)) return;
    room.next = number + 1;
    room.atMs = atMs;
    // A message with the whole room already contains the results of its events. Another relay may have requested it.
    if (isNext) for (const event of events) this.#event(name, room, event);
    else this.#options.feed.filled(this, name);
  }

  /** False when the tracks do not follow the ones before. */
  #readTracks(room: SpectatedRoom, tracks: Uint8Array | undefined): boolean {
    if (tracks === undefined) return true;
    try {
      const snapshot = room.tracks.read(tracks);
      if (snapshot === undefined) return true;
      if (snapshot.tracks !== room.latest) room.version += 1;
      room.latest = snapshot.tracks;
      return true;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#lost(room);
      return false;
    }
  }

  #event(name: string, room: SpectatedRoom, event: RoomEvent): void {
    const { feed } = this.#options;
    const { player } = event;
    if (event.event === "join") {
      const isKnown = room.players.has(player);
      room.players.set(player, event.name);
      if (!isKnown) feed.moved(this, player, undefined, name);
    } else if (event.event === "leave") {
      if (room.players.delete(player)) feed.moved(this, player, name, undefined);
    } else {
      const { what, data, toFollowers, atMs } = event;
      const observation: Extract<Effect, { effect: "observe" }> = {
        effect: "observe",
        player,
        room: name,
        what,
        data,
        ...(toFollowers ? { toFollowers: true } : {}),
      };
      feed.observed(this, observation, atMs);
    }
  }

  #lost(room: SpectatedRoom): void {
    this.counts.gaps += 1;
    room.next = undefined;
    this.#nameRooms();
  }

  #nameRoomsAgain(): void {
    const isAsking = [...this.#rooms.values()].some(({ next }) => next === undefined);
    if (isAsking || this.#options.clock.now() - this.#namedMs >= NAME_MS) this.#nameRooms();
  }

  #nameRooms(): void {
    const { cluster, clock, name } = this.#options;
    this.#namedMs = clock.now();
    const whole = [...this.#rooms].flatMap(([room, { next }]) => (next === undefined ? [room] : []));
    const [rooms, players] = [[...this.#rooms.keys()], [...this.#players.keys()]];
    const begun = [...this.#players].flatMap(([player, { isBegun }]) => (isBegun ? [player] : []));
    for (const followed of this.#players.values()) followed.isBegun = false;
    const bytes = encodeWatched({ relay: cluster.name, rooms, whole, players, begun });
    cluster.publish(worldSubjects(name).watched, bytes);
  }
}
