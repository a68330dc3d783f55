import { describe, expect, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import { describeStore } from "../../../../wirewalk/src/net/testing/store-suite.ts";
import { SimulatedDisk, simulatedStore } from "./disk.ts";

describeStore("simulated disk", () => simulatedStore(new SimulatedDisk(createRandom(1))));

describe("a store on a simulated disk", () => {
  test("has after any crash every record whose put has returned, and a lost one whole or not at all", () => {
    const seen = { there: 0, absent: 0 };
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = createRandom(seed);
      const disk = new SimulatedDisk(random);
      const store = simulatedStore(disk);
      const kept = random.integer(0, 4);
      for (let number = 0; number < kept; number += 1) store.put("bans", `kept${number}`, { number });
      const where = random.pick(["before-write", "before-sync", "after-sync"] as const);
      disk.interrupt = (place) => {
        if (place === where) throw new Error("crash");
      };
      const record = { text: "x".repeat(random.integer(0, 300)) };
      expect(() => store.put("bans", "lost", record)).toThrow("crash");
      disk.crash();
      disk.interrupt = () => {};
      const after = simulatedStore(disk);
      for (let number = 0; number < kept; number += 1) expect(after.get("bans", `kept${number}`)).toEqual({ number });
      const lost = after.get("bans", "lost");
      if (lost === undefined) seen.absent += 1;
      else {
        seen.there += 1;
        expect(lost).toEqual(record);
      }
      // What comes later is kept as well, behind whatever the crash left.
      after.put("bans", "later", { seed });
      disk.crash();
      expect(simulatedStore(disk).get("bans", "later")).toEqual({ seed });
    }
    expect(seen.there).toBeGreaterThan(20);
    expect(seen.absent).toBeGreaterThan(20);
  });

  test.each(["full", "fsync"] as const)("throws while the disk is at fault (%s), and is as it was before", (fault) => {
    const disk = new SimulatedDisk(createRandom(1));
    const store = simulatedStore(disk);
    store.put("bans", "ann", { number: 1 });
    disk.fault = fault;
    expect(() => store.put("bans", "ann", { number: 2 })).toThrow(/ENOSPC|EIO/);
    expect(() => store.delete("bans", "ann")).toThrow(/ENOSPC|EIO/);
    expect(store.get("bans", "ann")).toEqual({ number: 1 });
    disk.fault = undefined;
    store.put("bans", "bob", { number: 3 });
    expect(simulatedStore(disk).list("bans")).toEqual([
      { key: "ann", record: { number: 1 } },
      { key: "bob", record: { number: 3 } },
    ]);
  });
});
