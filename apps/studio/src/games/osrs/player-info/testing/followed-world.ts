/** A world whose walkers are seen and followed as a page sees them, without a server between. */
import type { FeedProtocol } from "@wirewalk/server/feed";
import type { PlayerId, Track } from "wirewalk/motion";
import { PlayerInfoWorld, revision206 } from "wirewalk/osrs/player-info";
import type { JsonObject } from "wirewalk/wire";
import type { FeedObservation } from "../../../../studio.ts";

/** The served game, by the settings that it comes with. */
export const served: FeedProtocol = {
  name: "osrs",
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
  #heard: FeedObservation[] = [];

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

  /** What was told of followed players since the last call, as it comes through the feed. */
  heard(): readonly FeedObservation[] {
    return this.#heard.splice(0);
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
      this.#heard.push({ type: "observation", protocol: "osrs", room, player, atMs: this.nowMs, what, data });
    }
  }
}
