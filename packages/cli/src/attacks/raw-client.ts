/** A TCP connection of an attacker: any bytes out, and what came back. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { CannotRun } from "./outcome.ts";

/** Bytes of the server that are kept. */
const MAX_KEPT = 256 * 1024;

/** The server accepts at once or not at all. */
const CONNECT_MS = 10_000;

export interface RawAddress {
  readonly host: string;
  readonly port: number;
  /** One of this machine's loopback addresses: 127.0.0.0/8 on Linux. */
  readonly localAddress?: string | undefined;
}

export class RawClient {
  readonly socket: Socket;
  /** The first bytes of the server. */
  received: Buffer = Buffer.alloc(0);
  /** The server ended the connection, or it broke. */
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes) => {
      if (this.received.length < MAX_KEPT) this.received = Buffer.concat([this.received, bytes]);
    });
    const closed = (): void => {
      this.isClosed = true;
    };
    // A reset by the server is a close.
    socket.on("error", closed);
    socket.on("end", closed);
    socket.on("close", closed);
  }

  /** Connects. Throws {@link CannotRun} when the address of the attacker is not one of this machine. */
  static async to({ host, port, localAddress }: RawAddress): Promise<RawClient> {
    const socket = connect({ host, port, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
    const client = new RawClient(socket);
    const timer = setTimeout(() => socket.destroy(new Error("the connection was not accepted")), CONNECT_MS);
    try {
      await once(socket, "connect");
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      const from = localAddress === undefined ? "" : ` from ${localAddress}`;
      throw new CannotRun(`no connection to ${host}:${port}${from}: ${code}`);
    } finally {
      clearTimeout(timer);
    }
    return client;
  }

  send(bytes: Uint8Array | string): void {
    if (this.socket.writable) this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  get text(): string {
    return this.received.toString("latin1");
  }

  drop(): void {
    this.socket.destroy();
  }
}
