/** Both directions of a WebSocket connection, read from beside it as a `Tap` reads those over TCP. */
import type { ProtocolWith, Side, Tapped } from "../../protocols/index.ts";
import { type CarriedByWebSocket, overWebSocket } from "./carried.ts";

/** The HTTP request of a client, or the answer to it. */
const HANDSHAKE = "handshake";

export class WebSocketTap {
  readonly #directions: Readonly<Record<Side, CarriedByWebSocket>>;
  readonly #isHeadRead = { client: false, server: false };

  /** Throws `RangeError` for an unknown dialect. */
  constructor(protocol: ProtocolWith<"openChannel">, dialect: string) {
    this.#directions = {
      client: overWebSocket(protocol, dialect, "client", false),
      server: overWebSocket(protocol, dialect, "server", false),
    };
  }

  /** Takes bytes of a sender, split and joined anywhere. Throws `WireError` when that direction cannot be read any further. */
  push(sender: Side, bytes: Uint8Array): void {
    this.#directions[sender].push(bytes);
  }

  /** What the sender sent next, first its HTTP head (`handshake`); undefined when more bytes are needed. Throws like `push`. */
  next(sender: Side): Tapped | undefined {
    const direction = this.#directions[sender];
    const { head } = direction;
    if (head !== undefined && !this.#isHeadRead[sender]) {
      this.#isHeadRead[sender] = true;
      return { unframed: head, what: HANDSHAKE };
    }
    return direction.next();
  }

  /** Bytes held of what is not complete. */
  pendingBytes(sender: Side): number {
    return this.#directions[sender].pendingBytes;
  }
}
