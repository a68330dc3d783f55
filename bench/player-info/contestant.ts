/** A scene's process: plays it with all engines by turns, and measures their ticks. */
import { PlayerInfoEngine } from "wirewalk/osrs/player-info";
import { contestantTask, endWhenAsked, tell, threadNs } from "../harness.ts";
import { median } from "../report.ts";
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
  /** Medians of each round's ticks, in milliseconds of the processor for all observers. */
  readonly coreMs: readonly number[];
  readonly javascriptMs: readonly number[];
  readonly scanMs: readonly number[];
  /** The first tick of the core, in which everybody comes into view, in milliseconds. */
  readonly firstMs: number;
  readonly bytesPerObserver: number;
  readonly localsPerObserver: number;
  /** Bytes of JavaScript memory that a tick takes, with the core. */
  readonly allocatedPerTick: number;
  /** Whether all wrote the same packets in the last tick of the warm-up. */
  readonly areEqual: boolean;
}

class SetsEngine extends PlayerInfoEngine implements Contender {
  never(observer: number, index: number): void {
    this.setStanding(observer, index, "never");
  }
}

/** An engine in a scene of its own: all play the same from the same seed. */
class Player<E extends Contender> {
  readonly engine: E;
  /** Of each round that is over. */
  readonly rounds: number[] = [];
  readonly #scene: Scene;

  constructor(scene: Scene, engine: E) {
    this.#scene = scene;
    this.engine = engine;
    scene.setUp(engine);
  }

  /** Milliseconds of a tick. */
  tick(): number {
    this.#scene.step(this.engine);
    const start = threadNs();
    this.engine.tick();
    return (threadNs() - start) / 1e6;
  }

  round(ticks: number): void {
    this.rounds.push(median(Array.from({ length: ticks }, () => this.tick())));
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
function playerWith(core: "auto" | "javascript"): Player<SetsEngine> {
  const own = createScene(scene, players);
  return new Player(own, new SetsEngine({ dialect: "client", core, ...own.options }));
}

const core = playerWith("auto");
if (core.engine.core !== "webassembly") throw new Error("WebAssembly does not run here");
const javascript = playerWith("javascript");
const scanScene = createScene(scene, players);
const scan = new Player(scanScene, new ScanningEngine(scanScene.options));
const all = [core, javascript, scan];
const observers = Array.from({ length: players }, (_, at) => at + 1);

const firstMs = core.tick();
for (const player of [javascript, scan]) player.tick();
for (let tick = 1; tick < warmUpTicks; tick++) {
  for (const player of all) player.tick();
}
const areEqual = observers.every((index) => {
  const [packet, ...others] = all.map(({ engine }) => engine.packet(index));
  return packet !== undefined && others.every((other) => Buffer.compare(packet, other) === 0);
});
for (let round = 0; round < rounds; round++) {
  for (let turn = 0; turn < all.length; turn++) all[(turn + round) % all.length]?.round(ticksPerRound);
}

const sum = (of: (index: number) => number): number => observers.reduce((total, index) => total + of(index), 0);
const report: SceneReport = {
  coreMs: core.rounds,
  javascriptMs: javascript.rounds,
  scanMs: scan.rounds,
  firstMs,
  bytesPerObserver: sum((index) => core.engine.packetBytes(index)) / players,
  localsPerObserver: sum((index) => core.engine.localCountOf(index)) / players,
  allocatedPerTick: core.measureAllocation(),
  areEqual,
};
endWhenAsked();
tell(report);
