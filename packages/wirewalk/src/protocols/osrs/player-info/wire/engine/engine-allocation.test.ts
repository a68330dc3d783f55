import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { revision206 } from "../masks/revision-206.ts";
import { PlayerInfoEngine } from "./engine.ts";
import { EngineMemory, OBSERVER_BYTES } from "./engine-memory.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const PLAYERS = 400;
const TICKS = 60;
/** Bytes of a tick, for all of them: no more than a byte for each. What is measured is a few hundred. */
const MOST_BYTES = 2048;

/** A town in which everybody walks, and comes into and goes out of view of others. */
class Town {
  readonly #engine: PlayerInfoEngine;
  #tick = 0;

  constructor(core: "auto" | "javascript") {
    this.#engine = new PlayerInfoEngine({ dialect: "client", revision: revision206, core, maxLocals: 120 });
    for (let index = 1; index <= PLAYERS; index++) this.#engine.add(index, { level: 0, x: 3200, z: 3200 });
    for (let index = 1; index <= PLAYERS; index++) this.#engine.observe(index);
  }

  tick(): void {
    const tick = this.#tick++;
    for (let index = 1; index <= PLAYERS; index++) {
      this.#engine.move(index, 3200 + ((index * 7 + tick) % 60), 3200 + ((index * 3 + (tick >> 1)) % 57));
    }
    this.#engine.tick();
  }

  /** The least of up to five rounds: a compiler at work in the background takes memory too. One that took little is enough. */
  bytesPerTick(): number {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5 && least >= MOST_BYTES; round++) {
      collectGarbage();
      const before = process.memoryUsage();
      for (let at = 0; at < TICKS; at++) this.tick();
      const after = process.memoryUsage();
      least = Math.min(least, (after.heapUsed + after.external - before.heapUsed - before.external) / TICKS);
    }
    return least;
  }
}

describe("the memory of an engine", () => {
  test.each(["auto", "javascript"] as const)("a tick of the steady state takes none for its players: %s", (core) => {
    const town = new Town(core);
    for (let at = 0; at < 100; at++) town.tick();
    expect(town.bytesPerTick()).toBeLessThan(MOST_BYTES);
  });

  test("an observer takes as much as is documented", () => {
    const memory = new EngineMemory();
    const { state, next, known, first, never, radius, packetStart, packetEnd } = memory;
    const { observing, choosy, owed, special, lacked } = memory;
    const tables = [state, next, ...known, first, never, radius, packetStart, packetEnd];
    const flags = [observing, choosy, owed, special, lacked];
    const bytes = [...tables, ...flags].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes / 2048).toBe(OBSERVER_BYTES);
    expect(OBSERVER_BYTES).toBe(2577);
  });
});
