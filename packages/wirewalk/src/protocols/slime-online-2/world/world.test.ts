import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { PlayerId, Verdict } from "../../../motion/index.ts";
import { ByteReader } from "../../../wire/index.ts";
import type { Effect, Joining } from "../../world.ts";
import { demoRoom } from "../movement/demo-rooms.ts";
import { rectangleRoom } from "../movement/geometry.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "../wire/codec.ts";
import { type SlimeDialect, slimeDialects } from "../wire/dialect.ts";
import { type Direction, directions } from "../wire/direction.ts";
import { moveMessage } from "../wire/move-player.ts";
import { banDurationMs } from "./anti-cheat.ts";
import { SlimeWorld, type SlimeWorldOptions } from "./world.ts";

type Options = Partial<SlimeWorldOptions> & { dialect?: SlimeDialect };

/** A world with somebody at every end: what is said goes in, and what each player hears is written down. */
class Stage {
  readonly world: SlimeWorld;
  readonly dialect: SlimeDialect;
  now = 0;
  /** Everything since the start, in order. */
  readonly effects: Effect<SlimeServerMessage>[] = [];
  readonly #heard = new Map<PlayerId, SlimeServerMessage[]>();
  readonly #rooms = new Map<PlayerId, string>();

  constructor(options: Options = {}) {
    this.dialect = options.dialect ?? "documented";
    this.world = new SlimeWorld({ seed: 1, ...options, dialect: this.dialect });
  }

  /** Lets time pass, with the ticks that a server would make. */
  to(ms: number): this {
    while (this.now + this.world.tickMs <= ms) {
      this.now += this.world.tickMs;
      this.world.tick(this.now);
      this.settle();
    }
    this.now = ms;
    return this;
  }

  join(id: PlayerId, joining: Partial<Joining> = {}): this {
    this.world.join(id, { account: `account${id}`, name: `player${id}`, ...joining }, this.now);
    this.settle();
    return this;
  }

  leave(id: PlayerId): this {
    this.world.leave(id, this.now);
    this.settle();
    return this;
  }

  /** A move. Gives the verdicts on it, in short. */
  move(id: PlayerId, direction: Direction, x?: number, y?: number): string[] {
    return this.say(id, moveMessage(direction, x, y));
  }

  say(id: PlayerId, message: SlimeClientMessage): string[] {
    const before = this.effects.length;
    this.world.receive(id, message, slimeCodec(this.dialect).write("client", message), this.now);
    this.settle();
    return this.effects
      .slice(before)
      .flatMap((effect) => (effect.effect === "verdict" ? [`${effect.verdict.kind} ${effect.verdict.rule}`] : []));
  }

  refresh(id: PlayerId): this {
    this.world.refresh(id, this.now);
    this.settle();
    return this;
  }

  settle(): void {
    for (const effect of this.world.takeEffects()) {
      this.effects.push(effect);
      if (effect.effect === "enter") this.#rooms.set(effect.player, effect.room);
      if (effect.effect === "exit") this.#rooms.delete(effect.player);
      if (effect.effect === "send") this.#hear(effect.to, effect.message);
      if (effect.effect === "broadcast") {
        for (const [id, room] of this.#rooms) {
          if (room === effect.room && id !== effect.except) this.#hear(id, effect.message);
        }
      }
    }
  }

  #hear(id: PlayerId, message: SlimeServerMessage): void {
    // Whatever a world says must have bytes.
    const bytes = slimeCodec(this.dialect).write("server", message);
    expect(slimeCodec(this.dialect).read("server", bytes)).toEqual(message);
    const heard = this.#heard.get(id) ?? [];
    this.#heard.set(id, heard);
    heard.push(message);
  }

  /** What a player has heard since the last time, moves in short. */
  heard(id: PlayerId): (string | SlimeServerMessage)[] {
    const heard = this.#heard.get(id) ?? [];
    this.#heard.delete(id);
    return heard.map((message) => {
      if (message.message !== "movePlayer") return message;
      const { playerId, direction, x, y } = message.value;
      return [playerId, direction, x, y].filter((part) => part !== undefined).join(" ");
    });
  }

  get verdicts(): Verdict[] {
    return this.effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
  }

  of<E extends Effect["effect"]>(kind: E): Extract<Effect<SlimeServerMessage>, { effect: E }>[] {
    return this.effects.filter((effect) => effect.effect === kind) as never;
  }

  /** All of a world that can be seen: tracks, rooms, and what somebody who came now would be told by each. */
  picture(): unknown {
    const { world, now } = this;
    const tracks = world.tracks(now);
    world.takeEffects();
    for (const { player } of tracks) world.refresh(player, now);
    return { tracks, rooms: [...world.rooms()], told: world.takeEffects() };
  }
}

/** Player 1 stands at (448, 160), player 2 listens. */
function pair(options: Options = {}): Stage {
  const stage = new Stage(options).join(1).join(2);
  stage.move(1, "landing", 448, 160);
  stage.to(1000).heard(1);
  stage.heard(2);
  return stage;
}

