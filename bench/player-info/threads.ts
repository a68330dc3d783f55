/** A process with an engine of one thread and one of two, by turns in the same scene. Wall time: two threads are no faster by another. */
import { packetThreads } from "wirewalk/node";
import { PlayerInfoEngine } from "wirewalk/osrs/player-info";
import { PlayerInfoCore } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/core.ts";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { median } from "../report.ts";
import type { SceneTask } from "./contestant.ts";
import { type Contender, createScene, type Scene } from "./scenes.ts";

/** Medians of each round's ticks, in milliseconds. */
export interface ThreadsTimes {
  /** Writing packets: what the threads share. */
  readonly packetsMs: readonly number[];
  readonly tickMs: readonly number[];
}

export interface ThreadsReport {
  readonly one: ThreadsTimes;
  readonly two: ThreadsTimes;
}

class ThreadedEngine extends PlayerInfoEngine implements Contender {
  never(observer: number, index: number): void {
    this.setStanding(observer, index, "never");
  }
}

interface Player {
  readonly engine: ThreadedEngine;
  readonly scene: Scene;
  readonly packetsMs: number[];
  readonly tickMs: number[];
}

const { scene, players, warmUpTicks, rounds, ticksPerRound } = contestantTask<SceneTask>();

let packetsMs = 0;
const { makePackets } = PlayerInfoCore.prototype;
PlayerInfoCore.prototype.makePackets = function (this: PlayerInfoCore): number {
  const start = performance.now();
  const stop = makePackets.call(this);
  packetsMs += performance.now() - start;
  return stop;
};

function createPlayer(threads: number): Player {
  const own = createScene(scene, players);
  const engine = new ThreadedEngine({
    dialect: "client",
    ...own.options,
    ...(threads > 1 ? { threads: packetThreads(threads) } : {}),
  });
  own.setUp(engine);
  return { engine, scene: own, packetsMs: [], tickMs: [] };
}

/** Milliseconds of writing packets, and of all of a tick. */
function tick({ engine, scene: own }: Player): readonly [number, number] {
  own.step(engine);
  packetsMs = 0;
  const start = performance.now();
  engine.tick();
  return [packetsMs, performance.now() - start];
}

function checkEqual(one: Player, two: Player): void {
  for (let index = 1; index <= players; index++) {
    if (Buffer.compare(one.engine.packet(index), two.engine.packet(index)) !== 0) {
      throw new Error(`${scene}: one thread and two wrote different packets`);
    }
  }
}

const [one, two] = [createPlayer(1), createPlayer(2)];
const giveUpAt = performance.now() + 10_000;
while (two.engine.core !== "threads") {
  if (performance.now() > giveUpAt) throw new Error("No second thread has started");
  await new Promise((resolve) => setTimeout(resolve, 5));
}
for (let at = 0; at < warmUpTicks; at++) for (const player of [one, two]) tick(player);
checkEqual(one, two);
for (let round = 0; round < rounds; round++) {
  for (const player of round % 2 === 0 ? [one, two] : [two, one]) {
    const times = Array.from({ length: ticksPerRound }, () => tick(player));
    player.packetsMs.push(median(times.map(([packets]) => packets)));
    player.tickMs.push(median(times.map(([, all]) => all)));
  }
}
checkEqual(one, two);
const timesOf = (player: Player): ThreadsTimes => ({ packetsMs: player.packetsMs, tickMs: player.tickMs });
const report: ThreadsReport = { one: timesOf(one), two: timesOf(two) };
two.engine.close();
endWhenAsked();
tell(report);
