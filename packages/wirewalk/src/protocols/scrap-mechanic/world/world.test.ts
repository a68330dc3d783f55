import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import type { Responses } from "../../responses.ts";
import { gridMapsOf } from "../maps/grid-maps.ts";
import { TICK_MS } from "../movement/model.ts";
import { flatGrid } from "../testing/grids.ts";
import { codec, keys, SPRINT, Stage, WALK, walked } from "../testing/stage.ts";
import { ScrapWorld } from "./world.ts";

describe("a session", () => {
  it("is playing after hello: receives its character, place and tick, and in its room", () => {
    const stage = new Stage();
    stage.join(7);
    expect(stage.world.rooms()).toEqual(new Map());
    const effects = stage.say(7, { message: "hello", value: { version: 1 } });
    expect(effects).toMatchObject([
      { effect: "enter", player: 7, room: "1" },
      { effect: "send", to: 7, message: { message: "playing", value: { character: 7, tick: 40 } } },
    ]);
    expect(stage.world.rooms()).toEqual(new Map([["1", 1]]));
    expect(stage.world.tracks(1000)).toMatchObject([{ player: 7, stance: "stand", source: "simulated" }]);
  });

  it("is over when it moves before that", () => {
    const stage = new Stage();
    stage.join(7);
    stage.move(7, 40);
    expect(stage.effects).toMatchObject([
      { effect: "verdict", verdict: { kind: "reject", rule: "not-playing", player: 7 } },
      { effect: "close", player: 7 },
    ]);
    expect(stage.world.tracks(1000)).toEqual([]);
  });

  it("is over when no hello arrives for 20 seconds, and only then", () => {
    const stage = new Stage();
    stage.join(7);
    stage.pass(799);
    stage.join(8);
    stage.enter(9);
    expect(stage.verdicts).toEqual([]);
    const ended = stage.pass(400).filter((effect) => effect.effect !== "send");
    expect(ended).toMatchObject([
      { effect: "verdict", verdict: { kind: "reject", rule: "no-hello", player: 7, atMs: 21_000 } },
      { effect: "close", player: 7, reason: "No hello within 20 s" },
    ]);
  });

  it("receives updates as unreliable messages, which never queue for a slow reader", () => {
    const stage = new Stage();
    stage.enter(7);
    expect(stage.pass(1)).toMatchObject([{ effect: "send", to: 7, unreliable: true }]);
  });

  it.each([
    ["hello twice", 1, 1, "hello-twice"],
    ["another version", 2, undefined, "wrong-version"],
  ])("is over with %s", (_, first, second, rule) => {
    const stage = new Stage();
    stage.join(7);
    for (const version of [first, second]) {
      if (version !== undefined) stage.say(7, { message: "hello", value: { version } });
    }
    expect(stage.verdicts).toMatchObject([{ kind: "reject", rule }]);
    expect(stage.effects.at(-1)).toMatchObject({ effect: "close", player: 7 });
  });

  it("is refused where rooms have no such name, or are full", () => {
    const { world } = new Stage();
    for (const room of ["", "0", "-1", "x", "123456"]) {
      expect(world.refuses({ account: "a", name: "a", room })).toBe("bad-room");
    }
    for (let player = 1; player <= 255; player++) world.join(player, { account: "a", name: "a" }, 0);
    expect(world.refuses({ account: "a", name: "a" })).toBe("full");
    expect(world.refuses({ account: "a", name: "a", room: "2" })).toBeUndefined();
    expect(() => world.join(300, { account: "a", name: "a" }, 0)).toThrow(RangeError);
    expect(() => world.join(1, { account: "a", name: "a", room: "2" }, 0)).toThrow(RangeError);
    expect(() => world.join(0, { account: "a", name: "a", room: "2" }, 0)).toThrow(RangeError);
    expect(() => new ScrapWorld({ dialect: "survival", seed: 1 })).toThrow(RangeError);
  });

  it("that ends is reported to the remaining players", () => {
    const stage = new Stage();
    stage.enter(1);
    stage.enter(2);
    stage.world.leave(1, stage.nowMs);
    expect(stage.world.takeEffects()).toEqual([
      { effect: "exit", player: 1, room: "1" },
      { effect: "broadcast", room: "1", except: 1, message: { message: "left", value: { character: 1 } } },
    ]);
    stage.pass(1);
    expect(stage.lastUpdate(2).updates).toHaveLength(1);
    stage.world.leave(2, stage.nowMs);
    stage.world.leave(3, stage.nowMs);
    expect(stage.world.rooms()).toEqual(new Map());
  });
});

