import { describe, expect, it } from "vitest";
import { pair, Stage } from "../testing/stage.ts";

describe("landing detection (standard 8.7)", () => {
  const free = (stage: Stage): unknown => {
    stage.world.receive(
      1,
      { message: "login", value: { version: "", user: "", password: "", mac: "" } },
      new Uint8Array(),
      stage.now,
    );
    stage.settle();
    return stage.verdicts.at(-1)?.stateBefore;
  };

  it("a player in the air without a message for more than 100 ms is assumed to be on the ground", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.now += 100;
    stage.world.tick(stage.now);
    expect(free(stage)).toMatchObject({ free: true, assumedLanded: false });
    stage.now += 1;
    stage.world.tick(stage.now);
    expect(free(stage)).toMatchObject({ free: false, vsp: 0, assumedLanded: true });
    expect(stage.world.tracks(stage.now)[0]?.details).toMatchObject({ assumedLanded: true });
  });

  it("is checked before each message too", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.move(1, "upRelease");
    stage.now += 101;
    // The jump is legal even without a tick.
    expect(stage.move(1, "upPress", 448)).toEqual([]);
  });

  it("while it is assumed, ground and air codes are legal, and an air code is in the air again", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    expect(stage.to(1200).move(1, "leftPressAir")).toEqual([]);
    expect(free(stage)).toMatchObject({ free: true, assumedLanded: false });
    expect(stage.to(1400).move(1, "leftRelease", 440, 160)).toEqual([]);
    expect(free(stage)).toMatchObject({ free: false, assumedLanded: false });
    // Settled: now an air code means an edge.
    expect(stage.move(1, "leftPressAir")).toEqual(["benign walked-off"]);
  });

  it("a message that is legal on the ground and in the air leaves it assumed", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.to(1200);
    expect(stage.move(1, "upRelease")).toEqual([]);
    expect(stage.move(1, "downPress")).toEqual([]);
    expect(stage.move(1, "rightPressAir")).toEqual([]);
  });

  it("is assumed in strict worlds too: the guess is the server's", () => {
    const stage = pair({ strict: true });
    stage.move(1, "upPress", 448);
    expect(stage.to(1200).move(1, "leftPressAir")).toEqual([]);
  });

  it("ballistic: in the air for the 683 ms of a jump, without messages", () => {
    const stage = pair({ landing: "ballistic" });
    stage.move(1, "upPress", 448);
    stage.move(1, "upRelease");
    stage.to(1650);
    expect(free(stage)).toMatchObject({ free: true });
    stage.to(1740);
    expect(free(stage)).toMatchObject({ free: false, assumedLanded: false });
    expect(stage.move(1, "upPress", 448)).toEqual([]);
  });

  it("ballistic: a fall off an edge never comes back to where it began", () => {
    const stage = pair({ landing: "ballistic" });
    // An earlier jump does not end it either.
    stage.move(1, "upPress", 448);
    stage.to(1300).move(1, "leftPressAir");
    stage.to(1400).move(1, "leftReleaseAir");
    stage.to(2000);
    expect(free(stage)).toMatchObject({ free: false });
    expect(stage.to(2500).move(1, "rightPressAir")).toEqual(["benign walked-off"]);
    stage.to(5000);
    expect(free(stage)).toMatchObject({ free: true });
    expect(stage.move(1, "landing", 448, 400)).toEqual([]);
  });

  it("ballistic: a jump with a soda takes longer", () => {
    const stage = pair({ landing: "ballistic" });
    stage.world.setFactors(1, { speed: 1, jump: 2 }, stage.now);
    stage.move(1, "upPress", 448);
    stage.to(2200);
    expect(free(stage)).toMatchObject({ free: true });
    stage.to(2450);
    expect(free(stage)).toMatchObject({ free: false });
  });
});

