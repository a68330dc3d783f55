/** Packets of a revision whose mask blocks are not known: positions are exact, and masks are counted. */
import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../../inspect/index.ts";
import { createRandom } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { type JsonObject, parseHex, Tracer, tilingFault, type WireError } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { PacketStream, StreamSetup } from "../../packet-stream.ts";
import { osrs } from "../osrs.ts";
import { maskRevisions } from "../wire/revisions.ts";
import { someFields } from "./testing/random-fields.ts";
import { PlayerInfoDecoder } from "./wire/decoder.ts";
import { PlayerInfoEngine } from "./wire/engine/engine.ts";
import type { MaskRevision } from "./wire/masks/mask-revision.ts";
import { knownRevisions, namedRevisions } from "./wire/masks/named-revisions.ts";
import { maskRevisionJson, parseMaskRevision } from "./wire/masks/parse-mask-revision.ts";

const positions = namedRevisions.positions as MaskRevision;
const decoderOf = (revision: MaskRevision, dialect = "client"): PlayerInfoDecoder =>
  new PlayerInfoDecoder({ dialect, revision });

/** What a decoder knows of where everybody is. */
function whereIn({ locals, flags, x, z, level, quarters, local }: PlayerInfoDecoder): object {
  const tiles = Array.from(locals, (index) => [index, level[index], x[index], z[index]]);
  const out = Array.from(quarters).map((quarter, index) => (local[index] === 1 ? -1 : quarter));
  return { tiles, quarters: out, flags: Array.from(flags) };
}

/** Observer 5 alone; its first packet, which says nothing, is read. */
function start(): PlayerInfoDecoder {
  const engine = new PlayerInfoEngine({ dialect: "client" });
  engine.add(5, { level: 0, x: 3200, z: 3201 });
  const decoder = decoderOf(positions);
  decoder.init(engine.observe(5), 5);
  engine.tick();
  decoder.decode(engine.packet(5));
  return decoder;
}

const stream = osrs.streams["player-info"] as PacketStream;
const setup = (options: StreamSetup["options"]): StreamSetup => ({
  dialect: "client",
  sender: "server",
  framed: false,
  options,
});
function print([result]: readonly LineResult[]): Record<string, unknown> {
  if (result === undefined || "error" in result) throw result?.error ?? new Error("no answer");
  return "json" in result ? result.json : JSON.parse(result.text);
}
const initHex = `0c803204${"00".repeat(4604)}`;

