/**
 * The policy `drop` of a relay before our own servers, in the dialects with ciphers and compression: what a client sends, what the server
 * receives, and that both directions are still read after a message was held back.
 */
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "wirewalk/net";
import type { Channel, PlayableProtocol, ServedProtocol, WireMessage } from "wirewalk/protocol";
import { keySets, LEVEL_PITCH, scrapMechanic } from "wirewalk/scrap-mechanic";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import type { Policies } from "../bans/policies.ts";
import { type RelayEvent, startRelay, startServer } from "../index.ts";
import { until } from "../testing/clients.ts";
import { checkRelayPolicies } from "./relay-policies.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Of Scrap Mechanic, rounded up. */
const TICK_MS = 26;

/** A client with the channel of its game. */
class Client {
  readonly received: WireMessage[] = [];
  readonly problems: string[] = [];
  readonly #socket: Socket;
  readonly #channel: Channel;

  constructor(protocol: PlayableProtocol, dialect: string, port: number) {
    this.#channel = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true });
    this.#socket.on("error", () => {});
    this.#socket.on("data", (bytes) => {
      try {
        this.#channel.push(bytes);
        for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
          if (next.message !== undefined) this.received.push(next.message);
        }
      } catch (error) {
        this.problems.push(String(error));
      }
    });
    ends.push(() => this.#socket.destroy());
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(message: string, value: object): void {
    this.#socket.write(this.#channel.write({ message, value } as WireMessage));
  }

  of(name: string): readonly Readonly<Record<string, unknown>>[] {
    return this.received.filter(({ message }) => message === name).map(({ value }) => value as Record<string, unknown>);
  }
}

/** Our server, which only logs, behind a relay with policies. */
async function setUp(protocol: PlayableProtocol, dialect: string, policies: Policies) {
  /** What the server's world was given, by player. */
  const arrived: { readonly player: number; readonly message: WireMessage }[] = [];
  const watched: PlayableProtocol = {
    ...protocol,
    createWorld: (options) => {
      const world = protocol.createWorld(options);
      const receive = world.receive.bind(world);
      world.receive = (player, message, payload, nowMs) => {
        arrived.push({ player, message });
        receive(player, message, payload, nowMs);
      };
      return world;
    },
  };
  const server = await startServer({ listeners: [{ protocol: watched, dialect, port: 0 }], enforcement: "log" });
  ends.push(() => server.close({ graceMs: 0 }));
  const port = server.listeners[0]?.port ?? 0;
  const events: RelayEvent[] = [];
  const relay = await startRelay({
    protocol: protocol as ServedProtocol,
    dialect,
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port },
    clock: systemClock,
    epochMs: Date.now,
    onEvent: (event) => void events.push(event),
    shadow: { seed: 1, demo: false },
    policies,
  });
  ends.push(() => relay.close());
  return {
    server,
    events,
    direct: () => new Client(protocol, dialect, port),
    client: new Client(protocol, dialect, relay.address.port),
    dropped: () => events.filter((event) => event.event === "policy" && event.action === "drop").length,
    lost: () => events.filter(({ event }) => event === "lost" || event === "unreadable" || event === "unjudged"),
    arrived: (name: string): readonly Readonly<Record<string, unknown>>[] =>
      arrived.filter(({ message }) => message.message === name).map(({ message }) => message.value as never),
  };
}

describe("Slime Online 2, v0106: payloads under RC4", () => {
  test("a teleport never reaches the server; what comes before and after it does, in both directions", async () => {
    const drop = { response: "drop" } as const;
    const policies = { teleport: drop, unreachable: drop };
    const play = await setUp(slimeOnline2 as PlayableProtocol, "v0106", policies);
    const { client } = play;
    const login = (who: Client, user: string): void =>
      who.send("login", { version: "0.106", user, password: "secret", mac: "" });
    login(client, "ann");
    await until("ann is in", () => client.of("login").length === 1);
    const other = play.direct();
    login(other, "bea");
    await until("bea is in", () => other.of("login").length === 1);
    const [{ x, y, room }] = client.of("login") as [{ x: number; y: number; room: number }];
    expect(other.of("login")[0]).toMatchObject({ room });
    client.send("movePlayer", { direction: "rightPress", code: 2, x, y });
    client.send("movePlayer", { direction: "rightRelease", code: 6, x: x + 2_000, y });
    client.send("movePlayer", { direction: "rightRelease", code: 6, x: x + 1, y });
    client.send("chat", { text: "still here" });
    await until("the last message is with the server", () => play.arrived("chat").length === 1);
    expect(play.arrived("movePlayer").map((each) => each.x)).toEqual([x, x + 1]);
    await until("it is reported", () => play.dropped() === 1);
    await until("others saw no more", () => other.of("movePlayer").length === 2);
    expect(other.of("movePlayer").map((each) => each.x)).toEqual([x, x + 1]);
    // The other direction.
    other.send("chat", { text: "hello ann" });
    await until("ann reads it", () => client.of("chat").length === 1);
    expect([client.problems, client.isOpen, play.lost()]).toEqual([[], true, []]);
    expect(play.server.stats().disconnects).toEqual({});
  });
});

describe("Scrap Mechanic: packets under LZ4, judged when they are played", () => {
  const scrap = scrapMechanic as unknown as PlayableProtocol;

  test("to drop one is refused at the start: it has passed by the time it is judged", async () => {
    await expect(setUp(scrap, "documented", { pitch: { response: "drop" } })).rejects.toThrow(
      "a relay cannot drop messages of scrap-mechanic, which are judged when they are played",
    );
  });

  test("a policy at a score disconnects, and until then every packet reaches the server", async () => {
    const play = await setUp(scrap, "documented", { pitch: { action: "kick", limit: 4 } });
    const { client } = play;
    client.send("hello", { version: 1 });
    await until("it plays", () => client.of("playing").length > 0);
    const start = Number(client.of("playing")[0]?.tick);
    let sent = 0;
    const startMs = performance.now();
    await until("it is disconnected", () => {
      // No more than a client sends: the server ends a flood by itself.
      if (client.isOpen && sent * TICK_MS < performance.now() - startMs) {
        const value = {
          tick: start + sent,
          keys: keySets[4],
          direction: 64,
          yaw: 0,
          pitch: sent % 2 === 0 ? 200 : LEVEL_PITCH,
        };
        client.send("playerMovement", value);
        sent += 1;
      }
      return play.events.some((event) => event.event === "policy" && event.action === "kick") && !client.isOpen;
    });
    const ticks = play.arrived("playerMovement").map(({ tick }) => tick);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks).toEqual(ticks.map((_, index) => start + index));
    expect([client.problems, play.lost()]).toEqual([[], []]);
  });

  test.each(["fast-clock", "saved-up", "replayed-tick", "tick-ahead", "no-hello"])(
    "to drop by %s, which no single packet decides, is refused at the start",
    (rule) => {
      const policies = { [rule]: { response: "drop" } } as const;
      expect(() => checkRelayPolicies(scrapMechanic as unknown as ServedProtocol, policies)).toThrow(
        /cannot be chosen|cannot drop messages/,
      );
    },
  );
});
