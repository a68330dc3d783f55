/**
 * Numbers as other values: booleans, names, flags.
 *
 * @module
 */
import { WireError } from "../wire-error.ts";
import type { LayoutReader, LayoutWriter } from "./cursor.ts";
import { type Layout, nameOfJson, refuse, refuseJson } from "./layout.ts";
import type { LayoutNode } from "./node.ts";
import { FAILED, type Plan, setPlan } from "./plan.ts";

const itself = <T>(value: T): T => value;

/** Sets of flags that are kept, by the number that they are. */
const KEPT_SETS = 256;

/** A number of `of` as another value: for layouts that are one number on the wire. */
interface Mapping<T> {
  node: LayoutNode;
  of: Layout<number>;
  /** The value, or FAILED. */
  find: (raw: number) => T | typeof FAILED;
  /** Throws what is wrong with a number without a value. */
  refused: (raw: number, bitOffset: number) => never;
  /** The number, or FAILED. */
  number: (value: T) => number | typeof FAILED;
  /** Throws what is wrong with a value without a number. */
  refuseValue: (value: T) => never;
  show: (value: T) => string;
  toJson?: (value: T) => T & (string | number | boolean);
  fromJson: (json: unknown) => T;
}

function mappedNumber<T>(mapping: Mapping<T>): Layout<T> {
  const { node, of, find, refused, number, refuseValue, show, fromJson } = mapping;
  const read = (raw: number, at: number): T => {
    const value = find(raw);
    return value === FAILED ? refused(raw, at) : value;
  };
  const readValue = (reader: LayoutReader): T => {
    const at = reader.bitOffset;
    return read(of.read(reader), at);
  };
  const write = (writer: LayoutWriter, value: T): void => {
    const raw = number(value);
    of.write(writer, raw === FAILED ? refuseValue(value) : raw);
  };
  const plan: Plan = { kind: "mapped", of, adapt: find, prepare: number };
  setPlan(readValue, plan);
  setPlan(write, plan);
  return {
    node,
    read: readValue,
    write,
    trace(reader, tracer, path) {
      const at = reader.bitOffset;
      const value = read(of.trace(reader, tracer, path), at);
      tracer.reshow(show(value));
      return value;
    },
    toJson: (value) => value as string,
    fromJson,
  };
}

/** A byte that is 0 or 1; any other is refused. */
export function boolean(of: Layout<number>): Layout<boolean> {
  return mappedNumber<boolean>({
    node: { kind: "boolean", of: of.node },
    of,
    find: (raw) => (raw === 1 ? true : raw === 0 ? false : FAILED),
    refused: (raw, bitOffset) => refuse("unknown-variant", `${raw} is none of 0, 1`, bitOffset),
    number: (value) => (value === true ? 1 : value === false ? 0 : FAILED),
    refuseValue(value) {
      throw new TypeError(`value must be true or false, got ${String(value)}`);
    },
    show: String,
    fromJson(json) {
      if (typeof json !== "boolean") refuseJson(`value must be true or false, got ${nameOfJson(json)}`);
      return json;
    },
  });
}

/** A number that stands for one of a few names; any other is refused with `unknown-variant`. */
export function oneOf<const N extends string>(of: Layout<number>, names: Record<N, number>): Layout<N> {
  const entries = Object.entries<number>(names) as [N, number][];
  const nameOf = new Map(entries.map(([name, raw]) => [raw, name]));
  const rawOf = new Map<string, number>(entries);
  if (nameOf.size !== entries.length) throw new RangeError("each name must have a number of its own");
  const known = [...nameOf.keys()].join(", ");
  const knownNames = [...rawOf.keys()].join(", ");

  return mappedNumber<N>({
    node: { kind: "oneOf", of: of.node, names },
    of,
    find: (raw) => nameOf.get(raw) ?? FAILED,
    refused: (raw, bitOffset) => refuse("unknown-variant", `${raw} is none of ${known}`, bitOffset),
    number: (name) => rawOf.get(name) ?? FAILED,
    refuseValue(name) {
      throw new RangeError(`value must be one of ${knownNames}, got ${name}`);
    },
    show: itself,
    fromJson(json) {
      if (typeof json !== "string" || !rawOf.has(json)) {
        refuseJson(`value must be one of ${knownNames}, got ${nameOfJson(json)}`);
      }
      return json as N;
    },
  });
}

