import { mouseRuleNames } from "../mouse/world/rule-names.ts";

/** Names of all rules that a verdict may have: those of the mouse. `docs/osrs-mouse.md` says of each what it finds. */
export const osrsRules = ["clock-back", ...mouseRuleNames] as const;

export type OsrsRule = (typeof osrsRules)[number];
