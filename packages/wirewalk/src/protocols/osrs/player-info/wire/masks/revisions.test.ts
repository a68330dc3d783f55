import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scaled } from "../../../../../testing/scale.ts";
import { encode, formatHex, layoutOf, parseHex, Tracer } from "../../../../../wire/index.ts";
import { RandomWorld } from "../../testing/random-world.ts";
import type { TwinEngine } from "../../testing/twin-engine.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { PlayerInfoEngine } from "../engine/engine.ts";
import { blockNamed } from "./mask-codec.ts";
import { type MaskFields, type MaskRevision, noMasks } from "./mask-revision.ts";
import { namedRevisions } from "./named-revisions.ts";
import { maskRevisionJson, parseMaskRevision } from "./parse-mask-revision.ts";

const known = Object.values(namedRevisions).filter((revision) => revision !== noMasks);

/** 49 bytes, in the order in which the client reads them. */
const look = Uint8Array.of(1, 2, ...new Array(46).fill(0), 255);
const plainLook = `01 02 ${"00 ".repeat(46)}ff`;
const addedLook = `81 82 ${"80 ".repeat(46)}7f`;
const reversedLook = `ff ${"00 ".repeat(46)}02 01`;
const reversedAddedLook = `7f ${"80 ".repeat(46)}82 81`;

const bars = [
  { id: 3, endTime: 32_767 },
  { id: 0, endTime: 20, startTime: 0, startFill: 1, endFill: 2 },
];
const animation = { slot: 1, id: 0x0102, heightDelay: 0x0064_0002 };

/** One value of each block, the same in all revisions that have it. */
const values: Readonly<Record<string, MaskFields>> = {
  moveSpeed: { speed: 2 },
  temporaryMoveSpeed: { speed: 127 },
  say: { text: "Hi" },
  nameExtras: { beforeName: "a", afterName: "", afterLevel: "b" },
  tinting: { start: 0x0102, end: 0x0304, hue: 1, saturation: 2, luminance: -3, weight: 40 },
  sequence: { id: 808, delay: 2 },
  appearance: { data: look },
  exactMove: { dx1: -1, dz1: -2, dx2: 3, dz2: 4, start: 0x0102, end: 0x0304, angle: 0x0506 },
  spotAnimations: { animations: [animation] },
  oldSpotAnimations: { animations: [animation] },
  hits: { hits: [{ type: 16, value: 127, delay: 0 }], bars },
  hitmarks: { hits: [{ type: 1, value: 128, delay: 2, limit: 3 }] },
  headBars: { bars },
  faceEntity: { target: 5, targetHigh: 1 },
  faceAngle: { angle: 0x0405 },
  facing: { flags: 0x41, entityType: 2, index: 5, fallbackAngle: 300 },
  publicChat: { colourEffect: 0x0e03, icon: 1, auto: 0, text: Uint8Array.of(1, 0x90), pattern1: 5, pattern2: 6 },
  oldPublicChat: { colourEffect: 0x0102, icon: 1, auto: 1, text: Uint8Array.of(1, 0x90) },
  freeze: { delay: 0x0102, duration: 0x0304, cancelSequence: 1 },
  transparency: { start: -2, end: 0x0304, from: 1, to: -3, useFrom: 1 },
  reset: { value: 3 },
};

function sampleOf(revision: MaskRevision, name: string): MaskFields {
  if (blockNamed(revision, name).source !== undefined) return {};
  const loops = revision.name === "240" && name === "spotAnimations";
  return loops ? { animations: [{ ...animation, loop: 1 }] } : (values[name] as MaskFields);
}

const text = "48 69 00";
const names = "61 00 00 62 00";

