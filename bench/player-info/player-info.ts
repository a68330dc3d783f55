/**
 * Player info: all packets of a tick for all observers, by sets of players and by the scan of everyone that servers in
 * use do; by the WebAssembly core and without it. Every observer sees something else: with equal views the processor learns the crowd by heart, and the scan
 * takes half its time. Each scene is a process of its own, in which all take turns and must write equal bytes.
 */
import { type Benchmark, Contestant, printPromise, printTable } from "../harness.ts";
import type { SceneReport, SceneTask } from "./contestant.ts";
import { type SceneName, sceneNames } from "./scenes.ts";

const MOST_PLAYERS = 2047;
/** What the core and the engine in JavaScript promise, as multiples of the scan. */
const promises: readonly { scene: SceneName; core: number; javascript?: number; where: string }[] = [
  { scene: "dense redrawn", core: 18, where: "everybody in view, masks of everybody anew in every tick" },
  { scene: "dense steady", core: 16, where: "everybody in view, walking" },
  { scene: "town", core: 18, javascript: 6.5, where: "at view 15, 2047 players walking in 104 x 104 tiles" },
  { scene: "box", core: 14, javascript: 5, where: "2047 players teleporting in 13 x 13 tiles, 32 bytes of masks each" },
  { scene: "spread", core: 40, where: "2047 players far from each other" },
  { scene: "idle", core: 50, where: "a town in which few move" },
];

interface Effort extends Omit<SceneTask, "scene" | "players"> {
  readonly players: readonly number[];
}

const full: Effort = { players: [250, 500, 1000, MOST_PLAYERS], rounds: 10, ticksPerRound: 8, warmUpTicks: 40 };
const quick: Effort = { players: [MOST_PLAYERS], rounds: 2, ticksPerRound: 3, warmUpTicks: 8 };

async function runScene(task: SceneTask): Promise<SceneReport> {
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    const report = await contestant.next<SceneReport>();
    if (!report.areEqual) throw new Error(`${task.scene}: they wrote different packets`);
    return report;
  } finally {
    await contestant.end();
  }
}

async function run(isQuick: boolean): Promise<void> {
  const { players: counts, ...effort } = isQuick ? quick : full;
  const rows = [
    ["scene", "players", "in view", "bytes each", "scan ms", "JS ms", "ratio", "core ms", "ratio", "new memory"],
  ];
  const most = new Map<SceneName, SceneReport>();
  for (const scene of sceneNames) {
    for (const players of counts) {
      const report = await runScene({ ...effort, scene, players });
      if (players === MOST_PLAYERS) most.set(scene, report);
      rows.push([
        scene,
        String(players),
        report.localsPerObserver.toFixed(0),
        report.bytesPerObserver.toFixed(0),
        report.scanMs.toFixed(2),
        report.javascriptMs.toFixed(2),
        `${(report.scanMs / report.javascriptMs).toFixed(1)}x`,
        report.coreMs.toFixed(2),
        `${(report.scanMs / report.coreMs).toFixed(1)}x`,
        `${(report.allocatedPerTick / 1024).toFixed(1)} KiB`,
      ]);
    }
  }
  console.log(
    "Per tick: medians for all observers, each with a packet of its own, on one thread; new JavaScript memory.",
  );
  printTable(rows);
  for (const { scene, core, javascript, where } of promises) {
    const report = most.get(scene);
    if (report === undefined) continue;
    const ratio = report.scanMs / report.coreMs;
    printPromise(
      `${scene}, core: at least ${core}x the scan of everyone, ${where}`,
      `${ratio.toFixed(1)}x`,
      ratio >= core,
    );
    if (javascript === undefined) continue;
    const without = report.scanMs / report.javascriptMs;
    const held = without >= javascript;
    printPromise(`${scene}, JavaScript: at least ${javascript}x the scan`, `${without.toFixed(1)}x`, held);
  }
}

export const playerInfo: Benchmark = {
  summary: "packets of 2047 observers, by sets (WebAssembly and JavaScript) and by a scan of everyone",
  run,
};
