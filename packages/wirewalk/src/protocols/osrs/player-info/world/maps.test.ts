import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../wire/index.ts";
import { Collision } from "../../maps/collision.ts";
import { type CollisionMaps, collisionMapsOf } from "../../maps/collision-maps.ts";
import { drawRegion } from "../../testing/draw-region.ts";
import { TICK_MS } from "../wire/constants.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import { revision206 } from "../wire/masks/revision-206.ts";
import { ShadowBodies } from "./shadow-bodies.ts";
import { PlayerInfoWorld } from "./world.ts";

/** A town of 64 x 64 tiles: walls with doors every 8 tiles, and a yard that nobody gets into. */
function townLines(): string[] {
  return Array.from({ length: 64 }, (_, line) => {
    const z = 63 - line;
    return Array.from({ length: 64 }, (_, x) => {
      if (x > 40 && x < 50 && z > 40 && z < 50) return x === 41 || x === 49 || z === 41 || z === 49 ? "#" : ".";
      const isWall = x % 8 === 0 || z % 8 === 0;
      const isDoor = (x % 8 === 4 && z % 8 === 0) || (z % 8 === 4 && x % 8 === 0);
      return isWall && !isDoor ? "#" : ".";
    }).join("");
  });
}
const town = collisionMapsOf("town", [drawRegion(50, 50, townLines()), drawRegion(49, 50, townLines())]);
const others = collisionMapsOf("others", [drawRegion(50, 50, townLines()), drawRegion(49, 50, ["...", "..."])]);

const somebody = (player: number) => ({ account: `p${player}`, name: `p${player}` });

describe("players on collision maps", () => {
  const create = (maps: CollisionMaps | undefined, seed = 4) =>
    new PlayerInfoWorld({
      dialect: "client",
      seed,
      demo: true,
      revision: revision206,
      ...(maps === undefined ? {} : { maps }),
    });

  it("walk and run through no wall, and nowhere that no way leads to", () => {
    const world = create(town);
    const collision = new Collision(town);
    for (let player = 1; player <= 40; player++) world.join(player, somebody(player), 0);
    let steps = 0;
    let before = new Map(world.tracks(0).map((track) => [track.player, track.position]));
    for (let tick = 1; tick <= 150; tick++) {
      world.tick(tick * TICK_MS);
      world.takeEffects();
      for (const { player, position, stance } of world.tracks(tick * TICK_MS)) {
        const { x, y, level } = position;
        expect([level, collision.isOpen(0, x, y)]).toEqual([0, true]);
        expect(x > 3241 && x < 3249 && y > 3241 && y < 3249).toBe(false);
        const from = before.get(player);
        const away = from && Math.max(Math.abs(x - from.x), Math.abs(y - from.y));
        if (from === undefined || away === undefined || away === 0 || away > 2 || stance === "teleport") continue;
        steps += 1;
        expect(collision.mayGo(0, from.x, from.y, x, y)).toBe(true);
      }
      before = new Map(world.tracks(tick * TICK_MS).map((track) => [track.player, track.position]));
    }
    expect(steps).toBeGreaterThan(1500);
    expect([...world.usedMaps().keys()].sort()).toEqual(["49_50", "50_50"]);
  });

  it("are on a plain as without maps where no tile of the set is open", () => {
    const closed = create(collisionMapsOf("closed", [drawRegion(50, 50, [])]));
    closed.join(1, somebody(1), 0);
    expect(closed.tracks(0)[0]?.position.x).toBeGreaterThan(8000);
    expect(() => create({ ...town, game: "maplestory" })).toThrow("maps must be those of osrs, got maplestory");
  });

  it("go on from a saved world with the same regions alone", () => {
    const world = create(town);
    const second = create(town);
    for (let player = 1; player <= 10; player++) world.join(player, somebody(player), 0);
    const play = (each: PlayerInfoWorld, from: number, to: number): void => {
      for (let tick = from; tick <= to; tick++) each.tick(tick * TICK_MS);
    };
    play(world, 1, 30);
    const saved = structuredClone(world.save());
    play(world, 31, 60);
    play(second, 1, 5);
    second.restore(saved);
    play(second, 31, 60);
    expect(second.digest()).toBe(world.digest());
    expect(() => create(others).restore(saved)).toThrow(/^Map 49_50 was [0-9a-f]{16}, others has [0-9a-f]{16}$/);
    expect(() => create(undefined).restore(saved)).toThrow("maps was");
  });
});

/** A server that moves its players as a test says, beside which bodies with maps stand. */
class Server {
  readonly engine = new PlayerInfoEngine({ dialect: "client" });
  readonly bodies: ShadowBodies;
  nowMs = 0;

