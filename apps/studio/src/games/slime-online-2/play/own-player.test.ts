import { expect, test } from "vitest";
import { movePlayer, SlimeWorld, slimeCodec } from "wirewalk/slime-online-2";
import { flatGeometry, makeRoom, slimeMapsOf } from "wirewalk/slime-online-2/maps";
import { type OwnMove, OwnPlayer } from "./own-player.ts";

const FLOOR = 200;

/** A slime on the ground, its landing sent a while ago. */
function setUp() {
  const sent: OwnMove[] = [];
  const player = new OwnPlayer(flatGeometry(FLOOR), { x: 100, y: FLOOR - 50 }, 0, (message) => sent.push(message));
  player.advance(900);
  return { player, sent, directions: () => sent.map(({ direction }) => direction) };
}

test("comes in from above and reports where it has landed", () => {
  const { sent } = setUp();
  expect(sent).toMatchObject([{ direction: "landing", x: 100, y: FLOOR }]);
});

test("sends a key on the ground with its place, in the air without", () => {
  const { player, sent } = setUp();
  player.key("right", true, 1_000);
  player.key("up", true, 1_017);
  player.key("right", false, 1_100);
  expect(sent.slice(1).map(({ direction, x, y }) => [direction, x, y])).toEqual([
    ["rightPress", 100, FLOOR],
    ["upPress", 100, undefined],
    ["rightReleaseAir", undefined, undefined],
  ]);
});

test("moves by the clock, however often it is drawn", () => {
  const often = setUp().player;
  const seldom = setUp().player;
  for (const player of [often, seldom]) player.key("right", true, 1_000);
  for (let ms = 1_000; ms <= 2_000; ms += 4) often.advance(ms);
  seldom.advance(2_000);
  expect(often.state).toEqual(seldom.state);
  expect(often.state.x).toBeGreaterThan(230);
});

test("reports the state before and after each message", () => {
  const { player, sent } = setUp();
  player.key("left", true, 1_000);
  expect(sent.at(-1)).toMatchObject({ before: { ileft: false, sprDir: 1 }, after: { ileft: true, sprDir: -1 } });
});

test("a correction wins, stops the slime, and keeps what was predicted to be shown", () => {
  const { player } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_500);
  const { x } = player.state;
  const { before, after } = player.correct(50, 180, 1_500);
  expect(player.correction).toEqual({ fromX: x, fromY: FLOOR, toX: 50, toY: 180, atMs: 1_500, replayed: 0 });
  expect(player.state).toMatchObject({ x: 50, y: 180, hsp: 0, vsp: 0 });
  expect(player.drawnAt(1_500)).toEqual({ x: 50, y: 180 });
  expect([before.x, after.x]).toEqual([x, 50]);
});

test("a correction sends nothing: the server believes the key of the message that it refuses", () => {
  const { player, directions } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_500);
  player.key("right", false, 1_500);
  // The second is far from all that was reported.
  for (const [x, atMs] of [
    [170, 1_600],
    [500, 1_700],
  ] as const) {
    player.correct(x, FLOOR, atMs);
    player.advance(atMs + 50);
    expect(player.state.x).toBe(x);
    expect(player.state.iright).toBe(false);
  }
  expect(directions()).toEqual(["landing", "rightPress", "rightRelease"]);
});

const FRAME_MS = 1000 / 60;

test("a small correction is no visible leap: the drawn place glides over", () => {
  const { player } = setUp();
  const { x } = player.drawnAt(1_000);
  player.correct(110, FLOOR, 1_000);
  expect(player.state.x).toBe(110);
  expect(player.drawnAt(1_000).x).toBe(x);
  expect(player.drawnAt(1_050).x).toBeCloseTo(105, 1);
  expect(player.drawnAt(2_000).x).toBeCloseTo(110, 2);
});

test("a correction that answers a message plays the frames and keys since then again", () => {
  const { player, sent } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_500);
  // Sent with a place, after the last one that the server believed.
  player.key("up", true, 1_500);
  player.advance(1_600);
  player.key("right", false, 1_600);
  player.advance(1_700);
  const jumpX = sent.at(-2)?.x ?? 0;
  player.correct(jumpX - 20, FLOOR, 1_700);
  const { replayed } = player.correction ?? {};
  expect(replayed).toBe(Math.round(200 / FRAME_MS));
  // From standing still at the place it jumped, held right for 100 ms, and flew on.
  const { x, free, iright, hsp } = player.state;
  expect(free).toBe(true);
  expect(iright).toBe(false);
  expect(hsp).toBeGreaterThan(0);
  expect(x).toBeGreaterThan(jumpX - 20);
  expect(x).toBeLessThan(jumpX - 20 + 2.5 * 12);
});

test("a second correction about the same message changes nothing more", () => {
  const { player } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_200);
  player.key("left", true, 1_200);
  player.key("down", true, 1_200);
  player.key("left", false, 1_200);
  player.advance(1_300);
  player.correct(100, FLOOR, 1_300);
  const after = { ...player.state };
  const { correction } = player;
  player.correct(100, FLOOR, 1_300);
  expect(player.state).toEqual(after);
  expect(player.correction).toBe(correction);
});

