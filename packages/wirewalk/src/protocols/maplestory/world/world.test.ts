import { beforeEach, describe, expect, it, test } from "vitest";
import type { Verdict } from "../../../motion/index.ts";
import { formatHex } from "../../../wire/index.ts";
import type { Effect } from "../../world.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec, type V62MovePlayer } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Path, type Point, type Tail } from "../wire/messages.ts";
import { MapleWorld, type MapleWorldOptions, parseRoom, roomName, type ShownMonster } from "./world.ts";

const codec = mapleCodec("v62");
let world: MapleWorld;
let nowMs = 0;

beforeEach(() => {
  nowMs = 0;
  open();
});

function open(options: Partial<MapleWorldOptions> = {}): void {
  world = new MapleWorld({ dialect: "v62", seed: 1, demo: true, ...options });
}

type Said = Effect<MapleServerMessage>;

function say(player: number, message: MapleClientMessage): readonly Said[] {
  world.receive(player, message, codec.write("client", message), nowMs);
  return world.takeEffects();
}

/** A character on the start portal of map 1, whose x is -500. */
function come(player: number, characterId = player + 100): readonly Said[] {
  world.join(player, { account: `${player}`, name: `bot${player}`, room: "1" }, nowMs);
  const effects = say(player, { message: "playerLoggedIn", value: { characterId, reserved: 0 } });
  world.setHidden(player, false, nowMs);
  return effects;
}

/** The portal a player comes in by follows from its id: 3 and 6 come in at -500. */
const start: Point = { x: -500, y: 300 };

function walk(
  from: Point,
  x: number,
  change: Partial<V62MovePlayer> = {},
): Extract<MapleClientMessage, { message: "movePlayer" }> {
  const fragments = [
    Fragment.of("absolute", { type: 0, x, y: from.y, vx: 100, foothold: 1, state: 2, durationMs: 510 }),
  ];
  const path = { start: from, fragments };
  const value = {
    fieldKey: 1,
    ...path,
    keypad: new Array(17).fill(4),
    box: boxOf(from, change.fragments ?? fragments),
    ...change,
  };
  return { message: "movePlayer", value };
}

const verdicts = (effects: readonly Said[]): readonly Verdict[] =>
  effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
const kinds = (effects: readonly Said[]): string[] => verdicts(effects).map(({ kind, rule }) => `${kind} ${rule}`);
const relays = (effects: readonly Said[]) => effects.filter((effect) => effect.effect === "broadcast");
const messagesTo = (effects: readonly Said[], player: number): MapleServerMessage[] =>
  effects.flatMap((effect) => (effect.effect === "send" && effect.to === player ? [effect.message] : []));

