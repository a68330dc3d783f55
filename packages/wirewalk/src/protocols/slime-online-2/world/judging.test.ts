import { describe, expect, it, test } from "vitest";
import { makeRoom } from "../maps/room.ts";
import { slimeMapsOf } from "../maps/slime-maps.ts";
import { pair, Stage } from "../testing/stage.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "../wire/codec.ts";
import type { Direction } from "../wire/direction.ts";
import { moveMessage } from "../wire/move-player.ts";

describe("positions", () => {
  it("the first one may be anywhere and is what the next is measured from ", () => {
    const stage = new Stage().join(1);
    expect(stage.move(1, "landing", 60_000, 9)).toEqual([]);
    stage.to(100);
    expect(stage.move(1, "rightPress", 448, 160)).toEqual(["correct teleport"]);
    expect(stage.move(1, "rightRelease", 60_010, 9)).toEqual([]);
  });

  it("(0, 0) to (1000, 1000) within a second is a teleport (standard 8.4)", () => {
    const stage = new Stage().join(1).join(2);
    stage.move(1, "landing", 0, 0);
    stage.to(1000).received(2);
    expect(stage.move(1, "leftPress", 1000, 1000)).toEqual(["correct teleport"]);
    // The key is believed, and the place is not.
    expect(stage.received(2)).toEqual(["1 leftPress 0 0"]);
    expect(stage.verdicts.at(-1)).toMatchObject({
      player: 1,
      room: "1",
      atMs: 1000,
      measured: Math.SQRT2 * 1000,
      unit: "px",
      message: slimeCodec("documented").write("client", moveMessage("leftPress", 1000, 1000)),
      stateBefore: { x: 0, y: 0, left: false, free: false, facing: "right", baseline: { x: 0, y: 0, atMs: 0 } },
    });
    expect(stage.verdicts.at(-1)?.allowed).toBeCloseTo(840.67, 2);
  });

  it("840 px/s is the limit in every direction (standard 8.4)", () => {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [0.6, 0.8],
    ] as const) {
      const at = (distance: number): [number, number] => [5000 + dx * distance, 5000 + dy * distance];
      const far = new Stage().join(1);
      far.move(1, "landing", ...at(0));
      // Past the time in which a late start is forgiven.
      far.to(3000).move(1, "landing", ...at(0));
      far.to(4000);
      const falls = dy > 0 && dx === 0;
      // A fall of that length takes three seconds, and four have passed.
      expect(far.move(1, "landing", ...at(1690))).toEqual(falls ? [] : ["correct teleport"]);
      if (falls) continue;
      // A second of travel was saved in the three that were spent standing. What is left is too fast for the game.
      expect(far.move(1, "landing", ...at(1680))).toEqual(["correct unreachable"]);
    }
  });

  it("jumping carries x alone, and |dx| is checked (standard E5)", () => {
    const stage = pair();
    expect(stage.move(1, "upPress", 448 + 1700)).toEqual(["correct teleport"]);
    expect(stage.move(1, "upPress", 448 - 270)).toEqual(["correct unreachable"]);
    expect(stage.move(1, "upPress", 448 - 230)).toEqual([]);
  });

  it("an honest run of ten seconds is not a teleport (standard 8.4)", () => {
    const stage = pair();
    expect(stage.move(1, "rightPress", 448, 160)).toEqual([]);
    stage.to(11_000);
    expect(stage.move(1, "rightRelease", 448 + 1500, 160)).toEqual([]);
    expect(stage.received(2)).toEqual(["1 rightPress 448 160", "1 rightRelease 1948 160"]);
  });

  it("nor is a connection that stalls, and delivers everything at once (standard 8.4)", () => {
    const stage = pair();
    stage.to(4000);
    // Two seconds of walking to and fro.
    for (let step = 0; step < 10; step++) {
      expect(stage.move(1, "rightPress", 448 + step * 15, 160)).toEqual([]);
      expect(stage.move(1, "rightRelease", 448 + step * 15 + 15, 160)).toEqual([]);
    }
  });

  it("a stall at the start is forgiven as far as full speed explains it", () => {
    const stage = new Stage().join(1).join(2).to(1500);
    stage.move(1, "landing", 448, 160);
    expect(stage.move(1, "rightPress", 448, 160)).toEqual([]);
    expect(stage.move(1, "rightRelease", 648, 160)).toEqual([]);
    expect(stage.received(2)).toHaveLength(3);
    // Beyond that it is a teleport.
    expect(stage.move(1, "rightPress", 1248, 160)).toEqual(["correct teleport"]);
  });

  it("a position that is missing, or should not be there, is refused before anything else (standard 8.1)", () => {
    const stage = pair();
    const bare = { message: "movePlayer", value: { code: 1, direction: "leftPress" } } as const;
    stage.world.receive(1, bare, new Uint8Array(), stage.now);
    const extra = { message: "movePlayer", value: { code: 7, direction: "upRelease", x: 1, y: 1 } } as const;
    stage.world.receive(1, extra, new Uint8Array(), stage.now);
    stage.settle();
    expect(stage.verdicts).toMatchObject([
      { kind: "reject", rule: "position", measured: 0, allowed: 2, unit: "coordinates" },
      { kind: "reject", rule: "position", measured: 2, allowed: 0 },
    ]);
    expect(stage.received(2)).toEqual([]);
  });
});

