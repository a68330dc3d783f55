/**
 * HTTP connections that are no WebSocket. They end by HTTP's own time limits; where there are too many, the oldest without a
 * request goes first, of the newcomer's own address if that has its share. So silent sockets delay nobody's page.
 */
import type { Socket } from "node:net";

/** The part of all HTTP connections that one address may have before it only replaces its own. */
const SHARE_OF_ADDRESS = 0.25;

interface Connection {
  /** Undefined for a named proxy, behind which are many. */
  readonly address: string | undefined;
  requests: number;
}

export class HttpConnections {
  readonly #limit: number;
  readonly #ofAddress = new Map<string, number>();
  /** The oldest first. */
  readonly #connections = new Map<Socket, Connection>();
  /** Connections that gave way to another. */
  evicted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** A new connection. */
  add(socket: Socket, address: string | undefined): void {
    const share = Math.max(1, Math.floor(this.#limit * SHARE_OF_ADDRESS));
    if (address !== undefined && (this.#ofAddress.get(address) ?? 0) >= share) this.#evict(address);
    if (this.#connections.size >= this.#limit) this.#evict();
    this.#connections.set(socket, { address, requests: 0 });
    if (address !== undefined) this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    socket.once("close", () => this.remove(socket));
  }

  /** A request of this connection is being answered until `done` is called. */
  request(socket: Socket): () => void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return () => {};
    connection.requests += 1;
    return () => {
      connection.requests -= 1;
    };
  }

  /** The connection is closed, or has become a WebSocket. */
  remove(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    if (connection.address === undefined) return;
    const count = (this.#ofAddress.get(connection.address) ?? 1) - 1;
    if (count === 0) this.#ofAddress.delete(connection.address);
    else this.#ofAddress.set(connection.address, count);
  }

  /** Ends the oldest connection without a request; one with a request only when all have one. */
  #evict(address?: string): void {
    let oldest: Socket | undefined;
    for (const [socket, connection] of this.#connections) {
      if (address !== undefined && connection.address !== address) continue;
      oldest ??= socket;
      if (connection.requests > 0) continue;
      oldest = socket;
      break;
    }
    if (oldest === undefined) return;
    this.evicted += 1;
    this.remove(oldest);
    oldest.destroy();
  }
}