describe("coming in", () => {
  it("the map with a fieldKey first, then the room, then who and what is there, then what to drive", () => {
    const first = come(3);
    const kindsOf = first.map((effect) => (effect.effect === "send" ? effect.message.message : effect.effect));
    expect(kindsOf.slice(0, 3)).toEqual(["changeMap", "enter", "broadcast"]);
    expect(messagesTo(first, 3)[0]).toMatchObject({
      value: { channel: 0, fieldKey: 1, target: { mapId: 1, spawnPoint: 0 } },
    });
    expect(kindsOf.filter((kind) => kind === "showMonster")).toHaveLength(12);
    expect(kindsOf.filter((kind) => kind === "controlMonster")).toHaveLength(12);
    const second = come(4);
    expect(
      messagesTo(second, 4)
        .map(({ message }) => message)
        .slice(0, 2),
    ).toEqual(["changeMap", "showPlayer"]);
    expect(messagesTo(second, 4)[1]).toMatchObject({ value: { characterId: 103, name: "bot3", x: -500, y: 300 } });
    expect(relays(second)).toMatchObject([
      { room: "1", except: 4, message: { message: "showPlayer", value: { characterId: 104 } } },
    ]);
    // Whoever drives goes on driving.
    expect(messagesTo(second, 4).filter(({ message }) => message === "controlMonster")).toEqual([]);
  });

  it("the same character twice is refused", () => {
    come(3, 7);
    const effects = come(4, 7);
    expect(kinds(effects)).toEqual(["reject character-online"]);
    expect(effects.at(-1)).toMatchObject({ effect: "close", player: 4 });
    expect(kinds(say(3, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } }))).toEqual([
      "reject login-twice",
    ]);
  });

  it("nothing moves before it", () => {
    world.join(5, { account: "a", name: "a" }, 0);
    expect(kinds(say(5, walk(start, -480)))).toEqual(["reject not-on-a-map"]);
  });

  it("who says nothing is let go, and so is who does not answer a ping", () => {
    world.join(5, { account: "a", name: "a" }, 0);
    come(3);
    const closed: string[] = [];
    const pings: number[] = [];
    for (nowMs = 0; nowMs <= 70_000; nowMs += 1000) {
      world.tick(nowMs);
      for (const effect of world.takeEffects()) {
        if (effect.effect === "close") closed.push(`${effect.player} ${effect.reason} ${nowMs}`);
        if (effect.effect === "send" && effect.message.message === "ping") pings.push(nowMs);
      }
      if (closed.length === 1) world.leave(5, nowMs);
    }
    expect(closed).toEqual(["5 login-expected 30000", "3 ping-timeout 60000"]);
    expect(pings.slice(0, 2)).toEqual([20_000, 40_000]);
  });

  it("rooms are maps and channels", () => {
    expect(parseRoom("100000000-3")).toEqual({ mapId: 100_000_000, channel: 3 });
    expect(parseRoom(roomName(7, 1))).toEqual({ mapId: 7, channel: 1 });
    for (const name of ["", "x", "1-0", "1-21", "1-", "-1", "1234567890"]) expect(parseRoom(name)).toBeUndefined();
    expect(world.refuses({ account: "a", name: "a", room: "nowhere" })).toBe("bad-room");
    expect(() => world.join(1, { account: "a", name: "a", room: "nowhere" }, 0)).toThrow(RangeError);
  });
});

