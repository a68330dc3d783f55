import { describe, expect, it } from "vitest";
import type { PlayerId } from "../../../motion/index.ts";
import { MonsterControl } from "./monsters.ts";

describe("who controls a monster", () => {
  const monster = (mobId: number) => ({
    mobId,
    template: 1,
    room: "1",
    mp: 0,
    x: 0,
    y: 0,
    state: 4,
    foothold: 1,
    originFoothold: 1,
    controller: undefined,
    aggro: false,
    givenMs: -Infinity,
    givenX: 0,
    givenY: 0,
    former: new Map<PlayerId, number>(),
    attacked: undefined,
    granted: undefined,
    restedMs: -Infinity,
    movedAtMs: 0,
  });
  const driversOf = (control: MonsterControl): (PlayerId | undefined)[] =>
    [...control.monsters.values()].map(({ controller }) => controller);

  it("the player with the fewest; a controller keeps it", () => {
    const control = new MonsterControl();
    for (let mobId = 1; mobId <= 2; mobId++) control.add(monster(mobId), 0);
    expect(driversOf(control)).toEqual([undefined, undefined]);
    control.enter(7, 0);
    expect(driversOf(control)).toEqual([7, 7]);
    control.enter(8, 0);
    expect(driversOf(control)).toEqual([7, 7]);
    for (let mobId = 3; mobId <= 5; mobId++) control.add(monster(mobId), 0);
    expect(driversOf(control)).toEqual([7, 7, 8, 8, 7]);
    expect([control.countOf(7), control.countOf(8)]).toEqual([3, 2]);
  });

  it("the others when a player leaves, and nobody after the last", () => {
    const control = new MonsterControl();
    control.enter(7, 0);
    for (let mobId = 1; mobId <= 4; mobId++) control.add(monster(mobId), 0);
    control.enter(8, 0);
    control.enter(9, 0);
    expect(control.exit(7, 0).map(({ from, to }) => [from, to])).toEqual([
      [7, 8],
      [7, 9],
      [7, 8],
      [7, 9],
    ]);
    control.exit(8, 0);
    control.exit(9, 0);
    expect(driversOf(control)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("a player who attacks it; not one who is not on the map", () => {
    const control = new MonsterControl();
    control.enter(7, 0);
    control.add(monster(1), 0);
    expect(control.attack(1, 8, 0)).toEqual([]);
    control.enter(8, 0);
    expect(control.attack(1, 8, 0)).toMatchObject([{ from: 7, to: 8, monster: { aggro: true } }]);
    expect(control.attack(1, 8, 10)).toEqual([]);
    control.remove(1, 20);
    expect([control.goneSince(1), control.goneSince(2)]).toEqual([20, undefined]);
    expect([control.countOf(7), control.countOf(8)]).toEqual([0, 0]);
  });
});
