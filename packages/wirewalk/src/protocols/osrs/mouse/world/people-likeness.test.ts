import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { MouseHand } from "../bots/bot.ts";
import { MouseTracker } from "../movement/tracker.ts";
import { HandEvidence } from "./hand.ts";
import { MouseKinematics } from "./kinematics.ts";
import { mouseLimitDefaults } from "./limits.ts";
import { likenessOf, mahalanobis, PEOPLE_NUMBERS, type PeopleModel, peoplePoint, triangle } from "./people-likeness.ts";
import { strokeMeasures } from "./stroke-measures.ts";

function play(cheat: string, seed: number, seconds: number, take: Pick<HandEvidence, "push">): void {
  const hand = new MouseHand({ dialect: "client", random: createRandom(seed), number: 0, cheat }, 0);
  const tracker = new MouseTracker({ dialect: "client" });
  for (let now = 0; now < seconds * 1000; now += 20) {
    for (const payload of hand.step(now)) tracker.read(payload, (point) => take.push(point));
  }
}

function evidence(cheat: string, seed: number, seconds = 60): HandEvidence {
  const hand = new HandEvidence(50);
  play(cheat, seed, seconds, hand);
  hand.finish();
  return hand;
}

/** Synthetic hands in the place of people: without covariances between measures. */
function madeUpModel(): PeopleModel {
  const points = Array.from({ length: 30 }, (_, seed) => peoplePoint(evidence("none", seed + 1)));
  const mean = Array.from({ length: PEOPLE_NUMBERS }, (_, at) =>
    points.reduce((sum, point) => sum + (point[at] as number) / points.length, 0),
  );
  const between: number[] = [];
  for (let row = 0; row < PEOPLE_NUMBERS; row++) {
    for (let column = 0; column <= row; column++) {
      const squares = points.reduce((sum, point) => sum + ((point[row] as number) - (mean[row] as number)) ** 2, 0);
      between[triangle(row, column)] = row === column ? squares / points.length + 1e-4 : 0;
    }
  }
  return { made: "synthetic hands", fine: { people: 30, mean, between, within: between.map(() => 0) } };
}

const model = madeUpModel();

describe("distance", () => {
  it("is that of Mahalanobis", () => {
    // Uncorrelated: the sum of squared standard deviations.
    expect(mahalanobis([4, 0, 9], [2, 3])).toBeCloseTo(2);
    // The inverse of (2 1; 1 2) is (2 -1; -1 2) / 3.
    expect(mahalanobis([2, 1, 2], [1, -1])).toBeCloseTo(2);
    expect(mahalanobis([1, 1, 1], [1, 2])).toBe(Number.POSITIVE_INFINITY);
  });

  it("hands that the model has not seen are about 1 from it, machines farther, whatever they are", () => {
    const distance = (cheat: string, seed: number): number =>
      likenessOf(evidence(cheat, seed), model)?.distance ?? Number.NaN;
    const hands = Array.from({ length: 10 }, (_, at) => distance("none", 100 + at));
    expect(Math.max(...hands)).toBeLessThan(1.75);
    for (const cheat of ["linear", "bezier", "windmouse", "minimum-jerk", "fitts"]) {
      expect(distance(cheat, 7), cheat).toBeGreaterThan(2.85);
    }
  });

  it("names the most unusual measures first, beside those of people", () => {
    const seen = likenessOf(evidence("linear", 1), model);
    expect(seen?.measures.map(({ name }) => name).toSorted()).toEqual(
      strokeMeasures.map(({ name }) => name).toSorted(),
    );
    const [first] = seen?.measures ?? [];
    expect(["roughness", "turn", "straightness", "complexity", "bend"]).toContain(first?.name);
    expect(Math.abs((first?.mean ?? 0) - (first?.people.mean ?? 0))).toBeGreaterThan(
      3 * (first?.people.meanDeviation ?? 1),
    );
  });

  it("there are none without people of such a device", () => {
    expect(likenessOf(evidence("none", 1), { made: "none" })).toBeUndefined();
  });
});

describe("the rule", () => {
  const kinematics = (cheat: string, given: PeopleModel | null, seed = 3): MouseKinematics => {
    const made = new MouseKinematics("client", mouseLimitDefaults, given);
    play(cheat, seed, 60, made);
    made.finish();
    return made;
  };

  it("finds a machine and no hand", () => {
    const unlike = (cheat: string) =>
      kinematics(cheat, model)
        .score()
        .findings.find(({ rule }) => rule === "unlike-people");
    expect(unlike("none")).toBeUndefined();
    const found = unlike("bezier");
    expect(found?.strength).toBeGreaterThan(0.9);
    expect(found?.reason).toContain("most in");
  });

  it("is silent without a model, and before there are strokes", () => {
    expect(kinematics("bezier", null).likeness()).toBeUndefined();
    expect(new MouseKinematics("client", mouseLimitDefaults, model).likeness()).toBeUndefined();
  });
});
