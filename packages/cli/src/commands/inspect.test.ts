import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { runCommand, startCommand } from "../testing/run-command.ts";

describe("inspect", () => {
  it("shows every field of a message", async () => {
    expect(await runCommand(["inspect", "fake", "01", "0500"])).toEqual({
      code: 0,
      stdout: [
        "Fake, dialect plain, from the client, 3 bytes",
        "",
        "step",
        "offset  bytes  field  value  meaning",
        "     0  01     id         1  step",
        "     1  05 00  x          5",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  it("reads the bytes from the input for -", async () => {
    const { code, stdout } = await runCommand(["inspect", "fake", "-"], "01\n05 00\n");
    expect(code).toBe(0);
    expect(stdout).toContain("step\n");
  });

  it("shows where and why reading breaks, and ends with code 3", async () => {
    const { code, stdout } = await runCommand(["inspect", "fake", "01 05"]);
    expect(code).toBe(3);
    expect(stdout).toContain(
      "     1  05     (not read)\n        ^ truncated: Cannot read x: 2 bytes needed, 1 left at byte 1\n",
    );
  });

  it("takes no bytes at all for a message that breaks at once", async () => {
    const { code, stdout } = await runCommand(["inspect", "fake", ""]);
    expect(code).toBe(3);
    expect(stdout).toContain("^ truncated");
  });

  describe("takes the way of reading that fits, of those that were not asked for", () => {
    it.each<[string, string, string[]]>([
      [
        "03 07 0500",
        "dialect plain, from the server, 4 bytes",
        ["fits plain (server)  --dialect plain --direction server"],
      ],
      [
        "81 0500",
        "dialect ciphered, from the client, 3 bytes",
        ["fits ciphered (client)  --dialect ciphered --direction client"],
      ],
      [
        "0300 010500",
        "dialect plain, from the client, 5 bytes",
        ["fits plain (client, framed)  --dialect plain --direction client --framed"],
      ],
      [
        "0300 7efaff",
        "dialect ciphered, from the client, 5 bytes",
        ["fits ciphered (client, framed)  --dialect ciphered --direction client --framed"],
      ],
      [
        "83 07 0500 --direction server",
        "dialect ciphered, from the server, 4 bytes",
        ["fits ciphered (server)  --dialect ciphered --direction server"],
      ],
      [
        "04 07 --direction client --tries",
        "dialect plain, from the client, 2 bytes",
        [
          "fits login (client)     --dialect login --direction client",
          "fits private (client)   --dialect private --direction client",
          "fits greeting (client)  --dialect greeting --direction client",
        ],
      ],
    ])("%s", async (line, head, expected) => {
      const { code, stdout } = await runCommand(["inspect", "fake", ...line.split(" ")]);
      expect(code).toBe(0);
      expect(stdout.split("\n")[0]).toBe(`Fake, ${head}`);
      expect(stdout.split("\n").filter((each) => each.startsWith("fits"))).toEqual(expected);
    });

    it.each([["81 0500 --dialect plain"], ["03 07 0500 --direction client"], ["ffff"]])(
      "%s: none, and the usual one is shown",
      async (line) => {
        const { code, stdout } = await runCommand(["inspect", "fake", ...line.split(" ")]);
        expect(code).toBe(3);
        expect(stdout).toMatch(/^Fake, dialect plain, from the client, /);
        expect(stdout).not.toMatch(/^fits/m);
        expect(stdout).toMatch(/^not .*: bit \d+: Cannot read /m);
      },
    );
  });

  it("with --framed says which bytes are the frame, and shows the deciphered payload", async () => {
    const args = ["inspect", "fake", "--framed", "--dialect", "ciphered", "03007efaff", "0300"];
    const { code, stdout } = await runCommand(args);
    expect(code).toBe(3);
    expect(stdout).toBe(
      [
        "Fake, dialect ciphered, from the client, 7 bytes",
        "",
        "Frame at byte 0: header 03 00, payload of 3 bytes, deciphered from 7e fa ff",
        "step",
        "offset  bytes  field  value  meaning",
        "     0  81     id       129  step",
        "     1  05 00  x          5",
        "",
        "No whole frame at byte 5",
        "offset  bytes  field       value  meaning",
        "     0  03 00  (not read)",
        "        ^ truncated: Cannot read frame: the input ends 2 bytes into it",
        "",
        "not ciphered (server, framed): bit 0: Cannot read id: a server of dialect ciphered sends 131, 132, 198, 210, 211, " +
          "215, not 129, at byte 0",
        "",
      ].join("\n"),
    );
  });
});

describe("inspect without a protocol", () => {
  it("tries all, takes the one that fits, and says why the others do not", async () => {
    const { code, stdout, stderr } = await runCommand(["inspect", "02 00 02 C0 01 A0 00"]);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines.slice(0, 3)).toEqual(["Slime Online 2, dialect v0106, from the client, 7 bytes", "", "movePlayer"]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^fits osrs\/mouse client {2,}osrs\/mouse --dialect client {2}\(it reads almost any bytes\)$/,
      ),
    );
    expect(stdout).toMatch(/^not maplestory v62 \(client\): bit 0: Cannot read opcode: /m);
    expect(stdout).toMatch(/^and \d+ more ways do not fit: --tries lists them$/m);
    expect(stdout).toMatch(
      /^fits slime-online-2 v0106 \(client\) +slime-online-2 --dialect v0106 --direction client$/m,
    );
    const all = (await runCommand(["inspect", "--tries", "02 00 02 C0 01 A0 00"])).stdout;
    for (const way of ["slime-online-2 documented (client)", "maplestory v95 (server)", "scrap-mechanic documented"]) {
      expect(all).toContain(`not ${way}`);
    }
  });

  it("shows a packet whose end is missing as what it is, before what reads any bytes", async () => {
    const { code, stdout } = await runCommand(["inspect", "02 00 02 C0 01"]);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^Slime Online 2, dialect v0106, from the client, 5 bytes \(the likeliest, if its end is missing\)$/m,
    );
    expect(stdout).toMatch(
      /^like slime-online-2 v0106 \(client\) .*\(the likeliest, if its end is missing\)\nlike .* \(server\) /m,
    );
    expect(stdout).toMatch(/^fits osrs\/mouse client .*\(it reads almost any bytes\)$/m);
    const more = (await runCommand(["inspect", "02 00 02 C0 01 A0 00 55"])).stdout;
    expect(more).toMatch(/^Slime Online 2, .*\(the likeliest, with bytes too many\)$/m);
    const json = JSON.parse((await runCommand(["inspect", "--json", "02 00 02 C0 01"])).stdout);
    expect(json.fits).toContainEqual(
      expect.objectContaining({
        protocol: "osrs/mouse",
        standing: "weak",
        reason: "it reads almost any bytes",
      }),
    );
    expect(json.others[0]).toMatchObject({ protocol: "slime-online-2", direction: "server", standing: "cut" });
  });

  it("shows bytes that fit none", async () => {
    const { code, stdout } = await runCommand(["inspect", "--direction", "server", "ff ff ff 41"]);
    expect(code).toBe(3);
    expect(stdout).toContain("No protocol fits, 4 bytes\n\n00000000  ff ff ff 41");
  });

  it("a dialect alone chooses among those that have it", async () => {
    const { stdout } = await runCommand(["inspect", "--dialect", "v62", "--json", "--", "26"]);
    const { fits, others } = JSON.parse(stdout);
    expect(new Set([...fits, ...others].map(({ protocol }) => protocol))).toEqual(new Set(["maplestory"]));
  });
});

describe("inspect reads", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wirewalk-inspect-"));
    writeFileSync(join(folder, "b.bin"), Uint8Array.of(1, 5, 0));
    writeFileSync(join(folder, "a.txt"), "00000000: 0105 00    ...\n");
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "c.pcap"), Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const head = async (args: readonly string[], input?: string | Uint8Array): Promise<string | undefined> => {
    const given = input instanceof Uint8Array ? [input as unknown as string] : (input ?? "");
    const { code, stdout, stderr } = await runCommand(["inspect", "fake", ...args], given);
    return code === 0 ? stdout.split("\n")[0]?.replace("Fake, dialect plain, from the client, ", "") : stderr;
  };

  it.each<[string, readonly string[], string]>([
    ["base64", ["AQUA", "--format", "base64"], "3 bytes, out of base64"],
    ["a text of a program", ['"\\x01\\x05\\x00"'], "3 bytes, out of a literal"],
    ["an array", ["{1,", "5,", "0}"], "3 bytes, out of a literal"],
    ["a dump", ["00000000: 0105 00    ..."], "3 bytes, out of a dump"],
  ])("%s on the command line", async (_, args, expected) => {
    expect(await head(args)).toBe(expected);
  });

  it("files and folders", async () => {
    expect(await head([join(folder, "a.txt")])).toBe(`${folder}/a.txt: 3 bytes, out of a dump`);
    expect(await head([join(folder, "b.bin")])).toContain("3 bytes, out of binary input");
    const both = await runCommand(["inspect", "fake", join(folder, "b.bin"), "04 01", join(folder, "a.txt")]);
    expect(both.stdout.match(/^.*Fake, .*$/gm)).toHaveLength(3);
    expect(await head([folder])).toBe(
      `wirewalk: ${folder}/c.pcap is a capture: give it alone, as in wirewalk inspect ${folder}/c.pcap\n`,
    );
    rmSync(join(folder, "c.pcap"));
    const { stdout } = await runCommand(["inspect", "fake", folder]);
    expect(stdout.match(/^\S+: Fake/gm)).toEqual([`${folder}/a.txt: Fake`, `${folder}/b.bin: Fake`]);
  });

  it.each<[string, readonly string[], string | Uint8Array]>([
    ["binary", [], Uint8Array.of(1, 5, 0)],
    ["binary", ["-"], Uint8Array.of(1, 5, 0)],
    ["hex", [], "01 05 00\n"],
    ["hex of one packet on two lines", [], "01\n0500\n"],
    ["a dump", ["-"], "00000000  01 05 00                                          |...|\n00000003\n"],
  ])("%s on the standard input %s", async (_, args, input) => {
    expect(await head(args, input)).toMatch(/^3 bytes/);
  });

  it.each<[string, string]>([
    ["nothing.bin", "wirewalk: no such file: nothing.bin\n"],
    ["/no/such/file", "wirewalk: no such file: /no/such/file\n"],
  ])("a missing file: %s", async (word, sentence) => {
    expect(await runCommand(["inspect", word])).toEqual({ code: 1, stdout: "", stderr: sentence });
    expect(await head([word])).toBe(sentence);
  });

  it("no text without bytes, and says where it ends", async () => {
    expect(await head([], "01 05 00\nroot:x\n")).toBe(
      'wirewalk: standard input: Cannot read hex: "r" is not a hex digit at line 2, column 1; --format says what it is ' +
        "(binary: the bytes of the file)\n",
    );
    expect(await head([join(folder, "empty")])).toBe(`wirewalk: ${folder}/empty is a folder without files\n`);
  });
});

