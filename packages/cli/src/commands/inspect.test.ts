import { describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

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

  describe("names the ways of reading that fit, of those that were not asked for", () => {
    it.each<[string, string[]]>([
      ["03 07 0500", ["fits plain (server)  --dialect plain --direction server"]],
      ["81 0500", ["fits ciphered (client)  --dialect ciphered --direction client"]],
      ["0300 010500", ["fits plain (client, framed)  --dialect plain --direction client --framed"]],
      ["0300 7efaff", ["fits ciphered (client, framed)  --dialect ciphered --direction client --framed"]],
      ["81 0500 --dialect plain", []],
      ["03 07 0500 --direction client", []],
      ["83 07 0500 --direction server", ["fits ciphered (server)  --dialect ciphered --direction server"]],
      ["ffff", []],
    ])("%s", async (line, expected) => {
      const { code, stdout } = await runCommand(["inspect", "fake", ...line.split(" ")]);
      expect(code).toBe(3);
      expect(stdout.split("\n").filter((each) => each.startsWith("fits"))).toEqual(expected);
    });
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
      ].join("\n"),
    );
  });
});
