/** What each rule finds, in words. Source: docs/protocols/osrs-mouse.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { OsrsRule } from "./rules.ts";

export const osrsGlossary: RuleGlossary<OsrsRule> = {
  "identical-strokes": {
    title: "Mouse makes the same stroke again and again",
    finds: "strokes of one shape, again and again",
    answer: "flag",
    measured: "",
  },
  "constant-speed": {
    title: "Mouse moves at constant speed",
    finds: "no bell of speed within a stroke",
    answer: "flag",
    measured: "",
  },
  "straight-lines": {
    title: "Mouse moves in straight lines",
    finds: "straight all the way, with no correction at the end",
    answer: "flag",
    measured: "",
  },
  "abrupt-stops": {
    title: "Mouse stops from full speed",
    finds: "full speed up to the last sample",
    answer: "flag",
    measured: "",
  },
  "perfect-rhythm": {
    title: "Mouse rests equally long",
    finds: "equal rests between strokes",
    answer: "flag",
    measured: "",
  },
  "perfect-sampling": {
    title: "Mouse is sampled without jitter",
    finds: "equal times between samples",
    answer: "flag",
    measured: "",
  },
  jumps: {
    title: "Mouse jumps",
    allows: "touch screens, and gaps of the recording",
    finds: "the pointer is elsewhere without having moved there (not in `native`: a finger on a screen does so too)",
    answer: "flag",
    measured: "",
  },
  "smooth-speed": {
    title: "Mouse speeds up and slows down too smoothly",
    finds:
      "speed that changes less from sample to sample than any hand's, as in one movement that was computed (only in `client`)",
    answer: "flag",
    measured: "",
  },
  "smooth-turns": {
    title: "Mouse turns too smoothly",
    finds: "a path that bends less between two samples than any hand's, as a computed curve does (only in `client`)",
    answer: "flag",
    measured: "",
  },
  "repeated-shapes": {
    title: "Mouse repeats shapes from before",
    finds: "strokes whose shape was there before, whatever its place, direction, size and handedness",
    answer: "flag",
    measured: "",
  },
  "repeated-strokes": {
    title: "Mouse repeats movements from before",
    finds:
      "strokes that were made before: the same path at the same speeds, whatever its place, direction, size and handedness",
    answer: "flag",
    measured: "",
  },
  "unlike-people": {
    title: "Mouse is unlike any person's",
    finds: "strokes that are together far from what people do, where a model of people is given",
    answer: "flag",
    measured: "",
  },
  "clock-back": {
    title: "The client's clock went back",
    finds: "the clock of the client was set back: the packet's times go back, or bytes are left that cannot be read",
    answer: "benign",
    measured: "",
  },
};
