/**
 * A bot: it moves its mouse as a hand does, and reads every packet of player info. For a packet that cannot be read in the
 * state of its client, `receive` throws `PlayerInfoError`, which ends its session.
 *
 * ```ts
 * const bot = new OsrsBot({ dialect: "client", random: createRandom(1), number: 0, cheat: "none" }, revision206);
 * bot.start(0); // => []
 * bot.receive({ message: "playerInfo", value: { bytes: new Uint8Array(4) } }, 600); // throws bad-state: Cannot read player info: no initialisation came before it at bit 0
 * ```
 */
import type { Bot, BotOptions } from "../../bot.ts";
import { MouseBot } from "../mouse/bots/bot.ts";
import type { MouseMoveMessage } from "../mouse/wire/message.ts";
import { PlayerInfoClient } from "../player-info/wire/client.ts";
import { playerInfoDialectIn } from "../player-info/wire/dialect.ts";
import type { MaskRevision } from "../player-info/wire/masks/mask-revision.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";

/** The parts that a bot may be limited to. */
const MOUSE = "mouse";
const PLAYER_INFO = "player-info";

/**
 * With part `mouse` it reads no player info. With part `player-info` its mouse rests after its first packet: a client that
 * sends nothing at all is disconnected by a server that wants a sign of it.
 */
export class OsrsBot implements Bot<MouseMoveMessage, PlayerInfoServerMessage> {
  readonly stepMs: number;
  readonly #mouse: MouseBot;
  readonly #rests: boolean;
  readonly #client: PlayerInfoClient | undefined;
  #sent = 0;

  /**
   * `hasTable`: the revision has a table of messages, in which the native client's mouse has an opcode of its own. Throws `RangeError`
   * for an unknown dialect. `start` throws it for an unknown cheat.
   */
  constructor(options: BotOptions, revision: MaskRevision, { hasTable = false }: { readonly hasTable?: boolean } = {}) {
    const { dialect, part } = options;
    this.#mouse = new MouseBot(options, hasTable && dialect === "native" ? "nativeMouseMove" : "mouseMove");
    this.stepMs = this.#mouse.stepMs;
    this.#rests = part === PLAYER_INFO;
    this.#client =
      part === MOUSE ? undefined : new PlayerInfoClient({ dialect: playerInfoDialectIn(dialect), revision });
  }

  start(nowMs: number): readonly MouseMoveMessage[] {
    return this.#mouse.start(nowMs);
  }

  receive(message: PlayerInfoServerMessage): readonly MouseMoveMessage[] {
    this.#client?.receive(message);
    return [];
  }

  step(nowMs: number): readonly MouseMoveMessage[] {
    if (this.#rests && this.#sent > 0) return [];
    const messages = this.#mouse.step(nowMs);
    this.#sent += messages.length;
    return this.#rests ? messages.slice(0, 1) : messages;
  }
}