test("a warp puts it elsewhere with all keys up", () => {
  const { player, directions } = setUp();
  player.key("right", true, 1_000);
  player.advance(1_400);
  const { before, after } = player.warp(300, FLOOR, 1_400);
  expect([before.iright, after.iright, after.x, after.hsp]).toEqual([true, false, 300, 0]);
  expect(player.correction).toMatchObject({ toX: 300, toY: FLOOR, replayed: 0 });
  player.key("right", false, 1_450);
  player.advance(1_600);
  expect(player.state.x).toBe(300);
  // A key that is still down has no effect there until it is pressed anew.
  expect(directions()).toEqual(["landing", "rightPress"]);
  player.key("right", true, 1_600);
  expect(directions().at(-1)).toBe("rightPress");
});

test("over a slow line the server refuses one place, and believes everything that follows", () => {
  const ONE_WAY_FRAMES = 9;
  const codec = slimeCodec("documented");
  const geometry = flatGeometry(FLOOR);
  const room = { ...makeRoom({ room: 1, title: "Flat", width: 5000, height: 1000, solids: [] }), geometry };
  const world = new SlimeWorld({ dialect: "documented", seed: 1, maps: slimeMapsOf("flat", [room]) });
  world.join(1, { account: "ann", name: "Ann" }, 0);
  const line: { readonly frame: number; readonly arrive: (nowMs: number) => void }[] = [];
  const rules: string[] = [];
  let frame = 0;
  let tamper = false;
  const later = (arrive: (nowMs: number) => void): void => {
    line.push({ frame: frame + ONE_WAY_FRAMES, arrive });
  };
  const send = ({ direction, x, y }: OwnMove): void => {
    const claimed = tamper && x !== undefined ? x + 4_000 : x;
    tamper = false;
    const message = { message: "movePlayer", value: movePlayer(direction, claimed, y) } as const;
    later((nowMs) => world.receive(1, message, codec.write("client", message), nowMs));
  };
  const player = new OwnPlayer(geometry, { x: 100, y: FLOOR - 20 }, 0, send);
  let corrections = 0;
  const keys: Readonly<Record<number, readonly [key: "left" | "right" | "up", down: boolean]>> = {
    120: ["right", true],
    170: ["up", true],
    175: ["up", false],
    // Refused: a place four thousand pixels off; then more, before the correction arrives.
    260: ["right", false],
    263: ["left", true],
    300: ["left", false],
    360: ["right", true],
    420: ["right", false],
  };
  for (; frame < 600; frame++) {
    const nowMs = frame * FRAME_MS;
    // Both ways take equally long: what was sent first arrives first.
    while (line[0] !== undefined && line[0].frame <= frame) line.shift()?.arrive(nowMs);
    if (frame % 3 === 0) world.tick(nowMs);
    for (const effect of world.takeEffects()) {
      if (effect.effect === "verdict") rules.push(effect.verdict.rule);
      if (effect.effect !== "send" || effect.message.message !== "movePlayer") continue;
      const { x = 0, y = 0 } = effect.message.value;
      later((atMs) => {
        corrections += 1;
        player.correct(x, y, atMs);
      });
    }
    player.advance(nowMs);
    const edge = keys[frame];
    tamper = frame === 260;
    if (edge !== undefined) player.key(edge[0], edge[1], nowMs);
  }
  expect(corrections).toBe(1);
  expect(rules).toEqual(["teleport"]);
  expect(player.correction?.replayed).toBeGreaterThanOrEqual(2 * ONE_WAY_FRAMES - 1);
  // Both have it at one place, but for a run-out that they played from places some frames apart.
  const [track] = world.tracks(600 * FRAME_MS);
  expect(track?.position.y).toBe(player.state.y);
  expect(Math.abs((track?.position.x ?? 0) - player.state.x)).toBeLessThan(3);
});

test("two keys at one moment: the second is sent 17 ms later, in its order", () => {
  const { player, directions } = setUp();
  player.key("right", true, 1_000);
  player.key("down", true, 1_000);
  expect(player.isWaiting).toBe(true);
  expect(directions()).toEqual(["landing", "rightPress"]);
  // It counts here at once.
  expect(player.state.idown).toBe(true);
  player.advance(1_016);
  expect(directions()).toEqual(["landing", "rightPress"]);
  player.advance(1_017);
  expect(directions()).toEqual(["landing", "rightPress", "downPress"]);
  expect(player.isWaiting).toBe(false);
});

test("a session that ends sends every release, however early", () => {
  const { player, directions } = setUp();
  for (const key of ["left", "right", "down"] as const) player.key(key, true, 1_000);
  player.advance(1_100);
  for (const key of ["left", "right", "down"] as const) player.key(key, false, 1_200);
  player.finish();
  expect(directions().slice(-3)).toEqual(["leftRelease", "rightRelease", "downRelease"]);
});

test("a key that was pressed and released before its turn is not sent, and answers no correction", () => {
  const { player, directions } = setUp();
  player.key("down", true, 1_000);
  player.key("left", true, 1_001);
  player.key("left", false, 1_002);
  player.advance(1_100);
  expect(directions()).toEqual(["landing", "downPress"]);
  player.correct(100, FLOOR, 1_100);
  player.advance(1_200);
  expect(directions()).toEqual(["landing", "downPress"]);
});
