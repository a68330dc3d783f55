/**
 * **Honest players** that play on the attacked server: whether they are disconnected, delayed or banned meanwhile. `honest-thread.ts`
 * runs them in a thread of their own: an attack that opens thousands of connections keeps its own event loop busy for longer
 * than what is measured here.
 */
import { type BotRun, runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, systemClock, type Transport } from "wirewalk/net";
import { RunningTime } from "./running-time.ts";
import { type AttackedProtocol, hostAndPort, type WebAddress } from "./target.ts";

/** Each sees how the other moves. */
export const HONEST_GAME = "maplestory";
const MOVE = "movePlayer";
const CHANGE = "changeMap";

/** Opcode and character id of a relayed move. The path that follows is relayed byte for byte. */
const NOTICE_HEAD = 6;

/** Half a minute of moves. */
const KEPT_MOVES = 100;

interface Sent {
  readonly payload: Buffer;
  readonly atMs: number;
}

/** A delivery that is later than this was delayed by the attack. A game of half-second steps shows it as a jump. */
export const MAX_DELAY_MS = 1_000;

/** What they noticed. */
export interface Noticed {
  readonly isFine: boolean;
  readonly text: string;
}

/** Two players of one map of {@link HONEST_GAME}, over WebSocket. */
export class HonestPlayers {
  readonly #address: WebAddress;
  /** Delays are measured in it: what this thread was not there to read is not late. */
  readonly #time = new RunningTime();
  readonly #runs: BotRun[] = [];
  readonly #delaysMs: number[] = [];
  readonly #ends: string[] = [];
  /** Maps that they were sent to: places for players are known, so that they pass through portals. */
  #changes = 0;

  private constructor(address: WebAddress) {
    this.#address = address;
  }

  static async start(address: WebAddress, protocol: AttackedProtocol, dialect: string): Promise<HonestPlayers> {
    const players = new HonestPlayers(address);
    players.#time.start();
    const room = protocol.bots.rooms?.at(-1) ?? 1;
    // Each player's moves that have not reached the other.
    const sent: Sent[][] = [[], []];
    for (const number of [0, 1]) {
      const url = new URL(`ws://${hostAndPort(address)}/ws/${protocol.name}`);
      url.searchParams.set("account", `honest-${number}`);
      url.searchParams.set("room", String(room));
      const transport = await connectWebSocket(url);
      const codec = protocol.codec(dialect);
      const run = runBot({
        protocol,
        dialect,
        transport: noting(transport, (payload) => {
          if (!isMove(codec, payload) || players.#runs.length < 2) return;
          const moves = sent[number] ?? [];
          moves.push({ payload: Buffer.from(payload), atMs: players.#time.now() });
          // What the other has not seen by now it will not see: it may be on another map.
          if (moves.length > KEPT_MOVES) moves.shift();
        }),
        bot: protocol.bots.create({
          dialect,
          random: createRandom(71 + number),
          number: 90_000 + number,
          cheat: "none",
          room,
        }),
        clock: systemClock,
        onMessage(message, payload) {
          if (message.message === CHANGE) players.#changes += 1;
          if (message.message !== MOVE) return;
          const path = Buffer.from(payload.subarray(NOTICE_HEAD));
          const moves = sent[1 - number] ?? [];
          const index = moves.findIndex(({ payload: move }) => move.includes(path));
          const move = moves[index];
          if (move === undefined) return;
          players.#delaysMs.push(players.#time.now() - move.atMs);
          moves.splice(0, index + 1);
        },
        onClosed: (reason) => players.#ends.push(reason),
      });
      players.#runs.push(run);
    }
    return players;
  }

  /** Waits until they have seen each other move this often since the last call of `notice`. */
  async play(moves: number, withinMs: number): Promise<void> {
    const endMs = performance.now() + withinMs;
    while (this.#delaysMs.length < moves && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** What they noticed since the last call. */
  notice(maxDelayMs = MAX_DELAY_MS): Noticed {
    const delays = this.#delaysMs.splice(0).sort((a, b) => a - b);
    if (this.#ends.length > 0) return { isFine: false, text: `disconnected: ${this.#ends.join(", ")}` };
    const worst = delays.at(-1);
    // Both were sent to their first map.
    if (worst === undefined && this.#changes > this.#runs.length) return { isFine: true, text: "apart on two maps" };
    if (worst === undefined) return { isFine: false, text: "no move arrived" };
    const at = (share: number): number => Math.round(delays[Math.ceil(share * delays.length) - 1] ?? worst);
    return {
      isFine: at(0.99) <= maxDelayMs,
      text: `${delays.length} moves, median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    };
  }

  /** The ban that the server names for this address in a game; undefined without one. */
  async ban(): Promise<string | undefined> {
    try {
      const url = `http://${hostAndPort(this.#address)}/ban?protocol=${HONEST_GAME}`;
      const answer = await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).json();
      const text = (answer as { readonly ban?: { readonly text?: unknown } | null }).ban?.text;
      return typeof text === "string" ? text : undefined;
    } catch {
      return undefined;
    }
  }

  stop(): void {
    this.#ends.length = 0;
    for (const run of this.#runs.splice(0)) run.stop();
  }
}

function isMove(
  codec: { read(sender: "client", payload: Uint8Array): { readonly message: string } },
  payload: Uint8Array,
): boolean {
  try {
    return codec.read("client", payload).message === MOVE;
  } catch {
    // A greeting is not a message.
    return false;
  }
}

function noting(transport: Transport, onSent: (payload: Uint8Array) => void): Transport {
  return {
    carrier: transport.carrier,
    get queuedBytes() {
      return transport.queuedBytes;
    },
    listen: (events) => transport.listen(events),
    send(bytes) {
      onSent(bytes);
      transport.send(bytes);
    },
    close: (reason) => transport.close(reason),
  };
}
