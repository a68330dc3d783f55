/**
 * A login server of MapleStory and its channel servers. What is sent when is after P0nk/Cosmic (`CharSelectedHandler`, `PlayerLoggedinHandler`,
 * `ChangeChannelHandler`, `PacketCreator`) and iw2d/kinoko (`LoginHandler`, `MigrationHandler`, `LoginPacket`, `ClientPacket`).
 */
import type { Socket } from "node:net";
import { Chance } from "./chance.ts";
import { type Address, type Listening, listenLocally } from "./listening.ts";
import { MapleReader, MapleWriter } from "./maple-bytes.ts";
import { MapleCipher } from "./maple-cipher.ts";
import { type MaplePath, readMove } from "./maple-path.ts";
import { greeting, type MapleVersion, OPCODES, setFieldOfLogin, setFieldOfMap } from "./maple-versions.ts";
import { TOWN } from "./maple-walker.ts";
import { StreamReader } from "./stream-reader.ts";

export interface MapleServerOptions {
  readonly version: MapleVersion;
  readonly seed: number;
  /** Default 2. */
  readonly channels?: number;
  /** Of the SET_FIELDs, one after the other; the last one goes on. Default 9. */
  readonly fieldKeys?: readonly number[];
}

export interface MapleMessage {
  readonly opcode: number;
  /** Opcode and all. */
  readonly bytes: Buffer;
}

/** One connection. */
export interface MapleSession {
  /** 0: the login server; channels begin at 1. */
  readonly server: number;
  readonly characterId: number | undefined;
  /** Those that its SET_FIELDs said. */
  readonly fieldKeys: readonly number[];
  readonly received: readonly MapleMessage[];
  readonly sent: readonly MapleMessage[];
  readonly paths: readonly MaplePath[];
  readonly isOpen: boolean;
}

export interface MapleServers {
  readonly login: Address;
  readonly channels: readonly Address[];
  /** All connections since the start. */
  readonly sessions: readonly MapleSession[];
  readonly problems: readonly Error[];
  /** Sends everybody in a channel to the same map again. */
  changeMap(): void;
  close(): Promise<void>;
}

const ACCOUNT = 7;
const LARGEST_MESSAGE = 8192;

class Connection implements MapleSession {
  readonly server: number;
  readonly fieldKeys: number[] = [];
  readonly received: MapleMessage[] = [];
  readonly sent: MapleMessage[] = [];
  readonly paths: MaplePath[] = [];
  characterId: number | undefined;
  readonly #socket: Socket;
  readonly #cipher: MapleCipher;

  constructor(server: number, socket: Socket, cipher: MapleCipher) {
    this.server = server;
    this.#socket = socket;
    this.#cipher = cipher;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(bytes: Buffer): void {
    this.sent.push({ opcode: bytes.readUInt16LE(), bytes });
    this.#socket.write(this.#cipher.seal(bytes));
  }
}

