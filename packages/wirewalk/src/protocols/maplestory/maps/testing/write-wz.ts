/** Writes images as a binary `.wz` file. Shares no code with the reader but AES: the key streams are those of Node. */
import { createCipheriv } from "node:crypto";
import { LittleEndian } from "./little-endian.ts";
import type { MadeArchive, MadeNode } from "./made-images.ts";

const keys = {
  gms: "4d23c72b",
  ems: "b97d63e9",
  none: undefined,
} as const;

export type WzKeyName = keyof typeof keys;

export interface WriteWzOptions {
  readonly version: number;
  readonly key: WzKeyName;
  /** Without the byte of the version, as clients of 64 bits have it. */
  readonly withoutByte?: boolean;
  /** The name of a second entry of one kind and name is the place of the first, less so many bytes. Default: each name is written. */
  readonly namesByPlace?: 0 | 1;
  /** Writes another place for a directory or an image, by its name. */
  readonly misplace?: (name: string, place: number) => number;
}

const MAX_STREAM_BYTES = 1 << 16;
/** Some readers pass over a directory whose sum is 0. */
const DIRECTORY_SUM = 1;
const copyright = "Package file of a test\0";

function streamOf(key: WzKeyName): Uint8Array {
  const zeros = new Uint8Array(MAX_STREAM_BYTES);
  const iv = keys[key];
  if (iv === undefined) return zeros;
  const secret = Buffer.from([0x13, 0x08, 0x06, 0xb4, 0x1b, 0x0f, 0x33, 0x52].flatMap((byte) => [byte, 0, 0, 0]));
  return createCipheriv("aes-256-cbc", secret, Buffer.from(iv.repeat(4), "hex"))
    .setAutoPadding(false)
    .update(zeros);
}

interface WrittenImage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Directory {
  readonly name: string;
  readonly directories: Directory[];
  readonly images: WrittenImage[];
}

/** Bytes of each directory, then those of the images. Places are filled in at the end. */
export function writeWz(
  archive: MadeArchive,
  { version, key, withoutByte = false, namesByPlace, misplace }: WriteWzOptions,
): Uint8Array {
  const stream = streamOf(key);
  const root: Directory = { name: "", directories: [], images: [] };
  for (const [path, nodes] of archive) {
    const names = path.split("/");
    let directory = root;
    for (const name of names.slice(0, -1)) {
      let inner = directory.directories.find((each) => each.name === name);
      if (inner === undefined) {
        inner = { name, directories: [], images: [] };
        directory.directories.push(inner);
      }
      directory = inner;
    }
    directory.images.push({ name: names.at(-1) as string, bytes: new ImageWriter(stream).image(nodes) });
  }

  const start = 16 + copyright.length;
  const file = new LittleEndian();
  const hash = [...String(version)].reduce((sum, digit) => (sum * 32 + digit.charCodeAt(0) + 1) % 2 ** 32, 0);
  file.raw(Buffer.from("PKG1"));
  file.u64(0);
  file.u32(start);
  file.raw(Buffer.from(copyright, "latin1"));
  if (!withoutByte) file.u16(0xff ^ (hash >>> 24) ^ ((hash >>> 16) & 255) ^ ((hash >>> 8) & 255) ^ (hash & 255));

  const places: { readonly at: number; readonly of: Directory | WrittenImage }[] = [];
  const starts = new Map<Directory | WrittenImage, number>();
  const names = new Map<string, number>();
  const writeName = (kind: 3 | 4, name: string): void => {
    const known = namesByPlace === undefined ? undefined : names.get(`${kind}${name}`);
    if (known !== undefined) {
      file.u8(2);
      file.u32(known - start - (namesByPlace ?? 0));
      return;
    }
    names.set(`${kind}${name}`, file.length);
    file.u8(kind);
    writeText(file, name, stream);
  };
  const writeDirectory = (directory: Directory): void => {
    starts.set(directory, file.length);
    writeCompressed(file, directory.directories.length + directory.images.length);
    for (const entry of [...directory.images, ...directory.directories]) {
      writeName("bytes" in entry ? 4 : 3, entry.name);
      writeCompressed(file, "bytes" in entry ? entry.bytes.length : 0);
      writeCompressed(file, "bytes" in entry ? sumOf(entry.bytes) : DIRECTORY_SUM);
      places.push({ at: file.length, of: entry });
      file.u32(0);
    }
    for (const inner of directory.directories) writeDirectory(inner);
  };
  writeDirectory(root);
  for (const { of } of places) {
    if (!("bytes" in of)) continue;
    starts.set(of, file.length);
    file.raw(of.bytes);
  }
  for (const { at, of } of places) {
    const real = starts.get(of) as number;
    const place = (misplace?.(of.name, real) ?? real) - 2 * start;
    // In 64 bits without a sign, as the format's descriptions have it.
    const mixed = BigInt.asUintN(32, BigInt.asUintN(32, ~BigInt(at - start)) * BigInt(hash) - 0x581c3f6dn);
    const turn = mixed & 31n;
    const turned = BigInt.asUintN(32, (mixed << turn) | (mixed >> (32n - turn)));
    file.setU32(at, Number(turned ^ BigInt.asUintN(32, BigInt(place))));
  }
  const bytes = file.done();
  new DataView(bytes.buffer).setBigUint64(4, BigInt(bytes.length - start), true);
  return bytes;
}

