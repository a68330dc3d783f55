import { describe, expect, it } from "vitest";
import { parseNode, u8 } from "../index.ts";
import { wireErrorOf } from "../testing/check-layout.ts";
import { refusedNodes } from "../testing/refused-nodes.ts";

describe("a description out of JSON", () => {
  let deep: unknown = u8.node;
  for (let depth = 0; depth < 40; depth++) deep = { kind: "array", item: deep, length: 1 };

  it.each(refusedNodes)("is refused with %s", (_, json, message) => {
    const error = wireErrorOf(() => parseNode(json));
    expect(error?.code).toBe("bad-value");
    expect(error?.message).toContain(message);
    expect(message).toContain(`Cannot read ${error?.path}`);
  });

  it.each<[string, unknown, string]>([
    ["deeper than anything", deep, "deeper than the limit of 32"],
    ["wider than anything", { kind: "struct", fields: new Array(1001).fill({}) }, "1001 over the limit of 1000"],
  ])("is refused when it is %s", (_, json, why) => {
    const error = wireErrorOf(() => parseNode(json));
    expect(error?.code).toBe("limit");
    expect(error?.message).toContain(why);
  });
});
