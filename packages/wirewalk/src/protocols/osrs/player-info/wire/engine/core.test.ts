import { afterEach, describe, expect, test, vi } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scale, scaled } from "../../../../../testing/scale.ts";
import { prefixedBytes, u8, u16be, windows1252String } from "../../../../../wire/index.ts";
import { RandomWorld, type RandomWorldOptions } from "../../testing/random-world.ts";
import { TwinEngine } from "../../testing/twin-engine.ts";
import { playerInfoDialects } from "../dialect.ts";
import { noMasks } from "../masks/mask-revision.ts";
import { parseMaskRevision } from "../masks/parse-mask-revision.ts";
import { revision206 } from "../masks/revision-206.ts";
import { PlayerInfoCore } from "./core.ts";
import { PlayerInfoEngine } from "./engine.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const chat = (length: number) => ({ colourEffect: 0, icon: 0, auto: 0, text: new Uint8Array(length) });

/** Four blocks kept by index, and one of every other kind. */
const everyKind = parseMaskRevision({
  name: "every kind",
  extensions: [0x40],
  blocks: [
    {
      name: "title",
      flag: 0x100,
      kept: "player",
      fields: [{ name: "text", node: windows1252String({ limit: 255 }).node }],
    },
    { name: "pose", flag: 0x4, kept: "standing", fields: [{ name: "pose", node: u8.node }] },
    { name: "worn", flag: 0x1, kept: "index", initial: { id: 7 }, fields: [{ name: "id", node: u16be.node }] },
    { name: "hat", flag: 0x8, kept: "index", fields: [{ name: "id", node: u16be.node }] },
    { name: "coat", flag: 0x10, kept: "index", fields: [{ name: "id", node: u16be.node }] },
    {
      name: "shoes",
      flag: 0x20,
      kept: "index",
      fields: [{ name: "bytes", node: prefixedBytes({ count: u8, limit: 255 }).node }],
    },
    { name: "colour", flag: 0x2, perObserver: true, fields: [{ name: "id", node: u16be.node }] },
    { name: "hint", flag: 0x200, late: "drop", fields: [{ name: "id", node: u8.node }] },
  ],
});

describe("both cores make the same packets", () => {
  // In `npm test` they are compared alone: `engine.test.ts` reads the packets of such worlds at every size.
  const isRead = scale >= 1;
  const town = {
    revision: revision206,
    players: 200,
    observers: 40,
    side: 60,
    viewDistance: 15,
    maxLocals: 250,
    isRead,
  };
  const worlds: [name: string, options: Partial<RandomWorldOptions>, ticks: number][] = [
    // 2,000 ticks in the soak, a hundredth of it in `npm test`.
    ["in a town", {}, scaled(2000, 30)],
    ["with blocks of every kind", { revision: everyKind, talk: 0.6, talkLength: 12, isRead: true }, 200],
    ["with teleports in a crowd", { players: 400, side: 10, maxLocals: 2047, activity: 1, talk: 0.05 }, 60],
    [
      "in a crowd",
      { players: 700, observers: 60, side: 40, viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 },
      120,
    ],
    ["in a silent crowd", { players: 2047, observers: 40, side: 12, maxLocals: 2047, revision: noMasks }, 60],
    ["with more masks than fit", { players: 900, observers: 12, side: 20, maxLocals: 2047, talkLength: 120 }, 60],
    ["with teleports over the world", { side: 16_000, viewDistance: 5000, maxLocals: 80 }, 200],
    ["in a view that shrinks", { players: 300, observers: 100, side: 8, maxLocals: 30 }, 120],
  ];

  test.each(playerInfoDialects.flatMap(({ name: dialect }) => worlds.map((world) => [dialect, ...world] as const)))(
    "%s, %s",
    (dialect, _, options, most) => {
      const accept = vi.spyOn(PlayerInfoCore.prototype, "acceptPacket");
      const random = createRandom(7);
      const world = new RandomWorld({
        ...town,
        dialect,
        random,
        activity: 0.5,
        talk: 0.3,
        talkLength: 20,
        isTwin: true,
        ...options,
      });
      for (let tick = 0; tick < scaled(most, 8); tick++) world.tick();
      expect((world.engine as TwinEngine).compared).toBe(world.packets);
      // The core made some of them alone.
      expect(accept.mock.calls.length).toBeLessThan(world.packets);
    },
    // The town of the soak takes 45 s of processor time.
    300_000,
  );

  test("when the packets of a tick are longer than the core's memory", () => {
    const everybody = { viewDistance: 200, maxLocals: 2047 };
    const engine = new TwinEngine({ dialect: "client", revision: revision206, ...everybody });
    const players = 800;
    for (let index = 1; index <= players; index++) engine.add(index, { level: 0, x: 3200 + (index % 40), z: 3200 });
    for (let index = 1; index <= players; index++) engine.observe(index);
    engine.tick();
    engine.tick();
    for (let index = 1; index <= players; index++) engine.setBlock(index, "publicChat", chat(40));
    engine.tick();
    let bytes = 0;
    for (let index = 1; index <= players; index++) bytes += engine.packetBytes(index);
    expect(bytes).toBeGreaterThan(24 << 20);
  });

  test("when all code lengths of a movement change sides, tick after tick", () => {
    const engine = new TwinEngine({ dialect: "client", revision: revision206, maxLocals: 2047, viewDistance: 200 });
    for (let index = 1; index < 400; index++) {
      engine.add(index, { level: 0, x: 8190 + (index % 20), z: 8190 + Math.floor(index / 20) });
    }
    for (let index = 1; index < 400; index += 7) engine.observe(index);
    for (let tick = 0; tick < 24; tick++) {
      for (let index = 1; index < 400; index++) {
        const { level, x, z } = engine.tileOf(index);
        const reach = [0, 1, 2, 15, 100][(index * 3 + tick) % 5] as number;
        if (index % 3 === tick % 3) engine.move(index, x + (tick % 2 === 0 ? reach : -reach), z);
        if (index % 50 === tick) engine.teleport(index, { level: level ^ 1, x, z });
        if (index % 11 === tick % 11) engine.setBlock(index, "publicChat", chat(tick));
      }
      engine.tick();
    }
    expect(engine.compared).toBeGreaterThan(1000);
  });
});

describe("without WebAssembly", () => {
  test("the engine says so and does without", () => {
    vi.spyOn(PlayerInfoCore, "create").mockReturnValue(undefined);
    expect(new PlayerInfoEngine({ dialect: "client" }).core).toBe("javascript");
  });

  test("the default is the core where it runs", () => {
    expect(new PlayerInfoEngine({ dialect: "client" }).core).toBe("webassembly");
    expect(new PlayerInfoEngine({ dialect: "client", core: "javascript" }).core).toBe("javascript");
  });

  test("an engine that gets no memory has no core", () => {
    const { Module, Instance } = WebAssembly;
    class Memory {
      constructor() {
        throw new RangeError("WebAssembly.Memory(): could not allocate memory");
      }
    }
    vi.stubGlobal("WebAssembly", { Module, Instance, Memory });
    const engine = new PlayerInfoEngine({ dialect: "client" });
    expect(engine.core).toBe("javascript");
    engine.add(1, { level: 0, x: 3200, z: 3200 });
    engine.observe(1);
    engine.tick();
    expect(engine.packetBytes(1)).toBeGreaterThan(0);
  });
});
