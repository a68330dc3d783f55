/**
 * The verification pattern of `documented`, as a client writes it. The document puts 5 bytes before a move's fragments and
 * 18 after them ("Genuine client verification": "bytes that have no noticeable pattern to the outside observer") and does
 * not say how they are made. Client and server agree on a function; `world/verification.ts` checks its bytes.
 *
 * ```ts
 * const pattern = hashPattern((bytes) => createHmac("sha256", key).update(bytes).digest());
 * makeVerification(pattern, section, 0); // { head, tail } of the first move
 * ```
 */
import type { DocumentedMovePlayer } from "../wire/codec.ts";

/** Bytes before and after the fragments of a `documented` move. */
export const HEAD_BYTES = 5;
export const TAIL_BYTES = 18;

/**
 * The agreed function: of the fragments as they are written (count included) and the number of moves sent before. It
 * returns at least 23 bytes.
 */
export type VerificationPattern = (section: Uint8Array, sequence: number) => Uint8Array;

/**
 * A pattern made of a keyed hash, such as HMAC-SHA-256 with the session's key: the first 23 bytes of the hash over the
 * move's number (`u32`, little-endian) and the fragments.
 */
export function hashPattern(hash: (bytes: Uint8Array) => Uint8Array): VerificationPattern {
  return (section, sequence) => {
    const bytes = new Uint8Array(4 + section.length);
    bytes.set([sequence, sequence >>> 8, sequence >>> 16, sequence >>> 24]);
    bytes.set(section, 4);
    return hash(bytes);
  };
}

/** The bytes before and after a section. Throws `RangeError` when the pattern returns too few bytes. */
export function makeVerification(
  pattern: VerificationPattern,
  section: Uint8Array,
  sequence: number,
): Pick<DocumentedMovePlayer, "head" | "tail"> {
  const bytes = pattern(section, sequence);
  if (bytes.length < HEAD_BYTES + TAIL_BYTES) {
    throw new RangeError(`A pattern has at least ${HEAD_BYTES + TAIL_BYTES} bytes, got ${bytes.length}`);
  }
  return { head: bytes.slice(0, HEAD_BYTES), tail: bytes.slice(HEAD_BYTES, HEAD_BYTES + TAIL_BYTES) };
}
