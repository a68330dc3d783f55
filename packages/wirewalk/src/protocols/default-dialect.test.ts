import { expect, test } from "vitest";
import { defaultDialect } from "./default-dialect.ts";
import { protocols } from "./table.ts";

test("the default dialect is the first of a shipped client, where one is known", () => {
  const defaults = Object.values(protocols).map((protocol) => [protocol.name, defaultDialect(protocol)]);
  expect(Object.fromEntries(defaults)).toEqual({
    "slime-online-2": "v0106",
    osrs: "client",
    maplestory: "v62",
    "scrap-mechanic": "documented",
  });
});

test("it is the first dialect of a game without one", () => {
  const plain = { name: "plain", source: "document", summary: "" } as const;
  expect(defaultDialect({ name: "game", dialects: [plain, { ...plain, name: "other" }] })).toBe("plain");
  expect(() => defaultDialect({ name: "game", dialects: [] })).toThrow("game has no dialects");
});
