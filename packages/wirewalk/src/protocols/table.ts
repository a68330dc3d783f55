/** The games that this build speaks: one line each. */

import { mapleStory } from "./maplestory/maplestory.ts";
import { osrs } from "./osrs/osrs.ts";
import type { PlayableProtocol } from "./protocol.ts";
import { scrapMechanic } from "./scrap-mechanic/scrap-mechanic.ts";
import { slimeOnline2 } from "./slime-online-2/slime-online-2.ts";

/** Every protocol by its name. */
export const protocols: Readonly<Record<string, PlayableProtocol>> = Object.freeze({
  [slimeOnline2.name]: slimeOnline2,
  [osrs.name]: osrs,
  [mapleStory.name]: mapleStory,
  [scrapMechanic.name]: scrapMechanic,
});
