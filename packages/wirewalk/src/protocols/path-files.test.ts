import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MapFileError } from "./map-files.ts";
import { openMapFiles } from "./path-files.ts";
import { makeZip } from "./testing/make-zip.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "map-files-"));
  for (const path of ["maps/Map1", "maps/Map0", "outside"]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "maps/Map1/b.xml"), "bytes of b");
  writeFileSync(join(folder, "maps/Map0/a.xml"), "bytes of a");
  writeFileSync(join(folder, "outside/secret.xml"), "secret");
  writeFileSync(join(folder, "maps.bin"), makeZip([{ path: "Map0/a.xml", bytes: Buffer.from("packed a") }]));
  symlinkSync(join(folder, "outside/secret.xml"), join(folder, "maps/secret.xml"));
  symlinkSync(join(folder, "outside"), join(folder, "maps/out"));
  symlinkSync("Map0/a.xml", join(folder, "maps/link.xml"));
  symlinkSync(join(folder, "maps"), join(folder, "maps/Map0/circle"));
  symlinkSync("nowhere", join(folder, "maps/dangling.xml"));
  symlinkSync(join(folder, "maps"), join(folder, "linked"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function text(path: string, name: string): string | undefined {
  const file = openMapFiles(join(folder, path)).open(name);
  return file && Buffer.from(file.read(0, file.size)).toString();
}

test("a folder has all files below it, sorted", () => {
  for (const path of ["maps", "linked"]) {
    const files = openMapFiles(join(folder, path));
    expect(files.name).toBe(join(folder, path));
    expect(files.paths()).toEqual(["Map0/a.xml", "Map1/b.xml", "link.xml"]);
    expect(files.open("Map1/b.xml")).toMatchObject({ name: join(folder, path, "Map1/b.xml"), size: 10 });
  }
  expect(text("maps", "Map1/b.xml")).toBe("bytes of b");
  expect(text("maps", "link.xml")).toBe("bytes of a");
  expect(Buffer.from(openMapFiles(join(folder, "maps")).open("Map1/b.xml")?.read(6, 100) ?? []).toString()).toBe(
    "of b",
  );
});

test.each([
  "secret.xml",
  "out/secret.xml",
  "../outside/secret.xml",
  "Map0/../../outside/secret.xml",
  "",
  "Map0",
  "Map0\\a.xml",
  "nothing",
  "a\0b",
])("a path that leads out of the folder or to no file is not opened: %j", (path) => {
  expect(openMapFiles(join(folder, "maps")).open(path)).toBeUndefined();
  expect(openMapFiles(join(folder, "maps")).open(join(folder, "maps", path))).toBeUndefined();
});

test("one file has its own name", () => {
  const files = openMapFiles(join(folder, "maps/Map1/b.xml"));
  expect(files.paths()).toEqual(["b.xml"]);
  expect(files.open("b.xml")?.size).toBe(10);
  expect(files.open("a.xml")).toBeUndefined();
});

test("an archive is known by its content", () => {
  expect(openMapFiles(join(folder, "maps.bin")).paths()).toEqual(["Map0/a.xml"]);
  expect(text("maps.bin", "Map0/a.xml")).toBe("packed a");
});

test("a large file stays open and is read in parts", () => {
  const path = join(folder, "outside/large");
  writeFileSync(path, new Uint8Array(9_000_000).fill(7, 8_999_998));
  const file = openMapFiles(path).open("large");
  expect(file?.read(8_999_997, 10)).toEqual(Uint8Array.of(0, 7, 7));
  expect(file?.read(0, 2)).toEqual(Uint8Array.of(0, 0));
  expect(file?.read(9_000_000, 1)).toEqual(new Uint8Array());
});

test("a path that is not there is refused, and a file that went away", () => {
  expect(() => openMapFiles(join(folder, "none"))).toThrow(MapFileError);
  expect(() => openMapFiles(join(folder, "none"))).toThrow(/none: no such file or folder$/);
  writeFileSync(join(folder, "maps/gone.xml"), "a");
  const file = openMapFiles(join(folder, "maps")).open("gone.xml");
  rmSync(join(folder, "maps/gone.xml"));
  expect(() => file?.read(0, 1)).toThrow(/gone.xml: no such file or folder$/);
});

test("outside Node it says what to do", () => {
  vi.stubGlobal("process", undefined);
  try {
    expect(() => openMapFiles("wz")).toThrow("Cannot open wz: paths are opened in Node alone");
  } finally {
    vi.unstubAllGlobals();
  }
});
