import { beforeEach, describe, expect, it, test } from "vitest";
import { makeMap, portalKinds } from "../maps/map.ts";
import { type MapleMaps, mapleMapsOf } from "../maps/maple-maps.ts";
import { openShadowWorld } from "../shadow.ts";
import { yardMaps as maps } from "../testing/made-yard.ts";
import { kinds, messagesTo, TestWorld, verdicts } from "../testing/test-world.ts";
import { type MapleClientMessage, mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Point } from "../wire/messages.ts";
import { MapleWorld } from "./world.ts";

/** Where a node ends, how long it takes, and what it names. An impulse has no place. */
interface Step {
  readonly x?: number;
  readonly y?: number;
  readonly ms?: number;
  readonly foothold?: number;
  readonly state?: number;
  readonly vx?: number;
  readonly vy?: number;
  readonly type?: number;
}

const air = { foothold: 0, state: 6 };
const swims = { foothold: 0, state: 12 };

let world: TestWorld;
let at: Point;
let fieldKey: number;

function enter(mapId: number, x: number, y: number, given: MapleMaps = maps): void {
  world = new TestWorld({ maps: given, demo: false, startMap: mapId });
  world.join(3, { account: "3", name: "a" }, 0);
  world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
  world.adoptMap(3, { mapId, channel: 1, fieldKey: 1, anywhere: true }, 0);
  // Another server has put it there, who knows where.
  fieldKey = 1;
  at = { x, y };
  world.nowMs = 3000;
}

function pathOf(steps: readonly Step[], keys = 0): MapleClientMessage {
  const fragments = steps.map(({ type = 0, ms = 0, foothold = 7, state = 2, ...rest }) =>
    type === 1 || type === 2
      ? Fragment.of("relative", { type, state, durationMs: ms, vx: rest.vx ?? 0, vy: rest.vy ?? 0 })
      : type === 14
        ? Fragment.of("startFallDown", { type, state, durationMs: ms, fallStart: 7 })
        : type === 4 || type === 11
          ? Fragment.of("instant", { type, x: rest.x ?? 0, y: rest.y ?? 0, foothold, state, durationMs: ms })
          : Fragment.of(type === 15 ? "fallDown" : "absolute", {
              type,
              x: rest.x ?? 0,
              y: rest.y ?? 0,
              vx: rest.vx ?? 0,
              vy: rest.vy ?? 0,
              foothold,
              state,
              durationMs: ms,
            }),
  );
  const lasts = steps.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const keypad = new Array(Math.max(1, Math.round(lasts / 30))).fill(keys);
  const value = { fieldKey, start: at, fragments, keypad, box: boxOf(at, fragments) };
  return { message: "movePlayer", value };
}

/** Sends a path; what is found in it above benign. */
function go(...steps: Step[]): string[] {
  return sendPath(pathOf(steps), steps);
}

function sendPath(message: MapleClientMessage, steps: readonly Step[]): string[] {
  world.nowMs += steps.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const effects = world.send(3, message);
  const last = steps.findLast(({ x }) => x !== undefined);
  if (last?.x !== undefined && last.y !== undefined) at = { x: last.x, y: last.y };
  return kinds(effects).filter((kind) => !kind.startsWith("benign") && kind !== "flag durations");
}

const gainPx = (): number => world.budgets(3, world.nowMs).find(({ name }) => name === "gain")?.used ?? 0;

/** A walk to x on level ground, as fast as it may, in paths of 480 ms. */
function walkTo(x: number, change: Step = {}): string[] {
  const found: string[] = [];
  while (at.x !== x) {
    const dx = Math.max(-60, Math.min(60, x - at.x));
    found.push(...go({ x: at.x + dx, y: at.y, ms: 480, vx: Math.sign(dx) * 125, ...change }));
  }
  return found;
}

test.each([
  { foothold: 999, state: 4, reason: "Names foothold 999, but the map has no floor with this number" },
  { foothold: -99, state: 14, reason: "Names ladder or rope 99, but the map has no ladder or rope with this number" },
])("what the map does not have is said in words, without a distance: $foothold", ({ reason, ...step }) => {
  enter(500, -100, 300);
  world.nowMs += 480;
  const effects = world.send(3, pathOf([{ x: -100, y: 300, ms: 480, ...step }]));
  const verdicts = effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
  const found = verdicts.find(({ rule }) => rule === (step.foothold > 0 ? "foothold" : "ladder"));
  expect(found).toMatchObject({ reason });
  expect(found?.measured).toBeUndefined();
});