describe("frames of a network, as Wireshark copies them", () => {
  const headers = (from: string, to: string): string =>
    `4500002b0001400040060000 7f000001 7f000001 ${from} ${to} 00000001 00000001 5018020000000000`;

  it("are shown as what TCP carried, each direction by itself", async () => {
    const input = `${headers("4e20", "15b3")} 010500\n\n${headers("15b3", "4e20")} 0407ff`;
    const { stdout } = await runCommand(["inspect", "fake", "--json"], input.replace("0407ff", "53 4142"));
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ flow, line, hex, message }) => [flow, line, hex, message])).toEqual([
      ["127.0.0.1:20000 to 127.0.0.1:5555", 1, "010500", "step"],
      ["127.0.0.1:5555 to 127.0.0.1:20000", 3, "534142", "said"],
    ]);
    const text = (await runCommand(["inspect", "fake", `${headers("4e20", "15b3")} 010500`])).stdout;
    expect(text).toMatch(/^Fake, .*, 3 bytes, carried by TCP from 127\.0\.0\.1:20000 to 127\.0\.0\.1:5555\n/);
  });
});

describe("inspect of several packets", () => {
  it("shows each under its place, and refuses those that cannot be read", async () => {
    const { code, stdout } = await runCommand(["inspect", "fake", "--direction", "client"], "010500\n01\n\n0407\n");
    expect(code).toBe(3);
    expect(stdout.match(/^(?:Fake|Packet).*$/gm)).toEqual([
      "Fake, dialect plain, from the client, 3 packets, 6 bytes",
      "Packet 1 of 3 at line 1, 3 bytes",
      "Packet 2 of 3 at line 2, 1 byte",
      "Packet 3 of 3 at line 4, 2 bytes",
    ]);
    expect(stdout).toContain("^ truncated: Cannot read x: 2 bytes needed, 0 left at byte 1");
    expect(stdout).toMatch(/^not login \(client\)[^:]*: packet 1, bit 0: /m);
  });

  it("with a memory: each is read after those before it", async () => {
    const { stdout } = await runCommand(["inspect", "fake/sums", "--json"], "01\n\n02 02\n");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).sum),
    ).toEqual([1, 5]);
  });
});

