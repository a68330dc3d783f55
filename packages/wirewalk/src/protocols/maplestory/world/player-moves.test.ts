import { beforeEach, describe, expect, it, test } from "vitest";
import { formatHex } from "../../../wire/index.ts";
import type { Responses } from "../../responses.ts";
import { portalKinds } from "../maps/map.ts";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { anyMapleMap, broadcasts, kinds, messagesTo, start, TestWorld, verdicts, walk } from "../testing/test-world.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec, type V62MovePlayer } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Path, type Tail } from "../wire/messages.ts";

const codec = mapleCodec("v62");
let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

describe("a map that another server has given", () => {
  const keyed = (fieldKey: number): MapleClientMessage => walk(start, -440, { fieldKey });
  beforeEach(() => {
    world = new TestWorld({ enforcement: "log" });
    world.logIn(3);
    world.nowMs = 600;
  });

  it.each([
    ["a map without a number", { channel: 1 }, "999999999"],
    ["a map that no room can have", { mapId: 0xffff_ffff, channel: 1 }, "999999999"],
    ["a channel that no room can have", { mapId: 1, channel: 40 }, "999999999"],
    ["a known map", { mapId: 2, channel: 3, portal: 1 }, "2-3"],
  ])("has the key of that server: %s", (_, to, room) => {
    world.adoptMap(3, { ...to, fieldKey: 9 }, 600);
    expect(world.rooms().get(room)).toBe(1);
    // The client never received the keys of this world: they are of no map.
    for (const wrong of [0, 1, 2, 8]) expect(kinds(world.send(3, keyed(wrong)))).toContain("reject field-key");
    expect(kinds(world.send(3, keyed(9)))).not.toContain("reject field-key");
  });

  it("has older keys that count by no rule: paths with these are late, in a restored world too", () => {
    for (const fieldKey of [200, 7, 0, 7, 0]) world.adoptMap(3, { channel: 1, fieldKey }, 600);
    const restored = new TestWorld({ enforcement: "log" });
    restored.restore(world.save());
    for (const each of [world, restored]) {
      each.nowMs = 700;
      expect(kinds(each.send(3, keyed(7)))).toEqual(["benign field-key"]);
      expect(kinds(each.send(3, keyed(200)))).toEqual(["benign field-key"]);
      expect(kinds(each.send(3, keyed(255)))).toEqual(["reject field-key"]);
      expect(kinds(each.send(3, keyed(0)))).not.toContain("benign field-key");
      // A path has had the present key.
      expect(kinds(each.send(3, keyed(7)))).toEqual(["reject field-key"]);
    }
    expect(restored.digest()).toBe(world.digest());
  });

  it("is left when that server says so, and through no portal of this world", () => {
    const atPortal = (): MapleClientMessage =>
      walk({ x: -460, y: 360 }, -455, { fieldKey: 9, keypad: new Array(17).fill(1) });
    const rooms = (): readonly string[] => [...world.rooms().keys()].filter((room) => world.rooms().get(room) === 1);
    world.adoptMap(3, { mapId: 1, channel: 1, fieldKey: 9 }, 600);
    world.send(3, atPortal());
    expect(rooms()).toEqual(["1"]);
    world.adoptMap(3, { mapId: 2, channel: 1, fieldKey: 0 }, 700);
    expect(rooms()).toEqual(["2"]);
  });
});

