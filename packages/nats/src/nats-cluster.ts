/** The cluster port over NATS: messages by its subjects, leases and snapshots in JetStream's key-value buckets, in memory. */
import { type ConnectionOptions, connect, type NatsConnection, RequestError } from "@nats-io/transport-node";
import {
  type Cancel,
  type Cluster,
  ClusterError,
  type ClusterMessage,
  checkClusterBytes,
  checkClusterName,
  type Lease,
  MAX_CLUSTER_MESSAGE_BYTES,
  type Member,
  type Snapshot,
} from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { Buckets } from "./buckets.ts";
import { NatsLeases } from "./nats-leases.ts";
import { NatsMembers } from "./nats-members.ts";
import { NatsSnapshots } from "./nats-snapshots.ts";
import { inboxPrefix } from "./permissions.ts";

const DEFAULT_LEASE_MS = 2_000;
/** Half a lease: a renewal that fails can be done again before the lease lapses. */
const DEFAULT_CALL_MS = 1_000;
const DEFAULT_PREFIX = "wirewalk";
/** The first connection. */
const CONNECT_MS = 5_000;
const RECONNECT_MS = 50;
/** A broker that does not answer two of these is lost. */
const PING_MS = 1_000;

export interface NatsClusterOptions {
  /** `nats://user:password@host:port`, or `tls://…`. */
  readonly url: string;
  /** Of this member: letters, digits, `-` and `_`. */
  readonly name: string;
  readonly info?: JsonObject;
  /** Clusters with different prefixes share a broker and nothing else. Default `wirewalk`. */
  readonly prefix?: string;
  /** Default 2,000. The first member of a cluster decides. */
  readonly leaseMs?: number;
  /** A call of leases or snapshots that takes longer fails, as if the broker were lost. Default 1,000. */
  readonly callMs?: number;
  /** What else the connection needs, such as `tls` or `authenticator`. */
  readonly connection?: Omit<ConnectionOptions, "servers" | "name">;
}

/** Joins a cluster. Rejects with `Error` when the broker cannot be reached, or its JetStream not be used. */
export async function natsCluster(options: NatsClusterOptions): Promise<Cluster> {
  const {
    url,
    name,
    prefix = DEFAULT_PREFIX,
    leaseMs = DEFAULT_LEASE_MS,
    callMs = DEFAULT_CALL_MS,
    info = {},
  } = options;
  checkClusterName(name);
  checkClusterName(prefix);
  if (name.includes(".") || prefix.includes("."))
    throw new RangeError("The names of members and prefixes have no dots");
  const { servers, credentials } = parseUrl(url);
  const connection = await connect({
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    pingInterval: PING_MS,
    noAsyncTraces: true,
    // This member's own messages reach its own subscriptions without the broker, and also without one.
    noEcho: true,
    // A user may read its own answers alone.
    inboxPrefix: inboxPrefix(credentials.user ?? name),
    ...credentials,
    ...options.connection,
    servers,
    name,
  });
  try {
    const buckets = new Buckets(connection, prefix, { leaseMs, callMs });
    await openInTime(buckets);
    return new NatsCluster({ connection, buckets, name, prefix, leaseMs, info });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A member that may not make buckets waits for one that may. */
async function openInTime(buckets: Buckets): Promise<void> {
  const untilMs = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      await buckets.open();
      return;
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await sleep(RECONNECT_MS);
    }
  }
}

type Handler = (message: ClusterMessage) => void;

interface Parts {
  readonly connection: NatsConnection;
  readonly buckets: Buckets;
  readonly name: string;
  readonly prefix: string;
  readonly leaseMs: number;
  readonly info: JsonObject;
}

class NatsCluster implements Cluster {
  readonly name: string;
  readonly leaseMs: number;
  readonly #connection: NatsConnection;
  readonly #prefix: string;
  readonly #buckets: Buckets;
  readonly #leases: NatsLeases;
  readonly #snapshots: NatsSnapshots;
  readonly #members: NatsMembers;
  readonly #handlers = new Map<string, Set<Handler>>();
  #isUp = true;
  #reconnects = 0;
  #isClosed = false;

  constructor({ connection, buckets, name, prefix, leaseMs, info }: Parts) {
    this.name = name;
    this.leaseMs = leaseMs;
    this.#connection = connection;
    this.#prefix = prefix;
    this.#buckets = buckets;
    this.#leases = new NatsLeases(buckets, name);
    this.#snapshots = new NatsSnapshots(buckets);
    this.#members = new NatsMembers({ cluster: this, connection, subject: `${prefix}.members`, info, leaseMs });
    this.#watch();
  }

  get reconnects(): number {
    return this.#reconnects;
  }

  get isConnected(): boolean {
    return this.#isUp && !this.#isClosed;
  }

  members(): readonly Member[] {
    return this.#members.all();
  }

  setInfo(info: JsonObject): void {
    this.#members.setInfo(info);
  }

