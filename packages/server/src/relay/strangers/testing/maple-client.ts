/** A client of MapleStory: login, a channel, honest movement, another channel. Its time passes in `step` alone. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Chance } from "./chance.ts";
import type { Address } from "./listening.ts";
import { MapleReader, MapleWriter } from "./maple-bytes.ts";
import { MapleCipher } from "./maple-cipher.ts";
import { type MaplePath, PathRecorder, writeMove } from "./maple-path.ts";
import type { MapleMessage } from "./maple-server.ts";
import { type MapleVersion, OPCODES, patchOf, readSetField } from "./maple-versions.ts";
import { type Keys, STEP_MS, type Stance, TOWN, Walker } from "./maple-walker.ts";
import { StreamReader } from "./stream-reader.ts";

export interface MapleClientOptions {
  readonly version: MapleVersion;
  /** Of the login server. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Of what its character does. */
  readonly seed: number;
  /** Where it connects to in place of an address that a server named. Default: that address. */
  readonly through?: (address: Address) => Address;
}

const CHARACTER = 4242;

/** A channel that does not let it in. */
const MOST_WAIT_MS = 10_000;

/** It turns before the edges of the lower platform. */
const TURN_AT = 700;

export class MapleClient {
  readonly characterId = CHARACTER;
  /** Servers that it was connected to, in order. */
  readonly addresses: Address[] = [];
  readonly received: MapleMessage[] = [];
  readonly sent: MapleMessage[] = [];
  readonly paths: MaplePath[] = [];
  /** Of the last SET_FIELD. */
  fieldKey = -1;
  channel = -1;
  /** SET_FIELDs. */
  entered = 0;
  problem: Error | undefined;

  readonly #options: MapleClientOptions;
  readonly #chance: Chance;
  #line: { readonly socket: Socket; readonly cipher: MapleCipher } | undefined;
  #walker = new Walker(TOWN);
  #recorder = new PathRecorder(this.#walker.stance);
  #keys: Keys = {};
  #stepsLeft = 0;
  readonly #waiting = new Map<number, (message: Buffer) => void>();

