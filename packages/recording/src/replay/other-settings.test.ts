import { beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { Recording } from "../reading/read-recording.ts";
import { recordedWorld } from "../reading/session-records.ts";
import { recordPlay } from "../testing/record-play.ts";
import { compareSettings } from "./other-settings.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;

let recording: Recording;

beforeAll(async () => {
  recording = (await recordPlay({ protocol: slime, bots: 6, durationMs: 12_000 })).sink.recording();
});

/** How often each verdict was recorded, by rule. */
function recordedRules(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { data } of recording.messages({ topic: (topic) => topic.endsWith("/verdicts") })) {
    const { rule } = JSON.parse(new TextDecoder().decode(data)) as { readonly rule: string };
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts;
}

describe("a recording with other limits", () => {
  it("has the same verdicts with the recorded ones", () => {
    const { settings } = recordedWorld(recording);
    const { changes, total, rules } = compareSettings(recording, {
      protocols,
      settings: { maxSpeed: settings.maxSpeed as number },
    });
    expect(changes).toEqual([]);
    const counts = recordedRules();
    expect(total).toEqual({ appear: 0, vanish: 0, same: [...counts.values()].reduce((sum, count) => sum + count, 0) });
    expect(Object.fromEntries(Array.from(rules, ([rule, { same }]) => [rule, same]))).toEqual(
      Object.fromEntries(counts),
    );
  });

  it("loses the verdicts that a higher limit allows", () => {
    const { changes, rules, settings } = compareSettings(recording, {
      protocols,
      settings: { maxSpeed: 100, maxFall: 100, swimSpeed: 100 },
    });
    expect(settings[0]).toEqual({ name: "maxSpeed", unit: "px/frame", recorded: 2.5, other: 100 });
    // A leap that is still too far is a claim without its key.
    expect(rules.get("teleport")?.vanish).toBeGreaterThan(0);
    const [first] = changes;
    expect(first).toMatchObject({ change: "vanishes", kind: "correct", isCertain: true });
    const later = changes.filter(({ player, atMs }) => player === first?.player && atMs > (first?.atMs ?? 0));
    expect(later.every(({ isCertain }) => !isCertain)).toBe(true);
  });

  it("has the verdicts that a lower limit finds, of honest players too", () => {
    const { changes, total } = compareSettings(recording, { protocols, settings: { maxMovesPerSecond: 1 } });
    expect(total.appear).toBeGreaterThan(10);
    const honest = changes.filter(({ player, rule }) => player === 1 && rule === "rate-limit");
    expect(honest.length).toBeGreaterThan(0);
    expect(changes.map(({ atMs }) => atMs)).toEqual(changes.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });

  it.each([
    [{ gremlins: 1 }, "slime-online-2 has no setting gremlins"],
    [{ restMaxSeconds: 9 }, "slime-online-2 has no setting restMaxSeconds: it is lateMaxMs now"],
    [{ maxSpeed: 0 }, "slime-online-2.maxSpeed must be a number from 0.1 to 100 px/frame, got 0"],
  ])("of %o is refused", (settings, sentence) => {
    expect(() => compareSettings(recording, { protocols, settings })).toThrow(new RangeError(sentence));
  });
});

it("begins in the middle of play with fewer messages allowed than a saved player has sent", async () => {
  const options = { keyFrameMs: 2_000, rotateMs: 4_000 };
  const { sink } = await recordPlay({ protocol: slime, bots: 4, durationMs: 9_000, options });
  expect(sink.files.length).toBeGreaterThan(1);
  const { total } = compareSettings(sink.recording(1), {
    protocols,
    settings: { maxMovesPerSecond: 1, maxTeleports: 0 },
  });
  expect(total.appear).toBeGreaterThan(0);
});

it("a setting that is no limit of a rule is refused", async () => {
  const scrap = protocols["scrap-mechanic"] as PlayableProtocol;
  const { sink } = await recordPlay({ protocol: scrap, bots: 1, durationMs: 200 });
  expect(() => compareSettings(sink.recording(), { protocols, settings: { model: 1 } })).toThrow(
    /^scrap-mechanic\.model is no limit of a rule/,
  );
});

it("worlds inside of worlds have other limits too", async () => {
  const osrs = protocols.osrs as PlayableProtocol;
  const { sink } = await recordPlay({ protocol: osrs, bots: 2, durationMs: 30_000 });
  const settings = { minStrokes: 1, flagStrength: 0.01, straightPx: 1000, straightLinesAllowed: 0 };
  const { rules } = compareSettings(sink.recording(), { protocols, settings });
  expect(rules.get("straight-lines")?.appear).toBeGreaterThan(0);
});
