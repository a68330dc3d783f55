import { expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { parseHex } from "../../wire/index.ts";
import { scrapMechanic } from "./scrap-mechanic.ts";
import type { ScrapServerMessage } from "./wire/codec.ts";
import { scrapLimitTable } from "./world/limits.ts";
import { scrapRules } from "./world/rules.ts";

it("says what it is", () => {
  expect(scrapMechanic).toMatchObject({
    name: "scrap-mechanic",
    defaultPort: 38_799,
    bots: { cheats: ["clock-1.02", "clock-1.2", "clock-2", "replay", "keys", "pitch", "lag-switch", "gaps"] },
  });
  expect(scrapMechanic.dialects.map(({ name }) => name)).toEqual(["documented"]);
  expect(Object.keys(scrapMechanic.streams)).toEqual([""]);
});

it("a session is a player at once, in its only dialect", () => {
  expect(scrapMechanic.capabilities.login).toBeUndefined();
  expect(() => scrapMechanic.codec("survival")).toThrow(RangeError);
});

it("writes 0x18 without its count where that was set, and reads it so", () => {
  const bare = scrapMechanic.capabilities.settings?.configure({ countByte: 0 });
  const nobody: ScrapServerMessage = {
    message: "unreliableUpdate",
    value: { serverTick: 16, currentTick: 12345, updates: [] },
  };
  const packet = parseHex("18800000001000003039");
  expect(bare?.codec("documented").write("server", nobody)).toEqual(packet);
  const client = bare?.openChannel({ side: "client", dialect: "documented", carrier: "message" });
  client?.push(packet);
  expect(client?.next()?.message).toEqual(nobody);
  expect([
    bare?.capabilities?.settings?.values.countByte?.default,
    scrapMechanic.capabilities.settings?.values.countByte?.default,
  ]).toEqual([0, 1]);
  expect(() => scrapMechanic.capabilities.settings?.configure({ countByte: 2 })).toThrow(
    "scrap-mechanic.countByte must be 0 or 1, got 2",
  );
  expect(() => scrapMechanic.capabilities.settings?.configure({ gravity: 1 })).toThrow(
    "scrap-mechanic has no setting gravity",
  );
});

it("makes worlds and bots that speak to each other", () => {
  const world = scrapMechanic.createWorld({ dialect: "documented", seed: 1 });
  const codec = scrapMechanic.codec("documented");
  const random = createRandom(1);
  const bot = scrapMechanic.bots.create({ dialect: "documented", random, number: 0, cheat: "none" });
  world.join(1, { account: "a", name: "a" }, 0);
  const say = (messages: ReturnType<typeof bot.step>, nowMs: number): void => {
    for (const message of messages) world.receive(1, message, codec.write("client", message), nowMs);
  };
  say(bot.start(0), 0);
  for (let nowMs = 0; nowMs < 5000; nowMs += 25) {
    say(bot.step(nowMs), nowMs);
    world.tick(nowMs);
    for (const effect of world.takeEffects()) {
      expect(effect.effect).not.toBe("verdict");
      if (effect.effect === "send") say(bot.receive(effect.message, nowMs), nowMs);
    }
  }
  const [track] = world.tracks(5000);
  expect(track?.details?.tick).toBe(198);
});

it("limits name rules that exist", () => {
  const names = Object.values(scrapLimitTable).flatMap(({ rules }): readonly string[] => rules);
  expect(names.filter((name) => !(scrapRules as readonly string[]).includes(name))).toEqual([]);
});
