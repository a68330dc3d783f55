/** All actors on the drawn map, and the distance of their ghosts from the truth. Pure. */

import type { Random } from "wirewalk/motion";
import { type NetworkConditions, NetworkLink } from "wirewalk/net";
import { Actor, type ActorKind, actorKey, batchMs, type Comparison, policyNames, type Standing } from "./actor.ts";
import type { ReceivedPath } from "./batch.ts";
import { type ErrorSummary, ErrorWindow } from "./errors.ts";

/** The time over which errors are averaged. */
export const ERROR_WINDOW_MS = 10_000;

export interface ActorsOptions {
  readonly dialect: string;
  /** Decides delays and stalls of simulated networks. */
  readonly random: Random;
}

/** A received packet of an actor. */
export interface ReceivedPacket {
  readonly received: ReceivedPath;
  readonly packetBytes: number | undefined;
  readonly atMs: number;
}

export class Actors {
  readonly #dialect: string;
  readonly #random: Random;
  readonly #actors = new Map<string, Actor>();
  readonly #links = new Map<string, NetworkLink>();
  readonly #errors = new ErrorWindow(ERROR_WINDOW_MS);
  #conditions: NetworkConditions | undefined;
  #shownMs = 0;

  constructor({ dialect, random }: ActorsOptions) {
    this.#dialect = dialect;
    this.#random = random;
  }

  /** In the order in which they came. */
  get all(): Iterable<Actor> {
    return this.#actors.values();
  }

  get hasSome(): boolean {
    return this.#actors.size > 0;
  }

  get(key: string): Actor | undefined {
    return this.#actors.get(key);
  }

  /** An actor is on the map. */
  show(kind: ActorKind, id: number, standing: Standing, nowMs: number): Actor {
    const actor = this.#open(kind, id, nowMs);
    actor.stand(standing);
    return actor;
  }

  /** A packet of an actor was received. */
  receive(kind: ActorKind, id: number, { received, packetBytes, atMs }: ReceivedPacket): Actor {
    const actor = this.#open(kind, id, atMs);
    actor.receive(received, packetBytes, atMs, this.#linkOf(actor.key));
    return actor;
  }

  remove(kind: ActorKind, id: number): void {
    const key = actorKey(kind, id);
    this.#actors.delete(key);
    this.#links.delete(key);
  }

  /** Removes the actors that have left. */
  keep(isHere: (actor: Actor) => boolean): void {
    for (const actor of this.#actors.values()) if (!isHere(actor)) this.remove(actor.kind, actor.id);
  }

  clear(): void {
    this.#actors.clear();
    this.#links.clear();
    this.#errors.clear();
  }

  /** Simulates a network before the ghosts; undefined: none. Earlier errors are dropped. */
  setNetwork(conditions: NetworkConditions | undefined): void {
    this.#conditions = conditions;
    this.#links.clear();
    this.#errors.clear();
    for (const actor of this.#actors.values()) actor.restartGhosts(this.lagMs(actor.kind));
  }

  /** The least delay of an actor's ghost. */
  lagMs(kind: ActorKind): number {
    return batchMs(kind, this.#dialect) + (this.#conditions?.latencyMs.low ?? 0);
  }

  /** Plays all ghosts up to a time. */
  advance(shownMs: number): void {
    this.#shownMs = shownMs;
    for (const actor of this.#actors.values()) {
      // Pets follow their owners: their errors would count twice.
      const counts = actor.kind === "player" || actor.kind === "monster";
      actor.advance(shownMs, this.lagMs(actor.kind), (comparison) => {
        if (counts) this.#errors.add(comparison.atMs, errorsOf(comparison));
      });
    }
  }

  /** By policy, in the order of `policyNames`, over the last `ERROR_WINDOW_MS`. */
  errors(): readonly (ErrorSummary | undefined)[] {
    return this.#errors.summaries(this.#shownMs, policyNames.length);
  }

  #open(kind: ActorKind, id: number, nowMs: number): Actor {
    const key = actorKey(kind, id);
    let actor = this.#actors.get(key);
    if (actor === undefined) {
      actor = new Actor({ kind, id, dialect: this.#dialect });
      this.#actors.set(key, actor);
    }
    actor.seenMs = Math.max(actor.seenMs, nowMs);
    return actor;
  }

  #linkOf(key: string): NetworkLink | undefined {
    if (this.#conditions === undefined) return undefined;
    let link = this.#links.get(key);
    if (link === undefined) {
      link = new NetworkLink({ conditions: this.#conditions, delivery: "ordered", random: this.#random });
      this.#links.set(key, link);
    }
    return link;
  }
}

function errorsOf({ truth, ghosts }: Comparison): readonly number[] {
  return ghosts.map(({ x, y }) => Math.hypot(x - truth.x, y - truth.y));
}