describe("an honest player on a real map", () => {
  it("walks up to a wall, and stays there while it pushes against it", () => {
    enter(500, -100, 300);
    expect(walkTo(-1)).toEqual([]);
    expect(go({ x: 0, y: 300, ms: 480 }, { x: 0, y: 300, ms: 30 })).toEqual([]);
    // Jumps against it and gets over its edge in one node that is merged.
    expect(go({ type: 1, vy: -555, state: 6 }, { x: 0, y: 223, ms: 270, vy: -1, ...air })).toEqual([]);
  });

  it("slips past the end of the ground at a wall that it falls along, or drops through the ground", () => {
    enter(500, -60, 120);
    expect(go({ x: 0, y: 240, ms: 480, vy: 500, ...air }, { x: 0, y: 305, ms: 120, vy: 560, ...air })).toEqual([]);
    enter(500, -30, 300);
    expect(go({ x: -1, y: 300, ms: 232 })).toEqual([]);
    const drop = { type: 15, foothold: 0, state: 6 };
    expect(go({ type: 14, state: 6 }, { ...drop, x: -1, y: 340, ms: 200, vy: 400 })).toEqual([]);
    expect(go({ x: 20, y: 420, ms: 170, vy: 670, ...air })).toEqual([]);
  });

  it("walks to a wall over a step that is as short as rounding, and down a gap beside one that is as narrow", () => {
    enter(505, -20, 200);
    expect(go({ x: -3, y: 200, ms: 160, foothold: 1 }, { x: 0, y: 211, ms: 40, foothold: 2 })).toEqual([]);
    enter(505, -470, 300);
    expect(go({ x: -470, y: 300, ms: 90, foothold: 8 })).toEqual([]);
    const turns: Step = { x: -480, y: 224, ms: 270, vy: -15, ...air };
    expect(go({ type: 1, vx: -80, vy: -555, state: 6 }, turns)).toEqual([]);
    expect(go({ x: -498, y: 260, ms: 210, vy: 405, ...air })).toEqual([]);
  });

  it("jumps from below a shelf that ends at a wall, turns at its height, and comes down past its end", () => {
    enter(504, -2, 377);
    expect(walkTo(-1, { foothold: 4 })).toEqual([]);
    const rise = [
      { type: 1, vy: -555, state: 6 },
      { x: -1, y: 336, ms: 92, vy: -370, ...air },
      { x: 0, y: 301, ms: 180, vy: 0, ...air },
    ];
    expect(go(...rise)).toEqual([]);
    expect(go({ x: 1, y: 350, ms: 215, vy: 430, ...air }, { x: 2, y: 377, ms: 60, foothold: 4 })).toEqual([]);
    // Standing on the shelf it is stopped by the wall: there is no way down beside it.
    enter(504, -30, 300);
    expect(walkTo(-1, { foothold: 1 })).toEqual([]);
    expect(go({ x: 1, y: 350, ms: 215, vy: 430, ...air })).toContain("correct wall");
  });

  it("comes off a closed box, and falls along its outside", () => {
    enter(506, -240, -19);
    expect(
      go({ x: -228, y: -19, ms: 96, foothold: 3, vx: 125 }, { x: -224, y: -5, ms: 90, vx: 38, vy: 180, ...air }),
    ).toEqual([]);
    expect(go({ x: -223, y: 34, ms: 120, vx: 38, vy: 400, ...air })).toEqual([]);
    expect(
      go({ x: -219, y: 104, ms: 120, vx: 38, vy: 670, ...air }, { x: -217, y: 110, ms: 30, foothold: 50 }),
    ).toEqual([]);
    // Who stands within it does not come out of it.
    enter(506, -240, 57);
    expect(
      go({ x: -227, y: 57, ms: 104, foothold: 1, vx: 125 }, { x: -215, y: 57, ms: 96, foothold: 1, vx: 125 }),
    ).toContain("correct wall");
  });

  it("jumps off a low block under a ceiling, and comes down its outside level with its ground", () => {
    const low = makeMap({
      mapId: 800,
      footholds: [
        { id: 1, x1: -100, y1: 200, x2: -100, y2: 226, previous: 0, next: 2, layer: 1, group: 2 },
        { id: 2, x1: -100, y1: 226, x2: 60, y2: 226, previous: 1, next: 0, layer: 1, group: 2 },
        { id: 3, x1: -140, y1: 199, x2: -20, y2: 199, previous: 0, next: 0, layer: 1, group: 3, blocksRise: true },
        { id: 4, x1: -500, y1: 520, x2: 300, y2: 520, previous: 0, next: 0 },
      ],
      portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 200 }],
    });
    for (const x of [-100, -101]) {
      enter(800, -98, 226, mapleMapsOf("low", [low]));
      const block = { foothold: 2 };
      const rise = { x: -100, y: 210, ms: 30, vy: -495, ...air };
      const down = { x, y: 227, ms: 180, vx: -16, vy: 320, ...air };
      expect(go({ x: -100, y: 226, ms: 120, ...block }, { type: 1, vy: -555, state: 7 }, rise, down)).toEqual([]);
      expect(go({ x: x - 29, y: 514, ms: 480, vx: -64, vy: 670, ...air })).toEqual([]);
    }
    // Who has not been in the air for so long has not come over it.
    enter(800, -98, 226, mapleMapsOf("low", [low]));
    expect(go({ x: -100, y: 226, ms: 120, foothold: 2 }, { x: -101, y: 226, ms: 30, ...air })).toEqual([]);
    expect(go({ x: -130, y: 514, ms: 480, vy: 670, ...air })).toEqual(["flag wall"]);
  });

  it("leaves a block at its edge, and walks past walls of other pieces", () => {
    enter(500, 380, 200);
    const fall = [
      { x: 402, y: 200, ms: 200, foothold: 9 },
      { x: 425, y: 225, ms: 160, vy: 300, ...air },
      { x: 445, y: 300, ms: 150, ...air },
      { x: 450, y: 300, ms: 30, foothold: 20 },
    ];
    expect(go(...fall)).toEqual([]);
    expect(walkTo(800, { foothold: 20 })).toEqual([]);
  });

  it("grabs a ladder, climbs over its end onto the platform, and walks on an underside that it is put on", () => {
    enter(500, -295, 300);
    expect(go({ x: -300, y: 288, ms: 30, foothold: -5, state: 14 })).toEqual([]);
    for (let y = 288; y > 160; y -= 48)
      expect(go({ x: -300, y: y - 48, ms: 480, foothold: -5, state: 14 })).toEqual([]);
    expect(go({ x: -300, y: 150, ms: 30, foothold: 40 }, { x: -290, y: 150, ms: 100, foothold: 40 })).toEqual([]);
    enter(500, -150, 120);
    expect(go({ x: -140, y: 120, ms: 120, foothold: 60 })).toEqual([]);
  });

  it("is thrown by a spring, sideways too, and falls back", () => {
    enter(500, 540, 300);
    // 1,200 px/s up for 600 ms.
    const found = go(
      { x: 545, y: 295, ms: 40, foothold: 20 },
      { type: 2, vx: 200, vy: -1200, state: 6 },
      { x: 665, y: -65, ms: 600, vx: 200, vy: 0, ...air },
    );
    expect(found).toEqual([]);
    expect(
      go({ x: 715, y: -3, ms: 250, vx: 200, vy: 500, ...air }, { x: 781, y: 205, ms: 330, vy: 670, vx: 200, ...air }),
    ).toEqual([]);
  });

  it("is carried by a conveyor, and keeps its speed in the air", () => {
    enter(500, 905, 300);
    expect(go({ x: 1037, y: 300, ms: 480, vx: 275, foothold: 30 })).toEqual([]);
    const jump = go({ type: 1, vx: 275, vy: -555, state: 6 }, { x: 1113, y: 223, ms: 277, vx: 275, ...air });
    expect(jump).toEqual([]);
  });

  it("swims in a pond, in a lake, and flies in the sky", () => {
    enter(500, 1500, 400);
    for (let count = 0; count < 20; count++) {
      expect(go({ x: at.x + (count % 2 ? 67 : -67), y: 400, ms: 480, vx: 140, ...swims })).toEqual([]);
    }
    enter(502, 0, 300);
    for (let count = 0; count < 20; count++) expect(go({ x: 0, y: at.y - 10, ms: 480, ...swims })).toEqual([]);
    enter(503, 0, 300);
    for (let count = 0; count < 20; count++) {
      expect(go({ x: at.x + (count % 2 ? 96 : -96), y: 300, ms: 480, vx: 200, ...swims })).toEqual([]);
    }
  });

  it("goes through a portal within the map, whether its path says so or begins there", () => {
    enter(500, -490, 300);
    expect(
      go(
        { x: -495, y: 300, ms: 60 },
        { type: 4, x: 850, y: 300, foothold: 20 },
        { x: 850, y: 300, ms: 30, foothold: 20 },
      ),
    ).toEqual([]);
    enter(500, -490, 300);
    expect(go({ x: -495, y: 300, ms: 60 })).toEqual([]);
    at = { x: 850, y: 300 };
    expect(go({ x: 860, y: 300, ms: 90, foothold: 20 })).toEqual([]);
  });

  it("sits on a seat above the ground for as long as it likes", () => {
    enter(500, -90, 300);
    expect(go({ x: -85, y: 300, ms: 60 })).toEqual([]);
    expect(
      go({ type: 11, x: -60, y: 270, foothold: 0, state: 20 }, { x: -60, y: 270, ms: 480, foothold: 0, state: 20 }),
    ).toEqual([]);
    for (let count = 0; count < 10; count++)
      expect(go({ x: -60, y: 270, ms: 480, foothold: 0, state: 20 })).toEqual([]);
  });

  it("falls out of the map, waits below it, and is put back to where players enter", () => {
    enter(500, 1250, 690);
    expect(go({ x: 1250, y: 800, ms: 240, vy: 600, ...air })).toEqual([]);
    for (let count = 0; count < 5; count++) expect(go({ x: 1250, y: 800, ms: 480, ...air })).toEqual([]);
    at = { x: -550, y: 220 };
    expect(go({ x: -550, y: 230, ms: 90, ...air })).toEqual([]);
  });

  it("starts anywhere between the portal and the ground below it", () => {
    for (const y of [220, 260, 300]) {
      world = new TestWorld({ maps, demo: false, startMap: 500 });
      world.join(3, { account: "3", name: "a" }, 0);
      world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
      [fieldKey, at] = [1, { x: -550, y }];
      expect(go({ x: -550, y, ms: 30, ...(y === 300 ? {} : air) })).toEqual([]);
    }
  });
});

