/**
 * The **input** of a session: carried bytes are counted against its budgets, and its channel turns them into messages.
 *
 * While the session waits, for the check of a login or as a player from a banned address, the connection is not read: what
 * the client has sent stays in the channel and in the kernel, and is read when the player has joined. So a client may send
 * its login and its first moves in one segment, and a client without an account cannot make the server hold more than one
 * read.
 */
import type { Channel, WireMessage } from "wirewalk/protocol";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { LinkTraffic } from "../worlds/hosted-world.ts";
import type { Budgets } from "./budgets.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { Link } from "./links.ts";
import type { SessionRates } from "./session-rates.ts";
import { TokenBucket } from "./token-bucket.ts";

/** The session whose input it is. */
export interface InputOwner {
  /** Messages are read while it is `open`. */
  readonly inputState: "open" | "waiting" | "over";
  received(message: WireMessage, payload: Uint8Array): void;
  end(reason: DisconnectReason, detail?: string): void;
}

export interface SessionInputOptions {
  readonly owner: InputOwner;
  readonly link: Link;
  readonly channel: Channel;
  readonly traffic: LinkTraffic;
  readonly budgets: Pick<Budgets, "websocketFragments">;
  readonly rates: SessionRates;
  readonly stalls: Stalls;
  readonly log: LogBudget;
  /** Bytes have been read: runs what is overdue in any world. */
  readonly keepUp: () => void;
  /** Bytes that the channel takes next, for a recording. */
  readonly taken: (bytes: Uint8Array) => void;
}

export class SessionInput {
  readonly #options: SessionInputOptions;
  readonly #owner: InputOwner;
  readonly #channel: Channel;
  /** The counts of the world in which the player is. */
  traffic: LinkTraffic;
  #bytes: TokenBucket;
  #messages: TokenBucket;
  readonly #refused: TokenBucket;
  /**
   * WebSocket messages that came in the same read of the socket as the login: at most 64 KiB, since nothing more is read
   * until the login is checked.
   */
  #held: Uint8Array[] = [];
  /** The peer's WebSocket has answered: a live client, which may have nothing to send. */
  #answers = false;
  /** Fair times: see `Stalls`. */
  #receivedMs: number;
  #unfinishedMs: number | undefined;
  #finishedMessages = 0;

  constructor(options: SessionInputOptions) {
    const { rates, stalls } = options;
    this.#options = options;
    this.#owner = options.owner;
    this.#channel = options.channel;
    this.traffic = options.traffic;
    this.#bytes = new TokenBucket(rates.bytes, stalls);
    this.#messages = new TokenBucket(rates.messages, stalls);
    this.#refused = new TokenBucket(rates.refused, stalls);
    this.#receivedMs = stalls.fairNow();
  }

  get answers(): boolean {
    return this.#answers;
  }

  /** When bytes last came, in fair time. */
  get receivedMs(): number {
    return this.#receivedMs;
  }

  /** Since when a frame is unfinished, in fair time. */
  get unfinishedMs(): number | undefined {
    return this.#unfinishedMs;
  }

  /** From now on the peer may send as much as a player from a banned address. */
  restrict(): void {
    const { rates, stalls } = this.#options;
    this.#bytes = new TokenBucket(rates.strictBytes, stalls);
    this.#messages = new TokenBucket(rates.strictMessages, stalls);
  }

  /** Bytes have arrived and are not parsed yet. */
  carried(bytes: number): void {
    const { link, budgets, stalls, keepUp } = this.#options;
    if (this.#owner.inputState === "over") return;
    this.traffic.bytesIn += bytes;
    keepUp();
    this.#receivedMs = stalls.fairNow();
    if (!this.#bytes.take(bytes)) {
      this.#owner.end("byte-rate");
      return;
    }
    const { meter } = link;
    if (meter === undefined) return;
    if (meter.mostFragments > budgets.websocketFragments) {
      this.#owner.end("fragments", `a message of ${meter.mostFragments} frames`);
      return;
    }
    this.#noteUnfinished(meter.unfinished, meter.messages !== this.#finishedMessages);
    this.#finishedMessages = meter.messages;
  }

  control(): void {
    if (this.#owner.inputState === "over") return;
    this.#answers = true;
    if (!this.#messages.take(1)) this.#owner.end("message-rate", "control frames");
  }

  /** A part of the stream, or one whole message of a WebSocket. */
  content(bytes: Uint8Array): void {
    const { inputState } = this.#owner;
    if (inputState === "over") return;
    if (inputState === "waiting" && this.#options.link.kind === "websocket") {
      this.#held.push(bytes);
      return;
    }
    let broken: unknown;
    this.#options.taken(bytes);
    try {
      this.#channel.push(bytes);
    } catch (error) {
      broken = error;
    }
    // Frames that were complete before the stream broke are read.
    this.#readOn();
    if (broken !== undefined) this.#owner.end("broken-stream", errorText(broken));
  }

  /** Reads what came while the session waited. */
  readHeld(): void {
    this.#readOn();
    for (const bytes of this.#held.splice(0)) this.content(bytes);
  }

  /** The idle time begins anew: while the session waited nothing was read. */
  restart(): void {
    this.#receivedMs = this.#options.stalls.fairNow();
  }

  /** The session is over. */
  drop(): void {
    this.#held = [];
  }

  #readOn(): void {
    let read = 0;
    while (this.#owner.inputState === "open") {
      let received: ReturnType<Channel["next"]>;
      try {
        received = this.#channel.next();
      } catch (error) {
        this.#owner.end("broken-stream", errorText(error));
        return;
      }
      if (received === undefined) break;
      read += 1;
      if (!this.#messages.take(1)) {
        this.#owner.end("message-rate");
        return;
      }
      this.traffic.messagesIn += 1;
      if (received.error === undefined) {
        this.#owner.received(received.message, received.payload);
        continue;
      }
      this.traffic.refusedPayloads += 1;
      this.#options.log.info({ error: received.error.toJSON() }, "payload refused");
      if (!this.#refused.take(1)) {
        this.#owner.end("bad-payloads", received.error.message);
        return;
      }
    }
    if (this.#options.link.carrier === "stream") this.#noteUnfinished(this.#channel.pendingBytes > 0, read > 0);
  }

  /** The age of an unfinished frame counts from its first byte; a finished frame starts the count anew. */
  #noteUnfinished(unfinished: boolean, finishedOne: boolean): void {
    if (!unfinished || this.#owner.inputState === "waiting") this.#unfinishedMs = undefined;
    else if (finishedOne || this.#unfinishedMs === undefined) {
      this.#unfinishedMs = this.#options.stalls.fairNow();
    }
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
