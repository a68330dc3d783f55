import { expect, test } from "vitest";
import { movePlayer } from "wirewalk/slime-online-2";
import { flatGeometry } from "wirewalk/slime-online-2/maps";
import { Ghosts } from "./ghosts.ts";

const FLOOR = 200;
const setUp = (): Ghosts => new Ghosts(flatGeometry(FLOOR));
const at = (ghosts: Ghosts, nowMs: number) => ghosts.draw(nowMs)[0];

test("appears with its first position, not with an air code", () => {
  const ghosts = setUp();
  expect(ghosts.receive(7, movePlayer("leftPressAir"), 0)).toEqual({});
  expect(ghosts.draw(0)).toEqual([]);
  ghosts.receive(7, movePlayer("landing", 50, FLOOR), 0);
  expect(at(ghosts, 0)).toMatchObject({ player: 7, x: 50, y: FLOOR });
});

test("walks on between two messages", () => {
  const ghosts = setUp();
  ghosts.receive(7, movePlayer("rightPress", 100, FLOOR), 0);
  expect(at(ghosts, 1_000)?.x).toBeCloseTo(239.24, 2);
  ghosts.receive(7, movePlayer("rightRelease", 245, FLOOR), 1_000);
  expect(at(ghosts, 3_000)?.x).toBeLessThan(275);
});

test("jumps and comes down again without a message", () => {
  const ghosts = setUp();
  ghosts.receive(7, movePlayer("landing", 100, FLOOR), 0);
  ghosts.receive(7, movePlayer("upPress", 100), 0);
  expect(at(ghosts, 333)?.y).toBeLessThan(FLOOR - 40);
  expect(at(ghosts, 800)?.y).toBe(FLOOR);
});

test("slides to a near place, is put at a far one at once", () => {
  const ghosts = setUp();
  ghosts.receive(7, movePlayer("landing", 100, FLOOR), 0);
  ghosts.receive(7, movePlayer("landing", 110, FLOOR), 0);
  expect(at(ghosts, 0)?.x).toBe(100);
  expect(at(ghosts, 60)?.x).toBeCloseTo(105);
  expect(at(ghosts, 500)?.x).toBe(110);
  ghosts.receive(7, movePlayer("landing", 900, FLOOR), 600);
  expect(at(ghosts, 600)?.x).toBe(900);
});

test("returns the state before and after a message", () => {
  const ghosts = setUp();
  ghosts.receive(7, movePlayer("landing", 100, FLOOR), 0);
  const { before, after } = ghosts.receive(7, movePlayer("leftPress", 100, FLOOR), 0);
  expect([before?.ileft, after?.ileft]).toEqual([false, true]);
});

test("players who left the room have no ghost", () => {
  const ghosts = setUp();
  ghosts.receive(7, movePlayer("landing", 100, FLOOR), 0);
  ghosts.receive(8, movePlayer("landing", 100, FLOOR), 0);
  ghosts.keep(new Set([8]));
  expect(ghosts.draw(0).map(({ player }) => player)).toEqual([8]);
});

test("takes place and keys from one message in v0106", () => {
  const ghosts = setUp();
  ghosts.place(7, 300, FLOOR, { left: true, right: false, up: false, down: false }, 0);
  expect(at(ghosts, 1_000)?.x).toBeCloseTo(160.76, 2);
});
