/**
 * A server whose heap is too small for its players refuses others, and ends in order before V8 would end it: with a stack, and exit code
 * 134. On a slow machine memory is short before all bots are in. Then the refusals keep it from being used up, and it lives on.
 */
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

const SHORT = '"msg":"memory is short: new connections are refused"';

/** A server that lives on so long with little memory is asked to end. */
const LIVES_ON_MS = 3000;

async function ended(heapMb: number, ...flags: string[]) {
  const args = [`--max-old-space-size=${heapMb}`, bin, "serve", "--http", "0", "--log-level", "warn", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  let asked: NodeJS.Timeout | undefined;
  child.stderr.on("data", (text) => {
    stderr += String(text);
    if (stderr.includes(SHORT)) asked ??= setTimeout(() => child.kill("SIGTERM"), LIVES_ON_MS);
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(asked);
  return { code, signal, stderr };
}

test.each([
  ["in one thread", []],
  ["in three threads", ["--workers", "2"]],
])(
  "200 bots a world in a heap of 64 MB, %s: it refuses others, ends in order, and its recordings are whole",
  async (name, more) => {
    const record = join(folder, name);
    const flags = ["--all", "--listen", "slime-online-2=0", "--bots", "200", "--record", record, ...more];
    const { code, signal, stderr } = await ended(64, ...flags);
    expect(stderr).toContain(SHORT);
    const usedUp = /^wirewalk: memory is used up: \d+ of 64 MB of the heap are in use \(--max-old-space-size\)$/m;
    expect({ code, signal }).toEqual({ code: usedUp.test(stderr) ? 1 : 0, signal: null });
    const files = readdirSync(record).filter((name) => name.endsWith(".mcap"));
    expect(files.length).toBe(Object.keys(protocols).length);
    for (const file of files) {
      const verified = await startCommand(["replay", join(record, file), "--verify"], "", protocols).ended;
      expect([verified.code, verified.stderr]).toEqual([0, ""]);
    }
  },
);

test.each([
  [16, /^wirewalk: Cannot start with 16 MB of heap: --max-old-space-size must be at least 24 MB$/m],
  [36, /^wirewalk: Cannot start with this heap: \d+ of 36 MB are in use before anyone .* must be at least \d+ MB$/m],
])("a heap of %s MB is refused, and the least is named", async (heapMb, reason) => {
  const { code, signal, stderr } = await ended(heapMb, "--all", "--listen", "slime-online-2=0");
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(stderr).toMatch(reason);
});
