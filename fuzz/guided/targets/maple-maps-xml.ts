/** XML dumps of maps: files of any bytes. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** Pieces in which the first byte of an input says how a file is read. */
const PIECE_BYTES = 40;

/** Any bytes as a map's XML: a map, or a `MapError` with file and line; the same in pieces of any size. */
export const mapleMapsXml: Target = {
  name: "maplestory maps xml",
  summary:
    "a map as XML, the size of its pieces in the first byte: a map with its omissions, or a MapError with the line; the same in pieces and with the parts that maps skip",
  cover: new RegExp(`${src}protocols/maplestory/maps/(?!demo)[^/]*(?<!\\.test)\\.ts$|${src}wire/xml/`),
  maxBytes: 900,
  async open() {
    const { MapError, memoryFile, memoryFiles } = await import("wirewalk/protocol");
    const { loadMaps } = await import("wirewalk/maplestory/maps");
    const { readXmlImage } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/xml-image.ts");
    const { wantedParts } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/tree.ts");
    const { xmlOf } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/testing/write-xml.ts");
    const { mapImage } = await import(
      "../../../packages/wirewalk/src/protocols/maplestory/maps/testing/written-map.ts"
    );
    type MapFile = import("wirewalk/protocol").MapFile;
    /** The tree as text; for an image that is refused, the error. */
    const read = (file: MapFile, parts?: ReadonlySet<string>): string => {
      try {
        return JSON.stringify(readXmlImage(file, parts));
      } catch (error) {
        if (!(error instanceof MapError)) throw error;
        if (!/^Cannot read a\.xml: .* at line \d+$/s.test(error.message)) throw new Error(error.message);
        return `refused: ${error.message}`;
      }
    };
    const run: Run = (input) => {
      const bytes = input.subarray(1);
      const piece = 1 + ((input[0] ?? 0) % PIECE_BYTES);
      const whole = memoryFile("a.xml", bytes);
      const pieces = {
        ...whole,
        read: (at: number, length: number) => bytes.subarray(at, at + Math.min(piece, length)),
      };
      const [all, wanted] = [read(whole), read(whole, wantedParts)];
      if (read(pieces) !== all || read(pieces, wantedParts) !== wanted) throw new Error("another tree in pieces");
      // What is skipped is not looked at as closely, so more is read.
      if (!all.startsWith("refused") && wanted.startsWith("refused")) throw new Error(`only with all parts: ${wanted}`);
    };
    const check: Run = (input) => {
      const files = memoryFiles("maps", new Map([["Map0/000000001.img.xml", input.subarray(1)]]));
      try {
        const maps = loadMaps(files);
        const map = maps.map(1);
        const summary = maps.summary("1");
        if (summary?.map !== map?.mapId) throw new Error("a summary of another map");
        if (map !== undefined && maps.digest("1") !== maps.digest("000000001")) throw new Error("two digests");
        map?.wallBetween({ x: -1000, y: 0 }, { x: 1000, y: 5 });
        map?.below(0, -1000);
      } catch (error) {
        if (!(error instanceof MapError)) throw error;
      }
    };
    const text = new TextEncoder();
    const ground = { id: 1, x1: 0, y1: 5, x2: 9, y2: 5, previous: 0, next: 2, force: 9 };
    const seeds = [
      xmlOf("1.img", mapImage({ mapId: 1, footholds: [ground] })),
      xmlOf("1.img", {
        portal: { 0: { pn: "a&", pt: 13, x: 1, y: 2, tm: 1, tn: "", hRange: 3 } },
        back: { 0: { x: 1 } },
      }),
      xmlOf("1.img", { ladderRope: { 1: { l: 1, uf: 0, x: 1, y1: 9, y2: 3 } }, seat: { 0: { x: 1, y: "1,0" } } }),
      xmlOf("1.img", {
        life: { 0: { type: "m", id: "0100100", x: 1, cy: 2 } },
        swimArea: { a: { x1: 0, y1: 1, x2: 2, y2: 3 } },
      }),
      xmlOf("1.img", { info: { link: "1", fs: 0.2, swim: 1, fieldLimit: 3 } }),
      "\ufeff<!-- a --><imgdir name='1'><back><a b=\"/>\"><![CDATA[ </a> ]]></a></back><vector name='&#x41;' x='1' y='-2'/>\r\n</imgdir>",
    ].map((xml) => Uint8Array.of(3, ...text.encode(xml)));
    const words = [
      '<imgdir name="',
      "</imgdir>",
      '<int name="x1" value="',
      '"/>',
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<!DOCTYPE",
      "&#65;",
    ];
    return { run, check, checkEvery: 16, seeds, words: words.map((word) => text.encode(word)) };
  },
};
