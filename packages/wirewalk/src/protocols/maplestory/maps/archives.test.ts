import { describe, expect, it } from "vitest";
import { memoryFiles } from "../../map-files.ts";
import { mapForms } from "./forms.ts";
import { joinArchives, type MadeArchive, type MadeNode } from "./testing/made-images.ts";
import { linkedId, monsterArchive, townArchive, townId } from "./testing/made-town.ts";
import { writeNx } from "./testing/write-nx.ts";
import { type WriteWzOptions, writeWz } from "./testing/write-wz.ts";
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
  const hasValue = "value" in node && node.kind !== "uol";
  const corners =
    node.kind === "convex"
      ? node.corners.map((value, index): MadeNode => ({ name: String(index), kind: "vector", value }))
      : [];
  const children = "children" in node ? node.children : corners;
  return [node.name, hasValue ? node.value : undefined, children.map(plainOfMade).sort(byName)];
}

function expected(archive: MadeArchive, path: string, wanted?: ReadonlySet<string>): Plain {
  const children = archive.get(path) ?? [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const kept = children.filter((child) => wanted === undefined || wanted.has(child.name));
  return [name, undefined, kept.map(plainOfMade).sort(byName)];
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

const clients: Readonly<Record<string, () => ImageSource>> = {
  "Map.nx and Mob.nx": () => open({ "Map.nx": writeNx(townArchive), "Mob.nx": writeNx(monsterArchive) }),
  "Data.nx": () => open({ "Data.nx": writeNx(whole) }),
  "an .nx by another name": () => open({ "old.bin": writeNx(whole) }),
  "Data.wz": () => open({ "Data.wz": writeWz(whole, { version: 40, key: "gms" }) }),
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
    const path = `Map/Map1/${townId}.img`;
    expect(plain(source.map(townId) as TreeNode)).toEqual(expected(townArchive, path, wantedParts));
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
