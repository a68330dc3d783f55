/**
 * Who may use the web side. A page of any site can make a browser send requests here, under a name that its owner points at
 * this machine (DNS rebinding), so requests are answered under known names only, and a WebSocket is opened for pages of these
 * names only.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isLoopbackAddress, plainAddress } from "../bans/ban-key.ts";

/** What of a request decides. */
export type Asking = Pick<IncomingMessage, "headers" | "socket">;

export interface WebNames {
  /** Names beside those of loopback, without port: `play.example.org`. */
  readonly publicHosts: readonly string[];
  /** Origins whose pages may open WebSockets, beside those of the own names: `https://example.org`. */
  readonly allowedOrigins: readonly string[];
}

/**
 * True when the request names this server: a loopback name, a public host, or the very address at which the connection arrived.
 * A rebound name is a name and never an address.
 */
export function isOwnHost({ headers, socket }: Asking, { publicHosts }: WebNames): boolean {
  const name = hostName(headers.host);
  if (name === undefined) return false;
  if (isLoopbackName(name) || publicHosts.some((each) => each.toLowerCase() === name)) return true;
  return isIP(name) !== 0 && plainAddress(name) === plainAddress(socket.localAddress ?? "");
}

/** Browsers send the page's origin; other programs send none. */
export function isAllowedOrigin(request: Asking, names: WebNames): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || names.allowedOrigins.includes(origin)) return true;
  if (host === undefined || !isOwnHost(request, names) || !URL.canParse(origin)) return false;
  return new URL(origin).host === host.toLowerCase();
}

/** `localhost`, names under it, 127.0.0.0/8 and ::1: a resolver never sends these elsewhere (RFC 6761, 6.3). */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

/** The name in a `Host` header, without port, brackets and a final dot, in small letters. Undefined for an invalid header. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/\\@?#[\]]+?)\.?)(?::\d{1,5})?$/i.exec(header ?? "");
  const name = (match?.[1] ?? match?.[2])?.toLowerCase();
  return match?.[1] !== undefined && isIP(match[1]) !== 6 ? undefined : name;
}
