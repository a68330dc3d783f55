/** Fields that are one number on the wire, in a type of Kaitai. */
import type { JsonObject, JsonValue, LayoutNode, LiteralNode, SmartNode } from "../../wire/index.ts";
import { snakeCase } from "../words.ts";
import { floatOfBits, integerNumber, integerValid, oneOfNumbers } from "./numbers.ts";
import { type KsyNames, TypeScope } from "./spec.ts";

/** A field to be made: its id, and what else its entry has: `doc` and `if`. */
export interface FieldPlace {
  readonly names: KsyNames;
  readonly scope: TypeScope;
  readonly id: string;
  readonly about: JsonObject;
}

/** `b3`, in the order of the bits. */
export function bitsType(bits: number, { bits: first }: TypeScope): string {
  return `b${bits}${first === "lsb" ? "le" : ""}`;
}

/** How a field of one number is read, and what becomes of it. */
export interface NumberReading {
  /** `u2le`, `b12`. */
  readonly type: string;
  readonly valid?: JsonValue;
  /** The value, where it is not what the type reads; `raw` is an expression of that. */
  readonly value?: (raw: string) => string;
  /** The enum of the value. */
  readonly enum?: string;
}

/** Throws `TypeError` for a description that is not one number of fixed size. */
export function numberReading({ names, scope, id }: Omit<FieldPlace, "about">, node: LayoutNode): NumberReading {
  switch (node.kind) {
    case "integer": {
      const number = integerNumber(node, scope.bits);
      return { ...number, ...integerValid(node, number) };
    }
    case "boolean": {
      const { type, value = (raw): string => raw } = numberReading({ names, scope, id }, node.of);
      if (type === "b1" || type === "b1le") return { type };
      return { type, valid: { expr: oneOfNumbers(value("_"), [0, 1]) }, value: (raw) => `${value(raw)} == 1` };
    }
    case "oneOf": {
      const { type, value } = numberReading({ names, scope, id }, node.of);
      const words = Object.entries(node.names).map(([word, each]): [string, string] => [String(each), snakeCase(word)]);
      const name = names.addEnum(id, Object.fromEntries(words));
      scope.setEnum(id, name);
      if (value === undefined) return { type, valid: { "in-enum": true }, enum: name };
      return { type, valid: { expr: oneOfNumbers(value("_"), Object.values(node.names)) }, value, enum: name };
    }
    case "float":
      if (scope.bits === undefined) {
        // Neither NaN nor an infinity.
        const valid = { expr: "_ > -3.5e38 and _ < 3.5e38" };
        return { type: `f4${node.order}`, ...(node.finite ? { valid } : {}) };
      }
      if (scope.bits === "lsb" || node.order !== "be" || !node.finite) throw new TypeError("such a float within bits");
      names.usesFloatPowers = true;
      return { type: "b32", valid: { expr: "(_ / 8388608) % 256 != 255" }, value: floatOfBits };
    default:
      throw new TypeError(`a ${node.kind} is not a number`);
  }
}

/** How a tag is read. A number that no case has is refused; `known` is undefined where a case has all others. */
export function tagReading(
  place: Omit<FieldPlace, "about">,
  tag: LayoutNode,
  known: readonly (string | number)[] | undefined,
): NumberReading {
  const reading = numberReading(place, tag);
  const isAny = tag.kind === "integer" && new Set(known).size === 2 ** tag.bits;
  if (tag.kind !== "integer" || known === undefined || isAny) return reading;
  const { value } = reading;
  return { ...reading, valid: value === undefined ? { "any-of": known } : { expr: oneOfNumbers(value("_"), known) } };
}

/** Adds the number as it is read, and an instance where the value is another. */
export function addReading({ scope, id, about }: FieldPlace, reading: NumberReading): void {
  const { type, value, enum: name } = reading;
  const valid = reading.valid === undefined ? {} : { valid: reading.valid };
  const named = name === undefined ? {} : { enum: name };
  if (value === undefined) {
    scope.field({ id, ...about, type, ...named, ...valid });
    return;
  }
  const { if: present } = about;
  scope.field({ id: `${id}_raw`, ...(present === undefined ? {} : { if: present }), type, ...valid });
  scope.instance(id, { ...about, value: value(`${id}_raw`), ...named });
}

/** Adds a number. `valid` replaces the bounds of the description. */
export function addNumber(place: FieldPlace, node: LayoutNode, valid?: JsonObject): void {
  if (node.kind === "smart") addSmart(place, node);
  else addReading(place, { ...numberReading(place, node), ...(valid === undefined ? {} : { valid }) });
}

/** One byte or two; `wide`: two bytes or four. */
function addSmart({ names, scope, id, about }: FieldPlace, { wide }: SmartNode): void {
  const inner = new TypeScope(id);
  const [type, mark] = wide ? ["u2be", 32_768] : ["u1", 128];
  inner.field({ id: "first", type });
  inner.field({ id: "second", type, if: `first >= ${mark}` });
  const short = wide ? "(first == 32767 ? -1 : first)" : "first";
  inner.instance("value", { value: `first >= ${mark} ? (first - ${mark}) * ${mark * 2} + second : ${short}` });
  scope.field({ id, ...about, type: names.addType(wide ? "wide_smart" : "smart", inner.type()) });
}

/** Adds a number that is always the same. */
export function addLiteral(place: FieldPlace, { of, value, parts = [] }: LiteralNode): void {
  const { scope, id, about } = place;
  const reading = numberReading(place, of);
  const read = reading.value?.("_") ?? "_";
  const tests = parts.map(({ shift, mask }) => {
    const wanted = Math.floor(Number(value) / 2 ** shift) % (mask + 1);
    return `((${read} >> ${shift}) & ${mask}) == ${wanted}`;
  });
  const whole: JsonValue = reading.value === undefined ? Number(value) : { expr: `${read} == ${value}` };
  const valid = tests.length > 0 ? { expr: tests.join(" and ") } : whole;
  scope.field({ id: scope.freeId(id), ...about, type: reading.type, valid });
}

/** A text or a number as an expression. */
export function literalText(value: JsonValue): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
