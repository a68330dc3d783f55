import type { SavedOptions, SavedWorld } from "../world.ts";
import { digestOf } from "./digest.ts";
import { isPlainObject, isTypedArray } from "./plain-data.ts";

/** What a member of saved data is. With `?` it may be undefined instead. */
export type Kind = KindName | `${KindName}?`;

type KindName = "number" | "string" | "boolean" | "bigint" | "array" | "object" | "map" | "set" | "typedArray";

/** The kind of every member of `T`. */
export type Kinds<T extends object> = { readonly [K in keyof Required<T>]: Kind };

/** What a saved world names beside its state. */
export type SavedOutline = Omit<SavedWorld, "state">;

/**
 * Options as a saved world records them: see `SavedOptions`. Leave out those that decide no effects, and give the default of
 * those that are undefined.
 */
export function savedOptions(options: Readonly<Record<string, unknown>>): SavedOptions {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, savedOption(value)]));
}

function savedOption(value: unknown): SavedOptions[string] {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "function":
      return "function";
    default:
      return `data ${digestOf(value).toString(16).padStart(16, "0")}`;
  }
}

/** What `save` returns: the state, which the caller owns from here on, with a copy of the outline. */
export function savedWorld({ schema, world, options }: SavedOutline, state: object): SavedWorld {
  return { schema, world, options: { ...options }, state };
}

/** Throws `RangeError` that names what differs. */
function checkOptions(saved: unknown, expected: SavedOptions): void {
  if (typeof saved !== "object" || saved === null || !isPlainObject(saved)) {
    throw new TypeError("Cannot restore: options must be an object");
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(saved)]);
  const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));
  const differences = Array.from(names)
    .filter((name) => !Object.is(saved[name], expected[name]))
    .map((name) => `${name} was ${shown(saved[name])} and is ${shown(expected[name])}`);
  if (differences.length > 0) throw new RangeError(`Cannot restore: other options: ${differences.join(", ")}`);
}

/**
 * The state of a saved world whose outline was checked: protocol, dialect, schema, options, and the names and kinds of the
 * state's own members. Throws `RangeError` for another protocol, dialect or schema or other options, and `TypeError` for
 * malformed data. `restore` begins with it, then builds all new state, and replaces the old one last: a deeper fault throws
 * before anything changed.
 */
export function checkSaved<T extends object>(
  saved: SavedWorld,
  expected: SavedOutline & { readonly members: Kinds<T> },
): T {
  if (typeof saved !== "object" || saved === null)
    throw new TypeError("Cannot restore: a saved world must be an object");
  if (saved.world !== expected.world) {
    throw new RangeError(`Cannot restore: saved by ${JSON.stringify(saved.world)}, not by ${expected.world}`);
  }
  if (saved.schema !== expected.schema) {
    throw new RangeError(`Cannot restore: schema ${saved.schema}, expected ${expected.schema}`);
  }
  checkOptions(saved.options, expected.options);
  return checkMembers(saved.state, "state", expected.members);
}

/** A kind, taken apart. */
interface Member {
  readonly name: string;
  readonly kind: Kind;
  /** What `typeof` says of it. */
  readonly type: "number" | "string" | "boolean" | "bigint" | "object";
  /** Of objects: what they must be. */
  readonly isOfKind: ((value: object) => boolean) | undefined;
  readonly isOptional: boolean;
}

const objectKinds: Readonly<Record<Exclude<KindName, Member["type"]> | "object", (value: object) => boolean>> = {
  array: Array.isArray,
  object: (value) => !Array.isArray(value) && isPlainObject(value),
  map: (value) => value instanceof Map,
  set: (value) => value instanceof Set,
  typedArray: isTypedArray,
};

/** Kinds are taken apart once: by loops over names and `switch` over kinds a first restore took 9 ms more of 37 (MapleStory). */
const taken = new WeakMap<object, readonly Member[]>();

function membersOf(kinds: Readonly<Record<string, Kind>>): readonly Member[] {
  let members = taken.get(kinds);
  if (members === undefined) {
    members = Object.entries(kinds).map(([name, kind]) => memberOf(name, kind));
    taken.set(kinds, members);
  }
  return members;
}

function memberOf(name: string, kind: Kind): Member {
  const isOptional = kind.endsWith("?");
  const plain = kind.replace("?", "") as KindName;
  switch (plain) {
    case "number":
    case "string":
    case "boolean":
    case "bigint":
      return { name, kind, type: plain, isOfKind: undefined, isOptional };
    default:
      return { name, kind, type: "object", isOfKind: objectKinds[plain], isOptional };
  }
}

/** The data as an object with these members and no others. Throws `TypeError` for anything else; `where` names it there. */
export function checkMembers<T extends object>(data: unknown, where: string, kinds: Kinds<T>): T {
  if (typeof data !== "object" || data === null || !isPlainObject(data)) {
    throw new TypeError(`Cannot restore: ${where} must be an object`);
  }
  const members = membersOf(kinds);
  let absent = 0;
  for (const { name, kind, type, isOfKind, isOptional } of members) {
    const value = data[name];
    if (value === undefined && isOptional) {
      if (!Object.hasOwn(data, name)) absent += 1;
      continue;
    }
    const fits = typeof value === type && (isOfKind === undefined || (value !== null && isOfKind(value as object)));
    if (!fits) throw new TypeError(`Cannot restore: ${where}.${name} must be ${kind}`);
  }
  const names = Object.keys(data);
  if (names.length !== members.length - absent) {
    const unknown = names.find((name) => !Object.hasOwn(kinds, name));
    throw new TypeError(`Cannot restore: ${where}.${unknown} is unknown`);
  }
  return data as T;
}