describe("movement", () => {
  it("is integrated a tick for each tick, and sent to everybody in the room, the sender too", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    stage.enter(2);
    stage.enter(3, "2");
    for (let tick = 0; tick < 40; tick++) {
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    const wanted = walked(one, new Array(40).fill({}));
    expect(stage.own(1)).toMatchObject({ id: 1, keys: keys(WALK), direction: 64, position: wanted });
    expect(stage.lastUpdate(1).currentTick).toBe(one.tick + 39);
    // Others see it with the tick of their own that is in it.
    expect(stage.lastUpdate(2)).toMatchObject({ serverTick: 80, currentTick: 39 });
    expect(stage.lastUpdate(2).updates).toBe(stage.lastUpdate(1).updates);
    expect(stage.lastUpdate(3).updates.map((update) => update.kind === "character" && update.id)).toEqual([3]);
    expect(stage.world.tracks(stage.nowMs, "1")[0]).toMatchObject({
      position: wanted,
      stance: "walk",
      facingTurns: 0.25,
      details: { tick: one.tick + 39, bufferedTicks: 0 },
    });
  });

  it("ends where it should whatever the network doubled, turned around or held back", () => {
    const random = createRandom(3);
    const stage = new Stage();
    const { tick, ...from } = stage.enter(1);
    // What is held back before anything is known of the network comes too late: the first second stands still.
    const inputs = Array.from({ length: 400 }, (_, index) => ({
      keys: keys(index < 40 ? 0 : random.integer(0, 31)),
      direction: random.integer(0, 255),
      yaw: random.integer(0, 255),
    }));
    const arrivals = inputs
      .flatMap((input, index) => {
        const isStalled = index >= 100 && index < 180;
        const once = { index, input, at: isStalled ? 182 : index + random.integer(0, 4) };
        return random.chance(0.1) ? [once, { ...once, at: once.at + 3 }] : [once];
      })
      .sort((a, b) => a.at - b.at);
    for (let at = 0; at < 440; at++) {
      for (const arrival of arrivals) {
        if (arrival.at === at) stage.move(1, tick + arrival.index, arrival.input);
      }
      stage.pass(1);
    }
    stage.pass(20);
    expect(stage.lastUpdate(1).currentTick).toBe(tick + 399);
    // Rules look at impossible keys, of which there are many here; the place is right all the same.
    expect(stage.own(1).position).toEqual(walked({ tick, ...from }, inputs));
  });

  it("goes on over lost packets with the keys before them, half a second at most", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    const received = [0, 1, 2, 3, 10, 11, 60];
    for (let tick = 0; tick <= 60; tick++) {
      if (received.includes(tick)) stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    stage.pass(40);
    const inputs = Array.from({ length: 61 }, (_, tick) => (tick > 31 && tick < 60 ? { keys: keys(0) } : {}));
    expect(stage.own(1).position).toEqual(walked(one, inputs));
    expect(stage.verdicts).toEqual([]);
  });

  it("goes on after tick 2^32", () => {
    const stage = new Stage();
    stage.nowMs = (2 ** 32 - 20) * TICK_MS;
    const one = stage.enter(1);
    expect(one.tick).toBe(2 ** 32 - 20);
    for (let tick = 0; tick < 40; tick++) {
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    expect(stage.lastUpdate(1)).toMatchObject({ serverTick: 20, currentTick: 19 });
    expect(stage.own(1).position).toEqual(walked(one, new Array(40).fill({})));
  });

  it("of a client with its own count of ticks is taken as it comes", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    for (let tick = 0; tick < 10; tick++) {
      stage.move(1, 3_000_000_000 + tick);
      stage.pass(1);
    }
    expect(stage.lastUpdate(1).currentTick).toBe(3_000_000_009);
    expect(stage.own(1).position).toEqual(walked(one, new Array(10).fill({})));
  });

  it("of a seated player moves nothing", () => {
    const stage = new Stage({ limits: { seatedGraceTicks: 40 } });
    const one = stage.enter(1);
    stage.world.setSeated(1, true, stage.nowMs);
    for (let tick = 0; tick < 100; tick++) {
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    expect(stage.own(1).position).toEqual(one.position);
    expect(stage.world.tracks(stage.nowMs)[0]?.stance).toBe("seated");
    // Here a client may not know of it for a second; then its keys are odd.
    expect(stage.verdicts).toMatchObject([{ rule: "keys-seated" }, { rule: "keys-seated" }]);
    stage.world.setSeated(1, false, stage.nowMs);
    stage.move(1, one.tick + 100);
    stage.pass(1);
    expect(stage.own(1).position.y).toBeGreaterThan(one.position.y);
    stage.world.setSeated(9, true, stage.nowMs);
  });

  it("happens on the ground that there is", () => {
    const maps = gridMapsOf("high", { high: flatGrid(5) });
    const stage = new Stage({ maps });
    const one = stage.enter(1);
    expect(one.position.z).toBe(Math.fround(5.7));
    for (let tick = 0; tick < 20; tick++) {
      stage.move(1, one.tick + tick, { keys: keys(WALK + 2) });
      stage.pass(1);
    }
    expect(stage.own(1).position.z).toBe(Math.fround(5.4));
  });
});

describe("refresh", () => {
  it("tells the player at once what a tick would", () => {
    const stage = new Stage();
    stage.enter(1);
    stage.world.refresh(1, stage.nowMs);
    stage.world.refresh(9, stage.nowMs);
    expect(stage.world.takeEffects()).toMatchObject([
      { effect: "send", to: 1, message: { value: { serverTick: 40, updates: [{ id: 1 }] } } },
    ]);
  });
});

describe("ticks from the future", () => {
  it("are refused, and counted on from there when nothing else comes", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    for (let tick = 0; tick < 10; tick++) {
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    const { currentTick } = stage.lastUpdate(1);
    for (let tick = 0; tick < 40; tick++) {
      stage.move(1, one.tick + 5000 + tick);
      stage.pass(1);
    }
    expect(stage.lastUpdate(1).currentTick).toBe(currentTick);
    expect(stage.verdicts[0]).toMatchObject({ kind: "reject", rule: "tick-ahead", allowed: 3000, unit: "ms" });
    for (let tick = 40; tick < 160; tick++) {
      stage.move(1, one.tick + 5000 + tick);
      stage.pass(1);
    }
    expect(stage.verdicts.at(-1)).toMatchObject({ kind: "flag", rule: "tick-ahead" });
    expect(stage.lastUpdate(1).currentTick).toBe(one.tick + 5159);
    // What was refused was not walked.
    expect(stage.own(1).position.y).toBeLessThan(one.position.y + 4 * 0.025 * 135);
  });
});

describe("a fast clock", () => {
  it.each([1.02, 1.2, 2, 5])("(%d) walks half a percent further and its slack, no more", (rate) => {
    const stage = new Stage();
    const one = stage.enter(1);
    const minutes = 4;
    let said = 0;
    for (let passed = 0; passed < minutes * 60 * 40; passed++) {
      for (; said < passed * rate; said++) stage.move(1, one.tick + said, { keys: keys(said === 0 ? WALK : SPRINT) });
      stage.pass(1);
      stage.effects.splice(0, Math.max(0, stage.effects.length - 200));
    }
    const seconds = minutes * 60;
    expect(stage.own(1).position.y - one.position.y).toBeLessThan(8 * (seconds * 1.005 + 2.5));
    expect(stage.own(1).position.y - one.position.y).toBeGreaterThan(8 * seconds * 0.2);
  });
});

describe("ticks said again", () => {
  it("are nothing when a network does it", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    for (let tick = 0; tick < 200; tick++) {
      stage.move(1, one.tick + tick);
      if (tick % 5 === 0) stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    expect(stage.verdicts).toEqual([]);
  });

  it("with other keys are flagged at once, and without effect", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    for (let tick = 0; tick < 20; tick++) {
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    stage.move(1, one.tick + 10, { direction: 192 });
    expect(stage.verdicts).toMatchObject([{ kind: "flag", rule: "replayed-tick", measured: 9, unit: "ticks ago" }]);
    stage.pass(1);
    expect(stage.own(1).position).toEqual(walked(one, new Array(20).fill({})));
  });

  it("too often are flagged too", () => {
    const stage = new Stage();
    const one = stage.enter(1);
    for (let tick = 0; tick < 80; tick++) {
      stage.move(1, one.tick + tick);
      stage.move(1, one.tick + tick);
      stage.pass(1);
    }
    expect(stage.verdicts[0]).toMatchObject({ kind: "flag", rule: "replayed-tick", measured: 21, unit: "packets/s" });
    // Once a second, however often it happens.
    expect(stage.verdicts.length).toBeLessThanOrEqual(3);
  });
});

it("a verdict has the packet and the state before it", () => {
  const stage = new Stage();
  const one = stage.enter(1);
  stage.move(1, one.tick, { pitch: 200 });
  stage.pass(1);
  const [verdict] = stage.verdicts;
  expect(verdict).toMatchObject({
    kind: "flag",
    rule: "pitch",
    player: 1,
    room: "1",
    measured: 200,
    allowed: 128,
    stateBefore: { tick: one.tick - 1, y: one.position.y, onGround: true },
  });
  expect(codec.read("client", verdict?.message ?? new Uint8Array())).toMatchObject({ value: { pitch: 200 } });
});

it("a packet that a chosen rule drops is played without keys, in the view direction before", () => {
  const play = (options: { readonly responses?: Responses }): readonly unknown[] => {
    const stage = new Stage(options);
    const one = stage.enter(1);
    stage.move(1, one.tick, { pitch: 200, keys: keys(WALK) });
    stage.pass(4);
    const [track] = stage.world.tracks(stage.nowMs);
    return [stage.verdicts.map(({ kind, rule }) => `${kind} ${rule}`), track?.details?.pitch, track?.details?.keys];
  };
  expect(play({})).toEqual([["flag pitch"], 200, 4]);
  expect(play({ responses: { pitch: "drop" } })).toEqual([["reject pitch"], 64, 0]);
  expect(() => play({ responses: { pitch: "correct" } })).toThrow(
    "The response of scrap-mechanic to pitch must be relay or drop, got correct",
  );
});

it("equal calls give equal effects", () => {
  const run = (): unknown => {
    const random = createRandom(8);
    const stage = new Stage();
    const ticks = [stage.enter(1).tick, stage.enter(2).tick];
    for (let count = 0; count < 300; count++) {
      const player = random.integer(1, 2);
      const keysByte = random.integer(0, 31);
      stage.move(player, (ticks[player - 1] as number) + count, {
        keys: keys(keysByte),
        pitch: random.integer(0, 140),
      });
      stage.pass(random.integer(0, 2));
    }
    return stage.effects;
  };
  expect(run()).toEqual(run());
});
