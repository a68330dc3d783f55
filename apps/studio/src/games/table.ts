/** The games that this page draws: one line each. Every game is a chunk of its own, which is loaded when it is watched. */
import type { GameView } from "./game-view.ts";

/** Loads a game's view. Rejects when its chunk cannot be loaded. */
export type LoadGame = () => Promise<GameView>;

/** By the protocol's name. */
export const games: Readonly<Record<string, LoadGame>> = Object.freeze({
  "slime-online-2": async () => (await import("./slime-online-2/index.ts")).slimeOnline2View,
  osrs: async () => (await import("./osrs/index.ts")).osrsView,
  maplestory: async () => (await import("./maplestory/index.ts")).mapleStoryView,
  "scrap-mechanic": async () => (await import("./scrap-mechanic/index.ts")).scrapMechanicView,
});
