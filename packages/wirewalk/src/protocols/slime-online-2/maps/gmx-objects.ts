/** The user's table of objects: what an object of a GameMaker project is. `docs/slime-online-2.md` describes it. */
import type { MapFiles } from "../../map-files.ts";
import type { Rectangle } from "./geometry.ts";
import { type JsonValue, readJson, startOf } from "./json-value.ts";
import { MAX_COORDINATE, MAX_PARTS } from "./room-file.ts";

export const OBJECTS_FORMAT = "slime-online-2-objects";
const VERSION = 1;

const uses = ["solid", "ice", "water", "free", "door", "spawn", "ignore"] as const;
export type ObjectUse = (typeof uses)[number];

interface ObjectEntry {
  readonly uses: readonly ObjectUse[];
  /** The part of an instance that counts, from its place on, at scale 1. */
  readonly size: Rectangle | undefined;
}

/** Knows the object from which another one is made. */
interface Parents {
  parentOf(object: string): string | undefined;
}

/** Objects that are made from each other. */
const MAX_PARENTS = 32;

export class ObjectTable {
  readonly #entries: ReadonlyMap<string, ObjectEntry>;
  readonly #others: readonly ObjectUse[] | undefined;

  /** Throws `MapError` with the place of what is wrong. */
  constructor(file: JsonValue) {
    file.only(["format", "version", "objects", "others"]);
    const version = file.member("version").number(1, MAX_PARTS);
    if (version !== VERSION) throw file.member("version").error(`must be ${VERSION}, got ${version}`);
    this.#entries = new Map(
      file
        .member("objects")
        .entries()
        .map(([name, value]) => [name, entryOf(value)]),
    );
    const others = file.maybe("others");
    if (others !== undefined && others.value !== "ignore" && others.value !== "unknown") {
      throw others.error('must be "ignore" or "unknown"');
    }
    this.#others = others?.value === "ignore" ? ["ignore"] : undefined;
  }

  /** What an object is, by itself or by the object that it is made from; undefined where the table does not say so. */
  usesOf(object: string, parents: Parents): readonly ObjectUse[] | undefined {
    let name: string | undefined = object;
    for (let depth = 0; name !== undefined && depth < MAX_PARENTS; depth++) {
      const entry = this.#entries.get(name);
      if (entry !== undefined) return entry.uses;
      if (name.startsWith("warp_")) return ["door"];
      name = parents.parentOf(name);
    }
    return this.#others;
  }

  /** The size that the table gives to an object. */
  sizeOf(object: string): Rectangle | undefined {
    return this.#entries.get(object)?.size;
  }
}

function entryOf(value: JsonValue): ObjectEntry {
  if (typeof value.value === "string") return { uses: [useOf(value)], size: undefined };
  value.only(["is", "x", "y", "w", "h"]);
  const is = value.member("is");
  const offset = (name: string): number => value.maybe(name)?.number(-MAX_COORDINATE, MAX_COORDINATE) ?? 0;
  const [w, h] = ["w", "h"].map((name) => value.maybe(name)?.number(0, MAX_COORDINATE));
  if ((w === undefined) !== (h === undefined)) throw value.error("has one of w and h: give both, or none");
  return {
    uses: Array.isArray(is.value) ? is.list(uses.length).map(useOf) : [useOf(is)],
    size: w === undefined || h === undefined ? undefined : { x: offset("x"), y: offset("y"), w, h },
  };
}

function useOf(value: JsonValue): ObjectUse {
  const found = uses.find((use) => use === value.value);
  if (found === undefined) throw value.error(`must be one of ${uses.join(", ")}`);
  return found;
}

/** The table beside a project; undefined where there is none. Throws `MapError` where there are two, or where it is broken. */
export function openObjectTable(files: MapFiles, base: string): ObjectTable | undefined {
  let found: JsonValue | undefined;
  for (const path of files.paths()) {
    if (!path.startsWith(base) || path.slice(base.length).includes("/") || !path.toLowerCase().endsWith(".json"))
      continue;
    const file = files.open(path);
    if (file === undefined || !startOf(file).includes(OBJECTS_FORMAT)) continue;
    const value = readJson(file);
    if (value.maybe("format")?.value !== OBJECTS_FORMAT) continue;
    if (found !== undefined) throw value.error("is a second table of objects");
    found = value;
  }
  return found === undefined ? undefined : new ObjectTable(found);
}
