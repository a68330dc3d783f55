/** The config file of `wirewalk serve`: what is read, what is refused and where, and what is in force. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { addServe } from "../commands/serve.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";
import { JsonTextError, parseJsonWithPlaces } from "./json-places.ts";
import { checkSchema } from "./schema.ts";
import { serveSchema } from "./serve-schema.ts";

const schemaFile = new URL("../../wirewalk.schema.json", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "wirewalk-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string | JsonObject): string {
  const path = join(folder, "wirewalk.json");
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text, undefined, 2));
  return path;
}

const run = (...args: string[]): Promise<Ran> => startCommand(["serve", ...args], "", protocols).ended;

async function inForce(...args: string[]): Promise<JsonObject> {
  const { code, stdout, stderr } = await run(...args, "--print-config");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as JsonObject;
}

describe("the schema", () => {
  const text = `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...serveSchema }, undefined, 2)}\n`;

  it("is committed for editors (UPDATE_SCHEMA=1 writes it)", () => {
    if (process.env.UPDATE_SCHEMA === "1") writeFileSync(schemaFile, text);
    expect(JSON.parse(readFileSync(schemaFile, "utf8"))).toEqual(JSON.parse(text));
  });

  it("has every flag but those about worlds and about the file", () => {
    const program = new Command();
    addServe(program, { protocols } as never);
    const flags = program.commands[0]?.options.map((option) => option.attributeName()) ?? [];
    const others = ["config", "printConfig", "world", "listen", "roomPort", "dialect", "set", "rules", "tickMs"];
    expect([...Object.keys(serveSchema.properties)].sort()).toEqual(
      [...flags.filter((name) => !others.includes(name)), "$schema", "worlds"].sort(),
    );
  });

  it("is checked as another program checks it", () => {
    const { Ajv2020 } = createRequire(import.meta.url)("ajv/dist/2020.js") as {
      Ajv2020: new (options: object) => { compile(schema: object): (value: unknown) => boolean };
    };
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(JSON.parse(text));
    const values: JsonValue[] = [
      0,
      -1,
      1,
      1.5,
      70_000,
      "",
      "a",
      "A b",
      "soft",
      "100MB",
      "x".repeat(70),
      true,
      false,
      null,
      [],
      {},
      [""],
      ["a"],
      [1],
    ];
    const worlds: JsonValue[] = Object.keys(
      (serveSchema.properties.worlds as { items: typeof serveSchema }).items.properties,
    )
      .concat("unknown")
      .flatMap((member) => values.map((value) => ({ worlds: [{ game: "osrs", [member]: value }] })));
    const members = [...Object.keys(serveSchema.properties), "unknown"];
    const samples = [
      ...values,
      ...worlds,
      ...members.flatMap((member) => values.map((value) => ({ [member]: value }))),
    ];
    const both = samples.map((sample) => [checkSchema(serveSchema, sample).length === 0, validate(sample)] as const);
    expect(both.filter(([own, other]) => own !== other)).toEqual([]);
    // Some of each.
    expect(both.filter(([own]) => own).length).toBeGreaterThan(50);
    expect(both.filter(([own]) => !own).length).toBeGreaterThan(500);
  });
});

describe("a config file", () => {
  it("gives worlds and values, and flags win", async () => {
    const path = file({
      $schema: "./wirewalk.schema.json",
      http: 7500,
      data: "kept",
      banAddress: "on",
      recordRotate: "2MB",
      record: "/recordings",
      worlds: [
        { game: "maplestory", port: 7575, dialect: "v83" },
        { game: "maplestory", port: 7576, room: "channel-3" },
        { game: "osrs", name: "main", tickMs: 50, banAddress: "off", settings: { mouseOpcode: 34 } },
      ],
    });
    const plain = await inForce("--config", path);
    expect(plain).toMatchObject({ http: 7500, data: join(folder, "kept"), recordRotate: "2000000", bots: 0 });
    expect(plain.worlds).toEqual([
      {
        name: "maplestory",
        game: "maplestory",
        dialect: "v83",
        port: 7575,
        banAddress: "on",
        settings: { startMap: 0 },
      },
      {
        name: "maplestory-2",
        game: "maplestory",
        dialect: "v62",
        port: 7576,
        room: "channel-3",
        banAddress: "on",
        settings: { startMap: 0 },
      },
      expect.objectContaining({ name: "main", dialect: "client", tickMs: 50, banAddress: "off" }),
    ]);
    expect((plain.worlds as JsonObject[])[2]?.settings).toMatchObject({ mouseOpcode: 34 });

    const flags = [
      "--http",
      "0",
      "--listen",
      "maplestory=1,2,3",
      "--dialect",
      "maplestory-2=v95",
      "--set",
      "main.mouseOpcode=35",
    ];
    const changed = await inForce("--config", path, ...flags, "--tick-ms", "osrs=70", "--ban-address", "soft");
    expect(changed).toMatchObject({ http: 0, data: join(folder, "kept") });
    expect((changed.worlds as JsonObject[]).map(({ name, port, dialect }) => [name, port, dialect])).toEqual([
      ["maplestory", 1, "v83"],
      ["maplestory-2", 2, "v95"],
      ["main", undefined, "client"],
      ["maplestory-3", 3, "v62"],
    ]);
    expect(changed.worlds).toContainEqual(expect.objectContaining({ name: "main", tickMs: 70, banAddress: "soft" }));
    expect((changed.worlds as JsonObject[])[2]?.settings).toMatchObject({ mouseOpcode: 35 });
    // What is printed is a config file that gives the same again.
    expect(await inForce("--config", file(changed))).toEqual(changed);
  });

  it("has policies of each world, over which those of its game and under which those of --policy stand", async () => {
    const path = file({
      policy: ["maplestory.speed=kick,limit=20", "maplestory.start=kick,limit=30"],
      worlds: [
        { game: "maplestory", name: "scania", policies: { speed: "correct+ban,limit=40,for=1d", "*": "log" } },
        { game: "maplestory", name: "bera" },
      ],
    });
    const policiesOf = (config: JsonObject): unknown => (config.worlds as JsonObject[]).map(({ policies }) => policies);
    const printed = await inForce("--config", path);
    expect(policiesOf(printed)).toEqual([
      { speed: "correct+ban,limit=40,for=86400000ms", start: "kick,limit=30", "*": "log" },
      { speed: "kick,limit=20", start: "kick,limit=30" },
    ]);
    const flags = [
      "--policy",
      "bera.*=ban,half-life=1h",
      "--policy",
      "scania.speed=log",
      "--policy",
      "maplestory.*=kick",
    ];
    expect(policiesOf(await inForce("--config", path, ...flags))).toEqual([
      { speed: "log", "*": "log" },
      { "*": "ban,half-life=3600000ms" },
    ]);
    // What is printed is a config file that gives the same again.
    expect(await inForce("--config", file(printed))).toEqual(printed);
  });

  it("is what a server starts with", async () => {
    const worlds = [
      { game: "slime-online-2", name: "one", port: 0 },
      { game: "slime-online-2", name: "two", port: 0 },
    ];
    const running = startCommand(["serve", "--config", file({ http: 0, logLevel: "silent", worlds })], "", protocols);
    const printed = await running.printed(/ at http:.*\n/);
    expect(printed.match(/^.* world (?:one|two), .*\n {2}TCP/gm)).toHaveLength(2);
    expect(printed).not.toContain("MapleStory");
    running.signals.emit("SIGTERM", "SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("holds no secret when it is printed", async () => {
    const token = join(folder, "token");
    writeFileSync(token, "a-token-that-nobody-may-read");
    const store = "postgres://wirewalk:nobody-may-read@db.example.org/bans";
    const nats = "nats://wirewalk:nobody-may-read@broker.example.org:4222";
    const others = ["--store", store, "--nats", nats, "--node", "a"];
    const { stdout } = await run("--admin-token-file", token, ...others, "--print-config");
    expect(stdout).toContain(token);
    expect(stdout).toContain("postgres://wirewalk:redacted@db.example.org/bans");
    expect(stdout).toContain("nats://wirewalk:redacted@broker.example.org:4222");
    expect(stdout).not.toContain("nobody-may-read");
  });

  it("is refused with all that is wrong with it, each at its place", async () => {
    const path = file(
      [
        "{",
        '  "http": 70000,',
        '  "htp": 1,',
        '  "recordRotate": "1kB",',
        '  "worlds": [',
        '    { "game": "maplestory", "dialect": "v84" },',
        '    { "game": "osrs", "name": "Main World", "port": "43594" },',
        '    { "port": 1 }',
        "  ]",
        "}",
      ].join("\n"),
    );
    const { code, stderr } = await run("--config", path);
    expect(code).toBe(2);
    const lines = stderr
      .replace("wirewalk: ", "")
      .trimEnd()
      .split("\n")
      .map((line) => line.trim().slice(path.length));
    expect(lines.map((line) => line.replace(/known are .*/, "known are …"))).toEqual([
      ":2:11: http: 70000 is not in 0..65535",
      ":3:10: htp: unknown; did you mean http?",
      ":4:19: recordRotate: It must be a size of at least 1000000 bytes, such as 100MB.",
      ':7:31: worlds[1].name: "Main World" has another form than "scania"',
      ':7:53: worlds[1].port: "43594" is not a whole number',
      ':8:5: worlds[2]: "game" is missing',
    ]);
  });

  it("is refused for what its games say against it", async () => {
    const worlds = [
      { game: "maplestory", dialect: "v84" },
      { game: "osr" },
      { game: "slime-online-2", tickMs: 50 },
      { game: "maplestory", threads: 2 },
      { game: "osrs", settings: { mouseOpcde: 1 } },
      { game: "osrs", name: "maplestory" },
      { game: "osrs", name: "x" },
      { game: "osrs", name: "x" },
      { game: "maplestory", name: "y", policies: { sped: "kick" } },
      { game: "maplestory", name: "z", policies: { speed: "kick,until=1d" } },
    ];
    const { code, stderr } = await run("--config", file({ worlds }));
    expect(code).toBe(2);
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^.*?json:\d+:\d+: /, "")),
    ).toEqual([
      "worlds[0].dialect: unknown dialect 'v84' of maplestory; did you mean v83?",
      "worlds[1].game: unknown protocol 'osr'; did you mean osrs?",
      "worlds[2].tickMs: the tick of slime-online-2 is the game's own",
      "worlds[3].threads: maplestory uses at most 1 threads",
      expect.stringMatching(
        /^worlds\[4\]\.settings: unknown setting 'osrs\.mouseOpcde'; did you mean osrs\.mouseOpcode\?/,
      ),
      "worlds[5].name: maplestory is the name of another game",
      "worlds[7].name: another world has the name x",
      "worlds[8].policies: sped: maplestory has no rule sped; did you mean speed?",
      "worlds[9].policies: speed: kick,until=1d: until is unknown; known are limit, half-life, for",
    ]);
  });

  it.each([
    ['{ "http": 1, }', ":1:14: A name in double quotes is expected"],
    ['{ "http": 1 "bots": 2 }', ':1:13: "," or "}" is expected'],
    ['{\n  "http": 01\n}', ":2:11: 01 is not JSON"],
    ['{ "http": 1, "http": 2 }', ':1:14: "http" is there twice'],
    ["", ":1:1: The text ends too early"],
    ['{ "data": "x', ":1:11: A string has no end"],
    ["[]", ":1:1: the file: [] is not an object"],
  ])("is JSON: %j", async (text, message) => {
    const path = file(text);
    expect(await run("--config", path)).toMatchObject({ code: 2, stderr: `wirewalk: ${path}${message}\n` });
  });

  it("must exist", async () => {
    const { code, stderr } = await run("--config", join(folder, "none.json"));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `wirewalk: Cannot read ${join(folder, "none.json")}: no such file or folder (ENOENT)\n`,
    });
  });
});

