/** What the documentation says is what the code does: its examples run, its rules and figures are the code's. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeLines } from "../../inspect/index.ts";
import type { PacketStream } from "../packet-stream.ts";
import * as scrap from "./index.ts";
import { sprintFor } from "./testing/sprint.ts";

const guide = readFileSync(new URL("../../../../../docs/scrap-mechanic.md", import.meta.url), "utf8");
const fenced = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block]) =>
    name === language ? [`${block}`] : [],
  );

test("the packets of the documentation are read as it says", () => {
  const examples = fenced("sh").flatMap((block) => [
    ...block.matchAll(/^\$ echo (\w+) \| npx wirewalk decode scrap-mechanic(.*)\n(.*)$/gm),
  ]);
  expect(examples).toHaveLength(3);
  for (const [, hex = "", flags = "", line = ""] of examples) {
    const body = flags.includes("--body");
    const setup = { dialect: "documented", sender: "client", framed: false, options: { body } } as const;
    const [result] = decodeLines(scrap.scrapMechanic.streams[""] as PacketStream, setup).line(hex);
    const { ok, ...message } = JSON.parse(line);
    expect({ ok, result }).toEqual({ ok: true, result: { json: message } });
  }
});

test("every rule is in the table, with a test that there is", () => {
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| (?:reject|flag) \|.*\| ([^|]+) \|$/gm)];
  expect(rows.map(([, rule]) => rule).toSorted()).toEqual([...scrap.scrapRules].sort());
  const here = new URL(".", import.meta.url);
  const tests = readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && name !== "docs.test.ts")
    .map((name) => readFileSync(new URL(name, here), "utf8"))
    .join("\n");
  for (const [, , title = ""] of rows) expect(tests).toContain(`"${title}`);
});

test("the table of clocks is what they gain", () => {
  const [, table = ""] = /<!-- clocks -->\n[\s\S]*?---: \|\n([\s\S]*?)<!-- \/clocks -->/.exec(guide) ?? [];
  const number = (value: number): string => Math.round(value).toLocaleString("en");
  const honest = sprintFor(600_000, 1).way;
  const rows = [1, 1.02, 1.2, 2].map((rate) => {
    const { said, way } = sprintFor(600_000, rate);
    const more = `${((way / honest - 1) * 100).toFixed(2)} %`;
    return `| ${rate.toFixed(2)} | ${number(said)} | ${number(way)} | ${more} |\n`;
  });
  expect(table).toBe(rows.join(""));
});
