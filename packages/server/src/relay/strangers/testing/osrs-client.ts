/** A client of Old School RuneScape, revision 239: what `osrs-server.ts` says from the other side. Its time passes in `play` alone. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Chance } from "./chance.ts";
import { ByteWriter } from "./osrs-bytes.ts";
import { frame, type OsrsMessage, type ReadFrame, readFrame } from "./osrs-frames.ts";
import { Isaac } from "./osrs-isaac.ts";
import { type Seeds, writeLogin } from "./osrs-login-block.ts";
import type { MasksRead } from "./osrs-masks.ts";
import { type MouseRecord, type MouseSample, MouseWriter } from "./osrs-mouse.ts";
import { PlayerView } from "./osrs-player-view.ts";
import { PROOF_OF_WORK, readRiddle, solve, writeAnswer } from "./osrs-proof-of-work.ts";
import type { PlayerAt } from "./osrs-server.ts";
import { CLIENT, SERVER } from "./osrs-table.ts";
import { StreamReader } from "./stream-reader.ts";

export interface OsrsClientOptions {
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Of the server, PEM. */
  readonly publicKey: string;
  /** Of the cipher of the client. */
  readonly seeds: Seeds;
  readonly user?: string;
  /** Of what its player does. */
  readonly seed: number;
  /** A machine moves the mouse: straight, at one speed, with equal rests. */
  readonly isMachine?: boolean;
}

const INITIALISATION_BYTES = 4608;
const OK_SIZE = 37;
const OK_BYTES = 34;
const CYCLE_MS = 20;
const SAMPLE_MS = 50;
const SAMPLES_OF_A_PACKET = 40;
const IDLE_MS = 1000;
const CLICK_MS = 2200;
const KEY_MS = 3100;
const CAMERA_MS = 1300;

export class OsrsClient {
  /** Positions of everybody in view after each player info, by index. */
  readonly ticks: (readonly PlayerAt[])[] = [];
  readonly masks: ReadonlyMap<number, MasksRead>[] = [];
  readonly received: OsrsMessage[] = [];
  readonly sent: OsrsMessage[] = [];
  /** Everything that its mouse packets said. */
  readonly mouse: MouseRecord[] = [];
  /** Places that it clicked on, to go there. */
  readonly clicks: { readonly x: number; readonly z: number }[] = [];
  /** Own player. */
  index = -1;
  /** Of the answer to the login, deciphered. */
  authenticator: number | undefined;
  /** Zero bits of the proof of work that was asked for. */
  difficulty: number | undefined;
  seeds: Seeds;
  /** Why its reading ended, other than by `drop` and `close`. */
  problem: Error | undefined;

  readonly #options: OsrsClientOptions;
  readonly #chance: Chance;
  readonly #mouseWriter = new MouseWriter();
  #samples: readonly MouseSample[] = [];
  #at = { x: 400, y: 300 };
  #phase = 0;
  #stroke = { from: this.#at, to: this.#at };
  #nowMs = 0;
  #line: { readonly socket: Socket; readonly cipher: Isaac } | undefined;
  #view: PlayerView | undefined;
  #groupBytes = 0;

