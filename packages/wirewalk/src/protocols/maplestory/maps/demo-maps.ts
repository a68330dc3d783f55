/**
 * Two made-up maps, joined by portals, for bots, the page, and a server started with bots. The page draws the same
 * footholds.
 */
import type { MapleMap } from "./map.ts";
import { createMap } from "./plan.ts";

/** The kind with skills: two, of which the second is cheap. Mana for six minutes, at ten seconds of rest. */
const caster = {
  mp: 400,
  skills: [
    { id: 121, level: 1, mp: 60, restMs: 20_000 },
    { id: 110, level: 3, mp: 5, restMs: 10_000 },
  ],
} as const;

/** The demo maps; row `i` has the number `i + 1`. */
export const demoMaps: readonly MapleMap[] = [
  createMap({
    mapId: 1,
    title: "Hillside",
    platforms: [
      // The ground, with a hill.
      [
        [-600, 300],
        [-200, 300],
        [0, 240],
        [200, 300],
        [600, 300],
      ],
      [
        [-520, 190],
        [-300, 190],
      ],
      [
        [-120, 140],
        [120, 140],
      ],
      [
        [300, 190],
        [420, 170],
        [560, 170],
      ],
      [
        [-280, 60],
        [-140, 40],
        [-20, 40],
      ],
    ],
    ladders: [
      { x: -400, top: 190, bottom: 290 },
      { x: -80, top: 40, bottom: 130, rope: true },
      { x: 500, top: 170, bottom: 285, rope: true },
    ],
    portals: [
      { name: "start", x: -500, y: 300 },
      { name: "middle", x: 260, y: 300 },
      { name: "east", x: 570, y: 300, target: { mapId: 2, portal: "west" } },
    ],
    monsters: [
      { template: 100_100, x: -350, y: 190, speed: 80 },
      { template: 100_100, x: 100, y: 270, speed: 80 },
      { template: 100_100, x: 350, y: 300, speed: 80 },
      { template: 210_100, x: -50, y: 140, speed: 60, ...caster },
      { template: 210_100, x: 450, y: 170, speed: 60, ...caster },
      { template: 210_100, x: -200, y: 45, speed: 60, ...caster },
      { template: 100_100, x: -450, y: 300, speed: 80 },
      { template: 100_100, x: -500, y: 190, speed: 80 },
      { template: 100_100, x: 500, y: 300, speed: 80 },
      { template: 210_100, x: 60, y: 140, speed: 60, ...caster },
      { template: 210_100, x: 340, y: 170, speed: 60, ...caster },
      { template: 210_100, x: -80, y: 40, speed: 60, ...caster },
    ],
  }),
  createMap({
    mapId: 2,
    title: "Scaffold",
    platforms: [
      [
        [-500, 360],
        [500, 360],
      ],
      [
        [-360, 270],
        [-120, 270],
      ],
      [
        [120, 270],
        [360, 270],
      ],
      [
        [-200, 180],
        [200, 180],
      ],
      [
        [-420, 90],
        [-240, 90],
        [-140, 120],
      ],
      [
        [160, 90],
        [400, 90],
      ],
    ],
    ladders: [
      { x: -240, top: 270, bottom: 350 },
      { x: 240, top: 270, bottom: 350 },
      { x: -160, top: 180, bottom: 262, rope: true },
      { x: 180, top: 90, bottom: 172 },
    ],
    portals: [
      { name: "west", x: -460, y: 360, target: { mapId: 1, portal: "east" } },
      { name: "top", x: 300, y: 90 },
    ],
    monsters: [
      { template: 210_100, x: -200, y: 270, speed: 60, ...caster },
      { template: 210_100, x: 200, y: 270, speed: 60, ...caster },
      { template: 210_100, x: 0, y: 180, speed: 60, ...caster },
      { template: 100_100, x: -100, y: 360, speed: 80 },
      { template: 100_100, x: 250, y: 360, speed: 80 },
      { template: 100_100, x: -400, y: 360, speed: 80 },
      { template: 100_100, x: 450, y: 360, speed: 80 },
      { template: 210_100, x: -320, y: 270, speed: 60, ...caster },
      { template: 210_100, x: 320, y: 270, speed: 60, ...caster },
      { template: 210_100, x: -150, y: 180, speed: 60, ...caster },
      { template: 210_100, x: -380, y: 90, speed: 60, ...caster },
      { template: 210_100, x: 250, y: 90, speed: 60, ...caster },
    ],
  }),
];

/** A demo map by its number; undefined for any other. */
export function demoMap(mapId: number): MapleMap | undefined {
  return demoMaps[mapId - 1];
}
