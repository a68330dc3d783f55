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
