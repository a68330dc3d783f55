/** What a relay reports of its connections, in the order in which it was carried. */
import type { Verdict } from "wirewalk/motion";
import type { RedirectAddress, ServerNotice, Side } from "wirewalk/protocol";
import type { JsonObject, WireError } from "wirewalk/wire";

interface OfConnection {
  /** Counts the connections of a relay, from 1. */
  readonly connection: number;
  /** When the bytes arrived, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** Both ends of a connection: the client's address and the server's. */
export interface RelayEnds {
  readonly client: { readonly address: string; readonly port: number };
  readonly server: { readonly address: string; readonly port: number };
}

/** Counts of one direction of a connection. */
export interface DirectionCounts {
  bytes: number;
  messages: number;
  /** Payloads that could not be read. */
  unreadable: number;
  /** Bytes that were passed on and not read, see the event `lost`. */
  unreadBytes: number;
}

export type RelayEvent =
  | (OfConnection & { readonly event: "open" } & RelayEnds)
  | (OfConnection & {
      readonly event: "message";
      readonly direction: Side;
      readonly message: string;
      /** As the game's packet stream shows it. */
      readonly value: JsonObject;
      readonly payload: Uint8Array;
    })
  /** A payload that cannot be read. It was passed on. */
  | (OfConnection & {
      readonly event: "unreadable";
      readonly direction: Side;
      readonly error: WireError;
      readonly payload: Uint8Array;
    })
  /** Bytes before the first frame: a greeting, a login, the HTTP head of a WebSocket (`handshake`). */
  | (OfConnection & {
      readonly event: "unframed";
      readonly direction: Side;
      readonly what: string;
      readonly bytes: Uint8Array;
    })
  /** From here on this direction is passed on and not read. */
  | (OfConnection & { readonly event: "lost"; readonly direction: Side; readonly reason: string })
  /** The shadow world has judged a message of the client. */
  | (OfConnection & { readonly event: "verdict"; readonly verdict: Verdict })
  /** The shadow world has not seen what its findings about this client depend on. Once for each reason. */
  | (OfConnection & {
      readonly event: "unseen";
      readonly reason: string;
      /** The rules that do not judge it. Absent: no rule judges it. Empty: all rules judge it, but less than they could. */
      readonly rules?: readonly string[];
    })
  /**
   * The server has sent something that the given maps do not allow, such as a step through a wall. It says nothing of the client. The other
   * members are those of the game's notice.
   */
  | (OfConnection & ServerNotice & { readonly event: "notice" })
  /** The shadow world failed, a bug in it: from here on it judges nothing. */
  | (OfConnection & { readonly event: "unjudged"; readonly reason: string })
  /** A rule of the rule file, counted from 1, has changed or dropped a message. */
  | (OfConnection & {
      readonly event: "rule";
      readonly direction: Side;
      readonly rule: number;
      readonly action: "drop" | "set";
      readonly message: string;
      /** Why it could not be changed: it passed unchanged. */
      readonly failed?: string;
    })
  /**
   * A policy acts. `drop`: the message of this verdict is not passed on. `tell`, `kick`: verdicts about the client have added up to the
   * policy's limit.
   */
  | (OfConnection & {
      readonly event: "policy";
      readonly action: "drop" | "tell" | "kick";
      readonly rule: string;
      readonly score?: number;
      readonly limit?: number;
    })
  /** A message of the server sends its client to another server. The relay has written the address of one of its listeners into it. */
  | (OfConnection & {
      readonly event: "redirect";
      readonly message: string;
      /** The address that the server has sent. */
      readonly from: RedirectAddress;
      /** The relay's. */
      readonly to?: RedirectAddress;
      /** Why it passed unchanged: its client leaves the relay. */
      readonly failed?: string;
    })
  | (OfConnection & { readonly event: "end"; readonly direction: Side })
  | (OfConnection & { readonly event: "reset"; readonly direction: Side; readonly code: string })
  /** The server could not be reached, or this client may not connect to this listener: the client was reset. */
  | (OfConnection & { readonly event: "refused"; readonly reason: string })
  | (OfConnection & {
      readonly event: "close";
      readonly counts: Readonly<Record<Side, Readonly<DirectionCounts>>>;
    });
