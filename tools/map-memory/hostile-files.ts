/** Files that try to cost as much as they can. */
import {
  folder,
  type MadeNode,
  values,
} from "../../packages/wirewalk/src/protocols/maplestory/maps/testing/made-images.ts";
import { writeNx } from "../../packages/wirewalk/src/protocols/maplestory/maps/testing/write-nx.ts";
import { writeWz } from "../../packages/wirewalk/src/protocols/maplestory/maps/testing/write-wz.ts";

type Files = readonly (readonly [path: string, bytes: Uint8Array])[];

export interface HostileFiles {
  readonly game: string;
  readonly what: string;
  readonly make: () => Files;
}

const MB = 1_000_000;
const encoder = new TextEncoder();

const mapPath = "Map.wz/Map/Map1/100000000.img.xml";

function xml(what: string, ...parts: readonly (string | (() => string))[]): HostileFiles {
  const make = (): Files => {
    const text = parts.map((part) => (typeof part === "string" ? part : part())).join("");
    return [[mapPath, encoder.encode(text)]];
  };
  return { game: "maplestory", what: `XML, ${what}`, make };
}

const open = '<imgdir name="100000000.img"><imgdir name="info"><int name="fieldLimit" value="0"/></imgdir>';
const footholds = `${open}<imgdir name="foothold"><imgdir name="0"><imgdir name="0">`;
const close = "</imgdir></imgdir></imgdir></imgdir>";
const line = '<int name="x1" value="0"/><int name="y1" value="0"/><int name="x2" value="1"/><int name="y2" value="9"/>';

/** Footholds as far as elements go, all with coordinates of their own. */
const manyFootholds = (): string =>
  Array.from({ length: 19_900 }, (_, id) => `<imgdir name="${id + 1}">${line.replace('"1"', `"${id}"`)}</imgdir>`).join(
    "",
  );

const xmlFiles: readonly HostileFiles[] = [
  xml("elements in elements", open, () => "<a>".repeat(10 * MB)),
  xml("elements without end", footholds, () => "<b/>".repeat(10 * MB), close),
  xml("as many elements as are read", footholds, () => "<b/>".repeat(99_990), close),
  xml("as many footholds as are read", footholds, manyFootholds, close),
  xml(
    "wide footholds",
    footholds,
    () =>
      manyFootholds()
        .replaceAll('"y2"', '"y1b"')
        .replaceAll('"x2" value="', '"y2" value="3"/><int name="x2" value="9999'),
    close,
  ),
  xml("a name of 100 MB", open, '<imgdir name="', () => "n".repeat(100 * MB), '"/></imgdir>'),
  xml("a tag of 100 MB", open, "<", () => "n".repeat(100 * MB), "/></imgdir>"),
  xml("a picture of 100 MB", open, '<canvas basedata="', () => "n".repeat(100 * MB), '"/></imgdir>'),
  xml("a comment of 100 MB", open, "<!--", () => "n".repeat(100 * MB), "--></imgdir>"),
  xml("long values", footholds, () => `<string name="a" value="${"v".repeat(8000)}"/>`.repeat(2000), close),
  xml("wide values", footholds, () => `<string name="a" value="${"\u20ac".repeat(2600)}"/>`.repeat(2000), close),
  xml("entities", footholds, () => `<string name="${"&lt;".repeat(8000)}"/>`.repeat(1000), close),
  xml("entities of its own", '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><imgdir name="&c;"/>'),
  xml(
    "huge numbers",
    footholds,
    `<imgdir name="1">${line.replaceAll(/value="\d"/g, `value="${"9".repeat(400)}"`)}</imgdir>`,
    close,
  ),
  xml("cut", footholds, () => manyFootholds()),
  {
    game: "maplestory",
    what: "XML, maps that link in a circle",
    make: () =>
      Array.from({ length: 200 }, (_, index) => {
        const link = 100_000_000 + ((index + 1) % 200);
        const text = `<imgdir name="a"><imgdir name="info"><string name="link" value="${link}"/></imgdir></imgdir>`;
        return [mapPath.replace("100000000", String(100_000_000 + index)), encoder.encode(text)] as const;
      }),
  },
];

type Change = (view: DataView) => void;

function changed(file: Uint8Array, change: Change): Uint8Array {
  change(new DataView(file.buffer, file.byteOffset));
  return file;
}

/** Footholds with long names and values in a map's image. */
function imageOf(nodes: readonly MadeNode[]): ReadonlyMap<string, readonly MadeNode[]> {
  return new Map([["Map/Map1/100000000.img", [folder("foothold", folder("0", folder("0", ...nodes)))]]]);
}

const footholdNodes = (): readonly MadeNode[] =>
  Array.from({ length: 19_900 }, (_, id) => values(id + 1, { x1: id, y1: 0, x2: 9_999, y2: 3 }));
const longTexts = (): readonly MadeNode[] =>
  Array.from({ length: 3000 }, (_, id) => values(id + 1, { a: `${id}${"t".repeat(30_000)}` }));

