import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import type { Foothold } from "../maps/foothold.ts";
import { type MapParts, makeMap, portalKinds } from "../maps/map.ts";
import { clientPhysics } from "../maps/physics.ts";
import { stances } from "../wire/fragment.ts";
import { Character } from "./character.ts";
import { walkConstants, walkConstantsOf } from "./walk-constants.ts";
import { createWalker, isOut, type Keys, type Move, sitDown, stateOf, stepWalker, type Walker } from "./walker.ts";

/** Lines that follow each other, numbered from `first`. */
function piece(
  first: number,
  points: readonly (readonly [number, number])[],
  more: Partial<Foothold> = {},
): Foothold[] {
  return points.slice(1).map(([x2, y2], at) => {
    const [x1, y1] = points[at] as readonly [number, number];
    const previous = at === 0 ? 0 : first + at - 1;
    const next = at === points.length - 2 ? 0 : first + at + 1;
    return { id: first + at, x1, y1, x2, y2, previous, next, ...more };
  });
}

const map = (footholds: readonly Foothold[], more: Partial<MapParts> = {}) => makeMap({ mapId: 1, footholds, ...more });
type Map1 = ReturnType<typeof map>;

/** Plays so long and returns all moves. */
function play(body: Walker, on: Map1, keys: Keys, ms: number): Move[] {
  return Array.from({ length: ms / 30 }, () => stepWalker(body, keys, on, 30)).flat();
}

const far = { left: 90_000, right: 90_100, top: 0, bottom: 1 };
const floor = piece(1, [
  [-500, 100],
  [500, 100],
]);

it("walks and flies over many milliseconds at once as over each of them: slopes, conveyors, walls, ice, the world's ends", () => {
  const random = createRandom(7);
  for (let round = 0; round < 20; round++) {
    const points: [number, number][] = [[-400, 0]];
    while (points.length < 12) {
      const [x, y] = points.at(-1) as [number, number];
      points.push(random.chance(0.15) ? [x, y + random.integer(-60, 60)] : [x + random.integer(5, 120), y]);
      if (random.chance(0.4)) points[points.length - 1] = [x + random.integer(5, 120), y + random.integer(-40, 40)];
    }
    const lower = piece(20, [
      [-600, 400],
      [200, 380],
      [900, 420],
    ]);
    const footholds = [...piece(1, points), ...lower].map((line) =>
      random.chance(0.3) ? { ...line, force: random.integer(-150, 150) } : line,
    );
    const friction = random.pick([0.2, 1]);
    // Where there is water, if far away, each millisecond is played.
    const [fast, slow] = [map(footholds, { friction }), map(footholds, { friction, waters: [far] })];
    const start = { x: random.integer(-390, 0), y: -100 };
    const [a, b] = [createWalker(fast, start), createWalker(slow, start)];
    for (let step = 0; step < 200; step++) {
      const keys = { left: random.chance(0.3), right: random.chance(0.5), jump: random.chance(0.1) };
      const ms = random.pick([30, 90]);
      const steps = Array.from({ length: random.integer(1, 8) });
      const moves = steps.map(() => stepWalker(a, keys, fast, ms));
      expect(JSON.stringify(moves)).toBe(JSON.stringify(steps.map(() => stepWalker(b, keys, slow, ms))));
      expect(a).toEqual(b);
    }
  }
});

