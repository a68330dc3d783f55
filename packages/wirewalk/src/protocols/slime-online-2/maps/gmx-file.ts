/** What all files of a GameMaker: Studio 1 project have in common. */
import type { MapFiles } from "../../map-files.ts";
import { MapError } from "../../maps.ts";
import { readText } from "./json-value.ts";
import { scanXml, XmlError, type XmlHandler } from "./xml.ts";

/** Reads a file and names it in errors. */
export function scanFile(files: MapFiles, path: string, most: number, handler: XmlHandler): void {
  const file = files.open(path);
  if (file === undefined) throw new MapError(`${path}: is no longer there`);
  try {
    scanXml(readText(file, most), handler);
  } catch (error) {
    if (error instanceof XmlError) throw new MapError(`${file.name} line ${error.line}: ${error.message}`);
    throw error;
  }
}

/** A number as GameMaker writes it; on some machines with a decimal comma. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value : undefined;
}
