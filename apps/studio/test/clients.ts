/** Others in the rooms for the tests of the page: bots, honest and not, and a plain TCP client. */
import { connect } from "node:net";
import { type BotRun, runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { type Clock, connectWebSocket, systemClock } from "wirewalk/net";
import { defaultDialect, type PlayableProtocol, type WireMessage, type WorldMaps } from "wirewalk/protocol";

export interface BotOf<C extends WireMessage, S extends WireMessage> {
  readonly protocol: PlayableProtocol<C, S>;
  /** Default: the protocol's default. */
  readonly dialect?: string;
  readonly origin: string;
  /** Default: the one that has the name of the game. */
  readonly world?: string;
  readonly room: string;
  readonly number: number;
  readonly cheat?: string;
  /** The maps that it plays in. Default: those of the demo. */
  readonly maps?: WorldMaps;
  /** The machine's own when not given. */
  readonly clock?: Clock;
}

/** The machine's clock, so many times as fast. */
export function fasterClock(times: number): Clock {
  return {
    now: () => systemClock.now() * times,
    after: (delayMs, call) => systemClock.after(delayMs / times, call),
    every: (periodMs, call) => systemClock.every(periodMs / times, call),
  };
}

/** A bot over WebSocket, which can name its room and itself: `bot 3`, `teleport 3`. */
export async function startBot<C extends WireMessage, S extends WireMessage>(bot: BotOf<C, S>): Promise<BotRun> {
  const { protocol, origin, room, number, cheat = "none", maps, clock = systemClock } = bot;
  const account = cheat === "none" ? `bot ${number}` : `${cheat} ${number}`;
  const place = new URLSearchParams({ room, account });
  const { world = protocol.name } = bot;
  const transport = await connectWebSocket(`${origin.replace("http", "ws")}/ws/${world}?${place}`);
  const { dialect = defaultDialect(protocol) } = bot;
  const numbered = Number.isNaN(Number(room)) ? {} : { room: Number(room) };
  const options = { dialect, random: createRandom(number), number, cheat, ...numbered, ...(maps && { maps }) };
  return runBot({ protocol, dialect, transport, bot: protocol.bots.create(options), clock });
}

/** Bytes out, bytes in, over TCP, where the world decides on the room. */
export class PlainTcp {
  readonly #socket;
  #received = "";

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("hex");
    this.#socket.on("data", (text: string) => {
      this.#received += text;
    });
    // A reset at the end of a test is no news.
    this.#socket.on("error", () => {});
  }

  /** All that came so far, as hex digits. */
  get received(): string {
    return this.#received;
  }

  send(hex: string): void {
    this.#socket.write(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  }

  close(): void {
    this.#socket.destroy();
  }
}
