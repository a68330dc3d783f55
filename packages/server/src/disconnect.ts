/** Why sessions end: one name each, for metrics, logs and the words that WebSockets are closed with. */
import type { Refusal } from "wirewalk/protocol";

/**
 * - `peer-closed`, `peer-error`: the other side, or the line.
 * - `byte-rate`, `message-rate`, `bad-payloads`, `unfinished-frame`, `slow-reader`, `idle`, `login-time`,
 *   `login-queue`, `sessions-per-address`, `sessions-total`: a budget was overdrawn.
 * - `broken-stream`: bytes after which the stream cannot be read on.
 * - `text-message`: a WebSocket text message where only binary ones are.
 * - `login-expected`: something else than a login came first.
 * - `refused-…`: not let in.
 * - `banned`, `world-close`: the world's rules.
 * - `world-error`: a defect of the world or of the store, told in the log.
 * - `bad-request`: the page asked for something that does not exist.
 * - `shutdown`: this server stops.
 */
export type DisconnectReason =
  | "peer-closed"
  | "peer-error"
  | "byte-rate"
  | "message-rate"
  | "bad-payloads"
  | "unfinished-frame"
  | "slow-reader"
  | "idle"
  | "login-time"
  | "login-queue"
  | "login-expected"
  | "sessions-per-address"
  | "sessions-total"
  | "broken-stream"
  | "text-message"
  | `refused-${Refusal}`
  | "banned"
  | "world-close"
  | "world-error"
  | "bad-request"
  | "shutdown";

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
    case "sessions-total":
    case "login-queue":
      return 1013;
    case "idle":
    case "world-close":
      return 1000;
    default:
      return 1008;
  }
}

/** Reasons after which what is still queued is not worth waiting for: the peer is hostile, gone, or does not read. */
export function endsAtOnce(reason: DisconnectReason): boolean {
  switch (reason) {
    case "byte-rate":
    case "message-rate":
    case "bad-payloads":
    case "unfinished-frame":
    case "broken-stream":
    case "slow-reader":
    case "peer-error":
    case "sessions-per-address":
    case "sessions-total":
      return true;
    default:
      return false;
  }
}
