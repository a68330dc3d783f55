/**
 * The **proxies** that the operator has named. The client's address is what they send; what any other peer sends as
 * one is ignored.
 *
 * ```ts
 * const proxies = new TrustedProxies(["192.0.2.0/24"]);
 * proxies.clientOf("192.0.2.1", "203.0.113.9, 198.51.100.7"); // "198.51.100.7"
 * proxies.clientOf("198.51.100.7", "203.0.113.9"); // "198.51.100.7"
 * ```
 */
import { BlockList, isIP, isIPv4, type Socket } from "node:net";
import type { Clock } from "wirewalk/net";
import { plainAddress } from "../bans/ban-key.ts";
import { readProxyHeader } from "./proxy-header.ts";

/** Addresses of an `X-Forwarded-For` that are looked at, from the right. */
const MAX_HOPS = 32;
/** A proxy sends its header at once. */
const HEADER_MS = 5_000;
/** Connections of proxies whose header has not come. */
const MAX_WAITING = 1_000;

export class TrustedProxies {
  readonly #networks = new BlockList();
  readonly #isEmpty: boolean;
  readonly #waiting = new Set<Socket>();

  /** Throws `RangeError` for a text that is neither an address nor a network, as `10.0.0.0/8`. */
  constructor(networks: readonly string[]) {
    this.#isEmpty = networks.length === 0;
    for (const text of networks) {
      const [address = "", bits, ...rest] = text.split("/");
      const family = isIP(address);
      const longest = family === 4 ? 32 : 128;
      const prefix = bits === undefined ? longest : Number(bits);
      if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? "0") || prefix > longest) {
        throw new RangeError(
          `${text} is neither an address nor a network: it must look like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32`,
        );
      }
      this.#networks.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
    }
  }

  has(address: string): boolean {
    const plain = this.#isEmpty ? undefined : plainAddress(address);
    return plain !== undefined && this.#networks.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  }

  /**
   * The address of an HTTP client: the peer's own, or behind named proxies the rightmost of `X-Forwarded-For` that is not
   * one of them. What stands left of it was said by the client.
   */
  clientOf(peer: string, forwardedFor: string | undefined): string {
    let client = peer;
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(",").slice(-MAX_HOPS);
    while (this.has(client)) {
      const hop = hops.pop();
      const address = hop === undefined ? undefined : addressIn(hop.trim());
      if (address === undefined) return client;
      client = address;
    }
    return client;
  }

  /**
   * Reads the PROXY header of a connection from a named proxy, then calls `open` with the client's address, or the proxy's own
   * where it names none; what came after the header is the connection's first data. Otherwise calls `refuse` and closes.
   */
  readHeader(
    socket: Socket,
    { peer, clock }: { readonly peer: string; readonly clock: Clock },
    open: (client: string) => void,
    refuse: (why: string) => void,
  ): void {
    if (this.#waiting.size >= MAX_WAITING) {
      refuse("too many connections wait for their PROXY header");
      socket.destroy();
      return;
    }
    this.#waiting.add(socket);
    let held = Buffer.alloc(0);
    let isOver = false;
    const end = (why: string | undefined): void => {
      if (isOver) return;
      isOver = true;
      this.#waiting.delete(socket);
      cancel();
      socket.off("data", onData);
      socket.off("close", onClose);
      if (why === undefined) return;
      refuse(why);
      socket.destroy();
    };
    const onData = (bytes: Buffer): void => {
      held = Buffer.concat([held, bytes]);
      const header = readProxyHeader(held);
      if (header.state === "incomplete") return;
      end(header.state === "invalid" ? `PROXY header refused: ${header.why}` : undefined);
      if (header.state === "invalid") return;
      const rest = held.subarray(header.bytes);
      open(header.client === undefined ? peer : (plainAddress(header.client) ?? peer));
      if (rest.length > 0 && !socket.destroyed) socket.unshift(rest);
    };
    const onClose = (): void => end("the connection closed before its PROXY header");
    const cancel = clock.after(HEADER_MS, () => end(`no PROXY header within ${HEADER_MS} ms`));
    socket.on("data", onData);
    socket.on("close", onClose);
  }

  /** Closes the connections that wait for their header. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }
}

/** The address of a hop: `192.0.2.7`, `192.0.2.7:80`, `2001:db8::1`, `[2001:db8::1]:80`. */
function addressIn(hop: string): string | undefined {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(hop)?.[1];
  return plainAddress(bracketed ?? withPort ?? hop);
}
