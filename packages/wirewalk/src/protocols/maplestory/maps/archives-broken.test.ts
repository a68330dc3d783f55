import { describe, expect, it } from "vitest";
import { memoryFiles } from "../../map-files.ts";
import { MapError } from "../../maps.ts";
import { FileBytes } from "./file-bytes.ts";
import { nxForm, wzForm } from "./forms.ts";
import { loadMaps } from "./load.ts";
import { NxFile } from "./nx-file.ts";
import { folder, type MadeArchive, values } from "./testing/made-images.ts";
import { linkedId, townArchive, townId } from "./testing/made-town.ts";
import { writeNx } from "./testing/write-nx.ts";
import { writeWz } from "./testing/write-wz.ts";
import type { ImageSource, TreeNode } from "./tree.ts";
import { WzFile } from "./wz-file.ts";

/** Where the writer puts the root: after its header. */
const rootAt = 16 + "Package file of a test\0".length + 2;

const small: MadeArchive = new Map([
  ["Physics.img", [values("a", { b: "text" })]],
  ["Map/Map1/100000000.img", [folder("foothold", folder("0", folder("0", values(1, { x1: 0, x2: 500 }))))]],
]);

function changed(file: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = file.slice();
  change(new DataView(copy.buffer));
  return copy;
}

const bytesOf = (bytes: Uint8Array): FileBytes =>
  new FileBytes({ name: "Map", size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });

/** Reads all that there is. Only `MapError` may come of it. */
function readAll(name: string, bytes: Uint8Array): void {
  const files = memoryFiles("client", new Map([[name, bytes]]));
  try {
    const source: ImageSource | undefined = nxForm.open(files) ?? wzForm.open(files);
    for (const id of source?.maps() ?? []) {
      try {
        source?.map(id);
      } catch (error) {
        if (!(error instanceof MapError)) throw error;
      }
    }
    source?.image("Physics.img");
  } catch (error) {
    if (!(error instanceof MapError)) throw error;
  }
}

/** What each byte is changed to. */
const others = [0, 1, 0x7f, 0x80, 0xff];

const archives: Readonly<Record<string, Uint8Array>> = {
  "Map.nx": writeNx(small),
  "Map.wz": writeWz(small, { version: 83, key: "gms" }),
};

describe.each(Object.entries(archives))("%s that is broken", (name, file) => {
  it("gives nothing but a MapError where it is cut", () => {
    for (let length = 0; length < file.length; length++) readAll(name, file.slice(0, length));
  });

  it("gives nothing but a MapError where any byte is another", () => {
    for (let at = 0; at < file.length; at++) {
      for (const value of others)
        readAll(
          name,
          changed(file, (view) => view.setUint8(at, value)),
        );
    }
  });

  it("says which file and where", () => {
    const files = memoryFiles("client", new Map([[name, file.slice(0, 54)]]));
    expect(() => loadMaps(files)).toThrow(new RegExp(`^${name}: .* at byte \\d+$`));
  });
});

describe("an .nx with wild numbers", () => {
  const good = writeNx(small);
  const nodeAt = (node: number): number => 52 + 20 * node;
  const strings = new DataView(good.buffer).getUint32(16, true);
  const open = (change: (view: DataView) => void): NxFile => new NxFile(bytesOf(changed(good, change)));
  const image = (change: (view: DataView) => void): TreeNode => open(change).nodeImage(0);

  it.each<readonly [string, (view: DataView) => void, string]>([
    [
      "more nodes than the file has",
      (view) => view.setUint32(4, 0xffff_ffff, true),
      "a table of nodes with 85899345900",
    ],
    ["a place past 2^53", (view) => view.setBigUint64(8, 2n ** 64n - 1n, true), "a table of nodes with"],
    ["a table of strings past the end", (view) => view.setBigUint64(20, 9999n, true), "a table of strings with"],
    ["no node", (view) => view.setUint32(4, 0, true), "no root node at byte 4"],
    [
      "children past the last node",
      (view) => view.setUint32(nodeAt(0) + 4, 4_000_000_000, true),
      "children 4000000000 to",
    ],
    ["a node below itself", (view) => view.setUint32(nodeAt(1) + 4, 1, true), "node 1 is below itself at byte 72"],
    ["a name out of range", (view) => view.setUint32(nodeAt(2), strings, true), `string ${strings} of ${strings}`],
    [
      "a string past the end",
      (view) => view.setUint32(Number(view.getBigUint64(20, true)), 1e9, true),
      "string 0 begins at 1000000000",
    ],
    ["an unknown type", (view) => view.setUint16(nodeAt(1) + 10, 7, true), "a value of unknown type 7"],
  ])("%s", (_what, change, reason) => {
    expect(() => image(change)).toThrow(MapError);
    expect(() => image(change)).toThrow(reason);
  });

  it("a name as long as a text", () => {
    const long = writeNx(new Map([["Physics.img", [values("n".repeat(256), { value: "t".repeat(256) })]]]));
    expect(() => new NxFile(bytesOf(long)).nodeImage(0)).toThrow("a string of 256 bytes, at most 255");
  });

  it("names that are not in order", () => {
    // The root's children are Map and Physics.img.
    const swapped = (view: DataView): void => {
      const [a, b] = [view.getUint32(nodeAt(1), true), view.getUint32(nodeAt(2), true)];
      view.setUint32(nodeAt(1), b, true);
      view.setUint32(nodeAt(2), a, true);
    };
    expect(() => open(swapped).list(0)).toThrow('Map: "Map" after "Physics.img", out of order, at byte 92');
  });

  it("a few nodes that describe a tree without end", () => {
    // Each of 40 nodes has the same two children as all before it: 2^40 leaves.
    const wide = changed(
      writeNx(new Map([["a.img", Array.from({ length: 80 }, (_, index) => values(1000 + index, {}))]])),
      (view) => {
        const nodes = view.getUint32(4, true);
        for (let node = 1; node + 3 < nodes; node += 2) {
          for (const each of [node, node + 1]) {
            view.setUint32(nodeAt(each) + 4, node + 2, true);
            view.setUint16(nodeAt(each) + 8, 2, true);
          }
        }
      },
    );
    expect(() => new NxFile(bytesOf(wide)).nodeImage(0)).toThrow("more than 100000 nodes in one image");
  });
});

