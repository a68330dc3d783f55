/**
 * An **engine for hosts in other languages**: a program beside this one gives objects, one line of JSON each, and gets one
 * object for each. Capability `engines` of a `Protocol`; `inspect` makes one of any world, the command `wirewalk engine` runs
 * both over standard streams.
 *
 * An object has commands as its fields, in any order: they are carried out in the order in which the engine lists them. A
 * command that takes a list carries out one entry after the other. What is refused changes nothing, and the others count: the
 * answer names each in `errors`, by its path and in one sentence.
 */
import { escapeControls, type JsonObject, type JsonValue, WireError } from "../wire/index.ts";
import type { WorldMaps } from "./maps.ts";
import type { StreamOption, StreamOptionValues } from "./packet-stream.ts";

/** What was refused of a line. */
export interface LineRefusal {
  /** `move[4]`; empty for the line as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The answer to one line: what the commands gave, and what was refused of them. */
export interface LineAnswer {
  readonly given: JsonObject;
  readonly errors: readonly LineRefusal[];
}

/** An engine that runs. */
export interface LineEngine {
  /** Carries out the commands of a line. Never throws for what a line holds. */
  take(line: JsonObject): LineAnswer;
}

/** What an engine is opened with. */
export interface LineEngineSetup {
  readonly dialect: string;
  readonly options: StreamOptionValues;
  /** The places of the game; engines that need none ignore them. Default: none. */
  readonly maps?: WorldMaps;
}

/** A kind of engine. */
export interface LineEngineKind {
  /** One sentence: what it does, and its commands. */
  readonly summary: string;
  readonly options: readonly StreamOption[];
  /** Throws `WireError` for options that it refuses, and `RangeError` for an unknown dialect. */
  open(setup: LineEngineSetup): LineEngine;
}

/** One command of an engine: carries out its argument. Throws `WireError`, `RangeError` or `TypeError` for what it refuses. */
export type LineCommand = (argument: JsonValue) => void;

/** Carries out one entry of a command's list. Throws like {@link LineCommand}, and has then changed nothing. */
export type LineEntry = (entry: JsonValue) => void;

/** A command that takes a list: each entry for itself. */
export function eachOf(command: LineEntry): { readonly entry: LineEntry } {
  return { entry: command };
}

/** Commands by name, in the order in which they are carried out. */
export type LineCommands = Readonly<Record<string, LineCommand | { readonly entry: LineEntry }>>;

/** Carries out the commands of a line and notes what is refused. */
export function runCommands(commands: LineCommands, line: JsonObject): readonly LineRefusal[] {
  const errors: LineRefusal[] = [];
  const attempt = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      errors.push(refusalOf(error, path));
    }
  };
  for (const [name, command] of Object.entries(commands)) {
    const argument = Object.hasOwn(line, name) ? line[name] : undefined;
    if (argument === undefined) continue;
    if (typeof command === "function") attempt(name, () => command(argument));
    else if (Array.isArray(argument)) {
      for (const [at, entry] of argument.entries()) attempt(`${name}[${at}]`, () => command.entry(entry));
    } else errors.push({ path: name, message: "it must be a list" });
  }
  const unknown = Object.keys(line).filter((name) => !Object.hasOwn(commands, name));
  for (const name of unknown) {
    errors.push({
      path: escapeControls(name),
      message: `unknown command; known are ${Object.keys(commands).join(", ")}`,
    });
  }
  return errors;
}

function refusalOf(error: unknown, path: string): LineRefusal {
  if (!(error instanceof WireError || error instanceof RangeError || error instanceof TypeError)) throw error;
  const inner = error instanceof WireError ? error.path : "";
  const separator = inner === "" || inner.startsWith("[") ? "" : ".";
  return { path: `${path}${separator}${escapeControls(inner)}`, message: escapeControls(error.message) };
}

/** An entry that is a list of so many parts. */
export function partsOf(entry: JsonValue, names: string): readonly JsonValue[] {
  const { length } = names.split(",");
  if (Array.isArray(entry) && entry.length === length) return entry;
  throw new TypeError(`it must be [${names}]`);
}
