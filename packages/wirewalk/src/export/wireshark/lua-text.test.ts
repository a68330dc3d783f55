import { expect, test } from "vitest";
import { LuaCall, LuaName, luaString, luaText } from "./lua-text.ts";

test("keys that are no names of Lua stand in brackets, keywords too; undefined members are left out", () => {
  expect(luaText({ a: 1, end: true, "x-y": "z", gone: undefined })).toBe('{ a = 1, ["end"] = true, ["x-y"] = "z" }');
});

test("lists, calls and names", () => {
  expect(luaText([1, -0.5, []])).toBe("{ 1, -0.5, {} }");
  expect(luaText(new LuaCall("struct", { of: new LuaName("shared.x") }))).toBe("struct{ of = shared.x }");
});

test("texts keep their characters; quotes, backslashes and control characters are escaped", () => {
  expect(luaString('a"\\\n\u0000é')).toBe('"a\\"\\\\\\n\\000é"');
});

test("what is longer than a line stands on several, indented", () => {
  const long = "x".repeat(60);
  expect(luaText({ a: { b: long, c: long } })).toBe(`{\n  a = {\n    b = "${long}",\n    c = "${long}",\n  },\n}`);
});

test("deep values are written in a time that grows with their size", () => {
  let value: { readonly of?: object } = {};
  for (let depth = 0; depth < 40; depth++) value = { of: value };
  expect(luaText(value as never).match(/of = /g)).toHaveLength(40);
});
