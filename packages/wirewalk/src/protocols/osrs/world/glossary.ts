/** What each rule finds, in words. Source: docs/protocols/osrs-mouse.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { OsrsRule } from "./rules.ts";

export const osrsGlossary: RuleGlossary<OsrsRule> = {
  "identical-strokes": {
    finds: "strokes of one shape, again and again",
    answer: "flag",
    measured: "",
  },
  "constant-speed": {
    finds: "no bell of speed within a stroke",
    answer: "flag",
    measured: "",
  },
  "straight-lines": {
    finds: "straight all the way, with no correction at the end",
    answer: "flag",
    measured: "",
  },
  "abrupt-stops": {
    finds: "full speed up to the last sample",
    answer: "flag",
    measured: "",
  },
  "perfect-rhythm": {
    finds: "equal rests between strokes",
    answer: "flag",
    measured: "",
  },
  "perfect-sampling": {
    finds: "equal times between samples",
    answer: "flag",
    measured: "",
  },
  jumps: {
    finds: "the pointer is elsewhere without having moved there (not in `native`: a finger on a screen does so too)",
    answer: "flag",
    measured: "",
  },
  "smooth-speed": {
    finds:
      "speed that changes less from sample to sample than any hand's, as in one movement that was computed (only in `client`)",
    answer: "flag",
    measured: "",
  },
  "smooth-turns": {
    finds: "a path that bends less between two samples than any hand's, as a computed curve does (only in `client`)",
    answer: "flag",
    measured: "",
  },
  "repeated-shapes": {
    finds: "strokes whose shape was there before, whatever its place, direction, size and handedness",
    answer: "flag",
    measured: "",
  },
  "clock-back": {
    finds: "the clock of the client was set back: the packet's times go back, or bytes are left that cannot be read",
    answer: "benign",
    measured: "",
  },
};
