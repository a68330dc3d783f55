import { beforeEach, describe, expect, it } from "vitest";
import { formatHex } from "../../../wire/index.ts";
import { demoMap } from "../maps/demo-maps.ts";
import { documentedMoveLife } from "../movement/client-messages.ts";
import { broadcasts, kinds, type MapleEffect, messagesTo, start, TestWorld, walk } from "../testing/test-world.ts";
import { type MapleServerMessage, mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

describe("entering the world", () => {
  it("sends the map with a fieldKey first, then players and monsters there, then the monsters to control", () => {
    const first = world.logIn(3);
    const kindsOf = first.map((effect) => (effect.effect === "send" ? effect.message.message : effect.effect));
    expect(kindsOf.slice(0, 3)).toEqual(["changeMap", "enter", "broadcast"]);
    expect(messagesTo(first, 3)[0]).toMatchObject({
      value: { channel: 0, fieldKey: 1, target: { mapId: 1, spawnPoint: 0 } },
    });
    expect(kindsOf.filter((kind) => kind === "showMonster")).toHaveLength(12);
    expect(kindsOf.filter((kind) => kind === "controlMonster")).toHaveLength(12);
    const second = world.logIn(4);
    expect(
      messagesTo(second, 4)
        .map(({ message }) => message)
        .slice(0, 2),
    ).toEqual(["changeMap", "showPlayer"]);
    expect(messagesTo(second, 4)[1]).toMatchObject({ value: { characterId: 103, name: "bot3", x: -500, y: 300 } });
    expect(broadcasts(second)).toMatchObject([
      { room: "1", except: 4, message: { message: "showPlayer", value: { characterId: 104 } } },
    ]);
    // The first player keeps control.
    expect(messagesTo(second, 4).filter(({ message }) => message === "controlMonster")).toEqual([]);
  });

  it("refuses the same character twice", () => {
    world.logIn(3, 7);
    const effects = world.logIn(4, 7);
    expect(kinds(effects)).toEqual(["reject character-online"]);
    expect(effects.at(-1)).toMatchObject({ effect: "close", player: 4 });
    expect(kinds(world.send(3, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } }))).toEqual([
      "reject login-twice",
    ]);
  });

  describe("whose machine has vanished", () => {
    /** Character 7 of account 3 stops answering at 0; another connection claims it after so long. */
    function claims(afterMs: number, account: string, answers = false): readonly MapleEffect[] {
      world.logIn(3, 7);
      for (const endMs = world.nowMs + afterMs; world.nowMs < endMs; ) {
        world.nowMs += 100;
        world.tick(world.nowMs);
        const pinged = messagesTo(world.takeEffects(), 3).some(({ message }) => message === "ping");
        if (pinged && answers) world.send(3, { message: "pong", value: {} });
      }
      world.join(4, { account, name: "x" }, world.nowMs);
      return world.send(4, { message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } });
    }

    it("has its character back after 15 s without an answer, and the earlier connection is closed", () => {
      const effects = claims(20_000, "3");
      expect(kinds(effects)).toEqual([]);
      expect(effects.filter(({ effect }) => effect === "close")).toEqual([
        { effect: "close", player: 3, reason: "taken-over" },
      ]);
      expect(world.visiblePlayers("1")).toEqual([4]);
      expect(messagesTo(effects, 4)).toContainEqual(expect.objectContaining({ message: "changeMap" }));
      // Nothing that it might still send has an effect.
      expect(world.send(3, walk(start, -480))).toEqual([]);
      world.leave(3, world.nowMs);
      expect(world.takeEffects()).toEqual([]);
    });

    it.each([
      ["too early: a stall of 15 s, and the time until the next ping", 14_900, "3", false, "benign"],
      ["while the earlier connection answers", 60_000, "3", true, "benign"],
      ["from another address, however silent it is", 50_000, "elsewhere", false, "reject"],
      ["from another address while it answers", 60_000, "elsewhere", true, "reject"],
    ] as const)("is not thrown out %s", (_, afterMs, account, answers, kind) => {
      const effects = claims(afterMs, account, answers);
      expect(kinds(effects)).toEqual([`${kind} character-online`]);
      expect(effects.filter(({ effect }) => effect === "close")).toEqual([
        { effect: "close", player: 4, reason: "already-online" },
      ]);
      expect(world.visiblePlayers("1")).toEqual([3]);
    });
  });

  it("refuses movement before the login", () => {
    world.join(5, { account: "a", name: "a" }, 0);
    expect(kinds(world.send(5, walk(start, -480)))).toEqual(["reject not-on-a-map"]);
  });

  it("has a player in one room whom game code moved before the login", () => {
    world.join(5, { account: "a", name: "a", room: "1" }, 0);
    world.changeMap(5, 2, 1, 0, 0);
    expect(world.rooms()).toEqual(new Map([["2", 1]]));
    world.send(5, { message: "playerLoggedIn", value: { characterId: 8, reserved: 0 } });
    expect(world.rooms()).toEqual(new Map([["1", 1]]));
    world.leave(5, 0);
    expect(world.rooms()).toEqual(new Map());
  });

  it("disconnects a client that does not log in, and one that does not answer a ping", () => {
    world.join(5, { account: "a", name: "a" }, 0);
    world.logIn(3);
    const closed: string[] = [];
    const pings: number[] = [];
    for (world.nowMs = 0; world.nowMs <= 70_000; world.nowMs += 1000) {
      world.tick(world.nowMs);
      for (const effect of world.takeEffects()) {
        if (effect.effect === "close") closed.push(`${effect.player} ${effect.reason} ${world.nowMs}`);
        if (effect.effect === "send" && effect.message.message === "ping") pings.push(world.nowMs);
      }
      if (closed.length === 1) world.leave(5, world.nowMs);
    }
    expect(closed).toEqual(["5 login-expected 30000", "3 ping-timeout 60000"]);
    expect(pings.slice(0, 2)).toEqual([5000, 10_000]);
  });
});

