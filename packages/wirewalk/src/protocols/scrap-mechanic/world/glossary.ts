/** What each rule finds, in words. Source: docs/protocols/scrap-mechanic.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { ScrapRule } from "./rules.ts";

export const scrapGlossary: RuleGlossary<ScrapRule> = {
  "not-playing": {
    finds: "movement before `playing`; the session is closed",
    answer: "reject",
    measured: "",
  },
  "hello-twice": {
    finds: "a second hello; the session is closed",
    answer: "reject",
    measured: "",
  },
  "wrong-version": {
    finds: "another version of our session; closed",
    answer: "reject",
    measured: "",
  },
  "no-hello": {
    finds: "no hello within 20 s; closed",
    answer: "reject",
    measured: "",
  },
  "tick-ahead": {
    finds:
      "a tick that could be played in 3 s at the earliest; a flag when for 2 s nothing else came, which is counted on from there",
    answer: "reject",
    measured: "ms",
  },
  "replayed-tick": {
    finds:
      "a tick that is sent again with other keys or another look; over 20 old ticks a second, by the clock and by the count of ticks. Without effect",
    answer: "flag",
    measured: "ticks ago, packets/s",
  },
  "fast-clock": {
    finds: "the time budget is spent, and ticks come faster than time passes",
    answer: "flag",
    measured: "s/s, ms ahead",
  },
  "saved-up": {
    finds:
      "it sends nothing and then many ticks at once, again and again: beyond the ceiling they are played hardly faster than time passes",
    answer: "flag",
    measured: "s",
  },
  pitch: {
    finds: "over 128: looks further up than straight up",
    answer: "flag",
    measured: "1/256 turn",
  },
  "sprint-standing": {
    finds: "sprint without horizontal for more than the one packet after stopping",
    answer: "flag",
    measured: "packets",
  },
  "sprint-start": {
    finds: "sprint in the very first packet from standstill",
    answer: "flag",
    measured: "packets",
  },
  "direction-standing": {
    finds: "another direction while standing",
    answer: "flag",
    measured: "1/256 turn",
  },
  "keys-seated": {
    finds: "keys in a tick more than 20 s after the character was seated, by the client's own count",
    answer: "flag",
    measured: "key bits",
  },
};
