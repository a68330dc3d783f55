import type { Socket } from "node:net";
import { openSocket, type TcpAddress } from "./tcp.ts";

/** Where to connect to, and how. */
export interface RawClientOptions extends TcpAddress {
  /** An address of this machine to connect from: on Linux any of 127.0.0.0/8. */
  readonly localAddress?: string | undefined;
  /** Bytes that are kept in `received`; more are read and dropped. Default: all. */
  readonly keptBytes?: number;
  /** Default 10,000: a server accepts at once or not at all. */
  readonly connectMs?: number;
}

const CONNECT_MS = 10_000;

/**
 * A TCP connection without a protocol: any bytes out, and what came back. For tests of a server and attacks on it.
 *
 * ```ts
 * import { RawClient } from "wirewalk/node";
 *
 * const client = await RawClient.connect({ host: "127.0.0.1", port: 5555 });
 * client.send(new Uint8Array([0xff, 0xff]));
 * client.isClosed; // true once the server has closed the connection, or reset it
 * ```
 */
export class RawClient {
  readonly socket: Socket;
  /** The first bytes of the peer. */
  received: Buffer = Buffer.alloc(0);
  /** The peer has ended the connection, or it broke: a reset is a close. */
  isClosed = false;

  /** @param socket connected. */
  constructor(socket: Socket, keptBytes: number = Number.POSITIVE_INFINITY) {
    this.socket = socket;
    socket.on("data", (bytes) => {
      if (this.received.length < keptBytes) this.received = Buffer.concat([this.received, bytes]);
    });
    const closed = (): void => {
      this.isClosed = true;
    };
    socket.setNoDelay(true);
    socket.on("error", closed);
    socket.on("end", closed);
    socket.on("close", closed);
  }

  /** Connects. Rejects with an `Error` that names the addresses and the system's code, such as `ECONNREFUSED`. */
  static async connect<Client extends RawClient>(
    this: new (
      socket: Socket,
      keptBytes?: number,
    ) => Client,
    { keptBytes, ...address }: RawClientOptions,
  ): Promise<Client> {
    return new this(await openSocket({ connectMs: CONNECT_MS, ...address }), keptBytes);
  }

  /** Does nothing once the connection cannot be written to. A string is Latin-1. */
  send(bytes: Uint8Array | string): void {
    if (this.socket.writable) this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** The first bytes of the peer as Latin-1. */
  get text(): string {
    return this.received.toString("latin1");
  }

  /** Ends the connection now. */
  drop(): void {
    this.socket.destroy();
  }
}