/** What a cheat does, again and again; what it may be found by. */
const cheats: readonly (readonly [string, string, () => void, () => string[]])[] = [
  [
    "through a wall",
    "wall",
    () => enter(500, -30, 300),
    () => [
      ...go({ x: -20, y: 300, ms: 90 }),
      ...go({ x: 40, y: 300, ms: 480, foothold: 7 }),
      ...go({ x: -20, y: 300, ms: 480 }),
    ],
  ],
  [
    "standing in the air",
    "foothold",
    () => enter(500, -200, 300),
    () => go({ x: at.x, y: at.y - 40, ms: 120, foothold: 7 }, { x: at.x + 10, y: at.y - 40, ms: 390, foothold: 7 }),
  ],
  [
    "a foothold that the map does not have",
    "foothold",
    () => enter(500, -200, 200),
    () => go({ x: at.x === -200 ? -150 : -200, y: 200, ms: 480, foothold: 77 }),
  ],
  [
    "a wall as a foothold",
    "foothold",
    () => enter(500, 5, 250),
    () => go({ x: at.x === 5 ? -45 : 5, y: 250, ms: 480, foothold: 3 }),
  ],
  [
    "a ladder where none is",
    "ladder",
    () => enter(500, -450, 300),
    () => go({ x: -450, y: at.y - 45, ms: 480, foothold: -5, state: 14 }),
  ],
  [
    "a ladder that the map does not have",
    "ladder",
    () => enter(500, -450, 300),
    () => go({ x: -450, y: at.y - 45, ms: 480, foothold: -1, state: 14 }),
  ],
  [
    "walking on water",
    "water",
    () => enter(500, 1400, 352),
    () => go({ x: at.x === 1400 ? 1350 : 1400, y: 352, ms: 480, vx: 100, foothold: 0, state: 2 }),
  ],
  [
    "walking over a lake",
    "water",
    () => enter(502, 0, 400),
    () => go({ x: at.x === 0 ? 50 : 0, y: 400, ms: 480, vx: 100, foothold: 0, state: 2 }),
  ],
  [
    "hovering above a conveyor",
    "flight",
    () => enter(500, 1000, 300),
    () => go({ x: at.x === 1000 ? 1050 : 1000, y: 120, ms: 480, vx: 100, ...air }),
  ],
  [
    "hovering above a spring",
    "flight",
    () => enter(500, 850, 300),
    () => go({ x: at.x === 850 ? 820 : 850, y: Math.max(100, at.y - 200), ms: 480, ...air }),
  ],
];

