import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { runCommand, startCommand } from "../testing/run-command.ts";
import { families } from "./attack.ts";
import { catalogue, catalogueTable } from "./catalogue.ts";
import { runAttack } from "./run-attack.ts";
import type { Target } from "./target.ts";
import { startWeakServer } from "./testing/weak-server.ts";

const attacks = catalogue(protocols);

describe("the catalogue", () => {
  test("has attacks of every family, each with its own name, a summary and an expectation", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
    expect(new Set(attacks.map(({ family }) => family))).toEqual(new Set(families));
    for (const { name, family, summary, expectation } of attacks) {
      expect(name).toMatch(/^[a-z0-9.]+(-[a-z0-9.]+)+$/);
      expect(name.startsWith(`${family}-`), name).toBe(true);
      for (const text of [summary, expectation]) expect(text, name).toMatch(/^[a-z].{10,}[^.]$/);
    }
  });

  // `UPDATE_DOCS=1 npx vitest run --project code packages/cli/src/attacks/attacks.test.ts` writes it anew.
  test("stands in docs/reliability.md", () => {
    const page = new URL("../../../../docs/reliability.md", import.meta.url);
    const text = readFileSync(page, "utf8");
    const [start, end] = ["<!-- attacks: made by wirewalk attack --list -->\n", "<!-- end of attacks -->\n"];
    const [before = "", rest = ""] = text.split(start, 2);
    const [, after = ""] = rest.split(end, 2);
    const wanted = `${before}${start}${catalogueTable(attacks)}${end}${after}`;
    if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, wanted);
    else expect(text).toBe(wanted);
  });
});

describe("a server that falls for everything", () => {
  let weak: Target;
  beforeAll(async () => {
    weak = await startWeakServer(protocols);
  });
  afterAll(() => weak.stop());

  test("holds against no attack", async () => {
    const results = await Promise.all(
      attacks.map((attack, index) =>
        runAttack(attack, { target: weak, number: index + 1, seed: 1, patienceMs: 500, scale: 0.002 }),
      ),
    );
    expect(
      results.filter(({ verdict }) => verdict !== "broken").map(({ name, figure }) => `${name}: ${figure}`),
    ).toEqual([]);
  });
});

describe("wirewalk attack", () => {
  test("runs attacks against a server of its own, beside honest players", async () => {
    const names = ["websocket-unmasked-frame", "http-foreign-host", "bytes-unknown-opcode-osrs"];
    const { code, stdout, stderr } = await startCommand(["attack", ...names, "--json"], "", protocols).ended;
    expect(stderr).toBe("");
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(results.map(({ name, verdict }) => [name, verdict])).toEqual(names.map((name) => [name, "held"]));
    for (const { honest } of results) expect(honest).toMatch(/^\d+ moves, median \d+ ms/);
    expect(code).toBe(0);
  });

  test("lists the catalogue", async () => {
    expect((await runCommand(["attack", "--list"])).stdout).toContain("| `http-foreign-host` |");
    const { stdout } = await runCommand(["attack", "--list", "--json"]);
    expect(stdout.trim().split("\n")).toHaveLength(attacks.length);
  });

  test.each([
    [["attack"], "name attacks, or --all; --list prints them"],
    [["attack", "http-foreign-hosts"], "unknown attack 'http-foreign-hosts'; did you mean http-foreign-host?"],
    [["attack", "--all", "--against", "7400"], "--against 7400 is no host and port: it must be as 127.0.0.1:7400"],
    [["attack", "--all", "--against", "play.example.org:80"], "play.example.org is not this machine: attack only"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await runCommand(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
