import { expect, test } from "vitest";
import { flatGeometry } from "wirewalk/slime-online-2";
import { OwnPlayer, type Said } from "./own-player.ts";

const FLOOR = 200;

/** A slime on the ground, its landing said. */
function setUp() {
  const said: Said[] = [];
  const player = new OwnPlayer(flatGeometry(FLOOR), { x: 100, y: FLOOR - 50 }, 0, (message) => said.push(message));
  player.advance(1_000);
  return { player, said, directions: () => said.map(({ direction }) => direction) };
}

test("comes in from above and says where it has landed", () => {
  const { said } = setUp();
  expect(said).toMatchObject([{ direction: "landing", x: 100, y: FLOOR }]);
});

test("says a key on the ground with its place, in the air without", () => {
  const { player, said } = setUp();
  player.key("right", true, 1_000);
  player.key("up", true, 1_000);
  player.key("right", false, 1_100);
  expect(said.slice(1).map(({ direction, x, y }) => [direction, x, y])).toEqual([
    ["rightPress", 100, FLOOR],
    ["upPress", 100, undefined],
    ["rightReleaseAir", undefined, undefined],
  ]);
});

test("goes by the clock, not by how often it is drawn", () => {
  const often = setUp().player;
  const seldom = setUp().player;
  for (const player of [often, seldom]) player.key("right", true, 1_000);
  for (let ms = 1_000; ms <= 2_000; ms += 4) often.advance(ms);
  seldom.advance(2_000);
  expect(often.body.state).toEqual(seldom.body.state);
  expect(often.body.state.x).toBeGreaterThan(230);
});

test("tells what each message did", () => {
  const { player, said } = setUp();
  player.key("left", true, 1_000);
  expect(said.at(-1)).toMatchObject({ before: { ileft: false, sprDir: 1 }, after: { ileft: true, sprDir: -1 } });
});

test("a correction wins, stops the slime, and keeps what was predicted to be shown", () => {
  const { player } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_500);
  const { x } = player.body.state;
  const { before, after } = player.correct(50, 180, 1_500);
  expect(player.correction).toEqual({ fromX: x, fromY: FLOOR, toX: 50, toY: 180, atMs: 1_500 });
  expect(player.body.state).toMatchObject({ x: 50, y: 180, hsp: 0, vsp: 0 });
  expect(player.body.drawnAt(1_500)).toEqual({ x: 50, y: 180 });
  expect([before.x, after.x]).toEqual([x, 50]);
});

test("after a correction the key that was refused is said again, once, and a jump is not", () => {
  const { player, said, directions } = setUp();
  player.key("right", true, 1_000);
  player.correct(50, FLOOR, 1_000);
  player.repeatLastKey(1_000);
  expect(said.at(-1)).toMatchObject({ direction: "rightPress", x: 50, y: FLOOR });
  player.repeatLastKey(1_000);
  player.key("up", true, 1_000);
  player.repeatLastKey(1_000);
  expect(directions()).toEqual(["landing", "rightPress", "rightPress", "upPress"]);
});
