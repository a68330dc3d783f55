/** The vectors of Slime Online 2 through the command line, as a person would give them. */
import { describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const rightPress = { message: "movePlayer", value: { code: 2, direction: "rightPress", x: 448, y: 160 } };
const leftPressAir = { message: "movePlayer", value: { code: 10, direction: "leftPressAir" } };
const broadcast = { message: "movePlayer", value: { playerId: 5, ...rightPress.value } };

/** Flags, hex of standard 11, message. */
const vectors: [string, string, object][] = [
  ["", "02 00 02 C0 01 A0 00", rightPress],
  ["--dialect documented", "00 08 02 C0 01 A0 00", rightPress],
  ["--dialect documented --direction client", "00 08 0A", leftPressAir],
  ["--dialect documented --direction server", "00 08 05 00 02 C0 01 A0 00", broadcast],
  ["--dialect documented --framed", "07 00 00 08 02 C0 01 A0 00", rightPress],
  ["--dialect documented --framed --direction server", "0900 0008 0500 02C001A000", broadcast],
  ["--dialect documentedLittleEndian", "08 00 02 C0 01 A0 00", rightPress],
  ["--dialect documentedLittleEndian --direction server", "08 00 05 00 02 C0 01 A0 00", broadcast],
  ["--dialect v0106", "02 00 02 C0 01 A0 00", rightPress],
  ["--dialect v0106 --direction server", "02 00 05 00 02 C0 01 A0 00", broadcast],
  ["--dialect v0106 --framed", "07 00 60 A2 07 E5 86 EE A1", rightPress],
  ["--dialect v0106 --framed", "03 00 60 A2 0F", leftPressAir],
  ["--dialect v0106 --framed --direction server", "09 00 E6 70 8F E9 2C 5C E4 7D 7B", broadcast],
];

function args(command: string, flags: string): string[] {
  return [command, "slime-online-2", ...flags.split(" ").filter((flag) => flag !== "")];
}

describe.each(vectors)("%s %s", (flags, hex, message) => {
  const line = `${JSON.stringify({ ok: true, ...message })}\n`;

  it("decodes", async () => {
    expect(await runCommand(args("decode", flags), `${hex}\n`)).toEqual({ code: 0, stdout: line, stderr: "" });
  });

  it("encodes", async () => {
    const stdout = `${hex.replaceAll(" ", "").toLowerCase()}\n`;
    expect(await runCommand(args("encode", flags), line)).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("is shown", async () => {
    const { code, stdout } = await runCommand([...args("inspect", flags), ...hex.split(" ")]);
    expect(code).toBe(0);
    expect(stdout).toContain("\nmovePlayer\noffset  bytes");
    expect(stdout).not.toContain("(not read)");
  });

  it("is refused when cut anywhere or longer", async () => {
    const bytes = hex.replaceAll(" ", "");
    const cut = Array.from({ length: bytes.length / 2 - 1 }, (_, index) => bytes.slice(0, (index + 1) * 2));
    for (const wrong of [...cut, `${bytes}00`]) {
      expect(await runCommand([...args("inspect", flags), wrong])).toMatchObject({ code: 3 });
      const { code, stdout } = await runCommand(args("decode", flags), wrong);
      expect(code).toBe(3);
      expect(stdout).toContain('{"ok":false,"error":{"code":"');
    }
  });
});

describe("what is not a message", () => {
  it.each([
    ["decode --dialect documented", "00 08 00"],
    ["decode --dialect documented", "00 08 0E"],
    ["decode --dialect documented", "00 08 FF"],
    ["decode --dialect documented", "FF FF 02 C0 01 A0 00"],
    ["decode --dialect documented", "02 00 02 C0 01 A0 00"],
    ["decode", "00 08 02 C0 01 A0 00"],
    ["decode --dialect documented --direction server", "00 08 02 C0 01 A0 00"],
    ["decode", "xy"],
    ["decode", "\u0000"],
    ["decode --dialect documented --framed", "00 00"],
    ["decode --framed", "FF FF"],
    ["encode", '{"message":"movePlayer","value":{"direction":"sideways"}}'],
    ["encode", '{"message":"movePlayer","value":{"direction":"rightPress","x":448}}'],
    ["encode", '{"message":"movePlayer","value":{"direction":"rightPress","x":-1,"y":0}}'],
    ["encode", '{"message":"movePlayer","value":{"direction":"rightPress","x":"1","y":0}}'],
    ["encode", '{"message":"movePlayer","value":{"direction":"leftPressAir","x":1}}'],
    ["encode", '{"message":"movePlayer","value":null}'],
    ["encode", '{"message":"movePlayer"}'],
    ["encode", '{"message":"toString","value":{}}'],
    ["encode", '{"message":5,"value":{}}'],
    ["encode", "{}"],
  ])("%s refuses %j and says where", async (command, line) => {
    const [name = "", ...flags] = command.split(" ");
    const { code, stdout, stderr } = await runCommand([name, "slime-online-2", ...flags], `${line}\n`);
    expect(stderr).toBe("");
    expect(code).toBe(3);
    const { ok, error } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(Object.keys(error)).toEqual(["code", "message", "bitOffset", "path"]);
    expect(error.message).not.toBe("");
  });
});

it("bytes of another dialect, direction or framing are named as such", async () => {
  const { stdout } = await runCommand(["inspect", "slime-online-2", "09 00 E6 70 8F E9 2C 5C E4 7D 7B"]);
  expect(stdout).toContain("\nfits v0106 (server, framed)  --dialect v0106 --direction server --framed\n");
});
