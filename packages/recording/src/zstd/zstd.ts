/**
 * Decompresses Zstandard (RFC 8878) in browsers, which have no decoder for it: Node has one in `node:zlib`. Without dictionaries. The
 * checksum of a frame is not compared: a chunk of a recording has its own.
 *
 * ```ts
 * const recording = openRecording(bytes, { decompress: { zstd: zstdDecompress } });
 * ```
 */
import { type HuffmanTable, readHuffmanStream, readHuffmanTable } from "./entropy.ts";
import { readSequences, type SequenceState } from "./sequences.ts";

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const MAX_BLOCK_BYTES = 128 * 1024;

/** The bytes of all frames, which are `size`. Throws `RangeError` for others. */
export function zstdDecompress(bytes: Uint8Array, size: number): Uint8Array {
  const decoder = new Decoder(bytes, size);
  return decoder.all();
}

class Decoder {
  readonly #bytes: Uint8Array;
  readonly #out: Uint8Array;
  #at = 0;
  #length = 0;
  /** Where the frame began: nothing is copied from before it. */
  #frameStart = 0;
  #huffman: HuffmanTable | undefined;
  #sequences: SequenceState = { repeats: [1, 4, 8] };

  constructor(bytes: Uint8Array, size: number) {
    this.#bytes = bytes;
    this.#out = new Uint8Array(size);
  }

  all(): Uint8Array {
    while (this.#at < this.#bytes.length) {
      const magic = this.#number(4);
      if (magic === MAGIC) this.#frame();
      else if ((magic & ~0xf) >>> 0 === SKIPPABLE) this.#take(this.#number(4));
      else throw new RangeError("the bytes do not begin as a frame of zstd");
    }
    if (this.#length !== this.#out.length) {
      throw new RangeError(`the frames of zstd hold ${this.#length} bytes, expected ${this.#out.length}`);
    }
    return this.#out;
  }

