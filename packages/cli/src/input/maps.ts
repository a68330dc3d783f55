/**
 * `--maps PATH`: the places of worlds. One flag for all commands: a command of one game takes a path, others take `GAME=PATH`, and a path
 * alone where only one game can be meant.
 */
import type { Recording } from "@wirewalk/recording";
import type { Command } from "commander";
import {
  MapError,
  MapFileError,
  type MapProblem,
  openMapFiles,
  openMaps,
  type Protocol,
  type WorldMaps,
} from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, UsageError } from "../context.ts";
import { write } from "../output/output.ts";
import { collect } from "./collect.ts";
import { suggest } from "./nearest.ts";

const FLAG = "--maps";

export interface MapsFlags {
  readonly maps?: readonly string[];
}

/** Adds the flag. `form` is what stands before the path where there are several: `game=`. */
export function addMapsFlag(command: Command, what: string, form = ""): Command {
  return command.option(
    `${FLAG} <${form}path>`,
    `${what}: a folder, a file or an archive (see wirewalk maps)`,
    collect,
  );
}

/** What a command does with a place that cannot be read. */
type OnProblem = (problem: MapProblem) => void;

/**
 * Opens the maps of a game. Throws {@link UsageError} for a game without maps, and for a path where the game finds no maps: `given` is what
 * stands on the command line.
 */
export function mapsAt(
  protocol: Protocol,
  path: string,
  onProblem: OnProblem = () => {},
  given = `${FLAG} ${path}`,
): WorldMaps {
  try {
    return openMaps(protocol, path, { onProblem });
  } catch (error) {
    throw usageOf(error, given);
  }
}

/** Names places that cannot be read on the standard error, each once: their rules are off, and the command goes on. */
export function namesProblems({ stderr }: CommandContext, path: string): OnProblem {
  return ({ place, reason }) => {
    const what = place === "" ? reason : `${place} cannot be read, its rules are off: ${reason}`;
    void write(stderr, `${escapeControls(`wirewalk: ${FLAG} ${path}: ${what}`)}\n`);
  };
}

/** The maps of a command about one game; undefined without the flag. Throws {@link UsageError}. */
export function chooseMaps(
  context: CommandContext,
  protocol: Protocol,
  { maps = [] }: MapsFlags,
): WorldMaps | undefined {
  return new ChosenMaps(context, { maps }, [protocol]).of(protocol);
}

/** The maps that a command line gives, by game. Each is opened once, when its game is known. */
export class ChosenMaps {
  readonly #context: CommandContext;
  readonly #paths = new Map<string, string>();
  readonly #opened = new Map<string, WorldMaps>();
  /** Recordings of which it was said that they need no maps. */
  readonly #noted = new Set<string>();
  /** A path without a game. */
  readonly #path: string | undefined;

  /** `games` are those of the command. Throws {@link UsageError} for a flag that is wrong whatever game it is for. */
  constructor(context: CommandContext, { maps = [] }: MapsFlags, games: readonly Protocol[]) {
    this.#context = context;
    let path: string | undefined;
    for (const text of maps) {
      const game = gameOf(text, games, context);
      if (game === undefined) {
        if (path !== undefined) throw new UsageError(`${FLAG} is given twice: ${path} and ${text}`);
        path = text;
      } else if (this.#paths.has(game.name)) throw new UsageError(`${FLAG} is given twice for ${game.name}`);
      else this.#take(game, text.slice(game.name.length + 1));
    }
    this.#path = path;
    if (path === undefined) return;
    const [only, ...others] = games;
    if (only !== undefined && others.length === 0) this.#take(only, path);
    else checkPath(path);
  }

  /** Whether a path without a game is given. */
  get hasOpenPath(): boolean {
    return this.#path !== undefined;
  }

  /** Undefined for a game of which none are given. Throws {@link UsageError} for a path that is no set of the game. */
  of(protocol: Protocol): WorldMaps | undefined {
    const { name } = protocol;
    if (!this.#opened.has(name) && this.#path !== undefined) this.#take(protocol, this.#path);
    return this.#opened.get(name);
  }

  /**
   * The maps of the game of a recording. Says on the standard error when they are not used, because it was recorded without. Throws
   * like {@link of}.
   */
  async ofRecording(file: string, recording: Recording): Promise<WorldMaps | undefined> {
    if (this.#path === undefined && this.#paths.size === 0) return undefined;
    const { recordedMaps, recordedWorld, unusedMapsText } = await import("@wirewalk/recording");
    const world = recordedWorld(recording);
    const protocol = this.#context.protocols[world.protocol];
    const maps = protocol === undefined ? undefined : this.of(protocol);
    if (maps === undefined) return undefined;
    const why = unusedMapsText(world, recordedMaps(recording));
    if (why !== undefined && !this.#noted.has(file))
      await write(this.#context.stderr, `${escapeControls(`wirewalk: ${file}: ${why}`)}\n`);
    this.#noted.add(file);
    return maps;
  }

  #take(protocol: Protocol, path: string): void {
    this.#paths.set(protocol.name, path);
    this.#opened.set(protocol.name, mapsAt(protocol, path, namesProblems(this.#context, path)));
  }
}

/** The game before the path; undefined for a path alone. Throws {@link UsageError} for an unknown one. */
function gameOf(text: string, games: readonly Protocol[], { protocols }: CommandContext): Protocol | undefined {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(0, at));
  const game = games.find((each) => each.name === name);
  if (game !== undefined) {
    if (at === text.length - 1) throw new UsageError(`${FLAG} ${text} needs a path: ${name}=PATH`);
    return game;
  }
  if (Object.values(protocols).some((each) => each.name === name)) {
    throw new UsageError(`${FLAG} ${text} is of another game than ${games.map((each) => each.name).join(", ")}`);
  }
  if (!looksLikeName(text)) return undefined;
  throw new UsageError(
    `${FLAG} ${text}: unknown game '${name}'${suggest(
      name,
      games.map((each) => each.name),
    )}`,
  );
}

/** Whether a value of the flag begins with the name of a world or a game, and is no path with the same letters. */
export function looksLikeName(text: string): boolean {
  if (!/^[a-z\d]+(?:-[a-z\d]+)*=/.test(text)) return false;
  try {
    openMapFiles(text);
    return false;
  } catch {
    return true;
  }
}

function checkPath(path: string): void {
  try {
    openMapFiles(path);
  } catch (error) {
    throw usageOf(error, `${FLAG} ${path}`);
  }
}

function usageOf(error: unknown, given: string): unknown {
  const isWrong = error instanceof MapError || error instanceof MapFileError || error instanceof RangeError;
  return isWrong ? new UsageError(`${given}: ${error.message}`) : error;
}
