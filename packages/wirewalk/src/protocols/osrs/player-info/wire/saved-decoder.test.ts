import { describe, expect, it, test } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { scaled } from "../../../../testing/scale.ts";
import { digestOf, findUnplain } from "../../../world-kit/index.ts";
import { RandomWorld } from "../testing/random-world.ts";
import { OLD_QUARTER_MASK, PlayerInfoDecoder, type SavedDecoder } from "./decoder.ts";
import { playerInfoDialects } from "./dialect.ts";
import { PlayerInfoEngine } from "./engine/engine.ts";
import { revision206 } from "./masks/revision-206.ts";

describe.each(playerInfoDialects)("a decoder that was saved and restored ($name)", ({ name: dialect }) => {
  it("goes on as the one that was not: packets, refusals, initialisations, and what it has saved", () => {
    const random = createRandom(6);
    const world = new RandomWorld({
      random: random.fork(),
      dialect,
      revision: revision206,
      players: 60,
      observers: 4,
      side: 40,
      viewDistance: 15,
      maxLocals: 250,
      activity: 0.6,
      talk: 0.4,
      talkLength: 10,
    });
    const twins = new Map<
      number,
      { readonly decoder: PlayerInfoDecoder; readonly of: object; readonly inits: number }
    >();
    let spare = new PlayerInfoDecoder({ dialect, revision: revision206 });
    let compared = 0;
    for (let tick = 0; tick < scaled(300, 50); tick++) {
      world.tick();
      for (const [observer, shadow] of world.observers) {
        const { decoder, inits } = shadow;
        const known = twins.get(observer);
        // A player who joined or connected again has read an initialisation in between.
        const twin = known?.of === shadow && known.inits === inits ? known.decoder : undefined;
        if (twin !== undefined) {
          const packet = world.engine.packet(observer).slice();
          // A refused packet changes nothing.
          const damaged = packet.slice();
          damaged[random.integer(0, damaged.length - 1)] = 0xff;
          const before = twin.save();
          try {
            twin.decode(damaged);
            twin.restore(before);
          } catch {
            expect(digestOf(twin.save())).toBe(digestOf(before));
          }
          twin.decode(packet);
          expect(digestOf(twin.save())).toBe(digestOf(decoder.save()));
          expect(twin.locals).toEqual(decoder.locals);
          compared += 1;
        }
        if (twin !== undefined && !random.chance(0.2)) continue;
        const saved = decoder.save();
        expect(findUnplain(saved)).toBeUndefined();
        // Into a decoder that has read other packets.
        const next: PlayerInfoDecoder = spare;
        next.restore(structuredClone(saved));
        expect(next.player(observer)).toEqual(decoder.player(observer));
        spare = twin ?? new PlayerInfoDecoder({ dialect, revision: revision206 });
        twins.set(observer, { decoder: next, of: shadow, inits });
      }
    }
    expect(compared).toBeGreaterThan(40);
  });
});

describe("a saved decoder", () => {
  const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
  engine.add(5, { level: 0, x: 3200, z: 3201 });
  decoder.init(engine.observe(5), 5);
  engine.setBlock(5, "appearance", { data: new Uint8Array(31).fill(1) });
  engine.tick();
  decoder.decode(engine.packet(5));
  const saved = decoder.save();

  it("shares nothing with the decoder", () => {
    const copy = structuredClone(saved);
    engine.setBlock(5, "appearance", { data: new Uint8Array(31).fill(3) });
    engine.move(5, 3201, 3201);
    engine.tick();
    decoder.decode(engine.packet(5));
    expect(saved).toEqual(copy);
  });

  it("is refused by a decoder with other options", () => {
    const revision = revision206;
    expect(() => new PlayerInfoDecoder({ dialect: "documented", revision }).restore(saved)).toThrow(
      'Cannot restore: decoder.dialect "client", expected "documented"',
    );
    expect(() => new PlayerInfoDecoder({ dialect: "client" }).restore(saved)).toThrow(
      'Cannot restore: decoder.revision "206", expected "none"',
    );
    const old = new PlayerInfoDecoder({ dialect: "client", revision, initQuarterMask: OLD_QUARTER_MASK });
    expect(() => old.restore(saved)).toThrow("Cannot restore: decoder.initQuarterMask 255, expected 597");
  });

  type Memory = { -readonly [K in keyof SavedDecoder["memory"]]: SavedDecoder["memory"][K] };
  test.each<[string, (memory: Memory) => void]>([
    ["decoder.memory.x must be 2048 words", (memory) => (memory.x = new Int32Array(5))],
    ["decoder.memory.level must be 2048 of Int8Array", (memory) => Object.assign(memory, { level: memory.flags })],
    ["decoder.memory is not what a client can know", (memory) => (memory.localIndex = 6)],
    ["decoder.memory is not what a client can know", (memory) => (memory.x[5] = 16_384)],
    ["decoder.memory is not what a client can know", (memory) => (memory.flags[9] = 2)],
    [
      "decoder.memory.appearances[0][0] must be an integer in 1..2047, got 0",
      (memory) => (memory.appearances = [[0, new Uint8Array(1)]]),
    ],
    ["decoder.memory.more is unknown", (memory) => Object.assign(memory, { more: 1 })],
  ])("that is wrong is refused, and nothing has changed: %s", (message, change) => {
    const other = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
    const before = digestOf(other.save());
    const wrong = structuredClone(saved);
    change(wrong.memory);
    expect(() => other.restore(wrong)).toThrow(`Cannot restore: ${message}`);
    expect(digestOf(other.save())).toBe(before);
  });
});
