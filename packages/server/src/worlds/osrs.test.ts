/** Player info through the server: strict clients over real sockets, compared with the server's own players tick by tick. */
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { connectClient } from "wirewalk/client";
import type { Recipient } from "wirewalk/host";
import { connectWebSocket, systemClock, type Transport } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import { OsrsWorld, osrs } from "wirewalk/osrs";
import {
  PlayerInfoClient,
  PlayerInfoDecoder,
  type PlayerInfoServerMessage,
  type PlayerInfoUpdate,
  revision206,
} from "wirewalk/osrs/player-info";
import type { PlayableProtocol, WorldOptions } from "wirewalk/protocol";
import { type JsonObject, parseHex } from "wirewalk/wire";
import { scaled } from "../../../wirewalk/src/testing/scale.ts";
import { type RunningServer, startServer } from "../index.ts";
import { until, WebClient } from "../testing/clients.ts";

const SLOTS = 2048;
const NOBODY = -1;

/** A player's tile in one number. */
const pack = (level: number, x: number, z: number): number => (level << 28) | (x << 14) | z;

/** The game's world. Records every player's position after each tick. */
class RecordedWorld extends OsrsWorld {
  readonly places: Int32Array[] = [];
  /** By player index: the tick of the player's first packet after its initialisation. */
  readonly beginnings = new Map<number, number>();
  readonly #indices = new Map<number, number>();

  override join(...[player, joining, nowMs]: Parameters<OsrsWorld["join"]>): void {
    super.join(player, joining, nowMs);
    const index = this.bodies.indexOf(player) ?? 0;
    this.beginnings.set(index, this.places.length);
    this.#indices.set(player, index);
    // Nobody reads what most of the crowd would be sent: without it the test takes a third of the time.
    if (joining.account === "crowd" && player % 10 !== 0) this.bodies.engine.unobserve(index);
  }

  override tick(nowMs: number): void {
    super.tick(nowMs);
    // Two players who log in again have each other's index, and begin anew.
    for (const [player, before] of this.#indices) {
      const index = this.bodies.indexOf(player);
      if (index === undefined) this.#indices.delete(player);
      if (index === undefined || index === before) continue;
      this.beginnings.set(index, this.places.length);
      this.#indices.set(player, index);
    }
    const places = new Int32Array(SLOTS).fill(NOBODY);
    for (let index = 1; index < SLOTS; index++) {
      if (!this.bodies.engine.has(index)) continue;
      const { level, x, z } = this.bodies.engine.tileOf(index);
      places[index] = pack(level, x, z);
    }
    this.places.push(places);
  }
}

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close({ graceMs: 0 });
});

/** A server whose world is at hand. */
async function start<W extends OsrsWorld>(
  create: (options: WorldOptions) => W,
  budgets: NonNullable<Parameters<typeof startServer>[0]["budgets"]> = {},
): Promise<{ readonly server: RunningServer; readonly world: W; readonly port: number; readonly origin: string }> {
  const worlds: W[] = [];
  const protocol: PlayableProtocol = {
    ...osrs,
    createWorld: (options: WorldOptions) => {
      const world = create(options);
      worlds.push(world);
      return world;
    },
  } as PlayableProtocol;
  const running = await startServer({ http: 0, demo: true, budgets, listeners: [{ protocol, port: 0, tickMs: 5 }] });
  server = running;
  const [world] = worlds;
  if (world === undefined) throw new Error("no world was made");
  const { host, port } = running.httpAddress ?? {};
  return { server: running, world, port: running.listeners[0]?.port ?? 0, origin: `ws://${host}:${port}/ws/osrs` };
}

/** A recipient that discards its bytes. */
const discarding: Recipient = { framing: { frame: (payload) => payload }, deliver: () => true };

/** Compares the positions and the players in view with the server's tick of the packet. */
function compare({ decoder, packets }: PlayerInfoClient, { beginnings, places }: RecordedWorld): void {
  const beginning = beginnings.get(decoder.localIndex) ?? Number.NaN;
  const there = places[beginning + packets - 1];
  if (there === undefined) throw new Error("a packet came before its tick");
  const { localIndex, local } = decoder;
  const mine = there[localIndex] as number;
  const [x, z] = [(mine >> 14) & 0x3fff, mine & 0x3fff];
  for (let index = 1; index < SLOTS; index++) {
    const place = there[index] as number;
    const distance = Math.max(Math.abs(((place >> 14) & 0x3fff) - x), Math.abs((place & 0x3fff) - z));
    const isNear = place !== NOBODY && place >> 28 === mine >> 28 && distance <= 15;
    const seen = local[index] === 1 ? pack(...tileOf(decoder, index)) : NOBODY;
    if (seen !== (isNear ? place : NOBODY)) {
      throw new Error(`Player ${index} is at ${place}, and to the client at ${seen}, in tick ${beginning + packets}`);
    }
  }
}

function tileOf({ level, x, z }: PlayerInfoDecoder, index: number): [number, number, number] {
  return [level[index] as number, x[index] as number, z[index] as number];
}

