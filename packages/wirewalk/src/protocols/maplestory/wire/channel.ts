/**
 * One end of a connection of MapleStory (standard 2). In `v62`, `v83` and `v95` over a stream the server speaks first: a hello in clear with
 * both IVs. Then come frames: a header that only the right IV can read, and a ciphered body (see `cipher.ts`). The document
 * prints no carrier: in `documented` a u16 length, low byte first, stands before each payload. A carrier that keeps
 * messages whole has neither hello, header nor cipher.
 */
import {
  ByteReader,
  encode,
  fixedBytes,
  type Infer,
  parseHex,
  prefixedString,
  readLayout,
  sized,
  struct,
  u8,
  u16le,
  WireError,
  withMeaning,
} from "../../../wire/index.ts";
import type { Channel, ChannelOptions, Side } from "../../codec.ts";
import { carrierFramer, channelName, FramedChannel, type Framer, framerOptions } from "../../framed-channel.ts";
import type { LengthFraming } from "../../stream-framing.ts";
import { IV_BYTES } from "./cipher.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "./codec.ts";
import { type Carrier, dialectRules } from "./dialect.ts";
import { Keystreams } from "./keystreams.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";
import { HEADER_BYTES, PacketCipher, prepareFrame } from "./packet-cipher.ts";

/** The first message of a server, after its length. */
export const hello = withMeaning(
  struct({
    version: u16le,
    patch: prefixedString({ count: u16le, limit: 16 }),
    recvIv: withMeaning(fixedBytes(IV_BYTES), { doc: "the client's first IV: it enciphers with it" }),
    sendIv: withMeaning(fixedBytes(IV_BYTES), { doc: "the server's first IV" }),
    locale: u8,
  }),
  { section: "2.2" },
);
export type Hello = Infer<typeof hello>;

const helloFrame = sized(u16le, hello);

/** No hello is longer: two numbers, two IVs and a patch name. */
export const MAX_HELLO_BYTES = 32;
const LENGTH_BYTES = 2;

/**
 * The IVs that a server of ours begins with. The key is public, so a secret IV would protect nothing; fixed ones keep a
 * run the same for the same seed, and let captured client bytes be made and read without the other direction.
 */
const firstIvs = { recvIv: parseHex("46727a18"), sendIv: parseHex("52307814") };

/** The hello of our servers in a ciphered dialect. Throws `RangeError` for any other. */
export function defaultHello(dialect: string): Hello {
  return helloOf(carrierOf(dialect));
}

function helloOf({ version, patch }: Carrier): Hello {
  return { version, patch, ...firstIvs, locale: 8 };
}

function carrierOf(dialect: string): Carrier {
  const { ciphered } = dialectRules(dialect);
  if (ciphered === undefined) throw new RangeError(`A stream of dialect ${dialect} of maplestory has no hello`);
  return ciphered;
}

/** The keystreams of a server's connections, which all begin with one IV; made at the first use. */
let serverKeystreams: Keystreams | undefined;

/** A hello as it is carried. */
export function writeHello(value: Hello): Uint8Array {
  return encode(helloFrame, value);
}

/** The options of a channel beyond those of every protocol. */
export interface MapleChannelOptions extends ChannelOptions {
  /** The server's hello, and what a client assumes until the hello arrives. Default {@link defaultHello}. */
  readonly hello?: Hello;
  /**
   * True for a stream that is joined after its hello: none is sent or awaited, and the first frame of each direction has
   * the IV of {@link hello}. Default false.
   */
  readonly greeted?: boolean;
}

/** The state of a {@link CipheredFramer}, as plain data. */
interface SavedCipheredFramer {
  /** The IV of the next frame, in each direction. */
  readonly incomingIv: Uint8Array;
  readonly outgoingIv: Uint8Array;
  readonly awaitsHello: boolean;
  readonly hasSent: boolean;
  /** Complete payloads that were not taken. */
  readonly ready: readonly Uint8Array[];
  /** Bytes of the unfinished frame, its header included. */
  readonly held: Uint8Array;
  /** Bytes of the stream before the unfinished frame. */
  readonly offset: number;
  readonly refused: boolean;
}

/** The stream of `v62` and `v83`. */
class CipheredFramer implements Framer {
  readonly #side: Side;
  readonly #hello: Hello;
  readonly #version: number;
  #incoming: PacketCipher;
  #outgoing: PacketCipher;
  /** A client waits for the hello before anything else. */
  #awaitsHello: boolean;
  #hasSent = false;
  #ready: Uint8Array[] = [];
  #taken = 0;
  /** What has come of the unfinished frame; doubles as it grows, so that a claimed length costs nothing. */
  #held = new Uint8Array(256);
  #heldLength = 0;
  /** Bytes of the frame that is being read, header included; undefined until its length is known. */
  #frameLength: number | undefined;
  /** Bytes of the stream before the unfinished frame. */
  #offset = 0;
  #refused = false;

