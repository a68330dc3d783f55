import { describe, expect, it, test } from "vitest";
import { demoRooms, demoSlimeMaps } from "../maps/demo-rooms.ts";
import { makeRoom, type RoomParts } from "../maps/room.ts";
import { slimeMapsOf } from "../maps/slime-maps.ts";
import { type Options, Stage } from "../testing/stage.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";

const warp = (room: number, x: number, y: number): SlimeClientMessage => ({ message: "warp", value: { room, x, y } });

/** Player 1 stands in the meadow, 300 px from the door to the pond, and player 2 receives. */
function meadow(options: Options = {}): Stage {
  const stage = new Stage({ demo: true, dialect: "v0106", ...options }).join(1).join(2);
  stage.world.place(1, 1, 636, 420, stage.now);
  stage.to(1000).move(1, "landing", 636, 420);
  stage.received(1);
  stage.received(2);
  return stage;
}

/** Runs to the door to the pond, two seconds away. */
function toDoor(stage: Stage): Stage {
  expect(stage.move(1, "rightPress", 636, 420)).toEqual([]);
  expect(stage.to(stage.now + 2000).move(1, "rightRelease", 936, 420)).toEqual([]);
  return stage;
}

const room = (parts: Partial<RoomParts>) => makeRoom({ room: 1, title: "Room", width: 2000, height: 1000, ...parts });
const stageIn = (...rooms: readonly Partial<RoomParts>[]): Stage => {
  const maps = slimeMapsOf("test", rooms.map(room));
  const stage = new Stage({ dialect: "v0106", maps }).join(1).join(2);
  stage.to(1000).move(1, "landing", 448, 160);
  stage.received(1);
  return stage;
};

describe("a warp goes from a door to where it leads (standard 8.9)", () => {
  it("an honest player runs to the door and is at its other end", () => {
    const stage = toDoor(meadow());
    expect(stage.send(1, warp(2, 60, 420))).toEqual([]);
    expect(stage.world.tracks(stage.now, "2")[0]?.position).toEqual({ x: 60, y: 420 });
    expect(stage.to(stage.now + 300).move(1, "rightPress", 62, 420)).toEqual([]);
    expect(stage.to(stage.now + 1000).move(1, "rightRelease", 210, 420)).toEqual([]);
    // And back through the door on its other side.
    stage.move(1, "leftPress", 210, 420);
    expect(stage.to(stage.now + 1300).send(1, warp(1, 900, 420))).toEqual([]);
    expect(stage.to(stage.now + 300).move(1, "landing", 890, 420)).toEqual([]);
  });

  it("who runs on with its key down behind the door is honest, whatever the server has lifted", () => {
    const stage = meadow();
    stage.move(1, "rightPress", 636, 420);
    expect(stage.to(stage.now + 2000).send(1, warp(2, 60, 420))).toEqual([]);
    // Over the bank, through the water and on: nothing but a jump was sent.
    expect(stage.to(stage.now + 12_000).move(1, "rightRelease", 900, 420)).toEqual(["benign lifted-before"]);
  });

  test.each<[string, SlimeClientMessage, string, number | undefined]>([
    ["to a room that no door leads to", warp(3, 60, 420), "No door of its room leads to room 3", undefined],
    ["to an unknown room", warp(300, 60, 420), "No door of its room leads to room 300", undefined],
    ["to another place than the door's", warp(2, 600, 420), "Arrived 540.0 px from where the door leads", 540],
    ["to a place in the air", warp(2, 60, 60), "Arrived 360.0 px from where the door leads", 360],
    ["from too far from it", warp(2, 60, 420), "Went through a door 268.0 px away where 232.5 px were possible", 268],
  ])("%s: refused, and the client is sent back", (_, message, reason, measured) => {
    const stage = meadow();
    expect(stage.send(1, message)).toEqual(["correct no-door"]);
    expect(stage.verdicts[0]).toMatchObject({ reason, ...(measured === undefined ? {} : { measured, unit: "px" }) });
    expect(stage.received(1)).toEqual([{ message: "warp", value: { kind: "command", x: 636, y: 420, room: 1 } }]);
    expect(stage.received(2)).toEqual([]);
    expect(stage.world.rooms()).toEqual(new Map([["1", 2]]));
    // It is where it was, and goes on from there.
    expect(stage.to(stage.now + 500).move(1, "landing", 640, 420)).toEqual([]);
    expect(stage.to(stage.now + 500).move(1, "landing", 60, 420)).toEqual(["correct unreachable"]);
  });

  it("out of a room and back is no way to get elsewhere: nothing is gained in ten minutes, and it ends in a ban", () => {
    const stage = meadow();
    let found: string[] = [];
    for (let hop = 1; stage.of("ban").length === 0 && hop < 800; hop++) {
      stage.to(stage.now + 770);
      found = stage.send(1, warp(hop % 2 === 0 ? 1 : 2, (hop * 7919) % 60_000, 420));
    }
    expect(found.at(-1)).toBe("reject anti-cheat");
    expect(stage.now).toBeLessThan(150_000);
    expect(stage.world.rooms()).toEqual(new Map([["1", 2]]));
  });

  it("a door takes no more from what a player has gained than a way within the room", () => {
    const stage = toDoor(meadow());
    expect(stage.send(1, warp(2, 60, 420))).toEqual([]);
    // A first position behind it is measured from where it leads.
    expect(stage.to(stage.now + 100).move(1, "landing", 900, 420)).toEqual(["correct teleport"]);
    expect(stage.move(1, "landing", 60_000, 420)).toEqual(["correct teleport"]);
  });

  it("an installation may believe it, or leave it out; a trial flags it", () => {
    const far = warp(4, 300, 420);
    const believing = meadow({ responses: { "no-door": "relay" } });
    expect(believing.send(1, far)).toEqual(["flag no-door"]);
    expect(believing.world.tracks(believing.now, "4")).toHaveLength(1);
    const dropping = meadow({ responses: { "no-door": "drop" } });
    expect(dropping.send(1, far)).toEqual(["reject no-door"]);
    expect(dropping.received(1)).toEqual([]);
    const log = meadow({ enforcement: "log" });
    expect(log.send(1, far)).toEqual(["flag no-door"]);
    expect(log.move(1, "landing", 300, 420)).toEqual([]);
  });
});

