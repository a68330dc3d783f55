/**
 * A **connection** of the simulation: a server's `Link` at one end, a client's `Transport` at the other, two pipes between
 * them that delay, hold back, cut and join bytes. What a kernel would hold is bounded as there; what it does not take waits
 * in the server's queue.
 */
import type { Random } from "wirewalk/motion";
import type { Cancel, Clock, Transport, TransportEvents, VirtualClock } from "wirewalk/net";
import type { Carrier } from "wirewalk/wire";
import { FrameMeter } from "../../http/websocket-frames.ts";
import { type DisconnectReason, endsAtOnce } from "../../session/disconnect.ts";
import type { Link, LinkEvents, LinkKind } from "../../session/links.ts";
import type { Line } from "./network.ts";
import { Pipe } from "./pipe.ts";
import type { SimulatedProcess } from "./process.ts";

/** Bytes that kernels hold on their way to a client that does not read. */
const WINDOW_BYTES = 16 * 1024;
/** As Node: a socket reports that it has drained when this much waited. */
const DRAIN_BYTES = 16 * 1024;
/** As in `links.ts`. */
const LINGER_MS = 1_000;
/** As in `links.ts`: pings of a WebSocket, and how many of them may be unanswered. */
const KEEP_ALIVE_MS = 30_000;
const MAX_UNANSWERED = 2;
/** The kernel's probes of a silent TCP connection: nine, 75 s apart, after 30 s of silence. */
const KERNEL_PROBES_MS = KEEP_ALIVE_MS + 9 * 75_000;
/** The frame that a client puts around a short WebSocket message. */
const CLIENT_FRAME_BYTES = 6;

export interface ConnectionOptions {
  readonly base: VirtualClock;
  readonly process: SimulatedProcess;
  readonly kind: LinkKind;
  readonly address: string;
  readonly line: Line;
  readonly random: Random;
  /** A turn of the server's event loop. Default 1. */
  readonly turnMs?: number;
  /** The client polls, and receives what the server wrote as it was carried. Default false. */
  readonly polls?: boolean;
}

export class Connection {
  readonly link: ServerEnd;
  readonly transport: ClientEnd;
  readonly #base: VirtualClock;
  readonly #up: Pipe;
  readonly #down: Pipe;

