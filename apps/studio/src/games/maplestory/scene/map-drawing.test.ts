import { describe, expect, test } from "vitest";
import { type MapleMap, type MapParts, makeMap, type Portal } from "wirewalk/maplestory/maps";
import type { JsonObject } from "wirewalk/wire";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { LabelSpace } from "../../labels.ts";
import { cameraAt } from "./camera.ts";
import { type Evidence, evidenceOf, footholdKind, hasEvidence } from "./evidence.ts";
import { drawMap, drawPortalWords, highlightEvidence, portalLook, portalWords } from "./map-drawing.ts";
import type { MaplePalette } from "./marks.ts";

const line = (id: number, x1: number, y1: number, x2: number, y2: number, more = {}) => {
  return { id, x1, y1, x2, y2, previous: 0, next: 0, ...more };
};

function mapOf(parts: Partial<MapParts>): MapleMap {
  return makeMap({ mapId: 100_000_000, footholds: [], ...parts });
}

/** A canvas that keeps the words and counts the lines of each colour. */
function drawn(map: MapleMap, x: number, y: number, scale = 1) {
  const words: string[] = [];
  const lines = new Map<string, number>();
  let count = 0;
  const context = new Proxy(
    { strokeStyle: "", measureText: (text: string) => ({ width: text.length * 6 }) },
    {
      get(target, name) {
        if (name in target) return Reflect.get(target, name);
        return (...values: unknown[]) => {
          if (name === "beginPath") count = 0;
          if (name === "lineTo") count += 1;
          if (name === "stroke") lines.set(target.strokeStyle, (lines.get(target.strokeStyle) ?? 0) + count);
          if (name === "fillText") words.push(String(values[0]));
        };
      },
    },
  );
  const palette = new Proxy({}, { get: (_target, name) => name }) as MaplePalette;
  const fitted = { context, width: 400, height: 300 } as unknown as FittedCanvas;
  const camera = cameraAt(fitted, { x, y }, scale);
  drawMap(fitted, camera, map, palette);
  drawPortalWords(fitted, camera, map, palette, new LabelSpace(fitted.width));
  return { words, lines };
}

describe("footholds", () => {
  const map = mapOf({
    footholds: [
      line(1, 0, 0, 90, 0),
      line(2, 90, 0, 90, -60),
      line(3, 90, -60, 0, -60),
      line(4, 200, 0, 290, 0, { force: -120 }),
      line(5, 5_000, 0, 5_090, 0),
    ],
  });

  test("are floors, walls, undersides, conveyors and ice", () => {
    expect(map.footholds.map((each) => footholdKind(each, map))).toEqual([
      "floor",
      "wall",
      "underside",
      "conveyor",
      "floor",
    ]);
    expect(footholdKind(line(1, 0, 0, 90, 0), { friction: 0.2 })).toBe("ice");
  });

  test("are drawn in view alone, each kind in its colour", () => {
    const { lines } = drawn(map, 100, 0);
    expect(lines.get("maple-ground")).toBe(1);
    expect(lines.get("maple-wall")).toBe(2);
    expect(lines.get("maple-conveyor")).toBeGreaterThan(0);
    const far = drawn(map, 5_000, 0);
    expect(far.lines.get("maple-ground")).toBe(1);
    expect(far.lines.get("maple-wall")).toBeUndefined();
  });

  test("that a verdict names are found by its evidence", () => {
    const idsOf = (stateBefore: JsonObject, rule = "wall") =>
      evidenceOf({ rule, stateBefore }, map).footholds.map(({ id }) => id);
    expect(idsOf({ foothold: 1, wall: 2 })).toEqual([1, 2]);
    expect(idsOf({ foothold: 0, x: 4 })).toEqual([]);
    expect(idsOf({ foothold: -2, wall: "2" })).toEqual([]);
    expect(idsOf({ foothold: 2, wall: 2 })).toHaveLength(1);
    expect(idsOf({ foothold: 1, named: 2 })).toEqual([2]);
    // The ground before is not what the verdict is about.
    expect(idsOf({ foothold: 1, named: 999 })).toEqual([]);
    expect(hasEvidence(evidenceOf(undefined, map))).toBe(false);
  });

  test("below a player in the air are what a verdict about its flight is about", () => {
    const { x1, y1, id } = map.footholds.find(({ id: each }) => each === 1) ?? { x1: 0, y1: 0, id: 0 };
    const stateBefore = { foothold: 0, x: x1 + 5, y: y1 - 200 };
    expect(evidenceOf({ rule: "flight", stateBefore }, map).footholds.map((each) => each.id)).toEqual([id]);
    expect(evidenceOf({ rule: "gain", stateBefore }, map).footholds).toEqual([]);
  });
});

