import { describe, expect, it } from "vitest";
import { gridMapsOf } from "../maps/grid-maps.ts";
import { flatGrid } from "../testing/grids.ts";
import { codec, keys, Stage, WALK } from "../testing/stage.ts";
import type { ObjectUpdate } from "../wire/unreliable-update.ts";
import { ScrapWorld } from "./world.ts";

const seats = [{ x: -14, y: -15, exit: { x: -14, y: -13 } }];
/** Player 1 spawns a unit away from the seat, player 2 at (-12, -16), player 3 at (-10, -16). */
const withSeats = gridMapsOf("seats", {
  1: flatGrid(0, [...seats, { x: -12, y: -30, exit: { x: -12, y: -29 } }]),
});
const stageWithSeat = (): Stage => new Stage({ maps: withSeats });
const use = { message: "use", value: {} } as const;
const onSeat = { x: -14, y: -15, z: Math.fround(0.9) };

/** The update of a character that the player was sent last, by way of its bytes. */
function updateOf(stage: Stage, player: number): ObjectUpdate | undefined {
  const bytes = codec.write("server", { message: "unreliableUpdate", value: stage.lastUpdate(player) });
  const { value } = codec.read("server", bytes);
  return "updates" in value ? value.updates.find((update) => "id" in update && update.id === player) : undefined;
}

describe("the use key", () => {
  it("seats a character, whose keys then move nothing, and stands it up again", () => {
    const stage = stageWithSeat();
    const { tick, position } = stage.enter(1);
    expect(position).toMatchObject({ x: -14, y: -16 });
    stage.say(1, use);
    for (let next = 0; next < 20; next++) {
      stage.move(1, tick + next);
      stage.pass(1);
    }
    expect(updateOf(stage, 1)).toMatchObject({ kind: "character", position: onSeat });
    expect(stage.world.tracks(stage.nowMs)[0]?.stance).toBe("seated");
    stage.say(1, use);
    stage.move(1, tick + 20, { keys: keys(0) });
    stage.pass(1);
    expect(updateOf(stage, 1)).toMatchObject({ position: { x: -14, y: -13, z: Math.fround(0.7) } });
    stage.move(1, tick + 21);
    stage.pass(1);
    expect(stage.own(1).position.y).toBeGreaterThan(-13);
    expect(stage.verdicts).toEqual([]);
  });

  it("has its effect where the player pressed it, however many of its ticks wait before it", () => {
    // A line that stood sends five seconds at once: a walk away from a seat, keys up, and the use key.
    const stage = stageWithSeat();
    const { tick } = stage.enter(1);
    stage.move(1, tick, { keys: keys(0) });
    stage.pass(200);
    for (let next = 1; next < 200; next++) stage.move(1, tick + next, { keys: keys(next < 150 ? WALK : 0) });
    stage.say(1, use);
    stage.pass(60);
    expect(stage.lastUpdate(1).currentTick).toBe(tick + 199);
    expect(stage.world.tracks(stage.nowMs)[0]?.stance).not.toBe("seated");
    expect(stage.own(1).position.y).toBeGreaterThan(-4);
  });

  it("stands a character up after its ticks on the seat, and waits in a saved world too", () => {
    const stage = stageWithSeat();
    const { tick } = stage.enter(1);
    stage.move(1, tick, { keys: keys(0) });
    stage.say(1, use);
    stage.pass(200);
    expect(updateOf(stage, 1)).toMatchObject({ position: onSeat });
    // The keys of who does not know yet that it sits.
    for (let next = 1; next < 200; next++) stage.move(1, tick + next, { keys: keys(next < 100 ? WALK : 0) });
    stage.say(1, use);
    stage.pass(10);
    expect(updateOf(stage, 1)).toMatchObject({ position: onSeat });
    const restored = stageWithSeat();
    restored.world.restore(structuredClone(stage.world.save()));
    restored.nowMs = stage.nowMs;
    for (const each of [stage, restored]) {
      each.pass(60);
      expect(updateOf(each, 1)).toMatchObject({ position: { x: -14, y: -13, z: Math.fround(0.7) } });
    }
  });

  it("leaves keys to a client that reads nothing for 15 s, and finds those of one that must know", () => {
    const stage = stageWithSeat();
    const { tick } = stage.enter(1);
    const play = (from: number, to: number, byte: number): void => {
      for (let next = from; next < to; next++) {
        stage.move(1, tick + next, { keys: keys(byte) });
        stage.pass(1);
      }
    };
    play(0, 40, 0);
    stage.say(1, use);
    // Ten seconds of waiting for the answer, and five of walking without it.
    play(40, 440, 0);
    play(440, 640, WALK);
    expect(updateOf(stage, 1)).toMatchObject({ position: onSeat });
    expect(stage.verdicts).toEqual([]);
    play(640, 880, WALK);
    expect(stage.verdicts).toMatchObject([{ rule: "keys-seated", kind: "flag" }]);
  });

  it("does nothing out of reach, on a taken seat and while tumbling", () => {
    const stage = stageWithSeat();
    stage.enter(1);
    const two = stage.enter(2);
    stage.say(2, use);
    stage.pass(1);
    expect(stage.own(2).position).toEqual(two.position);

    const shared = new Stage({
      maps: gridMapsOf("seat", { 1: flatGrid(0, [{ x: -13, y: -16, exit: { x: -13, y: -14 } }]) }),
    });
    const tumbler = shared.enter(2);
    shared.world.tumble(2, { x: 0, y: 0, z: 0 });
    shared.say(2, use);
    shared.pass(1);
    expect(updateOf(shared, 2)?.kind).toBe("tumbling");
    shared.enter(1);
    shared.say(1, use);
    for (let next = 0; next < 60; next++) {
      shared.move(2, tumbler.tick + next, { keys: keys(0) });
      shared.pass(1);
    }
    shared.say(2, use);
    shared.pass(1);
    expect(shared.own(1).position.x).toBe(-13);
    expect(shared.own(2).position).toEqual(tumbler.position);
  });

  it("does not free a character that game code has seated elsewhere", () => {
    const stage = stageWithSeat();
    stage.enter(1);
    stage.world.setSeated(1, true, stage.nowMs);
    stage.say(1, use);
    expect(stage.world.tracks(stage.nowMs)[0]?.stance).toBe("seated");
  });

  it("before hello ends the session", () => {
    const stage = stageWithSeat();
    stage.join(1);
    stage.say(1, use);
    expect(stage.effects.map(({ effect }) => effect)).toEqual(["verdict", "close"]);
    expect(stage.verdicts).toMatchObject([{ rule: "not-playing", kind: "reject" }]);
  });
});

