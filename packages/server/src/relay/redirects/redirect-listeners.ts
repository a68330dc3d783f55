/**
 * The listeners of a relay beside its first one: each leads to an address that the relayed server has sent a client to. A relay must not
 * become an open proxy, so that only such clients may connect, for a short time, and only to such addresses.
 */
import { createServer, isIP, isIPv4, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Cancel, Clock } from "wirewalk/net";
import type { RedirectAddress } from "wirewalk/protocol";
import { isLoopbackAddress } from "../../bans/ban-key.ts";

/** Where a relay sends clients that its server sends elsewhere. */
export interface RedirectOptions {
  /** The IPv4 address that clients are sent to, for a relay behind NAT. Default: the one at which the client reached the relay. */
  readonly advertise?: string;
  /**
   * The only hosts that redirects may lead to, as the server names them. Default: every address of one machine, but a loopback
   * address only where the relayed server is at one itself.
   */
  readonly hosts?: readonly string[];
  /** Listeners at the same time. Default 32. */
  readonly maxListeners?: number;
}

export interface RedirectListenersOptions extends RedirectOptions {
  readonly clock: Clock;
  /** Where the relay itself listens. Read when a listener is opened: its port may have been 0 before. */
  readonly own: () => { readonly host: string; readonly port: number };
  /** A client that may connect has connected. Its socket is not read yet. */
  readonly accept: (client: Socket, to: RedirectAddress) => void;
  /** A client that may not connect has connected. Its socket is reset. */
  readonly refused: (client: Socket, reason: string) => void;
}

/** The connection over which the server has sent its client elsewhere. */
export interface RedirectedEnds {
  readonly client: string | undefined;
  /** Where the client has reached the relay. */
  readonly relay: string | undefined;
  readonly server: string | undefined;
}

interface Listener {
  readonly server: Server;
  readonly to: RedirectAddress;
  readonly port: number;
  /** Addresses of clients, and until when each may connect. */
  readonly grants: Map<string, number>;
  connections: number;
  /** When it was last opened, granted or left. */
  usedMs: number;
}

const MAX_LISTENERS = 32;
/** A client connects at once; one that is slow to load has this long. */
export const GRANT_MS = 60_000;
/** A listener without connections is closed after this time. */
export const UNUSED_MS = 300_000;
const SWEEP_MS = 10_000;
/** Clients that may connect to one listener at the same time; those whose time is over do not count. */
const MAX_GRANTS = 1_000;

export class RedirectListeners {
  readonly #options: RedirectListenersOptions;
  readonly #listeners = new Map<string, Listener>();
  /** Listeners that are being opened. */
  readonly #opening = new Map<string, Promise<Listener>>();
  #stopSweep: Cancel | undefined;
  #isClosed = false;

  /** Throws `RangeError` for an address to advertise that is no IPv4. */
  constructor(options: RedirectListenersOptions) {
    if (options.advertise !== undefined && !isIPv4(options.advertise)) {
      throw new RangeError(
        `${options.advertise} is no IPv4 address, and messages that send clients elsewhere hold no other`,
      );
    }
    this.#options = options;
  }

  get count(): number {
    return this.#listeners.size;
  }

  /** Lets a client connect to a listener that leads to an address, and returns where it is. Throws `Error` with the reason. */
  async open(to: RedirectAddress, ends: RedirectedEnds): Promise<RedirectAddress> {
    const host = this.#hostFor(ends);
    this.#check(to, ends);
    const listener = await this.#obtain(to);
    const { grants } = listener;
    const nowMs = this.#options.clock.now();
    for (const [address, untilMs] of grants) if (untilMs <= nowMs) grants.delete(address);
    if (grants.size >= MAX_GRANTS) throw new Error(`${MAX_GRANTS} clients are on their way there already`);
    grants.set(plain(ends.client), nowMs + GRANT_MS);
    listener.usedMs = nowMs;
    return { host, port: listener.port };
  }