describe("a wall", () => {
  it("leads a body that falls along it onto the ground at its foot, whatever it stood on", () => {
    const ledge = map([
      ...piece(1, [
        [-400, 100],
        [0, 100],
        [0, -100],
      ]),
      ...piece(
        9,
        [
          [-400, -200],
          [-90, -200],
        ],
        { group: 5 },
      ),
      // The world ends far from it.
      ...piece(20, [
        [400, 300],
        [500, 300],
      ]),
    ]);
    for (let fromX = -40; fromX < -30; fromX += 0.7) {
      const body = createWalker(ledge, { x: fromX, y: -150 });
      Object.assign(body, { foothold: 0, vx: 125, vy: 200, stoodOn: 9 });
      play(body, ledge, { right: true }, 1500);
      expect(body).toMatchObject({ x: 0, y: 100, foothold: 1 });
    }
  });

  // A floor that ends at a wall of 60 px, with a floor on top of it.
  const walled = map(
    piece(1, [
      [-300, 100],
      [0, 100],
      [0, 40],
      [300, 40],
    ]),
  );

  it("stops a walk at its x", () => {
    const body = createWalker(walled, { x: -60, y: 100 });
    play(body, walled, { right: true }, 1500);
    expect(body).toMatchObject({ x: 0, y: 100, vx: 0, foothold: 1 });
  });

  it("stops a jump, and lets over it who is above it and still presses the key", () => {
    const body = createWalker(walled, { x: -20, y: 100 });
    play(body, walled, { right: true }, 300);
    const moves = stepWalker(body, { right: true, jump: true }, walled, 30);
    expect(moves[0]).toMatchObject({ kind: "impulse", type: 1 });
    const inAir = play(body, walled, { right: true }, 600);
    expect(inAir.every(({ x, y }) => x <= 0 || y <= 40)).toBe(true);
    expect(body).toMatchObject({ foothold: 3, y: 40 });
  });

  it("that goes down is no obstacle: one walks off the cliff", () => {
    const cliff = map(
      piece(1, [
        [-300, 0],
        [0, 0],
        [0, 100],
        [300, 100],
      ]),
    );
    const body = createWalker(cliff, { x: -30, y: 0 });
    play(body, cliff, { right: true }, 1500);
    expect(body).toMatchObject({ foothold: 3, y: 100 });
    // From below it stops.
    play(body, cliff, { left: true }, 3000);
    expect(body).toMatchObject({ foothold: 3, x: 0 });
  });
});

describe("the ends of the world", () => {
  it("are 25 px inside of the outermost footholds", () => {
    const on = map(floor);
    const body = createWalker(on, { x: 400, y: 100 });
    play(body, on, { right: true }, 3000);
    expect(body).toMatchObject({ x: 475, vx: 0 });
  });

  it("below are 100 px below all, where it stays in the air; a character goes back to the start", () => {
    const on = map(
      [
        { id: 1, x1: -500, y1: 100, x2: -400, y2: 100, previous: 0, next: 0 },
        ...piece(2, [
          [0, 0],
          [500, 0],
        ]),
      ],
      {
        portals: [{ id: 4, name: "sp", kind: portalKinds.start, x: 200, y: 0 }],
      },
    );
    const body = createWalker(on, { x: -200, y: 50 });
    play(body, on, {}, 3000);
    expect(body).toMatchObject({ y: 200, vy: 0, foothold: 0 });
    expect(isOut(body, on)).toBe(true);
    const character = new Character({ dialect: "v83", map: on, at: { x: -200, y: 50 }, fieldKey: 1 });
    const sent = Array.from({ length: 80 }, () => character.step({})).filter((each) => each !== undefined);
    const fragments = sent.flatMap(({ value }) => ("fragments" in value ? value.fragments : []));
    expect(fragments.find(({ kind }) => kind === "instant")).toMatchObject({ x: 200, y: 0, foothold: 2 });
    expect(character.body).toMatchObject({ x: 200, y: 0, foothold: 2 });
  });
});

