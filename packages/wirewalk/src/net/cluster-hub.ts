/** A cluster within one process: plain calls, no copies. */
import type { JsonObject } from "../wire/index.ts";
import { type Cancel, type Clock, systemClock } from "./clock.ts";
import {
  type Cluster,
  ClusterError,
  type ClusterMessage,
  checkClusterBytes,
  checkClusterName,
  type Lease,
  MAX_SNAPSHOT_BYTES,
  type Member,
  type Snapshot,
} from "./cluster.ts";

const DEFAULT_LEASE_MS = 2_000;

export interface ClusterHubOptions {
  readonly clock?: Clock;
  /** Default 2,000. */
  readonly leaseMs?: number;
}

export interface ClusterHub {
  /** Throws `RangeError` for a name that is taken or invalid. */
  join(name: string, info?: JsonObject): Cluster;
}

type Handler = (message: ClusterMessage) => void;

interface Shared {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly members: Map<string, JsonObject>;
  readonly handlers: Map<string, Set<Handler>>;
  readonly leases: Map<string, { readonly lease: Lease; readonly untilMs: number }>;
  readonly epochs: Map<string, number>;
  readonly snapshots: Map<string, Snapshot>;
}

export function clusterHub({ clock = systemClock, leaseMs = DEFAULT_LEASE_MS }: ClusterHubOptions = {}): ClusterHub {
  const shared: Shared = {
    clock,
    leaseMs,
    members: new Map(),
    handlers: new Map(),
    leases: new Map(),
    epochs: new Map(),
    snapshots: new Map(),
  };
  return {
    join(name, info = {}) {
      checkClusterName(name);
      if (shared.members.has(name)) throw new RangeError(`Cannot join as ${name}: the name is taken`);
      shared.members.set(name, info);
      return new HubMember(shared, name);
    },
  };
}

class HubMember implements Cluster {
  readonly name: string;
  readonly reconnects = 0;
  readonly #shared: Shared;
  readonly #cancels = new Set<Cancel>();
  #isClosed = false;

  constructor(shared: Shared, name: string) {
    this.#shared = shared;
    this.name = name;
  }

  get isConnected(): boolean {
    return !this.#isClosed;
  }

  get leaseMs(): number {
    return this.#shared.leaseMs;
  }

  members(): readonly Member[] {
    const all = Array.from(this.#shared.members, ([name, info]) => ({ name, info }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  setInfo(info: JsonObject): void {
    if (!this.#isClosed) this.#shared.members.set(this.name, info);
  }

  publish(subject: string, bytes: Uint8Array): void {
    checkClusterName(subject);
    checkClusterBytes(bytes);
    if (!this.#isClosed) this.#deliver(subject, bytes, () => {});
  }

  subscribe(subject: string, handler: Handler): Cancel {
    checkClusterName(subject);
    const { handlers } = this.#shared;
    const all = handlers.get(subject) ?? new Set();
    // One handler may be subscribed twice.
    const own: Handler = (message) => handler(message);
    handlers.set(subject, all.add(own));
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      if (all.delete(own) && all.size === 0 && handlers.get(subject) === all) handlers.delete(subject);
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#check();
      checkClusterName(subject);
      checkClusterBytes(bytes);
      if (!this.#shared.handlers.has(subject)) {
        throw new ClusterError("no-responders", `No member is subscribed to ${subject}`);
      }
      const cancel = this.#shared.clock.after(timeoutMs, () =>
        reject(new ClusterError("timeout", `No answer to ${subject} within ${timeoutMs} ms`)),
      );
      this.#deliver(subject, bytes, (answer) => {
        cancel();
        resolve(answer);
      });
    });
  }

  async claim(name: string, over?: Lease): Promise<Lease | undefined> {
    this.#check();
    checkClusterName(name);
    const { leases, clock, epochs } = this.#shared;
    const held = leases.get(name);
    const isFree = held === undefined || held.untilMs <= clock.now() || held.lease.epoch === over?.epoch;
    if (!isFree) return undefined;
    const epoch = (epochs.get(name) ?? 0) + 1;
    epochs.set(name, epoch);
    const lease = { name, owner: this.name, epoch };
    leases.set(name, { lease, untilMs: clock.now() + this.leaseMs });
    return lease;
  }

  async renew(lease: Lease): Promise<boolean> {
    this.#check();
    const { leases, clock } = this.#shared;
    const held = leases.get(lease.name);
    if (held?.lease.epoch !== lease.epoch || held.lease.owner !== this.name || held.untilMs <= clock.now())
      return false;
    leases.set(lease.name, { lease: held.lease, untilMs: clock.now() + this.leaseMs });
    return true;
  }

  async release(lease: Lease): Promise<void> {
    const { leases } = this.#shared;
    if (leases.get(lease.name)?.lease.epoch === lease.epoch) leases.delete(lease.name);
  }

  async transfer(lease: Lease, to: string): Promise<Lease | undefined> {
    this.#check();
    checkClusterName(to);
    const { leases, clock, epochs } = this.#shared;
    const held = leases.get(lease.name);
    if (held?.lease.epoch !== lease.epoch || held.lease.owner !== this.name || held.untilMs <= clock.now())
      return undefined;
    const epoch = (epochs.get(lease.name) ?? 0) + 1;
    epochs.set(lease.name, epoch);
    const given = { name: lease.name, owner: to, epoch };
    leases.set(lease.name, { lease: given, untilMs: clock.now() + this.leaseMs });
    return given;
  }

  async holder(name: string): Promise<Lease | undefined> {
    this.#check();
    const held = this.#shared.leases.get(name);
    return held !== undefined && held.untilMs > this.#shared.clock.now() ? held.lease : undefined;
  }

  async leases(): Promise<readonly Lease[]> {
    this.#check();
    const { leases, clock } = this.#shared;
    const held = [...leases.values()].filter(({ untilMs }) => untilMs > clock.now()).map(({ lease }) => lease);
    return held.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  raiseFloor(name: string, epoch: number): void {
    const { epochs } = this.#shared;
    epochs.set(name, Math.max(epoch, epochs.get(name) ?? 0));
  }

  async putSnapshot(name: string, snapshot: Snapshot): Promise<void> {
    this.#check();
    checkClusterName(name);
    checkClusterBytes(snapshot.bytes, MAX_SNAPSHOT_BYTES);
    const { snapshots } = this.#shared;
    if ((snapshots.get(name)?.epoch ?? 0) <= snapshot.epoch) snapshots.set(name, snapshot);
  }

  async getSnapshot(name: string): Promise<Snapshot | undefined> {
    this.#check();
    return this.#shared.snapshots.get(name);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#shared.members.delete(this.name);
    for (const cancel of [...this.#cancels]) cancel();
  }

  #check(): void {
    if (this.#isClosed) throw new ClusterError("disconnected", `Member ${this.name} has closed`);
  }

  #deliver(subject: string, bytes: Uint8Array, reply: (bytes: Uint8Array) => void): void {
    let isAnswered = false;
    const message: ClusterMessage = {
      subject,
      bytes,
      reply: (answer) => {
        if (isAnswered) return;
        isAnswered = true;
        queueMicrotask(() => reply(answer));
      },
    };
    const all = this.#shared.handlers.get(subject);
    if (all === undefined) return;
    // Those that are subscribed now, after this call has returned.
    const now = [...all];
    queueMicrotask(() => {
      for (const handler of now) if (all.has(handler)) handler(message);
    });
  }
}
