/**
 * Refusals of generated readers and writers. Each check has a number in a table of its module. A function that refuses notes the
 * number and the place, and its callers add their parts of the path. Nothing is thrown before the whole message is refused, and
 * words are made only then.
 *
 * @module
 */
import { countBytes, joinPath, placeText, WireError, type WireErrorCode } from "../wire-error.ts";

/** A kind, the path of the field, and what the words need. `[]` in a path is an index. */
type Check = readonly string[];

/** The checks of the functions of a description: a line each, its parts between bars. They are taken apart when one is needed. */
export interface Checks {
  readonly text: string;
  list?: readonly Check[];
}

/** The checks of a text. */
export function checksOf(text: string): Checks {
  return { text };
}

function checkOf(checks: Checks, index: number): Check {
  checks.list ??= checks.text.split("\n").map((line) => line.split("|"));
  return checks.list[index] as Check;
}

/** Where, in bits. */
let place = 0;
/** What the words show: a number that was read, or a value that was to be written. */
let shown: unknown;
/** Of bytes that end too early: where they end. */
let ending = 0;
let isCut = false;
/** An error of a decoder of blocks. */
let thrown: WireError | undefined;
/** Added to the words. */
let suffix = "";
/** The check that was refused; how many calls deep, the paths of these calls from the innermost one on, and the indexes of all paths. */
let depth = 0;
let own: Check = [];
const outer: string[] = [];
const indexes: number[] = [];

/** Bytes are left where the message should end. */
const trailingCheck: Check = ["trailing", ""];

function note(check: Check, bit: number, value: unknown, i: number, j: number): void {
  place = bit;
  shown = value;
  isCut = false;
  thrown = undefined;
  suffix = "";
  own = check;
  indexes[0] = i;
  indexes[1] = j;
  depth = 1;
}

/** Refuses the bytes at a byte. */
export function no(checks: Checks, check: number, byte: number, value?: unknown, i = 0, j = 0): undefined {
  note(checkOf(checks, check), byte * 8, value, i, j);
}

/** Refuses the bytes at a bit. */
export function noBit(checks: Checks, check: number, bit: number, value?: unknown, i = 0, j = 0): undefined {
  note(checkOf(checks, check), bit, value, i, j);
}

/** The bytes end within fields that begin at a byte. `size`: of a run of bytes, how many there should be. */
export function cut(checks: Checks, check: number, byte: number, end: number, size = 0, i = 0, j = 0): undefined {
  cutBit(checks, check, byte * 8, end, size, i, j);
}

/** The bytes end within fields that begin at a bit. */
export function cutBit(checks: Checks, check: number, bit: number, end: number, size = 0, i = 0, j = 0): undefined {
  note(checkOf(checks, check), bit, size, i, j);
  ending = end;
  isCut = true;
}