  constructor(side: Side, version: number, greeting: Hello, greeted: boolean) {
    this.#side = side;
    this.#version = version;
    this.#hello = greeting;
    this.#awaitsHello = side === "client" && !greeted;
    const fromClient = new PacketCipher("client", greeting.recvIv, version);
    const fromServer = new PacketCipher("server", greeting.sendIv, version);
    this.#incoming = side === "server" ? fromClient : fromServer;
    this.#outgoing = side === "server" ? fromServer : fromClient;
  }

  get pending(): number {
    return this.#heldLength;
  }

  get awaitsHello(): boolean {
    return this.#awaitsHello;
  }

  push(bytes: Uint8Array): void {
    if (this.#refused) this.#refuse("bad-state", "Cannot read stream: the stream was refused before");
    let at = 0;
    while (at < bytes.length) {
      const wanted = this.#frameLength ?? (this.#awaitsHello ? LENGTH_BYTES : HEADER_BYTES);
      const count = Math.min(wanted - this.#heldLength, bytes.length - at);
      this.#hold(bytes.subarray(at, at + count));
      at += count;
      if (this.#heldLength < wanted) return;
      if (this.#frameLength === undefined) this.#frameLength = wanted + this.#readLength();
      if (this.#heldLength === this.#frameLength) this.#finishFrame();
    }
  }

  next(): Uint8Array | undefined {
    const payload = this.#ready[this.#taken];
    if (payload !== undefined) {
      this.#taken++;
      return payload;
    }
    this.#ready = [];
    this.#taken = 0;
    if (this.#refused) this.#refuse("bad-state", "Cannot read stream: the stream was refused before");
    return undefined;
  }

  frame(payload: Uint8Array): Uint8Array {
    checkLength(payload);
    this.#hasSent = true;
    return this.#outgoing.seal(payload);
  }

  prepare(payload: Uint8Array): Uint8Array {
    checkLength(payload);
    return prepareFrame(payload);
  }

  seal(prepared: Uint8Array, into: Uint8Array): void {
    if (prepared.length === 0) return;
    this.#hasSent = true;
    serverKeystreams ??= new Keystreams(firstIvs.sendIv);
    this.#outgoing.sealPrepared(prepared, into, serverKeystreams);
  }

  save(): SavedCipheredFramer {
    return {
      incomingIv: this.#incoming.iv,
      outgoingIv: this.#outgoing.iv,
      awaitsHello: this.#awaitsHello,
      hasSent: this.#hasSent,
      ready: this.#ready.slice(this.#taken).map((payload) => payload.slice()),
      held: this.#held.slice(0, this.#heldLength),
      offset: this.#offset,
      refused: this.#refused,
    };
  }

  restore(state: object): void {
    const { incomingIv, outgoingIv, awaitsHello, hasSent, ready, held, offset, refused } = state as SavedCipheredFramer;
    this.#incoming = new PacketCipher(this.#side === "server" ? "client" : "server", incomingIv, this.#version);
    this.#outgoing = new PacketCipher(this.#side, outgoingIv, this.#version);
    this.#awaitsHello = awaitsHello;
    this.#hasSent = hasSent;
    this.#ready = ready.map((payload) => payload.slice());
    this.#taken = 0;
    this.#heldLength = 0;
    this.#frameLength = undefined;
    this.#offset = offset;
    this.#refused = false;
    if (refused) this.#hold(held);
    else this.push(held);
    this.#refused = refused;
  }

  #hold(piece: Uint8Array): void {
    const length = this.#heldLength + piece.length;
    if (length > this.#held.length) {
      const grown = new Uint8Array(Math.max(length, this.#held.length * 2));
      grown.set(this.#held.subarray(0, this.#heldLength));
      this.#held = grown;
    }
    this.#held.set(piece, this.#heldLength);
    this.#heldLength = length;
  }

  /** The length in a header that is there, or of the hello. */
  #readLength(): number {
    const [a, b, c, d] = this.#held.subarray(0, HEADER_BYTES) as unknown as [number, number, number, number];
    const first = a | (b << 8);
    if (this.#awaitsHello) {
      if (first > MAX_HELLO_BYTES) {
        this.#refuse("limit", `Cannot read hello length: ${first} is over its limit of ${MAX_HELLO_BYTES}`);
      }
      return first;
    }
    const { mark } = this.#incoming;
    if (first !== mark) {
      this.#refuse("bad-checksum", `Cannot read header: ${hex(first)} is not ${hex(mark)}, which the IV asks for`);
    }
    const length = first ^ (c | (d << 8));
    if (length > MAX_PAYLOAD_BYTES) {
      this.#refuse("limit", `Cannot read payload length: ${length} is over its limit of ${MAX_PAYLOAD_BYTES}`);
    }
    return length;
  }

  #finishFrame(): void {
    if (this.#awaitsHello) this.#readHello(this.#held.subarray(0, this.#heldLength));
    else {
      const payload = this.#held.slice(HEADER_BYTES, this.#heldLength);
      this.#incoming.open(payload);
      this.#ready.push(payload);
    }
    this.#offset += this.#heldLength;
    this.#heldLength = 0;
    this.#frameLength = undefined;
  }

  /** Reads the hello out of its frame, which is the first of the stream: places in its errors are places in the stream. */
  #readHello(frame: Uint8Array): void {
    let received: Hello;
    try {
      const reader = new ByteReader(frame);
      reader.skip(LENGTH_BYTES);
      received = readLayout(hello, reader);
      reader.expectEnd();
    } catch (error) {
      this.#refused = true;
      throw error;
    }
    if (received.version !== this.#version)
      this.#refuse("bad-value", `Cannot read hello: version ${received.version} is not ${this.#version}`);
    this.#incoming = new PacketCipher("server", received.sendIv, this.#version);
    if (!this.#hasSent) this.#outgoing = new PacketCipher("client", received.recvIv, this.#version);
    else if (received.recvIv.some((byte, index) => byte !== this.#hello.recvIv[index])) {
      // What was sent before the hello was enciphered with an IV that the server does not have.
      this.#refuse("bad-state", "Cannot read hello: it came after the first message, with another IV");
    }
    this.#awaitsHello = false;
  }

  #refuse(code: WireError["code"], why: string): never {
    this.#refused = true;
    throw new WireError(code, `${why} at byte ${this.#offset}`, this.#offset * 8);
  }
}

function checkLength({ length }: Uint8Array): void {
  if (length > MAX_PAYLOAD_BYTES)
    throw new RangeError(`A payload has at most ${MAX_PAYLOAD_BYTES} bytes, got ${length}`);
}

function hex(word: number): string {
  return `0x${word.toString(16).padStart(4, "0")}`;
}

/** The channel of a ciphered stream: each frame is for one peer, and the server speaks first. */
function openCiphered(options: MapleChannelOptions): Channel {
  const { side, dialect, greeted = false } = options;
  const ciphered = carrierOf(dialect);
  const { hello: greeting = helloOf(ciphered) } = options;
  const framer = new CipheredFramer(side, ciphered.version, greeting, greeted);
  const channel = new FramedChannel({ name: nameOf(options), side, codec: mapleCodec(dialect), framer });
  return {
    handshake: {
      greeting: side === "server" && !greeted ? writeHello(greeting) : undefined,
      get awaited() {
        return framer.awaitsHello;
      },
    },
    sharesFrames: false,
    sealing: {
      prepare: (payload) => framer.prepare(payload),
      seal: (prepared, into) => framer.seal(prepared, into),
    },
    get pendingBytes() {
      return channel.pendingBytes;
    },
    push: (bytes) => channel.push(bytes),
    next: () => channel.next(),
    write: (message) => channel.write(message),
    frame: (payload) => channel.frame(payload),
    save: () => channel.save(),
    restore: (saved) => channel.restore(saved),
  };
}

/** The frames of a stream of a dialect without a cipher. */
export const plainFraming: LengthFraming = {
  is: "length",
  order: "le",
  limits: { client: MAX_PAYLOAD_BYTES, server: MAX_PAYLOAD_BYTES },
};

function nameOf(options: MapleChannelOptions): string {
  return channelName("maplestory", options);
}

export function openMapleChannel(
  options: MapleChannelOptions & { readonly side: "server" },
): Channel<MapleClientMessage, MapleServerMessage>;
export function openMapleChannel(
  options: MapleChannelOptions & { readonly side: "client" },
): Channel<MapleServerMessage, MapleClientMessage>;
export function openMapleChannel(options: MapleChannelOptions): Channel<never, never>;
/** Opens one end of a connection. Throws `RangeError` for an unknown dialect. */
export function openMapleChannel(options: MapleChannelOptions): Channel<never, never> {
  const { side, dialect, carrier } = options;
  if (dialectRules(dialect).ciphered !== undefined && carrier === "stream")
    return openCiphered(options) as Channel<never, never>;
  const framer = carrierFramer(carrier, framerOptions(plainFraming, side));
  return new FramedChannel({ name: nameOf(options), side, codec: mapleCodec(dialect), framer }) as Channel<
    never,
    never
  >;
}
