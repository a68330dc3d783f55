import { expect, test } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { ClaimedStep, VerdictExplanation } from "./explain-verdict.ts";
import { type StoryPart, storyOf } from "./story.ts";

const game = protocols["slime-online-2"] as Protocol;

function explanation(changed: Partial<VerdictExplanation> = {}): VerdictExplanation {
  return {
    id: "5-0",
    world: {
      protocol: game.name,
      dialect: "v0106",
      seed: 1,
      enforcement: "enforce",
      demo: false,
      tickMs: undefined,
      settings: {},
    },
    kind: "correct",
    rule: "teleport",
    reason: "moved 4000.0 px",
    player: 7,
    name: "ann",
    account: "ann",
    room: "1",
    atMs: 5_000,
    seconds: 5,
    epochMs: Date.UTC(2026, 0, 1),
    measure: { measured: 4_000, allowed: 1_000, unit: "px", over: 3_000, share: 4 },
    message: { name: "movePlayer", bytes: Uint8Array.of(1), fields: [], error: undefined },
    stateBefore: {},
    known: [],
    corrections: [],
    unit: "px",
    isYDown: true,
    before: { x: 1, y: 2 },
    from: { x: 1, y: 2 },
    at: undefined,
    envelope: undefined,
    elsewhere: undefined,
    picture: "state",
    window: { fromMs: -5_000, toMs: 2_000 },
    claimed: [],
    server: [],
    near: [],
    replay: { isReproduced: true, seconds: 7, differences: [], problem: undefined },
    ...changed,
  };
}

const nobody = { mover: undefined, room: undefined, kind: undefined, clockMs: undefined };

const at = (...times: number[]): readonly ClaimedStep[] =>
  times.map((ms) => ({ ms, message: "movePlayer", places: [], ...nobody, isJudged: ms === 0 }));

function answer(part: StoryPart, changed: Partial<VerdictExplanation> = {}): string {
  return storyOf(explanation(changed), { game }).find((each) => each.part === part)?.text ?? "";
}

test("answers each question once, in order, and by no internal names", () => {
  const story = storyOf(explanation(), { game });
  expect(story.map(({ part }) => part)).toEqual(["claimed", "possible", "limit", "certainty", "ruled-out", "done"]);
  const text = story.map((each) => each.text).join(" ");
  for (const name of Object.keys(game.capabilities?.settings?.values ?? {})) expect(text).not.toContain(name);
  expect(text).toContain("“Was suddenly elsewhere”");
});

test("a limit that the owner chose comes first and is named as such", () => {
  const world = { ...explanation().world, settings: { stallMs: 9_000 } } as VerdictExplanation["world"];
  expect(answer("limit", { world })).toMatch(
    /What it goes by: a silence of this length .* \(9,000 ms, and 5,000 ms in the game\);/,
  );
  expect(answer("limit", { world })).toContain("The owner of the server had chosen the first one.");
  expect(answer("limit")).toContain("These are the game's own values: nobody has changed them.");
});

test("what is compared with a limit is named first, and a figure of a hand is unusual, not impossible", () => {
  const measure = { measured: 3, allowed: 2.5, unit: "px/frame", over: 0.5, share: 1.2 };
  expect(answer("limit", { measure })).toContain("What it goes by: the fastest run (2.5 px/frame);");
  expect(answer("possible", { measure })).toContain("the rule allows at most 2.5 px/frame");
  expect(answer("possible")).toContain("at most 1,000 px was possible: 3,000 px too much, 4 times as much");
  const share = { measured: 0.6, allowed: 0.35, unit: "share", over: 0.25, share: 1.71 };
  expect(answer("possible", { measure: share })).toBe(
    "The rule measured 60 %, and the rule allows at most 35 %: 1.71 times as much.",
  );
});

test("the number of a map's key is no amount", () => {
  const name = { measured: 1, allowed: 2, unit: "key", over: -1, share: 0.5 };
  expect(answer("possible", { measure: name })).toBe("");
});