describe("a path", () => {
  beforeEach(() => {
    come(3);
    come(4);
    nowMs = 600;
  });

  it("goes byte for byte to everybody on the map and channel but the sender", () => {
    const message = walk(start, -440);
    const [relay, ...rest] = relays(say(3, message)) as readonly { message: MapleServerMessage }[];
    expect(rest).toEqual([]);
    expect(relay).toMatchObject({ room: "1", except: 3 });
    const bytes = formatHex(codec.write("server", relay?.message as MapleServerMessage), { separator: "" });
    const client = formatHex(codec.write("client", message), { separator: "" });
    // Opcode and id, then everything from the start to the last fragment.
    expect(bytes).toBe(`8d0067000000${client.slice(6, 6 + 2 * (5 + 14))}`);
  });

  it("an empty one is never relayed", () => {
    const effects = say(3, walk(start, 0, { fragments: [] }));
    expect(kinds(effects)).toContain("reject empty-path");
    expect(relays(effects)).toEqual([]);
  });

  it("keeps nothing of a refused one", () => {
    say(3, walk(start, 0, { fragments: [] }));
    say(3, walk(start, -480, { fieldKey: 9 }));
    expect(kinds(say(3, walk(start, -440)))).toEqual([]);
  });

  test.each<[string, string, Partial<V62MovePlayer>]>([
    ["another fieldKey", "reject field-key", { fieldKey: 77 }],
    ["another box", "flag box", { box: { left: -900, top: 300, right: 0, bottom: 300 } }],
    ["another number of steps", "flag durations", { keypad: [] }],
  ])("%s: %s", (_, kind, change) => expect(kinds(say(3, walk(start, -440, change)))).toEqual([kind]));

  const move = (fields: object): Fragment[] => [
    Fragment.of("absolute", { type: 0, y: 300, foothold: 1, state: 2, durationMs: 510, ...fields }),
  ];
  test.each<[string, string, Fragment[]]>([
    ["faster than a walk", "flag speed", move({ x: -400 })],
    ["higher than a jump", "flag jump", move({ x: -500, y: -40 })],
    ["faster than a fall ends", "flag fall", move({ x: -500, y: 740 })],
    ["a fall without end", "correct teleport", move({ x: -500, y: 1000 })],
    ["far beyond its time", "correct teleport", move({ x: 100 })],
    [
      "a push that no jump has",
      "flag impulse",
      [Fragment.of("relative", { type: 1, vy: -900, state: 6 }), ...move({ x: -490 })],
    ],
    [
      "an instant without a skill",
      "correct teleport-skill",
      [Fragment.of("instant", { type: 4, x: -300, y: 300, foothold: 1, state: 4 }), ...move({ x: -300 })],
    ],
  ])("%s: %s", (_, kind, fragments) => expect(kinds(say(3, walk(start, 0, { fragments })))).toEqual([kind]));

  it("with soda one may be faster, with a skill elsewhere", () => {
    world.setFactors(3, { speed: 1.7, jump: 1 });
    expect(kinds(say(3, walk(start, -400)))).toEqual([]);
    open({ mayTeleport: (player) => player === 3 });
    nowMs = 0;
    come(3);
    nowMs = 600;
    const fragments = [
      Fragment.of("instant", { type: 4, x: -300, y: 300, foothold: 1, state: 4 }),
      ...move({ x: -300 }),
    ];
    expect(kinds(say(3, walk(start, 0, { fragments })))).toEqual([]);
  });

  it("a start elsewhere is flagged, far away corrected: the client is put on the nearest portal with a new key", () => {
    say(3, walk(start, -440));
    nowMs = 1200;
    expect(kinds(say(3, walk({ x: -400, y: 300 }, -380)))).toEqual(["flag start"]);
    nowMs = 1800;
    const effects = say(3, walk({ x: 300, y: 300 }, 310));
    expect(verdicts(effects)).toMatchObject([{ kind: "correct", rule: "teleport", measured: 680, unit: "px" }]);
    expect(messagesTo(effects, 3)[0]).toMatchObject({
      message: "changeMap",
      value: { fieldKey: 2, target: { spawnPoint: 0 } },
    });
    expect(
      relays(effects).some((effect) => effect.effect === "broadcast" && effect.message.message === "movePlayer"),
    ).toBe(false);
    // What is still on its way with the old key is late and no crime.
    expect(kinds(say(3, walk({ x: 310, y: 300 }, 320)))).toEqual(["benign field-key"]);
    expect(kinds(say(3, walk(start, -460, { fieldKey: 2 })))).toContain("flag wall-clock");
  });

  it("sent again from elsewhere is a replay", () => {
    const old = walk(start, -440);
    say(3, old);
    nowMs = 1200;
    expect(verdicts(say(3, old))).toMatchObject([{ kind: "flag", rule: "replayed-path", measured: 60 }]);
  });

  it("may not run ahead of the clock", () => {
    say(3, walk(start, -440));
    const [verdict] = verdicts(say(3, walk({ x: -440, y: 300 }, -400)));
    expect(verdict).toMatchObject({ kind: "flag", rule: "wall-clock", measured: 510, unit: "ms" });
    expect(verdict?.allowed).toBeLessThan(200);
  });

  it("that ends in a portal with up held goes through", () => {
    say(3, walk(start, -440));
    world.changeMap(3, 2, 1, 0, nowMs);
    world.takeEffects();
    nowMs = 1200;
    const effects = say(3, walk({ x: -460, y: 360 }, -455, { fieldKey: 2, keypad: new Array(17).fill(2) }));
    expect(messagesTo(effects, 3)[0]).toMatchObject({
      message: "changeMap",
      value: { fieldKey: 3, target: { mapId: 1, spawnPoint: 2 } },
    });
    expect(world.rooms()).toEqual(new Map([["1", 2]]));
  });

  it("is drawn by the client's own playback, and tells how genuine it was", () => {
    say(3, walk(start, -440));
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

  it("are moved by their owner alone", () => {
    come(3);
    come(4);
    nowMs = 600;
    world.addPet(3, 55n, 1, 0);
    world.addSummon(3, 9, 0);
    const pet: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path() } };
    const summon: MapleClientMessage = { message: "moveSummon", value: { summonId: 9, ...path() } };
    expect(relays(say(3, pet))).toMatchObject([
      { except: 3, message: { message: "movePet", value: { characterId: 103, slot: 1 } } },
    ]);
    expect(relays(say(3, summon))).toMatchObject([
      { message: { message: "moveSummon", value: { characterId: 103, summonId: 9 } } },
    ]);
    expect(kinds(say(4, pet))).toEqual(["reject pet-owner"]);
    expect(kinds(say(4, summon))).toEqual(["reject summon-owner"]);
    const empty: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path(), fragments: [] } };
    expect(kinds(say(3, empty))).toEqual(["reject empty-path"]);
  });

  it("have a box and a clock too", () => {
    come(3);
    world.addPet(3, 55n, 1, 0);
    nowMs = 500;
    const { box } = path();
    const pet: MapleClientMessage = { message: "movePet", value: { petId: 55n, ...path(), box: { ...box, top: -40 } } };
    expect(verdicts(say(3, pet))).toMatchObject([
      { kind: "flag", rule: "wall-clock", measured: 510, unit: "ms" },
      { kind: "flag", rule: "box", measured: 40, unit: "px" },
    ]);
  });
});

