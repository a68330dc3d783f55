/**
 * What reads a connection of a relay, chosen by its first bytes: WebSocket when the client begins with an HTTP request, otherwise the
 * game's frames over TCP.
 */
import { WebSocketTap } from "wirewalk/capture";
import {
  openTap,
  type ProtocolWith,
  type SavedChannel,
  type Side,
  type StreamOptionValues,
  type Tap,
  type Tapped,
} from "wirewalk/protocol";

/** A game as a relay reads it. */
export interface ReadGame {
  readonly protocol: ProtocolWith<"openChannel">;
  readonly dialect: string;
  /** Of the game's tap and of its packet streams. */
  readonly options: StreamOptionValues;
}

/** The first bytes of a WebSocket connection (RFC 6455, 4.1). The client sends them before the server sends anything. */
const REQUEST = Buffer.from("GET ");

/** Reads both directions of one connection. */
export class ConnectionTap {
  readonly #game: ReadGame;
  readonly #tcp: Tap;
  /** Undefined until the first bytes have decided. */
  #tap: Tap | WebSocketTap | undefined;
  /** First bytes of the client, which the tap has not received. */
  #held: Uint8Array = new Uint8Array(0);

  /** Throws `WireError` for options that the game refuses, and `RangeError` for an unknown dialect. */
  constructor(game: ReadGame, resumed?: () => unknown) {
    this.#game = game;
    this.#tcp = openTap(game.protocol, { ...game, resumed });
  }

  /** What a later connection needs to continue the session of this one. */
  get session(): unknown {
    return this.#tcp.session;
  }

  get isWebSocket(): boolean {
    return this.#tap instanceof WebSocketTap;
  }

  /** Takes bytes of a sender. Throws `WireError` when that direction cannot be read any further. */
  push(sender: Side, bytes: Uint8Array): void {
    if (sender === "server") {
      this.#tap ??= this.#tcp;
      this.#tap.push(sender, bytes);
      return;
    }
    if (this.#tap !== undefined && this.#held.length === 0) {
      this.#tap.push(sender, bytes);
      return;
    }
    this.#held = Buffer.concat([this.#held, bytes]);
    this.#tap ??= this.#chosen();
    this.#pushHeld();
  }

  /** What the sender sent next; undefined when more bytes are needed. Throws like `push`. */
  next(sender: Side): Tapped | undefined {
    if (sender === "client") this.#pushHeld();
    return this.#tap?.next(sender);
  }

  /** A payload in the game's frames over TCP. */
  frame(sender: Side, payload: Uint8Array): Uint8Array {
    return this.#tcp.frame(sender, payload);
  }

  /** The state of the channel that reads the client's frames; undefined before the first one can be read, and over WebSocket. */
  saveChannel(): SavedChannel | undefined {
    return this.#tap === this.#tcp ? this.#tcp.save("client") : undefined;
  }

  /** Bytes held of what is not complete. */
  pendingBytes(sender: Side): number {
    return (this.#tap?.pendingBytes(sender) ?? 0) + (sender === "client" ? this.#held.length : 0);
  }

  #chosen(): Tap | WebSocketTap | undefined {
    const start = this.#held.subarray(0, REQUEST.length);
    if (!REQUEST.subarray(0, start.length).equals(start)) return this.#tcp;
    if (start.length < REQUEST.length) return undefined;
    return new WebSocketTap(this.#game.protocol, this.#game.dialect);
  }

  #pushHeld(): void {
    const held = this.#held;
    if (this.#tap === undefined || held.length === 0) return;
    this.#held = new Uint8Array(0);
    this.#tap.push("client", held);
  }
}
