import { expect, test } from "vitest";
import {
  type MaskFields,
  type MaskRevision,
  namedRevisions,
  PlayerInfoDecoder,
  PlayerInfoEngine,
  revision206,
} from "wirewalk/osrs/player-info";
import { FollowedWorld } from "../testing/followed-world.ts";
import { Looks, lookWords } from "./looks.ts";
import { ObservedClient } from "./observed-client.ts";

/** Player 1 sees player 2. `send` ticks, with blocks of player 2. */
function pair(revision: MaskRevision) {
  const engine = new PlayerInfoEngine({ dialect: "client", revision });
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
  engine.add(1, { level: 0, x: 3200, z: 3200 });
  engine.add(2, { level: 0, x: 3201, z: 3200 });
  decoder.init(engine.observe(1), 1);
  const looks = new Looks(decoder);
  const send = (blocks: Readonly<Record<string, MaskFields>> = {}): void => {
    for (const [name, fields] of Object.entries(blocks)) engine.setBlock(2, name, fields);
    engine.tick();
    looks.take(decoder.decode(engine.packet(1)));
  };
  const wait = (cycles: number): void => {
    for (let cycle = 0; cycle < cycles; cycle++) looks.cycle();
  };
  send();
  return { engine, looks, send, wait, words: () => lookWords(looks.of(2) ?? expect.fail("out of view")) };
}

test("revision 206: hits for 70 cycles, a bar on its way, an animation after its delay, a tint, and whom it looks at", () => {
  const { looks, send, wait, words } = pair(revision206);
  expect(words()).toEqual([]);
  send({
    hits: {
      hits: [{ type: 16, value: 7, delay: 0 }, { type: 12, value: 0, delay: 30 }, { delay: 3 }],
      bars: [{ id: 0, endTime: 100, startTime: 0, startFill: 255, endFill: 51 }],
    },
    sequence: { id: 855, delay: 10 },
    spotAnimation: { id: 86, heightDelay: (92 << 16) | 20 },
    tinting: { start: 0, end: 30, hue: 32, saturation: 7, luminance: 64, weight: 64 },
    faceEntity: { target: 0x8000 + 1 },
  });
  expect(words()).toEqual(["−7", "100 % left", "tinted", "looks at 1"]);
  expect(looks.of(2)?.tint).toMatchObject({ hue: 0.5, saturation: 1, weight: 0.5 });
  wait(50);
  expect(words()).toEqual(["−7", "missed", "60 % left", "animation 855", "spot animation 86", "looks at 1"]);
  wait(50);
  expect(words()).toEqual(["20 % left", "looks at 1"]);
  send({ hits: { hits: [], bars: [{ id: 0, endTime: 32_767 }] }, faceEntity: { target: 0xffff } });
  expect(words()).toEqual([]);
});

test("revision 240: the same from other blocks, and more", () => {
  const { looks, send, words } = pair(namedRevisions[240] as MaskRevision);
  send({
    hitmarks: { hits: [{ type: 16, value: 7, delay: 0, limit: 4 }] },
    headBars: { bars: [{ id: 0, endTime: 0, startTime: 0, startFill: 51 }] },
    facing: { flags: 0, entityType: 2, index: 1, fallbackAngle: 0 },
    freeze: { delay: 0, duration: 60, cancelSequence: 0 },
    transparency: { start: 0, end: 30, from: 0, to: 51, useFrom: 1 },
    oldSpotAnimations: { animations: [{ slot: 0, id: 9, heightDelay: 0 }] },
  });
  expect(words()).toEqual(["−7", "20 % left", "spot animation 9", "frozen", "looks at 1"]);
  expect(looks.of(2)?.transparency).toBe(0.2);
  send({ facing: { flags: 3 << 3 }, oldSpotAnimations: { animations: [{ slot: 0, id: 65_535, heightDelay: 0 }] } });
  expect(words()).toEqual(["−7", "20 % left", "frozen"]);
});

test("an appearance that cannot be read is nobody in particular, and who is gone has no look", () => {
  const { engine, looks, send } = pair(revision206);
  const data = new Uint8Array(31).fill(0xff);
  send({ appearance: { data } });
  expect(looks.of(2)).toMatchObject({ wears: undefined, name: undefined });
  send({ sequence: { id: 1, delay: 0 } });
  engine.remove(2);
  send();
  expect(looks.of(2)).toBeUndefined();
  engine.add(2, { level: 0, x: 3201, z: 3200 });
  send();
  expect(looks.of(2)?.animation).toBeUndefined();
});

test("the world's players wear outfits and names, and everything is shown within some ticks", () => {
  const world = new FollowedWorld(60);
  const client = new ObservedClient();
  world.follow(3);
  const outfits = new Set<string>();
  const kinds = new Set<string>();
  for (let tick = 0; tick < 120; tick++) {
    for (const observed of world.takeObserved()) client.apply(observed);
    for (let cycle = 0; cycle < 20; cycle++) client.cycle();
    for (const index of client.decoder?.locals ?? []) {
      const look = client.looks?.of(index) ?? expect.fail("in view, and has no look");
      expect(look.name).toMatch(/p\d+$/);
      outfits.add(look.wears?.places.join() ?? "");
      for (const word of lookWords(look)) kinds.add(word.replaceAll(/[\d.]+|“.*”/g, "n"));
    }
    world.tick();
  }
  expect(outfits.size).toBeGreaterThan(3);
  const all = ["animation n", "looks at n", "missed", "n", "n % left", "spot animation n", "tinted", "−n"];
  expect([...kinds].sort()).toEqual(expect.arrayContaining(all));
});
