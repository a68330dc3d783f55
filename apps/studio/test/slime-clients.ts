/** Others in the rooms of Slime Online 2 for the tests of the page: honest bots, cheats, and a plain TCP client. */
import { connect } from "node:net";
import { type BotRun, runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, systemClock } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";

export interface BotOf {
  readonly origin: string;
  readonly room: number;
  readonly number: number;
  readonly cheat?: string;
}

/** A bot over WebSocket, which can name its room and itself. */
export async function startBot({ origin, room, number, cheat = "none" }: BotOf): Promise<BotRun> {
  const account = cheat === "none" ? `bot ${number}` : `${cheat} ${number}`;
  const url = `${origin.replace("http", "ws")}/ws/slime-online-2?room=${room}&account=${encodeURIComponent(account)}`;
  const transport = await connectWebSocket(url);
  const options = { dialect: "documented", random: createRandom(number), number, cheat, room };
  return runBot({
    protocol: slimeOnline2,
    dialect: "documented",
    transport,
    bot: slimeOnline2.createBot(options),
    clock: systemClock,
  });
}

/** Bytes out, bytes in, over TCP. Over TCP everybody is in room 1. */
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
