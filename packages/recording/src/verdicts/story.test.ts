import { expect, test } from "vitest";
import type { Calculation, Protocol } from "wirewalk/protocol";
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
    did: undefined,
    sums: [],
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

function told(changed: Partial<VerdictExplanation> = {}, of = game) {
  return storyOf(explanation(changed), { game: of });
}

function answer(part: StoryPart, changed: Partial<VerdictExplanation> = {}): string {
  return (
    told(changed)
      .find((each) => each.part === part)
      ?.lines.join("\n") ?? ""
  );
}

const often = [-900, -600].map((ms) => {
  return { id: `${ms}`, ms, kind: "correct", rule: "teleport", reason: "" } as const;
});

test("answers each question once, in order, and by no internal names", () => {
  const story = told();
  expect(story.map(({ part }) => part)).toEqual([
    "did",
    "done",
    "next",
    "sum",
    "certainty",
    "causes",
    "limits",
    "proof",
  ]);
  const text = story.flatMap(({ lines, more = [] }) => [...lines, ...more]).join(" ");
  for (const name of Object.keys(game.capabilities?.settings?.values ?? {})) expect(text).not.toContain(name);
  expect(text).not.toMatch(/undefined|NaN|\.0\b|\{/);
});

test("begins with what the player did, in one sentence with its figures", () => {
  expect(answer("did", { at: { x: -3_999, y: 2 } })).toBe(
    "ann says that it is 4,000 px left of its last accepted place; 1,000 px were possible.\nAt 0:05.000 of the recording, in room 1 of Slime Online 2 (2026-01-01 at 00:00:00 UTC).",
  );
  expect(answer("did", { name: "", measure: undefined })).toMatch(/^Player 7: Moved 4,000 px\.\n/);
  const step = { ms: 0, message: "moveLife", places: [{ x: 9, y: 8 }], ...nobody, isJudged: true, mover: "monster 5" };
  const measure = { measured: 76, allowed: 10, unit: "px", over: 66, share: 7.6 };
  const maple = protocols.maplestory as Protocol;
  const [did] = told({ rule: "monster-ground", claimed: [step], measure }, maple)[0]?.lines ?? [];
  expect(did).toBe("ann moved a monster (number 5) to a place 76 px off the ground.");
  expect(answer("did", { rule: "no-door", did: "came out in room {to}", claimed: [{ ...step, room: "4" }] })).toMatch(
    /^ann came out in room 4\./,
  );
});

test("a limit that the owner chose is shown as such, and what made no number is folded away", () => {
  const world = { ...explanation().world, settings: { stallMs: 9_000 } } as VerdictExplanation["world"];
  expect(answer("limits", { world })).toMatch(/: 9 s \(5 s in the game\)\.\n/);
  expect(answer("limits", { world })).toContain(
    "One of them is not the game's own: the owner of the server has changed it.",
  );
  const { lines, more } = told().find(({ part }) => part === "limits") ?? {};
  expect(lines).toEqual([]);
  expect(more?.at(-1)).toBe("These are the default settings: nobody has changed them.");
});

const line = (terms: Calculation["lines"][number]["terms"], unit = "px") => ({ what: "It", terms, unit });

test("a sum is shown with the limits that it is made of, and one that does not come out is not", () => {
  const right: Calculation = {
    gives: "measured",
    lines: [line([{ value: 4_001 }, { by: "-", value: 1 }])],
    limits: ["maxSpeed"],
    note: "So it is.",
  };
  const wrong: Calculation = { gives: "allowed", lines: [line([{ value: 7 }, { by: "×", value: 7 }])] };
  expect(answer("sum", { sums: [right, wrong] })).toBe(
    "It: 4,001 - 1 = 4,000 px.\nSo it is.\nUp to 1,000 px the rule finds nothing.\nOver the limit: 4,000 - 1,000 = 3,000 px. 4,000 is about 4 times the limit.",
  );
  expect(answer("limits", { sums: [right] })).toContain("The fastest run: 2.5 px a frame.");
});

test("the number of a map's key is no amount", () => {
  const name = { measured: 1, allowed: 2, unit: "key", over: -1, share: 0.5 };
  expect(answer("sum", { measure: name })).toBe("");
});

test("a stall and a burst are told apart from even messages by their times", () => {
  const even = answer("causes", { claimed: at(-4_000, -3_200, -2_400, -1_600, -800, 0) });
  expect(even).toContain(
    "A connection that hangs: no. The longest pause before it was 800 ms, and the usual one 800 ms. It would count from 4 s on.",
  );
  expect(even).toContain(
    "Late messages that came at once: no. 1 message came within 50 ms. They would count from 9 on.",
  );
  const stalled = answer("causes", { claimed: at(-4_000, -3_900, -3_800, -3_700, -100, 0) });
  expect(stalled).toContain("The connection may have hung: nothing came for 3.6 s, until 100 ms before it.");
  const burst = answer("causes", { claimed: at(-900, -45, -40, -35, -30, -25, -20, -15, -10, 0) });
  expect(burst).toContain("9 messages came within 50 ms, as after a pause");
  expect(answer("causes", { claimed: at(0) })).toContain("too few messages");
});

test("how sure it is follows from the measure, from how often it was found, and from the replay", () => {
  expect(answer("certainty")).toContain("It is far over the limit");
  expect(answer("certainty")).toContain("The rule found it once in these 7 s.");
  const little = { measured: 21, allowed: 20, unit: "", over: 1, share: 1.05 };
  expect(answer("certainty", { measure: little })).toContain("It is only just over the limit");
  expect(answer("certainty", { near: often })).toContain(
    "The rule found the same 3 times in these 7 s, this one included.",
  );
  const replay = { ...explanation().replay, isReproduced: false };
  expect(answer("certainty", { replay })).toContain("do not rely on it");
  expect(answer("certainty", { kind: "benign" })).toMatch(/^Honest clients do this too/);
  expect(answer("causes", { kind: "benign" })).toBe("");
});

const little = { measured: 21, allowed: 20, unit: "px", over: 1, share: 1.05 };

test.each([
  ["once, far over the limit", {}, "warn"],
  ["often, far over the limit", { near: often }, "ban"],
  ["once, just over the limit", { measure: little }, "watch"],
  ["often, just over the limit", { measure: little, near: often }, "warn"],
  [
    "just over the limit, after a pause",
    { measure: little, claimed: at(-4_000, -3_900, -3_800, -3_700, 0) },
    "nothing",
  ],
  ["what no honest client sends", { rule: "position" }, "kick"],
  ["what is no sign of a cheat", { rule: "chat-rate" }, "nothing"],
  ["what honest clients do", { kind: "benign" }, "nothing"],
  [
    "what is not found again",
    { replay: { isReproduced: false, seconds: 7, differences: [], problem: undefined } },
    "doubt",
  ],
] as const)("what to do about it: %s", (_, changed, advice) => {
  expect(told(changed).find(({ part }) => part === "next")?.advice).toBe(advice);
});

test("a hint is never enough to ban, and what the server takes away by itself is said", () => {
  const osrs = protocols.osrs as Protocol;
  const near = ["smooth-turns", "constant-speed"].map(
    (rule) => ({ id: rule, ms: 0, kind: "flag", rule, reason: "" }) as const,
  );
  const share = { measured: 0.8, allowed: 0.35, unit: "share", over: 0.45, share: 2.29 };
  const hint = told({ kind: "flag", rule: "straight-lines", measure: share, near }, osrs);
  expect(hint.find(({ part }) => part === "next")).toMatchObject({ advice: "watch" });
  expect(hint.find(({ part }) => part === "next")?.lines.join()).toContain("Do not ban for this alone");
  expect(hint.find(({ part }) => part === "causes")?.lines.join()).toMatch(/tablet.*remote desktop.*Accessibility/s);
  const scrap = protocols["scrap-mechanic"] as Protocol;
  const rate = { measured: 1.18, allowed: 1.005, unit: "s/s", over: 0.175, share: 1.17 };
  const clock = told({ kind: "flag", rule: "fast-clock", measure: rate }, scrap);
  expect(clock[0]?.lines[0]).toBe("ann has a game that runs 18 % too fast.");
  expect(clock.find(({ part }) => part === "done")?.lines.join()).toContain("gains nothing by it");
  expect(clock.find(({ part }) => part === "next")).toMatchObject({ advice: "warn" });
});

test.each([
  [
    { measured: 0.6, allowed: 0.35, unit: "share", over: 0.25, share: 1.71 },
    "Measured (distance from its last accepted place): 60 %.\nUp to 35 % the rule finds nothing.",
  ],
  [
    { measured: 0.09, allowed: 0.15, unit: "rad", over: -0.06, share: 0.6 },
    "Measured (distance from its last accepted place): 5.2°.\nPeople have at least 8.6°. So little is too even, as a program's is.",
  ],
  [
    { measured: 14.98, allowed: 15, unit: "s", over: -0.02, share: 0.999 },
    "Measured (distance from its last accepted place): 14.98 s.\nUp to 15 s the rule finds nothing.\nThe player has used all of that.",
  ],
  [
    { measured: 2, allowed: 1, unit: "packets", over: 1, share: 2 },
    "Measured (distance from its last accepted place): 2 packets.\nUp to 1 packet the rule finds nothing.",
  ],
  [
    { measured: 58, allowed: 0, unit: "px", over: 58, share: undefined },
    "Measured (distance from its last accepted place): 58 px.\nNothing of it is allowed.",
  ],
  [
    { measured: 1_000_001, allowed: undefined, unit: "mobId", over: undefined, share: undefined },
    "It is about the monster with the number 1000001.",
  ],
  [
    { measured: 29_633, allowed: 5_211.13, unit: "px", over: 24_421.87, share: 5.69 },
    "Measured (distance from its last accepted place): 29,633 px.\nUp to 5,211 px the rule finds nothing.\nOver the limit: 29,633 - 5,211 = 24,422 px. 29,633 is about 5.7 times the limit.",
  ],
])("a measure is told in units that say something: %j", (measure, text) => {
  expect(answer("sum", { measure })).toBe(text);
});

test("of messages that a rule does not count once it refuses them, those that were sent say how far it went", () => {
  const rule = "rate-limit";
  const refused = Array.from({ length: 58 }, (_, index) => ({
    ms: -index * 10,
    rule,
    kind: "reject" as const,
    reason: "",
  }));
  const flood = {
    kind: "reject",
    rule,
    measure: { measured: 61, allowed: 60, unit: "messages/s", over: 1, share: 1.02 },
  } as const;
  const near = refused as unknown as VerdictExplanation["near"];
  const certainty = answer("certainty", { ...flood, near });
  expect(certainty).toContain("With them it sent 119 in that second.");
  expect(certainty).toContain("It is far over the limit");
  expect(answer("next", { ...flood, near })).toMatch(/^Disconnect the player, or ban it/);
  expect(answer("certainty", { ...flood, near: near.slice(0, 2) })).toContain("It is only just over the limit");
});
