/**
 * **Links**: one connection as a session sees it, the same for TCP and WebSocket. A write is always whole frames, so a
 * carrier's own frames (pongs, close frames) never come between the bytes of one.
 */
import type { Socket } from "node:net";
import type { Cancel, Clock } from "wirewalk/net";
import type { Carrier } from "wirewalk/wire";
import { startsWithProxyHeader } from "../admission/proxy-header.ts";
import { FrameMeter } from "../http/websocket-frames.ts";
import type { WebSocketHandshake } from "../http/websocket-handshake.ts";
import { closeCode, closeText, type DisconnectReason, endsAtOnce } from "./disconnect.ts";

/** How a session is carried, as metrics name it. */
export type LinkKind = "tcp" | "websocket";

/** How long the peer may take to close its side after our last byte has left. */
const LINGER_MS = 1_000;
/** Interval of pings to every WebSocket; the kernel probes silent TCP connections. */
const KEEP_ALIVE_MS = 30_000;
/** Unanswered pings after which a WebSocket is dead. Not one: after a stall of this process the answer is still unread. */
const MAX_UNANSWERED = 2;

export interface LinkEvents {
  /** So many bytes have arrived; called before they are parsed. */
  carried(bytes: number): void;
  /** A part of the stream, or one whole message. */
  content(bytes: Uint8Array): void;
  /** A WebSocket text message; without this handler it is a misuse. */
  text?(text: string): void;
  /** A control frame of the carrier, which counts as a message: a ping, a pong. */
  control(): void;
  /** The carrier itself is misused. */
  misused(reason: DisconnectReason, detail: string): void;
  /** Everything that was queued has left. */
  drained(): void;
  /** The connection is closed; called once. */
  closed(reason: "peer-closed" | "peer-error"): void;
}

/** Both ends of a connection: the client's, and where it connected to. */
export interface LinkEnds {
  readonly client: { readonly address: string; readonly port: number };
  readonly server: { readonly address: string; readonly port: number };
}

/** Sees the bytes of a link as they are carried, in their order. They are valid during the call. */
export interface LinkTap {
  received(bytes: Uint8Array): void;
  sent(bytes: Uint8Array): void;
}

export interface Link {
  readonly kind: LinkKind;
  readonly carrier: Carrier;
  /** The remote address. */
  readonly address: string;
  /** Bytes given to `write` that have not left. */
  readonly queuedBytes: number;
  /** Follows the carrier's own frames, for carriers with frames. */
  readonly meter: FrameMeter | undefined;
  /** Undefined for a link without sockets. */
  readonly ends?: LinkEnds | undefined;
  /** What a carrier with a handshake has exchanged before its first frame, as far as a capture needs it. */
  readonly handshake?: WebSocketHandshake | undefined;
  listen(events: LinkEvents): void;
  /** Shows the bytes to a tap from now on, or no longer. */
  tap?(tap: LinkTap | undefined): void;
  /** Whole frames, in one write. */
  write(frames: Uint8Array): void;
  /** Stops reading: what the peer sends waits in the kernel. */
  pause(): void;
  resume(): void;
  /**
   * Sends the text where the carrier can, by default the reason's name, lets queued bytes leave for at most `withinMs`,
   * then ends.
   */
  close(reason: DisconnectReason, withinMs: number, text?: string): void;
  /** Ends now. */
  destroy(): void;
}

/** `::ffff:1.2.3.4` is 1.2.3.4 on a socket for both families. */
export function remoteAddress(socket: Socket): string {
  const address = socket.remoteAddress ?? "unknown";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

/** A socket's ends; `address` is the client's, where its peer is a proxy. Read it while the socket is open. */
function endsOf(socket: Socket, address: string): LinkEnds | undefined {
  const { remotePort, localAddress = "unknown", localPort = 0 } = socket;
  // A Unix socket has none.
  if (remotePort === undefined) return undefined;
  return { client: { address, port: remotePort }, server: { address: localAddress, port: localPort } };
}

export class TcpLink implements Link {
  readonly kind = "tcp";
  readonly carrier = "stream";
  readonly meter = undefined;
  readonly address: string;
  readonly ends: LinkEnds | undefined;
  readonly #socket: Socket;
  readonly #clock: Clock;
  #tap: LinkTap | undefined;
  #closing = false;
  #cancel: Cancel | undefined;

  /** `address` is that of the client where the peer is its proxy. */
  constructor(socket: Socket, clock: Clock, address = remoteAddress(socket)) {
    this.address = address;
    this.ends = endsOf(socket, address);
    this.#socket = socket;
    this.#clock = clock;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  listen(events: LinkEvents): void {
    let failed = false;
    let isFirst = true;
    this.#socket.on("data", (bytes) => {
      this.#tap?.received(bytes);
      // After our end, bytes are read and dropped, so that the peer's end is seen.
      if (this.#closing) return;
      if (isFirst && startsWithProxyHeader(bytes)) {
        events.misused("untrusted-proxy", "a PROXY header from a peer that is not a named proxy");
        return;
      }
      isFirst = false;
      events.carried(bytes.length);
      if (!this.#closing) events.content(bytes);
    });
    this.#socket.on("drain", () => events.drained());
    this.#socket.on("error", () => {
      failed = true;
    });
    this.#socket.on("close", () => {
      this.#cancel?.();
      events.closed(failed ? "peer-error" : "peer-closed");
    });
  }

  tap(tap: LinkTap | undefined): void {
    this.#tap = tap;
  }

  write(frames: Uint8Array): void {
    if (this.#closing || !this.#socket.writable) return;
    this.#tap?.sent(frames);
    this.#socket.write(frames);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(reason: DisconnectReason, withinMs: number): void {
    if (this.#closing) return;
    this.#closing = true;
    if (endsAtOnce(reason) || withinMs <= 0) {
      this.#socket.destroy();
      return;
    }
    this.#cancel = this.#clock.after(withinMs, () => this.#socket.destroy());
    this.#socket.resume();
    this.#socket.end(() => {
      this.#cancel?.();
      if (this.#socket.destroyed) return;
      this.#cancel = this.#clock.after(Math.min(LINGER_MS, withinMs), () => this.#socket.destroy());
    });
  }

  destroy(): void {
    this.#closing = true;
    this.#socket.destroy();
  }
}