  close(): void {
    this.#isClosed = true;
    this.#stopSweep?.();
    for (const key of [...this.#listeners.keys()]) this.#drop(key);
  }

  #hostFor({ relay }: RedirectedEnds): string {
    const host = this.#options.advertise ?? plain(relay);
    if (isIPv4(host)) return host;
    throw new Error(
      `the client has reached the relay at ${host}, and the message holds an IPv4 address: name one (--advertise)`,
    );
  }

  #check({ host, port }: RedirectAddress, { server }: RedirectedEnds): void {
    const { hosts, own } = this.#options;
    if (port === 0) throw new Error(`${host} without a port is no server`);
    if (hosts !== undefined) {
      if (!hosts.includes(host)) throw new Error(`${host} is not among the hosts that redirects may lead to`);
    } else if (!isOfOneMachine(host)) throw new Error(`${host} is no address of a server`);
    else if (isLoopbackAddress(host) && !isLoopbackAddress(server ?? "")) {
      throw new Error(`${host} is another machine seen from its server: allow it (--redirect-host) where it is not`);
    }
    const ports = [own().port, ...[...this.#listeners.values()].map((listener) => listener.port)];
    if (ports.includes(port) && isBoundTo(own().host, host)) throw new Error("it is the relay itself");
  }

  async #obtain(to: RedirectAddress): Promise<Listener> {
    const key = `${to.host}:${to.port}`;
    const present = this.#listeners.get(key) ?? (await this.#opening.get(key));
    if (present !== undefined) return present;
    const { maxListeners = MAX_LISTENERS } = this.#options;
    if (this.#listeners.size + this.#opening.size >= maxListeners) this.#dropUnused(this.#options.clock.now());
    if (this.#listeners.size + this.#opening.size >= maxListeners) {
      throw new Error(`all of the ${maxListeners} listeners for redirects are in use`);
    }
    const opening = this.#listen(to, key).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  async #listen(to: RedirectAddress, key: string): Promise<Listener> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    // The same number where it is free: it may be one that a firewall knows.
    const port = await bind(server, this.#options.own().host, to.port).catch(() =>
      bind(server, this.#options.own().host, 0),
    );
    if (this.#isClosed) {
      server.close();
      throw new Error("the relay is closed");
    }
    // Such as too many open files: that connection is lost, the relay goes on.
    server.on("error", () => {});
    const { clock } = this.#options;
    const listener: Listener = { server, to, port, grants: new Map(), connections: 0, usedMs: clock.now() };
    server.on("connection", (client) => this.#connected(listener, client));
    this.#listeners.set(key, listener);
    this.#stopSweep ??= clock.every(SWEEP_MS, () => this.#sweep());
    return listener;
  }

  #connected(listener: Listener, client: Socket): void {
    client.on("error", () => {});
    const { clock, accept, refused } = this.#options;
    const untilMs = listener.grants.get(plain(client.remoteAddress)) ?? -Infinity;
    if (clock.now() > untilMs) {
      refused(client, "its server has not sent this client here");
      client.resetAndDestroy();
      return;
    }
    listener.connections += 1;
    client.once("close", () => {
      listener.connections -= 1;
      listener.usedMs = clock.now();
    });
    accept(client, listener.to);
  }

  #sweep(): void {
    this.#dropUnused(this.#options.clock.now() - UNUSED_MS);
    if (this.#listeners.size > 0) return;
    this.#stopSweep?.();
    this.#stopSweep = undefined;
  }

  /** Closes the listeners that were last used at a time or before, unless they have connections or a client may still connect. */
  #dropUnused(atMs: number): void {
    const nowMs = this.#options.clock.now();
    for (const [key, { connections, grants, usedMs }] of this.#listeners) {
      const isAwaited = [...grants.values()].some((untilMs) => untilMs > nowMs);
      if (connections === 0 && !isAwaited && usedMs <= atMs) this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#listeners.get(key)?.server.close();
    this.#listeners.delete(key);
  }
}

/** Binds a server and returns its port. Throws what the system says. */
function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(error);
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve((server.address() as { readonly port: number }).port);
    });
  });
}

/** An IPv4 address that a socket shows within IPv6, as it is. */
function plain(address = ""): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

/** Not one of a network, a group of machines, or a link that only one cable has. */
function isOfOneMachine(host: string): boolean {
  const [first = 0, second = 0] = host.split(".").map(Number);
  return isIPv4(host) && first > 0 && first < 224 && !(first === 169 && second === 254);
}

/** Whether a server that is bound to an address receives what is sent to a host. */
function isBoundTo(bound: string, host: string): boolean {
  if (plain(bound) === host) return true;
  const isEvery = isIP(bound) === 0 || bound === "0.0.0.0" || bound === "::";
  if (!isEvery) return false;
  const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  return isLoopbackAddress(host) || addresses.includes(host);
}