  constructor(
    maps: CollisionMaps | undefined,
    undescribed: (payload: Uint8Array) => string | undefined = () => undefined,
  ) {
    this.bodies = new ShadowBodies({
      dialect: "client",
      seed: 1,
      undescribed,
      ...(maps === undefined ? {} : { maps }),
    });
  }

  /** Players by index; our session is that of the first one. */
  start(tiles: Readonly<Record<number, readonly [x: number, z: number]>>, sessions: readonly number[] = [5]): void {
    for (const [index, [x, z]] of Object.entries(tiles))
      this.engine.add(Number(index), { level: 0, x: 3200 + x, z: 3200 + z });
    for (const index of sessions) {
      this.bodies.join(index, somebody(index));
      this.bodies.observe(index, { message: "playerIndex", value: { index } }, this.nowMs);
      this.bodies.observe(
        index,
        { message: "playerInfoInit", value: { bytes: this.engine.observe(index) } },
        this.nowMs,
      );
    }
    this.tick(sessions);
  }

  tick(sessions: readonly number[] = [5]): void {
    this.nowMs += TICK_MS;
    this.engine.tick();
    for (const index of sessions) {
      this.bodies.observe(index, { message: "playerInfo", value: { bytes: this.engine.packet(index) } }, this.nowMs);
    }
  }

  walk(index: number, x: number, z: number, sessions?: readonly number[]): void {
    this.engine.move(index, 3200 + x, 3200 + z);
    this.tick(sessions);
  }

  click(x: number, z: number): void {
    this.bodies.clicked(5, { message: "moveGameClick", value: { x: 3200 + x, z: 3200 + z, keys: 0 } as object });
  }

  notices(): JsonObject[] {
    return this.bodies
      .takeEffects()
      .flatMap((effect) => (effect.effect === "observe" && effect.what === "server-notice" ? [effect.data] : []));
  }
}

describe("another server that walks a player through a wall of the given maps", () => {
  it("is told with place and tick: no way in the given map", () => {
    const server = new Server(town);
    // A wall is at x = 8, with a door at z = 4.
    server.start({ 5: [4, 4], 9: [7, 2] });
    server.walk(9, 8, 2);
    const reason = "player 9 goes from 3207, 3202 to 3208, 3202 on level 0: no way in the given map";
    expect(server.notices()).toEqual([
      { notice: "wall-step", reason, total: 1, index: 9, level: 0, from: [3207, 3202], to: [3208, 3202], tick: 2 },
    ]);
  });

  it("is told for our own player and for runs, too", () => {
    const server = new Server(town);
    server.start({ 5: [7, 6], 9: [7, 2] });
    server.walk(5, 9, 7);
    server.walk(9, 9, 3);
    expect(server.notices().map(({ index, from, to }) => [index, from, to])).toEqual([
      [5, [3207, 3206], [3209, 3207]],
      [9, [3207, 3202], [3209, 3203]],
    ]);
  });

  it("is told once a minute for each player and 30 times for all, and all are counted", () => {
    const server = new Server(town);
    const crowd = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [100 + at, [7, 2]])) as Record<
      number,
      [number, number]
    >;
    server.start({ 5: [4, 4], ...crowd });
    const swing = (x: number): void => {
      for (const index of Object.keys(crowd)) server.engine.move(Number(index), 3200 + x, 3202);
      server.tick();
    };
    for (let time = 0; time < 10; time++) swing(time % 2 === 0 ? 8 : 7);
    expect(server.notices().map(({ total }) => total)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    // The ten that were not told before are first in the next minute; 60 s later all may be told again.
    server.nowMs += 60_000;
    swing(8);
    expect(server.notices()).toHaveLength(30);
    swing(7);
    expect(server.notices()).toEqual([]);
    server.nowMs += 60_000;
    swing(8);
    expect(server.notices()[0]?.total).toBe(40 * 12 + 1);
  });

  it("is counted once where several clients see the step", () => {
    const server = new Server(town);
    server.start({ 5: [4, 4], 6: [4, 5], 9: [7, 2] }, [5, 6]);
    server.walk(9, 8, 2, [5, 6]);
    server.nowMs += 60_000;
    server.walk(9, 7, 2, [5, 6]);
    expect(server.notices().map(({ total }) => total)).toEqual([1, 2]);
  });

  it("goes on where its state was saved", () => {
    const [server, other] = [new Server(town), new Server(town)];
    server.start({ 5: [4, 4], 9: [7, 2] });
    server.walk(9, 8, 2);
    other.bodies.prepareRestore(structuredClone(server.bodies.save())).commit();
    expect(other.notices()).toEqual(server.notices());
    server.engine.move(9, 3207, 3202);
    server.engine.tick();
    const packet = server.engine.packet(5).slice();
    for (const { bodies } of [server, other])
      bodies.observe(5, { message: "playerInfo", value: { bytes: packet.slice() } }, 1900);
    expect(other.bodies.save()).toEqual(server.bodies.save());
    expect([...other.bodies.usedMaps().keys()]).toEqual(["50_50"]);
    expect(() => new Server(others).bodies.prepareRestore(server.bodies.save())).not.toThrow();
    const changed = collisionMapsOf("changed", [drawRegion(50, 50, ["..."])]);
    expect(() => new Server(changed).bodies.prepareRestore(server.bodies.save())).toThrow("Map 50_50 was");
  });
});

