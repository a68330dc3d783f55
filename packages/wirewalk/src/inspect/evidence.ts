/** How much a reading owes to chance: other bytes of the same length are read in the same way. */

/** How far bytes are read: bits before the first refusal; infinite where nothing is refused. */
export type Reach = (bytes: Uint8Array) => number;

/** Packets with bytes of chance that are tried first; of streams whose readers cost much only some. */
const CHANCE_PACKETS = 24;
const COSTLY_PACKETS = 8;

/** If bytes of chance never come as far: how many of the first bytes are changed one by one, and to how many other values. */
const CHANGED_BYTES = 8;
const OTHER_VALUES = 32;

/**
 * Evidence in bits: of 2^n packets with bytes of chance about one is read as far. Counted where packets of chance come as far; otherwise the
 * sum of what each byte says for itself: a message number of two bytes has ten bits here, a coordinate none. It is the same at each call.
 * With `isCostly` it is at most three bits.
 */
export function evidenceOf(reach: Reach, bytes: Uint8Array, isCostly: boolean): number {
  const far = reach(bytes);
  const comesAsFar = (other: Uint8Array): boolean => reach(other) >= far;
  const random = chance();
  const packets = isCostly ? COSTLY_PACKETS : CHANCE_PACKETS;
  let lucky = 0;
  for (let tried = 0; tried < packets; tried += 1) {
    if (comesAsFar(bytes.map(random))) lucky += 1;
  }
  if (lucky > 0 || isCostly) return Math.log2(packets / Math.max(1, lucky));
  let bits = 0;
  const changed = bytes.slice();
  for (let at = 0; at < Math.min(CHANGED_BYTES, bytes.length, Math.ceil(far / 8)); at += 1) {
    const byte = bytes[at] as number;
    let taken = 0;
    for (let other = 1; other <= OTHER_VALUES; other += 1) {
      // Values near and far: 7 and 256 have no common factor, so none comes twice.
      changed[at] = byte + other * 7;
      if (comesAsFar(changed)) taken += 1;
    }
    changed[at] = byte;
    bits += Math.log2((OTHER_VALUES + 1) / (taken + 1));
  }
  return Math.max(bits, Math.log2(CHANCE_PACKETS));
}

/** Bytes of chance, the same ones each time: xorshift32. */
function chance(): () => number {
  let state = 0x2545_f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
}