describe("honest warps without a door", () => {
  it("game code may send a player anywhere, and what it sent before the command arrived is no cheat", () => {
    const stage = toDoor(meadow());
    stage.world.warp(1, 4, 300, 420, stage.now, true);
    stage.settle();
    expect(stage.to(stage.now + 200).send(1, warp(2, 60, 420))).toEqual([]);
  });

  it("where nothing is known of the doors of a room, a warp is limited in rate alone", () => {
    for (const stage of [stageIn({ solids: [] }), stageIn({ room: 5 }), meadow({ demo: false })]) {
      expect(stage.send(1, warp(5, 9000, 40))).toEqual([]);
    }
  });

  it("a room may have places that a player gets to from anywhere", () => {
    const rooms = [{ doors: [] }, { room: 2, returns: [{ x: 300, y: 200 }] }];
    expect(stageIn(...rooms).send(1, warp(2, 310, 200))).toEqual([]);
    expect(stageIn(...rooms).send(1, warp(2, 400, 200))).toEqual(["correct no-door"]);
  });

  it("a door whose target is not known leads anywhere, from where it is", () => {
    const near = { doors: [{ x: 440, y: 100, w: 40, h: 60, to: {} }] };
    expect(stageIn(near).send(1, warp(77, 5, 5))).toEqual([]);
    const far = { doors: [{ x: 1440, y: 100, w: 40, h: 60, to: {} }] };
    expect(stageIn(far).send(1, warp(77, 5, 5))).toEqual(["correct no-door"]);
  });

  it("how far a door reaches whose size is not known is a setting", () => {
    const to = { room: 2, x: 5, y: 5 };
    expect(stageIn({ doors: [{ x: 1400, y: 160, to }] }).send(1, warp(2, 5, 5))).toEqual([]);
    expect(stageIn({ doors: [{ x: 1900, y: 160, to }] }).send(1, warp(2, 5, 5))).toEqual(["correct no-door"]);
  });

  it("a place left of the room's edge is 16 bits of a negative number", () => {
    const doors = [{ x: 440, y: 100, w: 40, h: 60, to: { room: 2, x: -6, y: 160 } }];
    const stage = stageIn({ doors }, { room: 2 });
    expect(stage.send(1, warp(2, 65_530, 160))).toEqual([]);
    expect(stage.to(stage.now + 500).move(1, "landing", 40, 160)).toEqual([]);
  });

  it("a door may lead elsewhere in its own room; what is no door there is a claim like any other", () => {
    const doors = [{ x: 440, y: 100, w: 40, h: 60, to: { room: 1, x: 1900, y: 900 } }];
    const stage = stageIn({ doors });
    expect(stage.send(1, warp(1, 1900, 900))).toEqual([]);
    expect(stage.to(stage.now + 500).move(1, "landing", 1890, 900)).toEqual([]);
    expect(stage.send(1, warp(1, 448, 160))).toEqual(["correct teleport"]);
  });

  it("a door that is above a slope is reached by the time that the way to its other end takes", () => {
    const doors = [{ x: 400, y: 0, w: 300, h: 20, to: { room: 2, x: 5, y: 5 } }];
    const stage = stageIn({ doors });
    expect(stage.to(stage.now + 800).send(1, warp(2, 5, 5))).toEqual([]);
  });
});