describe("a correction carries the place that the server believes, before any penalty", () => {
  it("in the document's dialects by a landing with the receiver's own id", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.to(1500).received(2);
    stage.move(1, "rightRelease", 9000, 9000);
    expect(stage.received(1)).toEqual(["1 landing 517 160"]);
    // Nobody sees the key held on.
    expect(stage.received(2)).toEqual(["1 rightRelease 517 160"]);
  });

  it("in v0106 by POSITION with the key flags", () => {
    const stage = pair({ dialect: "v0106" });
    stage.move(1, "rightPress", 448, 160);
    stage.received(2);
    stage.move(1, "rightRelease", 9000, 9000);
    const keys = { left: false, right: true, up: false, down: false, upPress: false };
    const value = { kind: "correction", playerId: 1, x: 448, y: 160, ...keys };
    expect(stage.received(1)).toEqual([{ message: "position", value }]);
    expect(stage.received(2)).toEqual(["1 rightRelease 448 160"]);
  });
});

describe("others see a player as far as it can have got in the time (standard 8.6.3)", () => {
  /** Where others see one that runs so many times too fast, each 250 ms: how far beyond 150 px/s. */
  function aheadOf(factor: number): { readonly most: number; readonly stage: Stage } {
    const stage = new Stage({ dialect: "v0106" }).join(1).join(2);
    const answer = (): void => {
      const isPing = (message: string | SlimeServerMessage): boolean =>
        typeof message !== "string" && message.message === "ping";
      for (const _ of stage.received(1).filter(isPing)) stage.send(1, { message: "ping", value: {} });
    };
    stage.to(50);
    answer();
    stage.move(1, "landing", 448, 160);
    stage.to(1000);
    const startMs = stage.now;
    let most = 0;
    stage.move(1, "rightPress", 448, 160);
    for (let step = 1; step <= 16; step++) {
      stage.to(startMs + step * 250);
      answer();
      const way = step * 37.5;
      const x = 448 + Math.round(way * factor);
      stage.move(1, "rightRelease", x, 160);
      stage.move(1, "rightPress", x, 160);
      most = Math.max(most, (stage.world.tracks(stage.now)[0]?.position.x ?? 0) - 448 - way);
    }
    return { most, stage };
  }

  it("an honest one where it says that it is", () => {
    const { most, stage } = aheadOf(1);
    expect(stage.verdicts).toEqual([]);
    expect(Math.abs(most)).toBeLessThan(1);
  });

  it("one that gains less than is refused no more than 48 px ahead, and without a word to its client", () => {
    const { most, stage } = aheadOf(1.12);
    expect(stage.verdicts).toEqual([]);
    expect(most).toBeGreaterThan(20);
    expect(most).toBeLessThanOrEqual(48);
    const corrections = stage.effects.filter((each) => each.effect === "send" && each.message.message === "position");
    expect(corrections).toEqual([]);
  });

  it("and where it is once the time for its way has passed", () => {
    const { stage } = aheadOf(1.12);
    stage.move(1, "rightRelease", 448 + 672, 160);
    expect(stage.world.tracks(stage.now)[0]?.position.x).toBeLessThan(448 + 652);
    stage.to(stage.now + 3000).move(1, "leftPress", 448 + 672, 160);
    expect(stage.world.tracks(stage.now)[0]?.position.x).toBe(448 + 672);
  });
});

