import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { CommandLineContext } from "./context.ts";
import { buildProgram, commandEntries } from "./program.ts";
import { runCommand, testProtocols } from "./testing/run-command.ts";

describe("help", () => {
  it("is printed where no command is given", async () => {
    const { code, stdout, stderr } = await runCommand([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Usage: wirewalk [options] [command]");
  });

  it.each(["decode", "encode", "inspect", "protocols", "serve", "bots", "bans", "completion"])(
    "of %s is there with --help and as help",
    async (command) => {
      const { code, stdout } = await runCommand([command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: wirewalk ${command}`);
      expect(await runCommand(["help", command])).toMatchObject({ code: 0, stdout });
    },
  );

  it.each(["decode", "encode", "inspect", "serve", "bots", "bans"])("of %s has examples", async (command) => {
    const { stdout } = await runCommand([command, "--help"]);
    expect(stdout).toMatch(new RegExp(`Examples:\n.* wirewalk ${command} `));
  });

  it("lists each command as that command describes itself", async () => {
    const unused = (): never => {
      throw new Error("not used");
    };
    const helpFor = async (args: readonly string[]): Promise<string> => {
      const context = { ...new EventEmitter(), loadProtocols: async () => testProtocols, version: "1", exit: unused };
      const program = await buildProgram(context as unknown as CommandLineContext, args, () => {});
      return program.helpInformation();
    };
    const general = await helpFor([]);
    for (const { name } of commandEntries) expect(await helpFor([name]), name).toBe(general);
  });

  it("lists the dialects and the own flags of a protocol that is named", async () => {
    expect((await runCommand(["decode", "fake", "--help"])).stdout).toContain("choices: plain, ciphered,");
    const { stdout } = await runCommand(["decode", "fake/sums", "--help"]);
    expect(stdout).toMatch(/Options of fake\/sums:\n {2}--times <number> +multiply each sum\n/);
    expect((await runCommand(["decode", "--help"])).stdout).not.toContain("--times");
  });

  it("of encode shows JSON that encode takes", async () => {
    const { stdout } = await runCommand(["encode", "--help"]);
    const [, json = "", protocol = ""] = /echo '(.*)' \| wirewalk encode (\S+)/.exec(stdout) ?? [];
    expect(await runCommand(["encode", protocol], json)).toMatchObject({ code: 0, stdout: "02000a\n" });
  });

  it("--version prints the version", async () => {
    expect(await runCommand(["--version"])).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
  });
});

describe("a command line that makes no sense ends with code 2 and one sentence", () => {
  it.each<[string, string]>([
    ["decod fake", "unknown command 'decod'; did you mean decode?"],
    ["serv", "unknown command 'serv'; did you mean serve?"],
    ["zzzzzzzz", `unknown command 'zzzzzzzz'; known are ${commandEntries.map(({ name }) => name).join(", ")}, help`],
    ["help serv", "unknown command 'serv'; did you mean serve?"],
    ["check package.json", "package.json is a file: check takes the folder of recordings and their expectations"],
    ["store copy packages ./packages", "packages cannot be copied into itself: name another place"],
    ["attack nothing-like-it", "unknown attack 'nothing-like-it'; `wirewalk attack --list` prints them"],
    ["attack --all http-trace", "--all runs every attack: names do not go with it"],
    ["verdict play.mcap first", "'first' is no id of a verdict: one is as 13250-1a2b3c4d"],
    [
      "drain a --nats 127.0.0.1:4222",
      "--nats is not the address of a broker: it must look like nats://127.0.0.1:4222 or tls://user:password@host:4222",
    ],
    ["decode fake --dialct plain", "unknown option '--dialct'; did you mean --dialect?"],
    ["decode fake/sums --tims 2", "unknown option '--tims'; did you mean --times?"],
    ["decode fake --times 2", "unknown option '--times'"],
    ["decode", "missing required argument 'protocol'; see wirewalk decode --help"],
    ["decode fak", "unknown protocol 'fak'; did you mean fake?"],
    ["decode fak --tims 2", "unknown protocol 'fak'; did you mean fake?"],
    ["encode fake/sum", "unknown protocol 'fake/sum'; did you mean fake/sums?"],
    ["inspect slime-onlin-2 00", "unknown protocol 'slime-onlin-2'; did you mean slime-online-2?"],
    ["decode fake --dialect cipherd", "unknown dialect 'cipherd' of fake; did you mean ciphered?"],
    ["decode fake --dialect xyz", "unknown dialect 'xyz' of fake; known are plain, ciphered, login, private, greeting"],
    [
      "decode fake --direction up",
      "option '--direction <sender>' argument 'up' is invalid. Allowed choices are client, server",
    ],
    ["decode fake/sums --direction server", "lines of fake/sums come from the client, not from the server"],
    [
      "decode fake more",
      "too many arguments for 'decode'. Expected 1 argument but got 2: fake, more; see wirewalk decode --help",
    ],
    ["inspect fake", "no bytes to inspect: give hex, a file, a folder, or - for the standard input"],
    ["inspect", "no bytes to inspect: give hex, a file, a folder, or - for the standard input"],
    ["inspect /dev/null", "no bytes to inspect: give hex, a file, a folder, or - for the standard input"],
    ["inspect 00 --dialect docmented --json", "unknown dialect 'docmented'; did you mean documented?"],
    ["inspect fake 00 --jsn", "unknown option '--jsn'; did you mean --json?"],
    ["inspect 00 --jsn", "unknown option '--jsn'; did you mean --json?"],
    ["inspect 00 --local 3", "unknown option '--local'; did you mean --format?"],
    ["inspect osrs/muose --local 3 00", "unknown protocol 'osrs/muose'; did you mean osrs/mouse?"],
    [
      "inspect zebra",
      "'zebra' is no protocol, no file and no hex; known protocols are fake, fake/sums, slime-online-2, osrs/mouse, " +
        "osrs/player-info, maplestory, scrap-mechanic",
    ],
    ["inspect 02x0", 'Cannot read hex: "x" is not a hex digit at position 2'],
    ["inspect fake 00 --format binary", "--format binary is for files and the standard input"],
    ["decode fake/sums --times x", "--times x: it must be an integer in 1..99"],
    ["decode fake/sums --times 100", "--times 100: it must be an integer in 1..99"],
    ...["abc", "0", "2048", "1.5"].map((index): [string, string] => [
      `inspect osrs/player-info --local ${index} 007ff4`,
      `--local ${index}: it must be an integer in 1..2047`,
    ]),
    ["inspect osrs/player-info --init 00 007ff4", "--init 00: it must have 4608 bytes, got 1"],
    ["decode maplestory --framed --iv zz", '--iv zz: Cannot read hex: "z" is not a hex digit at position 0'],
    ["decode maplestory --framed --iv 12", "--iv 12: it must have 4 bytes, got 1"],
    ["decode maplestory --iv 01020304", "--iv has a meaning with --framed alone"],
    ["inspect fake 0x1", "Cannot read hex: half a byte before the end at position 3"],
    ["bots fake --cheat leep", "unknown cheat 'leep' of fake; did you mean leap?; known are none, leap"],
    ["bots maplestory --cheat wall", "--cheat wall is for --maps: it is played where a map has what it abuses"],
    [
      "bots fake --count 0",
      "option '--count <number>' argument '0' is invalid. It must be a whole number from 1 to 28000",
    ],
    ["bans show --data x", "missing required argument 'key'; see wirewalk bans show --help"],
    ["rules --rules packages", "--rules packages: it is a folder (EISDIR)"],
    ["bots fak", "unknown protocol 'fak'; did you mean fake?"],
    ["bots fake/sum", "unknown protocol 'fake/sum'; did you mean fake/sums?"],
    ["bots fake --set fake.opcod=1", "unknown setting 'fake.opcod'; did you mean fake.opcode?"],
    ["bots fake --set fake.opcode=x", "--set fake.opcode=x needs a number: fake.opcode=…"],
    ["serve --set fake.opcode=300", "fake.opcode must be a byte, got 300"],
  ])("%s", async (line, sentence) => {
    expect(await runCommand(line.split(" "))).toEqual({ code: 2, stdout: "", stderr: `wirewalk: ${sentence}\n` });
  });

  it("also of a protocol whose name is an object's own", async () => {
    const { code } = await runCommand(["bots", "constructor"]);
    expect(code).toBe(2);
  });
});

describe("protocols", () => {
  it("lists every name that other commands take, and every message", async () => {
    const { code, stdout } = await runCommand(["protocols"]);
    expect(code).toBe(0);
    for (const line of [
      "fake: Fake, TCP port 4999",
      "    plain     (default) In clear.",
      "    ciphered  With all bits turned over.",
      "    fake/sums  Sums of bytes, over all lines",
      "  Messages of plain",
      "      1  0x01  client  step     A step.",
      "  Messages of ciphered",
      "    131  0x83  server  stepped  A stepped.",
      "  Cheats of its bots: none, leap",
      "slime-online-2: Slime Online 2, TCP port 5555",
      "  Messages of documented, documentedLittleEndian",
    ]) {
      expect(stdout.split("\n")).toContain(line);
    }
  });

  it("lists those that are named", async () => {
    const { stdout } = await runCommand(["protocols", "fake"]);
    expect(stdout).toMatch(/^fake: Fake/);
    expect(stdout).not.toContain("slime-online-2:");
    expect(await runCommand(["protocols", "slime"])).toMatchObject({
      code: 2,
      stderr: "wirewalk: unknown protocol 'slime'; did you mean slime-online-2?\n",
    });
  });

  it("--json gives the same as data, an object for each game", async () => {
    const { code, stdout } = await runCommand(["protocols", "--json"]);
    expect(code).toBe(0);
    const games = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(games.map(({ name }) => name)).toEqual(Object.keys(testProtocols));
    const [fake] = games;
    expect(fake).toMatchObject({ title: "Fake", defaultPort: 4999, defaultDialect: "plain", cheats: ["leap"] });
    expect(fake.dialects[1].messages).toContainEqual({
      message: "stepped",
      sender: "server",
      id: 0x83,
      summary: "A stepped.",
    });
    expect(fake.lines[1]).toMatchObject({
      name: "fake/sums",
      senders: ["client"],
      options: [{ name: "times", min: 1 }, {}, {}],
    });
    expect(fake.settings[0]).toMatchObject({ name: "opcode" });
  });
});
