/**
 * A **follower** of a world: the next owner before it has the lease. It restores the last snapshot and plays the batches that the
 * owner sends, so that all work which takes time is done before the world changes hands. See `hand-over.ts`.
 */
import type { Cancel, Clock, Cluster } from "wirewalk/net";
import { decodeInput, encodeBatch, type InputMessage } from "./batch.ts";
import type { LoggedBatch } from "./history.ts";
import type { PlayedWorld } from "./played-world.ts";
import type { RemoteWorld } from "./remote-world.ts";
import type { SentBatch } from "./sent-batches.ts";
import { worldSubjects } from "./subjects.ts";

/** A follower of which the owner asks nothing more ends after this. No owner waits so long for an answer. */
const FOLLOWED_MS = 5_000;
/** After the digests were compared: as long as a call of the broker takes at most. */
const COMPARED_MS = 1_000;
/** A snapshot that is older than the batches that this node has is read again. */
const AGAIN_MS = 100;
/** Batches are played for so long in one turn of the event loop: players may be connected to this node. */
const TURN_MS = 8;
/** Messages of calls that no batch has shown yet. Gateways send what is dropped again. */
const MAX_EARLY = 1_024;

export interface WorldFollowerOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Of the world. */
  readonly name: string;
  /** The owner's. */
  readonly epoch: number;
  /** Nobody else uses it. */
  readonly played: PlayedWorld;
  /** The batches that this node receives. */
  readonly gateway: RemoteWorld;
  /** It follows no more, and nobody was given its world. */
  readonly ended: () => void;
}

/** What a follower gives to the owner that goes on. */
export interface Followed {
  readonly played: PlayedWorld;
  /** The next batch. */
  readonly nextBatch: number;
  /** The batches since the snapshot, as messages, under no epoch. */
  readonly batches: readonly SentBatch[];
  /** Calls that may not have been carried out. */
  readonly early: readonly InputMessage[];
  /** Time of the world less that of the clock. */
  readonly offsetMs: number;
  /** When the digests were compared: the lease was the last owner's then, and was renewed or given later. By this node's clock. */
  readonly comparedMs: number;
  /** The time of the world at its last tick; undefined when none was seen. */
  readonly tickMs: number | undefined;
}

export class WorldFollower {
  readonly epoch: number;
  readonly #options: WorldFollowerOptions;
  readonly #cancels: Cancel[] = [];
  readonly #batches: SentBatch[] = [];
  readonly #queue: LoggedBatch[] = [];
  #early: InputMessage[] = [];
  /** The next batch to play; undefined before a snapshot is restored. */
  #next: number | undefined;
  #offsetMs = Number.NEGATIVE_INFINITY;
  #tickMs: number | undefined;
  /** Called when the queue is empty. */
  #played: () => void = () => {};
  #isPlanned = false;
  #comparedMs: number | undefined;
  #isOver = false;

  constructor(options: WorldFollowerOptions) {
    const { cluster, clock, name, epoch } = options;
    this.epoch = epoch;
    this.#options = options;
    this.#cancels.push(
      clock.after(FOLLOWED_MS, () => this.end()),
      cluster.subscribe(worldSubjects(name).input, ({ bytes }) => this.#input(bytes)),
    );
  }

  /** Its digest was given: the lease may come. */
  get isCompared(): boolean {
    return this.#comparedMs !== undefined;
  }

  /** Resolves when it has all batches that this node has received, at least those before this one. Rejects when it cannot follow. */
  async follow(until: number): Promise<void> {
    const { cluster, clock, name, played, gateway } = this.#options;
    for (;;) {
      const snapshot = await cluster.getSnapshot(name);
      this.#check();
      if (snapshot !== undefined) {
        const { nextBatch } = played.restore(snapshot.bytes);
        this.#next = nextBatch;
        const cancel = gateway.follow(nextBatch, (batch) => this.#take(batch));
        if (cancel !== undefined) {
          this.#cancels.push(cancel);
          break;
        }
      }
      await new Promise<void>((resolve) => void clock.after(AGAIN_MS, resolve));
      this.#check();
    }
    await this.#caughtUp(() => (this.#next ?? 0) >= until);
    // Compiled before it is needed: the first time takes three times as long.
    played.world.digest();
    await this.#caughtUp(() => true);
  }

  /** The digest of the world before this batch, where the owner has stopped. Rejects when it does not follow any more. */
  async digestAt(batch: number, worldMs: number): Promise<string> {
    this.#seenTime(worldMs);
    await this.#caughtUp(() => this.#next === batch);
    const { cluster, clock, name, played } = this.#options;
    this.#comparedMs = clock.now();
    this.#cancels.push(
      clock.after(COMPARED_MS, () => this.end()),
      // The owner ends when the lease is given: who asks it then must not find nobody.
      cluster.subscribe(worldSubjects(name).owner, () => {}),
    );
    return played.world.digest().toString(16);
  }