describe("monsters", () => {
  const life = (mobId: number, from: Point, to: Point, change: object = {}): MapleClientMessage => {
    const fragments = [Fragment.of("absolute", { type: 0, ...to, foothold: 1, state: 2, durationMs: 1080 })];
    const fixed = { moveId: 7, flags: 1, actionAndDirection: -1, target: new Uint8Array(4), moveFlags: 0, unknown: 1 };
    const value = { mobId, ...fixed, start: from, fragments, keypad: [], box: boxOf(from, fragments), ...change };
    return { message: "moveLife", value };
  };
  const first = (): { mobId: number; x: number; y: number } => {
    const [monster] = world.monsters("1").values();
    if (monster === undefined) throw new Error("no monster");
    return monster;
  };

  beforeEach(() => {
    come(3);
    come(4);
    world.takeEffects();
  });

  it("every move is answered with its number, and relayed", () => {
    const { mobId, x, y } = first();
    const effects = say(3, life(mobId, { x, y }, { x: x + 50, y }));
    expect(messagesTo(effects, 3)).toEqual([
      {
        message: "moveMonsterResponse",
        value: { mobId, moveId: 7, nextAttack: 1, mp: 100, skillId: 0, skillLevel: 0 },
      },
    ]);
    expect(relays(effects)).toMatchObject([
      { except: 3, message: { message: "moveMonster", value: { mobId, actionAndDirection: -1 } } },
    ]);
    expect(first()).toMatchObject({ x: x + 50 });
  });

  it("who does not drive it moves nothing, and is answered all the same", () => {
    const { mobId, x, y } = first();
    const effects = say(4, life(mobId, { x, y }, { x: x + 50, y }));
    expect(kinds(effects)).toEqual(["reject monster-control"]);
    expect(relays(effects)).toEqual([]);
    expect(messagesTo(effects, 4)).toHaveLength(1);
    expect(first()).toMatchObject({ x });
  });

  it("who has just attacked it takes over; what the other still sends is late", () => {
    const { mobId, x, y } = first();
    world.attack(4, mobId, nowMs);
    expect(world.takeEffects()).toMatchObject([
      { to: 3, message: { message: "controlMonster", value: { mode: "stop", mobId } } },
      { to: 4, message: { message: "controlMonster", value: { mode: "controlWithAggro", mobId } } },
    ]);
    expect(kinds(say(3, life(mobId, { x, y }, { x, y })))).toEqual(["benign monster-control"]);
    nowMs = 60_000;
    expect(kinds(say(3, life(mobId, { x, y }, { x, y })))).toEqual(["reject monster-control"]);
  });

  it("who is noticed takes over, unless it fights somebody", () => {
    const { mobId } = first();
    say(4, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
    say(3, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
  });

  it("who hides or leaves hands over", () => {
    world.setHidden(3, true, nowMs);
    expect(world.takeEffects().filter((effect) => effect.effect === "send")).toHaveLength(24);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === 4)).toBe(true);
    world.leave(4, nowMs);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === undefined)).toBe(true);
    world.setHidden(3, false, nowMs);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === 3)).toBe(true);
  });

  it("who moves one that does not live here is refused, unless it has just left or the monster has just died", () => {
    const { mobId, x, y } = first();
    world.spawnMonster("2", 100_100, { x: 0, y: 200 }, nowMs);
    const [elsewhere = 0] = world.monsters("2").keys();
    const moved = (id: number): string[] => kinds(say(3, life(id, { x, y }, { x, y })));
    expect(moved(elsewhere)).toEqual(["benign monster-elsewhere"]);
    nowMs = 20_000;
    expect([moved(elsewhere), moved(5)].flat()).toEqual(["reject monster-elsewhere", "reject monster-elsewhere"]);
    world.killMonster("1", mobId, nowMs);
    expect(moved(mobId)).toEqual(["benign monster-elsewhere"]);
    nowMs = 40_000;
    expect(moved(mobId)).toEqual(["reject monster-elsewhere"]);
    expect(kinds(say(3, { message: "aggro", value: { mobId, unknown: 0 } }))).toEqual(["reject monster-elsewhere"]);
  });

  it("one that dies is gone, one that appears is driven", () => {
    const { mobId } = first();
    world.killMonster("1", mobId, nowMs);
    expect(world.takeEffects()).toMatchObject([
      { effect: "broadcast", message: { message: "removeMonster", value: { mobId } } },
    ]);
    const born = world.spawnMonster("1", 100_100, { x: 0, y: 200 }, nowMs);
    // 3 had twelve and lost one; 4 has none.
    expect(world.monsters("1").get(born)).toMatchObject({ controller: 4, y: 240 });
    expect(() => world.killMonster("1", mobId, nowMs)).toThrow(RangeError);
  });

  it("the limits of honest paths", () => {
    const { mobId, x, y } = first();
    expect(kinds(say(3, life(mobId, { x, y }, { x: x + 700, y })))).toEqual(["flag monster-speed"]);
    expect(kinds(say(3, life(mobId, { x, y }, { x: x + 30, y })))).toEqual(["flag monster-head"]);
    expect(kinds(say(3, life(mobId, { x: x + 30, y }, { x: x + 40, y }, { moveFlags: 0x10 })))).toEqual([
      "flag client-report",
    ]);
    expect(kinds(say(3, life(mobId, { x: x + 40, y }, { x: x + 50, y }, { fragments: [] })))).toEqual([
      "reject empty-path",
    ]);
  });

  it("the box around its path", () => {
    const { mobId, x, y } = first();
    const box = { left: x, top: y, right: x + 900, bottom: y };
    const effects = say(3, life(mobId, { x, y }, { x: x + 50, y }, { box }));
    expect(verdicts(effects)).toMatchObject([{ kind: "flag", rule: "box", measured: 850, unit: "px" }]);
    expect(relays(effects)).toHaveLength(1);
  });

  it("a vacuum has ten in one place, and all from one side", () => {
    const found = [...world.monsters("1").values()].flatMap(({ mobId, x, y }) =>
      kinds(say(3, life(mobId, { x, y }, { x: 0, y: 240 }))),
    );
    expect(found.filter((kind) => kind === "benign vacuum-box")).toHaveLength(4);
    expect(found.filter((kind) => kind === "flag vacuum-box")).toHaveLength(3);
    const { mobId } = first();
    const sides = Array.from({ length: 60 }, (_, step) =>
      kinds(say(3, life(mobId, { x: step * 500, y: 240 }, { x: (step + 1) * 500, y: 240 }))),
    ).flat();
    expect(sides).toContain("flag vacuum-side");
  });
});

