import { describe, expect, test } from "vitest";
import { joinPath, WireError, withPath } from "./index.ts";

const truncated = (): WireError =>
  new WireError("truncated", "Cannot read u16le: 2 bytes needed, 1 left at byte 3", 24);

describe("a wire error", () => {
  test("says code, place and message as JSON", () => {
    expect(JSON.parse(JSON.stringify(truncated()))).toEqual({
      code: "truncated",
      message: "Cannot read u16le: 2 bytes needed, 1 left at byte 3",
      bitOffset: 24,
      path: "",
    });
  });

  test("gathers its path on the way out, and its message names the whole path", () => {
    const error = truncated();
    expect(error.within("x").within("[3]").within("fragments")).toBe(error);
    expect(error.path).toBe("fragments[3].x");
    expect(error.message).toBe("Cannot read fragments[3].x: 2 bytes needed, 1 left at byte 3");
  });

  test("keeps a message in other words", () => {
    const error = new WireError("bad-state", "Login first: no player", 0).within("type");
    expect(error.path).toBe("type");
    expect(error.message).toBe("Login first: no player");
  });

  test("starts from the path it was given", () => {
    expect(new WireError("limit", "Cannot read n: too many", 0, "n").within("list").path).toBe("list.n");
  });
});

test("has no stack frames, and leaves those of other errors alone", () => {
  const limit = Error.stackTraceLimit;
  const error = new WireError("truncated", "Cannot read x: 2 bytes needed, 1 left at byte 3", 24);
  expect(error.stack).not.toContain("wire-error.test");
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new RangeError("other").stack).toContain("wire-error.test");
});

describe("withPath", () => {
  test("names the field in the writer's errors, once per level", () => {
    const error = withPath(withPath(withPath(new RangeError("u8 is too big"), "x"), "[3]"), "fragments");
    expect(error).toBeInstanceOf(RangeError);
    expect((error as Error).message).toBe("Cannot write fragments[3].x: u8 is too big");
  });

  test("leaves what it does not know alone", () => {
    const error = new Error("other");
    expect(withPath(error, "x")).toBe(error);
    expect(error.message).toBe("other");
    expect(withPath("text", "x")).toBe("text");
  });
});

test.each([
  ["", "", ""],
  ["a", "", "a"],
  ["", "b", "b"],
  ["a", "b", "a.b"],
  ["a", "[3].b", "a[3].b"],
])("joinPath of %j and %j is %j", (outer, inner, joined) => {
  expect(joinPath(outer, inner)).toBe(joined);
});
