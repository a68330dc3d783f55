/** Maps for tests: written into files as users have them, and read from these. */
import { memoryFiles } from "../../../index.ts";
import { loadMaps } from "../load.ts";
import type { MapleMap, MapParts, MonsterPlan } from "../map.ts";
import { clientPhysics } from "../physics.ts";
import { type MadeImage, MadePoint } from "./made-images.ts";
import { bytesOf, xmlOf } from "./write-xml.ts";

type Footholds = MapParts["footholds"];

/** A map out of its files. */
export function writtenMap(parts: MapParts): MapleMap {
  const map = loadMaps(memoryFiles("written", mapFiles(parts))).map(parts.mapId);
  if (map === undefined) throw new RangeError(`Map ${parts.mapId} cannot be read as it was written`);
  return map;
}

/** Footholds along a line, from point to point. */
export function footholdsAlong(points: readonly (readonly [x: number, y: number])[], firstId = 1): Footholds {
  return points.slice(1).map(([x2, y2], index) => {
    const [x1, y1] = points[index] as readonly [number, number];
    const id = firstId + index;
    const next = index === points.length - 2 ? 0 : id + 1;
    return { id, x1, y1, x2, y2, previous: index === 0 ? 0 : id - 1, next };
  });
}

/** The files of a map by their paths: its image, those of its monsters, and the table of their skills. */
export function mapFiles(parts: MapParts): ReadonlyMap<string, Uint8Array> {
  const { mapId, monsters = [] } = parts;
  const digits = String(mapId).padStart(9, "0");
  const images: readonly (readonly [path: string, image: MadeImage])[] = [
    [`Map.wz/Map/Map${digits[0]}/${digits}.img`, mapImage(parts)],
    ...monsters.map((plan) => [`Mob.wz/${monsterName(plan)}.img`, monsterImage(plan)] as const),
    ["Skill.wz/MobSkill.img", skillImage(monsters)],
  ];
  return new Map(
    images.map(([path, image]) => [`${path}.xml`, bytesOf(xmlOf(path.slice(path.lastIndexOf("/") + 1), image))]),
  );
}

const monsterName = ({ template }: MonsterPlan): string => String(template).padStart(7, "0");

function monsterImage({ speed, flies = false, mp, skills = [] }: MonsterPlan): MadeImage {
  const percent = (speed / (flies ? clientPhysics.flySpeed : clientPhysics.walkSpeed)) * 100 - 100;
  return {
    info: {
      [flies ? "flySpeed" : "speed"]: percent,
      ...(mp === undefined ? {} : { maxMP: mp }),
      skill: Object.fromEntries(skills.map(({ id, level }, index) => [index, { skill: id, level }])),
    },
    [flies ? "fly" : "move"]: {},
  };
}

function skillImage(monsters: readonly MonsterPlan[]): MadeImage {
  const image: Record<string, { level: Record<string, MadeImage> }> = {};
  for (const { id, level, mp, restMs } of monsters.flatMap(({ skills = [] }) => skills)) {
    image[id] ??= { level: {} };
    image[id].level[level] = { mpCon: mp, interval: restMs / 1000 };
  }
  return image;
}

/** The image of a map. Speeds and skills of monsters are not in it: they stand in their own images. */
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
    life: byNumber(monsters, (plan, index) => [
      index,
      { type: "m", id: monsterName(plan), x: plan.x, y: plan.y, fh: 0 },
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
