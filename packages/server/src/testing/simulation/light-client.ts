/**
 * A **light client**: a bot whose client does not decode what it receives. It compares every byte with the frames of what the
 * world sent (`FrameReader`), and gives its bot the world's own messages. It polls its connection before each of its steps,
 * as a game does that reads its socket once for every picture. What it sends passes through a channel like any client's.
 */

import type { Cancel, Clock } from "wirewalk/net";
import type { Bot, Channel, PlayableProtocol, WireMessage } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import type { LinkKind } from "../../session/links.ts";
import { type Connection, serverMessages } from "./connection.ts";
import { type Expected, hex } from "./delivery-check.ts";
import { FrameReader } from "./frame-reader.ts";

export interface LightClientOptions {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly connection: Connection;
  readonly bot: Bot;
  /** The player's own clock. */
  readonly clock: Clock;
  /** Between two steps. */
  readonly stepMs: number;
  readonly kind: LinkKind;
  readonly expected: () => Expected | undefined;
  /** A message has arrived as it should. */
  readonly onExpected: () => void;
  /** A payload that the world did not send next, or whose frame is another. */
  readonly onPayload: (payload: Uint8Array) => void;
  /** Bytes that cannot be read. */
  readonly onUnreadable: (reason: string) => void;
  readonly onClosed: (reason: string) => void;
}

export class LightClient {
  /** Why the connection is over; undefined while it is not. */
  closed: string | undefined;
  readonly #options: LightClientOptions;
  readonly #channel: Channel;
  readonly #reader: FrameReader;
  readonly #stopSteps: Cancel;
  /** Messages that wait for the server's greeting. */
  #held: WireMessage[] = [];
  #isClosing = false;
  /** Something came that was not expected: from then on the client's channel reads. */
  #decodes = false;

  constructor(options: LightClientOptions) {
    this.#options = options;
    const { protocol, dialect, connection, bot, clock, stepMs, kind, expected } = options;
    const { transport } = connection;
    this.#channel = protocol.openChannel({ side: "client", dialect, carrier: transport.carrier });
    this.#reader = new FrameReader({
      protocol,
      dialect,
      kind,
      expected,
      greeted: (greeting) => this.#greeted(greeting),
      arrived: ({ message }) => {
        options.onExpected();
        this.#receive(message);
      },
    });
    transport.listen({
      bytes: (bytes) => this.#read(bytes),
      closed: (reason) => {
        this.#isClosing = true;
        this.closed = reason;
        this.#stopSteps();
        options.onClosed(reason);
      },
    });
    const greeting = this.#channel.handshake?.greeting;
    if (greeting !== undefined) transport.send(greeting);
    this.#send(bot.start(clock.now()));
    this.#stopSteps = clock.every(stepMs, () => {
      transport.poll();
      if (!this.#isClosing) this.#send(bot.step(clock.now()));
    });
  }

  stop(reason: string): void {
    this.#stopSteps();
    this.#close(reason);
  }

  #close(reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#options.connection.transport.close(reason);
  }

  #greeted(greeting: Uint8Array): void {
    this.#channel.push(greeting);
    this.#send(this.#held.splice(0));
  }

  #send(messages: readonly WireMessage[]): void {
    for (const message of messages) {
      if (this.#channel.handshake?.awaited === true) this.#held.push(message);
      else this.#options.connection.transport.send(this.#channel.write(message));
    }
  }

  #receive(message: WireMessage): void {
    const { bot, clock } = this.#options;
    if (!this.#isClosing) this.#send(bot.receive(message, clock.now()));
  }

  #read(bytes: Uint8Array): void {
    const rest = this.#decodes ? bytes : this.#reader.read(bytes);
    if (rest === undefined) return;
    if (!this.#decodes && !this.#reader.isStateless) {
      this.#options.onUnreadable(`bytes that no message of the world gives (${hex(rest)})`);
      this.#close("unexpected bytes");
      return;
    }
    this.#decodes = true;
    try {
      if (this.#options.kind === "tcp") this.#channel.push(rest);
      else for (const message of serverMessages(rest)) this.#channel.push(message);
      for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
        this.#options.onPayload(next.payload);
        if (next.error !== undefined) this.#options.onUnreadable(next.error.message);
        else this.#receive(next.message);
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.onUnreadable(error.message);
      this.#close(error.message);
    }
  }
}
