/** Where the messages of the game hold names, chat and looks. Capability `privacy`. */
import type { WireMessage } from "../codec.ts";
import { type Privacy, ruleScrubber, type ScrubRules, type ScrubSetup } from "../privacy.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./wire/codec.ts";

type ValueOf<M extends WireMessage, N extends string> = Extract<M, { readonly message: N }>["value"];

/** What a player without clothes looks like. */
const plainLook = { body: 0, accessory1: 0, accessory2: 0 } as const;

function rulesFor({ whose, pseudonyms }: ScrubSetup): ScrubRules {
  return {
    client: {
      movePlayer: "keep",
      newPlayer: "keep",
      logout: "keep",
      ping: "keep",
      warp: "keep",
      playerStop: "keep",
      // A password and the address of a network card are nobody's business: they are replaced for the observer too.
      login: ({ version, user }: ValueOf<SlimeClientMessage, "login">) => {
        return { version, user: whose === "all" ? pseudonyms.of(user) : user, password: "", mac: "" };
      },
      chat: () => ({ text: "" }),
    },
    server: {
      movePlayer: "keep",
      logout: "keep",
      ping: "keep",
      warp: "keep",
      position: "keep",
      playerStop: "keep",
      login: (value: ValueOf<SlimeServerMessage, "login">) => {
        if (whose === "others" || value.result !== "success") return value;
        return { ...value, ...plainLook, motd: "", name: pseudonyms.of(value.name) };
      },
      newPlayer: (value: ValueOf<SlimeServerMessage, "newPlayer">) => {
        return { ...value, ...plainLook, name: pseudonyms.of(value.name) };
      },
      chat: ({ playerId }: ValueOf<SlimeServerMessage, "chat">) => ({ playerId, text: "" }),
    },
  };
}

export const slimePrivacy: Privacy = {
  openScrubber: (setup) => ruleScrubber({ codec: slimeCodec(setup.dialect), rules: rulesFor(setup) }),
};