const NX_NODES_AT = 52;
const NX_NODE_BYTES = 20;
/** All nodes have the same two children: 2^n leaves. */
const doubling: Change = (view) => {
  const nodes = view.getUint32(4, true);
  for (let node = 4; node + 3 < nodes; node += 2) {
    for (const at of [node, node + 1].map((each) => NX_NODES_AT + NX_NODE_BYTES * each)) {
      view.setUint32(at + 4, node + 2, true);
      view.setUint16(at + 8, 2, true);
    }
  }
};

function archive(form: "nx" | "wz", what: string, make: () => Uint8Array): HostileFiles {
  return { game: "maplestory", what: `.${form}, ${what}`, make: () => [[`Map.${form}`, make()]] };
}

const wzOptions = { version: 83, key: "gms" } as const;

const archiveFiles: readonly HostileFiles[] = [
  archive("nx", "as many footholds as are read", () => writeNx(imageOf(footholdNodes()))),
  archive("nx", "long texts", () => writeNx(imageOf(longTexts()))),
  archive("nx", "nodes that double", () => changed(writeNx(imageOf(footholdNodes())), doubling)),
  archive("nx", "a count past the end", () =>
    changed(writeNx(imageOf([])), (view) => view.setUint32(4, 0xffff_ffff, true)),
  ),
  archive("nx", "a place past 2^53", () =>
    changed(writeNx(imageOf([])), (view) => view.setBigUint64(20, 2n ** 64n - 1n, true)),
  ),
  archive("nx", "cut", () => writeNx(imageOf(footholdNodes())).slice(0, MB)),
  archive("wz", "as many footholds as are read", () => writeWz(imageOf(footholdNodes()), wzOptions)),
  archive("wz", "long texts", () => writeWz(imageOf(longTexts()), wzOptions)),
  archive("wz", "many entries of a directory", () =>
    writeWz(
      new Map(Array.from({ length: 200_000 }, (_, id) => [`Obj/${"n".repeat(40)}${id}.img`, []] as const)),
      wzOptions,
    ),
  ),
  archive("wz", "as many maps as are read", () =>
    writeWz(
      new Map(Array.from({ length: 99_990 }, (_, id) => [`Map/Map1/${100_000_000 + id}.img`, []] as const)),
      wzOptions,
    ),
  ),
  archive("wz", "wild places", () =>
    writeWz(imageOf(footholdNodes()), { ...wzOptions, misplace: (_, place) => place + 0x7000_0000 }),
  ),
  archive("wz", "cut", () => writeWz(imageOf(footholdNodes()), wzOptions).slice(0, 1000)),
];

function json(game: string, what: string, path: string, make: () => string): HostileFiles {
  return { game, what: `JSON, ${what}`, make: () => [[path, encoder.encode(make())]] };
}

/** Lists of what costs a heap most for each byte. */
const wide = (before: string, item: string, bytes: number): string =>
  `${before}[${new Array(Math.floor(bytes / (item.length + 1))).fill(item).join(",")}]}`;
const rooms = '{"format":"slime-online-2-rooms","version":1,"rooms":';

const jsonFiles: readonly HostileFiles[] = [
  ...["{}", "[]", '"a"', "1e9", '{"a":{"b":{}}}'].flatMap((item) => [
    json("slime-online-2", `a list of ${item}`, "rooms.json", () => wide(rooms, item, 16 * MB)),
    json("scrap-mechanic", `a list of ${item}`, "1.json", () => wide('{"heights":', item, 60 * MB)),
  ]),
  json("slime-online-2", "lists in lists", "rooms.json", () => rooms + "[".repeat(16 * MB)),
  json("slime-online-2", "cut", "rooms.json", () => wide(rooms, "{}", 2 * MB).slice(0, -MB)),
  json("scrap-mechanic", "lists in lists", "1.json", () => "[".repeat(60 * MB)),
];

const project = "<assets><rooms><room>rooms\\a</room></rooms></assets>";
const size = "<width>9</width><height>9</height>";

function gmx(what: string, room: () => string): HostileFiles {
  return {
    game: "slime-online-2",
    what: `gmx, ${what}`,
    make: () => [
      ["made.project.gmx", encoder.encode(project)],
      ["rooms/a.room.gmx", encoder.encode(room())],
    ],
  };
}

const gmxFiles: readonly HostileFiles[] = [
  gmx(
    "instances without end",
    () => `<room>${size}<instances>${'<instance objName="warp_a" x="1" y="2"/>'.repeat(800_000)}</instances></room>`,
  ),
  gmx(
    "long code",
    () =>
      `<room>${size}<instances>${`<instance objName="warp_a" x="1" y="2" code="${"c".repeat(200_000)}"/>`.repeat(150)}</instances></room>`,
  ),
  gmx("a width of 30 MB", () => `<room><width>${"9".repeat(30 * MB)}</width></room>`),
  gmx("tiles", () => `<room>${size}<tiles>${'<tile bgName="a" x="1" y="2"/>'.repeat(MB)}</tiles></room>`),
];

export const hostileFiles: readonly HostileFiles[] = [...xmlFiles, ...archiveFiles, ...jsonFiles, ...gmxFiles];
