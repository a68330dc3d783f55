/**
 * The owner's end of **spectator relays**: sends what pages see of a world, once for all relays, and only of rooms that a relay
 * watches.
 */
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Cancel, Clock, Cluster } from "wirewalk/net";
import type { Effect, PlayerBudget, Side } from "wirewalk/protocol";
import { RoomTrackStream } from "../feed/room-track-stream.ts";
import { WireBatch } from "../feed/wire-batch.ts";
import type { PlayedObserver, PlayedWorld } from "./played-world.ts";
import {
  type CarriedRecord,
  decodeWatched,
  encodeShown,
  MAX_FOLLOWED,
  MAX_WATCHED_ROOMS,
  type RoomEvent,
  type RoomMessage,
  type ShownMessage,
  type WorldMessage,
} from "./room-messages.ts";
import { playerSubject, roomSubject, worldSubjects } from "./subjects.ts";

/** As often as a page is sent tracks. */
const SEND_MS = 50;
/** Rooms and counts of the world, limits of players. */
const WORLD_MS = 1_000;
/** A room or player that no relay has named for so long is sent no more: three of their messages. */
const WATCHED_MS = 3_000;
/** A room is sent whole, or a player's beginning, at most this often, however many relays ask: one second of a page's limit of requests. */
const WHOLE_MS = 100;
/** Between two messages; more are dropped, as for a page. */
const MAX_OBSERVATIONS = 1_000;
const MAX_VERDICTS = 25;

export interface RoomPublisherOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Of the world. */
  readonly name: string;
  readonly epoch: number;
  readonly played: PlayedWorld;
  /** The world's time. */
  readonly worldMs: () => number;
  /** Pages begin to follow a player, or end: the world is called as for any spectator. */
  readonly follow: (call: "follow" | "unfollow", player: PlayerId) => void;
}

interface FollowedPlayer {
  readonly subject: string;
  namedMs: number;
  begunMs: number;
  isBegun: boolean;
  number: number;
  budgetsMs: number;
  readonly records: WireBatch<CarriedRecord>;
}

interface PublishedRoom {
  readonly room: string;
  readonly subject: string;
  readonly tracks: RoomTrackStream;
  namedMs: number;
  wholeMs: number;
  isWholeWanted: boolean;
  number: number;
  events: RoomEvent[];
  observations: number;
}

export class RoomPublisher implements PlayedObserver {
  /** Messages of rooms and players. */
  messages = 0;
  /** Messages that no relay would send. */
  refused = 0;
  readonly #options: RoomPublisherOptions;
  readonly #rooms = new Map<string, PublishedRoom>();
  readonly #players = new Map<PlayerId, FollowedPlayer>();
  readonly #cancels: readonly Cancel[];
  #verdicts: WorldMessage["verdicts"][number][] = [];
  #relaysMs = Number.NEGATIVE_INFINITY;
  #worldSentMs = Number.NEGATIVE_INFINITY;
  #worldNumber = 0;
  #lastStream = 0;

