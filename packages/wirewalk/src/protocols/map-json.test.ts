import { expect, test } from "vitest";
import { parseMapJson } from "./map-json.ts";
import { MapError } from "./maps.ts";

const limits = { containers: 3, commas: 4 };

test("a text within its limits is parsed", () => {
  expect(parseMapJson('{"a":[1,2,3],"b":{"c":4}}', limits)).toEqual({
    a: [1, 2, 3],
    b: { c: 4 },
  });
  expect(() => parseMapJson('{"a":', limits)).toThrow(SyntaxError);
});

test.each([
  ["[[[[]]]]", "more than 3 objects and lists"],
  ['[{},{"a":[]}]', "more than 3 objects and lists"],
  ["[1,2,3,4,5,6]", "more than 4 values"],
])("%s is refused before it is parsed", (text, reason) => {
  expect(() => parseMapJson(text, limits)).toThrow(new MapError(reason));
  // The end of the text is not looked at.
  expect(() => parseMapJson(`${text}}`, limits)).toThrow(new MapError(reason));
});
