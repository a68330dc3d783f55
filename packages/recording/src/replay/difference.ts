/** The first place in which two pieces of plain data differ. */
import { digestOf } from "wirewalk/world-kit";

export interface DataDifference {
  /** `state.players<7>.x`: members by name, items of arrays by index, entries of maps by key. */
  readonly path: string;
  readonly recorded: string;
  readonly replayed: string;
}

const MAX_TEXT = 120;

/** Undefined for equal data. Looks no further than the first difference, in the order of names. */
export function firstDifference(recorded: unknown, replayed: unknown, path = ""): DataDifference | undefined {
  if (Object.is(recorded, replayed)) return undefined;
  const differs = (at = path): DataDifference => ({ path: at, recorded: shown(recorded), replayed: shown(replayed) });
  if (typeof recorded !== "object" || typeof replayed !== "object" || recorded === null || replayed === null) {
    return differs();
  }
  if (kindOf(recorded) !== kindOf(replayed)) return differs();
  if (recorded instanceof Map && replayed instanceof Map) return firstInMaps(recorded, replayed, path);
  if (Array.isArray(recorded) && Array.isArray(replayed)) return firstInArrays(recorded, replayed, path);
  if (ArrayBuffer.isView(recorded) && !(recorded instanceof DataView)) {
    return firstInArrays(recorded as Uint8Array, replayed as Uint8Array, path);
  }
  if (recorded instanceof Set) return digestOf(recorded) === digestOf(replayed) ? undefined : differs();
  const [before, after] = [recorded as Record<string, unknown>, replayed as Record<string, unknown>];
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const at = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(before, name) || !Object.hasOwn(after, name)) {
      return {
        path: at,
        recorded: Object.hasOwn(before, name) ? shown(before[name]) : "absent",
        replayed: Object.hasOwn(after, name) ? shown(after[name]) : "absent",
      };
    }
    const found = firstDifference(before[name], after[name], at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstInArrays(
  recorded: ArrayLike<unknown>,
  replayed: ArrayLike<unknown>,
  path: string,
): DataDifference | undefined {
  for (let index = 0; index < Math.min(recorded.length, replayed.length); index += 1) {
    const found = firstDifference(recorded[index], replayed[index], `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  if (recorded.length === replayed.length) return undefined;
  return { path: `${path}.length`, recorded: String(recorded.length), replayed: String(replayed.length) };
}

function firstInMaps(
  recorded: ReadonlyMap<unknown, unknown>,
  replayed: ReadonlyMap<unknown, unknown>,
  path: string,
): DataDifference | undefined {
  for (const [key, value] of recorded) {
    const at = `${path}<${shown(key)}>`;
    if (!replayed.has(key)) return { path: at, recorded: shown(value), replayed: "absent" };
    const found = firstDifference(value, replayed.get(key), at);
    if (found !== undefined) return found;
  }
  for (const [key, value] of replayed) {
    if (!recorded.has(key)) return { path: `${path}<${shown(key)}>`, recorded: "absent", replayed: shown(value) };
  }
  // The order of entries is part of the state.
  const [before, after] = [[...recorded.keys()], [...replayed.keys()]];
  const index = before.findIndex((key, at) => key !== after[at]);
  if (index < 0) return undefined;
  return { path: `${path} (order of keys)`, recorded: shown(before[index]), replayed: shown(after[index]) };
}

function kindOf(value: object): string {
  return Array.isArray(value)
    ? "array"
    : value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)
      ? value.constructor.name
      : "object";
}

function shown(value: unknown): string {
  const text =
    typeof value === "object" && value !== null
      ? (JSON.stringify(value, (_key, each: unknown) => {
          if (typeof each === "bigint") return String(each);
          if (each instanceof Map || each instanceof Set) return [...each];
          return ArrayBuffer.isView(each) ? Array.from(each as Uint8Array) : each;
        }) ?? "")
      : typeof value === "string"
        ? JSON.stringify(value)
        : String(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
