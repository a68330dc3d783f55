/** What the inspector works out: readings, trees, meanings, links, copies, differences. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { formatTrace } from "wirewalk/inspect";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { formatHex, parseHex } from "wirewalk/wire";
import { copyAs } from "./copies.ts";
import { difference } from "./difference.ts";
import { examples, hexExamples } from "./examples.ts";
import { meaningOf } from "./field-meaning.ts";
import { fieldTree, shownNodes, stepsOf } from "./field-tree.ts";
import { Inspector, MAX_PASTED_PACKETS } from "./inspector.ts";
import { MAX_LINK_BYTES, readLink, writeLink } from "./permalink.ts";
import { allReadings, attempts, type Reading, readPackets } from "./reading.ts";

const slime: Reading = { protocol: "slime-online-2", part: "", dialect: "v0106", sender: "client", framed: false };
const packetsOf = (reading: Reading, bytes: Uint8Array) => {
  const protocol = protocols[reading.protocol];
  if (protocol === undefined) throw new Error(reading.protocol);
  return readPackets(protocol, reading, [bytes]);
};

const order = ["fits", "cut", "mostly", "weak", "refused"];

describe("readings", () => {
  test("a game of bytes only is read as any other, but in frames", () => {
    const { title = "", summary = "", dialects = [], codec } = protocols["slime-online-2"] ?? {};
    if (codec === undefined) throw new Error("no slime");
    const game: Protocol = { name: "bytes", title, summary, dialects, codec };
    const readings = allReadings({ bytes: game });
    expect(readings).toHaveLength(2 * dialects.length);
    expect(readings.some(({ framed }) => framed)).toBe(false);
    const bytes = parseHex("02 00 0a");
    const [first] = attempts({ bytes: game }, readings, [bytes]);
    expect(first).toMatchObject({
      trial: { standing: "fits" },
      reading: { protocol: "bytes", dialect: "v0106", sender: "client" },
    });
    expect(readPackets(game, { ...slime, protocol: "bytes" }, [bytes])).toEqual(packetsOf(slime, bytes));
  });

  test("a reading is tried on the first packets, however many there are", () => {
    const protocol = protocols["slime-online-2"];
    if (protocol === undefined) throw new Error("no slime");
    let looked = 0;
    const packet = parseHex("020002c001a000");
    const many = new Proxy(
      Array.from({ length: 10_000 }, () => packet),
      {
        get(target, name, receiver) {
          if (typeof name === "string" && /^\d+$/.test(name)) looked += 1;
          return Reflect.get(target, name, receiver) as unknown;
        },
      },
    );
    expect(attempts({ "slime-online-2": protocol }, [slime], many)[0]?.trial.standing).toBe("fits");
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(100);
  });

  test("more packets than the page can wait for are refused, with what helps", () => {
    const inspector = new Inspector({
      protocols,
      openWorker() {
        throw new Error("no file is opened");
      },
    });
    inspector.text.value = "02 00 02 c0 01 a0 00\n".repeat(MAX_PASTED_PACKETS + 1);
    expect(inspector.pasted.value.fault).toContain("drop a capture");
    expect(inspector.pasted.value.packets).toEqual([]);
  });

  test("every example is read by its own reading, and all but one stand in the vectors", () => {
    const vectors = fileURLToPath(new URL("../../../../../vectors/", import.meta.url));
    const known = readdirSync(vectors).map((name) =>
      readFileSync(join(vectors, name), "utf8").replaceAll(" ", "").toLowerCase(),
    );
    const all = examples(protocols);
    expect(new Set(all.map(({ reading }) => reading.protocol))).toEqual(new Set(Object.keys(protocols)));
    for (const { name, bytes, reading } of all) {
      const packets = packetsOf(reading, bytes);
      expect(packets.length, name).toBeGreaterThan(0);
      for (const { trace, json } of packets) {
        expect(trace.error, name).toBeUndefined();
        expect(json, name).toBeDefined();
      }
      // The number of the message is the dialect's, the body the vector's.
      const body = formatHex(bytes.subarray(2), { separator: "" });
      const isMade = !hexExamples.some((example) => example.name === name);
      expect(isMade || known.some((text) => text.includes(body)), name).toBe(true);
    }
  });

  test("those that fit come first, and the others say at which bit they stop", () => {
    const tried = attempts(protocols, allReadings(protocols), [parseHex("02 00 02 c0 01 a0 00")]);
    expect(tried[0]).toMatchObject({ reading: slime, trial: { standing: "fits" } });
    const standings = tried.map(({ trial }) => trial.standing);
    expect(new Set(standings)).toEqual(new Set(["fits", "cut", "weak", "refused"]));
    // What fits by chance stands behind, and what does not fit last.
    expect(standings).toEqual([...standings].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    const bare = tried.filter(({ trial, reading }) => trial.standing === "refused" && !reading.framed);
    const depths = bare.filter(({ trial }) => trial.error?.code !== "unknown-message");
    const bits = depths.map(({ trial }) => trial.error?.bitOffset ?? 0);
    expect(bits.length).toBeGreaterThan(3);
    expect(bits).toEqual([...bits].sort((a, b) => b - a));
  });

  test("a packet whose end is missing stands before what reads any bytes", () => {
    const cut = parseHex("02 00 02 c0 01");
    const [first, ...rest] = attempts(protocols, allReadings(protocols), [cut]);
    expect(first).toMatchObject({ reading: slime, trial: { standing: "cut", error: { bitOffset: 40 } } });
    expect(rest.find(({ trial }) => trial.standing === "weak")).toMatchObject({
      reading: { protocol: "osrs", part: "mouse" },
      trial: { doubt: "it reads almost any bytes" },
    });
  });

  test("of readings that fit equally well that of the watched world stands first", () => {
    const bytes = parseHex("46 5f 0a 01");
    const watched = { protocol: "osrs", dialect: "documented" };
    const [first] = attempts(protocols, allReadings(protocols, watched), [bytes]);
    expect(first?.reading).toMatchObject({ ...watched, part: "mouse" });
    expect(attempts(protocols, allReadings(protocols), [bytes])[0]?.reading.dialect).toBe("client");
  });

  test("packets of a stream have the memory of those before", () => {
    const [made] = examples(protocols).slice(-1);
    if (made === undefined) throw new Error("no example");
    const packets = packetsOf(made.reading, made.bytes);
    expect(packets.map(({ json }) => json?.message)).toEqual([
      "playerIndex",
      "playerInfoInit",
      ...Array(4).fill("playerInfo"),
    ]);
    expect(packets.at(-1)?.json?.players).toEqual({ 5: [0, 3204, 3200], 7: [0, 3203, 3209], 9: [0, 3194, 3201] });
  });
});

describe("fields", () => {
  test("stand in a tree by their paths", () => {
    expect(stepsOf("fragments[3].x")).toEqual(["fragments", "[3]", "x"]);
    const at = (path: string, bitOffset: number) => ({ path, bitOffset, bitLength: 8, raw: 0, shown: "0" });
    const tree = fieldTree([at("type", 0), at("list.count", 8), at("list[0].x", 16), at("list[1].x", 24)]);
    const names = (ids: readonly number[]) => ids.map((id) => tree.nodes[id]?.path);
    expect(names(shownNodes(tree, new Set()))).toEqual([
      "type",
      "list",
      "list.count",
      "list[0]",
      "list[0].x",
      "list[1]",
      "list[1].x",
    ]);
    expect(names(shownNodes(tree, new Set([1])))).toEqual(["type", "list"]);
    expect(tree.nodes[1]).toMatchObject({ field: -1, from: 8, to: 32, children: [2, 3, 5] });
    expect(names(tree.nodeOfField)).toEqual(["type", "list.count", "list[0].x", "list[1].x"]);
  });

  test("named bits stand under their field, at their places on the wire", () => {
    const field = {
      path: "flags",
      bitOffset: 24,
      bitLength: 8,
      raw: "12",
      shown: "sequence",
      flags: [
        { name: "appearance", bitOffset: 27 },
        { name: "sequence", bitOffset: 30 },
      ],
    };
    const tree = fieldTree([{ path: "index", bitOffset: 0, bitLength: 24, raw: 1, shown: "1" }, field]);
    const open = shownNodes(tree, new Set()).map((id) => tree.nodes[id]);
    expect(open.map((node) => `${node?.path} ${node?.from} ${node?.field}`)).toEqual([
      "index 0 0",
      "flags 24 1",
      "flags.appearance 27 1",
      "flags.sequence 30 1",
    ]);
    expect(tree.nodes[tree.nodeOfBit.get(30) ?? -1]?.name).toBe("sequence");
    expect(tree.nodeOfBit.has(31)).toBe(false);
  });

  test("every field of a described message has its description, with unit and names", () => {
    let flagBits = 0;
    for (const { name, bytes, reading } of examples(protocols).filter(({ reading }) => reading.part === "")) {
      const codec = protocols[reading.protocol]?.codec(reading.dialect);
      if (codec === undefined) throw new Error(name);
      const trace = codec.trace(reading.sender, bytes);
      // A compressed block has fields of its own before those of the message.
      const fields = trace.fields.filter(({ path }) => path !== "token" && path !== "literalCount");
      const meaning = meaningOf(codec, reading.sender, { message: trace.message?.message, fields });
      const without = fields.filter((field) => meaning(field) === undefined).map(({ path }) => path);
      expect(without, name).toEqual([]);
      for (const known of fields.map(meaning)) {
        for (const { name: flag, bitOffset } of known?.flags ?? []) {
          const isOne = (((bytes[bitOffset >> 3] ?? 0) >> (7 - (bitOffset & 7))) & 1) === 1;
          expect(known?.names.find((each) => each.name === flag)?.isSet, `${name} ${flag}`).toBe(isOne);
          flagBits += 1;
        }
      }
    }
    expect(flagBits).toBeGreaterThan(0);
    const codec = protocols["slime-online-2"]?.codec("v0106");
    if (codec === undefined) throw new Error("slime");
    const { fields } = codec.trace("client", parseHex("02 00 02 c0 01 a0 00"));
    const meaning = meaningOf(codec, "client", { message: "movePlayer", fields });
    const [, code, x] = fields.map(meaning);
    expect(x).toMatchObject({ type: "u16le", unit: "px" });
    expect(code?.names.filter(({ isSet }) => isSet)).toEqual([{ value: "2", name: "rightPress", isSet: true }]);
  });
});

describe("links", () => {
  test.each<[string, Reading | undefined]>([
    ["with a reading", { ...slime, framed: true }],
    ["with a part", { protocol: "osrs", part: "mouse", dialect: "client", sender: "client", framed: false }],
    ["without one", undefined],
  ])("lead back to the bytes %s", (_, reading) => {
    const bytes = Uint8Array.from({ length: 256 }, (_each, index) => index);
    expect(readLink(writeLink({ reading, bytes }) ?? "")).toEqual({ reading, bytes });
  });

  test("end at their limit, and an invalid one is refused", () => {
    const longest = writeLink({ reading: slime, bytes: new Uint8Array(MAX_LINK_BYTES) }) ?? "";
    expect(longest.length).toBeLessThan(8000);
    expect(writeLink({ reading: slime, bytes: new Uint8Array(MAX_LINK_BYTES + 1) })).toBeUndefined();
    for (const hash of [
      "#inspect",
      "#inspect?",
      "#inspect?b=",
      "#inspect?b=!",
      "#slime-online-2/1",
      `${longest}AAAA`,
    ]) {
      expect(readLink(hash), hash.slice(0, 40)).toBeUndefined();
    }
  });
});

test("differences are paired by path, and say what kind they are", () => {
  const at = (path: string, bitOffset: number, raw: number) => ({
    path,
    bitOffset,
    bitLength: 8,
    raw,
    shown: String(raw),
  });
  const found = difference(
    { bytes: Uint8Array.of(1, 2, 3), fields: [at("a", 0, 1), at("b", 8, 2), at("c", 16, 3)] },
    { bytes: Uint8Array.of(1, 9, 2, 7), fields: [at("a", 0, 1), at("n", 8, 9), at("b", 16, 2), at("c", 24, 7)] },
  );
  expect(found.pairs.map(({ path, change }) => `${path} ${change}`)).toEqual([
    "a same",
    "n only-second",
    "b place",
    "c value",
  ]);
  expect([...found.bits]).toEqual([0, 2 ^ 9, 3 ^ 2, 0xff]);
  expect(found).toMatchObject({ changedFields: 3, changedBits: 3 + 1 + 8 });
});

describe("copies", () => {
  test("the copied code runs, and prints what the page shows", () => {
    const root = fileURLToPath(new URL("../../../../../", import.meta.url));
    const cache = join(root, "node_modules", ".cache");
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "copied-"));
    try {
      const shown: string[] = [];
      const programs = examples(protocols).flatMap(({ bytes, reading, name }, index) => {
        if (reading.framed) return [];
        const [packet] = packetsOf(reading, bytes);
        if (packet === undefined) throw new Error(name);
        const code = copyAs("code", { reading, bytes, json: packet.json });
        shown.push(formatTrace(bytes, packet.trace));
        if (reading.part === "") shown.push(JSON.stringify(packet.json));
        writeFileSync(join(folder, `${index}.mjs`), code ?? "");
        return [`import "./${index}.mjs";`];
      });
      // One process for all: each program is a module of it.
      writeFileSync(join(folder, "all.mjs"), programs.join("\n"));
      const output = execFileSync(process.execPath, [
        "--no-warnings",
        "-C",
        "wirewalk-source",
        join(folder, "all.mjs"),
      ]);
      expect(output.toString()).toBe(`${shown.join("\n")}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a vector holds the bytes and what is in them", () => {
    const [packet] = packetsOf(slime, parseHex("02 00 0a"));
    const text = copyAs("vector", { reading: slime, bytes: parseHex("02 00 0a"), json: packet?.json });
    const { dialect, sender, hex, message } = JSON.parse(text ?? "");
    const codec = protocols["slime-online-2"]?.codec(dialect);
    expect(codec?.write(sender, codec.fromJson(sender, message) as never)).toEqual(parseHex(hex));
  });
});
