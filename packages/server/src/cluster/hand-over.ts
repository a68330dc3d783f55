/**
 * How an owner **hands its world over** to a node that it names, within a tick:
 *
 * 1. `follow`: the next owner restores the last snapshot and plays the batches since, as they come. It answers when it has all of them.
 * 2. The owner stops after a batch and asks for the next owner's digest at that batch: `compare`. Nothing is played now.
 * 3. Both are equal: the owner gives its lease to the next owner, in one step, and says so: `take`.
 * 4. The next owner goes on with the calls after that batch.
 *
 * Up to 3 the owner has the lease. When a step fails or takes too long, it saves the world and releases the lease instead, for any node.
 */
import { type Cluster, ClusterError } from "wirewalk/net";
import { isCount, isEpoch, isObject, isTime, parseOrNothing } from "./batch.ts";
import { nextSubject } from "./subjects.ts";

/** A world is restored and has caught up; otherwise it is handed over as a saved one. The end of a process waits for it. */
const FOLLOW_MS = 2_000;
/** Nothing is played meanwhile: it takes a round trip and two digests, a few milliseconds unless the machine is overloaded. */
const COMPARE_MS = 500;

/** Does work when its turn comes: see `oneByOne`. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export const AT_ONCE: InTurn = (work) => work();

/** For so many worlds: when all of them wait for their turn, one after the other. What one does would prolong the pause of another. */
export function oneByOne(count: number): InTurn {
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let missing = count;
  let last: Promise<unknown> = all;
  return (work) => {
    missing -= 1;
    if (missing === 0) resolve();
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** From the owner of this epoch to the next one. */
export type HandOverAsk = {
  readonly world: string;
  readonly epoch: number;
} /** `batch` is the first that the owner has not sent. */ & (
  | { readonly ask: "follow"; readonly batch: number }
  /** `batch` is the first that the owner has not sent, `worldMs` the time of its world. */
  | { readonly ask: "compare"; readonly batch: number; readonly worldMs: number }
  /** The epoch of the lease that the next owner now has. */
  | { readonly ask: "take"; readonly given: number }
);

/** What the next owner answers. */
export type HandOverAnswer =
  | { readonly is: "following" }
  | { readonly is: "compared"; readonly digest: string }
  | { readonly is: "refused"; readonly why: string };

export function encodeHandOver(message: HandOverAsk | HandOverAnswer): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** Undefined for bytes that no owner would send. */
export function decodeAsk(bytes: Uint8Array): HandOverAsk | undefined {
  const data = parseOrNothing(bytes);
  if (!isObject(data) || typeof data.world !== "string" || !isEpoch(data.epoch)) return undefined;
  const { ask, world, epoch, batch, worldMs, given } = data;
  if (ask === "follow") return isCount(batch) ? { ask, world, epoch, batch } : undefined;
  if (ask === "compare") return isCount(batch) && isTime(worldMs) ? { ask, world, epoch, batch, worldMs } : undefined;
  if (ask === "take") return isEpoch(given) && given > epoch ? { ask, world, epoch, given } : undefined;
  return undefined;
}

function decodeAnswer(bytes: Uint8Array): HandOverAnswer | undefined {
  const data = parseOrNothing(bytes);
  if (!isObject(data)) return undefined;
  const { is, digest, why } = data;
  if (is === "following") return { is };
  if (is === "compared") return typeof digest === "string" ? { is, digest } : undefined;
  return is === "refused" && typeof why === "string" ? { is, why } : undefined;
}

export interface NextOwnerOptions {
  readonly cluster: Cluster;
  /** The node. */
  readonly to: string;
  readonly world: string;
  /** Of the owner that asks. */
  readonly epoch: number;
}

/** The owner's end. */
export class NextOwner {
  readonly #options: NextOwnerOptions;
  /** Nobody is subscribed for the node: it has ended. */
  isGone = false;
  /** Why it does not go on with the world. */
  problem = "";

  constructor(options: NextOwnerOptions) {
    this.#options = options;
  }

  /** Whether it has all that the owner has sent, at least what is before this batch. */
  async follows(batch: number): Promise<boolean> {
    const { world, epoch } = this.#options;
    return (await this.#ask({ ask: "follow", world, epoch, batch }, FOLLOW_MS))?.is === "following";
  }

  /** The digest of its world before this batch. */
  async digest(batch: number, worldMs: number): Promise<string | undefined> {
    const { world, epoch } = this.#options;
    const answer = await this.#ask({ ask: "compare", world, epoch, batch, worldMs }, COMPARE_MS);
    return answer?.is === "compared" ? answer.digest : undefined;
  }

  /** Says that the lease is its own now. */
  take(given: number): void {
    const { cluster, to, world, epoch } = this.#options;
    cluster.publish(nextSubject(to), encodeHandOver({ ask: "take", world, epoch, given }));
  }

  async #ask(ask: HandOverAsk, timeoutMs: number): Promise<HandOverAnswer | undefined> {
    const { cluster, to } = this.#options;
    try {
      const answer = decodeAnswer(await cluster.request(nextSubject(to), encodeHandOver(ask), timeoutMs));
      if (answer === undefined) this.problem = "its answer cannot be read";
      else if (answer.is === "refused") this.problem = answer.why;
      return answer;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      this.isGone = error.problem === "no-responders";
      this.problem = error.message;
      return undefined;
    }
  }
}
