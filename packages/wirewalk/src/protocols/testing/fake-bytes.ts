/** Games that lack members, for tests. */
import type { PlayMember, Protocol } from "../protocol.ts";
import { fakeCodec, fakeDialects } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";

/** A game of bytes only: names, dialects and a codec, here that of the fake protocol. */
export const bytesGame: Protocol = {
  name: "bytes",
  title: "Bytes",
  summary: "For tests, without anything to play.",
  dialects: fakeDialects,
  codec: fakeCodec,
};

/** The fake protocol without some of its members, also when its setting is set. */
export function fakeWithout(...members: readonly PlayMember[]): Protocol {
  return without(fakeProtocol as Protocol, members);
}

function without(game: Protocol, members: readonly PlayMember[]): Protocol {
  const kept = Object.entries(game).filter(([name]) => !members.some((member) => member === name));
  const settings = game.capabilities?.settings;
  const capabilities = settings && {
    ...game.capabilities,
    settings: {
      ...settings,
      configure: (values: Readonly<Record<string, number>>) => without(settings.configure(values), members),
    },
  };
  return { ...(Object.fromEntries(kept) as unknown as Protocol), ...(capabilities && { capabilities }) };
}
