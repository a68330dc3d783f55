import { describe, expect, it } from "vitest";
import { memoryFiles } from "../../map-files.ts";
import { blobSource, PagedFiles, withPages } from "../../paged-file.ts";
import { mapForms } from "./forms.ts";
import { loadMaps } from "./load.ts";
import { joinArchives, type MadeArchive, type MadeNode } from "./testing/made-images.ts";
import { linkedId, monsterArchive, townArchive, townId } from "./testing/made-town.ts";
import { writeNx } from "./testing/write-nx.ts";
import { type WriteWzOptions, writeWz } from "./testing/write-wz.ts";
import { writeXml } from "./testing/write-xml.ts";
import { type ImageSource, type TreeNode, wantedParts } from "./tree.ts";

function open(files: Readonly<Record<string, Uint8Array>>): ImageSource {
  const given = memoryFiles("client", new Map(Object.entries(files)));
  const source = mapForms.map((form) => form.open(given)).find((each) => each !== undefined);
  if (source === undefined) throw new Error("No form fits");
  return source;
}

/** What a reader must give: values of all kinds, children by name, since an `.nx` sorts them. */
type Plain = readonly [name: string, value: unknown, children: readonly Plain[]];

const byName = (a: Plain, b: Plain): number => (a[0] < b[0] ? -1 : 1);

function plain({ name, value, children }: TreeNode): Plain {
  return [name, value, children.map(plain).sort(byName)];
}

function plainOfMade(node: MadeNode): Plain {
  const corners =
    node.kind === "convex"
      ? node.corners.map((value, index): MadeNode => ({ name: String(index), kind: "vector", value }))
      : [];
  const children = "children" in node ? node.children : corners;
  return [node.name, "value" in node ? node.value : undefined, children.map(plainOfMade).sort(byName)];
}

/** An image with the children of its root that are wanted. */
function wantedOf([name, value, children]: Plain): Plain {
  return [name, value, children.filter(([part]) => wantedParts.has(part))];
}

