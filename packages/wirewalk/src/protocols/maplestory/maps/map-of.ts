/** From the tree of an image to a map, whatever file the tree came from. */
import { MapError } from "../../index.ts";
import type { Foothold, MapArea } from "./foothold.ts";
import {
  type Ladder,
  type MapleMap,
  type MapParts,
  type MapSeat,
  type MonsterPlan,
  makeMap,
  type Omission,
  type Portal,
} from "./map.ts";
import type { MonsterKind } from "./monster-kind.ts";
import { parseNumber } from "./numbers.ts";
import type { TreeNode } from "./tree.ts";
import { flagAt, numberAt, numberOf, textAt } from "./tree-values.ts";

/** What a map takes from elsewhere. */
export interface MapSurroundings {
  /** The map that `info/link` names. Undefined where there is none. May throw {@link MapError}. */
  linked?(id: number): MapleMap | undefined;
  /** A kind of monsters. Without it all are {@link unknownMonster}. */
  monster?(template: number): MonsterKind;
  /** The name of a map, for people. */
  title?(id: number): string | undefined;
}

/** Of a portal: no map. */
const NO_MAP = 999_999_999;
/** No place of a map is so far out: 16 bits go over the wire, and some maps are made by hand. */
const MAX_PLACE = 1_000_000;
/** Omissions that are listed. A map that is wrong throughout is not as long again in memory. */
const MAX_OMISSIONS = 10_000;

/** A kind of which no file says anything. It flies, so that no rule of the ground judges it. */
export const unknownMonster: MonsterKind = { speed: 125, flies: true };

/**
 * Makes a map of an image's tree. What is wrong in it is left out and listed in `omitted`. Throws {@link MapError} where it links to no
 * map.
 */
export function mapOf(tree: TreeNode, mapId: number, surroundings: MapSurroundings = {}): MapleMap {
  const info = tree.child("info");
  const title = surroundings.title?.(mapId) ?? (textAt(info, "mapName") || undefined);
  const named = title === undefined ? {} : { title };
  const target = linkedMap(info, mapId, surroundings);
  if (target !== undefined) {
    const { map, linkedTo } = target;
    const own = infoParts(info, map);
    const isSame = own.swims === map.swims;
    // The target's index serves this map as well.
    if (isSame) return { ...map, ...own, mapId, title: title ?? String(mapId), linkedTo };
    const { title: _, ...parts } = map;
    return makeMap({ ...parts, ...own, mapId, ...named, linkedTo });
  }
  return makeMap({ mapId, ...named, ...infoParts(info), ...new PartsReader(tree, surroundings).read() });
}

/** What stands in `info`; where it says nothing, what the linked map has. */
function infoParts(info: TreeNode | undefined, linked?: MapleMap) {
  const { swims = false, flies = false, friction = 1, fieldLimit = 0 } = linked ?? {};
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = numberAt(info, name);
    return value === undefined ? otherwise : value !== 0;
  };
  const fs = numberAt(info, "fs");
  const limit = numberAt(info, "fieldLimit");
  return {
    swims: flag("swim", swims),
    flies: flag("fly", flies),
    friction: fs === undefined || fs < 0 ? friction : rounded(fs),
    fieldLimit: limit === undefined ? fieldLimit : Math.trunc(limit),
  };
}

/** A number of 32 bits and one of 64, from two kinds of files, are one: 0.2 is 0.20000000298. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

function linkedMap(info: TreeNode | undefined, mapId: number, { linked }: MapSurroundings) {
  const text = textAt(info, "link").trim();
  if (text === "") return undefined;
  const linkedTo = parseNumber(text);
  if (linkedTo === undefined) throw new MapError(`Map ${mapId} links to "${text}", which is no number of a map`);
  const map = linked?.(linkedTo);
  if (map === undefined) throw new MapError(`Map ${mapId} links to ${linkedTo}, which is not there`);
  return { map, linkedTo };
}

interface Entry {
  readonly node: TreeNode;
  readonly id: number;
}

/** Why something is left out. */
class Fault {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

class PartsReader {
  readonly #tree: TreeNode;
  readonly #surroundings: MapSurroundings;
  readonly #omitted: Omission[] = [];
  #omissions = 0;
  /** Of the foothold that is read. */
  #layer = 0;
  #group = 0;

  constructor(tree: TreeNode, surroundings: MapSurroundings) {
    this.#tree = tree;
    this.#surroundings = surroundings;
  }

