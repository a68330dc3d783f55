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

/** The words of a kind of check that few descriptions have: of bytes that are refused, or of a value. See `kinds.ts`. */
export type Kind = (found: Found) => Finding | WrongValue;

/** What is known of a check that failed. */
export interface Found {
  readonly check: Check;
  /** The number that was read, or the value that was to be written. */
  readonly shown: unknown;
  /** The same as a text. */
  readonly said: string;
  /** Where, in bits, and how many are left there. */
  readonly place: number;
  readonly left: number;
  /** Two for the path of the check, then two for each path around it. */
  readonly indexes: readonly number[];
}

/** What is wrong with bytes, and where: where nothing is said of that, at the place and the path of the check. */
export interface Finding {
  readonly code: WireErrorCode;
  /** The words, or what makes them. */
  readonly why: string | (() => string);
  readonly path?: string;
  readonly indexes?: readonly number[];
  readonly bit?: number;
  /** Without the place in the words. */
  readonly isBare?: true;
}

/** What is wrong with a value, and whether it is of another type or out of range. */
export type WrongValue = readonly [isType: boolean, why: string];

/** The checks of the functions of a description. */
export interface Checks {
  /** A line each, its parts between bars. They are taken apart when one is needed. */
  readonly text: string;
  /** Those of their kinds that are not usual, so that a codec brings no words that it does not need. */
  readonly kinds?: Readonly<Record<string, Kind>>;
  list?: readonly Check[];
}

type Kinds = Checks["kinds"];

function checkOf(checks: Checks, index: number): Check {
  checks.list ??= checks.text.split("\n").map((line) => line.split("|"));
  return checks.list[index] as Check;
}

/** A check that was refused, and the paths of the calls around it, from the innermost one on. */
interface Refused extends Found {
  readonly kinds: Kinds;
  shown: unknown;
  said: string;
  /** The bytes end too early. */
  readonly isCut: boolean;
  readonly indexes: number[];
  readonly outer: string[];
  /** Of what came out of a block: where its places lie in the bytes. See `blocks.ts`. */
  placeInBlock: ((bit: number) => number) | undefined;
}

/** The last one. Errors of bytes keep theirs. */
let refused: Refused;

function note(check: Check, kinds: Kinds, place: number, shown: unknown, i = 0, j = 0, left = 0, isCut = false): void {
  refused = {
    check,
    kinds,
    place,
    shown,
    said: "",
    left,
    isCut,
    indexes: [i, j],
    outer: [],
    placeInBlock: undefined,
  };
}

/** Refuses the bytes at a byte. */
export function no(checks: Checks, check: number, byte: number, value?: unknown, i = 0, j = 0): undefined {
  noBit(checks, check, byte * 8, value, i, j);
}

/** Refuses the bytes at a bit. */
export function noBit(checks: Checks, check: number, bit: number, value?: unknown, i = 0, j = 0): undefined {
  note(checkOf(checks, check), checks.kinds, bit, value, i, j);
}

/** The bytes end within fields that begin at a byte. `size`: of a run of bytes, how many there should be. */
export function cut(checks: Checks, check: number, byte: number, end: number, size = 0, i = 0, j = 0): undefined {
  cutBit(checks, check, byte * 8, end, size, i, j);
}

/** The bytes end within fields that begin at a bit. */
export function cutBit(checks: Checks, check: number, bit: number, end: number, size = 0, i = 0, j = 0): undefined {
  note(checkOf(checks, check), checks.kinds, bit, size, i, j, end * 8 - bit, true);
}

/** Adds the path under which the refused part was read. */
export function on(path: string, i = 0, j = 0): undefined {
  refused.outer.push(path);
  refused.indexes.push(i, j);
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
  note(["thrown", path], { thrown }, bitOffset, undefined, 0, 0, 0, code === "truncated");
}

