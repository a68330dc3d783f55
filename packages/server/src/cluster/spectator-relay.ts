/**
 * The **spectator relay** of a node: its page and feed show the worlds of the cluster, whoever owns them. What sessions of this node do
 * comes back from the owner like that of all others.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Clock, Cluster } from "wirewalk/net";
import type { StudioFeed } from "../pages/studio-feed.ts";
import type { HostedWorld, WorldObserver } from "../worlds/hosted-world.ts";
import { SpectatedWorld } from "./spectated-world.ts";

export interface SpectatorRelayOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly feed: StudioFeed;
}

export class SpectatorRelay implements WorldObserver {
  readonly #options: SpectatorRelayOptions;
  readonly #worlds = new Map<string, SpectatedWorld>();

  constructor(options: SpectatorRelayOptions) {
    this.#options = options;
  }

  /** By name. */
  get worlds(): ReadonlyMap<string, SpectatedWorld> {
    return this.#worlds;
  }

  /** Shows a world of the cluster. */
  add({ name, protocol }: HostedWorld): void {
    this.#worlds.set(name, new SpectatedWorld({ ...this.#options, name, protocol }));
  }

  close(): void {
    for (const world of this.#worlds.values()) world.close();
  }

  verdict(): void {}

  observed(): void {}

  moved(world: HostedWorld, player: PlayerId): void {
    this.#options.feed.selfMoved(world, player);
  }

  carried(): void {}
}
