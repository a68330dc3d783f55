/** Scrap Mechanic through the command line, as a person would give it: every vector, wrong input, bots and a server. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { getText } from "../testing/get-text.ts";
import { runCommand, startCommand } from "../testing/run-command.ts";

interface Vector {
  readonly name: string;
  readonly sender: "client" | "server";
  readonly body: string;
  readonly wire: string;
  readonly message: object;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/scrap-mechanic.json", import.meta.url), "utf8"),
) as readonly Vector[];

const decode = (input: string, ...flags: string[]) => runCommand(["decode", "scrap-mechanic", ...flags], `${input}\n`);
const encode = (input: string, ...flags: string[]) => runCommand(["encode", "scrap-mechanic", ...flags], `${input}\n`);
const inspect = (hex: string, ...flags: string[]) => runCommand(["inspect", "scrap-mechanic", ...flags, hex]);
const printed = (stdout: string): object => ({ code: 0, stdout: `${stdout}\n`, stderr: "" });

/** The line of the issue. */
const LINE =
  '{"ok":true,"message":"playerMovement","value":{"tick":12345,"keys":{"jump":false,"crawl":false,"horizontal":true,' +
  '"sprint":false,"aim":false},"direction":64,"yaw":0,"pitch":64}}';

it("the table of standard 10, to the letter", async () => {
  expect(await decode("1e80 0000303904400040")).toEqual(printed(LINE));
  expect(await decode("0000303904400040", "--body")).toEqual(printed(LINE));
  expect(await encode(LINE)).toEqual(printed("1e800000303904400040"));
  expect(await encode(LINE, "--body")).toEqual(printed("0000303904400040"));
});

describe.each(vectors)("$name", ({ name, sender, body, wire, message }) => {
  const line = JSON.stringify({ ok: true, ...message });
  // LZ4 has many forms for bytes that repeat themselves: what we write of these is another one than the vector's.
  const isShortened = name.includes("tumbles");

  it("goes both ways, and its id says whose it is", async () => {
    for (const direction of [[], ["--direction", sender]]) {
      expect(await decode(wire, ...direction)).toEqual(printed(line));
      const { code, stdout } = await encode(line, ...direction);
      expect(code).toBe(0);
      expect(await decode(stdout.trim(), ...direction)).toEqual(printed(line));
      if (isShortened) expect(stdout.length).toBeLessThan(wire.length);
      else expect(stdout).toBe(`${wire}\n`);
    }
  });

  it("is refused as a packet of the other side, where that is named", async () => {
    const other = ["--direction", sender === "client" ? "server" : "client"];
    const id = { code: "unknown-message", path: "id" };
    expect(JSON.parse((await decode(wire, ...other)).stdout)).toMatchObject({ ok: false, error: id });
    expect(JSON.parse((await encode(line, ...other)).stdout)).toMatchObject({ ok: false, error: { path: "message" } });
  });

  it("goes both ways as a bare body of its side, and in frames", async () => {
    const bare = ["--body", "--direction", sender];
    expect(await decode(body, ...bare)).toEqual(printed(line));
    expect(await encode(line, ...bare)).toEqual(printed(body));
    const framed = (wire.length / 2).toString(16).padStart(4, "0") + wire;
    expect(await decode(framed, "--framed", "--direction", sender)).toEqual(printed(line));
    if (!isShortened) expect(await encode(line, "--framed", "--direction", sender)).toEqual(printed(framed));
  });

  it("is shown, as a packet and as a body", async () => {
    for (const [hex, ...flags] of [[wire], [body, "--body"]] as const) {
      const { code, stdout } = await inspect(hex, ...flags, "--direction", sender);
      expect(code).toBe(0);
      expect(stdout).not.toContain("(not read)");
      for (const field of Object.keys((message as { value: object }).value)) expect(stdout).toContain(field);
    }
  });

  it("is refused when cut anywhere or longer", async () => {
    const cut = Array.from({ length: wire.length / 2 - 1 }, (_, index) => wire.slice(0, (index + 1) * 2));
    const { code, stdout } = await decode([...cut, `${wire}00`].join("\n"));
    expect(code).toBe(3);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(cut.length + 1);
    for (const each of lines) expect(each).toMatch(/^\{"ok":false,"error":\{"code":"/);
  });
});

describe("strict, unless lenient", () => {
  it.each([
    ["a token that no sender writes", "1e8f0000303904400040", "bad-value", "token"],
    ["unknown keys", "1e8000003039e4400040", "bad-value", "keys"],
    ["literals in two pieces", "1e7000003039044000101010", "bad-length", "token"],
  ])("%s: %s", async (_, hex, code, path) => {
    const { code: exit, stdout } = await decode(hex);
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code, path } });
  });

  it.each(["1e8f0000303904400040", "1e8000003039e4400040"])("%s is read leniently", async (hex) => {
    expect(await decode(hex, "--lenient")).toEqual(printed(LINE));
    expect((await inspect(hex, "--lenient")).code).toBe(0);
  });
});

it("0x18 without its count, where the server writes none", async () => {
  const line = JSON.stringify({ ok: true, ...vectors.find(({ name }) => name === "a tick of nobody")?.message });
  expect(await decode("18800000001000003039", "--no-count-byte")).toEqual(printed(line));
  expect(await encode(line, "--no-count-byte")).toEqual(printed("18800000001000003039"));
  expect((await decode("18800000001000003039")).code).toBe(3);
});

