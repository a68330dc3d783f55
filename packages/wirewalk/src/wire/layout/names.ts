/**
 * Numbers as other values: booleans, names, flags.
 *
 * @module
 */
import { WireError } from "../wire-error.ts";
import type { LayoutReader } from "./cursor.ts";
import { type Layout, nameOfJson, refuse, refuseJson } from "./layout.ts";
import type { LayoutNode } from "./node.ts";

const itself = <T>(value: T): T => value;

/** A number of `of` as another value: for layouts that are one number on the wire. */
interface Mapping<T> {
  node: LayoutNode;
  of: Layout<number>;
  read: (raw: number, bitOffset: number) => T;
  write: (value: T) => number;
  show: (value: T) => string;
  toJson?: (value: T) => T & (string | number | boolean);
  fromJson: (json: unknown) => T;
}

function mappedNumber<T>({ node, of, read, write, show, fromJson }: Mapping<T>): Layout<T> {
  const readValue = (reader: LayoutReader): T => {
    const at = reader.bitOffset;
    return read(of.read(reader), at);
  };
  return {
    node,
    read: readValue,
    write: (writer, value) => of.write(writer, write(value)),
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
    read(raw, bitOffset) {
      if (raw !== 0 && raw !== 1) refuse("unknown-variant", `${raw} is none of 0, 1`, bitOffset);
      return raw === 1;
    },
    write(value) {
      if (typeof value !== "boolean") throw new TypeError(`value must be true or false, got ${String(value)}`);
      return value ? 1 : 0;
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
    read: (raw, bitOffset) => nameOf.get(raw) ?? refuse("unknown-variant", `${raw} is none of ${known}`, bitOffset),
    write(name) {
      const raw = rawOf.get(name);
      if (raw === undefined) throw new RangeError(`value must be one of ${knownNames}, got ${name}`);
      return raw;
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

  const layout = mappedNumber<Record<N, boolean>>({
    node: { kind: "flags", of: of.node, flags: bits, reserved: onReserved },
    of,
    read(raw, bitOffset) {
      const reserved = (raw & ~known) >>> 0;
      if (reserved !== 0 && onReserved === "refuse") {
        refuse("bad-value", `reserved bits 0x${reserved.toString(16)} are set`, bitOffset);
      }
      const value = {} as Record<N, boolean>;
      for (const [name, bit] of entries) value[name] = ((raw >>> bit) & 1) === 1;
      return value;
    },
    write(value) {
      if (typeof value !== "object" || value === null) {
        throw new TypeError(`value must be an object, got ${String(value)}`);
      }
      let raw = 0;
      for (const [name, bit] of entries) {
        const set = value[name];
        if (typeof set !== "boolean") throw new TypeError(`${name} must be true or false, got ${String(set)}`);
        if (set) raw |= 1 << bit;
      }
      return raw >>> 0;
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
  return { ...layout, toJson: (value) => Object.fromEntries(entries.map(([name]) => [name, value[name]])) };
}
