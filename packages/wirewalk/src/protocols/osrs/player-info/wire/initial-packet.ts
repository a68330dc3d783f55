/**
 * The initialisation of player info: where the observer is, and in which map quarter every other slot is. It does not say
 * which slot is the observer's: the quarters are those of slots 1 to 2047 in order, without it.
 *
 * ```ts
 * const quarters = new Array(PLAYER_SLOTS - 2).fill(0);
 * const bytes = encode(initialPacket, { level: 0, x: 3200, z: 3221, quarters });
 * bytes.length; // => 4608
 * bytes.subarray(0, 4); // => new Uint8Array([0x0c, 0x80, 0x32, 0x54])
 * decode(initialPacket, bytes).z; // => 3221
 * ```
 *
 * Source: docs/protocols/osrs-player-info.md 4.
 */
import { array, bits, type Layout, sizeOf, struct, uint, withMeaning } from "../../../../wire/index.ts";
import { PLAYER_SLOTS } from "./constants.ts";

const SECTION = "4";

/** Slots whose quarters follow: all but slot 0, which is unused, and the observer's own. */
const OTHER_SLOTS = PLAYER_SLOTS - 2;

const quarter = withMeaning(uint(18), {
  doc: "map quarter of a slot: level << 16 | (x >> 13) << 8 | z >> 13",
  section: SECTION,
});

interface InitialPacket {
  level: number;
  x: number;
  z: number;
  quarters: number[];
}

function packetLayout(options: { fold?: string }): Layout<InitialPacket> {
  return bits(
    struct({
      level: withMeaning(uint(2), { doc: "of the observer", section: SECTION }),
      x: withMeaning(uint(14), { doc: "of the observer", unit: "tiles", section: SECTION }),
      z: withMeaning(uint(14), { doc: "of the observer", unit: "tiles", section: SECTION }),
      quarters: withMeaning(array(quarter, { count: OTHER_SLOTS }, options), {
        doc: "where every other slot's player is, roughly",
        section: SECTION,
      }),
    }),
    { padding: "any" },
  );
}

/** A trace shows every quarter. */
export const initialPacket: Layout<InitialPacket> = packetLayout({});

/** A trace shows all quarters as one field: whose they are follows from the observer's index, which is not in it. */
export const foldedInitialPacket: Layout<InitialPacket> = packetLayout({ fold: "map quarters" });

/** The bytes of an initialisation: 30 bits of the observer and 18 bits of every other slot, byte aligned. */
export const INIT_BYTES: number = sizeOf(initialPacket.node).most / 8;

/** A quarter as the initialisation has it, from one as clients and servers remember it (`packQuarter`). */
export function initialQuarter(packed: number): number {
  return ((packed >> 12) & 0x3_0000) | ((packed >> 6) & 0xff00) | (packed & 0xff);
}