/**
 * What a link needs of a `WebSocket` of `ws`. That package has no types of its own, and the declarations of ours lead here: a project that
 * checks the declarations of its libraries could not be compiled with an import of its types.
 */
interface CarryingWebSocket {
  readonly readyState: number;
  readonly OPEN: number;
  on(event: "message", listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: "ping" | "pong", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  send(text: Buffer, options: { readonly binary: boolean }): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, text: string): void;
  terminate(): void;
}

export class WebSocketLink implements Link {
  readonly kind = "websocket";
  readonly carrier = "message";
  readonly meter = new FrameMeter();
  readonly address: string;
  readonly ends: LinkEnds | undefined;
  readonly handshake: WebSocketHandshake | undefined;
  readonly #webSocket: CarryingWebSocket;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #stopPings: Cancel;
  #closing = false;
  #failed = false;
  #unansweredPings = 0;
  #cancel: Cancel | undefined;
  #tap: LinkTap | undefined;
  #isWatchingWrites = false;

  /**
   * `socket` is the one that the handshake was made on: players' messages are written to it directly. `address` is that of
   * the client where the peer is its proxy.
   */
  constructor(
    webSocket: CarryingWebSocket,
    socket: Socket,
    clock: Clock,
    address = remoteAddress(socket),
    handshake?: WebSocketHandshake,
  ) {
    this.address = address;
    this.ends = endsOf(socket, address);
    this.handshake = handshake;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#clock = clock;
    this.#stopPings = clock.every(KEEP_ALIVE_MS, () => this.#ping());
    // At once: its answer is the first sign of a client that has nothing to send.
    webSocket.ping();
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  listen(events: LinkEvents): void {
    // Before the listener of `ws`, so that bytes are counted before they are parsed.
    this.#socket.prependListener("data", (bytes: Buffer) => {
      this.#tap?.received(bytes);
      if (this.#closing) return;
      this.#unansweredPings = 0;
      this.meter.push(bytes);
      events.carried(bytes.length);
    });
    this.#socket.on("drain", () => events.drained());
    this.#webSocket.on("message", (data, isBinary) => {
      if (this.#closing) return;
      if (isBinary) events.content(data as Buffer);
      else if (events.text !== undefined) events.text(String(data));
      else events.misused("text-message", "Only binary messages are read here");
    });
    const control = (): void => {
      if (!this.#closing) events.control();
    };
    this.#webSocket.on("ping", control);
    this.#webSocket.on("pong", control);
    this.#webSocket.on("error", (error) => {
      this.#failed = true;
      // `ws` refused a frame and has sent a close frame.
      if (!this.#closing && "code" in error && String(error.code).startsWith("WS_ERR_")) {
        events.misused("broken-stream", error.message);
      }
    });
    this.#socket.on("close", () => {
      this.#stopPings();
      this.#cancel?.();
      events.closed(this.#failed ? "peer-error" : "peer-closed");
    });
  }

  /** Also the frames that `ws` writes by itself: pings, pongs, the close frame. */
  tap(tap: LinkTap | undefined): void {
    this.#tap = tap;
    if (tap === undefined || this.#isWatchingWrites) return;
    this.#isWatchingWrites = true;
    const socket = this.#socket;
    const write = socket.write.bind(socket) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
    socket.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      this.#tap?.sent(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      return write(chunk, ...rest);
    };
  }

  write(frames: Uint8Array): void {
    // Nothing may follow a close frame.
    if (!this.#closing && this.#webSocket.readyState === this.#webSocket.OPEN) this.#socket.write(frames);
  }

  /** A text message; its bytes may be shared by many links. */
  writeText(text: Buffer): void {
    if (!this.#closing) this.#webSocket.send(text, { binary: false });
  }

  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    this.#webSocket.resume();
  }

  close(reason: DisconnectReason, withinMs: number, text: string = reason): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#webSocket.close(closeCode(reason), closeText(text));
    const atOnce = endsAtOnce(reason);
    // A hostile peer receives the reason and is not read any more; others are read until their close frame.
    if (atOnce) this.#webSocket.pause();
    else this.#webSocket.resume();
    if (withinMs <= 0) {
      this.#webSocket.terminate();
      return;
    }
    const withinLimit = atOnce ? Math.min(LINGER_MS, withinMs) : withinMs;
    this.#cancel = this.#clock.after(withinLimit, () => this.#webSocket.terminate());
  }

  destroy(): void {
    this.#closing = true;
    this.#webSocket.terminate();
  }

  #ping(): void {
    if (this.#closing) return;
    if (this.#unansweredPings >= MAX_UNANSWERED) {
      this.#failed = true;
      this.#webSocket.terminate();
      return;
    }
    this.#unansweredPings += 1;
    this.#webSocket.ping();
  }
}
