import { describe, expect, test } from "vitest";
import { type MapleMap, type MapParts, makeMap, type Portal } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { LabelSpace } from "../../labels.ts";
import { cameraAt } from "./camera.ts";
import { evidenceOf, footholdKind } from "./evidence.ts";
import { drawMap, drawPortalWords, portalLook, portalWords } from "./map-drawing.ts";
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
    expect(evidenceOf({ foothold: 1, wall: 2 }, map).map(({ id }) => id)).toEqual([1, 2]);
    expect(evidenceOf({ foothold: 0, x: 4 }, map)).toEqual([]);
    expect(evidenceOf({ foothold: -2, wall: "2" }, map)).toEqual([]);
    expect(evidenceOf({ foothold: 2, wall: 2 }, map)).toHaveLength(1);
    expect(evidenceOf({ foothold: 1, named: 2 }, map).map(({ id }) => id)).toEqual([2]);
    // The ground before is not what the verdict is about.
    expect(evidenceOf({ foothold: 1, named: 999 }, map)).toEqual([]);
    expect(evidenceOf(undefined, map)).toEqual([]);
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
