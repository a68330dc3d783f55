/** The members of a cluster, by what each says of itself several times within a lease. */
import type { NatsConnection } from "@nats-io/transport-node";
import type { Cluster, Member } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";

/** Within the time of a lease. */
const BEATS = 6;
/** What a member may say of itself. */
const MAX_BEAT_BYTES = 16_384;
/** More than any cluster that was planned: others are ignored. */
const MAX_MEMBERS = 2_000;

interface Known {
  readonly info: JsonObject;
  readonly seenMs: number;
}

export interface NatsMembersOptions {
  readonly cluster: Pick<Cluster, "name" | "isConnected">;
  readonly connection: NatsConnection;
  readonly subject: string;
  readonly info: JsonObject;
  readonly leaseMs: number;
}

export class NatsMembers {
  readonly #options: NatsMembersOptions;
  readonly #known = new Map<string, Known>();
  readonly #timer: NodeJS.Timeout;
  #info: JsonObject;

  constructor(options: NatsMembersOptions) {
    this.#options = options;
    this.#info = options.info;
    options.connection.subscribe(options.subject, {
      callback: (error, message) => {
        if (error === null && message.data.length <= MAX_BEAT_BYTES) this.#heard(message.data);
      },
    });
    this.#timer = setInterval(() => this.#beat(), options.leaseMs / BEATS);
    this.#beat();
  }

  all(): readonly Member[] {
    const { cluster, leaseMs } = this.#options;
    const nowMs = performance.now();
    for (const [name, { seenMs }] of this.#known) if (nowMs - seenMs > leaseMs) this.#known.delete(name);
    const others = Array.from(this.#known, ([name, { info }]) => ({ name, info }));
    return [...others, { name: cluster.name, info: this.#info }].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  setInfo(info: JsonObject): void {
    this.#info = info;
    this.#beat();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#say({ name: this.#options.cluster.name });
  }

  #beat(): void {
    this.#say({ name: this.#options.cluster.name, info: this.#info });
  }

  #say(what: JsonObject): void {
    const { cluster, connection, subject } = this.#options;
    if (cluster.isConnected) connection.publish(subject, JSON.stringify(what));
  }

  #heard(bytes: Uint8Array): void {
    let said: unknown;
    try {
      said = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return;
    }
    if (!isObject(said) || typeof said.name !== "string" || said.name === this.#options.cluster.name) return;
    const { name, info } = said;
    if (info === undefined) this.#known.delete(name);
    else if (isObject(info) && (this.#known.has(name) || this.#known.size < MAX_MEMBERS)) {
      const isNew = !this.#known.has(name);
      this.#known.set(name, { info: info as JsonObject, seenMs: performance.now() });
      // A member that has just come knows this one at once.
      if (isNew) this.#beat();
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
