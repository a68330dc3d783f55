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

/** The fake protocol without some of its members. */
export function fakeWithout(...members: readonly PlayMember[]): Protocol {
  const kept = Object.entries(fakeProtocol).filter(([name]) => !members.some((member) => member === name));
  return Object.fromEntries(kept) as unknown as Protocol;
}
