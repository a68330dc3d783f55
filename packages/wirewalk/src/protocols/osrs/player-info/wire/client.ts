/**
 * One client of player info: it takes the server's messages in their order and knows the players around it.
 *
 * ```ts
 * const world = new PlayerInfoWorld({ dialect: "client", seed: 1, demo: true });
 * const client = new PlayerInfoClient({ dialect: "client" });
 * world.join(7, { account: "a", name: "a" }, 0);
 * world.tick(600);
 * for (const effect of world.takeEffects()) if (effect.effect === "send") client.receive(effect.message);
 * client.decoder.locals; // => new Uint16Array([1])
 * ```
 */
import type { OsrsServerMessage } from "../../wire/message.ts";
import { PlayerInfoDecoder, type PlayerInfoDecoderOptions } from "./decoder.ts";
import { PlayerInfoError } from "./player-info-error.ts";
import type { PlayerInfoUpdate } from "./player-info-update.ts";

/**
 * Strict: refuses packets that do not fit the state after the packets so far.
 *
 * It has one state, whatever world is active. `setActiveWorld` says which world zones and NPCs are about; player info is about all players
 * of a session. In a public recording of revision 223 each of 4,819 ticks has two active worlds and one packet of player info, always
 * while the ground is active, and one state reads them all. The public server blurite/rsprot had a state for each world up to 224 and
 * no trace of it from 235 on.
 */
export class PlayerInfoClient {
  readonly decoder: PlayerInfoDecoder;
  /** Packets since the last initialisation. */
  packets = 0;
  #index: number | undefined;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: PlayerInfoDecoderOptions) {
    this.decoder = new PlayerInfoDecoder(options);
  }

  /**
   * The update of a packet; undefined for other messages. Messages that are not about players are ignored. Throws
   * {@link PlayerInfoError}: then nothing has changed.
   */
  receive(message: OsrsServerMessage): PlayerInfoUpdate | undefined {
    switch (message.message) {
      case "playerIndex":
        this.#index = message.value.index;
        return undefined;
      case "playerInfoInit":
        this.#init(message.value.bytes);
        return undefined;
      case "rebuildNormal":
        if (message.value.init !== undefined) this.#init(message.value.init);
        return undefined;
      case "playerInfo": {
        const update = this.decoder.decode(message.value.bytes);
        this.packets += 1;
        return update;
      }
      default:
        return undefined;
    }
  }

  #init(bytes: Uint8Array): void {
    if (this.#index === undefined) {
      const why = "Cannot read initialisation: no index came before it";
      throw new PlayerInfoError("bad-state", why, 0, { pass: 0 });
    }
    this.decoder.init(bytes, this.#index);
    this.packets = 0;
  }
}
