import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bans, parseBanKey, sqliteStore } from "@wirewalk/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-bans-"));
  const store = sqliteStore(folder);
  const bans = new Bans(store);
  const key = parseBanKey("login:ann");
  if (key === undefined) throw new Error("no key");
  const verdict = {
    kind: "reject",
    rule: "teleport",
    reason: "moved 900 px in 20 ms\u001b[2J",
    player: 7,
    room: "1",
    atMs: 12_345,
    measured: 900,
    allowed: 40,
    unit: "px",
    message: Uint8Array.of(2, 0, 10),
    stateBefore: { x: 5 },
  } as const;
  for (const protocol of ["slime-online-2", "maplestory"]) {
    bans.add(protocol, { key, name: "Ann", reason: "three verdicts", durationMs: 3_600_000, evidence: [verdict] });
  }
  store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const bans = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  runCommand(["bans", ...args, "--data", folder]);

describe("bans", () => {
  it("list --json gives an object for each, with its evidence", async () => {
    const { code, stdout } = await bans("list", "--json");
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ protocol }) => protocol)).toEqual(["maplestory", "slime-online-2"]);
    expect(lines[1]).toMatchObject({ key: "login:ann", name: "Ann", rule: "teleport", reason: "three verdicts" });
    expect(lines[1].durationMs).toBe(3_600_000);
    expect(Date.parse(lines[1].until)).toBe(lines[1].untilMs);
    expect(Date.parse(lines[1].from)).toBe(lines[1].fromMs);
    expect(lines[1].evidence).toMatchObject([{ rule: "teleport", measured: 900, message: "02000a" }]);
  });

  it("show has everything that is kept, safe to print", async () => {
    const { code, stdout } = await bans("show", "login:ann");
    expect(code).toBe(0);
    expect(stdout).toContain("slime-online-2  login:ann\n  name      Ann\n");
    expect(stdout).toContain("  verdict 1 of 1: reject by teleport, moved 900 px in 20 ms\\x1b[2J\n");
    expect(stdout).toContain("    at        12.345 s of the world\n    measured  900 px, allowed 40\n");
    expect(stdout).toContain("    message   02000a\n");
    expect(stdout).toContain('    before    {"x":5}\n');
    const [, line = ""] = /wirewalk (inspect slime-online-2 .*)/.exec(stdout) ?? [];
    expect((await runCommand(line.split(" "))).stdout).toContain("movePlayer\n");
    expect(JSON.parse((await bans("show", "login:ann", "--json")).stdout.split("\n")[0] as string)).toMatchObject({
      protocol: "maplestory",
    });
  });

  it.each([
    ["show", "login:an", "'login:an' is not banned; did you mean login:ann?"],
    ["lift", "ann", "'ann' is not banned; did you mean login:ann?"],
  ])("%s %s: %s", async (command, key, why) => {
    expect(await bans(command, key)).toEqual({ code: 1, stdout: "", stderr: `wirewalk: ${why}\n` });
  });

  it.each(["show", "lift", "scores"])("%s of what is no key is wrong usage", async (command) => {
    const stderr = "wirewalk: 'bob' is no key of bans: one is as login:ann or address:192.0.2.7\n";
    expect(await bans(command, "bob")).toEqual({ code: 2, stdout: "", stderr });
  });

  it("list --json of none is empty", async () => {
    const empty = mkdtempSync(join(tmpdir(), "wirewalk-bans-"));
    expect(await runCommand(["bans", "list", "--json", "--data", empty])).toEqual({ code: 0, stdout: "", stderr: "" });
    rmSync(empty, { recursive: true });
  });
});
