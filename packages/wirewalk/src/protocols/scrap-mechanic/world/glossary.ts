/** What each rule finds, in words. Source: docs/protocols/scrap-mechanic.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { ScrapRule } from "./rules.ts";

export const scrapGlossary: RuleGlossary<ScrapRule> = {
  "not-playing": {
    title: "Moves before it is in",
    finds: "movement before `playing`; the session is closed",
    answer: "reject",
    measured: "",
  },
  "hello-twice": {
    title: "Greets twice",
    finds: "a second hello; the session is closed",
    answer: "reject",
    measured: "",
  },
  "wrong-version": {
    title: "Speaks another version",
    finds: "another version of our session; closed",
    answer: "reject",
    measured: "",
  },
  "no-hello": {
    title: "Says nothing",
    finds: "no hello within 20 s; closed",
    answer: "reject",
    measured: "",
  },
  "tick-ahead": {
    title: "Sends the future",
    finds:
      "a tick that could be played in 3 s at the earliest; a flag when for 2 s nothing else came, which is counted on from there",
    answer: "reject",
    measured: "ms",
  },
  "replayed-tick": {
    title: "Sends an old tick otherwise",
    allows: "packets that came twice, and up to 20 old ones a second",
    finds:
      "a tick that is sent again with other keys or another look; over 20 old ticks a second, by the clock and by the count of ticks. Without effect",
    answer: "flag",
    measured: "ticks ago, packets/s",
  },
  "fast-clock": {
    title: "Runs ahead of time",
    allows: "ticks that the line has held back",
    finds: "the time budget is spent, and ticks come faster than time passes",
    answer: "flag",
    measured: "s/s, ms ahead",
  },
  "saved-up": {
    title: "Holds ticks back and sends them at once",
    allows: "a stall of the line now and then",
    finds:
      "it sends nothing and then many ticks at once, again and again: beyond the ceiling they are played hardly faster than time passes",
    answer: "flag",
    measured: "s",
  },
  pitch: {
    title: "Looks further up than up",
    finds: "over 128: looks further up than straight up",
    answer: "flag",
    measured: "1/256 turn",
  },
  "sprint-standing": {
    title: "Sprints on the spot",
    allows: "the one packet after stopping",
    finds: "sprint without horizontal for more than the one packet after stopping",
    answer: "flag",
    measured: "packets",
  },
  "sprint-start": {
    title: "Sprints from standstill",
    finds: "sprint in the very first packet from standstill",
    answer: "flag",
    measured: "packets",
  },
  "direction-standing": {
    title: "Turns its walk while it stands",
    finds: "another direction while standing",
    answer: "flag",
    measured: "1/256 turn",
  },
  "keys-seated": {
    title: "Walks in its seat",
    allows: "20 s after it was seated",
    finds: "keys in a tick more than 20 s after the character was seated, by the client's own count",
    answer: "flag",
    measured: "key bits",
  },
};
