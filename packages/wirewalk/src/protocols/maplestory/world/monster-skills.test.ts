import { expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { MapleBot } from "../bots/bot.ts";
import { mapleCodec } from "../wire/codec.ts";
import { targetOf } from "../wire/messages.ts";
import { MapleWorld } from "./world.ts";

/** What one bot and the world say to each other on the demo map of a dialect, for so long. */
function play(dialect: "v62" | "v83", forMs: number) {
  const codec = mapleCodec(dialect as string);
  const bot = new MapleBot({ dialect, random: createRandom(3), number: 0, cheat: "none" });
  const world = new MapleWorld({ dialect, seed: 1, demo: true });
  const answers: {
    mobId: number;
    atMs: number;
    mp: number;
    skillId: number;
    skillLevel: number;
    nextAttack: number;
  }[] = [];
  const used: { mobId: number; atMs: number; id: number; level: number }[] = [];
  const verdicts: string[] = [];
  const summons = new Set<number>();
  const take = (nowMs: number): void => {
    for (const effect of world.takeEffects()) {
      if (effect.effect === "verdict" && effect.verdict.kind !== "benign") verdicts.push(effect.verdict.rule);
      if (effect.effect === "broadcast" && effect.message.message === "moveSummon") {
        summons.add(effect.message.value.summonId);
      }
      if (effect.effect !== "send") continue;
      const message = codec.read("server", codec.write("server", effect.message));
      if (message.message === "moveMonsterResponse") answers.push({ ...message.value, atMs: nowMs });
      for (const each of bot.receive(message, nowMs)) world.receive(1, each, codec.write("client", each), nowMs);
    }
  };
  world.join(1, { account: "ann", name: "Ann" }, 0);
  for (const each of bot.start(0)) world.receive(1, each, codec.write("client", each), 0);
  take(0);
  for (let nowMs = 30; nowMs <= forMs; nowMs += 30) {
    for (const each of bot.step(nowMs)) {
      if (each.message === "moveLife") {
        const { mobId, actionAndDirection, target } = each.value;
        const found = targetOf(actionAndDirection, target);
        if (found !== undefined && "skill" in found) used.push({ mobId, atMs: nowMs, ...found.skill });
      }
      world.receive(1, each, codec.write("client", each), nowMs);
    }
    if (nowMs % 60 === 0) world.tick(nowMs);
    take(nowMs);
  }
  return { answers, used, verdicts, summons };
}

it.each(["v62", "v83"] as const)("of %s are granted in answers, used, paid and rested for", (dialect) => {
  const { answers, used, verdicts, summons } = play(dialect, 60_000);
  expect(verdicts).toEqual([]);
  // The bot's summon follows it: its paths are relayed.
  expect(summons.size).toBe(1);
  const granted = answers.filter(({ skillId }) => skillId !== 0);
  expect(granted.length).toBeGreaterThan(5);
  expect(granted.every(({ nextAttack }) => nextAttack === 1)).toBe(true);
  expect(used.length).toBeGreaterThan(5);
  const mobIds = new Set(used.map(({ mobId }) => mobId));
  for (const mobId of mobIds) {
    const own = used.filter((each) => each.mobId === mobId);
    // A skill is used in the path after the answer that grants it.
    for (const { atMs, id, level } of own) {
      const before = answers.findLast((each) => each.mobId === mobId && each.atMs < atMs);
      expect([before?.skillId, before?.skillLevel]).toEqual([id, level]);
    }
    const costs = { 121: 60, 110: 5 } as Readonly<Record<number, number>>;
    const paid = own.reduce((sum, { id }) => sum + (costs[id] ?? 0), 0);
    expect(answers.findLast((each) => each.mobId === mobId)?.mp).toBe(400 - paid);
    // Twenty seconds of rest after the first skill, ten after the second.
    for (const [at, { atMs, id }] of own.slice(0, -1).entries()) {
      const next = own[at + 1]?.atMs ?? 0;
      expect(next - atMs).toBeGreaterThanOrEqual(id === 121 ? 20_000 : 10_000);
    }
  }
});
