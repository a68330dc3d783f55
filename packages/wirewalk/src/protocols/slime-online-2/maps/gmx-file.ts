/** What all files of a GameMaker: Studio 1 project have in common. */
import type { XmlReader } from "../../../wire/index.ts";
import type { MapFiles } from "../../map-files.ts";
import { readMapXml } from "../../map-xml.ts";
import { MapError } from "../../maps.ts";

/** A project has up to 65,536 rooms, a room up to as many instances of each kind. */
const MAX_ELEMENTS = 500_000;
/** The longest value is the code of an instance. */
const MAX_VALUE_BYTES = 256 * 1024;
const MAX_TEXT_BYTES = 16 * 2 ** 20;
/** Attributes that are kept: those of an instance. */
const attributes = ["objName", "x", "y", "scaleX", "scaleY", "rotation", "code"] as const;

/** Reads a file of a project, of `most` bytes at most. Throws {@link MapError} with file, line and reason. */
export function readGmx<T>(files: MapFiles, path: string, most: number, read: (xml: XmlReader) => T): T {
  const file = files.open(path);
  if (file === undefined) throw new MapError(`${path}: is no longer there`);
  const limits = { bytes: most, elements: MAX_ELEMENTS, valueBytes: MAX_VALUE_BYTES, textBytes: MAX_TEXT_BYTES };
  return readMapXml(file, attributes, limits, read);
}

/** A number as GameMaker writes it; on some machines with a decimal comma. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value : undefined;
}
