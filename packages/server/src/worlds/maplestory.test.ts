/** MapleStory through a whole server: the carrier byte for byte, the recipients of each message, monsters, and hostile peers. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import {
  defaultMapleHello,
  Fragment,
  type MapleClientMessage,
  type MapleServerMessage,
  MapleWorld,
  mapleCodec,
  mapleHello,
  mapleStory,
  openMapleChannel,
  PacketCipher,
  type Point,
  pathBytesOf,
  type V62MovePlayer,
} from "wirewalk/maplestory";
import { demoMap } from "wirewalk/maplestory/maps";
import { VirtualClock } from "wirewalk/net";
import { ByteReader, formatHex, parseHex, readLayout } from "wirewalk/wire";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { aMoment, PlainClient, until, WebClient } from "../testing/clients.ts";

const carrier = JSON.parse(
  readFileSync(new URL("../../../../vectors/maplestory-v62-carrier.json", import.meta.url), "utf8"),
) as { readonly hello: { readonly bytes: string } };
const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });
const v62 = mapleCodec("v62");

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

async function start(dialect: string, options: Partial<ServerOptions> = {}): Promise<number> {
  server = await startServer({
    http: 0,
    demo: true,
    listeners: [{ protocol: mapleStory, dialect, port: 0 }],
    ...options,
  });
  return server.listeners[0]?.port ?? 0;
}

function worldOf(): MapleWorld {
  const world = server.worlds[0]?.host.world;
  if (!(world instanceof MapleWorld)) throw new Error("The server has no world of MapleStory");
  return world;
}

const players = (): number => server.worlds[0]?.host.players.size ?? 0;

type Named<M extends MapleServerMessage["message"]> = Extract<MapleServerMessage, { readonly message: M }>;

/** A client of v62 over TCP: it enciphers what it sends and keeps every payload that it receives. */
class Player {
  readonly socket: PlainClient;
  readonly characterId: number;
  readonly payloads: Uint8Array[] = [];
  readonly received: MapleServerMessage[] = [];
  readonly #channel = openMapleChannel({ side: "client", dialect: "v62", carrier: "stream" });
  #taken = 0;

  private constructor(socket: PlainClient, characterId: number) {
    this.socket = socket;
    this.characterId = characterId;
  }

  /** Connects, enters its map and waits for the messages about it. */
  static async to(port: number, characterId: number): Promise<Player> {
    const player = new Player(await PlainClient.to(port), characterId);
    await until("the server's hello has arrived", () => player.socket.received.length >= 15);
    player.listen();
    player.say({ message: "playerLoggedIn", value: { characterId, reserved: 0 } });
    await player.receives("changeMap");
    await aMoment(20);
    return player;
  }

  /** Takes what has come. */
  listen(): readonly MapleServerMessage[] {
    this.#channel.push(this.socket.received.subarray(this.#taken));
    this.#taken = this.socket.received.length;
    for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
      this.payloads.push(next.payload);
      if (next.message !== undefined) this.received.push(next.message);
    }
    return this.received;
  }

  /** All messages of a kind so far. */
  all<M extends MapleServerMessage["message"]>(message: M): readonly Named<M>[] {
    return this.listen().filter((each): each is Named<M> => each.message === message);
  }

  async receives<M extends MapleServerMessage["message"]>(message: M, count = 1): Promise<Named<M>> {
    await until(`${this.characterId} received ${count} x ${message}`, () => this.all(message).length >= count);
    return this.all(message).at(-1) as Named<M>;
  }

  /** Payloads with that opcode so far, in hex. */
  payloadsOf(opcode: number): readonly string[] {
    this.listen();
    return this.payloads.filter(([low, high]) => low === opcode && high === 0).map(hexOf);
  }

  frame(message: MapleClientMessage): Uint8Array {
    return this.#channel.write(message);
  }

  say(message: MapleClientMessage): void {
    this.socket.send(this.frame(message));
  }

  /** Where the last CHANGE_MAP put it. */
  get place(): Point {
    const target = this.all("changeMap").at(-1)?.value.target;
    const portal = target?.content === "map" ? demoMap(target.mapId)?.portals[target.spawnPoint] : undefined;
    return { x: portal?.x ?? 0, y: portal?.y ?? 0 };
  }

  get fieldKey(): number {
    return this.all("changeMap").at(-1)?.value.fieldKey ?? 0;
  }

  /** A step of 120 ms to the right, from where it came in: time that has not passed yet is put back from 400 ms on. */
  step(change: Partial<V62MovePlayer> = {}): { readonly message: "movePlayer"; readonly value: V62MovePlayer } {
    const { place } = this;
    const x = place.x + 12;
    const node = { type: 0, x, y: place.y, vx: 100, foothold: 1, state: 2, durationMs: 120 };
    const path = { start: place, fragments: [Fragment.of("absolute", node)], keypad: Array<number>(4).fill(4) };
    const box = { left: place.x, top: place.y, right: x, bottom: place.y };
    return { message: "movePlayer", value: { fieldKey: this.fieldKey, ...path, box, ...change } };
  }
}