describe("mask blocks of player info", () => {
  /** A step, a sequence and an appearance of revision 206; transformed as the client reads them. */
  const packet = `d87ff4120328ff318182${"80".repeat(46)}7f`;

  it("are opened by the revision that fits, and an appearance to its fields", async () => {
    const { code, stdout } = await runCommand(["inspect", "osrs/player-info", "--local", "5", packet]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +3 {2}12 .* masks\.player\[5\]\.flags +1 byte {2}sequence, appearance$/m);
    expect(stdout).toMatch(/^ +4 {2}03 28 .* masks\.player\[5\]\.sequence\.id +808$/m);
    expect(stdout).toMatch(/^fits revision 206$/m);
    expect(stdout).toMatch(/^Appearance of player 5$/m);
    expect(stdout).toMatch(/^ +0 {2}01 +gender +1$/m);
    expect(stdout).toMatch(/^ +3 {2}00 +places\[0\] +0 {2}nothing$/m);
    expect(stdout).toMatch(/^ +34 {2}00 +name +1 byte {2}""$/m);
  });

  it("stand in --json with their bits", async () => {
    const { stdout } = await runCommand(["inspect", "osrs/player-info", "--local", "5", "--json", packet]);
    const { fields, inner } = JSON.parse(stdout);
    expect(fields[3]).toEqual({ path: "pass1.player[5].walk", bitOffset: 4, bitLength: 3, raw: 4, shown: "east" });
    expect(fields.find(({ path }: { readonly path: string }) => path.endsWith(".flags"))).toMatchObject({
      raw: "12",
      // 0x10 appearance and 0x02 sequence: the fourth and the seventh bit of byte 3.
      flags: expect.arrayContaining([
        { name: "appearance", bitOffset: 27 },
        { name: "sequence", bitOffset: 30 },
      ]),
    });
    expect(inner.title).toBe("Appearance of player 5");
    expect(inner.hex).toBe(`0102${"00".repeat(46)}ff`);
  });

  it("stay closed with --revision none", async () => {
    const args = ["inspect", "osrs/player-info", "--revision", "none", "--local", "5", packet];
    expect((await runCommand(args)).stdout).toContain("revision none has no block for 0x12 at byte 3");
  });
});

