/** Bytes that a description allows, made up from random numbers: for tests and vectors. It knows nothing but descriptions. */
import type { LayoutNode, RunLength } from "./node.ts";

/** Whole numbers, both ends included. */
export type Draw = (low: number, high: number) => number;

/** Most items of a list: long enough for every rule, short enough for many cases. */
const MAX_ITEMS = 6;

/** Numbers at which readers like to break, as often as any others. */
function someNumber(draw: Draw, low: number, high: number): number {
  switch (draw(0, 5)) {
    case 0:
      return low;
    case 1:
      return high;
    case 2:
      return Math.min(high, Math.max(low, draw(0, 3)));
    default:
      return Math.floor((draw(0, 0xffff_ffff) / 2 ** 32) * (high - low + 1)) + low;
  }
}

const binary = (value: number, width: number): string => value.toString(2).padStart(width, "0").slice(-width);

const bytesOf = (bits: string): string[] => bits.match(/.{8}/g) ?? [];

/** Bits of a number in a number of bytes, its low byte changed. */
function wire(unsigned: number, node: { bits: number; order: string; transform?: string }): string {
  const { bits, order, transform } = node;
  if (bits % 8 !== 0) return binary(unsigned, bits);
  const bytes = bytesOf(binary(unsigned, bits));
  const low = Number.parseInt(bytes.at(-1) ?? "0", 2);
  const changed =
    transform === "+128" ? low + 128 : transform === "neg" ? 256 - low : transform === "sub" ? 384 - low : low;
  bytes[bytes.length - 1] = binary(changed % 256, 8);
  if (order === "le") return bytes.reverse().join("");
  return order === "be" ? bytes.join("") : [...order].map((digit) => bytes[3 - Number(digit)]).join("");
}

/** The bits of a number of a description. */
function numberBits(node: LayoutNode, value: number): string {
  switch (node.kind) {
    case "integer": {
      const raw = value * (node.divisor ?? 1) + (node.bias ?? 0);
      return wire(raw < 0 ? raw + 2 ** node.bits : raw, node);
    }
    case "smart":
      if (node.wide && value < 32_767) return binary(value < 0 ? 32_767 : value, 16);
      if (node.wide) return binary(value + 2 ** 31, 32);
      return value < 128 ? binary(value, 8) : binary(value + 32_768, 16);
    default:
      throw new Error(`a ${node.kind} is not a number`);
  }
}

function rangeOf(node: LayoutNode): [number, number] {
  if (node.kind === "smart") return node.wide ? [-1, node.max ?? 2 ** 31 - 1] : [0, node.max ?? 32_767];
  if (node.kind !== "integer") throw new Error(`a ${node.kind} is not a number`);
  const { bits, signed, bias = 0, divisor = 1 } = node;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  return [node.min ?? (low - bias) / divisor, node.max ?? (high - bias) / divisor];
}

/** A count and its items. */
function run(length: RunLength, draw: Draw, item: () => string): string {
  const items = (count: number): string => Array.from({ length: count }, item).join("");
  if (typeof length === "number") return items(length);
  if ("rest" in length) return items(draw(0, Math.min(MAX_ITEMS, length.rest)));
  if ("until" in length) return items(draw(0, Math.min(MAX_ITEMS, length.limit))) + binary(length.until, 8);
  const [, most] = rangeOf(length.count);
  const count = draw(0, Math.min(MAX_ITEMS, length.limit, most));
  return numberBits(length.count, count) + items(count);
}

