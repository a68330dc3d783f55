import type { SavedOptions, SavedWorld } from "../world.ts";
import { digestOf } from "./digest.ts";
import { isPlainObject } from "./plain-data.ts";
import { checkState } from "./state/check.ts";
import type { State } from "./state/describe.ts";

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
 * The state of a saved world, which was checked: protocol, dialect, schema, options, and all of the described state. Throws `RangeError`
 * for another protocol, dialect or schema or other options, and `TypeError` or `RangeError` for malformed data. `restore` begins with it,
 * then builds all new state, and replaces the old one last: a deeper fault throws before anything changed.
 */
export function checkSaved<T>(saved: SavedWorld, expected: SavedOutline, state: State<T>): T {
  if (typeof saved !== "object" || saved === null)
    throw new TypeError("Cannot restore: a saved world must be an object");
  if (saved.world !== expected.world) {
    throw new RangeError(`Cannot restore: saved by ${JSON.stringify(saved.world)}, not by ${expected.world}`);
  }
  if (saved.schema !== expected.schema) {
    throw new RangeError(`Cannot restore: schema ${saved.schema}, expected ${expected.schema}`);
  }
  checkOptions(saved.options, expected.options);
  return checkState(state, saved.state, "state");
}