/** S 0x8D of a client's move: the character's id, and the path as it came. */
function relayOf(message: ReturnType<Player["step"]>, characterId: number): string {
  const id = hexOf(new Uint8Array(new Uint32Array([characterId]).buffer));
  return `8d00${id}${hexOf(pathBytesOf(message, v62.write("client", message), "v62"))}`;
}

describe("the carrier of v62", () => {
  test("says hello in clear, then a header that the IV asks for and a ciphered body; the IV rolls", async () => {
    const port = await start("v62");
    const client = await PlainClient.to(port);
    await until("the hello came", () => client.received.length >= 15);
    await aMoment(20);
    expect(client.hex).toBe(carrier.hello.bytes);
    const { sendIv, recvIv } = readLayout(mapleHello, new ByteReader(client.received.subarray(2)));
    const cipher = new PacketCipher("client", recvIv, 62);
    client.send(cipher.seal(parseHex("14 00 2A 00 00 00 00 00")));
    await until("the map came", () => client.received.length > 60);

    // By docs/protocols/maplestory.md 2.3, without the channel: mark, length, body; then the next with the IV rolled.
    const opcodes: number[] = [];
    const fromServer = new PacketCipher("server", sendIv, 62);
    await until("whole frames came", () => players() === 1);
    for (let at = 15; at < client.received.length; ) {
      const { iv } = fromServer;
      const mark = client.received.readUInt16LE(at);
      expect(mark).toBe((((iv[3] as number) << 8) | (iv[2] as number)) ^ (0xffff - 62));
      const length = mark ^ client.received.readUInt16LE(at + 2);
      const body = Uint8Array.from(client.received.subarray(at + 4, at + 4 + length));
      fromServer.open(body);
      opcodes.push(body[0] as number);
      at += 4 + length;
    }
    // CHANGE_MAP, then twelve monsters shown, then twelve given to drive.
    expect(opcodes).toEqual([0x5c, ...Array(12).fill(0xaf), ...Array(12).fill(0xb1)]);
  });

  test("frames may be split anywhere and glued together", async () => {
    // Three paths at once, one of them beside the last: rules about time and place, which are not what is tested here.
    const port = await start("v62", { enforcement: "log" });
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const moves = [a.step(), a.step({ start: { x: a.place.x + 40, y: a.place.y } })];
    const [first = new Uint8Array(), second = new Uint8Array()] = moves.map((move) => a.frame(move));
    for (const byte of first) {
      a.socket.send(Uint8Array.of(byte));
      await aMoment(1);
    }
    a.socket.send(Buffer.concat([second, a.frame({ message: "pong", value: {} }), a.frame(a.step())]));
    await until("b received three moves", () => b.payloadsOf(0x8d).length === 3);
    expect(b.payloadsOf(0x8d)).toEqual([...moves, a.step()].map((move) => relayOf(move, 7)));
  });

  test("a header that claims too much ends that session at once", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const { recvIv } = defaultMapleHello("v62");
    const client = await PlainClient.to(port);
    client.send(new PacketCipher("client", recvIv, 62).seal(new Uint8Array(8193)).subarray(0, 4));
    await client.closes();
    expect(server.stats().disconnects).toEqual({ "broken-stream": 1 });
    expect(a.socket.isClosed).toBe(false);
  });
});

