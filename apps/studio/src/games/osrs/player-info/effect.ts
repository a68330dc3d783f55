/** The players of one player info packet: where each is, and the step that the packet made it take. */
import type { JsonObject } from "wirewalk/wire";
import { type EffectOf, packetEffect } from "../../packet-effect.ts";
import { objectOf } from "../../packet-values.ts";
import { watchPalette } from "../../palette.ts";
import type { Step } from "./play/steps.ts";
import { fitting } from "./scene/camera.ts";
import { type Dot, drawDots, drawGround, drawSteps, playerInfoColours } from "./scene/drawing.ts";

/** Tiles that are shown at least. */
const LEAST_TILES = 12;

interface Tile {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

export const playerInfoEffect: EffectOf = ({ json, before }) => {
  const players = playersOf(json);
  if (players.size === 0) return undefined;
  const earlier = playersOf(before);
  const steps: Step[] = [];
  for (const [index, { level, x, z }] of players) {
    const from = earlier.get(index);
    if (from === undefined || (from.x === x && from.z === z)) continue;
    steps.push({ fromX: from.x, fromZ: from.z, x, z, level, atMs: 0 });
  }
  const left = [...earlier.keys()].filter((index) => !players.has(index)).length;
  const added = earlier.size === 0 ? 0 : [...players.keys()].filter((index) => !earlier.has(index)).length;
  const changes = [
    earlier.size === 0 ? "" : `${steps.length} moved`,
    added === 0 ? "" : `${added} came into view`,
    left === 0 ? "" : `${left} went out of view`,
  ].filter((each) => each !== "");
  return packetEffect({
    words: `${players.size} players in view${changes.length === 0 ? "" : `: ${changes.join(", ")}`}.`,
    ground: "North is up. The packet has tiles, and no map.",
    palette: (element) => watchPalette(element, playerInfoColours),
    draw(fitted, palette) {
      const tiles = [...players.values()];
      // A player at the far end of the world would make all others a dot: the camera fits the middle ones.
      const level = tiles[0]?.level ?? 0;
      const [x, z] = [median(tiles.map((tile) => tile.x)), median(tiles.map((tile) => tile.z))];
      const far = tiles.map((tile) => Math.max(Math.abs(tile.x - x), Math.abs(tile.z - z))).sort((a, b) => a - b);
      const reach = far[Math.floor((far.length - 1) * 0.9)] ?? 0;
      const camera = fitting(x + 0.5, z + 0.5, Math.max(LEAST_TILES, 2 * reach + 5), fitted);
      drawGround(fitted, camera, undefined, palette);
      drawSteps(fitted, camera, steps, 0, palette);
      const dots = [...players].map(
        ([index, tile]): Dot => ({
          index,
          x: tile.x + 0.5,
          z: tile.z + 0.5,
          level: tile.level,
          role: "local",
          facing: undefined,
          label: players.size <= 40 ? String(index) : undefined,
          isPointedAt: false,
        }),
      );
      drawDots(fitted, camera, dots, level, palette);
    },
  });
};

/** Players of a packet's JSON, which stand in its value in a capture: `{ players: { 5: [level, x, z] } }`. */
function playersOf(json: JsonObject | undefined): ReadonlyMap<number, Tile> {
  const players = objectOf(json?.players ?? objectOf(json?.value).players);
  return new Map(
    Object.entries(players).flatMap(([index, tile]) => {
      const [level, x, z] = Array.isArray(tile) ? tile : [];
      return typeof level === "number" && typeof x === "number" && typeof z === "number"
        ? [[Number(index), { level, x, z }] as const]
        : [];
    }),
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
