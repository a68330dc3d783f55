import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { scaled } from "../../../../testing/scale.ts";
import { MouseHand, mouseCheats } from "../bots/bot.ts";
import { minimumJerk, movers } from "../bots/movers.ts";
import { type MousePoint, MouseTracker } from "../movement/tracker.ts";
import { mouseDialects } from "../wire/dialect.ts";
import { MAX_STROKES, MouseKinematics, type MouseScore } from "./kinematics.ts";

/** Plays a hand through recorder, packets and tracker. */
function play(cheat: string, seed: number, minutes: number, dialect = "client"): MouseKinematics {
  const hand = new MouseHand({ dialect, random: createRandom(seed), number: 0, cheat }, 0);
  const tracker = new MouseTracker({ dialect, strict: true });
  const kinematics = new MouseKinematics(dialect);
  for (let now = 0; now < minutes * 60_000; now += 20) {
    for (const payload of hand.step(now)) tracker.read(payload, (point) => kinematics.push(point));
  }
  return kinematics;
}

const SESSIONS = scaled(40, 8);

const rulesOf = ({ findings }: MouseScore): string[] => findings.map(({ rule }) => rule).sort();

describe("the separation of synthetic humans and bots", () => {
  it.each(mouseDialects.map(({ name }) => name))("%s, three minutes each", (dialect) => {
    const scores = new Map<string, number[]>();
    for (const cheat of ["none", ...mouseCheats]) {
      const each = Array.from({ length: SESSIONS }, (_, seed) => play(cheat, seed + 1, 3, dialect).score().score);
      scores.set(cheat, each.sort((a, b) => a - b)); // biome-ignore format: one list
    }
    const lines = [...scores].map(([cheat, each]) => {
      const at = (share: number): string => (each[Math.floor(share * (each.length - 1))] as number).toFixed(2);
      return `${cheat.padEnd(8)} lowest ${at(0)}, median ${at(0.5)}, highest ${at(1)}`;
    });
    process.stdout.write(`Scores, ${dialect}, ${SESSIONS} sessions each:\n  ${lines.join("\n  ")}\n`);
    expect(scores.get("none")?.at(-1)).toBeLessThan(0.3);
    // The native client runs on phones too, where fingers jump.
    const found = mouseCheats.filter((cheat) => dialect !== "native" || cheat !== "jump");
    for (const cheat of found) expect(scores.get(cheat)?.[0]).toBeGreaterThan(0.75);
  });

  it("an hour of a human at one task gives no finding that is a verdict", () => {
    for (let seed = 1; seed <= scaled(5, 1); seed++) expect(play("none", seed, 60).score().score).toBeLessThan(0.3);
  });

  it("gives reasons", () => {
    expect(play("jump", 7, 3).score().findings).toMatchObject([
      { rule: "jumps", measured: 1, reason: expect.stringMatching(/^(\d+) of \1 far moves have no way between$/) },
    ]);
    expect(rulesOf(play("bezier", 7, 3).score())).toEqual(expect.arrayContaining(["constant-speed"]));
    expect(rulesOf(play("replayed", 7, 3).score())).toEqual([
      "identical-strokes",
      "repeated-shapes",
      "repeated-strokes",
    ]);
    expect(rulesOf(play("linear", 7, 3).score())).toEqual(
      expect.arrayContaining(["abrupt-stops", "constant-speed", "perfect-rhythm", "straight-lines"]),
    );
    const finding = play("replayed", 7, 3)
      .score()
      .findings.find(({ rule }) => rule === "identical-strokes");
    expect(finding?.reason).toMatch(/^\d+ of \d+ strokes have the very shape of an earlier one$/);
    expect(finding).toMatchObject({ unit: "share", allowed: 0.15 });
    expect(finding?.measured).toBeGreaterThan(0.5);
  });
});

it("samples that are equally far apart are no client's", () => {
  const kinematics = new MouseKinematics("client");
  const random = createRandom(4);
  let atMs = 0;
  let [x, y] = [0, 0];
  const point = { form: "small", dt: 2, button: 0, index: 0, known: true, outside: false, first: false } as const;
  const push = (sinceMs: number): void => {
    atMs += sinceMs;
    const rest: Pick<MousePoint, "pause" | "drift"> = { pause: "none", drift: "none" };
    kinematics.push({ ...point, ...rest, x, y, atMs, sinceMs });
  };
  for (let stroke = 0; stroke < 20; stroke++) {
    const plan = movers.human({ x, y }, { x: random.integer(0, 700), y: random.integer(0, 500) }, random);
    for (let ms = 0; ms <= plan.durationMs; ms += 50) {
      ({ x, y } = plan.at(ms));
      push(ms === 0 ? random.integer(300, 3000) : 50);
    }
  }
  expect(rulesOf(kinematics.score())).toEqual(["perfect-sampling"]);
});

it("gives no finding before ten strokes, and keeps the last 128", () => {
  const few = play("linear", 1, 0.12);
  expect(few.count).toBeLessThan(10);
  expect(few.count).toBeGreaterThan(2);
  expect(few.score()).toEqual({ score: 0, findings: [] });
  const many = play("none", 1, 10);
  expect(many.count).toBeGreaterThan(MAX_STROKES);
  expect(many.strokes).toHaveLength(MAX_STROKES);
  expect(new MouseKinematics("client").summary()).toMatchObject({ strokes: 0, records: 0, meanSpeed: 0, dwellMs: 0 });
});

it("sums a session up", () => {
  const summary = play("none", 3, 3).summary();
  // A human aims: the peak comes early, the path is nearly straight, and most strokes are corrected.
  expect(summary.peakAt).toBeLessThan(0.5);
  expect(summary.straightness).toBeGreaterThan(0.8);
  expect(summary.straightness).toBeLessThan(0.99);
  expect(summary.speedVariation).toBeGreaterThan(0.5);
  expect(summary.corrections).toBeGreaterThan(0.5);
  expect(summary.dwellVariation).toBeGreaterThan(0.3);
  expect(summary.strokes).toBeGreaterThan(60);
});

describe("movers", () => {
  it("minimum jerk goes from 0 to 1, half of it in half the time", () => {
    expect([-1, 0, 0.5, 1, 2].map(minimumJerk)).toEqual([0, 0, 0.5, 1, 1]);
  });

  it("begin at the given place, and end near the given place", () => {
    const random = createRandom(1);
    for (const [name, mover] of Object.entries(movers)) {
      for (let turn = 0; turn < 100; turn++) {
        const from = { x: random.integer(0, 765), y: random.integer(0, 503) };
        const to = { x: random.integer(0, 765), y: random.integer(0, 503) };
        const plan = mover(from, to, random);
        const start = plan.at(0);
        const end = plan.at(plan.durationMs);
        expect(Math.hypot(start.x - from.x, start.y - from.y)).toBeLessThan(0.001);
        expect(Math.hypot(end.x - to.x, end.y - to.y)).toBeLessThan(name === "human" ? 12 : 0.001);
      }
    }
  });
});
