/** A process of clients: bots of all games, and clients of Slime Online 2 that share no code with the server. */
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, systemClock, type Transport } from "wirewalk/net";
import { defaultDialect, type PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { LoadPlan, LoadReport, LoadRequest } from "./load-messages.ts";

/** A client whose connection has ended tries to come back for so long. */
const RETURN_MS = 20_000;
const RETRY_MS = 100;
const OPENING_AT_ONCE = 16;
/** Raw clients in one room. They have rooms of their own; each receives the keys of all others in its room. */
const RAW_ROOM = 900;
const RAW_PER_ROOM = 40;
/** Bots of Slime Online 2 in one room, which only sees their moves: more than in a game, few enough for one core. */
const PER_ROOM = 10;

const plan = JSON.parse(process.argv[2] ?? "") as LoadPlan;
const names = Object.keys(plan.gateways);
const RAW_ROOMS = Math.max(1, Math.floor(plan.raw / RAW_PER_ROOM));

/** One client, over any number of connections. */
abstract class LoadClient {
  readonly game: string;
  readonly number: number;
  #lastMs = performance.now();
  #endedMs: number | undefined;
  isConnected = false;
  isLost = false;
  moves = 0;
  longestMs = 0;
  readonly movesMs: number[] = [];
  readonly reasons: string[] = [];
  protected at: number;

  constructor(game: string, number: number) {
    this.game = game;
    this.number = number;
    this.at = number % names.length;
  }

  protected get port(): number {
    return plan.gateways[names[this.at] ?? ""] ?? 0;
  }

  protected abstract open(): Promise<void>;

  async start(): Promise<void> {
    const untilMs = performance.now() + RETURN_MS;
    while (!isStopping) {
      try {
        await this.open();
        this.isConnected = true;
        this.#lastMs = performance.now();
        return;
      } catch (error) {
        this.reasons.push(error instanceof Error ? error.message : String(error));
        this.at = (this.at + 1) % names.length;
        if (performance.now() > untilMs) break;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.isLost = true;
  }

  reset(): void {
    this.longestMs = 0;
    this.#lastMs = performance.now();
    this.movesMs.length = 0;
    this.reasons.length = 0;
    this.moves = 0;
  }

  /** Something has come. */
  protected heard(): void {
    const nowMs = performance.now();
    this.longestMs = Math.max(this.longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    if (this.#endedMs === undefined) return;
    this.movesMs.push(nowMs - this.#endedMs);
    this.#endedMs = undefined;
  }

  /** Until now, also when nothing has come since. */
  pauseMs(): number {
    return Math.max(this.longestMs, performance.now() - this.#lastMs);
  }

  protected ended(reason: string): void {
    if (isStopping || !this.isConnected) return;
    this.isConnected = false;
    this.reasons.push(reason);
    this.moves += 1;
    this.#endedMs ??= performance.now();
    // Those of one gateway spread over all others.
    this.at = (this.at + 1 + (this.number % Math.max(1, names.length - 1))) % names.length;
    void this.start();
  }
}

class BotClient extends LoadClient {
  readonly #protocol: PlayableProtocol;
  readonly #room: number | undefined;
  #stop: () => void = () => {};
  #sent: () => number = () => 0;

  /** `index`: its place among the bots of its game in this process. */
  constructor(protocol: PlayableProtocol, number: number, index: number) {
    super(protocol.name, number);
    this.#protocol = protocol;
    const { rooms = [] } = protocol.bots;
    this.#room = protocol.name === "slime-online-2" ? 100 + Math.floor(index / PER_ROOM) : rooms[number % rooms.length];
  }

  protected async open(): Promise<void> {
    const protocol = this.#protocol;
    const dialect = protocol.name === "slime-online-2" ? "documented" : defaultDialect(protocol);
    const url = new URL(`ws://127.0.0.1:${this.port}/ws/${protocol.name}`);
    url.searchParams.set("account", `bot-${this.number}`);
    if (this.#room !== undefined) url.searchParams.set("room", String(this.#room));
    const transport = await connectWebSocket(url);
    const place = this.#room === undefined ? {} : { room: this.#room };
    const bot = protocol.bots.create({
      dialect,
      random: createRandom(plan.seed + this.number),
      number: this.number,
      cheat: "none",
      ...place,
    });
    const run = runBot({
      protocol,
      dialect,
      transport: heardBy(transport, () => this.heard()),
      bot,
      clock: systemClock,
      onClosed: (reason) => this.ended(reason),
    });
    this.#stop = () => run.stop();
    this.#sent = () => run.counts.messagesOut;
  }

  /** Of this connection. */
  get sent(): number {
    return this.#sent();
  }

  stop(): void {
    this.#stop();
  }
}

/** Writes and reads moves of the documented dialect by hand: keys whose x counts up. */
class RawClient extends LoadClient {
  readonly #room: number;
  #socket: WebSocket | undefined;
  #x = 400;
  readonly #seen = new Map<number, number>();
  sent = 0;
  keys = 0;
  missing = 0;
  repeated = 0;

  constructor(number: number) {
    super("raw", number);
    // No two processes share rooms: numbers of one are 10,000 apart.
    this.#room = RAW_ROOM + Math.floor(plan.first / 10_000) * 100 + ((number - plan.first) % RAW_ROOMS);
  }

  protected open(): Promise<void> {
    const socket = new WebSocket(
      `ws://127.0.0.1:${this.port}/ws/slime-online-2?account=raw-${this.number}&room=${this.#room}`,
    );
    socket.binaryType = "arraybuffer";
    return new Promise((resolve, reject) => {
      socket.onopen = () => {
        this.#socket = socket;
        this.#seen.clear();
        resolve();
      };
      socket.onerror = () => reject(new Error("refused"));
      socket.onmessage = ({ data }) => this.#take(Buffer.from(data as ArrayBuffer));
      socket.onclose = ({ code, reason }) => {
        if (this.#socket === socket) this.ended(`${code} ${reason}`);
      };
    });
  }

  step(): void {
    if (!this.isConnected || this.#socket?.readyState !== WebSocket.OPEN) return;
    const bytes = Buffer.alloc(7);
    bytes.writeUInt16LE(0x0800, 0);
    // Right pressed and let go in turn: a key that is pressed twice is not sent on.
    bytes.writeUInt8(this.#x % 2 === 0 ? 2 : 6, 2);
    bytes.writeUInt16LE(this.#x, 3);
    bytes.writeUInt16LE(160, 5);
    this.#x += 1;
    this.#socket.send(bytes);
    this.sent += 1;
  }

  override reset(): void {
    super.reset();
    // A client that joins receives the last key of each player, and has missed keys before.
    this.missing = 0;
    this.repeated = 0;
    this.keys = 0;
  }

  stop(): void {
    this.#socket?.close();
  }

  #take(bytes: Buffer): void {
    this.heard();
    if (bytes.length !== 9 || bytes.readUInt16LE(0) !== 0x0800) return;
    const [id, x] = [bytes.readUInt16LE(2), bytes.readUInt16LE(5)];
    this.keys += 1;
    const last = this.#seen.get(id);
    if (last !== undefined && x > last + 1) this.missing += x - last - 1;
    if (last !== undefined && x <= last) this.repeated += 1;
    this.#seen.set(id, x);
  }
}

let isStopping = false;
let number = plan.first;
const raws = Array.from({ length: plan.raw }, () => new RawClient(number++));
const bots = Object.entries(plan.bots).flatMap(([game, count]) =>
  Array.from({ length: count }, (_, index) => {
    return new BotClient(protocols[game as keyof typeof protocols] as PlayableProtocol, number++, index);
  }),
);
const clients: readonly (RawClient | BotClient)[] = [...raws, ...bots];

const TURNS = 20;
let turn = 0;
// Spread over a step.
setInterval(() => {
  // In turn, so that in each room somebody moves at each moment.
  for (const [index, raw] of raws.entries()) if (Math.floor(index / RAW_ROOMS) % TURNS === turn % TURNS) raw.step();
  turn += 1;
}, plan.stepMs / TURNS);

process.on("message", ({ ask }: LoadRequest) => {
  if (ask === "reset") for (const each of clients) each.reset();
  else if (ask === "report") process.send?.(report());
  else {
    isStopping = true;
    for (const each of clients) each.stop();
    setTimeout(() => process.exit(), 500);
  }
});
process.on("disconnect", () => process.exit());

const waiting = [...clients];
await Promise.all(
  Array.from({ length: OPENING_AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.start();
  }),
);
process.send?.(report());

function report(): LoadReport {
  const sum = (of: (each: RawClient) => number): number => raws.reduce((all, each) => all + of(each), 0);
  const pausesMs: Record<string, number[]> = {};
  const reasons: Record<string, number> = {};
  for (const each of clients) {
    if (each.moves === 0) pausesMs[each.game] = [...(pausesMs[each.game] ?? []), Math.round(each.pauseMs())];
    for (const reason of each.reasons) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return {
    clients: clients.length,
    connected: clients.filter(({ isConnected }) => isConnected).length,
    moved: clients.reduce((all, { moves }) => all + moves, 0),
    lost: clients.filter(({ isLost }) => isLost).length,
    pausesMs,
    sent: clients.reduce((all, { sent }) => all + sent, 0),
    movesMs: clients.flatMap(({ movesMs }) => movesMs.map(Math.round)),
    keys: sum(({ keys }) => keys),
    missing: sum(({ missing }) => missing),
    repeated: sum(({ repeated }) => repeated),
    reasons,
  };
}

/** The same transport; `heard` is called before bytes are given on. */
function heardBy(transport: Transport, heard: () => void): Transport {
  return {
    carrier: transport.carrier,
    get queuedBytes() {
      return transport.queuedBytes;
    },
    listen: (events) =>
      transport.listen({
        bytes: (bytes) => {
          heard();
          events.bytes(bytes);
        },
        closed: (reason) => events.closed(reason),
      }),
    send: (bytes) => transport.send(bytes),
    close: (reason) => transport.close(reason),
  };
}