describe("what is not a message", () => {
  const value = '{"tick":1,"keys":{"jump":false,"crawl":false,"horizontal":true,"sprint":false,"aim":false}';
  it.each([
    ["decode", "42"],
    ["decode", "xy"],
    ["decode", "1e8000003039044000"],
    ["decode", "1e80 0000303904400040 00"],
    ["decode", `1e1f070100${"ff".repeat(200)}00`],
    ["decode", `181f070100${"ff".repeat(600)}00`],
    ["decode --body", "1e800000303904400040"],
    ["decode --framed", "ffff"],
    ["decode --framed", "000a1e80"],
    ["encode", '{"message":"playerMovement","value":{}}'],
    ["encode", `{"message":"playerMovement","value":${value},"direction":256,"yaw":0,"pitch":64}}`],
    ["encode", `{"message":"playerMovement","value":${value},"direction":0,"yaw":0.5,"pitch":64}}`],
    ["encode", `{"message":"playerMovement","value":${value.replace("true", "1")},"direction":0,"yaw":0,"pitch":64}}`],
    ["encode", `{"message":"playerMovement","value":${value.replace(":1", ":-1")},"direction":0,"yaw":0,"pitch":64}}`],
    ["encode", '{"message":"unreliableUpdate","value":{"serverTick":0,"currentTick":0,"updates":[{"kind":"house"}]}}'],
    ["encode --body", '{"message":"hello","value":{"version":1}}'],
    ["encode", '{"message":"toString","value":{}}'],
    ["encode", "{}"],
  ])("%s refuses %j and says where", async (command, line) => {
    const [name = "", ...flags] = command.split(" ");
    const { code, stdout, stderr } = await runCommand([name, "scrap-mechanic", ...flags], `${line}\n`);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    const { ok, error } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(Object.keys(error)).toEqual(["code", "message", "bitOffset", "path"]);
    expect(error.message).not.toBe("");
  });

  it("unknown flags, dialects and cheats are misuse", async () => {
    for (const args of [
      ["decode", "scrap-mechanic", "--bodies"],
      ["decode", "scrap-mechanic", "--dialect", "survival"],
      ["bots", "scrap-mechanic", "--cheat", "fly"],
    ]) {
      const { code, stdout, stderr } = await runCommand(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(args.at(-1));
    }
  });
});

describe("bots play on a server, and their cheats are flagged", () => {
  async function serve(flags: readonly string[]) {
    const listen = ["--http", "0", "--listen", "scrap-mechanic=0", "--log-level", "silent"];
    const running = startCommand(["serve", ...listen, ...flags], "", protocols);
    const start = await running.printed(/ at http:.*\n/);
    const http = /http:\/\/\S+/.exec(start)?.[0] ?? "";
    const verdicts = async (): Promise<ReadonlyMap<string, number>> => {
      const text = await getText(new URL("/metrics", http));
      const counts = text.matchAll(/^wirewalk_verdicts_total\{.*rule="([^"]+)".*\} (\d+)$/gm);
      return new Map(Array.from(counts, ([, rule = "", count]) => [rule, Number(count)]));
    };
    return { running, port: /TCP +\S+:(\d+)/.exec(start)?.[1] ?? "", verdicts };
  }

  interface Played {
    readonly cheat: string;
    /** The rule of the awaited verdict; undefined: no verdict is awaited. */
    readonly rule?: string;
    readonly flags?: readonly string[];
  }

  it.concurrent.each<Played>([
    { cheat: "none" },
    { cheat: "none", flags: ["--set", "scrap-mechanic.countByte=0"] },
    // A clock that is two percent fast takes half a minute: here it only plays.
    { cheat: "clock-1.02" },
    { cheat: "clock-1.2", rule: "fast-clock" },
    { cheat: "clock-2", rule: "fast-clock" },
    { cheat: "replay", rule: "replayed-tick" },
    { cheat: "keys", rule: "sprint-standing" },
    { cheat: "pitch", rule: "pitch" },
  ])("$cheat $flags", async ({ cheat, rule, flags = [] }) => {
    const { running, port, verdicts } = await serve(flags);
    const bots = startCommand(["bots", "scrap-mechanic", "--count", "2", "--port", port, "--cheat", cheat, ...flags]);
    if (rule === undefined) await bots.printed(/\n(?!1 )\d+ s: 2 of 2/);
    for (let found = rule === undefined; !found; found = (await verdicts()).has(rule ?? "")) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect([...(await verdicts()).keys()]).toEqual(rule === undefined ? [] : expect.arrayContaining([rule]));
    bots.signals.emit("SIGINT", "SIGINT");
    const { code, stdout, stderr } = await bots.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [, sent, received] = /: 2 of 2 connected, (\d+) sent, (\d+) received\n$/.exec(stdout) ?? [];
    expect(Number(sent)).toBeGreaterThan(0);
    expect(Number(received)).toBeGreaterThan(0);
    running.signals.emit("SIGTERM", "SIGTERM");
    expect((await running.ended).code).toBe(0);
  });
});