describe("another server is not told of", () => {
  const quiet = (play: (server: Server) => void, maps: CollisionMaps | undefined = town): void => {
    const server = new Server(maps);
    server.start({ 5: [4, 4], 9: [7, 2] });
    play(server);
    expect(server.notices()).toEqual([]);
  };

  it("steps through doors and around corners", () => {
    quiet((server) => {
      server.walk(5, 6, 4);
      server.walk(5, 8, 4);
      server.walk(5, 9, 4);
      // A runner from the door around its post.
      server.walk(5, 8, 4);
      server.walk(5, 7, 5);
    });
  });

  it("teleports, which lead anywhere", () => {
    quiet((server) => {
      server.engine.teleport(9, { level: 0, x: 3208, z: 3202 });
      server.tick();
      server.engine.teleport(9, { level: 1, x: 3240, z: 3260 });
      server.tick();
      server.walk(5, 40, 3);
    });
  });

  it("steps where no region is known, and anything without maps", () => {
    const far = collisionMapsOf("far", [drawRegion(10, 10, ["."])]);
    const through = (server: Server): void => server.walk(9, 8, 2);
    quiet(through, far);
    const server = new Server(undefined);
    server.start({ 5: [4, 4], 9: [7, 2] });
    through(server);
    expect(server.notices()).toEqual([]);
  });
});

describe("a walk after a click", () => {
  const names = new Map([
    [1, "NO_TIMEOUT"],
    [2, "EVENT_MOUSE_SCROLL_V1"],
    [3, "OPLOC1"],
  ]);
  const start = (): Server => {
    const server = new Server(town, ([opcode]) => names.get(opcode ?? 0));
    server.start({ 5: [1, 1], 9: [3, 3] });
    return server;
  };
  const stroll = (server: Server, tiles: readonly (readonly [number, number])[]): void => {
    for (const [x, z] of tiles) server.walk(5, x, z);
  };
  const there = [
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 4],
    [6, 4],
    [7, 4],
  ] as const;

  it("that is longer than the way to the tile is told", () => {
    const server = start();
    server.click(4, 4);
    stroll(server, there.slice(0, 3));
    expect(server.notices()).toEqual([]);
    stroll(server, there.slice(3));
    const reason =
      "player 5 has gone 4 tiles since the click on 3204, 3204, to 3205, 3204 on level 0: the way there has 3";
    expect(server.notices()).toEqual([
      { notice: "long-walk", reason, total: 1, index: 5, level: 0, clicked: [3204, 3204], to: [3205, 3204], tick: 5 },
    ]);
  });

  it("may go on as before in the first packets, in which the server may not have it yet", () => {
    const server = start();
    server.click(7, 4);
    stroll(server, there.slice(0, 2));
    // Back again, clicked while two packets are on their way.
    server.click(1, 1);
    stroll(server, [
      [4, 4],
      [5, 4],
      [4, 4],
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    expect(server.notices()).toEqual([]);
  });

  it.each([
    ["another click", (server: Server) => server.click(7, 4)],
    ["a message that may lead anywhere", (server: Server) => server.bodies.missedClick(5, Uint8Array.of(3))],
    ["a message that cannot be read", (server: Server) => server.bodies.missedClick(5, Uint8Array.of(99))],
    [
      "a teleport",
      (server: Server) => {
        server.engine.teleport(5, { level: 0, x: 3204, z: 3204 });
        server.tick();
      },
    ],
  ])("is explained by %s", (_name, explain) => {
    const server = start();
    server.click(4, 4);
    stroll(server, there.slice(0, 3));
    explain(server);
    stroll(server, there.slice(3));
    expect(server.notices()).toEqual([]);
  });

  it("is not explained by messages that lead nobody anywhere", () => {
    const server = start();
    server.click(4, 4);
    stroll(server, there.slice(0, 3));
    server.bodies.missedClick(5, Uint8Array.of(1));
    server.bodies.missedClick(5, Uint8Array.of(2));
    server.bodies.clicked(5, { message: "mouseMove", value: {} });
    stroll(server, there.slice(3));
    expect(server.notices()).toHaveLength(1);
  });

  it("is not judged to a tile that no way of the map leads to: a door may be open", () => {
    const server = start();
    server.click(45, 45);
    stroll(server, there);
    server.click(8, 2);
    stroll(server, [...there].reverse());
    expect(server.notices()).toEqual([]);
  });
});
