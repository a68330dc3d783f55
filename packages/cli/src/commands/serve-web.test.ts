import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { type Running, startCommand } from "../testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-web-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(...flags: string[]): Promise<Running & { readonly printedAtStart: string }> {
  const free = ["--http", "0", "--listen", "slime-online-2=0", "--log-level", "silent"];
  const running = startCommand(["serve", ...free, ...flags], "", protocols);
  const printedAtStart = await Promise.race([
    running.printed(/ at http.*\n/),
    running.ended.then(({ stderr }) => stderr),
  ]);
  return { ...running, printedAtStart };
}

async function stop(running: Running): Promise<void> {
  running.signals.emit("SIGTERM", "SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
}

const webOf = (printed: string): string => /WebSocket +ws:\/\/([^/]+)/.exec(printed)?.[1] ?? "";
const pageOf = (printed: string): string => / at http:\/\/([^/]+)/.exec(printed)?.[1] ?? "";
const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { headers })).status;

describe("serve, where others can connect", () => {
  it("keeps the page and the metrics on loopback, at an address of their own, with bots", async () => {
    const running = await serve("--host", "0.0.0.0", "--bots", "1");
    const [web, page] = [webOf(running.printedAtStart), pageOf(running.printedAtStart)];
    expect(running.printedAtStart).toContain("  Bots       1\n");
    expect(page).not.toBe(web);
    expect(page).toMatch(/^127\.0\.0\.1:/);
    expect(await statusOf(`http://${web}/metrics`)).toBe(404);
    expect(await statusOf(`http://${web}/livez`)).toBe(200);
    expect(await statusOf(`http://${page}/metrics`)).toBe(200);
    await stop(running);
  });

  it("keeps them with the games when they ask for a token, which SIGHUP reads again", async () => {
    const file = join(folder, "token");
    writeFileSync(file, "first-token-0123\n");
    const running = await serve("--host", "0.0.0.0", "--admin-token-file", file);
    const web = webOf(running.printedAtStart);
    const status = (token: string): Promise<number> =>
      statusOf(`http://${web}/metrics`, { authorization: `Bearer ${token}` });
    expect([await statusOf(`http://${web}/metrics`), await status("first-token-0123")]).toEqual([401, 200]);
    writeFileSync(file, "second-token-0123\n");
    running.signals.emit("SIGHUP", "SIGHUP");
    expect([await status("first-token-0123"), await status("second-token-0123")]).toEqual([401, 200]);
    // A token that cannot be used changes nothing, and ends nothing.
    writeFileSync(file, "short\n");
    running.signals.emit("SIGHUP", "SIGHUP");
    rmSync(file);
    running.signals.emit("SIGHUP", "SIGHUP");
    expect(await status("second-token-0123")).toBe(200);
    await stop(running);
  });
});

it.each([
  ["--tls-cert a", "--tls-cert and --tls-key need each other"],
  ["--admin 7401", "--admin 7401 is not a host and a port: it must look like 127.0.0.1:7401 or [::1]:7401"],
  ["--admin ::1:7401", "--admin ::1:7401 is not a host and a port: it must look like 127.0.0.1:7401 or [::1]:7401"],
  ["--admin 0.0.0.0:7401", "--admin 0.0.0.0:7401 can be reached by others: it needs --admin-token-file"],
  [
    "--public-host https://a.b",
    "--public-host https://a.b is not a host name: it must look like play.example.org, without a scheme or port",
  ],
  [
    "--tls-cert a --tls-key b --bots 1",
    "--bots cannot connect over TLS: --admin 127.0.0.1:7401 gives them an address without it",
  ],
])("%s is wrong usage", async (flags, sentence) => {
  expect(await startCommand(["serve", ...flags.split(" ")]).ended).toEqual({
    code: 2,
    stdout: "",
    stderr: `wirewalk: ${sentence}\n`,
  });
});

it.each([
  [
    ["--tls-cert", "none.pem", "--tls-key", "none.pem"],
    /^wirewalk: Cannot read none\.pem: no such file or folder \(ENOENT\)\n$/,
  ],
  [["--tls-cert", "package.json", "--tls-key", "package.json"], /^wirewalk: Cannot use the certificate or its key: /],
  [["--admin-token-file", "/dev/null"], /^wirewalk: Cannot use the admin token: it must have at least 16 /],
])("%j is a failure", async (flags, message) => {
  const { code, stderr } = await startCommand(["serve", "--http", "0", "--listen", "slime-online-2=0", ...flags]).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});