// Written by hand from the calls of the sources (standard 6.8), block by block in the client's order, flags first.
const packets: Readonly<Record<string, readonly string[]>> = {
  223: [
    "ff ff 01",
    "7e",
    "7f",
    text,
    names,
    "02 01 84 03 81 7e 7d d8",
    "03 28 fe",
    `4f ${addedLook}`,
    "01 7e 7d 04 01 82 03 84 06 05",
    "ff 7f 01 82 02 00 64 00",
    "7f 10 7f 00 82 03 ff ff 00 14 00 7f 82",
    "85 00 7f",
    "02 01 7f ff 7e 90 01",
    "83 0e 81 00 7e 90 01 fb fa",
    "05 04",
  ],
  226: [
    "f7 ff 01",
    names,
    "01 01 01 82 02 00 64 00",
    "81 fe fd 04 01 02 03 84 06 05",
    "82 01 03 84 01 82 83 58",
    "81",
    text,
    "03 0e 01 80 7e 10 81 7b 7a",
    "fe",
    "04 85",
    "03 28 82",
    "05 00 7f",
    `31 ${reversedLook}`,
    "01 10 7f 00 fe 03 ff ff 00 14 00 7f 82",
  ],
  230: [
    "fe ff 01",
    "fe",
    "a8 03 7e",
    "ff ff 01 02 64 00 02 00",
    "01",
    `cf ${reversedAddedLook}`,
    names,
    "81 10 7f 00 7e 03 ff ff 00 14 00 ff 02",
    "85 04",
    "82 01 04 03 7f 82 83 d8",
    "81 fe 03 84 01 82 04 03 05 86",
    text,
    "0e 03 01 00 02 01 90 7b 7a",
    "85 00 81",
  ],
  234: [
    "fe ff 01",
    "82",
    "05 00 ff",
    "7f 7e fd 04 02 01 03 84 06 05",
    "02 01 03 84 7f fe fd d8",
    `4f ${plainLook}`,
    "81",
    "a8 03 7e",
    names,
    "03 0e 7f 00 02 90 01 85 86",
    "01 10 7f 00 02 03 ff ff 00 14 00 81 7e",
    text,
    "01 ff 01 02 00 64 00 02",
    "05 04",
  ],
  237: [
    "fe ff 07",
    `31 ${plainLook}`,
    "ff 10 7f 00 fe 03 ff ff 00 14 00 7f fe",
    "7f",
    "7f fe 03 fc 01 02 03 84 86 05",
    "28 03 82",
    "02 03 ff ff 00 14 00 81 02",
    "ff 01 80 80 02 03",
    "85 04",
    "01 02 04 03 7f 02 fd a8",
    names,
    "00 05 7f",
    "fe",
    text,
    "ff 01 02 01 00 64 00 02",
    "83 0e 81 00 82 01 90 05 06",
  ],
  238: [
    "7f ff 07",
    "82 03 ff ff 00 14 00 01 fe",
    "03 0e ff 00 82 01 90 85 86",
    "bf 02 00 05 81 2c",
    text,
    "fe",
    "01 81 01 82 64 00 02 00",
    "7f",
    "82 01 04 03 ff fe 03 28",
    names,
    "ff 01 80 80 02 03",
    "00 85 ff",
    "a8 03 82",
    `b1 ${addedLook}`,
    "85 04",
    "ff 82 fd 84 01 82 04 03 05 86",
  ],
  239: [
    "7f ff 1f",
    names,
    "7f 01 80 80 02 03",
    "fd",
    "bf 02 00 05 81 2c",
    "fe",
    "01 ff 01 82 00 64 00 02",
    "85 00 01",
    "0e 83 ff 80 fe 90 01 fb fa",
    "ff 7e 03 04 7f 83 7f",
    "02 01 03 04 ff 02 83 58",
    "82 03 ff ff 00 14 00 81 fe",
    text,
    "03 a8 02",
    "7f",
    `4f ${addedLook}`,
    "ff 7e fd 7c 01 02 04 03 86 05",
    "82 01 84 03 81",
  ],
  240: [
    "fd ff 1f",
    "81 ff 02 01 00 64 00 02 7f",
    "0e 03 81 00 82 10 81 fb fa",
    "7e 03 ff ff 00 14 00 01 fe",
    `4f ${reversedLook}`,
    "01 82 04 03 ff",
    "41 02 00 05 81 2c",
    names,
    "7e",
    "81",
    "7f 81 02 01 02 00 64 00",
    "ff 7e 84 03 7f 83 7f",
    "01 01 80 80 02 03",
    "ff 82 03 04 82 01 84 03 86 05",
    "a8 03 82",
    "02 01 84 03 ff 82 fd a8",
    "fd",
    text,
  ],
};

