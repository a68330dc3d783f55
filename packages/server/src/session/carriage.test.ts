import { expect, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import type { Channel, PlayableProtocol } from "wirewalk/protocol";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { carriageOf, carried } from "./carriage.ts";
import type { LinkKind } from "./links.ts";

const games: readonly (readonly [name: string, protocol: PlayableProtocol, dialect: string])[] = [
  ["shared frames", fakeProtocol as unknown as PlayableProtocol, "plain"],
  ["frames for one peer", fakeProtocol as unknown as PlayableProtocol, "private"],
  ["frames that are sealed", mapleStory as unknown as PlayableProtocol, "v62"],
];
const payloads = [5, 40, 64, 65, 300].map((length) => new Uint8Array(length).fill(length));

function open(protocol: PlayableProtocol, dialect: string, kind: LinkKind): Channel {
  return protocol.openChannel({ side: "server", dialect, carrier: kind === "tcp" ? "stream" : "message" });
}

test.each(games.flatMap((game) => (["tcp", "websocket"] as const).map((kind) => [...game, kind] as const)))(
  "%s: every session is sent what its own channel would frame (%s, %s, %s)",
  (_name, protocol, dialect, kind) => {
    const carriage = carriageOf(protocol, dialect, kind);
    const sessions = [0, 1, 2].map(() => ({
      sealed: open(protocol, dialect, kind),
      framed: open(protocol, dialect, kind),
    }));
    // The second has been sent something before.
    const first = carriage.framing.frame(Uint8Array.of(1));
    carriage.finish(sessions[1]?.sealed as Channel, first, false);
    sessions[1]?.framed.frame(Uint8Array.of(1));
    const log = Uint8Array.from(payloads.flatMap((payload) => [...carriage.framing.frame(payload)]));
    for (const isBehind of [false, true]) {
      for (const { sealed, framed } of sessions) {
        const expected = payloads.flatMap((payload) => [...carried(kind, framed.frame(payload))]);
        expect([...carriage.finish(sealed, log, isBehind)]).toEqual(expected);
      }
    }
  },
);

test("sealing uses its memory again, until a socket keeps it; a socket that is behind gets memory of just that length", () => {
  const carriage = carriageOf(mapleStory as unknown as PlayableProtocol, "v62", "tcp");
  const channel = open(mapleStory as unknown as PlayableProtocol, "v62", "tcp");
  const prepared = carriage.framing.frame(new Uint8Array(30));
  const memory = (isBehind = false): Uint8Array => carriage.finish(channel, prepared, isBehind);
  const first = memory();
  expect([memory().buffer, memory().byteOffset]).toEqual([first.buffer, first.byteOffset]);
  const own = memory(true);
  expect(own.buffer.byteLength).toBe(34);
  carriage.keep();
  expect(memory().byteOffset).toBe(first.byteOffset);
  // More than one buffer's worth: no write reaches what a socket keeps.
  const kept = Array.from({ length: 1000 }, () => {
    const bytes = memory();
    carriage.keep();
    return { bytes, copy: [...bytes] };
  });
  memory();
  for (const { bytes, copy } of kept) expect([...bytes]).toEqual(copy);
});
