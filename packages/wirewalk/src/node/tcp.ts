/**
 * TCP as a transport.
 *
 * ```ts
 * import { connectTcp } from "wirewalk/node";
 *
 * const transport = await connectTcp({ host: "127.0.0.1", port: 5555 });
 * transport.listen({ bytes: (bytes) => console.log(bytes), closed: (reason) => console.log(reason) });
 * transport.send(new Uint8Array([7, 0, 0, 8, 2, 0xc0, 1, 0xa0, 0]));
 * ```
 *
 * @module
 */
import { connect, type Socket } from "node:net";
import { Inbox, type Transport } from "../net/index.ts";

/**
 * How long a closing connection may take to send what is queued and to receive the peer's close. Otherwise a peer that has
 * stopped reading would hold our memory without a limit.
 */
const CLOSE_GRACE_MS = 1000;

/** Where to connect to. */
export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

export interface SocketOptions extends TcpAddress {
  readonly localAddress?: string | undefined;
  /** The connection fails after this time. Default: the system's. */
  readonly connectMs?: number | undefined;
}

/** Connects. Rejects with an `Error` that names the address and the system's code, such as `ECONNREFUSED`. */
export async function connectTcp(address: TcpAddress): Promise<Transport> {
  return tcpTransport(await openSocket(address));
}

/** A connected socket. Rejects like {@link connectTcp}. */
export function openSocket({ host, port, localAddress, connectMs }: SocketOptions): Promise<Socket> {
  const from = localAddress === undefined ? "" : ` from ${localAddress}`;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) });
    const late = (): void => void socket.destroy(new Error(`not accepted within ${connectMs} ms`));
    const timer = connectMs === undefined ? undefined : setTimeout(late, connectMs);
    const refuse = (cause: Error): void => {
      clearTimeout(timer);
      reject(new Error(`Cannot connect to ${host}:${port}${from}: ${errorCode(cause)}`, { cause }));
    };
    socket.once("error", refuse);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", refuse);
      resolve(socket);
    });
  });
}

/**
 * A connected socket as a transport, which takes the socket over. Nothing is read before `listen`, so that a peer cannot
 * fill our memory: its bytes wait in the system's buffers.
 */
export function tcpTransport(socket: Socket): Transport {
  const inbox = new Inbox();
  let reason: string | undefined;
  let closing = false;

  const end = (why: string): void => {
    reason ??= why;
    if (closing) return;
    closing = true;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
    socket.once("close", () => clearTimeout(timer));
  };

  socket.setNoDelay(true);
  socket.on("error", (error) => {
    reason ??= `connection lost: ${errorCode(error)}`;
  });
  socket.on("end", () => end("closed by peer"));
  if (socket.closed) inbox.closed("connection lost");
  else socket.on("close", () => inbox.closed(reason ?? "connection lost"));

  return {
    carrier: "stream",
    get queuedBytes() {
      return socket.destroyed ? 0 : socket.writableLength;
    },
    listen(events) {
      inbox.listen(events);
      // A plain Uint8Array: `slice` of a Buffer would be a view, where the receiver expects a copy.
      socket.on("data", (data: Buffer) => inbox.bytes(new Uint8Array(data.buffer, data.byteOffset, data.length)));
    },
    send(bytes) {
      if (!closing && socket.writable) socket.write(bytes);
    },
    close(why = "closed") {
      if (socket.closed) return;
      inbox.mute();
      end(why);
      // Unread bytes would turn the close into a reset, and the peer would lose what we sent before it.
      socket.resume();
    },
  };
}

/** The system's code of an error, or its message. */
export function errorCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
