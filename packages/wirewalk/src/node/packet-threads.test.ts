import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRandom } from "../motion/index.ts";
import { OsrsWorld } from "../protocols/osrs/index.ts";
import { type PlayerInfoEngine, revision206 } from "../protocols/osrs/player-info/index.ts";
import { RandomWorld, type RandomWorldOptions } from "../protocols/osrs/player-info/testing/random-world.ts";
import { TwinEngine } from "../protocols/osrs/player-info/testing/twin-engine.ts";
import type { PacketThreads } from "../protocols/packet-threads.ts";
import { scaled } from "../testing/scale.ts";
import { packetThreads } from "./packet-threads.ts";

const engines: PlayerInfoEngine[] = [];

afterEach(() => {
  for (const engine of engines) engine.close();
  engines.length = 0;
});

async function untilHelped(engine: PlayerInfoEngine): Promise<void> {
  engines.push(engine);
  await vi.waitFor(() => expect(engine.core).toBe("threads"), 60_000);
}

const PLAYERS = 200;

/** A crowd in which everybody walks and talks. Every packet is compared with those of the engine in JavaScript. */
class Crowd {
  readonly engine: TwinEngine;
  #tick = 0;

  constructor(threads: PacketThreads) {
    this.engine = new TwinEngine({ dialect: "client", revision: revision206, maxLocals: 200, threads });
    for (let index = 1; index <= PLAYERS; index++) this.engine.add(index, { level: 0, x: 3200, z: 3200 });
    for (let index = 1; index <= PLAYERS; index++) this.engine.observe(index);
  }

  tick(): void {
    const tick = this.#tick++;
    for (let index = 1; index <= PLAYERS; index++) {
      this.engine.move(index, 3200 + ((index * 7 + tick) % 40), 3200 + ((index * 3 + (tick >> 1)) % 37));
      if (index % 5 === tick % 5) this.engine.setBlock(index, "sequence", { id: index, delay: 0 });
    }
    this.engine.tick();
  }
}

describe("several threads make the packets of one", () => {
  const town = { revision: revision206, players: 150, observers: 70, side: 30, viewDistance: 15, maxLocals: 40 };
  const worlds: [name: string, dialect: string, options: Partial<RandomWorldOptions>][] = [
    ["in a town", "client", {}],
    ["in a crowd", "documented", { players: 310, viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047, talk: 0.1 }],
    ["with more masks than fit", "client", { players: 220, maxLocals: 2047, activity: 1, talkLength: 250 }],
  ];

  test.each(worlds)(
    "%s, %s",
    async (_, dialect, options) => {
      const world = new RandomWorld({
        ...town,
        dialect,
        random: createRandom(11),
        activity: 0.5,
        talk: 0.3,
        talkLength: 20,
        isTwin: true,
        threads: packetThreads(2),
        ...options,
      });
      await untilHelped(world.engine);
      for (let tick = 0; tick < scaled(30, 3); tick++) world.tick();
      expect((world.engine as TwinEngine).compared).toBe(world.packets);
      expect(world.engine.core).toBe("threads");
    },
    300_000,
  );

  test("each of three makes some", async () => {
    const areas: number[] = [];
    let shared: Uint32Array | undefined;
    const threads = packetThreads(3);
    const crowd = new Crowd({
      count: threads.count,
      module: threads.module,
      start: (task) => {
        shared ??= new Uint32Array((task.memory as { readonly buffer: SharedArrayBuffer }).buffer);
        areas.push(task.workArea);
        return threads.start(task);
      },
    });
    await untilHelped(crowd.engine);
    // A work area of zeros is one whose thread has made no packet.
    const hasWorked = (area: number): boolean =>
      shared?.subarray(area / 4, area / 4 + 9000).some((word) => word !== 0) === true;
    for (let tick = 0; tick < 500 && !areas.every(hasWorked); tick++) crowd.tick();
    expect(areas.map(hasWorked)).toEqual([true, true]);
  });
});

