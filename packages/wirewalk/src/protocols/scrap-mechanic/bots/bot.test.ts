import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { keysByte, type PlayerMovement } from "../wire/player-movement.ts";
import { ConsistencyCheck } from "../world/consistency.ts";
import { ScrapBot, type ScrapBotOptions } from "./bot.ts";

/** What a bot says within a minute, to nobody. */
function listen(options: Partial<ScrapBotOptions> = {}): { said: PlayerMovement[]; bot: ScrapBot; furthest: number } {
  const bot = new ScrapBot({ dialect: "documented", random: createRandom(1), number: 0, cheat: "none", ...options });
  const said: PlayerMovement[] = [];
  let furthest = 0;
  expect(bot.start(0)).toEqual([{ message: "hello", value: { version: 1 } }]);
  expect(bot.step(20)).toEqual([]);
  bot.receive({ message: "playing", value: { character: 7, tick: 100, position: { x: 0, y: 0, z: 0 } } }, 0);
  for (let nowMs = bot.stepMs; nowMs <= 60_000; nowMs += bot.stepMs) {
    for (const message of bot.step(nowMs)) {
      if (message.message !== "playerMovement") throw new Error(`says ${message.message}`);
      said.push(message.value);
    }
    const { x, y } = bot.predictor?.state ?? { x: 0, y: 0 };
    furthest = Math.max(furthest, Math.hypot(x, y));
  }
  return { said, bot, furthest };
}

describe("a bot", () => {
  it("says a packet each tick, and breaks no rule of the document", () => {
    const { said } = listen();
    expect(said.map(({ tick }) => tick)).toEqual(Array.from({ length: 2400 }, (_, index) => 100 + index));
    const rules = new ConsistencyCheck();
    for (const movement of said) expect(rules.judge(movement, movement.tick, false)).toEqual([]);
  });

  it("wanders, sprints, crawls, aims and jumps, and stays around", () => {
    const { said, furthest } = listen();
    const used = said.reduce((bits, { keys }) => bits | keysByte(keys), 0);
    expect(used).toBe(31);
    expect(said.some(({ keys }) => keysByte(keys) === 0)).toBe(true);
    expect(new Set(said.map(({ yaw }) => yaw)).size).toBeGreaterThan(20);
    expect(furthest).toBeGreaterThan(5);
    expect(furthest).toBeLessThan(60);
  });

  it("has the clock that it is given", () => {
    expect(listen({ clockRate: 1.001 }).said).toHaveLength(2402);
    expect(listen({ cheat: "clock-1.02" }).said).toHaveLength(2448);
    expect(listen({ cheat: "clock-2" }).said).toHaveLength(4800);
  });

  it("cheats as its options say", () => {
    expect(listen({ cheat: "pitch" }).said.some(({ pitch }) => pitch > 128)).toBe(true);
    expect(listen({ cheat: "keys" }).said.every(({ keys }) => keys.sprint && !keys.horizontal)).toBe(true);
    const ticks = listen({ cheat: "replay" }).said.map(({ tick }) => tick);
    expect(ticks.length - new Set(ticks).size).toBe(80);
    expect(listen({ cheat: "gaps" }).said.every(({ tick }, index) => tick === 101 + 2 * index)).toBe(true);
  });

  it("holds back 5 s of ticks, and sends them at once, as a lag switch", () => {
    const { said, bot } = listen({ cheat: "lag-switch" });
    expect(said).toHaveLength(2400);
    expect(bot.step(60_025)).toEqual([]);
  });

  it("sends a packet a frame at most, on a slow machine", () => {
    const { said } = listen({ frameMs: 60 });
    expect(said).toHaveLength(1000);
    const rules = new ConsistencyCheck();
    for (const movement of said) expect(rules.judge(movement, movement.tick, false)).toEqual([]);
  });

  it("misses a tick where it was held up, and says one packet then", () => {
    const { bot } = listen();
    expect(bot.step(60_100).map(({ value }) => "tick" in value && value.tick)).toEqual([99 + 2404]);
    expect(bot.predictor?.tick).toBe(99 + 2404);
  });
});