  publish(subject: string, bytes: Uint8Array): void {
    const full = this.#subject(subject);
    checkClusterBytes(bytes);
    if (this.#isClosed) return;
    this.#deliver(subject, bytes, () => {});
    // The library would keep it and send it after the next connection, when it is old.
    if (this.#isUp) this.#connection.publish(full, bytes);
  }

  subscribe(subject: string, handler: (message: ClusterMessage) => void): Cancel {
    const full = this.#subject(subject);
    if (this.#isClosed) return () => {};
    const all = this.#handlers.get(subject) ?? new Set();
    // One handler may be subscribed twice.
    const own: Handler = (message) => handler(message);
    this.#handlers.set(subject, all.add(own));
    const subscription = this.#connection.subscribe(full, {
      callback: (error, message) => {
        if (error !== null || message.data.length > MAX_CLUSTER_MESSAGE_BYTES) return;
        own({
          subject,
          bytes: message.data,
          reply: once((bytes) => {
            checkClusterBytes(bytes);
            if (this.isConnected) message.respond(bytes);
          }),
        });
      },
    });
    return () => {
      if (!all.delete(own)) return;
      if (all.size === 0 && this.#handlers.get(subject) === all) this.#handlers.delete(subject);
      subscription.unsubscribe();
    };
  }

  async request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const full = this.#subject(subject);
    checkClusterBytes(bytes);
    if (this.#handlers.has(subject) && !this.#isClosed) return this.#requestHere(subject, bytes, timeoutMs);
    this.#check();
    try {
      const { data } = await this.#connection.request(full, bytes, { timeout: timeoutMs });
      checkClusterBytes(data);
      return data;
    } catch (error) {
      if (error instanceof RequestError && error.isNoResponders()) {
        throw new ClusterError("no-responders", `No member is subscribed to ${subject}`, { cause: error });
      }
      const problem = this.isConnected ? "timeout" : "disconnected";
      throw new ClusterError(problem, `No answer to ${subject} within ${timeoutMs} ms`, { cause: error });
    }
  }

  claim(name: string, over?: Lease): Promise<Lease | undefined> {
    return this.#run(`claim ${name}`, () => this.#leases.claim(name, over));
  }

  renew(lease: Lease): Promise<boolean> {
    return this.#run(`renew ${lease.name}`, () => this.#leases.renew(lease));
  }

  release(lease: Lease): Promise<void> {
    return this.#run(`release ${lease.name}`, () => this.#leases.release(lease));
  }

  transfer(lease: Lease, to: string): Promise<Lease | undefined> {
    return this.#run(`transfer ${lease.name}`, () => this.#leases.transfer(lease, to));
  }

  holder(name: string): Promise<Lease | undefined> {
    return this.#run(`read the lease ${name}`, () => this.#leases.holder(name));
  }

  leases(): Promise<readonly Lease[]> {
    return this.#run("list leases", () => this.#leases.all());
  }

  raiseFloor(name: string, epoch: number): void {
    this.#leases.raiseFloor(name, epoch);
  }

  putSnapshot(name: string, snapshot: Snapshot): Promise<void> {
    return this.#run(`keep the snapshot of ${name}`, () => this.#snapshots.put(name, snapshot));
  }

  getSnapshot(name: string): Promise<Snapshot | undefined> {
    return this.#run(`read the snapshot of ${name}`, () => this.#snapshots.get(name));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#members.close();
    this.#isClosed = true;
    // What was published has left when `flush` is answered; a broker that is gone never answers.
    if (this.#isUp) await Promise.race([this.#connection.flush(), sleep(200)]).catch(() => {});
    await this.#connection.close();
  }

  #check(): void {
    if (this.isConnected) return;
    throw new ClusterError("disconnected", this.#isClosed ? `Member ${this.name} has closed` : "The broker is lost");
  }

  #subject(subject: string): string {
    checkClusterName(subject);
    return `${this.#prefix}.s.${subject}`;
  }

  #requestHere(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ClusterError("timeout", `No answer to ${subject} within ${timeoutMs} ms`)),
        timeoutMs,
      );
      this.#deliver(subject, bytes, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  /** To those of this member that are subscribed now, after this call has returned. */
  #deliver(subject: string, bytes: Uint8Array, reply: (bytes: Uint8Array) => void): void {
    const all = this.#handlers.get(subject);
    if (all === undefined) return;
    const now = [...all];
    const message: ClusterMessage = { subject, bytes, reply: once(reply) };
    queueMicrotask(() => {
      for (const handler of now) if (all.has(handler)) handler(message);
    });
  }

  async #run<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.#check();
    try {
      return await work();
    } catch (error) {
      if (error instanceof RangeError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ClusterError("disconnected", `Cannot ${what}: ${why}`, { cause: error });
    }
  }

  /** A broker that was started again has no buckets, and takes a moment until it can make them. */
  async #openAgain(reconnects: number): Promise<void> {
    while (!this.#isClosed && this.#reconnects === reconnects) {
      try {
        await this.#buckets.open();
        this.#isUp = this.#reconnects === reconnects;
        return;
      } catch {
        await sleep(RECONNECT_MS);
      }
    }
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect" || type === "staleConnection") this.#isUp = false;
      if (type !== "reconnect") continue;
      this.#snapshots.forget();
      this.#reconnects += 1;
      void this.#openAgain(this.#reconnects);
    }
    this.#isUp = false;
  }
}

type Credentials = Pick<ConnectionOptions, "user" | "pass" | "tls">;

/** The address without its user: the library takes it apart from the address. */
function parseUrl(url: string): { readonly servers: string; readonly credentials: Credentials } {
  if (!URL.canParse(url)) throw new RangeError("Cannot read the address of the broker: it must be nats://host:port");
  const parsed = new URL(url);
  const [user, pass] = [decodeURIComponent(parsed.username), decodeURIComponent(parsed.password)];
  const credentials = {
    ...(user === "" ? {} : { user, pass }),
    ...(parsed.protocol === "tls:" ? { tls: {} } : {}),
  };
  return { servers: parsed.host, credentials };
}

/** The first call alone. */
function once(call: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let isDone = false;
  return (bytes) => {
    if (isDone) return;
    isDone = true;
    call(bytes);
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
