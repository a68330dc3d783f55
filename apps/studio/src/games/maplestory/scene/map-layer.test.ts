import { afterEach, expect, test, vi } from "vitest";
import { type MapleMap, makeMap } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { cameraFor } from "./camera.ts";
import { MapLayer } from "./map-layer.ts";
import type { MaplePalette } from "./marks.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A context that counts what is drawn on it. */
function counting() {
  const count = { calls: 0, lines: 0, pictures: 0 };
  const context = new Proxy(
    { getTransform: () => ({ a: 1 }) },
    {
      get(target, name) {
        if (name in target) return Reflect.get(target, name);
        return () => {
          count.calls += 1;
          if (name === "lineTo") count.lines += 1;
          if (name === "drawImage") count.pictures += 1;
        };
      },
    },
  );
  return { context: context as unknown as CanvasRenderingContext2D, count };
}

/** As many footholds as the largest map of a real client has. */
const FOOTHOLDS = 1_833;

function tower(mapId: number): MapleMap {
  const footholds = Array.from({ length: FOOTHOLDS }, (_, index) => {
    const [x1, y1] = [(index % 30) * 90, Math.floor(index / 30) * -110];
    return { id: index + 1, x1, y1, x2: x1 + 90, y2: y1, previous: 0, next: 0 };
  });
  return makeMap({ mapId, footholds });
}

function openLayer() {
  const kept = counting();
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => kept.context }) });
  const shown = counting();
  const layer = new MapLayer();
  const size = { width: 900, height: 500 };
  const fitted: FittedCanvas = { context: shown.context, ...size };
  const palette = {} as MaplePalette;
  const draw = (map: MapleMap, dx = 0, scale = 1): void => {
    const camera = cameraFor(size, map, []);
    layer.draw(fitted, { ...camera, left: camera.left + dx, scale: camera.scale * scale }, map, palette);
  };
  return { layer, draw, kept: kept.count, shown: shown.count };
}

test("a map of 1,833 footholds is drawn once, and each later picture is one copy of it", () => {
  const { layer, draw, kept, shown } = openLayer();
  const map = tower(1);
  draw(map);
  expect(layer.drawn).toBe(1);
  expect(kept.lines).toBeGreaterThanOrEqual(FOOTHOLDS);
  expect(shown).toMatchObject({ lines: 0, pictures: 1 });
  const [before, perPicture] = [kept.calls, shown.calls];
  for (let picture = 0; picture < 60; picture++) draw(map);
  expect(layer.drawn).toBe(1);
  expect(kept.calls).toBe(before);
  expect(shown.pictures).toBe(61);
  expect(shown.calls).toBe(61 * perPicture);
  expect(perPicture).toBeLessThan(5);
});

test("it is drawn again when the camera has left what there is, at another scale, and for another map", () => {
  const { layer, draw } = openLayer();
  const map = tower(1);
  draw(map);
  for (let dx = 0; dx <= 160; dx += 10) draw(map, dx);
  expect(layer.drawn).toBe(1);
  draw(map, 170);
  expect(layer.drawn).toBe(2);
  draw(map, 170, 1.2);
  expect(layer.drawn).toBe(3);
  draw(tower(2), 170, 1.2);
  expect(layer.drawn).toBe(4);
});
