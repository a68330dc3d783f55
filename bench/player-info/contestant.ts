/** A scene's process: plays it with both engines by turns, and measures their ticks. */
import { PlayerInfoEngine } from "wirewalk/osrs/player-info";
import { contestantTask, endWhenTold, median, tell } from "../harness.ts";
import { ScanningEngine } from "./baseline.ts";
import { type Contender, createScene, type Scene, type SceneName } from "./scenes.ts";

export interface SceneTask {
  readonly scene: SceneName;
  readonly players: number;
  readonly warmUpTicks: number;
  readonly rounds: number;
  readonly ticksPerRound: number;
}

export interface SceneReport {
  /** Medians of all ticks, in milliseconds for all observers. */
  readonly setsMs: number;
  readonly scanMs: number;
  readonly bytesPerObserver: number;
  readonly localsPerObserver: number;
  /** Bytes of JavaScript memory that a tick by sets takes. */
  readonly allocatedPerTick: number;
  /** Whether both wrote the same packets in the last tick of the warm-up. */
  readonly areEqual: boolean;
}

class SetsEngine extends PlayerInfoEngine implements Contender {
  never(observer: number, index: number): void {
    this.setStanding(observer, index, "never");
  }
}

/** An engine in a scene of its own: both play the same from the same seed. */
class Player<E extends Contender> {
  readonly engine: E;
  readonly ms: number[] = [];
  readonly #scene: Scene;

  constructor(scene: Scene, engine: E) {
    this.#scene = scene;
    this.engine = engine;
    scene.setUp(engine);
  }

  tick(): void {
    this.#scene.step(this.engine);
    const start = performance.now();
    this.engine.tick();
    this.ms.push(performance.now() - start);
  }

  /** How much of the heap a tick takes while nothing is collected. */
  measureAllocation(): number {
    const ticks = 9;
    const allocated = Array.from({ length: ticks }, () => {
      this.#scene.step(this.engine);
      globalThis.gc?.();
      const before = process.memoryUsage();
      this.engine.tick();
      const after = process.memoryUsage();
      return after.heapUsed + after.external - before.heapUsed - before.external;
    });
    return Math.max(0, median(allocated));
  }
}

const { scene, players, warmUpTicks, rounds, ticksPerRound } = contestantTask<SceneTask>();
const setsScene = createScene(scene, players);
const scanScene = createScene(scene, players);
const sets = new Player(setsScene, new SetsEngine({ dialect: "client", ...setsScene.options }));
const scan = new Player(scanScene, new ScanningEngine(scanScene.options));
const observers = Array.from({ length: players }, (_, at) => at + 1);

for (let tick = 0; tick < warmUpTicks; tick++) {
  sets.tick();
  scan.tick();
}
const areEqual = observers.every((index) => Buffer.compare(sets.engine.packet(index), scan.engine.packet(index)) === 0);
sets.ms.length = 0;
scan.ms.length = 0;
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? [sets, scan] : [scan, sets];
  for (const player of order) for (let tick = 0; tick < ticksPerRound; tick++) player.tick();
}

const sum = (of: (index: number) => number): number => observers.reduce((total, index) => total + of(index), 0);
const report: SceneReport = {
  setsMs: median(sets.ms),
  scanMs: median(scan.ms),
  bytesPerObserver: sum((index) => sets.engine.packetBytes(index)) / players,
  localsPerObserver: sum((index) => sets.engine.localCountOf(index)) / players,
  allocatedPerTick: sets.measureAllocation(),
  areEqual,
};
endWhenTold();
tell(report);
