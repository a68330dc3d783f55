import { expect, test } from "vitest";
import { clusterHub } from "wirewalk/net";
import { describeHandOver, LEASE_MS } from "../testing/hand-over-suite.ts";
import { decodeAsk } from "./hand-over.ts";

describeHandOver("a hand-over in one process", async () => {
  const hub = clusterHub({ leaseMs: LEASE_MS });
  return { join: async (name) => hub.join(name), close: async () => {} };
});

test("what no owner would say of a hand-over is refused", () => {
  const ask = { ask: "compare", world: "w", epoch: 3, batch: 7, worldMs: 1.5 };
  const bytesOf = (data: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(data));
  expect(decodeAsk(bytesOf(ask))).toEqual(ask);
  const wrong = [
    null,
    [],
    { ...ask, ask: "give" },
    { ...ask, world: 1 },
    { ...ask, epoch: 2 ** 50 },
    { ...ask, batch: -1 },
    { ...ask, worldMs: null },
    // A lease whose epoch does not rise.
    { ask: "take", world: "w", epoch: 3, given: 3 },
  ];
  for (const each of wrong) expect(decodeAsk(bytesOf(each))).toBeUndefined();
  expect(decodeAsk(new Uint8Array([123]))).toBeUndefined();
});
