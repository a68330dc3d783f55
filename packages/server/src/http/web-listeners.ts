/**
 * The **web listeners** of a server: `http` for games and probes, `admin` for the page, its feed and the metrics where it has
 * an address of its own, and the WebSocket handshakes of both.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { Clock } from "wirewalk/net";
import { WebSocketServer } from "ws";
import type { Place } from "../admission/places.ts";
import type { TrustedProxies } from "../admission/trusted-proxies.ts";
import { peerOf } from "../bans/ban-key.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ServerOptions } from "../server-options.ts";
import type { Budgets } from "../session/budgets.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import { remoteAddress, WebSocketLink } from "../session/links.ts";
import type { JoinRequest } from "../session/session.ts";
import { AdminToken } from "./admin-token.ts";
import { type HttpSources, httpAnswers, refuseUpgrade } from "./http-answers.ts";
import { HttpConnections } from "./http-connections.ts";
import { isLoopbackName, type WebNames } from "./web-access.ts";
import { checkCertificate, WebListener } from "./web-listener.ts";
import { judgeUpgrade } from "./web-upgrade.ts";
import { handshakeOf } from "./websocket-handshake.ts";

export const LOOPBACK = "127.0.0.1";
const TOKEN_KEY_BYTES = 32;

export type WebOptions = Pick<
  ServerOptions,
  "host" | "http" | "admin" | "adminToken" | "publicHosts" | "allowedOrigins" | "certificate" | "trustedProxies"
> & {
  /** A Unix socket instead: its peer is the main thread of this server, which has checked names, origins and the token. */
  readonly socketPath?: string | undefined;
};

/** What the listeners need of their server. */
export interface WebContext {
  readonly runtime: Pick<Runtime, "randomBytes">;
  readonly budgets: Pick<Budgets, "httpConnections" | "websocketMessageBytes">;
  readonly clock: Clock;
  readonly proxies: TrustedProxies;
  readonly isDraining: () => boolean;
  /** Takes a WebSocket of a world that another thread has; false for any other. */
  readonly forward?: (listener: string, upgrade: ForwardedUpgrade) => boolean;
  /** Bytes are read: runs what is overdue in any world. */
  readonly keepUp: () => void;
  /** Whether a world has this name. */
  readonly isWorld: (name: string) => boolean;
  /** A place for a connection, or the reason of a refusal, which is counted. `evict` ends the connection. */
  readonly take: (listener: string, address: string, evict: () => void) => Place | DisconnectReason;
  readonly leave: (place: Place) => void;
  /** Opens a session of a world or of the page's feed. */
  readonly open: (listener: string, link: WebSocketLink, place: Place, joinRequest: JoinRequest) => WebSession;
}

export interface WebSession {
  end(reason: DisconnectReason, detail: string | undefined, withinMs: number): void;
}

/** A request for a WebSocket, which may have it. */
export interface ForwardedUpgrade extends Upgrade {
  /** That of the client. */
  readonly address: string;
}

