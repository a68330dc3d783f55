import { describe, expect, it } from "vitest";
import { copyPlain, findUnplain } from "./plain-data.ts";

const plain = {
  at: -0,
  none: undefined,
  nan: Number.NaN,
  big: 7n,
  text: "a",
  list: [1, [2, { deep: true }], null],
  map: new Map<unknown, unknown>([[{ key: 1 }, new Set([[1]])]]),
  bytes: Uint8Array.of(1, 2, 3).subarray(1),
  floats: Float64Array.of(0.5),
};

class Instance {
  value = 1;
}

describe("copyPlain", () => {
  it("copies as structuredClone does", () => {
    expect(copyPlain(plain)).toStrictEqual(structuredClone(plain));
    expect(copyPlain(Object.freeze([1]))).toStrictEqual([1]);
  });

  it("shares nothing mutable", () => {
    const original = { list: [{ a: 1 }], map: new Map([["b", [2]]]), set: new Set([3]), bytes: Uint8Array.of(4) };
    const copy = copyPlain(original);
    (original.list[0] as { a: number }).a = 9;
    original.list.push({ a: 9 });
    original.map.get("b")?.push(9);
    original.set.add(9);
    original.bytes[0] = 9;
    expect(copy).toEqual({ list: [{ a: 1 }], map: new Map([["b", [2]]]), set: new Set([3]), bytes: Uint8Array.of(4) });
  });

  it("copies a member that is called __proto__", () => {
    const data = JSON.parse('{"__proto__":{"a":1}}') as object;
    expect(Object.entries(copyPlain(data))).toEqual([["__proto__", { a: 1 }]]);
  });

  it("copies only the bytes in view", () => {
    expect(copyPlain(new Uint8Array(1000).subarray(5, 8)).buffer.byteLength).toBe(3);
  });

  it("refuses what is not plain", () => {
    expect(() => copyPlain({ a: [new Instance()] })).toThrow(
      new TypeError("Cannot copy .a[0]: an instance of Instance"),
    );
    expect(() => copyPlain([() => 1])).toThrow(new TypeError("Cannot copy [0]: a function"));
  });
});

describe("findUnplain", () => {
  it("finds nothing in plain data, frozen or not", () => {
    expect(findUnplain(plain)).toBeUndefined();
    expect(findUnplain(Object.freeze({ a: Object.freeze([1]) }))).toBeUndefined();
  });

  it.each([
    [
      {
        a: {
          get b() {
            return 1;
          },
        },
      },
      ".a.b: a getter or setter",
    ],
    [[1, new Instance()], "[1]: an instance of Instance"],
    [new Map([[1, [new Instance()]]]), "<0>[0]: an instance of Instance"],
    [new Map([[new Instance(), 1]]), "<0>.key: an instance of Instance"],
    [new Set([Symbol("a")]), "<0>: a symbol"],
    [{ [Symbol("a")]: 1 }, ": a symbol as a key"],
    [{ view: new DataView(new ArrayBuffer(1)) }, ".view: an instance of DataView"],
    [Promise.resolve(1), ": an instance of Promise"],
  ])("finds %s", (data, found) => {
    expect(findUnplain(data)).toBe(found);
  });
});
