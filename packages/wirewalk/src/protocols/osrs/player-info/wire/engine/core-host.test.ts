/** The core as a module for other hosts: `core/player-info.wasm`, its example host, and `docs/player-info-core.md`. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../../../motion/index.ts";
import { scaled } from "../../../../../testing/scale.ts";
import { prefixedBytes, u8 } from "../../../../../wire/index.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { playerInfoDialects } from "../dialect.ts";
import { parseMaskRevision } from "../masks/parse-mask-revision.ts";
import { ENGINE_AT } from "./core.ts";
import { PlayerInfoEngine } from "./engine.ts";
import { EngineMemory } from "./engine-memory.ts";

const coreFolder = fileURLToPath(new URL("../../../../../../core/", import.meta.url));
const root = join(coreFolder, "../../..");
const moduleFile = join(coreFolder, "player-info.wasm");
const hostFile = join(coreFolder, "player-info-host.mjs");
const module = readFileSync(moduleFile);

interface HostOptions {
  readonly dialect: string;
  readonly viewDistance: number;
  readonly maxLocals: number;
  readonly packetsBytes?: number;
}

type HostEvent = readonly [method: string, ...args: unknown[]];

/** What the example host, which is plain JavaScript, exports. */
interface HostModule {
  play(module: Uint8Array, recording: { options: HostOptions; ticks: readonly (readonly HostEvent[])[] }): string[];
  PlayerInfoHost: new (
    module: Uint8Array,
    options: HostOptions,
  ) => {
    add(index: number, level: number, x: number, z: number): void;
    observe(index: number): Uint8Array<ArrayBuffer>;
    move(index: number, x: number, z: number): void;
    setBlock(index: number, flag: number, bytes: readonly number[]): void;
    tick(): void;
    packet(observer: number): Uint8Array<ArrayBuffer>;
  };
}

/** The blocks of the example host. */
const revision = parseMaskRevision({
  name: "example",
  extensions: [0x80],
  blocks: [
    {
      name: "appearance",
      flag: 1,
      kept: "index",
      fields: [{ name: "bytes", node: prefixedBytes({ count: u8, limit: 255 }).node }],
    },
    {
      name: "title",
      flag: 2,
      kept: "player",
      fields: [{ name: "bytes", node: prefixedBytes({ count: u8, limit: 255 }).node }],
    },
    { name: "say", flag: 4, fields: [{ name: "bytes", node: prefixedBytes({ count: u8, limit: 255 }).node }] },
  ],
});
const blockNames: Readonly<Record<number, string>> = { 1: "appearance", 2: "title", 4: "say" };

/** A random town as events, played by an engine on the way: the events of each tick, and every packet. */
function record(random: Random, options: HostOptions, players: number, side: number, ticks: number) {
  const engine = new PlayerInfoEngine({ ...options, revision, core: "javascript" });
  const observers = new Set<number>();
  const present = new Map<number, readonly [level: number, x: number, z: number]>();
  const events: HostEvent[][] = [];
  const lines: string[] = [];
  const someTile = () =>
    [random.chance(0.9) ? 0 : 1, 8190 + random.integer(0, side), 8190 + random.integer(0, side)] as const;
  const someBytes = () => Array.from({ length: random.integer(0, 12) }, () => random.integer(0, 255));
  for (let tick = 0; tick < ticks; tick++) {
    const now: HostEvent[] = [];
    const say = (index: number, flag: number): void => {
      const bytes = someBytes();
      engine.setBlock(index, blockNames[flag] as string, { bytes: Uint8Array.from(bytes) });
      now.push(["setBlock", index, flag, bytes]);
    };
    const join = (index: number): void => {
      const [level, x, z] = someTile();
      engine.add(index, { level, x, z });
      present.set(index, [level, x, z]);
      now.push(["add", index, level, x, z]);
      if (random.chance(0.8)) say(index, 1);
      if (random.chance(0.3)) say(index, 2);
    };
    const observe = (index: number): void => {
      engine.observe(index);
      observers.add(index);
      now.push(["observe", index]);
    };
    for (const index of [...present.keys()]) {
      if (random.chance(0.01)) {
        engine.remove(index);
        present.delete(index);
        observers.delete(index);
        now.push(["remove", index]);
        // The slot changes hands within the tick, or stays free.
        if (random.chance(0.5)) join(index);
      }
    }
    for (let index = 1; index <= players; index++) {
      const tile = present.get(index);
      if (tile === undefined) {
        if (tick === 0 || random.chance(0.1)) join(index);
        continue;
      }
      if (random.chance(0.2)) say(index, random.pick([1, 2, 4, 4, 4] as const));
      if (random.chance(0.02)) {
        const [level, x, z] = someTile();
        engine.teleport(index, { level, x, z });
        present.set(index, [level, x, z]);
        now.push(["teleport", index, level, x, z]);
      } else if (random.chance(0.6)) {
        const [level, x, z] = [tile[0], tile[1] + random.integer(-2, 2), tile[2] + random.integer(-2, 2)];
        engine.move(index, x, z);
        present.set(index, [level, x, z]);
        now.push(["move", index, x, z]);
      }
      if (random.chance(0.01)) {
        const isHidden = random.chance(0.5);
        engine.hide(index, isHidden);
        now.push(["hide", index, isHidden]);
      }
      if (random.chance(0.01)) {
        const other = random.pick([...present.keys()]);
        const standing = random.integer(0, 2);
        engine.setStanding(index, other, (["ordinary", "first", "never"] as const)[standing] ?? "ordinary");
        now.push(["stand", index, other, standing]);
      }
      if (index % 3 === 0 && (!observers.has(index) || random.chance(0.005))) observe(index);
    }
    events.push(now);
    engine.tick();
    for (const observer of observers) {
      lines.push(`${tick} ${observer} ${Buffer.from(engine.packet(observer)).toString("hex")}`);
    }
  }
  return { recording: { options, ticks: events }, lines };
}

