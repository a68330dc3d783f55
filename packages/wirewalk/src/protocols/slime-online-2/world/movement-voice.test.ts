import { describe, expect, it } from "vitest";
import { makeRoom, type SlimeRoom } from "../maps/room.ts";
import { slimeMapsOf } from "../maps/slime-maps.ts";
import { pair, Stage } from "../testing/stage.ts";

describe("coming and going in moves", () => {
  describe("a newcomer receives moves that reproduce the keys and positions of those present", () => {
    it("a player that has sent nothing: no move", () => {
      const stage = new Stage().join(1).join(2);
      expect(stage.received(2)).toEqual([]);
      expect(stage.world.tracks(0)[0]?.source).toBe("guessed");
    });

    it("a player that stands: a landing", () => {
      expect(pair().join(3).received(3)).toEqual(["1 landing 448 160"]);
    });

    it("a player that has just pressed a key: that press", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      expect(stage.join(3).received(3)).toEqual(["1 rightPress 448 160"]);
    });

    it("a player that has run on since: the press where it was, a landing where it must be now", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      const [press, landing, ...rest] = stage.to(2000).join(3).received(3);
      expect([press, rest]).toEqual(["1 rightPress 448 160", []]);
      const [, x, y] = /^1 landing (\d+) (\d+)$/.exec(String(landing)) ?? [];
      expect(Number(x)).toBeGreaterThan(448 + 140);
      expect(Number(x)).toBeLessThanOrEqual(448 + 150);
      expect(y).toBe("160");
    });

    it("a player that crouches with a key held: both", () => {
      const stage = pair();
      stage.move(1, "leftPress", 448, 160);
      stage.move(1, "downPress");
      expect(stage.join(3).received(3)).toEqual(["1 leftPress 448 160", "1 downPress"]);
    });

    it("a player in the air: a landing where it is, and a jump that takes it off", () => {
      const stage = pair();
      stage.move(1, "upPress", 448);
      stage.move(1, "upRelease");
      stage.move(1, "leftPressAir");
      const arrived = stage.to(1050).join(3).received(3).map(String);
      expect(arrived.map((text) => text.split(" ")[1])).toEqual(["landing", "upPress", "upRelease", "leftPressAir"]);
    });

    it("a player that holds up on the ground: on the ground in the end", () => {
      const stage = pair();
      stage.move(1, "upPress", 448);
      stage.to(3000);
      expect(stage.join(3).received(3)).toEqual(["1 upPress 448", "1 landing 448 160"]);
    });

    it("a player whose keys are known and whose place is not: the keys alone", () => {
      const stage = new Stage().join(1);
      stage.move(1, "leftPressAir");
      stage.move(1, "downPress");
      expect(stage.join(2).received(2)).toEqual(["1 leftPressAir", "1 downPress"]);
      // Nor is a place made up when it leaves.
      expect(stage.leave(1).received(2)).toEqual(["1 leftReleaseAir", "1 downRelease"]);
    });

    it("players that have sent nothing cost a newcomer nothing: their ghosts are not played", () => {
      let played = 0;
      const room: SlimeRoom = {
        ...makeRoom({ room: 1, title: "Counted", width: 960, height: 480 }),
        get geometry() {
          played += 1;
          return undefined;
        },
      };
      const stage = new Stage({ maps: slimeMapsOf("counted", [room]) });
      for (let id = 1; id <= 200; id += 1) stage.join(id);
      stage.move(7, "rightPress", 448, 160);
      stage.to(1000);
      played = 0;
      expect(stage.join(201).received(201).length).toBeGreaterThan(0);
      expect(played).toBe(1);
    });

    it("refresh sends the same to a receiver that lost messages", () => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      stage.received(2);
      expect(stage.refresh(2).received(2)).toEqual(["1 rightPress 448 160"]);
      expect(stage.received(1)).toEqual([]);
    });
  });

  it("the room receives releases of the keys of a player that leaves (standard 9.5)", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.move(1, "leftPress", 448, 160);
    stage.move(1, "downPress");
    stage.received(2);
    stage.leave(1);
    expect(stage.received(2)).toEqual(["1 leftRelease 448 160", "1 rightRelease 448 160", "1 downRelease"]);
    expect(stage.of("exit")).toEqual([{ effect: "exit", player: 1, room: "1" }]);
    expect(stage.world.rooms()).toEqual(new Map([["1", 1]]));
    expect(stage.world.tracks(stage.now).map(({ player }) => player)).toEqual([2]);
  });

  it("a player that joins under a used id starts anew (standard 5.4)", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.leave(1).join(1, { account: "another" });
    expect(stage.move(1, "rightPress", 9000, 9000)).toEqual([]);
  });

  it("a change of room clears keys and baseline (standard 5.4)", () => {
    const stage = pair().join(3, { room: "2" });
    stage.move(1, "rightPress", 448, 160);
    stage.received(2);
    stage.world.warp(1, 2, 30, 40, stage.now);
    stage.settle();
    expect(stage.received(2)).toEqual(["1 rightRelease 448 160"]);
    expect(stage.received(3)).toEqual(["1 landing 30 40"]);
    expect(stage.received(1)).toEqual(["1 landing 30 40"]);
    expect(stage.move(1, "rightPress", 9000, 9000)).toEqual([]);
    expect(stage.received(3)).toEqual(["1 rightPress 9000 9000"]);
    expect(stage.received(2)).toEqual([]);
  });

  it("a player that was moved to a room is shown to those who join it", () => {
    const stage = pair();
    stage.world.warp(1, 2, 30, 40, stage.now);
    stage.settle();
    expect(stage.join(3, { room: "2" }).received(3)).toEqual(["1 landing 30 40"]);
  });
});