describe("what a verdict is about", () => {
  const map = mapOf({
    ladders: [{ id: 4, x: 100, top: -200, bottom: -10, rope: true }],
    portals: [{ id: 3, name: "west00", kind: 2, x: -80, y: 0 }],
    waters: [
      { left: -300, top: 40, right: 300, bottom: 200 },
      { left: 900, top: 40, right: 990, bottom: 200 },
    ],
  });
  const of = (rule: string, stateBefore: JsonObject) => evidenceOf({ rule, stateBefore }, map);
  const at = { x: 10, y: -90 };

  test("is the rope that a path names, or the place where none is", () => {
    expect(of("ladder", { foothold: 1, ladder: 4, at })).toMatchObject({
      footholds: [],
      ladders: [{ id: 4 }],
      place: { ...at, words: "not on ladder or rope 4" },
    });
    expect(of("ladder", { ladder: 9, at })).toMatchObject({ ladders: [], place: { words: "no ladder or rope 9" } });
    expect(of("foothold", { named: 77, at })).toMatchObject({ footholds: [], place: { words: "no foothold 77" } });
  });

  test("is the portal, and the water that a player stands in", () => {
    expect(of("portal", { portal: 3 })).toMatchObject({ portals: [{ name: "west00" }], place: undefined });
    const { waters, place } = of("water", { at: { x: 0, y: 50 } });
    expect(waters).toEqual([map.waters[0]]);
    expect(place?.words).toBe("no ground here");
  });

  test("is drawn with its name", () => {
    const words: string[] = [];
    const context = new Proxy({} as CanvasRenderingContext2D, {
      get: (_, name) => (text: string) => {
        if (name === "fillText") words.push(text);
        return { width: 40 };
      },
      set: () => true,
    });
    const fitted = { context, width: 800, height: 600 };
    const camera = { scale: 1, left: 400, top: 300 };
    const draw = (evidence: Evidence, of = camera) =>
      highlightEvidence(fitted, of, evidence, {} as MaplePalette).length;
    expect(draw(of("ladder", { ladder: 4, at }))).toBe(2);
    expect(draw(of("water", { at: { x: 0, y: 50 } }))).toBe(2);
    expect(draw(of("portal", { portal: 3 }))).toBe(1);
    // Outside of the canvas, with the way to it.
    draw(of("portal", { portal: 3 }), { ...camera, left: 5_000 });
    draw(of("portal", { portal: 3 }), { ...camera, top: -5_000 });
    expect(words).toEqual([
      "rope 4",
      "not on ladder or rope 4",
      "edge of the water",
      "no ground here",
      "portal west00",
      "→ portal west00",
      "↑ portal west00",
    ]);
  });
});

describe("portals", () => {
  const portal = (kind: number, more: Partial<Portal> = {}): Portal => ({
    id: 0,
    name: "in00",
    kind,
    x: 0,
    y: 0,
    ...more,
  });
  const target = { mapId: 100_000_001, portal: "out00" };

  test.each([
    [0, "pad"],
    [1, "pad"],
    [2, "gate"],
    [3, "box"],
    [4, "gate"],
    [5, "invisible"],
    [6, "door"],
    [7, "gate"],
    [8, "invisible"],
    [9, "box"],
    [10, "hidden"],
    [11, "hidden"],
    [12, "spring"],
    [13, "spring"],
    [99, "pad"],
  ])("of kind %i look like a %s", (kind, look) => {
    expect(portalLook(portal(kind))).toBe(look);
  });

  test("that are invisible look so where they lead somewhere", () => {
    expect(portalLook(portal(1, { target }))).toBe("invisible");
    expect(portalLook(portal(99, { script: "market" }))).toBe("invisible");
  });

  test("are named with where they lead", () => {
    expect(portalWords(portal(2, { target }), 100_000_000)).toBe("in00 to 100000001");
    expect(portalWords(portal(2, { target }), 100_000_001)).toBe("in00 to out00 here");
    expect(portalWords(portal(7, { script: "market" }), 1)).toBe("in00, script market");
    expect(portalWords(portal(6, { name: "" }), 1)).toBe("portal");
  });

  test("have words from near, and none from afar or where players only start", () => {
    const map = mapOf({ portals: [portal(2, { target }), { ...portal(0), id: 1, name: "sp" }] });
    expect(drawn(map, 0, 0).words).toEqual(["in00 to 100000001"]);
    expect(drawn(map, 0, 0, 0.1).words).toEqual([]);
  });
});
