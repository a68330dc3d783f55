/** Verdicts and bans of a real server with a bot that cheats, over real sockets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { type Ran, startCommand } from "../testing/run-command.ts";

const slime = { "slime-online-2": protocols["slime-online-2"] as Protocol };
const run = (...args: string[]): Promise<Ran> => startCommand(args, "", slime).ended;

let folder: string;
let file: string;
/** The lines of `verdicts --json`. */
let listed: readonly Listed[];

interface Listed {
  readonly id: string;
  readonly time: number;
  readonly rule: string;
  readonly kind: string;
  readonly player: number;
  readonly measured: number;
  readonly allowed: number;
  readonly message: string;
  readonly before: {
    readonly baseline: { readonly x: number; readonly y: number; readonly atMs: number; readonly savedSeconds: number };
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-verdicts-"));
  const [data, record] = [join(folder, "data"), join(folder, "recordings")];
  const server = startCommand(
    `serve --http 0 --listen slime-online-2=0 --dialect slime-online-2=v0106 --log-level silent --register open --ban-loopback
      --policy slime-online-2.teleport=ban,limit=5,for=2h --data ${data} --record ${record}`.split(/\s+/),
    "",
    slime,
  );
  const printed = await server.printed(/ at http:.*\n/);
  const [, port = ""] = /TCP +127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
  const [, http = ""] = / at http:\/\/[^\s:]+:(\d+)/.exec(printed) ?? [];
  const bots = await run(
    "bots",
    "slime-online-2",
    "--port",
    port,
    "--http",
    http,
    "--cheat",
    "teleport",
    "--duration",
    "60",
  );
  expect(bots.code).toBe(1);
  server.signals.emit("SIGTERM", "SIGTERM");
  expect(await server.ended).toMatchObject({ code: 0, stderr: "" });
  file = join(record, readdirSync(record).find((name) => name.endsWith(".mcap")) ?? "");
  const { stdout } = await run("verdicts", file, "severity != benign", "--json");
  listed = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Listed);
});
afterAll(() => rmSync(folder, { recursive: true }));

const teleports = (): readonly Listed[] => listed.filter(({ rule }) => rule === "teleport");

describe("wirewalk verdicts", () => {
  it("lists what the rules found, and takes the filters of inspect", async () => {
    expect(teleports().length).toBe(3);
    const { stdout, code, stderr } = await run("verdicts", file, "rule == teleport && measured > 100");
    expect([code, stderr]).toEqual([0, ""]);
    const [head, ...rows] = stdout.trim().split("\n");
    expect(head).toMatch(/^id +time +severity +rule +player +measured +allowed +unit +what the rule found$/);
    expect(rows.map((row) => row.split(" ")[0])).toEqual(teleports().map(({ id }) => id));
    expect((await run("verdicts", file, "time > 1h")).stdout).toContain("No verdicts.\n");
    expect(await run("verdicts", file, "rules == teleport")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^wirewalk: Cannot read filter: there is no field "rules", only id, time, /),
    });
    expect((await run("verdicts", file, "--json")).stdout).toBe((await run("verdicts", file, "--json")).stdout);
  });
});

describe("wirewalk verdict", () => {
  it("opens a teleport: its figures follow from the document's numbers, the message and the state", async () => {
    const { id } = teleports()[1] as Listed;
    const svg = join(folder, "verdict.svg");
    const { code, stdout, stderr } = await run("verdict", file, id, "--json", "--svg", svg);
    expect([code, stderr]).toEqual([0, ""]);
    const { measure, message, stateBefore, atMs, replay, envelope, corrections } = JSON.parse(stdout);
    // movePlayer of v0106 carries type u16, direction u8, x and y u16, little endian.
    const bytes = Buffer.from(message.bytes, "hex");
    const [x, y] = [bytes.readUInt16LE(3), bytes.readUInt16LE(5)];
    const { baseline } = stateBefore;
    expect(measure.measured).toBeCloseTo(Math.hypot(x - baseline.x, y - baseline.y), 6);
    // Standard 8.4: one and a half times sqrt(150^2 + 540^2) px/s, for the time since the last position, a frame at least, and what was saved.
    const seconds = Math.max((atMs - baseline.atMs) / 1_000, 1 / 60) + baseline.savedSeconds;
    expect(measure.allowed).toBeCloseTo(1.5 * Math.hypot(150, 540) * seconds, 6);
    expect(measure.measured).toBeGreaterThan(measure.allowed);
    expect(envelope).toEqual({ shape: "circle", x: baseline.x, y: baseline.y, radius: measure.allowed });
    expect(replay).toMatchObject({ isReproduced: true, differences: [] });
    expect(corrections.length).toBeGreaterThan(0);
    const drawn = readFileSync(svg, "utf8");
    expect(drawn).toMatch(/^<svg [^>]*viewBox/);
    for (const words of ["claimed by the client", "where the server had it", "allowed", "prefers-color-scheme:dark"]) {
      expect(drawn).toContain(words);
    }
  });

  it("is readable, and says what it does not find", async () => {
    const { id } = teleports()[1] as Listed;
    const { stdout } = await run("verdict", file, id);
    // The story for an owner first, then what a developer asks.
    expect(stdout).toMatch(/^\S+ says that it is [\d,.]+ px .*; [\d,.]+ px were possible\.\n/);
    for (const title of [
      "What the server did",
      "What you can do now",
      "How the number comes about",
      "How sure it is",
    ]) {
      expect(stdout).toContain(`\n${title}:\n  `);
    }
    expect(stdout).toMatch(
      /\ncorrect by teleport: Moved [\d.]+ px where [\d.]+ px were possible\n {2}id {8}\d+-[0-9a-f]{8}\n/,
    );
    expect(stdout).toMatch(
      /\n {2}measured {2}[\d.]+ px\n {2}allowed {3}[\d.]+ px; over by [\d.]+, [\d.]+ times as much\n/,
    );
    expect(stdout).toMatch(/\n {2}replayed {2}[\d.]+ s: the same world finds the same\n/);
    expect(stdout).toMatch(
      /movePlayer claims \(\d+, \d+\), the server has \(\d+(?:\.\d+)?, \d+(?:\.\d+)?\) \(\w+\) {2}<- correct/,
    );
    expect(await run("verdict", file, "1-00000000")).toMatchObject({
      code: 1,
      stderr: `wirewalk: ${file}: Cannot find verdict 1-00000000: the recording has no such verdict\n`,
    });
    expect(await run("verdict", file, id, "--before", "61")).toMatchObject({ code: 2 });
  });
});

