/** The games that this build speaks: one line each. */

import { mapleStory } from "./maplestory/index.ts";
import { osrs } from "./osrs/index.ts";
import type { Protocol } from "./protocol.ts";
import { scrapMechanic } from "./scrap-mechanic/index.ts";
import { slimeOnline2 } from "./slime-online-2/index.ts";

/** Every protocol by its name. */
export const protocols: Readonly<Record<string, Protocol>> = Object.freeze({
  [slimeOnline2.name]: slimeOnline2,
  [osrs.name]: osrs,
  [mapleStory.name]: mapleStory,
  [scrapMechanic.name]: scrapMechanic,
});
