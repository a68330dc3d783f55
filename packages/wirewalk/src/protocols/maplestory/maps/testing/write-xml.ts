/** XML dumps for tests and for the demo's maps: images as plain data, and the image of a map. */
import type { MapParts } from "../map.ts";

/** A directory: numbers are `int`, or `double` with a fraction; points are vectors. */
export interface MadeImage {
  readonly [name: string]: number | string | MadePoint | MadeImage;
}

/** A vector. */
export class MadePoint {
  readonly x: number;
  readonly y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

/** The text of an image: as most dumps have it. */
export function xmlOf(name: string, image: MadeImage): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${elementOf(name, image, "")}`;
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function elementOf(name: string, value: MadeImage[string], indent: string): string {
  const named = `${indent}<${tagOf(value)} name="${escaped(name)}"`;
  if (value instanceof MadePoint) return `${named} x="${value.x}" y="${value.y}"/>\n`;
  if (typeof value !== "object") return `${named} value="${escaped(String(value))}"/>\n`;
  const below = Object.entries(value).map(([key, each]) => elementOf(key, each, `${indent}  `));
  return `${named}>\n${below.join("")}${indent}</imgdir>\n`;
}

function tagOf(value: MadeImage[string]): string {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "double";
  return value instanceof MadePoint ? "vector" : "imgdir";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The image that a map is read from. Speeds and skills of monsters are not in it: they stand in their own images. */
export function mapImage(parts: MapParts): MadeImage {
  const { footholds, ladders = [], portals = [], seats = [], waters = [], monsters = [], title } = parts;
  const layers: Record<string, Record<string, Record<string, MadeImage>>> = {};
  for (const { id, layer = 0, group = 0, previous, next, ...foothold } of footholds) {
    const { x1, y1, x2, y2, force, forbidsFall, blocksRise } = foothold;
    layers[layer] ??= {};
    const groups = layers[layer];
    groups[group] ??= {};
    const flags = { forbidFallDown: Number(forbidsFall ?? 0), cantThrough: Number(blocksRise ?? 0), force: force ?? 0 };
    const set = Object.entries(flags).filter(([, value]) => value !== 0);
    groups[group][id] = { x1, y1, x2, y2, prev: previous, next, ...Object.fromEntries(set) };
  }
  const byNumber = <T>(all: readonly T[], row: (each: T, index: number) => readonly [number, MadeImage[string]]) =>
    Object.fromEntries(all.map(row));
  return {
    info: {
      version: 10,
      ...(title === undefined ? {} : { mapName: title }),
      swim: Number(parts.swims ?? false),
      fly: Number(parts.flies ?? false),
      ...(parts.friction === undefined ? {} : { fs: parts.friction }),
      fieldLimit: parts.fieldLimit ?? 0,
    },
    life: byNumber(monsters, ({ template, x, y }, index) => [
      index,
      { type: "m", id: String(template).padStart(7, "0"), x, y, fh: 0 },
    ]),
    foothold: layers,
    ladderRope: byNumber(ladders, ({ id, x, top, bottom, rope, closedTop }) => [
      id,
      { l: rope ? 0 : 1, uf: closedTop ? 0 : 1, x, y1: top, y2: bottom, page: 0 },
    ]),
    portal: byNumber(portals, ({ id, name, kind, x, y, target, script, ...more }) => [
      id,
      {
        pn: name,
        pt: kind,
        x,
        y,
        tm: target?.mapId ?? 999_999_999,
        tn: target?.portal ?? "",
        ...(script === undefined ? {} : { script }),
        ...(more.impactX === undefined ? {} : { horizontalImpact: more.impactX }),
        ...(more.impactY === undefined ? {} : { verticalImpact: more.impactY }),
        ...(more.reachX === undefined ? {} : { hRange: more.reachX }),
        ...(more.reachY === undefined ? {} : { vRange: more.reachY }),
      },
    ]),
    seat: byNumber(seats, ({ id, x, y }) => [id, new MadePoint(x, y)]),
    swimArea: byNumber(waters, ({ left, top, right, bottom }, index) => [
      index,
      { x1: left, y1: top, x2: right, y2: bottom },
    ]),
  };
}