export async function startMapleServers(options: MapleServerOptions): Promise<MapleServers> {
  const { version, fieldKeys = [9] } = options;
  const { fromClient, fromServer } = OPCODES[version];
  const chance = new Chance(options.seed);
  const sessions: Connection[] = [];
  const problems: Error[] = [];
  /** Characters that were sent to a channel and are not there yet. */
  const awaited = new Map<number, number>();
  const channels: Listening[] = [];
  let entered = 0;

  const addressed = (bytes: MapleWriter, { host, port }: Address): MapleWriter =>
    bytes.bytes(host.split(".").map(Number)).u16(port);

  const channelAt = (id: number): Address => {
    const found = channels[id - 1];
    if (found === undefined) throw new Error(`There is no channel ${id}`);
    return found;
  };

  function acceptLogin(connection: Connection): void {
    const bytes = new MapleWriter().u16(fromServer.loginStatus).u32(0).u16(0).u32(ACCOUNT).u8(0).u8(0).u8(0).u8(0);
    connection.send(
      bytes
        .text("stranger")
        .zeros(18)
        .u32(1)
        .u8(1)
        .u8(2)
        .zeros(version === 95 ? 8 : 0)
        .done(),
    );
  }

  function selectCharacter(connection: Connection, bytes: MapleReader): void {
    const characterId = bytes.u32();
    connection.characterId = characterId;
    awaited.set(characterId, 1);
    const reply = addressed(new MapleWriter().u16(fromServer.serverIp).u16(0), channelAt(1));
    connection.send(reply.u32(characterId).zeros(5).done());
  }

  const nextEntering = (connection: Connection, characterId: number) => {
    const fieldKey = fieldKeys[Math.min(entered, fieldKeys.length - 1)] ?? 0;
    entered += 1;
    connection.fieldKeys.push(fieldKey);
    return { channel: connection.server - 1, fieldKey, characterId, mapId: TOWN.mapId };
  };

  function enter(connection: Connection, bytes: MapleReader): void {
    const characterId = bytes.u32();
    if (awaited.get(characterId) !== connection.server) throw new Error(`Character ${characterId} is not awaited here`);
    awaited.delete(characterId);
    connection.characterId = characterId;
    connection.send(setFieldOfLogin(version, nextEntering(connection, characterId), chance));
    const keyMap = new MapleWriter().u16(fromServer.keyMap).u8(0);
    connection.send(keyMap.bytes(chance.bytes((version === 95 ? 89 : 90) * 5)).done());
    connection.send(new MapleWriter().u16(fromServer.notice).u8(4).u8(1).text("made up").done());
    connection.send(new MapleWriter().u16(fromServer.ping).done());
  }

  function changeChannel(connection: Connection, bytes: MapleReader): void {
    const target = bytes.u8() + 1;
    if (connection.characterId === undefined || target === connection.server)
      throw new Error(`No way to channel ${target}`);
    awaited.set(connection.characterId, target);
    connection.send(addressed(new MapleWriter().u16(fromServer.changeChannel).u8(1), channelAt(target)).done());
  }

  function receive(connection: Connection, message: Buffer): void {
    const opcode = message.readUInt16LE();
    connection.received.push({ opcode, bytes: message });
    const bytes = new MapleReader(message, 2);
    if (connection.server === 0) {
      if (opcode === fromClient.login) acceptLogin(connection);
      if (opcode === fromClient.selectCharacter) selectCharacter(connection, bytes);
      return;
    }
    if (opcode === fromClient.loggedIn) enter(connection, bytes);
    if (opcode === fromClient.movePlayer) connection.paths.push(readMove(version, message));
    if (opcode === fromClient.changeChannel) changeChannel(connection, bytes);
  }

  const serve = (server: number) => async (socket: Socket) => {
    const [ivOfClient, ivOfServer] = [
      Buffer.concat([Buffer.from([70, 114, 122]), chance.bytes(1)]),
      Buffer.concat([Buffer.from([82, 48, 120]), chance.bytes(1)]),
    ];
    const reader = new StreamReader(socket);
    const connection = new Connection(server, socket, new MapleCipher(ivOfServer, 0xffff - version));
    sessions.push(connection);
    const cipher = new MapleCipher(ivOfClient, version);
    socket.write(greeting(version, ivOfClient, ivOfServer));
    for (;;) {
      const length = cipher.lengthOf(await reader.take(4));
      if (length < 2 || length > LARGEST_MESSAGE) throw new Error(`A message of ${length} bytes`);
      receive(connection, cipher.open(await reader.take(length)));
    }
  };

  const report = (problem: Error): void => {
    problems.push(problem);
  };
  for (let id = 1; id <= (options.channels ?? 2); id++) channels.push(await listenLocally(0, serve(id), report));
  const login = await listenLocally(0, serve(0), report);
  return {
    login: { host: login.host, port: login.port },
    channels: channels.map(({ host, port }) => ({ host, port })),
    sessions,
    problems,
    changeMap() {
      for (const each of sessions) {
        if (each.server === 0 || !each.isOpen || each.characterId === undefined) continue;
        each.send(setFieldOfMap(version, nextEntering(each, each.characterId)));
      }
    },
    async close() {
      await Promise.all([login, ...channels].map((each) => each.close()));
    },
  };
}