describe("footholds of other kinds", () => {
  it("from right to left are undersides: a body falls past them", () => {
    const on = map([...floor, { id: 9, x1: 100, y1: 0, x2: -100, y2: 0, previous: 0, next: 0 }]);
    const body = createWalker(on, { x: 0, y: -80 });
    expect(play(body, on, {}, 1500).some(({ foothold }) => foothold === 9)).toBe(false);
    expect(body.foothold).toBe(1);
  });

  it("that cannot be passed from below stop a jump", () => {
    const shelf = { id: 9, x1: -100, y1: 50, x2: 100, y2: 50, previous: 0, next: 0 };
    const top = (on: Map1) => {
      const body = createWalker(on, { x: 0, y: 100 });
      return Math.min(...[...stepWalker(body, { jump: true }, on, 30), ...play(body, on, {}, 900)].map(({ y }) => y));
    };
    expect(top(map([...floor, shelf]))).toBeLessThan(50);
    expect(top(map([...floor, { ...shelf, blocksRise: true }]))).toBeGreaterThanOrEqual(50);
  });

  it("that forbid a fall are not dropped through", () => {
    const shelf = { id: 9, x1: -100, y1: 50, x2: 100, y2: 50, previous: 0, next: 0 };
    const drops = (on: Map1) => {
      const body = createWalker(on, { x: 0, y: 50 });
      stepWalker(body, { down: true, jump: true }, on, 30);
      play(body, on, {}, 900);
      return body.foothold;
    };
    expect(drops(map([...floor, shelf]))).toBe(1);
    expect(drops(map([...floor, { ...shelf, forbidsFall: true }]))).toBe(9);
    expect(drops(map([...floor, shelf], { fieldLimit: 0x20000 }))).toBe(9);
  });

  it("that are steep are walked along, not across, and too steep ones slip", () => {
    const steep = map(
      piece(1, [
        [0, 0],
        [100, 200],
        [600, 200],
      ]),
    );
    const body = createWalker(steep, { x: 60, y: 120 });
    const moves = play(body, steep, { left: true }, 300);
    expect(Math.max(...moves.map(({ vx, vy }) => Math.hypot(vx, vy)))).toBeLessThanOrEqual(walkConstants.walk + 0.01);
    const slide = map(
      piece(1, [
        [0, 0],
        [50, 200],
        [600, 200],
      ]),
    );
    const sliding = createWalker(slide, { x: 30, y: 120 });
    play(sliding, slide, { left: true }, 1500);
    expect(sliding.y).toBe(200);
  });
});

describe("the ground", () => {
  const rest = (on: Map1): number => {
    const body = createWalker(on, { x: -200, y: 100 });
    play(body, on, { right: true }, 900);
    const { x } = body;
    play(body, on, {}, 3000);
    return body.x - x;
  };

  it("of ice lets one slide five times as far", () => {
    expect(rest(map(floor, { friction: 0.2 })) / rest(map(floor))).toBeCloseTo(5, 0);
  });

  it("that goes up too steeply is as a wall to who walks: it does not come and go", () => {
    for (const [x, y] of [
      [15, -32],
      [1, -12],
      [9, -19],
    ] as const) {
      const on = map(
        piece(1, [
          [-300, 100],
          [-100, 130],
          [0, 100],
          [x, 100 + y],
          [x + 200, 100 + y],
        ]),
      );
      const body = createWalker(on, { x: -40, y: 112 });
      const moves = play(body, on, { right: true }, 3000);
      expect(body).toMatchObject({ x: 0, y: 100, vx: 0, foothold: 2 });
      expect(moves).toHaveLength(100);
      // Down it leads.
      const above = createWalker(on, { x: x + 30, y: 100 + y });
      play(above, on, { left: true }, 3000);
      expect(above.x).toBeLessThan(0);
    }
  });

  it("of a conveyor carries who stands, and adds to who walks", () => {
    const belt = map(
      piece(
        1,
        [
          [-500, 100],
          [500, 100],
        ],
        { force: 120 },
      ),
    );
    const body = createWalker(belt, { x: -400, y: 100 });
    play(body, belt, {}, 900);
    expect(body.vx).toBe(120);
    play(body, belt, { right: true }, 900);
    expect(body.vx).toBe(245);
    play(body, belt, { left: true }, 900);
    expect(body.vx).toBe(-5);
  });

  it("of a conveyor carries who sits to its end: there it stands up and falls", () => {
    const belt = piece(
      1,
      [
        [-500, 0],
        [-60, 0],
        [0, 0],
      ],
      { force: 120 },
    );
    const on = map([...belt, { id: 3, x1: -500, y1: 100, x2: 500, y2: 100, previous: 0, next: 0 }]);
    const body = createWalker(on, { x: -100, y: 0 });
    sitDown(body, on);
    play(body, on, {}, 600);
    expect(body).toMatchObject({ foothold: 2, isSitting: true });
    play(body, on, {}, 3000);
    expect(body).toMatchObject({ foothold: 3, isSitting: false, y: 100 });
  });
});

