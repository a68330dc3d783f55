/** Relay, joining, rooms, and whatever is sent (docs/protocols/slime-online-2.md). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { PlayerId } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { ByteReader } from "../../../wire/index.ts";
import { play, steps } from "../testing/scripts.ts";
import { type Options, pair, Stage } from "../testing/stage.ts";
import { type SlimeServerMessage, slimeCodec } from "../wire/codec.ts";
import { slimeDialects } from "../wire/dialect.ts";
import type { Direction } from "../wire/direction.ts";

describe("movement is broadcast", () => {
  it("test_movement_broadcast, the document's own", () => {
    const stage = new Stage().join(1, { room: "1" }).join(2, { room: "1" });
    stage.move(1, "rightPress", 100, 100);
    const [message] = stage.received(2);
    expect(message).toBe("1 rightPress 100 100");
    const [broadcast] = stage.of("broadcast");
    const reader = new ByteReader(slimeCodec("documented").write("server", broadcast?.message as SlimeServerMessage));
    expect(reader.u16be()).toBe(8);
    expect(reader.u16le()).toBe(1);
    expect(reader.u8()).toBe(2);
    expect(reader.u16le()).toBe(100);
    expect(reader.u16le()).toBe(100);
    expect(stage.received(1)).toEqual([]);
  });

  it("once for everyone in the room but the sender, and not to another room", () => {
    const stage = new Stage().join(1).join(2).join(3).join(4, { room: "2" });
    stage.move(1, "leftPress", 100, 100);
    expect(stage.of("broadcast")).toHaveLength(1);
    expect(stage.received(2)).toEqual(["1 leftPress 100 100"]);
    expect(stage.received(3)).toEqual(["1 leftPress 100 100"]);
    expect(stage.received(1)).toEqual([]);
    expect(stage.received(4)).toEqual([]);
  });

  it("in the sender's order, all thirteen codes", () => {
    const stage = pair();
    const moves: [Direction, number?, number?][] = [
      ["leftPress", 448, 160],
      ["leftRelease", 440, 160],
      ["rightPress", 440, 160],
      ["rightRelease", 448, 160],
      ["downPress"],
      ["downRelease"],
      ["upPress", 448],
      ["leftPressAir"],
      ["leftReleaseAir"],
      ["rightPressAir"],
      ["rightReleaseAir"],
      ["upRelease"],
      ["landing", 450, 150],
    ];
    for (const move of moves) expect(stage.move(1, ...move)).toEqual([]);
    expect(stage.received(2)).toEqual(moves.map((move) => ["1", ...move].join(" ")));
    expect(stage.received(1)).toEqual([]);
  });

  it("an unknown player is ignored", () => {
    const stage = pair();
    stage.move(9, "leftPress", 1, 1);
    stage.leave(9).refresh(9);
    expect(stage.received(2)).toEqual([]);
  });
});

describe("coming and going", () => {
  it("a session joins room 1, or the one that it asked for", () => {
    const stage = new Stage().join(1).join(2, { room: "7" });
    expect(stage.of("enter")).toEqual([
      { effect: "enter", player: 1, room: "1" },
      { effect: "enter", player: 2, room: "7" },
    ]);
    expect(stage.world.rooms()).toEqual(
      new Map([
        ["1", 1],
        ["7", 1],
      ]),
    );
    expect(stage.world.tracks(0, "7").map(({ player }) => player)).toEqual([2]);
    expect(stage.world.tracks(0, "1").map(({ player }) => player)).toEqual([1]);
    expect(stage.world.tracks(0, "8")).toEqual([]);
    expect(stage.world.tracks(0, "")).toEqual([]);
  });

  test.each([["x"], ["-1"], ["65536"], ["1.5"], [""], ["1 "], ["0x1"]])("room %j is refused", (room) => {
    const { world } = new Stage();
    expect(world.refuses({ account: "a", name: "a", room })).toBe("bad-room");
    expect(() => world.join(1, { account: "a", name: "a", room }, 0)).toThrow(RangeError);
    expect(world.takeEffects()).toEqual([]);
  });

  it("an id that is in use, or does not fit the wire, is refused", () => {
    const { world } = new Stage().join(1);
    for (const id of [1, 0, -1, 65_536, 1.5, Number.NaN]) {
      expect(() => world.join(id, { account: "b", name: "b" }, 0)).toThrow(RangeError);
    }
  });

  it("a world is full at its capacity", () => {
    const { world } = new Stage();
    // In many rooms: in one room each would be sent all others.
    for (let id = 1; id <= world.capacity; id++)
      world.join(id, { account: `a${id}`, name: "", room: `${id % 500}` }, 0);
    expect(world.refuses({ account: "b", name: "b" })).toBe("full");
    expect(() => world.join(60_000, { account: "b", name: "b" }, 0)).toThrow("full");
    world.leave(1, 0);
    expect(world.refuses({ account: "b", name: "b" })).toBeUndefined();
  });

  it("an account plays once in dialects with a login, and any number of times in those where it is an address", () => {
    const joining = { account: "ann", name: "ann" };
    expect(new Stage({ dialect: "v0106" }).join(1, joining).world.refuses(joining)).toBe("already-online");
    expect(new Stage().join(1, joining).world.refuses(joining)).toBeUndefined();
  });
});

describe.each(slimeDialects.map(({ name }) => name))("any calls in %s", (dialect) => {
  const variants: Options[] = [
    { dialect },
    { dialect, enforcement: "log", demo: true },
    { dialect, strict: true, landing: "ballistic", demo: true },
  ];

  it.each(variants)("nothing throws, and all that the world sends can be written (%j)", (options) => {
    fc.assert(
      fc.property(steps(dialect), (script) => {
        const stage = play(new Stage(options).join(5), script);
        // A player receives a room's broadcasts between enter and exit, in one room at a time.
        const rooms = new Map<PlayerId, string>();
        for (const effect of stage.effects) {
          if (effect.effect === "enter") {
            expect(rooms.has(effect.player)).toBe(false);
            rooms.set(effect.player, effect.room);
          } else if (effect.effect === "exit") {
            expect(rooms.get(effect.player)).toBe(effect.room);
            rooms.delete(effect.player);
          }
        }
        expect([...rooms.values()].sort()).toEqual(
          [...stage.world.rooms()].flatMap(([room, count]) => new Array<string>(count).fill(room)).sort(),
        );
        if (options.enforcement === "log") {
          expect(stage.of("ban")).toEqual([]);
          expect(stage.verdicts.filter(({ kind }) => kind === "correct")).toEqual([]);
        }
      }),
      { numRuns: scaled(150, 60) },
    );
  });

  it("equal calls give equal effects", () => {
    fc.assert(
      fc.property(steps(dialect), (script) => {
        const run = (): unknown => play(new Stage({ dialect, demo: true }), script).effects;
        expect(run()).toEqual(run());
      }),
      { numRuns: scaled(50, 20) },
    );
  });
});