function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) | 0, 0);
}

function writeCompressed(into: LittleEndian, value: number): void {
  const isShort = value > -128 && value < 128;
  into.u8(isShort ? value : -128);
  if (!isShort) into.u32(value);
}

function writeText(into: LittleEndian, text: string, stream: Uint8Array): void {
  const isNarrow = /^[\0-\x7f]*$/.test(text);
  const { length } = text;
  const limit = isNarrow ? 128 : 127;
  const short = isNarrow ? -length : length;
  into.u8(length >= limit ? (isNarrow ? -128 : 127) : short);
  if (length >= limit) into.u32(length);
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (isNarrow) into.u8((code ^ (stream[index] as number) ^ (0xaa + index)) & 0xff);
    else {
      const two = (stream[2 * index] as number) | ((stream[2 * index + 1] as number) << 8);
      into.u16((code ^ two ^ (0xaaaa + index)) & 0xffff);
    }
  }
}

class ImageWriter {
  readonly #into = new LittleEndian();
  readonly #stream: Uint8Array;
  readonly #texts = new Map<string, number>();

  constructor(stream: Uint8Array) {
    this.#stream = stream;
  }

  image(nodes: readonly MadeNode[]): Uint8Array {
    this.#text("Property", 0x73, 0x1b);
    this.#properties(nodes);
    return this.#into.done();
  }

  /** Written once, and then by its place. */
  #text(text: string, inline: number, placed: number): void {
    const known = this.#texts.get(text);
    this.#into.u8(known === undefined ? inline : placed);
    if (known !== undefined) {
      this.#into.u32(known);
      return;
    }
    this.#texts.set(text, this.#into.length);
    writeText(this.#into, text, this.#stream);
  }

  #properties(nodes: readonly MadeNode[]): void {
    this.#into.u16(0);
    writeCompressed(this.#into, nodes.length);
    for (const node of nodes) {
      this.#text(node.name, 0, 1);
      this.#property(node);
    }
  }

  #property(node: MadeNode): void {
    const into = this.#into;
    switch (node.kind) {
      case "null":
        into.u8(0);
        break;
      case "short":
        into.u8(2);
        into.u16(node.value);
        break;
      case "int":
        into.u8(3);
        writeCompressed(into, node.value);
        break;
      case "long":
        into.u8(20);
        into.u8(-128);
        into.u64(node.value);
        break;
      case "float":
        into.u8(4);
        into.u8(node.value === 0 ? 0 : 0x80);
        if (node.value !== 0) into.f32(node.value);
        break;
      case "double":
        into.u8(5);
        into.f64(node.value);
        break;
      case "string":
        into.u8(8);
        this.#text(node.value, 0, 1);
        break;
      default: {
        into.u8(9);
        const at = into.length;
        into.u32(0);
        this.#object(node);
        into.setU32(at, into.length - at - 4);
      }
    }
  }

  #object(node: MadeNode): void {
    const into = this.#into;
    switch (node.kind) {
      case "folder":
        this.#text("Property", 0x73, 0x1b);
        this.#properties(node.children);
        break;
      case "canvas":
        this.#text("Canvas", 0x73, 0x1b);
        into.u8(0);
        into.u8(node.children.length > 0 ? 1 : 0);
        if (node.children.length > 0) this.#properties(node.children);
        writeCompressed(into, 4);
        writeCompressed(into, 3);
        writeCompressed(into, 1);
        into.u8(0);
        into.u32(0);
        into.u32(9);
        into.u8(0);
        into.raw(new Uint8Array(8).fill(0x5a));
        break;
      case "vector":
        this.#text("Shape2D#Vector2D", 0x73, 0x1b);
        writeCompressed(into, node.value.x);
        writeCompressed(into, node.value.y);
        break;
      case "convex":
        this.#text("Shape2D#Convex2D", 0x73, 0x1b);
        writeCompressed(into, node.corners.length);
        for (const value of node.corners) this.#object({ name: "", kind: "vector", value });
        break;
      case "uol":
        this.#text("UOL", 0x73, 0x1b);
        into.u8(0);
        this.#text(node.value, 0, 1);
        break;
      case "sound":
        this.#text("Sound_DX8", 0x73, 0x1b);
        into.raw(new Uint8Array(90).fill(0xa5));
        break;
      default:
        throw new TypeError(`${node.kind} is no object`);
    }
  }
}
