import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { gridMapsOf } from "../maps/grid-maps.ts";
import type { HeightGrid } from "../maps/height-grid.ts";
import { gridOf } from "../testing/grids.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import type { Playing } from "../wire/session.ts";
import type { UnreliableUpdate } from "../wire/unreliable-update.ts";
import { type CharacterState, createCharacter, movementModel, stepCharacter } from "./model.ts";
import { ScrapPredictor } from "./predictor.ts";

const FIRST = 1000;
const playing: Playing = { character: 7, tick: FIRST, position: { x: 0, y: 0, z: Math.fround(0.7) } };
const movement = (tick: number, keys: number, direction = 64): PlayerMovement => ({
  tick: tick >>> 0,
  keys: keySets[keys] as MovementKeys,
  direction,
  yaw: 0,
  pitch: 64,
});
const update = ({ x, y, z }: CharacterState, last: PlayerMovement): UnreliableUpdate => {
  const { tick, ...look } = last;
  const position = { x, y, z };
  return { serverTick: 1, currentTick: tick, updates: [{ kind: "character", id: 7, ...look, position }] };
};

/** Plays random keys on both ends; `arrives` says whether a tick reaches the server. Returns both. */
function playBoth(arrives: (index: number) => boolean, ticks: number, lag = 10, grid?: HeightGrid) {
  const random = createRandom(2);
  const options = grid === undefined ? {} : { maps: gridMapsOf("mine", { 1: grid }) };
  const ground = grid?.ground;
  const start = createCharacter(movementModel, { x: 0, y: 0 }, ground);
  const me = new ScrapPredictor({ ...playing, position: { x: 0, y: 0, z: start.z } }, options);
  const server = createCharacter(movementModel, { x: 0, y: 0 }, ground);
  const said: PlayerMovement[] = [];
  let played = movement(FIRST - 1, 0);
  let keys = WALK;
  let worst = 0;
  for (let index = 0; index < ticks + lag; index++) {
    if (index < ticks) {
      if (random.chance(0.1)) keys = random.integer(0, 31);
      said.push(movement(FIRST + index, keys, random.integer(0, 7) * 32));
      me.predict(said[index] as PlayerMovement);
    }
    const late = index - lag;
    if (late < 0) continue;
    const real = said[late] as PlayerMovement;
    played = arrives(late) ? real : { ...played, tick: real.tick };
    stepCharacter(server, played, movementModel, ground);
    me.reconcile(update(server, played), index * 25);
    const { x, y, z } = me.at(real.tick) as CharacterState;
    worst = Math.max(worst, Math.hypot(x - server.x, y - server.y, z - server.z));
  }
  return { me, server, worst };
}

const WALK = 4;

describe("a predictor", () => {
  it("is never corrected by a server that receives every tick", () => {
    const { me, worst } = playBoth(() => true, 2000);
    expect(worst).toBe(0);
    expect([me.errors.drift, me.errors.jitter]).toEqual([0, 0]);
    expect(me.place(1e6)).toEqual({ x: me.state.x, y: me.state.y, z: me.state.z });
  });

  it("nor on hills and in jumps", () => {
    const hills = gridOf((x, y) => Math.abs(((x + y + 800) % 8) - 4) / 8 + (x > 3 ? 1 : 0));
    expect(playBoth(() => true, 2000, 10, hills).worst).toBe(0);
  });

  it("agrees within 1 % of a step where inputs got lost, and again wholly when none do", () => {
    const random = createRandom(6);
    const { me, server, worst } = playBoth((index) => index > 3000 || !random.chance(0.05), 4000);
    expect(worst).toBeLessThan(0.001);
    const { x, y, z } = me.state;
    expect(Math.hypot(x - server.x, y - server.y, z - server.z)).toBeLessThan(0.001);
    expect(me.errors.drift).toBeLessThan(0.001);
  });

  it("fills ticks without a packet as the server does", () => {
    const me = new ScrapPredictor(playing);
    const server = createCharacter(movementModel, { x: 0, y: 0 });
    me.predict(movement(FIRST, WALK));
    me.predict(movement(FIRST + 30, WALK, 0));
    for (let tick = 0; tick < 30; tick++) stepCharacter(server, movement(tick, tick <= 20 ? WALK : 0), movementModel);
    stepCharacter(server, movement(30, WALK, 0), movementModel);
    expect(me.state).toEqual(server);
    expect(me.tick).toBe(FIRST + 30);
    // What was said already is not played again.
    me.predict(movement(FIRST + 5, 12));
    expect(me.state).toEqual(server);
  });

  it("glides where it is corrected, and leaps where that is far", () => {
    const me = new ScrapPredictor(playing);
    me.predict(movement(FIRST, 0));
    const updateAt = (x: number, tick: number): UnreliableUpdate => update({ ...me.state, x }, movement(tick, 0));
    expect(me.reconcile(updateAt(1, FIRST), 0)?.outcome).toBe("corrected");
    expect(me.state.x).toBe(1);
    expect(me.place(0).x).toBeCloseTo(0);
    expect(me.place(60).x).toBeCloseTo(0.5);
    expect(me.place(1000).x).toBeCloseTo(1, 4);
    me.predict(movement(FIRST + 1, 0));
    me.reconcile(updateAt(50, FIRST + 1), 1000);
    expect(me.place(1000).x).toBe(50);
  });

  it("is drawn between two ticks where the display is faster than they are", () => {
    const me = new ScrapPredictor(playing);
    expect(me.place(0, 0.5)).toEqual({ x: 0, y: 0, z: me.state.z });
    me.predict(movement(FIRST, WALK));
    const { y } = me.state;
    me.predict(movement(FIRST + 1, WALK));
    expect(me.place(0, 0).y).toBe(y);
    expect(me.place(0, 0.25).y).toBeCloseTo(y + (me.state.y - y) / 4, 9);
    expect(me.place(0).y).toBe(me.state.y);
  });

  it("goes on over tick 2^32", () => {
    const me = new ScrapPredictor({ ...playing, tick: 2 ** 32 - 2 });
    const server = createCharacter(movementModel, { x: 0, y: 0 });
    for (let tick = 2 ** 32 - 2; tick < 2 ** 32 + 10; tick++) me.predict(movement(tick, WALK));
    for (let tick = 2 ** 32 - 2; tick < 2 ** 32 + 5; tick++) {
      stepCharacter(server, movement(tick, WALK), movementModel);
      expect(me.reconcile(update(server, movement(tick, WALK)), 0)?.outcome).toBe("agreed");
    }
    expect(me.unconfirmedTicks).toBe(5);
  });

  it("ignores updates of other characters and old updates", () => {
    const me = new ScrapPredictor(playing);
    me.predict(movement(FIRST, WALK));
    me.predict(movement(FIRST + 1, WALK));
    expect(me.reconcile({ serverTick: 1, currentTick: FIRST, updates: [] }, 0)).toBeUndefined();
    expect(me.reconcile(update(me.state as CharacterState, movement(FIRST + 1, WALK)), 0)?.outcome).toBe("agreed");
    expect(me.reconcile(update(me.state as CharacterState, movement(FIRST, WALK)), 0)?.outcome).toBe("old");
  });
});
