/** How a verdict is drawn: by what its rule measures. A picture that shows a place for a rule about time would accuse of the wrong thing. */

import type { Position } from "wirewalk/motion";
import { beyondEnvelope, type Claims, type Envelope } from "wirewalk/protocol";

/**
 * `places`: a way, and where the rule would have let it end. `elsewhere`: the same in the room that the message leads to. `clock`: the client's
 * time against the server's. `rate`: messages in a second. `strokes`: the way of a pointer, whose shape is judged. `amount`: a figure and its
 * limit. `state`: nothing is measured.
 */
export type VerdictPicture = "places" | "elsewhere" | "clock" | "rate" | "strokes" | "amount" | "state";

/** Places of the room that a message leads to. */
export interface Elsewhere {
  readonly room: string;
  readonly from: Position;
  readonly at: Position;
}

export interface PictureFacts {
  readonly measure: { readonly unit: string; readonly allowed: number | undefined } | undefined;
  readonly unit: Claims["unit"] | undefined;
  readonly from: Position | undefined;
  readonly at: Position | undefined;
  readonly envelope: Envelope | undefined;
  readonly elsewhere: Elsewhere | undefined;
  readonly claimed: readonly {
    readonly isJudged: boolean;
    readonly mover: string | undefined;
    readonly clockMs: number | undefined;
  }[];
}

const timeUnits: readonly string[] = ["s/s", "ms ahead", "ms"];

export function pictureOf({ measure, unit, from, at, envelope, elsewhere, claimed }: PictureFacts): VerdictPicture {
  if (elsewhere !== undefined) return "elsewhere";
  const judged = claimed.find(({ isJudged }) => isJudged);
  if (judged?.mover === "mouse pointer") return "strokes";
  const of = measure?.unit;
  const isOfPlaces = unit !== undefined && (of === unit || of === `${unit}/s`);
  if (isOfPlaces && from !== undefined && at !== undefined && envelope !== undefined) {
    // One that lets the claimed place be would say the opposite of the verdict.
    return beyondEnvelope(envelope, at) > 0 ? "places" : "amount";
  }
  if (of === undefined || measure?.allowed === undefined) return "state";
  const timed = claimed.filter(({ clockMs }) => clockMs !== undefined);
  if (timeUnits.includes(of) && timed.length > 1) return "clock";
  return /^(?:1|[a-z]+)\/s$/.test(of) && of !== `${unit}/s` ? "rate" : "amount";
}
