/** A cluster for worker threads: a member of any cluster at one end of a MessagePort, its calls at the other. */
import type { MessagePort } from "node:worker_threads";
import {
  type Cancel,
  type Cluster,
  ClusterError,
  type ClusterMessage,
  type ClusterProblem,
  checkClusterBytes,
  checkClusterName,
  type Lease,
  type Member,
  type Snapshot,
} from "../net/index.ts";
import type { JsonObject } from "../wire/index.ts";

/** The calls of a member that have an answer. */
interface Calls {
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  claim(name: string, over: Lease | undefined): Promise<Lease | undefined>;
  renew(lease: Lease): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  transfer(lease: Lease, to: string): Promise<Lease | undefined>;
  holder(name: string): Promise<Lease | undefined>;
  leases(): Promise<readonly Lease[]>;
  putSnapshot(name: string, snapshot: Snapshot): Promise<void>;
  getSnapshot(name: string): Promise<Snapshot | undefined>;
  close(): Promise<void>;
}

type CallName = keyof Calls;

/** From the thread. */
type ToCluster =
  | { readonly what: "call"; readonly id: number; readonly call: CallName; readonly args: readonly unknown[] }
  | { readonly what: "publish"; readonly subject: string; readonly bytes: Uint8Array }
  | { readonly what: "subscribe"; readonly id: number; readonly subject: string }
  | { readonly what: "cancel"; readonly id: number }
  | { readonly what: "reply"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly what: "info"; readonly info: JsonObject }
  | { readonly what: "floor"; readonly name: string; readonly epoch: number };

/** What the thread sees without asking. */
interface View {
  readonly name: string;
  readonly leaseMs: number;
  readonly isConnected: boolean;
  readonly reconnects: number;
  readonly members: readonly Member[];
}

/** To the thread. */
type FromCluster =
  | { readonly what: "view"; readonly view: View }
  | { readonly what: "result"; readonly id: number; readonly value: unknown }
  | { readonly what: "problem"; readonly id: number; readonly kind: ClusterProblem | "range"; readonly text: string }
  /** `id` of the subscription, `reply` of the message, to answer it. */
  | {
      readonly what: "message";
      readonly id: number;
      readonly reply: number;
      readonly subject: string;
      readonly bytes: Uint8Array;
    };

/** How often the thread's view is brought up to date. */
const VIEW_EVERY_MS = 50;
/** Messages that can still be answered; an answer to an older one is dropped. */
const MAX_UNANSWERED = 1_024;

/** Gives a member to the thread at the other end of a port, until either closes. */
export function serveCluster(cluster: Cluster, port: MessagePort): void {
  const subscriptions = new Map<number, Cancel>();
  const unanswered = new Map<number, ClusterMessage>();
  let lastReply = 0;
  let shown = "";
  const send = (message: FromCluster): void => port.postMessage(message);
  const show = (): void => {
    const { name, leaseMs, isConnected, reconnects } = cluster;
    const view: View = { name, leaseMs, isConnected, reconnects, members: cluster.members() };
    const text = JSON.stringify(view);
    if (text !== shown) send({ what: "view", view });
    shown = text;
  };
  const timer = setInterval(show, VIEW_EVERY_MS);
  const onMessage = (message: ClusterMessage, id: number): void => {
    lastReply += 1;
    unanswered.set(lastReply, message);
    const [oldest] = unanswered.keys();
    if (unanswered.size > MAX_UNANSWERED && oldest !== undefined) unanswered.delete(oldest);
    send({ what: "message", id, reply: lastReply, subject: message.subject, bytes: message.bytes });
  };
  port.on("message", (message: ToCluster) => {
    switch (message.what) {
      case "call": {
        const { id, call, args } = message;
        (cluster[call] as (...args: readonly unknown[]) => Promise<unknown>)(...args).then(
          (value) => send({ what: "result", id, value }),
          (error: unknown) => {
            const kind =
              error instanceof ClusterError ? error.problem : error instanceof RangeError ? "range" : "disconnected";
            send({ what: "problem", id, kind, text: error instanceof Error ? error.message : String(error) });
          },
        );
        break;
      }
      case "publish":
        cluster.publish(message.subject, message.bytes);
        break;
      case "subscribe":
        subscriptions.set(
          message.id,
          cluster.subscribe(message.subject, (each) => onMessage(each, message.id)),
        );
        break;
      case "cancel":
        subscriptions.get(message.id)?.();
        subscriptions.delete(message.id);
        break;
      case "reply":
        unanswered.get(message.id)?.reply(message.bytes);
        unanswered.delete(message.id);
        break;
      case "info":
        cluster.setInfo(message.info);
        show();
        break;
      case "floor":
        cluster.raiseFloor(message.name, message.epoch);
        break;
    }
  });
  port.on("close", () => {
    clearInterval(timer);
    for (const cancel of subscriptions.values()) cancel();
  });
  show();
}

