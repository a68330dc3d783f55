import { afterEach, describe, expect, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { systemClock } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import type { ServedProtocol } from "wirewalk/protocol";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import type { Policies } from "../bans/policies.ts";
import {
  type RelayEvent,
  type RelayOptions,
  type RunningRelay,
  type RunningServer,
  startRelay,
  startServer,
} from "../index.ts";
import { PlainClient, until } from "../testing/clients.ts";
import { checkRelayPolicies } from "./relay-policies.ts";

let server: RunningServer;
let relay: RunningRelay | undefined;
const events: RelayEvent[] = [];
const clients: PlainClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.drop();
  await relay?.close();
  await server?.close({ graceMs: 0 });
  relay = undefined;
  events.length = 0;
});

const codec = slimeOnline2.codec("documented");
/** A key goes down and up in turn at these places, each message with its length before it. */
function moves(...places: readonly number[]): Uint8Array {
  const frames = places.map((x, at) => {
    const payload = codec.write("client", moveMessage(at % 2 === 0 ? "rightPress" : "rightRelease", x, 160));
    return Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]);
  });
  return Buffer.concat(frames);
}

/** A client behind the relay, and one that sees on the server what came through. */
async function play(policies: Policies, options: Partial<RelayOptions> = {}) {
  server = await startServer({
    listeners: [{ protocol: slimeOnline2, dialect: "documented", port: 0 }],
    enforcement: "log",
  });
  const to = { host: "127.0.0.1", port: server.listeners[0]?.port ?? 0 };
  const watcher = await PlainClient.to(to.port);
  relay = await startRelay({
    protocol: slimeOnline2 as ServedProtocol,
    dialect: "documented",
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to,
    clock: systemClock,
    epochMs: Date.now,
    onEvent: (event) => void events.push(event),
    shadow: { seed: 1, demo: false },
    policies,
    ...options,
  });
  const client = await PlainClient.to(relay.address.port);
  clients.push(watcher, client);
  await until("both are in", () => (server.worlds[0]?.host.players.size ?? 0) === 2);
  /** The places that the server has relayed to others. */
  const seen = (): readonly number[] => {
    const frames = watcher.texts.map((text) => Buffer.from(text, "latin1"));
    return frames.map((frame) => frame.readUInt16LE(5));
  };
  return { client, seen };
}

const found = (what: RelayEvent["event"]): readonly RelayEvent[] => events.filter(({ event }) => event === what);

describe("a policy of a relay", () => {
  test("logs by itself: all passes, and verdicts are reported", async () => {
    const { client, seen } = await play({});
    client.send(moves(448, 3000, 3010));
    await until("all passed", () => seen().length === 3);
    await until("the verdict", () => found("verdict").length > 0);
    expect(found("policy")).toEqual([]);
  });

  test("holds a message back, so that the server never sees it, and passes what is possible again", async () => {
    const { client, seen } = await play({ teleport: { response: "drop" }, unreachable: { response: "drop" } });
    // Down, up somewhere else, and up where it can be.
    client.send(moves(448, 3000));
    client.send(moves(448, 449).subarray(moves(448).length));
    await until("the last passed", () => seen().includes(449));
    expect(seen()).toEqual([448, 449]);
    await until("it is reported", () => found("policy").length === 1);
    const order = events.map(({ event }) => event);
    // Behind the message that it is about.
    expect(order.indexOf("message")).toBeLessThan(order.indexOf("verdict"));
    expect(order.indexOf("policy")).toBe(order.indexOf("verdict") + 1);
    expect(found("policy")[0]).toMatchObject({ action: "drop", connection: 1 });
  });

  test("tells at a score, and the client plays on", async () => {
    const { client, seen } = await play({ "*": { action: "tell", limit: 4 } });
    client.send(moves(448, 3000, 448, 3000, 448, 3000));
    await until("all passed", () => seen().length === 6);
    await until("it is told", () => found("policy").length === 1);
    expect(found("policy")[0]).toMatchObject({ action: "tell", rule: "*", limit: 4 });
    expect(client.isClosed).toBe(false);
  });

  test("disconnects at a score, on both sides", async () => {
    const { client } = await play({ "*": { action: "kick", limit: 4 } });
    client.send(moves(448, 3000, 448, 3000, 448, 3000));
    await client.closes();
    await until("the server knows", () => (server.worlds[0]?.host.players.size ?? 0) === 1);
    expect(found("policy")[0]).toMatchObject({ action: "kick", rule: "*" });
  });
});

describe("is refused at the start", () => {
  test.each<[string, ServedProtocol, Policies, RegExp]>([
    [
      "a ban, which a relay does not have",
      slimeOnline2 as ServedProtocol,
      { teleport: { action: "ban" } },
      /a relay has no bans/,
    ],
    [
      "a correction, which only a server sends",
      slimeOnline2 as ServedProtocol,
      { teleport: { response: "correct" } },
      /cannot correct a client/,
    ],
    [
      "to drop what no single message decides",
      slimeOnline2 as ServedProtocol,
      { "chat-rate": { response: "drop" } },
      /chat-rate cannot be chosen/,
    ],
    [
      "to drop in a game whose rules judge strokes",
      osrs as unknown as ServedProtocol,
      { replay: { response: "drop" } },
      /cannot be chosen|no rule/,
    ],
    ["an unknown rule", mapleStory as unknown as ServedProtocol, { spede: { action: "kick" } }, /has no rule spede/],
  ])("%s", (_what, protocol, policies, why) => {
    expect(() => checkRelayPolicies(protocol, policies)).toThrow(why);
  });

  test("a policy without the world that judges", async () => {
    server = await startServer({ listeners: [{ protocol: slimeOnline2, port: 0 }] });
    const starting = startRelay({
      protocol: slimeOnline2 as ServedProtocol,
      dialect: "documented",
      options: {},
      listen: { host: "127.0.0.1", port: 0 },
      to: { host: "127.0.0.1", port: 9 },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: () => {},
      policies: { "*": { action: "kick" } },
    });
    await expect(starting).rejects.toThrow("Policies need the world that judges");
  });
});
