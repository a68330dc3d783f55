import { describe, expect, it } from "vitest";
import { type MapFile, MapFileError } from "./map-files.ts";
import { MapError } from "./maps.ts";
import { blobSource, PagedFiles, type PageSource, withPages } from "./paged-file.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) & 0xff);

function source(content: Uint8Array, fetched: number[] = []): PageSource {
  return {
    size: content.length,
    async fetch(offset, length) {
      fetched.push(offset);
      return content.slice(offset, offset + length);
    },
  };
}

function files(options = {}, fetched: number[] = []): PagedFiles {
  const sources = new Map([
    ["b/Mob.wz", source(bytes.slice(0, 10))],
    ["Map.wz", source(bytes, fetched)],
  ]);
  return new PagedFiles("client", sources, { pageBytes: 64, ...options });
}

const opened = (from: PagedFiles): MapFile => from.open("Map.wz") as MapFile;

describe("PagedFiles", () => {
  it("has its files by path, and no others", () => {
    expect(files().paths()).toEqual(["Map.wz", "b/Mob.wz"]);
    expect(files().open("b/Mob.wz")).toMatchObject({ name: "b/Mob.wz", size: 10 });
    expect(files().open("Mob.wz")).toBeUndefined();
  });

  it("reads over the ends of pages and up to the end of the file", async () => {
    const given = files();
    const file = opened(given);
    for (const [offset, length] of [
      [0, 1],
      [60, 10],
      [0, 1000],
      [990, 500],
      [1000, 5],
      [2000, 5],
    ] as const) {
      const read = await withPages(given, () => file.read(offset, length));
      expect(read).toEqual(bytes.slice(offset, offset + length));
    }
  });

  it("fetches a page once, and calls the reading again after each", async () => {
    const fetched: number[] = [];
    const given = files({}, fetched);
    let calls = 0;
    const read = (): number => {
      calls += 1;
      return (opened(given).read(10, 1)[0] as number) + (opened(given).read(500, 1)[0] as number);
    };
    const sum = (bytes[10] as number) + (bytes[500] as number);
    expect(await withPages(given, read)).toBe(sum);
    expect({ calls, fetched }).toEqual({ calls: 3, fetched: [0, 448] });
    expect(await withPages(given, read)).toBe(sum);
    expect({ calls, fetched }).toEqual({ calls: 4, fetched: [0, 448] });
  });

  it("drops the page that was used longest ago", async () => {
    const fetched: number[] = [];
    const given = files({ keptPages: 2 }, fetched);
    const file = opened(given);
    for (const at of [0, 64, 0, 128, 0, 64]) await withPages(given, () => file.read(at, 1));
    expect(fetched).toEqual([0, 64, 128, 64]);
  });

  it("refuses a reading that needs more pages than are kept, rather than to fetch for ever", async () => {
    const given = files({ keptPages: 2 });
    await expect(withPages(given, () => opened(given).read(0, 128))).resolves.toHaveLength(128);
    await expect(withPages(given, () => opened(given).read(0, 129))).rejects.toThrow(
      new MapFileError("Map.wz: more than 2 pages of 64 bytes at the same time"),
    );
  });

  it("throws what the reading throws, once its pages are there", async () => {
    const given = files();
    const read = (): never => {
      opened(given).read(0, 100);
      throw new MapError("Map.wz: no map in it");
    };
    await expect(withPages(given, read)).rejects.toThrow(new MapError("Map.wz: no map in it"));
  });

  it("begins again where the reading has taken a missing page for a broken file", async () => {
    const given = files();
    const read = (): number | undefined => {
      try {
        return opened(given).read(3, 1)[0];
      } catch {
        return undefined;
      }
    };
    expect(await withPages(given, read)).toBe(bytes[3]);
  });

  it("runs one reading at a time, and goes on after one that failed", async () => {
    const given = files({ keptPages: 1 });
    const each = [0, 64, 128, 0, 64].map((at) => withPages(given, () => opened(given).read(at, 1)[0]));
    const failed = withPages(given, () => opened(given).read(0, 65)).catch((error: unknown) => error);
    const last = withPages(given, () => opened(given).read(640, 1)[0]);
    expect(await Promise.all(each)).toEqual([0, 64, 128, 0, 64].map((at) => bytes[at]));
    expect(await failed).toBeInstanceOf(MapFileError);
    expect(await last).toBe(bytes[640]);
  });

  it("names the file whose page cannot be fetched, or is too short", async () => {
    const gone = new PagedFiles(
      "client",
      new Map([["a", { size: 9, fetch: () => Promise.reject(new Error("gone")) }]]),
    );
    await expect(withPages(gone, () => gone.open("a")?.read(0, 1))).rejects.toThrow(
      new MapFileError("a: cannot read 9 bytes at byte 0: Error: gone"),
    );
    const short = new PagedFiles("client", new Map([["a", { size: 9, fetch: async () => new Uint8Array(8) }]]));
    await expect(withPages(short, () => short.open("a")?.read(0, 1))).rejects.toThrow(
      new MapFileError("a: 9 bytes wanted, got 8 at byte 0"),
    );
  });

  it("says outside of withPages that the page is missing", () => {
    expect(() => opened(files()).read(0, 1)).toThrow(/call this within withPages/);
  });

  it("reads the files of a browser", async () => {
    const given = new PagedFiles("drop", new Map([["a", blobSource(new Blob([bytes]))]]), { pageBytes: 100 });
    expect(await withPages(given, () => given.open("a")?.read(90, 300))).toEqual(bytes.slice(90, 390));
  });

  it.each([{ pageBytes: 0 }, { pageBytes: 1.5 }, { keptPages: 0 }, { keptPages: Number.NaN }])(
    "refuses %o",
    (options) => {
      expect(() => files(options)).toThrow(RangeError);
    },
  );
});
