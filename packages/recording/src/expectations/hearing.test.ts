import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";

import { nodeDecompress, readRecordingFile } from "../node/read-file.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { sliceRecording } from "../writing/slice-recording.ts";
import type { Expectations } from "./expectation.ts";
import { type Heard, hearRecording, poissonInterval, sumUpHearing } from "./hearing.ts";
import { hearHonest, tuneLimits } from "./tuning.ts";

const protocol = slimeOnline2 as PlayableProtocol;
const options = { protocols: { [protocol.name]: protocol } };
const rules = protocol.capabilities?.rules ?? [];
const HONEST_OF_CORPUS = "../../../../corpus/slime-online-2/honest-all.mcap";

/** Two bots; the second one cheats. */
let recording: Recording;
beforeAll(async () => {
  const { sink } = await recordPlay({ protocol, bots: 2, durationMs: 6_000 });
  recording = sink.recording();
});

const known: Expectations = {
  play: "teleport",
  expectations: [
    { expect: "must-flag", player: "bot-1", fromSeconds: 0.5 },
    { expect: "must-not-flag", player: "bot-0" },
  ],
};

describe("a hearing", () => {
  test("counts hours of honest players alone, and how soon the cheat is found", () => {
    const heard = hearRecording(recording, known, options);
    expect(heard.honest.map(({ name, findings }) => [name, findings.size])).toEqual([["bot-0", 0]]);
    expect(heard.honest[0]?.seconds).toBeGreaterThan(5);
    expect(heard.honest[0]?.seconds).toBeLessThan(6.5);
    const [all] = sumUpHearing([heard], rules);
    expect(all).toMatchObject({ rule: "*", findings: 0, perHour: 0, perHourLow: 0, found: 1, cheats: 1 });
    // Nothing in 6 s says little of an hour.
    expect(all?.perHourHigh).toBeGreaterThan(2_000);
    expect(all?.medianSeconds).toBeGreaterThan(0);
  });

  test("of a cheat that is taken for honest says how often: one moment counts once", () => {
    const heard = hearRecording(recording, { expectations: [{ expect: "must-not-flag" }] }, options);
    const cheat = heard.honest.find(({ name }) => name === "bot-1");
    expect(cheat?.findings.get("teleport")).toBe(1);
    expect(sumUpHearing([heard], rules)[0]).toMatchObject({ players: 1, cheats: 0 });
  });

  test("a dismissed verdict counts for its rule alone", () => {
    const dismissed: Expectations = { expectations: [{ expect: "must-not-flag", rule: "teleport", player: "bot-1" }] };
    const summed = sumUpHearing([hearRecording(recording, dismissed, options)], rules);
    expect(summed.find(({ rule }) => rule === "teleport")).toMatchObject({ findings: 1 });
    expect(summed.find(({ rule }) => rule === "unreachable")).toMatchObject({ findings: 0, honestHours: 0 });
  });

  test("other limits are heard on the same recording", () => {
    const settings = { teleportTolerance: 10, maxSpeed: 100, maxFall: 100, advantageSeconds: 60 };
    const found = (limits: Readonly<Record<string, number>>): number =>
      sumUpHearing([hearRecording(recording, known, { ...options, settings: limits })], rules).find(
        ({ rule }) => rule === "teleport",
      )?.found ?? 0;
    expect([found({}), found(settings)]).toEqual([1, 0]);
  });
});

test.each([
  [0, 0, 3.689],
  [1, 0.025, 5.572],
  [10, 4.795, 18.39],
  [100, 81.36, 121.6],
])("of %i findings the interval is %f to %f (Garwood)", (count, low, high) => {
  const [from, to] = poissonInterval(count);
  expect(from).toBeCloseTo(low, 2);
  expect(to).toBeCloseTo(high, 1);
});