it("a corrected player is shown where the server put it, standing", () => {
  const stage = pair();
  stage.move(1, "upPress", 448);
  stage.to(1100).move(1, "landing", 9000, 9000);
  expect(stage.world.tracks(1200)[0]).toMatchObject({ position: { x: 448, y: 160 }, velocity: { x: 0, y: 0 } });
});

describe("a refused message changes nothing and is not relayed (standard 8.1)", () => {
  const script: [number, Direction, number?, number?][] = [
    [1100, "rightPress", 448, 160],
    [1500, "upPress", 500],
    [1560, "leftPressAir"],
    [2200, "landing", 600, 160],
    [2400, "leftReleaseAir"],
    [2600, "rightReleaseAir"],
  ];
  const refusals: [string, string, [Direction, number?, number?]][] = [
    ["a key pressed twice", "reject transition", ["rightPress", 448, 160]],
    ["a key released that is up", "reject transition", ["leftRelease", 448, 160]],
    ["a teleport", "correct teleport", ["landing", 9000, 9000]],
    ["a teleport by jumping", "correct teleport", ["upPress", 9000]],
    // Both at once: the position is judged first.
    ["a teleport with a key that is down", "correct teleport", ["rightPress", 9000, 160]],
  ];

  test.each(refusals)("%s", (_, verdict, refused) => {
    const plain = pair();
    const tried = pair();
    const [[firstMs, ...first]] = script as [[number, Direction, number?, number?]];
    for (const stage of [plain, tried]) stage.to(firstMs).move(1, ...first);
    expect(tried.received(2)).toEqual(plain.received(2));
    expect(tried.move(1, ...refused)).toEqual([verdict]);
    expect(tried.picture()).toEqual(plain.picture());
    for (const [ms, ...move] of script.slice(1)) {
      expect(tried.to(ms).move(1, ...move)).toEqual(plain.to(ms).move(1, ...move));
      expect(tried.picture()).toEqual(plain.picture());
      expect(tried.received(2)).toEqual(plain.received(2));
    }
  });

  it("a client that runs too fast is corrected, and others see it where its keys have taken it (standard 8.6)", () => {
    const stage = pair();
    stage.to(5000).move(1, "rightPress", 448, 160);
    stage.received(2);
    // 1.1 times the running speed; keys often enough that no silence may have been a stall.
    for (let tenth = 1; tenth <= 400; tenth++) {
      const claimed = 448 + Math.round(tenth * 16.5);
      stage.to(5000 + tenth * 100).move(1, "rightRelease", claimed, 160);
      stage.move(1, "rightPress", claimed, 160);
      const seen = stage.received(2).map((message) => Number(String(message).split(" ")[2]));
      expect(seen).toHaveLength(2);
      if (tenth < 100) continue;
      const aheadPx = Math.max(...seen) - 448 - 15 * tenth;
      // It is where its keys have taken it, and catches up by the tolerance and by what is forgiven at most.
      expect(Math.abs(aheadPx)).toBeLessThan(140);
    }
    expect(
      new Set(stage.verdicts.filter(({ kind }) => kind !== "benign").map(({ kind, rule }) => `${kind} ${rule}`)),
    ).toEqual(new Set(["correct unreachable"]));
  });

  it("and is not flagged: a flag is for a relayed message", () => {
    const stage = pair({ enforcement: "log" });
    stage.move(1, "rightPress", 448, 160);
    stage.to(1100);
    // Too fast for the game, not for the document, and the key is down already.
    expect(stage.move(1, "rightPress", 448 + 700, 160)).toEqual(["reject transition"]);
    expect(stage.move(1, "rightRelease", 448 + 700, 160)).toEqual(["flag unreachable"]);
  });
});

