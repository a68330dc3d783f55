/** A world with the feed of a page: snapshots and observations of followed players, without a server. */
import type { ServedWorld } from "@wirewalk/server/feed";
import type { PlayerId, Track } from "wirewalk/motion";
import { PlayerInfoWorld, revision206 } from "wirewalk/osrs/player-info";
import type { JsonObject } from "wirewalk/wire";
import type { FeedObservation } from "../../../../app/studio.ts";

/** A world as the feed describes it, with the default settings of its game. */
export const served: ServedWorld = {
  name: "osrs",
  protocol: "osrs",
  title: "",
  dialect: "client",
  path: "/ws/osrs",
  listen: null,
  demo: { seed: 1 },
  settings: {},
};

export class FollowedWorld {
  readonly world: PlayerInfoWorld;
  nowMs = 0;
  #observed: FeedObservation[] = [];

  constructor(players: number, dialect = "client") {
    this.world = new PlayerInfoWorld({ dialect, seed: 1, demo: true, revision: revision206 });
    for (let player = 1; player <= players; player++) this.join(player);
    this.tick();
  }

  join(player: PlayerId): void {
    this.world.join(player, { account: `a${player}`, name: `p${player}` }, this.nowMs);
    this.#collect();
  }

  leave(player: PlayerId): void {
    this.world.leave(player, this.nowMs);
    this.#collect();
  }

  follow(player: PlayerId): void {
    this.world.follow(player, this.nowMs);
    this.#collect();
  }

  tick(): void {
    this.nowMs += this.world.tickMs;
    this.world.tick(this.nowMs);
    this.#collect();
  }

  /** Observations of followed players since the last call, as the feed sends them. */
  takeObserved(): readonly FeedObservation[] {
    return this.#observed.splice(0);
  }

  /** A snapshot of the room, some milliseconds after the tick. */
  tracks(afterMs = 20): ReadonlyMap<PlayerId, Track> {
    const atMs = this.nowMs + afterMs;
    return new Map(this.world.tracks(atMs).map((track) => [track.player, track]));
  }

  byIndex(afterMs = 20): ReadonlyMap<number, Track> {
    return new Map([...this.tracks(afterMs).values()].map((track) => [Number(track.details?.index), track]));
  }

  #collect(): void {
    for (const effect of this.world.takeEffects()) {
      if (effect.effect !== "observe") continue;
      const { player, room, what } = effect;
      const data = JSON.parse(JSON.stringify(effect.data)) as JsonObject;
      this.#observed.push({ type: "observation", world: "osrs", room, player, atMs: this.nowMs, what, data });
    }
  }
}
