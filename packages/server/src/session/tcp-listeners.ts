/** The **TCP listeners** of a server, one for each world with a port. A connection of a named proxy begins with a PROXY header. */
import { createServer, type Socket, type Server as TcpServer } from "node:net";
import type { Logger } from "pino";
import type { Clock } from "wirewalk/net";
import type { TrustedProxies } from "../admission/trusted-proxies.ts";
import { closeServer, listenOn } from "../http/web-listener.ts";
import type { RunningListener } from "../server-options.ts";
import { type Link, remoteAddress, TcpLink } from "./links.ts";

/** What the listeners need of their server. */
export interface TcpContext {
  readonly clock: Clock;
  readonly proxies: TrustedProxies;
  /** A connection has come in: runs what is overdue in any world. */
  readonly keepUp: () => void;
  readonly connect: (world: string, link: Link, room: string | undefined) => void;
  /** A proxy sent no valid header; the connection is closed. */
  readonly refused: (world: string, proxy: string, why: string) => void;
}

/** Where a world listens. */
export interface TcpAddress {
  readonly world: string;
  readonly protocol: string;
  readonly dialect: string;
  readonly host: string;
  readonly port: number;
  /** The room that its players ask for. */
  readonly room?: string;
}

export class TcpListeners {
  readonly running: RunningListener[] = [];
  readonly #context: TcpContext;
  readonly #servers: TcpServer[] = [];

  constructor(context: TcpContext) {
    this.#context = context;
  }

  /** Listens for players of a world; rejects with an `Error` that names the address. */
  async listen({ world, protocol, dialect, host, port, room }: TcpAddress, log: Logger): Promise<RunningListener> {
    const server = createServer({ noDelay: true }, (socket) => {
      // Without a listener, an error of a link that is refused would end the process.
      socket.on("error", () => {});
      this.#accept(world, room, socket);
    });
    this.#servers.push(server);
    const place = room === undefined ? {} : { room };
    const running = { world, protocol, dialect, ...place, ...(await listenOn(server, host, port, log)) };
    this.running.push(running);
    return running;
  }

  /** Accepts no more connections; resolves when those that there were are closed. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(closeServer));
  }

  #accept(world: string, room: string | undefined, socket: Socket): void {
    const { clock, proxies, keepUp, connect, refused } = this.#context;
    keepUp();
    const peer = remoteAddress(socket);
    const open = (client: string): void => connect(world, new TcpLink(socket, clock, client), room);
    if (proxies.has(peer)) proxies.readHeader(socket, { peer, clock }, open, (why) => refused(world, peer, why));
    else open(peer);
  }
}