function expected(archive: MadeArchive, path: string): Plain {
  const children = archive.get(path) ?? [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [name, undefined, children.map(plainOfMade).sort(byName)];
}

const whole = joinArchives({ Map: townArchive, Mob: monsterArchive });
const wzOptions: readonly WriteWzOptions[] = [
  { version: 83, key: "gms" },
  { version: 62, key: "ems" },
  { version: 95, key: "none" },
  { version: 1, key: "gms" },
  { version: 213, key: "none" },
  { version: 777, key: "none", withoutByte: true },
];

const xml = Object.fromEntries([...writeXml(townArchive, "Map.wz"), ...writeXml(monsterArchive, "Mob.wz")]);

const clients: Readonly<Record<string, () => ImageSource>> = {
  XML: () => open(xml),
  "Map.nx and Mob.nx": () => open({ "Map.nx": writeNx(townArchive), "Mob.nx": writeNx(monsterArchive) }),
  "Data.nx": () => open({ "Data.nx": writeNx(whole) }),
  "an .nx by another name": () => open({ "old.bin": writeNx(whole) }),
  "Data.wz": () => open({ "Data.wz": writeWz(whole, { version: 40, key: "gms" }) }),
  "Data.wz with names by place": () =>
    open({ "Data.wz": writeWz(whole, { version: 40, key: "gms", namesByPlace: 0 }) }),
  "Data.wz of 229, with names by place": () =>
    open({ "Data.wz": writeWz(whole, { version: 777, key: "none", withoutByte: true, namesByPlace: 1 }) }),
  "a .wz by another name": () => open({ "maps.old": writeWz(whole, { version: 40, key: "gms" }) }),
  ...Object.fromEntries(
    wzOptions.map((options) => [
      `Map.wz and Mob.wz of ${options.version}, ${options.key}`,
      () => open({ "Map.wz": writeWz(townArchive, options), "Mob.wz": writeWz(monsterArchive, options) }),
    ]),
  ),
};

describe.each(Object.entries(clients))("%s", (_name, make) => {
  it("lists its maps and reads the parts that are wanted", () => {
    const source = make();
    expect(source.maps()).toEqual([9, townId, linkedId]);
    const map = source.map(townId) as TreeNode;
    expect(wantedOf(plain(map))).toEqual(wantedOf(expected(townArchive, `Map/Map1/${townId}.img`)));
    // The others are there, and nothing below them is read.
    expect(map.child("0")?.children).toEqual([]);
    expect(map.child("miniMap")?.children).toEqual([]);
    expect(source.map(linkedId)?.child("info")?.child("link")?.value).toBe(String(townId));
    expect(source.map(100)).toBeUndefined();
  });

  it("reads images beside the maps whole", () => {
    const source = make();
    expect(plain(source.image("Physics.img") as TreeNode)).toEqual(expected(townArchive, "Physics.img"));
    expect(plain(source.image("Mob.wz/9400007.img") as TreeNode)).toEqual(expected(monsterArchive, "9400007.img"));
    const town = source.image(`Map/Map1/${townId}.img`) as TreeNode;
    expect(plain(town)).toEqual(expected(townArchive, `Map/Map1/${townId}.img`));
    expect(source.image("Nothing.img")).toBeUndefined();
    expect(source.image("Mob.wz/1.img")).toBeUndefined();
    expect(source.image("Npc.wz/1.img")).toBeUndefined();
  });
});

/** Images of an archive, by what their paths match. */
function part(archive: MadeArchive, paths: RegExp): MadeArchive {
  return new Map([...archive].filter(([path]) => paths.test(path)));
}

/** The same at the root of an archive. */
function flat(archive: MadeArchive): MadeArchive {
  return new Map([...archive].map(([path, nodes]) => [path.slice(path.lastIndexOf("/") + 1), nodes]));
}

const noImages: MadeArchive = new Map();

/** Maps in several files, as later clients have them. */
function splitClient(options: WriteWzOptions): Readonly<Record<string, Uint8Array>> {
  return {
    "Base.wz": writeWz(noImages, options),
    "Map.wz": writeWz(part(townArchive, /^(?:Physics|Obj)/), options),
    "Map001.wz": writeWz(part(townArchive, /Map1/), options),
    "Map2.wz": writeWz(part(townArchive, /Map0/), options),
    "Mob.wz": writeWz(noImages, options),
    "Mob001.wz": writeWz(monsterArchive, options),
  };
}

/** A client of 64 bits: a folder for each directory, and files without directories in it. */
function folderClient(): Readonly<Record<string, Uint8Array>> {
  const options: WriteWzOptions = { version: 777, key: "none", withoutByte: true };
  const none = writeWz(noImages, options);
  const images = (paths: RegExp): Uint8Array => writeWz(flat(part(townArchive, paths)), options);
  return {
    "Data/Base/Base.wz": none,
    "Data/Map/Map.wz": none,
    "Data/Map/Map_000.wz": images(/^Physics/),
    "Data/Map/Obj/Obj_000.wz": images(/^Obj/),
    "Data/Map/Map/Map.wz": none,
    "Data/Map/Map/Map_000.wz": none,
    "Data/Map/Map/Map0/Map0_000.wz": images(/Map0/),
    "Data/Map/Map/Map1/Map1.wz": none,
    "Data/Map/Map/Map1/Map1_000.wz": images(new RegExp(`${townId}`)),
    "Data/Map/Map/Map1/Map1_001.wz": images(new RegExp(`${linkedId}`)),
    "Data/Map/Map/Map1/_Canvas/_Canvas_000.wz": images(/Map1/),
    "Data/Mob/Mob.wz": none,
    "Data/Mob/Mob_000.wz": writeWz(monsterArchive, options),
  };
}

describe("one map in all forms", () => {
  const wz = (options: WriteWzOptions) => ({
    "Map.wz": writeWz(townArchive, options),
    "Mob.wz": writeWz(monsterArchive, options),
  });
  const client = { "Map.nx": writeNx(townArchive), "Mob.nx": writeNx(monsterArchive) };
  const load = (files: Readonly<Record<string, Uint8Array>>) =>
    loadMaps(memoryFiles("client", new Map(Object.entries(files))));
  const first = load(xml);

  it("is the map that was made", () => {
    expect(first.summary(String(townId))).toMatchObject({
      footholds: 7,
      vertical: 2,
      reversed: 1,
      ropes: 1,
      ladders: 1,
      seats: 2,
    });
    expect(first.map(townId)).toMatchObject({ friction: 0.2, fieldLimit: 0x20001, swims: false });
    expect(first.map(townId)?.monsters).toMatchObject([{ mp: 55 }, { mp: 55 }]);
    expect(first.map(townId)?.omitted).toEqual([]);
    expect(first.map(linkedId)).toMatchObject({ linkedTo: townId, fieldLimit: 1 });
  });

  it.each([
    ["Map.nx", client],
    ["Data.nx", { "Data.nx": writeNx(whole) }],
    ["Map.wz, Map001.wz and Map2.wz", splitClient({ version: 140, key: "gms" })],
    ["a client of 64 bits", folderClient()],
    ...wzOptions.map((options) => [`Map.wz of ${options.version}, ${options.key}`, wz(options)] as const),
  ] as const)("%s: equal maps, summaries and digests", (_name, files) => {
    const maps = load(files);
    expect(maps.places()).toEqual(first.places());
    for (const id of [9, townId, linkedId]) {
      expect(JSON.stringify(maps.map(id))).toBe(JSON.stringify(first.map(id)));
      expect(maps.summary(String(id))).toEqual(first.summary(String(id)));
      expect(maps.digest(String(id))).toBe(first.digest(String(id)));
    }
    expect(maps.physics).toEqual(first.physics);
  });

  it.each([
    ["Map.nx", client],
    ["Map.wz", wz({ version: 83, key: "gms" })],
  ] as const)("%s, dropped on a page: read page by page", async (_name, dropped) => {
    const sources = new Map(
      Object.entries(dropped).map(([path, bytes]) => [path, blobSource(new Blob([bytes as BlobPart]))]),
    );
    const files = new PagedFiles("drop", sources, { pageBytes: 512, keptPages: 64 });
    const maps = await withPages(files, () => loadMaps(files));
    const id = String(linkedId);
    expect(await withPages(files, () => maps.digest(id))).toBe(first.digest(id));
  });
});

describe("a client in several files", () => {
  const client = splitClient({ version: 140, key: "gms" });
  const load = (files: Readonly<Record<string, Uint8Array>>) => {
    const problems: string[] = [];
    const onProblem = ({ reason }: { readonly reason: string }) => problems.push(reason);
    return { maps: loadMaps(memoryFiles("client", new Map(Object.entries(files))), { onProblem }), problems };
  };
  const cut = (client["Map001.wz"] as Uint8Array).slice(0, 48);
  /** As the newest clients have them. */
  const newer = new TextEncoder().encode("PKG2 and what nobody has described");

  it.each([
    ["a file that is cut", cut, /^Map001\.wz: .* at byte \d+$/],
    ["a file of another form", newer, /^Map001\.wz: begins with "PKG2", not with PKG1$/],
    ["an empty file", new Uint8Array(), /^Map001\.wz: begins with "", not with PKG1$/],
  ])("goes on without %s, and names it", (_, bytes, reason) => {
    const { maps, problems } = load({ ...client, "Map001.wz": bytes });
    expect(maps.places()).toEqual(["9"]);
    expect(problems).toEqual([expect.stringMatching(reason)]);
  });

  it("names parts that are missing, by the file that says how many there are", () => {
    const ini = (text: string): Uint8Array => new TextEncoder().encode(text);
    const whole: Readonly<Record<string, Uint8Array>> = {
      ...folderClient(),
      "Data/Map/Map/Map1/Map1.ini": ini("LastWzIndex|1\r\n"),
    };
    expect(load(whole).problems).toEqual([]);
    const { "Data/Map/Map/Map1/Map1_001.wz": _, ...torn } = whole;
    const { maps, problems } = load(torn);
    expect(maps.places()).toEqual(["9", String(townId)]);
    expect(problems).toEqual(["Data/Map/Map/Map1/Map1.ini: has LastWzIndex 1, but Map1_001.wz is missing"]);
    const other = (path: string, text: string): readonly string[] => load({ ...whole, [path]: ini(text) }).problems;
    expect(other("Data/Mob/Mob.ini", "LastWzIndex|9")).toEqual([
      "Data/Mob/Mob.ini: has LastWzIndex 9, but Mob_001.wz, Mob_002.wz, Mob_003.wz, Mob_004.wz, Mob_005.wz and 4 more are missing",
    ]);
    // Pictures and sounds are not asked for, and a file may say anything.
    expect(other("Data/Map/Map/Map1/_Canvas/_Canvas.ini", "LastWzIndex|9")).toEqual([]);
    for (const text of ["", "LastWzIndex", "LastWzIndex|-1", "LastWzIndex|99999999", "x|2", "\u0000\u00ff"]) {
      expect(other("Data/Mob/Mob.ini", text)).toEqual([]);
    }
  });

  it("is refused where all its files are of another form", () => {
    const files = { "Data/Map/Map.wz": newer, "Data/Map/Map_000.wz": newer, "Data/Mob/Mob_000.wz": newer };
    expect(() => load(files)).toThrow('Data/Map/Map.wz: begins with "PKG2", not with PKG1');
  });

  it("is no set of maps where it has none", () => {
    const files = { "Map.wz": client["Map.wz"] as Uint8Array, "Mob.wz": client["Mob.wz"] as Uint8Array };
    expect(() => load(files)).toThrow("none of its 2 files has one (read are XML, .nx, .wz)");
  });

  it("does not know its monsters where their file cannot be read", () => {
    const { maps, problems } = load({ ...client, "Mob001.wz": newer });
    expect(maps.map(townId)?.monsters).toMatchObject([{ flies: true }, { flies: true }]);
    expect(problems).toEqual(['Mob.wz/9400007.img is left out: Mob001.wz: begins with "PKG2", not with PKG1']);
  });
});
