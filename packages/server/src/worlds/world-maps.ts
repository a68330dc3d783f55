/**
 * The maps of the worlds of a server. A path is opened here, once for all worlds of a game that name it: each thread and each node of a
 * cluster has its own. A place that cannot be read is logged once, and its rules are off.
 */
import { type MapProblem, type MapReading, openMaps, type WorldMaps } from "wirewalk/protocol";
import { CounterSet } from "../health/metrics.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { NamedListener } from "../server-options.ts";

export class WorldMapSets {
  /** Places that could not be read, by game. Of sets that are given as objects their owner hears. */
  readonly problems = new CounterSet();
  readonly #log: Pick<LogBudget, "warn">;
  readonly #opened = new Map<MapReading | undefined, Map<string, WorldMaps>>();

  constructor(log: Pick<LogBudget, "warn">) {
    this.#log = log;
  }

  /** Undefined for a world without maps. Throws `Error` for a path that has none, or cannot be read. */
  of({ name, protocol, maps }: Pick<NamedListener, "name" | "protocol" | "maps">): WorldMaps | undefined {
    if (typeof maps !== "string") return maps;
    const reading = protocol.capabilities?.maps;
    const sets = this.#opened.get(reading) ?? new Map<string, WorldMaps>();
    this.#opened.set(reading, sets);
    const known = sets.get(maps);
    if (known !== undefined) return known;
    const onProblem = (problem: MapProblem): void => this.#problem(protocol.name, maps, problem);
    try {
      const opened = openMaps(protocol, maps, { onProblem });
      sets.set(maps, opened);
      return opened;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Cannot open the maps of ${name}: ${why}`, { cause: error });
    }
  }

  #problem(game: string, maps: string, { place, reason }: MapProblem): void {
    this.problems.add({ protocol: game });
    this.#log.warn(
      { protocol: game, maps, ...(place === "" ? {} : { place }), reason },
      "a place cannot be read: its rules are off",
    );
  }
}
