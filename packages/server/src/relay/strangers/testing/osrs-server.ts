/**
 * A server of Old School RuneScape, revision 239: login, the cipher, and ticks. The order of a login is that of blurite/rsprot,
 * `protocol/osrs-239/osrs-239-api`, `LoginConnectionHandler` and `GameLoginResponseHandler`.
 */
import type { Socket } from "node:net";
import { Chance } from "./chance.ts";
import { type Address, type Listening, listenLocally } from "./listening.ts";
import { ByteWriter } from "./osrs-bytes.ts";
import { frame, type OsrsMessage, readFrame } from "./osrs-frames.ts";
import { Isaac } from "./osrs-isaac.ts";
import { type LoginRequest, makeRsaKeys, type RsaKeys, readLogin, rsaNumbers, type Seeds } from "./osrs-login-block.ts";
import { after, before, rebuild, type Sent } from "./osrs-messages.ts";
import { PlayerInfoWriter } from "./osrs-player-info.ts";
import { isSolution, PROOF_REPLY, writeRiddle } from "./osrs-proof-of-work.ts";
import { CLIENT, SERVER } from "./osrs-table.ts";
import { HOME, OsrsWorld } from "./osrs-world.ts";
import { StreamReader } from "./stream-reader.ts";

export interface OsrsServerOptions {
  readonly seed: number;
  /** Default: one that is free. */
  readonly port?: number;
  /** Players beside those of sessions. Default 60. */
  readonly others?: number;
  /** Default 600. 0: ticks are calls of `tick` alone. */
  readonly tickMs?: number;
  /** Zero bits that the proof of work has to have. Default: none is asked for. */
  readonly difficulty?: number;
  /** Code of a trusted authenticator in the answer to a login. Default: without. */
  readonly authenticator?: number;
  /** RSA key of its logins. Default: a new one. */
  readonly keys?: RsaKeys;
}

export interface PlayerAt {
  readonly index: number;
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** What a server knows of a session. */
export interface OsrsSession {
  readonly index: number;
  readonly user: string;
  /** Of the cipher of its client. */
  readonly seeds: Seeds;
  /** True positions of everybody in the view of its player, by index, for each tick since the login. */
  readonly ticks: readonly (readonly PlayerAt[])[];
  /** Ticks before each reconnect. */
  readonly reconnects: readonly number[];
  readonly sent: readonly OsrsMessage[];
  readonly received: readonly OsrsMessage[];
}

export interface OsrsServer extends Address {
  readonly publicKey: string;
  readonly rsa: { readonly modulus: string; readonly exponent: string };
  readonly sessions: readonly OsrsSession[];
  /** Failures of connections that did not just end. */
  readonly problems: readonly Error[];
  tick(): void;
  close(): Promise<void>;
}

const TICK_MS = 600;
const OTHERS = 60;
const HIGHEST_INDEX = 2047;

/** What waits for a client that does not read. */
const MOST_WAITING = 1 << 22;

/** The size that the answer says: its 34 bytes, and the opcode and size of the message after it. */
const OK_SIZE = 37;

class Session implements OsrsSession {
  readonly ticks: PlayerAt[][] = [];
  readonly reconnects: number[] = [];
  readonly sent: OsrsMessage[] = [];
  readonly received: OsrsMessage[] = [];
  readonly index: number;
  readonly user: string;
  seeds: Seeds;
  /** While it is connected. */
  line: { readonly socket: Socket; readonly cipher: Isaac; readonly info: PlayerInfoWriter } | undefined;

  constructor(index: number, { user, seeds }: LoginRequest) {
    this.index = index;
    this.user = user;
    this.seeds = seeds;
  }

