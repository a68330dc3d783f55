/** The settings of all games. `docs/rules.md` is made from them: `tools/made-pages.ts`. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRandom } from "../motion/index.ts";
import { simulate } from "../testing/simulation.ts";
import { defaultDialect } from "./default-dialect.ts";
import type { PlayableProtocol } from "./protocol.ts";
import type { SettingInfo } from "./settings.ts";
import { protocols } from "./table.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const games = Object.values(protocols).map((protocol): [string, PlayableProtocol] => [
  protocol.name,
  protocol as PlayableProtocol,
]);

const settingsOf = ({ capabilities }: PlayableProtocol): [string, SettingInfo][] =>
  Object.entries(capabilities?.settings?.values ?? {});

/** The standards of a game: `osrs` has two, whose names its sources begin with. */
function standardOf(game: string, source: string): { readonly name: string; readonly sections: readonly string[] } {
  const [first = "", ...rest] = source.replaceAll(",", "").split(" ");
  return { name: first === "standard" ? game : first, sections: rest };
}

describe.each(games)("settings of %s", (name, protocol) => {
  it("have a default within their bounds, and a source that exists", () => {
    expect(settingsOf(protocol).length).toBeGreaterThan(10);
    for (const [setting, info] of settingsOf(protocol)) {
      const { default: value, least, most, isWhole, kind, rules, source, summary } = info;
      expect([setting, value >= least && value <= most && least < most]).toEqual([setting, true]);
      if (isWhole) expect([setting, Number.isInteger(value)]).toEqual([setting, true]);
      expect([setting, rules.length > 0]).toEqual([setting, kind === "rule"]);
      expect(summary).toMatch(/^[^|]+[^.|]$/);
      if (source === "ours") continue;
      const standard = standardOf(name, source);
      const text = readFileSync(new URL(`protocols/${standard.name}.md`, docs), "utf8");
      for (const section of standard.sections)
        expect(text).toMatch(new RegExp(`^#+ ${section.replace(".", "\\.")} `, "m"));
    }
  });

  it("are saved by name, and a world with other ones refuses and names them", () => {
    const options = { dialect: defaultDialect(protocol), seed: 1 };
    const saved = protocol.createWorld(options).save();
    for (const [setting, { kind, default: value, least, most, isWhole }] of settingsOf(protocol)) {
      if (kind !== "rule") continue;
      const other = value === most ? least : isWhole ? value + 1 : value + (most - value) / 2;
      const configured = protocol.capabilities?.settings?.configure({ [setting]: other });
      expect(configured?.capabilities?.settings?.values[setting]?.default).toBe(other);
      const world = configured?.createWorld(options);
      expect(() => world?.restore(saved)).toThrow(`${setting} was ${value} and is ${other}`);
    }
  });

  it("out of bounds or unknown are refused", () => {
    const configure = protocol.capabilities?.settings?.configure;
    for (const [setting, { least, most }] of settingsOf(protocol)) {
      expect(() => configure?.({ [setting]: most + 1 })).toThrow(new RegExp(`^${name}\\.${setting} must be `));
      expect(() => configure?.({ [setting]: least - 1 })).toThrow(RangeError);
    }
    expect(() => configure?.({ gremlins: 1 })).toThrow(new RangeError(`${name} has no setting gremlins`));
  });
});

describe("honest bots", () => {
  /** What rules find about two of them in some seconds. */
  function rulesFound(game: string, settings: Readonly<Record<string, number>>, durationMs: number): Set<string> {
    const plain = protocols[game] as PlayableProtocol;
    const protocol = plain.capabilities?.settings?.configure(settings) ?? plain;
    const random = createRandom(3);
    const dialect = defaultDialect(protocol);
    const found = new Set<string>();
    simulate({
      protocol,
      world: { dialect, seed: 3, demo: true },
      seed: 3,
      durationMs,
      conditions: { latencyMs: { low: 40, high: 40 }, jitterMs: 150 },
      bots: Array.from({ length: 2 }, (_, number) => ({
        bot: protocol.bots.create({ dialect, random: random.fork(), number, cheat: "none" }),
        joining: { account: `bot-${number}`, name: `bot-${number}` },
        startMs: 0,
        listens: true,
      })),
      onVerdict: ({ kind, rule }) => {
        if (kind !== "accept" && kind !== "benign") found.add(rule);
      },
    });
    return found;
  }

  it.each<[string, Readonly<Record<string, number>>, number, string]>([
    ["slime-online-2", { maxMovesPerSecond: 1 }, 8_000, "rate-limit"],
    ["slime-online-2", { maxSpeed: 1 }, 8_000, "unreachable"],
    ["slime-online-2", { maxSpeed: 0.1, maxFall: 0.1, savedTravelSeconds: 0, teleportTolerance: 1 }, 8_000, "teleport"],
    ["slime-online-2", { maxSpeed: 0.5, maxCorrections: 0, correctionsApartMs: 0 }, 8_000, "anti-cheat"],
    ["maplestory", { walkPxPerSecond: 50, gainPx: 60_000, teleportPx: 60_000 }, 5_000, "speed"],
    ["maplestory", { walkPxPerSecond: 50, slackPx: 0, gainPx: 30 }, 5_000, "gain"],
    ["scrap-mechanic", { maxPitch: 0 }, 3_000, "pitch"],
    ["scrap-mechanic", { maxFutureMs: 0, clockSlackMs: 25, lateStartMaxMs: 0 }, 8_000, "tick-ahead"],
    [
      "osrs",
      { minStrokes: 1, flagStrength: 0.01, straightPx: 1000, straightLinesAllowed: 0 },
      30_000,
      "straight-lines",
    ],
  ])("of %s break a limit of %o", (game, settings, durationMs, rule) => {
    expect([...rulesFound(game, settings, durationMs)]).toContain(rule);
    expect([...rulesFound(game, {}, durationMs)]).toEqual([]);
  });
});
