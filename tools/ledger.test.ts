import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { LedgerEntry, ledgerMarkdown, readLedger, SEEDS_PER_RUN } from "./ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-ledger-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("runs add up, side by side and one after the other, and no two of a tool share a seed", () => {
  const file = join(folder, "runs.json");
  const args = ["--ledger", file, "--hours", "2"];
  const first = new LedgerEntry(file, "fairness", args, "abc");
  const second = new LedgerEntry(file, "fairness", args, "abc");
  const fuzz = new LedgerEntry(file, "fuzz:guided", [`--ledger=${file}`], "abc");
  expect([first, second, fuzz].map(({ firstSeed }) => firstSeed / SEEDS_PER_RUN)).toEqual([1, 2, 1]);
  first.played({ subject: "osrs/client", amount: 5, seconds: 3.4, lastSeed: first.firstSeed + 1 });
  second.played({ subject: "osrs/client", amount: 1, seconds: 1 });
  first.played({ subject: "osrs/native", amount: 2, seconds: 5, findings: ["osrs/native all seed 7: a ban"] });
  fuzz.played({ subject: "lz4", amount: 2_000_000, seconds: 9 });
  fuzz.end();
  expect(readLedger(file).find((run) => run.tool === "fuzz:guided")).toMatchObject({
    amounts: { lz4: 2_000_000 },
    ended: true,
    command: "npm run fuzz:guided -- --seed 100000",
  });
  // A run that is killed never ends: what it had played stays.
  const killed = readLedger(file).find((run) => run.tool === "fairness" && run.seeds[0] === SEEDS_PER_RUN);
  expect(killed).toMatchObject({
    command: "npm run fairness -- --hours 2 --seed 100000",
    commit: "abc",
    seeds: [100_000, 100_001],
    amounts: { "osrs/client": 5, "osrs/native": 2 },
    findings: ["osrs/native all seed 7: a ban"],
    seconds: 5,
    ended: false,
  });
  expect(new LedgerEntry(file, "fairness", args, "abc").firstSeed).toBe(3 * SEEDS_PER_RUN);
  // Nothing but the ledger and its page is left over: no lock, no half of a file.
  expect(readdirSync(folder).toSorted()).toEqual(["runs.json", "runs.md"]);
  const page = readFileSync(join(folder, "runs.md"), "utf8");
  expect(page).toContain("| `fairness` | honest players of osrs | 2,000 player-hours | 8 | 1 |");
  expect(page).toContain("| `fuzz:guided` | all targets | 1,000,000,000 inputs | 2,000,000 | 0 |");
  expect(page).toContain("| `fairness` | osrs/client | 6 |");
});

it("the committed page is that of the committed ledger, and its runs of one subject share no seed", () => {
  const docs = fileURLToPath(new URL("../docs/", import.meta.url));
  const runs = readLedger(join(docs, "long-runs.json"));
  expect(readFileSync(join(docs, "long-runs.md"), "utf8")).toBe(ledgerMarkdown(runs));
  const blocks = runs.flatMap(({ tool, seeds: [seed], amounts }) =>
    Object.keys(amounts).map((subject) => `${tool} ${subject} ${Math.floor(seed / SEEDS_PER_RUN)}`),
  );
  expect(new Set(blocks).size).toBe(blocks.length);
});
