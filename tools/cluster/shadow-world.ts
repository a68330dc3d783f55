/**
 * A **shadow** of a world: it plays the calls of all batches that owners send, in a world of its own, from the first batch on. When
 * its digest is that of the owner, the owner has the state that those calls give: nothing was lost, repeated or rolled back,
 * whichever nodes have owned the world meanwhile.
 */

import type { Cluster } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { type Batch, BatchReader, decodePart } from "../../packages/server/src/cluster/batch.ts";
import { PlayedWorld } from "../../packages/server/src/cluster/played-world.ts";
import { worldSubjects } from "../../packages/server/src/cluster/subjects.ts";

const ASK_MS = 2_000;
const ASK_EVERY_MS = 100;
/** Batches that the owner named in its answer may come after it. */
const LATE_MS = 10_000;

interface Answer {
  readonly node: string;
  readonly epoch: number;
  readonly batch: number;
  readonly digest?: string;
}

export class ShadowWorld {
  readonly #cluster: Cluster;
  readonly #world: string;
  readonly #played: PlayedWorld;
  readonly #readers = new Map<number, BatchReader>();
  readonly #waiting = new Map<number, Batch>();
  #next = 1;
  /** The first batch that has not come. */
  #end = 1;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** The greatest epoch of a batch. */
  epoch = 0;
  /** Batches of a lower epoch than one that had come before. */
  stale = 0;
  /** Between the last batch of an owner and the first of the next, by their clocks: the last change, in milliseconds. */
  switchMs: number | undefined;
  #lastWallMs = 0;

  constructor(cluster: Cluster, protocol: PlayableProtocol, dialect: string) {
    this.#cluster = cluster;
    this.#world = protocol.name;
    this.#played = new PlayedWorld(
      protocol.createWorld({ dialect, seed: 1, enforcement: "enforce", demo: false }),
      protocol.codec(dialect),
    );
    cluster.subscribe(worldSubjects(protocol.name).output, ({ bytes }) => this.#heard(bytes));
  }

  /** What the owner says of itself; undefined while there is none. */
  async owner(digest = false): Promise<Answer | undefined> {
    try {
      const ask = new TextEncoder().encode(JSON.stringify({ digest }));
      const answer = await this.#cluster.request(worldSubjects(this.#world).owner, ask, ASK_MS);
      return JSON.parse(new TextDecoder().decode(answer)) as Answer;
    } catch {
      return undefined;
    }
  }

  /** Why the owner's world is not what its calls give; undefined when it is. */
  async problem(): Promise<string | undefined> {
    // A call that arrives while the world changes hands has no answer.
    const answer = (await this.owner(true)) ?? (await this.owner(true));
    if (answer?.digest === undefined) return "the owner does not answer";
    const untilMs = performance.now() + LATE_MS;
    for (;;) {
      for (let batch = this.#waiting.get(this.#next); batch !== undefined && this.#next < answer.batch; ) {
        for (const calls of batch.log) this.#played.play(calls, []);
        this.#waiting.delete(this.#next);
        this.#next += 1;
        batch = this.#waiting.get(this.#next);
      }
      if (this.#next === answer.batch) {
        const digest = this.#played.world.digest().toString(16);
        return digest === answer.digest ? undefined : `batch ${answer.batch}: ${digest} is not ${answer.digest}`;
      }
      if (performance.now() > untilMs) return `batch ${this.#next} is missing, the owner is at ${answer.batch}`;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #heard(bytes: Uint8Array): void {
    const part = decodePart(bytes);
    if (part === undefined) return;
    const { epoch } = part.head;
    if (epoch < this.epoch) {
      this.stale += 1;
      return;
    }
    const isChange = this.epoch !== 0 && epoch > this.epoch;
    if (isChange) this.switchMs = part.head.wallMs - this.#lastWallMs;
    // Batches that are sent again are older.
    this.#lastWallMs = isChange ? part.head.wallMs : Math.max(this.#lastWallMs, part.head.wallMs);
    this.epoch = epoch;
    const reader = this.#readers.get(epoch) ?? new BatchReader();
    this.#readers.set(epoch, reader);
    const batch = reader.take(part);
    if (batch === undefined || batch.batch < this.#next) return;
    this.#waiting.set(batch.batch, batch);
    while (this.#waiting.has(this.#end)) this.#end += 1;
    if (batch.batch > this.#end) this.#askAgain();
  }

  /** A batch was lost on the way to this process, as gateways lose some: it is asked for as they do. */
  #askAgain(): void {
    const nowMs = performance.now();
    if (nowMs - this.#askedMs < ASK_EVERY_MS) return;
    this.#askedMs = nowMs;
    const ask = new TextEncoder().encode(JSON.stringify({ again: this.#end }));
    this.#cluster.request(worldSubjects(this.#world).owner, ask, ASK_MS).catch(() => {});
  }
}
