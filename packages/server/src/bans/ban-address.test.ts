/** One address is not one person: what a ban of an address does to the others behind it. */
import { afterEach, describe, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type BanAddress, type RunningServer, type ServerOptions, startServer } from "../index.ts";
import type { Budgets } from "../session/budgets.ts";
import { aMoment, framed, PlainClient, until, WebClient } from "../testing/clients.ts";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));

const start = async (
  banAddress: BanAddress | undefined,
  budgets: Partial<Budgets> = {},
  options: Partial<ServerOptions> = {},
): Promise<number> => {
  server = await startServer({
    ...options,
    http: 0,
    banLoopback: true,
    budgets,
    listeners: [{ protocol: fakeProtocol, port: 0, banAddress }],
  });
  return server.listeners[0]?.port ?? 0;
};
const web = (): Promise<WebClient> => WebClient.to(server.httpAddress, "/ws/fake");
const count = (reason: "banned" | "refused-banned" | "message-rate"): number => server.stats().disconnects[reason] ?? 0;

/** A player that is banned, beside a neighbour. */
async function withBan(port: number): Promise<PlainClient> {
  const neighbour = await PlainClient.to(port);
  neighbour.sendText("shello");
  const cheat = await web();
  await until("both play", () => server.stats().players === 2);
  cheat.sendText("s/ban");
  expect((await cheat.closes()).reason).toMatch(/^banned/);
  return neighbour;
}

test("off: only the session ends, and nothing is kept", async () => {
  const neighbour = await withBan(await start("off"));
  expect(server.bans.list()).toEqual([]);
  const again = await web();
  await again.receives("W3");
  expect(neighbour.isClosed).toBe(false);
});

test("on: nobody joins from that address, and the others behind it are disconnected", async () => {
  const neighbour = await withBan(await start("on"));
  await neighbour.closes();
  const again = await web();
  expect((await again.closes()).reason).toMatch(/^refused-banned/);
  expect([count("banned"), count("refused-banned")]).toEqual([2, 1]);
});

describe("soft, the default", () => {
  test("the others play on; whoever comes from there waits, and what it sent is read then", async () => {
    const clock = new VirtualClock();
    const port = await start(undefined, { softBanDelayMs: 5_000 }, { clock });
    const neighbour = await withBan(port);
    expect(server.bans.list().map(({ key }) => key)).toEqual(["address:127.0.0.1"]);
    const [late, second] = [await PlainClient.to(port), await web()];
    late.send(Buffer.concat([framed("sone"), framed("stwo")]));
    second.sendText("sthree");
    await until("both have their places", () => server.stats().sessions === 3);
    clock.advanceBy(4_999);
    await aMoment(20);
    expect(server.stats().players).toBe(1);
    clock.advanceBy(1);
    await neighbour.receives("S3:two");
    await neighbour.receives("S4:three");
    expect(neighbour.texts.filter((text) => text.startsWith("S"))).toEqual(["S3:one", "S3:two", "S4:three"]);
    expect([neighbour.isClosed, count("banned"), count("refused-banned")]).toEqual([false, 1, 0]);
    const closed = server.close({ graceMs: 0 });
    clock.advanceBy(1);
    await closed;
  });

  test("it may send half as much", async () => {
    const port = await start("soft", { softBanDelayMs: 1, messagesBurst: 100, messagesPerSecond: 0.001 });
    const neighbour = await withBan(port);
    const flood = Buffer.concat(Array.from({ length: 60 }, () => framed("s/nothing")));
    const late = await PlainClient.to(port);
    await until("it plays", () => server.stats().players === 2);
    late.send(flood);
    await late.closes();
    expect(count("message-rate")).toBe(1);
    const before = server.stats().messagesIn;
    neighbour.send(flood);
    await until("its messages have arrived", () => server.stats().messagesIn === before + 60);
    expect(neighbour.isClosed).toBe(false);
  });

  test("one that leaves while it waits never becomes a player, and a server that stops waits for nobody", async () => {
    const port = await start("soft", { softBanDelayMs: 60_000 });
    const neighbour = await withBan(port);
    const leaving = await web();
    await until("it has its place", () => server.stats().sessions === 2);
    leaving.socket.terminate();
    const waiting = await PlainClient.to(port);
    await aMoment(20);
    expect(server.stats().players).toBe(1);
    await server.close({ graceMs: 0 });
    expect([waiting.isClosed || neighbour.isClosed, server.stats().sessions]).toEqual([true, 0]);
  });
});
