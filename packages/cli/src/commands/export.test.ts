import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportFormats } from "wirewalk/export";
import { runCommand } from "../testing/run-command.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-export-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("export", () => {
  it("writes one file to the standard output", async () => {
    const { code, stdout, stderr } = await runCommand(["export", "markdown", "slime-online-2", "--dialect", "v0106"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("#### playerStop (0x2B), from the client");
    expect(stdout).not.toContain("dialect `documented`");
  });

  it("narrows to a direction and a message", async () => {
    const line = "export markdown slime-online-2 --dialect v0106 --direction server --message warp";
    const { stdout } = await runCommand(line.split(" "));
    expect(stdout.match(/^#### .*$/gm)).toEqual(["#### warp (0x0E), from the server"]);
  });

  it("has every dialect in a format of one file for all dialects", async () => {
    const { stdout } = await runCommand(["export", "markdown", "slime-online-2"]);
    expect(stdout.match(/^### .*$/gm)).toHaveLength(3);
    expect(await runCommand(["export", "markdown", "slime-online-2", "--dialect", "all"])).toMatchObject({ stdout });
  });

  it("writes to a file, or under its own name to a folder", async () => {
    const line = ["export", "markdown", "slime-online-2", "--out"];
    const { stdout: text } = await runCommand(line.slice(0, -1));
    const file = join(folder, "page.md");
    expect(await runCommand([...line, file])).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" });
    expect(readFileSync(file, "utf8")).toBe(text);
    const inner = join(folder, "new", "inner");
    expect((await runCommand([...line, `${inner}/`])).stdout).toBe(`${join(inner, "slime-online-2.md")}\n`);
    expect(readdirSync(inner)).toEqual(["slime-online-2.md"]);
  });

  it("describes the lines of a stream that are no messages", async () => {
    const { stdout } = await runCommand(["export", "json-schema", "osrs/mouse", "--dialect", "native"]);
    expect(JSON.parse(stdout)).toMatchObject({ $id: "urn:wirewalk:osrs/mouse:native" });
  });

  it("writes several files to a folder, and not to the standard output", async () => {
    const line = ["export", "kaitai", "slime-online-2", "--dialect", "all"];
    expect(await runCommand(line)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "wirewalk: kaitai makes 6 files of this: write them to a folder with --out, or choose one with --dialect, --direction and --message\n",
    });
    const out = join(folder, "specs");
    const { code, stdout } = await runCommand([...line, "--out", out]);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").toSorted()).toEqual(
      readdirSync(out)
        .map((name) => join(out, name))
        .toSorted(),
    );
    expect(readdirSync(out)).toContain("slime_online_2_v0106_client.ksy");
  });

  it("fails with code 1 where a file cannot be written", async () => {
    const file = join(folder, "taken");
    writeFileSync(file, "");
    const { code, stderr } = await runCommand(["export", "markdown", "slime-online-2", "--out", join(file, "page.md")]);
    expect(code).toBe(1);
    expect(stderr).toContain(`wirewalk: Cannot write ${join(file, "page.md")}: `);
  });

  it.each([
    ["export markdwn fake", "unknown format 'markdwn'; did you mean markdown?"],
    ["export constructor fake", `unknown format 'constructor'; known are ${Object.keys(exportFormats).join(", ")}`],
    ["export markdown fak", "unknown protocol 'fak'; did you mean fake?"],
    ["export markdown fake --dialect plian", "unknown dialect 'plian' of fake; did you mean plain?"],
    [
      "export markdown slime-online-2 --dialect v0106 --message movPlayer",
      "unknown message 'movPlayer' of slime-online-2 v0106; did you mean movePlayer?",
    ],
    [
      "export markdown slime-online-2 --dialect v0106 --direction client --message position",
      "unknown message 'position' from the client of slime-online-2 v0106; known are movePlayer, newPlayer, logout, ping, login, warp, chat, playerStop",
    ],
    ["export markdown osrs/mouse", "markdown describes messages, not the lines of osrs/mouse; did you mean osrs?"],
    ["export json-schema osrs/mous", "unknown protocol 'osrs/mous'; did you mean osrs/mouse?"],
    ["export json-schema slime-online-2/", "unknown protocol 'slime-online-2/'; did you mean slime-online-2?"],
    [
      "export json-schema osrs/mouse --message mouseMove",
      "the lines of osrs/mouse have no --direction and no --message",
    ],
    ["export svg slime-online-2 --out x.svg", "--out x.svg names one file for 17: end the name of a folder in /"],
    ["export markdown", "missing required argument 'protocol'; see wirewalk export --help"],
  ])("%s ends with code 2 and one sentence", async (line, sentence) => {
    expect(await runCommand(line.split(" "))).toEqual({ code: 2, stdout: "", stderr: `wirewalk: ${sentence}\n` });
  });

  it("lists every format in its help, with examples", async () => {
    const { stdout } = await runCommand(["export", "--help"]);
    const lines = stdout.split("\n");
    for (const { name, summary } of Object.values(exportFormats)) {
      expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toBe(true);
    }
    expect(stdout).toMatch(/Examples:\n.* wirewalk export /);
  });
});
