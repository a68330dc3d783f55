/** What a place has, in words: how many parts of each kind, the names of those that have one, and what of it could not be read. Pure. */
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { showAmount } from "../ui/format.ts";

/** Parts of one kind. */
export interface PlaceFact {
  /** `55 portals`. */
  readonly amount: string;
  /** Names of these parts, and where they lead: `west00 to 100010000`. */
  readonly names: readonly string[];
}

/** Names of a kind, at most. */
const MAX_NAMES = 100;

export function placeFacts(parts: JsonObject): readonly PlaceFact[] {
  return Object.entries(parts).flatMap(([kind, list]) => {
    if (!Array.isArray(list) || list.length === 0 || typeof list[0] !== "object") return [];
    const names = list.flatMap(nameOf);
    const rest = names.length - MAX_NAMES;
    const shown = rest > 0 ? [...names.slice(0, MAX_NAMES), `and ${rest} more`] : names;
    // What was left out while reading has no plural of its own.
    const amount = kind === "omitted" ? `${list.length} left out` : showAmount(list.length, kind.replace(/s$/, ""));
    return [{ amount, names: shown }];
  });
}

function nameOf(part: JsonValue): readonly string[] {
  if (!isObject(part)) return [];
  const { name, target, what, id, reason } = part;
  if (typeof what === "string") return [`${what}${id === undefined ? "" : ` ${id}`}: ${reason}`];
  if (typeof name !== "string" || name === "") return [];
  const { mapId = undefined } = isObject(target) ? target : {};
  return [mapId === undefined ? name : `${name} to ${mapId}`];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
