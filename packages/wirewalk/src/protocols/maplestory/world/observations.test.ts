import { beforeEach, describe, expect, it } from "vitest";
import { formatHex } from "../../../wire/index.ts";
import { type MapleEffect, start, TestWorld, walk } from "../testing/test-world.ts";
import { mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import type { ShownMonster } from "./observations.ts";

const codec = mapleCodec("v62");
let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

describe("spectators", () => {
  type Shown = Extract<MapleEffect, { effect: "observe" }>;
  const shown = (effects: readonly MapleEffect[]): readonly Shown[] =>
    effects.filter((effect): effect is Shown => effect.effect === "observe");

  it("receive each relayed path in the bytes of the relay", () => {
    world.logIn(3);
    world.logIn(4);
    world.nowMs = 600;
    const message = walk(start, -440);
    const client = formatHex(codec.write("client", message), { separator: "" });
    expect(shown(world.send(3, message))).toEqual([
      {
        effect: "observe",
        player: 3,
        room: "1",
        what: "path",
        data: { actor: "player", id: 103, packetBytes: client.length / 2, path: client.slice(6, 6 + 2 * (5 + 14)) },
      },
    ]);
    expect(shown(world.send(3, walk(start, 0, { fragments: [] })))).toEqual([]);
    world.setHidden(3, true, world.nowMs);
    world.takeEffects();
    world.nowMs = 1200;
    expect(shown(world.send(3, walk({ x: -440, y: 300 }, -400)))).toEqual([]);
  });

  it("receive a limited share of one player each second", () => {
    world.logIn(3);
    world.nowMs = 600;
    const fragments = Array.from({ length: 255 }, () => Fragment.of("instant", { type: 3, ...start, foothold: 1 }));
    const long = walk(start, 0, { fragments });
    // 2,555 bytes each: three are within 8 KiB.
    const count = [1, 2, 3, 4, 5].map(() => shown(world.send(3, long)).length);
    expect(count).toEqual([1, 1, 1, 0, 0]);
    world.nowMs = 1600;
    expect(shown(world.send(3, long))).toHaveLength(1);
  });

  it("receive once a second where the monsters are and who controls them", () => {
    world.logIn(3);
    const received: Shown[] = [];
    for (world.nowMs = 100; world.nowMs <= 3000; world.nowMs += 100) {
      world.tick(world.nowMs);
      received.push(...shown(world.takeEffects()));
    }
    expect(received).toHaveLength(3);
    expect(received[0]).toMatchObject({ room: "1", what: "monsters" });
    const monsters = received[0]?.data.monsters as unknown as readonly ShownMonster[] | undefined;
    expect(monsters).toHaveLength(12);
    expect(monsters?.[0]).toEqual({ mobId: 1_000_001, template: 100_100, x: -350, y: 190, state: 4, controller: 3 });
    world.leave(3, world.nowMs);
    world.takeEffects();
    world.tick(world.nowMs + 1000);
    expect(shown(world.takeEffects())).toEqual([]);
  });
});
