/** A server whose heap is too small for its players ends by itself, with whole recordings. V8 would end it with a stack, and exit code 134. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { startCommand } from "../testing/run-command.ts";

const bin = fileURLToPath(new URL("../../bin/wirewalk.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewalk-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ended(heapMb: number, ...flags: string[]) {
  const args = [`--max-old-space-size=${heapMb}`, bin, "serve", "--http", "0", "--log-level", "warn", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text) => (stderr += String(text)));
  const [code, signal] = await once(child, "close");
  return { code, signal, stderr };
}

test("200 bots a world in a heap of 64 MB: it refuses others, ends by itself, and its recordings are whole", async () => {
  const record = join(folder, "recordings");
  const flags = ["--all", "--listen", "slime-online-2=0", "--bots", "200", "--record", record];
  const { code, signal, stderr } = await ended(64, ...flags);
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(stderr).toContain('"msg":"memory is short: new connections are refused"');
  expect(stderr).toMatch(
    /^wirewalk: memory is used up: \d+ of 64 MB of the heap are in use \(--max-old-space-size\)$/m,
  );
  const files = readdirSync(record).filter((name) => name.endsWith(".mcap"));
  expect(files.length).toBe(Object.keys(protocols).length);
  for (const file of files) {
    const verified = await startCommand(["replay", join(record, file), "--verify"], "", protocols).ended;
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  }
});

test.each([
  [16, /^wirewalk: Cannot start with 16 MB of heap: --max-old-space-size must be at least 24 MB$/m],
  [36, /^wirewalk: Cannot start with this heap: \d+ of 36 MB are in use before anyone .* must be at least \d+ MB$/m],
])("a heap of %s MB is refused, and the least is named", async (heapMb, reason) => {
  const { code, signal, stderr } = await ended(heapMb, "--all", "--listen", "slime-online-2=0");
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(stderr).toMatch(reason);
});
