/** The strangers talk with each other, without a relay between. */
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../testing/clients.ts";
import { MapleCipher } from "./testing/maple-cipher.ts";
import { MapleClient } from "./testing/maple-client.ts";
import { endOf } from "./testing/maple-path.ts";
import { startMapleServers } from "./testing/maple-server.ts";
import type { MapleVersion } from "./testing/maple-versions.ts";
import { OsrsClient } from "./testing/osrs-client.ts";
import { Isaac } from "./testing/osrs-isaac.ts";
import { MouseReader, MouseWriter } from "./testing/osrs-mouse.ts";
import { type OsrsServerOptions, startOsrsServer } from "./testing/osrs-server.ts";
import { CLIENT, SERVER } from "./testing/osrs-table.ts";

const SEEDS = [1, 2, -1, 4] as const;
const OTHER_SEEDS = [0x1234567, -99, 3, 0] as const;
const TICKS = 100;

async function openOsrs(options: Partial<OsrsServerOptions> = {}) {
  const server = await startOsrsServer({ seed: 5, tickMs: 0, ...options });
  onTestFinished(() => server.close());
  const client = await OsrsClient.login({ port: server.port, publicKey: server.publicKey, seeds: SEEDS, seed: 6 });
  onTestFinished(() => client.close());
  const session = server.sessions[0];
  if (session === undefined) throw new Error("The server has no session");
  const tick = async (): Promise<void> => {
    server.tick();
    client.play(600);
    await until("the tick arrives", () => client.ticks.length === session.ticks.length || client.problem !== undefined);
    expect(client.problem).toBeUndefined();
  };
  return { server, client, session, tick };
}

test("ISAAC gives the numbers that its author published", () => {
  const cipher = new Isaac([]);
  const drawn = Array.from({ length: 512 }, () => cipher.next() >>> 0);
  // randvect.txt prints the second 256 numbers from the first to the last.
  expect(drawn.slice(-4).toReversed()).toEqual([0xf650e4c8, 0xe448e96d, 0x98db2fb4, 0xf5fad54f]);
});

test("a client of Old School RuneScape sees what its server has, tick by tick", async () => {
  const { server, client, session, tick } = await openOsrs({ difficulty: 8 });
  expect(client.index).toBe(session.index);
  expect([client.difficulty, client.authenticator]).toEqual([8, undefined]);
  for (let count = 0; count < TICKS; count++) await tick();
  expect(client.ticks).toEqual(session.ticks);
  expect(client.received.map(({ opcode, body }) => [opcode, body.toString("hex")])).toEqual(
    session.sent.map(({ opcode, body }) => [opcode, body.toString("hex")]),
  );
  const opcodes = new Set(client.received.map(({ opcode }) => opcode));
  expect(Object.values(SERVER).filter((opcode) => !opcodes.has(opcode))).toEqual([]);

  // Others come into view and leave it, and the player goes where it clicks.
  const indices = new Set(client.ticks.flatMap((players) => players.map(({ index }) => index)));
  expect(indices.size).toBeGreaterThan(30);
  const own = client.ticks.map((players) => players.find(({ index }) => index === client.index));
  expect(new Set(own.map((player) => `${player?.x} ${player?.z}`)).size).toBeGreaterThan(20);

  await until("everything was received", () => session.received.length === client.sent.length);
  expect(session.received.map(({ body }) => body.toString("hex"))).toEqual(
    client.sent.map(({ body }) => body.toString("hex")),
  );
  const sent = new Set(session.received.map(({ opcode }) => opcode));
  expect(Object.values(CLIENT).filter((opcode) => !sent.has(opcode))).toEqual([]);
  const reader = new MouseReader();
  const mouse = session.received
    .filter(({ opcode }) => opcode === CLIENT.EVENT_MOUSE_MOVE)
    .flatMap(({ body }) => reader.read(body));
  expect(mouse).toEqual(client.mouse);
  expect(mouse.length).toBeGreaterThan(500);
  expect(server.problems).toEqual([]);
});

// Bytes of a client's writer, from its samples: mouse positions and the times they were taken at.
test.each([
  [
    [
      [400, 300, 1000],
      [405, 298, 1050],
      [500, 200, 1100],
      [900, 200, 1150],
      [900, 201, 3000],
    ],
    "0800ffff012c0190295e82df1ec200c80384e05c00c90384",
  ],
  [
    [
      [100, 100, 1000],
      [68, 131, 1159],
      [99, 99, 1320],
    ],
    "0602ffff00640064703f889f60",
  ],
] as const)("the mouse writes its records as a client does", (samples, hex) => {
  const written = new MouseWriter().write(samples.map(([x, y, atMs]) => ({ x, y, atMs })));
  expect(written?.body.toString("hex")).toBe(hex);
});

test("the code of an authenticator takes four numbers of the server's cipher", async () => {
  const { client, session, tick } = await openOsrs({ authenticator: 0x89abcdef });
  expect(client.authenticator).toBe(0x89abcdef);
  for (let count = 0; count < 5; count++) await tick();
  expect(client.ticks).toEqual(session.ticks);
});

test("a client that lost its connection goes on with new ciphers", async () => {
  const { server, client, session, tick } = await openOsrs();
  for (let count = 0; count < 20; count++) await tick();
  await client.reconnect(OTHER_SEEDS);
  for (let count = 0; count < 20; count++) await tick();
  expect(client.ticks).toEqual(session.ticks);
  expect([session.reconnects, session.seeds, server.sessions.length]).toEqual([[20], OTHER_SEEDS, 1]);
  expect(server.problems).toEqual([]);
});

