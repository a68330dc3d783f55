import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { expectEqual } from "../../../testing/inner-loops.ts";
import { scaled } from "../../../testing/scale.ts";
import { simulate } from "../../../testing/simulation.ts";
import { type JsonObject, parseHex } from "../../../wire/index.ts";
import type { Effect } from "../../world.ts";
import { OsrsBot } from "../bots/bot.ts";
import { osrs } from "../osrs.ts";
import { PlayerInfoClient } from "../player-info/wire/client.ts";
import { PlayerInfoDecoder } from "../player-info/wire/decoder.ts";
import { revision206 } from "../player-info/wire/masks/revision-206.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";
import { OsrsWorld } from "./world.ts";

const somebody = (name: string, room?: string) => ({ account: name, name, ...(room === undefined ? {} : { room }) });
const payload = parseHex("22 0000 ffff012c0190");
const move = osrs.codec("client").read("client", payload);
const create = (): OsrsWorld => new OsrsWorld({ dialect: "client", seed: 3, demo: true, revision: revision206 });
const kinds = (effects: readonly Effect<PlayerInfoServerMessage>[]): string[] =>
  effects.map((effect) => {
    switch (effect.effect) {
      case "send":
        return `${effect.message.message} to ${effect.to}`;
      case "enter":
      case "exit":
      case "show":
      case "hide":
        return `${effect.effect} ${effect.player} ${effect.room}`;
      case "observe":
        return `${effect.what} of ${effect.player} in ${effect.room}`;
      default:
        return effect.effect;
    }
  });

describe("a player who joins", () => {
  it("has a body, and a mouse once a packet of it has arrived", () => {
    const world = create();
    world.join(1, somebody("ann"), 0);
    expect(kinds(world.takeEffects())).toEqual(["enter 1 world", "playerIndex to 1", "playerInfoInit to 1"]);
    expect(world.rooms()).toEqual(new Map([["world", 1]]));
    world.receive(1, move, payload, 100);
    world.receive(1, move, payload, 200);
    expect(kinds(world.takeEffects())).toEqual([
      "show 1 mouse",
      "mouse-packet of 1 in mouse",
      "mouse-packet of 1 in mouse",
    ]);
    expect(world.rooms()).toEqual(
      new Map([
        ["world", 1],
        ["mouse", 1],
      ]),
    );
    world.leave(1, 300);
    world.leave(1, 300);
    expect(kinds(world.takeEffects())).toEqual(["exit 1 world", "hide 1 mouse"]);
    expect(world.rooms()).toEqual(new Map());
  });

  it("has a mouse alone in room mouse", () => {
    const world = create();
    world.join(1, somebody("ann", "mouse"), 0);
    world.receive(1, move, payload, 100);
    world.tick(600);
    world.refresh(1, 700);
    world.follow(1, 700);
    world.leave(1, 800);
    expect(kinds(world.takeEffects())).toEqual(["enter 1 mouse", "mouse-packet of 1 in mouse", "exit 1 mouse"]);
  });

  it("may ask for these two rooms, and they hold 2047 together", () => {
    const world = create();
    expect(world.refuses(somebody("ann", "kitchen"))).toBe("bad-room");
    expect(world.refuses(somebody("ann", "world"))).toBeUndefined();
    for (let player = 1; player <= 2047; player++) {
      world.join(player, somebody("ann", player % 2 === 0 ? "mouse" : "world"), 0);
    }
    expect([world.refuses(somebody("bob")), world.refuses(somebody("bob", "mouse"))]).toEqual(["full", "full"]);
    expect(() => world.join(3000, somebody("bob"), 0)).toThrow("Cannot join: full");
    world.leave(7, 0);
    expect(() => world.join(1, somebody("bob"), 0)).toThrow("player 1 is here already");
  });

  it("is at one place of each room", () => {
    const world = create();
    world.join(1, somebody("ann"), 0);
    world.join(2, somebody("bob", "mouse"), 0);
    world.receive(1, move, payload, 100);
    const places = (room?: string): string[] =>
      world.tracks(600, room).map(({ player, room: at }) => `${player} ${at}`);
    expect(places("world")).toEqual(["1 world"]);
    expect(places("mouse").sort()).toEqual(["1 mouse", "2 mouse"]);
    expect(places().sort()).toEqual(["1 mouse", "1 world", "2 mouse"]);
    expect(places("kitchen")).toEqual([]);
    expect(world.tracks(600, "world")[0]?.details).toMatchObject({ index: 1, name: "ann", local: 1, viewDistance: 15 });
  });

  it("a message of an unknown player does nothing", () => {
    const world = create();
    world.receive(1, move, payload, 0);
    expect(world.takeEffects()).toEqual([]);
  });
});

describe("the tick", () => {
  it("is player info's, or the option's", () => {
    expect(create().tickMs).toBe(600);
    expect(osrs.createWorld({ dialect: "client", seed: 1, tickMs: 5 }).tickMs).toBe(5);
  });

  it.each([0, -5, 1.5, 60_001, Number.NaN])("cannot be %d ms", (tickMs) => {
    expect(() => osrs.createWorld({ dialect: "client", seed: 1, tickMs })).toThrow(
      `tickMs must be a whole number from 1 to 60000, got ${tickMs}`,
    );
  });
});

