/**
 * A login as real servers of MapleStory answer it: the first changeMap carries the whole character and no map that is read. The other
 * end of the relay is a server of this file alone.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type MapleClientMessage, mapleHello, mapleStory, openMapleChannel } from "wirewalk/maplestory";
import { Character } from "wirewalk/maplestory/movement";
import type { Verdict } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import type { Channel, PlayableProtocol } from "wirewalk/protocol";
import { encode, type JsonObject, parseHex, sized, u16le } from "wirewalk/wire";
import { startRelay } from "./relay.ts";
import type { RelayEvent } from "./relay-events.ts";
import { closeRelays, reachedBy } from "./testing/relay-time.ts";
import { town } from "./testing/town.ts";

const dialects = ["v62", "v83", "v95"] as const;
type Dialect = (typeof dialects)[number];

const entering = (dialect: Dialect): JsonObject => ({
  message: "playerLoggedIn",
  value: { characterId: 77, ...(dialect === "v62" ? { reserved: 0 } : { rest: "" }) },
});

/** SET_FIELD. The character's data is made up. */
function changeMap(dialect: Dialect, fieldKey: number, content: "character" | "map"): JsonObject {
  const seeds = dialect === "v62" ? {} : { notices: 0, seeds: [1, 2, 3] };
  const revive = dialect === "v62" ? {} : { revive: 0 };
  const at = { notices: 0, ...revive, mapId: 100_000_000, spawnPoint: 0, hp: 50, chase: 0, time: "0" };
  const target =
    content === "map" ? { content, ...at } : { content, ...seeds, data: "ff".repeat(8) + "4d000000".repeat(60) };
  const head = dialect === "v95" ? { options: [], channel: 3, oldDriver: 0 } : { channel: 3 };
  return { message: "changeMap", value: { ...head, fieldKey, target } };
}

/** A client that plays by the rules, a server that says what the test wants, and the relay with its shadow world between them. */
async function openSession(dialect: Dialect) {
  const codec = mapleStory.codec(dialect);
  const hello = {
    version: Number(dialect.slice(1)),
    patch: "1",
    recvIv: parseHex("01020304"),
    sendIv: parseHex("a0b0c0d0"),
    locale: 8,
  };
  const open = (side: "client" | "server"): Channel =>
    openMapleChannel({ side: side as "client", dialect, carrier: "stream", hello, greeted: true }) as Channel;
  const [near, far] = [open("client"), open("server")];
  const accepted: Socket[] = [];
  const listener = createServer((socket) => {
    accepted.push(socket.on("error", () => {}));
    socket.resume();
    socket.write(encode(sized(u16le, mapleHello), hello));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const clock = new VirtualClock();
  const events: RelayEvent[] = [];
  const relay = await startRelay({
    protocol: mapleStory as PlayableProtocol,
    dialect,
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: (listener.address() as AddressInfo).port },
    clock,
    epochMs: () => clock.now(),
    onEvent: (event) => events.push(event),
    shadow: { seed: 1, demo: true },
  });
  const reached = reachedBy(clock);
  const client = connect(relay.address.port, "127.0.0.1").on("error", () => {});
  client.resume();
  onTestFinished(async () => {
    client.destroy();
    await closeRelays([relay], reached);
    for (const socket of accepted) socket.destroy();
    listener.close();
  });
  await reached("it is greeted", () => events.some(({ event }) => event === "unframed"));
  const read = (): number => events.filter(({ event }) => event === "message").length;
  /** Resolves when the relay has read the message. */
  const passed = async (write: () => void): Promise<void> => {
    const before = read();
    write();
    await reached("it is read", () => read() > before);
  };
  const send = (message: MapleClientMessage): Promise<void> => passed(() => client.write(near.write(message)));
  return {
    clock,
    send,
    fromClient: (json: JsonObject) => send(codec.fromJson("client", json) as MapleClientMessage),
    fromServer: (json: JsonObject) => passed(() => accepted[0]?.write(far.write(codec.fromJson("server", json)))),
    /** What was found since the last call, beside messages that are only late. */
    found(): readonly string[] {
      const verdicts = events.flatMap((event): Verdict[] => (event.event === "verdict" ? [event.verdict] : []));
      events.splice(0, events.length, ...events.filter(({ event }) => event !== "verdict"));
      expect(events.filter(({ event }) => event === "unjudged" || event === "unreadable" || event === "lost")).toEqual(
        [],
      );
      return verdicts.filter(({ kind }) => kind !== "benign").map(({ kind, rule }) => `${kind} ${rule}`);
    },
  };
}

type Session = Awaited<ReturnType<typeof openSession>>;

/** Plays so many seconds, and returns the paths that were sent. */
async function play({ clock, send }: Session, character: Character, seconds: number): Promise<MapleClientMessage[]> {
  const sent: MapleClientMessage[] = [];
  for (let step = 0; step * character.stepMs < seconds * 1000; step++) {
    clock.advanceBy(character.stepMs);
    const isJump = step % 60 > 50;
    const path = character.step(step % 120 < 60 ? { left: true, jump: isJump } : { right: true, jump: isJump });
    if (path === undefined) continue;
    sent.push(path);
    await send(path);
  }
  return sent;
}

const withKey = (path: MapleClientMessage | undefined, fieldKey: number): MapleClientMessage =>
  ({ ...path, value: { ...path?.value, fieldKey } }) as MapleClientMessage;

test.each(dialects.flatMap((dialect) => [9, 0].map((key) => [dialect, key] as const)))(
  "%s: honest moves with the key %i of a login are judged, and nothing is found in them",
  async (dialect, fieldKey) => {
    const session = await openSession(dialect);
    await session.fromClient(entering(dialect));
    await session.fromServer(changeMap(dialect, fieldKey, "character"));
    const character = new Character({ dialect, map: town, at: { x: 40, y: -700 }, fieldKey });
    const paths = await play(session, character, 6);
    expect(paths.length).toBeGreaterThan(8);
    expect(session.found()).toEqual([]);

    // A wrong key is found, also the one that the world itself would have given.
    for (const wrong of [fieldKey + 1, 255]) {
      session.clock.advanceBy(500);
      await session.send(withKey(paths.at(-1), wrong));
      expect(session.found()).toEqual(["reject field-key"]);
    }
    // Moves with the right key are judged.
    character.displace({ x: 2500, y: -700 });
    await play(session, character, 1);
    expect(session.found().join()).toMatch(/teleport|start/);
  },
);

test.each(dialects)(
  "%s: a real server's next maps all have key 0, and a path with the login's key is late",
  async (dialect) => {
    const session = await openSession(dialect);
    await session.fromClient(entering(dialect));
    await session.fromServer(changeMap(dialect, 1, "character"));
    const character = new Character({ dialect, map: town, at: { x: 40, y: -700 }, fieldKey: 1 });
    const paths = await play(session, character, 2);
    await session.fromServer(changeMap(dialect, 0, "map"));
    session.clock.advanceBy(100);
    // On its way when the server changed the map.
    await session.send(withKey(paths.at(-1), 1));
    expect(session.found()).toEqual([]);
    await session.send(withKey(paths.at(-1), 255));
    expect(session.found()).toEqual(["reject field-key"]);
    character.enter(town, { x: 40, y: -700 }, 0);
    await play(session, character, 2);
    expect(session.found()).toEqual([]);
  },
);