test("two clients see each other", async () => {
  const { server, client, session, tick } = await openOsrs();
  const other = await OsrsClient.login({
    port: server.port,
    publicKey: server.publicKey,
    seeds: OTHER_SEEDS,
    user: "another",
    seed: 7,
  });
  onTestFinished(() => other.close());
  for (let count = 0; count < 10; count++) await tick();
  await until("the other has them too", () => other.ticks.length === 10);
  expect(client.ticks).toEqual(session.ticks);
  expect(other.ticks).toEqual(server.sessions[1]?.ticks);
  expect(client.ticks.at(-1)?.map(({ index }) => index)).toContain(other.index);
  expect(other.ticks.at(-1)?.map(({ index }) => index)).toContain(client.index);
});

test("ticks come by themselves", async () => {
  const { client, session } = await openOsrs({ tickMs: 15 });
  await until("ten ticks came", () => client.ticks.length >= 10);
  expect(client.ticks.slice(0, 10)).toEqual(session.ticks.slice(0, 10));
});

test("a login for another RSA key is refused", async () => {
  const server = await startOsrsServer({ seed: 5, tickMs: 0 });
  onTestFinished(() => server.close());
  const other = await startOsrsServer({ seed: 5, tickMs: 0 });
  onTestFinished(() => other.close());
  const login = OsrsClient.login({ port: server.port, publicKey: other.publicKey, seeds: SEEDS, seed: 6 });
  await expect(login).rejects.toThrow("closed");
  expect(server.problems.map(({ message }) => message)).toEqual([expect.stringMatching(/RSA|modulus|data/i)]);
});

test("packets that were captured from MapleStory v62 are sealed to the same bytes", () => {
  const cipher = (iv: string, mark: number): MapleCipher => new MapleCipher(Buffer.from(iv, "hex"), mark);
  expect(
    cipher("27568982", 0xffff - 62)
      .seal(Buffer.from("1100", "hex"))
      .toString("hex"),
  ).toBe("487d4a7d015c");
  const pong = cipher("56cfecdd", 62).seal(Buffer.from("1800", "hex"));
  expect(pong.subarray(4).toString("hex")).toBe("0528");
});

test.each([0, 1, 1455, 1456, 1457, 2916, 2917, 5000])(
  "what MapleStory's cipher sealed, of %i bytes, opens again",
  (length) => {
    const [sender, receiver] = [
      new MapleCipher(Buffer.from([70, 114, 122, 1]), 83),
      new MapleCipher(Buffer.from([70, 114, 122, 1]), 83),
    ];
    for (let count = 0; count < 3; count++) {
      const message = Buffer.from(Array.from({ length }, (_, at) => (at * 7 + count) & 255));
      const sealed = sender.seal(message);
      expect(receiver.lengthOf(sealed.subarray(0, 4))).toBe(length);
      expect(receiver.open(sealed.subarray(4))).toEqual(message);
    }
  },
);

test.each([62, 83, 95] satisfies MapleVersion[])(
  "v%i: a client logs in, plays, changes the channel, and plays on",
  async (version) => {
    const servers = await startMapleServers({ version, seed: 3, fieldKeys: [9, 0, 9] });
    onTestFinished(() => servers.close());
    const client = await MapleClient.login({ version, port: servers.login.port, seed: 4 });
    onTestFinished(() => client.close());
    expect([client.channel, client.fieldKey, client.entered]).toEqual([1, 9, 1]);
    await client.play(90_000);
    servers.changeMap();
    await until("it is in the next map", () => client.entered === 2);
    expect(client.fieldKey).toBe(0);
    await client.play(20_000);
    await client.changeChannel(2);
    expect([client.channel, client.fieldKey, client.entered]).toEqual([2, 9, 3]);
    await client.play(90_000);

    const [login, ...channels] = servers.sessions;
    expect(login?.server).toBe(0);
    await until("all paths arrived", () => channels.flatMap(({ paths }) => paths).length === client.paths.length);
    const paths = channels.map((session) => session.paths);
    expect(paths.flat().map(({ fieldKey, nodes }) => ({ fieldKey, nodes }))).toEqual(
      client.paths.map(({ fieldKey, nodes }) => ({ fieldKey, nodes })),
    );
    expect(client.addresses).toEqual([servers.login, ...servers.channels]);
    expect(paths.map(({ length }) => length > 100)).toEqual([true, true]);

    // Paths join, hold whole steps, and stay within what the game allows.
    for (const [at, path] of paths.flat().entries()) {
      const before = paths.flat()[at - 1];
      if (before !== undefined && before.fieldKey === path.fieldKey) expect(path.start).toEqual(endOf(before));
      expect(path.nodes.reduce((sum, { ms }) => sum + ms, 0)).toBe(510);
      for (const node of path.nodes)
        expect([Math.abs(node.vx) <= 125, node.vy <= 670, node.vy >= -555]).toEqual([true, true, true]);
    }
    const nodes = paths.flat().flatMap((path) => path.nodes);
    expect(nodes.some(({ kind }) => kind === "impulse")).toBe(true);
    expect(new Set(nodes.flatMap((node) => (node.kind === "absolute" ? [node.foothold] : [])))).toEqual(
      new Set([0, 1, 2]),
    );
    expect(client.received.length).toBe(servers.sessions.flatMap(({ sent }) => sent).length);
    expect([client.problem, servers.problems]).toEqual([undefined, []]);
  },
);
