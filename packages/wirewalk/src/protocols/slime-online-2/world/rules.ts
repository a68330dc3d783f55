/** Names of the rules of Slime Online 2. Source: docs/protocols/slime-online-2.md 8. */

import type { Renamed } from "../../renamed.ts";
import type { PossibleResponses } from "../../responses.ts";

/** Names of all rules that a verdict may have. `docs/slime-online-2.md` says of each what it finds. */
export const slimeRules = [
  "teleport",
  "anti-cheat",
  "rate-limit",
  "transition",
  "position",
  "warp-rate",
  "chat-rate",
  "login-twice",
  "unreachable",
  "no-door",
  "walked-off",
  "landing-missing",
  "up-in-air",
  "released-twice",
  "lifted-before",
] as const;

/** Positions and warps: relayed, put back, or left out. */
export const slimeResponses: PossibleResponses = {
  teleport: ["relay", "correct", "drop"],
  unreachable: ["relay", "correct", "drop"],
  "no-door": ["relay", "correct", "drop"],
};

export type SlimeRule = (typeof slimeRules)[number];

/** One rule has taken the place of several: what it needs to know follows from the game's motion. */
export const slimeRenamed: Renamed = {
  rules: {
    "axis-speed": "unreachable",
    "no-key": "unreachable",
    "saved-up": "unreachable",
    "off-ground": "unreachable",
    "late-burst": "unreachable",
  },
  settings: {
    restMaxSeconds: "lateMaxMs",
    savedSeconds: "lateMaxMs",
    savedShare: "heldBackShare",
    jitterSeconds: "advantageSeconds",
    coastPx: undefined,
    jumpPx: undefined,
    crouchShare: undefined,
    roundingPx: undefined,
  },
};
