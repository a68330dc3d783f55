import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { tellTargets } from "./tell-flags.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-tell-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("--tell", () => {
  it("reads places with commas, secrets and addresses of files, and names outputs of one kind apart", async () => {
    const secret = file("secret", "a secret of many letters\n");
    const url = file("url", "https://discord.example/api/webhooks/1/token\n");
    const template = file("template.json", JSON.stringify({ penalty: "{name}: {rule}" }));
    const tell = [
      `webhook=https://example.org/hook?a=1,b=2,secret-file=${secret},per-minute=60,what=all`,
      `discord=@${url},template-file=${template}`,
      "webhook=https://example.org/other",
      "syslog",
    ];
    expect(await tellTargets({ tell })).toMatchObject([
      {
        kind: "webhook",
        name: "webhook",
        url: "https://example.org/hook?a=1,b=2",
        secret: "a secret of many letters",
        perMinute: 60,
        what: "all",
      },
      {
        kind: "discord",
        url: "https://discord.example/api/webhooks/1/token",
        what: "penalties",
        templates: { penalty: "{name}: {rule}" },
      },
      { name: "webhook-2" },
      { kind: "syslog", transport: "udp", host: "127.0.0.1", port: 514 },
    ]);
  });

  it.each([
    [["serve", "--tell", "pigeon=x"], "--tell pigeon: unknown output pigeon"],
    [["serve", "--tell", "webhook=https://a.example/x,rate=5"], "unknown option rate, expected what, secret-file"],
    [["serve", "--tell", "file=verdicts.jsonl,wat=all"], "unknown option wat"],
    [["serve", "--tell", "syslog=http://a.example"], "it is as syslog=udp://127.0.0.1:514"],
    [["serve", "--tell", "webhook"], "it needs an address; it is as webhook=https://"],
    [["serve", "--http", "0", "--listen", "osrs=0", "--tell", "store"], "--tell store: Rows of verdicts need a store"],
    [["relay", "osrs", "--listen", "0", "--to", "127.0.0.1:9", "--no-judge", "--tell", "stdout"], "--tell tells what"],
    [
      ["relay", "osrs", "--listen", "0", "--to", "127.0.0.1:9", "--no-judge", "--policy", "osrs.*=kick"],
      "--policy follows from the world that --no-judge leaves out",
    ],
    [
      ["relay", "slime-online-2", "--listen", "0", "--to", "127.0.0.1:9", "--policy", "slime-online-2.*=ban"],
      "a relay has no bans, only log, tell and kick",
    ],
  ])("%j is a wrong command line", async (args, why) => {
    const { code, stderr } = await runCommand(args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });

  it.each([
    ["no such file or folder", join(folder, "no", "such.jsonl")],
    ["it is a folder", folder],
  ])("a file that cannot be written is known at the start: %s", async (why, path) => {
    const { code, stderr } = await runCommand(["serve", "--tell", `file=${path}`]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
  });

  it("the address of a webhook is not repeated, neither in an error nor by --print-config", async () => {
    const wrong = await runCommand(["serve", "--tell", "discord=https://discord.example/token,per-minute=0"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toContain("discord.example");
    const other = await runCommand(["serve", "--tell", "discord=ftp://discord.example/token"]);
    expect(other.stderr).toContain("must begin with https://");
    expect(other.stderr).not.toContain("discord.example");
    const printed = await runCommand(["serve", "--tell", "discord=https://discord.example/token", "--print-config"]);
    expect(printed.stdout).toContain("discord=redacted");
    expect(printed.stdout).not.toContain("token");
  });
});
