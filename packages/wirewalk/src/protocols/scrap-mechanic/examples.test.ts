import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as motion from "../../motion/index.ts";
import * as wire from "../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../wire/testing/run-examples.ts";
import { memoryFiles } from "../map-files.ts";

const folder = new URL(".", import.meta.url);
const game = await exportsIn(folder);
/** Parts of the world and of the buffer, and text, which export nothing to run an example with. */
const internal = [
  "bots/errands.ts",
  "claims.ts",
  "maps/grid-maps.ts",
  "maps/read-grid.ts",
  "movement/packed-movement.ts",
  "movement/tumbling.ts",
  "world/character.ts",
  "world/character-ticks.ts",
  "world/glossary.ts",
  "world/limits.ts",
  "world/observations.ts",
  "world/rules.ts",
  "world/saved-state.ts",
  "world/saved-ticks.ts",
  "world/seats.ts",
  "privacy.ts",
  "scrap-mechanic.ts",
  "wire/object-update.ts",
];
const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) =>
    name.endsWith(".ts") &&
    !name.endsWith(".test.ts") &&
    !name.startsWith("testing") &&
    !name.includes("generated") &&
    !internal.includes(name),
);

test.each(modules)("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, folder), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { ...wire, ...motion, ...game, memoryFiles });
});
