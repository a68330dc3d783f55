/** Two worlds with the same calls, one of which is saved and restored again and again. */
import { expect } from "vitest";
import type { PlayerId } from "../../../motion/index.ts";
import type { Joining } from "../../world.ts";
import { digestOf, findUnplain } from "../../world-kit/index.ts";
import type { PlayerFactors } from "../movement/physics-constants.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";
import { SlimeWorld, type SlimeWorldOptions } from "../world/world.ts";
import type { AnyWorld } from "./stage.ts";

/**
 * A world that is never saved and one that is replaced by a restored one after every `every` calls, whatever they are.
 * Effects, tracks and digests are compared wherever they are asked for.
 */
export class TwinWorlds implements AnyWorld {
  readonly #options: SlimeWorldOptions;
  readonly #every: number;
  readonly #plain: SlimeWorld;
  #saved: SlimeWorld;
  #calls = 0;
  /** How often the second world was restored. */
  restores = 0;

  constructor(options: SlimeWorldOptions, every: number) {
    this.#options = options;
    this.#every = every;
    this.#plain = new SlimeWorld(options);
    this.#saved = new SlimeWorld(options);
  }

  get tickMs(): number {
    return this.#plain.tickMs;
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#ask((world) => world.usedMaps());
  }

  get capacity(): number {
    return this.#plain.capacity;
  }

  refuses(joining: Joining): ReturnType<SlimeWorld["refuses"]> {
    return this.#ask((world) => world.refuses(joining));
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    this.#call((world) => world.join(id, joining, nowMs));
  }

  leave(id: PlayerId, nowMs: number): void {
    this.#call((world) => world.leave(id, nowMs));
  }

  receive(id: PlayerId, message: SlimeClientMessage, payload: Uint8Array, nowMs: number): void {
    this.#call((world) => world.receive(id, message, payload, nowMs));
  }

  tick(nowMs: number): void {
    this.#call((world) => world.tick(nowMs));
  }

  refresh(id: PlayerId, nowMs: number): void {
    this.#call((world) => world.refresh(id, nowMs));
  }

  takeEffects(): ReturnType<SlimeWorld["takeEffects"]> {
    return this.#ask((world) => world.takeEffects());
  }

  tracks(nowMs: number, room?: string): ReturnType<SlimeWorld["tracks"]> {
    return this.#ask((world) => world.tracks(nowMs, room));
  }

  budgets(player: number, nowMs: number): ReturnType<SlimeWorld["budgets"]> {
    return this.#ask((world) => world.budgets(player, nowMs));
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#ask((world) => world.rooms());
  }

  save(): ReturnType<SlimeWorld["save"]> {
    return this.#ask((world) => world.save());
  }

  restore(): void {
    throw new Error("Twins are not restored");
  }

  digest(): bigint {
    return this.#ask((world) => world.digest());
  }

  setFactors(id: PlayerId, factors: PlayerFactors, nowMs: number): void {
    this.#call((world) => world.setFactors(id, factors, nowMs));
  }

  allowAnywhere(id: PlayerId, nowMs: number): void {
    this.#call((world) => world.allowAnywhere(id, nowMs));
  }

  warp(id: PlayerId, room: number, x: number, y: number, nowMs: number, command?: boolean): void {
    this.#call((world) => world.warp(id, room, x, y, nowMs, command));
  }

  place(id: PlayerId, room: number, x: number, y: number, nowMs: number): void {
    this.#call((world) => world.place(id, room, x, y, nowMs));
  }

  #ask<T>(question: (world: SlimeWorld) => T): T {
    const answer = question(this.#plain);
    const other = question(this.#saved);
    if (digestOf(other) === digestOf(answer)) return answer;
    // It shows where they differ, if not in the order of a map.
    expect(other).toStrictEqual(answer);
    throw new Error("The answers differ in order");
  }

  #call(call: (world: SlimeWorld) => void): void {
    call(this.#plain);
    call(this.#saved);
    this.#calls += 1;
    if (this.#calls % this.#every !== 0) return;
    const saved = this.#saved.save();
    expect(findUnplain(saved)).toBeUndefined();
    const digest = this.#plain.digest();
    expect(this.#saved.digest()).toBe(digest);
    const restored = new SlimeWorld(this.#options);
    // What was there before is replaced.
    restored.join(60_000, { account: "before", name: "Before" }, 0);
    restored.restore(structuredClone(saved));
    expect(restored.digest()).toBe(digest);
    this.#saved = restored;
    this.restores += 1;
  }
}
