import type { WireMessage } from "./codec.ts";

/** The address of another server of the game: the messages that carry it have room for IPv4 alone. */
export interface RedirectAddress {
  /** As `127.0.0.1`. */
  readonly host: string;
  /** 0 to 65,535. */
  readonly port: number;
}

/**
 * A game whose servers send a client on to other servers, by address. A relay has to write its own address there, or the client
 * leaves it. Capability `redirects` of a `Protocol`.
 */
export interface Redirecting {
  /** Names of the messages of a server that have an address. A dialect may have none of them. */
  readonly messages: readonly string[];
  /** Where a message of the server sends its client; undefined for a message that sends it nowhere. */
  addressOf(message: WireMessage): RedirectAddress | undefined;
  /** The same message with another address, of the same length. Throws `RangeError` for an address that is no IPv4. */
  withAddress(message: WireMessage, address: RedirectAddress): WireMessage;
}
