/**
 * The HTTP heads of a WebSocket for captures. Made again from what programs need that read a capture: without cookies, tokens and the
 * rest of a browser's headers.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What the heads are made of. */
export interface WebSocketHandshake {
  /** `/ws/maplestory?room=1`. */
  readonly path: string;
  readonly host: string;
  /** Of `Sec-WebSocket-Key`. */
  readonly key: string;
}

/** RFC 6455, 1.3. */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** Names of a query that are no secret. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(["account", "room"]);

export function handshakeOf({ url = "/", headers }: Pick<IncomingMessage, "url" | "headers">): WebSocketHandshake {
  const [path = "/", search] = url.split("?", 2);
  const shown = [...new URLSearchParams(search)].filter(([name]) => SHOWN_NAMES.has(name));
  const query = shown.length === 0 ? "" : `?${new URLSearchParams(shown)}`;
  return { path: `${path}${query}`, host: headers.host ?? "", key: headers["sec-websocket-key"] ?? "" };
}

/** The request and its answer. */
export function handshakeHeads({ path, host, key }: WebSocketHandshake): { client: Buffer; server: Buffer } {
  const accept = createHash("sha1")
    .update(key + ACCEPT_SUFFIX)
    .digest("base64");
  const upgrade = ["Upgrade: websocket", "Connection: Upgrade"];
  const head = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return {
    client: head([
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...upgrade,
      `Sec-WebSocket-Key: ${key}`,
      "Sec-WebSocket-Version: 13",
    ]),
    server: head(["HTTP/1.1 101 Switching Protocols", ...upgrade, `Sec-WebSocket-Accept: ${accept}`]),
  };
}
