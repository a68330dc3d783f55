/**
 * **Epoch floors** in the store: the greatest epoch of each lease. The broker keeps leases in memory, and counts epochs from 1 after
 * a restart. Nodes remember what they have seen; when all of them were started again too, only the store knows it.
 *
 * A store that is lost does not stop a failover: the floors of the nodes hold then.
 */
import type { Logger } from "pino";
import type { Clock, Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { isCount } from "./batch.ts";

const TABLE = "epochs";
/** A failover waits so long for the store: 100 times a database's usual answer. */
const WAIT_MS = 250;

export interface EpochFloorsOptions {
  /** Without one only the nodes remember epochs. */
  readonly store: Store | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export class EpochFloors {
  readonly #options: EpochFloorsOptions;

  constructor(options: EpochFloorsOptions) {
    this.#options = options;
  }

  /** The greatest epoch that the store has of a lease; 0 when it has none or does not answer in time. */
  async read(lease: string): Promise<number> {
    return (await this.find(lease)) ?? 0;
  }

  /** The greatest epoch that the store has of a lease, 0 when it has none; undefined without a store, or when it does not answer in time. */
  async find(lease: string): Promise<number | undefined> {
    const { store } = this.#options;
    if (store === undefined) return undefined;
    return this.#bounded(lease, async () =>
      epochOf(await (store.remote?.get(TABLE, lease) ?? store.get(TABLE, lease))),
    );
  }

  /** Keeps an epoch unless the store has a greater one. */
  async keep(lease: string, epoch: number): Promise<void> {
    const { store } = this.#options;
    if (store === undefined) return;
    const raised = (record: JsonObject | undefined): JsonObject => ({ epoch: Math.max(epoch, epochOf(record)) });
    await this.#bounded(lease, async () => (store.remote ?? store).update(TABLE, lease, raised));
  }

  /** Undefined when the store fails or takes too long. */
  async #bounded<T>(lease: string, work: () => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const cancel = clock.after(WAIT_MS, () => {
      log.warn({ lease }, "the store does not answer: the epoch is not compared with it");
      resolve(undefined);
    });
    const done = work().catch((error: unknown) => {
      log.warn({ lease, err: error }, "the store failed: the epoch is not compared with it");
      return undefined;
    });
    try {
      return await Promise.race([done, late]);
    } finally {
      cancel();
    }
  }
}

/** 0 for a record that is missing or damaged. */
function epochOf(record: JsonObject | undefined): number {
  return isCount(record?.epoch) ? record.epoch : 0;
}
