/** Two channels of MapleStory in one process of `wirewalk serve`. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bans, sqliteStore } from "@wirewalk/server";
import { afterEach, expect, it } from "vitest";
import { connectClient } from "wirewalk/client";
import { type MapleServerMessage, mapleStory } from "wirewalk/maplestory";
import { connectTcp } from "wirewalk/node";
import { bundledCommand } from "../testing/bundled-command.ts";

const bin = await bundledCommand();
const dialect = "v62";

let server: ChildProcess | undefined;
const folders: string[] = [];
afterEach(() => {
  server?.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Starts the server; the TCP ports of its worlds. */
async function serve(...flags: string[]): Promise<readonly number[]> {
  const child = spawn(process.execPath, [bin, "serve", "--http", "0", "--log-level", "silent", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  server = child;
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (/ at http:/.test(printed)) break;
  }
  expect(printed).toContain("MapleStory, world maplestory-2, dialect v62\n");
  return [...printed.matchAll(/TCP +\S+:(\d+)/g)].map(([, port]) => Number(port));
}

/** A character that enters; the messages that it receives, and why its connection ended. */
async function enter(port: number, characterId: number) {
  const received: MapleServerMessage[] = [];
  const state: { closed?: string } = {};
  const client = connectClient({
    protocol: mapleStory,
    dialect,
    transport: await connectTcp({ host: "127.0.0.1", port }),
    onMessage: (message) => void received.push(message),
    onClosed: (reason) => {
      state.closed = reason;
    },
  });
  await expect.poll(() => client.ready).toBe(true);
  client.send({ message: "playerLoggedIn", value: { characterId, reserved: 0 } });
  const all = <M extends MapleServerMessage["message"]>(message: M) =>
    received.filter((each): each is Extract<MapleServerMessage, { readonly message: M }> => each.message === message);
  await expect.poll(() => all("changeMap").length).toBe(1);
  return { client, all, state };
}

it("serves two channels whose players do not see each other, and a ban of one holds on both", async () => {
  const data = mkdtempSync(join(tmpdir(), "wirewalk-worlds-"));
  folders.push(data);
  const [first = 0, second = 0] = await serve(
    ...["--listen", "maplestory=0", "--listen", "maplestory=0", "--dialect", `maplestory=${dialect}`],
    ...["--ban-loopback", "--ban-address", "on", "--data", data],
  );
  const [a, b, c] = [await enter(first, 7), await enter(second, 8), await enter(second, 9)];
  // On the wire channels count from 0.
  expect([a, b, c].map(({ all }) => all("changeMap")[0]?.value.channel)).toEqual([0, 1, 1]);
  const seen = ({ all }: typeof a) => all("showPlayer").map(({ value }) => value.characterId);
  await expect.poll(() => seen(b)).toEqual([9]);
  expect(seen(a)).toEqual([]);

  const store = sqliteStore(data, { shared: true });
  const ban = { key: "address:127.0.0.1", name: "mallory", reason: "seen", durationMs: 60_000, evidence: [] } as const;
  new Bans(store).add("maplestory", ban);
  store.close();
  await expect.poll(() => [a, b, c].map(({ state }) => state.closed !== undefined)).toEqual([true, true, true]);
  // The port of the other channel is closed to this address too.
  const again = connectClient({
    protocol: mapleStory,
    dialect,
    transport: await connectTcp({ host: "127.0.0.1", port: first }),
    onMessage: () => {},
  });
  await expect.poll(() => again.closed).toBeDefined();
});
