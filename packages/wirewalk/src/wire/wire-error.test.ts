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

describe("an error whose words are made late", () => {
  const made: string[] = [];
  function late(name: string): WireError {
    const words = (): readonly [message: string, path: string] => {
      made.push(name);
      return ["Cannot read [3].x: 2 bytes needed, 1 left at byte 3", "[3].x"];
    };
    return new WireError("truncated", words, 24);
  }

  test("makes them once, when message, path, JSON or stack are looked at", () => {
    const looks = {
      message: (error: WireError) => error.message,
      path: (error: WireError) => error.path,
      json: (error: WireError) => JSON.stringify(error),
      stack: (error: WireError) => error.stack,
      text: (error: WireError) => String(error),
    };
    for (const [name, look] of Object.entries(looks)) {
      const error = late(name);
      expect([error.code, error.bitOffset]).toEqual(["truncated", 24]);
      expect(made).not.toContain(name);
      expect(look(error)).toMatch(name === "path" ? "[3].x" : "[3].x: 2 bytes needed");
      expect(error.message).toBe("Cannot read [3].x: 2 bytes needed, 1 left at byte 3");
      expect(error.path).toBe("[3].x");
      expect(made.filter((each) => each === name)).toEqual([name]);
    }
  });

  test("is like any other from then on", () => {
    const error = late("like");
    const plain = new WireError("truncated", error.message, 24, "[3].x");
    expect(Object.getOwnPropertyDescriptor(error, "message")).toEqual(
      Object.getOwnPropertyDescriptor(plain, "message"),
    );
    expect(JSON.stringify(error)).toBe(JSON.stringify(plain));
    expect(late("within").within("fragments").message).toMatch("Cannot read fragments[3].x: ");
  });

  test("keeps a message that somebody gave it", () => {
    const error = late("given");
    error.message = "other";
    expect([error.message, error.path]).toEqual(["other", "[3].x"]);
  });

  test("has the path that was being read when it was made", () => {
    const error = readAt("moves", () => late("outer"));
    readPath.depth = 0;
    expect(readAt("elsewhere", () => error.path)).toBe("moves[3].x");
    expect(error.message).toBe("Cannot read moves[3].x: 2 bytes needed, 1 left at byte 3");
    readPath.depth = 0;
  });
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
