import type { Position, Verdict } from "../motion/index.ts";
import type { WireMessage } from "./codec.ts";
import type { Effect } from "./world.ts";

/** Where a rule would have let a player be. A box without a side is open there. */
export type Envelope =
  | { readonly shape: "circle"; readonly x: number; readonly y: number; readonly radius: number }
  | {
      readonly shape: "box";
      readonly left?: number;
      readonly top?: number;
      readonly right?: number;
      readonly bottom?: number;
    };

/**
 * What a game's messages and verdicts say about places, so that a verdict can be drawn. Capability `claims` of a `Protocol`. A
 * game whose clients name no places, such as one that sends keys alone, has no `of`.
 */
export interface Claims {
  /** Of positions: pixels, metres, tiles. */
  readonly unit: "px" | "m" | "tiles";
  /** Whether y grows downwards, as on a screen. */
  readonly isYDown: boolean;
  /** The places that a client's message names, in order. `before`: the last place that is known, for a coordinate that it leaves out. */
  of?(message: WireMessage, dialect: string, before: Position | undefined): readonly Position[];
  /** The places that an observation of the world names, in order: for messages that are read with memory. */
  observed?(observation: Extract<Effect, { effect: "observe" }>): readonly Position[];
  /** The place in a verdict's state before; undefined where it has none. */
  before?(verdict: Verdict): Position | undefined;
  /** Undefined for a rule that measures no place. */
  envelope?(verdict: Verdict, message: WireMessage): Envelope | undefined;
}
