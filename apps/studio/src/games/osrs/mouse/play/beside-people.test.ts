import { expect, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import { MouseHand, MouseKinematics, type MouseSummary, MouseTracker } from "wirewalk/osrs/mouse";
import { besidePeople } from "./beside-people.ts";
import { peopleMeasures } from "./people-ranges.ts";

function played(cheat: string): MouseSummary["measures"] {
  const hand = new MouseHand({ dialect: "client", random: createRandom(1), number: 0, cheat }, 0);
  const tracker = new MouseTracker({ dialect: "client" });
  const kinematics = new MouseKinematics("client");
  for (let now = 0; now < 60_000; now += 20) {
    for (const payload of hand.step(now)) tracker.read(payload, (point) => kinematics.push(point));
  }
  kinematics.finish();
  return kinematics.summary().measures;
}

test("every measure of the library has a range of people and a name", () => {
  const measures = played("none");
  expect(measures.map(({ name }) => name).toSorted()).toEqual(Object.keys(peopleMeasures).toSorted());
  expect(besidePeople(measures)).toHaveLength(measures.length);
  expect(besidePeople([{ name: "another", mean: 1, spread: 1 }])).toEqual([]);
});

test("a machine's peak speed comes at the same place in each stroke", () => {
  const [found] = besidePeople([{ name: "peak-at", mean: 0.5, spread: 0.01 }]);
  expect(found).toMatchObject({
    name: "peak speed comes at",
    own: "50 ± 1 %",
    people: "20 to 55, ± 12 to 35 %",
    out: "too alike",
  });
  expect(found?.outside).toBeGreaterThan(0.4);
});

test("logarithms are shown as quantities and factors", () => {
  const [found] = besidePeople([{ name: "duration", mean: Math.log(400), spread: Math.log(2) }]);
  expect(found).toMatchObject({ own: "400 ms, factor 2", outside: 0, out: "" });
});

test("the most unusual comes first, and what is beyond a strip stands at its end", () => {
  const machine = besidePeople(played("linear"));
  expect(machine[0]?.outside).toBeGreaterThan(0.2);
  expect(machine.map(({ outside }) => outside)).toEqual(
    machine.map(({ outside }) => outside).toSorted((a, b) => b - a),
  );
  const [far] = besidePeople([{ name: "turn", mean: -9, spread: 0.01 }]);
  expect(far?.strip).toMatchObject({ mean: 0, spread: [0, 0] });
  expect(far?.out).toBe("mean");
});
