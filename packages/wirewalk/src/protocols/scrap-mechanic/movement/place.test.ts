import { describe, expect, it } from "vitest";
import { keySets, type MovementKeys } from "../wire/player-movement.ts";
import { type CharacterState, createCharacter, movementModel, stepCharacter } from "./model.ts";
import { yard } from "./place.ts";
import { upright } from "./tumbling.ts";

const keys = (byte: number): MovementKeys => keySets[byte] as MovementKeys;
const at = (x: number, y: number): CharacterState => createCharacter(movementModel, { x, y }, yard.ground);
/** Along +X. */
const step = (state: CharacterState, byte: number): void =>
  stepCharacter(state, { keys: keys(byte), direction: 0, yaw: 0 }, movementModel, yard.ground, yard.ceiling);

describe("the yard", () => {
  it("has a tunnel that stops who walks, and under which who crawls in cannot stand up", () => {
    const walker = at(7, -20.5);
    for (let tick = 0; tick < 80; tick++) step(walker, 4);
    expect(walker.x).toBeLessThan(8);

    const crawler = at(7, -20.5);
    for (let tick = 0; tick < 60; tick++) step(crawler, 6);
    expect(crawler.x).toBeGreaterThan(9);
    // The crawl key is up: the body still lies, and goes on at the speed of crawling.
    for (let tick = 0; tick < 20; tick++) step(crawler, 4);
    expect([crawler.crawling, crawler.z]).toEqual([true, Math.fround(0.4)]);
    expect(crawler.vx).toBeCloseTo(movementModel.crawlSpeed, 2);
    for (let tick = 0; tick < 80; tick++) step(crawler, 4);
    expect(crawler.x).toBeGreaterThan(14);
    expect([crawler.crawling, crawler.z]).toEqual([false, Math.fround(0.7)]);
  });

  it("has a cliff: who falls from it tumbles, as another program computes from standard 7.5", () => {
    const faller = at(-9, -20.5);
    let began = 0;
    let tick = 0;
    for (; tick < 200 && (began === 0 || faller.tumbling); ) {
      tick += 1;
      step(faller, 12);
      if (faller.tumbling && began === 0) began = tick;
      if (began === 0 || tick !== began + 30) continue;
      expect([faller.x, faller.z, faller.vx]).toEqual([2.98433518409729, 0.4000000059604645, 1.7170794010162354]);
      expect(faller.spin.rotation).toEqual({ x: 0, y: -0.5298781991004944, z: 0, w: -0.8480737805366516 });
      expect(faller.spin.angularVelocity.y).toBe(4.292698860168457);
    }
    expect([began, tick]).toEqual([49, 108]);
    expect([faller.x, faller.y, faller.vx]).toEqual([3.615671396255493, -20.5, 0.38794925808906555]);
    // It stands up with the next step.
    expect([faller.spin, faller.crawling]).toEqual([upright, true]);
    step(faller, 0);
    expect([faller.z, faller.crawling]).toEqual([Math.fround(0.7), false]);
  });

  it("a jump from flat ground does not tumble", () => {
    const jumper = at(0, 0);
    for (let tick = 0; tick < 60; tick++) {
      step(jumper, 1);
      expect(jumper.tumbling).toBe(false);
    }
  });
});
