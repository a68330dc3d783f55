/** A value of a JSON file with its place: what is wrong with it is said with file and place. */
import { decodeLatin1, decodeUtf8 } from "../../../wire/index.ts";
import type { MapFile } from "../../map-files.ts";
import { parseMapJson } from "../../map-json.ts";
import { MapError } from "../../maps.ts";

/** In which the kind of a file is recognised. */
const HEAD_BYTES = 4096;
/** Of one file: parsed at once, it takes some times as much memory. */
const MAX_BYTES = 16 * 2 ** 20;
/** Objects and lists of a file: as many as 16 MB of rectangles have, nearly. */
const MAX_CONTAINERS = 400_000;
/** Values of a file: four of each rectangle, and some. */
const MAX_COMMAS = 5 * MAX_CONTAINERS;

type Members = Readonly<Record<string, unknown>>;

export class JsonValue {
  readonly value: unknown;
  readonly #file: string;
  /** Such as `rooms[3].doors[0].x`; empty for the whole file. */
  readonly path: string;

  constructor(file: string, value: unknown, path = "") {
    this.#file = file;
    this.value = value;
    this.path = path;
  }

  error(reason: string): MapError {
    return new MapError(this.path === "" ? `${this.#file}: ${reason}` : `${this.#file}, ${this.path}: ${reason}`);
  }

  /** A member that must be there. */
  member(name: string): JsonValue {
    return this.maybe(name) ?? fail(this.error(`has no ${name}`));
  }

  /** Undefined where it is not there. */
  maybe(name: string): JsonValue | undefined {
    const members = this.#members();
    if (!Object.hasOwn(members, name)) return undefined;
    return new JsonValue(this.#file, members[name], this.path === "" ? name : `${this.path}.${name}`);
  }

  /** Refuses members of other names: a misspelt one would be left out in silence. */
  only(names: readonly string[]): void {
    const other = Object.keys(this.#members()).find((name) => !names.includes(name));
    if (other !== undefined) {
      throw this.error(`has an unknown member ${JSON.stringify(other.slice(0, 40))}, known are ${names.join(", ")}`);
    }
  }

  /** Names and values of all members. */
  entries(): readonly (readonly [string, JsonValue])[] {
    return Object.entries(this.#members()).map(([name, value]) => {
      return [name, new JsonValue(this.#file, value, `${this.path}[${JSON.stringify(name.slice(0, 80))}]`)];
    });
  }

  list(most: number): readonly JsonValue[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.error(`must be a list, got ${nameOf(value)}`);
    if (value.length > most) throw this.error(`must have ${most} entries at most, got ${value.length}`);
    return value.map((each, index) => new JsonValue(this.#file, each, `${this.path}[${index}]`));
  }

  number(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== "number" || !(value >= least && value <= most)) {
      throw this.error(`must be a number from ${least} to ${most}, got ${nameOf(value)}`);
    }
    return value;
  }

  whole(least: number, most: number): number {
    const { value } = this;
    if (!Number.isInteger(value)) throw this.error(`must be a whole number, got ${nameOf(value)}`);
    return this.number(least, most);
  }

  text(most: number): string {
    const { value } = this;
    if (typeof value !== "string") throw this.error(`must be a text, got ${nameOf(value)}`);
    if (value.length > most) throw this.error(`must have ${most} characters at most, got ${value.length}`);
    return value;
  }

  flag(): boolean {
    const { value } = this;
    if (typeof value !== "boolean") throw this.error(`must be true or false, got ${nameOf(value)}`);
    return value;
  }

  #members(): Members {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.error(`must be an object, got ${nameOf(value)}`);
    }
    return value as Members;
  }
}

/** Reads a whole file. Throws {@link MapError} where it is too large, cut, or no JSON. */
export function readJson(file: MapFile): JsonValue {
  const text = readText(file, MAX_BYTES);
  try {
    return new JsonValue(file.name, parseMapJson(text, { containers: MAX_CONTAINERS, commas: MAX_COMMAS }));
  } catch (error) {
    if (error instanceof MapError) throw new MapError(`${file.name}: has ${error.message}`);
    const line = lineOf(text, error);
    throw new MapError(`${file.name}${line === undefined ? "" : ` line ${line}`}: is no JSON: ${reasonOf(error)}`);
  }
}

/** A file of UTF-8 as text, without a byte order mark. Throws {@link MapError} where it has more bytes than `most`. */
function readText(file: MapFile, most: number): string {
  if (file.size > most) throw new MapError(`${file.name}: must have ${most} bytes at most, got ${file.size}`);
  const bytes = file.read(0, file.size);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return decodeUtf8(bytes, hasMark ? 3 : 0);
}

/** The first characters of a file, in which its kind is recognised. */
export function startOf(file: MapFile): string {
  return decodeLatin1(file.read(0, HEAD_BYTES));
}

/** Engines name the place of an error in different ways: `at position 37`. */
function lineOf(text: string, error: unknown): number | undefined {
  const position = /position (\d+)/.exec(reasonOf(error))?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `an ${typeof value}`;
}

function fail(error: Error): never {
  throw error;
}