  /** For the owner that goes on. Call `end` when it is there. Throws when the lease may have lapsed: this process stood still. */
  followed(): Followed {
    this.#check();
    const { clock, cluster } = this.#options;
    if (clock.now() - (this.#comparedMs ?? Number.NEGATIVE_INFINITY) > cluster.leaseMs / 2) {
      throw new Error("the lease was given too long ago");
    }
    const { played } = this.#options;
    const offsetMs = this.#offsetMs;
    // From here on the world is the owner's.
    this.#isOver = true;
    return {
      played,
      nextBatch: this.#next ?? 1,
      batches: this.#batches,
      early: this.#early,
      offsetMs,
      tickMs: this.#tickMs,
      comparedMs: this.#comparedMs ?? Number.NEGATIVE_INFINITY,
    };
  }

  /** Gives the world up, unless an owner has it. */
  end(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#played();
    this.#options.played.world.close?.();
    this.#options.ended();
  }

  #check(): void {
    if (this.#isOver) throw new Error("the world is not followed any more");
  }

  #seenTime(worldMs: number): void {
    // Of all that was seen the message that was fastest: it never says more than is true.
    this.#offsetMs = Math.max(this.#offsetMs, worldMs - this.#options.clock.now());
  }

  #input(bytes: Uint8Array): void {
    const message = decodeInput(bytes);
    if (message === undefined) return;
    this.#early.push(message);
    if (this.#early.length <= MAX_EARLY) return;
    const { played } = this.#options;
    this.#early = this.#early.filter(({ gateway, run, first, calls }) => {
      const known = played.gateway(gateway);
      return known?.run !== run || first + calls.length > known.next;
    });
    this.#early.splice(0, this.#early.length - MAX_EARLY / 2);
  }

  #take(batch: LoggedBatch): void {
    this.#queue.push(batch);
    const last = batch.log.at(-1);
    if (last !== undefined) this.#seenTime(last.nowMs);
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (!this.#isOver) this.#playSome();
    });
  }

  #playSome(): void {
    const { clock } = this.#options;
    const untilMs = clock.now() + TURN_MS;
    for (let at = 0; at < this.#queue.length; at += 1) {
      const each = this.#queue[at] as LoggedBatch;
      if (each.batch !== this.#next) {
        // A batch is missing: this gateway began again.
        this.end();
        return;
      }
      this.#play(each);
      this.#next = each.batch + 1;
      if (clock.now() < untilMs || at + 1 === this.#queue.length) continue;
      this.#queue.splice(0, at + 1);
      this.#plan();
      return;
    }
    this.#queue.length = 0;
    this.#played();
  }

  #play({ batch, log }: LoggedBatch): void {
    const { played } = this.#options;
    const effects: Parameters<PlayedWorld["play"]>[1] = [];
    for (const calls of log) {
      played.play(calls, effects);
      if (calls.calls.some(({ call }) => call === "tick")) this.#tickMs = calls.nowMs;
    }
    // For gateways that have missed it when the world has changed hands.
    this.#batches.push({ batch, messages: encodeBatch({ epoch: 0, batch, base: 0, wallMs: 0, log, effects }) });
  }

  /** Resolves when nothing waits to be played and this is so; rejects when it follows no more. */
  async #caughtUp(isThere: () => boolean): Promise<void> {
    while (!this.#isOver && (this.#queue.length > 0 || !isThere())) {
      await new Promise<void>((resolve) => {
        this.#played = resolve;
      });
    }
    this.#check();
  }
}
