/** What each rule finds, in words. Source: docs/protocols/slime-online-2.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { SlimeRule } from "./rules.ts";

export const slimeGlossary: RuleGlossary<SlimeRule> = {
  teleport: {
    title: "Was suddenly elsewhere",
    allows: "time that the line has held back, once",
    finds:
      "farther than 840.67 px/s x (time since the last accepted position + saved time) (standard 8.4); upPress by its x alone (standard E5)",
    answer: "correct (flag with `--log-only`)",
    measured: "px",
  },
  "anti-cheat": {
    title: "Banned for many teleports",
    finds: "the sixth counted teleport within 60 s: the account is banned for 24 hours (standard 8.8)",
    answer: "reject",
    measured: "teleports/min",
  },
  "rate-limit": {
    title: "Sends too many messages",
    finds: "the 61st message within a second (standard 8.2)",
    answer: "reject",
    measured: "messages/s",
  },
  transition: {
    title: "A key that cannot be pressed now",
    finds:
      "a key pressed twice, released when not held, or a code that is not legal on the ground or in the air (standard 8.5)",
    answer: "reject",
    measured: "",
  },
  position: {
    title: "A place that is not sent with this key",
    finds: "a coordinate is missing, or one too many (standard 8.3)",
    answer: "reject",
    measured: "coordinates",
  },
  "warp-rate": {
    title: "Warps too often",
    finds: "too many warps in a row (standard 8.9)",
    answer: "reject",
    measured: "",
  },
  "chat-rate": {
    title: "Writes too much",
    finds: "too much chat in a row, by messages and by letters (standard 8.9.1)",
    answer: "reject",
    measured: "",
  },
  "login-twice": {
    title: "Logs in twice",
    finds: "a second LOGIN (`v0106`)",
    answer: "reject",
    measured: "",
  },
  unreachable: {
    title: "The game has no such motion",
    allows: "what the line has held back, a landing that was not sent, and rounding",
    finds:
      "the motion of the game does not make that place: too far for the time, without the key of its direction, too high for its jumps, or where nobody can stand (standard 8.6, 8.12)",
    answer:
      "correct (flag with `--log-only`; in the document dialects one that runs too fast is relayed where its keys have taken it)",
    measured: "px",
  },
  "no-door": {
    title: "Warps without a door",
    finds:
      "it warps where no door of its room leads, from too far from the door, or to another place than the door's, in a room whose doors are known (standard 8.9)",
    answer: "correct (flag with `--log-only`)",
    measured: "px",
  },
  "walked-off": {
    title: "Walked off an edge",
    finds: "an air code on the ground: walking off an edge sends nothing (standard 8.5)",
    answer: "benign",
    measured: "",
  },
  "landing-missing": {
    title: "A landing was not sent",
    finds: "a ground code in the air: the landing was not sent (standard 8.5)",
    answer: "benign",
    measured: "",
  },
  "up-in-air": {
    title: "Pressed up in the air",
    finds: "up in the air: no effect and not relayed (standard 8.5)",
    answer: "benign",
    measured: "",
  },
  "released-twice": {
    title: "Released a key twice",
    finds: "up or down released when not held",
    answer: "benign",
    measured: "",
  },
  "lifted-before": {
    title: "A change of room had released the key",
    finds: "a key that a change of room had released",
    answer: "benign",
    measured: "",
  },
};
