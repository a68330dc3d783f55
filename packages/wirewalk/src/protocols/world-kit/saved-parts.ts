/** What the worlds of several games save alike. */
import type { SavedFairClock, SavedLinkPace, Verdict } from "../../motion/index.ts";
import type { JsonObject } from "../../wire/index.ts";
import {
  bytes,
  choice,
  flag,
  maybe,
  number,
  optionalMember,
  plainData,
  type State,
  state,
  text,
} from "./state/describe.ts";

/** See `Verdict`. */
export const savedVerdict: State<Verdict> = state({
  kind: choice("accept", "benign", "flag", "correct", "reject"),
  rule: text,
  reason: text,
  player: number,
  room: text,
  atMs: number,
  measured: optionalMember(number),
  allowed: optionalMember(number),
  unit: optionalMember(text),
  message: bytes,
  stateBefore: plainData<JsonObject>(),
});

/** See `FairClock`. */
export const savedFairClock: State<SavedFairClock> = state({ tickedMs: maybe(number), totalMs: number });

/** See `LinkPace`. */
export const savedLinkPace: State<SavedLinkPace> = state({
  atMs: number,
  burstMs: number,
  burstLateMs: number,
  carried: flag,
  together: number,
  lateMs: number,
});
