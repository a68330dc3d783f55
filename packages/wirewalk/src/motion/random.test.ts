import { expect, it } from "vitest";
import { createRandom } from "./random.ts";

it("goes on from a saved state, restored or made anew", () => {
  const random = createRandom(-7);
  for (let draws = 0; draws < 100; draws++) random.next();
  const state = random.save();
  const wanted = Array.from({ length: 20 }, () => [random.next(), random.integer(1, 6), random.fork().next()]);
  const other = createRandom(1);
  other.next();
  other.restore(state);
  for (const again of [other, createRandom(state)]) {
    expect(Array.from({ length: 20 }, () => [again.next(), again.integer(1, 6), again.fork().next()])).toEqual(wanted);
  }
});
