import { beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { MapleBot } from "../bots/bot.ts";
import { demoMap } from "../maps/demo-maps.ts";
import { makeMap, portalKinds } from "../maps/map.ts";
import { type MapleMaps, mapleMapsOf } from "../maps/maple-maps.ts";
import { Character } from "../movement/character.ts";
import { nodesOf } from "../movement/nodes.ts";
import type { Keys } from "../movement/walker.ts";
import { yardMaps } from "../testing/made-yard.ts";
import { kinds, TestWorld } from "../testing/test-world.ts";
import { mapleDialects } from "../wire/dialect.ts";
import { documentedStances, Fragment, type FragmentFields } from "../wire/fragment.ts";
import { type ClaimedPlace, claimedPath } from "./claimed-path.ts";
import { mapleRuleDefaults } from "./limits.ts";

const { walk: walks, stand, jump, rope } = documentedStances;

const fragment = (x: number, y: number, durationMs: number, stance: number, vx = 0, vy = 0): Fragment =>
  Fragment.of("absolute", { type: 0, x, y, vx, vy, state: stance << 1, durationMs });
const push = (vx: number, vy: number): Fragment =>
  Fragment.of("relative", { type: 1, vx, vy, state: documentedStances.jump << 1 });
const instant = (x: number, y: number, stance: number = stand): Fragment =>
  Fragment.of("instant", { type: 4, x, y, state: stance << 1 });

describe("the path that fragments of documented claim", () => {
  const map = demoMap(1);
  const claim = (fragments: readonly FragmentFields[], before?: ClaimedPlace) =>
    claimedPath(nodesOf(fragments, "documented", undefined), before, { map, limits: mapleRuleDefaults });
  const places = ({ path }: ReturnType<typeof claim>) =>
    path.nodes.map(({ x, y, durationMs }) => [x, Math.round(y), Math.round(durationMs)]);

  it("leads from place to place; the time of the last fragment is for the next path", () => {
    const first = claim([fragment(0, 300, 200, walks, 125), fragment(25, 300, 300, walks, 125)]);
    expect(places(first)).toEqual([
      [0, 300, 0],
      [25, 300, 200],
      [25, 300, 0],
    ]);
    expect(first.last).toMatchObject({ x: 25, sinceMs: 300 });
    const second = claim([fragment(62, 300, 500, walks, 125)], first.last);
    expect(places(second)).toEqual([
      [62, 300, 300],
      [62, 300, 0],
    ]);
    expect(second).toMatchObject({ path: { start: { x: 25, y: 300 } }, last: { x: 62, sinceMs: 500 } });
  });

  it("has no extrapolated end, but before an instant", () => {
    const led = claim([fragment(0, 300, 200, walks, 125), instant(300, 300)]);
    expect(places(led)).toEqual([
      [0, 300, 0],
      [25, 300, 200],
      [300, 300, 0],
    ]);
    expect(led.last).toMatchObject({ x: 300, sinceMs: 0 });
    // The fragment before it was in the path before.
    const { last } = claim([fragment(0, 300, 200, walks, 125)]);
    const later = claimedPath(nodesOf([instant(300, 300)], "documented", undefined, { x: 25, y: 300 }), last, {
      map,
      limits: mapleRuleDefaults,
    });
    expect(places(later)).toEqual([
      [25, 300, 200],
      [300, 300, 0],
    ]);
  });

  it("has a velocity where the next fragment begins, and no place for one that none follows", () => {
    const jumps = claim([fragment(0, 300, 100, walks, 125), push(125, -555), fragment(13, 300, 50, jump, 125, -555)]);
    expect(places(jumps)).toEqual([
      [0, 300, 0],
      [13, 300, 100],
      [13, 300, 0],
      [13, 300, 0],
    ]);
    expect(jumps.path.nodes.map(({ impulse }) => impulse)).toEqual([false, false, true, false]);
    const pushed = claim([fragment(0, 300, 500, walks), push(0, -555)]);
    expect(pushed.last).toMatchObject({ x: 0, sinceMs: 500 });
  });

  it("goes over the highest point of a jump", () => {
    const { last } = claim([fragment(0, 300, 500, jump, 100, -500)]);
    // 250 ms up to 62.5 px above, and as long down again.
    expect(places(claim([fragment(50, 300, 30, stand)], last))).toEqual([
      [25, 238, 250],
      [50, 300, 250],
      [50, 300, 0],
    ]);
    // It falls at once: the velocity was that of a slope.
    expect(places(claim([fragment(50, 304, 30, jump)], last))).toEqual([
      [50, 304, 500],
      [50, 304, 0],
    ]);
  });

  it("stands on the foothold and hangs on the ladder that the map has there", () => {
    const [at, beside] = [-400, -360].map((x) => claim([fragment(x, 250, 30, rope)]).path.nodes[0]?.foothold);
    expect(at).toBe(-1);
    expect(map?.ladder(-(beside ?? 0))).toBeUndefined();
    const ground = map?.below(-500, 290);
    const [stood, fallen, flown] = [stand, jump, walks].map(
      (stance, index) => claim([fragment(-500, (ground?.y ?? 0) - (index === 2 ? 60 : 0), 30, stance)]).path.nodes[0],
    );
    expect(stood?.foothold).toBe(ground?.foothold.id);
    expect(fallen?.foothold).toBe(0);
    expect(map?.foothold(flown?.foothold ?? 0)).toBeUndefined();
  });
});

const level = (id: number, x1: number, x2: number, y: number, more: object = {}) => ({
  id,
  x1,
  y1: y,
  x2,
  y2: y,
  previous: 0,
  next: 0,
  ...more,
});
/**
 * Springs in a row whose reaches overlap, the strongest in the middle; a conveyor between two plain footholds; two pieces in one line; a pool
 * that ends above the ground; a ground whose next is a wall, and one that goes on from it nevertheless.
 */
const fair = mapleMapsOf("fair", [
  makeMap({
    mapId: 700,
    footholds: [
      level(1, -900, -300, 0, { next: 2 }),
      level(2, -300, -200, 0, { previous: 1, next: 3, force: 200 }),
      level(3, -200, 900, 0, { previous: 2 }),
      // Ends at a wall, but those of the other piece walk on.
      level(4, 100, 300, 0, { group: 1, next: 5 }),
      { id: 5, x1: 300, y1: 0, x2: 300, y2: -200, previous: 4, next: 0, group: 1 },
      level(6, -900, 0, 700, { next: 8 }),
      level(7, 0, 900, 700, { previous: 6 }),
      { id: 8, x1: 0, y1: 700, x2: 0, y2: 500, previous: 6, next: 0 },
    ],
    waters: [{ left: -800, right: -601, top: -200, bottom: -3 }],
    portals: [
      { id: 0, name: "sp", kind: portalKinds.start, x: -250, y: -20 },
      ...[600, 1700, 900].map((impactY, index) => ({
        id: index + 1,
        name: `up${index}`,
        kind: portalKinds.springOfOwn,
        x: 480 + index * 110,
        y: -20,
        impactX: 10,
        impactY,
      })),
    ],
  }),
  // A slope that ends in the air.
  makeMap({
    mapId: 701,
    footholds: [
      level(1, -400, 0, 0, { next: 2 }),
      { id: 2, x1: 0, y1: 0, x2: 60, y2: -63, previous: 1, next: 0 },
      level(3, -400, 600, 200),
    ],
    portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -200, y: -20 }],
  }),
]);

