/** What each rule finds, in words. Source: docs/protocols/slime-online-2.md 8. */
import type { HonestCause, RuleGlossary } from "../../rule-info.ts";
import type { SlimeRule } from "./rules.ts";

const movedByServer: HonestCause = {
  words:
    "The server itself may have moved the player: an event, a command of a game master, a script. This server knows what it did itself, and nothing of another one beside it.",
};
const otherClient: HonestCause = {
  words: "A modified client, or one of another version, which this server may allow.",
};

export const slimeGlossary: RuleGlossary<SlimeRule> = {
  teleport: {
    title: "Was suddenly elsewhere",
    allows: "time that the connection has held back, once",
    finds:
      "farther than 840.67 px/s x (time since the last accepted position + saved time) (standard 8.4); upPress by its x alone (standard E5)",
    answer: "correct (flag with `--log-only`)",
    measured: "px",
    did: "says that it is {way} its last accepted place; {allowed} were possible",
    figure: "distance from its last accepted place",
    causes: ["pause", "burst", movedByServer, "map"],
  },
  "anti-cheat": {
    title: "Banned for many teleports",
    finds: "the sixth counted teleport within 60 s: the account is banned for 24 hours (standard 8.8)",
    answer: "reject",
    measured: "teleports/min",
    did: "was put back for being suddenly elsewhere {measured}, and was banned",
    weight: "proof",
    causes: [{ words: "Look at the verdicts before it: they are the reason for the ban." }],
    remedy: "The ban ends by itself.",
  },
  "rate-limit": {
    title: "Sends too many messages",
    finds: "the 61st message within a second (standard 8.2)",
    answer: "reject",
    measured: "messages/s",
    did: "sent {measured}; the game sends {allowed} at most",
    causes: ["pause", "burst", otherClient],
    remedy: "What is beyond the limit has no effect, so the player gains nothing by it.",
  },
  transition: {
    title: "A key that cannot be pressed now",
    finds:
      "a key pressed twice, released when not held, or a code that is not legal on the ground or in the air (standard 8.5)",
    answer: "reject",
    measured: "",
    did: "pressed or released a key that it could not have pressed or released then",
    weight: "noise",
    causes: [
      "pause",
      { words: "A message that the server has refused before leaves its keys behind those of the client." },
    ],
    remedy: "The message has no effect.",
  },
  position: {
    title: "A place that is not sent with this key",
    finds: "a coordinate is missing, or one too many (standard 8.3)",
    answer: "reject",
    measured: "coordinates",
    did: "sent a place with a key that carries none, or left one out",
    weight: "proof",
    causes: [otherClient],
    remedy: "The message has no effect.",
  },
  "warp-rate": {
    title: "Warps too often",
    finds: "too many warps in a row (standard 8.9)",
    answer: "reject",
    measured: "",
    did: "changed rooms more often than there are doors on its way",
    causes: ["pause", "burst", { words: "A player who runs to and fro through one door." }],
    remedy: "It stays in its room.",
  },
  "chat-rate": {
    title: "Writes too much",
    finds: "too much chat in a row, by messages and by letters (standard 8.9.1)",
    answer: "reject",
    measured: "",
    did: "wrote more chat than a person types",
    weight: "noise",
    causes: [{ words: "A player who pastes texts." }, "burst"],
    remedy: "The text was shown to nobody.",
  },
  "login-twice": {
    title: "Logs in twice",
    finds: "a second LOGIN (`v0106`)",
    answer: "reject",
    measured: "",
    did: "logged in a second time on one connection",
    weight: "noise",
    causes: [otherClient],
    remedy: "The message has no effect.",
  },
  unreachable: {
    title: "Moved as the game cannot",
    allows: "what the connection has held back, a landing that was not sent, and rounding",
    finds:
      "the motion of the game does not make that place: too far for the time, without the key of its direction, too high for its jumps, or where nobody can stand (standard 8.6, 8.12)",
    answer:
      "correct (flag with `--log-only`; in the document dialects one that runs too fast is relayed where its keys have taken it)",
    measured: "px",
    did: "moved as the game cannot: {measured}, where {allowed} were possible",
    figure: "distance along one axis from its last accepted place",
    causes: ["pause", "burst", movedByServer, "map"],
  },
  "no-door": {
    title: "Changed rooms where no door leads",
    finds:
      "it warps where no door of its room leads, from too far from the door, or to another place than the door's, in a room whose doors are known (standard 8.9)",
    answer: "correct (flag with `--log-only`)",
    measured: "px",
    did: "went to room {to} without a door that leads there",
    figure: "distance between the place of the message and the door's",
    causes: [
      { words: "A door that the server's map does not have, or has elsewhere: compare the map with the game's." },
      { words: "An item or a command that moves a player to another room, on a server that has such." },
      { words: "A respawn: places where players come in are allowed for." },
    ],
  },
  "walked-off": {
    title: "Walked off an edge",
    finds: "an air code on the ground: walking off an edge sends nothing (standard 8.5)",
    answer: "benign",
    measured: "",
    did: "walked off an edge",
    weight: "noise",
  },
  "landing-missing": {
    title: "A landing was not sent",
    finds: "a ground code in the air: the landing was not sent (standard 8.5)",
    answer: "benign",
    measured: "",
    did: "landed without saying so",
    weight: "noise",
  },
  "up-in-air": {
    title: "Pressed up in the air",
    finds: "up in the air: no effect and not relayed (standard 8.5)",
    answer: "benign",
    measured: "",
    did: "pressed up in the air, which has no effect",
    weight: "noise",
  },
  "released-twice": {
    title: "Released a key twice",
    finds: "up or down released when not held",
    answer: "benign",
    measured: "",
    did: "released a key twice",
    weight: "noise",
  },
  "lifted-before": {
    title: "A change of room had released the key",
    finds: "a key that a change of room had released",
    answer: "benign",
    measured: "",
    did: "released a key that a change of room had released",
    weight: "noise",
  },
};
