/** A process with several worlds: towns of their own, ticked one after the other, as one after the other is alone before. */
import { PlayerInfoEngine } from "wirewalk/osrs/player-info";
import { contestantTask, endWhenAsked, tell, threadNs } from "../harness.ts";
import { median } from "../report.ts";
import { type Contender, createScene, type Scene } from "./scenes.ts";

export interface WorldsTask {
  readonly worlds: number;
  readonly players: number;
  readonly warmUpTicks: number;
  readonly rounds: number;
  readonly ticksPerRound: number;
}

export interface WorldsReport {
  /** Of the first world while it is alone: medians of each round's ticks, in milliseconds. */
  readonly aloneMs: readonly number[];
  /** Of each world, beside the others. */
  readonly besideMs: readonly (readonly number[])[];
  /** Resident memory that each world after the first added, in bytes. */
  readonly residentPerWorld: number;
}

class TownEngine extends PlayerInfoEngine implements Contender {
  never(observer: number, index: number): void {
    this.setStanding(observer, index, "never");
  }
}

interface Town {
  readonly engine: TownEngine;
  readonly scene: Scene;
}

const { worlds, players, warmUpTicks, rounds, ticksPerRound } = contestantTask<WorldsTask>();

function createTown(): Town {
  const scene = createScene("town", players);
  const engine = new TownEngine({ dialect: "client", ...scene.options });
  scene.setUp(engine);
  return { engine, scene };
}

/** Milliseconds of a tick. */
function tick({ engine, scene }: Town): number {
  scene.step(engine);
  const start = threadNs();
  engine.tick();
  return (threadNs() - start) / 1e6;
}

/** Ticks by turns. Gives the medians of each town's rounds. */
function play(towns: readonly Town[]): number[][] {
  for (let at = 0; at < warmUpTicks; at++) for (const town of towns) tick(town);
  const medians: number[][] = towns.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const ticks: number[][] = towns.map(() => []);
    for (let at = 0; at < ticksPerRound; at++) {
      towns.forEach((town, world) => {
        ticks[world]?.push(tick(town));
      });
    }
    towns.forEach((_, world) => {
      medians[world]?.push(median(ticks[world] ?? []));
    });
  }
  return medians;
}

const first = createTown();
const [aloneMs = []] = play([first]);
globalThis.gc?.();
const before = process.memoryUsage.rss();
const towns = [first, ...Array.from({ length: worlds - 1 }, createTown)];
const besideMs = play(towns);
globalThis.gc?.();
const report: WorldsReport = {
  aloneMs,
  besideMs,
  residentPerWorld: (process.memoryUsage.rss() - before) / (worlds - 1),
};
endWhenAsked();
tell(report);
