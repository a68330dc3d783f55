/** A **web listener**: HTTP and WebSocket upgrades on one address, with TLS where it has a certificate. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket, Server as TcpServer } from "node:net";
import { createSecureContext } from "node:tls";
import type { Logger } from "pino";
import type { HttpConnections } from "./http-connections.ts";

/** Requests for pages and probes are small. */
const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const;
/**
 * A browser needs some ten for a page, a probe one in 15 s. A client that sends 20,000 requests at once and waits for no answer is
 * served a read of the socket, 1,400 of them, before anybody else: 20,000 requests for metrics took 2 s of a core.
 */
const REQUESTS_PER_CONNECTION = 100;
/** For the TLS handshake, as for the headers. */
const HANDSHAKE_MS = 5_000;

/** A certificate with its chain and its key, as PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Throws `Error` for a certificate or key that cannot be used, or that do not belong together. */
export function checkCertificate({ cert, key }: Certificate): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot use the certificate or its key: ${why}`, { cause: error });
  }
}

export interface WebListenerOptions {
  readonly certificate: Certificate | undefined;
  readonly connections: HttpConnections;
  /** Takes a connection that has not made a request yet. */
  readonly connected: (socket: Socket) => void;
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

export class WebListener {
  readonly #server;
  readonly #secure: ReturnType<typeof createTlsServer> | undefined;
  address: { readonly host: string; readonly port: number } | undefined;

  /** Throws like {@link checkCertificate}. */
  constructor({ certificate, connections, connected, request, upgrade }: WebListenerOptions) {
    const answer = (asked: IncomingMessage, response: ServerResponse): void => {
      response.once("close", connections.request(asked.socket));
      request(asked, response);
    };
    if (certificate === undefined) {
      this.#server = createServer(HTTP_LIMITS, answer);
      this.#server.on("connection", connected);
    } else {
      checkCertificate(certificate);
      const options = {
        ...HTTP_LIMITS,
        ...certificate,
        minVersion: "TLSv1.2",
        handshakeTimeout: HANDSHAKE_MS,
      } as const;
      this.#secure = createTlsServer(options, answer);
      this.#server = this.#secure;
      this.#watchHandshakes(this.#secure, connections, connected);
    }
    this.#server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
    this.#server.on("dropRequest", (_asked, socket) => socket.destroy());
    // Without a listener Node asks for the body (`100 Continue`) before anybody knows whether it is wanted.
    this.#server.on("checkContinue", answer);
    this.#server.on("upgrade", (asked, socket, head) => upgrade(asked, socket as Socket, head));
  }

  get isSecure(): boolean {
    return this.#secure !== undefined;
  }

  /** Resolves when it listens; rejects with an `Error` that names the address. */
  async listen(host: string, port: number, log: Logger): Promise<void> {
    this.address = await listenOn(this.#server, host, port, log);
  }

  /** Listens on a Unix socket. */
  listenAt(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, ACCEPT_QUEUE, resolve);
    });
  }

  /** For new connections. Throws like {@link checkCertificate}: then the certificate before stays. */
  setCertificate(certificate: Certificate): void {
    checkCertificate(certificate);
    this.#secure?.setSecureContext(certificate);
  }

  close(): Promise<void> {
    const closed = closeServer(this.#server);
    this.#server.closeAllConnections();
    return closed;
  }

  /** Before its handshake a connection is one socket, after it another one that takes its place. */
  #watchHandshakes(
    server: ReturnType<typeof createTlsServer>,
    connections: HttpConnections,
    connected: (socket: Socket) => void,
  ): void {
    const raw = new Map<string, Socket>();
    const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
    server.on("connection", (socket: Socket) => {
      const key = keyOf(socket);
      raw.set(key, socket);
      socket.once("close", () => {
        if (raw.get(key) === socket) raw.delete(key);
      });
      connected(socket);
    });
    server.on("secureConnection", (socket) => {
      const before = raw.get(keyOf(socket));
      if (before !== undefined) connections.remove(before);
      raw.delete(keyOf(socket));
      connected(socket);
    });
    // A peer that speaks no TLS, or refuses the certificate.
    server.on("tlsClientError", (_error, socket) => socket.destroy());
  }
}

/**
 * Connections that wait to be accepted; the kernel may allow fewer (Linux: `somaxconn`, 4,096). Node's 511 overflow when 2,000
 * clients connect within a second, and the first bytes of those beyond were 1 to 7 s late.
 */
const ACCEPT_QUEUE = 4_096;

/** Listens; an `Error` names the address when that fails. */
export function listenOn(
  server: TcpServer,
  host: string,
  port: number,
  log: Logger,
): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const why = error.code === "EADDRINUSE" ? "the port is in use" : error.message;
      reject(new Error(`Cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    };
    server.once("error", fail);
    server.listen(port, host, ACCEPT_QUEUE, () => {
      server.off("error", fail);
      // For example too many open files: that connection is lost, the listener goes on.
      server.on("error", (error) => log.error({ err: error }, "a connection could not be accepted"));
      const address = server.address() as AddressInfo;
      resolve({ host: address.address, port: address.port });
    });
  });
}

export function closeServer(server: TcpServer): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
}
