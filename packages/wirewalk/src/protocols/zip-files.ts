/**
 * The files of a zip archive, as {@link MapFiles}. An entry is unpacked when it is first read; the archive itself is read in parts.
 *
 * Source: APPNOTE.TXT 6.3.10, 4.3 and 4.4; zip64 is read.
 */
import { decodeUtf8, inflateRaw, WireError } from "../wire/index.ts";
import { type MapFile, MapFileError, type MapFiles } from "./map-files.ts";

/** An entry that is larger is refused: what is so large belongs into a folder, where it is read in parts. */
const MAX_ENTRY_BYTES = 128 * 1024 * 1024;
/** The list of all entries, which is held while it is read. */
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024;
/** The archive's end record, and the longest comment after it. */
const MAX_END_BYTES = 22 + 0xffff;
/** DEFLATE cannot make fewer bytes of more. */
const MAX_RATIO = 1032;
const SEVERAL_BYTES = 0xffff_ffff;

const signatures = {
  local: 0x0403_4b50,
  central: 0x0201_4b50,
  end: 0x0605_4b50,
  end64: 0x0606_4b50,
  locator: 0x0706_4b50,
};

interface ZipEntry {
  readonly path: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Of its local head. */
  readonly offset: number;
}

/** Whether a file begins as a zip archive does. */
export function isZip(file: MapFile): boolean {
  const head = file.read(0, 4);
  if (head.length < 4) return false;
  const signature = viewOf(head).getUint32(0, true);
  return signature === signatures.local || signature === signatures.end;
}

/**
 * The files of an archive. Paths that lead out of it (`../a`, `/a`) are not listed. Throws {@link MapFileError} where it is no zip
 * archive or is damaged. Reading an entry throws it where the entry is damaged, encrypted, packed in another way, or gives over 128 MiB.
 */
export function zipFiles(archive: MapFile): MapFiles {
  const entries = new Map<string, ZipEntry>();
  for (const entry of readDirectory(archive)) if (!entries.has(entry.path)) entries.set(entry.path, entry);
  const paths = [...entries.keys()].sort();
  return {
    name: archive.name,
    paths: () => paths,
    open(path) {
      const entry = entries.get(path);
      return entry && entryFile(archive, entry);
    },
  };
}

function entryFile(archive: MapFile, entry: ZipEntry): MapFile {
  const name = `${archive.name}/${entry.path}`;
  let bytes: Uint8Array | undefined;
  return {
    name,
    size: entry.size,
    read(offset, length) {
      bytes ??= unpack(archive, entry, name);
      return bytes.subarray(offset, offset + length);
    },
  };
}

function unpack(archive: MapFile, entry: ZipEntry, name: string): Uint8Array {
  const { method, packedSize, size, offset, crc } = entry;
  const refuse = (why: string): never => {
    throw new MapFileError(`Cannot read ${name}: ${why}`);
  };
  if (entry.isEncrypted) refuse("it is encrypted");
  if (size > MAX_ENTRY_BYTES) refuse(`${size} bytes, at most ${MAX_ENTRY_BYTES} are read out of an archive`);
  if (method === 0 && packedSize !== size) refuse(`it is stored, but ${packedSize} bytes give ${size}`);
  if (size > packedSize * MAX_RATIO) refuse(`${packedSize} bytes cannot give ${size}`);
  const head = archive.read(offset, 30);
  if (head.length < 30 || viewOf(head).getUint32(0, true) !== signatures.local) {
    refuse(`no head of an entry at byte ${offset} of the archive`);
  }
  // The names and extra fields of the two heads need not be equally long.
  const start = offset + 30 + viewOf(head).getUint16(26, true) + viewOf(head).getUint16(28, true);
  const packed = archive.read(start, packedSize);
  if (packed.length < packedSize) refuse("the archive ends within it");
  let bytes = packed;
  if (method === 0) bytes = packed.slice();
  else if (method === 8) {
    try {
      bytes = inflateRaw(packed, { limit: size });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      refuse(error.message.replace(/^Cannot read block: /, ""));
    }
  } else refuse(`it is packed by method ${method}, read are 0 (stored) and 8 (deflate)`);
  if (bytes.length !== size) refuse(`${bytes.length} bytes came out, ${size} were announced`);
  if (crc32(bytes) !== crc) refuse("its check sum is wrong");
  return bytes;
}

