/**
 * Payloads of one direction as messages: with the memory of those before, where the game has a packet stream for it (positions of a
 * mouse, players of player info).
 */
import {
  type PacketReader,
  type PacketStream,
  type PayloadCodec,
  type Protocol,
  packetStreams,
  type Received,
  type Side,
  type StreamOptionValues,
} from "../../protocols/index.ts";
import { type JsonValue, WireError } from "../../wire/index.ts";
import type { ReaderMemory } from "./reader-memory.ts";

/** Options of packet streams, by the stream's name on the command line: `osrs/player-info`. */
export type StreamOptions = Readonly<Record<string, StreamOptionValues>>;

/** A message as it is shown. */
export interface ShownMessage {
  readonly message: string;
  /** Null for a message that is not described. */
  readonly value: JsonValue;
  readonly isUndescribed?: true;
}

/** A message without its value. */
export interface GlancedMessage extends ShownMessage {
  readonly value: null;
  /** Players that the sender shows after it, where its reader has them. Valid until the next message. */
  readonly players?: ArrayLike<number> | undefined;
}

type FoundStream = NonNullable<ReturnType<typeof streamOf>>;

/** What the readers of one direction need to know. */
export interface PayloadReadersOptions {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly sender: Side;
  readonly options: StreamOptions;
  /** True where the first payload is the first that the sender sent: nothing was before it that options could say. */
  readonly hasStart: boolean;
  /** Bounds what the readers of all connections hold. Default: unbounded. */
  readonly memory?: ReaderMemory | undefined;
}

/** The packet stream of a sender, and its name. */
export function streamOf(protocol: Protocol, sender: Side): { name: string; stream: PacketStream } | undefined {
  const found = Object.entries(packetStreams(protocol)).find(([, { senders }]) => senders.includes(sender));
  if (found === undefined) return undefined;
  const [part, stream] = found;
  return { name: part === "" ? protocol.name : `${protocol.name}/${part}`, stream };
}

/** Reads the payloads of one sender, one after the other. */
export class PayloadReaders {
  readonly #setup: PayloadReadersOptions;
  readonly #codec: PayloadCodec;
  /** The packet stream of the sender, looked up once and not for each message. */
  readonly #found: FoundStream | undefined;
  /** Messages without a description, by name: a file has millions of messages and a few hundred names. */
  readonly #glanced = new Map<string, GlancedMessage>();
  /** Opened at the first payload: a decoder of player info has memory for 2,047 players. */
  #reader: PacketReader | undefined;
  /** What options say of the packets before the first one holds until a packet is missing. */
  #isStart = true;

  constructor(setup: PayloadReadersOptions) {
    this.#setup = setup;
    this.#codec = setup.protocol.codec(setup.dialect);
    this.#found = streamOf(setup.protocol, setup.sender);
  }

  /** Bytes are missing: what the packets before them said no longer holds. */
  forget(): void {
    if (this.#reader !== undefined) this.#isStart = false;
    this.#reader = undefined;
  }

  /** Nothing follows. */
  release(): void {
    this.#setup.memory?.release(this);
    this.#reader = undefined;
  }

  /** Reads the next payload. Throws `WireError`, also for options that the stream refuses. */
  read(received: Received): ShownMessage {
    return this.#undescribed(received.payload) ?? this.#read(received);
  }

  /** Reads the next payload, of which nothing was read. Throws like {@link read}. */
  readPayload(payload: Uint8Array): ShownMessage {
    // Before anything of it is read: of a session of the real game these are most.
    return this.#undescribed(payload) ?? this.#read(this.#receive(payload));
  }

  /** The next payload, read and without its value. Throws like {@link read}. */
  glance(payload: Uint8Array): GlancedMessage {
    const name = this.#codec.undescribed?.(this.#setup.sender, payload);
    if (name !== undefined) {
      let known = this.#glanced.get(name);
      if (known === undefined) {
        known = { message: name, value: null, isUndescribed: true };
        this.#glanced.set(name, known);
      }
      return known;
    }
    const received = this.#receive(payload);
    this.#reader ??= this.#openReader();
    if (this.#reader?.glance !== undefined) {
      const { message, players } = this.#reader.glance(received);
      return { message, value: null, players };
    }
    return { message: received.message.message, value: null };
  }

  #read(received: Received): ShownMessage {
    if (received.error !== undefined) throw received.error;
    const { message } = received;
    const { memory } = this.#setup;
    const readerBytes = this.#found?.stream.readerBytes ?? 0;
    if (readerBytes > 0 && memory?.use(this, readerBytes) === false) {
      const text = `Cannot read ${this.#found?.name}: too many connections are read at once, and this one has no place`;
      throw new WireError("bad-state", text, 0);
    }
    this.#reader ??= this.#openReader();
    if (this.#reader === undefined) return this.#plain(message);
    const json = this.#reader.receive(received);
    const { message: name = message.message, value, ...rest } = json;
    if (value !== undefined) return { message: String(name), value };
    return Object.keys(rest).length > 0 ? { message: String(name), value: rest } : this.#plain(message);
  }

  #receive(payload: Uint8Array): Received & { readonly error?: undefined } {
    return { payload, message: this.#codec.read(this.#setup.sender, payload) };
  }

  #undescribed(payload: Uint8Array): ShownMessage | undefined {
    const message = this.#codec.undescribed?.(this.#setup.sender, payload);
    return message === undefined ? undefined : { message, value: null, isUndescribed: true };
  }

  #openReader(): PacketReader | undefined {
    return this.#found && openReader(this.#found, this.#setup, this.#isStart && !this.#setup.hasStart);
  }

  #plain(message: Received["message"] & object): ShownMessage {
    const { value } = this.#codec.toJson(this.#setup.sender, message);
    return { message: message.message, value: value as JsonValue };
  }
}

function openReader(
  found: FoundStream,
  { protocol, dialect, sender, options }: PayloadReadersOptions,
  isStartMissing: boolean,
): PacketReader {
  const given = { ...protocol.capabilities?.tap?.streamOptions, ...options[found.name] };
  if (!isStartMissing) {
    for (const { name, startOnly } of found.stream.options) if (startOnly === true) delete given[name];
  }
  return found.stream.openReader({ dialect, sender, framed: true, options: given });
}
