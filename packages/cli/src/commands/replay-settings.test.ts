import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const run = (...args: string[]): Promise<Ran> => startCommand(args, "", protocols).ended;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-settings-"));
  file = join(folder, "play.mcap");
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  await recordPlay({ protocol, bots: 4, durationMs: 6_000, to: { open: () => createRecordingFile(file) } });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("replay --set", () => {
  it("lists the verdicts that other limits add and remove", async () => {
    const { code, stdout, stderr } = await run(
      ...["replay", file, "--set", "slime-online-2.maxSpeed=100", "--set", "slime-online-2.maxMovesPerSecond=1"],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^slime-online-2, dialect v0106: 6\.0 s\n {2}maxSpeed: 2\.5 -> 100 px\/frame\n/);
    expect(stdout).toMatch(/\nappears +\d+\.\d{3} +1 +reject +rate-limit +2 +1 +messages\/s\n/);
    expect(stdout).toMatch(/\nvanishes +\d+\.\d{3} +2 +correct +(teleport|unreachable) +[\d.]+ +[\d.]+ +px( +~)?\n/);
    const [, appear, vanish] = /\n(\d+) verdicts appear, (\d+) vanish, \d+ are the same\.\n/.exec(stdout) ?? [];
    expect(stdout.match(/^appears /gm)?.length).toBe(Number(appear));
    expect(stdout.match(/^vanishes /gm)?.length).toBe(Number(vanish));
  });

  it("takes a file of limits, and prints JSON lines", async () => {
    const rules = join(folder, "rules.json");
    writeFileSync(rules, '{"slime-online-2.maxMovesPerSecond": "1 messages/s"}');
    const { code, stdout } = await run("replay", file, "--rules", rules, "--json", "--from", "2");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly total?: { readonly appear: number }; readonly change?: string });
    expect(code).toBe(0);
    const counts = lines.at(-1)?.total;
    expect(lines.filter(({ change }) => change === "appears").length).toBe(counts?.appear);
    expect(counts?.appear).toBeGreaterThan(0);
  });

  it.each([
    [
      ["--set", "scrap-mechanic.maxGain=0.1"],
      2,
      /play\.mcap is a recording of slime-online-2, and the settings are of scrap-mechanic\n$/,
    ],
    [
      ["--set", "slime-online-2.maxSpeed=3", "--verify"],
      2,
      /^wirewalk: --set and --rules list verdicts: --serve, --verify and --speed do not go with them/,
    ],
    [["--set", "slime-online-2.maxSped=3"], 2, /did you mean slime-online-2\.maxSpeed\?\n$/],
    [["--rules", "/nothing/there"], 2, /^wirewalk: --rules \/nothing\/there: no such file or folder \(ENOENT\)/],
  ])("%j is refused", async (flags, expected, sentence) => {
    const { code, stderr } = await run("replay", file, ...flags);
    expect(code).toBe(expected);
    expect(stderr).toMatch(sentence);
  });
});

describe("rules", () => {
  it("lists the settings of a game, with those of --set", async () => {
    const { code, stdout } = await run("rules", "slime-online-2", "--set", "slime-online-2.maxSpeed=3");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^slime-online-2: Slime Online 2\n {2}maxMovesPerSecond=60 +messages\/s +1\.\.1000 +[\w.]+ [\w.]+ +Messages of one player in any second \[rate-limit\]\n {2}maxSpeed=3 +px\/frame/,
    );
  });

  it("prints one JSON object for each setting of all games", async () => {
    const { stdout } = await run("rules", "--json");
    const settings = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly protocol: string; readonly name: string; readonly value: number });
    expect(new Set(settings.map(({ protocol }) => protocol))).toEqual(new Set(Object.keys(protocols)));
    expect(settings.find(({ name }) => name === "maxGain")).toMatchObject({
      protocol: "scrap-mechanic",
      kind: "rule",
      unit: "s/s",
      value: 0.005,
      least: 0,
      most: 0.5,
      source: expect.stringMatching(/8\.2$/) as string,
      rules: ["fast-clock"],
    });
  });
});
