/** Scripts: pieces of bytes one after another. */

/** A channel's stream, and a world's script, may be this long. */
export const SCRIPT_BYTES = 600;

/** Pieces of a script: each begins with its length. */
export function* piecesOf(script: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < script.length; ) {
    const length = script[at] as number;
    yield script.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
}

export function scriptOf(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [Math.min(piece.length, 255), ...piece.subarray(0, 255)]));
}
