/** The version of a client scrambles the places in its `.wz` files. The files have only a byte of it: the version is tried. */

/** All regions count up from 1: none has reached 400 but for a new form, which says 777. */
const MAX_VERSION = 2000;
const OFFSET_CONSTANT = 0x581c3f6d;

/** 32 bits of a version. */
export function versionHash(version: number): number {
  let hash = 0;
  for (const digit of String(version)) hash = (hash * 32 + digit.charCodeAt(0) + 1) >>> 0;
  return hash;
}

/** What the file has of a hash. */
export function versionByte(hash: number): number {
  return 0xff ^ (hash >>> 24) ^ ((hash >>> 16) & 0xff) ^ ((hash >>> 8) & 0xff) ^ (hash & 0xff);
}

/** Of all versions. Made when the first file is opened. */
let hashes: readonly number[] = [];

/** The hashes of the versions with this byte, some 8. */
export function hashesWith(byte: number): readonly number[] {
  if (hashes.length === 0) hashes = Array.from({ length: MAX_VERSION }, (_, index) => versionHash(index + 1));
  return hashes.filter((hash) => versionByte(hash) === byte);
}

/** The hashes of clients of 64 bits, whose files have no byte of their version. */
export const hashesWithoutByte: readonly number[] = Array.from({ length: 30 }, (_, index) => versionHash(770 + index));

/** A place from the four bytes at `at`, in a file whose data begin at `start`; the same call with a place less `2 * start` scrambles it. */
export function scrambleOffset(stored: number, at: number, start: number, hash: number): number {
  const mixed = (Math.imul(~(at - start), hash) - OFFSET_CONSTANT) >>> 0;
  const turn = mixed & 31;
  return (((mixed << turn) | (turn === 0 ? 0 : mixed >>> (32 - turn))) ^ stored) >>> 0;
}
