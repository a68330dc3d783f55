/** What revision 206 cannot survive (standard 6.7), against a model of that client which shares no code with ours. */
import { describe, expect, it } from "vitest";
import { parseHex, prefixedBytes, u8, windows1252String } from "../../../../../wire/index.ts";
import { SecondClient } from "../../testing/second-client.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { PlayerInfoEngine } from "../engine/engine.ts";
import type { PlayerInfoUpdate } from "../player-info-update.ts";
import type { MaskFields } from "./mask-revision.ts";
import { parseMaskRevision } from "./parse-mask-revision.ts";
import { revision206 } from "./revision-206.ts";

const look = (byte: number): MaskFields => ({ data: new Uint8Array(31).fill(byte) });
const NO_NAME = "the client takes the name from the appearance, which it does not have";

/** An observer 5 and a player 6 beside it, in view; the decoder and the model have read that. */
function start(core: "auto" | "javascript" = "javascript") {
  const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206, core });
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
  const model = new SecondClient("client", "206");
  for (const index of [5, 6]) engine.add(index, { level: 0, x: 3200 + index, z: 3201 });
  const init = engine.observe(5);
  decoder.init(init, 5);
  model.init(init, 5);
  const tick = (): PlayerInfoUpdate => {
    engine.tick();
    model.read(engine.packet(5));
    expect(model.crashes).toEqual([]);
    return decoder.decode(engine.packet(5));
  };
  tick();
  return { engine, decoder, model, tick };
}

describe("packets that crash the client", () => {
  // Both were skipped by the last packet: pass 2 has 5 with a mask and skips 6, or the other way round; pass 3 skips the rest.
  const own = "c0 7f f0";
  const others = "18 7f f0";
  const LOOK = `10 1f ${"81 ".repeat(31)}`;
  it.each([
    ["a name that it does not have", own, "01 48 00", { index: 5, path: "say", reason: NO_NAME }],
    ["the same of another player", others, "01 7e 48 00", { index: 6, path: "say", reason: NO_NAME }],
    ["an appearance that comes after the text", own, `11 48 00 ${LOOK.slice(3)}`, { path: "say", reason: NO_NAME }],
    ["no text", others, "01 00", { path: "say.text", reason: "the client reads 1 character or more, got 0" }],
    ["a speed", others, "80 01 7d", { path: "moveSpeed.speed", reason: "the client knows -1 to 2, got 3" }],
    ["a kept stop", others, "80 01 01", { path: "moveSpeed.speed", reason: "the client knows -1 to 2, got 127" }],
    [
      "a temporary speed",
      others,
      "80 40 02",
      { path: "temporaryMoveSpeed.speed", reason: "the client knows -1 to 2 and 127, got 126" },
    ],
    ["an angle", others, "08 08 80", { path: "faceAngle.angle", reason: "the client knows 0 to 2047, got 2048" }],
    ["a short appearance", others, "10 01 81", { reason: "the client reads 31 bytes or more, got 1" }],
  ])("%s", (_, passes, masks, crash) => {
    const { decoder, model } = start();
    const packet = parseHex(`${passes} ${masks}`);
    model.read(packet);
    expect(model.crashes).toHaveLength(1);
    expect(decoder.decode(packet).wouldCrash).toMatchObject([crash]);
  });

  it.each([
    ["another player's text", others, "01 48 00"],
    ["a speed that it knows", others, "80 01 7e"],
    ["an angle that it knows", others, "08 07 7f"],
    ["an appearance", others, LOOK],
  ])("and those that do not: %s", (_, passes, masks) => {
    const { decoder, model } = start();
    const packet = parseHex(`${passes} ${masks}`);
    model.read(packet);
    expect(model.crashes).toEqual([]);
    expect(decoder.decode(packet).wouldCrash).toEqual([]);
  });
});

