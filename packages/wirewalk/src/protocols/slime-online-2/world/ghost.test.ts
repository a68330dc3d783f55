import { describe, expect, it } from "vitest";
import { pair, Stage } from "../testing/stage.ts";

describe("tracks", () => {
  it("show where the physics has moved a player since its last message", () => {
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

  it("tracks change nothing: equal messages give equal effects, however often tracks were asked for", () => {
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

  it("tracks change nothing for a player whose speed is changed", () => {
    const run = (asks: boolean): unknown => {
      const stage = pair();
      stage.move(1, "rightPress", 448, 160);
      stage.to(2000);
      if (asks) stage.world.tracks(2000);
      stage.world.setFactors(1, { speed: 4, jump: 1 }, 2000);
      return stage.to(3000).join(3).received(3);
    };
    expect(run(true)).toEqual(["1 rightPress 448 160", expect.stringMatching(/^1 landing/)]);
    expect(run(false)).toEqual(run(true));
  });

  it("tracks change nothing for a player that stops on ice", () => {
    const run = (asks: boolean): unknown => {
      const stage = new Stage({ dialect: "v0106", demo: true }).join(1, { room: "3" });
      stage.move(1, "landing", 450, 350);
      stage.to(500);
      if (asks) stage.world.tracks(500);
      stage.send(1, { message: "playerStop", value: { x: 450, y: 420 } });
      stage.move(1, "rightPress", 450, 420);
      stage.to(1000).join(2, { room: "3" });
      return stage.refresh(2).received(2);
    };
    expect(run(false)).toEqual(run(true));
  });

  it("a key that is never released walks for a minute", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    const [then] = stage.world.tracks(stage.now + 70_000);
    const [later] = stage.world.tracks(stage.now + 700_000);
    expect(then?.position.x).toBeGreaterThan(448 + 8900);
    expect(later?.position).toEqual(then?.position);
  });
});