/** The member that `serveCluster` gives at the other end. Resolves when it has answered. */
export function connectCluster(port: MessagePort): Promise<Cluster> {
  return new Promise((resolve) => {
    const member = new PortMember(port, () => resolve(member));
  });
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class PortMember implements Cluster {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #handlers = new Map<number, (message: ClusterMessage) => void>();
  #view: View = { name: "", leaseMs: 0, isConnected: false, reconnects: 0, members: [] };
  #lastId = 0;
  #isClosed = false;

  constructor(port: MessagePort, opened: () => void) {
    this.#port = port;
    port.on("message", (message: FromCluster) => {
      this.#take(message);
      opened();
    });
    port.on("close", () => this.#ended());
  }

  get name(): string {
    return this.#view.name;
  }

  get leaseMs(): number {
    return this.#view.leaseMs;
  }

  get isConnected(): boolean {
    return this.#view.isConnected && !this.#isClosed;
  }

  get reconnects(): number {
    return this.#view.reconnects;
  }

  members(): readonly Member[] {
    return this.#view.members;
  }

  setInfo(info: JsonObject): void {
    this.#send({ what: "info", info });
  }

  publish(subject: string, bytes: Uint8Array): void {
    checkClusterName(subject);
    checkClusterBytes(bytes);
    this.#send({ what: "publish", subject, bytes });
  }

  subscribe(subject: string, handler: (message: ClusterMessage) => void): Cancel {
    checkClusterName(subject);
    this.#lastId += 1;
    const id = this.#lastId;
    this.#handlers.set(id, handler);
    this.#send({ what: "subscribe", id, subject });
    return () => {
      if (this.#handlers.delete(id)) this.#send({ what: "cancel", id });
    };
  }

  async request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return this.#call("request", subject, bytes, timeoutMs);
  }

  async claim(name: string, over?: Lease): Promise<Lease | undefined> {
    return this.#call("claim", name, over);
  }

  async renew(lease: Lease): Promise<boolean> {
    return this.#call("renew", lease);
  }

  async release(lease: Lease): Promise<void> {
    await this.#call("release", lease);
  }

  async transfer(lease: Lease, to: string): Promise<Lease | undefined> {
    return this.#call("transfer", lease, to);
  }

  async holder(name: string): Promise<Lease | undefined> {
    return this.#call("holder", name);
  }

  async leases(): Promise<readonly Lease[]> {
    return this.#call("leases");
  }

  raiseFloor(name: string, epoch: number): void {
    this.#send({ what: "floor", name, epoch });
  }

  async putSnapshot(name: string, snapshot: Snapshot): Promise<void> {
    await this.#call("putSnapshot", name, snapshot);
  }

  async getSnapshot(name: string): Promise<Snapshot | undefined> {
    return this.#call("getSnapshot", name);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#call("close");
    this.#ended();
    this.#port.close();
  }

  #call<N extends CallName>(call: N, ...args: Parameters<Calls[N]>): ReturnType<Calls[N]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new ClusterError("disconnected", `Member ${this.name} has closed`);
      this.#lastId += 1;
      // The answer is that of the call.
      this.#waiting.set(this.#lastId, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ what: "call", id: this.#lastId, call, args });
    }) as ReturnType<Calls[N]>;
  }

  #send(message: ToCluster): void {
    if (!this.#isClosed) this.#port.postMessage(message);
  }

  #take(message: FromCluster): void {
    switch (message.what) {
      case "view":
        this.#view = message.view;
        break;
      case "result":
        this.#waiting.get(message.id)?.resolve(message.value);
        this.#waiting.delete(message.id);
        break;
      case "problem": {
        const { id, kind, text } = message;
        this.#waiting.get(id)?.reject(kind === "range" ? new RangeError(text) : new ClusterError(kind, text));
        this.#waiting.delete(id);
        break;
      }
      case "message": {
        const { id, reply, subject, bytes } = message;
        let isAnswered = false;
        this.#handlers.get(id)?.({
          subject,
          bytes,
          reply: (answer) => {
            if (isAnswered) return;
            isAnswered = true;
            this.#send({ what: "reply", id: reply, bytes: answer });
          },
        });
        break;
      }
    }
  }

  #ended(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values())
      reject(new ClusterError("disconnected", `Member ${this.name} has closed`));
    this.#waiting.clear();
  }
}