  read(): Omit<MapParts, "mapId"> {
    const footholds = this.#list("foothold", this.#footholdNodes(), 1, (entry) =>
      readFoothold(entry, this.#layer, this.#group),
    );
    const ladders = this.#list("ladderRope", this.#children("ladderRope"), 1, readLadder);
    const portals = this.#list("portal", this.#children("portal"), 0, readPortal);
    const seats = this.#list("seat", this.#children("seat"), 0, readSeat);
    const waters = this.#waters();
    const monsters = this.#monsters();
    if (this.#omissions > MAX_OMISSIONS) {
      const reason = `${this.#omissions - MAX_OMISSIONS} more are left out`;
      this.#omitted.push({ what: "map", id: this.#tree.name, reason });
    }
    return { footholds, ladders, portals, seats, waters, monsters, omitted: this.#omitted };
  }

  #children(part: string): readonly TreeNode[] {
    return this.#tree.child(part)?.children ?? [];
  }

  *#footholdNodes(): Generator<TreeNode, void, undefined> {
    for (const layer of this.#children("foothold")) {
      this.#layer = idOf(layer) ?? 0;
      for (const group of layer.children) {
        this.#group = idOf(group) ?? 0;
        yield* group.children;
      }
    }
  }

  /** Reads each entry, sorted by id; leaves out what is wrong, and the second of one id. */
  #list<T extends { readonly id: number }>(
    what: string,
    nodes: Iterable<TreeNode>,
    firstId: number,
    read: (entry: Entry) => T | Fault,
  ): readonly T[] {
    const found = new Map<number, T>();
    for (const node of nodes) {
      const id = idOf(node);
      if (id === undefined || id < firstId) {
        this.#omit(what, node, `its number is no whole number from ${firstId} on`);
        continue;
      }
      const made = read({ node, id });
      if (made instanceof Fault) this.#omit(what, node, made.reason);
      else if (found.has(id)) this.#omit(what, node, "its number is there twice");
      else found.set(id, made);
    }
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  #waters(): readonly MapArea[] {
    const areas: { readonly name: string; readonly area: MapArea }[] = [];
    for (const node of this.#children("swimArea")) {
      const corners = coordinates(node, ["x1", "y1", "x2", "y2"]);
      if (corners instanceof Fault) {
        this.#omit("swimArea", node, corners.reason);
        continue;
      }
      const [x1, y1, x2, y2] = corners as [number, number, number, number];
      const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
      areas.push({ name: node.name, area: { left, top: Math.min(y1, y2), right, bottom: Math.max(y1, y2) } });
    }
    return areas.sort((a, b) => compareNames(a.name, b.name)).map(({ area }) => area);
  }

  #monsters(): readonly MonsterPlan[] {
    const found: { readonly name: string; readonly plan: MonsterPlan }[] = [];
    for (const part of this.#children("life")) {
      // Later clients have a folder for each kind of life.
      const isGroup = part.child("type") === undefined && part.children.some(({ children }) => children.length > 0);
      for (const node of isGroup ? part.children : [part]) {
        if (textAt(node, "type") !== "m" || flagAt(node, "hide")) continue;
        const plan = this.#monster(node);
        if (plan instanceof Fault) this.#omit("life", node, plan.reason);
        else found.push({ name: isGroup ? `${part.name}/${node.name}` : node.name, plan });
      }
    }
    return found.sort((a, b) => compareNames(a.name, b.name)).map(({ plan }) => plan);
  }

  #monster(node: TreeNode): MonsterPlan | Fault {
    const template = numberAt(node, "id");
    if (template === undefined || !Number.isInteger(template) || template < 0 || template > 0x7fff_ffff) {
      return new Fault(`id is ${shown(node, "id")}`);
    }
    // Some dumps have only the height of its foothold.
    const place = coordinates(node, ["x", node.child("y") === undefined ? "cy" : "y"]);
    if (place instanceof Fault) return place;
    const [x, y] = place as [number, number];
    return { template, x, y, ...(this.#surroundings.monster?.(template) ?? unknownMonster) };
  }

  #omit(what: string, node: TreeNode, reason: string): void {
    this.#omissions += 1;
    if (this.#omissions > MAX_OMISSIONS) return;
    this.#omitted.push({
      what,
      id: idOf(node) ?? node.name,
      ...(node.line === undefined ? {} : { line: node.line }),
      reason,
    });
  }
}

function readFoothold({ node, id }: Entry, layer: number, group: number): Foothold | Fault {
  const ends = coordinates(node, ["x1", "y1", "x2", "y2"]);
  if (ends instanceof Fault) return ends;
  const [x1, y1, x2, y2] = ends as [number, number, number, number];
  if (x1 === x2 && y1 === y2) return new Fault("it has no length");
  const force = numberAt(node, "force") ?? 0;
  return {
    id,
    x1,
    y1,
    x2,
    y2,
    previous: neighbour(node, "prev"),
    next: neighbour(node, "next"),
    ...(layer === 0 ? {} : { layer }),
    ...(group === 0 ? {} : { group }),
    ...(force === 0 ? {} : { force }),
    ...(flagAt(node, "forbidFallDown") ? { forbidsFall: true } : {}),
    ...(flagAt(node, "cantThrough") ? { blocksRise: true } : {}),
  };
}

