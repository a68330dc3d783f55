import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile } from "@wirewalk/recording/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";
import { writeExpectations } from "./bots-expectations.ts";

const run = (...args: string[]): Promise<Ran> => startCommand(args, "", protocols).ended;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-check-"));
  file = join(folder, "play.mcap");
  // bot-1 teleports, bot-0 is honest.
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  await recordPlay({ protocol, bots: 2, durationMs: 6_000, to: { open: () => createRecordingFile(file) } });
});
afterAll(() => rmSync(folder, { recursive: true }));

const expectFile = (): string => join(folder, "play.expect.json");
const write = (data: unknown): void => writeFileSync(expectFile(), JSON.stringify(data));
beforeEach(() => {
  write({
    play: "teleport",
    expectations: [
      { expect: "must-flag", rule: "teleport", player: "bot-1", toSeconds: 3 },
      { expect: "must-not-flag", player: "bot-0" },
    ],
  });
});

describe("check", () => {
  it("says that all expectations hold", async () => {
    const { code, stdout } = await run("check", folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^holds {3}.*play\.mcap: must-flag:teleport of bot-1, 0 to 3 s: \d+ found, first teleport at \d\.\d{3} s\n/,
    );
    expect(stdout).toMatch(/\n1 recordings, all expectations hold\.\n$/);
  });

  it("says which does not, also with other limits", async () => {
    const flags = ["teleportTolerance=10", "maxSpeed=100", "maxFall=100"].flatMap((each) => [
      "--set",
      `slime-online-2.${each}`,
    ]);
    const other = await run("check", folder, ...flags);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/^broken {2}.*must-flag:teleport of bot-1, 0 to 3 s: 0 found\n/);
    write({ expectations: [{ expect: "must-not-flag", fromSeconds: 0.5, toSeconds: 3 }] });
    const { code, stdout } = await run("check", folder, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ holds: false, firstRule: "teleport" }] });
    write({ expectations: [{ expect: "must-flag", rule: "teleport", player: "bot-0" }] });
    expect((await run("check", folder)).code).toBe(1);
    write({ expectations: [{ expect: "must-not-flag", toSeconds: 0.5 }] });
    expect((await run("check", folder)).code).toBe(0);
  });

  it("says by rule what it found in honest players and how soon in cheats, with two sets of limits", async () => {
    const limits = join(folder, "limits.json");
    const loose = { teleportTolerance: 10, maxSpeed: 100, maxFall: 100, advantageSeconds: 60 };
    const named = Object.entries(loose).map(([name, value]) => [`slime-online-2.${name}`, value]);
    writeFileSync(limits, JSON.stringify(Object.fromEntries(named)));
    const { code, stdout } = await run("check", folder, "--by-rule", "--against", limits);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}all rules +0\.00\d+ +0 +0 \(0 to \d+\) +0 +1 of 1/);
    expect(stdout).toMatch(/\n {2}teleport .* 1 of 1 -> 0 of 1/);
    const json = (await run("check", folder, "--by-rule", "--json")).stdout.trim().split("\n");
    expect(JSON.parse(json.at(-1) ?? "")).toMatchObject({
      game: "slime-online-2",
      rules: expect.arrayContaining([expect.objectContaining({ rule: "*", found: 1 })]),
    });
    expect(await run("check", folder, "--against", limits)).toMatchObject({ code: 2 });
  });

  it("tune proposes nothing where nothing was found, and refuses recordings with a cheat in them", async () => {
    expect((await run("tune", folder)).stderr).toContain("has a cheat in it");
    const honest = mkdtempSync(join(tmpdir(), "wirewalk-tune-"));
    const protocol = protocols["slime-online-2"] as PlayableProtocol;
    const to = { open: () => createRecordingFile(join(honest, "play.mcap")) };
    await recordPlay({ protocol, bots: 1, durationMs: 2_000, honestIn: "1", to });
    const out = join(honest, "proposed.json");
    const { code, stdout } = await run("tune", honest, "--set", "slime-online-2.maxSpeed=2.6", "--out", out);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("no limit needs to change") });
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({ "slime-online-2.maxSpeed": 2.6 });
    rmSync(honest, { recursive: true });
  });

  it.each([
    [
      { expectations: [{ expect: "must-flag", rule: "telepathy" }] },
      /play\.mcap: slime-online-2 has no rule telepathy/,
    ],
    [{ expectations: [] }, /play\.expect\.json: expectations must be an array with at least one/],
    [{ expectations: [{ expect: "may" }] }, /expectations\[0\]\.expect must be must-flag or must-not-flag/],
    [{ expectations: [{ expect: "must-flag", when: 1 }] }, /expectations\[0\] has an unknown member when/],
    [{ expectations: [{ expect: "must-flag", toSeconds: -1 }] }, /expectations\[0\]\.toSeconds must be a number/],
  ])("names what is wrong with %j", async (data, sentence) => {
    write(data);
    const { code, stdout } = await run("check", folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(sentence);
  });

  it("needs a folder with recordings that have expectations", async () => {
    rmSync(expectFile());
    expect(await run("check", folder)).toMatchObject({
      code: 1,
      stderr: `wirewalk: ${folder}: no recording has expectations beside it\n`,
    });
    expect((await run("check")).code).toBe(2);
  });
});

describe("bots --record-as", () => {
  it("writes expectations for the seconds of the play beside recordings of the game and time", async () => {
    rmSync(expectFile(), { force: true });
    const startMs = Date.UTC(2026, 0, 1);
    const play = {
      protocol: "slime-online-2",
      cheat: "teleport",
      startEpochMs: startMs + 500,
      endEpochMs: startMs + 4_000,
    };
    const expected = { expect: "must-flag", rule: "teleport" } as const;
    expect(await writeExpectations(folder, expected, { ...play, protocol: "osrs" })).toEqual([]);
    expect(
      await writeExpectations(folder, expected, {
        ...play,
        startEpochMs: startMs + 60_000,
        endEpochMs: startMs + 61_000,
      }),
    ).toEqual([]);
    expect(await writeExpectations(folder, expected, play)).toEqual([expectFile()]);
    expect(JSON.parse(readFileSync(expectFile(), "utf8"))).toEqual({
      play: "teleport",
      expectations: [{ expect: "must-flag", rule: "teleport", fromSeconds: 0.5, toSeconds: 6 }],
    });
    expect((await run("check", folder)).code).toBe(0);
  });

  it("takes an expectation and a folder", async () => {
    expect((await run("bots", "slime-online-2", "--record-as", "maybe", "--recordings", folder)).code).toBe(2);
    expect((await run("bots", "slime-online-2", "--record-as", "must-flag")).stderr).toBe(
      "wirewalk: --record-as and --recordings go together\n",
    );
  });
});