let world: TestWorld;
function join(maps: MapleMaps, mapId: number): void {
  world = new TestWorld({ dialect: "documented", maps, demo: false });
  world.join(3, { account: "3", name: "a", room: String(mapId) }, 0);
  world.nowMs = 3000;
  world.takeEffects();
}

/** A character of a set plays these keys, each for so many steps of 50 ms; what is found above benign. */
function plays(maps: MapleMaps, mapId: number, at: { x: number; y: number }, script: readonly [Keys, number][]) {
  const map = maps.map(mapId);
  if (map === undefined) throw new RangeError(`There is no map ${mapId}`);
  join(maps, mapId);
  const character = new Character({ dialect: "documented", map, at, fieldKey: 0 });
  const found: string[] = [];
  for (const [keys, steps] of script) {
    for (let step = 0; step < steps; step++) {
      world.nowMs += character.stepMs;
      const sent = character.step(keys);
      if (sent !== undefined) found.push(...kinds(world.send(3, sent)));
    }
  }
  return { found, body: character.body };
}

/** A player comes in and sends these paths; what is found, benign or not. */
function sends(maps: MapleMaps, mapId: number, ...paths: Fragment[][]): string[] {
  join(maps, mapId);
  return paths.flatMap((fragments) => kinds(sendPath(fragments)));
}