test("says of whom a place is, and in which room", () => {
  const step = { ms: 0, message: "moveLife", places: [{ x: 9, y: 8 }], ...nobody, isJudged: true };
  expect(answer("claimed", { claimed: [{ ...step, mover: "monster 5" }] })).toContain(
    "The monster 5 had been at x 1, y 2. The message says that the monster 5 is at x 9, y 8, in px.",
  );
  expect(answer("claimed", { claimed: [{ ...step, room: "4" }] })).toContain(
    "The message says that the player goes to room 4, at x 9, y 8, in px.",
  );
});

test("a stall and a burst are told apart from even messages by their times", () => {
  const even = answer("ruled-out", { claimed: at(-4_000, -3_200, -2_400, -1_600, -800, 0) });
  expect(even).toContain(
    "The connection did not hang: in the 5 s before, the longest pause between two messages was 800 ms",
  );
  expect(even).toContain("No pile of late messages");
  const stalled = answer("ruled-out", { claimed: at(-4_000, -3_900, -3_800, -3_700, -100, 0) });
  expect(stalled).toContain("The connection may have hung: for 3.6 s nothing came, until 100 ms before it.");
  const burst = answer("ruled-out", { claimed: at(-900, -45, -40, -35, -30, -25, -20, -15, -10, 0) });
  expect(burst).toContain("9 messages came within 50 ms");
  expect(answer("ruled-out", { claimed: at(0) })).toContain("Too few messages");
});

test("how sure it is follows from the measure, from how often it was found, and from the replay", () => {
  expect(answer("certainty")).toContain("It is far more than the limit.");
  const little = { measured: 21, allowed: 20, unit: "", over: 1, share: 1.05 };
  expect(answer("certainty", { measure: little })).toContain("It is little more than the limit");
  const near = [{ id: "4-0", ms: -900, kind: "correct", rule: "teleport", reason: "" }] as const;
  expect(answer("certainty", { near })).toContain("The rule found the same once more in these seconds.");
  const replay = { ...explanation().replay, isReproduced: false };
  expect(answer("certainty", { replay })).toContain("do not rely on it");
  expect(answer("certainty", { kind: "benign" })).toMatch(/^Honest clients do this too/);
  expect(answer("ruled-out", { kind: "benign" })).toBe("");
});

test.each([
  [
    { measured: 0.38, allowed: 0.72, unit: "variation", over: -0.34, share: 0.53 },
    "The rule measured 38 %, and people have at least 72 %: so little is too even, as a program's is.",
  ],
  [
    { measured: 0.09, allowed: 0.15, unit: "rad", over: -0.06, share: 0.6 },
    "The rule measured 5.16°, and people have at least 8.59°: so little is too even, as a program's is.",
  ],
  [
    { measured: 14.98, allowed: 15, unit: "s", over: -0.02, share: 0.999 },
    "The rule measured 14.98 s, and the rule allows at most 15 s: that is used up.",
  ],
  [
    { measured: 200, allowed: 128, unit: "1/256 turn", over: 72, share: 1.56 },
    "The rule measured 281.25°, and the rule allows at most 180°: 101.25° too much, 1.56 times as much.",
  ],
  [
    { measured: 2, allowed: 1, unit: "packets", over: 1, share: 2 },
    "The rule measured 2 packets, and the rule allows at most 1 packet: 1 packet too much, 2 times as much.",
  ],
  [
    { measured: 8, allowed: 0, unit: "ticks ago", over: 8, share: undefined },
    "The rule measured 8 ticks ago, and it allows none.",
  ],
  [
    { measured: 58, allowed: 0, unit: "px", over: 58, share: undefined },
    "The rule measured 58 px, and nothing but 0 was possible.",
  ],
  [
    { measured: 1_000_001, allowed: undefined, unit: "mobId", over: undefined, share: undefined },
    "It is about the monster with the number 1000001.",
  ],
  [
    { measured: 1.02, allowed: 1.005, unit: "s/s", over: 0.015, share: 1.015 },
    "The rule measured 1.02 s in each second, and the rule allows at most 1.005 s in each second: 0.015 s in each second too much, 1.01 times as much.",
  ],
])("a measure is told in units that say something: %j", (measure, text) => {
  expect(answer("possible", { measure, envelope: undefined })).toBe(text);
});