describe("a spectator who follows a player", () => {
  /** Players whose packets are read, of the 80 who play: two of them are followed. */
  const CLIENTS = scaled(80, 15);

  it("reads its stream from there on, like its client", () => {
    const world = create();
    const clients = new Map<number, PlayerInfoClient>();
    const shown = new Map<number, PlayerInfoDecoder>();
    const starts: number[] = [];
    const settle = (): void => {
      for (const effect of world.takeEffects()) {
        if (effect.effect === "send") {
          if (effect.to > CLIENTS && !shown.has(effect.to)) continue;
          const client = clients.get(effect.to) ?? new PlayerInfoClient({ dialect: "client", revision: revision206 });
          clients.set(effect.to, client);
          const update = client.receive(effect.message);
          expect(effect.lossy).toBe(update === undefined ? undefined : true);
        } else if (effect.effect === "observe") {
          const { player, what, data, toFollowers, room } = effect;
          expect([toFollowers, room]).toEqual([true, "world"]);
          if (what === "player-info-start") {
            starts.push(player);
            expect(Object.keys(data)).toEqual(["index", "dialect", "state"]);
            const decoder = PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(data.state)) as JsonObject);
            expect([decoder.localIndex, decoder.dialect.name]).toEqual([data.index, data.dialect]);
            shown.set(player, decoder);
          } else {
            expect(what).toBe("player-info");
            shown.get(player)?.decode(parseHex(String(data.hex)));
          }
        }
      }
    };
    const same = (player: number): void => {
      const [decoder, client] = [shown.get(player), clients.get(player)?.decoder];
      expectEqual(decoder?.locals, client?.locals);
      expectEqual(decoder?.scene, client?.scene);
      expectEqual(decoder?.flags, client?.flags);
      for (const index of client?.locals ?? []) {
        const { orientation: _, ...seen } = decoder?.player(index) ?? {};
        const { orientation: __, ...real } = client?.player(index) ?? {};
        expectEqual(seen, real);
      }
    };
    for (let player = 1; player <= 80; player++) world.join(player, somebody(`p${player}`), 0);
    for (let tick = 1; tick <= 300; tick++) {
      world.tick(tick * 600);
      if (tick === 20) world.follow(5, tick * 600);
      if (tick === 40) world.follow(6, tick * 600);
      settle();
      for (const player of shown.keys()) same(player);
      if (tick % 10 === 0) {
        world.leave(tick / 10 + 40, tick * 600);
        world.join(100 + tick, somebody("late"), tick * 600);
      }
      if (tick === 60) world.follow(5, tick * 600);
      if (tick === 100) world.refresh(5, tick * 600);
      if (tick === 150) {
        world.unfollow(6);
        shown.delete(6);
      }
      if (tick === 250) {
        world.leave(5, tick * 600);
        shown.delete(5);
      }
    }
    expect(starts).toEqual([5, 6, 5, 5]);
    world.follow(5, 0);
    world.unfollow(5);
    world.tick(300_000);
    expect(world.takeEffects().some(({ effect }) => effect === "observe")).toBe(false);
  });
});

describe("a bot", () => {
  const options = { dialect: "client", random: createRandom(1), number: 0, cheat: "none" };

  it("refuses a packet that does not fit what came before", () => {
    const world = create();
    const bot = new OsrsBot({ ...options, random: createRandom(1) }, revision206);
    for (let player = 1; player <= 60; player++) world.join(player, somebody("a"), 0);
    const packets: PlayerInfoServerMessage[] = [];
    for (let tick = 1; tick <= 20; tick++) {
      world.tick(tick * 600);
      for (const effect of world.takeEffects()) {
        if (effect.effect === "send" && effect.to === 1) packets.push(effect.message);
      }
    }
    for (const message of packets) expect(bot.receive(message)).toEqual([]);
    // The first packet brings everybody into view: twice it cannot.
    const [, , first] = packets;
    expect(() => bot.receive(first as PlayerInfoServerMessage)).toThrow(/^Cannot read player/);
    const deaf = new OsrsBot({ ...options, part: "mouse" }, revision206);
    expect(deaf.receive(first as PlayerInfoServerMessage)).toEqual([]);
  });

  it("rests its mouse with part player-info, and moves it otherwise", () => {
    const said = (part: string | undefined): number => {
      const more = part === undefined ? {} : { part };
      const bot = new OsrsBot({ ...options, random: createRandom(1), ...more }, revision206);
      let count = bot.start(0).length;
      for (let nowMs = 0; nowMs <= 20_000; nowMs += bot.stepMs) count += bot.step(nowMs).length;
      return count;
    };
    // One packet, by which a server knows a live client.
    expect(said("player-info")).toBe(1);
    expect(said("mouse")).toBeGreaterThan(5);
    expect(said(undefined)).toBe(said("mouse"));
  });

  it.each(osrs.dialects.map(({ name }) => name))("follows the world through a bad network: %s", (dialect) => {
    const random = createRandom(7);
    const count = scaled(40, 8);
    const bots = Array.from({ length: count }, (_, number) => ({
      bot: osrs.bots.create({ dialect, random: random.fork(), number, cheat: "none" }),
      joining: somebody(`b${number}`),
      startMs: number * 300,
      listens: true,
    }));
    const conditions = { latencyMs: { low: 20, high: 240 }, jitterMs: 60 };
    const { refused, delivered, received } = simulate({
      protocol: osrs,
      world: { dialect, seed: 1, demo: true },
      seed: 7,
      durationMs: 60_000,
      conditions,
      bots,
    });
    expect(refused).toBe(0);
    expect(delivered).toBeGreaterThan(count * 75);
    expect(received).toBeGreaterThan(count * 12);
  });
});