describe("JSON with places", () => {
  it("is the JSON that JSON.parse reads", () => {
    for (const text of [
      '{"a":[1,-2.5e3,"x\\n\\u0041\\"",true,null,{}],"b":{"c":[]}}',
      " [ 1 , 2 ] ",
      '"__proto__"',
      '{"__proto__":1}',
    ]) {
      expect(parseJsonWithPlaces(text).value).toEqual(JSON.parse(text));
    }
    for (const text of ["{", "[1,]", "{'a':1}", "nul", "1 2", "[".repeat(100), '"\n"', "01", "+1", '{"a"}']) {
      expect(() => parseJsonWithPlaces(text)).toThrow(JsonTextError);
    }
  });

  it("says where a value is, or the innermost one around it", () => {
    const json = parseJsonWithPlaces('{\n  "a": [1,\n    {"b": 2}]\n}');
    expect(json.placeOf(["a", 1, "b"])).toEqual({ line: 3, column: 11 });
    expect(json.placeOf(["a", 1, "none"])).toEqual({ line: 3, column: 5 });
    expect(json.placeOf(["none"])).toEqual({ line: 1, column: 1 });
  });
});

it.each([
  ["--listen osrs=0", ["osrs"]],
  ["--listen osrs=0,0", ["osrs", "osrs-2"]],
  ["--world main=osrs", ["main"]],
  ["--listen osrs=0 --all", ["slime-online-2", "maplestory", "osrs", "scrap-mechanic"]],
  ["", ["slime-online-2", "maplestory", "osrs", "scrap-mechanic"]],
])("with %j only the named worlds start, with --all every game", async (flags, names) => {
  const started = async (...given: string[]): Promise<string[]> => {
    const { worlds } = await inForce(...given);
    return (worlds as JsonObject[]).map(({ name }) => String(name)).toSorted();
  };
  const given = flags === "" ? [] : flags.split(" ");
  expect(await started(...given)).toEqual(names.toSorted());
  // A config file says the same as the flags, and what is printed gives the same again.
  expect(await started("--config", file(await inForce(...given)))).toEqual(names.toSorted());
  const listed = file({ worlds: [{ game: "osrs" }], all: true });
  expect(await started("--config", listed)).toEqual(["maplestory", "osrs", "scrap-mechanic", "slime-online-2"]);
});
