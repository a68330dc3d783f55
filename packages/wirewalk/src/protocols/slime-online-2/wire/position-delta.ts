/**
 * The document's "future optimization": a position as two signed bytes. No dialect carries it, so no codec calls it: it is for
 * those who add it to a dialect of their own (standard 7.7).
 *
 * ```ts
 * encodePositionDelta(448, 160, 450, 159); // { dx: 2, dy: -1, exact: true }
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 7.7.
 */

/** Two signed bytes, pixels, -128..127. */
export interface PositionDelta {
  readonly dx: number;
  readonly dy: number;
  /** False when a difference was clamped: the receiver is then not at the new position. */
  readonly exact: boolean;
}

/**
 * The difference from the old position to the new one (u16 pixels), clamped as printed. The old position is the
 * **receiver's**, which after a clamped difference is what {@link applyPositionDelta} returned and not where the sender
 * was: so an error never lasts.
 */
export function encodePositionDelta(oldX: number, oldY: number, newX: number, newY: number): PositionDelta {
  const dx = clampToByte(newX - oldX);
  const dy = clampToByte(newY - oldY);
  return { dx, dy, exact: dx === newX - oldX && dy === newY - oldY };
}

/** The receiver's position after a difference, clamped to u16. */
export function applyPositionDelta(
  x: number,
  y: number,
  delta: { readonly dx: number; readonly dy: number },
): { readonly x: number; readonly y: number } {
  return { x: clampToU16(x + delta.dx), y: clampToU16(y + delta.dy) };
}

function clampToByte(difference: number): number {
  return Math.max(-128, Math.min(127, difference));
}

function clampToU16(pixels: number): number {
  return Math.max(0, Math.min(65535, pixels));
}
