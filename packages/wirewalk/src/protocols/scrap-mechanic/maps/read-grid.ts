/** Grids out of their files: JSON, with heights in it or in a raw file beside it. */
import { decodeUtf8 } from "../../../wire/index.ts";
import type { MapFiles } from "../../map-files.ts";
import { MapFileError } from "../../map-files.ts";
import { parseMapJson } from "../../map-json.ts";
import { MapError } from "../../maps.ts";
import { type GridParts, type HeightGrid, MAX_POINTS, MAX_SEATS, makeGrid, type Seat } from "./height-grid.ts";

/** Bytes of a JSON file at most: 16 for each height of two full grids. */
const MAX_JSON_BYTES = 2 * 16 * MAX_POINTS;
/** Objects and lists of a file: two for each seat, and some. */
const MAX_CONTAINERS = 2 * MAX_SEATS + 100;
/** Values of a file: heights of two full grids, and seats. */
const MAX_COMMAS = 2 * MAX_POINTS + 4 * MAX_CONTAINERS;
const FLOAT_BYTES = 4;

const members: ReadonlySet<string> = new Set(["origin", "cell", "width", "height", "heights", "ceiling", "seats"]);

/** Throws {@link MapError} that begins with the path, and names the place in the file. */
export function readGrid(files: MapFiles, path: string): HeightGrid {
  try {
    const json = parse(bytesOf(files, path, MAX_JSON_BYTES));
    for (const name of Object.keys(json)) if (!members.has(name)) throw new MapError(`unknown member ${name}`);
    const [x, y] = listOf("origin", json.origin);
    const { cell, width, height } = json;
    const points = numberOf("width", width) * numberOf("height", height);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const heights = (name: string, value: unknown): Float32Array =>
      typeof value === "string"
        ? rawHeights(files, folder + value, points)
        : Float32Array.from(listOf(name, value), (each, at) => heightOf(`${name}[${at}]`, each, name === "ceiling"));
    const parts: GridParts = {
      origin: { x: numberOf("origin[0]", x), y: numberOf("origin[1]", y) },
      cell: numberOf("cell", cell),
      width: numberOf("width", width),
      height: numberOf("height", height),
      heights: heights("heights", json.heights),
      ceiling: json.ceiling === undefined ? undefined : heights("ceiling", json.ceiling),
      seats: json.seats === undefined ? [] : listOf("seats", json.seats).map(seatOf),
    };
    return makeGrid(parts);
  } catch (error) {
    if (!(error instanceof MapError || error instanceof MapFileError)) throw error;
    throw new MapError(`${path}: ${error.message}`);
  }
}

function bytesOf(files: MapFiles, path: string, most: number): Uint8Array {
  const file = files.open(path);
  if (file === undefined) throw new MapError(`there is no file ${path}`);
  if (file.size > most) throw new MapError(`${path} has ${file.size} bytes, at most ${most}`);
  return file.read(0, file.size);
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = parseMapJson(decodeUtf8(bytes), { containers: MAX_CONTAINERS, commas: MAX_COMMAS });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MapError(error.message);
  }
  return objectOf("the file", json);
}

/** 32-bit floats, low byte first. */
function rawHeights(files: MapFiles, path: string, points: number): Float32Array {
  const bytes = bytesOf(files, path, MAX_POINTS * FLOAT_BYTES);
  if (bytes.length !== points * FLOAT_BYTES) {
    throw new MapError(`${path} has ${bytes.length} bytes, ${points * FLOAT_BYTES} needed`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: points }, (_, at) => view.getFloat32(at * FLOAT_BYTES, true));
}

function heightOf(name: string, value: unknown, mayBeOpen: boolean): number {
  return mayBeOpen && value === null ? Number.POSITIVE_INFINITY : numberOf(name, value);
}

function seatOf(value: unknown, at: number): Seat {
  const name = `seats[${at}]`;
  const seat = objectOf(name, value);
  const exit = objectOf(`${name}.exit`, seat.exit);
  return {
    x: numberOf(`${name}.x`, seat.x),
    y: numberOf(`${name}.y`, seat.y),
    exit: { x: numberOf(`${name}.exit.x`, exit.x), y: numberOf(`${name}.exit.y`, exit.y) },
  };
}

function objectOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MapError(`${name} must be an object`);
}

function listOf(name: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new MapError(`${name} must be a list`);
  return value;
}

function numberOf(name: string, value: unknown): number {
  if (typeof value !== "number") throw new MapError(`${name} must be a number`);
  return value;
}
