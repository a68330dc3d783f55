import { describe, expect, it } from "vitest";
import { demoRoom } from "../maps/demo-rooms.ts";
import { Stage } from "../testing/stage.ts";
import { outOfSolids, pixelsOffGround } from "./standing.ts";

/** Player 1 stands on the ground of the meadow at (220, 420), and player 2 receives. */
function meadow(options: ConstructorParameters<typeof Stage>[0] = {}): Stage {
  const stage = new Stage({ demo: true, ...options }).join(1).join(2);
  stage.to(1000).move(1, "landing", 220, 420);
  stage.received(2);
  return stage;
}

describe("a player stands on the ground where the shape of a room is known (standard 8.12)", () => {
  const geometry = demoRoom(1)?.geometry as NonNullable<ReturnType<typeof demoRoom>>["geometry"];

  it.each([
    ["on the ground", 220, 420, 0],
    ["on a platform, at its edge, rounded", 301, 385, 0],
    ["3 px over it", 220, 382, 0],
    ["in the air", 220, 376, 9],
    ["over the ground, far up", 100, 100, 320],
    ["in the ground", 220, 440, 40],
    ["at the bottom of the ground", 220, 480, 5],
    ["below the floor of the room", 220, 968, 488],
    ["beside the room", 5000, 420, 4040],
    ["beside the room and on its floor", 5000, 480, 4040],
  ])("%s (%i, %i) is %i px off", (_, x, y, px) => {
    expect(pixelsOffGround(geometry, { x, y }, 4)).toBe(px);
  });

  it.each([
    ["in the ground: onto it", 220, 440, 420],
    ["at its bottom: onto it", 220, 480, 420],
    ["in a platform: onto it", 220, 390, 385],
    ["on the ground: there", 220, 420, 420],
    ["in the air: there", 220, 370, 370],
    ["beside a wall of the room: there", 0, 100, 100],
  ])("a place that nothing fills, from %s (%i, %i -> %i)", (_, x, y, up) => {
    expect(outOfSolids(geometry, { x, y })).toEqual({ x, y: up });
    expect(outOfSolids(undefined, { x, y })).toEqual({ x, y });
  });

  it("who climbs out of the water by a jump, and connects again, is not put into the bank", () => {
    const stage = new Stage({ dialect: "v0106", demo: true }).join(1, { room: "2" }).join(2, { room: "2" });
    // In the pond, whose bank ends at x = 340.
    stage.to(1000).move(1, "rightPress", 260, 420);
    stage.to(2000).move(1, "rightRelease", 355, 439);
    stage.to(2100).move(1, "leftPress", 355, 439);
    // The jump says where it begins, and not how high: on the bank.
    stage.to(3000).move(1, "upPress", 310);
    stage.leave(1).to(4000).join(1, { room: "2" });
    const login = stage.received(1).findLast((each) => typeof each !== "string" && each.message === "login");
    const placed = (login as unknown as { readonly value: { readonly x: number; readonly y: number } }).value;
    expect(placed.y).toBeLessThanOrEqual(420);
    // The client walks on from there.
    expect(stage.to(4500).move(1, "landing", placed.x, 420)).toEqual([]);
  });

  it("who jumps on the bank of a pond is seen there, and not within the bank", () => {
    const stage = new Stage({ demo: true }).join(1, { room: "2" });
    stage.to(1000).move(1, "landing", 310, 420);
    stage.to(1100).move(1, "rightPress", 310, 420);
    stage.to(1400).move(1, "rightRelease", 345, 430);
    stage.to(1700).move(1, "upPress", 330);
    expect(stage.verdicts).toEqual([]);
    expect(stage.world.tracks(stage.now)[0]?.position).toEqual({ x: 330, y: 420 });
    const [risen] = stage.world.tracks(stage.now + 100);
    expect(risen?.position.y).toBeLessThan(410);
  });

  it("who jumps from the air, stands there or rises beside a run is corrected, and nobody sees it", () => {
    const stage = meadow();
    stage.to(1100).move(1, "upPress", 220);
    expect(stage.to(1430).move(1, "landing", 220, 376)).toEqual(["correct unreachable"]);
    stage.move(1, "upRelease");
    stage.move(1, "rightPress", 220, 420);
    for (const step of [1, 2, 3]) {
      expect(stage.to(1430 + step * 100).move(1, "landing", 220 + step * 14, 420 - step * 14)).toEqual([
        "correct unreachable",
      ]);
    }
    expect(stage.received(2).filter((sent) => String(sent).startsWith("1 landing"))).toEqual([]);
    expect(stage.verdicts[0]).toMatchObject({ measured: 9, allowed: 4, unit: "px" });
  });

  it("nobody leaves the room, and who does so again and again is banned", () => {
    const stage = meadow();
    for (let minute = 1; minute <= 21; minute++) {
      stage.to(minute * 60_000);
      expect(stage.move(1, "landing", 220, 440)[0]).toBe("correct unreachable");
    }
    expect(stage.of("ban")).toHaveLength(1);
  });

  it("a client that connects again in the middle of a jump lands there first", () => {
    const stage = new Stage({ demo: true }).join(1);
    expect(stage.move(1, "landing", 220, 390)).toEqual([]);
    expect(stage.to(1000).move(1, "landing", 220, 390)).toEqual([]);
    expect(stage.to(2000).move(1, "landing", 220, 394)).toEqual(["correct unreachable"]);
  });

  it("game code may put a player into the air, an installation may believe it, and a room may have no known shape", () => {
    const stage = meadow();
    stage.world.allowAnywhere(1, stage.now);
    expect(stage.to(2000).move(1, "landing", 220, 300)).toEqual([]);
    const believing = meadow({ responses: { unreachable: "relay" } });
    expect(believing.move(1, "landing", 220, 400)).toEqual(["flag unreachable"]);
    expect(believing.received(2)).toEqual(["1 landing 220 400"]);
    const dropping = meadow({ responses: { unreachable: "drop" } });
    expect(dropping.move(1, "landing", 220, 400)).toEqual(["reject unreachable"]);
    const log = meadow({ enforcement: "log" });
    expect(log.move(1, "landing", 220, 400)).toEqual(["flag unreachable"]);
    expect(meadow({ demo: false }).move(1, "landing", 220, 410)).toEqual([]);
  });
});

