import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { PredictionErrors } from "./prediction-errors.ts";

describe("drift and jitter", () => {
  it("are measured separately", () => {
    const random = createRandom(3);
    const lossy = new PredictionErrors({ axes: 2, samples: 200 });
    const wrong = new PredictionErrors({ axes: 2, samples: 200 });
    for (let count = 0; count < 1000; count++) {
      const noise = [random.next() - 0.5, random.next() - 0.5];
      lossy.add(noise);
      wrong.add([(noise[0] as number) * 0.1 + 0.3, (noise[1] as number) * 0.1]);
    }
    expect(lossy.count).toBe(200);
    expect(lossy.drift).toBeLessThan(lossy.jitter / 4);
    expect(wrong.drift).toBeCloseTo(0.3, 1);
    expect(wrong.jitter).toBeLessThan(wrong.drift / 4);
  });

  it("of nothing are nothing", () => {
    const none = new PredictionErrors({ axes: 2, samples: 10 });
    expect([none.drift, none.jitter, none.count]).toEqual([0, 0, 0]);
    expect(() => new PredictionErrors({ axes: 0, samples: 10 })).toThrow(RangeError);
  });
});
