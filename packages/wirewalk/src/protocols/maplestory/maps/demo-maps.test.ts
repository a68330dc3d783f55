import { expect, it } from "vitest";
import { demoMaps } from "./demo-maps.ts";

it("the demo maps have monsters that stand on something", () => {
  for (const map of demoMaps()) {
    expect(map.monsters.length).toBeGreaterThanOrEqual(10);
    for (const { x, y } of map.monsters) expect((map.below(x, y)?.y ?? Infinity) - y).toBeLessThan(20);
    for (const { x, y } of map.portals) expect(map.below(x, y)?.y).toBeCloseTo(y);
  }
});
