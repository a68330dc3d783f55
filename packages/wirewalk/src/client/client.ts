/**
 * A **client** of any protocol over any transport.
 *
 * ```ts
 * import { connectClient } from "wirewalk/client";
 *
 * const received = [];
 * const client = connectClient({
 *   protocol: echoProtocol,
 *   dialect: "greeting",
 *   transport: echoTransport,
 *   onMessage: (message) => received.push(message),
 * });
 * client.send({ message: "count", value: { number: 7 } });
 * client.counts.messagesOut; // => 1
 * clock.advanceBy(1);
 * received; // => [{ message: "counted", value: { number: 7 } }]
 * ```
 *
 * @module
 */
import type { Transport } from "../net/index.ts";
import type { Channel, Received, WireMessage } from "../protocols/codec.ts";
import { requireMembers } from "../protocols/members.ts";
import type { ProtocolWith } from "../protocols/protocol.ts";
import { WireError } from "../wire/index.ts";

/** Options of a client. Its handlers are never called before `connectClient` returns. */
export interface ClientOptions<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  readonly protocol: ProtocolWith<"openChannel", C, S>;
  readonly dialect: string;
  /** Connected and without a listener: the client takes it over. */
  readonly transport: Transport;
  /** A message of the server, with its payload. */
  readonly onMessage: (message: S, payload: Uint8Array) => void;
  /** A payload that cannot be read. It is skipped: the stream goes on. */
  readonly onRefused?: (error: WireError, payload: Uint8Array) => void;
  /** The connection is over; called once. After a broken stream the reason is the message of its `WireError`. */
  readonly onClosed?: (reason: string) => void;
}

/** Counts since the client was made; bytes as carried, with frames and greeting. */
export interface ClientCounts {
  bytesIn: number;
  bytesOut: number;
  messagesIn: number;
  messagesOut: number;
  /** Payloads that could not be read. */
  refused: number;
}

/** A connected client. */
export interface Client<C extends WireMessage = WireMessage> {
  readonly counts: Readonly<ClientCounts>;
  /** False until the server's greeting has arrived, in protocols in which the server greets first. */
  readonly ready: boolean;
  /** Why the connection is over; undefined while it is not. */
  readonly closed: string | undefined;
  /**
   * Sends a message, once the client is ready. Nothing happens after `close` or once the connection is over.
   * Throws `TypeError` or `RangeError` for a message that cannot be written.
   */
  send(message: C): void;
  /** Ends the connection. No more messages follow; `onClosed` follows. */
  close(reason?: string): void;
}

/** Bytes of messages that wait for the server's greeting, at most. More of them end the connection. */
const MAX_HELD_BYTES = 65_536;

/**
 * Opens the client's end of the protocol over a transport and sends its greeting.
 * Throws `RangeError` for an unknown dialect, and `MissingMemberError` for a game without channels.
 */
export function connectClient<C extends WireMessage, S extends WireMessage>(options: ClientOptions<C, S>): Client<C> {
  const { dialect, transport, onMessage, onRefused, onClosed } = options;
  const protocol = requireMembers(options.protocol, ["openChannel"], "be connected");
  const channel = protocol.openChannel({ side: "client", dialect, carrier: transport.carrier });
  const counts: ClientCounts = { bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0, refused: 0 };
  let closing = false;
  let closed: string | undefined;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  const isWaiting = (): boolean => channel.handshake?.awaited === true;
  const transmit = (bytes: Uint8Array): void => {
    counts.bytesOut += bytes.length;
    transport.send(bytes);
  };
  const close = (reason?: string): void => {
    if (closing) return;
    closing = true;
    transport.close(reason);
  };

  /** Keeps a payload until the greeting arrives. It was encoded at once, so that its errors go to the caller of `send`. */
  const hold = (payload: Uint8Array): void => {
    heldBytes += payload.length;
    if (heldBytes > MAX_HELD_BYTES) close("No greeting from the server");
    else held.push(payload.slice());
  };
  const release = (): void => {
    if (held.length === 0 || isWaiting()) return;
    for (const payload of held) transmit(channel.frame(payload));
    counts.messagesOut += held.length;
    held = [];
  };

  transport.listen({
    bytes(bytes) {
      if (closing) return;
      counts.bytesIn += bytes.length;
      const broken = push(channel, bytes);
      release();
      // Payloads that were complete before the stream broke are read.
      for (;;) {
        const received = next(channel);
        if (received === undefined) break;
        if (received instanceof WireError) {
          close((broken ?? received).message);
          return;
        }
        if (received.error !== undefined) {
          counts.refused += 1;
          onRefused?.(received.error, received.payload);
        } else {
          counts.messagesIn += 1;
          onMessage(received.message, received.payload);
        }
        if (closing) return;
      }
      if (broken !== undefined) close(broken.message);
    },
    closed(reason) {
      closing = true;
      closed = reason;
      onClosed?.(reason);
    },
  });
  const greeting = channel.handshake?.greeting;
  if (greeting !== undefined) transmit(greeting);

  return {
    counts,
    get ready() {
      return !isWaiting();
    },
    get closed() {
      return closed;
    },
    send(message) {
      if (closing) return;
      if (isWaiting()) {
        hold(protocol.codec(dialect).write("client", message));
        return;
      }
      transmit(channel.write(message));
      counts.messagesOut += 1;
    },
    close,
  };
}

/** Catches only the channel's own errors: errors of handlers go to the caller. */
function push(channel: Pick<Channel, "push">, bytes: Uint8Array): WireError | undefined {
  try {
    channel.push(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

function next<S extends WireMessage, C extends WireMessage>(
  channel: Channel<S, C>,
): Received<S> | WireError | undefined {
  try {
    return channel.next();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}