function sendPath(fragments: readonly Fragment[]) {
  world.nowMs += fragments.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const value = { head: new Uint8Array(5), fragments, tail: new Uint8Array(18) };
  return world.send(3, { message: "movePlayer", value });
}

const left: Keys = { left: true };
const right: Keys = { right: true };
const up: Keys = { up: true };

describe("an honest player of documented on a real map", () => {
  it("walks up a slope and off its end", () => {
    for (let x = -120; x < -100; x++) {
      const { found, body } = plays(fair, 701, { x, y: 0 }, [[right, 50]]);
      expect(found).toEqual([]);
      expect(body.y).toBe(200);
    }
  });

  it.each([52, 80, 110])("walks up a slope of %i on 60 and off its end to a near floor, either way", (rise) => {
    const slopes = mapleMapsOf("slopes", [
      makeMap({
        mapId: 702,
        footholds: [
          level(1, -400, 0, 0, { next: 2 }),
          { id: 2, x1: 0, y1: 0, x2: 60, y2: -rise, previous: 1, next: 0 },
          level(3, 600, 1000, 0, { previous: 4 }),
          { id: 4, x1: 540, y1: -rise, x2: 600, y2: 0, previous: 0, next: 3 },
          level(5, -600, 1200, 60),
        ],
        portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -200, y: -20 }],
      }),
    ]);
    for (let away = 80; away < 120; away++) {
      expect(plays(slopes, 702, { x: -away, y: 0 }, [[right, 60]])).toMatchObject({ found: [], body: { y: 60 } });
      expect(plays(slopes, 702, { x: 600 + away, y: 0 }, [[left, 60]])).toMatchObject({ found: [], body: { y: 60 } });
    }
  });

  it("stops at a wall, jumps against it, and gets over a block", () => {
    const { found, body } = plays(yardMaps, 500, { x: -60, y: 300 }, [
      [right, 40],
      [{ right: true, jump: true }, 30],
      [{}, 20],
    ]);
    expect(found).toEqual([]);
    expect(body.x).toBeLessThanOrEqual(0);
    expect(plays(yardMaps, 500, { x: 350, y: 200 }, [[right, 40]]).found).toEqual([]);
  });

  it("climbs a ladder, jumps off it, and drops through a platform", () => {
    const climbed = plays(yardMaps, 500, { x: -294, y: 300 }, [
      [up, 60],
      [{}, 10],
      [{ down: true, jump: true }, 1],
      [{}, 20],
    ]);
    expect(climbed.found).toEqual([]);
    const jumped = plays(yardMaps, 500, { x: -294, y: 300 }, [
      [up, 20],
      [{ left: true, jump: true }, 1],
      [left, 30],
    ]);
    expect(jumped.found).toEqual([]);
    expect(jumped.body).toMatchObject({ y: 300 });
  });

  it("walks over a conveyor within one fragment, and jumps from it", () => {
    for (const script of [
      [[right, 60]],
      [[left, 20]],
      [
        [right, 2],
        [{ right: true, jump: true }, 1],
        [right, 40],
      ],
    ]) {
      expect(plays(fair, 700, { x: -320, y: 0 }, script as [Keys, number][]).found).toEqual([]);
    }
  });

  it("walks past a wall of another piece that lies in the same line", () => {
    const { found, body } = plays(fair, 700, { x: 60, y: 0 }, [[right, 60]]);
    expect(found).toEqual([]);
    expect(body.x).toBeGreaterThan(350);
  });

  it("jumps out of the end of a pool", () => {
    for (let x = -640; x < -600; x += 2) {
      const { found } = plays(fair, 700, { x, y: 0 }, [
        [right, 3],
        [{ right: true, jump: true }, 1],
        [right, 20],
      ]);
      expect(found).toEqual([]);
    }
  });

  it("jumps from a ground that begins where another ends at a wall", () => {
    expect(
      sends(
        fair,
        700,
        [fragment(0, 700, 100, walks, 34), push(34, -555), fragment(0, 700, 400, jump, 34, -555)],
        [fragment(14, 638, 103, jump, 34, 245), fragment(17, 700, 397, stand)],
      ),
    ).toEqual([]);
  });

  it("lands on a platform and drops through it in the same moment", () => {
    const drop = Fragment.of("jumpDown", { type: 11, x: -300, y: 150, state: jump << 1 });
    expect(
      sends(
        yardMaps,
        500,
        [fragment(-300, 150, 100, stand), push(0, -555), fragment(-300, 150, 400, jump, 0, -555)],
        [fragment(-300, 88, 155, jump, 0, 245), drop, fragment(-300, 150, 345, jump)],
        [fragment(-300, 269, 42, jump, 0, 670), fragment(-300, 300, 458, stand)],
      ),
    ).toEqual([]);
  });

  it("is thrown by a strong spring beside weaker ones", () => {
    for (const x of [560, 420, 760]) {
      const { found } = plays(fair, 700, { x, y: 0 }, [
        [x < 590 ? right : left, 60],
        [{}, 60],
      ]);
      expect(found).toEqual([]);
    }
  });

  it("connects again while a spring has thrown it up", () => {
    const rise = [
      [fragment(590, -300, 100, jump, 0, -1500), fragment(590, -440, 400, jump, 0, -1300)],
      [fragment(590, -800, 400, jump, 0, -500)],
    ];
    expect(sends(fair, 700, ...rise)).toEqual([]);
    // Where the map has no spring, nothing has.
    expect(sends(fair, 701, ...rise)).toContain("flag flight");
  });

  it("falls out of the map, and is put back to where players enter", () => {
    const { found, body } = plays(yardMaps, 500, { x: 1250, y: 600 }, [[{}, 80]]);
    expect(found).toEqual([]);
    expect(body.x).toBe(-550);
  });

  const sets = [
    ...[500, 501, 502, 503].map((mapId) => [mapId, yardMaps] as const),
    ...[700, 701].map((mapId) => [mapId, fair] as const),
  ];
  it.each(mapleDialects.flatMap(({ name }) => sets.map(([mapId, maps]) => [name, mapId, maps] as const)))(
    "whatever it presses, in %s on map %i",
    (dialect, mapId, maps) => {
      for (let seed = 1; seed <= 2; seed++) {
        world = new TestWorld({ dialect, maps, demo: false, startMap: mapId });
        const bot = new MapleBot({ dialect, random: createRandom(seed), number: 0, cheat: "none", maps, room: mapId });
        world.join(3, { account: "3", name: "a", room: String(mapId) }, 0);
        let sent = 0;
        const found: string[] = [];
        const settle = (effects: ReturnType<typeof world.takeEffects>): void => {
          for (const effect of effects) {
            if (effect.effect === "verdict") found.push(`${effect.verdict.kind} ${effect.verdict.rule}`);
            if (effect.effect !== "send") continue;
            for (const answer of bot.receive(effect.message, world.nowMs)) settle(world.send(3, answer));
          }
        };
        settle(world.takeEffects());
        for (const message of bot.start(0)) settle(world.send(3, message));
        for (world.nowMs = 0; world.nowMs < 60_000; world.nowMs += 10) {
          for (const message of bot.step(world.nowMs)) {
            sent += 1;
            settle(world.send(3, message));
          }
        }
        expect(found.filter((kind) => !kind.startsWith("benign"))).toEqual([]);
        expect(sent).toBeGreaterThan(20);
      }
    },
  );
});

