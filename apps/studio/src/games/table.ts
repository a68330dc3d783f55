/** The games that this page draws: one line each. */
import type { GameView } from "./game-view.ts";
import { mapleStoryView } from "./maplestory/index.ts";
import { osrsView } from "./osrs/index.ts";
import { scrapMechanicView } from "./scrap-mechanic/index.ts";
import { slimeOnline2View } from "./slime-online-2/index.ts";

/** Every view by its protocol's name. */
export const gameViews: Readonly<Record<string, GameView>> = Object.freeze({
  [slimeOnline2View.protocol]: slimeOnline2View,
  [osrsView.protocol]: osrsView,
  [mapleStoryView.protocol]: mapleStoryView,
  [scrapMechanicView.protocol]: scrapMechanicView,
});