describe("v62 over TCP", () => {
  test("a new player receives the map with the fieldKey; the others receive its entry and exit", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    expect(a.received[0]).toMatchObject({
      message: "changeMap",
      value: { channel: 0, fieldKey: 1, target: { content: "map", mapId: 1 } },
    });
    const b = await Player.to(port, 8);
    expect(await a.receives("showPlayer")).toMatchObject({ value: { characterId: 8, ...b.place } });
    expect(await b.receives("showPlayer")).toMatchObject({ value: { characterId: 7, ...a.place } });
    b.socket.drop();
    expect(await a.receives("removePlayer")).toEqual({ message: "removePlayer", value: { characterId: 8 } });
  });

  test("movement goes byte for byte to the other players on the map and channel alone", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const elsewhere = ["2", "1-2"].map(async (room) => {
      const client = await WebClient.to(server.httpAddress, `/ws/maplestory?account=at-${room}&room=${room}`);
      client.socket.send(parseHex(`14 00 ${room === "2" ? "09" : "0A"} 00 00 00 00 00`));
      await until("it is in", () => client.messages.length > 0);
      return client;
    });
    const others = await Promise.all(elsewhere);
    await aMoment(20);
    const counts = others.map(({ messages }) => messages.length);
    a.say(a.step());
    await b.receives("movePlayer");
    await aMoment();
    expect(b.payloadsOf(0x8d)).toEqual([relayOf(a.step(), 7)]);
    expect(a.payloadsOf(0x8d)).toEqual([]);
    expect(others.map(({ messages }) => messages.length)).toEqual(counts);
  });

  test("an empty path is never relayed, of whatever it is", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const { value } = a.step({ fragments: [], box: { left: 0, top: 0, right: 0, bottom: 0 } });
    const { fieldKey: _, ...path } = value;
    const [monster] = worldOf().monsters("1").keys();
    const target = new Uint8Array(4);
    const life = { mobId: monster ?? 0, moveId: 3, flags: 0, actionAndDirection: -1, target, moveFlags: 0, unknown: 0 };
    a.say({ message: "movePlayer", value });
    a.say({ message: "movePet", value: { petId: 7n, ...path } });
    a.say({ message: "moveSummon", value: { summonId: 7, ...path } });
    a.say({ message: "moveLife", value: { ...life, ...path } });
    // The next whole path comes through, and nothing came before it.
    a.say(a.step());
    await b.receives("movePlayer");
    expect(await a.receives("moveMonsterResponse")).toMatchObject({ value: { moveId: 3 } });
    expect(b.listen().filter(({ message }) => message.startsWith("move"))).toHaveLength(1);
  });

  test("pets and summons go to the others too", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    worldOf().addSummon(1, 500, 0);
    const { fieldKey: _, ...path } = a.step().value;
    a.say({ message: "movePet", value: { petId: 7n, ...path } });
    a.say({ message: "moveSummon", value: { summonId: 500, ...path } });
    expect(await b.receives("movePet")).toMatchObject({ value: { characterId: 7, slot: 0, start: path.start } });
    expect(await b.receives("moveSummon")).toMatchObject({
      value: { characterId: 7, summonId: 500, start: path.start },
    });
  });

  test("a door leads to another map, with another fieldKey; the old one is not believed there", async () => {
    // The whole way to the door comes in one path: a rule about time, which is not what is tested here.
    const port = await start("v62", { enforcement: "log" });
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const east = demoMap(1)?.portals.find(({ name }) => name === "east") ?? { x: 0, y: 0 };
    const node = { type: 0, x: east.x, y: east.y, vx: 0, foothold: 4, state: 4, durationMs: 7650 };
    const keypad = [...Array<number>(254).fill(0), 2];
    const box = { left: Math.min(b.place.x, east.x), top: 300, right: east.x, bottom: 300 };
    b.say(b.step({ fragments: [Fragment.of("absolute", node)], keypad, box }));
    expect(await b.receives("changeMap", 2)).toMatchObject({ value: { fieldKey: 2, target: { mapId: 2 } } });
    expect(await a.receives("removePlayer")).toMatchObject({ value: { characterId: 8 } });
    const stats = server.stats().messagesIn;
    b.say(b.step({ fieldKey: 1 }));
    await until("the late path came", () => server.stats().messagesIn > stats);
    expect(worldOf().tracks(0, "2")).toMatchObject([{ position: b.place }]);
  });

  test("pings are answered or the session ends", async () => {
    const clock = new VirtualClock();
    const port = await start("v62", { clock });
    // Nothing leaves before the clock is let on.
    const ticking = setInterval(() => clock.advanceBy(5), 1);
    const alive = await Player.to(port, 7);
    const silent = await Player.to(port, 8);
    clearInterval(ticking);
    for (let second = 0, answered = 0; second < 90 && !silent.socket.isClosed; second++) {
      clock.advanceBy(1000);
      await aMoment(4);
      for (const asked = alive.all("ping").length; answered < asked; answered++) {
        alive.say({ message: "pong", value: {} });
      }
    }
    await silent.socket.closes();
    expect(silent.all("ping").length).toBeGreaterThanOrEqual(2);
    expect(alive.socket.isClosed).toBe(false);
    expect(alive.payloadsOf(0x11)[0]).toBe("1100");
    const closed = server.close({ graceMs: 0 });
    clock.advanceBy(10);
    await closed;
  });
});

