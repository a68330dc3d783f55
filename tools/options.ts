/** Options of the workspace's own commands: as Node reads them, and a line instead of a stack for wrong ones. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { openMaps, type Protocol, type WorldMaps } from "wirewalk/protocol";

/** Prints `usage` and ends the process: for `--help`, or with exit code 2 when an option is wrong. */
export function parseOptions<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    const parsed = parseArgs(config);
    if ((parsed.values as { readonly help?: unknown }).help !== true) return parsed;
  } catch (error) {
    // Node's own hint is about positional arguments, of which most commands have none.
    console.error(error instanceof Error ? error.message.replace(/\. To specify .*/s, "") : error);
    console.error(usage);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}

/** Ends the process with exit code 2 when one of these options is no whole number. */
export function checkWhole(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  for (const name of names) {
    const text = String(values[name]);
    if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) continue;
    console.error(`--${name} takes a whole number, got ${text}`);
    process.exit(2);
  }
}

/** Ends the process with exit code 2 when one of the values of an option, which commas part, is not known. */
export function checkKnown(option: string, values: string, known: readonly string[]): void {
  for (const value of values.split(",")) {
    if (known.includes(value)) continue;
    console.error(`--${option}: unknown "${value}"; known are ${known.join(", ")}`);
    process.exit(2);
  }
}

/** The seed and the seconds of a command that fuzzes. Ends the process with exit code 2 when one is wrong. */
export function seedAndSeconds(values: { readonly seed: string; readonly seconds: string }): readonly [number, number] {
  const [seed, seconds] = [Number(values.seed), Number(values.seconds)];
  if (!Number.isSafeInteger(seed) || !(seconds >= 0)) {
    console.error("--seed takes a whole number, --seconds a number of 0 or more");
    process.exit(2);
  }
  return [seed, seconds];
}

/** The maps of one game, from `--maps`. */
export interface GivenMaps {
  readonly game: string;
  readonly path: string;
  readonly maps: WorldMaps;
}

/**
 * Reads `--maps GAME=PATH`, or a path alone with `--game`. Places that cannot be read are named on the standard error. Ends the process
 * with exit code 2 for another game and for a path that is no set.
 */
export function mapsOption(
  text: string,
  game: string | undefined,
  protocols: Readonly<Record<string, Protocol>>,
): GivenMaps {
  const named = Object.keys(protocols).find((name) => text.startsWith(`${name}=`));
  const chosen = named ?? game;
  const path = named === undefined ? text : text.slice(named.length + 1);
  try {
    if (chosen === undefined) throw new RangeError("a game is needed, as maplestory=PATH");
    if (game !== undefined && game !== chosen) throw new RangeError(`they are of ${chosen}, and --game is ${game}`);
    const maps = openMaps(protocols[chosen] as Protocol, path, {
      onProblem: ({ place, reason }) => console.error(`--maps ${path}: ${place}: ${reason}`),
    });
    return { game: chosen, path, maps };
  } catch (error) {
    console.error(`--maps ${text}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}
