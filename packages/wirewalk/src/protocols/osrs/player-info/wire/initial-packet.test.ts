import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import {
  BitWriter,
  ByteReader,
  decode,
  describeNode,
  encode,
  Tracer,
  tilingFault,
  traceInto,
} from "../../../../wire/index.ts";
import { PLAYER_SLOTS, packQuarter } from "./constants.ts";
import { PlayerInfoDecoder } from "./decoder.ts";
import { INIT_BYTES, initialPacket, initialQuarter } from "./initial-packet.ts";
import { playerInfoLayouts } from "./message.ts";

const random = createRandom(8);
const tile = { level: 3, x: 3222, z: 16_383 };
const places = Array.from({ length: PLAYER_SLOTS - 2 }, () => ({
  level: random.integer(0, 3),
  x: random.integer(0, 255),
  z: random.integer(0, 255),
}));
const quarters = places.map(({ level, x, z }) => initialQuarter(packQuarter(level, x, z)));
const bytes = encode(initialPacket, { ...tile, quarters });

describe("the initial packet", () => {
  it("is 30 bits of the observer and 18 bits for each of 2046 slots, as the standard counts them", () => {
    const bits = new BitWriter(4608);
    bits.write(2, tile.level);
    bits.write(14, tile.x);
    bits.write(14, tile.z);
    for (const { level, x, z } of places) {
      bits.write(2, level);
      bits.write(8, x);
      bits.write(8, z);
    }
    expect(INIT_BYTES).toBe(4608);
    expect(bytes).toEqual(bits.toBytes());
    expect(decode(initialPacket, bytes)).toEqual({ ...tile, quarters });
  });

  it("gives every slot but the observer's its quarter, whichever that is, and ignores the padding", () => {
    const padded = bytes.slice();
    padded[INIT_BYTES - 1] = (padded[INIT_BYTES - 1] as number) | 0x3f;
    for (const observer of [1, 2, 1000, PLAYER_SLOTS - 1]) {
      const decoder = new PlayerInfoDecoder({ dialect: "client" });
      decoder.init(padded, observer);
      expect(decoder.player(observer)).toMatchObject(tile);
      const others = Array.from({ length: PLAYER_SLOTS - 1 }, (_, at) => at + 1).filter((index) => index !== observer);
      const found = others.map((index) => decoder.quarters[index]);
      expect(found).toEqual(places.map(({ level, x, z }) => packQuarter(level, x, z)));
    }
  });

  it("is traced under the players' names when the observer is known, and folded in a payload alone", () => {
    const tracer = new Tracer();
    new PlayerInfoDecoder({ dialect: "client" }).init(bytes, 2, tracer);
    const names = tracer.fields.map(({ path }) => path);
    expect(names.slice(0, 5)).toEqual([
      "player[2].level",
      "player[2].x",
      "player[2].z",
      "player[1].quarter",
      "player[3].quarter",
    ]);
    expect(names.slice(-2)).toEqual(["player[2047].quarter", "padding"]);
    const [first] = places;
    expect(tracer.fields[3]?.shown).toBe(`level ${first?.level}, ${first?.x}, ${first?.z}`);
    expect(tilingFault(tracer.fields, INIT_BYTES)).toBeUndefined();

    const folded = new Tracer();
    traceInto(playerInfoLayouts.playerInfoInit, new ByteReader(bytes), folded, "");
    expect(folded.fields.map(({ path }) => path)).toEqual(["level", "x", "z", "quarters", "padding"]);
    expect(tilingFault(folded.fields, INIT_BYTES)).toBeUndefined();
  });

  it("is a table of the bytes and of what is in them", () => {
    const rows = describeNode(playerInfoLayouts.playerInfoInit.node);
    expect(rows.map(({ path, size }) => `${path}: ${size}`)).toEqual([
      "bytes: 4608 bytes",
      "level: 2 bits",
      "x: 14 bits",
      "z: 14 bits",
      "quarters: 36828 bits",
    ]);
  });
});
