/**
 * A project folder of GameMaker: Studio 1 (`*.gmx`), as decompilers write it. Rooms have the numbers of their order in the project.
 * What an object is, a table of the user says; without one doors alone are known.
 */
import type { XmlReader } from "../../../wire/index.ts";
import type { MapFiles } from "../../map-files.ts";
import { MapError } from "../../maps.ts";
import type { Rectangle } from "./geometry.ts";
import { numberOf, readGmx } from "./gmx-file.ts";
import { type ObjectTable, type ObjectUse, openObjectTable } from "./gmx-objects.ts";
import { SpriteSizes } from "./gmx-sprites.ts";
import { Omissions } from "./omissions.ts";
import type { DoorTarget, RoomDoor, RoomParts, RoomPlace } from "./room.ts";
import { isDoorObject, targetOf } from "./room-data.ts";
import { MAX_COORDINATE, MAX_DOORS, MAX_NUMBER, MAX_PARTS } from "./room-file.ts";
import type { RoomSource } from "./room-source.ts";

/** Of a room: most of it are tiles, which are not kept. */
const MAX_ROOM_BYTES = 32 * 2 ** 20;
const MAX_PROJECT_BYTES = 16 * 2 ** 20;
/** Characters of an object's name in a reason. */
const MAX_SHOWN = 80;
/** Creation code of an instance is a few lines. */
const MAX_CODE = 4096;

/** `RoomForm` of a project folder. */
export function openGmx(files: MapFiles): RoomSource | undefined {
  const projects = files.paths().filter((path) => path.toLowerCase().endsWith(".project.gmx"));
  const [project, second] = projects;
  if (project === undefined) return undefined;
  if (second !== undefined)
    throw new MapError(`${files.name}: has two projects, ${project} and ${second}: give the folder of one`);
  const base = project.slice(0, project.lastIndexOf("/") + 1);
  const names = roomNames(files, project);
  const byName = new Map(names.map((name, number) => [name, number]));
  // Windows does not tell capitals.
  const paths = new Map(files.paths().map((path) => [path.toLowerCase(), path]));
  const fileOf = (name: string): string | undefined => paths.get(`${base}${name}`.toLowerCase());
  const sizes = new SpriteSizes(files, fileOf);
  const table = openObjectTable(files, base);
  return {
    rooms: names.map((_, number) => number),
    problems: [],
    read(room) {
      const name = names[room] as string;
      const path = fileOf(`rooms/${name}.room.gmx`);
      if (path === undefined)
        throw new MapError(`${project}: names room ${name}, and rooms/${name}.room.gmx is not there`);
      return readGmxRoom(files, path, { room, name, byName, table, sizes });
    },
  };
}

function roomNames(files: MapFiles, project: string): readonly string[] {
  const names = new Set<string>();
  readGmx(files, project, MAX_PROJECT_BYTES, (xml) => readRoomNames(xml, project, names));
  if (names.size === 0) throw new MapError(`${project}: names no rooms`);
  return [...names];
}

