import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "../wire/codec.ts";
import { mapleDialects } from "../wire/dialect.ts";
import { MapleWorld } from "../world/world.ts";
import { MapleBot } from "./bot.ts";
import { mapleCheats } from "./cheats.ts";

const changeMap = (fieldKey: number): MapleServerMessage => ({
  message: "changeMap",
  value: {
    channel: 0,
    fieldKey,
    target: { content: "map", notices: 0, mapId: 1, spawnPoint: 0, hp: 50, chase: 0, time: 0n },
  },
});

const open = (cheat = "none", dialect = "v62", seed = 1): MapleBot =>
  new MapleBot({ dialect, random: createRandom(seed), number: 0, cheat });

describe("a bot", () => {
  it.each(mapleDialects)("sends messages of its dialect alone, whatever its cheat: $name", ({ name: dialect }) => {
    const codec = mapleCodec(dialect);
    for (const cheat of ["none", ...mapleCheats]) {
      const bot = open(cheat, dialect);
      const sent = [...bot.start(0)];
      bot.receive(changeMap(1), 0);
      for (let nowMs = 0; nowMs < 60_000; nowMs += 30) sent.push(...bot.step(nowMs));
      expect(sent.length).toBeGreaterThan(5);
      for (const message of sent) expect(codec.write("client", message).length).toBeGreaterThan(1);
    }
  });

  it.each(["v62", "documented"])("of `reconnect` in %s wants another connection after each jump, once", (dialect) => {
    const bot = open("reconnect", dialect);
    bot.start(0);
    bot.receive(changeMap(1), 0);
    const wantedMs: number[] = [];
    for (let nowMs = 0; nowMs < 60_000; nowMs += 30) {
      bot.step(nowMs);
      if (!bot.wantsReconnect) continue;
      wantedMs.push(nowMs);
      bot.start(nowMs);
      bot.receive(changeMap(1), nowMs);
    }
    expect(wantedMs.length).toBeGreaterThan(4);
    expect(wantedMs.length).toBeLessThan(15);
  });

  it("names its character first, and sends no movement before it is on a map", () => {
    const bot = open();
    expect(bot.start(0)).toMatchObject([{ message: "playerLoggedIn" }]);
    for (let nowMs = 0; nowMs < 5000; nowMs += 7) expect(bot.step(nowMs)).toEqual([]);
  });

  it.each([0, 1, 17, 29])("starts its first step when its map arrives, also %i ms after a step was due", (lateMs) => {
    const bot = open();
    bot.start(0);
    for (let nowMs = 0; nowMs <= 3000; nowMs++) bot.step(nowMs);
    const beganMs = 3000 + lateMs;
    bot.receive(changeMap(1), beganMs);
    const sentMs: number[] = [];
    for (let nowMs = beganMs; nowMs <= beganMs + 10_000; nowMs++) {
      if (bot.step(nowMs).some(({ message }) => message === "movePlayer")) sentMs.push(nowMs - beganMs);
    }
    // An earlier path would contain time before the map.
    expect(sentMs.map((ms) => ms % 510)).toEqual(sentMs.map(() => 0));
    expect(sentMs.length).toBeGreaterThan(3);
  });

  it("sends whole pixels of a monster that it drove before", () => {
    const bot = open("foreign-monster");
    bot.start(0);
    bot.receive(changeMap(1), 0);
    const spawn = {
      status: "controlled",
      template: 100_100,
      statusMask: new Uint8Array(8),
      x: 100,
      y: 270,
      state: 4,
      originFoothold: 3,
      foothold: 3,
      appear: -1,
      team: -1,
      effect: 0,
    } as const;
    bot.receive({ message: "controlMonster", value: { mode: "control", mobId: 5, spawn } }, 0);
    const sent: MapleClientMessage[] = [];
    for (let nowMs = 0; nowMs <= 13_000; nowMs += 30) {
      if (nowMs === 4500) bot.receive({ message: "controlMonster", value: { mode: "stop", mobId: 5 } }, nowMs);
      sent.push(...bot.step(nowMs).filter(({ message }) => message === "moveLife" && nowMs >= 4500));
    }
    expect(sent.length).toBeGreaterThan(0);
    for (const message of sent) expect(() => mapleCodec("v62").write("client", message)).not.toThrow();
  });

  it.each(["map", "character"] as const)("answers pings, and keeps the fieldKey of its %s", (content) => {
    const bot = open();
    bot.start(0);
    // A server that has the whole game sends the character at the login, and the map within it.
    const target = { content: "character", data: new Uint8Array(300) } as const;
    const login: MapleServerMessage = { message: "changeMap", value: { channel: 0, fieldKey: 200, target } };
    bot.receive(content === "map" ? changeMap(200) : login, 0);
    expect(bot.receive({ message: "ping", value: {} }, 0)).toEqual([{ message: "pong", value: {} }]);
    const sent = Array.from({ length: 300 }, (_, step) => bot.step(step * 30)).flat();
    const keys = sent.flatMap(({ message, value }) =>
      message === "movePlayer" && "fieldKey" in value ? [value.fieldKey] : [],
    );
    expect(new Set(keys)).toEqual(new Set([200]));
  });
});

