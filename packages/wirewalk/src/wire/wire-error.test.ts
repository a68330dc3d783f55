import { describe, expect, test } from "vitest";
import {
  array,
  ByteReader,
  decode,
  joinPath,
  readAt,
  readLayout,
  readPath,
  struct,
  u8,
  u16le,
  WireError,
  withPath,
} from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";

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

describe("the path that is read", () => {
  const steps = struct({ id: u8, steps: array(struct({ x: u16le }), { count: u8, limit: 4 }) });

  test("is in an error from the start, message included", () => {
    const error = wireErrorOf(() => decode(steps, Uint8Array.of(1, 2, 5, 0, 6)));
    expect(error?.path).toBe("steps[1].x");
    expect(error?.message).toBe("Cannot read steps[1].x: 2 bytes needed, 1 left at byte 4");
  });

  test("is empty after a refusal, and after a whole message", () => {
    expect(wireErrorOf(() => decode(steps, Uint8Array.of(1, 9)))?.path).toBe("steps.count");
    expect(readPath.depth).toBe(0);
    decode(steps, Uint8Array.of(1, 1, 5, 0));
    expect(readPath.depth).toBe(0);
    expect(wireErrorOf(() => readLayout(u8, new ByteReader(new Uint8Array())))?.path).toBe("");
  });

  test("begins anew with a message, whatever an error of our own left of it", () => {
    expect(() => readAt("lost", () => decodeNothing())).toThrow(TypeError);
    expect(readPath.depth).toBe(1);
    expect(wireErrorOf(() => decode(steps, new Uint8Array()))?.path).toBe("id");
  });

  test("stands before a path that is given", () => {
    const inner = () => new WireError("limit", "Cannot read name: too long", 0, "name");
    expect(readAt("players", () => readAt(3, inner)).message).toBe("Cannot read players[3].name: too long");
    readPath.depth = 0;
  });
});

function decodeNothing(): never {
  throw new TypeError("no layout");
}

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