  private constructor(options: OsrsClientOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed);
    this.seeds = options.seeds;
  }

  /** Resolves when the login was accepted. Rejects with the code of the answer otherwise. */
  static async login(options: OsrsClientOptions): Promise<OsrsClient> {
    const client = new OsrsClient(options);
    await client.#enter("login", options.seeds, options.port);
    return client;
  }

  /** Loses its connection. */
  drop(): void {
    const socket = this.#line?.socket;
    this.#line = undefined;
    socket?.destroy();
  }

  /** Goes on with its session over a new connection. */
  async reconnect(seeds: Seeds, port = this.#options.port): Promise<void> {
    this.drop();
    await this.#enter("reconnect", seeds, port);
  }

  close(): void {
    this.drop();
  }

  async #enter(kind: "login" | "reconnect", seeds: Seeds, port: number): Promise<void> {
    const socket = connect(port, this.#options.host ?? "127.0.0.1").setNoDelay(true);
    const reader = new StreamReader(socket);
    await once(socket, "connect");
    socket.write(Buffer.of(14));
    const answer = await reader.u8();
    if (answer !== 0) throw new Error(`The server answered ${answer}`);
    const sessionId = Buffer.from(await reader.take(8));
    const user = this.#options.user ?? "stranger";
    const before = kind === "reconnect" ? this.seeds : undefined;
    socket.write(writeLogin({ kind, seeds, sessionId, user, before }, this.#options.publicKey));
    this.seeds = seeds;
    const fromServer = new Isaac(seeds.map((seed) => seed + 50));
    await this.#readAnswer(socket, reader, fromServer);
    this.#line = { socket, cipher: new Isaac(seeds) };
    this.#readAll(socket, reader, fromServer);
  }

  async #readAnswer(socket: Socket, reader: StreamReader, cipher: Isaac): Promise<void> {
    for (;;) {
      const code = await reader.u8();
      if (code === PROOF_OF_WORK) {
        const riddle = readRiddle(await reader.take(await reader.u16be()));
        this.difficulty = riddle.difficulty;
        socket.write(writeAnswer(solve(riddle)));
      } else if (code === 2) {
        if ((await reader.u8()) !== OK_SIZE) throw new Error("An answer of another size");
        this.#readOk(await reader.take(OK_BYTES), cipher);
        return;
      } else if (code === 15) {
        const body = await reader.take(await reader.u16be());
        this.#view = new PlayerView(this.index, body);
        return;
      } else {
        socket.destroy();
        throw new Error(`The login was answered by ${code}`);
      }
    }
  }

  #readOk(body: Buffer, cipher: Isaac): void {
    if (body.readUInt8() === 1) {
      const code = Buffer.from(Array.from(body.subarray(1, 5), (byte) => byte - cipher.next()));
      this.authenticator = code.readUInt32BE();
    }
    this.index = body.readUInt16BE(7);
  }

  #readAll(socket: Socket, reader: StreamReader, cipher: Isaac): void {
    const read = async (): Promise<never> => {
      for (;;) this.#receive(await readFrame("server", reader, cipher));
    };
    read().catch((problem: Error) => {
      if (this.#line?.socket !== socket) return;
      this.problem = problem;
      this.drop();
    });
  }

  #receive({ opcode, body, wireBytes }: ReadFrame): void {
    this.received.push({ opcode, body });
    if (opcode === SERVER.PACKET_GROUP_START) this.#groupBytes = body.readUInt16BE();
    else if (this.#groupBytes > 0) {
      this.#groupBytes -= wireBytes;
      if (this.#groupBytes < 0) throw new Error("A group ends within a message");
    }
    if (opcode === SERVER.REBUILD_NORMAL && body.length > INITIALISATION_BYTES) {
      this.#view = new PlayerView(this.index, body.subarray(0, INITIALISATION_BYTES));
    }
    if (opcode !== SERVER.PLAYER_INFO) return;
    if (this.#view === undefined) throw new Error("Player info before its initialisation");
    this.masks.push(this.#view.read(body));
    this.ticks.push(this.#view.view());
  }

  /** Sends what a player's client sends in so many milliseconds, at once. */
  play(ms: number): void {
    if (this.#nowMs === 0) this.#begin();
    const untilMs = this.#nowMs + ms;
    for (; this.#nowMs < untilMs; this.#nowMs += CYCLE_MS / 2) {
      if (this.#nowMs % SAMPLE_MS === 0) this.#samples = [...this.#samples, { ...this.#moveHand(), atMs: this.#nowMs }];
      const isDue = (everyMs: number): boolean => this.#nowMs % everyMs === 0 && this.#nowMs > 0;
      if (isDue(CLICK_MS)) this.#click();
      if (isDue(KEY_MS)) this.#pressKeys();
      if (isDue(CAMERA_MS))
        this.#send(
          CLIENT.EVENT_CAMERA_POSITION,
          new ByteWriter().u16Alt1(this.#chance.below(384)).u16Alt3(this.#chance.below(2048)),
        );
      if (isDue(IDLE_MS)) this.#send(CLIENT.NO_TIMEOUT, new ByteWriter());
      if (this.#samples.length >= SAMPLES_OF_A_PACKET) this.#flushMouse();
    }
  }

  #begin(): void {
    this.#send(CLIENT.WINDOW_STATUS, new ByteWriter().u8(2).u16(1024).u16(768));
    this.#send(CLIENT.EVENT_APPLET_FOCUS, new ByteWriter().u8(1));
    this.#send(CLIENT.MAP_BUILD_COMPLETE, new ByteWriter());
  }

  #moveHand(): { readonly x: number; readonly y: number } {
    return this.#options.isMachine === true ? this.#moveMachine() : this.#moveMouse();
  }

  /** A stroke of 16 samples, and 8 of rest. */
  #moveMachine(): { readonly x: number; readonly y: number } {
    const chance = this.#chance;
    const phase = this.#phase++ % 24;
    if (phase === 0) this.#stroke = { from: this.#at, to: { x: chance.below(1024), y: chance.below(768) } };
    const { from, to } = this.#stroke;
    const share = Math.min(1, (phase + 1) / 16);
    const along = (a: number, b: number): number => Math.round(a + (b - a) * share);
    this.#at = { x: along(from.x, to.x), y: along(from.y, to.y) };
    return this.#at;
  }

  /** A hand that moves slowly, jumps at times, rests, and leaves the window. */
  #moveMouse(): { readonly x: number; readonly y: number } {
    const chance = this.#chance;
    const aside = (at: number, by: number, most: number): number =>
      Math.max(0, Math.min(most, at + chance.between(-by, by)));
    if (chance.oneIn(30)) return { x: -1, y: -1 };
    if (chance.oneIn(4)) return this.#at;
    const by = chance.oneIn(12) ? 400 : chance.oneIn(5) ? 90 : 20;
    this.#at = { x: aside(this.#at.x, by, 1023), y: aside(this.#at.y, by, 767) };
    return this.#at;
  }

  #flushMouse(): void {
    const written = this.#mouseWriter.write(this.#samples);
    this.#samples = written?.left ?? [];
    if (written === undefined) return;
    this.mouse.push(...written.records);
    this.#send(CLIENT.EVENT_MOUSE_MOVE, new ByteWriter().bytes(written.body));
  }

  /** On a tile near its player. */
  #click(): void {
    this.#flushMouse();
    const { x, y } = this.#at;
    this.#send(
      CLIENT.EVENT_MOUSE_CLICK,
      new ByteWriter()
        .u16Alt2(x)
        .u16Alt3(CLICK_MS << 1)
        .u16Alt2(y)
        .u8Alt3(1),
    );
    const own = this.ticks.at(-1)?.find(({ index }) => index === this.index);
    if (own === undefined) return;
    const target = { x: own.x + this.#chance.between(-8, 8), z: own.z + this.#chance.between(-8, 8) };
    this.clicks.push(target);
    this.#send(CLIENT.MOVE_GAMECLICK, new ByteWriter().u16Alt1(target.x).u16Alt1(target.z).u8Alt3(0));
  }

  #pressKeys(): void {
    const bytes = new ByteWriter();
    for (let key = this.#chance.between(1, 4); key > 0; key--) {
      bytes.u8Alt2(this.#chance.between(13, 83)).u24Alt1(this.#chance.below(900));
    }
    this.#send(CLIENT.EVENT_KEYBOARD, bytes);
  }

  #send(opcode: number, bytes: ByteWriter): void {
    if (this.#line === undefined) return;
    const message = { opcode, body: bytes.done() };
    this.sent.push(message);
    this.#line.socket.write(frame("client", message, this.#line.cipher));
  }
}
