/**
 * Refusals of generated readers and writers. Each check has a number in a table of its module. A function that refuses notes the
 * number and the place, and its callers add their parts of the path. Nothing is thrown before the whole message is refused; code and
 * place are made then, words and path once somebody looks at them.
 *
 * @module
 */
import { countBytes, joinPath, type LateWords, placeText, WireError, type WireErrorCode } from "../wire-error.ts";

/** A kind, the path of the field, and what the words need. `[]` in a path is an index. */
export type Check = readonly string[];

/**
 * The words of a kind of check: a code and a text between which a bar stands, or what makes them. In the text `{}` is the number that
 * was read, or the value that was to be written, and `{2}` is a part of the check.
 */
export type Kind = string | ((found: Found) => Finding);

/** What is known of a check that failed. */
export interface Found {
  readonly check: Check;
  /** The number that was read, or the value that was to be written. */
  readonly shown: unknown;
  /** Where, in bits, and how many are left there. */
  readonly place: number;
  readonly left: number;
  /** The indexes of its path. */
  readonly i: number;
  readonly j: number;
}

/** What is wrong with bytes, and where: where nothing is said of that, at the place and the path of the check. */
export interface Finding {
  /** Of a value that is to be written: whether it is of another type, or out of range. */
  readonly code: WireErrorCode | "type" | "range";
  /** The words, or what makes them. */
  readonly why: string | ((said: string) => string);
  readonly path?: string;
  readonly indexes?: readonly number[] | undefined;
  readonly bit?: number;
  /** Without the place in the words. */
  readonly isBare?: true;
}

/** The checks of the functions of a description. */
export interface Checks {
  /** A line each, its parts between bars. They are taken apart when one is needed. */
  readonly text: string;
  /** Those of their kinds that are not usual, so that a codec brings no words that it does not need: lines begin with their indexes. */
  readonly kinds?: readonly Kind[];
  list?: readonly Check[];
}

type Kinds = Checks["kinds"];

function checkOf(checks: Checks, index: number): Check {
  checks.list ??= checks.text.split("\n").map((line) => line.split("|"));
  return checks.list[index] as Check;
}

/** The path of a call, and those of the calls in it. Linked: growing a list takes longer than all else of a refusal. */
interface Around {
  readonly path: string;
  readonly i: number;
  readonly j: number;
  readonly inner: Around | undefined;
}

/** A check that was refused. */
interface Refused extends Found {
  readonly kinds: Kinds;
  shown: unknown;
  /** The bytes end too early. */
  readonly isCut: boolean;
  /** The calls around it. */
  around: Around | undefined;
  /** Of what came out of a block: where its places lie in the bytes. See `blocks.ts`. */
  placeInBlock: ((bit: number) => number) | undefined;
}

/** The last one. Errors of bytes keep theirs. */
let refused: Refused;

function note(check: Check, kinds: Kinds, place: number, shown: unknown, i = 0, j = 0, left = 0, isCut = false): void {
  refused = { check, kinds, place, shown, left, isCut, i, j, around: undefined, placeInBlock: undefined };
}

/** Refuses the bytes at a byte. */
export function no(checks: Checks, check: number, byte: number, value?: unknown, i?: number, j?: number): undefined {
  noBit(checks, check, byte * 8, value, i, j);
}

/** Refuses the bytes at a bit. */
export function noBit(checks: Checks, check: number, bit: number, value?: unknown, i?: number, j?: number): undefined {
  note(checkOf(checks, check), checks.kinds, bit, value, i, j);
}

/** The bytes end within fields that begin at a byte. `size`: of a run of bytes, how many there should be. */
export function cut(
  checks: Checks,
  check: number,
  byte: number,
  end: number,
  size = 0,
  i?: number,
  j?: number,
): undefined {
  cutBit(checks, check, byte * 8, end, size, i, j);
}

/** The bytes end within fields that begin at a bit. */
export function cutBit(
  checks: Checks,
  check: number,
  bit: number,
  end: number,
  size = 0,
  i?: number,
  j?: number,
): undefined {
  note(checkOf(checks, check), checks.kinds, bit, size, i, j, end * 8 - bit, true);
}

/** Adds the path under which the refused part was read. */
export function on(path: string, i = 0, j = 0): undefined {
  refused.around = { path, i, j, inner: refused.around };
}

/**
 * What a size measures was refused. Where it ended too early, and the bytes go on, the size is wrong. `byte`: where the size lies.
 */
export function inSized(
  checks: Checks,
  path: string,
  small: number,
  isInside: boolean,
  byte: number,
  size: number,
  i = 0,
  j = 0,
): undefined {
  if (isInside && refused.isCut) no(checks, small, byte, `${size} is too small for its content`, i, j);
  else on(path, i, j);
}