  #frame(): void {
    const descriptor = this.#number(1);
    if ((descriptor & 8) !== 0) throw new RangeError("a frame of zstd has a reserved bit set");
    const isSingle = (descriptor & 0x20) !== 0;
    // The window limits what a decoder keeps; here the whole output stays.
    if (!isSingle) this.#take(1);
    const dictionary = this.#number([0, 1, 2, 4][descriptor & 3] as number);
    if (dictionary !== 0) throw new RangeError(`a frame of zstd needs dictionary ${dictionary}`);
    this.#take([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] as number);
    this.#frameStart = this.#length;
    this.#huffman = undefined;
    this.#sequences = { repeats: [1, 4, 8] };
    for (let isLast = false; !isLast; ) isLast = this.#block();
    if ((descriptor & 4) !== 0) this.#take(4);
  }

  /** True for the last one. */
  #block(): boolean {
    const header = this.#number(3);
    const size = header >> 3;
    switch ((header >> 1) & 3) {
      case 0:
        this.#write(this.#take(size));
        break;
      case 1: {
        const byte = this.#number(1);
        this.#room(size);
        this.#out.fill(byte, this.#length, this.#length + size);
        this.#length += size;
        break;
      }
      case 2:
        this.#compressed(this.#take(size));
        break;
      default:
        throw new RangeError("a block of zstd has a reserved type");
    }
    return (header & 1) === 1;
  }

  #compressed(block: Uint8Array): void {
    const { literals, bytes } = this.#literals(block);
    let used = 0;
    readSequences(block.subarray(bytes), this.#sequences, {
      literals: (count) => {
        if (used + count > literals.length) throw new RangeError("a block of zstd has too few literals");
        this.#write(literals.subarray(used, used + count));
        used += count;
      },
      match: (offset, count) => this.#copy(offset, count),
    });
    this.#write(literals.subarray(used));
  }

  /** The literals of a block (3.1.1.3.1), and the bytes of their section. */
  #literals(block: Uint8Array): { readonly literals: Uint8Array; readonly bytes: number } {
    const first = block[0] ?? 0;
    const kind = first & 3;
    const format = (first >> 2) & 3;
    const isPlain = kind < 2;
    const headerBytes = isPlain ? (format === 1 ? 2 : format === 3 ? 3 : 1) : format === 3 ? 5 : format === 2 ? 4 : 3;
    let header = 0;
    for (let index = headerBytes - 1; index >= 0; index--) header = header * 256 + (block[index] ?? 0);
    if (isPlain) {
      const size = Math.floor(header / (headerBytes === 1 ? 8 : 16));
      if (size > MAX_BLOCK_BYTES) throw new RangeError(`a block of zstd has ${size} literals`);
      if (kind === 0) return { literals: part(block, headerBytes, size), bytes: headerBytes + size };
      const literals = new Uint8Array(size).fill(block[headerBytes] ?? 0);
      return { literals, bytes: headerBytes + 1 };
    }
    const sizeBits = format === 3 ? 18 : format === 2 ? 14 : 10;
    const size = Math.floor(header / 16) % 2 ** sizeBits;
    const packedBytes = Math.floor(header / 2 ** (4 + sizeBits));
    if (size > MAX_BLOCK_BYTES) throw new RangeError(`a block of zstd has ${size} literals`);
    let packed = part(block, headerBytes, packedBytes);
    if (kind === 2) {
      const { table, bytes } = readHuffmanTable(packed);
      this.#huffman = table;
      packed = packed.subarray(bytes);
    }
    if (this.#huffman === undefined) throw new RangeError("a block of zstd repeats a Huffman tree that is missing");
    const literals = new Uint8Array(size);
    for (const [stream, out] of streamsOf(packed, literals, format === 0 ? 1 : 4)) {
      readHuffmanStream(this.#huffman, stream, out);
    }
    return { literals, bytes: headerBytes + packedBytes };
  }

  #copy(offset: number, count: number): void {
    const from = this.#length - offset;
    if (offset < 1 || from < this.#frameStart)
      throw new RangeError("a sequence of zstd copies bytes from before the frame");
    this.#room(count);
    // Byte by byte where the copy reads what it writes.
    if (offset >= count) this.#out.copyWithin(this.#length, from, from + count);
    else for (let at = 0; at < count; at++) this.#out[this.#length + at] = this.#out[from + at] as number;
    this.#length += count;
  }

  #write(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(count: number): void {
    if (this.#length + count > this.#out.length) {
      throw new RangeError(`the frames of zstd hold more than ${this.#out.length} bytes`);
    }
  }

  #take(count: number): Uint8Array {
    const taken = part(this.#bytes, this.#at, count);
    this.#at += count;
    return taken;
  }

  /** Little endian. */
  #number(count: number): number {
    return this.#take(count).reduceRight((value, byte) => value * 256 + byte, 0);
  }
}

function part(bytes: Uint8Array, at: number, count: number): Uint8Array {
  if (at + count > bytes.length) throw new RangeError("the frames of zstd end early");
  return bytes.subarray(at, at + count);
}

/** The streams of a Huffman section and what each fills: with four of them a table of three lengths comes first. */
function streamsOf(packed: Uint8Array, out: Uint8Array, count: 1 | 4): readonly (readonly [Uint8Array, Uint8Array])[] {
  if (count === 1) return [[packed, out]];
  const size = (out.length + 3) >> 2;
  let at = 6;
  return [0, 1, 2, 3].map((index) => {
    const length = index === 3 ? packed.length - at : (packed[index * 2] ?? 0) + ((packed[index * 2 + 1] ?? 0) << 8);
    if (length < 0) throw new RangeError("the frames of zstd end early");
    const stream = part(packed, at, length);
    at += length;
    return [stream, out.subarray(index * size, index === 3 ? out.length : (index + 1) * size)];
  });
}
