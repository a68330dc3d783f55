/**
 * A player made of code: it moves its mouse as a hand does, and reads all that it is told of players. A packet that does not
 * fit what came before it is thrown as a `PlayerInfoError`: where it runs, that ends its session.
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

/** What a bot may be limited to. */
const MOUSE = "mouse";
const PLAYER_INFO = "player-info";

/** With part `mouse` it is deaf, with part `player-info` its mouse rests. */
export class OsrsBot implements Bot<MouseMoveMessage, PlayerInfoServerMessage> {
  readonly stepMs: number;
  readonly #mouse: MouseBot;
  readonly #moves: boolean;
  readonly #client: PlayerInfoClient | undefined;

  /** Throws `RangeError`, for an unknown cheat once it is started. */
  constructor(options: BotOptions, revision: MaskRevision) {
    const { dialect, part } = options;
    this.#mouse = new MouseBot(options);
    this.stepMs = this.#mouse.stepMs;
    this.#moves = part !== PLAYER_INFO;
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
    return this.#moves ? this.#mouse.step(nowMs) : [];
  }
}