describe("tuning", () => {
  test("finds the nearest limit after which a rule is silent, and changes nothing that is silent already", async () => {
    const { sink } = await recordPlay({ protocol, bots: 2, durationMs: 6_000, honestIn: "1" });
    const honest = [{ recording: sink.recording(), options }];
    expect(tuneLimits(protocol, honest)).toEqual({ proposals: [], open: [] });
    const today = { maxSpeed: 0.5 };
    const { proposals, open } = tuneLimits(protocol, honest, today);
    expect(open).toEqual([]);
    expect(proposals.length).toBeGreaterThan(0);
    for (const each of proposals) expect(each.findings).toBeGreaterThan(0);
    const settings = { ...today, ...Object.fromEntries(proposals.map(({ name, proposed }) => [name, proposed])) };
    const heard: Heard = hearRecording(
      sink.recording(),
      { expectations: [{ expect: "must-not-flag" }] },
      { ...options, settings },
    );
    expect(sumUpHearing([heard], rules)[0]).toMatchObject({ findings: 0 });
  });

  test("proposes limits as a set: with all of them the least is found, and without any of them more", async () => {
    const { sink } = await recordPlay({ protocol, bots: 2, durationMs: 6_000, honestIn: "1" });
    const honest = [{ recording: sink.recording(), options }];
    const today = { maxSpeed: 1, maxFall: 5 };
    const { proposals, open } = tuneLimits(protocol, honest, today);
    expect(proposals.length).toBeGreaterThan(0);
    const limits = Object.fromEntries(proposals.map(({ name, proposed }) => [name, proposed]));
    const findings = (settings: Readonly<Record<string, number>>): number =>
      sumUpHearing(hearHonest(honest, { ...today, ...settings }), rules)[0]?.findings ?? Number.NaN;
    const left = findings(limits);
    expect(left).toBe(open.reduce((sum, each) => sum + each.findings, 0));
    expect(left).toBeLessThan(findings({}));
    for (const { name } of proposals) {
      const { [name]: _left, ...others } = limits;
      expect(findings(others), name).toBeGreaterThan(left);
    }
  });

  test("moves limits of one rule together where none of them helps by itself: an honest player of the corpus", async () => {
    // A jump and a run at once: eight seconds of a recording with five honest players, in which one has a finding.
    const whole = await readRecordingFile(fileURLToPath(new URL(HONEST_OF_CORPUS, import.meta.url)));
    const startNs = whole.chunks[0]?.startTime ?? 0n;
    const seconds = { fromNs: startNs + 12_000_000_000n, toNs: startNs + 20_000_000_000n };
    const bytes = await sliceRecording([whole], { ...seconds, player: 1 });
    const honest = [{ recording: openRecording(bytes, { decompress: nodeDecompress }), options }];
    const today = { jumpSpeed: 1.8, maxSpeed: 1.65 };
    const heardBy = (limits: Readonly<Record<string, number>>) =>
      sumUpHearing(hearHonest(honest, { ...today, ...limits }), rules)[0];
    const { proposals, open } = tuneLimits(protocol, honest, today);
    expect(proposals.map(({ name, rule, findingsThen }) => [name, rule, findingsThen])).toEqual([
      ["jumpSpeed", "unreachable", 0],
      ["advantageSeconds", "unreachable", 0],
    ]);
    expect(open).toEqual([]);
    const [jump, advantage] = proposals.map(({ name, proposed }) => ({ [name]: proposed }));
    const sets = [{}, { ...jump }, { ...advantage }, { ...jump, ...advantage }];
    expect(sets.map((limits) => heardBy(limits)?.findings)).toEqual([1, 1, 1, 0]);
    // Counted by hand: five players for eight seconds, one finding, and its interval (Garwood).
    const before = heardBy({});
    const hours = before?.honestHours ?? 0;
    expect(Math.round(hours * 3600)).toBe(5 * 8);
    expect(before?.perHour).toBeCloseTo(1 / hours, 6);
    expect(((before?.perHourLow ?? 0) * hours).toFixed(3)).toBe("0.025");
    expect(((before?.perHourHigh ?? 0) * hours).toFixed(3)).toBe("5.572");
    expect(((heardBy({ ...jump, ...advantage })?.perHourHigh ?? 0) * hours).toFixed(3)).toBe("3.689");
  });
});