describe("inspect --json", () => {
  const lines = async (...args: string[]): Promise<Record<string, unknown>[]> => {
    const { stdout } = await runCommand(["inspect", "--json", ...args]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  it("gives the message as decode does, and the fields with their bits", async () => {
    const [line, ...more] = await lines("slime-online-2", "02000a");
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      packet: 1,
      line: 1,
      protocol: "slime-online-2",
      dialect: "v0106",
      direction: "client",
      framed: false,
      message: "movePlayer",
      value: { code: 10, direction: "leftPressAir" },
      fields: [
        { path: "type", bitOffset: 0, bitLength: 16, raw: 2, shown: "movePlayer" },
        { path: "code", bitOffset: 16, bitLength: 8, raw: 10, shown: "leftPressAir" },
      ],
      hex: "02000a",
      fits: [],
    });
    expect(line?.others).toContainEqual({
      protocol: "slime-online-2",
      dialect: "v0106",
      direction: "server",
      framed: false,
      standing: "refused",
      packet: 1,
      bitOffset: 16,
      reason: "Cannot read playerId: 2 bytes needed, 1 left at byte 2",
    });
  });

  it("names what is refused, at its bit", async () => {
    const [line] = await lines("fake", "--dialect", "plain", "--direction", "client", "0105");
    expect(line).not.toHaveProperty("message");
    expect(line).toMatchObject({
      error: {
        code: "truncated",
        path: "x",
        byteOffset: 1,
        bitOffset: 8,
        text: "Cannot read x: 2 bytes needed, 1 left at byte 1",
      },
      hex: "0105",
    });
  });

  it("has a line for each frame", async () => {
    const found = await lines("fake", "--framed", "--dialect", "ciphered", "03007efaff", "03007efaff", "0300");
    expect(found.map(({ packet, message, value, hex }) => [packet, message, value, hex])).toEqual([
      [1, "step", { x: 5 }, "810500"],
      [2, "step", { x: 5 }, "810500"],
      [3, undefined, undefined, "0300"],
    ]);
  });

  it("says that no protocol fits", async () => {
    const [line] = await lines("--direction", "server", "ffffff41");
    expect(line).toMatchObject({ protocol: null, dialect: null, error: { text: "no protocol fits" }, hex: "ffffff41" });
  });
});

describe("colours", () => {
  const shown = async (env: Readonly<Record<string, string>>): Promise<string> =>
    (await runCommand(["inspect", "fake", "01", "05"], "", env)).stdout;

  it("are for terminals, and for those who ask for them", async () => {
    const plain = await shown({});
    expect(plain).not.toContain("\u001b");
    const coloured = await shown({ FORCE_COLOR: "1" });
    expect(coloured).toContain("\u001b[31m        ^ truncated: ");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out.
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
    expect(await shown({ FORCE_COLOR: "0" })).toBe(plain);
    expect(await shown({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(coloured);
  });
});

describe("the examples of docs/inspect.md", () => {
  const text = readFileSync(new URL("../../../../docs/inspect.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/```text\n\$ wirewalk ([^\n]*)\n(.*?)```/gs)].map(
    ([, line = "", output = ""]) => ({
      args: [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = ""]) => quoted ?? word),
      output,
    }),
  );

  it("are there", () => {
    expect(examples.length).toBe(3);
  });

  it.each(examples)("$args", async ({ args, output }) => {
    const table: Readonly<Record<string, Protocol>> = protocols;
    expect((await startCommand(args, "", table).ended).stdout).toBe(output);
  });
});
