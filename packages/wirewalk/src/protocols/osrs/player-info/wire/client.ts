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
import { PlayerInfoDecoder, type PlayerInfoDecoderOptions } from "./decoder.ts";
import type { PlayerInfoServerMessage } from "./message.ts";
import { PlayerInfoError } from "./player-info-error.ts";
import type { PlayerInfoUpdate } from "./player-info-update.ts";

/** Strict: refuses packets that do not fit the state after the packets so far. */
export class PlayerInfoClient {
  readonly decoder: PlayerInfoDecoder;
  /** Packets since the last initialisation. */
  packets = 0;
  #index: number | undefined;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: PlayerInfoDecoderOptions) {
    this.decoder = new PlayerInfoDecoder(options);
  }

  /** The update of a packet; undefined for the other messages. Throws {@link PlayerInfoError}: then nothing has changed. */
  receive(message: PlayerInfoServerMessage): PlayerInfoUpdate | undefined {
    switch (message.message) {
      case "playerIndex":
        this.#index = message.value.index;
        return undefined;
      case "playerInfoInit":
        if (this.#index === undefined) {
          const why = "Cannot read initialisation: no index came before it";
          throw new PlayerInfoError("bad-state", why, 0, { pass: 0 });
        }
        this.decoder.init(message.value.bytes, this.#index);
        this.packets = 0;
        return undefined;
      case "playerInfo": {
        const update = this.decoder.decode(message.value.bytes);
        this.packets += 1;
        return update;
      }
    }
  }
}