const town: HostOptions = { dialect: "client", viewDistance: 15, maxLocals: 30 };

describe("a host without this library makes the engine's packets", () => {
  let host: HostModule;
  beforeAll(async () => {
    host = (await import(hostFile)) as HostModule;
  });

  test.each(playerInfoDialects.map(({ name }) => name))("%s", (dialect) => {
    const { recording, lines } = record(createRandom(5), { ...town, dialect }, 90, 40, scaled(600, 300));
    expect(host.play(module, recording).join("\n")).toBe(lines.join("\n"));
  });

  test("when there is room for few packets at a time", () => {
    const options = { ...town, viewDistance: 200, maxLocals: 400, packetsBytes: 41_000 };
    const { recording, lines } = record(createRandom(6), options, 400, 30, 12);
    expect(host.play(module, recording).join("\n")).toBe(lines.join("\n"));
  });

  test("a packet that would be too long goes without masks, and what clients keep comes later", () => {
    const options = { dialect: "client", viewDistance: 15, maxLocals: 2047 };
    const player = new host.PlayerInfoHost(module, options);
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
    const players = 300;
    for (let index = 1; index <= players; index++) player.add(index, 0, 3200, 3200);
    decoder.init(player.observe(1), 1);
    const appearance = Array.from({ length: 60 }, (_, at) => at);
    for (let index = 1; index <= players; index++) {
      player.setBlock(index, 1, appearance);
      player.setBlock(
        index,
        4,
        Array.from({ length: 200 }, () => index & 255),
      );
    }
    player.tick();
    expect(decoder.decode(player.packet(1)).masks).toEqual([]);
    expect(decoder.locals).toHaveLength(players);
    player.tick();
    const { masks } = decoder.decode(player.packet(1));
    expect(masks).toHaveLength(players);
    expect(masks.every(({ blocks }) => Object.keys(blocks).join() === "appearance")).toBe(true);
    player.tick();
    expect(decoder.decode(player.packet(1)).masks).toEqual([]);
  });

  const bun = process.env.WIREWALK_BUN ?? "bun";
  const hasBun = spawnSync(bun, ["--version"]).status === 0;
  test.skipIf(!hasBun)("in JavaScriptCore (needs Bun on the path or in WIREWALK_BUN)", () => {
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-core-"));
    try {
      const events = join(folder, "events.json");
      const { recording, lines } = record(createRandom(7), town, 90, 40, scaled(600, 100));
      writeFileSync(events, JSON.stringify(recording));
      const run = spawnSync(bun, [hostFile, moduleFile, events], { encoding: "utf8", maxBuffer: 1 << 28 });
      expect(run.stderr).toBe("");
      expect(run.stdout.trim()).toBe(lines.join("\n"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the module", () => {
  interface Exports {
    readonly [name: string]: ((...args: number[]) => number) | { readonly value: number };
  }
  let exports: Exports;
  const call = (name: string, ...args: number[]): number => {
    const member = exports[name];
    if (typeof member !== "function") throw new Error(`No function ${name}`);
    return member(...args);
  };
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object, imports: object) => { exports: unknown };
      Memory: new (limits: object) => object;
    };
  };
  beforeAll(() => {
    const memory = new WebAssembly.Memory({ initial: 200 });
    exports = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } }).exports as Exports;
    call("setup", 0x36, 15, 250, 1, 8 << 20, 9 << 20, 2 << 20);
  });

  /** The addresses that it exports. */
  const addresses = (): [name: string, address: number][] =>
    Object.entries(exports).flatMap(([name, member]) =>
      typeof member === "object" && "value" in member && name !== "version" ? [[name, member.value]] : [],
    );

  test("has its regions where the engine has them", () => {
    const memory = new EngineMemory(new ArrayBuffer(16 << 20), ENGINE_AT) as unknown as Record<string, unknown>;
    const own: Readonly<Record<string, string>> = { states: "state", free: "xRank" };
    for (const [name, address] of addresses()) {
      if (name === "requests") continue;
      const region = memory[own[name] ?? name];
      const first = (Array.isArray(region) ? region[0] : region) as Int32Array;
      expect([name, first.byteOffset]).toEqual([name, address]);
    }
    expect(addresses().length).toBeGreaterThan(30);
  });

  test("is described, with every function and address, in docs/player-info-core.md", () => {
    const text = readFileSync(join(root, "docs/player-info-core.md"), "utf8");
    for (const [name, address] of addresses()) {
      expect(text).toContain(`| \`${name}\` | 0x${address.toString(16)} |`);
    }
    for (const name of Object.keys(exports)) {
      if (typeof exports[name] === "function") expect(text).toMatch(new RegExp(`\`${name}\\(`));
    }
  });

  test("makes the packet that the walk through one tick in the documentation says", () => {
    const text = readFileSync(join(root, "docs/player-info-core.md"), "utf8");
    const code = /```js\n(.*?)```/s.exec(text)?.[1] ?? "";
    const packet = /^(new Uint8Array\(.*\)); \/\/ => ((?:[0-9a-f]{2} ?)+)$/m.exec(code);
    expect(packet).not.toBeNull();
    const [line = "", value = "", hex = ""] = packet ?? [];
    const walk = new Function("bytes", `${code.replace(line, "")}; return ${value};`) as (
      bytes: Uint8Array,
    ) => Uint8Array;
    expect(Buffer.from(walk(module)).toString("hex")).toBe(hex.replaceAll(" ", ""));
  });

  test("refuses what no world has, and changes nothing", () => {
    expect(call("addPlayer", 0, 0, 3200, 3200)).toBe(0);
    expect(call("addPlayer", 2048, 0, 3200, 3200)).toBe(0);
    expect(call("addPlayer", -1, 0, 3200, 3200)).toBe(0);
    expect(call("addPlayer", 1, 4, 3200, 3200)).toBe(0);
    expect(call("addPlayer", 1, 0, 16_384, 3200)).toBe(0);
    expect(call("addPlayer", 1, 0, 3200, -1)).toBe(0);
    expect(call("movePlayer", 1, 3200, 3200)).toBe(0);
    expect(call("observe", 1)).toBe(0);
    expect(call("addPlayer", 1, 0, 3200, 3200)).toBe(1);
    expect(call("addPlayer", 1, 0, 3200, 3200)).toBe(0);
    expect(call("movePlayer", 1, 3200, 16_384)).toBe(0);
    expect(call("teleportPlayer", 1, 4, 3200, 3200)).toBe(0);
    expect(call("setMasks", 1, 0, 0)).toBe(0);
    expect(call("setKept", 1, 1)).toBe(0);
    expect(call("setStanding", 1, 1, 3)).toBe(0);
    expect(call("observe", 1)).toBe(1);
    call("beginTick", 1);
    expect(call("makePackets")).toBe(0);
    call("endTick");
    expect(call("sees", 1, 1)).toBe(1);
    expect(call("removePlayer", 1)).toBe(1);
    expect(call("removePlayer", 1)).toBe(0);
  });
});