  private constructor(options: MapleClientOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed);
  }

  /** Resolves when its character is in a map of the first channel. */
  static async login(options: MapleClientOptions): Promise<MapleClient> {
    const client = new MapleClient(options);
    const { fromClient, fromServer } = OPCODES[options.version];
    await client.#connect({ host: options.host ?? "127.0.0.1", port: options.port });
    const accepted = client.#next(fromServer.loginStatus);
    client.#send(client.#writeLogin());
    const status = await accepted;
    if (status.readUInt8(2) !== 0) throw new Error(`The login was answered by ${status.readUInt8(2)}`);
    const addressed = client.#next(fromServer.serverIp);
    const selection = new MapleWriter().u16(fromClient.selectCharacter).u32(CHARACTER).text("00-00-00-00-00-00");
    client.#send((options.version === 62 ? selection : selection.text("000000000000_00000000")).done());
    await client.#enter(readAddress(await addressed, 4));
    return client;
  }

  get stance(): Stance {
    return this.#walker.stance;
  }

  /** Channels begin at 1. */
  async changeChannel(channel: number): Promise<void> {
    const { fromClient, fromServer } = OPCODES[this.#options.version];
    const addressed = this.#next(fromServer.changeChannel);
    this.#send(
      new MapleWriter()
        .u16(fromClient.changeChannel)
        .u8(channel - 1)
        .u32(0x1234)
        .done(),
    );
    await this.#enter(readAddress(await addressed, 3));
  }

  /** 30 ms of its time. True when it sent a path. */
  step(): boolean {
    if (this.#stepsLeft === 0) this.#decide();
    this.#stepsLeft -= 1;
    const keys = { ...this.#keys, jump: this.#chance.oneIn(40) };
    const { jumped } = this.#walker.step(keys);
    const path = this.#recorder.add(this.#walker.stance, keys, jumped);
    if (path === undefined) return false;
    const sent = { ...path, fieldKey: this.fieldKey };
    this.paths.push(sent);
    this.#send(writeMove(this.#options.version, sent));
    return true;
  }

  /** So many milliseconds of its time, at once, or with a pause after each step. */
  async play(ms: number, pause?: (ms: number) => Promise<void>): Promise<void> {
    for (let atMs = 0; atMs < ms; atMs += STEP_MS) {
      this.step();
      await pause?.(STEP_MS);
    }
  }

  close(): void {
    const socket = this.#line?.socket;
    this.#line = undefined;
    socket?.destroy();
  }

  #decide(): void {
    const { x } = this.#walker.stance;
    const goesLeft = Math.abs(x) > TURN_AT ? x > 0 : this.#chance.oneIn(2);
    this.#keys = this.#chance.oneIn(5) ? {} : goesLeft ? { left: true } : { right: true };
    this.#stepsLeft = this.#chance.between(10, 50);
  }

  async #enter(address: Address): Promise<void> {
    this.close();
    await this.#connect(this.#options.through?.(address) ?? address);
    const { version } = this.#options;
    const { fromClient, fromServer } = OPCODES[version];
    const entered = this.#next(fromServer.setField);
    const loggedIn = new MapleWriter().u16(fromClient.loggedIn).u32(CHARACTER);
    this.#send((version === 62 ? loggedIn.u16(0) : loggedIn.bytes(new Array(16).fill(0x5a)).zeros(2 + 8)).done());
    await entered;
  }

  async #connect(address: Address): Promise<void> {
    const socket = connect(address.port, address.host).setNoDelay(true);
    const reader = new StreamReader(socket);
    await once(socket, "connect");
    this.addresses.push(address);
    const hello = new MapleReader(await reader.take((await reader.take(2)).readUInt16LE()));
    const { version } = this.#options;
    const greeted = hello.u16();
    if (greeted !== version) throw new Error(`The server has version ${greeted}`);
    if (hello.text() !== patchOf(version)) throw new Error("The server has another patch");
    const [iv, ivOfServer] = [hello.take(4), hello.take(4)];
    this.#line = { socket, cipher: new MapleCipher(iv, version) };
    this.#readAll(socket, reader, new MapleCipher(ivOfServer, 0xffff - version));
  }

  #readAll(socket: Socket, reader: StreamReader, cipher: MapleCipher): void {
    const read = async (): Promise<never> => {
      for (;;) this.#receive(cipher.open(await reader.take(cipher.lengthOf(await reader.take(4)))));
    };
    read().catch((problem: Error) => {
      if (this.#line?.socket !== socket) return;
      this.problem = problem;
      this.close();
    });
  }

  #receive(message: Buffer): void {
    const { version } = this.#options;
    const { fromClient, fromServer } = OPCODES[version];
    const opcode = message.readUInt16LE();
    this.received.push({ opcode, bytes: message });
    if (opcode === fromServer.ping) this.#send(new MapleWriter().u16(fromClient.pong).done());
    if (opcode === fromServer.setField) {
      const { channel, fieldKey } = readSetField(version, message);
      this.channel = channel + 1;
      this.fieldKey = fieldKey;
      this.entered += 1;
      this.#walker = new Walker(TOWN);
      this.#recorder = new PathRecorder(this.#walker.stance);
    }
    this.#waiting.get(opcode)?.(message);
    this.#waiting.delete(opcode);
  }

  /** The next message with the opcode. */
  #next(opcode: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.problem ?? new Error(`No message ${opcode} came`)), MOST_WAIT_MS);
      this.#waiting.set(opcode, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
  }

  #writeLogin(): Buffer {
    const bytes = new MapleWriter()
      .u16(OPCODES[this.#options.version].fromClient.login)
      .text("stranger")
      .text("not a secret");
    return this.#options.version === 95
      ? bytes.zeros(16 + 4 + 3 + 4).done()
      : bytes.zeros(6).u32(0x5a5a5a5a).zeros(6).done();
  }

  #send(bytes: Buffer): void {
    if (this.#line === undefined) return;
    this.sent.push({ opcode: bytes.readUInt16LE(), bytes });
    this.#line.socket.write(this.#line.cipher.seal(bytes));
  }
}

function readAddress(message: Buffer, at: number): Address {
  return { host: message.subarray(at, at + 4).join("."), port: message.readUInt16LE(at + 4) };
}
