import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { runCommand, startCommand } from "../testing/run-command.ts";
import { type Attack, families } from "./attack.ts";
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

describe("honest players", () => {
  const attack: Attack = {
    name: "http-nothing",
    family: "http",
    summary: "does nothing at all",
    expectation: "nothing happens",
    maxHonestDelayMs: 150,
    run: async () => ({ held: true, figure: "nothing" }),
  };
  const target: Target = { host: "127.0.0.1", http: 1, games: new Map(), isOwn: true, stop: async () => {} };
  const judged = async (isFine: boolean, ban?: string) => {
    const bounds: (number | undefined)[] = [];
    const honest = {
      play: async () => {},
      notice(maxDelayMs?: number) {
        bounds.push(maxDelayMs);
        return { isFine, text: "3 moves" };
      },
      ban: async () => ban,
    };
    const result = await runAttack(attack, { target, number: 1, seed: 1, honest });
    return { ...result, bound: bounds.at(-1) };
  };

  test("who are delayed or banned break an attack that met its expectation", async () => {
    expect(await judged(true)).toMatchObject({ verdict: "held", honest: "3 moves", bound: 150 });
    expect(await judged(false)).toMatchObject({ verdict: "broken", honest: "3 moves" });
    expect(await judged(true, "banned until noon")).toMatchObject({
      verdict: "broken",
      honest: "3 moves; banned until noon",
    });
  });

  test("an attack that has nothing to measure is no verdict", async () => {
    const unable: Attack = {
      ...attack,
      async run(arena) {
        arena.game("chess");
        return { held: true, figure: "" };
      },
    };
    const result = await runAttack(unable, { target, number: 1, seed: 1 });
    expect(result).toMatchObject({ verdict: "could not be run", figure: "the server has no game chess" });
  });
});

describe("wirewalk attack", () => {
  test("runs attacks against a server of its own, beside honest players", async () => {
    const names = [
      "identity-long-name",
      "admission-proxy-v1-scrap-mechanic",
      "bytes-unknown-opcode-osrs",
      "websocket-unmasked-frame",
      "http-foreign-host",
      "rates-bytes",
    ];
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
    const run = (...args: readonly string[]) => startCommand(["attack", "--list", ...args], "", protocols).ended;
    expect((await run()).stdout).toBe(catalogueTable(attacks));
    const lines = (await run("--json")).stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Attack).name)).toEqual(attacks.map(({ name }) => name));
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