describe("a cheat of documented on a real map", () => {
  beforeEach(() => join(yardMaps, 500));

  function send(...fragments: Fragment[]): string[] {
    return kinds(sendPath(fragments)).filter((kind) => !kind.startsWith("benign"));
  }
  /** Sends paths until one is found, twenty at most. */
  function until(rule: string, act: (count: number) => Fragment[]): number {
    for (let count = 0; count < 20; count++) {
      if (send(...act(count)).some((kind) => kind === `flag ${rule}` || kind === `reject ${rule}`)) return count;
    }
    throw new Error(`${rule} was not found`);
  }

  it("goes through a wall on foot and in a jump", () => {
    // Its velocity leads there, whatever the next path names.
    const through = [fragment(-30, 300, 500, walks, 125)];
    expect(send(...through)).toEqual(["reject wall"]);
    expect(until("wall", () => [fragment(30, 300, 500, walks)])).toBe(0);
    join(yardMaps, 500);
    send(fragment(-30, 300, 100, walks, 125), push(125, -400), fragment(-18, 300, 400, jump, 125, -400));
    expect(until("wall", () => [fragment(32, 300, 500, walks)])).toBe(0);
  });

  it("walks up to a wall, which stops it in the last step of a fragment", () => {
    expect(send(fragment(-54, 300, 450, walks, 125), fragment(0, 300, 50, walks))).toEqual([]);
    // The last 50 ms may lead anywhere.
    expect(send(fragment(-2, 300, 430, walks, -125))).toEqual([]);
    expect(send(fragment(-55, 300, 450, walks, 125))).toEqual([]);
    expect(send(fragment(0, 300, 500, stand))).toEqual([]);
  });

  it("stands in the air, and walks there", () => {
    send(fragment(-200, 300, 500, stand));
    const found = until("foothold", (count) => [fragment(-200, 300 - 40 * (count + 1), 500, stand)]);
    expect(found).toBe(0);
    join(yardMaps, 500);
    send(fragment(-200, 300, 500, walks));
    expect(until("foothold", (count) => [fragment(-200 + 55 * count, 260, 500, walks)])).toBe(0);
  });

  it("climbs where no ladder is", () => {
    send(fragment(-450, 300, 500, stand));
    expect(until("ladder", (count) => [fragment(-450, 260 - 45 * count, 500, rope, 0, -100)])).toBe(0);
  });

  it("hovers", () => {
    send(fragment(-200, 300, 100, stand), push(0, -555), fragment(-200, 300, 400, jump, 0, -555));
    expect(until("flight", () => [fragment(-200, 240, 500, jump)])).toBeLessThan(2);
  });

  it("walks on water", () => {
    send(fragment(1400, 352, 500, stand));
    expect(until("water", (count) => [fragment(1400 + (count % 2) * 50, 352, 500, walks, 100)])).toBe(0);
  });

  it("leaps within its map elsewhere than a portal leads", () => {
    send(fragment(-490, 300, 500, stand));
    expect(send(instant(850, 300), fragment(850, 300, 500, stand))).toEqual([]);
    expect(send(instant(-300, 300), fragment(-300, 300, 500, stand))).toEqual(["reject teleport-skill"]);
    // Between two paths.
    expect(send(fragment(300, 200, 500, stand))).toEqual(["reject teleport"]);
  });

  it("stands for others where it was, until it could have come where it says that it is", () => {
    const seenAt = () => world.tracks(world.nowMs).find(({ player }) => player === 3)?.position;
    send(fragment(-490, 300, 500, stand));
    expect(send(fragment(300, 200, 500, stand))).toEqual(["reject teleport"]);
    const shown = world.takeEffects();
    expect(shown).toEqual([]);
    expect(seenAt()).toEqual({ x: -490, y: 300 });
    // 790 px take 6.3 s: what it says meanwhile is refused, and changes nothing.
    let refused = 0;
    for (let count = 0; count < 20; count++) {
      const found = send(fragment(300 + (count % 2), 200, 500, walks));
      if (found.length === 0) break;
      expect(found).toEqual([expect.stringMatching(/^reject (teleport|speed)$/)]);
      expect(seenAt()).toEqual({ x: -490, y: 300 });
      refused += 1;
    }
    expect(refused).toBeGreaterThanOrEqual(10);
    expect(refused).toBeLessThan(14);
    world.nowMs += 1000;
    expect(seenAt()?.x).toBeGreaterThan(290);
  });

  it("drops through a floor that lets nobody through", () => {
    const attic = mapleMapsOf("attic", [
      makeMap({
        mapId: 702,
        footholds: [
          level(1, -300, 0, 100, { next: 2, forbidsFall: true }),
          level(2, 0, 300, 100),
          level(3, -300, 300, 300),
        ],
        portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 80 }],
      }),
    ]);
    for (const [x, found] of [
      [-100, ["flag wall"]],
      [-4, []],
      [100, []],
    ] as const) {
      join(attic, 702);
      expect(send(fragment(x, 100, 500, stand))).toEqual([]);
      const drop = Fragment.of("jumpDown", { type: 11, x, y: 100, state: jump << 1 });
      expect([x, send(drop, fragment(x, 100, 440, jump))]).toEqual([x, found]);
    }
  });

  it("is not believed below before it could have fallen there, nor higher than a jump and a climb lead", () => {
    for (const [fromY, toY, falls] of [
      [-700, 300, true],
      [300, -700, false],
    ] as const) {
      join(yardMaps, 500);
      send(fragment(-490, fromY, 500, jump));
      const startMs = world.nowMs;
      expect(send(fragment(-490, toY, 500, jump))).toEqual(expect.arrayContaining(["reject teleport"]));
      let found: string[];
      do found = send(fragment(-490, toY, 500, jump));
      while (found.some((kind) => kind.startsWith("reject")) && world.nowMs < startMs + 20_000);
      const seconds = (world.nowMs - startMs) / 1000;
      // 0.34 s until it is as fast as it gets. Upwards 85 px are jumped.
      const least = falls ? 0.34 + (1000 - 114) / 680 : (1000 - 85) / 125;
      expect([toY, seconds]).toEqual([toY, expect.toSatisfy((taken: number) => taken >= least && taken < least + 1.1)]);
    }
  });

  it("is believed at once where it goes back", () => {
    send(fragment(-490, 300, 500, stand));
    expect(send(fragment(300, 200, 500, stand))).toEqual(["reject teleport"]);
    expect(send(fragment(-480, 300, 500, stand))).toEqual([]);
    expect(send(fragment(-470, 300, 500, stand))).toEqual([]);
  });

  it("is only flagged, and followed, where the world refuses nothing", () => {
    world = new TestWorld({ dialect: "documented", maps: yardMaps, demo: false, startMap: 500, enforcement: "log" });
    world.join(3, { account: "3", name: "a" }, 0);
    send(fragment(-490, 300, 500, stand));
    expect(send(fragment(300, 200, 500, stand))).toEqual(["flag teleport"]);
    expect(send(fragment(310, 200, 500, stand))).toEqual([]);
  });

  it("gains nothing by what is refused", () => {
    send(fragment(-450, 300, 500, stand));
    let most = 0;
    const found: string[] = [];
    for (let count = 0; count < 40; count++) {
      found.push(...send(fragment(-450 + (count % 2) * 50, 300 - 40 * count, 500, walks)));
      most = Math.max(most, world.budgets(3, world.nowMs).find(({ name }) => name === "gain")?.used ?? 0);
    }
    expect(found.length).toBeGreaterThan(30);
    expect(most).toBe(0);
  });
});