  constructor({ base, process, kind, address, line, random, turnMs = 1, polls = false }: ConnectionOptions) {
    this.#base = base;
    const carrier: Carrier = kind === "tcp" ? "stream" : "message";
    this.#up = new Pipe({ base, carrier, line, random: random.fork(), run: (call) => process.read(call), turnMs });
    this.#down = new Pipe({ base, carrier, line, random: random.fork(), run: (call) => call(), polls });
    this.link = new ServerEnd(process, kind, address, this.#up, this.#down);
    this.transport = new ClientEnd(base, carrier, this.#up, this.#down, polls);
  }

  /** The longest delay of a message in either direction. A client answers what it has received, so both delay what it does. */
  get worstDelayMs(): number {
    return Math.max(this.#up.worstDelayMs, this.#down.worstDelayMs);
  }

  /** Nothing arrives at either end until then: packets are sent again afterwards. */
  block(untilMs: number): void {
    this.#up.block(untilMs);
    this.#down.block(untilMs);
  }

  /** The client does not read until then. */
  stopReading(untilMs: number): void {
    this.#down.block(untilMs);
  }

  /** The client says that it will send no more, and goes on reading. */
  halfClose(): void {
    this.#up.end("half-closed");
  }

  /** Both ends learn that the connection broke. */
  reset(): void {
    this.#up.reset();
    this.#down.reset();
  }

  /** The client's machine is gone without a word; the server learns nothing. */
  vanish(): void {
    this.#up.cut();
    this.#down.cut();
    this.link.peerIsLost();
    this.#base.after(KERNEL_PROBES_MS, () => this.link.probesFailed());
    this.transport.lose("vanished");
  }

  /** The server's process is gone: its kernel answers with a reset. */
  serverDied(): void {
    this.#up.cut();
    this.#down.reset();
  }
}

class ServerEnd implements Link {
  readonly kind: LinkKind;
  readonly carrier: Carrier;
  readonly address: string;
  readonly meter: FrameMeter | undefined;
  readonly #process: SimulatedProcess;
  readonly #clock: Clock;
  readonly #up: Pipe;
  readonly #down: Pipe;
  #events: LinkEvents | undefined;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #mostQueued = 0;
  #closing = false;
  /** The reason to send once the queue is empty. */
  #goodbye: string | undefined;
  #peerEnded = false;
  #gone = false;
  #isPeerLost = false;
  #unanswered = 0;
  #stopPings: Cancel | undefined;
  #cancel: Cancel | undefined;

  constructor(process: SimulatedProcess, kind: LinkKind, address: string, up: Pipe, down: Pipe) {
    this.kind = kind;
    this.carrier = kind === "tcp" ? "stream" : "message";
    this.address = address;
    this.meter = kind === "tcp" ? undefined : new FrameMeter();
    this.#process = process;
    this.#clock = process.clock;
    this.#up = up;
    this.#down = down;
    up.listen({
      bytes: (bytes) => this.#read(bytes),
      ended: () => {
        this.#peerEnded = true;
        this.#finish();
      },
      reset: () => this.#over("peer-error"),
    });
    down.onTaken = () => {
      if (this.#queue.length > 0) process.read(() => this.#pump());
      else if (this.#goodbye !== undefined || this.#peerEnded) process.read(() => this.#finish());
    };
  }

  /** True once the server knows that the connection is over. */
  get isGone(): boolean {
    return this.#gone;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  listen(events: LinkEvents): void {
    this.#events = events;
    this.#up.start();
    if (this.kind === "tcp") return;
    this.#process.runtime.soon(() => this.#ping());
    this.#stopPings = this.#clock.every(KEEP_ALIVE_MS, () => this.#ping());
  }

  /** The peer's machine is gone: nothing answers any more. */
  peerIsLost(): void {
    this.#isPeerLost = true;
  }

  /** The kernel's probes of a TCP connection have failed. */
  probesFailed(): void {
    if (this.kind === "tcp") this.#process.read(() => this.#over("peer-error"));
  }

  /** The peer's answer comes with its next bytes; what matters here is only whether one comes. */
  #ping(): void {
    if (this.#closing) return;
    if (!this.#isPeerLost) this.#events?.control();
    else if (this.#unanswered >= MAX_UNANSWERED) this.#over("peer-error");
    this.#unanswered += 1;
  }

  write(frames: Uint8Array): void {
    if (!this.#process.isAlive || this.#closing || this.#gone || this.#peerEnded) return;
    this.#queue.push(frames);
    this.#queuedBytes += frames.length;
    this.#pump();
    this.#mostQueued = Math.max(this.#mostQueued, this.#queuedBytes);
  }

  pause(): void {
    this.#up.pause();
  }

  resume(): void {
    this.#up.resume();
  }

  close(reason: DisconnectReason, withinMs: number): void {
    if (this.#closing || !this.#process.isAlive) return;
    this.#closing = true;
    if (endsAtOnce(reason) || withinMs <= 0) {
      this.#destroy(this.kind === "tcp" ? undefined : reason);
      return;
    }
    this.#cancel = this.#clock.after(withinMs, () => this.#destroy(undefined));
    this.#up.resume();
    this.#goodbye = this.kind === "tcp" ? "closed by peer" : reason;
    this.#finish(Math.min(LINGER_MS, withinMs));
  }

  destroy(): void {
    this.#closing = true;
    if (this.#process.isAlive) this.#destroy(undefined);
  }

  #destroy(reason: string | undefined): void {
    if (this.#gone) return;
    if (reason === undefined) this.#down.reset();
    else this.#down.end(reason);
    this.#up.cut();
    this.#process.runtime.soon(() => this.#over("peer-closed"));
  }

  #read(bytes: Uint8Array): void {
    // After our end, bytes are read and dropped, so that the peer's end is seen.
    if (this.#closing || this.#events === undefined) return;
    this.#events.carried(this.kind === "tcp" ? bytes.length : bytes.length + CLIENT_FRAME_BYTES);
    if (!this.#closing) this.#events.content(bytes);
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#down.bytesInside < WINDOW_BYTES) {
      const frames = this.#queue.shift() as Uint8Array;
      this.#queuedBytes -= frames.length;
      this.#down.send(frames);
    }
    if (this.#queue.length > 0) return;
    const drained = this.#mostQueued > DRAIN_BYTES;
    this.#mostQueued = 0;
    if (drained && !this.#gone) this.#process.runtime.soon(() => this.#events?.drained());
    this.#finish();
  }

  /** Sends the end once everything has left, and is over once the peer has ended too. */
  #finish(lingerMs = LINGER_MS): void {
    if (this.#gone || this.#queue.length > 0) return;
    if (this.#goodbye !== undefined) {
      this.#down.end(this.#goodbye);
      this.#goodbye = undefined;
      this.#cancel?.();
      this.#cancel = this.#clock.after(lingerMs, () => this.#destroy(undefined));
    }
    if (!this.#peerEnded) return;
    this.#down.end("closed by peer");
    this.#over("peer-closed");
  }

  #over(reason: "peer-closed" | "peer-error"): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#closing = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#stopPings?.();
    this.#cancel?.();
    this.#events?.closed(reason);
  }
}

class ClientEnd implements Transport {
  readonly carrier: Carrier;
  readonly #polls: boolean;
  readonly #base: VirtualClock;
  readonly #up: Pipe;
  readonly #down: Pipe;
  #events: TransportEvents | undefined;
  #closing = false;
  #over = false;

  constructor(base: VirtualClock, carrier: Carrier, up: Pipe, down: Pipe, polls: boolean) {
    this.carrier = carrier;
    this.#polls = polls;
    this.#base = base;
    this.#up = up;
    this.#down = down;
  }

  get queuedBytes(): number {
    return this.#closing ? 0 : this.#up.bytesInside;
  }

  listen(events: TransportEvents): void {
    this.#events = events;
    this.#down.listen({
      bytes: (bytes) => {
        if (this.#closing) return;
        if (this.#polls || this.carrier === "stream") events.bytes(bytes);
        else for (const message of serverMessages(bytes)) events.bytes(message);
      },
      ended: (reason) => {
        this.#up.end(reason);
        this.#finish(reason);
      },
      reset: () => this.#finish("connection lost"),
    });
    if (!this.#polls) this.#base.after(0, () => this.#down.start());
  }

  /** For a client that polls: gives everything that has arrived. */
  poll(): void {
    if (!this.#closing) this.#down.poll();
  }

  send(bytes: Uint8Array): void {
    if (!this.#closing) this.#up.send(bytes);
  }

  close(reason = "closed"): void {
    if (this.#closing) return;
    this.#closing = true;
    // Nobody polls any more: what arrives is read and dropped.
    this.#down.start();
    this.#up.end(reason);
    this.#base.after(0, () => this.#finish(reason));
  }

  /** The end without a word to the server. */
  lose(reason: string): void {
    this.#closing = true;
    this.#base.after(0, () => this.#finish(reason));
  }

  #finish(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#closing = true;
    this.#events?.closed(reason);
  }
}

/** The messages in whole unmasked WebSocket frames. */
export function* serverMessages(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  while (at < bytes.length) {
    const short = bytes[at + 1] ?? 0;
    let [head, length] = [2, short];
    if (short === 126) [head, length] = [4, ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)];
    else if (short === 127) throw new Error("A simulated server sends no message of 64 KiB");
    if (bytes[at] !== 0x82 || at + head + length > bytes.length)
      throw new Error("A write is not whole WebSocket frames");
    yield bytes.subarray(at + head, at + head + length);
    at += head + length;
  }
}
