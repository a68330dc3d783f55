import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("node:sqlite is loaded by the first store in a folder, and not by a server without one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-open-"));
  // Only a process of its own can tell: other tests of this one have loaded it.
  const program = `
    const isLoaded = () => process.moduleLoadList.includes("NativeModule sqlite");
    const { sqliteStore, startServer } = await import("@wirewalk/server");
    const server = await startServer({ http: 0, listeners: [] });
    const before = isLoaded();
    sqliteStore(process.argv[1]).close();
    console.log(before, isLoaded());
    await server.close();`;
  try {
    const node = ["-C", "wirewalk-source", "--input-type=module", "-e", program, folder];
    const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: import.meta.dirname });
    expect(stdout).toBe("false true\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
