/**
 * A **cluster** as a port: the members that serve worlds together, messages between them by subject, leases that say which
 * member owns what, and snapshots. `clusterHub` is one in this process, `serveCluster` of `wirewalk/node` gives one to worker
 * threads, and `@wirewalk/nats` has one for several machines. Each passes `testing/cluster-suite.ts`.
 *
 * ```ts
 * import { clusterHub } from "wirewalk/net";
 *
 * const hub = clusterHub();
 * const [a, b] = [hub.join("a"), hub.join("b")];
 * const lease = await a.claim("world.game"); // => { name: "world.game", owner: "a", epoch: 1 }
 * await b.claim("world.game"); // => undefined
 * ```
 *
 * A cluster holds soft state alone: a broker may forget leases and snapshots. An **epoch** never falls: members raise it above
 * every epoch that they have seen.
 *
 * @module
 */
import type { JsonObject } from "../wire/index.ts";
import type { Cancel } from "./clock.ts";

export interface Member {
  readonly name: string;
  /** What the member says of itself: its roles, addresses, load. */
  readonly info: JsonObject;
}

export interface Lease {
  readonly name: string;
  /** The member that has it. */
  readonly owner: string;
  /** Greater than that of every earlier lease of this name. */
  readonly epoch: number;
}

export interface Snapshot {
  /** The epoch of the lease under which it was put. */
  readonly epoch: number;
  readonly bytes: Uint8Array;
}

export interface ClusterMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Answers a request; nothing happens for a message that is none, and the second time. */
  reply(bytes: Uint8Array): void;
}

/** Why a call failed: see {@link ClusterError}. */
export type ClusterProblem = "no-responders" | "timeout" | "disconnected";

/**
 * - `no-responders`: no member is subscribed to the subject of a request. The cluster knows that at once.
 * - `timeout`: no answer in time.
 * - `disconnected`: this member cannot reach the others now, or has closed.
 */
export class ClusterError extends Error {
  readonly problem: ClusterProblem;

  constructor(problem: ClusterProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ClusterError";
    this.problem = problem;
  }
}

/** Bytes of one message: brokers refuse 1 MiB and their header. */
export const MAX_CLUSTER_MESSAGE_BYTES = 960 * 1024;
/** Bytes of a snapshot: 100 times the largest that was measured. */
export const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
/** Of a member, a subject or a lease. */
const MAX_NAME_LENGTH = 128;

/** One member's view. Bytes belong to nobody from then on: neither sender nor receiver changes them. */
export interface Cluster {
  /** No other member has it. */
  readonly name: string;
  /** False while the others cannot be reached; what was subscribed is so again afterwards. */
  readonly isConnected: boolean;
  /** How often the others were lost and found again. */
  readonly reconnects: number;
  /** Milliseconds after which a lease that was not renewed lapses. */
  readonly leaseMs: number;
  /** The members, this one included, by name. One that ends without a word stays for up to `leaseMs`. */
  members(): readonly Member[];
  /** What this member says of itself from here on. */
  setInfo(info: JsonObject): void;
  /**
   * Sends to all who are subscribed, this member too. Messages of one member to one subject arrive in their order, or not at all:
   * nothing is repeated. Handlers run after `publish` returns. Throws `RangeError` for more than `MAX_CLUSTER_MESSAGE_BYTES`.
   */
  publish(subject: string, bytes: Uint8Array): void;
  /** `handler` must not throw. */
  subscribe(subject: string, handler: (message: ClusterMessage) => void): Cancel;
  /** The first answer. Rejects with {@link ClusterError}. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /**
   * Takes a lease that nobody has, or that `over` names: one whose owner is known to be gone. Undefined when another member has it.
   * Rejects with {@link ClusterError}.
   */
  claim(name: string, over?: Lease): Promise<Lease | undefined>;
  /** Keeps a lease for another `leaseMs`; false when it is lost. Rejects with {@link ClusterError}: then it may or may not be kept. */
  renew(lease: Lease): Promise<boolean>;
  /** Gives a lease back, so that another member can claim it at once. */
  release(lease: Lease): Promise<void>;
  /**
   * Gives a lease of this member to another in one step, so that nobody can claim it between. The new lease has a greater epoch; the
   * other member keeps it with `renew`. Undefined when the lease is lost. Rejects with {@link ClusterError}: then it may or may not
   * be given.
   */
  transfer(lease: Lease, to: string): Promise<Lease | undefined>;
  /** The lease of a name that is in force. */
  holder(name: string): Promise<Lease | undefined>;
  /** The leases in force, by name. */
  leases(): Promise<readonly Lease[]>;
  /** Claims of this member give greater epochs from here on: it has seen this one, or another store has kept it. */
  raiseFloor(name: string, epoch: number): void;
  /** Keeps the snapshot of a name in place of the one before. One of a lower epoch than the one that is kept is dropped. */
  putSnapshot(name: string, snapshot: Snapshot): Promise<void>;
  /** The snapshot of the greatest epoch. */
  getSnapshot(name: string): Promise<Snapshot | undefined>;
  /** Leaves the cluster. Leases stay until they lapse. */
  close(): Promise<void>;
}

/** Throws `RangeError` for a name that a broker would read as something else. */
export function checkClusterName(name: string): void {
  if (name.length <= MAX_NAME_LENGTH && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name)) return;
  throw new RangeError(`Invalid name ${JSON.stringify(name)}: letters, digits, - and _, in parts separated by dots`);
}

/** Throws `RangeError` for bytes over a limit. */
export function checkClusterBytes(bytes: Uint8Array, limit = MAX_CLUSTER_MESSAGE_BYTES): void {
  if (bytes.length > limit) throw new RangeError(`${bytes.length} bytes are more than ${limit}`);
}
