/** The messages of the game hold places, keys and numbers of characters: no names, chat or looks. Capability `privacy`. */
import type { PayloadCodec } from "../codec.ts";
import { type Privacy, ruleScrubber, type ScrubRules } from "../privacy.ts";

const rules: ScrubRules = {
  client: { playerMovement: "keep", hello: "keep", use: "keep" },
  server: { unreliableUpdate: "keep", playing: "keep", left: "keep" },
};

/** `codec`: of the game with its settings. */
export function scrapPrivacy(codec: (dialect: string) => PayloadCodec): Privacy {
  return { openScrubber: ({ dialect }) => ruleScrubber({ codec: codec(dialect), rules }) };
}
