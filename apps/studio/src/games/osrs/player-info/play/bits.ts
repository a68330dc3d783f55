/** Bits of a packet by part and by mask block. Pure. */
import type { PlayerInfoUpdate } from "wirewalk/osrs/player-info";
import type { TraceField } from "wirewalk/wire";

/** The parts of a packet in its order. `alignment` counts the bits that fill all passes up to whole bytes. */
export const bitParts = ["pass1", "pass2", "pass3", "pass4", "masks", "alignment"] as const;

export type BitPart = (typeof bitParts)[number];

/** Bits by part; together they are the packet. */
export type BitSplit = Readonly<Record<BitPart, number>>;

/** Splits a packet of so many bytes. */
export function splitBits({ passBits, maskBits }: PlayerInfoUpdate, bytes: number): BitSplit {
  const [pass1, pass2, pass3, pass4] = passBits;
  const alignment = bytes * 8 - maskBits - (pass1 + pass2 + pass3 + pass4);
  return { pass1, pass2, pass3, pass4, masks: maskBits, alignment };
}

/** Bits of all masks of a packet by block, most first; `flags` are the flag bytes. */
export function blockBits(fields: readonly TraceField[]): readonly (readonly [block: string, bits: number])[] {
  const bits = new Map<string, number>();
  for (const { path, bitLength } of fields) {
    const block = /^masks\.player\[\d+\]\.(\w+)/.exec(path)?.[1];
    if (block !== undefined) bits.set(block, (bits.get(block) ?? 0) + bitLength);
  }
  return [...bits].sort(([, a], [, b]) => b - a);
}

/** Players that a packet skips, in bits. */
export interface Skips {
  readonly players: number;
  /** What the skips take. */
  readonly bits: number;
  /** What the same players would take if each were skipped on its own, without a count. */
  readonly oneByOneBits: number;
}

/** What the skips of a packet save, from its fields. */
export function skipsOf(fields: readonly TraceField[]): Skips {
  let [players, bits, oneByOneBits] = [0, 0, 0];
  let update = 0;
  let alone = 0;
  for (const { path, bitLength, raw } of fields) {
    if (path.endsWith(".update")) update = bitLength;
    else if (path.endsWith(".skip.size")) {
      alone = update + bitLength;
      players += 1;
      bits += alone;
      oneByOneBits += alone;
    } else if (path.endsWith(".skip.count")) {
      players += Number(raw);
      bits += bitLength;
      oneByOneBits += Number(raw) * alone;
    }
  }
  return { players, bits, oneByOneBits };
}
