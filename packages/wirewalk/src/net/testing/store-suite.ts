/**
 * What every store must do: run it over each of them.
 *
 * ```ts
 * describeStore("memory", () => memoryStore());
 * ```
 *
 * @module
 */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../wire/index.ts";
import type { Store } from "../store.ts";

/** The shared suite. `open` makes an empty store for each test, which closes it. */
export function describeStore(name: string, open: () => Store): void {
  describe(name, () => {
    const opened: Store[] = [];
    const fresh = (): Store => {
      const store = open();
      opened.push(store);
      return store;
    };

    afterEach(() => {
      for (const store of opened.splice(0)) store.close();
    });

    test("what was never put is not there, and an unknown table is empty", () => {
      const store = fresh();
      expect(store.get("bans", "ann")).toBeUndefined();
      expect(store.list("bans")).toEqual([]);
    });

    test("a record comes back as it was put", () => {
      const store = fresh();
      const record = { text: "ä\u0000\u{1f40c}\"'", number: -0.1, yes: true, nothing: null, list: [1, { deep: [] }] };
      store.put("bans", "ann", record);
      expect(store.get("bans", "ann")).toEqual(record);
    });

    test("a later record takes the place of an earlier one", () => {
      const store = fresh();
      store.put("bans", "ann", { until: 1, reason: "teleport" });
      store.put("bans", "ann", { until: 2 });
      expect(store.get("bans", "ann")).toEqual({ until: 2 });
      expect(store.list("bans")).toHaveLength(1);
    });

    test("an update gets the record, and puts what it returns", () => {
      const store = fresh();
      const add = (record: JsonObject | undefined): JsonObject => ({ ...record, n: Number(record?.n ?? 0) + 1 });
      expect(store.update("counts", "ann", add)).toEqual({ n: 1 });
      store.put("counts", "ann", { n: 5, kept: [1] });
      expect(store.update("counts", "ann", add)).toEqual({ n: 6, kept: [1] });
      expect(store.get("counts", "ann")).toEqual({ n: 6, kept: [1] });
    });

    test("an update that changes nothing or throws writes nothing, and the store works on", () => {
      const store = fresh();
      store.put("counts", "ann", { n: 1 });
      const before = store.version("counts");
      expect(store.update("counts", "ann", (record) => record ?? {})).toEqual({ n: 1 });
      const failing = (): JsonObject => {
        throw new Error("refused");
      };
      expect(() => store.update("counts", "ann", failing)).toThrow("refused");
      expect(() => store.update("counts", "bob", failing)).toThrow("refused");
      expect(store.version("counts")).toBe(before);
      expect(store.list("counts")).toEqual([{ key: "ann", record: { n: 1 } }]);
      store.update("counts", "ann", () => ({ n: 2 }));
      expect(store.version("counts")).toBe(before + 1);
    });

    test("tables do not share keys", () => {
      const store = fresh();
      store.put("bans", "ann", { table: "bans" });
      store.put("accounts", "ann", { table: "accounts" });
      store.delete("bans", "ann");
      expect(store.get("bans", "ann")).toBeUndefined();
      expect(store.get("accounts", "ann")).toEqual({ table: "accounts" });
    });

    test("the tables are those with records, in ascending order", () => {
      const store = fresh();
      expect(store.tables()).toEqual([]);
      for (const table of ["b", "B", "a"]) store.put(table, "ann", {});
      store.put("b", "bob", {});
      expect(store.tables()).toEqual(["B", "a", "b"]);
      store.delete("a", "ann");
      expect(store.tables()).toEqual(["B", "b"]);
    });

    test("a deleted record is gone, and deleting none does nothing", () => {
      const store = fresh();
      store.put("bans", "ann", {});
      store.delete("bans", "ann");
      store.delete("bans", "ann");
      store.delete("nothing", "ann");
      expect(store.get("bans", "ann")).toBeUndefined();
      expect(store.list("bans")).toEqual([]);
    });

    test("a list is in ascending order of its keys, capitals first, digits as text", () => {
      const store = fresh();
      for (const key of ["b", "10", "a", "B", "", "9", "é", "ab"]) store.put("bans", key, { key });
      expect(store.list("bans").map(({ key }) => key)).toEqual(["", "10", "9", "B", "a", "ab", "b", "é"]);
      expect(store.list("bans").every(({ key, record }) => record.key === key)).toBe(true);
    });

    test("names are names, whatever they mean elsewhere", () => {
      const store = fresh();
      for (const name of ["__proto__", "constructor", "select", "a'b", 'a"b', "a;--", "%", "a b"]) {
        expect(store.get(name, name)).toBeUndefined();
        store.put(name, name, { name });
        expect(store.list(name)).toEqual([{ key: name, record: { name } }]);
      }
    });

    test("a record is a copy, both going in and coming out", () => {
      const store = fresh();
      const record = { list: [1] };
      store.put("bans", "ann", record);
      record.list.push(2);
      const first = store.get("bans", "ann") as { list: number[] };
      first.list.push(3);
      expect(store.get("bans", "ann")).toEqual({ list: [1] });
    });

    test("the version of a table grows by one with every change of it, and only then", () => {
      const store = fresh();
      const before = store.version("bans");
      const since = (): number => store.version("bans") - before;
      store.put("bans", "ann", { until: 1 });
      expect(since()).toBe(1);
      store.put("bans", "ann", { until: 2 });
      expect(since()).toBe(2);
      store.delete("bans", "ann");
      expect(since()).toBe(3);
      store.get("bans", "ann");
      store.list("bans");
      store.delete("bans", "ann");
      expect(since()).toBe(3);
    });

    test("a look at whether it works changes nothing", () => {
      const store = fresh();
      store.check();
      store.put("bans", "ann", { until: 1 });
      const before = store.version("bans");
      for (let times = 0; times < 3; times += 1) store.check();
      expect(store.version("bans")).toBe(before);
      expect(store.tables()).toEqual(["bans"]);
      expect(store.list("bans")).toEqual([{ key: "ann", record: { until: 1 } }]);
      store.put("bans", "bob", {});
      expect(store.version("bans")).toBe(before + 1);
    });

    test("any sequence of calls leaves what a plain map would hold", () => {
      const name = fc.constantFrom("a", "b", "c");
      const record = fc.dictionary(fc.string(), fc.jsonValue()).map((each) => JSON.parse(JSON.stringify(each)));
      const calls = fc.array(fc.record({ table: name, key: name, record: fc.option(record) }), { maxLength: 30 });
      fc.assert(
        fc.property(calls, (all) => {
          const store = fresh();
          const model = new Map<string, JsonObject>();
          for (const call of all) {
            if (call.record === null) {
              store.delete(call.table, call.key);
              model.delete(call.table + call.key);
            } else {
              store.put(call.table, call.key, call.record);
              model.set(call.table + call.key, call.record);
            }
          }
          for (const table of ["a", "b", "c"]) {
            for (const key of ["a", "b", "c"]) expect(store.get(table, key)).toEqual(model.get(table + key));
            expect(store.list(table)).toEqual(
              ["a", "b", "c"].flatMap((key) => {
                const kept = model.get(table + key);
                return kept === undefined ? [] : [{ key, record: kept }];
              }),
            );
          }
        }),
        // Each run opens a store, which may be a file.
        { numRuns: 30 },
      );
    });
  });
}
