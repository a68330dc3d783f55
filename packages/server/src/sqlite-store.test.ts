import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeStore } from "../../wirewalk/src/net/testing/store-suite.ts";
import { sqliteStore } from "./sqlite-store.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let opened = 0;
const newFolder = (): string => join(folder, String(opened++), "nested");

describeStore("SQLite", () => sqliteStore(newFolder()));

test("records are there when the file is opened again, and for a second reader at once", () => {
  const path = newFolder();
  const first = sqliteStore(path);
  first.put("bans", "ann", { until: 1 });
  const second = sqliteStore(path);
  expect(second.get("bans", "ann")).toEqual({ until: 1 });
  first.close();
  first.close();
  second.close();
  const third = sqliteStore(path);
  expect(third.list("bans")).toEqual([{ key: "ann", record: { until: 1 } }]);
  third.close();
});

// Windows has no such modes.
test.skipIf(process.platform === "win32")(
  "only the server's own user may read the files, also those of an earlier run",
  () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    const path = newFolder();
    const before = process.umask(0);
    try {
      const store = sqliteStore(path);
      store.put("accounts", "ann", { hash: "00" });
      const files = readdirSync(path).toSorted();
      expect(files).toEqual(["wirewalk.sqlite", "wirewalk.sqlite-shm", "wirewalk.sqlite-wal"]);
      expect(files.map((file) => modeOf(join(path, file)))).toEqual([0o600, 0o600, 0o600]);
      expect(modeOf(path)).toBe(0o700);
      for (const file of files) chmodSync(join(path, file), 0o644);
      const second = sqliteStore(path);
      expect(files.map((file) => modeOf(join(path, file)))).toEqual([0o600, 0o600, 0o600]);
      second.close();
      store.close();
    } finally {
      process.umask(before);
    }
  },
);

test("a folder that cannot be one, and a file that is no database, are named", () => {
  const path = join(folder, "file");
  writeFileSync(path, "no folder");
  expect(() => sqliteStore(path)).toThrow(`Cannot keep data in ${path}: `);
  expect(() => sqliteStore(join(path, "under"))).toThrow(`Cannot keep data in ${join(path, "under")}: `);
  const broken = newFolder();
  sqliteStore(broken).close();
  writeFileSync(join(broken, "wirewalk.sqlite"), "x".repeat(4_096));
  expect(() => sqliteStore(broken)).toThrow(`Cannot keep data in ${broken}: file is not a database`);
});

test.skipIf(process.platform !== "linux")("a folder that cannot be made is named, also where nothing can be", () => {
  expect(() => sqliteStore("/proc/none/data")).toThrow("Cannot keep data in /proc/none/data: ENOENT");
});

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0)("a folder that cannot be written is named", () => {
  const path = newFolder();
  sqliteStore(path).close();
  chmodSync(path, 0o500);
  expect(() => sqliteStore(path)).toThrow(`Cannot keep data in ${path}: `);
  chmodSync(path, 0o700);
});
