import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordingFolder } from "./recording-folder.ts";

const NOW_MS = Date.UTC(2026, 0, 1, 12, 30);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wirewalk-recordings-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A file of an earlier run. */
async function old(name: string, bytes: number, ageMs: number): Promise<void> {
  await writeFile(join(folder, name), new Uint8Array(bytes));
  const seconds = (NOW_MS - ageMs) / 1000;
  await utimes(join(folder, name), seconds, seconds);
}

describe("a folder of recordings", () => {
  it("names files by game and time, for their owner alone, and never takes one that exists", async () => {
    const inside = join(folder, "deep", "er");
    const sink = new RecordingFolder({ folder: inside }).sink("slime-online-2");
    for (let copy = 0; copy < 3; copy += 1) {
      const file = await sink.open(NOW_MS);
      await file.write(Uint8Array.of(copy));
      await file.close();
    }
    expect((await readdir(inside)).sort()).toEqual([
      "slime-online-2-20260101T123000.000Z-2.mcap",
      "slime-online-2-20260101T123000.000Z-3.mcap",
      "slime-online-2-20260101T123000.000Z.mcap",
    ]);
    expect((await stat(join(inside, "slime-online-2-20260101T123000.000Z.mcap"))).mode & 0o777).toBe(0o600);
    expect((await stat(inside)).mode & 0o777).toBe(0o700);
  });

  it("removes the oldest recordings over a size, and nothing else", async () => {
    await old("a-20250101T000000.000Z.mcap", 100, 3_000);
    await old("b-20250101T000000.000Z.mcap", 100, 2_000);
    await old("c-20250101T000000.000Z.mcap", 100, 1_000);
    await old("notes.mcap", 1_000, 9_000);
    const removed: string[] = [];
    const recordings = new RecordingFolder({ folder, keepBytes: 150, onRemoved: (path) => removed.push(path) });
    await (await recordings.sink("d").open(NOW_MS)).close();
    expect((await readdir(folder)).sort()).toEqual([
      "c-20250101T000000.000Z.mcap",
      "d-20260101T123000.000Z.mcap",
      "notes.mcap",
    ]);
    expect(removed.length).toBe(2);
  });

  it("removes recordings over an age, but none that is being written", async () => {
    await old("a-20250101T000000.000Z.mcap", 1, 10_000);
    const recordings = new RecordingFolder({ folder, keepMs: 5_000, epochNow: () => NOW_MS });
    const open = await recordings.sink("b").open(NOW_MS);
    await utimes(open.name, (NOW_MS - 9_000) / 1000, (NOW_MS - 9_000) / 1000);
    await (await recordings.sink("c").open(NOW_MS)).close();
    expect((await readdir(folder)).sort()).toEqual(["b-20260101T123000.000Z.mcap", "c-20260101T123000.000Z.mcap"]);
    await open.close();
  });

  it("fails when its folder is removed, and makes it again for the next file", async () => {
    const inside = join(folder, "deep");
    const sink = new RecordingFolder({ folder: inside }).sink("a");
    const lost = await sink.open(NOW_MS);
    await lost.write(Uint8Array.of(1));
    await rm(inside, { recursive: true });
    await expect(lost.write(Uint8Array.of(2))).rejects.toThrow("the file was removed while it was written");
    await lost.close();
    const next = await sink.open(NOW_MS);
    await next.write(Uint8Array.of(3));
    await next.close();
    expect(await readdir(inside)).toEqual(["a-20260101T123000.000Z.mcap"]);
  });

  it("says what the system says when a file cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    const sink = new RecordingFolder({ folder: join(folder, "file") }).sink("a");
    await expect(sink.open(NOW_MS)).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