describe("a character that tumbles", () => {
  it("is on the wire as one, goes its way whatever keys it sends, and gets up without a verdict", () => {
    const stage = new Stage();
    const { tick } = stage.enter(1);
    stage.world.tumble(1, { x: 3, y: 0, z: 2 });
    const kinds: (string | undefined)[] = [];
    for (let next = 0; next < 120; next++) {
      stage.move(1, tick + next, { keys: keys(next < 30 ? WALK : 0) });
      stage.pass(1);
      kinds.push(updateOf(stage, 1)?.kind);
    }
    const ticks = kinds.filter((kind) => kind === "tumbling").length;
    expect(ticks).toBeGreaterThan(40);
    expect(ticks).toBeLessThan(100);
    expect(kinds.at(-1)).toBe("character");
    // The push was along +X, the keys along +Y.
    const { position } = stage.own(1);
    expect(position.x).toBeGreaterThan(-12);
    expect([position.y, position.z]).toEqual([-16, Math.fround(0.7)]);
    expect(stage.verdicts).toEqual([]);
    stage.world.tumble(9, { x: 0, y: 0, z: 0 });
    expect(() => stage.world.tumble(1, { x: Number.NaN, y: 0, z: 0 })).toThrow("push must be finite");
  });

  it("goes on in a restored world: seated players stay seated", () => {
    const stage = stageWithSeat();
    stage.enter(1);
    stage.say(1, use);
    const { tick } = stage.enter(2);
    stage.world.tumble(2, { x: 0, y: 2, z: 3 });
    stage.move(2, tick);
    stage.pass(3);
    const restored = new ScrapWorld({
      dialect: "documented",
      seed: 1,
      maps: withSeats,
    });
    restored.restore(structuredClone(stage.world.save()));
    expect(restored.digest()).toBe(stage.world.digest());
    for (let nowMs = stage.nowMs + 25; nowMs < stage.nowMs + 2000; nowMs += 25) restored.tick(nowMs);
    stage.pass(79);
    expect(restored.tracks(stage.nowMs)).toEqual(stage.world.tracks(stage.nowMs));
    expect(restored.tracks(stage.nowMs).map(({ stance }) => stance)[0]).toBe("seated");
  });
});
