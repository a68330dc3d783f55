/** Nothing of the page's style moves by itself for people who want no motion. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = fileURLToPath(new URL("../", import.meta.url));

/** The text without what applies only where motion is wanted. */
function alwaysApplied(css: string): string {
  let rest = css.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  for (;;) {
    const start = rest.indexOf("@media (prefers-reduced-motion: no-preference)");
    if (start < 0) return rest;
    let depth = 0;
    let end = rest.indexOf("{", start);
    do {
      if (rest[end] === "{") depth += 1;
      if (rest[end] === "}") depth -= 1;
      end += 1;
    } while (depth > 0 && end < rest.length);
    rest = rest.slice(0, start) + rest.slice(end);
  }
}

test("animations, transitions and smooth scrolling stand where motion is wanted", () => {
  const files = globSync("**/*.css", { cwd: sources });
  expect(files.length).toBeGreaterThan(5);
  const moving = files.flatMap((file) =>
    Array.from(
      alwaysApplied(readFileSync(sources + file, "utf8")).matchAll(/^\s*(animation|transition|scroll-behavior)\b.*/gm),
    ).map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(moving).toEqual([]);
});