/** The bits of some value, with the numbers of a struct's fields, which later fields may depend on. */
function bits(node: LayoutNode, draw: Draw): string {
  switch (node.kind) {
    case "integer": {
      if (node.bits === 64) return Array.from({ length: 64 }, () => draw(0, 1)).join("");
      const [low, high] = rangeOf(node);
      const { divisor = 1 } = node;
      return numberBits(node, someNumber(draw, low * divisor, high * divisor) / divisor);
    }
    case "smart": {
      const [low, high] = rangeOf(node);
      return numberBits(node, someNumber(draw, low, high));
    }
    case "float": {
      const exponent = node.finite ? draw(0, 254) : draw(0, 255);
      const size = binary(exponent, 8) + binary(draw(0, 2 ** 23 - 1), 23);
      // NaNs lose their payload when they are read.
      return wire(Number.parseInt(`${draw(0, 1)}${exponent === 255 ? binary(255, 8) + binary(0, 23) : size}`, 2), {
        bits: 32,
        order: node.order,
      });
    }
    case "boolean":
      return numberBits(node.of, draw(0, 1));
    case "oneOf": {
      const numbers = Object.values(node.names);
      return numberBits(node.of, numbers[draw(0, numbers.length - 1)] ?? 0);
    }
    case "prefix": {
      const codes = Object.values(node.codes);
      return codes[draw(0, codes.length - 1)] ?? "";
    }
    case "flags":
      return numberBits(
        node.of,
        Object.values(node.flags).reduce((sum, bit) => sum + draw(0, 1) * 2 ** bit, 0),
      );
    case "literal":
      return typeof node.value === "number" ? numberBits(node.of, node.value) : bits(node.of, draw);
    case "constant":
      return "";
    case "unused":
      return binary(draw(0, 2 ** node.bits - 1), node.bits);
    case "limited":
      return bits(node.of, draw);
    case "array":
      return run(node.length, draw, () => bits(node.item, draw));
    case "bytes":
      return run(node.length, draw, () => binary(draw(0, 255), 8));
    case "text": {
      const text = (): string => Array.from({ length: draw(0, 8) }, () => binary(draw(1, 255), 8)).join("");
      if ("rest" in node.length)
        return Array.from({ length: draw(0, Math.min(8, node.length.rest)) }, () => binary(draw(0, 255), 8)).join("");
      if ("end" in node.length) return `${text()}00000000`;
      return run(node.length, draw, () => binary(draw(0, 255), 8));
    }
    case "struct": {
      const numbers = new Map<string, number>();
      /** Bytes that later fields depend on: whether all of them are 0. */
      const zeros = new Map<string, boolean>();
      let out = "";
      for (const { name, node: field, when } of node.fields) {
        if (when !== undefined) {
          const whole = numbers.get(when.field) ?? Number.NaN;
          const other = when.mask === undefined ? whole : (whole & when.mask) >>> 0;
          const inRange = other >= (when.from ?? -Infinity) && other <= (when.to ?? Infinity) && other !== when.not;
          if (when.zero === undefined ? !inRange : zeros.get(when.field) !== when.zero) continue;
        }
        const tests = node.fields.flatMap(({ when: test, node: other }) => {
          const readings = other.kind === "bytes" ? (other.readings ?? []).map((reading) => reading.when) : [];
          return [...(test === undefined ? [] : [test]), ...readings].filter((each) => each.field === name);
        });
        if (tests.some(({ zero }) => zero !== undefined)) {
          const drawn = bits(field, draw);
          const given = draw(0, 1) === 0 ? "0".repeat(drawn.length) : drawn;
          zeros.set(name, !given.includes("1"));
          out += given;
        } else if (tests.length > 0) {
          const [low, high] = rangeOf(field);
          const special = tests.flatMap(({ from, to, not }) => [from, to, not]).filter((each) => each !== undefined);
          const value = draw(0, 1) === 0 ? (special[draw(0, special.length - 1)] ?? low) : someNumber(draw, low, high);
          numbers.set(name, value);
          out += numberBits(field, value);
        } else {
          out += bits(field, draw);
        }
      }
      return out;
    }
    case "variant": {
      const found = node.cases[draw(0, node.cases.length - 1)];
      const tag = found?.tags?.[draw(0, found.tags.length - 1)];
      const tagBits = tag === undefined ? bits(node.tag, draw) : tagOf(node.tag, tag);
      return tagBits + (found === undefined ? "" : bits(found.node, draw));
    }
    case "byLength":
    case "peek":
      return bits(node.cases[draw(0, node.cases.length - 1)]?.node ?? { kind: "constant", value: 0 }, draw);
    case "mark":
      if (draw(0, 3) > 0) return bits(node.of, draw);
      return node.parts.map(({ bits: width, value }) => binary(value, width)).join("");
    case "bits": {
      const inner = bits(node.of, draw);
      const padded = inner + "0".repeat((8 - (inner.length % 8)) % 8);
      // Pieces of one byte were laid from its low end up.
      return node.first === "msb" ? padded : lowFirst(node.of, inner);
    }
    case "sized": {
      const inner = bits(node.of, draw);
      const [, most] = rangeOf(node.size);
      return numberBits(node.size, Math.min(most, inner.length / 8 + node.extra)) + inner;
    }
    case "compressed":
      return literals(bits(node.of, draw));
  }
}

function tagOf(node: LayoutNode, tag: string | number): string {
  if (node.kind === "oneOf") return numberBits(node.of, node.names[tag] ?? 0);
  if (node.kind === "prefix") return node.codes[tag] ?? "";
  return numberBits(node, Number(tag));
}

/** A list of small numbers within bytes, low end first: each byte's pieces change places. */
function lowFirst(node: LayoutNode, inner: string): string {
  if (node.kind !== "array" || node.item.kind !== "integer" || typeof node.length === "number") return inner;
  const width = node.item.bits;
  const head = inner.slice(0, inner.length % 8 === 0 && inner.length < 8 ? 0 : 8);
  const items = inner.slice(8).match(new RegExp(`.{${width}}`, "g")) ?? [];
  let out = head;
  for (let at = 0; at < items.length; at += 8 / width) {
    out += items
      .slice(at, at + 8 / width)
      .reverse()
      .join("")
      .padStart(8, "0");
  }
  return out;
}

/** An LZ4 block of nothing but literals. */
function literals(body: string): string {
  const count = body.length / 8;
  if (count < 15) return binary(count * 16, 8) + body;
  let out = binary(0xf0, 8);
  let left = count - 15;
  for (; left >= 255; left -= 255) out += binary(255, 8);
  return out + binary(left, 8) + body;
}

/** Some bytes that the description allows. Lists that are given a limit of bytes may be refused all the same. */
export function generate(node: LayoutNode, draw: Draw): Uint8Array {
  return Uint8Array.from(bytesOf(bits(node, draw)), (byte) => Number.parseInt(byte, 2));
}