describe("an engine goes on alone", () => {
  const withStart = (start: PacketThreads["start"]): PacketThreads => {
    return { count: 2, module: packetThreads(2).module, start, patienceMs: 100 };
  };

  test("when no thread can be started", () => {
    const crowd = new Crowd(
      withStart(() => {
        throw new Error("no thread");
      }),
    );
    for (let tick = 0; tick < 3; tick++) crowd.tick();
    expect(crowd.engine.core).toBe("webassembly");
    expect(crowd.engine.compared).toBe(3 * PLAYERS);
  });

  test("when there is no shared memory", () => {
    const crowd = new Crowd({ ...packetThreads(2), module: {} });
    crowd.tick();
    expect(crowd.engine.core).toBe("webassembly");
  });

  test("when its thread ends between two ticks", async () => {
    const { start } = packetThreads(2);
    const ends: (() => void)[] = [];
    const crowd = new Crowd(
      withStart((task) => {
        const thread = start(task);
        ends.push(() => thread.stop());
        return thread;
      }),
    );
    await untilHelped(crowd.engine);
    crowd.tick();
    for (const end of ends) end();
    crowd.tick();
    await vi.waitFor(() => expect(crowd.engine.core).toBe("webassembly"), 60_000);
    crowd.tick();
    expect(crowd.engine.compared).toBe(3 * PLAYERS);
  });

  test("when its thread dies in the middle of a tick", async () => {
    // It claims observers and ends.
    const code = `
      const { parentPort, workerData: { module, memory, workArea } } = require("node:worker_threads");
      const { exports } = new WebAssembly.Instance(module, { env: { memory } });
      const words = new Int32Array(memory.buffer);
      const longs = new BigInt64Array(memory.buffer);
      const [turnAt, claimsAt] = [exports.turn.value / 4, exports.claims.value / 8];
      exports.beginToServe(workArea);
      for (;;) {
        const claims = Atomics.load(longs, claimsAt);
        if ((claims & 0xffffn) < ((claims >> 16n) & 0xffffn) &&
          Atomics.compareExchange(longs, claimsAt, claims, claims + 1n) === claims) process.exit();
      }
    `;
    const crowd = new Crowd(
      withStart(({ onEnd, ...workerData }) => {
        const worker = new Worker(code, { eval: true, workerData });
        worker.once("exit", onEnd);
        return { stop: () => void worker.terminate() };
      }),
    );
    await untilHelped(crowd.engine);
    let ticks = 0;
    while (crowd.engine.core === "threads" && ticks < 500) {
      crowd.tick();
      ticks++;
    }
    expect(crowd.engine.core).toBe("webassembly");
    crowd.tick();
    expect(crowd.engine.compared).toBe((ticks + 1) * PLAYERS);
  });

  test("after it has been closed", async () => {
    const crowd = new Crowd(packetThreads(2));
    await untilHelped(crowd.engine);
    crowd.tick();
    crowd.engine.close();
    expect(crowd.engine.core).toBe("webassembly");
    crowd.tick();
    expect(crowd.engine.compared).toBe(2 * PLAYERS);
  });
});

test("a world with threads has the same effects", async () => {
  const players = 80;
  const options = { dialect: "client", seed: 5, demo: true };
  const [one, two] = [new OsrsWorld(options), new OsrsWorld({ ...options, threads: packetThreads(2) })];
  await untilHelped(two.bodies.engine);
  for (const world of [one, two]) {
    for (let player = 1; player <= players; player++) {
      world.join(player, { account: `${player}`, name: `${player}` }, 0);
    }
  }
  for (let tick = 1; tick <= 5; tick++) {
    for (const world of [one, two]) world.tick(tick * 600);
    expect(two.takeEffects()).toEqual(one.takeEffects());
  }
  expect(two.digest()).toBe(one.digest());
  two.close();
  expect(two.bodies.engine.core).toBe("webassembly");
});

test("a process with sleeping threads ends", async () => {
  const file = new URL("./packet-threads.ts", import.meta.url).href;
  const engine = new URL("../protocols/osrs/player-info/index.ts", import.meta.url).href;
  const code = `
    import { packetThreads } from ${JSON.stringify(file)};
    import { PlayerInfoEngine } from ${JSON.stringify(engine)};
    const engine = new PlayerInfoEngine({ dialect: "client", threads: packetThreads(2) });
    while (engine.core !== "threads") await new Promise((resolve) => setTimeout(resolve, 5));
    console.log(engine.core);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
  expect(stdout).toBe("threads\n");
});

test("the number of threads is checked", () => {
  expect(() => packetThreads(1)).toThrow(new RangeError("count must be an integer in 2..16, got 1"));
  expect(() => packetThreads(17)).toThrow(RangeError);
  expect(() => packetThreads(2.5)).toThrow(RangeError);
});