describe("documented", () => {
  it("who is connected is on the map; the fragments go to the others with the four bytes before them", () => {
    world = new MapleWorld({ dialect: "documented", seed: 1, demo: true });
    for (const player of [3, 4]) world.join(player, { account: `${player}`, name: "x", room: "1" }, 0);
    expect(world.takeEffects().map(({ effect }) => effect)).toEqual(["enter", "enter"]);
    const documented = mapleCodec("documented");
    const fragments = [Fragment.of("absolute", { type: 0, x: 0, y: 240, vx: 125, state: 2, durationMs: 500 })];
    const message = {
      message: "movePlayer",
      value: { head: Uint8Array.of(1, 2, 3, 4, 5), fragments, tail: new Uint8Array(18) },
    } as const;
    const payload = documented.write("client", message);
    world.receive(3, message, payload, 600);
    const effects = relays(world.takeEffects());
    expect(effects).toMatchObject([{ effect: "broadcast", room: "1", except: 3 }]);
    const [relay] = effects as readonly { message: MapleServerMessage }[];
    const written = documented.write("server", relay?.message as MapleServerMessage);
    expect(formatHex(written)).toBe(`8d 03 00 00 00 02 03 04 05 ${formatHex(payload.subarray(6, 6 + 15))}`);
    world.refresh(3, 700);
    world.tick(100_000);
    // Whoever looks on is told of the monsters; nobody who plays is told anything.
    expect(world.takeEffects().map(({ effect }) => effect)).toEqual(["observe"]);
  });

  it("a client that played before its connection was taken is not ahead of the clock; one that goes on so is", () => {
    world = new MapleWorld({ dialect: "documented", seed: 1 });
    world.join(3, { account: "3", name: "x" }, 1000);
    const documented = mapleCodec("documented");
    const fragments = [Fragment.of("absolute", { type: 0, x: 0, y: 240, state: 4, durationMs: 500 })];
    const message = {
      message: "movePlayer",
      value: { head: new Uint8Array(5), fragments, tail: new Uint8Array(18) },
    } as const;
    const found = Array.from({ length: 8 }, () => {
      world.receive(3, message, documented.write("client", message), 1200);
      return kinds(world.takeEffects());
    });
    // 200 ms since then and two seconds before: four paths.
    expect(found.slice(0, 4)).toEqual([[], [], [], []]);
    expect(found.slice(4)).toEqual(Array(4).fill(["flag wall-clock"]));
  });
});

