/** Fields of the objects and options of the player-info stream. Every refusal is a `WireError` that names the field. */
import { escapeControls, type JsonObject, type JsonValue, parseHex, WireError } from "../../../wire/index.ts";
import type { StreamOptionValues } from "../../packet-stream.ts";
import { masksOf } from "../wire/revisions.ts";
import { MAX_PLAYER_INDEX } from "./wire/constants.ts";
import { type MaskRevision, noMasks } from "./wire/masks/mask-revision.ts";
import { namedRevisions } from "./wire/masks/named-revisions.ts";
import { parseMaskRevision } from "./wire/masks/parse-mask-revision.ts";

/** The value of the option `revision` with which `decode` tries all known revisions. */
export const ALL_REVISIONS = "all";

/**
 * The revision that the option `revision` gives: by its name, or as a JSON document. With `all` there is none. `tables`: revisions that
 * have a table of messages, whose blocks need not be known.
 */
export function revisionOf({ revision = "none" }: StreamOptionValues, tables: readonly number[]): MaskRevision {
  if (revision === ALL_REVISIONS) return noMasks;
  if (typeof revision === "string" && Object.hasOwn(namedRevisions, revision)) {
    return namedRevisions[revision] as MaskRevision;
  }
  if (tables.some((table) => String(table) === revision)) return masksOf(Number(revision));
  return parseMaskRevision(parseJson(String(revision)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused("JSON", "", error instanceof Error ? error.message : "not JSON");
  }
}

export function indexOf(value: JsonValue | undefined, path: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PLAYER_INDEX) return value;
  throw refused(path, path, `it must be an index in 1..${MAX_PLAYER_INDEX}`);
}

/** An index as a key: the digits of the number and nothing else, so that no two keys are one player. */
export function keyOf(key: string, path: string): number {
  const index = indexOf(Number(key), path);
  if (String(index) !== key) throw refused(path, path, `it must be an index in 1..${MAX_PLAYER_INDEX}, without more`);
  return index;
}

/** Throws for a field that has no meaning: a misspelt one would be lost without a word. */
export function refuseOthers(json: JsonObject, known: readonly string[], path: string): void {
  const other = Object.keys(json).find((key) => !known.includes(key));
  if (other === undefined) return;
  const where = path === "" ? other : `${path}.${other}`;
  throw refused(where, where, `there is no such field, only ${known.join(", ")}`);
}

export function hexOf(value: JsonValue | undefined, path: string): Uint8Array {
  if (typeof value !== "string") throw refused(path, path, "it must be a text of hex digits");
  return parseHex(value);
}

export function objectOf(value: JsonValue | undefined, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused(path, path, "it must be an object");
  }
  return value as JsonObject;
}

/** The error for a field; `path` is empty where the fault is not in a field. */
export function refused(what: string, path: string, why: string): WireError {
  return new WireError(
    "bad-value",
    `Cannot read ${escapeControls(what)}: ${escapeControls(why)}`,
    0,
    escapeControls(path),
  );
}
