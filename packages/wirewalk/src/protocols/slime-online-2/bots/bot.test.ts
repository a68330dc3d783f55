import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { slimeOnline2 } from "../slime-online-2.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";
import { SlimeBot, type SlimeBotOptions } from "./bot.ts";

/** The directions that a bot sends in each frame of some minutes. */
function framesOf(options: Partial<SlimeBotOptions>, minutes = 3): string[][] {
  const bot = new SlimeBot({ dialect: "documented", random: createRandom(4), number: 0, cheat: "none", ...options });
  const name = ({ message, value }: SlimeClientMessage): string => ("direction" in value ? value.direction : message);
  const frames = [bot.start(0).map(name)];
  for (let frame = 1; frame <= minutes * 3600; frame++) frames.push(bot.step(frame * bot.stepMs + 0.01).map(name));
  return frames;
}

describe("debounce (docs/protocols/slime-online-2.md, standard 7.4)", () => {
  it("a bot that turns sends the release in one frame and the press in the next", () => {
    const frames = framesOf({});
    const turns = frames.flatMap((sent, frame) => (sent.at(-1) === "leftRelease" ? [[sent, frames[frame + 1]]] : []));
    const pressed = turns.filter(([, next]) => next?.includes("rightPress"));
    expect(pressed.length).toBeGreaterThan(5);
    expect(frames.filter((sent) => sent.includes("leftRelease") && sent.includes("rightPress"))).toEqual([]);
  });

  it("no key stays down on the server: presses and releases take turns", () => {
    const held = new Set<string>();
    for (const direction of framesOf({}).flat()) {
      const [, key, action] = /^(left|right|up|down)(Press|Release)/.exec(direction) ?? [];
      if (key === undefined) continue;
      expect(held.has(key)).toBe(action === "Release");
      if (action === "Press") held.add(key);
      else held.delete(key);
    }
  });

  it("a cheat sends when it wants", () => {
    const spam = framesOf({ cheat: "key-spam" }, 0.1).slice(1);
    expect(spam.every((sent) => sent.filter((direction) => direction.startsWith("down")).length >= 2)).toBe(true);
  });
});

it("plays nothing of the time for which it waited for its login", () => {
  const bot = new SlimeBot({ dialect: "v0106", random: createRandom(4), number: 0, cheat: "none" });
  bot.start(0);
  for (let frame = 1; frame <= 300; frame++) expect(bot.step(frame * bot.stepMs)).toEqual([]);
  const nowMs = 300 * bot.stepMs;
  const world = slimeOnline2.createWorld({ dialect: "v0106", seed: 1, demo: true });
  world.join(1, { account: "login:ann", name: "ann" }, nowMs);
  for (const effect of world.takeEffects()) if (effect.effect === "send") bot.receive(effect.message, nowMs);
  const { x, y } = bot.state;
  // One frame: a few pixels, and the messages of one moment.
  const sent = bot.step(nowMs + bot.stepMs + 0.01);
  expect(Math.hypot(bot.state.x - x, bot.state.y - y)).toBeLessThan(10);
  expect(sent.length).toBeLessThan(3);
});

it("goes through doors in dialects that have them, and no rule finds anything", () => {
  const bot = new SlimeBot({ dialect: "v0106", random: createRandom(2), number: 0, cheat: "none" });
  const world = slimeOnline2.createWorld({ dialect: "v0106", seed: 1, demo: true });
  const codec = slimeOnline2.codec("v0106");
  const verdicts: string[] = [];
  let warps = 0;
  const settle = (nowMs: number): void => {
    for (const effect of world.takeEffects()) {
      if (effect.effect === "send") bot.receive(effect.message, nowMs);
      if (effect.effect === "verdict") verdicts.push(`${effect.verdict.kind} ${effect.verdict.rule}`);
    }
  };
  bot.start(0);
  world.join(1, { account: "login:ann", name: "ann" }, 0);
  settle(0);
  for (let frame = 1; frame <= 10 * 3600; frame++) {
    const nowMs = frame * bot.stepMs + 0.01;
    for (const message of bot.step(nowMs)) {
      if (message.message === "warp") warps += 1;
      world.receive(1, message, codec.write("client", message), nowMs);
    }
    if (frame % 3 === 0) world.tick(nowMs);
    settle(nowMs);
  }
  expect(warps).toBeGreaterThan(5);
  expect(verdicts.filter((verdict) => !verdict.startsWith("benign"))).toEqual([]);
  expect(world.rooms().size).toBe(1);
});