type MoveLife = Extract<MapleClientMessage, { readonly message: "moveLife" }>;

describe("monsters of v62", () => {
  const monsters = (): ReturnType<MapleWorld["monsters"]> => worldOf().monsters("1");
  const drives = (player: Player): readonly number[] => {
    const driven = new Set<number>();
    for (const { value } of player.all("controlMonster")) {
      if (value.mode === "stop") driven.delete(value.mobId);
      else driven.add(value.mobId);
    }
    return [...driven];
  };

  function life(player: Player, mobId: number, moveId: number): MoveLife {
    const { x = 0, y = 0 } = monsters().get(mobId) ?? {};
    const node = { type: 0, x: x + 40, y, vx: 60, foothold: 1, state: 2, durationMs: 1080 };
    const start = { x, y };
    const path = { start, fragments: [Fragment.of("absolute", node)], keypad: [] };
    const fixed = { flags: 0, actionAndDirection: -1, target: new Uint8Array(4), moveFlags: 0, unknown: 1 };
    const box = { left: x, top: y, right: x + 40, bottom: y };
    expect(player.fieldKey).toBe(1);
    return { message: "moveLife", value: { mobId, moveId, ...fixed, ...path, box } };
  }

  test("are handed over when the driver's socket breaks; only the driver moves one; each sender is answered", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const c = await Player.to(port, 9);
    expect([drives(a).length, drives(b).length, drives(c).length]).toEqual([12, 0, 0]);
    expect(b.all("showMonster").map(({ value }) => value.mobId)).toEqual([...monsters().keys()]);

    const mobId = drives(a)[0] ?? 0;
    b.say(life(b, mobId, 11));
    expect(await b.receives("moveMonsterResponse")).toMatchObject({ value: { mobId, moveId: 11 } });
    const moved = life(a, mobId, 12);
    a.say(moved);
    expect(await a.receives("moveMonsterResponse")).toMatchObject({ value: { mobId, moveId: 12 } });
    await b.receives("moveMonster");
    // Opcode, id, flags, action and target, then the path as it came: the stranger's is not among them.
    const payload = v62.write("client", moved);
    const relay = `b200${hexOf(payload.subarray(2, 6))}00ff00000000${hexOf(pathBytesOf(moved, payload, "v62"))}`;
    await until("c received it too", () => c.payloadsOf(0xb2).length > 0);
    expect([b.payloadsOf(0xb2), c.payloadsOf(0xb2), a.payloadsOf(0xb2)]).toEqual([[relay], [relay], []]);

    a.socket.drop();
    await until("all are driven again", () => drives(b).length + drives(c).length === 12);
    expect([drives(b).length, drives(c).length]).toEqual([6, 6]);
    b.say(life(b, drives(b)[0] ?? 0, 1));
    await c.receives("moveMonster", 2);
  });

  test("one that dies is removed, one that appears is shown and driven", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const [mobId = 0] = monsters().keys();
    worldOf().killMonster("1", mobId, 0);
    const born = worldOf().spawnMonster("1", 100_100, { x: 0, y: 200 }, 0);
    // The effects of game code go out with the next message that the world receives.
    b.say({ message: "pong", value: {} });
    expect(await a.receives("removeMonster")).toMatchObject({ value: { mobId } });
    expect((await b.receives("showMonster", 13)).value.mobId).toBe(born);
    expect(drives(b)).toEqual([born]);
  });
});

describe("through a WebSocket", () => {
  test("one message is one payload: no mapleHello, no header, no cipher", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const web = await WebClient.to(server.httpAddress, "/ws/maplestory?account=bea&room=1");
    web.socket.send(parseHex("14 00 08 00 00 00 00 00"));
    await until("it has received the map", () => web.messages.length >= 14);
    expect(web.messages[0]?.subarray(0, 7).toString("hex")).toBe("5c000000000001");
    a.say(a.step());
    await until("it has received the move", () => web.messages.some(([opcode]) => opcode === 0x8d));
    expect(web.messages.filter(([opcode]) => opcode === 0x8d).map(hexOf)).toEqual([relayOf(a.step(), 7)]);
    web.socket.close();
    await a.receives("removePlayer");
  });
});

