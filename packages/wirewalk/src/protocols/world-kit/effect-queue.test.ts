import { describe, expect, it } from "vitest";
import type { Verdict } from "../../motion/index.ts";
import type { Effect } from "../world.ts";
import { EffectQueue } from "./effect-queue.ts";

const message = { message: "moved", value: { x: 1 } };

function verdictWith(payload: Uint8Array): Verdict {
  const words = { kind: "reject", rule: "speed", reason: "Too fast", player: 1, room: "a", atMs: 5 } as const;
  return { ...words, message: payload, stateBefore: { x: 0 } };
}

/** One effect of each kind. */
function fill(effects: EffectQueue): void {
  effects.enter(1, "a");
  effects.send(1, message);
  effects.send(1, message, "lossy");
  effects.send(1, message, "unreliable");
  effects.broadcast("a", 1, message);
  effects.broadcast("a", undefined, message);
  effects.show(1, "b");
  effects.hide(1, "b");
  const verdict = effects.verdict(verdictWith(Uint8Array.of(1, 2)));
  effects.observe({ player: 1, room: "a", what: "path", data: { bytes: 2 } });
  effects.observe({ player: 1, room: "a", what: "start", data: {}, toFollowers: true });
  effects.ban({ player: 1, account: "ann", reason: "speed", durationMs: 1000, evidence: [verdict] });
  effects.close(1, "banned");
  effects.exit(1, "a");
  effects.add({ effect: "enter", player: 2, room: "a" });
}

const filled: readonly Effect[] = [
  { effect: "enter", player: 1, room: "a" },
  { effect: "send", to: 1, message },
  { effect: "send", to: 1, message, lossy: true },
  { effect: "send", to: 1, message, unreliable: true },
  { effect: "broadcast", room: "a", except: 1, message },
  { effect: "broadcast", room: "a", except: undefined, message },
  { effect: "show", player: 1, room: "b" },
  { effect: "hide", player: 1, room: "b" },
  { effect: "verdict", verdict: verdictWith(Uint8Array.of(1, 2)) },
  { effect: "observe", player: 1, room: "a", what: "path", data: { bytes: 2 } },
  { effect: "observe", player: 1, room: "a", what: "start", data: {}, toFollowers: true },
  {
    effect: "ban",
    player: 1,
    account: "ann",
    reason: "speed",
    durationMs: 1000,
    evidence: [verdictWith(Uint8Array.of(1, 2))],
  },
  { effect: "close", player: 1, reason: "banned" },
  { effect: "exit", player: 1, room: "a" },
  { effect: "enter", player: 2, room: "a" },
];

describe("effects", () => {
  it("come out once, in order, as they went in", () => {
    const effects = new EffectQueue();
    fill(effects);
    const taken = effects.take();
    expect(taken).toStrictEqual(filled);
    const nothing = effects.take();
    effects.close(3, "late");
    expect(nothing).toEqual([]);
    expect(taken).toStrictEqual(filled);
    expect(effects.take()).toEqual([{ effect: "close", player: 3, reason: "late" }]);
  });

  it("of a verdict own their bytes, as evidence does", () => {
    const effects = new EffectQueue();
    const memory = new Uint8Array(1000).fill(7);
    const kept = effects.verdict(verdictWith(memory.subarray(10, 12)));
    memory.fill(0);
    expect(kept.message).toEqual(Uint8Array.of(7, 7));
    expect(kept.message.buffer.byteLength).toBe(2);
    expect(effects.take()).toEqual([{ effect: "verdict", verdict: kept }]);
  });

  it("that wait are saved and go on in another queue, sharing nothing", () => {
    const effects = new EffectQueue();
    fill(effects);
    const saved = effects.save();
    const restored = new EffectQueue(structuredClone(saved));
    effects.take();
    expect(saved).toStrictEqual(filled);
    (saved[8] as { verdict: Verdict }).verdict.message.fill(9);
    effects.close(1, "late");
    restored.close(4, "after");
    expect(restored.take()).toStrictEqual([...filled, { effect: "close", player: 4, reason: "after" }]);
  });

  it("that are not plain cannot be saved", () => {
    const effects = new EffectQueue();
    effects.observe({ player: 1, room: "a", what: "path", data: { at: new Date(0) as unknown as string } });
    expect(() => effects.save()).toThrow(TypeError);
  });
});
