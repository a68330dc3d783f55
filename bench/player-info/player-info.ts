/**
 * Player info: all packets of a tick for all observers, by sets of players and by the scan of everyone that servers in
 * use do. Every observer sees something else: with equal views the processor learns the crowd by heart, and the scan
 * takes half its time. Each scene is a process of its own, in which both take turns and must write equal bytes.
 */
import { type Benchmark, Contestant, printPromise, printTable } from "../harness.ts";
import type { SceneReport, SceneTask } from "./contestant.ts";
import { type SceneName, sceneNames } from "./scenes.ts";

const MOST_PLAYERS = 2047;
const TOWN_RATIO = 6.5;
const BOX_RATIO = 5;

interface Effort extends Omit<SceneTask, "scene" | "players"> {
  readonly players: readonly number[];
}

const full: Effort = { players: [250, 500, 1000, MOST_PLAYERS], rounds: 10, ticksPerRound: 8, warmUpTicks: 40 };
const quick: Effort = { players: [MOST_PLAYERS], rounds: 2, ticksPerRound: 3, warmUpTicks: 8 };

async function runScene(task: SceneTask): Promise<SceneReport> {
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    const report = await contestant.next<SceneReport>();
    if (!report.areEqual) throw new Error(`${task.scene}: the two wrote different packets`);
    return report;
  } finally {
    await contestant.end();
  }
}

async function run(isQuick: boolean): Promise<void> {
  const { players: counts, ...effort } = isQuick ? quick : full;
  const rows = [["scene", "players", "in view", "bytes each", "scan ms", "sets ms", "ratio", "new memory"]];
  const ratios = new Map<SceneName, number>();
  for (const scene of sceneNames) {
    for (const players of counts) {
      const report = await runScene({ ...effort, scene, players });
      const ratio = report.scanMs / report.setsMs;
      if (players === MOST_PLAYERS) ratios.set(scene, ratio);
      rows.push([
        scene,
        String(players),
        report.localsPerObserver.toFixed(0),
        report.bytesPerObserver.toFixed(0),
        report.scanMs.toFixed(2),
        report.setsMs.toFixed(2),
        `${ratio.toFixed(1)}x`,
        `${(report.allocatedPerTick / 1024).toFixed(1)} KiB`,
      ]);
    }
  }
  console.log(
    "Per tick: medians for all observers, each with a packet of its own, on one thread; new JavaScript memory.",
  );
  printTable(rows);
  const promise = (scene: SceneName, least: number, where: string): void => {
    const ratio = ratios.get(scene) ?? Number.NaN;
    printPromise(`at least ${least}x the scan of everyone ${where}`, `${ratio.toFixed(1)}x`, ratio >= least);
  };
  promise("town", TOWN_RATIO, "at view 15, 2047 players walking in 104 x 104 tiles");
  promise("box", BOX_RATIO, "with 2047 players teleporting in 13 x 13 tiles, 32 bytes of masks each");
}

export const playerInfo: Benchmark = { summary: "packets of 2047 observers, by sets and by a scan of everyone", run };
