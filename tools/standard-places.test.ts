/**
 * The places that are ours, as the standards print them for clients in other languages: rooms of Slime Online 2 and the yard of Scrap
 * Mechanic. `UPDATE_DOCS=1 npx vitest run --project code tools/standard-places.test.ts` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SEAT_REACH, yard } from "../packages/wirewalk/src/protocols/scrap-mechanic/movement/place.ts";
import { demoRoomsFile } from "../packages/wirewalk/src/protocols/slime-online-2/maps/demo-rooms.ts";

const folder = fileURLToPath(new URL("../docs/protocols", import.meta.url));

/** One line of JSON, with spaces. */
function line(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, " ").replaceAll("[ ", "[").replaceAll(" ]", "]");
}

/** The rooms' file, with a line for each member of a room. */
function roomsText(): string {
  const { rooms, ...head } = demoRoomsFile;
  const printed = rooms.map((room) => {
    const members = Object.entries(room).map(([name, value]) => `      ${line(name)}: ${line(value)}`);
    return `    {\n${members.join(",\n")}\n    }`;
  });
  const members = Object.entries(head).map(([name, value]) => `  ${line(name)}: ${line(value)},`);
  return `\`\`\`json\n{\n${members.join("\n")}\n  "rooms": [\n${printed.join(",\n")}\n  ]\n}\n\`\`\``;
}

function yardText(): string {
  const rows = [
    ...yard.ramps.map(
      ({ fromX, topX, toX, fromY, toY, height }) =>
        `| a ramp | ${fromX} to ${toX} | ${fromY} to ${toY} | rises evenly from 0 to ${height} at x = ${topX}, and ends in a cliff |`,
    ),
    ...yard.lowCeilings.map(
      ({ fromX, toX, fromY, toY, height }) =>
        `| a tunnel | ${fromX} to ${toX} | ${fromY} to ${toY} | a ceiling at ${height} |`,
    ),
    ...yard.seats.map(({ x, y, exit }) => `| a seat | ${x} | ${y} | its exit (5.1) is at ${exit.x}, ${exit.y} |`),
  ];
  return ["| what | x | y | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

test.each([
  ["slime-online-2", "demo rooms", roomsText()],
  ["scrap-mechanic", "yard", yardText()],
])("%s prints its %s", (name, block, text) => {
  const file = `${folder}/${name}.md`;
  const page = readFileSync(file, "utf8");
  const made = page.replace(
    new RegExp(`(<!-- ${block} -->\\n)[\\s\\S]*(<!-- /${block} -->)`),
    (_, start: string, end: string) => `${start}${text}\n${end}`,
  );
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(file, made);
  expect(readFileSync(file, "utf8")).toBe(made);
  expect(made).toContain(text);
});

test("the rooms that are printed are the demo's", () => {
  const printed = /<!-- demo rooms -->\n```json\n([\s\S]*?)```/.exec(
    readFileSync(`${folder}/slime-online-2.md`, "utf8"),
  );
  expect(JSON.parse(printed?.[1] ?? "")).toEqual(demoRoomsFile);
});

test("what the standard of Scrap Mechanic says of seats is what is used", () => {
  expect(readFileSync(`${folder}/scrap-mechanic.md`, "utf8")).toContain(`at most ${SEAT_REACH} units`);
});
