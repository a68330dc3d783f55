/**
 * Where the messages of the game hold names, chat and looks. Capability `privacy`. Chat, parties, guilds and most others are not described
 * here: their bodies become zeros.
 */
import { type Privacy, ruleScrubber, type ScrubRules, type ScrubSetup } from "../privacy.ts";
import { mapleCodec } from "./wire/codec.ts";
import { plainPlayer } from "./wire/messages.ts";

/** Values of the dialects, as far as they are replaced. */
interface ShowPlayer {
  readonly characterId: number;
  readonly name?: string;
  readonly gender?: number;
  readonly x?: number;
  readonly y?: number;
  readonly state?: number;
  readonly look?: Uint8Array;
}
interface ChangeMap {
  readonly target: { readonly content: string; readonly data?: Uint8Array };
}
interface LoggedIn {
  readonly rest?: Uint8Array;
}

/** Bytes that are not described: what is in them is not known. */
function zeros({ length }: Uint8Array): Uint8Array {
  return new Uint8Array(length);
}

function rulesFor({ pseudonyms }: ScrubSetup): ScrubRules {
  const moves = { movePlayer: "keep", movePet: "keep", moveSummon: "keep", moveDragon: "keep" } as const;
  return {
    client: {
      ...moves,
      moveLife: "keep",
      pong: "keep",
      aggro: "keep",
      playerLoggedIn: (value: LoggedIn) => {
        return value.rest === undefined ? value : { ...value, rest: zeros(value.rest) };
      },
    },
    server: {
      ...moves,
      moveMonster: "keep",
      moveMonsterResponse: "keep",
      ping: "keep",
      removePlayer: "keep",
      showMonster: "keep",
      removeMonster: "keep",
      controlMonster: "keep",
      // The whole character of the observer has names of others too: of a couple's partner, of the makers of its items.
      changeMap: (value: ChangeMap) => {
        const { target } = value;
        return target.data === undefined ? value : { ...value, target: { ...target, data: zeros(target.data) } };
      },
      showPlayer: ({ look, ...value }: ShowPlayer) => {
        if (look !== undefined) return { ...value, look: zeros(look) };
        const { characterId, name = "", gender = 0, x = 0, y = 0, state = 0 } = value;
        return { ...plainPlayer({ characterId, name: pseudonyms.of(name), x, y, state }), gender };
      },
    },
  };
}

export const maplePrivacy: Privacy = {
  openScrubber: (setup) => ruleScrubber({ codec: mapleCodec(setup.dialect), rules: rulesFor(setup) }),
};
