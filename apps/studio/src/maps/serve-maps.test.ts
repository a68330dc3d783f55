/** The worker's side of dropped maps, and the page's end of it, without a browser. */
import { expect, test } from "vitest";
import { mapReadings } from "../games/map-readings.ts";
import { blobFiles } from "./blob-files.ts";
import type { MapsWorker } from "./dropped-maps.ts";
import { openDroppedMaps } from "./dropped-maps.ts";
import type { FromMaps, ToMaps } from "./messages.ts";
import { serveMaps } from "./serve-maps.ts";

/** Blobs that tests can read at once. */
const bytesOf = new WeakMap<Blob, Uint8Array>();

function blob(bytes: Uint8Array<ArrayBuffer>): Blob {
  const made = new Blob([bytes]);
  bytesOf.set(made, bytes);
  made.slice = (from = 0, to = bytes.length) => blob(bytes.slice(from, to));
  return made;
}

const read = (of: Blob): Uint8Array => bytesOf.get(of) ?? new Uint8Array(0);

const text = (content: string): Blob => blob(new TextEncoder().encode(content));

const xml = (id: number): Blob =>
  text(`<?xml version="1.0"?><imgdir name="${id}.img"><imgdir name="info"><int name="returnMap" value="1"/></imgdir>
<imgdir name="foothold"><imgdir name="0"><imgdir name="1"><imgdir name="7">
<int name="x1" value="0"/><int name="y1" value="5"/><int name="x2" value="90"/><int name="y2" value="5"/>
<int name="prev" value="0"/><int name="next" value="0"/></imgdir></imgdir></imgdir></imgdir></imgdir>`);

/** A worker in the same thread. */
function worker(): MapsWorker & { isOver: boolean } {
  const made: MapsWorker & { isOver: boolean } = {
    onmessage: null,
    onerror: null,
    isOver: false,
    postMessage: (message) => queueMicrotask(() => port.onmessage?.({ data: message })),
    terminate: () => {
      made.isOver = true;
    },
  };
  const port = {
    onmessage: null as ((event: { readonly data: ToMaps }) => void) | null,
    postMessage: (data: FromMaps) => queueMicrotask(() => made.onmessage?.({ data: structuredClone(data) })),
  };
  serveMaps({ port, readings: mapReadings, read });
  return made;
}

test("a folder of an XML dump is a set of places, read one by one", async () => {
  const files = [
    { path: "wz/Map.wz/Map/Map0/000000001.img.xml", file: xml(1) },
    { path: "wz/Map.wz/Map/Map1/100000000.img.xml", file: xml(100_000_000) },
    { path: "wz/Map.wz/Map/Map1/100000001.img.xml", file: text("<imgdir name=") },
    { path: "wz/readme.txt", file: text("nothing") },
  ];
  const maps = await openDroppedMaps("wz", files, worker());
  expect(maps).toMatchObject({ name: "wz", game: "maplestory", places: ["1", "100000000", "100000001"] });
  expect(await maps.parts("100000000")).toMatchObject({ mapId: 100_000_000, footholds: [{ id: 7, x2: 90 }] });
  expect(await maps.parts("2")).toBeUndefined();
  await expect(maps.parts("100000001")).rejects.toThrow(/100000001\.img\.xml/);
});

test("files without maps are refused, and a worker that is closed answers nothing more", async () => {
  const first = worker();
  await expect(openDroppedMaps("a", [{ path: "a/b.txt", file: text("nothing") }], first)).rejects.toThrow(/maps of a/);
  expect(first.isOver).toBe(true);
  const second = worker();
  const maps = await openDroppedMaps("one", [{ path: "000000001.img.xml", file: xml(1) }], second);
  const asked = maps.parts("1");
  maps.close();
  await expect(asked).rejects.toThrow("The maps were closed");
  expect(second.isOver).toBe(true);
});

test("a worker that cannot be loaded is the reason", async () => {
  const broken = worker();
  const opened = openDroppedMaps("one", [], broken);
  broken.onerror?.({});
  await expect(opened).rejects.toThrow("Cannot read the maps: the reader could not be loaded");
});

test("a large file is read in parts, and gives the same bytes", () => {
  const bytes = Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 31) & 0xff);
  let most = 0;
  const files = blobFiles("big", [{ path: "Map.wz", file: blob(bytes) }], (part) => {
    most = Math.max(most, part.size);
    return read(part);
  });
  const file = files.open("Map.wz");
  for (const [offset, length] of [
    [0, 60],
    [61, 9],
    [300_000, 400_000],
    [bytes.length - 5, 50],
    [bytes.length + 5, 1],
    [4, 8],
  ] as const) {
    expect(file?.read(offset, length)).toEqual(bytes.slice(offset, offset + length));
  }
  expect(most).toBeLessThanOrEqual(400_000);
  expect(files.open("other")).toBeUndefined();
});