describe("those who look on", () => {
  type Shown = Extract<Said, { effect: "observe" }>;
  const shown = (effects: readonly Said[]): readonly Shown[] =>
    effects.filter((effect): effect is Shown => effect.effect === "observe");

  it("are shown each relayed path in the bytes of the relay", () => {
    come(3);
    come(4);
    nowMs = 600;
    const message = walk(start, -440);
    const client = formatHex(codec.write("client", message), { separator: "" });
    // As it goes out: the path is written when the feed asks for it.
    expect(JSON.parse(JSON.stringify(shown(say(3, message))))).toEqual([
      {
        effect: "observe",
        player: 3,
        room: "1",
        what: "path",
        data: { actor: "player", id: 103, packetBytes: client.length / 2, path: client.slice(6, 6 + 2 * (5 + 14)) },
      },
    ]);
    expect(shown(say(3, walk(start, 0, { fragments: [] })))).toEqual([]);
    world.setHidden(3, true, nowMs);
    world.takeEffects();
    nowMs = 1200;
    expect(shown(say(3, walk({ x: -440, y: 300 }, -400)))).toEqual([]);
  });

  it("are shown no more of one player than a share each second", () => {
    come(3);
    nowMs = 600;
    const fragments = Array.from({ length: 255 }, () => Fragment.of("instant", { type: 3, ...start, foothold: 1 }));
    const long = walk(start, 0, { fragments });
    // 2,555 bytes each: three are within 8 KiB.
    const count = [1, 2, 3, 4, 5].map(() => shown(say(3, long)).length);
    expect(count).toEqual([1, 1, 1, 0, 0]);
    nowMs = 1600;
    expect(shown(say(3, long))).toHaveLength(1);
  });

  it("are told once a second where the monsters are and who drives them", () => {
    come(3);
    const told: Shown[] = [];
    for (nowMs = 100; nowMs <= 3000; nowMs += 100) {
      world.tick(nowMs);
      told.push(...shown(world.takeEffects()));
    }
    expect(told).toHaveLength(3);
    expect(told[0]).toMatchObject({ room: "1", what: "monsters" });
    const monsters = told[0]?.data.monsters as unknown as readonly ShownMonster[] | undefined;
    expect(monsters).toHaveLength(12);
    expect(monsters?.[0]).toEqual({ mobId: 1_000_001, template: 100_100, x: -350, y: 190, state: 4, controller: 3 });
    world.leave(3, nowMs);
    world.takeEffects();
    world.tick(nowMs + 1000);
    expect(shown(world.takeEffects())).toEqual([]);
  });
});
