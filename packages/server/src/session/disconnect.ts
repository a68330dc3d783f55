/** Why sessions end: one name each, for metrics, logs and the close frames of WebSockets. */
import type { Refusal } from "wirewalk/protocol";

/**
 * - `peer-closed`, `peer-error`: the peer closed, or the connection broke.
 * - `byte-rate`, `message-rate`, `bad-payloads`, `unfinished-frame`, `fragments`, `slow-reader`, `idle`, `silent`,
 *   `login-time`, `login-queue`, `sessions-per-address`, `sessions-per-listener`, `sessions-total`: a budget was exceeded.
 * - `memory`: memory is short, so no new connection is accepted.
 * - `evicted`: it had sent no valid message yet, and its place was needed.
 * - `broken-stream`: bytes after which the stream cannot be read on.
 * - `untrusted-proxy`: a PROXY header from a peer that is not a named proxy.
 * - `proxy-header`: a named proxy sent no header, or one that cannot be read.
 * - `text-message`: a WebSocket text message where only binary ones are allowed.
 * - `login-locked`: too many wrong passwords for this name from this address.
 * - `accounts-unavailable`: the store of accounts cannot be read or written.
 * - `registrations-per-address`: too many new accounts from this address.
 * - `login-expected`: another message came before the login.
 * - `taken-over`: the same login has joined over another connection.
 * - `refused-…`: the join was refused.
 * - `banned`, `world-close`: the world's rules. The close frame also says what the ban applies to and until when.
 * - `world-error`: a bug of the world or a failure of the store; the log has the error.
 * - `bad-request`: an invalid request of the page, or an unknown protocol.
 * - `shutdown`: the server stops.
 */
export type DisconnectReason =
  | "peer-closed"
  | "peer-error"
  | "byte-rate"
  | "message-rate"
  | "bad-payloads"
  | "unfinished-frame"
  | "fragments"
  | "slow-reader"
  | "idle"
  | "silent"
  | "memory"
  | "evicted"
  | "login-time"
  | "login-queue"
  | "login-locked"
  | "accounts-unavailable"
  | "registrations-per-address"
  | "login-expected"
  | "sessions-per-address"
  | "sessions-per-listener"
  | "sessions-total"
  | "broken-stream"
  | "untrusted-proxy"
  | "proxy-header"
  | "text-message"
  | "taken-over"
  | `refused-${Refusal}`
  | "banned"
  | "world-close"
  | "world-error"
  | "bad-request"
  | "shutdown";

/** Bytes of the longest reason in a close frame: 125 without its code (RFC 6455, 5.5). */
const MAX_CLOSE_TEXT_BYTES = 123;

/** The start of a text that fits a close frame, cut between characters. */
export function closeText(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_CLOSE_TEXT_BYTES));
  return text.slice(0, read);
}

/** The WebSocket close code that goes with a reason. */
export function closeCode(reason: DisconnectReason): number {
  switch (reason) {
    case "shutdown":
      return 1001;
    case "broken-stream":
      return 1002;
    case "text-message":
      return 1003;
    case "world-error":
      return 1011;
    case "sessions-per-address":
    case "sessions-per-listener":
    case "sessions-total":
    case "memory":
    case "evicted":
    case "login-queue":
    case "accounts-unavailable":
      return 1013;
    case "idle":
    case "taken-over":
    case "world-close":
      return 1000;
    default:
      return 1008;
  }
}

/** Reasons after which queued bytes are dropped: the peer is hostile, gone, or does not read. */
export function endsAtOnce(reason: DisconnectReason): boolean {
  switch (reason) {
    case "byte-rate":
    case "message-rate":
    case "bad-payloads":
    case "unfinished-frame":
    case "fragments":
    case "broken-stream":
    case "slow-reader":
    case "peer-error":
    case "sessions-per-address":
    case "sessions-per-listener":
    case "sessions-total":
    case "silent":
    case "memory":
    case "evicted":
    case "untrusted-proxy":
      return true;
    default:
      return false;
  }
}