/** Refuses what came out of a block: bytes are left after `used` of `length`. */
export function refuseRest(used: number, length: number): void {
  const rest = (): Finding => ({ code: "trailing", why: `${countBytes(length - used)} left`, path: "" });
  note(["rest", ""], { rest }, used * 8, undefined);
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

/** A path with numbers for its `[]`: those from `first` on. */
function withIndexes(path: string, numbers: readonly number[], first = 0): string {
  let whole = path;
  let next = first;
  for (let at = path.indexOf("[]"); at >= 0; at = whole.indexOf("[]", at + 1)) {
    whole = `${whole.slice(0, at + 1)}${numbers[next++]}${whole.slice(at + 1)}`;
  }
  return whole;
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
  indexes: readonly number[],
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

/** What is wrong with the bytes. Words of the usual kinds are left for later. */
function findingOf(found: Refused): Finding {
  const { check, shown, left, place, indexes } = found;
  const [kind = "", , first = ""] = check;
  switch (kind) {
    case "fields":
      return cutField(check, 1, place, left, indexes);
    case "run":
      return { code: "truncated", why: () => `${countBytes(Number(shown))} needed, ${left >> 3} left` };
    case "none":
      return { code: "unknown-variant", why: () => `${shown} is none of ${first}` };
    case "limit":
      return { code: "limit", why: () => `${shown} is over its limit of ${first}` };
    case "left":
      return { code: "limit", why: () => `${shown} bytes are over the limit of ${first}` };
    default:
      return ofKind(found) as Finding;
  }
}

function ofKind(found: Refused): Finding | WrongValue {
  const { kinds, check } = found;
  found.said = String(found.shown);
  return ((kinds as NonNullable<Kinds>)[check[0] as string] as Kind)(found);
}

/** A path in the paths around it. */
function pathAround(path: string, { outer, indexes }: Refused): string {
  return outer.reduce((whole, each, level) => joinPath(withIndexes(each, indexes, level * 2 + 2), whole), path);
}

/** The error of bytes that were refused. */
export function refusal(): WireError {
  const found = refused;
  const finding = findingOf(found);
  const { bit = found.place } = finding;
  return new WireError(finding.code, () => wordsOf(found, finding, bit), found.placeInBlock?.(bit) ?? bit);
}

function wordsOf(found: Refused, finding: Finding, bit: number): ReturnType<LateWords> {
  const { code, why, isBare, path: inner = found.check[1] as string, indexes = found.indexes } = finding;
  const path = pathAround(withIndexes(inner, indexes), found);
  const isTrailing = code === "trailing";
  const named = isTrailing ? "end of message" : path || "value";
  const words = typeof why === "string" ? why : why();
  const at = isBare ? "" : ` at ${placeText(bit)}`;
  const inBlock = found.placeInBlock === undefined ? "" : " of the body";
  return [`Cannot read ${named}: ${words}${at}${inBlock}`, isTrailing ? "" : path];
}

// --- Writing -----------------------------------------------------------------------------------------------------------------

/** Refuses a value that is to be written: what a writer returns in place of a position. */
export function bad(checks: Checks, check: number, value: unknown, i = 0, j = 0): number {
  note(checkOf(checks, check), checks.kinds, 0, value, i, j);
  return -1;
}

/** Refuses a value that is no object. */
export function badObject(path: string, value: unknown, i = 0, j = 0): number {
  note(["object", path], undefined, 0, value, i, j);
  return -1;
}

/** Refuses an object that has one of these keys, between bars. */
export function badKey(path: string, object: unknown, keys: string, i = 0, j = 0): number {
  const given = object as Readonly<Record<string, unknown>>;
  const key = keys.split("|").find((each) => given[each] !== undefined) ?? "";
  note(["there", joinPath(path, key)], undefined, 0, given[key], i, j);
  return -1;
}

/** Refuses an object for one of its integers that were written together: `prefix` is its path. */
export function badField(checks: Checks, check: number, prefix: string, object: unknown, i = 0, j = 0): number {
  const [, ...pieces] = checkOf(checks, check);
  const given = object as Readonly<Record<string, unknown>>;
  const start = prefix === "" ? 0 : prefix.length + 1;
  for (let at = 0; at < pieces.length; at += 2) {
    const [path = "", type = ""] = pieces.slice(at, at + 2);
    const key = path.slice(start);
    if (!path.startsWith(prefix) || key.includes(".") || !/^[iu]/.test(type) || fitsInteger(given[key], type)) continue;
    note(["integer", path, type], undefined, 0, given[key], i, j);
    return -1;
  }
  throw new Error("Cannot happen: all numbers fit");
}

/** Adds the path under which the refused part was to be written. */
export function under(path: string, i = 0, j = 0): number {
  on(path, i, j);
  return -1;
}

/** The least and the greatest number of `i16le`. */
function rangeOfName(name: string): readonly [min: number, max: number] {
  const bits = Number.parseInt(name.slice(1), 10);
  return name.startsWith("i") ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

function fitsInteger(value: unknown, name: string): boolean {
  const [min, max] = rangeOfName(name);
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

function wrongValue(found: Refused): WrongValue {
  const { check, shown } = found;
  const said = String(shown);
  const [kind = "", , first = "", second = "", third = "", fourth = ""] = check;
  switch (kind) {
    case "integer": {
      const [min, max] = check.length === 3 ? rangeOfName(first) : [second, third];
      const isType = typeof shown !== "number";
      const what = isType || fourth === "" || fourth === "1" ? "an integer" : `a multiple of 1/${fourth}`;
      return [isType, `${first} must be ${what} in ${min}..${max}, got ${said}`];
    }
    case "object":
    case "list":
      return [true, `value must be ${kind === "list" ? "a list" : "an object"}, got ${said}`];
    case "there":
      return [true, "value must not be there"];
    case "most":
      return [false, `value must have at most ${first} ${second}, got ${said}`];
    case "same":
      return [false, `value must be ${first}, got ${said}`];
    case "oneOf":
      return [false, `value must be one of ${first}, got ${said}`];
    case "bytes": {
      if (!(shown instanceof Uint8Array)) return [true, `value must be a Uint8Array, got ${typeof shown}`];
      const many = first === second ? first : `at most ${second}`;
      return [false, `value must have ${many} bytes, got ${shown.length}`];
    }
    default:
      return ofKind(found) as WrongValue;
  }
}

/** The error of a value that cannot be written. */
export function wrong(): Error {
  const path = pathAround(withIndexes(refused.check[1] as string, refused.indexes), refused);
  const [isType, why] = wrongValue(refused);
  refused.shown = undefined;
  const message = path === "" ? why : `Cannot write ${path}: ${why}`;
  return isType ? new TypeError(message) : new RangeError(message);
}
