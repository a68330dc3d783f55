/**
 * The clients of the guide "Your own client", in Python's standard library: several of each game in one server. They were written from
 * the standards alone and share no code with ours, so what they see of each other is what any client sees.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getText } from "../packages/cli/src/testing/get-text.ts";
import { type Running, startCommand } from "../packages/cli/src/testing/run-command.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const programs = join(root, "docs/guides/programs");
const rooms = join(programs, "rooms.json");
const maps = join(root, "packages/wirewalk/maps/maplestory");

/** The clients of a game: what they take after their name, and what each has printed before all are stopped. */
interface Clients {
  readonly game: string;
  readonly program: string;
  readonly names: readonly string[];
  readonly rest: readonly string[];
  readonly sees: readonly RegExp[];
}

const games: readonly Clients[] = [
  {
    game: "slime-online-2",
    program: "slime_client.py",
    names: ["ann", "bob"],
    rest: [rooms],
    // The other jumps from the ground, lands on the step, and on the ground.
    sees: [/sees \w+ send 3 at \d+, 420\n/, /sees \w+ send 9 at \d+, 390\n/, /sees \w+ send 9 at \d+, 420\n/],
  },
  {
    game: "maplestory",
    program: "maplestory_client.py",
    names: ["ann", "bob"],
    rest: [maps],
    sees: [/is on map 1 at -?\d+, \d+\n/, /sees \d+ at -?\d+, \d+\n/, /sees \d+ at -?\d+, \d+, jumping\n/],
  },
  {
    game: "scrap-mechanic",
    program: "scrap_client.py",
    names: ["ann", "bob"],
    rest: [],
    sees: [/sees \d+ at .*, jumping\n/],
  },
  {
    game: "osrs",
    program: "osrs_client.py",
    names: ["ann", "bob", "cid"],
    rest: [],
    // One player at two places.
    sees: [
      /sees (\d+) at (32[12]\d, 32[12]\d), level 0\n(?:.*\n)*?.*sees \1 at (?!\2)32[12]\d, 32[12]\d, level 0\n/,
      /mouse: \d+ bytes\n/,
    ],
  },
];

const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPython)("clients written from the standards (they need Python 3.11)", () => {
  const yard = mkdtempSync(join(tmpdir(), "guides-"));
  const printed = new Map<string, string[]>(games.map(({ game }) => [game, []]));
  let server: Running;
  let metrics = "";

  beforeAll(async () => {
    writeFileSync(join(yard, "50_50"), yardOfTiles());
    const listen = games.flatMap(({ game }) => ["--listen", `${game}=0`]);
    const places = [`osrs=${yard}`, `slime-online-2=${rooms}`, `maplestory=${maps}`].flatMap((set) => ["--maps", set]);
    const set = ["--set", "maplestory.startMap=1", "--log-level", "silent"];
    server = startCommand(["serve", "--http", "0", ...listen, ...places, ...set]);
    const output = await server.printed(/http:\S+\/\n/);

    const players = games.flatMap((clients) => {
      const port = new RegExp(`TCP +127\\.0\\.0\\.1:(\\d+)\\n.*/ws/${clients.game}\\n`).exec(output)?.[1] ?? "";
      return clients.names.map((name) => play(clients, port, name));
    });
    await Promise.all(players.map(({ hasSeen }) => hasSeen));
    metrics = await getText(`${/http:\S+(?=\/\n)/.exec(output)?.[0]}/metrics`);
    for (const { stop } of players) stop();
    for (const { game, ended } of players) printed.get(game)?.push(await ended);
  }, 120_000);

  afterAll(async () => {
    server.signals.emit("SIGTERM");
    await server.ended;
    rmSync(yard, { recursive: true });
  });

  /** 12 x 12 tiles around the place where players of Old School RuneScape begin: all of them see each other. */
  function yardOfTiles(): Uint8Array {
    const region = new Uint8Array(1024);
    for (let z = 12; z < 24; z += 1) {
      for (let x = 16; x < 28; x += 1) {
        const bit = (z * 64 + x) * 2;
        region[bit >> 3] = (region[bit >> 3] ?? 0) | (3 << (bit & 7));
      }
    }
    return region;
  }

  interface Player {
    readonly game: string;
    /** Resolves once it has printed all that it should. */
    readonly hasSeen: Promise<unknown>;
    readonly stop: () => void;
    /** All that it printed. */
    readonly ended: Promise<string>;
  }

  function play({ game, program, rest, sees }: Clients, port: string, name: string): Player {
    const child = spawn("python3", [program, "127.0.0.1", port, name, ...rest], { cwd: programs });
    let text = "";
    let errors = "";
    child.stderr.on("data", (bytes) => {
      errors += String(bytes);
    });
    const seen = new Promise<void>((resolve) => {
      child.stdout.on("data", (bytes) => {
        text += String(bytes);
        if (sees.every((pattern) => pattern.test(text))) resolve();
      });
    });
    const ended = new Promise<string>((resolve, reject) => {
      child.on("close", (code) => {
        if (code === 0) resolve(text);
        else reject(new Error(`${program}: ${text}${errors}`));
      });
    });
    return { game, hasSeen: Promise.race([seen, ended]), stop: () => child.kill("SIGINT"), ended };
  }

  test.each(games)("$game: each sees the others move", ({ game, names, sees }) => {
    const texts = printed.get(game) ?? [];
    expect(texts).toHaveLength(names.length);
    for (const text of texts) {
      for (const pattern of sees) expect(text).toMatch(pattern);
      expect(text).toMatch(/ ends at .*\n$/);
    }
  });

  test("slime-online-2: nobody is put back", () => {
    for (const text of printed.get("slime-online-2") ?? []) expect(text).not.toContain("is put to");
  });

  test("scrap-mechanic: each predicts its own way to the last digit", () => {
    for (const text of printed.get("scrap-mechanic") ?? []) {
      expect(text).toMatch(/: [1-9]\d+ ticks as predicted, 0 not\n/);
    }
  });

  test("the server has taken their messages, and has nothing against any of them", () => {
    for (const { game, names } of games) {
      const received = new RegExp(`^wirewalk_messages_in_total\\{[^}]*protocol="${game}"[^}]*\\} (\\d+)$`, "m");
      expect(Number(received.exec(metrics)?.[1])).toBeGreaterThanOrEqual(names.length);
    }
    const verdicts = metrics.split("\n").filter((line) => line.startsWith("wirewalk_verdicts_total{"));
    expect(verdicts.filter((line) => !line.includes('kind="benign"') && !line.endsWith(" 0"))).toEqual([]);
  });
});