function* readDirectory(archive: MapFile): Generator<ZipEntry> {
  const refuse = (why: string): never => {
    throw new MapFileError(`Cannot read ${archive.name}: ${why}`);
  };
  const { offset, size } = findDirectory(archive);
  if (size > MAX_DIRECTORY_BYTES)
    refuse(`its list of entries has ${size} bytes, at most ${MAX_DIRECTORY_BYTES} are read`);
  const directory = archive.read(offset, size).slice();
  if (directory.length < size) refuse(`its list of entries would end at byte ${offset + size}`);
  const view = viewOf(directory);
  for (let at = 0; at < size; ) {
    if (size - at < 46 || view.getUint32(at, true) !== signatures.central) {
      refuse(`no entry of its list at byte ${offset + at}`);
    }
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const end = extraEnd + view.getUint16(at + 32, true);
    if (end > size) refuse(`an entry of its list at byte ${offset + at} goes on past the end of the list`);
    const path = pathOf(decodeUtf8(directory, at + 46, nameEnd));
    if (path !== undefined) {
      const large = largeSizes(view, nameEnd, extraEnd);
      const sizeAt = (place: number): number => {
        const value = view.getUint32(place, true);
        return value === SEVERAL_BYTES ? large() : value;
      };
      // In this order in the extra field.
      const size = sizeAt(at + 24);
      const packedSize = sizeAt(at + 20);
      yield {
        path,
        method: view.getUint16(at + 10, true),
        isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
        crc: view.getUint32(at + 16, true),
        size,
        packedSize,
        offset: sizeAt(at + 42),
      };
    }
    at = end;
  }
}

/** The sizes of 64 bits that an extra field has, one after the other; 0 where there is none. */
function largeSizes(view: DataView, start: number, end: number): () => number {
  let [at, last] = [0, 0];
  for (let field = start; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    at = field + 4;
    last = Math.min(end, at + view.getUint16(field + 2, true));
    break;
  }
  return () => {
    if (at + 8 > last) return 0;
    at += 8;
    return uint64(view, at - 8);
  };
}

function findDirectory(archive: MapFile): { readonly offset: number; readonly size: number } {
  const start = Math.max(0, archive.size - MAX_END_BYTES);
  const tail = archive.read(start, archive.size - start).slice();
  const view = viewOf(tail);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const isLarge = offset === SEVERAL_BYTES || size === SEVERAL_BYTES || view.getUint16(at + 10, true) === 0xffff;
    if (!isLarge || at < 20 || view.getUint32(at - 20, true) !== signatures.locator) return { offset, size };
    const end64 = archive.read(uint64(view, at - 20 + 8), 56);
    if (end64.length < 56 || viewOf(end64).getUint32(0, true) !== signatures.end64) break;
    return { size: uint64(viewOf(end64), 40), offset: uint64(viewOf(end64), 48) };
  }
  throw new MapFileError(`Cannot read ${archive.name}: no end record of a zip archive; is it whole?`);
}

/** As the other files name paths; undefined for a folder and for a path that leads out of the archive. */
function pathOf(name: string): string | undefined {
  const names = name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== ".");
  return names.some((part) => part === "" || part === "..") ? undefined : names.join("/");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** No file is so large that this is not exact. */
function uint64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
}

let crcTable: Uint32Array | undefined;

function crc32(bytes: Uint8Array): number {
  crcTable ??= Uint32Array.from({ length: 256 }, (_, value) => {
    let crc = value;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb8_8320;
    return crc;
  });
  let crc = 0xffff_ffff;
  for (let at = 0; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ (bytes[at] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}