/** Opcode, five bytes, one absolute fragment of 500 ms, 18 bytes: 39 in all, and their length before them. */
const FRAGMENTS = "0100 0000 F000 7D00 0000 0000 02 F401".replaceAll(" ", "").toLowerCase();
const DOCUMENTED_FRAME = `2700 26 0102030405 ${FRAGMENTS} ${"EE".repeat(18)}`.replaceAll(" ", "");
/** What the others get of player 1: its id, four of the five bytes, the fragments. */
const DOCUMENTED_RELAY = `8d 01000000 02030405 ${FRAGMENTS}`.replaceAll(" ", "");

/** What a client was sent beside the monsters of its map: our own message 0xFF. */
function withoutMonsters(hex: string): string {
  let rest = "";
  for (let at = 0; at < hex.length; ) {
    const [low = 0, high = 0] = parseHex(hex.slice(at, at + 4));
    const end = at + 4 + 2 * (low | (high << 8));
    if (hex.slice(at + 4, at + 6) !== "ff") rest += hex.slice(at, end);
    at = end;
  }
  return rest;
}

describe("documented", () => {
  test("a length before each payload, one byte of opcode; the others get the path with four of the five bytes", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await until("a is in", () => players() === 1);
    const b = await PlainClient.to(port);
    const web = await WebClient.to(server.httpAddress, "/ws/maplestory?account=bea");
    await until("all are in", () => players() === 3);
    a.sendHex(DOCUMENTED_FRAME.slice(0, 20));
    await aMoment(10);
    a.sendHex(DOCUMENTED_FRAME.slice(20));
    await until("b received it", () => b.hex.endsWith(DOCUMENTED_RELAY));
    const moves = (): readonly string[] => web.messages.filter(([opcode]) => opcode !== 0xff).map(hexOf);
    await until("the browser received it", () => moves().length === 1);
    await aMoment();
    expect(withoutMonsters(b.hex)).toBe(`1800${DOCUMENTED_RELAY}`);
    expect(moves()).toEqual([DOCUMENTED_RELAY]);
    expect(withoutMonsters(a.hex)).toBe("");
  });

  test("an empty path is not relayed", async () => {
    const port = await start("documented");
    const a = await PlainClient.to(port);
    await until("a is in", () => players() === 1);
    const b = await PlainClient.to(port);
    await until("both are in", () => players() === 2);
    a.sendHex(`1900 26 0102030405 00 ${"EE".repeat(18)}`);
    a.sendHex(DOCUMENTED_FRAME);
    await until("b received something", () => withoutMonsters(b.hex) !== "");
    await aMoment();
    expect(withoutMonsters(b.hex)).toBe(`1800${DOCUMENTED_RELAY}`);
  });
});

