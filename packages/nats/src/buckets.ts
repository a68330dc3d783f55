/** The two key-value buckets of a cluster: leases, which lapse, and snapshots. In memory: both are soft state. */
import { jetstream, StorageType } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";

/** A snapshot that nobody replaced for so long is of a world that nobody owns. */
const SNAPSHOT_TTL_MS = 3_600_000;

export interface BucketTimes {
  readonly leaseMs: number;
  /** Of one call of JetStream. */
  readonly callMs: number;
}

export class Buckets {
  readonly #kvm: Kvm;
  readonly #prefix: string;
  readonly #leaseMs: number;
  #leases: KV | undefined;
  #snapshots: KV | undefined;
  #made = "";

  constructor(connection: NatsConnection, prefix: string, { leaseMs, callMs }: BucketTimes) {
    this.#kvm = new Kvm(jetstream(connection, { timeout: callMs }));
    this.#prefix = prefix;
    this.#leaseMs = leaseMs;
  }

  get leases(): KV {
    if (this.#leases === undefined) throw new Error("the buckets are not open");
    return this.#leases;
  }

  get snapshots(): KV {
    if (this.#snapshots === undefined) throw new Error("the buckets are not open");
    return this.#snapshots;
  }

  /** When the bucket of leases was made: another time after the broker has lost it. */
  get made(): string {
    return this.#made;
  }

  /** Opens the buckets, or makes them. A bucket that is there keeps its time to live. */
  async open(): Promise<void> {
    const options = { storage: StorageType.Memory, history: 1 };
    this.#leases = await this.#kvm.create(`${this.#prefix}-leases`, { ...options, ttl: this.#leaseMs });
    this.#snapshots = await this.#kvm.create(`${this.#prefix}-snapshots`, { ...options, ttl: SNAPSHOT_TTL_MS });
    this.#made = (await this.#leases.status()).streamInfo.created;
  }
}