describe("a ban by a policy", () => {
  it("carries the seconds around it as a recording that replays, with the same verdicts", async () => {
    const data = join(folder, "data");
    const [line = ""] = (await run("bans", "list", "--data", data, "--json")).stdout.split("\n");
    const ban = JSON.parse(line);
    expect(ban).toMatchObject({
      rule: "teleport",
      reason: "Verdicts add up: teleport at 6 points of 5",
      durationMs: 7_200_000,
      key: expect.stringMatching(/^login:/),
    });
    const out = join(folder, "appeal");
    const { code, stdout, stderr } = await run("bans", "export", ban.key, "--data", data, "--out", out);
    expect([code, stderr]).toEqual([0, ""]);
    const [statement = "", slice = ""] = stdout.trim().split("\n");
    expect(statSync(slice).mode & 0o777).toBe(0o600);
    expect(statSync(slice).size).toBeLessThan(100_000);
    expect((await run("replay", slice, "--verify")).code).toBe(0);
    const inside = (await run("verdicts", slice, "rule == teleport", "--json")).stdout.trim().split("\n");
    const last = listed.filter(({ rule }) => rule === "teleport").at(-1);
    expect(inside.map((each) => (JSON.parse(each) as Listed).id)).toContain(last?.id);
    const text = readFileSync(statement, "utf8");
    expect(text).toContain(`  reason    ${ban.reason}\n`);
    expect(text).toContain(`    id        ${last?.id}\n`);
    expect(text).toMatch(/replayed {2}[\d.]+ s: the same world finds the same\n/);
    // The recording names no account and no address.
    expect(readFileSync(slice).includes("login:bot")).toBe(false);
    const { stdout: scores } = await run("bans", "scores", "--data", data);
    expect(scores).toMatch(/^slime-online-2 {2}login:\S+ {2}all rules [\d.]+ \(\d+\)/);
    expect((await run("bans", "lift", ban.key, "--data", data)).code).toBe(0);
    expect((await run("bans", "export", ban.key, "--data", data, "--out", out)).stderr).toMatch(/is not banned/);
  });
});

describe("policies on the command line", () => {
  it.each([
    [
      "slime-online-2.telport=kick",
      "--policy slime-online-2.telport=kick: slime-online-2 has no rule telport; did you mean teleport?",
    ],
    [
      "slime-online-2.teleport=hang",
      "--policy: The policy of slime-online-2.teleport has the unknown action hang, expected log, tell, kick, ban",
    ],
    [
      "slime-online-2.teleport=kick,limit=1",
      "--policy: The policy of slime-online-2.teleport: limit must be within 4..1000000, got 1",
    ],
    [
      "slime-online-2.*=ban,for=soon",
      "--policy slime-online-2.*=ban,for=soon: for must be a time such as 90s, 30m, 6h or 7d",
    ],
    [
      "slime-online-2.*=ban,until=1h",
      "--policy slime-online-2.*=ban,until=1h: until is unknown; known are limit, half-life, for",
    ],
    [
      "slime-online-2.transition=correct",
      "--policy: The response of slime-online-2 to transition cannot be chosen, only that to no-door, teleport, unreachable",
    ],
    [
      "slime-online-2.axis-speed=kick",
      "--policy slime-online-2.axis-speed=kick: slime-online-2 has no rule axis-speed: it is unreachable now",
    ],
    [
      "teleport=kick",
      "--policy teleport=kick is not as slime-online-2.teleport=kick,limit=20 (* for all rules of a game)",
    ],
  ])("%s is refused", async (policy, why) => {
    const args = ["serve", "--http", "0", "--listen", "slime-online-2=0", "--policy", policy];
    expect(await run(...args)).toEqual({ code: 2, stdout: "", stderr: `wirewalk: ${why}\n` });
  });
});
