import { crc32Final, crc32Update } from "@foxglove/crc";

/** What writing a file needs from the system that it runs on: Node compresses, a browser does not. */
export interface FileMeans {
  /** The name of the compression of chunks; empty for none. */
  readonly compression: "zstd" | "";
  compress(bytes: Uint8Array): Promise<Uint8Array>;
  /** The checksum of bytes after those with the checksum `before`. 0 stands for none in MCAP. */
  crc32(bytes: Uint8Array, before?: number): number;
  /** Resolves after other tasks had their turn. */
  pause(): Promise<void>;
}

/** Of a browser. */
export const plainMeans: FileMeans = {
  compression: "",
  compress: async (bytes) => bytes,
  crc32: (bytes, before = 0) => crc32Final(crc32Update(~before, bytes)),
  pause: () => new Promise((resolve) => setTimeout(resolve)),
};