describe("keys and ground", () => {
  it("the key rule comes first, then the ground: for left, right, up and down alike (standard E3, E4)", () => {
    for (const [press, x, y] of [
      ["leftPress", 448, 160],
      ["rightPress", 448, 160],
      ["upPress", 448, undefined],
      ["downPress", undefined, undefined],
    ] as const) {
      const stage = pair();
      expect(stage.move(1, press, x, y)).toEqual([]);
      expect(stage.move(1, press, x, y)).toEqual(["reject transition"]);
      expect(stage.verdicts.at(-1)?.reason).toMatch(/already pressed$/);
    }
    const stage = pair();
    expect(stage.move(1, "leftReleaseAir")).toEqual(["reject transition"]);
    expect(stage.verdicts.at(-1)?.reason).toBe("Left not pressed");
    expect(stage.move(1, "rightRelease", 448, 160)).toEqual(["reject transition"]);
  });

  it("up and down released twice are benign (standard E4)", () => {
    const stage = pair();
    expect(stage.move(1, "upRelease")).toEqual(["benign released-twice"]);
    expect(stage.move(1, "downRelease")).toEqual(["benign released-twice"]);
    expect(stage.received(2)).toEqual(["1 upRelease", "1 downRelease"]);
  });

  it("an air code on the ground: walked off an edge (standard 8.5)", () => {
    const stage = pair();
    expect(stage.move(1, "leftPressAir")).toEqual(["benign walked-off"]);
    expect(stage.received(2)).toEqual(["1 leftPressAir"]);
    // In the air now: another air code is ordinary.
    expect(stage.move(1, "leftReleaseAir")).toEqual([]);
  });

  it("a ground code in the air: landed without a message (standard 8.5)", () => {
    for (const [direction, before] of [
      ["leftPress", undefined],
      ["rightPress", undefined],
      ["leftRelease", "leftPressAir"],
      ["rightRelease", "rightPressAir"],
    ] as const) {
      const stage = pair();
      stage.move(1, "upPress", 448);
      if (before !== undefined) stage.move(1, before);
      expect(stage.move(1, direction, 448, 160)).toEqual(["benign landing-missing"]);
      expect(stage.received(2).at(-1)).toBe(`1 ${direction} 448 160`);
      stage.move(1, "upRelease");
      expect(stage.move(1, "upPress", 448)).toEqual([]);
    }
  });

  it("up in the air is refused, and no violation (standard 8.5)", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.move(1, "upRelease");
    stage.received(2);
    const before = stage.picture();
    expect(stage.move(1, "upPress", 448)).toEqual(["benign up-in-air"]);
    expect(stage.received(2)).toEqual([]);
    expect(stage.picture()).toEqual(before);
  });

  it("in water it holds the key and does not jump (standard 8.5)", () => {
    const water = makeRoom({
      room: 1,
      title: "Water",
      width: 960,
      height: 480,
      solids: [],
      water: [{ x: 0, y: 100, w: 960, h: 380 }],
    });
    const stage = new Stage({ maps: slimeMapsOf("water", [water]) }).join(1).join(2);
    stage.move(1, "landing", 448, 200);
    stage.move(1, "leftPressAir");
    expect(stage.move(1, "upPress", 448)).toEqual([]);
    expect(stage.received(2).at(-1)).toBe("1 upPress 448");
    const [track] = stage.world.tracks(stage.now);
    expect(track?.details).toMatchObject({ up: true, upPress: false });
    // And keeps sinking: a jump would rise at 270 px/s.
    expect(stage.world.tracks(stage.now + 100)[0]?.velocity.y).toBeGreaterThan(-61);
  });

  it("a player that sinks into water swims there, without a message", () => {
    // A pier, and water beside it.
    const pier = makeRoom({
      room: 1,
      title: "Pier",
      width: 960,
      height: 480,
      solids: [{ x: 0, y: 200, w: 400, h: 20 }],
      water: [{ x: 401, y: 210, w: 559, h: 270 }],
    });
    const stage = new Stage({ maps: slimeMapsOf("pier", [pier]), landing: "ballistic" }).join(1);
    stage.move(1, "landing", 390, 200);
    stage.move(1, "rightPress", 390, 200);
    // Off the pier and above the water by now.
    expect(stage.to(170).move(1, "leftPressAir")).toEqual(["benign walked-off"]);
    expect(stage.to(2500).move(1, "upPress", 420)).toEqual([]);
  });

  it("landing is always legal (standard 8.5)", () => {
    const stage = pair();
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    stage.move(1, "upPress", 448);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
  });

  it("a second jump works, with a landing or without (standard E9)", () => {
    for (const lands of [true, false]) {
      const stage = pair();
      for (let jump = 0; jump < 3; jump++) {
        const startMs = 2000 + jump * 1000;
        expect(stage.to(startMs).move(1, "upPress", 448)).toEqual([]);
        expect(stage.to(startMs + 50).world.tracks(startMs + 50)[0]?.velocity.y).toBeLessThan(-200);
        expect(stage.to(startMs + 60).move(1, "upRelease")).toEqual([]);
        stage.to(startMs + 700);
        if (lands) expect(stage.move(1, "landing", 448, 160)).toEqual([]);
      }
    }
  });

  it("the press is consumed by the jump (standard E10)", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    expect(stage.world.tracks(stage.now)[0]?.details).toMatchObject({ up: true, upPress: false });
  });

  it("facing starts right, follows the pressed key, and the key still held (standard E11)", () => {
    const stage = pair();
    const facing = (): number | undefined => stage.world.tracks(stage.now)[0]?.facingTurns;
    expect(facing()).toBe(0);
    stage.move(1, "leftPress", 448, 160);
    expect(facing()).toBe(0.5);
    stage.move(1, "rightPress", 448, 160);
    expect(facing()).toBe(0);
    stage.move(1, "rightRelease", 448, 160);
    expect(facing()).toBe(0.5);
    stage.move(1, "leftRelease", 448, 160);
    expect(facing()).toBe(0.5);
  });

  it("strict applies the document's rule as printed (standard 8.5)", () => {
    const stage = pair({ strict: true });
    expect(stage.move(1, "leftPressAir")).toEqual(["reject transition"]);
    expect(stage.verdicts.at(-1)?.reason).toBe("Air move while on ground");
    stage.move(1, "upPress", 448);
    expect(stage.move(1, "leftPress", 448, 160)).toEqual(["reject transition"]);
    expect(stage.verdicts.at(-1)?.reason).toBe("Ground move while in air");
    stage.move(1, "upRelease");
    expect(stage.move(1, "upPress", 448)).toEqual(["reject transition"]);
    expect(stage.move(1, "leftPressAir")).toEqual([]);
    expect(stage.received(2)).toEqual(["1 upPress 448", "1 upRelease", "1 leftPressAir"]);
  });

  it.each([0, 10_000])("strict takes exactly 60 messages in any second, %i ms after the join (standard 8.2)", (ms) => {
    const passed = (strict: boolean): number => {
      const stage = new Stage({ strict }).join(1).to(ms);
      let count = 0;
      for (let at = 0; at < 75; at += 1) {
        stage.to(ms + at * 5);
        if (!stage.move(1, at % 2 === 0 ? "downPress" : "downRelease").includes("reject rate-limit")) count += 1;
      }
      return count;
    };
    expect(passed(true)).toBe(60);
    expect(passed(false)).toBeGreaterThan(60);
  });

  it("strict refuses what the document's teleport rule refuses, whatever a stall explains (standard 8.4)", () => {
    const ranAndLanded = (strict: boolean): readonly string[] => {
      const stage = new Stage({ strict }).join(1);
      stage.move(1, "landing", 2000, 160);
      // A press and where it led come at once, as after a stall of 6 s.
      stage.to(10_000).move(1, "leftPress", 2000, 160);
      return stage.move(1, "landing", 2000 - 880, 160);
    };
    expect(ranAndLanded(true)).toEqual(["correct teleport"]);
    expect(ranAndLanded(false)).toEqual([]);
  });
});