function neighbour(node: TreeNode, name: string): number {
  const id = numberAt(node, name);
  return id !== undefined && Number.isInteger(id) && id > 0 ? id : 0;
}

function readLadder({ node, id }: Entry): Ladder | Fault {
  const place = coordinates(node, ["x", "y1", "y2"]);
  if (place instanceof Fault) return place;
  const [x, y1, y2] = place as [number, number, number];
  return {
    id,
    x,
    // Some stand upside down.
    top: Math.min(y1, y2),
    bottom: Math.max(y1, y2),
    ...(flagAt(node, "l") ? {} : { rope: true }),
    ...(numberAt(node, "uf") === 0 ? { closedTop: true } : {}),
  };
}

function readPortal({ node, id }: Entry): Portal | Fault {
  const place = coordinates(node, ["x", "y"]);
  if (place instanceof Fault) return place;
  const [x, y] = place as [number, number];
  const kind = numberAt(node, "pt");
  if (kind === undefined || !Number.isInteger(kind) || kind < 0) return new Fault(`pt is ${shown(node, "pt")}`);
  const mapId = numberAt(node, "tm");
  const leads = mapId !== undefined && Number.isInteger(mapId) && mapId >= 0 && mapId !== NO_MAP;
  const script = textAt(node, "script");
  return {
    id,
    name: textAt(node, "pn"),
    kind,
    x,
    y,
    ...(leads ? { target: { mapId, portal: textAt(node, "tn") } } : {}),
    ...(script === "" ? {} : { script }),
    ...maybe("impactX", numberAt(node, "horizontalImpact")),
    ...maybe("impactY", numberAt(node, "verticalImpact")),
    ...maybe("reachX", numberAt(node, "hRange")),
    ...maybe("reachY", numberAt(node, "vRange")),
  };
}

function maybe<Name extends string>(name: Name, value: number | undefined): { readonly [Key in Name]?: number } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: number };
}

function readSeat({ node, id }: Entry): MapSeat | Fault {
  const { value } = node;
  if (typeof value === "object") {
    const fault = placeFault("x", value.x, String(value.x)) ?? placeFault("y", value.y, String(value.y));
    return fault ?? { id, x: value.x, y: value.y };
  }
  const place = coordinates(node, ["x", "y"]);
  if (place instanceof Fault) return place;
  const [x, y] = place as [number, number];
  return { id, x, y };
}

/** The numbers of these children, or why they are none. */
function coordinates(node: TreeNode, names: readonly string[]): readonly number[] | Fault {
  const values: number[] = [];
  if (names.every((name) => node.child(name) === undefined)) return new Fault("no coordinates");
  for (const name of names) {
    const child = node.child(name);
    if (child === undefined) return new Fault(`no coordinates: ${name} is not there`);
    const value = numberOf(child);
    const fault = placeFault(name, value, shown(node, name));
    if (fault !== undefined) return fault;
    values.push(value as number);
  }
  return values;
}

function placeFault(name: string, value: number | undefined, text: string): Fault | undefined {
  if (value === undefined || !Number.isInteger(value)) return new Fault(`${name} is ${text}, no whole number`);
  if (Math.abs(value) > MAX_PLACE) return new Fault(`${name} is ${text}, at most ${MAX_PLACE}`);
  return undefined;
}

/** A child's value for a sentence. */
function shown(node: TreeNode, name: string): string {
  const child = node.child(name);
  if (child === undefined) return "not there";
  return child.value === undefined ? "no value" : JSON.stringify(child.value).slice(0, 40);
}

/** The number that a node's name is. */
function idOf({ name }: TreeNode): number | undefined {
  return /^\d{1,9}$/.test(name) ? Number(name) : undefined;
}

/** Numbers by value, before all other names. Parts that are alike go by their texts. */
function compareNames(a: string, b: string): number {
  const [as, bs] = [a.split("/"), b.split("/")];
  for (let at = 0; at < Math.min(as.length, bs.length); at++) {
    const [x, y] = [as[at] as string, bs[at] as string];
    const [m, n] = [parseNumber(x) ?? Infinity, parseNumber(y) ?? Infinity];
    if (m !== n) return m - n;
    if (x !== y) return x < y ? -1 : 1;
  }
  return as.length - bs.length;
}