const isEnd = (kind: string): boolean => kind.startsWith("correct ") || kind === "flag gain";

describe("a cheat on a real map", () => {
  test.each(cheats)("%s is flagged as %s, and put back within a tolerance", (_, rule, begin, act) => {
    begin();
    const found: string[] = [];
    for (let count = 0; count < 12 && !found.some(isEnd); count++) {
      found.push(...act());
      expect(gainPx()).toBeLessThanOrEqual(50);
    }
    expect(found).toContainEqual(expect.stringMatching(`^(flag|correct) ${rule}$`));
    expect(found.some(isEnd)).toBe(true);
  });

  it.each<[string, number, Step[]]>([
    [
      "walking off the ground where it stands",
      -20,
      [
        { x: 1, y: 300, ms: 170 },
        { x: 40, y: 420, ms: 312, vy: 620, ...air },
      ],
    ],
    [
      "falling straight down at its foot",
      -20,
      [
        { x: 0, y: 300, ms: 160 },
        { x: 0, y: 340, ms: 200, vy: 400, ...air },
      ],
    ],
    [
      "jumping into it, and falling past the end of the ground",
      -40,
      [
        { type: 1, vx: 125, vy: -400, state: 6 },
        { x: -15, y: 260, ms: 200, vx: 125, vy: -1, ...air },
        { x: 20, y: 420, ms: 290, vy: 670, ...air },
      ],
    ],
  ])("goes through a wall by %s", (_, x, steps) => {
    enter(500, x - 10, 300);
    expect(go({ x, y: 300, ms: 90 })).toEqual([]);
    expect(go(...steps)).toContain("correct wall");
  });

  it("goes through a wall on foot, as near as rounding, by the number of the ground behind it", () => {
    enter(505, -20, 200);
    expect(go({ x: -3, y: 200, ms: 160, foothold: 1 })).toEqual([]);
    expect(go({ x: -1, y: 210, ms: 30, foothold: 4 })).toEqual(["correct wall"]);
    // By no number it has not come through yet, but then it falls.
    enter(500, -20, 300);
    expect(go({ x: 0, y: 300, ms: 160 }, { x: 2, y: 300, ms: 20, ...air })).toEqual([]);
    expect(go({ x: 40, y: 396, ms: 310, vy: 620, ...air })).toEqual(["flag wall"]);
  });

  it("in the air is corrected where the wall is that of the ground that it stood on, else flagged", () => {
    const jumps: Step = { type: 1, vx: 125, vy: -555, state: 6 };
    const stand = (x: number): void => {
      enter(505, x - 10, 200);
      expect(go({ x, y: 200, ms: 90, foothold: 1 })).toEqual([]);
    };
    stand(-40);
    expect(go(jumps, { x: -10, y: 124, ms: 270, ...air }, { x: 10, y: 150, ms: 160, ...air })).toEqual([
      "correct wall",
    ]);
    // A little behind it already: it may have come over the wall.
    stand(-30);
    expect(go(jumps, { x: 2, y: 124, ms: 270, ...air })).toEqual([]);
    expect(go({ x: 20, y: 150, ms: 160, ...air })).toEqual(["flag wall"]);
    // From a rope: what the client takes for its ground is not known.
    stand(-60);
    expect(go({ x: -60, y: 185, ms: 240, foothold: -5, state: 16 })).toEqual([]);
    expect(go({ x: -60, y: 155, ms: 240, foothold: -5, state: 16 })).toEqual([]);
    expect(go({ ...jumps, vy: -277 }, { x: -40, y: 136, ms: 150, ...air })).toEqual([]);
    expect(go({ x: 10, y: 190, ms: 400, ...air })).toEqual(["flag wall"]);
  });

  it("drops through a floor that lets nobody through", () => {
    const attic = makeMap({
      mapId: 802,
      footholds: [
        { id: 1, x1: -300, y1: 100, x2: 0, y2: 100, previous: 0, next: 2, forbidsFall: true },
        { id: 2, x1: 0, y1: 100, x2: 300, y2: 100, previous: 1, next: 0 },
        { id: 3, x1: -300, y1: 300, x2: 300, y2: 300, previous: 0, next: 0 },
      ],
      portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 80 }],
    });
    for (const [x, foothold, found] of [
      [-100, 1, ["flag wall"]],
      // At its end it may be on the next one.
      [-4, 1, []],
      [100, 2, []],
    ] as const) {
      enter(802, x, 100, mapleMapsOf("attic", [attic]));
      const drop = { type: 15, x, y: 140, ms: 200, vy: 400, foothold: 0, state: 6 };
      expect(go({ x, y: 100, ms: 300, foothold, state: 4 })).toEqual([]);
      expect([x, go({ type: 14, state: 6 }, drop)]).toEqual([x, found]);
      // In the air it drops through nothing.
      expect(go({ type: 14, state: 6 }, { ...drop, y: 200, vy: 600, ms: 120 })).toEqual([]);
      expect(gainPx()).toBe(0);
    }
  });

  it("slips past the end of the ground at a wall, and is farther behind it than it can have come since", () => {
    const shaft = makeMap({
      mapId: 801,
      footholds: [
        { id: 1, x1: -300, y1: 300, x2: 0, y2: 300, previous: 0, next: 2, layer: 1, group: 2 },
        { id: 2, x1: 0, y1: 300, x2: 0, y2: -300, previous: 1, next: 0, layer: 1, group: 2 },
        { id: 3, x1: -500, y1: 700, x2: 500, y2: 700, previous: 0, next: 0 },
      ],
      portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -100, y: 280 }],
    });
    for (const [x, found] of [
      [12, []],
      [40, ["flag wall"]],
    ] as const) {
      enter(801, -40, 300, mapleMapsOf("shaft", [shaft]));
      const rise = { x: 0, y: 225, ms: 270, vy: -15, ...air };
      const walk = { x: -33, y: 300, ms: 60, foothold: 1 };
      expect(go(walk, { type: 1, vx: 125, vy: -555, state: 6 }, rise)).toEqual([]);
      expect(go({ x, y: 460, ms: 510, vy: 670, ...air })).toEqual(found);
    }
  });

  it("is only flagged where the world moves nobody", () => {
    world = new TestWorld({ maps, demo: false, startMap: 505, enforcement: "log" });
    world.join(3, { account: "3", name: "a" }, 0);
    world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    [fieldKey, at] = [1, { x: -200, y: 200 }];
    expect(go({ x: -150, y: 200, ms: 420, foothold: 1 })).toEqual([]);
    at = { x: -150, y: 200 };
    for (const x of [-100, -50, -3]) expect(go({ x, y: 200, ms: 480, foothold: 1 })).toEqual([]);
    expect(go({ x: 30, y: 212, ms: 480, foothold: 4 })).toEqual(["flag wall"]);
  });

  it("that goes through a wall has the wall in its evidence, beside the state before", () => {
    enter(500, -30, 300);
    go({ x: -20, y: 300, ms: 90 });
    const steps = [{ x: 40, y: 300, ms: 480, foothold: 7 }];
    world.nowMs += 480;
    const found = verdicts(world.send(3, pathOf(steps)));
    const { stateBefore = {} } = found.find(({ rule }) => rule === "wall") ?? {};
    expect(stateBefore).toMatchObject({ wall: 3, x: -20, y: 300 });
    expect(found.filter((verdict) => "about" in verdict)).toEqual([]);
  });

  it("that names footholds elsewhere has the farthest of them in its evidence, beside the one that it stood on", () => {
    enter(500, -300, 300);
    go({ x: -290, y: 300, ms: 90 });
    const footholdRule = (...steps: readonly Step[]) => {
      world.nowMs += 480;
      const found = verdicts(world.send(3, pathOf(steps)));
      return found.find(({ rule }) => rule === "foothold")?.stateBefore;
    };
    const stoodOn = footholdRule({ x: -280, y: 300, ms: 240, foothold: 20 }, { x: -270, y: 300, ms: 240 });
    expect(stoodOn).toMatchObject({ named: 20, foothold: 7, x: -290, y: 300 });
    at = { x: -270, y: 300 };
    const farthest = [20, 77, 20].map((foothold, index) => ({ x: -260 + 10 * index, y: 300, ms: 160, foothold }));
    expect(footholdRule(...farthest)).toMatchObject({ named: 77, foothold: 7 });
  });

  it("that names a ladder elsewhere, or stands in water, has that and the place in its evidence", () => {
    const evidenceOf = (rule: string, steps: readonly Step[]) => {
      world.nowMs += 480;
      return verdicts(world.send(3, pathOf(steps))).find((verdict) => verdict.rule === rule)?.stateBefore;
    };
    enter(500, -450, 300);
    const climb = { x: -450, y: 255, ms: 480, foothold: -5, state: 14 };
    expect(evidenceOf("ladder", [climb])).toMatchObject({ ladder: 5, at: { x: -450, y: 255 } });
    enter(500, 1400, 352);
    const walk = { x: 1350, y: 352, ms: 480, vx: 100, foothold: 0, state: 2 };
    expect(evidenceOf("water", [walk])).toMatchObject({ at: { x: 1350, y: 352 } });
  });

  it("is put back where this world decides, on a portal at which it stays", () => {
    world = new TestWorld({ maps, demo: false, startMap: 500 });
    world.join(3, { account: "3", name: "a" }, 0);
    world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    [fieldKey, at] = [1, { x: -550, y: 300 }];
    world.nowMs = 3000;
    const found: string[] = [];
    for (let count = 0; count < 20 && !found.some(isEnd); count++) {
      found.push(...go({ x: at.x + 55, y: Math.max(200, at.y - 20), ms: 480, foothold: 7 }));
    }
    // Near the ground the name is flagged, and what it leads to is put back.
    expect(found).toEqual(["flag foothold", "correct gain"]);
  });

  it("goes through a portal within the map from afar: an instant without a skill", () => {
    enter(500, -300, 300);
    const found = go({ x: -310, y: 300, ms: 90 }, { type: 4, x: 850, y: 300, foothold: 20 });
    expect(found.some((kind) => kind.endsWith("teleport-skill"))).toBe(true);
    // Beside it, and elsewhere than it leads.
    enter(500, -490, 300);
    const elsewhere = go({ x: -495, y: 300, ms: 60 }, { type: 4, x: 500, y: 300, foothold: 20 });
    expect(elsewhere.some((kind) => kind.endsWith("teleport-skill"))).toBe(true);
  });

  it("that names another foothold than it stands on is flagged, and gains nothing", () => {
    enter(500, -300, 300);
    expect(go({ x: -250, y: 300, ms: 480, foothold: 20 })).toEqual(["flag foothold"]);
    expect(gainPx()).toBe(0);
  });

  it("is not judged by the map where that is not known", () => {
    enter(777, 0, 0);
    expect(go({ x: 50, y: 0, ms: 480, foothold: 99 }, { x: 50, y: -20, ms: 200, foothold: -9 })).toEqual([]);
  });
});