describe("joining", () => {
  it.each([0, -1, 1.5, 65_536, 70_000, Number.NaN])("refuses the id %s", (id) => {
    for (const dialect of ["v62", "documented"]) {
      world = new TestWorld({ dialect });
      expect(() => world.join(id, { account: "a", name: "a" }, 0)).toThrow(RangeError);
      expect(world.takeEffects()).toEqual([]);
      expect(world.rooms().size).toBe(0);
    }
  });

  it("refuses an id that is in use", () => {
    world.join(65_535, { account: "a", name: "a" }, 0);
    expect(() => world.join(65_535, { account: "b", name: "b" }, 0)).toThrow(RangeError);
  });
});

describe("documented", () => {
  it("a player is on the map at once; the others receive the fragments with the four bytes before them", () => {
    world = new TestWorld({ dialect: "documented" });
    for (const player of [3, 4]) world.join(player, { account: `${player}`, name: "x", room: "1" }, 0);
    expect(world.takeEffects().flatMap(({ effect }) => (effect === "send" ? [] : [effect]))).toEqual([
      "enter",
      "enter",
    ]);
    const documented = mapleCodec("documented");
    const fragments = [Fragment.of("absolute", { type: 0, x: 0, y: 240, vx: 125, state: 2, durationMs: 500 })];
    const message = {
      message: "movePlayer",
      value: { head: Uint8Array.of(1, 2, 3, 4, 5), fragments, tail: new Uint8Array(18) },
    } as const;
    const payload = documented.write("client", message);
    world.receive(3, message, payload, 600);
    const effects = broadcasts(world.takeEffects());
    expect(effects).toMatchObject([{ effect: "broadcast", room: "1", except: 3 }]);
    const [relay] = effects as readonly { message: MapleServerMessage }[];
    const written = documented.write("server", relay?.message as MapleServerMessage);
    expect(formatHex(written)).toBe(`8d 03 00 00 00 02 03 04 05 ${formatHex(payload.subarray(6, 6 + 15))}`);
    world.refresh(3, 700);
    world.tick(100_000);
    // Spectators receive the monsters; players receive nothing more: there is no ping.
    const again = world.takeEffects();
    expect(again.filter(({ effect }) => effect !== "send").map(({ effect }) => effect)).toEqual(["observe"]);
    expect(again.flatMap((effect) => (effect.effect === "send" ? [[effect.to, effect.message.message]] : []))).toEqual(
      [...world.monsters("1").keys()].map(() => [3, "showMonster"]),
    );
  });

  it("shows monsters with their numbers: those of the map to a newcomer, and a new one to all", () => {
    world = new TestWorld({ dialect: "documented" });
    world.join(3, { account: "3", name: "x", room: "1" }, 0);
    const shown = (): readonly (readonly [to: number | string, value: object])[] =>
      world.takeEffects().flatMap((effect) => {
        if (effect.effect !== "send" && effect.effect !== "broadcast") return [];
        const { message } = effect;
        if (message.message !== "showMonster") return [];
        // As it arrives.
        const codec = mapleCodec("documented");
        const read = codec.read("server", codec.write("server", message));
        return [[effect.effect === "send" ? effect.to : effect.room, read.value] as const];
      });
    const monsters = [...world.monsters("1").values()];
    expect(monsters.length).toBeGreaterThan(0);
    const spawnOf = ({ template, x, y, state, foothold }: (typeof monsters)[number]) => ({
      template,
      x,
      y,
      state,
      foothold,
    });
    expect(shown()).toEqual(monsters.map((monster) => [3, { mobId: monster.mobId, spawn: spawnOf(monster) }]));
    const mobId = world.spawnMonster("1", 100_101, { x: 20, y: 0 }, 100);
    const spawned = world.monsters("1").get(mobId);
    if (spawned === undefined) throw new RangeError("it is not there");
    expect(shown()).toEqual([["1", { mobId, spawn: spawnOf(spawned) }]]);
    // A client that knows the number can move it when it stands idle.
    expect(spawned.controller).toBe(3);
  });

  it("shows a monster to a newcomer wherever velocities have led it", () => {
    world = new TestWorld({ dialect: "documented" });
    world.join(3, { account: "3", name: "x", room: "1" }, 0);
    const [monster] = world.monsters("1").values();
    if (monster === undefined) throw new RangeError("no monster is there");
    const documented = mapleCodec("documented");
    const { mobId, x, y } = monster;
    for (const vx of [33, 32_767]) {
      const fragments = [Fragment.of("absolute", { type: 0, x, y, vx, state: 2, durationMs: 65_001 })];
      const message = documentedMoveLife(mobId, 1, fragments);
      world.receive(3, message, documented.write("client", message), 70_000);
      world.takeEffects();
      world.refresh(3, 70_000);
      for (const effect of world.takeEffects()) {
        if (effect.effect !== "send" || effect.message.message !== "showMonster") continue;
        const read = documented.read("server", documented.write("server", effect.message));
        if ((read.value as { mobId: number }).mobId !== mobId) continue;
        expect(read.value).toMatchObject({ spawn: { x: Math.min(0x7fff, Math.round(x + vx * 65.001)), y } });
      }
    }
  });

  it("allows two seconds of play before the connection, and flags a client that stays ahead of the clock", () => {
    world = new TestWorld({ dialect: "documented", demo: false });
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
    // 200 ms since the connection and two seconds before it: four paths.
    expect(found.slice(0, 4)).toEqual([[], [], [], []]);
    expect(found.slice(4)).toEqual(Array(4).fill(["flag wall-clock"]));
  });

  describe("that connects again", () => {
    const documented = mapleCodec("documented");
    const groundAt = (x: number): number => Math.round(demoMap(1)?.below(x, 200)?.y ?? start.y);
    /** A walk of 500 ms, at whose end it is 60 px to the right. Gives the verdicts. */
    function walkFrom(player: number, from: number): string[] {
      const fragments = [from, from + 30].map((x) =>
        Fragment.of("absolute", { type: 0, x, y: groundAt(x), vx: 120, state: 2, durationMs: 250 }),
      );
      const message = {
        message: "movePlayer",
        value: { head: new Uint8Array(5), fragments, tail: new Uint8Array(18) },
      } as const;
      world.nowMs += 510;
      world.receive(player, message, documented.write("client", message), world.nowMs);
      return kinds(world.takeEffects());
    }
    const come = (player: number, account = "address"): void => {
      world.join(player, { account, name: "x", room: "1" }, world.nowMs);
      world.takeEffects();
    };
    const go = (player: number): void => {
      world.leave(player, world.nowMs);
      world.takeEffects();
    };
    /** Walks to the right for so many paths. */
    const walkOn = (player: number, from: number, paths: number): string[] =>
      Array.from({ length: paths }, (_, index) => walkFrom(player, from + index * 60)).flat();

    beforeEach(() => {
      world = new TestWorld({ dialect: "documented", demo: true });
      world.nowMs = 10_000;
      come(3);
      // From the first portal.
      expect(walkOn(3, start.x, 8)).toEqual([]);
    });

    it("goes on where it was, or begins at a portal", () => {
      const { x } = start;
      go(3);
      come(4);
      expect(walkFrom(4, x + 480)).toEqual([]);
      go(4);
      come(5);
      expect(walkFrom(5, x)).toEqual([]);
      // Another person behind the address goes on where the first one was.
      come(6);
      expect(walkFrom(6, x + 540)).toEqual([]);
    });

    it("is flagged elsewhere, each time, and when it goes back and forth", () => {
      // Two places that are far from the portals and from each other.
      for (let player = 4; player < 8; player += 1) {
        go(player - 1);
        come(player);
        expect(walkFrom(player, player % 2 === 0 ? -300 : 0)).toEqual(["flag teleport"]);
      }
      go(7);
      come(8);
      expect(walkFrom(8, start.x)).toEqual([]);
      go(8);
      come(9);
      expect(walkFrom(9, 60)).toEqual(["flag teleport"]);
    });

    it("is at a new place under another account, and an hour later", () => {
      const { x } = start;
      go(3);
      come(4, "elsewhere");
      expect(walkFrom(4, x + 240)).toEqual([]);
      world.nowMs += 3_600_000;
      come(5);
      expect(walkFrom(5, x + 240)).toEqual([]);
    });

    it("has no new credit of time", () => {
      for (let player = 4; player < 10; player += 1) {
        go(player - 1);
        come(player);
        // Twice as much as has passed.
        world.nowMs -= 255;
        const found = walkFrom(player, start.x + 480 + (player - 4) * 60);
        expect(found).toEqual(player === 4 ? found : ["flag wall-clock"]);
      }
    });
  });
});
