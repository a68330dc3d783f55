import { describe, expect, test } from "vitest";
import { readCorpus } from "../fuzz/guided/corpus.ts";
import { targets } from "../fuzz/guided/targets.ts";

describe("every committed input of the fuzzer keeps its target's rule", () => {
  test.each(targets)("$name", async (target) => {
    const inputs = readCorpus(target.name);
    expect(inputs.length).toBeGreaterThan(0);
    const { run, check } = await target.open();
    for (const input of inputs) {
      try {
        run(input);
        check?.(input);
      } catch (error) {
        const again = `npm run fuzz:guided -- --only "${target.name}" --input ${Buffer.from(input).toString("hex")}`;
        throw new Error(`Again: ${again}`, { cause: error });
      }
    }
  });
});
