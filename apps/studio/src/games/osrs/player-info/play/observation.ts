/**
 * The observer and its client: the followed player, its packets, where they moved players, and whether the server agrees.
 * The data that the scene draws.
 */
import type { PlayerId, Track } from "wirewalk/motion";
import { UNITS_PER_TILE } from "wirewalk/osrs/player-info";
import type { FeedObservation } from "../../../../app/studio.ts";
import type { WireRecord } from "../../../../feed/wire-record.ts";
import type { WatchedRoom } from "../../../game-view.ts";
import { AgreementCheck, tileOf } from "./agreement.ts";
import { ObservedClient, type SeenTick } from "./observed-client.ts";
import { ServerSide } from "./server-side.ts";
import { Steps } from "./steps.ts";
import { RecordMaker } from "./wire-record.ts";

/** View distance in tiles before the server's first snapshot of the observer. */
const USUAL_VIEW_TILES = 15;

/** The observer's view: a square of tiles on one level. */
export interface View {
  readonly level: number;
  readonly x: number;
  readonly z: number;
  readonly distance: number;
}

export class Observation {
  readonly server = new ServerSide();
  readonly client = new ObservedClient();
  readonly clientSteps = new Steps();
  readonly check = new AgreementCheck();
  readonly #watched: WatchedRoom;
  readonly #log: (record: WireRecord) => void;
  readonly #records: RecordMaker;
  readonly #payloads = new WeakMap<SeenTick, Uint8Array>();
  /** Whose packets `client` reads. */
  #observer: PlayerId | undefined;
  #knownSelf: PlayerId | undefined;

  constructor(watched: WatchedRoom, log: (record: WireRecord) => void) {
    this.#watched = watched;
    this.#log = log;
    this.#records = new RecordMaker(watched.world);
  }

  /**
   * Chooses the player to follow: the own one once it has joined, otherwise any, so that there is something to see. True
   * when it is another one than the last time.
   */
  choose(): boolean {
    const watched = this.#watched;
    const self = watched.self();
    if (self !== this.#knownSelf) {
      this.#knownSelf = self;
      if (self !== undefined) watched.follow(self);
    }
    const players = watched.players();
    const isHere = (player: PlayerId | undefined): boolean =>
      // The own player may not be in the list yet.
      player !== undefined && (player === self || players.has(player));
    const [first] = players.keys();
    // Before the list of players arrives, no player is known to have left.
    if (!isHere(watched.followed()) && first !== undefined) watched.follow(first);
    const observer = isHere(watched.followed()) ? watched.followed() : undefined;
    if (observer === this.#observer) return false;
    this.#observer = observer;
    this.forget();
    return true;
  }

  /** The followed player; undefined in an empty room. */
  get observer(): PlayerId | undefined {
    return this.#observer;
  }

  /** Forgets what was observed: it is shown again from an earlier time on. */
  forget(): void {
    this.client.forget();
    this.clientSteps.clear();
    this.check.forget();
  }

  /** Begins the same client's stream anew. */
  restart(): void {
    const player = this.#watched.followed();
    this.#watched.follow(undefined);
    this.#watched.follow(player);
  }

  /** Takes an observation of the room. `nowMs` is the page's time. */
  take(observed: FeedObservation, nowMs: number): void {
    const { client, check, clientSteps } = this;
    this.choose();
    if (observed.player !== this.#observer) return;
    const wasLost = client.fault !== undefined;
    const tick = client.apply(observed);
    if (observed.what === "player-info-start") check.forget();
    const { fault } = client;
    if (fault !== undefined && !wasLost) {
      const record = this.#records.ofFault(fault, observed.player);
      if (record !== undefined) this.#log(record);
    }
    if (tick === undefined) return;
    check.packet(tick.atMs);
    const record = this.#records.ofTick(tick, observed.player);
    this.#payloads.set(tick, record.payload);
    this.#log(record);
    for (const { from, to } of tick.actions.list) {
      if (from !== undefined && to !== undefined) clientSteps.add({ fromX: from.x, fromZ: from.z, ...to, atMs: nowMs });
    }
  }

  /** Takes the newest tracks, if they are new, and compares the client with them. */
  look(nowMs: number): void {
    this.clientSteps.prune(nowMs);
    const isNew = this.server.take(this.#watched.tracks, nowMs);
    if (isNew) this.check.snapshot(this.server.atMs, this.server.byIndex, this.client.decoder);
  }

  /** The message of a packet as it was logged. */
  payloadOf(tick: SeenTick): Uint8Array | undefined {
    return this.#payloads.get(tick);
  }

  /** The observer as the server has it. */
  get track(): Track | undefined {
    return this.#observer === undefined ? undefined : this.#watched.tracks.latest.get(this.#observer);
  }

  /** The observer's view by the server's tracks. */
  get view(): View | undefined {
    const { track } = this;
    if (track === undefined) return undefined;
    const distance = track.details?.viewDistance;
    return { ...tileOf(track), distance: typeof distance === "number" ? distance : USUAL_VIEW_TILES };
  }

  /** The observer's view by its client. */
  get clientView(): View | undefined {
    const { decoder } = this.client;
    if (decoder === undefined) return undefined;
    const { localIndex, level, x, z } = decoder;
    const place = { level: level[localIndex] ?? 0, x: x[localIndex] ?? 0, z: z[localIndex] ?? 0 };
    return { ...place, distance: this.view?.distance ?? USUAL_VIEW_TILES };
  }

  /** A local player where the client draws it: on its tile, or on its way there. Middles of tiles end in .5. */
  placeOf(index: number, isSmooth: boolean): { readonly x: number; readonly z: number; readonly orientation: number } {
    const { decoder, playback } = this.client;
    const drawn = isSmooth ? playback?.positionOf(index) : undefined;
    if (drawn !== undefined) {
      return { x: drawn.x / UNITS_PER_TILE, z: drawn.z / UNITS_PER_TILE, orientation: drawn.orientation };
    }
    const { x = 0, z = 0, orientation = 0 } = decoder?.player(index) ?? {};
    return { x: x + 0.5, z: z + 0.5, orientation };
  }
}
