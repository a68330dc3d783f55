import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { RowLog } from "./row-log.ts";

function rowsOf(log: RowLog): number[][] {
  return Array.from({ length: log.length }, (_, row) => {
    return Array.from(log.values.subarray(row * log.width, (row + 1) * log.width));
  });
}

function add(log: RowLog, ...numbers: number[]): void {
  const at = log.push();
  log.values.set(numbers, at);
}

describe("a log of rows", () => {
  it("is a list that forgets its oldest members", () => {
    const random = createRandom(1);
    const log = new RowLog(2);
    let list: number[][] = [];
    for (let count = 0; count < 500; count++) {
      add(log, count, -count);
      list.push([count, -count]);
      if (random.chance(0.1)) {
        const most = random.integer(0, 40);
        log.keep(most);
        list = list.slice(Math.max(0, list.length - most));
      }
      expect(rowsOf(log)).toEqual(list);
    }
  });

  it("is saved and restored as a copy, and goes on", () => {
    const log = new RowLog(1);
    for (const number of [1, 2, 3]) add(log, number);
    const saved = log.save();
    const other = new RowLog(1);
    other.restore(saved, 3, "rows");
    saved.fill(9);
    add(log, 4);
    add(other, 5);
    expect([rowsOf(log), rowsOf(other)]).toEqual([
      [[1], [2], [3], [4]],
      [[1], [2], [3], [5]],
    ]);
  });

  it.each([[[1, 2]], [Float32Array.of(1, 2)], [Float64Array.of(1, 2, 3)], [new Float64Array(8)]])(
    "refuses %j",
    (rows) => {
      const log = new RowLog(2);
      expect(() => log.restore(rows, 3, "rows")).toThrow("Cannot restore: rows must be at most 3 rows of 2 doubles");
    },
  );
});