describe("a path", () => {
  beforeEach(() => {
    world.logIn(3);
    world.logIn(4);
    world.nowMs = 600;
  });

  it("goes byte for byte to everybody on the map and channel except the sender", () => {
    const message = walk(start, -440);
    const [relay, ...rest] = broadcasts(world.send(3, message)) as readonly { message: MapleServerMessage }[];
    expect(rest).toEqual([]);
    expect(relay).toMatchObject({ room: "1", except: 3 });
    const bytes = formatHex(codec.write("server", relay?.message as MapleServerMessage), { separator: "" });
    const client = formatHex(codec.write("client", message), { separator: "" });
    // Opcode and id, then everything from the start to the last fragment.
    expect(bytes).toBe(`8d0067000000${client.slice(6, 6 + 2 * (5 + 14))}`);
  });

  it("is never relayed when it is empty", () => {
    const effects = world.send(3, walk(start, 0, { fragments: [] }));
    expect(kinds(effects)).toContain("reject empty-path");
    expect(broadcasts(effects)).toEqual([]);
  });

  it("changes nothing when it is refused", () => {
    world.send(3, walk(start, 0, { fragments: [] }));
    world.send(3, walk(start, -480, { fieldKey: 9 }));
    expect(kinds(world.send(3, walk(start, -440)))).toEqual([]);
  });

  test.each<[string, string, Partial<V62MovePlayer>]>([
    ["another fieldKey", "reject field-key", { fieldKey: 77 }],
    ["another box", "flag box", { box: { left: -900, top: 300, right: 0, bottom: 300 } }],
    ["another number of steps", "flag durations", { keypad: [] }],
  ])("%s: %s", (_, kind, change) => expect(kinds(world.send(3, walk(start, -440, change)))).toEqual([kind]));

  const move = (fields: object): Fragment[] => [
    Fragment.of("absolute", { type: 0, y: 300, foothold: 1, state: 2, durationMs: 510, ...fields }),
  ];
  test.each<[string, string, Fragment[]]>([
    ["faster than a walk", "flag speed", move({ x: -400 })],
    ["faster than a fall ends", "flag speed", move({ x: -500, y: 680, foothold: 0, state: 6 })],
    ["a fall without end", "correct teleport", move({ x: -500, y: 1000, foothold: 0, state: 6 })],
    ["far beyond its time", "correct teleport", move({ x: 100 })],
    [
      "a push that no jump has",
      "flag speed",
      [Fragment.of("relative", { type: 1, vy: -900, state: 6 }), ...move({ x: -490 })],
    ],
    [
      "an instant without a skill",
      "correct teleport-skill",
      [Fragment.of("instant", { type: 4, x: -300, y: 300, foothold: 1, state: 4 }), ...move({ x: -300 })],
    ],
  ])("%s: %s", (_, kind, fragments) => expect(kinds(world.send(3, walk(start, 0, { fragments })))).toEqual([kind]));

  it("is answered as the installation has chosen, rule by rule", () => {
    const isMove = (effect: object): boolean =>
      "message" in effect && JSON.stringify(effect.message).includes("movePlayer");
    const play = (responses: Responses) => {
      world = new TestWorld({ responses });
      world.logIn(3);
      world.logIn(4);
      world.nowMs = 600;
      const effects = world.send(3, walk(start, 0, { fragments: move({ x: -400 }) }));
      return {
        kinds: kinds(effects),
        relayed: broadcasts(effects).filter(isMove).length,
        sent: messagesTo(effects, 3).length,
      };
    };
    const own = play({});
    expect(own).toEqual({ kinds: ["flag speed"], relayed: 1, sent: 0 });
    expect(play({ flight: "drop" })).toEqual(own);
    expect(play({ speed: "drop" })).toEqual({ kinds: ["reject speed"], relayed: 0, sent: 0 });
    const corrected = play({ speed: "correct" });
    // Put back: what the others are sent is the way to the portal.
    expect(corrected.kinds).toEqual(["correct speed"]);
    expect(corrected.sent).toBeGreaterThan(0);
    expect(() => play({ box: "drop" })).toThrow(
      /^The response of maplestory to box cannot be chosen, only that to flight, /,
    );
  });

  it("is put back when it is higher than a jump", () => {
    const high = walk(start, 0, { fragments: move({ x: -500, y: -40, foothold: 0, state: 6 }) });
    expect(kinds(world.send(3, high))).toEqual(["flag flight", "flag speed", "correct gain"]);
  });

  it("may be faster with soda, and elsewhere with a skill", () => {
    world.setFactors(3, { speed: 1.7, jump: 1 });
    expect(kinds(world.send(3, walk(start, -400)))).toEqual([]);
    world = new TestWorld({ mayTeleport: (player) => player === 3 });
    world.nowMs = 0;
    world.logIn(3);
    world.nowMs = 600;
    const fragments = [
      Fragment.of("instant", { type: 4, x: -300, y: 300, foothold: 1, state: 4 }),
      ...move({ x: -300 }),
    ];
    expect(kinds(world.send(3, walk(start, 0, { fragments })))).toEqual([]);
  });

  it("is flagged for a start elsewhere, and corrected far away: the client is put on the nearest portal with a new key", () => {
    world.send(3, walk(start, -440));
    world.nowMs = 1200;
    expect(kinds(world.send(3, walk({ x: -400, y: 300 }, -380)))).toEqual(["flag start"]);
    world.nowMs = 1800;
    const effects = world.send(3, walk({ x: 300, y: 300 }, 310));
    expect(verdicts(effects)).toMatchObject([{ kind: "correct", rule: "teleport", measured: 680, unit: "px" }]);
    expect(messagesTo(effects, 3)[0]).toMatchObject({
      message: "changeMap",
      value: { fieldKey: 2, target: { spawnPoint: 0 } },
    });
    expect(
      broadcasts(effects).some((effect) => effect.effect === "broadcast" && effect.message.message === "movePlayer"),
    ).toBe(false);
    // A path that was sent with the old key is only late.
    expect(kinds(world.send(3, walk({ x: 310, y: 300 }, 320)))).toEqual(["benign field-key"]);
    expect(kinds(world.send(3, walk(start, -460, { fieldKey: 2 })))).toContain("flag wall-clock");
  });

  it("starts elsewhere when an old one is sent again", () => {
    const old = walk(start, -440);
    world.send(3, old);
    world.nowMs = 1200;
    expect(verdicts(world.send(3, old))).toMatchObject([{ kind: "flag", rule: "start", measured: 60 }]);
  });

  it("may not run ahead of the clock", () => {
    world.send(3, walk(start, -440));
    const [verdict] = verdicts(world.send(3, walk({ x: -440, y: 300 }, -400)));
    expect(verdict).toMatchObject({ kind: "flag", rule: "wall-clock", measured: 510, unit: "ms" });
    expect(verdict?.allowed).toBeLessThan(200);
  });

  describe("of a client that answers a ping before its late steps", () => {
    /** Nothing but level ground. */
    const plain = anyMapleMap(
      writtenMap({
        mapId: 1,
        title: "Plain",
        footholds: footholdsAlong([
          [-600, 300],
          [900, 300],
        ]),
        portals: [{ id: 0, name: "a", kind: portalKinds.start, ...start }],
      }),
    );
    beforeEach(() => {
      world = new TestWorld({ maps: plain });
      world.logIn(3);
    });
    /** 510 ms each, on from where the one before ended; what is found, with the milliseconds that are allowed. */
    const walkOn = (from: number, paths: number) =>
      Array.from({ length: paths }, (_, index) => {
        const at = { x: from + index * 60, y: start.y };
        return verdicts(world.send(3, walk(at, at.x + 60))).map(
          ({ rule, allowed = 0 }) => `${rule} ${Math.round(allowed)}`,
        );
      }).flat();
    const answerPing = (): void => {
      world.tick(world.nowMs);
      expect(messagesTo(world.takeEffects(), 3).map(({ message }) => message)).toEqual(["ping"]);
      world.send(3, { message: "pong", value: {} });
    };
    /** It stands still, as paths say that end at rest. */
    const rest = (from: number): readonly string[] => {
      const fragments = [
        Fragment.of("absolute", { type: 0, x: from, y: start.y, vx: 0, foothold: 1, state: 4, durationMs: 510 }),
      ];
      return kinds(world.send(3, walk({ x: from, y: start.y }, from, { fragments })));
    };

    it("may last for what it had recorded and for 1.8 s of steps", () => {
      world.nowMs = 510;
      expect(walkOn(-500, 1)).toEqual([]);
      world.nowMs = 5000;
      answerPing();
      world.nowMs = 5010;
      expect(walkOn(-440, 4)).toEqual([]);
      // 2,310 ms, and what has passed since the ping.
      expect(walkOn(-200, 1)).toEqual(["wall-clock 280"]);
    });

    it("may last for the time since the ping too, when it moved before, and not when it rested", () => {
      const after4s = (): readonly string[] => {
        answerPing();
        // Our own process does not stand.
        for (const endMs = world.nowMs + 4000; world.nowMs < endMs; world.nowMs += 100) world.tick(world.nowMs);
        return walkOn(-440, 12);
      };
      world.nowMs = 510;
      expect(walkOn(-500, 1)).toEqual([]);
      world.nowMs = 7000;
      expect(after4s()).toEqual([]);

      world = new TestWorld({ maps: plain });
      world.logIn(3);
      world.nowMs = 1020;
      expect(walkOn(-500, 1)).toEqual([]);
      expect(rest(-440)).toEqual([]);
      world.nowMs = 7000;
      // The way that so much time allows is a gain of over 50 px: it is put back.
      const late = after4s();
      expect(late[0]).toBe("wall-clock 410");
      expect(late).toContain("gain 50");
    });

    it("may be later by what our own process stood since", () => {
      world.nowMs = 510;
      expect(rest(-500)).toEqual([]);
      world.nowMs = 5000;
      answerPing();
      world.nowMs = 8120;
      world.tick(world.nowMs);
      expect(walkOn(-500, 10)).toEqual([]);
    });
  });

  it("passes through a portal when it ends there with up held", () => {
    world.send(3, walk(start, -440));
    world.changeMap(3, 2, 1, 0, world.nowMs);
    world.takeEffects();
    world.nowMs = 1200;
    const effects = world.send(3, walk({ x: -460, y: 360 }, -455, { fieldKey: 2, keypad: new Array(17).fill(2) }));
    expect(messagesTo(effects, 3)[0]).toMatchObject({
      message: "changeMap",
      value: { fieldKey: 3, target: { mapId: 1, spawnPoint: 2 } },
    });
    expect(world.rooms()).toEqual(new Map([["1", 2]]));
  });

  it("is played back as the client does, and has its scores", () => {
    world.send(3, walk(start, -440));
    const at = (ms: number): number => world.tracks(ms, "1").find(({ player }) => player === 3)?.position.x ?? 0;
    expect(at(600)).toBe(-500);
    expect(at(900)).toBeGreaterThan(-490);
    expect(at(2000)).toBe(-440);
    expect(world.scoresOf(3).map(({ score }) => score)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("pets and summons", () => {
  const path = (): Path & Tail => {
    const fragments = [Fragment.of("absolute", { type: 0, x: 10, foothold: 1, state: 2, durationMs: 510 })];
    return { start: { x: 0, y: 0 }, fragments, keypad: [], box: boxOf({ x: 0, y: 0 }, fragments) };
  };

  it("are moved only by their owner", () => {
    world.logIn(3);
    world.logIn(4);
    world.nowMs = 600;
    world.addPet(3, 55n, 1, 0);
    world.addSummon(3, 9, 0);
    const pet: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path() } };
    const summon: MapleClientMessage = { message: "moveSummon", value: { summonId: 9, ...path() } };
    expect(broadcasts(world.send(3, pet))).toMatchObject([
      { except: 3, message: { message: "movePet", value: { characterId: 103, slot: 1 } } },
    ]);
    expect(broadcasts(world.send(3, summon))).toMatchObject([
      { message: { message: "moveSummon", value: { characterId: 103, summonId: 9 } } },
    ]);
    expect(kinds(world.send(4, pet))).toEqual(["reject pet-owner"]);
    expect(kinds(world.send(4, summon))).toEqual(["reject summon-owner"]);
    const empty: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path(), fragments: [] } };
    expect(kinds(world.send(3, empty))).toEqual(["reject empty-path"]);
  });

  it("have a box and a duration budget too", () => {
    world.logIn(3);
    world.addPet(3, 55n, 1, 0);
    world.nowMs = 500;
    const { box } = path();
    const pet: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path(), box: { ...box, top: -40 } } };
    expect(verdicts(world.send(3, pet))).toMatchObject([
      { kind: "flag", rule: "wall-clock", measured: 510, unit: "ms" },
      { kind: "flag", rule: "box", measured: 40, unit: "px" },
    ]);
  });
});
