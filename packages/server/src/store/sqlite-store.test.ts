import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { describeStore } from "../../../wirewalk/src/net/testing/store-suite.ts";
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
  const second = sqliteStore(path, { shared: true });
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
      const all = readdirSync(path).toSorted();
      const files = all.filter((file) => file.startsWith("wirewalk."));
      expect(files).toEqual(["wirewalk.sqlite", "wirewalk.sqlite-shm", "wirewalk.sqlite-wal"]);
      expect(new Set(all.map((file) => modeOf(join(path, file))))).toEqual(new Set([0o600]));
      expect(modeOf(path)).toBe(0o700);
      for (const file of files) chmodSync(join(path, file), 0o644);
      const second = sqliteStore(path, { shared: true });
      expect(files.map((file) => modeOf(join(path, file)))).toEqual([0o600, 0o600, 0o600]);
      second.close();
      store.close();
    } finally {
      process.umask(before);
    }
  },
);
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Another process that opens the store of a folder, and what it says. */
async function openElsewhere(path: string): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const source = `import { sqliteStore } from ${JSON.stringify(new URL("sqlite-store.ts", import.meta.url).href)};
    try { sqliteStore(${JSON.stringify(path)}).put("bans", "ann", {}); console.log("open"); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  const flags = ["-C", "wirewalk-source", "--input-type=module", "--eval", source];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: String(said).trim() };
}

test("one server at a time has a folder; a server that was killed holds it no longer", async () => {
  const path = newFolder();
  const { child, said } = await openElsewhere(path);
  expect(said).toBe("open");
  const refused = `Cannot keep data in ${path}: another server is using it (process ${child.pid})`;
  expect(() => sqliteStore(path)).toThrow(refused);
  // Once more: a refused server takes nothing from the one that runs.
  expect(() => sqliteStore(path)).toThrow(refused);
  const tool = sqliteStore(path, { shared: true });
  expect(tool.get("bans", "ann")).toEqual({});
  tool.close();
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = sqliteStore(path);
  expect(next.get("bans", "ann")).toEqual({});
  expect(() => sqliteStore(path)).toThrow(`another server is using it (process ${process.pid})`);
  const second = await openElsewhere(path);
  expect(second.said).toBe(`Cannot keep data in ${path}: another server is using it (process ${process.pid})`);
  next.close();
  sqliteStore(path).close();
});

test("a folder that cannot be one, and a file that is not a database, are named", () => {
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
