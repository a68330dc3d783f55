/** Reads the config file of `wirewalk serve`: all that is wrong with it at once, each with its place. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BanAddress } from "@wirewalk/server";
import { type Command, InvalidArgumentError } from "commander";
import type { Protocol } from "wirewalk/protocol";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { policiesOfFile } from "../commands/serve-policies.ts";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { mapsAt } from "../input/maps.ts";
import { settingsOf } from "../input/settings.ts";
import { chooseDialect, chooseProtocol } from "../input/streams.ts";
import { JsonTextError, type PathStep, type PlacedJson, parseJsonWithPlaces } from "./json-places.ts";
import { checkSchema, type SchemaProblem } from "./schema.ts";
import { PATHS, serveSchema, type WorldConfig } from "./serve-schema.ts";

/** What of the file is about worlds; the rest has become values of flags. */
export interface ServeConfig {
  readonly worlds?: readonly WorldConfig[];
  readonly banAddress?: BanAddress;
}

/** Members that are no flags. */
const NO_FLAGS: ReadonlySet<string> = new Set(["$schema", "worlds", "banAddress"]);

/**
 * Reads a config file and gives its values to the flags of the command that were not given. Throws {@link FailedError} for a file that
 * cannot be read, {@link UsageError} for a wrong one.
 */
export function readServeConfig(path: string, command: Command, context: CommandContext): ServeConfig {
  const file = parse(path);
  const found = [...checkSchema(serveSchema, file.value)];
  const members = typeof file.value === "object" && file.value !== null ? (file.value as JsonObject) : {};
  const wrong = new Set(found.map(({ path: [first] }) => first));
  for (const [name, value] of Object.entries(members)) {
    if (NO_FLAGS.has(name) || wrong.has(name)) continue;
    const problem = giveFlag(command, name, asFlag(path, name, value as JsonValue));
    if (problem !== undefined) found.push({ path: [name], reason: problem });
  }
  const listed = !wrong.has("worlds") ? (members.worlds as unknown as readonly WorldConfig[] | undefined) : undefined;
  const worlds = listed?.map(({ maps, ...world }): WorldConfig => {
    return maps === undefined ? world : { ...world, maps: resolve(dirname(path), maps) };
  });
  if (worlds !== undefined) found.push(...checkWorlds(context, worlds));
  if (found.length > 0) throw new UsageError(describe(path, file, found));
  const { banAddress } = members;
  return {
    ...(worlds === undefined ? {} : { worlds }),
    ...(banAddress === undefined ? {} : { banAddress: banAddress as BanAddress }),
  };
}

/** A value as the command line would have it: relative paths begin at the folder of the file. */
function asFlag(path: string, name: string, value: JsonValue): JsonValue {
  if (PATHS.has(name)) return resolve(dirname(path), String(value));
  if (name !== "maps") return value;
  return (value as readonly string[]).map((text) => {
    const [, world = "", place = ""] = /^([a-z\d-]+=)?(.*)$/s.exec(text) ?? [];
    return `${world}${resolve(dirname(path), place)}`;
  });
}

function parse(path: string): PlacedJson {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new FailedError(`Cannot read ${path}: ${fileReason(error)}`);
  }
  try {
    return parseJsonWithPlaces(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { line, column } = error.place;
    throw new UsageError(`${path}:${line}:${column}: ${error.message}`);
  }
}

/** Gives a flag its value unless the command line has given one; what the flag's own check says against it. */
function giveFlag(command: Command, name: string, value: JsonValue): string | undefined {
  const option = command.options.find((each) => each.attributeName() === name);
  if (option === undefined) throw new Error(`The schema has ${name}, which is no flag of ${command.name()}`);
  let parsed: unknown = value;
  const isPlain = typeof value === "string" || typeof value === "number";
  try {
    if (isPlain && option.parseArg !== undefined) parsed = option.parseArg(String(value), undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return error.message;
  }
  if (value === false || command.getOptionValueSource(name) === "cli") return undefined;
  command.setOptionValueWithSource(name, parsed, "config");
  return undefined;
}

/** What the games and the other worlds say against each world. */
function checkWorlds(context: CommandContext, worlds: readonly WorldConfig[]): readonly SchemaProblem[] {
  const found: SchemaProblem[] = [];
  const names = new Set<string>();
  for (const [index, world] of worlds.entries()) {
    const { name } = world;
    const check = (member: string, work: () => void): void => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        found.push({ path: ["worlds", index, member], reason: error.message });
      }
    };
    if (name !== undefined && names.has(name)) {
      found.push({ path: ["worlds", index, "name"], reason: `another world has the name ${name}` });
    }
    if (name !== undefined) names.add(name);
    let game: Protocol | undefined;
    check("game", () => {
      game = chooseProtocol(context, world.game);
    });
    if (game !== undefined) checkOfGame(context, game, world, check);
  }
  return found;
}

function checkOfGame(
  context: CommandContext,
  game: Protocol,
  { name, dialect, tickMs, threads = 1, settings, policies, maps }: WorldConfig,
  check: (member: string, work: () => void) => void,
): void {
  const { capabilities } = game;
  check("name", () => {
    if (name === undefined || name === game.name || !Object.hasOwn(context.protocols, name)) return;
    throw new UsageError(`${name} is the name of another game`);
  });
  check("dialect", () => void chooseDialect(game, dialect));
  check("tickMs", () => {
    if (tickMs !== undefined && capabilities?.tick === undefined) {
      throw new UsageError(`the tick of ${game.name} is the game's own`);
    }
  });
  check("threads", () => {
    const { most } = capabilities?.threads ?? { most: 1 };
    if (threads > most) throw new UsageError(`${game.name} uses at most ${most} threads`);
  });
  check("maps", () => {
    if (maps !== undefined) mapsAt(game, maps);
  });
  check("policies", () => {
    policiesOfFile(game, policies ?? {});
  });
  check("settings", () => {
    settingsOf(game, settings ?? {});
  });
}

/** `worlds[0].port`. */
function pathText(path: readonly PathStep[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

function describe(path: string, file: PlacedJson, problems: readonly SchemaProblem[]): string {
  const lines = problems.map((problem) => {
    const { line, column } = file.placeOf(problem.path);
    return { line, column, text: `${path}:${line}:${column}: ${pathText(problem.path)}: ${problem.reason}` };
  });
  lines.sort((a, b) => a.line - b.line || a.column - b.column);
  return lines.map(({ text }) => text).join("\n  ");
}
