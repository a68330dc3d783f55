/**
 * The frames of a game's streams in other languages: payloads out of bytes, and bytes for payloads. Written by hand, once for each
 * language and kind of frame, with the figures of the game; it stands in the file of the game's messages. Ciphers are the caller's.
 *
 * @module
 */
import type { MessageSize, OpcodeFraming, Side, StreamFraming } from "../../protocols/index.ts";
import { filledIn } from "../filled-in.ts";
import { csharpFrames } from "./csharp.ts";
import type { FrameTexts } from "./frame-texts.ts";
import { goFrames } from "./go.ts";
import { javaFrames } from "./java.ts";
import { pythonFrames } from "./python.ts";
import { rustFrames } from "./rust.ts";

/** By language. One line each. */
const texts: Readonly<Record<string, FrameTexts>> = {
  csharp: csharpFrames,
  go: goFrames,
  java: javaFrames,
  python: pythonFrames,
  rust: rustFrames,
};

/** Names of types in these texts: no type of a message may have them. */
export const frameTypes = ["Frame"] as const;

/** As servers of the game write sizes: -1 for one byte before the body, -2 for two. */
const numberOf = (size: MessageSize): number => (size === "varByte" ? -1 : size === "varShort" ? -2 : size);

/** The code of a language for the frames of a stream; undefined for a language without. */
export function framesIn(language: string, framing: StreamFraming): string | undefined {
  const found = texts[language];
  if (found === undefined) return undefined;
  return framing.is === "opcode" ? opcodeText(found, framing) : lengthText(found, framing);
}

function opcodeText(texts: FrameTexts, { sizes, bodyLimit, isSmart }: OpcodeFraming): string {
  const lines = (side: Side): string =>
    [...sizes[side]]
      .sort(([a], [b]) => a - b)
      .map(([opcode, size]) => texts.sizeLine(opcode, numberOf(size)))
      .join("\n");
  return filledIn(texts.opcode, {
    sizesClient: lines("client"),
    sizesServer: lines("server"),
    smartClient: texts.truth(isSmart.client),
    smartServer: texts.truth(isSmart.server),
    bodyLimit: String(bodyLimit),
  });
}

function lengthText(texts: FrameTexts, { order, limits }: Extract<StreamFraming, { readonly is: "length" }>): string {
  return filledIn(texts.length, {
    limitClient: String(limits.client),
    limitServer: String(limits.server),
    low: order === "le" ? "0" : "1",
    high: order === "le" ? "1" : "0",
  });
}
