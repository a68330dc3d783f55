import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startServer } from "@wirewalk/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { runCommand, startCommand } from "../testing/run-command.ts";
import { type Attack, type AttackResult, families } from "./attack.ts";
import { catalogue, catalogueTable } from "./catalogue.ts";
import { CannotRun, type Outcome } from "./outcome.ts";
import { runAttack } from "./run-attack.ts";
import type { Target } from "./target.ts";
import { startWeakServer } from "./testing/weak-server.ts";

const attacks = catalogue(protocols);

function protocol(name: string): PlayableProtocol {
  const found = protocols[name];
  if (found === undefined) throw new RangeError(`There is no game ${name}`);
  return found;
}

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
  const target: Target = { host: "127.0.0.1", http: 1, games: new Map(), stop: async () => {} };
  const judged = async (isFine: boolean, ban?: string, run = attack.run) => {
    const bounds: (number | undefined)[] = [];
    const honest = {
      play: async () => {},
      async notice(maxDelayMs?: number) {
        bounds.push(maxDelayMs);
        return { isFine, text: "3 moves" };
      },
      ban: async () => ban,
    };
    const result = await runAttack({ ...attack, run }, { target, number: 1, seed: 1, honest });
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

  test("who are disconnected break an attack that could not be finished: the server may be gone", async () => {
    const unfinished = async (): Promise<Outcome> => {
      throw new CannotRun("no connection");
    };
    expect(await judged(true, undefined, unfinished)).toMatchObject({ verdict: "could not be run" });
    expect(await judged(false, undefined, unfinished)).toMatchObject({ verdict: "broken", figure: "no connection" });
  });

  test("an attack that has nothing to measure is not a verdict", async () => {
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

// Honest players move twice a second: attacks wait for them, and run beside each other.
describe.concurrent("wirewalk attack", () => {
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

  describe("--against", () => {
    const against = (address: string, ...names: readonly string[]) =>
      startCommand(["attack", ...names, "--against", address, "--json"], "", protocols).ended;

    test("attacks a running server: its feed names its games, their dialects and ports", async () => {
      const server = await startServer({
        http: 0,
        listeners: [
          { protocol: protocol("slime-online-2"), dialect: "v0106", port: 0 },
          { protocol: protocol("maplestory"), port: 0 },
          { protocol: protocol("scrap-mechanic") },
        ],
      });
      const names = [
        "admission-no-login",
        "admission-second-login",
        "bytes-lz4-zero-offset",
        "bytes-unknown-opcode-osrs",
      ];
      const { code, stdout, stderr } = await against(`localhost:${server.httpAddress?.port}`, ...names);
      await server.close({ graceMs: 0 });
      expect(stderr).toBe("");
      const results = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as AttackResult);
      expect(results.map(({ name, verdict, figure }) => [name, verdict, figure.replace(/\d+/g, "N")])).toEqual([
        ["admission-no-login", "held", "closed after N ms"],
        ["admission-second-login", "held", "the login: wrongPassword; the player plays on"],
        [
          "bytes-lz4-zero-offset",
          "could not be run",
          "the server has no TCP port for scrap-mechanic (wirewalk serve --listen)",
        ],
        ["bytes-unknown-opcode-osrs", "could not be run", "the server has no game osrs"],
      ]);
      for (const { honest } of results) expect(honest).toMatch(/^\d+ moves, median \d+ ms/);
      expect(code).toBe(0);
    });

    test("says that no server answers there, or another one", async () => {
      const other = createServer((_request, response) => response.writeHead(404).end());
      await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
      const { port } = other.address() as AddressInfo;
      const notOurs = await against(`127.0.0.1:${port}`, "http-foreign-host");
      await new Promise((resolve) => other.close(resolve));
      const closed = await against(`127.0.0.1:${port}`, "http-foreign-host");
      expect(notOurs.stderr).toContain(`no wirewalk server is at http://127.0.0.1:${port}: it answers 404 to /livez`);
      expect(closed.stderr).toContain(`no server answers at http://127.0.0.1:${port}: ECONNREFUSED`);
      expect([notOurs.code, closed.code]).toEqual([1, 1]);
    });

    test("fails when no attack could be run", async () => {
      const server = await startServer({ http: 0, listeners: [{ protocol: protocol("slime-online-2"), port: 0 }] });
      const { code, stdout } = await against(`127.0.0.1:${server.httpAddress?.port}`, "bytes-unknown-opcode-osrs");
      await server.close({ graceMs: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ verdict: "could not be run" });
      expect(code).toBe(1);
    });
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
    [["attack", "--all", "--scale", "2"], "It must be above 0 and at most 1"],
    [
      ["attack", "--all", "--against", "7400"],
      "--against 7400 is not a host and a port: it must look like 127.0.0.1:7400",
    ],
    [["attack", "--all", "--against", "play.example.org:80"], "play.example.org is not this machine: attack only"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await runCommand(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
