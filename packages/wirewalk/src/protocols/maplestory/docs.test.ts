import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeLines } from "../../inspect/index.ts";
import type { PacketStream } from "../packet-stream.ts";
import * as maple from "./index.ts";
import * as movement from "./movement/index.ts";
import { comparedNetworks, comparePlayback } from "./testing/playback-comparison.ts";
import { savings } from "./testing/savings.ts";

const docs = new URL("../../../../../docs/", import.meta.url);
const guide = readFileSync(new URL("maplestory.md", docs), "utf8");
const fenced = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block]) =>
    name === language ? [`${block}`] : [],
  );

/** Tables are written here instead of compared. */
const isWriting = process.env.UPDATE_DOCS !== undefined;

const showRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");

/** What stands between two marks of a page, and where. */
function findTable(page: string, mark: string): { url: URL; text: string; from: number; to: number } {
  const url = new URL(page, docs);
  const text = readFileSync(url, "utf8");
  const open = `<!-- ${mark} -->\n`;
  return { url, text, from: text.indexOf(open) + open.length, to: text.indexOf(`<!-- /${mark} -->`) };
}

/** The table has these rows, one after the other; when writing they are all of it. */
function expectRows(page: string, mark: string, rows: readonly (readonly string[])[]): void {
  const { url, text, from, to } = findTable(page, mark);
  if (isWriting) writeFileSync(url, `${text.slice(0, from)}${showRows(rows)}${text.slice(to)}`);
  else expect(text.slice(from, to)).toContain(showRows(rows));
}

test("the packets of the documentation decode to what it prints", () => {
  const examples = fenced("sh").flatMap((block) => [
    ...block.matchAll(/^\$ echo "?([\dA-F ]+)"? \| npx wirewalk decode maplestory(.*)\n(.*)$/gm),
  ]);
  expect(examples).toHaveLength(2);
  for (const [, hex = "", flags = "", line = ""] of examples) {
    const [, iv] = /--iv (\w+)/.exec(flags) ?? [];
    const sender = flags.includes("--direction server") ? "server" : "client";
    const setup = { dialect: "v62", sender, framed: flags.includes("--framed"), options: { iv } } as const;
    const [result] = decodeLines(maple.mapleStory.streams[""] as PacketStream, setup).line(hex);
    const { ok, ...message } = JSON.parse(line);
    expect({ ok, result }).toEqual({ ok: true, result: { json: message } });
  }
});

test("every rule is in the table, with a test that there is", () => {
  const rows = [...guide.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| (\w+) \|.*\| ([^|]+) \|$/gm)];
  const rules = rows.flatMap(([, names = ""]) => [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name));
  expect(rules.toSorted()).toEqual([...maple.mapleRules].sort());
  const here = new URL(".", import.meta.url);
  const tests = readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && name !== "docs.test.ts")
    .map((name) => readFileSync(new URL(name, here), "utf8"))
    .join("\n");
  for (const [, , , title = ""] of rows) expect(tests).toContain(`"${title}`);
});

test("the bytes saved are those that the recorders save", () => {
  const scenes = savings();
  const [first] = scenes;
  expect(first?.scene).toBe("walk");
  const bytes = (count: number): string => count.toLocaleString("en");
  expectRows("maplestory.md", "savings", [
    ["10.2 s of", "dialect", "a fragment for each step", "as sent", "saved"],
    ["---", "---", "---:", "---:", "---:"],
    ...scenes.map(({ scene, dialect, allBytes, sentBytes, saved }) => [
      scene,
      `\`${dialect}\``,
      bytes(allBytes),
      bytes(sentBytes),
      `${Math.round(saved * 100)} %`,
    ]),
  ]);
});

test("the table of playback policies is what they measure", { timeout: 120_000 }, () => {
  const all = movement.maplePlayback("player");
  const heading = [
    ["Network", "Policy", "Mean px", "95 % px", "Jerks/min", "Frozen", "Ahead"],
    ["---", "---", "---:", "---:", "---:", "---:", "---:"],
  ];
  // All of it takes a while: the game's own policies in the usual network stand for the rest, except when writing.
  const policies = isWriting ? all : all.slice(0, 2);
  const networks = Object.entries(comparedNetworks).filter(([name]) => isWriting || name === "60 ms, jitter 80 ms");
  expect(networks.length).toBeGreaterThan(0);
  const rows = networks.flatMap(([network, conditions]) =>
    comparePlayback(policies, conditions, { seed: 7, players: 20, minutes: 10 }).map((score, index) => [
      index === 0 ? network : "",
      score.policy,
      score.meanPx.toFixed(1),
      score.p95Px.toFixed(1),
      score.jerksPerMinute.toFixed(1),
      `${score.frozenPercent.toFixed(1)} %`,
      `${score.aheadPercent.toFixed(1)} %`,
    ]),
  );
  expectRows("maplestory-playback.md", "policies", isWriting ? [...heading, ...rows] : rows);
});