describe.each(known.filter(({ name }) => name !== "206").map((revision) => [revision.name, revision] as const))(
  "revision %s",
  (name, revision) => {
    it("writes and reads a packet with all of its blocks as the sources say", () => {
      const [flags = "", ...blocks] = packets[name] ?? [];
      const engine = new PlayerInfoEngine({ dialect: "client", revision });
      const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
      engine.add(1, { level: 0, x: 3200, z: 3200 });
      decoder.init(engine.observe(1), 1);
      // A say needs an appearance that this client has.
      engine.setBlock(1, "appearance", { data: new Uint8Array(49) });
      engine.tick();
      decoder.decode(engine.packet(1));
      const said = Object.fromEntries(revision.blocks.map((block) => [block.name, sampleOf(revision, block.name)]));
      for (const [block, fields] of Object.entries(said)) engine.setBlock(1, block, fields);
      engine.tick();
      // Local with mask 1 1 00, and 2046 externals skipped.
      const packet = parseHex(["c0 7f f4", flags, ...blocks].join(" "));
      expect(formatHex(engine.packet(1))).toBe(formatHex(packet));
      const fits = decoder.fits(packet, known).filter(({ error }) => error === undefined);
      expect(fits.map((fit) => fit.revision.name)).toEqual([name]);
      const { masks, wouldCrash } = decoder.decode(packet);
      expect(masks).toEqual([{ index: 1, blocks: said }]);
      expect(wouldCrash).toEqual([]);
      expect(decoder.player(1)).toMatchObject({ speed: 2, interacting: 0x1_0005, appearance: look });
      for (const [at, block] of revision.blocks.entries()) {
        expect([block.name, formatHex(encode(layoutOf(block.node), said[block.name] as MaskFields))]).toEqual([
          block.name,
          blocks[at] ?? "",
        ]);
      }
    });

    it("is read as it was written in random worlds, by both engines", () => {
      const world = new RandomWorld({
        random: createRandom(Number(name)),
        dialect: "client",
        revision,
        players: 40,
        observers: 8,
        side: 30,
        viewDistance: 15,
        maxLocals: 250,
        activity: 0.5,
        talk: 0.5,
        talkLength: 12,
        isTwin: true,
      });
      for (let tick = 0; tick < scaled(150, 6); tick++) world.tick();
      expect((world.engine as TwinEngine).compared).toBe(world.packets);
    });

    it("is a revision like any other", () => {
      expect(parseMaskRevision(JSON.parse(JSON.stringify(maskRevisionJson(revision))))).toEqual(revision);
    });
  },
);

/** Flags without a block, and flags of a block that no source describes (standard 6.1). */
const flagsAlone: readonly [revision: string, alone: number, refused: readonly number[]][] = [
  ["223", 0x400, []],
  ["226", 0x200, [0x8]],
  ["230", 0x200, [0x1]],
  ["234", 0x8000, [0x1]],
  ["237", 0x400, [0x1]],
  ["238", 0x200, [0x80]],
  ["239", 0x8000, [0x80]],
  ["240", 0x100, [0x2]],
];

