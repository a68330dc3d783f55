/** Completion: what is offered, and that real shells take it. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandEntries } from "../program.ts";
import { bundledCommand } from "../testing/bundled-command.ts";
import { runCommand } from "../testing/run-command.ts";

/** The words that are offered for the last word of a line. */
async function offered(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(["completion", "--words", "--", ...line.split(" ")]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((each) => each.split("\t")[0] as string);
}

describe("the words that fit", () => {
  it("are commands at first", async () => {
    expect(await offered("")).toEqual([...commandEntries.map(({ name }) => name), "help"]);
    expect(await offered("in")).toEqual(["inspect"]);
    expect(await offered("help se")).toEqual(["serve"]);
    expect(await offered("--v")).toEqual(["--version"]);
    expect(await offered("bans ")).toEqual(["list", "show", "export", "scores", "lift"]);
  });

  it.each<[string, string[]]>([
    ["decode fake", ["fake", "fake/sums"]],
    ["inspect slime", ["slime-online-2", ":files"]],
    ["inspect slime-online-2 ", [":files"]],
    ["bots osrs/", ["osrs/mouse", "osrs/player-info"]],
    ["protocols scrap", ["scrap-mechanic"]],
    ["accounts add ", ["slime-online-2"]],
    ["attack http-silent-c", ["http-silent-connection"]],
    ["attack http-silent-connection http-silent-c", []],
    ["completion ", ["bash", "zsh", "fish"]],
    ["decode fake/sums more ", []],
    ["nothing ", []],
  ])("arguments: %s", async (line, words) => {
    const found = await offered(line);
    if (line === "accounts add ") expect(found).toContain("slime-online-2");
    else expect(found).toEqual(words);
  });

  it.each<[string, string[]]>([
    ["decode fake --d", ["--dialect", "--direction"]],
    ["decode fake --dialect plain --d", ["--direction"]],
    ["decode fake/sums --t", ["--times"]],
    ["decode fake --t", []],
    ["bans show --", ["--data", "--json", "--help"]],
    ["serve --set fake.opcode=3 --se", ["--seed", "--sessions-per-address", "--set"]],
  ])("flags: %s", async (line, words) => {
    expect((await offered(line)).sort()).toEqual(words.sort());
  });

  it.each<[string, string[]]>([
    ["decode slime-online-2 --dialect ", ["documented", "documentedLittleEndian", "v0106"]],
    ["decode slime-online-2 --dialect = v", ["v0106"]],
    ["inspect --dialect v8", ["v83"]],
    ["serve --dialect maplestory=v8", ["maplestory=v83"]],
    ["serve --listen maple", ["maplestory=7575"]],
    ["serve --set fake", ["fake.opcode=7"]],
    ["bots fake --cheat ", ["none", "leap"]],
    ["decode fake --direction s", ["server"]],
    ["inspect --format b", ["base64", "binary"]],
    ["bans list --data ", [":folders"]],
    ["decode osrs/player-info --revision 20", ["206", ":files"]],
    ["inspect --protocol ", [":files"]],
    ["bots fake --count ", []],
  ])("values: %s", async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  it("offers something when the file of --protocol is missing", async () => {
    expect(await offered("decode --protocol no-such-file.js ")).not.toEqual([]);
  });
});

it("an unknown shell is named", async () => {
  expect(await runCommand(["completion", "bsh"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "wirewalk: unknown shell 'bsh'; did you mean bash?\n",
  });
});

describe("in real shells", () => {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "wirewalk-completion-"));
    const bin = await bundledCommand();
    writeFileSync(join(folder, "wirewalk"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(join(folder, "wirewalk"), 0o755);
    writeFileSync(join(folder, "a packet.bin"), "");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).error === undefined;
  function run(shell: string, script: string): string[] {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder };
    const text = execFileSync(shell, ["-c", script], { cwd: folder, env, encoding: "utf8" });
    return text.split("\n").filter((line) => line !== "");
  }

  // A shell that is not installed cannot be asked.
  it.skipIf(!isInstalled("bash"))("bash", () => {
    const script = `
      source <(wirewalk completion bash)
      complete -p wirewalk
      ask() { COMP_WORDS=(wirewalk "$@"); COMP_CWORD=$#; _wirewalk; printf '<%s>\\n' "\${COMPREPLY[@]}"; }
      ask bans sh
      ask inspect slime-online-2 "a p"`;
    expect(run("bash", script)).toEqual(["complete -F _wirewalk wirewalk", "<show>", "<a packet.bin>"]);
  });

  it.skipIf(!isInstalled("zsh"))("zsh", () => {
    const script = `
      autoload -Uz compinit && compinit -u -D
      source <(wirewalk completion zsh)
      print -r -- "$_comps[wirewalk]"
      _describe() { print -rl -- "\${(@P)2}" }
      words=(wirewalk bans sh) CURRENT=3; _wirewalk`;
    const [command, show] = run("zsh", script);
    expect([command, show?.slice(0, 16)]).toEqual(["_wirewalk", "show:Shows the b"]);
  });

  it.skipIf(!isInstalled("fish"))("fish", () => {
    const script = `
      wirewalk completion fish | source
      complete -C "wirewalk bans sh"`;
    const [show] = run("fish", script);
    expect(show?.split("\t")[0]).toBe("show");
  });
});
