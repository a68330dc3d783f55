import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { sampled, scaled } from "../../../../../testing/scale.ts";
import {
  encode,
  formatHex,
  type JsonObject,
  type JsonValue,
  layoutOf,
  parseHex,
  Tracer,
  tilingFault,
} from "../../../../../wire/index.ts";
import { RandomWorld } from "../../testing/random-world.ts";
import type { TwinEngine } from "../../testing/twin-engine.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { PlayerInfoEngine } from "../engine/engine.ts";
import type { PlayerInfoUpdate } from "../player-info-update.ts";
import { blockFromJson, blockNamed, blockToJson } from "./mask-codec.ts";
import type { MaskFields, MaskRevision } from "./mask-revision.ts";
import { knownRevisions, namedRevisions } from "./named-revisions.ts";
import { maskRevisionJson, parseMaskRevision } from "./parse-mask-revision.ts";

/** One packet of the vectors, with what it says. */
interface VectorPacket {
  readonly hex: string;
  readonly players: JsonObject;
  readonly masks: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../../../../../../vectors/osrs-player-info-masks.json", import.meta.url), "utf8"),
) as {
  readonly localIndex: number;
  readonly initHex: string;
  readonly revisions: readonly { readonly revision: string; readonly packets: readonly VectorPacket[] }[];
};
const { localIndex, initHex } = vectors;
const packetsOf = (name: string): readonly VectorPacket[] =>
  vectors.revisions.find(({ revision }) => revision === name)?.packets ?? [];

/** A client that has read the vectors' initialisation. */
function newDecoder(revision: MaskRevision): PlayerInfoDecoder {
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
  decoder.init(parseHex(initHex), localIndex);
  return decoder;
}

function said({ masks }: PlayerInfoUpdate, revision: MaskRevision): JsonObject {
  const entries = masks.map(({ index, blocks }): [number, JsonObject] => {
    const fields = Object.entries(blocks).map(([name, value]): [string, JsonValue] => [
      name,
      blockToJson(blockNamed(revision, name), value),
    ]);
    return [index, Object.fromEntries(fields)];
  });
  return Object.fromEntries(entries);
}

function placesOf(decoder: PlayerInfoDecoder): JsonObject {
  const { level, x, z } = decoder;
  const rows = Array.from(decoder.locals, (index) => [index, [level[index], x[index], z[index]]] as const);
  return Object.fromEntries(rows) as JsonObject;
}

/** Those that are played in random worlds too. */
const playedRevisions = sampled(knownRevisions, 5);

it("the vectors have every revision from 223 on", () => {
  expect(vectors.revisions.map(({ revision }) => revision)).toEqual(
    knownRevisions.map(({ name }) => name).filter((name) => name !== "206"),
  );
});

describe.each(
  knownRevisions.filter(({ name }) => name !== "206").map((revision) => [revision.name, revision] as const),
)("revision %s", (name, revision) => {
  const packets = packetsOf(name);

  it("reads packets with all of its blocks as a program of the sources' calls wrote them", () => {
    const decoder = newDecoder(revision);
    for (const { hex, players, masks } of packets) {
      const packet = parseHex(hex);
      const tracer = new Tracer();
      const update = decoder.decode(packet, tracer);
      expect(tilingFault(tracer.fields, packet.length)).toBeUndefined();
      expect(said(update, revision)).toEqual(masks);
      expect(placesOf(decoder)).toEqual(players);
      expect(update.wouldCrash).toEqual([]);
    }
    const blocks = revision.blocks.filter(({ source }) => source === undefined).map((block) => block.name);
    expect(Object.keys(packets[1]?.masks[localIndex] ?? {}).sort()).toEqual(blocks.sort());
  });

  it("writes the same packets", () => {
    const engine = new PlayerInfoEngine({ dialect: "client", revision });
    let before: readonly string[] = [];
    for (const { hex, players, masks } of packets) {
      const present = Object.entries(players as Record<string, [number, number, number]>);
      if (before.length === 0) {
        const [level, x, z] = players[localIndex] as [number, number, number];
        engine.add(localIndex, { level, x, z });
        expect(formatHex(engine.observe(localIndex), { separator: "" })).toBe(initHex);
        before = [String(localIndex)];
      }
      for (const [index, [level, x, z]] of present) {
        if (!before.includes(index)) engine.add(Number(index), { level, x, z });
      }
      before = present.map(([index]) => index);
      for (const [index, blocks] of Object.entries(masks)) {
        for (const [block, fields] of Object.entries(blocks)) {
          engine.setBlock(Number(index), block, blockFromJson(blockNamed(revision, block), fields));
        }
      }
      engine.tick();
      expect(formatHex(engine.packet(localIndex), { separator: "" })).toBe(hex);
    }
  });

  it("is told apart from the others by a packet with all of its blocks", () => {
    const decoder = newDecoder(revision);
    const [first, second] = packets.map(({ hex }) => parseHex(hex));
    decoder.decode(first as Uint8Array);
    const fits = decoder.fits(second as Uint8Array, knownRevisions).filter(({ error }) => error === undefined);
    expect(fits.map((fit) => fit.revision.name)).toEqual([name]);
  });

  it.runIf(playedRevisions.includes(revision))("is read as it was written in random worlds, by both engines", () => {
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
    for (let tick = 0; tick < scaled(100, 3); tick++) world.tick();
    expect((world.engine as TwinEngine).compared).toBe(world.packets);
  });

  it("is a revision like any other", () => {
    expect(parseMaskRevision(JSON.parse(JSON.stringify(maskRevisionJson(revision))))).toEqual(revision);
  });
});

/** Flags without a block, and flags of a block that no source describes (standard 6.1). */
const flagsAlone: readonly [revision: string, alone: number, refused: readonly number[]][] = [
  ["223", 0x400, []],
  ["224", 0x4000, []],
  ["225", 0x1000, [0x4]],
  ["226", 0x200, [0x8]],
  ["227", 0x4000, [0x8]],
  ["228", 0x2000, [0x20]],
  ["229", 0x4000, [0x20]],
  ["230", 0x200, [0x1]],
  ["231", 0x100, [0x20]],
  ["232", 0x100, [0x8]],
  ["233", 0x8000, [0x80]],
  ["234", 0x8000, [0x1]],
  ["235", 0x8000, [0x2]],
  ["236", 0x8000, [0x8]],
  ["237", 0x400, [0x1]],
  ["238", 0x200, [0x80]],
  ["239", 0x8000, [0x80]],
  ["240", 0x100, [0x2]],
  ["241", 0x200, [0x1]],
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
    const { engine, decoder } = start(revision);
    for (const flag of [...unknown, alone]) {
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

it("of two blocks that say what is faced, the one that the client reads last counts", () => {
  const revision = namedRevisions[238] as MaskRevision;
  const names = revision.blocks.map(({ name }) => name);
  expect(names.indexOf("facing")).toBeLessThan(names.indexOf("faceEntity"));
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
  const engine = new PlayerInfoEngine({ dialect: "client", revision });
  engine.add(1, { level: 0, x: 3200, z: 3200 });
  decoder.init(engine.observe(1), 1);
  engine.setBlock(1, "facing", { flags: 0, entityType: 1, index: 7, fallbackAngle: 0 });
  engine.setBlock(1, "faceEntity", { target: 9, targetHigh: 0 });
  engine.tick();
  decoder.decode(engine.packet(1));
  expect(decoder.player(1)).toMatchObject({ interacting: 9 });
});
