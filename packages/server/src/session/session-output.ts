/** The **output** of a session: whole frames for its peer, and how far the peer is behind with reading them. */
import type { Framing } from "wirewalk/host";
import type { Channel } from "wirewalk/protocol";
import type { Runtime } from "../runtime/runtime.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { HostedWorld, LinkTraffic } from "../worlds/hosted-world.ts";
import type { Budgets } from "./budgets.ts";
import type { Carriage } from "./carriage.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { Link } from "./links.ts";

/** The session whose output it is. */
export interface OutputOwner {
  readonly isOver: boolean;
  end(reason: DisconnectReason, detail: string): void;
}

export interface SessionOutputOptions {
  readonly owner: OutputOwner;
  readonly link: Link;
  readonly channel: Channel;
  readonly world: HostedWorld;
  readonly budgets: Pick<Budgets, "queuedBytesSoft" | "queuedBytesHard" | "slowReaderMs">;
  readonly stalls: Pick<Stalls, "fairNow">;
  readonly runtime: Pick<Runtime, "soon">;
}

export class SessionOutput {
  readonly #options: SessionOutputOptions;
  readonly #link: Link;
  readonly #carriage: Carriage;
  readonly #traffic: LinkTraffic;
  /** Since when the peer has received no broadcasts because it reads too slowly, in fair time: see `Stalls`. */
  #laggingMs: number | undefined;
  /** Bytes queued at the last check of deadlines, and since when it has been that many. */
  #queuedBytes = 0;
  #queuedSinceMs = 0;
  /** Something was written since `tookAtMs` was last asked. */
  #hasSent = false;
  #tookAtMs = 0;

  constructor(options: SessionOutputOptions) {
    const { link, world } = options;
    this.#options = options;
    this.#link = link;
    this.#carriage = world.carriage(link.kind);
    this.#traffic = world.traffic[link.kind];
  }

  get framing(): Framing {
    return this.#carriage.framing;
  }

  /** What the kernel does not take at once is queued: so much, and no more in a world that has too much queued. */
  admits(bytes: number): boolean {
    const { queuedBytes } = this.#link;
    const { budgets, world, stalls } = this.#options;
    if (queuedBytes === 0) return true;
    if (queuedBytes + bytes <= budgets.queuedBytesSoft && !world.isQueueFull) return true;
    this.#laggingMs ??= stalls.fairNow();
    return false;
  }

  /** Sends frames of {@link framing}; false when the peer reads too slowly for broadcasts. */
  deliver(bytes: Uint8Array): boolean {
    const { owner, channel, world, runtime, stalls } = this.#options;
    const before = this.#link.queuedBytes;
    this.write(this.#carriage.finish(channel, bytes, before > 0));
    const queued = this.#link.queuedBytes;
    if (queued > 0) this.#carriage.keep();
    if (queued > before) world.noteQueued(queued - before);
    const { queuedBytesSoft, queuedBytesHard } = this.#options.budgets;
    if (queued > queuedBytesHard) {
      // The delivery is running and must not be re-entered: the session ends after it.
      runtime.soon(() => owner.end("slow-reader", `${queued} bytes queued`));
    }
    if (queued <= queuedBytesSoft) return true;
    this.#laggingMs ??= stalls.fairNow();
    return false;
  }

  /** When the peer last took what it was sent, by the last call: it is alive, also when it has nothing to say. In fair time. */
  tookAtMs(nowMs: number): number {
    if (this.#hasSent && this.#link.queuedBytes === 0) {
      this.#tookAtMs = nowMs;
      this.#hasSent = false;
    }
    return this.#tookAtMs;
  }

  /** Frames as the link carries them. */
  write(frames: Uint8Array): void {
    this.#hasSent = true;
    this.#traffic.bytesOut += frames.length;
    this.#link.write(frames);
  }

  /** Everything that was queued has left: true when the peer was behind, and needs the current state. */
  caughtUp(): boolean {
    const wasLagging = this.#laggingMs !== undefined;
    this.#laggingMs = undefined;
    return wasLagging;
  }

  /** Why the peer reads too slowly to go on, if it does. Call it at every check of deadlines. */
  slowness(nowMs: number): string | undefined {
    const { slowReaderMs, queuedBytesHard } = this.#options.budgets;
    const { queuedBytes } = this.#link;
    if (this.#laggingMs !== undefined && nowMs - this.#laggingMs > slowReaderMs) return `behind for ${slowReaderMs} ms`;
    if (this.#hasReadNothingFor(slowReaderMs, nowMs)) return `read nothing for ${slowReaderMs} ms`;
    return queuedBytes > queuedBytesHard ? `${queuedBytes} bytes queued` : undefined;
  }

  /**
   * A player that is sent only unreliable messages never has much queued: that it reads nothing shows in a queue that does
   * not shrink.
   */
  #hasReadNothingFor(limitMs: number, nowMs: number): boolean {
    const { queuedBytes } = this.#link;
    if (queuedBytes === 0 || queuedBytes !== this.#queuedBytes) {
      this.#queuedBytes = queuedBytes;
      this.#queuedSinceMs = nowMs;
    }
    return nowMs - this.#queuedSinceMs > limitMs;
  }
}
