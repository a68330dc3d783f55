import { describe, expect, test } from "vitest";
import type { Effect, PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { fakeProtocol } from "../../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import type { LinkKind } from "../../session/links.ts";
import { DeliveryCheck, type SentMessage } from "./delivery-check.ts";
import { FrameReader } from "./frame-reader.ts";

/** A world that says numbers to player 1, the frames of a server's connection, and what a reader makes of them. */
function setUp(protocol: PlayableProtocol, dialect: string, kind: LinkKind, say: (number: number) => object) {
  const check = new DeliveryCheck(() => false);
  const codec = check.watch(protocol.codec(dialect));
  const carrier = kind === "tcp" ? "stream" : "message";
  const channel = protocol.openChannel({ side: "server", dialect, carrier });
  const arrived: SentMessage[] = [];
  const greetings: Uint8Array[] = [];
  const reader = new FrameReader({
    protocol,
    dialect,
    kind,
    expected: () => check.of(1),
    greeted: (greeting) => void greetings.push(greeting),
    arrived: (sent) => void arrived.push(sent),
  });
  /** The frames of these messages, as the server writes them. */
  const frames = (...numbers: readonly number[]): Uint8Array[] => {
    const effects = numbers.map((number) => ({ effect: "send", to: 1, message: say(number) }) as unknown as Effect);
    check.taken(effects);
    return effects.map((effect) => {
      const payload = codec.write("server", (effect as Extract<Effect, { effect: "send" }>).message);
      const frame = channel.frame(payload);
      return kind === "tcp" ? frame : Uint8Array.of(0x82, frame.length, ...frame);
    });
  };
  return { check, reader, frames, arrived, greetings, greeting: channel.handshake?.greeting };
}

const counted = (number: number): object => ({ message: "counted", value: { number } });
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

describe.each(["tcp", "websocket"] as const)("frames of what the world sent, over %s", (kind) => {
  test("are taken in order, split anywhere", () => {
    const { reader, frames, arrived } = setUp(fakeProtocol, "plain", kind, counted);
    const bytes = joined(...frames(1, 2, 3));
    for (const byte of bytes) expect(reader.read(Uint8Array.of(byte))).toBeUndefined();
    expect(arrived.map(({ message }) => message)).toEqual([1, 2, 3].map(counted));
  });

  test("are not taken with a byte changed: the rest is given back from the start of its frame", () => {
    const { reader, frames, arrived } = setUp(fakeProtocol, "plain", kind, counted);
    const [one, two] = frames(1, 2) as [Uint8Array, Uint8Array];
    for (let at = 0; at < two.length; at += 1) {
      const wrong = two.slice();
      wrong[at] = (wrong[at] as number) ^ 1;
      const { reader: other, frames: again } = setUp(fakeProtocol, "plain", kind, counted);
      again(1, 2);
      expect(other.read(joined(one, wrong.subarray(0, at)))).toBeUndefined();
      expect([...(other.read(wrong.subarray(at)) ?? [])]).toEqual([...wrong]);
    }
    expect(reader.read(joined(one, two))).toBeUndefined();
    expect(arrived).toHaveLength(2);
  });

  test("are not taken out of turn, or when one is missing", () => {
    const { reader, frames, arrived } = setUp(fakeProtocol, "plain", kind, counted);
    const [, two] = frames(1, 2) as [Uint8Array, Uint8Array];
    expect([...(reader.read(two) ?? [])]).toEqual([...two]);
    expect(arrived).toEqual([]);
  });

  test("may be missing while the player was behind, and not after that", () => {
    const { check, reader, frames, arrived } = setUp(fakeProtocol, "plain", kind, counted);
    const early = frames(1, 2, 3);
    check.refreshed(1);
    const late = frames(4, 5);
    expect(reader.read(early[2] as Uint8Array)).toBeUndefined();
    expect(check.of(1).leftOut).toBe(2);
    expect(reader.read(late[1] as Uint8Array)).toEqual(late[1]);
    expect(arrived.map(({ message }) => message)).toEqual([counted(3)]);
  });
});

describe("frames for one peer alone", () => {
  const maple = protocols.maplestory as PlayableProtocol;
  const ping = (): object => ({ message: "ping", value: {} });
  const remove = (number: number): object => ({ message: "removePlayer", value: { characterId: number } });

  test("follow a greeting, and are compared under their cipher", () => {
    const { reader, frames, arrived, greeting, greetings } = setUp(maple, "v62", "tcp", (number) =>
      number === 0 ? ping() : remove(number),
    );
    const bytes = joined(greeting as Uint8Array, ...frames(1, 0, 2));
    expect(reader.isStateless).toBe(false);
    expect(reader.read(bytes)).toBeUndefined();
    expect(greetings).toEqual([greeting]);
    expect(arrived.map(({ message }) => message)).toEqual([remove(1), ping(), remove(2)]);
  });

  test("are found after those that were left out: the cipher goes on where the server's does", () => {
    const { check, reader, frames, arrived, greeting } = setUp(maple, "v62", "tcp", remove);
    const server = maple.openChannel({ side: "server", dialect: "v62", carrier: "stream" });
    frames(1, 2, 3);
    check.refreshed(1);
    frames(4);
    const sent = [2, 3, 4].map((number) => server.write(remove(number) as never));
    expect(reader.read(joined(greeting as Uint8Array))).toBeUndefined();
    for (const frame of sent) expect(reader.read(frame)).toBeUndefined();
    expect(arrived.map(({ message }) => message)).toEqual([2, 3, 4].map(remove));
  });

  test("are refused when the cipher is at another place", () => {
    const { reader, frames, greeting } = setUp(maple, "v62", "tcp", remove);
    const [, two] = frames(1, 1) as [Uint8Array, Uint8Array];
    expect(reader.read(joined(greeting as Uint8Array, two))).toBeDefined();
  });
});
