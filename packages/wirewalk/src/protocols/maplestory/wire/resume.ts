/**
 * The next frame of a ciphered stream of which bytes are missing (standard 2.3 to 2.6). A frame has no mark of its own, but its header
 * holds half of its IV, and IVs follow from each other.
 *
 * After a gap the IV before it is known: it is rolled once for each frame that the missing bytes can have held, and a header that one of
 * these IVs makes is searched. Where nothing is known, a header gives 16 of 32 bits, and the others follow from the headers of the next
 * two frames: 65,536 IVs are tried.
 */
import { WireError } from "../../../wire/index.ts";
import type { Channel, Side } from "../../codec.ts";
import type { ResumeSearch } from "../../tap.ts";
import { defaultHello, openMapleChannel } from "./channel.ts";
import { rollIv, rollWord } from "./cipher.ts";
import { mapleCodec } from "./codec.ts";
import { dialectRules } from "./dialect.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";
import { HEADER_BYTES, PacketCipher } from "./packet-cipher.ts";

/** Frames that a gap may have held. More cost more than trying all IVs. */
const MAX_LOST_FRAMES = 65_536;
/** A header and an opcode. */
const LEAST_FRAME_BYTES = HEADER_BYTES + 2;
/** Headers that must follow from each other where the IV is known, and where it is not. */
const HEADERS_AFTER_GAP = 2;
const HEADERS_WITHOUT_IV = 3;
/** Places at which all IVs are tried in one search: each costs some milliseconds. */
const MAX_TRIED_PLACES = 4;

/** See {@link ResumeSearch}. */
export function resumeMaple({
  dialect,
  sender,
  bytes,
  refused,
  before,
}: ResumeSearch): { readonly offset: number; readonly channel: Channel } | undefined {
  const { ciphered } = dialectRules(dialect);
  if (ciphered === undefined) return undefined;
  const stream = new CipheredBytes(bytes, dialect, sender, ciphered.version);
  const known = before === undefined ? undefined : stream.findAfter(ivOf(before.saved.state), before.lostBytes);
  const found = known ?? stream.findAnywhere(refused);
  if (found === undefined) return undefined;
  const hello = { ...defaultHello(dialect), recvIv: found.iv, sendIv: found.iv };
  const side = sender === "client" ? "server" : "client";
  const channel = openMapleChannel({ side: side as "client", dialect, carrier: "stream", hello, greeted: true });
  return { offset: found.offset, channel: channel as Channel };
}

/** The IV of the frame that was being read. */
function ivOf(state: object): Uint8Array {
  return (state as { readonly incomingIv: Uint8Array }).incomingIv;
}

interface Found {
  readonly offset: number;
  readonly iv: Uint8Array;
}

class CipheredBytes {
  readonly #bytes: Uint8Array;
  readonly #dialect: string;
  readonly #sender: Side;
  readonly #version: number;

  constructor(bytes: Uint8Array, dialect: string, sender: Side, version: number) {
    this.#bytes = bytes;
    this.#dialect = dialect;
    this.#sender = sender;
    this.#version = version;
  }

  /** The first frame whose IV follows from one before the gap. */
  findAfter(iv: Uint8Array, lostBytes: number): Found | undefined {
    const frames = Math.min(MAX_LOST_FRAMES, Math.ceil((lostBytes + this.#bytes.length) / LEAST_FRAME_BYTES));
    const byMark = new Map<number, Uint8Array[]>();
    let next = iv;
    for (let count = 0; count <= frames; count++) {
      const mark = this.#markOf(next);
      const same = byMark.get(mark);
      if (same === undefined) byMark.set(mark, [next]);
      else same.push(next);
      next = rollIv(next);
    }
    for (let offset = 0; offset + HEADER_BYTES <= this.#bytes.length; offset++) {
      for (const candidate of byMark.get(this.#u16(offset)) ?? []) {
        if (this.#follows(offset, candidate, HEADERS_AFTER_GAP)) return { offset, iv: candidate };
      }
    }
    return undefined;
  }

  /** The first frame whose header and the next two follow from some IV. */
  findAnywhere(refused: Set<number>): Found | undefined {
    let tried = 0;
    for (let offset = 0; offset + HEADER_BYTES <= this.#bytes.length && tried < MAX_TRIED_PLACES; offset++) {
      if (refused.has(offset) || !this.#hasFrames(offset, HEADERS_WITHOUT_IV)) continue;
      tried += 1;
      const second = offset + HEADER_BYTES + (this.#u16(offset) ^ this.#u16(offset + 2));
      const half = (this.#u16(offset) ^ this.#markVersion) << 16;
      const secondHalf = this.#u16(second) ^ this.#markVersion;
      for (let low = 0; low <= 0xffff; low++) {
        if (rollWord(half | low) >>> 16 !== secondHalf) continue;
        const iv = Uint8Array.of(low, low >> 8, half >> 16, half >> 24);
        if (this.#follows(offset, iv, HEADERS_WITHOUT_IV)) return { offset, iv };
      }
      refused.add(offset);
    }
    return undefined;
  }

  /** Whether so many headers stand where the lengths of those before say, whatever their IVs. */
  #hasFrames(offset: number, count: number): boolean {
    let at = offset;
    for (let frame = 0; frame < count; frame++) {
      if (at + HEADER_BYTES > this.#bytes.length) return false;
      const length = this.#u16(at) ^ this.#u16(at + 2);
      if (length > MAX_PAYLOAD_BYTES || length < LEAST_FRAME_BYTES - HEADER_BYTES) return false;
      at += HEADER_BYTES + length;
    }
    return true;
  }

  /** Whether headers follow from an IV: so many, or all that are there when the first payload is a message. */
  #follows(offset: number, first: Uint8Array, count: number): boolean {
    let at = offset;
    let iv = first;
    for (let frame = 0; frame < count; frame++) {
      if (at === this.#bytes.length && frame > 0) return this.#isMessage(offset, first);
      if (at + HEADER_BYTES > this.#bytes.length) return false;
      const mark = this.#u16(at);
      if (mark !== this.#markOf(iv)) return false;
      const length = mark ^ this.#u16(at + 2);
      if (length > MAX_PAYLOAD_BYTES) return false;
      at += HEADER_BYTES + length;
      iv = rollIv(iv);
    }
    return true;
  }

  #isMessage(offset: number, iv: Uint8Array): boolean {
    const length = this.#u16(offset) ^ this.#u16(offset + 2);
    const start = offset + HEADER_BYTES;
    const payload = this.#bytes.slice(start, start + length);
    new PacketCipher(this.#sender, iv, this.#version).open(payload);
    try {
      mapleCodec(this.#dialect).read(this.#sender, payload);
      return true;
    } catch (error) {
      if (error instanceof WireError) return false;
      throw error;
    }
  }

  get #markVersion(): number {
    return this.#sender === "client" ? this.#version : 0xffff - this.#version;
  }

  #markOf(iv: Uint8Array): number {
    return ((iv[2] as number) | ((iv[3] as number) << 8)) ^ this.#markVersion;
  }

  #u16(at: number): number {
    return (this.#bytes[at] as number) | ((this.#bytes[at + 1] as number) << 8);
  }
}
