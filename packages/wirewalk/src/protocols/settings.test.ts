/**
 * The settings of all games, and `docs/rules.md`, which is made from them.
 *
 * `UPDATE_DOCS=1 npx vitest run --project code packages/wirewalk/src/protocols/settings.test.ts` writes it anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRandom } from "../motion/index.ts";
import { simulate } from "../testing/simulation.ts";
import { defaultDialect } from "./default-dialect.ts";
import type { Protocol } from "./protocol.ts";
import type { SettingInfo } from "./settings.ts";
import { protocols } from "./table.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const games = Object.values(protocols).map((protocol): [string, Protocol] => [protocol.name, protocol as Protocol]);

const settingsOf = ({ capabilities }: Protocol): [string, SettingInfo][] =>
  Object.entries(capabilities.settings?.values ?? {});

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
      const configured = protocol.capabilities.settings?.configure({ [setting]: other });
      expect(configured?.capabilities.settings?.values[setting]?.default).toBe(other);
      const world = configured?.createWorld(options);
      expect(() => world?.restore(saved)).toThrow(`${setting} was ${value} and is ${other}`);
    }
  });

  it("out of bounds or unknown are refused", () => {
    const configure = protocol.capabilities.settings?.configure;
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
    const plain = protocols[game] as Protocol;
    const protocol = plain.capabilities.settings?.configure(settings) ?? plain;
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
    ["slime-online-2", { maxSpeed: 1 }, 8_000, "axis-speed"],
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

const HEAD = `# Settings of the rules

Every limit of a rule is a setting: it has a name, a unit, bounds and a source. \`wirewalk rules\` prints this table, with
\`--json\` as data. The same names are set

* on the command line: \`wirewalk serve --set slime-online-2.maxSpeed=3\`, any number of times. A value may have its unit
  (\`3px/frame\`), and another unit is refused;
* in a file: \`wirewalk serve --rules rules.json\` with \`{"slime-online-2.maxSpeed": 3}\`. \`--set\` wins over it;
* in the library, for a game or for one world:

\`\`\`ts
import { SlimeWorld, slimeOnline2 } from "wirewalk/slime-online-2";

const faster = slimeOnline2.capabilities.settings?.configure({ maxSpeed: 3 });
const world = new SlimeWorld({ dialect: "v0106", seed: 1, limits: { maxSpeed: 3 } });
\`\`\`

A world saves its limits by name, and one with other limits refuses to restore it. Recordings have the settings in force
([recordings.md](recordings.md)); \`wirewalk replay --set\` says what other limits would have found.

What limits the memory or the bytes of a peer is no setting, and nor is what defines a measure, such as the rest that ends a
stroke of the mouse or the length of a burst in \`LinkPace\`.

Sources are sections of the game's standard in [protocols/](protocols/README.md).
`;

function tableOf(protocol: Protocol): string {
  const rows = settingsOf(protocol).map(
    ([name, { summary, unit, default: value, least, most, source, rules }]) =>
      `| \`${name}\` | ${value} | ${unit} | ${least} to ${most} | ${source.replace("standard ", "")} | ${rules.join(", ")} | ${summary} |`,
  );
  return [
    `## ${protocol.title} (\`${protocol.name}\`)`,
    "",
    "| setting | default | unit | bounds | source | rules | what |",
    "| --- | ---: | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

it("the tables of the documentation are made from the settings", () => {
  const page = new URL("rules.md", docs);
  const text = [HEAD, ...games.map(([, protocol]) => tableOf(protocol))].join("\n");
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, text);
  expect(readFileSync(page, "utf8")).toBe(text);
});
