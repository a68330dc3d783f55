/** What a rule has done with a message, as the page writes it. */
import type { VerdictKind } from "wirewalk/motion";

export const kindWords: Readonly<Record<VerdictKind, string>> = {
  accept: "accepted",
  benign: "benign",
  flag: "flagged",
  correct: "corrected",
  reject: "refused",
};
