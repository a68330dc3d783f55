/** Colours of a terminal. Nothing is said by a colour alone: without colours the same text stands there. */
import type { Writable } from "node:stream";
import type { TracePiece } from "wirewalk/inspect";

/** The variables of the process that colours follow. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether to write colours: `FORCE_COLOR` decides (`0` and `false` are no), then `NO_COLOR` (https://no-color.org), then whether the
 * output is a terminal that knows them.
 */
export function usesColours(output: Writable, env: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (none !== undefined && none !== "") return false;
  return isTerminal(output) && terminal !== "dumb";
}

export function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}

/** Characters of a line of the terminal; undefined for a file or a pipe. */
export function widthOf(output: Writable): number | undefined {
  return isTerminal(output) && "columns" in output && typeof output.columns === "number" && output.columns > 0
    ? output.columns
    : undefined;
}

/** What a piece of text is. */
export type ColouredPiece = TracePiece | "title" | "good";

/** SGR parameters (ECMA-48 8.3.117): of the 16 colours alone, which every theme of a terminal shows readably. */
const codes: Readonly<Record<ColouredPiece, string>> = {
  title: "1",
  head: "2",
  offset: "2",
  bytes: "33",
  path: "36",
  value: "1",
  meaning: "32",
  unread: "2",
  error: "31",
  good: "32",
};

export type Paint = (piece: ColouredPiece, text: string) => string;

/** Gives text its colour, or leaves it as it is. */
export function painter(output: Writable, env: Environment): Paint {
  if (!usesColours(output, env)) return (_piece, text) => text;
  return (piece, text) => (text === "" ? "" : `\u001b[${codes[piece]}m${text}\u001b[0m`);
}
