/** Map files that are XML: read by one reader, and refused in one form of words. */
import { XmlError, type XmlLimits, XmlReader } from "../wire/index.ts";
import type { MapFile } from "./map-files.ts";
import { MapError } from "./maps.ts";

/**
 * Reads a file by `read`, which must leave the outermost element or not enter it, to its end. Throws {@link MapError} with file, line and
 * reason.
 */
export function readMapXml<T>(
  file: MapFile,
  attributes: readonly string[],
  limits: XmlLimits,
  read: (xml: XmlReader) => T,
): T {
  try {
    const xml = new XmlReader(file, attributes, limits);
    const result = read(xml);
    xml.end();
    return result;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new MapError(`Cannot read ${file.name}: ${error.message} at line ${error.line}`, { cause: error });
  }
}