describe("chat (standard 8.9.1)", () => {
  const say = (text: string): SlimeClientMessage => ({ message: "chat", value: { text } });

  it("is one message a second, and twenty at once", () => {
    const stage = pair({ dialect: "v0106" });
    for (let index = 0; index < 20; index++) expect(stage.send(1, say("hello"))).toEqual([]);
    expect(stage.send(1, say("hello"))).toEqual(["reject chat-rate"]);
    expect(stage.received(2)).toHaveLength(20);
    expect(stage.to(stage.now + 1000).send(1, say("hello"))).toEqual([]);
    expect(stage.send(1, say("hello"))).toEqual(["reject chat-rate"]);
    // Each player has its own.
    expect(stage.send(2, say("hello"))).toEqual([]);
  });

  it("costs as much as several messages where it is long", () => {
    const stage = pair({ dialect: "v0106" });
    expect(stage.send(1, say("a".repeat(1000)))).toEqual([]);
    expect(stage.send(1, say("a".repeat(1000)))).toEqual([]);
    expect(stage.send(1, say("a"))).toEqual(["reject chat-rate"]);
    expect(stage.to(stage.now + 9000).send(1, say("a".repeat(1000)))).toEqual(["reject chat-rate"]);
    expect(stage.to(stage.now + 1000).send(1, say("a".repeat(1000)))).toEqual([]);
  });
});