describe("what game code may allow", () => {
  it("a speed soda: the legal speed grows", () => {
    const run = (stage: Stage): string[] => {
      stage.to(4000).move(1, "rightPress", 448, 160);
      return stage.to(14_000).move(1, "rightRelease", 448 + 10 * 300, 160);
    };
    expect(run(pair({ dialect: "v0106" }))).toEqual(["correct unreachable"]);
    expect(run(pair())).toEqual(["correct unreachable"]);
    const fast = pair();
    fast.world.setFactors(1, { speed: 2, jump: 1 }, fast.now);
    expect(run(fast)).toEqual([]);
    expect(fast.to(14_001).move(1, "landing", 448 + 10 * 300 + 1600, 160)).toEqual(["correct unreachable"]);
    expect(fast.to(14_002).move(1, "landing", 9000, 160)).toEqual(["correct teleport"]);
    // Others see it at that speed.
    fast.move(1, "rightPress", 3448, 160);
    expect(fast.to(15_000).world.tracks(15_000)[0]?.velocity.x).toBe(300);
  });

  it("a jump soda: the legal rise grows", () => {
    const rise = (jump: number): string[] => {
      const stage = new Stage().join(1);
      stage.world.setFactors(1, { speed: 1, jump }, 0);
      stage.move(1, "landing", 448, 5000);
      stage.to(4000).move(1, "landing", 448, 5000);
      stage.move(1, "upPress", 448);
      return stage.to(4500).move(1, "landing", 448, 5000 - 1500);
    };
    expect(rise(1)).toEqual(["correct teleport"]);
    expect(rise(12)).toEqual([]);
  });

  it("a slowed player falls at full speed", () => {
    const stage = pair();
    stage.to(4000).move(1, "landing", 448, 160);
    stage.world.setFactors(1, { speed: 0.1, jump: 1 }, stage.now);
    stage.to(10_000).move(1, "landing", 448, 160);
    expect(stage.to(12_000).move(1, "landing", 448, 160 + 1000)).toEqual([]);
  });

  it("a run before a soda ended is not a violation, however late it arrives", () => {
    const stage = pair();
    stage.world.setFactors(1, { speed: 2, jump: 1 }, stage.now);
    stage.move(1, "rightPress", 448, 160);
    stage.to(5000);
    stage.world.setFactors(1, { speed: 1, jump: 1 }, stage.now);
    // Six seconds, four of them at double speed, in a single message.
    expect(stage.to(7000).move(1, "rightRelease", 448 + 4 * 300 + 2 * 150, 160)).toEqual([]);
    expect(stage.to(8000).move(1, "rightPress", 1948, 160)).toEqual([]);
    // From then on the ordinary speed is the legal one.
    stage.to(12_000).move(1, "rightRelease", 2548, 160);
    stage.move(1, "rightPress", 2548, 160);
    expect(stage.to(22_000).move(1, "rightRelease", 2548 + 3000, 160)).toEqual(["correct unreachable"]);
  });

  it("factors must be positive, and their player known", () => {
    const { world } = pair();
    for (const factor of [0, -1, Number.NaN, Infinity]) {
      expect(() => world.setFactors(1, { speed: factor, jump: 1 }, 0)).toThrow(RangeError);
      expect(() => world.setFactors(1, { speed: 1, jump: factor }, 0)).toThrow(RangeError);
    }
    expect(() => world.setFactors(9, { speed: 1, jump: 1 }, 0)).toThrow(RangeError);
    expect(() => world.allowAnywhere(9, 0)).toThrow(RangeError);
    expect(() => world.warp(9, 1, 1, 1, 0)).toThrow(RangeError);
  });

  it("the next position may be anywhere, the one after may not", () => {
    const stage = pair();
    stage.to(4000);
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.to(9000).move(1, "landing", 20_000, 9000)).toEqual([]);
    expect(stage.received(2)).toEqual(["1 landing 20000 9000"]);
    expect(stage.move(1, "landing", 448, 160)).toEqual(["correct teleport"]);
    expect(stage.move(1, "leftPress", 20_000, 9000)).toEqual([]);
  });

  it("positions sent before the allowance do not use it up", () => {
    const stage = pair();
    stage.to(4000).move(1, "leftPress", 448, 160);
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.to(4300).move(1, "leftRelease", 410, 160)).toEqual([]);
    expect(stage.to(4400).move(1, "landing", 20_000, 9000)).toEqual([]);
    expect(stage.to(4500).move(1, "landing", 448, 160)).toEqual(["correct teleport"]);
  });

  it("an unused allowance does not wait for ever", () => {
    const stage = pair();
    stage.world.allowAnywhere(1, stage.now);
    stage.to(9000).move(1, "leftPress", 440, 160);
    expect(stage.to(9100).move(1, "landing", 20_000, 9000)).toEqual(["correct teleport"]);
  });

  it("a jump may be the position that is anywhere: its height is free then too", () => {
    const stage = pair();
    stage.to(4000);
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.move(1, "upPress", 20_000)).toEqual([]);
    expect(stage.to(4700).move(1, "landing", 20_050, 9000)).toEqual([]);
  });

  it("a player with an allowance is still shown to newcomers", () => {
    const stage = pair();
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.join(3).received(3)).toEqual(["1 landing 448 160"]);
  });

  it("a room or position that is not a u16 is refused, and nothing changes", () => {
    const stage = pair();
    for (const [room, x, y] of [
      [-1, 0, 0],
      [65_536, 0, 0],
      [1, -1, 0],
      [1, 0, 65_536],
      [1, 0.5, 0],
      [1, 0, Number.NaN],
    ] as const) {
      expect(() => stage.world.warp(1, room, x, y, stage.now)).toThrow(RangeError);
    }
    expect(stage.world.takeEffects()).toEqual([]);
  });
});
