import fc from "fast-check";
import { expect, it } from "vitest";
import { Columns, type Edges } from "./columns.ts";

const coordinate = fc.integer({ min: -2000, max: 70_000 });
const edges = fc
  .record({ left: coordinate, width: fc.oneof(fc.nat(40), fc.nat(70_000)) })
  .map(({ left, width }): Edges => {
    return { left, top: 0, right: left + width, bottom: 10 };
  });

it("finds every rectangle that reaches a place, and every one between two places", () => {
  fc.assert(
    fc.property(fc.array(edges, { maxLength: 60 }), coordinate, coordinate, (all, x1, x2) => {
      const columns = new Columns(all);
      for (const each of all) {
        if (each.left <= x1 && each.right >= x1) expect(columns.at(x1)).toContain(each);
        const found = new Set<Edges>();
        columns.between(x1, x2, (one) => found.add(one));
        if (each.left <= Math.max(x1, x2) && each.right >= Math.min(x1, x2)) expect(found).toContain(each);
      }
    }),
  );
});

it("wide rectangles do not fill all columns: each lies in eight on average at most", () => {
  const all = Array.from({ length: 1000 }, (_, index) => ({ left: index, top: 0, right: 60_000 + index, bottom: 1 }));
  const columns = new Columns(all);
  const counted = new Set(Array.from({ length: 61_000 }, (_, x) => columns.at(x)));
  expect([...counted].reduce((sum, column) => sum + column.length, 0)).toBeLessThanOrEqual(8000);
});