/** A request for a WebSocket. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
}

export class WebListeners {
  readonly #options: WebOptions;
  readonly #context: WebContext;
  readonly #names: WebNames;
  readonly #token: AdminToken | undefined;
  /** Whether `http` has the page, its feed and the metrics. */
  readonly #hasPage: boolean;
  readonly #connections: HttpConnections;
  readonly #webSockets: WebSocketServer;
  #http: WebListener | undefined;
  #admin: WebListener | undefined;

  /** Throws `RangeError` or `Error` for options with which it cannot listen. */
  constructor(options: WebOptions, context: WebContext) {
    const { publicHosts = [], allowedOrigins = [], admin, adminToken, certificate, host = LOOPBACK } = options;
    if (admin !== undefined && !isLoopbackName(admin.host ?? LOOPBACK) && adminToken === undefined) {
      throw new RangeError(`Cannot open the admin listener at ${admin.host} to others without a token`);
    }
    if (certificate !== undefined) checkCertificate(certificate);
    this.#options = options;
    this.#context = context;
    this.#names = { publicHosts, allowedOrigins };
    this.#token =
      adminToken === undefined ? undefined : new AdminToken(adminToken, context.runtime.randomBytes(TOKEN_KEY_BYTES));
    // What a proxy on this machine forwards comes from others.
    const isPublic = !isLoopbackName(host) || publicHosts.length > 0 || !!options.trustedProxies?.length;
    this.#hasPage =
      options.socketPath !== undefined || (admin === undefined && (!isPublic || adminToken !== undefined));
    this.#connections = new HttpConnections(context.budgets.httpConnections);
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: context.budgets.websocketMessageBytes,
    });
  }

  get httpAddress(): { readonly host: string; readonly port: number } | undefined {
    return this.#http?.address;
  }

  /** Where the page, its feed and the metrics are; undefined when they are nowhere. */
  get adminAddress(): { readonly host: string; readonly port: number } | undefined {
    if (this.#options.admin !== undefined) return this.#admin?.address;
    return this.#hasPage ? this.#http?.address : undefined;
  }

  async listen(sources: HttpSources, log: Logger): Promise<void> {
    const { http, admin, host = LOOPBACK, socketPath } = this.#options;
    if (socketPath !== undefined) {
      this.#http = this.#listener(sources, false);
      await this.#http.listenAt(socketPath);
      return;
    }
    if (http !== undefined) {
      this.#http = this.#listener(sources, false);
      await this.#http.listen(host, http, log);
    }
    if (admin !== undefined) {
      this.#admin = this.#listener(sources, true);
      await this.#admin.listen(admin.host ?? LOOPBACK, admin.port, log);
    }
  }

  /** See `RunningServer.reload`. */
  reload({ certificate, adminToken }: Pick<ServerOptions, "certificate" | "adminToken">): void {
    if (certificate !== undefined) checkCertificate(certificate);
    if (adminToken !== undefined) this.#token?.change(adminToken);
    if (certificate === undefined) return;
    this.#http?.setCertificate(certificate);
    this.#admin?.setCertificate(certificate);
  }

  async close(): Promise<void> {
    await Promise.all([this.#http?.close(), this.#admin?.close()]);
  }

  /** The address of the client, where the peer is its proxy. */
  clientOf(request: IncomingMessage): string {
    const forwarded = forwardedFor(request);
    if (this.#options.socketPath !== undefined) return forwarded ?? "unknown";
    return this.#context.proxies.clientOf(remoteAddress(request.socket), forwarded);
  }

  #listener(sources: HttpSources, isAdmin: boolean): WebListener {
    const { host = LOOPBACK } = this.#options.admin ?? {};
    // Nobody can listen in on loopback.
    const isPlain = isAdmin && isLoopbackName(host);
    const certificate = isPlain ? undefined : this.#options.certificate;
    const hasPage = isAdmin || this.#hasPage;
    const access = { names: this.#names, hasPage, token: this.#token, isSecure: certificate !== undefined };
    return new WebListener({
      certificate,
      connections: this.#connections,
      // HTTP connections are not counted as sessions.
      connected: (socket) => {
        const peer = remoteAddress(socket);
        this.#connections.add(socket, this.#context.proxies.has(peer) ? undefined : peerOf(peer));
      },
      request: httpAnswers(sources, access),
      upgrade: (request, socket, head) => this.#upgrade({ request, socket, head }, hasPage),
    });
  }

  #upgrade({ request, socket, head }: Upgrade, hasPage: boolean): void {
    const { keepUp, isDraining, isWorld } = this.#context;
    keepUp();
    socket.on("error", () => {});
    const worlds = { isDraining: isDraining(), isWorld, hasPage };
    const asked = judgeUpgrade(request, { ...worlds, names: this.#names, token: this.#token });
    if ("status" in asked) refuseUpgrade(socket, asked.status, asked.why);
    else if (
      this.#context.forward?.(asked.listener, { request, socket, head, address: this.clientOf(request) }) === true
    )
      this.#connections.remove(socket);
    else this.#shakeHands(asked.listener, asked.joinRequest, { request, socket, head });
  }

  /** Completes the handshake of a WebSocket, if there is a place. */
  #shakeHands(listener: string, joinRequest: JoinRequest, { request, socket, head }: Upgrade): void {
    const { clock, take, leave, open } = this.#context;
    const address = this.clientOf(request);
    let session: WebSession | undefined;
    const place = take(listener, address, () => {
      if (session === undefined) socket.destroy();
      else session.end("evicted", undefined, 0);
    });
    if (typeof place === "string") {
      refuseUpgrade(socket, 503, place);
      return;
    }
    this.#connections.remove(socket);
    // A handshake that `ws` refuses never becomes a session.
    socket.once("close", () => {
      if (session === undefined) leave(place);
    });
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      session = open(
        listener,
        new WebSocketLink(webSocket, socket, clock, address, handshakeOf(request)),
        place,
        joinRequest,
      );
    });
  }
}

function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const value = headers["x-forwarded-for"];
  return Array.isArray(value) ? value.join(",") : value;
}