/** Bots and a world on one clock, without a network between them. */
function play(
  bots: readonly MapleBot[],
  dialect: string,
  ms: number,
  watch: (world: MapleWorld) => void = () => {},
): { world: MapleWorld; rules: string[]; passages: MapleClientMessage[] } {
  const world = new MapleWorld({ dialect, seed: 1, demo: true });
  const rules: string[] = [];
  /** The last message before each change of map. */
  const passages: MapleClientMessage[] = [];
  let last: MapleClientMessage | undefined;
  let nowMs = 0;
  const say = (index: number, messages: readonly MapleClientMessage[]): void => {
    for (const message of messages) {
      last = message;
      world.receive(index + 1, message, new Uint8Array(64), nowMs);
      settle();
    }
  };
  const settle = (): void => {
    for (const effect of world.takeEffects()) {
      if (effect.effect === "verdict") rules.push(`${effect.verdict.kind} ${effect.verdict.rule}`);
      if (effect.effect === "enter" && last?.message === "movePlayer") passages.push(last);
      if (effect.effect === "send") say(effect.to - 1, bots[effect.to - 1]?.receive(effect.message, nowMs) ?? []);
    }
  };
  bots.forEach((bot, index) => {
    world.join(index + 1, { account: `${index}`, name: "bot" }, nowMs);
    say(index, bot.start(nowMs));
  });
  for (; nowMs < ms; nowMs += 10) {
    for (const [index, bot] of bots.entries()) say(index, bot.step(nowMs));
    watch(world);
  }
  return { world, rules, passages };
}

describe("bots without a network", () => {
  it.each(mapleDialects.map(({ name }) => name))("of %s give no cause for a verdict", (dialect) => {
    const bots = [1, 2, 3].map((seed) => open("none", dialect, seed));
    const { rules } = play(bots, dialect, 120_000);
    expect(rules.filter((rule) => !rule.startsWith("benign"))).toEqual([]);
  });

  it("pass through portals, also when they have stood still since they entered", () => {
    const bots = [1, 2, 3, 4].map((seed) => open("none", "v62", seed));
    const { rules, passages } = play(bots, "v62", 300_000);
    // A character that stands still sends one step of 30 ms without movement.
    const isStill = ({ value }: MapleClientMessage): boolean =>
      "fragments" in value &&
      value.fragments.every(({ durationMs, vx, vy }) => durationMs === 30 && vx === 0 && vy === 0);
    expect(passages.filter(isStill).length).toBeGreaterThan(0);
    expect(passages.filter((sent) => !isStill(sent)).length).toBeGreaterThan(0);
    expect(rules.filter((rule) => !rule.startsWith("benign"))).toEqual([]);
  });

  it("with the cheat vacuum take the monsters of others, and are flagged", () => {
    let most = 0;
    const { rules } = play([open(), open("vacuum", "v62", 2)], "v62", 60_000, (world) => {
      // On whichever map it is.
      for (const room of ["1", "2"]) {
        const drivers = [...(world.monsters(room)?.values() ?? [])].map(({ controller }) => controller);
        most = Math.max(most, drivers.filter((driver) => driver === 2).length);
      }
    });
    expect(most).toBeGreaterThanOrEqual(10);
    expect(rules).toContain("flag vacuum-box");
  });
});