describe("a flag without a block", () => {
  /** Player 1 alone, its masks after a pass that says only that there are masks. */
  function start(revision: MaskRevision): { readonly engine: PlayerInfoEngine; readonly decoder: PlayerInfoDecoder } {
    const engine = new PlayerInfoEngine({ dialect: "client", revision });
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
    engine.add(1, { level: 0, x: 3200, z: 3200 });
    decoder.init(engine.observe(1), 1);
    engine.tick();
    decoder.decode(engine.packet(1));
    return { engine, decoder };
  }
  const packetWith = (flags: string): Uint8Array => parseHex(`c0 7f f4 ${flags}`);

  it("is read as the server of revision 223 sends it, and written again", () => {
    const { engine, decoder } = start(namedRevisions[223] as MaskRevision);
    // Captured: the mask bytes. The pass before them is made up.
    const packet = packetWith("10 04");
    const tracer = new Tracer();
    const { masks, wouldCrash } = decoder.decode(packet, tracer);
    expect(masks).toEqual([{ index: 1, blocks: { flag0x400: {} } }]);
    expect(wouldCrash).toEqual([]);
    const field = tracer.fields.find(({ path }) => path.endsWith("flags"));
    expect(field).toMatchObject({ raw: "1004", shown: "flag0x400" });
    expect(field?.flags).toContainEqual({ name: "flag0x400", bitOffset: 4 * 8 + 5 });
    for (const { index, blocks } of masks) {
      for (const [name, fields] of Object.entries(blocks)) engine.setBlock(index, name, fields);
    }
    engine.tick();
    expect(formatHex(engine.packet(1))).toBe(formatHex(packet));
    // It belongs to its tick.
    engine.tick();
    expect(formatHex(engine.packet(1))).toBe("00 7f f4");
  });

  it.each(flagsAlone)("of revision %s is accepted, and no other flag without a block", (name, alone, refused) => {
    const revision = namedRevisions[name] as MaskRevision;
    const [second = 0, third = 0] = revision.extensions;
    const known = revision.blocks.reduce((flags, { flag }) => flags | flag, second | third);
    expect(revision.blocks.filter(({ source }) => source !== undefined).map(({ flag }) => flag)).toEqual([alone]);
    const unknown = Array.from({ length: 24 }, (_, bit) => 1 << bit).filter((flag) => (known & flag) === 0);
    expect(unknown.filter((flag) => flag < 0x1_0000)).toEqual(refused);
    for (const flag of [alone, ...unknown]) {
      const { engine, decoder } = start(revision);
      const all = flag | (flag > 0xff ? second : 0) | (flag > 0xffff ? third : 0);
      const bytes = [all & 0xff, (all >> 8) & 0xff, all >> 16].slice(0, flag > 0xffff ? 3 : flag > 0xff ? 2 : 1);
      const packet = packetWith(formatHex(Uint8Array.from(bytes)));
      if (flag === alone) {
        expect(Object.values(decoder.decode(packet).masks[0]?.blocks ?? {})).toEqual([{}]);
        continue;
      }
      expect(() => decoder.decode(packet)).toThrow(`revision ${name} has no block for 0x${flag.toString(16)}`);
      // A refused packet changes nothing.
      engine.tick();
      decoder.decode(engine.packet(1));
    }
  });

  it("stands in a file with its source, and has no fields", () => {
    const alone = { name: "flag0x2", flag: 2, fields: [], source: "seen in a recording" };
    const revision = parseMaskRevision({ name: "own", extensions: [0x80], blocks: [alone] });
    expect(maskRevisionJson(revision)).toEqual({ name: "own", extensions: [0x80], blocks: [alone] });
    expect(start(revision).decoder.decode(packetWith("02")).masks).toEqual([{ index: 1, blocks: { flag0x2: {} } }]);
    const speed = { name: "speed", node: { kind: "integer", bits: 8, signed: true, order: "be" } };
    const wrong = (block: object) => () => parseMaskRevision({ name: "own", extensions: [0x80], blocks: [block] });
    expect(wrong({ ...alone, fields: [speed] })).toThrow(
      "Cannot read blocks[0].source: only a flag without fields has one",
    );
    expect(wrong({ ...alone, source: "" })).toThrow(
      "Cannot read blocks[0].source: it must be a text of 1..200 letters",
    );
    expect(wrong({ ...alone, source: "x".repeat(201) })).toThrow("Cannot read blocks[0].source");
  });
});

describe("a facing", () => {
  const revision = namedRevisions[240] as MaskRevision;
  const layout = layoutOf(blockNamed(revision, "facing").node);
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
  const engine = new PlayerInfoEngine({ dialect: "client", revision });
  engine.add(1, { level: 0, x: 3200, z: 3200 });
  decoder.init(engine.observe(1), 1);

  it.each<[string, MaskFields, string, object]>([
    ["an NPC", { flags: 0, entityType: 1, index: 7, fallbackAngle: 0 }, "00 01 00 07 00", { interacting: 7 }],
    ["a far index", { flags: 0, entityType: 1, index: 40_000, fallbackAngle: 0 }, "00 01 80 00 9c 40 00", {}],
    ["nobody", { flags: 0, entityType: 0, index: -1, fallbackAngle: 9 }, "00 00 7f ff 09", { interacting: -1 }],
    ["a place", { flags: 8, x: 300, z: 2, size: 0x21 }, "08 81 2c 02 21", {}],
    ["an angle", { flags: 16, angle: 512 }, "10 82 00", { orientation: 512 }],
    ["nothing any more", { flags: 0x18 }, "18", { interacting: -1 }],
  ])("%s", (_, fields, hex, player) => {
    expect(formatHex(encode(layout, fields))).toBe(hex);
    engine.setBlock(1, "facing", fields);
    engine.tick();
    expect(decoder.decode(engine.packet(1)).masks[0]?.blocks.facing).toEqual(fields);
    expect(decoder.player(1)).toMatchObject(player);
  });
});