describe("the rate of messages (standard 8.2)", () => {
  it("sixty within a second pass, the sixty-first is refused and not remembered", () => {
    const stage = pair();
    const tap = (index: number): string[] => stage.move(1, index % 2 === 0 ? "downPress" : "downRelease");
    for (let index = 0; index < 60; index++) expect(tap(index)).toEqual([]);
    expect(stage.received(2)).toHaveLength(60);
    const before = stage.picture();
    for (let index = 0; index < 200; index++) expect(tap(index)).toEqual(["reject rate-limit"]);
    expect(stage.verdicts.at(-1)).toMatchObject({ measured: 61, allowed: 60, unit: "messages/s" });
    expect(stage.received(2)).toEqual([]);
    expect(stage.picture()).toEqual(before);
    stage.now += 1000;
    expect(tap(0)).toEqual([]);
    // A flood is not a reason for a ban.
    expect(stage.of("ban")).toEqual([]);
  });

  it("comes before the position: a flood of teleports is a flood", () => {
    const stage = pair();
    for (let index = 0; index < 60; index++) stage.move(1, index % 2 === 0 ? "downPress" : "downRelease");
    expect(stage.move(1, "landing", 9000, 9000)).toEqual(["reject rate-limit"]);
  });

  it("counts everything that is relayed", () => {
    const stage = pair({ dialect: "v0106", limits: { chatEveryMs: 1 } });
    const chat: SlimeClientMessage = { message: "chat", value: { text: "hi" } };
    for (let index = 0; index < 60; index++) expect(stage.send(1, chat)).toEqual([]);
    expect(stage.send(1, chat)).toEqual(["reject rate-limit"]);
    expect(stage.send(1, { message: "warp", value: { room: 2, x: 1, y: 1 } })).toEqual(["reject rate-limit"]);
    expect(stage.send(1, { message: "playerStop", value: { x: 448, y: 160 } })).toEqual(["reject rate-limit"]);
    expect(stage.received(2)).toHaveLength(60);
    expect(stage.world.rooms()).toEqual(new Map([["1", 2]]));
    // Each player has its own limit.
    expect(stage.send(2, chat)).toEqual([]);
  });
});