/** A size that its content does not fill. */
export function notSize(
  checks: Checks,
  small: number,
  byte: number,
  size: number,
  used: number,
  i = 0,
  j = 0,
): undefined {
  no(checks, small, byte, `${size} where its content has ${used}`, i, j);
}

/** Refuses a block for what its decoder found. */
export function refuseBlock(checks: Checks, check: number, { code, message, bitOffset }: WireError): void {
  const [, path = ""] = checkOf(checks, check);
  const thrown = (): Finding => ({ code, why: message.slice(message.indexOf(": ") + 2), isBare: true });
  note(["0", path], [thrown], bitOffset, undefined, 0, 0, 0, code === "truncated");
}

/** Refuses what came out of a block: bytes are left after `used` of `length`. */
export function refuseRest(used: number, length: number): void {
  const rest = (): Finding => ({ code: "trailing", why: `${countBytes(length - used)} left`, path: "" });
  note(["0", ""], [rest], used * 8, undefined);
}

/** What was refused came out of a block; its places count from its start. */
export function onBlock(path: string, placeOf: (bit: number) => number): void {
  on(path);
  refused.placeInBlock = placeOf;
}

/** Bytes are left after the message: the error. */
export function trailing(at: number, end: number): WireError {
  const words: LateWords = () => [`Cannot read end of message: ${countBytes(end - at)} left at byte ${at}`, ""];
  return new WireError("trailing", words, at * 8);
}

/** A path with numbers for its `[]`. */
function withIndexes(path: string, numbers: readonly number[]): string {
  let next = 0;
  return path.replaceAll("[]", () => `[${numbers[next++]}]`);
}

/** The bits of each type: looking at its text took longer than all the rest of a refusal. */
const widths = new Map<string, number>();

/** The bits of `i16le`, or of `12`. */
function bitsOfType(type = ""): number {
  let bits = widths.get(type);
  if (bits === undefined) {
    bits = Number.parseInt(type > "a" ? type.slice(1) : type, 10);
    widths.set(type, bits);
  }
  return bits;
}

/** Which of some fields the bytes end in: names and types, from the piece `first` on. */
export function cutField(
  pieces: Check,
  first: number,
  from: number,
  left: number,
  indexes?: readonly number[],
): Finding {
  let bit = from;
  let rest = left;
  let index = first;
  let width = bitsOfType(pieces[first + 1]);
  while (index < pieces.length - 2 && rest >= width) {
    rest -= width;
    bit += width;
    index += 2;
    width = bitsOfType(pieces[index + 1]);
  }
  const why = (): string => {
    const isWhole = width % 8 === 0;
    const needed = isWhole ? countBytes(width / 8) : width === 1 ? "1 bit" : `${width} bits`;
    return `${needed} needed, ${!isWhole ? rest : rest % 8 === 0 ? rest / 8 : `${rest} bits`} left`;
  };
  return { code: "truncated", why, path: pieces[index] as string, indexes, bit };
}

/** So many bytes are over a limit. */
export const overLimit = (bytes: unknown, most: string): string =>
  `${countBytes(Number(bytes))} are over its limit of ${most}`;

/** What is wrong with the bytes or the value. */
function findingOf(found: Refused): Finding {
  const { kinds, check } = found;
  const name = check[0] as string;
  const kind = (usual[name] ?? kinds?.[+name]) as Kind;
  if (typeof kind !== "string") return kind(found);
  const bar = kind.indexOf("|");
  const why = (said: string): string =>
    kind.slice(bar + 1).replace(/\{(\d?)\}/g, (_, part: string) => (part === "" ? said : String(check[+part])));
  return { code: kind.slice(0, bar) as Finding["code"], why };
}

/** What most descriptions have. */
const usual: Readonly<Record<string, Kind>> = {
  // Fields of integers, of which one is cut.
  "": ({ check, place, left }) => cutField(check, 1, place, left),
  run: ({ shown, left }) => ({
    code: "truncated",
    why: () => `${countBytes(Number(shown))} needed, ${left >> 3} left`,
  }),
  none: "unknown-variant|{} is none of {2}",
  limit: "limit|{} is over its limit of {2}",
  left: "limit|{} bytes are over the limit of {2}",
  object: "type|value must be an object, got {}",
  list: "type|value must be a list, got {}",
  there: "type|value must not be there",
  most: "range|value must have at most {2} {3}, got {}",
  same: "range|value must be {2}, got {}",
  oneOf: "range|value must be one of {2}, got {}",
  integer: ({ check, shown }) => {
    const [, , name = "", least, greatest, divisor = "1"] = check;
    const [min, max] = least === undefined ? rangeOfName(name) : [least, greatest];
    const isType = typeof shown !== "number";
    const what = isType || divisor === "1" ? "an integer" : `a multiple of 1/${divisor}`;
    return wrongValue(isType, `${name} must be ${what} in ${min}..${max}, got ${String(shown)}`);
  },
  bytes: ({ check: [, , least, most], shown }) => {
    if (!(shown instanceof Uint8Array)) return wrongValue(true, `value must be a Uint8Array, got ${typeof shown}`);
    return wrongValue(
      false,
      `value must have ${least === most ? least : `at most ${most}`} bytes, got ${shown.length}`,
    );
  },
};