/** Adds the path under which the refused part was read. */
export function on(path: string, i = 0, j = 0): undefined {
  outer[depth] = path;
  indexes[depth * 2] = i;
  indexes[depth * 2 + 1] = j;
  depth += 1;
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
  if (isInside && isCut) no(checks, small, byte, `${size} is too small for its content`, i, j);
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

/** The decoder of a block refused it. */
export function refusedBlock(checks: Checks, check: number, error: WireError, i = 0, j = 0): void {
  note(checkOf(checks, check), error.bitOffset, undefined, i, j);
  thrown = error;
  isCut = error.code === "truncated";
}

/**
 * What came out of a block was refused; its places count from its start. `used`: so many of `length` bytes were read, and all that is
 * wrong is that there are more; otherwise -1. `literals`: where the body lies in the block as it is, or -1.
 */
export function refusedBody(path: string, start: number, literals: number, used: number, length: number): void {
  if (used >= 0) {
    note(trailingCheck, used * 8, undefined, 0, 0);
    ending = length;
  }
  on(path);
  // The place of fields that end too early is within the run of fields that was checked: it is found first.
  bodyStart = literals < 0 ? -1 : literals * 8;
  blockStart = start * 8;
  suffix = " of the body";
}

let bodyStart = 0;
let blockStart = 0;

/** Bytes are left after the message: the error. */
export function trailing(at: number, end: number): WireError {
  return new WireError("trailing", `Cannot read end of message: ${countBytes(end - at)} left at byte ${at}`, at * 8);
}

/** What is wrong, where, and in which part of the path. */
interface Finding {
  readonly code: WireErrorCode;
  readonly why: string;
  readonly path: string;
  readonly bit: number;
  /** Without the place in the words. */
  readonly isBare?: true;
}

function withIndexes(path: string, numbers: readonly number[]): string {
  let whole = path;
  let next = 0;
  for (let at = path.indexOf("[]"); at >= 0; at = whole.indexOf("[]", at + 1)) {
    whole = `${whole.slice(0, at + 1)}${numbers[next++]}${whole.slice(at + 1)}`;
  }
  return whole;
}

/** The bits of `i16le`, or of `12`. */
function bitsOfType(type = ""): number {
  return Number.parseInt(type > "a" ? type.slice(1) : type, 10);
}

/** Which of some fields the bytes end in: names and types, from the piece `first` on. */
function cutField(pieces: Check, first: number, from: number, left: number, numbers: readonly number[]): Finding {
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
  const isWhole = width % 8 === 0;
  const needed = isWhole ? countBytes(width / 8) : width === 1 ? "1 bit" : `${width} bits`;
  const has = !isWhole ? String(rest) : rest % 8 === 0 ? String(rest / 8) : `${rest} bits`;
  return {
    code: "truncated",
    why: `${needed} needed, ${has} left`,
    path: withIndexes(pieces[index] as string, numbers),
    bit,
  };
}

/** Words about a number that was found, or about a value, with the parts of the check. */
type Words = (found: unknown, first: string, second: string) => string;

const overLimit: Words = (n, most) => `${countBytes(Number(n))} are over its limit of ${most}`;

/** What is wrong with bytes, by the kind of check. */
const readWords: Readonly<Record<string, readonly [code: WireErrorCode, why: Words]>> = {
  noEnd: ["truncated", (n) => `its final zero is missing, ${n} left`],
  long: ["limit", (_, most) => `over its limit of ${most} characters`],
  none: ["unknown-variant", (n, known) => `${n} is none of ${known}`],
  range: ["bad-value", (n, min, max) => `${n} is not in ${min}..${max}`],
  is: ["bad-value", (n, one) => `${n} is not ${one}`],
  finite: ["bad-value", (n) => `${n} is not finite`],
  padding: ["bad-value", (n) => `${n} is not 0`],
  count: ["bad-value", (n) => `${n} is not a count`],
  limit: ["limit", (n, most) => `${n} is over its limit of ${most}`],
  items: ["limit", (_, most) => `over its limit of ${most} items`],
  left: ["limit", (n, most) => `${n} bytes are over the limit of ${most}`],
  limited: ["limit", overLimit],
  least: ["bad-length", (n, least) => `${n} is less than ${least}, its least`],
  size: ["bad-length", (n) => String(n)],
  block: ["bad-length", (n, bytes) => `${n} of its ${bytes} come out`],
};

function findingOf(check: Check, i: number, j: number): Finding {
  const [kind = "", name = "", first = "", second = ""] = check;
  const path = withIndexes(name, [i, j]);
  const found = (code: WireErrorCode, why: string): Finding => ({ code, why, path, bit: place });
  const left = ending * 8 - place;
  switch (kind) {
    case "fields":
      return cutField(check, 1, place, left, [i, j]);
    case "cuts": {
      const itemBits = Number(first);
      const item = Math.floor(left / itemBits);
      const outerIndexes = [i, j].slice(0, name.split("[]").length - 1);
      return cutField(check, 3, place + item * itemBits, left - item * itemBits, [...outerIndexes, item]);
    }
    case "run":
      return found("truncated", `${countBytes(Number(shown))} needed, ${left >> 3} left`);
    case "prefix": {
      const begun = Number(shown).toString(2).padStart(Number(first), "0");
      const codes = check.slice(4);
      const last = Array.from(begun).findIndex(
        (_, at) => !codes.some((code) => code.startsWith(begun.slice(0, at + 1))),
      );
      return found("unknown-variant", `bits ${begun.slice(0, last + 1)} begin none of ${second}`);
    }
    case "reserved":
      return found("bad-value", `reserved bits 0x${((Number(shown) & Number(first)) >>> 0).toString(16)} are set`);
    case "part":
      return found(first as WireErrorCode, second.replace("{}", String(shown)));
    default: {
      const [code, why] = readWords[kind] as (typeof readWords)[string];
      return { ...found(code, why(shown, first, second)), ...(kind === "limited" ? { isBare: true } : {}) };
    }
  }
}

/** The path of the trail from a level on, around a path. */
function pathAround(path: string, from: number): string {
  let whole = path;
  for (let level = from; level < depth; level++) {
    whole = joinPath(
      withIndexes(outer[level] as string, [indexes[level * 2] as number, indexes[level * 2 + 1] as number]),
      whole,
    );
  }
  return whole;
}

/** The error of bytes that were refused. */
export function refusal(): WireError {
  const [i = 0, j = 0] = indexes;
  let finding: Finding;
  if (thrown !== undefined) {
    const { code, message, bitOffset } = thrown;
    const path = withIndexes(own[1] as string, [i, j]);
    finding = { code, why: message.slice(message.indexOf(": ") + 2), path, bit: bitOffset, isBare: true };
  } else if (own === trailingCheck) {
    finding = { code: "trailing", why: `${countBytes(ending - place / 8)} left`, path: "", bit: place };
  } else finding = findingOf(own, i, j);
  const { code, why, bit, isBare } = finding;
  const path = pathAround(finding.path, 1);
  const isTrailing = code === "trailing";
  const words = isBare ? why : `${why} at ${placeText(bit)}`;
  const named = isTrailing ? "end of message" : path === "" ? "value" : path;
  const at = suffix === "" ? bit : bodyStart < 0 ? blockStart : bit + bodyStart;
  return new WireError(code, `Cannot read ${named}: ${words}${suffix}`, at, isTrailing ? "" : path);
}

// --- Writing -----------------------------------------------------------------------------------------------------------------

/** Refuses a value that is to be written: what a writer returns in place of a position. */
export function bad(checks: Checks, check: number, value: unknown, i = 0, j = 0): number {
  note(checkOf(checks, check), 0, value, i, j);
  return -1;
}

/** Refuses a value that is no object. */
export function badObject(path: string, value: unknown, i = 0, j = 0): number {
  note(["object", path], 0, value, i, j);
  return -1;
}

/** Refuses an object that has one of these keys, between bars. */
export function badKey(path: string, object: unknown, keys: string, i = 0, j = 0): number {
  const given = object as Readonly<Record<string, unknown>>;
  const key = keys.split("|").find((each) => given[each] !== undefined) ?? "";
  note(["there", joinPath(path, key)], 0, given[key], i, j);
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
    note(["integer", path, type], 0, given[key], i, j);
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

/** What is wrong with a value; `!` first: it is of another type. */
const writeWords: Readonly<Record<string, Words>> = {
  float: (n, type) => `!${type} must be a number, got ${n}`,
  object: (n) => `!value must be an object, got ${n}`,
  list: (n) => `!value must be a list, got ${n}`,
  most: (n, most, things) => `value must have at most ${most} ${things}, got ${n}`,
  exactly: (n, count, things) => `value must have ${count} ${things}, got ${n}`,
  boolean: (n) => `!value must be true or false, got ${n}`,
  oneOf: (n, known) => `value must be one of ${known}, got ${n}`,
  noneOf: (n, known) => `value must be none of ${known}, got ${n}`,
  same: (n, one) => `value must be ${one}, got ${n}`,
  there: () => "!value must not be there",
  mark: (_, mark) => `value must not be ${mark}, the mark`,
  end: (_, byte) => `value must not begin with the byte ${byte}, the end of the list`,
  here: (n) => `value must not be ${n} here`,
  over: overLimit,
};

/** What is wrong with a value, and whether it is of another type or out of range. */
function wrongValue(check: Check): readonly [isType: boolean, why: string] {
  const [kind = "", , first = "", second = "", third = "", fourth = ""] = check;
  switch (kind) {
    case "integer": {
      const [min, max] = check.length === 3 ? rangeOfName(first) : [second, third];
      const isType = typeof shown !== "number";
      const what = isType || fourth === "" || fourth === "1" ? "an integer" : `a multiple of 1/${fourth}`;
      return [isType, `${first} must be ${what} in ${min}..${max}, got ${String(shown)}`];
    }
    case "big":
      return typeof shown === "bigint"
        ? [false, `u64le must be in 0..${2n ** 64n - 1n}, got ${shown}`]
        : [true, `u64le must be a bigint, got ${String(shown)}`];
    case "fits":
      return [typeof shown !== "number", `value must fit a 32-bit float, got ${String(shown)}`];
    case "flags": {
      if (typeof shown !== "object" || shown === null) return wrongValue(["object"]);
      const given = shown as Readonly<Record<string, unknown>>;
      const name = check.slice(2).find((each) => typeof given[each] !== "boolean") ?? "";
      return [true, `${name} must be true or false, got ${String(given[name])}`];
    }
    case "bytes": {
      if (!(shown instanceof Uint8Array)) return [true, `value must be a Uint8Array, got ${typeof shown}`];
      const many = first === second ? first : `at most ${second}`;
      return [false, `value must have ${many} bytes, got ${shown.length}`];
    }
    case "text":
      return wrongText(first, Number(second), Number(third));
    default: {
      const why = (writeWords[kind] as Words)(String(shown), first, second);
      return why.startsWith("!") ? [true, why.slice(1)] : [false, why];
    }
  }
}

/** `least` is 1 for a text that ends at a zero byte, which it must not have itself. */
function wrongText(charset: string, least: number, most: number): readonly [isType: boolean, why: string] {
  const isLatin1 = charset === "latin1";
  const isCstring = isLatin1 && least > 0;
  if (typeof shown !== "string")
    return [true, `${isCstring ? "cstring must be a string" : "it must be a text"}, got ${typeof shown}`];
  const text = shown;
  const at = isLatin1 ? text.split("").findIndex((each) => each.charCodeAt(0) < least || each > "\xff") : -1;
  const found = `got ${text.charCodeAt(at)} at position ${at}`;
  if (least === 0 && at >= 0) return [false, `text must be characters in 0..255, ${found}`];
  if (least === 0) return [false, `value must have at most ${most} bytes, got ${text.length}`];
  if (isCstring) {
    if (text.length > most) return [false, `cstring must have at most ${most} characters, got ${text.length}`];
    return [false, `cstring must be characters in 1..255, ${found}`];
  }
  if (text.length > most) return [false, `a text must be at most ${most} characters, got ${text.length}`];
  return [false, "a text must be characters of Windows-1252 other than 0"];
}

/** The error of a value that cannot be written. */
export function wrong(): Error {
  const path = pathAround(withIndexes(own[1] as string, indexes), 1);
  const [isType, why] = wrongValue(own);
  shown = undefined;
  const message = path === "" ? why : `Cannot write ${path}: ${why}`;
  return isType ? new TypeError(message) : new RangeError(message);
}
