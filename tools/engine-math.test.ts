/** Worlds replay in every engine: they use no function of `Math` whose last digit the standard leaves to the engine. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const LEFT_TO_ENGINES =
  /\bMath\.(?:acosh?|asinh?|atanh?|atan2|cbrt|cosh?|exp|expm1|log|log10|log1p|log2|pow|sinh?|tanh?)\b/;
/** What a world is made of. Bots and tests are not replayed. */
const SOURCES = "packages/wirewalk/src/{protocols/**/{wire,maps,movement,world},protocols/world-kit,host}/**/*.ts";

it("no world uses a function whose result depends on the engine: world-kit has angleOf and sineOf", () => {
  const files = globSync(SOURCES).filter((file) => !/\.test\.ts$|\/testing\/|\/generated\//.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const code = line.replace(/^\s*(?:\*|\/\/|\/\*).*$/, "");
        return LEFT_TO_ENGINES.test(code) ? [`${file}:${index + 1}: ${line.trim()}`] : [];
      }),
  );
  expect(found).toEqual([]);
});
