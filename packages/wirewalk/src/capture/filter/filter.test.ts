import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../testing/scale.ts";
import { type FilterFields, parseFilter } from "./filter.ts";
import { FilterError } from "./tokens.ts";

const fields: FilterFields = {
  time: 12.5,
  flow: "10.0.0.7:20000-10.0.0.1:5555",
  direction: "client",
  protocol: "slime-online-2",
  message: "movePlayer",
  value: {
    x: 448,
    id: "18446744073709551615",
    name: "ann",
    fragments: [{ x: 1 }, { x: 5 }],
    "odd name": true,
    none: null,
  },
  bytes: 7,
  error: undefined,
};

test.each([
  ["message == movePlayer", true],
  ["message != movePlayer", false],
  ['message == "movePlayer" && direction == client', true],
  ["protocol == maplestory && message == movePlayer && value.fragments.length > 3 && time > 12s", false],
  ["protocol == slime-online-2 && value.fragments.length >= 2 && time > 12s && time < 12600ms", true],
  ["value.x > 447 && value.x <= 448 && value.x != 0x1bf", true],
  ["value.id == 18446744073709551615", true],
  ["value.fragments[1].x == 5", true],
  ["value.fragments[2].x == 5", false],
  ["value.fragments[*].x == 5 && !(value.fragments[*].x == 7)", true],
  ['value["odd name"]', true],
  ["value.none", false],
  ["value.none == null", true],
  ["value.name contains n && value.name.length == 3", true],
  ["message in {ping, movePlayer}", true],
  ["message in {ping}", false],
  ["flow contains :5555", undefined],
  ['flow contains ":5555"', true],
  // A missing field has no order and no value: only ! turns that around.
  ["error.code == truncated", false],
  ["error.code != truncated", false],
  ["!(error.code == truncated)", true],
  ["error || bytes", true],
  ["gap > 0", false],
  ["value.name < 5", false],
  ["bytes == 8 || (time > 1m || time > 12)", true],
  ["kind == message || direction == client", true],
] as const)("%s is %s", (filter, wanted) => {
  if (wanted === undefined) expect(() => parseFilter(filter)).toThrow(FilterError);
  else expect(parseFilter(filter)(fields)).toBe(wanted);
});

test.each([
  ["", 1, "expected a field, got the end"],
  ["message = movePlayer", 9, 'unexpected "="'],
  ["message", undefined, ""],
  ["movePlayer == message", 1, 'there is no field "movePlayer", only time, epoch'],
  ["message == ", 12, "expected a value, got the end"],
  ["(message == a", 14, 'expected ")", got the end'],
  ["message == a b", 14, 'expected && or ||, got "b"'],
  ["time > 12 parsecs", 11, 'expected && or ||, got "parsecs"'],
  ["time > 12parsecs", 10, '"parsecs" is no unit, only ns, us, ms, s, m, h'],
  ["value.[0] == 1", 7, 'expected the name of a field, got "["'],
  ["value[x] == 1", 7, 'expected an index, a name in quotes or *, got "x"'],
  ["value[-1] == 1", 7, "expected an index, a name in quotes or *, got -1"],
  ['message == "\\q"', 12, "invalid escape"],
  ["message in ping", 12, 'expected "{", got "ping"'],
] as const)("%j is wrong at character %s", (filter, position, why) => {
  if (position === undefined) {
    expect(parseFilter(filter)(fields)).toBe(true);
    return;
  }
  expect(() => parseFilter(filter)).toThrow(why);
  expect(() => parseFilter(filter)).toThrow(expect.objectContaining({ position }));
});

test("depth and length are bounded", () => {
  expect(() => parseFilter(`${"(".repeat(100)}time > 1${")".repeat(100)}`)).toThrow("nested more than 64 deep");
  expect(() => parseFilter(" ".repeat(5000))).toThrow("over 4096 characters");
  expect(parseFilter(`${"!".repeat(60)}(time > 1)`)(fields)).toBe(true);
});

test("any text is a filter or is refused with its place", () => {
  const word = fc.constantFrom(
    "message",
    "value",
    "time",
    "==",
    "&&",
    "||",
    "!",
    "(",
    ")",
    ".",
    "[",
    "]",
    "*",
    "1",
    '"a"',
    "x",
    "in",
    "{",
    "}",
    ",",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      try {
        expect(typeof parseFilter(words.join(" "))(fields)).toBe("boolean");
      } catch (error) {
        expect(error).toBeInstanceOf(FilterError);
      }
    }),
    { numRuns: propertyRuns * 3 },
  );
});
