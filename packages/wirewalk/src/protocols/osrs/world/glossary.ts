/** What each rule finds, in words. Source: docs/protocols/osrs-mouse.md 8. */
import type { HonestCause, RuleGlossary } from "../../rule-info.ts";
import type { OsrsRule } from "./rules.ts";

const tablet: HonestCause = {
  words: "A drawing tablet, a touchpad or a touch screen does not move like a mouse. Ask the player what they use.",
};
const remoteDesktop: HonestCause = {
  words:
    "A remote desktop or a very low frame rate reports the pointer too seldom, which makes a bent way look straight and even.",
};
const accessibility: HonestCause = {
  words:
    "Accessibility tools, and keys that move the pointer, move it evenly and in straight lines. Nothing in the messages tells them from a bot.",
};
const sameTask: HonestCause = { words: "A player who clicks the same spots for hours repeats some movements." };

export const osrsGlossary: RuleGlossary<OsrsRule> = {
  "identical-strokes": {
    title: "Mouse makes the same stroke again and again",
    finds: "strokes of one shape, again and again",
    answer: "flag",
    measured: "",
    did: "repeated the very same mouse movement in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements with the shape of an earlier one",
    weight: "hint",
    causes: [sameTask, accessibility],
  },
  "constant-speed": {
    title: "Mouse moves at constant speed",
    finds: "no bell of speed within a stroke",
    answer: "flag",
    measured: "",
    did: "moved the mouse at one constant speed in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements that keep one speed",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "straight-lines": {
    title: "Mouse moves in straight lines",
    finds: "straight all the way, with no correction at the end",
    answer: "flag",
    measured: "",
    did: "moved the mouse in dead straight lines in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements that are straight lines without a correction",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "abrupt-stops": {
    title: "Mouse stops from full speed",
    finds: "full speed up to the last sample",
    answer: "flag",
    measured: "",
    did: "stopped the mouse from full speed in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements that stop without slowing down",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "perfect-rhythm": {
    title: "Mouse rests equally long",
    finds: "equal rests between strokes",
    answer: "flag",
    measured: "",
    did: "rested equally long between its mouse movements: the rests differ by {measured}, and those of people by at least {allowed}",
    figure: "how much the rests between mouse movements differ, of their mean",
    weight: "hint",
    causes: [{ words: "A game or a tool that gives a beat, such as an alarm every few seconds." }, accessibility],
  },
  "perfect-sampling": {
    title: "Mouse is sampled without jitter",
    finds: "equal times between samples",
    answer: "flag",
    measured: "",
    did: "reported its mouse without any jitter: the times between two reports differ by {measured}, and those of real computers by at least {allowed}",
    figure: "how much the times between two reports of the mouse differ, of their mean",
    weight: "hint",
    causes: [
      { words: "A virtual machine or a remote desktop may give out times of its own." },
      { words: "A modified client, or one of another version, which this server may allow." },
    ],
  },
  jumps: {
    title: "Mouse jumps",
    allows: "touch screens, and gaps of the recording",
    finds: "the pointer is elsewhere without having moved there (not in `native`: a finger on a screen does so too)",
    answer: "flag",
    measured: "",
    did: "moved the mouse without a way between in {measured} of its far movements; people stay under {allowed}",
    figure: "share of far movements without a way between",
    weight: "hint",
    causes: [tablet, remoteDesktop],
  },
  "smooth-speed": {
    title: "Mouse speeds up and slows down too smoothly",
    finds:
      "speed that changes less from sample to sample than any hand's, as in one movement that was computed (only in `client`)",
    answer: "flag",
    measured: "",
    did: "sped the mouse up and slowed it down too smoothly: its speed changes by {measured} from report to report, and that of people by at least {allowed}",
    figure: "how much the speed changes from one report to the next, of its mean",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "smooth-turns": {
    title: "Mouse turns too smoothly",
    finds: "a path that bends less between two samples than any hand's, as a computed curve does (only in `client`)",
    answer: "flag",
    measured: "",
    did: "turned the mouse too smoothly: {measured} between two reports, and people turn it by at least {allowed}",
    figure: "angle by which the way turns between two reports of the mouse",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "repeated-shapes": {
    title: "Mouse repeats shapes from before",
    finds: "strokes whose shape was there before, whatever its place, direction, size and handedness",
    answer: "flag",
    measured: "",
    did: "repeated shapes of earlier mouse movements in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements whose shape was there before",
    weight: "hint",
    causes: [sameTask, accessibility],
  },
  "repeated-strokes": {
    title: "Mouse repeats movements from before",
    finds:
      "strokes that were made before: the same path at the same speeds, whatever its place, direction, size and handedness",
    answer: "flag",
    measured: "",
    did: "repeated earlier mouse movements, with the same speeds, in {measured} of its movements; people stay under {allowed}",
    figure: "share of mouse movements that were made before",
    weight: "hint",
    causes: [sameTask],
  },
  "unlike-people": {
    title: "Mouse is unlike any person's",
    finds: "strokes that are together far from what people do, where a model of people is given",
    answer: "flag",
    measured: "",
    did: "moves the mouse unlike any person: {measured} away, and people stay within {allowed}",
    figure: "distance from people in all measures of the mouse together",
    weight: "hint",
    causes: [tablet, remoteDesktop, accessibility],
  },
  "clock-back": {
    title: "The client's clock went back",
    finds: "the clock of the client was set back: the packet's times go back, or bytes are left that cannot be read",
    answer: "benign",
    measured: "",
    did: "had its computer's clock set back",
    weight: "noise",
    causes: [{ words: "Every computer sets its clock now and then." }],
  },
};