describe("water", () => {
  const waters = [{ left: -100, top: -200, right: 100, bottom: 300 }];

  it.each([
    ["all of a map", map(floor, { swims: true })],
    ["an area", map(floor, { waters })],
  ])("in %s carries a body: it swims up, sinks slowly, and jumps by strokes", (_, on) => {
    const body = createWalker(on, { x: 0, y: 0 });
    play(body, on, { up: true }, 300);
    expect(body.vy).toBe(-walkConstants.swim);
    expect(stateOf(body, on) >> 1).toBe(stances.swim);
    play(body, on, {}, 600);
    expect(body.vy).toBe(walkConstants.sink);
    const [stroke] = stepWalker(body, { jump: true }, on, 30);
    expect(stroke).toMatchObject({ kind: "impulse", type: 1 });
    expect(stroke?.vy).toBeCloseTo(-0.7 * walkConstants.jump);
    play(body, on, {}, 6000);
    expect(body.foothold).toBe(1);
  });

  it("ends at the edge of its area", () => {
    const body = createWalker(map(floor, { waters }), { x: 300, y: 0 });
    play(body, map(floor, { waters }), {}, 120);
    expect(body.vy).toBeCloseTo(240);
  });

  it("is not needed where players fly", () => {
    const on = map(floor, { flies: true });
    const body = createWalker(on, { x: 0, y: 100 });
    play(body, on, { up: true, right: true }, 600);
    expect(body).toMatchObject({ vx: walkConstants.fly, vy: -walkConstants.fly, foothold: 0 });
    play(body, on, {}, 600);
    expect(body).toMatchObject({ vx: 0, vy: 0 });
  });
});

describe("a spring", () => {
  const spring = { id: 3, name: "up", kind: portalKinds.springOfOwn, x: 0, y: 80, impactX: 50, impactY: 1200 };

  it("throws once who touches it, as far as its map says", () => {
    const on = map(floor, { portals: [spring] });
    const body = createWalker(on, { x: -70, y: 100 });
    const moves = play(body, on, { right: true }, 600);
    const pushes = moves.filter(({ kind }) => kind === "impulse");
    expect(pushes).toMatchObject([{ type: 2, vx: 50, vy: -1200 }]);
    // It is thrown again when it comes back to it.
    expect(play(body, on, {}, 300).filter(({ kind }) => kind === "impulse")).toEqual([]);
    expect(play(body, on, {}, 900).filter(({ kind }) => kind === "impulse")).toHaveLength(1);
  });

  it("of a map that does not say it throws straight up", () => {
    const { impactX, impactY, ...plain } = spring;
    const on = map(floor, { portals: [{ ...plain, kind: portalKinds.spring }] });
    const body = createWalker(on, { x: 0, y: 100 });
    expect(stepWalker(body, { right: true }, on, 30)[0]).toMatchObject({ kind: "impulse", vx: 0, vy: -1000 });
  });
});

describe("a ladder", () => {
  const shelf = { id: 9, x1: -100, y1: -100, x2: 100, y2: -100, previous: 0, next: 0 };
  const ladder = { id: 7, x: 0, top: -97, bottom: 90 };

  it("leads onto the platform at its upper end, also when that is a few pixels higher", () => {
    const on = map([...floor, shelf], { ladders: [ladder] });
    const body = createWalker(on, { x: 5, y: 100 });
    play(body, on, { up: true }, 3000);
    expect(body).toMatchObject({ x: 0, y: -100, foothold: 9 });
    play(body, on, { down: true }, 90);
    expect(body.foothold).toBe(-7);
  });

  it("with a closed top ends there, and is not entered from above", () => {
    const on = map([...floor, shelf], { ladders: [{ ...ladder, closedTop: true }] });
    const body = createWalker(on, { x: 5, y: 100 });
    play(body, on, { up: true }, 3000);
    expect(body).toMatchObject({ y: -97, foothold: -7, vy: 0 });
    const above = createWalker(on, { x: 0, y: -100 });
    play(above, on, { down: true }, 90);
    expect(above.foothold).toBe(9);
  });
});