describe("hostile peers", () => {
  test.each(["v62", "documented"])("of %s end alone, whatever they send", async (dialect) => {
    const port = await start(dialect, { budgets: { unfinishedFrameMs: 150 } });
    const witnesses =
      dialect === "v62"
        ? await Promise.all([Player.to(port, 7), Player.to(port, 8)])
        : [await PlainClient.to(port), await PlainClient.to(port)];
    const good = new PacketCipher("client", defaultMapleHello("v62").recvIv, 62).seal(
      parseHex("14 00 63 00 00 00 00 00"),
    );
    const half = dialect === "v62" ? good.subarray(0, good.length - 3) : parseHex("40 00 26 01");
    const attacks: readonly (readonly [string, Uint8Array])[] = [
      ["garbage", Uint8Array.from({ length: 3000 }, (_, index) => (index * 197 + 13) & 0xff)],
      ["a header of another IV", parseHex("00 00 08 00 00 00 00 00 00 00 00 00")],
      ["the mapleHello, sent back", parseHex(carrier.hello.bytes)],
      ["half a frame", half],
      ["one byte", Uint8Array.of(0xff)],
    ];
    const attackers = await Promise.all(
      attacks.map(async ([, bytes]) => {
        const client = await PlainClient.to(port);
        client.send(bytes);
        return client;
      }),
    );
    await until("half frames are given up", () => (server.stats().disconnects["unfinished-frame"] ?? 0) >= 2);
    for (const attacker of attackers) attacker.drop();
    await until("they are gone", () => players() === 2);
    const [a, b] = witnesses;
    if (a instanceof Player && b instanceof Player) {
      a.say(a.step());
      await b.receives("movePlayer");
      expect(b.payloadsOf(0x8d)).toEqual([relayOf(a.step(), 7)]);
      expect(server.stats().disconnects["broken-stream"]).toBeGreaterThanOrEqual(2);
      expect([a.socket.isClosed, b.socket.isClosed]).toEqual([false, false]);
    } else if (a instanceof PlainClient && b instanceof PlainClient) {
      a.sendHex(DOCUMENTED_FRAME);
      await until("b received it", () => b.hex.endsWith(FRAGMENTS));
      expect([a.isClosed, b.isClosed]).toEqual([false, false]);
    }
  });

  test("invalid payloads change nothing and are not relayed", async () => {
    const port = await start("v62");
    const a = await Player.to(port, 7);
    const b = await Player.to(port, 8);
    const cipher = new PacketCipher("client", defaultMapleHello("v62").recvIv, 62);
    const client = await PlainClient.to(port);
    // No opcode, an unknown one, an unknown type of fragment, a path cut short.
    for (const hex of ["", "99 00", "26 00 01 00 00 00 00 01 63", "26 00 01 00 00 00 00 05 00 01"]) {
      client.send(cipher.seal(parseHex(hex)));
    }
    await until("they are counted", () => server.stats().refusedPayloads === 4);
    a.say(a.step());
    await b.receives("movePlayer");
    expect(b.payloadsOf(0x8d)).toHaveLength(1);
    expect(client.isClosed).toBe(false);
  });
});

test("each channel may have a TCP port: who connects to it comes in on that channel, and meets those of it alone", async () => {
  const roomPorts = [
    { room: "channel-2", port: 0 },
    { room: "1-3", port: 0 },
  ];
  const first = await start("v62", { listeners: [{ protocol: mapleStory, dialect: "v62", port: 0, roomPorts }] });
  const [, second = 0, third = 0] = server.listeners.map(({ port }) => port);
  expect(server.listeners.map(({ room }) => room)).toEqual([undefined, "channel-2", "1-3"]);
  const [a, b, c, d] = [
    await Player.to(first, 7),
    await Player.to(second, 8),
    await Player.to(second, 9),
    await Player.to(third, 10),
  ];
  const channels = [a, b, c, d].map((player) => player.all("changeMap").at(-1)?.value.channel);
  // On the wire they count from 0.
  expect(channels).toEqual([0, 1, 1, 2]);
  await b.receives("showPlayer");
  expect(b.all("showPlayer").map(({ value }) => value.characterId)).toEqual([9]);
  expect([...a.all("showPlayer"), ...d.all("showPlayer")]).toEqual([]);
  // It comes back to where it was by the port of no channel.
  c.socket.socket.end();
  await until("the player is gone", () => players() === 3);
  const again = await Player.to(first, 9);
  expect(again.all("changeMap").at(-1)?.value.channel).toBe(1);
});

test("worlds are channels: a player of the second one comes in on channel 2, and moves to the map where it is on another", async () => {
  const world = { protocol: mapleStory, dialect: "v62", port: 0 };
  const first = await start("v62", { listeners: [world, world, { ...world, room: "1-5" }] });
  const [, second = 0, third = 0] = server.listeners.map(({ port }) => port);
  const [a, b, c] = [await Player.to(first, 7), await Player.to(second, 8), await Player.to(third, 9)];
  const channelsOf = (player: Player): readonly number[] => player.all("changeMap").map(({ value }) => value.channel);
  expect([a, b, c].map(channelsOf)).toEqual([[0], [1], [4]]);

  expect(server.move({ world: "maplestory-3", player: 1 }, "maplestory-2", "channel-2")).toBeUndefined();
  await b.receives("showPlayer");
  expect(server.move({ world: "maplestory-2", player: 1 }, "maplestory")).toBeUndefined();
  await a.receives("showPlayer");
  expect(a.all("showPlayer").map(({ value }) => value.characterId)).toEqual([8]);
  expect(channelsOf(b)).toEqual([1, 0]);
  const maps = b.all("changeMap").map(({ value: { target } }) => (target.content === "map" ? target.mapId : undefined));
  expect(maps[1]).toBe(maps[0]);
  // It plays on there.
  b.say(b.step());
  await a.receives("movePlayer");
  expect(b.socket.isClosed).toBe(false);
});