describe("positions only", () => {
  it.each(["client", "documented"])(
    "knows where everybody is in packets of every revision, in dialect %s",
    (dialect) => {
      for (const revision of knownRevisions) {
        const random = createRandom(Number(revision.name));
        const engine = new PlayerInfoEngine({ dialect, revision });
        const [real, blind] = [decoderOf(revision, dialect), decoderOf(positions, dialect)];
        const players = [5, 9, 700, 2047];
        const tiles = new Map(
          players.map((index) => [index, { level: 0, x: 8180 + (index % 7), z: 3200 + (index % 5) }]),
        );
        for (const [index, tile] of tiles) engine.add(index, tile);
        const init = engine.observe(5);
        for (const decoder of [real, blind]) decoder.init(init, 5);
        let unreadBytes = 0;
        for (let tick = 0; tick < scaled(300, 10); tick++) {
          for (const [index, tile] of tiles) {
            if (random.chance(0.6)) {
              tile.x += random.integer(-2, 2);
              tile.z += random.integer(-2, 2);
              engine.move(index, tile.x, tile.z);
            } else if (random.chance(0.1)) {
              tile.level = random.integer(0, 3);
              tile.x += random.integer(-20, 20);
              engine.teleport(index, tile);
            }
            if (random.chance(0.4)) {
              const block = random.pick(revision.blocks);
              try {
                engine.setBlock(index, block.name, someFields(random, block, 6));
              } catch {
                // Some values are such that the client could not survive them.
              }
            }
          }
          engine.tick();
          const packet = engine.packet(5);
          const known = real.decode(packet);
          const tracer = new Tracer();
          const { moves, masks, unread, added, removed, passBits, maskBits } = blind.decode(packet, tracer);
          expect(whereIn(blind)).toEqual(whereIn(real));
          expect({ added, removed, passBits, maskBits }).toEqual({
            added: known.added,
            removed: known.removed,
            passBits: known.passBits,
            maskBits: known.maskBits,
          });
          expect(moves.map(({ index, type, x, z }) => [index, type, x, z])).toEqual(
            known.moves.map(({ index, type, x, z }) => [index, type, x, z]),
          );
          const pending = known.masks.map(({ index }) => index);
          expect(unread).toEqual(pending.length === 0 ? undefined : { players: pending, bytes: maskBits / 8 });
          expect(masks).toEqual(pending.map((index) => ({ index, blocks: {} })));
          expect(tilingFault(tracer.fields, packet.length)).toBeUndefined();
          unreadBytes += unread?.bytes ?? 0;
        }
        expect(unreadBytes).toBeGreaterThan(20);
      }
    },
  );

  it.each<[string, string, Partial<WireError>]>([
    ["fewer bytes of masks than players", "c07ff4", { code: "truncated", message: expect.stringContaining("0 bytes") }],
    ["bytes that belong to nobody", "007ff400", { code: "trailing" }],
    ["an observer that is removed", "80", { code: "bad-value" }],
    ["a skip over the end of a pass", "007ff8", { code: "bad-length" }],
    ["passes that are cut", "c0", { code: "truncated" }],
  ])("refuses %s, and changes nothing", (_, hex, refusal) => {
    const decoder = start();
    const before = whereIn(decoder);
    expect(wireErrorOf(() => decoder.decode(parseHex(hex)))).toMatchObject(refusal);
    expect(whereIn(decoder)).toEqual(before);
  });

  it("says in lines whose masks were not read, and how many bytes they have", () => {
    const decoder = decodeLines(stream, setup({ revision: "positions" }));
    decoder.line(JSON.stringify({ localIndex: 5, initHex }));
    const players = { 5: [0, 3200, 3201] };
    expect(print(decoder.line('{"hex":"c07ff4ffaabb"}'))).toEqual({
      players,
      unread: { players: [5], bytes: 3 },
      passBits: [4, 0, 0, 14],
    });
    expect(print(decoder.line('{"hex":"007ff4"}'))).toEqual({ players, masks: {}, passBits: [3, 0, 14, 0] });
    const [part] = traceStream(stream, parseHex("c07ff4ffaabb"), setup({ local: "5", revision: "positions" }));
    expect(part?.fields.at(-1)).toMatchObject({ path: "masks.unread", raw: "ffaabb", shown: "of 5", bitLength: 24 });
  });

  it("writes no masks, and refuses a line whose masks were not read", () => {
    const encoder = encodeLines(stream, setup({ revision: "positions" }));
    const players = { 5: [0, 3200, 3201] };
    encoder.line(JSON.stringify({ observers: [5], players }));
    expect(print(encoder.line(JSON.stringify({ players })))).toEqual({ packets: { 5: "007ff4" } });
    const refusal = encoder.line(JSON.stringify({ players, unread: { players: [5], bytes: 3 } }))[0];
    expect(refusal).toMatchObject({ error: { path: "unread", message: expect.stringContaining("cannot be written") } });
    const [blocks] = encoder.line(JSON.stringify({ players, masks: { 5: { say: { text: "x" } } } }));
    expect(blocks).toMatchObject({ error: { path: "masks.5.say" } });
  });

  it("is not among the revisions that are tried, and no value of the setting", () => {
    const decoder = decodeLines(stream, setup({ revision: "all" }));
    decoder.line(JSON.stringify({ localIndex: 5, initHex }));
    expect(print(decoder.line('{"hex":"007ff4"}')).fits).toEqual(knownRevisions.map(({ name }) => name));
    expect([...maskRevisions.keys()]).toEqual([...knownRevisions.map(({ name }) => Number(name)), 0]);
  });

  it("is a revision as JSON, with the name of one that is not known", () => {
    const json = { name: "242", extensions: [], blocks: [], unread: true };
    expect(maskRevisionJson(parseMaskRevision(json))).toEqual(json);
    expect(maskRevisionJson(parseMaskRevision(maskRevisionJson(positions)))).toEqual(maskRevisionJson(positions));
    expect(parseMaskRevision(json)).toMatchObject({ name: "242", unread: true });
    const wrong = (more: JsonObject) => () => parseMaskRevision({ ...json, ...more });
    expect(wrong({ unread: false })).toThrow("Cannot read unread: it must be true");
    expect(wrong({ extensions: [0x80] })).toThrow(
      "Cannot read extensions: flags that are unread have no extension bit",
    );
    expect(wrong({ blocks: [{}] })).toThrow("Cannot read blocks: masks that are unread have no blocks");
  });

  it("goes on from a saved decoder, and from the state of a client", () => {
    const decoder = start();
    decoder.decode(parseHex("c07ff4ff"));
    const again = decoderOf(positions);
    again.restore(decoder.save());
    expect(whereIn(again)).toEqual(whereIn(decoder));
    const engine = new PlayerInfoEngine({ dialect: "client", revision: positions });
    engine.add(5, { level: 0, x: 3200, z: 3201 });
    engine.observe(5);
    const late = PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(engine.clientState(5))));
    engine.move(5, 3201, 3201);
    engine.tick();
    expect(late.decode(engine.packet(5)).moves).toMatchObject([{ index: 5, type: "walk", x: 3201 }]);
    expect(late.revision).toBe(positions);
  });
});
