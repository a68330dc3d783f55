import { beforeEach, describe, expect, it } from "vitest";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { anyMapleMap, TestWorld } from "../testing/test-world.ts";
import { parseChannel, parseRoom, roomName } from "./room.ts";

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

it("rooms are maps and channels", () => {
  expect(parseRoom("100000000-3")).toEqual({ mapId: 100_000_000, channel: 3 });
  expect(parseRoom(roomName(7, 1))).toEqual({ mapId: 7, channel: 1 });
  for (const name of ["", "x", "1-0", "1-21", "1-", "-1", "1234567890"]) expect(parseRoom(name)).toBeUndefined();
  expect(world.refuses({ account: "a", name: "a", room: "nowhere" })).toBe("bad-room");
  expect(() => world.join(1, { account: "a", name: "a", room: "nowhere" }, 0)).toThrow(RangeError);
});

describe("rooms without players", () => {
  const step = writtenMap({
    mapId: 0,
    title: "Step",
    footholds: footholdsAlong([
      [0, 100],
      [200, 100],
    ]),
    monsters: [{ template: 100_100, x: 50, y: 100, speed: 80 }],
  });

  /** A client that names one room after the other. */
  function nameRooms(count: number): void {
    for (let room = 1; room <= count; room++) {
      world.join(7, { account: "7", name: "7", room: String(100 + room) }, 0);
      world.send(7, { message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } });
      world.leave(7, 0);
    }
  }

  it("keep the monsters that game code placed, whatever a client names", () => {
    const placed = world.spawnMonster("5000", 100_100, { x: 1, y: 2 }, 0);
    nameRooms(1001);
    expect(world.monsters("5000").get(placed)).toMatchObject({ x: 1, y: 2 });
  });

  it("keep the monsters of their map, in up to 1000 rooms", () => {
    world = new TestWorld({ maps: anyMapleMap(step) });
    nameRooms(1005);
    const kept = Array.from({ length: 1005 }, (_, room) => world.monsters(String(101 + room)).size);
    expect(kept).toEqual([...Array<number>(1000).fill(1), ...Array<number>(5).fill(0)]);
  });

  it("are kept and dropped alike after a world was restored", () => {
    const options = { maps: anyMapleMap(step) };
    world = new TestWorld(options);
    nameRooms(1000);
    world.join(8, { account: "8", name: "8", room: "5000" }, 0);
    world.send(8, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } });
    const restored = new TestWorld(options);
    restored.restore(world.save());
    for (const each of [world, restored]) each.leave(8, 0);
    expect(world.monsters("5000").size).toBe(0);
    expect(restored.digest()).toBe(world.digest());
  });

  it("stay beyond that where game code has placed or killed a monster", () => {
    world = new TestWorld({ maps: anyMapleMap(step) });
    nameRooms(1000);
    for (const room of ["5000", "5001"]) {
      world.join(8, { account: "8", name: "8", room }, 0);
      world.send(8, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } });
      const [mobId = 0] = world.monsters(room).keys();
      if (room === "5000") world.killMonster(room, mobId, 0);
      else world.spawnMonster(room, 100_100, { x: 1, y: 2 }, 0);
      world.leave(8, 0);
    }
    world.join(8, { account: "8", name: "8", room: "5000" }, 0);
    world.send(8, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } });
    // The killed one does not return with the next player.
    expect(world.monsters("5000").size).toBe(0);
    expect(world.monsters("5001").size).toBe(2);
  });
});

it("a newcomer may ask for a channel alone", () => {
  expect([parseChannel("channel-1"), parseChannel("channel-20")]).toEqual([1, 20]);
  for (const name of ["", "channel-0", "channel-21", "channel-", "channel-1-2", "1-2"]) {
    expect(parseChannel(name)).toBeUndefined();
  }
});
