import { afterEach, expect, test, vi } from "vitest";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { cameraAt } from "./camera.ts";
import { type Figure, FigurePictures } from "./figure-drawing.ts";
import type { MaplePalette } from "./marks.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A canvas that counts what is drawn on it, and those that the page makes. */
function counting() {
  const count = { outlines: 0, copies: 0, made: 0 };
  const contextOf = (of: { outlines: number; copies: number }) =>
    new Proxy(
      { getTransform: () => ({ a: 2 }) },
      {
        get(target, name) {
          if (name in target) return Reflect.get(target, name);
          return () => {
            if (name === "stroke") of.outlines += 1;
            if (name === "drawImage") of.copies += 1;
          };
        },
      },
    );
  class Offscreen {
    constructor() {
      count.made += 1;
    }
    getContext = () => contextOf({ outlines: 0, copies: 0 });
    transferToImageBitmap = () => ({});
  }
  vi.stubGlobal("OffscreenCanvas", Offscreen);
  const context = contextOf(count) as unknown as CanvasRenderingContext2D;
  return { fitted: { context, width: 900, height: 500 } satisfies FittedCanvas, count };
}

/** As truth and as ghost, in eight colours, to both sides. */
const crowd: readonly Figure[] = Array.from({ length: 200 }, (_, index) => ({
  x: index * 7,
  y: 0,
  state: 4 + (index % 4 < 2 ? 0 : 1),
  kind: "player",
  colour: `colour ${index % 8}`,
  as: index < 100 ? "truth" : "ghost",
  own: false,
  selected: false,
  label: undefined,
}));

function openCrowd() {
  const { fitted, count } = counting();
  const pictures = new FigurePictures();
  const palettes = [{}, {}] as MaplePalette[];
  const draw = (scale = 1, palette = 0): void => {
    const camera = cameraAt(fitted, { x: 0, y: 0 }, scale);
    const colours = palettes[palette] as MaplePalette;
    pictures.begin(fitted, camera, colours);
    for (const figure of crowd) pictures.draw(fitted, camera, figure, colours);
  };
  return { draw, pictures, count };
}

test("a crowd is drawn once, and is copies then: one for each body", () => {
  const { draw, pictures, count } = openCrowd();
  draw();
  draw();
  const { drawn } = pictures;
  const before = { ...count };
  for (let frame = 0; frame < 60; frame++) draw();
  expect(pictures.drawn).toBe(drawn);
  expect(count).toEqual({ ...before, copies: before.copies + 60 * crowd.length });
  expect(count.made).toBeLessThanOrEqual(32);
});

test("at another scale and in other colours it is drawn again, and while the scale changes no picture is made", () => {
  const { draw, pictures, count } = openCrowd();
  for (let step = 0; step < 5; step++) draw(1 + step / 10);
  expect(count).toMatchObject({ made: 0, copies: 0 });
  draw(1.4);
  const { drawn } = pictures;
  const { made } = count;
  draw(1.4, 1);
  expect(pictures.drawn).toBe(drawn + crowd.length);
  draw(1.4, 1);
  expect(count.made).toBe(2 * made);
});

test("a mark of the last packet is no picture", () => {
  const { fitted, count } = counting();
  const pictures = new FigurePictures();
  const camera = cameraAt(fitted, { x: 0, y: 0 }, 1);
  for (let frame = 0; frame < 2; frame++) {
    pictures.begin(fitted, camera, {} as MaplePalette);
    pictures.draw(fitted, camera, { ...(crowd[0] as Figure), as: "reported" }, {} as MaplePalette);
  }
  expect(count).toMatchObject({ outlines: 2, copies: 0, made: 0 });
});
