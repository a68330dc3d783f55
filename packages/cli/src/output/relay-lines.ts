/** What a relay reports, as lines of text or of JSON. */
import type { RelayEnds, RelayEvent } from "@wirewalk/server";
import type { Verdict } from "wirewalk/motion";
import type { RedirectAddress } from "wirewalk/protocol";
import { escapeControls, formatHex } from "wirewalk/wire";
import { measuredText } from "./verdict-text.ts";

/** What every line of JSON has beside what is reported. */
export interface RelayedGame {
  readonly protocol: string;
  readonly dialect: string;
}

/** Bytes of a payload that a line of text shows. */
const SHOWN_BYTES = 32;
/** Letters of a message that a line of text shows. */
const SHOWN_LETTERS = 400;

/** A line for people: `12:49:06.123 1 client movePlayer {"code":10}`. */
export function textLine(event: RelayEvent): string {
  const { timeMs, connection } = event;
  const time = new Date(timeMs).toISOString().slice(11, 23);
  return escapeControls(`${time} ${connection} ${textOf(event)}`);
}

function textOf(event: RelayEvent): string {
  switch (event.event) {
    case "open":
      return `open from ${hostAndPort(event.client)} to ${hostAndPort(event.server)}`;
    case "message":
      return `${event.direction} ${event.message} ${shortened(JSON.stringify(event.value))}`;
    case "unreadable":
      return `${event.direction} unreadable, passed on: ${event.error.message}: ${shortHex(event.payload)}`;
    case "unframed":
      return `${event.direction} ${event.what}, ${event.bytes.length} bytes: ${shortHex(event.bytes)}`;
    case "lost":
      return `${event.direction} is passed on and not read from here on: ${event.reason}`;
    case "verdict":
      return `verdict ${verdictText(event.verdict)}`;
    case "unseen":
      return unseenText(event);
    case "notice":
      return `server ${event.notice}: ${event.reason} (${event.total} so far)`;
    case "unjudged":
      return `no verdicts from here on: the shadow world failed: ${event.reason}`;
    case "rule":
      return `${event.direction} ${event.message} ${ruleText(event)}`;
    case "policy":
      return policyText(event);
    case "redirect":
      return redirectText(event);
    case "end":
      return `${event.direction} ended its direction`;
    case "reset":
      return `${event.direction} reset the connection (${event.code})`;
    case "refused":
      return `not connected: ${event.reason}`;
    case "close":
      return `closed: ${counted("client", event)}; ${counted("server", event)}`;
  }
}

function unseenText({ reason, rules }: Extract<RelayEvent, { event: "unseen" }>): string {
  if (rules === undefined) return `is not judged: ${reason}`;
  return rules.length === 0 ? `is judged in part: ${reason}` : `is not judged by ${rules.join(", ")}: ${reason}`;
}

function ruleText({ action, rule, failed }: Extract<RelayEvent, { event: "rule" }>): string {
  if (failed !== undefined) return `passed unchanged, rule ${rule} does not fit it: ${failed}`;
  return `${action === "drop" ? "dropped" : "changed"} by rule ${rule}`;
}

function policyText({ action, rule, score, limit }: Extract<RelayEvent, { event: "policy" }>): string {
  if (action === "drop") return `policy: the message is held back, by ${rule}`;
  const what = action === "kick" ? "disconnected" : "told";
  return `policy: ${what}, ${rule === "*" ? "all rules" : rule} at ${Math.round(score ?? 0)} points of ${limit}`;
}

function redirectText({ message, from, to, failed }: Extract<RelayEvent, { event: "redirect" }>): string {
  if (to === undefined) {
    return `server ${message} passed unchanged, so the client goes to ${shownAddress(from)} without the relay: ${failed}`;
  }
  return `server ${message} sends the client to ${shownAddress(to)} instead of ${shownAddress(from)}`;
}

function shownAddress({ host, port }: RedirectAddress): string {
  return hostAndPort({ address: host, port });
}

function verdictText(verdict: Verdict): string {
  const { kind, rule, reason, room } = verdict;
  return `${kind} ${rule} in ${room}: ${reason}${measuredText(verdict)}`;
}

function counted(side: "client" | "server", { counts }: Extract<RelayEvent, { event: "close" }>): string {
  const { bytes, messages, unreadable, unreadBytes } = counts[side];
  const bad = unreadable === 0 ? "" : `, ${unreadable} unreadable`;
  const unread = unreadBytes === 0 ? "" : `, ${unreadBytes} bytes not read`;
  return `${side} sent ${bytes} bytes, ${messages} messages${bad}${unread}`;
}

/** A line of JSON. Messages have the form that `wirewalk inspect --json` has for captures. */
export function jsonLine(event: RelayEvent, game: RelayedGame, ends: RelayEnds | undefined): string {
  const { timeMs, connection, event: what } = event;
  const seconds = (timeMs / 1000).toFixed(6);
  const flow = ends === undefined ? {} : { flow: `${hostAndPort(ends.client)}-${hostAndPort(ends.server)}` };
  const head = { time: `${seconds}000`, connection, ...flow };
  return JSON.stringify({ ...head, ...jsonOf(event, game, what) });
}

function jsonOf(event: RelayEvent, { protocol, dialect }: RelayedGame, what: string): object {
  switch (event.event) {
    case "message": {
      const { direction, message, value } = event;
      return { direction, protocol, dialect, message, value };
    }
    case "unreadable": {
      const { code, path, bitOffset, message: text } = event.error;
      const error = { code, path, byteOffset: Math.floor(bitOffset / 8), text };
      return { direction: event.direction, protocol, dialect, error, hex: plainHex(event.payload) };
    }
    case "unframed":
      return { event: what, direction: event.direction, what: event.what, hex: plainHex(event.bytes) };
    case "open":
      return { event: what, client: hostAndPort(event.client), server: hostAndPort(event.server) };
    case "verdict": {
      const { message, ...verdict } = event.verdict;
      return { event: what, verdict: { ...verdict, message: plainHex(message) } };
    }
    case "redirect": {
      const { message, from, to, failed } = event;
      return { event: what, message, from: shownAddress(from), to: to && shownAddress(to), failed };
    }
    default: {
      const { connection: _connection, timeMs: _timeMs, event: _event, ...rest } = event;
      return { event: what, ...rest };
    }
  }
}

function hostAndPort({ address, port }: { readonly address: string; readonly port: number }): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function plainHex(bytes: Uint8Array): string {
  return formatHex(bytes, { separator: "" });
}

function shortHex(bytes: Uint8Array): string {
  return bytes.length <= SHOWN_BYTES ? plainHex(bytes) : `${plainHex(bytes.subarray(0, SHOWN_BYTES))}…`;
}

function shortened(text: string): string {
  return text.length <= SHOWN_LETTERS ? text : `${text.slice(0, SHOWN_LETTERS)}… (${text.length} letters)`;
}