describe("the bounds of a room whose solids are not known (standard 8.12)", () => {
  const stage = (): Stage =>
    stageIn({ open: true, width: 600, height: 300, doors: [{ x: 640, y: 0, w: 20, h: 300, to: {} }] });

  test.each([
    [600, 100, []],
    [700, 100, []],
    [500, 340, []],
    [730, 100, ["correct unreachable"]],
    [500, 365, ["correct unreachable"]],
  ])("(%i, %i): %j", (x, y, found) => {
    const world = stage();
    world.move(1, "rightPress", 448, 160);
    expect(world.to(5000).move(1, "landing", x, y)).toEqual(found);
  });
});

describe("the rooms that a world was given", () => {
  const given = (): Stage => toDoor(meadow({ demo: false, maps: demoSlimeMaps }));

  it("those that players were in are named with their digests, in saved worlds too", () => {
    const stage = given();
    stage.send(1, warp(2, 60, 420));
    const used = new Map(["1", "2"].map((place) => [place, demoSlimeMaps.digest(place)]));
    expect(stage.world.usedMaps()).toEqual(used);
    const again = new Stage({ dialect: "v0106", maps: demoSlimeMaps });
    again.world.restore(stage.world.save());
    expect(again.world.usedMaps()).toEqual(used);
    expect(meadow().world.usedMaps()).toEqual(new Map());
  });

  it("a saved world is restored with equal rooms alone", () => {
    const saved = given().world.save();
    const [first, ...others] = demoRooms;
    const narrow = slimeMapsOf("narrow", [{ ...(first as (typeof demoRooms)[number]), width: 900 }, ...others]);
    const restore = (options: Options) => new Stage({ dialect: "v0106", ...options }).world.restore(saved);
    expect(() => restore({ maps: narrow })).toThrow(/^Map 1 was [0-9a-f]{16}, narrow has [0-9a-f]{16}$/);
    expect(() => restore({ maps: slimeMapsOf("none", []) })).toThrow("none has no such place");
    expect(() => restore({})).toThrow(RangeError);
    expect(() => restore({ maps: slimeMapsOf("same", demoRooms) })).not.toThrow();
  });

  it("are those of this game", () => {
    const maps = { ...demoSlimeMaps, game: "maplestory" };
    expect(() => new Stage({ maps })).toThrow(new TypeError("maps must be those of slime-online-2, got maplestory"));
  });

  it("say where players come in", () => {
    const maps = slimeMapsOf("start", [room({ room: 32, spawns: [{ x: 385, y: 71 }] })]);
    const stage = new Stage({ dialect: "v0106", maps, startRoom: 32 }).join(1);
    expect(stage.received(1)[0]).toMatchObject({ message: "login", value: { room: 32, x: 385, y: 71 } });
  });
});
