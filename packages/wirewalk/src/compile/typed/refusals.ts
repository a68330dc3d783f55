/** What the checks of readers and writers refuse, as data: codes and pieces instead of words. */
import type { WireErrorCode } from "../../wire/wire-error.ts";
import type { Program } from "../program.ts";
import type { Check, CheckUse } from "../steps.ts";

/** Of some fields one after another, the path and the bits of one. */
export interface Piece {
  readonly path: string;
  readonly bits: number;
}

/**
 * A refusal of bytes. `cut`: they end within one of the pieces, which says the path and the place. `cuts`: the same within items of one
 * size. `at`: the path and the place are those of the check.
 */
export type Refusal =
  | { readonly is: "cut"; readonly pieces: readonly Piece[] }
  | { readonly is: "cuts"; readonly itemBits: number; readonly pieces: readonly Piece[] }
  | { readonly is: "at"; readonly code: WireErrorCode; readonly path: string };

const codes: Readonly<Record<string, WireErrorCode>> = {
  run: "truncated",
  noEnd: "truncated",
  none: "unknown-variant",
  prefix: "unknown-variant",
  limit: "limit",
  left: "limit",
  long: "limit",
  items: "limit",
  limited: "limit",
  range: "bad-value",
  is: "bad-value",
  finite: "bad-value",
  padding: "bad-value",
  count: "bad-value",
  reserved: "bad-value",
  least: "bad-length",
  size: "bad-length",
  block: "bad-length",
};

/** What a reader's check refuses. */
export function refusalOf(program: Program, use: CheckUse): Refusal {
  const [kind, path = "", ...more] = checkOf(program, use);
  switch (kind) {
    case "fields":
      return { is: "cut", pieces: piecesOf([path, ...more]) };
    case "cuts":
      return { is: "cuts", itemBits: Number(more[0]), pieces: piecesOf(more.slice(1)) };
    case "part":
      return { is: "at", code: more[0] as WireErrorCode, path: String(path) };
    default: {
      const code = codes[String(kind)];
      if (code === undefined) throw new TypeError(`Cannot happen: a reader does not check ${kind}`);
      return { is: "at", code, path: String(path) };
    }
  }
}

/** Pieces as one text, which a runtime takes apart when bytes are cut: `x:16 y:16`. */
export function piecesText(pieces: readonly Piece[]): string {
  const wrong = pieces.find(({ path }) => /[ :]/.test(path));
  if (wrong !== undefined) throw new TypeError(`Cannot compile ${wrong.path}: a name has a space or a colon`);
  return pieces.map(({ path, bits }) => `${path}:${bits}`).join(" ");
}

/** The path of what a check is about. */
export function pathOf(program: Program, use: CheckUse): string {
  return String(checkOf(program, use)[1] ?? "");
}

function checkOf(program: Program, { table, id }: CheckUse): Check {
  const check = program.tables.find(({ name }) => name === table)?.checks[id];
  if (check === undefined) throw new TypeError(`Cannot happen: there is no check ${id} in ${table}`);
  return check;
}

/** Paths and types, or bits, one after another. */
function piecesOf(parts: Check): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const type = String(parts[at + 1]);
    pieces.push({ path: String(parts[at]), bits: Number.parseInt(type > "a" ? type.slice(1) : type, 10) });
  }
  return pieces;
}