describe("a seat", () => {
  const on = map(floor, { seats: [{ id: 0, x: 20, y: 96 }] });

  it("takes who sits down near it to its place, until a key is pressed", () => {
    const body = createWalker(on, { x: 14, y: 100 });
    expect(sitDown(body, on)).toMatchObject({ kind: "instant", type: 11, x: 20, y: 96 });
    play(body, on, {}, 600);
    expect(body).toMatchObject({ x: 20, y: 96, isSitting: true });
    expect(stateOf(body, on) >> 1).toBe(stances.sit);
    play(body, on, { right: true }, 600);
    expect(body).toMatchObject({ isSitting: false, foothold: 1 });
  });

  it("is not taken from afar: one sits where one is", () => {
    const body = createWalker(on, { x: 200, y: 100 });
    expect(sitDown(body, on)).toMatchObject({ x: 200, y: 100 });
  });
});

describe("portals", () => {
  const fragmentsOf = (character: Character, keys: Keys, steps: number) =>
    Array.from({ length: steps }, (_, step) => ({ step, sent: character.step(keys) })).filter(
      ({ sent }) => sent !== undefined,
    );
  const target = { mapId: 2, portal: "there" };

  it("that are touched make the client send at once what it has recorded, once", () => {
    const portals = [{ id: 1, name: "row", kind: portalKinds.touched, x: 100, y: 60, target }];
    const character = new Character({
      dialect: "v83",
      map: map(floor, { portals }),
      at: { x: 30, y: 100 },
      fieldKey: 1,
    });
    const sent = fragmentsOf(character, { right: true }, 17);
    // The first path by itself, before the 510 ms of a recording are over.
    expect(sent.map(({ step }) => step)).toHaveLength(1);
    expect(sent[0]?.step).toBeLessThan(16);
  });

  it("within a map lead there by themselves", () => {
    const portals = [
      { id: 1, name: "a", kind: portalKinds.visible, x: 0, y: 100, target: { mapId: 1, portal: "b" } },
      { id: 2, name: "b", kind: portalKinds.invisible, x: 300, y: 100, target: { mapId: 1, portal: "a" } },
    ];
    const character = new Character({
      dialect: "v83",
      map: map(floor, { portals }),
      at: { x: 0, y: 100 },
      fieldKey: 1,
    });
    const [first, second] = [character.step({ up: true }), character.step({ up: true })];
    expect(first?.value).toMatchObject({ fragments: [{}, { kind: "instant", x: 300, y: 100 }] });
    expect(second).toBeUndefined();
    expect(character.body.x).toBe(300);
  });

  it("of scripts, and places of arrival, are none for a press of up", () => {
    const portals = [
      { id: 1, name: "s", kind: portalKinds.script, x: 0, y: 100, script: "s" },
      { id: 2, name: "t", kind: portalKinds.touched, x: 300, y: 100, target },
    ];
    const on = map(floor, { portals });
    expect(new Character({ dialect: "v83", map: on, at: { x: 0, y: 100 }, fieldKey: 1 }).isAtPortal).toBe(false);
    expect(new Character({ dialect: "v83", map: on, at: { x: 300, y: 100 }, fieldKey: 1 }).isAtPortal).toBe(false);
  });
});

it("the constants of bodies follow from those of the client's files", () => {
  expect(walkConstantsOf()).toEqual(walkConstants);
  const changed = { ...clientPhysics, walkSpeed: 250, jumpSpeed: 600, walkForce: 280_000, swimSpeed: 100 };
  expect(walkConstantsOf(changed)).toEqual({
    ...walkConstants,
    walk: 250,
    jump: 600,
    walkAcceleration: 2800,
    swim: 100,
  });
});