const TICKS = scaled(1000, 30);
/** A tick of 5 ms may take so many on a busy machine. */
const PATIENCE_MS = TICKS * 240;

test(`clients over TCP and WebSocket follow 500 moving players for ${TICKS} ticks of 5 ms without a desync`, async () => {
  const { server, world, port, origin } = await start((options) => {
    return new RecordedWorld({ ...options, revision: revision206 });
  });
  const host = server.worlds[0]?.host;
  const joinOne = (): number => host?.join(discarding, { account: "crowd", name: "crowd" }, systemClock.now()) ?? 0;
  const crowd = Array.from({ length: 497 }, joinOne);
  // Indices change hands all the time.
  const stopChanges = systemClock.every(40, () => {
    host?.leave(crowd.shift() ?? 0, systemClock.now());
    crowd.push(joinOne());
  });
  const follow = (transport: Transport) => {
    const client = new PlayerInfoClient({ dialect: "client", revision: revision206 });
    const counts = { failures: [] as unknown[], ticks: 0, inits: 0, moves: 0, mostLocals: 0, refused: 0 };
    const receive = (message: PlayerInfoServerMessage): void => {
      if (message.message === "playerInfoInit") counts.inits++;
      const update: PlayerInfoUpdate | undefined = client.receive(message);
      if (update === undefined || counts.ticks === TICKS) return;
      compare(client, world);
      counts.ticks++;
      counts.moves += update.moves.length;
      counts.mostLocals = Math.max(counts.mostLocals, client.decoder.locals.length);
    };
    connectClient<never, PlayerInfoServerMessage>({
      protocol: osrs as unknown as PlayableProtocol<never, PlayerInfoServerMessage>,
      dialect: "client",
      transport,
      onMessage(message) {
        try {
          receive(message);
        } catch (error) {
          counts.failures.push(error);
        }
      },
      onRefused: () => {
        counts.refused++;
      },
    });
    return counts;
  };
  const clients = [
    follow(await connectTcp({ host: "127.0.0.1", port })),
    follow(await connectWebSocket(new URL(`${origin}?account=a`))),
    follow(await connectWebSocket(new URL(`${origin}?account=b`))),
  ];
  try {
    await until(
      "all have read their ticks",
      () => {
        return clients.every(({ ticks, failures }) => ticks === TICKS || failures.length > 0);
      },
      PATIENCE_MS,
    );
  } finally {
    stopChanges();
  }
  for (const { failures, inits, moves, mostLocals, refused } of clients) {
    expect(failures[0]).toBeUndefined();
    expect(inits).toBeGreaterThan(0);
    expect(refused).toBe(0);
    expect(moves).toBeGreaterThan(TICKS * 10);
    expect(mostLocals).toBeGreaterThan(30);
  }
  expect(host?.counts.dropped).toBe(0);
}, 250_000);

describe("a client that reads too slowly", () => {
  const CROWD = 200;

  /** A world with a crowd around its one player, in which everybody shouts: 40,000 bytes a tick. */
  class LoudWorld extends OsrsWorld {
    ticks = 0;
    loud = true;

    override tick(nowMs: number): void {
      const { engine } = this.bodies;
      const [self] = this.bodies.tracks(nowMs);
      this.ticks++;
      for (let index = 1000; self !== undefined && index < 1000 + CROWD; index++) {
        const tile = { level: 0, x: self.position.x, z: self.position.y };
        if (engine.has(index)) engine.teleport(index, tile);
        else engine.add(index, tile);
        const text = new Uint8Array(255).fill(this.ticks);
        if (this.loud) engine.setBlock(index, "publicChat", { colourEffect: 0, icon: 0, auto: 0, text });
      }
      super.tick(nowMs);
    }
  }

  test("loses packets, not its place: it begins anew when it has caught up, and nothing piles up meanwhile", async () => {
    const budgets = { queuedBytesSoft: 128 * 1024, queuedBytesHard: 512 * 1024, slowReaderMs: 60_000 };
    const { server, world, port } = await start((options) => {
      return new LoudWorld({ ...options, revision: revision206 });
    }, budgets);
    const host = server.worlds[0]?.host;
    const socket: Socket = connect({ port, host: "127.0.0.1" });
    const channel = osrs.openChannel({ side: "client", dialect: "client", carrier: "stream" });
    const client = new PlayerInfoClient({ dialect: "client", revision: revision206 });
    const inits: number[] = [];
    let packets = 0;
    let longest = 0;
    socket.on("data", (bytes) => {
      channel.push(bytes);
      for (let next = channel.next(); next !== undefined; next = channel.next()) {
        if (next.message === undefined) throw next.error;
        if (next.message.message === "playerInfoInit") inits.push(packets);
        if (client.receive(next.message) === undefined) continue;
        packets++;
        longest = Math.max(longest, next.payload.length - 1);
      }
    });
    try {
      await until("packets come", () => packets > 20);
      expect(longest).toBeGreaterThan(39_000);
      expect(longest).toBeLessThanOrEqual(40_000);
      socket.pause();
      await until("packets are dropped", () => (host?.counts.dropped ?? 0) > 50);
      world.loud = false;
      socket.resume();
      await until("it begins anew", () => inits.length === 2);
      const again = packets;
      await until("it goes on", () => packets > again + 50);
      // On a slow machine it may begin anew once more.
      await until("its neighbours are there", () => client.decoder.locals.length > CROWD / 2);
    } finally {
      socket.destroy();
    }
    expect(inits[0]).toBe(0);
    expect(server.stats().disconnects).toEqual({});
    // It read fewer packets than there were ticks: the others were never kept for it.
    expect(packets).toBeLessThan(world.ticks - 40);
  });
});

