/** Whether a description can be. Its parts are checked before it. */
import { checkBits } from "./byte-edges.ts";
import { checkByLength, checkMark, checkPeek, checkVariant } from "./check-cases.ts";
import { checkArray, checkBytes, checkSized, checkText, checkWholeBytes } from "./check-sizes.ts";
import { checkRows, checkStruct } from "./check-structs.ts";
import { kindText } from "./conditions.ts";
import type {
  CompressedNode,
  FlagsNode,
  IntegerNode,
  LayoutNode,
  LiteralNode,
  LiteralPart,
  OneOfNode,
  PrefixNode,
} from "./node.ts";
import { type ByKind, ofKind } from "./node-kinds.ts";
import { integerName, integerRange, isMixed, smartRange } from "./number-nodes.ts";
import { checkNames, type OptionNames } from "./option-names.ts";
import { checkWhole, isWidth, refuseRange, refuseType } from "./refusals.ts";
import { sizeOf } from "./size.ts";
import { canBe, numberRange, valueKind, valuesText } from "./values.ts";

/** Throws `TypeError` or `RangeError` for a description that cannot be. `path`: where it stands, for the error. */
export function checkNode(node: LayoutNode, path: string): void {
  if (!Object.hasOwn(checks, node.kind)) refuseType(path, `there is no kind ${String(node.kind)}`);
  ofKind(checks, node)(node, path);
}

const checks: ByKind<[path: string], void> = {
  integer: checkInteger,
  smart({ max = 0, wide = false }, path) {
    checkWhole(path, "max", max);
    if (max > smartRange({ wide }).max) refuseRange(path, `no smart number is ${max}`);
  },
  float({ bits }, path) {
    if ((bits as number) !== 32) refuseRange(path, `a float has 32 bits, got ${String(bits)}`);
  },
  boolean: ({ of }, path) => checkNumbers(path, "true and false", of, [0, 1]),
  oneOf: checkOneOf,
  prefix: checkPrefix,
  flags: checkFlags,
  literal: checkLiteral,
  constant() {},
  unused({ bits }) {
    if (!isWidth(bits)) throw new RangeError(`bits must be in 1..32, got ${bits}`);
  },
  array(node, path) {
    checkArray(node, path);
    if (typeof node.rows === "object") checkRows(node.rows, node, path);
  },
  bytes: checkBytes,
  text: checkText,
  struct: checkStruct,
  variant: checkVariant,
  byLength: checkByLength,
  peek: checkPeek,
  mark: checkMark,
  bits: checkBits,
  limited: ({ bytes }, path) => checkWhole(path, "a limit", bytes),
  sized: checkSized,
  compressed: checkCompressed,
};

function checkInteger(node: IntegerNode, path: string): void {
  const { bits, signed, order, transform, bias, divisor = 1, min: lower, max: upper } = node;
  if (bits === 64) {
    const isPlain = [transform, bias, node.divisor, lower, upper].every((each) => each === undefined);
    if (!signed && order === "le" && isPlain) return;
    refuseType(path, "a number of 64 bits is unsigned, low byte first, and as it stands");
  }
  if (!isWidth(bits)) throw new RangeError(`bits must be in 1..32, got ${bits}`);
  if (isMixed(order) && bits !== 32) throw new RangeError(`only 32 bits can have the order ${order}, got ${bits}`);
  if (transform !== undefined && bits % 8 !== 0) throw new RangeError("only whole bytes can be transformed");
  if (transform !== undefined && bits === 24) throw new RangeError(`${bits} bits cannot be transformed`);
  if (!(divisor > 0)) refuseRange(path, `a divisor must be more than 0, got ${divisor}`);
  const { min, max } = integerRange(node);
  const { min: least, max: most } = integerRange({ kind: "integer", bits, signed, order, bias: bias ?? 0, divisor });
  if (!(min >= least && max <= most)) {
    throw new RangeError(`${integerName(node)} holds ${least}..${most}, so min and max must not be ${min} and ${max}`);
  }
  if (min > max) refuseRange(path, `no number is in ${min}..${max}`);
}

/** Numbers that a description of a number must be able to be. */
function checkNumbers(path: string, what: string, of: LayoutNode, numbers: readonly number[]): void {
  if (numberRange(of) === undefined) refuseType(path, `${what} are numbers on the wire, and this is ${kindText(of)}`);
  const wrong = numbers.find((each) => !canBe(of, each));
  if (wrong !== undefined) refuseRange(path, `${what} are numbers that are ${valuesText(of)}, got ${wrong}`);
}

function checkOneOf({ of, names }: OneOfNode, path: string): void {
  const numbers = Object.values(names);
  if (new Set(numbers).size !== numbers.length) throw new RangeError("each name must have a number of its own");
  if (numbers.length === 0) refuseType(path, "it has no names");
  checkNumbers(path, "names", of, numbers);
}

function checkPrefix({ codes }: PrefixNode): void {
  const entries = Object.entries(codes);
  for (const [name, code] of entries) {
    if (!/^[01]{1,16}$/.test(code)) throw new RangeError(`the code of ${name} must be 1 to 16 bits, got ${code}`);
    const other = entries.find(([another, begin]) => another !== name && code.startsWith(begin));
    if (other !== undefined) throw new RangeError(`the code of ${name} begins with that of ${other[0]}`);
  }
}

/** So many flags have 256 sets of values, which can all be kept. */
const MAX_SHARED_FLAGS = 8;

function checkFlags({ of, flags, shared }: FlagsNode, path: string): void {
  let known = 0;
  for (const [name, bit] of Object.entries(flags)) {
    if (!(Number.isInteger(bit) && bit >= 0 && bit < 32)) {
      throw new RangeError(`the bit of ${name} must be in 0..31, got ${bit}`);
    }
    if ((known & (1 << bit)) !== 0) throw new RangeError(`the bit of ${name} must be its own, got ${bit} again`);
    known |= 1 << bit;
    // A number below 0 has all high bits set.
    const range = numberRange(of);
    if (range !== undefined && range.min >= 0 && 2 ** bit > range.max) {
      refuseRange(path, `the bit of ${name} is ${bit}, and the number is in ${range.min}..${range.max}`);
    }
  }
  checkNumbers(path, "flags", of, []);
  if (shared && Object.keys(flags).length > MAX_SHARED_FLAGS) {
    refuseRange(path, `at most ${MAX_SHARED_FLAGS} flags can be shared, got ${Object.keys(flags).length}`);
  }
}

const literalPartNames: OptionNames<LiteralPart> = { shift: true, mask: true, code: true, why: true };

function checkLiteral({ of, value, parts = [] }: LiteralNode, path: string): void {
  for (const part of parts) checkNames<LiteralPart>(path, part, literalPartNames, "a part of a literal");
  if (valueKind(of) === "bigint" && typeof value === "bigint") return;
  if (!canBe(of, value)) refuseRange(path, `it is never ${String(value)}: it is ${valuesText(of)}`);
}

function checkCompressed({ limit, literals = 0, of }: CompressedNode, path: string): void {
  checkWhole(path, "a limit", limit);
  checkWhole(path, "literals", literals);
  const { least } = sizeOf(of);
  if (literals * 8 > least) refuseRange(path, `${literals} bytes are literals, and a body may have ${least / 8}`);
  if (limit * 8 < least) refuseRange(path, `at most ${limit} bytes come out, and a body has ${least / 8} or more`);
  checkWholeBytes(of, path);
}