describe("movement is broadcast", () => {
  it("test_movement_broadcast, the document's own", () => {
    const stage = new Stage().join(1, { room: "1" }).join(2, { room: "1" });
    stage.move(1, "rightPress", 100, 100);
    const [message] = stage.heard(2);
    expect(message).toBe("1 rightPress 100 100");
    const [broadcast] = stage.of("broadcast");
    const reader = new ByteReader(slimeCodec("documented").write("server", broadcast?.message as SlimeServerMessage));
    expect(reader.u16be()).toBe(8);
    expect(reader.u16le()).toBe(1);
    expect(reader.u8()).toBe(2);
    expect(reader.u16le()).toBe(100);
    expect(reader.u16le()).toBe(100);
    expect(stage.heard(1)).toEqual([]);
  });

  it("once for all in the room but the sender, and to nobody in another room", () => {
    const stage = new Stage().join(1).join(2).join(3).join(4, { room: "2" });
    stage.move(1, "leftPress", 100, 100);
    expect(stage.of("broadcast")).toHaveLength(1);
    expect(stage.heard(2)).toEqual(["1 leftPress 100 100"]);
    expect(stage.heard(3)).toEqual(["1 leftPress 100 100"]);
    expect(stage.heard(1)).toEqual([]);
    expect(stage.heard(4)).toEqual([]);
  });

  it("in the sender's order, all thirteen codes", () => {
    const stage = pair();
    const said: [Direction, number?, number?][] = [
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
    for (const move of said) expect(stage.move(1, ...move)).toEqual([]);
    expect(stage.heard(2)).toEqual(said.map((move) => ["1", ...move].join(" ")));
    expect(stage.heard(1)).toEqual([]);
  });

  it("a player nobody knows is ignored", () => {
    const stage = pair();
    stage.move(9, "leftPress", 1, 1);
    stage.leave(9).refresh(9);
    expect(stage.heard(2)).toEqual([]);
  });
});

describe("positions", () => {
  it("the first one may be anywhere and is what the next is measured from (issue)", () => {
    const stage = new Stage().join(1);
    expect(stage.move(1, "landing", 60_000, 9)).toEqual([]);
    stage.to(100);
    expect(stage.move(1, "rightPress", 448, 160)).toEqual(["correct teleport"]);
    expect(stage.move(1, "rightPress", 60_010, 9)).toEqual([]);
  });

  it("(0, 0) to (1000, 1000) within a second is a teleport (V5)", () => {
    const stage = new Stage().join(1).join(2);
    stage.move(1, "landing", 0, 0);
    stage.to(1000).heard(2);
    expect(stage.move(1, "leftPress", 1000, 1000)).toEqual(["correct teleport"]);
    expect(stage.heard(2)).toEqual([]);
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

  it("840 px/s is the limit in every direction (V6)", () => {
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
      expect(far.move(1, "landing", ...at(1690))).toEqual(["correct teleport"]);
      // A second of travel was saved in the three that were spent standing.
      expect(far.move(1, "landing", ...at(1680))).not.toContain("correct teleport");
    }
  });

  it("jumping carries x alone, and |dx| is checked (V3)", () => {
    const stage = pair();
    expect(stage.move(1, "upPress", 448 + 1700)).toEqual(["correct teleport"]);
    expect(stage.move(1, "upPress", 448 - 448)).toEqual([]);
  });

  it("an honest run of ten seconds is no teleport (V5)", () => {
    const stage = pair();
    expect(stage.move(1, "rightPress", 448, 160)).toEqual([]);
    stage.to(11_000);
    expect(stage.move(1, "rightRelease", 448 + 1500, 160)).toEqual([]);
    expect(stage.heard(2)).toEqual(["1 rightPress 448 160", "1 rightRelease 1948 160"]);
  });

  it("neither is a connection that stalls, and delivers everything at once (V5)", () => {
    const stage = pair();
    stage.to(4000);
    // Two seconds of walking to and fro.
    for (let step = 0; step < 10; step++) {
      expect(stage.move(1, "rightPress", 448 + step * 15, 160)).toEqual([]);
      expect(stage.move(1, "rightRelease", 448 + step * 15 + 15, 160)).toEqual([]);
    }
  });

  it("a stall right at the start is forgiven as far as full speed explains it", () => {
    const stage = new Stage().join(1).join(2);
    stage.move(1, "landing", 448, 160);
    expect(stage.move(1, "rightPress", 448, 160)).toEqual([]);
    expect(stage.move(1, "rightRelease", 648, 160)).toEqual(["benign late-start"]);
    expect(stage.heard(2)).toHaveLength(3);
    // What it does not explain is a teleport all the same.
    expect(stage.move(1, "rightPress", 1248, 160)).toEqual(["correct teleport"]);
  });

  it("a position that is missing, or should not be there, is refused before anything else (V7)", () => {
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
    expect(stage.heard(2)).toEqual([]);
  });
});

describe("a correction tells the client where the server believes it is, before any penalty", () => {
  it("in the document's dialects by a landing with the receiver's own id", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.to(1500).heard(2);
    stage.move(1, "rightRelease", 9000, 9000);
    expect(stage.heard(1)).toEqual(["1 landing 448 160"]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("in v0106 by POSITION with the key flags", () => {
    const stage = pair({ dialect: "v0106" });
    stage.move(1, "rightPress", 460, 160);
    stage.heard(2);
    stage.move(1, "rightRelease", 9000, 9000);
    const keys = { left: false, right: true, up: false, down: false, upPress: false };
    const value = { kind: "correction", playerId: 1, x: 460, y: 160, ...keys };
    expect(stage.heard(1)).toEqual([{ message: "position", value }]);
    expect(stage.heard(2)).toEqual([]);
  });
});

it("who is corrected is shown where the server put it, standing", () => {
  const stage = pair();
  stage.move(1, "upPress", 448);
  stage.to(1100).move(1, "landing", 9000, 9000);
  expect(stage.world.tracks(1200)[0]).toMatchObject({ position: { x: 448, y: 160 }, velocity: { x: 0, y: 0 } });
});

describe("a refused message changes nothing and is relayed to nobody (V7)", () => {
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
    // Both at once: the position is looked at first.
    ["a teleport with a key that is down", "correct teleport", ["rightPress", 9000, 160]],
  ];

  test.each(refusals)("%s", (_, verdict, refused) => {
    const plain = pair();
    const tried = pair();
    const [[firstMs, ...first]] = script as [[number, Direction, number?, number?]];
    for (const stage of [plain, tried]) stage.to(firstMs).move(1, ...first);
    expect(tried.heard(2)).toEqual(plain.heard(2));
    expect(tried.move(1, ...refused)).toEqual([verdict]);
    expect(tried.picture()).toEqual(plain.picture());
    for (const [ms, ...move] of script.slice(1)) {
      expect(tried.to(ms).move(1, ...move)).toEqual(plain.to(ms).move(1, ...move));
      expect(tried.picture()).toEqual(plain.picture());
      expect(tried.heard(2)).toEqual(plain.heard(2));
    }
  });

  it("and nothing is flagged of it: a flag is for what was relayed", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.to(1100);
    // Too fast for the game, not for the document, and the key is down already.
    expect(stage.move(1, "rightPress", 448 + 700, 160)).toEqual(["reject transition"]);
    expect(stage.move(1, "rightRelease", 448 + 700, 160)).toEqual(["flag axis-speed"]);
  });
});

describe("keys and ground", () => {
  it("the key rule comes first, then the ground: for left, right, up and down alike (V1, V2)", () => {
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

  it("up and down released twice are benign (V2)", () => {
    const stage = pair();
    expect(stage.move(1, "upRelease")).toEqual(["benign released-twice"]);
    expect(stage.move(1, "downRelease")).toEqual(["benign released-twice"]);
    expect(stage.heard(2)).toEqual(["1 upRelease", "1 downRelease"]);
  });

  it("an air code on the ground: walked off an edge (S1)", () => {
    const stage = pair();
    expect(stage.move(1, "leftPressAir")).toEqual(["benign walked-off"]);
    expect(stage.heard(2)).toEqual(["1 leftPressAir"]);
    // In the air now: another air code is ordinary.
    expect(stage.move(1, "leftReleaseAir")).toEqual([]);
  });

  it("a ground code in the air: landed without a word (S1)", () => {
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
      expect(stage.heard(2).at(-1)).toBe(`1 ${direction} 448 160`);
      stage.move(1, "upRelease");
      expect(stage.move(1, "upPress", 448)).toEqual([]);
    }
  });

  it("up in the air is refused, without blame (S1)", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.move(1, "upRelease");
    stage.heard(2);
    const before = stage.picture();
    expect(stage.move(1, "upPress", 448)).toEqual(["benign up-in-air"]);
    expect(stage.heard(2)).toEqual([]);
    expect(stage.picture()).toEqual(before);
  });

  it("in water it holds the key and does not jump (S1)", () => {
    const water = rectangleRoom({ width: 960, height: 480, water: [{ x: 0, y: 100, w: 960, h: 380 }] });
    const stage = new Stage({ geometry: () => water }).join(1).join(2);
    stage.move(1, "landing", 448, 200);
    stage.move(1, "leftPressAir");
    expect(stage.move(1, "upPress", 448)).toEqual([]);
    expect(stage.heard(2).at(-1)).toBe("1 upPress 448");
    const [track] = stage.world.tracks(stage.now);
    expect(track?.details).toMatchObject({ up: true, upPress: false });
    // And keeps sinking: a jump would rise at 270 px/s.
    expect(stage.world.tracks(stage.now + 100)[0]?.velocity.y).toBeGreaterThan(-61);
  });

  it("whoever sinks into water swims there, though no message said so", () => {
    // A pier, and water beside it.
    const pier = rectangleRoom({
      width: 960,
      height: 480,
      solids: [{ x: 0, y: 200, w: 400, h: 20 }],
      water: [{ x: 401, y: 210, w: 559, h: 270 }],
    });
    const stage = new Stage({ geometry: () => pier, landing: "ballistic" }).join(1);
    stage.move(1, "landing", 390, 200);
    stage.move(1, "rightPress", 390, 200);
    // Off the pier and above the water by now.
    expect(stage.to(170).move(1, "leftPressAir")).toEqual(["benign walked-off"]);
    expect(stage.to(2500).move(1, "upPress", 420)).toEqual([]);
  });

  it("landing is always legal (S2)", () => {
    const stage = pair();
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    stage.move(1, "upPress", 448);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
  });

  it("a second jump works, with a landing or without (S3, S4)", () => {
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

  it("the press is consumed by the jump (S5)", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    expect(stage.world.tracks(stage.now)[0]?.details).toMatchObject({ up: true, upPress: false });
  });

  it("facing starts right, follows the pressed key, and the key still held (S6)", () => {
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

  it("strict takes the document's rule as it stands (S1)", () => {
    const stage = pair({ strict: true });
    expect(stage.move(1, "leftPressAir")).toEqual(["reject transition"]);
    expect(stage.verdicts.at(-1)?.reason).toBe("Air move while on ground");
    stage.move(1, "upPress", 448);
    expect(stage.move(1, "leftPress", 448, 160)).toEqual(["reject transition"]);
    expect(stage.verdicts.at(-1)?.reason).toBe("Ground move while in air");
    stage.move(1, "upRelease");
    expect(stage.move(1, "upPress", 448)).toEqual(["reject transition"]);
    expect(stage.move(1, "leftPressAir")).toEqual([]);
    expect(stage.heard(2)).toEqual(["1 upPress 448", "1 upRelease", "1 leftPressAir"]);
  });
});

describe("landing detection (S7, S9)", () => {
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

  it("silent for more than 100 ms in the air is taken to be on the ground, and no sooner", () => {
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

  it("is looked for before each message too", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.move(1, "upRelease");
    stage.now += 101;
    // Without a tick: still the jump is legal.
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

  it("a message that says nothing of the ground leaves it assumed", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    stage.to(1200);
    expect(stage.move(1, "upRelease")).toEqual([]);
    expect(stage.move(1, "downPress")).toEqual([]);
    expect(stage.move(1, "rightPressAir")).toEqual([]);
  });

  it("is assumed in strict worlds too: the guess is ours", () => {
    const stage = pair({ strict: true });
    stage.move(1, "upPress", 448);
    expect(stage.to(1200).move(1, "leftPressAir")).toEqual([]);
  });

  it("ballistic: in the air for the 683 ms of a jump, whoever is silent", () => {
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

describe("the rate of messages (R1)", () => {
  it("sixty within a second pass, the sixty-first is refused and not remembered", () => {
    const stage = pair();
    const tap = (index: number): string[] => stage.move(1, index % 2 === 0 ? "downPress" : "downRelease");
    for (let index = 0; index < 60; index++) expect(tap(index)).toEqual([]);
    expect(stage.heard(2)).toHaveLength(60);
    const before = stage.picture();
    for (let index = 0; index < 200; index++) expect(tap(index)).toEqual(["reject rate-limit"]);
    expect(stage.verdicts.at(-1)).toMatchObject({ measured: 61, allowed: 60, unit: "messages/s" });
    expect(stage.heard(2)).toEqual([]);
    expect(stage.picture()).toEqual(before);
    stage.now += 1000;
    expect(tap(0)).toEqual([]);
    // A flood is nothing that somebody is banned for.
    expect(stage.of("ban")).toEqual([]);
  });

  it("comes before the position: a flood of teleports is a flood", () => {
    const stage = pair();
    for (let index = 0; index < 60; index++) stage.move(1, index % 2 === 0 ? "downPress" : "downRelease");
    expect(stage.move(1, "landing", 9000, 9000)).toEqual(["reject rate-limit"]);
  });

  it("counts whatever is passed on to others", () => {
    const stage = pair({ dialect: "v0106" });
    const chat: SlimeClientMessage = { message: "chat", value: { text: "hi" } };
    for (let index = 0; index < 60; index++) expect(stage.say(1, chat)).toEqual([]);
    expect(stage.say(1, chat)).toEqual(["reject rate-limit"]);
    expect(stage.say(1, { message: "warp", value: { room: 2, x: 1, y: 1 } })).toEqual(["reject rate-limit"]);
    expect(stage.say(1, { message: "playerStop", value: { x: 448, y: 160 } })).toEqual(["reject rate-limit"]);
    expect(stage.heard(2)).toHaveLength(60);
    expect(stage.world.rooms()).toEqual(new Map([["1", 2]]));
    // Each player's own.
    expect(stage.say(2, chat)).toEqual([]);
  });
});

describe("anti-cheat (A1, A2)", () => {
  const leap = (stage: Stage, atMs: number): string[] => stage.to(atMs).move(1, "landing", 20_000, 20_000);

  it("the sixth teleport within a minute bans the account for 24 hours, with its evidence, and closes", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) expect(leap(stage, 2000 + index * 5000)).toEqual(["correct teleport"]);
    expect(stage.of("ban")).toEqual([]);
    stage.heard(1);
    expect(leap(stage, 30_000)).toEqual(["correct teleport", "reject anti-cheat"]);
    const [ban] = stage.of("ban");
    expect(ban).toMatchObject({ player: 1, account: "account1", reason: "Multiple speed violations" });
    expect(ban?.durationMs).toBe(banDurationMs);
    expect(ban?.durationMs).toBe(24 * 60 * 60 * 1000);
    const teleports = stage.verdicts.filter(({ rule }) => rule === "teleport");
    expect(ban?.evidence).toEqual(teleports);
    expect(stage.of("close")).toEqual([{ effect: "close", player: 1, reason: "banned" }]);
    // Who is banned is not corrected any more, and not heard.
    expect(stage.heard(1)).toEqual([]);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("six in more than a minute do not", () => {
    const stage = pair();
    for (let index = 0; index < 12; index++) {
      stage.move(1, "landing", 448, 160);
      expect(leap(stage, 2000 + index * 12_000)).toEqual(["correct teleport"]);
    }
    expect(stage.of("ban")).toEqual([]);
  });

  it("leaving and coming back does not start the count anew", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) leap(stage, 2000 + index * 5000);
    stage.leave(1).join(3, { account: "account1" });
    stage.move(3, "landing", 448, 160);
    expect(stage.to(30_000).move(3, "landing", 20_000, 20_000)).toEqual(["correct teleport", "reject anti-cheat"]);
    expect(stage.of("ban")).toMatchObject([{ player: 3, account: "account1" }]);
  });

  it("a minute after leaving nothing is remembered", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) leap(stage, 2000 + index * 5000);
    stage.leave(1).to(90_000).join(1);
    stage.move(1, "landing", 448, 160);
    for (let index = 0; index < 5; index++) {
      expect(leap(stage, 91_000 + index * 5000)).toEqual(["correct teleport"]);
    }
    expect(stage.of("ban")).toEqual([]);
  });

  it("a thousand who left are remembered, and no more", () => {
    const stage = new Stage();
    for (let id = 1; id <= 1001; id++) {
      stage.join(id).move(id, "landing", 448, 160);
      stage.move(id, "landing", 60_000, 160);
      stage.leave(id);
    }
    const fiveMore = (id: number): number => {
      stage.join(id).move(id, "landing", 448, 160);
      for (let index = 0; index < 5; index++) stage.move(id, "landing", 60_000, 160);
      return stage.of("ban").length;
    };
    expect(fiveMore(1)).toBe(0);
    expect(fiveMore(1001)).toBe(1);
  });

  it("a run that a stall of twelve seconds held back bans nobody, though the rule refuses the end of it", () => {
    const stage = pair();
    stage.to(13_000);
    const found: string[] = [];
    for (let step = 0; step < 24; step++) {
      found.push(...stage.move(1, "rightPress", 448 + step * 75, 160));
      found.push(...stage.move(1, "rightRelease", 448 + step * 75 + 75, 160));
    }
    expect(found.filter((verdict) => verdict === "correct teleport").length).toBeGreaterThan(6);
    expect(stage.of("ban")).toEqual([]);
    // It is the one accident: five more are forgiven, as ever.
    for (let index = 0; index < 4; index++) expect(leap(stage, 14_000 + index * 1000)).toEqual(["correct teleport"]);
    expect(leap(stage, 18_000)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("who is silent between two leaps is counted for each", () => {
    const stage = pair();
    const far = (atMs: number): string[] => stage.to(atMs).move(1, "landing", 60_000, 160);
    for (let index = 0; index < 5; index++) expect(far(10_000 + index * 7000)).toEqual(["correct teleport"]);
    expect(far(45_000)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("nothing but teleports counts", () => {
    const stage = pair();
    for (let index = 0; index < 500; index++) {
      stage.to(2000 + index * 20);
      stage.move(1, "leftReleaseAir");
      stage.move(1, "downRelease");
    }
    expect(stage.verdicts.length).toBeGreaterThan(500);
    expect(stage.of("ban")).toEqual([]);
  });

  it("the evidence outlives the memory that its bytes came in", () => {
    const stage = pair();
    const message = moveMessage("landing", 9000, 9000);
    const payload = slimeCodec("documented").write("client", message);
    stage.world.receive(1, message, payload, stage.now);
    payload.fill(0xee);
    stage.settle();
    expect(stage.verdicts.at(-1)?.message).toEqual(slimeCodec("documented").write("client", message));
  });

  it("log-only flags and relays, and corrects and bans nobody", () => {
    const stage = pair({ enforcement: "log" });
    stage.to(5000);
    for (let index = 0; index < 5; index++) {
      const x = index % 2 === 0 ? 20_000 : 448;
      expect(stage.move(1, "landing", x, 160)).toEqual(["flag teleport"]);
      expect(stage.heard(2)).toEqual([`1 landing ${x} 160`]);
    }
    expect(stage.move(1, "landing", 448, 160)).toEqual(["flag teleport", "flag anti-cheat"]);
    // Found where it was believed to be: the next step is ordinary.
    expect(stage.to(5500).move(1, "leftPress", 450, 160)).toEqual([]);
    expect(stage.heard(1)).toEqual([]);
    expect(stage.of("ban")).toEqual([]);
    expect(stage.of("close")).toEqual([]);
    // What is no valid message is refused all the same.
    expect(stage.move(1, "leftPress", 450, 160)).toEqual(["reject transition"]);
  });

  it("log-only flags nothing of a message that is refused for another reason", () => {
    const stage = pair({ enforcement: "log" });
    stage.move(1, "leftPress", 448, 160);
    expect(stage.to(5000).move(1, "leftPress", 20_000, 160)).toEqual(["reject transition"]);
    expect(stage.heard(2)).toEqual(["1 leftPress 448 160"]);
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

  it("an id in use, or none that fits the wire, is refused", () => {
    const { world } = new Stage().join(1);
    for (const id of [1, 0, -1, 65_536, 1.5, Number.NaN]) {
      expect(() => world.join(id, { account: "b", name: "b" }, 0)).toThrow(RangeError);
    }
  });

  it("a world is full at its capacity", () => {
    const { world } = new Stage();
    for (let id = 1; id <= world.capacity; id++) world.join(id, { account: `a${id}`, name: "" }, 0);
    expect(world.refuses({ account: "b", name: "b" })).toBe("full");
    expect(() => world.join(60_000, { account: "b", name: "b" }, 0)).toThrow("full");
    world.leave(1, 0);
    expect(world.refuses({ account: "b", name: "b" })).toBeUndefined();
  });

  it("an account plays once where there are logins, and as often as it likes where it is an address", () => {
    const joining = { account: "ann", name: "ann" };
    expect(new Stage({ dialect: "v0106" }).join(1, joining).world.refuses(joining)).toBe("already-online");
    expect(new Stage().join(1, joining).world.refuses(joining)).toBeUndefined();
  });

  describe("who joins is sent moves that bring held keys and positions of those present", () => {
    it("nothing of somebody of whom nothing is known", () => {
      const stage = new Stage().join(1).join(2);
      expect(stage.heard(2)).toEqual([]);
      expect(stage.world.tracks(0)[0]?.source).toBe("guessed");
    });

    it("one who stands: a landing", () => {
      expect(pair().join(3).heard(3)).toEqual(["1 landing 448 160"]);
    });

    it("one who has just pressed a key: that press", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      expect(stage.join(3).heard(3)).toEqual(["1 rightPress 448 160"]);
    });

    it("one who has run on since: the press where it was, a landing where it must be now", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      const [press, landing, ...rest] = stage.to(2000).join(3).heard(3);
      expect([press, rest]).toEqual(["1 rightPress 448 160", []]);
      const [, x, y] = /^1 landing (\d+) (\d+)$/.exec(String(landing)) ?? [];
      expect(Number(x)).toBeGreaterThan(448 + 140);
      expect(Number(x)).toBeLessThanOrEqual(448 + 150);
      expect(y).toBe("160");
    });

    it("one who crouches with a key held: both", () => {
      const stage = pair();
      stage.move(1, "leftPress", 448, 160);
      stage.move(1, "downPress");
      expect(stage.join(3).heard(3)).toEqual(["1 leftPress 448 160", "1 downPress"]);
    });

    it("one in the air: a landing where it is, and the jump that takes it off", () => {
      const stage = pair();
      stage.move(1, "upPress", 448);
      stage.move(1, "upRelease");
      stage.move(1, "leftPressAir");
      const heard = stage.to(1050).join(3).heard(3).map(String);
      expect(heard.map((text) => text.split(" ")[1])).toEqual(["landing", "upPress", "upRelease", "leftPressAir"]);
    });

    it("one who holds up on the ground: on the ground in the end", () => {
      const stage = pair();
      stage.move(1, "upPress", 448);
      stage.to(3000);
      expect(stage.join(3).heard(3)).toEqual(["1 upPress 448", "1 landing 448 160"]);
    });

    it("one whose keys are known and whose place is not: the keys alone", () => {
      const stage = new Stage().join(1);
      stage.move(1, "leftPressAir");
      stage.move(1, "downPress");
      expect(stage.join(2).heard(2)).toEqual(["1 leftPressAir", "1 downPress"]);
      // And when it leaves, no place is made up either.
      expect(stage.leave(1).heard(2)).toEqual(["1 leftReleaseAir", "1 downRelease"]);
    });

    it("a reader that lost messages is sent the same by refresh", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      stage.heard(2);
      expect(stage.refresh(2).heard(2)).toEqual(["1 rightPress 448 160"]);
      expect(stage.heard(1)).toEqual([]);
    });
  });

  it("who leaves releases its keys for those who stay (S8)", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.move(1, "leftPress", 448, 160);
    stage.move(1, "downPress");
    stage.heard(2);
    stage.leave(1);
    expect(stage.heard(2)).toEqual(["1 leftRelease 448 160", "1 rightRelease 448 160", "1 downRelease"]);
    expect(stage.of("exit")).toEqual([{ effect: "exit", player: 1, room: "1" }]);
    expect(stage.world.rooms()).toEqual(new Map([["1", 1]]));
    expect(stage.world.tracks(stage.now).map(({ player }) => player)).toEqual([2]);
  });

  it("who comes back under the same id begins anew (S8)", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.leave(1).join(1);
    expect(stage.move(1, "rightPress", 9000, 9000)).toEqual([]);
  });

  it("a change of room clears keys and baseline (S8)", () => {
    const stage = pair().join(3, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    stage.heard(2);
    stage.world.warp(1, 2, 30, 40, stage.now);
    stage.settle();
    expect(stage.heard(2)).toEqual(["1 rightRelease 448 160"]);
    expect(stage.heard(3)).toEqual(["1 landing 30 40"]);
    expect(stage.heard(1)).toEqual(["1 landing 30 40"]);
    expect(stage.move(1, "rightPress", 9000, 9000)).toEqual([]);
    expect(stage.heard(3)).toEqual(["1 rightPress 9000 9000"]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("who has been taken to a room is shown to whoever joins it", () => {
    const stage = pair();
    stage.world.warp(1, 2, 30, 40, stage.now);
    stage.settle();
    expect(stage.join(3, { room: "2" }).heard(3)).toEqual(["1 landing 30 40"]);
  });
});

describe("what game code may allow", () => {
  it("a speed soda: the legal speed grows", () => {
    const run = (stage: Stage): string[] => {
      stage.to(4000).move(1, "rightPress", 448, 160);
      return stage.to(8000).move(1, "rightRelease", 448 + 4 * 300, 160);
    };
    expect(run(pair())).toEqual(["flag axis-speed"]);
    const fast = pair();
    fast.world.setFactors(1, { speed: 2, jump: 1 }, fast.now);
    expect(run(fast)).toEqual([]);
    expect(fast.to(8001).move(1, "landing", 448 + 4 * 300 + 1500, 160)).not.toContain("correct teleport");
    expect(fast.to(8002).move(1, "landing", 9000, 160)).toEqual(["correct teleport"]);
    // And others are shown it at that speed.
    fast.move(1, "rightPress", 3148, 160);
    expect(fast.to(9000).world.tracks(9000)[0]?.velocity.x).toBe(300);
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

  it("whom something makes slow still falls as fast as everybody", () => {
    const stage = pair();
    stage.to(4000).move(1, "landing", 448, 160);
    stage.world.setFactors(1, { speed: 0.1, jump: 1 }, stage.now);
    stage.to(10_000).move(1, "landing", 448, 160);
    expect(stage.to(12_000).move(1, "landing", 448, 160 + 1000)).toEqual([]);
  });

  it("what was run before a soda ended is not held against anybody, however late it comes", () => {
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
    expect(stage.to(16_000).move(1, "rightRelease", 2548 + 1200, 160)).toEqual(["flag axis-speed"]);
  });

  it("factors must be positive, and belong to somebody", () => {
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
    expect(stage.heard(2)).toEqual(["1 landing 20000 9000"]);
    expect(stage.move(1, "landing", 448, 160)).toEqual(["correct teleport"]);
    expect(stage.move(1, "leftPress", 20_000, 9000)).toEqual([]);
  });

  it("positions that were on their way when it was allowed do not use it up", () => {
    const stage = pair();
    stage.to(4000).move(1, "leftPress", 448, 160);
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.to(4300).move(1, "leftRelease", 410, 160)).toEqual([]);
    expect(stage.to(4400).move(1, "landing", 20_000, 9000)).toEqual([]);
    expect(stage.to(4500).move(1, "landing", 448, 160)).toEqual(["correct teleport"]);
  });

  it("but an allowance that nobody needs does not wait for ever", () => {
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

  it("whoever was allowed to go is still shown to those who come", () => {
    const stage = pair();
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.join(3).heard(3)).toEqual(["1 landing 448 160"]);
  });

  it("a room or position that is no u16 is refused, and nothing happens", () => {
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

describe("v0106", () => {
  const keysUp = { left: false, right: false, up: false, down: false, upPress: false };
  const plain = { body: 1, accessory1: 0, accessory2: 0 };
  const v0106 = (options: Options = {}): Stage => pair({ dialect: "v0106", ...options });

  it("LOGIN comes first of all and tells the account's state", () => {
    const stage = new Stage({ dialect: "v0106", motd: "Welcome" });
    stage.to(90_061_000).join(5, { name: "ann", room: "3" });
    const none = (count: number): number[] => new Array<number>(count).fill(0);
    expect(stage.effects.map(({ effect }) => effect)).toEqual(["send", "enter"]);
    expect(stage.heard(5)).toEqual([
      {
        message: "login",
        value: {
          result: "success",
          playerId: 5,
          time: 90_061,
          motd: "Welcome",
          day: 2,
          hour: 1,
          minute: 1,
          name: "ann",
          x: 448,
          y: 160,
          room: 3,
          ...plain,
          points: 0,
          signature: 0,
          quest: 0,
          questStep: 0,
          trees: 0,
          built: 0,
          emotes: none(5),
          outfits: none(9),
          accessories: none(9),
          items: none(9),
          tools: none(9),
        },
      },
    ]);
  });

  it("with demo rooms, players come in on the ground there", () => {
    const stage = new Stage({ dialect: "v0106", demo: true }).join(5, { room: "2" });
    const [login] = stage.heard(5);
    const { x, y } = (login as { value: { x: number; y: number } }).value;
    expect(demoRoom(2)?.spawns).toContainEqual({ x, y });
    expect(demoRoom(2)?.geometry.groundAt(x, y)).toBe(true);
  });

  it("a second LOGIN is refused", () => {
    const login: SlimeClientMessage = { message: "login", value: { version: "", user: "x", password: "y", mac: "" } };
    expect(v0106().say(1, login)).toEqual(["reject login-twice"]);
  });

  it("names and the message of the day always have bytes", () => {
    const stage = new Stage({ dialect: "v0106", motd: "Привет\u0000".repeat(500) }).join(1);
    stage.join(2, { name: `日本\n${"x".repeat(200)}` });
    expect(stage.heard(1).at(-1)).toMatchObject({ message: "newPlayer", value: { name: `???${"x".repeat(61)}` } });
  });

  it("NEW_PLAYER: those online are told of a newcomer, whatever their room, and introduce themselves", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    for (const id of [1, 2, 4]) stage.heard(id);
    stage.join(3, { name: "cat" });
    const announce = { kind: "announce", x: 448, y: 160, playerId: 3, room: 1, name: "cat", ...plain };
    for (const id of [1, 2, 4]) expect(stage.heard(id)).toEqual([{ message: "newPlayer", value: announce }]);
    expect(stage.heard(3)).toHaveLength(1);

    stage.say(1, { message: "newPlayer", value: { playerId: 3, x: 455, y: 160 } });
    const at = { kind: "present", x: 455, y: 160, playerId: 1, ...keysUp, right: true, room: 1 };
    expect(stage.heard(3)).toEqual([{ message: "newPlayer", value: { ...at, name: "player1", ...plain } }]);
    // Once: an answer nobody asked for goes nowhere.
    stage.say(1, { message: "newPlayer", value: { playerId: 3, x: 455, y: 160 } });
    stage.say(1, { message: "newPlayer", value: { playerId: 2, x: 455, y: 160 } });
    expect(stage.heard(3)).toEqual([]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("NEW_PLAYER: for a client that is silent for a second the server answers", () => {
    const stage = v0106().join(3);
    stage.heard(3);
    stage.say(1, { message: "newPlayer", value: { playerId: 3, x: 448, y: 160 } });
    expect(stage.heard(3)).toMatchObject([{ value: { playerId: 1 } }]);
    stage.to(1900);
    expect(stage.heard(3)).toEqual([]);
    stage.to(2100);
    expect(stage.heard(3)).toMatchObject([
      { message: "newPlayer", value: { kind: "present", playerId: 2, x: 448, y: 160, room: 1, ...keysUp } },
    ]);
    stage.to(10_000);
    expect(stage.heard(3)).toEqual([]);
  });

  it("NEW_PLAYER: an answer from where nobody can be is not passed on", () => {
    const stage = v0106().join(3);
    stage.heard(3);
    stage.say(1, { message: "newPlayer", value: { playerId: 3, x: 60_000, y: 160 } });
    expect(stage.heard(3)).toMatchObject([{ value: { playerId: 1, x: 448, y: 160 } }]);
  });

  it("NEW_PLAYER: nobody waits for those who left, and nobody is introduced to them", () => {
    const stage = v0106().join(3);
    stage.leave(3).leave(2).heard(1);
    stage.say(1, { message: "newPlayer", value: { playerId: 3, x: 448, y: 160 } });
    stage.join(3).join(2);
    for (const id of [1, 2, 3]) stage.heard(id);
    // Who got the same id later has its own second.
    stage.to(1950);
    expect(stage.heard(3)).toEqual([]);
    stage.to(2100);
    const introduced = stage.heard(3).map((message) => (message as { value: { playerId: number } }).value.playerId);
    expect(introduced).toEqual([1]);
  });

  it("a crowd may log in at once", () => {
    // Everybody waits for everybody: half a million introductions, each found at once.
    const stage = new Stage({ dialect: "v0106" });
    const count = 1000;
    for (let id = 1; id <= count; id++) stage.world.join(id, { account: `a${id}`, name: "" }, 0);
    stage.world.takeEffects();
    for (let id = 1; id <= count; id++) {
      for (let newcomer = id + 1; newcomer <= count; newcomer++) {
        const message = { message: "newPlayer", value: { playerId: newcomer, x: 1, y: 1 } } as const;
        stage.world.receive(id, message, new Uint8Array(), 1);
      }
    }
    expect(stage.world.takeEffects()).toHaveLength((count * (count - 1)) / 2);
  });

  it("LOGOUT ends the session, and everybody online is told", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.heard(4);
    stage.say(1, { message: "logout", value: {} });
    expect(stage.of("close")).toEqual([{ effect: "close", player: 1, reason: "logout" }]);
    stage.heard(2);
    stage.leave(1);
    const logout = { message: "logout", value: { playerId: 1 } };
    expect(stage.heard(2)).toEqual([logout]);
    expect(stage.heard(4)).toEqual([logout]);
  });

  it("PING: every 20 s, and an answer is not answered", () => {
    const stage = v0106();
    stage.to(19_900);
    expect(stage.heard(1)).toEqual([]);
    stage.to(20_100);
    expect(stage.heard(1)).toEqual([{ message: "ping", value: {} }]);
    stage.say(1, { message: "ping", value: {} });
    expect(stage.heard(1)).toEqual([]);
    stage.to(100_100);
    expect(stage.heard(1)).toHaveLength(4);
    expect(stage.heard(2)).toHaveLength(5);
  });

  it("PING: a client's own is answered", () => {
    const stage = v0106();
    stage.say(1, { message: "ping", value: {} });
    expect(stage.heard(1)).toEqual([{ message: "ping", value: {} }]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("WARP: the old room hears of the leaving, the new one of the arriving, the newcomer of who is there", () => {
    const stage = v0106().join(3, { room: "2" });
    stage.move(3, "rightPress", 460, 160);
    for (const id of [1, 2, 3]) stage.heard(id);
    stage.say(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    expect(stage.heard(2)).toEqual([{ message: "warp", value: { playerId: 1, kind: "left" } }]);
    expect(stage.heard(3)).toEqual([{ message: "warp", value: { playerId: 1, kind: "arrived", x: 30, y: 40 } }]);
    expect(stage.heard(1)).toEqual([
      { message: "warp", value: { playerId: 3, kind: "arrived", x: 460, y: 160 } },
      { message: "position", value: { kind: "correction", playerId: 3, x: 460, y: 160, ...keysUp, right: true } },
    ]);
    expect(stage.effects.slice(-6).map(({ effect }) => effect)).toEqual([
      "broadcast",
      "exit",
      "enter",
      "broadcast",
      "send",
      "send",
    ]);
    expect(stage.world.rooms()).toEqual(
      new Map([
        ["1", 1],
        ["2", 2],
      ]),
    );
    // Somewhere near the door, or wherever the room's script puts it.
    expect(stage.move(1, "leftPress", 700, 500)).toEqual([]);
    expect(stage.heard(3)).toEqual(["1 leftPress 700 500"]);
    expect(stage.heard(2)).toEqual([]);
  });

  it("WARP: a key that is held through the door may be released behind it", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.say(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    stage.join(3, { room: "2" }).heard(3);
    expect(stage.move(1, "rightRelease", 60, 40)).toEqual(["benign lifted-before"]);
    expect(stage.heard(3)).toEqual(["1 rightRelease 60 40"]);
    // Once.
    expect(stage.move(1, "rightRelease", 60, 40)).toEqual(["reject transition"]);
    expect(stage.move(1, "leftRelease", 60, 40)).toEqual(["reject transition"]);
    const strict = v0106({ strict: true });
    strict.move(1, "rightPress", 448, 160);
    strict.say(1, { message: "warp", value: { room: 2, x: 30, y: 40 } });
    expect(strict.move(1, "rightRelease", 60, 40)).toEqual(["reject transition"]);
  });

  it("WARP: ten at once and five a second, for everybody in two rooms hears of each", () => {
    const stage = v0106();
    const warp: SlimeClientMessage = { message: "warp", value: { room: 2, x: 30, y: 40 } };
    for (let index = 0; index < 10; index++) expect(stage.say(1, warp)).toEqual([]);
    stage.heard(2);
    expect(stage.say(1, warp)).toEqual(["reject warp-rate"]);
    expect(stage.heard(2)).toEqual([]);
    stage.to(2000);
    for (let index = 0; index < 5; index++) expect(stage.say(1, warp)).toEqual([]);
    expect(stage.say(1, warp)).toEqual(["reject warp-rate"]);
  });

  it("WARP: game code may command it", () => {
    const stage = v0106();
    stage.world.warp(1, 2, 30, 40, stage.now, true);
    stage.settle();
    expect(stage.heard(1)).toEqual([{ message: "warp", value: { kind: "command", x: 30, y: 40, room: 2 } }]);
    expect(stage.heard(2)).toEqual([{ message: "warp", value: { playerId: 1, kind: "left" } }]);
    expect(stage.world.tracks(stage.now, "2")[0]?.position).toEqual({ x: 30, y: 40 });
  });

  it("WARP: what was said before the command was heard is not held against anybody", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.world.warp(1, 2, 9000, 9000, stage.now, true);
    stage.settle();
    expect(stage.to(1200).move(1, "landing", 470, 160)).toEqual([]);
    expect(stage.to(1400).move(1, "leftPress", 9000, 9000)).toEqual([]);
    expect(stage.to(1600).move(1, "leftRelease", 448, 160)).toEqual(["correct teleport"]);
  });

  it("WARP: within the room is one too", () => {
    const stage = v0106();
    stage.say(1, { message: "warp", value: { room: 1, x: 9000, y: 40 } });
    expect(stage.heard(2)).toEqual([
      { message: "warp", value: { playerId: 1, kind: "left" } },
      { message: "warp", value: { playerId: 1, kind: "arrived", x: 9000, y: 40 } },
    ]);
  });

  it("PLAYER_STOP: all keys up at that place, relayed to the others", () => {
    const stage = v0106();
    stage.move(1, "rightPress", 448, 160);
    stage.move(1, "downPress");
    stage.heard(2);
    expect(stage.to(1500).say(1, { message: "playerStop", value: { x: 500, y: 160 } })).toEqual([]);
    expect(stage.heard(2)).toEqual([{ message: "playerStop", value: { playerId: 1, x: 500, y: 160 } }]);
    expect(stage.heard(1)).toEqual([]);
    expect(stage.world.tracks(stage.now)[0]).toMatchObject({
      position: { x: 500, y: 160 },
      velocity: { x: 0, y: 0 },
      stance: "stand",
      details: keysUp,
    });
    // The key that was down is up in the client later.
    expect(stage.move(1, "rightRelease", 500, 160)).toEqual(["benign lifted-before"]);
    expect(stage.move(1, "rightPress", 500, 160)).toEqual([]);
  });

  it("PLAYER_STOP: is a position like any other", () => {
    const stage = v0106();
    expect(stage.say(1, { message: "playerStop", value: { x: 9000, y: 160 } })).toEqual(["correct teleport"]);
    expect(stage.heard(2)).toEqual([]);
    expect(stage.heard(1)).toMatchObject([{ message: "position", value: { playerId: 1, x: 448, y: 160 } }]);
  });

  it("CHAT: to everybody in the room, the sender too", () => {
    const stage = v0106().join(4, { room: "2" });
    for (const id of [1, 2, 4]) stage.heard(id);
    stage.say(1, { message: "chat", value: { text: "hello" } });
    const chat = { message: "chat", value: { playerId: 1, text: "hello" } };
    expect(stage.heard(1)).toEqual([chat]);
    expect(stage.heard(2)).toEqual([chat]);
    expect(stage.heard(4)).toEqual([]);
  });

  it("a reader that lost messages hears who is here, with places and keys, and who is not", () => {
    const stage = v0106().join(4, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    stage.heard(2);
    expect(stage.refresh(2).heard(2)).toEqual([
      { message: "warp", value: { playerId: 4, kind: "left" } },
      { message: "warp", value: { playerId: 1, kind: "arrived", x: 448, y: 160 } },
      { message: "position", value: { kind: "correction", playerId: 1, x: 448, y: 160, ...keysUp, right: true } },
    ]);
  });

  describe("x is sixteen bits of a number that may be negative", () => {
    it("left of the edge is near the edge", () => {
      const stage = v0106();
      stage.to(9000).move(1, "leftPress", 5, 160);
      expect(stage.to(9100).move(1, "leftRelease", 65_531, 160)).toEqual([]);
      expect(stage.heard(2)).toEqual(["1 leftPress 5 160", "1 leftRelease 65531 160"]);
      expect(stage.to(9200).move(1, "upPress", -5)).toEqual([]);
      expect(stage.to(9900).move(1, "rightPress", 3, 160)).toEqual([]);
    });

    it("a wide room is no teleport for whoever jumps in it", () => {
      const stage = new Stage({ dialect: "v0106" }).join(1);
      stage.move(1, "landing", 40_000, 160);
      stage.to(4000);
      expect(stage.move(1, "upPress", 40_000 - 65_536)).toEqual([]);
      expect(stage.to(4700).move(1, "landing", 40_050, 160)).toEqual([]);
    });

    it("what the world says of such a place has bytes all the same", () => {
      const stage = v0106();
      stage.to(9000).move(1, "leftPress", 5, 160);
      stage.to(9100).move(1, "upPress", -5);
      stage.move(1, "landing", 30_000, 160);
      expect(stage.heard(1)).toMatchObject([{ message: "position", value: { x: 0, y: 160 } }]);
      stage.join(3).to(12_000).leave(1);
      stage.heard(3);
    });

    it("in the document's dialects it is unsigned", () => {
      const stage = pair();
      stage.to(9000).move(1, "leftPress", 5, 160);
      expect(stage.to(9100).move(1, "leftRelease", 65_531, 160)).toEqual(["correct teleport"]);
    });
  });
});

describe("tracks", () => {
  it("show where the physics has taken a player since its last message", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    const [track] = stage.to(2000).world.tracks(2000);
    expect(track).toMatchObject({
      player: 1,
      room: "1",
      atMs: 2000,
      velocity: { x: 150, y: 0 },
      facingTurns: 0,
      stance: "walk",
      source: "simulated",
      details: { name: "player1", right: true, left: false },
    });
    expect(track?.position.x).toBeGreaterThan(448 + 140);
    stage.move(1, "rightRelease", 596, 160);
    expect(stage.to(3000).world.tracks(3000)[0]).toMatchObject({ stance: "stand", velocity: { x: 0, y: 0 } });
  });

  it("a jump rises and comes back to its floor", () => {
    const stage = pair();
    stage.move(1, "upPress", 448);
    expect(stage.world.tracks(1333)[0]?.position.y).toBeLessThan(120);
    expect(stage.world.tracks(1800)[0]).toMatchObject({ position: { x: 448, y: 160 }, stance: "stand" });
  });

  it("looking changes nothing: the same messages give the same effects, however often anybody looked", () => {
    const run = (everyMs: number): unknown => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      for (let ms = 1000; ms < 40_000; ms += everyMs) stage.world.tracks(ms);
      stage.now = 40_000;
      stage.join(3);
      stage.move(1, "upPress", 6000);
      for (let ms = 40_000; ms < 40_500; ms += everyMs) stage.world.tracks(ms);
      stage.now = 40_500;
      return stage.refresh(3).effects;
    };
    expect(run(7)).toEqual(run(Infinity));
    expect(run(50 / 3)).toEqual(run(Infinity));
  });

  it("looking changes nothing for a player whose speed is changed", () => {
    const run = (looks: boolean): unknown => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      stage.to(2000);
      if (looks) stage.world.tracks(2000);
      stage.world.setFactors(1, { speed: 4, jump: 1 }, 2000);
      return stage.to(3000).join(3).heard(3);
    };
    expect(run(true)).toEqual(["1 rightPress 448 160", expect.stringMatching(/^1 landing/)]);
    expect(run(false)).toEqual(run(true));
  });

  it("looking changes nothing for a player that stops on ice", () => {
    const run = (looks: boolean): unknown => {
      const stage = new Stage({ dialect: "v0106", demo: true }).join(1, { room: "3" });
      stage.move(1, "landing", 450, 350);
      stage.to(500);
      if (looks) stage.world.tracks(500);
      stage.say(1, { message: "playerStop", value: { x: 450, y: 420 } });
      stage.move(1, "rightPress", 450, 420);
      stage.to(1000).join(2, { room: "3" });
      return stage.refresh(2).heard(2);
    };
    expect(run(false)).toEqual(run(true));
  });

  it("a key that nobody releases walks for a minute, not for ever", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    const [then] = stage.world.tracks(stage.now + 70_000);
    const [later] = stage.world.tracks(stage.now + 700_000);
    expect(then?.position.x).toBeGreaterThan(448 + 8900);
    expect(later?.position).toEqual(then?.position);
  });
});

// --- Whatever is said ------------------------------------------------------------------------------------------------

type Step =
  | { readonly do: "say"; readonly id: PlayerId; readonly message: SlimeClientMessage }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "join" | "leave" | "refresh" | "allow"; readonly id: PlayerId }
  | { readonly do: "soda"; readonly id: PlayerId; readonly speed: number }
  | { readonly do: "warp"; readonly id: PlayerId; readonly room: number; readonly command: boolean };

const ids = fc.integer({ min: 1, max: 4 });
const anyU16 = fc.integer({ min: 0, max: 0xffff });
const nearby = fc.integer({ min: 400, max: 500 });

function steps(dialect: SlimeDialect): fc.Arbitrary<Step[]> {
  const signed = dialect === "v0106";
  const coordinate = fc.oneof({ weight: 3, arbitrary: nearby }, { weight: 1, arbitrary: anyU16 });
  const jumpX = signed ? fc.oneof(nearby, fc.integer({ min: -0x8000, max: 0x7fff })) : coordinate;
  const move = fc.constantFrom(...directions).chain(({ name, position }): fc.Arbitrary<SlimeClientMessage> => {
    if (position === "none") return fc.constant(moveMessage(name));
    if (position === "x") return jumpX.map((x) => moveMessage(name, x));
    return fc.tuple(coordinate, coordinate).map(([x, y]) => moveMessage(name, x, y));
  });
  const text = fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 20 }).map((all) => String.fromCharCode(...all));
  const at = { x: coordinate, y: coordinate };
  const neighbours: fc.Arbitrary<SlimeClientMessage> = fc.oneof(
    fc.record({
      message: fc.constant("warp" as const),
      value: fc.record({ room: fc.integer({ min: 0, max: 3 }), ...at }),
    }),
    fc.record({ message: fc.constant("playerStop" as const), value: fc.record(at) }),
    fc.record({ message: fc.constant("newPlayer" as const), value: fc.record({ playerId: ids, ...at }) }),
    fc.record({ message: fc.constant("chat" as const), value: fc.record({ text }) }),
    fc.constantFrom({ message: "ping", value: {} } as const, { message: "logout", value: {} } as const),
    fc.record({
      message: fc.constant("login" as const),
      value: fc.record({ version: text, user: text, password: text, mac: text }),
    }),
  );
  const message = signed ? fc.oneof({ weight: 4, arbitrary: move }, { weight: 1, arbitrary: neighbours }) : move;
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 12, arbitrary: fc.record({ do: fc.constant("say" as const), id: ids, message }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.oneof(fc.nat(200), fc.nat(90_000)) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("join" as const, "leave" as const, "refresh" as const, "allow" as const),
        id: ids,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("soda" as const),
        id: ids,
        speed: fc.double({ min: 0.01, max: 1000, noNaN: true }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("warp" as const), id: ids, room: anyU16, command: fc.boolean() }),
    },
  );
  return fc.array(step, { maxLength: 120 });
}

function play(stage: Stage, script: readonly Step[]): Stage {
  const present = new Set<PlayerId>();
  for (const step of script) {
    if (step.do === "wait") stage.to(stage.now + step.ms);
    else if (step.do === "say") stage.say(step.id, step.message);
    else if (step.do === "join" && !present.has(step.id)) stage.join(step.id);
    else if (step.do === "leave") stage.leave(step.id);
    else if (step.do === "refresh") stage.refresh(step.id);
    else if (present.has(step.id)) {
      if (step.do === "allow") stage.world.allowAnywhere(step.id, stage.now);
      if (step.do === "soda") stage.world.setFactors(step.id, { speed: step.speed, jump: 1 }, stage.now);
      if (step.do === "warp") stage.world.warp(step.id, step.room, 60_000, 10, stage.now, step.command);
      stage.settle();
    }
    if (step.do === "join") present.add(step.id);
    if (step.do === "leave") present.delete(step.id);
    for (const track of stage.world.tracks(stage.now)) {
      const { position, velocity } = track;
      for (const value of [position.x, position.y, velocity.x, velocity.y]) {
        if (!Number.isFinite(value)) throw new Error(`player ${track.player} is at ${value}`);
      }
    }
  }
  return stage;
}

describe.each(slimeDialects.map(({ name }) => name))("whatever is said in %s", (dialect) => {
  const variants: Options[] = [
    { dialect },
    { dialect, enforcement: "log", demo: true },
    { dialect, strict: true, landing: "ballistic", demo: true },
  ];

  it.each(variants)("nothing throws, and all that the world says has bytes (%j)", (options) => {
    fc.assert(
      fc.property(steps(dialect), (script) => {
        const stage = play(new Stage(options).join(5), script);
        // Everybody hears a room's broadcasts between enter and exit, in one room at a time.
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
      { numRuns: 150 },
    );
  });

  it("equal calls give equal effects", () => {
    fc.assert(
      fc.property(steps(dialect), (script) => {
        const run = (): unknown => play(new Stage({ dialect, demo: true }), script).effects;
        expect(run()).toEqual(run());
      }),
      { numRuns: 50 },
    );
  });
});