describe("portals of a world with given maps", () => {
  const up = 2;
  const mapOf = (): string[] => [...world.rooms().keys()];
  beforeEach(() => {
    world = new TestWorld({ maps, demo: false, startMap: 500 });
    world.join(3, { account: "3", name: "a" }, 0);
  });

  /** Comes in, and is at a place, which no rule judges here. */
  function standAt(x: number, y: number, step: Step, keys = up): void {
    world = new TestWorld({ maps, demo: false, startMap: 500, mayTeleport: () => true });
    world.join(3, { account: "3", name: "a" }, 0);
    world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    [fieldKey, at] = [1, { x: -550, y: 300 }];
    const steps = [
      { type: 4, x, y, ms: 0, ...step },
      { x, y, ms: 30, ...step },
    ];
    world.nowMs = 1000;
    sendPath(pathOf(steps.slice(0, 1), 0), steps);
    at = { x, y };
    sendPath(pathOf(steps.slice(1), keys), steps.slice(1));
  }

  it("players enter at start points, whatever their numbers", () => {
    const effects = world.send(3, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    expect(messagesTo(effects, 3)).toContainEqual(
      expect.objectContaining({
        message: "changeMap",
        value: expect.objectContaining({ target: expect.objectContaining({ mapId: 500, spawnPoint: 1 }) }),
      }),
    );
  });

  it.each<[string, number, number, Step, number, string]>([
    ["a portal above the ground, with up", 700, 300, { foothold: 20 }, up, "501"],
    ["the same without up", 700, 300, { foothold: 20 }, 0, "500"],
    ["the same beside it", 760, 300, { foothold: 20 }, up, "500"],
    ["one that is touched, in the air", 1140, 240, air, 0, "501"],
    ["one that leads to no map of the set", 450, 300, { foothold: 20 }, up, "500"],
    ["one within the map: the client does that", -500, 300, { foothold: 7 }, up, "500"],
    ["one with a script", -200, 300, { foothold: 7 }, up, "500"],
    ["a spring", 550, 290, air, up, "500"],
  ])("%s", (_, x, y, step, keys, mapId) => {
    standAt(x, y, step, keys);
    expect(mapOf()).toEqual([mapId]);
  });

  it("a player that falls out of the map is put back without a verdict", () => {
    standAt(1250, 790, air, 0);
    // 90 px below the lowest ground: on a portal again.
    expect(messagesTo(world.takeEffects(), 3)).toEqual([]);
    expect(world.tracks(world.nowMs)[0]).toMatchObject({ position: { x: 850, y: 300 } });
  });
});

describe("beside another server", () => {
  const codec = mapleCodec("v62");
  const changeMap = (mapId: number, spawnPoint: number) =>
    ({
      message: "changeMap",
      value: {
        channel: 0,
        fieldKey: 1,
        target: { content: "map", notices: 0, mapId, spawnPoint, hp: 50, chase: 0, time: 0n },
      },
    }) as const;

  function open() {
    const shadow = openShadowWorld({ dialect: "v62", seed: 0, maps, shadow: true, enforcement: "log" });
    shadow.join(3, { account: "3", name: "a" }, 0);
    const send = (message: MapleClientMessage) =>
      shadow.receive(3, message, codec.write("client", message), world.nowMs);
    send({ message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    world = new TestWorld({ maps });
    world.nowMs = 2000;
    fieldKey = 1;
    return { shadow, send };
  }
  /** Walks a little at a place of map 500, and enters another map there. */
  function travel(x: number, y: number, foothold: number, portal: number): string[] {
    const { shadow, send } = open();
    shadow.observe(3, changeMap(500, 200), 0);
    at = { x, y };
    send(pathOf([{ x, y, ms: 30, foothold }]));
    shadow.takeEffects();
    shadow.observe(3, changeMap(501, portal), 3000);
    return kinds(shadow.takeEffects() as never);
  }

  it("a portal is entered from afar", () => {
    expect(travel(-300, 300, 7, 3)).toEqual([]);
    expect(travel(-590, 300, 7, 3)).toEqual(["flag portal"]);
  });

  it("a portal that the player stands at, a start point and a portal that nothing names are entered", () => {
    expect(travel(700, 300, 20, 3)).toEqual([]);
    expect(travel(-590, 300, 7, 7)).toEqual([]);
    expect(travel(1100, 300, 30, 5)).toEqual([]);
  });

  it("a map that is not given turns off the rules that need it, and says so once", () => {
    const { shadow, send } = open();
    shadow.observe(3, changeMap(777, 0), 0);
    at = { x: 0, y: 0 };
    for (let count = 0; count < 3; count++) {
      send(pathOf([{ x: at.x, y: 0, ms: 30, foothold: 99 }]));
      world.nowMs += 100;
    }
    const effects = shadow.takeEffects();
    expect(verdicts(effects as never)).toEqual([]);
    const unseen = effects.filter((effect) => effect.effect === "observe" && effect.what === "unseen");
    expect(unseen).toMatchObject([
      {
        data: {
          reason: "map 777 is not among the maps that are given, or cannot be read",
          rules: ["foothold", "ladder", "wall", "water", "portal"],
        },
      },
    ]);
  });

  it("goes on the same in a restored world", () => {
    const { shadow, send } = open();
    shadow.observe(3, changeMap(777, 0), 0);
    const restored = openShadowWorld({ dialect: "v62", seed: 0, maps, shadow: true, enforcement: "log" });
    restored.restore(shadow.save());
    at = { x: 0, y: 0 };
    send(pathOf([{ x: 0, y: 0, ms: 30 }]));
    const message = pathOf([{ x: 0, y: 0, ms: 30 }]);
    restored.receive(3, message, codec.write("client", message), world.nowMs);
    expect(restored.digest()).toBe(shadow.digest());
  });
});

test("a world takes the same momentum and ground into a restored one", () => {
  enter(500, 905, 300);
  go({ x: 1037, y: 300, ms: 480, vx: 275, foothold: 30 });
  const restored = new MapleWorld({ dialect: "v62", seed: 1, maps, demo: false, startMap: 500 });
  restored.restore(world.save());
  expect(restored.digest()).toBe(world.digest());
});