test("a page that follows a player reads what that player's client reads", async () => {
  const { server } = await start((options) => new OsrsWorld({ ...options, revision: revision206 }));
  const host = server.worlds[0]?.host;
  for (let count = 0; count < 60; count++)
    host?.join(discarding, { account: "crowd", name: "crowd" }, systemClock.now());
  const watched = await WebClient.to(server.httpAddress, "/ws/osrs?account=ann");
  const player = Math.max(...(host?.players.keys() ?? []));
  const client = new PlayerInfoClient({ dialect: "client", revision: revision206 });
  const codec = osrs.codec("client");
  await until("its client reads", () => watched.messages.length > 30);

  const page = await WebClient.to(server.httpAddress, "/ws/studio");
  page.socket.send(JSON.stringify({ type: "watch", world: "osrs", room: "world", player }));
  const observed = (): readonly Record<string, unknown>[] => page.events.filter(({ type }) => type === "observation");
  await until("the page was shown packets", () => observed().length > 100);
  await until("its client has read as far", () => watched.messages.length > observed().length + 10);

  const [first, ...packets] = observed();
  expect(first).toMatchObject({ world: "osrs", room: "world", player, what: "player-info-start" });
  const { index, dialect, state } = (first?.data ?? {}) as JsonObject;
  const shown = PlayerInfoDecoder.fromState(state as JsonObject);
  expect([shown.localIndex, shown.dialect.name]).toEqual([index, dialect]);
  // Until the client reads the packet that was the page's first.
  const hexOf = (message: PlayerInfoServerMessage): string | undefined =>
    message.message === "playerInfo" ? Buffer.from(message.value.bytes).toString("hex") : undefined;
  const messages = watched.messages.map((payload) => codec.read("server", payload));
  const joined = messages.findIndex((_, at) =>
    packets.slice(0, 20).every(({ data }, ahead) => {
      const message = messages[at + ahead];
      return message !== undefined && hexOf(message) === (data as JsonObject).hex;
    }),
  );
  expect(joined).toBeGreaterThan(2);
  for (const message of messages.slice(0, joined)) client.receive(message);
  expect(shown.locals).toEqual(client.decoder.locals);
  for (const [at, { what, data }] of packets.slice(0, 90).entries()) {
    expect(what).toBe("player-info");
    client.receive(messages[joined + at] as PlayerInfoServerMessage);
    shown.decode(parseHex(String((data as JsonObject).hex)));
    expect(Array.from(shown.locals, (each) => tileOf(shown, each))).toEqual(
      Array.from(client.decoder.locals, (each) => tileOf(client.decoder, each)),
    );
  }
});

test("a session with a body appears in both rooms after its first mouse message; room mouse is sent nothing", async () => {
  const { server } = await start((options) => new OsrsWorld({ ...options, revision: revision206 }));
  const body = await WebClient.to(server.httpAddress, "/ws/osrs?account=ann");
  const mouse = await WebClient.to(server.httpAddress, "/ws/osrs?account=bob&room=mouse");
  const page = await WebClient.to(server.httpAddress, "/ws/studio");
  page.socket.send(JSON.stringify({ type: "watch", world: "osrs", room: "mouse" }));
  expect(await page.receivesEvent("players")).toMatchObject({ players: [{ player: 2, name: "bob", room: "mouse" }] });
  for (const { socket } of [body, mouse]) socket.send(parseHex("22 0000 ffff012c0190"));
  expect(await page.receivesEvent("join")).toMatchObject({ player: { player: 1, name: "ann", room: "mouse" } });
  const rooms = [
    { room: "world", players: 1 },
    { room: "mouse", players: 2 },
  ];
  await page.receivesEvent("rooms", ({ rooms: listed }) => JSON.stringify(listed) === JSON.stringify(rooms));
  await page.receivesEvent("tracks", ({ tracks }) => (tracks as unknown[]).length === 2);
  for (const player of [1, 2]) await page.receivesEvent("observation", (event) => event.player === player);
  expect(body.messages.length).toBeGreaterThan(2);
  expect(mouse.messages).toEqual([]);
  body.socket.close();
  expect(await page.receivesEvent("leave")).toMatchObject({ player: 1, room: "mouse" });
});