/** A value that is of another type, or out of range. */
export function wrongValue(isType: boolean, why: string): Finding {
  return { code: isType ? "type" : "range", why };
}

/** The whole path of what was found. */
function pathOf({ check, i, j, around }: Refused, { path = check[1] as string, indexes = [i, j] }: Finding): string {
  let outer = "";
  for (let each = around; each !== undefined; each = each.inner) {
    outer = joinPath(outer, withIndexes(each.path, [each.i, each.j]));
  }
  return joinPath(outer, withIndexes(path, indexes));
}

const wordsOf = ({ shown }: Refused, { why }: Finding): string => (typeof why === "string" ? why : why(String(shown)));

/** The error of bytes that were refused. */
export function refusal(): WireError {
  const found = refused;
  const finding = findingOf(found);
  const { code, bit = found.place, isBare } = finding;
  const { placeInBlock } = found;
  const words: LateWords = () => {
    const isTrailing = code === "trailing";
    const path = pathOf(found, finding);
    const at = `${isBare ? "" : ` at ${placeText(bit)}`}${placeInBlock === undefined ? "" : " of the body"}`;
    return [
      `Cannot read ${isTrailing ? "end of message" : path || "value"}: ${wordsOf(found, finding)}${at}`,
      isTrailing ? "" : path,
    ];
  };
  return new WireError(code as WireErrorCode, words, placeInBlock?.(bit) ?? bit);
}

// --- Writing -----------------------------------------------------------------------------------------------------------------

/** Refuses a value that is to be written: what a writer returns in place of a position. */
export function bad(checks: Checks, check: number, value: unknown, i?: number, j?: number): number {
  note(checkOf(checks, check), checks.kinds, 0, value, i, j);
  return -1;
}

/** Refuses a value that is no object. */
export function badObject(path: string, value: unknown, i?: number, j?: number): number {
  note(["object", path], undefined, 0, value, i, j);
  return -1;
}

/** Refuses an object that has one of these keys, between bars. */
export function badKey(path: string, object: unknown, keys: string, i?: number, j?: number): number {
  const given = object as Readonly<Record<string, unknown>>;
  const key = keys.split("|").find((each) => given[each] !== undefined) ?? "";
  note(["there", joinPath(path, key)], undefined, 0, given[key], i, j);
  return -1;
}

/** Refuses an object for one of its integers that were written together: `prefix` is its path. */
export function badField(
  checks: Checks,
  check: number,
  prefix: string,
  object: unknown,
  i?: number,
  j?: number,
): number {
  const pieces = checkOf(checks, check);
  const given = object as Readonly<Record<string, unknown>>;
  const start = prefix === "" ? 0 : prefix.length + 1;
  for (let at = 1; at < pieces.length; at += 2) {
    const path = pieces[at] as string;
    const type = pieces[at + 1] as string;
    const key = path.slice(start);
    if (!path.startsWith(prefix) || key.includes(".") || !/^[iu]/.test(type)) continue;
    const value = given[key] as number;
    const [min, max] = rangeOfName(type);
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    note(["integer", path, type], undefined, 0, value, i, j);
    break;
  }
  return -1;
}

/** Adds the path under which the refused part was to be written. */
export function under(path: string, i = 0, j = 0): number {
  on(path, i, j);
  return -1;
}

/** The least and the greatest number of `i16le`. */
function rangeOfName(name: string): readonly [min: number, max: number] {
  const count = 2 ** bitsOfType(name);
  return name.startsWith("i") ? [-count / 2, count / 2 - 1] : [0, count - 1];
}

/** The error of a value that cannot be written. */
export function wrong(): Error {
  const finding = findingOf(refused);
  const path = pathOf(refused, finding);
  const words = wordsOf(refused, finding);
  refused.shown = undefined;
  const message = path === "" ? words : `Cannot write ${path}: ${words}`;
  return finding.code === "type" ? new TypeError(message) : new RangeError(message);
}
