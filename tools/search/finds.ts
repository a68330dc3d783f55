/**
 * Finds as tests: what a server received, and what the rules of today make of it. `finds.test.ts` plays all files of `finds/`. The
 * payloads are the test: they stay the same when bots and changes become others.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { protocols } from "../../packages/wirewalk/src/protocols/table.ts";
import { searchGames } from "./games.ts";
import { type Played, play, type Scene, type Stage } from "./play.ts";
import type { Find } from "./searcher.ts";

/** One file. */
export interface SavedFind {
  readonly game: string;
  readonly scene: Scene;
  readonly measure: string;
  /** What the stream gained when it was found. */
  readonly gained: number;
  /** Its changes in words. */
  readonly words: readonly string[];
  /** It holds when a verdict above benign comes within so many seconds, or its gain is no more than this. */
  readonly bound: { readonly gain: number; readonly flaggedWithinSeconds?: number };
  /** When the server received what: milliseconds and hexadecimal digits, `reconnect` for a new connection. A line for each. */
  readonly received: readonly string[];
}

const folder = fileURLToPath(new URL("./finds/", import.meta.url));

/** The names of all finds: `maplestory/chained-instants`. */
export function findNames(): readonly string[] {
  return globSync("*/*.json", { cwd: folder })
    .map((file) => file.replaceAll("\\", "/").slice(0, -".json".length))
    .toSorted();
}

export function readFind(name: string): SavedFind {
  return JSON.parse(readFileSync(`${folder}${name}.json`, "utf8")) as SavedFind;
}

/** A find as a file holds it, with its gain of now as bound. */
export function savedFind(game: string, find: Find, received: Played["received"]): SavedFind {
  const { scene, measure, gain, words } = find;
  return {
    game,
    scene,
    measure,
    gained: Math.round(gain * 100) / 100,
    words,
    bound: { gain: Math.ceil(gain) },
    received: received.map(({ atMs, payload }) => {
      return `${Math.round(atMs * 1000) / 1000} ${payload === undefined ? "reconnect" : Buffer.from(payload).toString("hex")}`;
    }),
  };
}

export function writeFind(path: string, find: SavedFind): void {
  writeFileSync(path, `${JSON.stringify(find, undefined, 1)}\n`);
}

/** Plays a find with the rules of today, or with those of a stage. Throws `RangeError` for a game that has no searcher. */
export function playFind({ game: name, scene, received }: SavedFind, stage: Stage = stageOf(name)): Played {
  const payloads = received.map((line) => {
    const [atMs = "", hex = ""] = line.split(" ");
    return { atMs: Number(atMs), payload: hex === "reconnect" ? undefined : Uint8Array.from(Buffer.from(hex, "hex")) };
  });
  return play(stage, scene, { payloads });
}

/** What a player of a find gains beyond an honest one of the same scene. */
export function gainOf(find: SavedFind, played: Played, stage: Stage = stageOf(find.game)): number {
  const honest = play(stage, find.scene, "honest");
  return (played.gains[find.measure] ?? 0) - (honest.gains[find.measure] ?? 0);
}

export function stageOf(name: string, protocol = protocols[name]): Stage {
  const game = searchGames[name];
  if (game === undefined || protocol === undefined) {
    throw new RangeError(
      `There is no searcher for ${name}; there are those for ${Object.keys(searchGames).join(", ")}`,
    );
  }
  return { game, protocol };
}