describe("an engine", () => {
  it.each<[string, MaskFields, string]>([
    ["say", { text: "" }, "Cannot write say.text: the client reads 1 character or more, got 0"],
    ["moveSpeed", { speed: 3 }, "Cannot write moveSpeed.speed: the client knows -1 to 2, got 3"],
    [
      "temporaryMoveSpeed",
      { speed: 9 },
      "Cannot write temporaryMoveSpeed.speed: the client knows -1 to 2 and 127, got 9",
    ],
    ["faceAngle", { angle: 2048 }, "Cannot write faceAngle.angle: the client knows 0 to 2047, got 2048"],
    [
      "appearance",
      { data: new Uint8Array(30) },
      "Cannot write appearance.data: the client reads 31 bytes or more, got 30",
    ],
  ])("refuses %s that the client cannot use, and sends nothing of it", (name, fields, message) => {
    const { engine, tick } = start();
    expect(() => engine.setBlock(6, name, fields)).toThrow(new RangeError(message));
    expect(tick().masks).toEqual([]);
  });

  describe.each(["javascript", "auto"] as const)("with core %s", (core) => {
    it("sends a text a tick after the first appearance that comes with it", () => {
      const { engine, tick } = start(core);
      engine.setBlock(5, "appearance", look(1));
      engine.setBlock(5, "say", { text: "Hello" });
      expect(tick().masks).toEqual([{ index: 5, blocks: { appearance: look(1) } }]);
      expect(tick().masks).toEqual([{ index: 5, blocks: { say: { text: "Hello" } } }]);
      expect(tick().masks).toEqual([]);
      // With another appearance it comes at once.
      engine.setBlock(5, "appearance", look(2));
      engine.setBlock(5, "say", { text: "Changed" });
      expect(tick().masks).toEqual([{ index: 5, blocks: { say: { text: "Changed" }, appearance: look(2) } }]);
    });

    it("keeps a text that waits when it is saved and restored", () => {
      const { engine, decoder, model } = start(core);
      engine.setBlock(5, "appearance", look(1));
      engine.setBlock(5, "say", { text: "Hello" });
      const copy = new PlayerInfoEngine({ dialect: "client", revision: revision206, core });
      copy.restore(structuredClone(engine.save()));
      copy.tick();
      decoder.decode(copy.packet(5));
      model.read(copy.packet(5));
      const third = new PlayerInfoEngine({ dialect: "client", revision: revision206, core });
      third.restore(structuredClone(copy.save()));
      third.tick();
      expect(decoder.decode(third.packet(5)).masks).toEqual([{ index: 5, blocks: { say: { text: "Hello" } } }]);
    });

    it("sends a text only to those who have the appearance", () => {
      const { engine, tick } = start(core);
      engine.setBlock(6, "appearance", look(1));
      tick();
      engine.add(7, { level: 0, x: 3203, z: 3203 });
      const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
      decoder.init(engine.observe(7), 7);
      engine.setBlock(6, "say", { text: "~Hi" });
      expect(tick().masks).toEqual([{ index: 6, blocks: { say: { text: "~Hi" } } }]);
      const { masks, wouldCrash } = decoder.decode(engine.packet(7));
      expect(wouldCrash).toEqual([]);
      expect(masks).toEqual([{ index: 6, blocks: { appearance: look(1) } }]);
    });

    it("drops a text of somebody without an appearance", () => {
      const { engine, tick } = start(core);
      engine.setBlock(6, "say", { text: "~Hi" });
      expect(tick().masks.flatMap(({ blocks }) => Object.keys(blocks))).toEqual([]);
      engine.setBlock(6, "appearance", look(1));
      expect(tick().masks).toEqual([{ index: 6, blocks: { appearance: look(1) } }]);
    });
  });
});

describe("a revision as data", () => {
  const text = { name: "text", node: windows1252String({ limit: 255 }).node };
  const look = { name: "data", node: prefixedBytes({ count: u8, limit: 255 }).node };
  const appearance = { name: "appearance", flag: 2, kept: "index", fields: [look] };
  const revision = (block: object): object => ({ name: "mine", extensions: [64], blocks: [block, appearance] });
  const say = {
    name: "say",
    flag: 1,
    needs: "appearance",
    fields: [text],
    clientNeeds: [{ field: "text", minLength: 1 }],
  };
  const number = { name: "n", node: u8.node };

  it("says what its client needs", () => {
    const { fields, ...rest } = say;
    expect(parseMaskRevision(revision(say)).blocks[0]).toEqual({ ...rest, node: { kind: "struct", fields } });
  });

  it.each<[string, object, string]>([
    ["no block", { ...say, needs: "hat" }, "Cannot read blocks[0].needs: it must name a block that is kept by index"],
    ["no name", { ...say, needs: 5 }, "Cannot read blocks[0].needs: it must be the name of a block"],
    ["a kept block", { ...say, kept: "player" }, "Cannot read blocks[0].needs: a block that is kept needs no other"],
    [
      "an invalid length",
      { ...say, clientNeeds: [{ field: "text", minLength: 300 }] },
      "Cannot read blocks[0].clientNeeds[0].minLength: it must be an integer in 0..255",
    ],
    [
      "an empty range",
      { ...say, fields: [number], clientNeeds: [{ field: "n", allowed: [[3, 2]] }] },
      "Cannot read blocks[0].clientNeeds[0].allowed[0]: it must be an integer, or [lowest, highest]",
    ],
    [
      "nothing allowed",
      { ...say, fields: [number], clientNeeds: [{ field: "n", allowed: [] }] },
      "Cannot read blocks[0].clientNeeds[0].allowed: it must allow a number",
    ],
    [
      "allowed characters",
      { ...say, clientNeeds: [{ field: "text", allowed: [1] }] },
      "Cannot read blocks[0].clientNeeds[0].allowed: only a number has such a need",
    ],
    [
      "the length of a number",
      { ...say, fields: [number], clientNeeds: [{ field: "n", minLength: 1 }] },
      "Cannot read blocks[0].clientNeeds[0].minLength: only text and bytes have such a need",
    ],
    [
      "an unknown field",
      { ...say, clientNeeds: [{ field: "texts", minLength: 1 }] },
      "Cannot read blocks[0].clientNeeds[0].field: it must name a field of the block",
    ],
    [
      "a need of nothing",
      { ...say, clientNeeds: [{ field: "text" }] },
      "Cannot read blocks[0].clientNeeds[0]: it must have allowed or minLength",
    ],
  ])("refuses %s", (_, block, message) => expect(() => parseMaskRevision(revision(block))).toThrow(message));
});
