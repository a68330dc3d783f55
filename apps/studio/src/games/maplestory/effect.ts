/** A path of MapleStory as the inspector draws it: each fragment a node, with a dot for each step of the client. */
import type { FragmentFields, Point } from "wirewalk/maplestory";
import { demoMap } from "wirewalk/maplestory/maps";
import { showAmount } from "../../ui/format.ts";
import { type EffectOf, packetEffect } from "../packet-effect.ts";
import { listOf, numberIn, objectOf } from "../packet-values.ts";
import { playerColour, watchPalette } from "../palette.ts";
import { createBatch } from "./play/batch.ts";
import { mapIdOf } from "./play/maps.ts";
import { type Camera, cameraFor } from "./scene/camera.ts";
import { drawFigure } from "./scene/figure-drawing.ts";
import { drawMap } from "./scene/map-drawing.ts";
import { mapleColours } from "./scene/marks.ts";
import { drawNodes, drawWays, wayOf } from "./scene/path-drawing.ts";
import "./maplestory.css";

/** Pixels around a path, so that what is near it is seen too. */
const AROUND_PX = 90;

/** The messages whose path is of a player; others are of monsters, pets, summons and dragons. */
const kinds: Readonly<Record<string, "player" | "monster" | "pet" | "summon" | "dragon">> = {
  movePlayer: "player",
  moveLife: "monster",
  moveMonster: "monster",
  movePet: "pet",
  moveSummon: "summon",
  moveDragon: "dragon",
};

export const mapleEffect: EffectOf = ({ message, json, dialect, room }) => {
  const value = objectOf(json?.value);
  const kind = kinds[message ?? ""];
  const fragments = listOf(value.fragments) as unknown as readonly FragmentFields[];
  if (kind === undefined || fragments.length === 0) return undefined;
  const batch = createBatch({
    dialect,
    number: 1,
    received: { start: pointOf(objectOf(value.start)), fragments },
    packetBytes: undefined,
    clockMs: 0,
    receivedMs: 0,
    arrivesMs: 0,
    last: undefined,
    seamless: false,
  });
  const way = wayOf(batch, dialect);
  const last = way.at(-1) ?? batch.path.start;
  const { start } = batch.path;
  const map = room === undefined ? undefined : demoMap(mapIdOf(room));
  return packetEffect({
    words: `A ${kind} moves from ${place(start)} to ${place(last)} in ${batch.durationMs} ms, by ${showAmount(fragments.length, "fragment")}.`,
    ...(map === undefined ? { ground: "The message does not say on which map: lines are 100 px apart." } : {}),
    palette: (element) => watchPalette(element, mapleColours),
    draw(fitted, palette) {
      const camera = around(fitted, [...way, ...batch.nodes]);
      const colour = playerColour(palette, 1);
      const drawn = { key: "packet", batch, colour, strength: 1, inDetail: true };
      drawMap(fitted, camera, map, palette);
      const state = batch.path.nodes.at(-1)?.state ?? 0;
      const look = {
        ...last,
        vx: 0,
        vy: 0,
        kind,
        colour,
        own: false,
        selected: false,
        label: undefined,
        state,
      } as const;
      drawFigure(fitted, camera, { ...look, as: "ghost" }, palette);
      drawWays(fitted, camera, [drawn], dialect);
      drawNodes(fitted, camera, drawn, undefined, palette);
    },
  });
};

function pointOf(value: ReturnType<typeof objectOf>): Point | undefined {
  const [x, y] = [numberIn(value, "x"), numberIn(value, "y")];
  return x === undefined || y === undefined ? undefined : { x, y };
}

function place({ x, y }: Point): string {
  return `${Math.round(x)}, ${Math.round(y)}`;
}

/** The path as large as it fits, at most four times. */
function around(size: { readonly width: number; readonly height: number }, points: readonly Point[]): Camera {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs) - AROUND_PX, Math.max(...xs) + AROUND_PX];
  const [top, bottom] = [Math.min(...ys) - AROUND_PX, Math.max(...ys) + AROUND_PX];
  if (points.length === 0) return cameraFor(size, undefined, []);
  const scale = Math.min(4, size.width / (right - left), size.height / (bottom - top));
  return {
    scale,
    left: size.width / 2 - ((left + right) / 2) * scale,
    top: size.height / 2 - ((top + bottom) / 2) * scale,
  };
}
