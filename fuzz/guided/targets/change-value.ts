/** Changes values by a script of bytes: JSON and messages that are almost valid. */

interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

/** Bytes of one change: which place, which change, and its argument. */
const CHANGE_BYTES = 3;
const MAX_CHANGES = 8;
/** A value of more places is not changed further: lists within lists would grow without end. */
const MAX_PLACES = 600;

/** Every member and item within `value`, the outer ones first. Bytes count as one. */
function placesOf(value: unknown, into: Place[]): Place[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return into;
  const holder = value as Record<string | number, unknown>;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    into.push({ holder, key });
    placesOf(holder[key], into);
  }
  return into;
}

const replacements: readonly ((arg: number) => unknown)[] = [
  () => null,
  () => true,
  (arg) => arg,
  (arg) => -arg,
  (arg) => arg + 0.5,
  (arg) => 2 ** (arg % 66),
  (arg) => -(2 ** (arg % 66)),
  (arg) => 2 ** (arg % 33) - 1,
  (arg) => String(arg),
  (arg) => String.fromCharCode(arg),
  (arg) => String.fromCharCode(arg * 257),
  (arg) => "ab".repeat(arg),
  (arg) => "zz".repeat(arg % 8),
  () => [],
  () => ({}),
  (arg) => new Array<number>(arg).fill(0),
  (arg) => new Array<object>(arg).fill({}),
];

/** Only for values that are no JSON. */
const otherReplacements: readonly ((arg: number) => unknown)[] = [
  () => undefined,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -0,
  (arg) => BigInt(arg),
  (arg) => 2n ** BigInt(arg % 66),
  (arg) => new Uint8Array(arg),
];

/** Changes `root.value` and what is in it. */
export function changeValue(root: { value: unknown }, script: Uint8Array, isJson: boolean): void {
  const all = isJson ? replacements : [...replacements, ...otherReplacements];
  for (let at = 0; at + CHANGE_BYTES <= script.length && at < MAX_CHANGES * CHANGE_BYTES; at += CHANGE_BYTES) {
    const [where, how, arg] = script.subarray(at, at + CHANGE_BYTES) as unknown as [number, number, number];
    const places = placesOf(root, []);
    const place = places[where % places.length];
    if (place === undefined || places.length > MAX_PLACES) return;
    const { holder, key } = place;
    const value = holder[key];
    const kind = how % (all.length + 6);
    const replacement = all[kind - 6];
    if (replacement !== undefined) holder[key] = replacement(arg);
    else if (kind === 0 && Array.isArray(holder)) holder.splice(key as number, 1);
    else if (kind === 0) delete holder[key];
    else if (kind === 1) holder[key] = typeof value === "number" ? value + arg - 128 : [value];
    else if (kind === 2 && Array.isArray(value))
      holder[key] = Array.from({ length: value.length + arg }, () => value[0]);
    else if (kind === 3 && Array.isArray(value)) holder[key] = value.slice(0, arg % (value.length + 1));
    else if (kind === 4 && typeof value === "object" && value !== null) {
      (value as Record<string, unknown>)[`extra${arg % 4}`] = arg;
    } else {
      const other = places[arg % places.length] as Place;
      holder[key] = structuredClone(other.holder[other.key]);
    }
  }
}
