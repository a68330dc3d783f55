/** `wirewalk serve --workers`: what works with one thread works with several. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Bans, sqliteStore } from "@wirewalk/server";
import type { FeedMessage, FeedPlayer } from "@wirewalk/server/feed";
import { afterAll, afterEach, expect, it } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { TrackReader } from "wirewalk/motion";
import { connectWebSocket, systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { WebSocket } from "ws";
import { smallDisk } from "../../../server/src/testing/small-disk.ts";
import { xmlOf } from "../../../wirewalk/src/protocols/maplestory/maps/testing/write-xml.ts";
import { mapImage } from "../../../wirewalk/src/protocols/maplestory/maps/testing/written-map.ts";
import { type Flock, startFlock } from "../process/flock.ts";
import { getText } from "../testing/get-text.ts";

const bin = fileURLToPath(new URL("../../bin/wirewalk.js", import.meta.url));
const TOKEN = "a-token-for-tests-alone";

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-workers-test-"));
  cleaning.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Serving {
  readonly child: ChildProcess;
  readonly ports: readonly number[];
  readonly http: string;
}

async function serve(...flags: string[]): Promise<Serving> {
  const child = spawn(
    process.execPath,
    [bin, "serve", "--http", "0", "--workers", "2", "--log-level", "error", ...flags],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  cleaning.push(() => child.kill("SIGKILL"));
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (/ at http:/.test(printed)) break;
  }
  const ports = [...printed.matchAll(/TCP +\S+:(\d+)/g)].map(([, port]) => Number(port));
  return { child, ports, http: /http:\/\/[^/\s]+/.exec(printed)?.[0] ?? "" };
}

const get = (http: string, path: string): Promise<string> =>
  getText(new URL(path, http), { authorization: `Bearer ${TOKEN}` });

/** Bots that log in to a world; `seed` chooses their logins. */
function play(seed: number, count: number, connect: Parameters<typeof startFlock>[0]["connect"]): Flock {
  const game = { protocol: slimeOnline2, dialect: "v0106", cheat: "none", rooms: [1] };
  const flock = startFlock({ ...game, count, seed, clock: systemClock, connect });
  cleaning.push(() => flock.stop());
  return flock;
}

