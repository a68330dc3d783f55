/** Bits that are left of the last byte. */
import type { BitsNode, LayoutNode } from "../../wire/index.ts";
import { bitsType } from "./number-fields.ts";
import type { TypeScope } from "./spec.ts";

/** The numbers of bits, modulo 8, that a description may take; undefined where that depends on a count. */
function remainders(node: LayoutNode): readonly number[] | undefined {
  switch (node.kind) {
    case "integer":
    case "unused":
    case "float":
      return [node.bits % 8];
    case "constant":
      return [0];
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
      return remainders(node.of);
    case "prefix":
      return unique(Object.values(node.codes).map((code) => code.length % 8));
    case "struct":
      return node.fields.reduce<readonly number[] | undefined>(
        (sums, { node: field, when }) => {
          const own = remainders(field);
          if (sums === undefined || own === undefined) return undefined;
          return sum(sums, when === undefined ? own : unique([...own, 0]));
        },
        [0],
      );
    case "variant": {
      const each = node.cases.map(({ tags, node: body }) => {
        // The length of a tag goes with its case.
        const { tag } = node;
        const tagged =
          tag.kind === "prefix" ? tags?.map((name) => (tag.codes[name]?.length ?? 0) % 8) : remainders(tag);
        const own = remainders(body);
        return tagged === undefined || own === undefined ? undefined : sum(tagged, own);
      });
      return each.includes(undefined) ? undefined : unique(each.flatMap((own) => own ?? []));
    }
    case "mark":
      return remainders(node.of);
    case "array": {
      const own = remainders(node.item);
      if (own?.length === 1 && own[0] === 0) return own;
      if (typeof node.length !== "number" || own?.length !== 1) return undefined;
      return [((own[0] ?? 0) * node.length) % 8];
    }
    default:
      return undefined;
  }
}

function unique(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)];
}

function sum(a: readonly number[], b: readonly number[]): readonly number[] {
  return unique(a.flatMap((first) => b.map((second) => (first + second) % 8)));
}

/** The bytes of a description within bits whose size is fixed. */
export function fixedBits(node: LayoutNode): number {
  switch (node.kind) {
    case "integer":
    case "unused":
    case "float":
      return node.bits;
    case "struct":
      return node.fields.reduce((bits, { node: field }) => bits + fixedBits(field), 0);
    case "mark":
      return fixedBits(node.of);
    case "constant":
      return 0;
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
      return fixedBits(node.of);
    default:
      throw new TypeError(`a ${node.kind} has no fixed number of bits`);
  }
}

/**
 * Adds what is left of the last byte. `count` is the id of the count of a list that the bits are. Throws `TypeError` where the
 * number of bits that are left depends on something else.
 */
export function addPadding({ of, padding }: BitsNode, scope: TypeScope, count?: string): void {
  const add = (bits: number, condition: object): void => {
    scope.field({
      id: scope.freeId(`padding${Object.keys(condition).length === 0 ? "" : bits}`),
      ...condition,
      type: bitsType(bits, scope),
      // One bit is read as true or false.
      ...(padding.value === "any" ? {} : { valid: bits === 1 ? "false" : 0 }),
    });
  };
  const left = remainders(of);
  if (left?.length === 1) {
    const [used = 0] = left;
    if (used !== 0) add(8 - used, {});
    return;
  }
  if (of.kind !== "array" || count === undefined) throw new TypeError("bits that may end at several places of a byte");
  const width = fixedBits(of.item);
  for (let used = 1; used < 8; used++) {
    const isPossible = Array.from({ length: 8 }, (_, items) => (items * width) % 8).includes(used);
    if (isPossible) add(8 - used, { if: `(${count} * ${width}) % 8 == ${used}` });
  }
}