  send(sent: Sent): void {
    if (this.line === undefined) return;
    const { socket, cipher } = this.line;
    if (socket.writableLength > MOST_WAITING) {
      socket.destroy();
      return;
    }
    if (!("group" in sent)) {
      this.sent.push(sent);
      socket.write(frame("server", sent, cipher));
      return;
    }
    // The size of a group stands before messages whose ciphers come after its own.
    const start: OsrsMessage = { opcode: SERVER.PACKET_GROUP_START, body: Buffer.alloc(2) };
    const head = frame("server", start, cipher);
    const bytes = Buffer.concat(sent.group.map((each) => frame("server", each, cipher)));
    head.writeUInt16BE(bytes.length, head.length - 2);
    this.sent.push({ ...start, body: head.subarray(-2) }, ...sent.group);
    socket.write(Buffer.concat([head, bytes]));
  }
}

export async function startOsrsServer(options: OsrsServerOptions): Promise<OsrsServer> {
  const keys = options.keys ?? makeRsaKeys();
  const chance = new Chance(options.seed);
  const world = new OsrsWorld({ seed: options.seed, others: options.others ?? OTHERS });
  const sessions: Session[] = [];
  const problems: Error[] = [];

  async function serve(socket: Socket): Promise<void> {
    const reader = new StreamReader(socket);
    if ((await reader.u8()) !== 14) throw new Error("This is no client of the game");
    const sessionId = chance.bytes(8);
    socket.write(Buffer.concat([Buffer.of(0), sessionId]));
    const opcode = await reader.u8();
    const request = readLogin(opcode, await reader.take(await reader.u16be()), keys.privateKey);
    if (!request.sessionId.equals(sessionId)) throw new Error("The login is for another connection");
    if (request.kind === "login" && options.difficulty !== undefined)
      await askForProof(reader, socket, options.difficulty);
    const session = request.kind === "login" ? enter(request) : sessionBefore(request);
    const cipher = new Isaac(request.seeds.map((seed) => seed + 50));
    const info = new PlayerInfoWriter(session.index, world.tiles());
    session.line = { socket, cipher, info };
    if (request.kind === "login") {
      socket.write(writeOk(session.index, options.authenticator, cipher));
      const tile = world.tiles().get(session.index) ?? HOME;
      session.send(rebuild(tile, info.initialisation));
    } else {
      session.seeds = request.seeds;
      session.reconnects.push(session.ticks.length);
      const body = info.initialisation;
      socket.write(new ByteWriter().u8(15).u16(body.length).bytes(body).done());
    }
    const fromClient = new Isaac(request.seeds);
    socket.on("close", () => {
      if (session.line?.socket === socket) session.line = undefined;
    });
    for (;;) receive(session, await readFrame("client", reader, fromClient));
  }

  async function askForProof(reader: StreamReader, socket: Socket, difficulty: number): Promise<void> {
    const riddle = { difficulty, salt: chance.bytes(200).toString("hex") };
    socket.write(writeRiddle(riddle));
    if ((await reader.u8()) !== PROOF_REPLY || (await reader.u16be()) !== 8) throw new Error("No answer to the riddle");
    if (!isSolution(riddle, Number((await reader.take(8)).readBigUInt64BE()))) throw new Error("A wrong answer");
  }

  function enter(request: LoginRequest): Session {
    const taken = world.tiles();
    let index = chance.between(1, HIGHEST_INDEX);
    while (taken.has(index)) index = (index % HIGHEST_INDEX) + 1;
    const session = new Session(index, request);
    sessions.push(session);
    world.enter(index, HOME);
    return session;
  }

  function sessionBefore({ user, before: seeds }: LoginRequest): Session {
    const session = sessions.find((each) => each.user === user && each.seeds.join() === seeds?.join());
    if (session === undefined) throw new Error("There is no such session");
    session.line?.socket.destroy();
    return session;
  }

  function receive(session: Session, message: OsrsMessage): void {
    session.received.push(message);
    if (message.opcode === CLIENT.MOVE_GAMECLICK) {
      world.go(session.index, message.body.readUInt16LE(), message.body.readUInt16LE(2));
    }
  }

  function tick(): void {
    world.step();
    const tiles = world.tiles();
    for (const session of sessions) {
      const tile = tiles.get(session.index);
      if (session.line === undefined || tile === undefined) continue;
      const body = session.line.info.write(tiles, world.deeds);
      session.ticks.push(session.line.info.view());
      for (const sent of before(tile, chance)) session.send(sent);
      session.send({ opcode: SERVER.PLAYER_INFO, body });
      for (const sent of after(chance)) session.send(sent);
    }
  }

  const listening: Listening = await listenLocally(options.port ?? 0, serve, (problem) => problems.push(problem));
  const tickMs = options.tickMs ?? TICK_MS;
  const timer = tickMs === 0 ? undefined : setInterval(tick, tickMs);
  return {
    host: listening.host,
    port: listening.port,
    publicKey: keys.publicKey,
    rsa: rsaNumbers(keys.publicKey),
    sessions,
    problems,
    tick,
    close() {
      clearInterval(timer);
      return listening.close();
    },
  };
}

/** Code 2, and the body of `OkLoginResponseEncoder`. */
function writeOk(index: number, authenticator: number | undefined, cipher: Isaac): Buffer {
  const bytes = new ByteWriter().u8(2).u8(OK_SIZE);
  if (authenticator === undefined) bytes.u8(0).u32(0);
  else {
    bytes.u8(1);
    for (const shift of [24, 16, 8, 0]) bytes.u8((authenticator >>> shift) + cipher.next());
  }
  bytes.u8(0).u8(0).u16(index).u8(1);
  return bytes.u32(0x11).u32(0x22).u32(0).u32(300_000_000).u32(0x33).u32(0x44).done();
}
