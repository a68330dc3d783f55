/** What a server says and does while its worlds are not recorded. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { clusterHub } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type ClusterRole, type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { until, WebClient } from "../testing/clients.ts";

const servers: RunningServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that can be taken away: in its place is a file, so nobody can make it again. */
function takenAway(): { readonly folder: string; take(): void; giveBack(): void } {
  const parent = mkdtempSync(join(tmpdir(), "wirewalk-unrecorded-"));
  folders.push(parent);
  const folder = join(parent, "recordings");
  return {
    folder,
    take() {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
    },
    giveBack: () => rmSync(folder),
  };
}

async function start(options: Partial<ServerOptions>): Promise<RunningServer> {
  const server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], ...options });
  servers.push(server);
  return server;
}

const get = async (server: RunningServer, path: string): Promise<readonly [status: number, text: string]> => {
  const response = await fetch(`http://127.0.0.1:${server.httpAddress?.port}${path}`);
  return [response.status, await response.text()];
};
/** Also one that is late with messages, as on a busy machine, has no other problem. */
const readyText = async (server: RunningServer): Promise<string> =>
  (await get(server, "/readyz"))[1].replace(/^overloaded: .*\n$/, "ok\n");
const SLOW = { timeout: 30_000 };

test("by default play goes on without a recording: /readyz and the metrics say so, and the log when it works again", async () => {
  const disk = takenAway();
  const lines: { readonly msg: string; readonly world?: string; readonly lostRecords?: number }[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[number]);
      done();
    },
  });
  const server = await start({ recordings: { folder: disk.folder }, logger: pino({ level: "info" }, sink) });
  disk.take();
  await expect.poll(() => readyText(server), SLOW).toBe("degraded: worlds are not recorded: fake\n");
  expect((await get(server, "/metrics"))[1]).toContain('\nwirewalk_recording_losing{protocol="fake",world="fake"} 1\n');
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  await a.receives("W1");
  disk.giveBack();
  await expect.poll(() => readyText(server), SLOW).toBe("ok\n");
  expect((await get(server, "/metrics"))[1]).toContain('\nwirewalk_recording_losing{protocol="fake",world="fake"} 0\n');
  expect(readdirSync(disk.folder).filter((name) => name.endsWith(".mcap"))).toHaveLength(1);
  const said = lines.filter(({ world, msg }) => world === "fake" && /record/.test(msg));
  expect(said.map(({ msg }) => msg)).toEqual(["records are lost", "the world is recorded again"]);
  expect(said[1]?.lostRecords).toBeGreaterThan(0);
});

test("where recordings are required, a world without one takes no new players; those who play go on", async () => {
  const disk = takenAway();
  const server = await start({ recordings: { folder: disk.folder, required: true } });
  const a = await WebClient.to(server.httpAddress, "/ws/fake");
  await a.receives("W1");
  disk.take();
  await expect
    .poll(() => get(server, "/readyz"), SLOW)
    .toEqual([503, "failing: worlds are not recorded and take no players: fake\n"]);
  const b = await WebClient.to(server.httpAddress, "/ws/fake");
  expect((await b.closes()).reason).toBe("refused-unavailable");
  a.sendText("s/roll");
  await until("a player is answered", () => a.texts.some((text) => text.startsWith("F")));
  disk.giveBack();
  await expect.poll(() => readyText(server), SLOW).toBe("ok\n");
  const c = await WebClient.to(server.httpAddress, "/ws/fake");
  await c.receives("W2");
});

test("in a cluster every gateway gives the answer of the owner that records", async () => {
  const hub = clusterHub({ leaseMs: 60_000 });
  const disk = takenAway();
  const node = (name: string, roles: readonly ClusterRole[], options: Partial<ServerOptions> = {}) =>
    start({ cluster: { cluster: hub.join(name), roles, onDrain: () => {} }, ...options });
  const owner = await node("owner", ["owner"], { recordings: { folder: disk.folder, required: true } });
  await expect.poll(() => owner.owned.size, SLOW).toBe(1);
  const gateway = await node("gateway", ["gateway"]);
  const a = await WebClient.to(gateway.httpAddress, "/ws/fake");
  await a.receives("W1");
  disk.take();
  for (const server of [owner, gateway]) {
    await expect
      .poll(() => get(server, "/readyz"), SLOW)
      .toEqual([503, "failing: worlds are not recorded and take no players: fake\n"]);
  }
  const b = await WebClient.to(gateway.httpAddress, "/ws/fake");
  expect((await b.closes()).reason).toBe("refused-unavailable");
  disk.giveBack();
  for (const server of [owner, gateway]) await expect.poll(() => readyText(server), SLOW).toBe("ok\n");
});
