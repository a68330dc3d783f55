/** Actions about verdicts of a real server with a bot that cheats, over real sockets. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShownVerdict } from "@wirewalk/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { type Ran, type Running, startCommand } from "../testing/run-command.ts";

const slime = { "slime-online-2": protocols["slime-online-2"] as Protocol };
const start = (...args: readonly string[]): Running => startCommand(args, "", slime);
const run = (...args: readonly string[]): Promise<Ran> => start(...args).ended;

let folder = "";
let server: Running;
let bots: Running;
let ofServer: readonly string[] = [];
let verdict: ShownVerdict;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-actions-"));
  const token = join(folder, "token");
  writeFileSync(token, "a-token-of-many-characters\n");
  const flags = "--http 0 --listen slime-online-2=0 --dialect slime-online-2=v0106 --log-level silent --register open";
  const places = ["--data", join(folder, "data"), "--record", join(folder, "recordings")];
  server = start("serve", ...flags.split(" "), ...places, "--admin-token-file", token);
  const printed = await server.printed(/ at http:.*\n/);
  const [, port = ""] = /TCP +127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
  const [, url = ""] = / at (http:\/\/[^\s/]+)/.exec(printed) ?? [];
  ofServer = ["--server", url, "--token-file", token];
  const cheat = ["--cheat", "teleport", "--count", "1", "--duration", "100"];
  bots = start("bots", "slime-online-2", "--dialect", "v0106", "--port", port, ...cheat);
  for (let found = ""; found === ""; ) {
    const { stdout } = await run("verdict", "list", "--json", "--limit", "1", ...ofServer);
    found = stdout.trim();
    if (found !== "") verdict = JSON.parse(found) as ShownVerdict;
  }
});
afterAll(async () => {
  bots.signals.emit("SIGTERM", "SIGTERM");
  server.signals.emit("SIGTERM", "SIGTERM");
  await Promise.all([bots.ended, server.ended]);
  rmSync(folder, { recursive: true });
});

function recordingOfServer(): string {
  const record = join(folder, "recordings");
  return join(record, readdirSync(record).find((name) => name.endsWith(".mcap")) ?? "");
}

const act = (action: string, ...args: readonly string[]): Promise<Ran> =>
  run("verdict", "act", action, verdict.id, "--by", "ann", ...args, ...ofServer);

describe("wirewalk verdict act", () => {
  it("keeps a note, and shows it with the verdict and among what was done", async () => {
    const noted = await act("note", "--reason", "asked him");
    expect(noted).toMatchObject({ code: 0, stderr: "" });
    expect(noted.stdout).toContain(verdict.id);
    expect(noted.stdout).toMatch(/ note by ann: asked him\n$/);
    const { stdout } = await run("verdict", "acted", "--data", join(folder, "data"));
    expect(stdout).toMatch(/ note by ann: asked him\n/);
  });

  it("warns a player by a line of chat that it is sent", async () => {
    expect((await act("warn", "--reason", "walk, please")).code).toBe(0);
  });

  it("makes a recording of a dismissed verdict, which check reads", async () => {
    const { code, stdout } = await act("dismiss", "--reason", "lag");
    expect(code).toBe(0);
    expect(stdout).toContain(`dismissed/slime-online-2-${verdict.id}.mcap`);
    const checked = await run("check", join(folder, "data", "dismissed"));
    // The rules of today find it still: an owner changes limits until they do not.
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(`must-not-flag:${verdict.rule} of ${verdict.name}`);
  });

  it("takes one out of a file of the server, too", async () => {
    const file = recordingOfServer();
    const into = join(folder, "elsewhere");
    const words = ["--reason", "lag", "--by", "bob", "--data", join(folder, "data")];
    const { code, stdout } = await run("verdict", "dismiss", file, verdict.id, "--into", into, ...words);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(into, `slime-online-2-${verdict.id}.mcap`)}\n` });
    const again = await run("verdicts", join(into, `slime-online-2-${verdict.id}.mcap`), `id == "${verdict.id}"`);
    expect(again.stdout).toContain(verdict.id);
    expect((await run("verdict", "acted", "--data", join(folder, "data"))).stdout).toContain("dismiss by bob: lag");
  });

  it("is shown with the verdict of the recording, also as JSON, where the server's data is given", async () => {
    const file = recordingOfServer();
    const data = ["--data", join(folder, "data")];
    const shown = await run("verdict", "show", file, verdict.id, ...data);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toMatch(/\nWhat was done:\n {2}\S+ {2}note by ann: asked him\n/);
    const json = await run("verdict", file, verdict.id, "--json", ...data);
    expect(JSON.parse(json.stdout)).toMatchObject({
      id: verdict.id,
      actions: expect.arrayContaining([
        { action: "note", by: "ann", reason: "asked him", atMs: expect.any(Number), result: "done", detail: null },
        expect.objectContaining({ action: "warn", reason: "walk, please" }),
      ]),
    });
    const without = await run("verdict", file, verdict.id, "--json");
    expect(JSON.parse(without.stdout)).not.toHaveProperty("actions");
  });

  it("says what cannot be done: no such verdict, a length of a note, a player that has left", async () => {
    const unknown = await run("verdict", "act", "note", "1-00000000", "--reason", "x", ...ofServer);
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stderr).toContain("404 There is no verdict 1-00000000");
    expect(await act("note", "--for", "1h")).toMatchObject({ code: 2 });
    expect((await act("lift")).stdout).toContain("lift FAILED by ann (the player is not banned)");
  });

  it("kicks the player", async () => {
    expect(await act("kick", "--reason", "enough")).toMatchObject({ code: 0 });
    expect(await act("kick")).toMatchObject({ code: 1 });
  });
});