/** The rooms in the element that was reached last, and in the groups of rooms in it. */
function readRoomNames(xml: XmlReader, project: string, names: Set<string>): void {
  for (xml.enter(); xml.next(); ) {
    const { tag } = xml;
    if (tag === "rooms") readRoomNames(xml, project, names);
    if (tag !== "room") continue;
    const name = xml
      .text()
      .trim()
      .replaceAll("\\", "/")
      .replace(/^rooms\//, "");
    if (name === "" || name.split("/").includes("..")) throw new MapError(`${project}: has a room of no name`);
    if (names.has(name)) throw new MapError(`${project}: has room ${name} twice`);
    if (names.size > MAX_NUMBER) throw new MapError(`${project}: has more than ${MAX_NUMBER + 1} rooms`);
    names.add(name);
  }
}

interface RoomContext {
  readonly room: number;
  readonly name: string;
  readonly byName: ReadonlyMap<string, number>;
  readonly table: ObjectTable | undefined;
  readonly sizes: SpriteSizes;
}

function readGmxRoom(files: MapFiles, path: string, context: RoomContext): RoomParts {
  const { room, name } = context;
  const parts = new RoomCollector(context);
  const sizes = new Map<string, string>();
  readGmx(files, path, MAX_ROOM_BYTES, (xml) => {
    for (xml.enter(); xml.next(); ) {
      const { tag } = xml;
      if (tag === "width" || tag === "height") sizes.set(tag, xml.text().trim());
      else if (tag === "instances") parts.addAll(xml);
    }
  });
  const size = (side: "width" | "height"): number => {
    const value = numberOf(sizes.get(side));
    if (value === undefined || !(value >= 1 && value <= MAX_NUMBER)) {
      throw new MapError(
        `${path}: ${side} must be a number from 1 to ${MAX_NUMBER}, got ${sizes.get(side)?.slice(0, MAX_SHOWN) ?? "none"}`,
      );
    }
    return value;
  };
  return { room, title: name, width: size("width"), height: size("height"), open: true, ...parts.finish() };
}

/** Those of the instance that is read. */
type Attributes = Pick<XmlReader, "attribute">;

/** What the instances of a room are. */
class RoomCollector {
  readonly #context: RoomContext;
  readonly #omissions = new Omissions();
  readonly #areas = {
    solid: [] as Rectangle[],
    ice: [] as Rectangle[],
    water: [] as Rectangle[],
    free: [] as Rectangle[],
  };
  readonly #doors: RoomDoor[] = [];
  readonly #spawns: RoomPlace[] = [];
  readonly #unknown = new Set<string>();
  #areSolidsKnown: boolean;
  #areDoorsKnown = true;
  #count = 0;

  constructor(context: RoomContext) {
    this.#context = context;
    this.#areSolidsKnown = context.table !== undefined;
  }

  /** Those in the element that was reached last. */
  addAll(xml: XmlReader): void {
    for (xml.enter(); xml.next(); ) if (xml.tag === "instance") this.#add(xml);
  }

  #add(attributes: Attributes): void {
    const id = this.#count++;
    const object = attributes.attribute("objName") ?? "";
    const { table, sizes } = this.#context;
    const uses = table?.usesOf(object, sizes) ?? (isDoorObject(object) ? (["door"] as const) : undefined);
    if (uses === undefined) this.#unlisted(object, id);
    else for (const use of uses) this.#addAs(use, object, id, attributes);
  }

  finish(): Pick<RoomParts, "solids" | "ice" | "water" | "free" | "doors" | "spawns" | "omitted"> {
    const { solid, ice, water, free } = this.#areas;
    return {
      solids: this.#areSolidsKnown ? solid : undefined,
      ice,
      water,
      free,
      // There is a way out of each room: without one that is known, it is unknown.
      doors: this.#areDoorsKnown && this.#doors.length > 0 ? this.#doors : undefined,
      spawns: this.#spawns,
      omitted: this.#omissions.all,
    };
  }

  #unlisted(object: string, id: number): void {
    if (this.#context.table === undefined || this.#unknown.has(object)) return;
    this.#unknown.add(object);
    this.#areSolidsKnown = false;
    this.#omissions.add(
      "object",
      id,
      `${object.slice(0, MAX_SHOWN) || "an object without a name"} is not in the table of objects, so that the solids are not known`,
    );
  }

  #addAs(use: ObjectUse, object: string, id: number, attributes: Attributes): void {
    if (use === "ignore") return;
    const reason = this.#place(use, object, id, attributes);
    if (reason === undefined) return;
    this.#omissions.add(use, id, `${object.slice(0, MAX_SHOWN)} ${reason}`);
    // A floor that is missing would make honest players stand in the air.
    if (use === "door") this.#areDoorsKnown = false;
    else if (use !== "spawn") this.#areSolidsKnown = false;
  }

  /** Takes an instance, or says why it is left out. */
  #place(use: Exclude<ObjectUse, "ignore">, object: string, id: number, attributes: Attributes): string | undefined {
    const x = coordinateOf(attributes.attribute("x"));
    const y = coordinateOf(attributes.attribute("y"));
    if (x === undefined || y === undefined) return "has no place";
    if (use === "spawn") {
      if (!isOnWire(x) || !isOnWire(y)) return "is where no player can come in";
      if (this.#spawns.length === MAX_DOORS) return "is one too many";
      this.#spawns.push({ x, y });
      return undefined;
    }
    const area = this.#areaOf(object, { x, y }, attributes);
    if (use === "door") {
      if (this.#doors.length === MAX_DOORS) return "is one too many";
      const to = this.#targetOf(attributes.attribute("code"));
      if (to.room === undefined) {
        this.#omissions.add("target", id, `${object.slice(0, MAX_SHOWN)} does not say which room it leads to`);
      }
      this.#doors.push(typeof area === "string" ? { x, y, to } : { ...area, to });
      return undefined;
    }
    if (typeof area === "string") return area;
    if (this.#areas[use].length === MAX_PARTS) return "is one too many";
    this.#areas[use].push(area);
    return undefined;
  }

  /** What an instance covers, or why that is not known. */
  #areaOf(object: string, { x, y }: RoomPlace, attributes: Attributes): Rectangle | string {
    const { table, sizes } = this.#context;
    const box = table?.sizeOf(object) ?? sizes.of(object);
    if (box === undefined) return "has no size: neither the table of objects nor a sprite has it";
    const [scaleX, scaleY] = [
      numberOf(attributes.attribute("scaleX") ?? "1"),
      numberOf(attributes.attribute("scaleY") ?? "1"),
    ];
    if (scaleX === undefined || scaleY === undefined) return "has a wrong scale";
    if (numberOf(attributes.attribute("rotation") ?? "0") !== 0) return "is turned";
    const [left, right] = [x + box.x * scaleX, x + (box.x + box.w) * scaleX];
    const [top, bottom] = [y + box.y * scaleY, y + (box.y + box.h) * scaleY];
    const area = {
      x: Math.min(left, right),
      y: Math.min(top, bottom),
      w: Math.abs(right - left),
      h: Math.abs(bottom - top),
    };
    const isFar = Object.values(area).some((value) => !(Math.abs(value) <= MAX_COORDINATE));
    return isFar ? `reaches beyond ${MAX_COORDINATE} px` : area;
  }

  /** Creation code sets three variables. One that is set to several values, or to an expression, is not known. */
  #targetOf(code = ""): DoorTarget {
    const found = new Map<string, Set<string>>();
    const plain = code.slice(0, MAX_CODE).replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/g, "");
    for (const [, name = "", value = ""] of plain.matchAll(/\b(next_room|new_x|new_y)\s*=\s*([^\r\n;}=]+)/g)) {
      found.set(name, (found.get(name) ?? new Set()).add(value.trim()));
    }
    const setTo = (name: string): number | string | undefined => {
      const [value, other] = found.get(name) ?? [];
      if (value === undefined || other !== undefined || code.length > MAX_CODE) return undefined;
      return numberOf(value) ?? value;
    };
    return targetOf(setTo("next_room"), setTo("new_x"), setTo("new_y"), this.#context.byName);
  }
}

function coordinateOf(text: string | undefined): number | undefined {
  const value = numberOf(text);
  return value === undefined || Math.abs(value) > MAX_COORDINATE ? undefined : value;
}

const isOnWire = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER;
