import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { LINE_LIMIT } from "../input/line-splitter.ts";
import { run } from "../program.ts";
import { runCommand, testProtocols } from "../testing/run-command.ts";

describe("decode", () => {
  it("prints a line of JSON for each line of hex, and skips blank ones", async () => {
    const input = "01 05 00\n\n  \r\n0x01,FF:ff\r\n02ffffffffffffffff";
    expect(await runCommand(["decode", "fake"], input)).toEqual({
      code: 0,
      stdout:
        '{"ok":true,"message":"step","value":{"x":5}}\n' +
        '{"ok":true,"message":"step","value":{"x":65535}}\n' +
        '{"ok":true,"message":"time","value":{"now":"18446744073709551615"}}\n',
      stderr: "",
    });
  });

  it("prints what was wrong with a line, goes on, and ends with code 3", async () => {
    const { code, stdout, stderr } = await runCommand(["decode", "fake"], "01 05\n0105 0\n\n09\n010000\n");
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        ok: false,
        error: {
          code: "truncated",
          message: "Cannot read x: 2 bytes needed, 1 left at byte 1",
          bitOffset: 8,
          path: "x",
        },
        line: 1,
      },
      { ok: false, error: expect.objectContaining({ code: "bad-hex" }), line: 2 },
      { ok: false, error: expect.objectContaining({ code: "unknown-message" }), line: 4 },
      { ok: true, message: "step", value: { x: 0 } },
    ]);
  });

  it("reads what the other side sent, and other dialects", async () => {
    const args = ["decode", "--direction", "server", "--dialect=ciphered", "fake"];
    expect((await runCommand(args, "83 01 0200")).stdout).toBe(
      '{"ok":true,"message":"stepped","value":{"player":1,"x":2}}\n',
    );
  });

  it("reads a carried stream, whatever its lines", async () => {
    const { code, stdout } = await runCommand(["decode", "fake", "--framed"], "03\n00 01 05\n00 0300 010600 03");
    expect(code).toBe(3);
    expect(stdout.split("\n").map((line) => line.slice(0, 40))).toEqual([
      '{"ok":true,"message":"step","value":{"x"',
      '{"ok":true,"message":"step","value":{"x"',
      '{"ok":false,"error":{"code":"truncated",',
      "",
    ]);
  });

  it("refuses an over-long line and reads the next", async () => {
    function* input(): Generator<string> {
      for (let length = 0; length <= LINE_LIMIT; length += 65_536) yield "0".repeat(65_536);
      yield "\n010500\n";
    }
    const { code, stdout } = await runCommand(["decode", "fake"], input());
    expect(code).toBe(3);
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      `{"ok":false,"error":{"code":"limit","message":"Cannot read line: the line is over the limit of ${LINE_LIMIT} characters","bitOffset":0,"path":""},"line":1}`,
      '{"ok":true,"message":"step","value":{"x":5}}',
    ]);
  });

  it("takes only as much input as its reader lets it", async () => {
    let taken = 0;
    const source = (function* () {
      for (; taken < 10_000; taken++) yield "010500\n".repeat(1000);
    })();
    const { promise: stuck, resolve: stick } = Promise.withResolvers<void>();
    // Never done with its first chunk.
    const stdout = new Writable({ write: () => stick() });
    const stdin = Readable.from(source, { objectMode: false });
    void run(["decode", "fake"], {
      loadProtocols: () => Promise.resolve(testProtocols),
      version: "",
      stdin,
      stdout,
      stderr: stdout,
      env: {},
      signals: new EventEmitter(),
      exit: () => {},
    });
    await stuck;
    // Turns of the event loop in which an unbounded reader would have gone on.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBeLessThan(50);
    stdin.destroy();
    stdout.destroy();
  });
});

describe("encode", () => {
  it("gives back what decode read", async () => {
    const hex = "010500\n02ffffffffffffffff\n";
    const { stdout } = await runCommand(["decode", "fake"], hex);
    expect(await runCommand(["encode", "fake"], stdout)).toEqual({ code: 0, stdout: hex, stderr: "" });
  });

  it("gives the error in the place of a line that it refuses", async () => {
    const input =
      'no\n{"ok":false,"error":{}}\n{"message":"step","value":{"x":65536}}\n{"message":"step","value":{"x":1}}\n';
    const { code, stdout } = await runCommand(["encode", "fake"], input);
    expect(code).toBe(3);
    const [first, second, third, fourth] = stdout.split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ ok: false, error: { code: "bad-value" } });
    expect(JSON.parse(second ?? "")).toMatchObject({ ok: false, error: { path: "ok" } });
    expect(JSON.parse(third ?? "")).toMatchObject({ ok: false, error: { code: "bad-value", path: "x" } });
    expect(fourth).toBe("010100");
  });

  it("writes carried bytes with --framed", async () => {
    const input = '{"message":"step","value":{"x":5}}';
    const args = ["encode", "fake", "--framed", "--dialect", "ciphered"];
    expect((await runCommand(args, input)).stdout).toBe("03007efaff\n");
  });
});

describe("a part of a protocol plugs in with lines of its own", () => {
  it("has memory across lines and flags of its own", async () => {
    expect((await runCommand(["decode", "fake/sums", "--times", "10"], "01\n02 03\n")).stdout).toBe(
      '{"ok":true,"sum":10}\n{"ok":true,"sum":60}\n',
    );
  });

  it("has a --no- flag for what is on by default", async () => {
    expect((await runCommand(["decode", "--no-running-sum", "fake/sums"], "01\n02\n")).stdout).toBe(
      '{"ok":true,"sum":1}\n{"ok":true,"sum":2}\n',
    );
    const { stdout } = await runCommand(["decode", "fake/sums", "--help"]);
    expect(stdout).toMatch(/--no-running-sum +without the sum of the lines before\n/);
  });

  it("whose flag may name a file, of which the protocol gets the text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-"));
    const file = join(folder, "factor.txt");
    writeFileSync(file, "7\n");
    try {
      const sum = async (factor: string) => await runCommand(["decode", "fake/sums", "--factor", factor], "03\n");
      expect((await sum("two")).stdout).toContain('"sum":6');
      expect((await sum(file)).stdout).toContain('"sum":21');
      const missing = join(folder, "missing");
      expect(await sum(missing)).toEqual({
        code: 2,
        stdout: "",
        stderr: `wirewalk: --factor ${missing}: it must be a file, or one of two (ENOENT)\n`,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("may throw its refusal", async () => {
    const { code, stdout } = await runCommand(["decode", "fake/sums"], "0\n01\n");
    expect(code).toBe(3);
    expect(stdout).toMatch(/^\{"ok":false,"error":\{"code":"bad-hex".*\n\{"ok":true,"sum":1\}\n$/);
  });

  it("encodes and is inspected", async () => {
    expect((await runCommand(["encode", "fake/sums"], '{"sums":[1,2]}\n')).stdout).toBe('{"packets":["1","2"]}\n');
    const { code, stdout } = await runCommand(["inspect", "fake/sums", "01", "02"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Fake (fake/sums), dialect plain, 2 bytes\n\n" +
        "offset  bytes  field  value  meaning\n" +
        "     0  01     [0]        1  !\n" +
        "     1  02     [1]        2  !\n",
    );
  });
});