describe("a .wz with wild numbers", () => {
  const encoded = writeWz(small, { version: 83, key: "none" });
  const text = String.fromCharCode(...encoded);
  /** Where an image's bytes with this text begin: names are scrambled with 0xAA, 0xAB … alone. */
  const find = (name: string, from = 0): number =>
    text.indexOf(
      [...name].map((each, index) => String.fromCharCode(each.charCodeAt(0) ^ ((0xaa + index) & 0xff))).join(""),
      from,
    );
  const map = (change: (view: DataView) => void): TreeNode | undefined => {
    const files = memoryFiles("client", new Map([["Map.wz", changed(encoded, change)]]));
    return wzForm.open(files)?.map(100000000);
  };
  // After the name: type 9, the size of the object, its class inline or by place, 2 bytes, a count.
  const foothold = find("foothold") + "foothold".length;

  it.each<readonly [string, (view: DataView) => void, string]>([
    [
      "an object larger than what it is in",
      (view) => view.setUint32(foothold + 1, 0x7fff_ffff, true),
      "an object of 2147483647 bytes",
    ],
    ["an unknown type", (view) => view.setUint8(foothold, 77), "a value of unknown type 77"],
    ["an unknown form of a text", (view) => view.setUint8(foothold + 5, 2), "a text of unknown form 2"],
    ["a text past the image", (view) => view.setUint32(foothold + 6, 0xffff_fff0, true), "the image ends at"],
    ["more properties than bytes", (view) => view.setUint8(foothold + 12, 127), "127 properties in"],
    ["less than no properties", (view) => view.setUint8(foothold + 12, 0xff), "-1 properties in"],
  ])("%s", (_what, change, reason) => {
    expect(() => map(change)).toThrow(MapError);
    expect(() => map(change)).toThrow(reason);
  });

  it("no version that fits", () => {
    const files = (change: (view: DataView) => void) =>
      memoryFiles("client", new Map([["Map.wz", changed(encoded, change)]]));
    const start = new DataView(encoded.buffer).getUint32(12, true);
    const reason = `Map.wz: no version and key of a client under which the root directory can be read at byte ${start}`;
    expect(() => wzForm.open(files((view) => view.setUint8(start, 1 ^ view.getUint8(start))))).toThrow(reason);
  });

  it("directories that are there twice", () => {
    const archive: MadeArchive = new Map([
      ["a.img", [values("b", {})]],
      ["c/e.img", []],
      ["d/f.img", []],
    ]);
    const places = new Map<string, number>();
    const note = (name: string, place: number): number => {
      places.set(name, place);
      return place;
    };
    const good = new WzFile(bytesOf(writeWz(archive, { version: 83, key: "none", misplace: note })));
    expect([...good.images().keys()]).toEqual(["a.img", "c/e.img", "d/f.img"]);
    const open = (place: (start: number) => number): WzFile => {
      const misplace = (name: string, real: number): number => (name === "d" ? place(places.get("c") as number) : real);
      return new WzFile(bytesOf(writeWz(archive, { version: 83, key: "none", misplace })));
    };
    expect(() => open((c) => c).images()).toThrow('a directory "d/" that was there before');
    expect(() => open(() => rootAt).images()).toThrow('a directory "d/" that was there before');
    expect(() => open(() => 5_000_000).images()).toThrow("1 bytes wanted, 0 left at byte 5000000");
  });

  it("objects in objects without end", () => {
    let deep = folder("0");
    for (let level = 0; level < 60; level++) deep = folder("0", deep);
    const file = writeWz(new Map([["Map/Map1/100000000.img", [folder("foothold", deep)]]]), {
      version: 83,
      key: "gms",
    });
    const files = memoryFiles("client", new Map([["Map.wz", file]]));
    expect(() => wzForm.open(files)?.map(100000000)).toThrow("more than 48 levels of objects");
    const nx = memoryFiles(
      "client",
      new Map([["Map.nx", writeNx(new Map([["Map/Map1/100000000.img", [folder("foothold", deep)]]]))]]),
    );
    expect(() => nxForm.open(nx)?.map(100000000)).toThrow("more than 48 levels of nodes");
  });
});

describe("a file that is cut", () => {
  it("keeps the maps that are whole", () => {
    // Images stand in the order in which they were given.
    const file = writeWz(townArchive, { version: 83, key: "gms" });
    const wz = new WzFile(bytesOf(file));
    const last = wz.images().get(`Map/Map1/${linkedId}.img`);
    const cut = file.slice(0, last?.at);
    const source = wzForm.open(memoryFiles("client", new Map([["Map.wz", cut]])));
    expect(source?.maps()).toEqual([9, townId, linkedId]);
    expect(source?.map(townId)?.child("foothold")?.children).toHaveLength(2);
    expect(() => source?.map(linkedId)).toThrow(/^Map.wz: an image of \d+ bytes, the file has \d+, at byte \d+$/);
  });
});
