/**
 * Leases in a bucket whose keys lapse. The revision of the key with which a lease is claimed is its **epoch**, unless this member
 * or the key knows a greater one: a broker that was started again counts revisions from 1.
 */
import { JetStreamApiError } from "@nats-io/jetstream";
import type { KvEntry } from "@nats-io/kv";
import { checkClusterName, type Lease } from "wirewalk/net";
import type { Buckets } from "./buckets.ts";

/** JetStream's error for a key whose last revision is another one. */
const WRONG_LAST_SEQUENCE = 10_071;
/** A lease is an owner and a number. */
const MAX_LEASE_BYTES = 1_024;

/** What a key holds: of a claim the greatest epoch before it, of a renewal the epoch itself. */
interface LeaseRecord {
  readonly owner: string;
  readonly above?: number;
  readonly epoch?: number;
}

export class NatsLeases {
  readonly #buckets: Buckets;
  readonly #owner: string;
  readonly #floors = new Map<string, number>();
  /** Of own leases: the revision of their keys, and when the bucket was made. */
  readonly #own = new Map<string, { readonly revision: number; readonly made: string }>();

  constructor(buckets: Buckets, owner: string) {
    this.#buckets = buckets;
    this.#owner = owner;
  }

  raiseFloor(name: string, epoch: number): void {
    if (!Number.isSafeInteger(epoch)) throw new RangeError(`An epoch is an integer, got ${epoch}`);
    this.#floors.set(name, Math.max(epoch, this.#floors.get(name) ?? 0));
  }

  async claim(name: string, over: Lease | undefined): Promise<Lease | undefined> {
    checkClusterName(name);
    const { leases } = this.#buckets;
    const entry = await leases.get(name);
    const held = leaseOf(name, entry);
    if (held !== undefined) {
      this.raiseFloor(name, held.epoch);
      if (held.epoch !== over?.epoch) return undefined;
    }
    const above = this.#floors.get(name) ?? 0;
    const value = write({ owner: this.#owner, above });
    const revision = await refusedAsUndefined(() =>
      entry === null || entry.operation !== "PUT"
        ? leases.create(name, value)
        : leases.update(name, value, entry.revision),
    );
    if (revision === undefined) return undefined;
    const epoch = Math.max(revision, above + 1);
    this.raiseFloor(name, epoch);
    this.#own.set(name, { revision, made: this.#buckets.made });
    return { name, owner: this.#owner, epoch };
  }

  async renew(lease: Lease): Promise<boolean> {
    const { leases } = this.#buckets;
    if (this.#isSuperseded(lease) || lease.owner !== this.#owner) return false;
    const own = this.#own.get(lease.name);
    const value = write({ owner: this.#owner, epoch: lease.epoch });
    const renewed =
      (own && (await refusedAsUndefined(() => leases.update(lease.name, value, own.revision)))) ??
      // One that another member gave has no known revision.
      (await this.#renewAgain(lease, value, own?.made));
    if (renewed === undefined) return false;
    this.raiseFloor(lease.name, lease.epoch);
    this.#own.set(lease.name, { revision: renewed, made: this.#buckets.made });
    return true;
  }

  async transfer(lease: Lease, to: string): Promise<Lease | undefined> {
    checkClusterName(to);
    const { leases } = this.#buckets;
    const { name, owner, epoch } = lease;
    if (this.#isSuperseded(lease) || owner !== this.#owner) return undefined;
    const above = Math.max(epoch, this.#floors.get(name) ?? 0);
    const value = write({ owner: to, above });
    const own = this.#own.get(name);
    let revision = own && (await refusedAsUndefined(() => leases.update(name, value, own.revision)));
    if (revision === undefined) {
      // A renewal was written, and its answer was lost.
      const entry = await leases.get(name);
      const held = leaseOf(name, entry);
      if (entry === null || held?.owner !== owner || held.epoch !== epoch) return undefined;
      revision = await refusedAsUndefined(() => leases.update(name, value, entry.revision));
    }
    if (revision === undefined) return undefined;
    this.#own.delete(name);
    const given = { name, owner: to, epoch: Math.max(revision, above + 1) };
    this.raiseFloor(name, given.epoch);
    return given;
  }

  async release(lease: Lease): Promise<void> {
    const own = this.#own.get(lease.name);
    if (own === undefined || this.#isSuperseded(lease)) return;
    this.#own.delete(lease.name);
    await refusedAsUndefined(() => this.#buckets.leases.delete(lease.name, { previousSeq: own.revision }));
  }

  async holder(name: string): Promise<Lease | undefined> {
    checkClusterName(name);
    return leaseOf(name, await this.#buckets.leases.get(name));
  }

  async all(): Promise<readonly Lease[]> {
    const names: string[] = [];
    for await (const name of await this.#buckets.leases.keys()) names.push(name);
    const entries = await Promise.all(names.map(async (name) => leaseOf(name, await this.#buckets.leases.get(name))));
    return entries.filter((each) => each !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The key has another revision than this member knows. */
  async #renewAgain(
    { name, owner, epoch }: Lease,
    value: string,
    made: string | undefined,
  ): Promise<number | undefined> {
    const { leases } = this.#buckets;
    const entry = await leases.get(name);
    const held = leaseOf(name, entry);
    // A renewal was written, and its answer was lost.
    if (entry !== null && held?.epoch === epoch && held.owner === owner) {
      return refusedAsUndefined(() => leases.update(name, value, entry.revision));
    }
    // The broker has lost its memory: nobody could claim the lease before this member is back.
    return made === undefined || this.#buckets.made === made
      ? undefined
      : refusedAsUndefined(() => leases.create(name, value));
  }

  /** This member has seen a later lease of the name. */
  #isSuperseded({ name, epoch }: Lease): boolean {
    return (this.#floors.get(name) ?? 0) > epoch;
  }
}

/** What the key says; undefined for one that is deleted, or that no member wrote. */
function leaseOf(name: string, entry: KvEntry | null): Lease | undefined {
  if (entry === null || entry.operation !== "PUT" || entry.value.length > MAX_LEASE_BYTES) return undefined;
  let record: Partial<Record<keyof LeaseRecord, unknown>>;
  try {
    record = JSON.parse(entry.string()) as typeof record;
  } catch {
    return undefined;
  }
  const { owner, above, epoch } = record ?? {};
  if (typeof owner !== "string") return undefined;
  if (isEpoch(epoch)) return { name, owner, epoch };
  return isEpoch(above) ? { name, owner, epoch: Math.max(entry.revision, above + 1) } : undefined;
}

function isEpoch(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function write(record: LeaseRecord): string {
  return JSON.stringify(record);
}

/** What JetStream refuses because another member was first is undefined. */
async function refusedAsUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return undefined;
    throw error;
  }
}
