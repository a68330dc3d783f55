import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { MapFileError, memoryFile } from "./map-files.ts";
import { type MadeEntry, makeZip } from "./testing/make-zip.ts";
import { isZip, zipFiles } from "./zip-files.ts";

const text = new TextEncoder();
const hills = text.encode("<imgdir/>\n".repeat(500));

function read(entries: readonly MadeEntry[], path: string, options?: Parameters<typeof makeZip>[1]): Uint8Array {
  const file = zipFiles(memoryFile("maps.zip", makeZip(entries, options))).open(path);
  return file?.read(0, file.size) ?? new Uint8Array();
}

describe("an archive", () => {
  const entries = [
    { path: "wz/b.xml", bytes: hills },
    { path: "wz/a.xml", bytes: text.encode("a"), stored: true },
    { path: "wz/", bytes: new Uint8Array() },
  ];

  test.each([
    [{}, "plain"],
    [{ comment: "made by a test" }, "with a comment"],
    [{ zip64: true }, "with sizes of 64 bits"],
    [{ localExtra: 12 }, "with longer local heads"],
  ] as const)("is read: %j", (options) => {
    const archive = memoryFile("maps.zip", makeZip(entries, options));
    expect(isZip(archive)).toBe(true);
    const files = zipFiles(archive);
    expect(files.paths()).toEqual(["wz/a.xml", "wz/b.xml"]);
    const file = files.open("wz/b.xml");
    expect(file).toMatchObject({ name: "maps.zip/wz/b.xml", size: hills.length });
    expect(file?.read(10, 9)).toEqual(hills.slice(10, 19));
    expect(Buffer.from(read(entries, "wz/a.xml", options)).toString()).toBe("a");
    expect(files.open("wz/c.xml")).toBeUndefined();
  });

  test("has no paths that lead out of it", () => {
    const names = ["../a", "/a", "a/../../b", "a//b", "./c", "d\\e"];
    const made = makeZip(names.map((path) => ({ path, bytes: hills })));
    expect(zipFiles(memoryFile("maps.zip", made)).paths()).toEqual(["c", "d/e"]);
  });

  test("another file is none", () => {
    expect(isZip(memoryFile("a", text.encode("<?xml")))).toBe(false);
    expect(isZip(memoryFile("a", text.encode("PK")))).toBe(false);
    expect(isZip(memoryFile("a", makeZip([])))).toBe(true);
  });
});

describe("bad archives are refused", () => {
  const entry = { path: "a", bytes: hills };

  test.each([
    ["encrypted", { ...entry, flags: 1 }, "it is encrypted"],
    ["of another method", { ...entry, method: 14 }, "it is packed by method 14"],
    ["of a wrong sum", { ...entry, crc: 1 }, "its check sum is wrong"],
    ["that gives more", { ...entry, size: 100 }, "more than 100 bytes come out"],
    ["that gives less", { ...entry, size: hills.length + 1 }, "5000 bytes came out, 5001 were announced"],
    ["of a wild size", { ...entry, size: 100_000_000 }, "bytes cannot give 100000000"],
    ["that is too large", { ...entry, size: 200_000_000 }, "at most 134217728 are read out of an archive"],
    ["stored with two sizes", { ...entry, stored: true, size: 3 }, "it is stored, but 5000 bytes give 3"],
    ["at a wild place", { ...entry, offset: 77 }, "no head of an entry at byte 77"],
    ["that is no block", { ...entry, packed: Uint8Array.of(7, 7, 7, 7, 7, 7, 7, 7) }, "kind 3 of a block at byte"],
  ])("an entry %s", (_, made, why) => {
    expect(() => read([made], "a")).toThrow(MapFileError);
    expect(() => read([made], "a")).toThrow(/^Cannot read maps.zip\/a: /);
    expect(() => read([made], "a")).toThrow(why);
  });

  test("every beginning of one", () => {
    const archive = makeZip([{ path: "a", bytes: text.encode("some bytes"), stored: true }]);
    for (let length = 0; length < archive.length; length++) {
      expect(() => zipFiles(memoryFile("maps.zip", archive.subarray(0, length)))).toThrow(MapFileError);
    }
  });

  test("damaged bytes are read or refused", () => {
    const archive = makeZip([{ path: "abc", bytes: hills }], { zip64: true });
    for (let at = 0; at < archive.length; at++) {
      const damaged = archive.slice();
      damaged[at] = (damaged[at] as number) ^ 0x81;
      try {
        const files = zipFiles(memoryFile("maps.zip", damaged));
        for (const path of files.paths()) files.open(path)?.read(0, 10);
      } catch (error) {
        expect(error).toBeInstanceOf(MapFileError);
      }
    }
  });

  test("zeros that claim to be much are unpacked to their limit alone", () => {
    const zeros = new Uint8Array(3_000_000);
    expect(read([{ path: "a", bytes: zeros }], "a").length).toBe(zeros.length);
    const bomb = { path: "a", bytes: zeros, packed: deflateRawSync(zeros), size: 1000 };
    expect(() => read([bomb], "a")).toThrow("more than 1000 bytes come out");
  });
});
