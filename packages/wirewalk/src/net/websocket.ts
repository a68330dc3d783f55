/**
 * WebSocket as a transport, over the standard `WebSocket` of browsers and Node. Messages are binary.
 *
 * ```ts
 * import { connectWebSocket } from "wirewalk/net";
 *
 * const transport = await connectWebSocket("ws://127.0.0.1:7400/ws/slime-online-2?room=1");
 * transport.listen({ bytes: (bytes) => console.log(bytes), closed: (reason) => console.log(reason) });
 * transport.send(new Uint8Array([0, 8, 2, 0xc0, 1, 0xa0, 0]));
 * ```
 *
 * @module
 */
import { Inbox } from "./inbox.ts";
import type { Transport } from "./transport.ts";

/** A WebSocket cannot be paused: this many bytes are kept until `listen`, then the connection ends. */
const MAX_EARLY_BYTES = 1 << 20;

/** Private close codes begin at 4000; a browser may not send 1003 "unsupported data". */
const TEXT_REFUSED = 4003;
const EARLY_OVERFLOW = 4009;
const NORMAL = 1000;

/** The reason for a close frame without one. */
const NO_STATUS = 1005;
const ABNORMAL = 1006;

/** Bytes of the longest reason in a close frame: 125 without its code. */
const MAX_REASON_BYTES = 123;

/** Connects. Rejects with an `Error` that names the address, and with `SyntaxError` for an invalid address. */
export function connectWebSocket(url: string | URL): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => resolve(webSocketTransport(socket)));
    // The standard hides from a page why a connection failed. After "open" this has no effect.
    socket.addEventListener("close", () => reject(new Error(`Cannot connect to ${socket.url}`)));
  });
}

/**
 * An open socket as a transport, which takes the socket over. A text message ends the connection.
 * Throws `TypeError` for a socket that is not open.
 */
export function webSocketTransport(socket: WebSocket): Transport {
  if (socket.readyState !== socket.OPEN) throw new TypeError("The WebSocket must be open");
  const inbox = new Inbox();
  let reason: string | undefined;

  const close = (why: string, code: number): void => {
    if (reason !== undefined) return;
    reason = why;
    inbox.mute();
    socket.close(code, shortened(why));
  };

  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === "string") {
      close("a text message came where only binary ones may", TEXT_REFUSED);
      return;
    }
    inbox.bytes(new Uint8Array(data));
    if (inbox.earlyBytes > MAX_EARLY_BYTES) close("too many bytes arrived before listen()", EARLY_OVERFLOW);
  });
  socket.addEventListener("close", (event) => inbox.closed(reason ?? reasonOf(event)));
  // `close` reports a broken connection; without a listener some runtimes treat its `error` as uncaught.
  socket.addEventListener("error", () => {});

  return {
    carrier: "message",
    get queuedBytes() {
      return reason === undefined && socket.readyState === socket.OPEN ? socket.bufferedAmount : 0;
    },
    listen: (events) => inbox.listen(events),
    send(bytes) {
      // The standard's type excludes memory shared between threads; these bytes are never shared.
      if (socket.readyState === socket.OPEN) socket.send(bytes as Uint8Array<ArrayBuffer>);
    },
    close: (why = "closed") => close(why, NORMAL),
  };
}

function reasonOf(event: CloseEvent): string {
  if (event.reason !== "") return event.reason;
  if (event.code === ABNORMAL) return "connection lost";
  return event.code === NORMAL || event.code === NO_STATUS ? "closed by peer" : `closed by peer: code ${event.code}`;
}

/** The start of a text that fits a close frame, cut between characters. */
function shortened(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_REASON_BYTES));
  return text.slice(0, read);
}
