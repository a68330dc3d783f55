/** What players of the demo wear, and with how many hitpoints they begin. */
import type { Appearance } from "../wire/masks/appearance.ts";

export const FULL_HEALTH = 99;

/** Places of the outfits: head, cape, neck, weapon, body, shield, arms, legs, hair, hands, feet, beard. */
export const outfits: readonly Pick<Appearance, "gender" | "places" | "colours">[] = [
  { gender: 0, places: [0, 0, 0, 0, 274, 0, 282, 292, 256, 289, 298, 266], colours: [0, 3, 2, 0, 0] },
  { gender: 1, places: [0, 0, 0, 0, 312, 0, 317, 326, 302, 323, 336, 0], colours: [7, 8, 9, 5, 0] },
  { gender: 0, places: [1674, 1531, 0, 1845, 1639, 1711, 0, 1591, 0, 1571, 1573, 0], colours: [0, 0, 0, 0, 0] },
  { gender: 1, places: [1576, 1519, 2237, 1893, 1825, 0, 317, 1836, 0, 323, 336, 0], colours: [2, 14, 6, 1, 3] },
  { gender: 0, places: [0, 6570, 0, 4151, 2048, 0, 282, 2075, 258, 289, 298, 268], colours: [11, 5, 12, 3, 7] },
];
export const OUTFITS: number = outfits.length;