describe("without a key (standard 8.6.1)", () => {
  const open = (): Stage => meadow({ demo: false });

  it("a player slides and flies 577 px and no further, until it presses the key of its direction", () => {
    const stage = open();
    let found: string[] = [];
    let x = 220;
    while (found.length === 0 && x < 2000) {
      x += 15;
      found = stage.to(stage.now + 100).move(1, "landing", x, 420);
    }
    expect([found, x]).toEqual([["correct unreachable"], 220 + 585]);
    x -= 15;
    stage.move(1, "leftPress", x, 420);
    expect(stage.to(stage.now + 200).move(1, "leftRelease", x - 30, 420)).toEqual([]);
    expect(stage.to(stage.now + 200).move(1, "landing", x - 15, 420)).toEqual([]);
  });

  it("each jump takes it 102 px further, and a fall as far as it falls", () => {
    const stage = open();
    let x = 220;
    for (let jump = 0; jump < 12; jump++) {
      expect(stage.to(stage.now + 100).move(1, "upPress", x)).toEqual([]);
      x += 100;
      expect(stage.to(stage.now + 700).move(1, "landing", x, 420)).toEqual([]);
      expect(stage.move(1, "upRelease")).toEqual([]);
    }
    expect(stage.to(stage.now + 6000).move(1, "landing", x + 600, 820)).toEqual([]);
  });

  it("it is the order of messages that counts: a stall delays a run and changes nothing", () => {
    const stage = open();
    stage.to(7000);
    expect(stage.move(1, "rightPress", 220, 420)).toEqual([]);
    expect(stage.move(1, "rightRelease", 220 + 700, 420)).toEqual([]);
  });
});

describe("saved time (standard 8.6.2)", () => {
  /** Rests, and claims to have run for 5 s. Gives the first run that is refused. */
  function refusedRun(restMs: number, runs: number): number | undefined {
    const stage = meadow({ demo: false });
    let x = 220;
    for (let run = 1; run <= runs; run++) {
      stage.to(stage.now + restMs);
      const [press, release, to] =
        run % 2 === 1 ? (["right", "right", x + 750] as const) : (["left", "left", x - 750] as const);
      expect(stage.move(1, `${press}Press`, x, 420)).toEqual([]);
      const found = stage.move(1, `${release}Release`, to, 420);
      if (found.length > 0) {
        expect(found).toEqual(["correct unreachable"]);
        return run;
      }
      x = to;
    }
    return undefined;
  }

  it("is believed as often as lines stall: 5 s of every 33, and not of every 6.2", () => {
    expect(refusedRun(33_000, 60)).toBeUndefined();
    expect(refusedRun(6200, 60)).toBe(2);
  });

  /** Runs to and fro with down held for so many seconds of each minute, on its feet else; gives the first second that is refused. */
  function refusedCrouch(crouchedSeconds: number, pxPerSecond: number): number | undefined {
    const stage = meadow({ demo: false });
    let [x, way, isDown] = [220, 1, false];
    expect(stage.move(1, "rightPress", x, 420)).toEqual([]);
    for (let tenth = 1; tenth <= 3000; tenth++) {
      const crouches = (tenth / 10) % 60 < crouchedSeconds;
      if (crouches !== isDown) stage.move(1, crouches ? "downPress" : "downRelease");
      isDown = crouches;
      stage.to(stage.now + 100);
      x += ((crouches ? pxPerSecond : 150) / 10) * way;
      const found = stage.move(1, "landing", Math.round(x), 420).filter((kind) => !kind.startsWith("benign"));
      if (found.length > 0) {
        expect(found).toEqual(["correct unreachable"]);
        return Math.ceil(tenth / 10);
      }
      if (way > 0 ? x > 1600 : x < 240) {
        stage.move(1, way > 0 ? "rightRelease" : "leftRelease", Math.round(x), 420);
        way = -way;
        stage.move(1, way > 0 ? "rightPress" : "leftPress", Math.round(x), 420);
      }
    }
    return undefined;
  }

  it("is what a player runs with down held: as much as a stall may delay of its keys, and no more", () => {
    expect(refusedCrouch(60, 150)).toBeLessThan(60);
    // It crouches, and goes as fast as one that does.
    expect(refusedCrouch(60, 28)).toBeUndefined();
    // Its release is late by 5 s, each minute.
    expect(refusedCrouch(5, 150)).toBeUndefined();
  });
});
