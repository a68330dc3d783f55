/** Everybody on the map that is drawn, with how far the ghosts are from the truth. Pure. */

import type { Random } from "wirewalk/motion";
import { type NetworkConditions, NetworkLink } from "wirewalk/net";
import { Actor, type ActorKind, actorKey, batchMs, type Comparison, policyNames, type Standing } from "./actor.ts";
import type { ToldPath } from "./batch.ts";
import { type ErrorSummary, ErrorWindow } from "./errors.ts";

/** Errors are of so many seconds. */
export const ERROR_WINDOW_MS = 10_000;

export interface ActorsOptions {
  readonly dialect: string;
  /** The luck of networks that are made worse. */
  readonly random: Random;
}

/** What was heard of an actor. */
export interface Heard {
  readonly told: ToldPath;
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

  get(key: string): Actor | undefined {
    return this.#actors.get(key);
  }

  /** It is here. */
  show(kind: ActorKind, id: number, standing: Standing, nowMs: number): Actor {
    const actor = this.#open(kind, id, nowMs);
    actor.stand(standing);
    return actor;
  }

  /** A packet of it was heard. */
  hear(kind: ActorKind, id: number, { told, packetBytes, atMs }: Heard): Actor {
    const actor = this.#open(kind, id, atMs);
    actor.hear(told, packetBytes, atMs, this.#linkOf(actor.key));
    return actor;
  }

  remove(kind: ActorKind, id: number): void {
    const key = actorKey(kind, id);
    this.#actors.delete(key);
    this.#links.delete(key);
  }

  /** Forgets everybody who is gone. */
  keep(isHere: (actor: Actor) => boolean): void {
    for (const actor of this.#actors.values()) if (!isHere(actor)) this.remove(actor.kind, actor.id);
  }

  clear(): void {
    this.#actors.clear();
    this.#links.clear();
    this.#errors.clear();
  }

  /** Makes the ghosts' network worse; undefined: as it comes. What was measured before is forgotten. */
  setNetwork(conditions: NetworkConditions | undefined): void {
    this.#conditions = conditions;
    this.#links.clear();
    this.#errors.clear();
    for (const actor of this.#actors.values()) actor.restartGhosts(this.lagMs(actor.kind));
  }

  /** How late the ghost of an actor is at best. */
  lagMs(kind: ActorKind): number {
    return batchMs(kind, this.#dialect) + (this.#conditions?.latencyMs.low ?? 0);
  }

  /** Lets everybody play until then. */
  advance(shownMs: number): void {
    this.#shownMs = shownMs;
    for (const actor of this.#actors.values()) {
      // Pets follow their owners about: they would count twice.
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
