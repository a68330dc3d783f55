/** Zip archives for tests: also wrong ones. */
import { crc32, deflateRawSync } from "node:zlib";

export interface MadeEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Not packed. Default false. */
  readonly stored?: boolean;
  // What is written instead of the right value.
  readonly packed?: Uint8Array;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly offset?: number;
}

export interface MadeZipOptions {
  readonly comment?: string;
  /** All sizes and places in fields of 64 bits. Default false. */
  readonly zip64?: boolean;
  /** Bytes of an extra field that only the local heads have. */
  readonly localExtra?: number;
}

export function makeZip(entries: readonly MadeEntry[], options: MadeZipOptions = {}): Uint8Array<ArrayBuffer> {
  const { comment = "", zip64 = false, localExtra = 0 } = options;
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  const push = (bytes: Uint8Array): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const { path, bytes, stored = false, ...wrong } of entries) {
    const name = Buffer.from(path);
    const packed = wrong.packed ?? (stored ? bytes : deflateRawSync(bytes));
    const { flags = 0x800, method = stored ? 0 : 8, crc = crc32(bytes), size = bytes.length, offset = at } = wrong;
    const head = Buffer.alloc(30 + name.length + localExtra);
    head.writeUInt32LE(0x0403_4b50, 0);
    head.writeUInt16LE(name.length, 26);
    head.writeUInt16LE(localExtra, 28);
    name.copy(head, 30);
    push(head);
    push(packed);
    const entry = Buffer.alloc(46 + name.length + (zip64 ? 28 + 5 : 0));
    entry.writeUInt32LE(0x0201_4b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(zip64 ? 0xffff_ffff : packed.length, 20);
    entry.writeUInt32LE(zip64 ? 0xffff_ffff : size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(zip64 ? 0xffff_ffff : offset, 42);
    name.copy(entry, 46);
    if (zip64) {
      entry.writeUInt16LE(33, 30);
      // A field of another kind before it.
      entry.writeUInt16LE(0x5455, 46 + name.length);
      entry.writeUInt16LE(1, 46 + name.length + 2);
      entry.writeUInt16LE(1, 46 + name.length + 5);
      entry.writeUInt16LE(24, 46 + name.length + 7);
      [size, packed.length, offset].forEach((value, place) => {
        entry.writeBigUInt64LE(BigInt(value), 46 + name.length + 9 + place * 8);
      });
    }
    central.push(entry);
  }
  const [start, size] = [at, central.reduce((sum, { length }) => sum + length, 0)];
  for (const entry of central) push(entry);
  if (zip64) {
    const end64 = Buffer.alloc(56 + 20);
    end64.writeUInt32LE(0x0606_4b50, 0);
    end64.writeBigUInt64LE(BigInt(size), 40);
    end64.writeBigUInt64LE(BigInt(start), 48);
    end64.writeUInt32LE(0x0706_4b50, 56);
    end64.writeBigUInt64LE(BigInt(at), 64);
    push(end64);
  }
  const end = Buffer.alloc(22 + comment.length);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 10);
  end.writeUInt32LE(zip64 ? 0xffff_ffff : size, 12);
  end.writeUInt32LE(zip64 ? 0xffff_ffff : start, 16);
  end.writeUInt16LE(comment.length, 20);
  end.write(comment, 22);
  push(end);
  return Uint8Array.from(Buffer.concat(parts));
}
