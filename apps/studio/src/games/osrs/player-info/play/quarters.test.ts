import { expect, test } from "vitest";
import { PlayerInfoDecoder, PlayerInfoEngine } from "wirewalk/osrs/player-info";
import { countQuarters } from "./quarters.ts";

/** The client of player 1 in a world with these players, by index. */
function clientOf(
  players: Readonly<Record<number, readonly [level: number, x: number, z: number]>>,
): PlayerInfoDecoder {
  const engine = new PlayerInfoEngine({ dialect: "client" });
  for (const [index, [level, x, z]] of Object.entries(players)) engine.add(Number(index), { level, x, z });
  engine.tick();
  const decoder = new PlayerInfoDecoder({ dialect: "client" });
  decoder.init(engine.observe(1), 1);
  engine.tick();
  decoder.decode(engine.packet(1));
  return decoder;
}

test("counts externals by level and quarter of the world, and locals not at all", () => {
  const decoder = clientOf({
    1: [0, 3200, 3200],
    2: [0, 3201, 3201],
    3: [0, 3200, 9000],
    4: [0, 9000, 9000],
    5: [0, 9001, 9000],
    6: [3, 9000, 100],
    7: [0, 3300, 3300],
  });
  expect(countQuarters(decoder, [1, 2, 3, 4, 5, 6, 7])).toEqual({
    levels: [
      { level: 0, counts: [1, 0, 1, 2] },
      { level: 3, counts: [0, 1, 0, 0] },
    ],
    outside: 0,
    players: 5,
  });
});

test("a slot without a player is not counted, though the client has a quarter for it", () => {
  expect(countQuarters(clientOf({ 1: [0, 3200, 3200] }), [1])).toEqual({ levels: [], outside: 0, players: 0 });
});

test("a quarter outside of the world is counted separately", () => {
  const decoder = clientOf({ 1: [0, 3200, 3200], 9: [0, 9000, 9000] });
  decoder.quarters[9] = (200 << 14) | 1;
  expect(countQuarters(decoder, [9])).toEqual({ levels: [], outside: 1, players: 1 });
});