it("spreads worlds over threads that share bans, accounts, limits, metrics, feed, recordings, captures and their end", async () => {
  const [data, record] = [folder(), folder()];
  const [token, capture] = [join(folder(), "token"), join(record, "all.pcapng")];
  writeFileSync(token, TOKEN);
  const { child, ports, http } = await serve(
    ...[
      "--world",
      "one=slime-online-2",
      "--world",
      "two=slime-online-2",
      "--listen",
      "one=0",
      "--listen",
      "two=0",
      "--all",
    ],
    ...["--data", data, "--record", record, "--capture", capture, "--admin-token-file", token, "--ban-loopback"],
    ...["--sessions-per-address", "6"],
  );
  const [one = 0, two = 0] = ports;
  // TCP and WebSocket, in both worlds.
  const first = play(1, 2, () => connectTcp({ host: "127.0.0.1", port: one }));
  const second = play(2, 2, () => connectWebSocket(new URL("/ws/two?room=1", http.replace("http", "ws"))));
  const counted = async (): Promise<readonly (string | undefined)[]> => {
    const metrics = await get(http, "/metrics");
    return ["one", "two"].map((world) => new RegExp(`players\\{[^}]*world="${world}"\\} (\\d+)`).exec(metrics)?.[1]);
  };
  await expect.poll(counted).toEqual(["2", "2"]);

  // One address has six connections in all worlds together; what a probe and the metrics take is none of them.
  const third = play(3, 3, () => connectTcp({ host: "127.0.0.1", port: two }));
  await expect.poll(counted).toEqual(["2", "4"]);
  await expect.poll(() => third.counts().connected).toBe(2);
  // The seventh is refused, or takes the place of one that has not logged in.
  expect(await get(http, "/metrics")).toMatch(/world="two",carrier="tcp",reason="(?:sessions-per-address|evicted)"/);

  // A page watches a world of either thread: its address is the same, so a place has to be free.
  await third.stop();
  await expect.poll(counted).toEqual(["2", "2"]);
  const page = new WebSocket(`${http.replace("http", "ws")}/ws/studio`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  cleaning.push(() => page.terminate());
  const seen = { worlds: [] as string[], tracks: new Set<string>(), bans: [] as string[] };
  const players = new Map<string, readonly FeedPlayer[]>();
  const wires = new Set<string>();
  const reader = new TrackReader();
  page.on("message", (bytes: Buffer, isBinary) => {
    if (isBinary) {
      seen.tracks.add(reader.read(bytes)?.world ?? "");
      return;
    }
    const message = JSON.parse(String(bytes)) as FeedMessage;
    if (message.type === "hello") seen.worlds = message.worlds.map(({ name }) => name);
    else if (message.type === "players") players.set(message.world, message.players);
    else if (message.type === "bans") seen.bans.push(message.world);
    else if (message.type === "wire") wires.add(message.world);
  });
  await once(page, "open");
  for (const world of ["one", "two"]) {
    page.send(JSON.stringify({ type: "watch", world, room: "1" }));
    await expect.poll(() => seen.tracks.has(world)).toBe(true);
    await expect.poll(() => players.get(world)).toHaveLength(2);
    // Of the watched world alone, whichever thread has it; so are verdicts.
    expect(new Set(seen.bans)).toEqual(new Set([world]));
    const player = players.get(world)?.[0]?.player;
    page.send(JSON.stringify({ type: "watch", world, room: "1", player }));
    await expect.poll(() => wires.has(world)).toBe(true);
    seen.bans = [];
  }
  expect(seen.worlds).toEqual(expect.arrayContaining(["one", "two", "osrs"]));
  page.terminate();

  // A ban holds in both.
  const store = sqliteStore(data, { shared: true });
  const logins = store.list("accounts").map(({ key }) => key.split("/")[1] ?? "");
  expect(logins.length).toBeGreaterThanOrEqual(4);
  const bans = new Bans(store);
  for (const login of logins) {
    const ban = { name: login, reason: "seen", durationMs: 60_000, evidence: [] };
    bans.add("slime-online-2", { ...ban, key: `login:${login}` });
  }
  store.close();
  await expect.poll(counted).toEqual(["0", "0"]);
  await first.stop();
  await second.stop();

  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  const files = readdirSync(record);
  expect(files.filter((file) => /^(?:one|two)-.*\.mcap$/.test(file))).toHaveLength(2);
  // Both worlds are in the capture.
  const captured = readFileSync(capture).toString("latin1");
  expect([captured.includes("world one"), captured.includes("world two")]).toEqual([true, true]);
});

it("opens the maps of a world in its thread", async () => {
  const wz = folder();
  const ground = { id: 1, x1: -500, y1: 100, x2: 500, y2: 100, previous: 0, next: 0 };
  const portals = [{ id: 0, name: "sp", kind: 0, x: 0, y: 50 }];
  mkdirSync(join(wz, "Map.wz/Map/Map2"), { recursive: true });
  const map = xmlOf("200000000.img", mapImage({ mapId: 200_000_000, footholds: [ground], portals }));
  writeFileSync(join(wz, "Map.wz/Map/Map2/200000000.img.xml"), map);
  const { child, ports, http } = await serve(
    ...["--listen", "maplestory=0", "--dialect", "maplestory=v83", "--maps", `maplestory=${wz}`],
    ...["--set", "maplestory.startMap=200000000"],
  );
  const game = { protocol: mapleStory, dialect: "v83", cheat: "none", count: 1, seed: 1, clock: systemClock };
  const flock = startFlock({ ...game, connect: () => connectTcp({ host: "127.0.0.1", port: ports[0] ?? 0 }) });
  cleaning.push(() => flock.stop());
  const used = async (): Promise<string | undefined> =>
    /maps_used\{[^}]*world="maplestory"\} (\d+)/.exec(await get(http, "/metrics"))?.[1];
  await expect.poll(used, { timeout: 10_000 }).toBe("1");
  await flock.stop();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

const disk = smallDisk(8);
afterAll(() => disk?.remove());

// Mounting needs rights that a container may not have.
it.skipIf(disk === undefined)(
  "a full disk: threads say what one thread says, 503 while logins fail and while a world without a recording takes no players",
  async () => {
    if (disk === undefined) return;
    const flags = [
      "--data",
      join(disk.folder, "data"),
      "--record",
      join(disk.folder, "recordings"),
      "--record-required",
    ];
    const { http } = await serve("--listen", "slime-online-2=0", "--listen", "osrs=0", ...flags);
    const ready = async (): Promise<string> => {
      const response = await fetch(`${http}/readyz`, { headers: { connection: "close" } });
      // Also one that is late with messages, as on a busy machine, has no other problem.
      return `${response.status} ${await response.text()}`.replace(/^503 overloaded: .*\n$/, "200 ok\n");
    };
    await expect.poll(ready, { timeout: 60_000 }).toBe("200 ok\n");
    disk.fill();
    await expect.poll(ready, { timeout: 60_000 }).toBe("503 failing: logins fail: database or disk is full\n");
    const metrics = (): Promise<string> => getText(`${http}/metrics`);
    const losing = /wirewalk_recording_losing\{protocol="osrs",world="osrs"\} 1\n/;
    await expect.poll(metrics, { timeout: 60_000 }).toMatch(losing);
    const connection = await connectWebSocket(new URL("/ws/osrs", http.replace("http", "ws")));
    const reason = await new Promise<string>((closed) => connection.listen({ bytes: () => {}, closed }));
    expect(reason).toContain("refused-unavailable");
    disk.free();
    await expect.poll(ready, { timeout: 60_000 }).toBe("200 ok\n");
  },
);
