/** What each rule finds, in words. Source: docs/protocols/scrap-mechanic.md 8. */
import type { HonestCause, RuleGlossary } from "../../rule-info.ts";
import type { ScrapRule } from "./rules.ts";

const otherClient: HonestCause = {
  words: "A modified client, or one of another version, which this server may allow.",
};
const lostPackets: HonestCause = { words: "Packets that got lost between the two: the rule allows for some." };

export const scrapGlossary: RuleGlossary<ScrapRule> = {
  "not-playing": {
    title: "Moves before it is in",
    finds: "movement before `playing`; the session is closed",
    answer: "reject",
    measured: "",
    did: "moved before it was in the game",
    weight: "noise",
    causes: [otherClient],
    remedy: "The connection was closed.",
  },
  "hello-twice": {
    title: "Greets twice",
    finds: "a second hello; the session is closed",
    answer: "reject",
    measured: "",
    did: "greeted the server twice",
    weight: "noise",
    causes: [otherClient],
    remedy: "The connection was closed.",
  },
  "wrong-version": {
    title: "Speaks another version",
    finds: "another version of our session; closed",
    answer: "reject",
    measured: "",
    did: "has another version of the game",
    weight: "noise",
    causes: [{ words: "An old or a new client. Ask the player to update." }],
    remedy: "The connection was closed.",
  },
  "no-hello": {
    title: "Says nothing",
    finds: "no hello within 20 s; closed",
    answer: "reject",
    measured: "",
    did: "connected and said nothing",
    weight: "noise",
    causes: ["pause", { words: "A port scanner, or a client that crashed." }],
    remedy: "The connection was closed.",
  },
  "tick-ahead": {
    title: "Sends the future",
    finds:
      "a tick that could be played in 3 s at the earliest; a flag when for 2 s nothing else came, which is counted on from there",
    answer: "reject",
    measured: "ms",
    did: "sent a step {measured} before it can be played; {allowed} are allowed",
    figure: "how early the step came",
    causes: ["pause", { words: "A game that crashed and began anew may count its steps from elsewhere." }],
    remedy: "The step is not played before its time, so the player gains nothing by it.",
  },
  "replayed-tick": {
    title: "Sends an old step otherwise",
    allows: "packets that came twice, and up to 20 old ones a second",
    finds:
      "a tick that is sent again with other keys or another look; over 20 old ticks a second, by the clock and by the count of ticks. Without effect",
    answer: "flag",
    measured: "ticks ago, packets/s",
    did: "sent a step again with other keys, {measured}",
    causes: [{ words: "A network that doubles packets sends them with the same keys." }],
    remedy: "The second one has no effect, so the player gains nothing by it.",
  },
  "fast-clock": {
    title: "Its game runs too fast",
    allows: "steps that the connection has held back",
    finds: "the time budget is spent, and ticks come faster than time passes",
    answer: "flag",
    measured: "s/s, ms ahead",
    did: "has a game that runs {measured}",
    figure: "how fast its steps came, over the last half minute at most",
    causes: [
      {
        words:
          "The clock of a computer: real ones differ by less than 0.1 %, and the rule leaves 0.5 % alone unless you have set more.",
      },
      {
        words:
          "A game that hung and catches up: it sends more steps for a moment. Only time that was really lost before may be caught up.",
      },
      "pause",
      "burst",
    ],
    remedy:
      "The server keeps the steps that come too early until it is their time, so the player moves no faster than others and gains nothing by it.",
  },
  "saved-up": {
    title: "Holds steps back and sends them at once",
    allows: "a stall of the connection now and then",
    finds:
      "it sends nothing and then many ticks at once, again and again: beyond the ceiling they are played hardly faster than time passes",
    answer: "flag",
    measured: "s",
    did: "sent nothing for a while and then {measured} of steps at once, again and again",
    figure: "time that was played at once after pauses",
    causes: [
      "pause",
      { words: "A computer that hangs often: look at whether its pauses come at moments that help the player." },
    ],
    remedy: "The server plays them hardly faster than time passes, so little is gained by it.",
  },
  pitch: {
    title: "Looks further up than up",
    finds: "over 128: looks further up than straight up",
    answer: "flag",
    measured: "1/256 turn",
    did: "looked {over} further up than straight up",
    figure: "angle of its look",
    weight: "hint",
    causes: [otherClient],
  },
  "sprint-standing": {
    title: "Sprints on the spot",
    allows: "the one packet after stopping",
    finds: "sprint without horizontal for more than the one packet after stopping",
    answer: "flag",
    measured: "packets",
    did: "sprinted on the spot for {measured}; the game sends {allowed} at most",
    figure: "steps that sprint without walking",
    weight: "hint",
    causes: [lostPackets],
  },
  "sprint-start": {
    title: "Sprints from standstill",
    finds: "sprint in the very first packet from standstill",
    answer: "flag",
    measured: "packets",
    did: "sprinted from the very first step",
    weight: "hint",
    causes: [lostPackets],
  },
  "direction-standing": {
    title: "Turns its walk while it stands",
    finds: "another direction while standing",
    answer: "flag",
    measured: "1/256 turn",
    did: "turned the direction of its walk by {measured} while it stood",
    figure: "angle between two steps",
    weight: "hint",
    causes: [lostPackets],
  },
  "keys-seated": {
    title: "Walks in its seat",
    allows: "20 s after it was seated",
    finds: "keys in a tick more than 20 s after the character was seated, by the client's own count",
    answer: "flag",
    measured: "key bits",
    did: "pressed keys to walk while it sat in a seat",
    weight: "hint",
    causes: ["pause"],
    remedy: "Who is seated does not walk: the keys have no effect.",
  },
};