/**
 * Bits of an unsigned integer by name, bit 0 the least significant, to an object of booleans. A set bit without a name
 * is refused with `bad-value`, or with `reserved: "ignore"` read over and written as 0.
 */
export function flags<const N extends string>(
  of: Layout<number>,
  bits: Record<N, number>,
  options: { reserved?: "refuse" | "ignore" } = {},
): Layout<Record<N, boolean>> {
  const entries = Object.entries<number>(bits) as [N, number][];
  const { reserved: onReserved = "refuse" } = options;
  let known = 0;
  for (const [name, bit] of entries) {
    if (!(Number.isInteger(bit) && bit >= 0 && bit < 32)) {
      throw new RangeError(`the bit of ${name} must be in 0..31, got ${bit}`);
    }
    if ((known & (1 << bit)) !== 0) throw new RangeError(`the bit of ${name} must be its own, got ${bit} again`);
    known |= 1 << bit;
  }

  const sets: Record<N, boolean>[] = [];
  const layout = mappedNumber<Record<N, boolean>>({
    node: { kind: "flags", of: of.node, flags: bits, reserved: onReserved },
    of,
    find(raw) {
      if ((raw & ~known) !== 0 && onReserved === "refuse") return FAILED;
      // A copy of what the same bits gave before costs a third of setting key by key.
      const given = raw & known;
      let set = given >= 0 && given < KEPT_SETS ? sets[given] : undefined;
      if (set === undefined) {
        set = {} as Record<N, boolean>;
        for (const [name, bit] of entries) set[name] = ((raw >>> bit) & 1) === 1;
        if (given >= 0 && given < KEPT_SETS) sets[given] = set;
      }
      return { ...set };
    },
    refused: (raw, bitOffset) =>
      refuse("bad-value", `reserved bits 0x${((raw & ~known) >>> 0).toString(16)} are set`, bitOffset),
    number(value) {
      if (typeof value !== "object" || value === null) return FAILED;
      let raw = 0;
      for (let index = 0; index < entries.length; index++) {
        const [name, bit] = entries[index] as [N, number];
        const set = value[name];
        if (set === true) raw |= 1 << bit;
        else if (set !== false) return FAILED;
      }
      return raw >>> 0;
    },
    refuseValue(value) {
      if (typeof value !== "object" || value === null) {
        throw new TypeError(`value must be an object, got ${String(value)}`);
      }
      const name = entries.map(([each]) => each).find((each) => typeof value[each] !== "boolean") as N;
      throw new TypeError(`${name} must be true or false, got ${String(value[name])}`);
    },
    show: (value) =>
      entries
        .filter(([name]) => value[name])
        .map(([name]) => name)
        .join(", ") || "none",
    fromJson(json) {
      if (typeof json !== "object" || json === null || Array.isArray(json)) {
        refuseJson(`value must be an object of true and false, got ${nameOfJson(json)}`);
      }
      const given = json as Record<string, unknown>;
      for (const key of Object.keys(given)) {
        if (!Object.hasOwn(bits, key)) throw new WireError("bad-value", `Cannot read ${key}: no such field`, 0, key);
      }
      const value = {} as Record<N, boolean>;
      for (const [name] of entries) {
        const set = given[name];
        if (typeof set !== "boolean") {
          const why = `value must be true or false, got ${nameOfJson(set)}`;
          throw new WireError("bad-value", `Cannot read ${name}: ${why}`, 0, name);
        }
        value[name] = set;
      }
      return value;
    },
  });
  return {
    ...layout,
    toJson(value) {
      const json: Record<string, boolean> = {};
      for (let index = 0; index < entries.length; index++) {
        const [name] = entries[index] as [N, number];
        json[name] = value[name];
      }
      return json;
    },
  };
}
