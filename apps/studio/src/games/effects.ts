/** Effects of packets by protocol: one line each. Every game's is a chunk of its own. */
import type { EffectOf } from "./packet-effect.ts";

export const effects: Readonly<Record<string, () => Promise<EffectOf>>> = Object.freeze({
  "slime-online-2": async () => (await import("./slime-online-2/effect.ts")).slimeEffect,
  osrs: async () => (await import("./osrs/effect.ts")).osrsEffect,
  maplestory: async () => (await import("./maplestory/effect.ts")).mapleEffect,
  "scrap-mechanic": async () => (await import("./scrap-mechanic/effect.ts")).scrapEffect,
});