  constructor(options: RoomPublisherOptions) {
    const { cluster, clock, name, played } = options;
    this.#options = options;
    played.observer = this;
    played.occupants.moved = (...moved) => this.#moved(...moved);
    this.#cancels = [
      cluster.subscribe(worldSubjects(name).watched, ({ bytes }) => this.#watched(bytes)),
      clock.every(SEND_MS, () => this.#send()),
    ];
    // Those that the last owner sent: they end soon unless a relay names them.
    for (const player of played.followed) this.#players.set(player, this.#followedPlayer(player));
    // Relays see the new epoch, and name their rooms at once.
    this.#sendWorld(clock.now());
  }

  /** Rooms that are sent. */
  get rooms(): number {
    return this.#rooms.size;
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#options.played.observer = undefined;
    this.#options.played.occupants.moved = () => {};
  }

  observed({ player, room, what, data, toFollowers }: Extract<Effect, { effect: "observe" }>): void {
    const watched = this.#rooms.get(room);
    if (watched === undefined || watched.observations >= MAX_OBSERVATIONS) return;
    watched.observations += 1;
    const atMs = this.#options.played.nowMs;
    watched.events.push({ event: "observe", player, atMs, what, data, toFollowers: toFollowers === true });
  }

  received(player: PlayerId, payload: Uint8Array): void {
    this.#carried(player, "client", payload);
  }

  sent(effect: Extract<Effect, { effect: "send" | "broadcast" }>, payload: Uint8Array): void {
    if (this.#players.size === 0) return;
    if (effect.effect === "send") {
      this.#carried(effect.to, "server", payload);
      return;
    }
    const { occupants } = this.#options.played;
    for (const player of this.#players.keys()) {
      if (player !== effect.except && occupants.roomOf(player) === effect.room)
        this.#carried(player, "server", payload);
    }
  }

  /** Players whose messages are sent. */
  get players(): number {
    return this.#players.size;
  }

  verdict(verdict: Verdict): void {
    if (verdict.kind === "accept") return;
    // A relay that comes later, as after a change of the owner, is sent the last ones.
    this.#verdicts.push({ verdict, name: this.#options.played.occupants.nameOf(verdict.player) ?? null });
    if (this.#verdicts.length > MAX_VERDICTS) this.#verdicts.shift();
  }

  get #hasRelays(): boolean {
    return this.#options.clock.now() - this.#relaysMs < WATCHED_MS;
  }

  #moved(player: PlayerId, from: string | undefined, to: string | undefined): void {
    if (from !== undefined) this.#rooms.get(from)?.events.push({ event: "leave", player });
    const name = this.#options.played.occupants.nameOf(player) ?? "";
    if (to !== undefined) this.#rooms.get(to)?.events.push({ event: "join", player, name });
  }

  #watched(bytes: Uint8Array): void {
    const message = decodeWatched(bytes);
    if (message === undefined) {
      this.refused += 1;
      return;
    }
    const { clock, name } = this.#options;
    const nowMs = clock.now();
    // A relay that comes first is sent the world at once.
    if (!this.#hasRelays) this.#worldSentMs = Number.NEGATIVE_INFINITY;
    this.#relaysMs = nowMs;
    const begun = new Set(message.begun);
    for (const player of message.players) this.#named(player, begun.has(player), nowMs);
    const whole = new Set(message.whole);
    for (const room of message.rooms) {
      let watched = this.#rooms.get(room);
      if (watched === undefined) {
        if (this.#rooms.size >= MAX_WATCHED_ROOMS) continue;
        watched = {
          room,
          subject: roomSubject(name, room),
          tracks: new RoomTrackStream(this.#tracked, room, () => this.#nextStream()),
          namedMs: nowMs,
          wholeMs: Number.NEGATIVE_INFINITY,
          isWholeWanted: true,
          number: 0,
          events: [],
          observations: 0,
        };
        this.#rooms.set(room, watched);
      }
      watched.namedMs = nowMs;
      if (whole.has(room)) watched.isWholeWanted = true;
    }
  }

  #named(player: PlayerId, isBegun: boolean, nowMs: number): void {
    let followed = this.#players.get(player);
    if (followed === undefined) {
      // A page may name one that has just left.
      if (this.#players.size >= MAX_FOLLOWED || this.#options.played.occupants.nameOf(player) === undefined) return;
      followed = this.#followedPlayer(player);
      followed.isBegun = true;
      this.#players.set(player, followed);
    }
    followed.namedMs = nowMs;
    if (isBegun) followed.isBegun = true;
  }

  #followedPlayer(player: PlayerId): FollowedPlayer {
    const { clock, name } = this.#options;
    return {
      subject: playerSubject(name, player),
      namedMs: clock.now(),
      begunMs: Number.NEGATIVE_INFINITY,
      isBegun: false,
      number: 0,
      budgetsMs: Number.NEGATIVE_INFINITY,
      records: new WireBatch(),
    };
  }

  #carried(player: PlayerId, sender: Side, payload: Uint8Array): void {
    const followed = this.#players.get(player);
    // The caller owns the bytes.
    followed?.records.add({ sender, atMs: this.#options.played.nowMs, payload: payload.slice() }, payload.length);
  }

  #sendPlayer(player: PlayerId, followed: FollowedPlayer, nowMs: number): void {
    const { played, follow } = this.#options;
    const isThere = played.occupants.nameOf(player) !== undefined;
    if (!isThere || nowMs - followed.namedMs > WATCHED_MS) {
      this.#players.delete(player);
      follow("unfollow", player);
      return;
    }
    if (followed.isBegun && nowMs - followed.begunMs >= WHOLE_MS) {
      followed.isBegun = false;
      followed.begunMs = nowMs;
      follow("follow", player);
    }
    const records = followed.records.take();
    let budgets: readonly PlayerBudget[] | undefined;
    if (nowMs - followed.budgetsMs >= WORLD_MS) {
      followed.budgetsMs = nowMs;
      budgets = this.#budgets(player);
    }
    if (records.length === 0 && budgets === undefined) return;
    followed.number += 1;
    this.messages += 1;
    this.#publish(followed.subject, followed.number, { kind: "player", player, records, budgets });
  }

  /** A world that throws has none, and goes on for its players. */
  #budgets(player: PlayerId): readonly PlayerBudget[] | undefined {
    const { played, worldMs } = this.#options;
    try {
      return played.world.budgets?.(player, worldMs());
    } catch {
      return undefined;
    }
  }

  #send(): void {
    const nowMs = this.#options.clock.now();
    for (const [player, followed] of this.#players) this.#sendPlayer(player, followed, nowMs);
    for (const watched of this.#rooms.values()) {
      if (nowMs - watched.namedMs > WATCHED_MS) this.#rooms.delete(watched.room);
      else this.#sendRoom(watched, nowMs);
    }
    if (!this.#hasRelays) return;
    if (this.#verdicts.length > 0 || nowMs - this.#worldSentMs >= WORLD_MS) this.#sendWorld(nowMs);
  }

  #sendRoom(watched: PublishedRoom, nowMs: number): void {
    const { played, worldMs } = this.#options;
    const { room, subject, tracks: stream } = watched;
    const atMs = worldMs();
    let tracks = stream.advance(atMs);
    let players: RoomMessage["players"];
    if (watched.isWholeWanted && nowMs - watched.wholeMs >= WHOLE_MS) {
      watched.isWholeWanted = false;
      watched.wholeMs = nowMs;
      tracks = stream.full(atMs);
      players = Array.from(played.occupants.in(room), (player) => [player, played.occupants.nameOf(player) ?? ""]);
    }
    const { events } = watched;
    if (tracks === undefined && events.length === 0) return;
    watched.events = [];
    watched.observations = 0;
    watched.number += 1;
    this.messages += 1;
    this.#publish(subject, watched.number, { kind: "room", room, atMs, players, events, tracks });
  }

  #sendWorld(nowMs: number): void {
    const { name, played, worldMs } = this.#options;
    this.#worldSentMs = nowMs;
    this.#worldNumber += 1;
    const verdicts = this.#verdicts;
    this.#verdicts = [];
    const rooms = [...played.world.rooms()];
    const { traffic, occupants } = played;
    this.#publish(worldSubjects(name).shown, this.#worldNumber, {
      kind: "world",
      atMs: worldMs(),
      rooms,
      players: occupants.count,
      traffic,
      verdicts,
    });
  }

  #publish(subject: string, number: number, message: ShownMessage): void {
    const { cluster, epoch } = this.#options;
    for (const part of encodeShown({ epoch, number }, message)) cluster.publish(subject, part);
  }

  /** The world as its tracks are read: one that throws has none, and goes on for its players. */
  get #tracked() {
    const { name, played } = this.#options;
    return {
      name,
      tracks: (nowMs: number, room: string): readonly Track[] => {
        try {
          return played.world.tracks(nowMs, room);
        } catch {
          return [];
        }
      },
      tracksVersion: (room: string): number | undefined => {
        try {
          return played.world.tracksVersion?.(room);
        } catch {
          return undefined;
        }
      },
    };
  }

  #nextStream(): number {
    this.#lastStream += 1;
    return this.#lastStream;
  }
}
