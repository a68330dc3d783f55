import { startServer } from "@wirewalk/server";
import { afterEach, expect, test } from "vitest";
import { connectWebSocket, systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { type Flock, startFlock } from "./flock.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Slime Online 2 with bots that stand still, and want another connection after the third step of each of the first two. */
function restless(): PlayableProtocol {
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  const create = () => {
    let [starts, steps] = [0, 0];
    const landing = { message: "movePlayer", value: { code: 9, direction: "landing", x: 448, y: 160 } };
    return {
      stepMs: 10,
      get wantsReconnect() {
        return starts < 3 && steps >= 3;
      },
      start() {
        starts += 1;
        steps = 0;
        return [landing];
      },
      receive: () => [],
      step() {
        steps += 1;
        return [];
      },
    };
  };
  return { ...protocol, bots: { ...protocol.bots, create } };
}

test("bots that want another connection get it, over TCP and over WebSocket", async () => {
  const protocol = restless();
  const dialect = "documented";
  const server = await startServer({ http: 0, listeners: [{ protocol, dialect, port: 0 }] });
  ends.push(() => server.close({ graceMs: 0 }));
  const { port = 0 } = server.listeners[0] ?? {};
  const url = `ws://127.0.0.1:${server.httpAddress?.port}/ws/${protocol.name}`;
  const shared = { protocol, dialect, count: 2, seed: 1, cheat: "none", clock: systemClock };
  const flocks: readonly Flock[] = [
    startFlock({ ...shared, connect: () => connectTcp({ host: "127.0.0.1", port }) }),
    startFlock({ ...shared, connect: (number) => connectWebSocket(new URL(`${url}?account=bot-${number}`)) }),
  ];
  ends.push(async () => void (await Promise.all(flocks.map((flock) => flock.stop()))));
  // Each bot sends one message at each of its three starts.
  const isDone = (): boolean => flocks.every((flock) => flock.counts().sent === 6);
  for (const giveUpMs = systemClock.now() + 60_000; !isDone() && systemClock.now() < giveUpMs; ) {
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
  }
  for (const flock of flocks) {
    expect(flock.counts()).toMatchObject({ connected: 2, everConnected: 2, sent: 6, reasons: new Map() });
  }
  expect(server.stats()).toMatchObject({ disconnects: { "peer-closed": 8 } });
});
