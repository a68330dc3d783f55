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
  /** Of messages without a description, by name: there are millions of a few hundred. */
  readonly #glanced = new Map<string, GlancedMessage>();
  /** Of the reader, where it is much. */
  readonly #readerBytes: number;
  /** Opened at the first payload: a decoder of player info has memory for 2,047 players. */
  #reader: PacketReader | undefined;
  /** What options say of the packets before the first one holds until a packet is missing. */
  #isStart = true;

  constructor(setup: PayloadReadersOptions) {
    this.#setup = setup;
    this.#codec = setup.protocol.codec(setup.dialect);
    this.#readerBytes = streamOf(setup.protocol, setup.sender)?.stream.readerBytes ?? 0;
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
    const { memory, protocol, sender } = this.#setup;
    const undescribed = this.#undescribed(received.payload);
    if (undescribed !== undefined) return undescribed;
    if (received.error !== undefined) throw received.error;
    const { message } = received;
    if (this.#readerBytes > 0 && memory?.use(this, this.#readerBytes) === false) {
      const name = streamOf(protocol, sender)?.name;
      const text = `Cannot read ${name}: too many connections are read at once, and this one has no place`;
      throw new WireError("bad-state", text, 0);
    }
    this.#reader ??= openReader(this.#setup, this.#isStart && !this.#setup.hasStart);
    if (this.#reader === undefined) return this.#plain(received.message);
    const json = this.#reader.receive(received);
    const { message: name = message.message, value, ...rest } = json;
    if (value !== undefined) return { message: String(name), value };
    return Object.keys(rest).length > 0 ? { message: String(name), value: rest } : this.#plain(message);
  }

  /** Reads the next payload, of which nothing was read. Throws like {@link read}. */
  readPayload(payload: Uint8Array): ShownMessage {
    // Before anything of it is read: of a session of the real game these are most.
    return this.#undescribed(payload) ?? this.read(receivedOf(this.#codec, this.#setup.sender, payload));
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
    const received = receivedOf(this.#codec, this.#setup.sender, payload);
    if (received.error !== undefined) throw received.error;
    this.#reader ??= openReader(this.#setup, this.#isStart && !this.#setup.hasStart);
    if (this.#reader?.glance !== undefined) {
      const { message, players } = this.#reader.glance(received);
      return { message, value: null, players };
    }
    return { message: received.message.message, value: null };
  }

  #undescribed(payload: Uint8Array): ShownMessage | undefined {
    const message = this.#codec.undescribed?.(this.#setup.sender, payload);
    return message === undefined ? undefined : { message, value: null, isUndescribed: true };
  }

  #plain(message: Received["message"] & object): ShownMessage {
    const { value } = this.#codec.toJson(this.#setup.sender, message);
    return { message: message.message, value: value as JsonValue };
  }
}

function receivedOf(codec: PayloadCodec, sender: Side, payload: Uint8Array): Received {
  try {
    return { payload, message: codec.read(sender, payload) };
  } catch (error) {
    if (error instanceof WireError) return { payload, error };
    throw error;
  }
}

function openReader(
  { protocol, dialect, sender, options }: PayloadReadersOptions,
  isStartMissing: boolean,
): PacketReader | undefined {
  const found = streamOf(protocol, sender);
  if (found === undefined) return undefined;
  const given = { ...protocol.capabilities?.tap?.streamOptions, ...options[found.name] };
  if (!isStartMissing) {
    for (const { name, startOnly } of found.stream.options) if (startOnly === true) delete given[name];
  }
  return found.stream.openReader({ dialect, sender, framed: true, options: given });
}
