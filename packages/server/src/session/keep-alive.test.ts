import { once } from "node:events";
import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { WebSocket } from "ws";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { startServer } from "../index.ts";
import { aMoment, until, WebClient } from "../testing/clients.ts";

test("a WebSocket that answers no ping is closed, a silent one that answers stays open", async () => {
  const clock = new VirtualClock();
  const server = await startServer({ http: 0, clock, listeners: [{ protocol: fakeProtocol }] });
  const quiet = await WebClient.to(server.httpAddress, "/ws/fake");
  const { host, port } = server.httpAddress ?? { host: "", port: 0 };
  const dead = new WebSocket(`ws://${host}:${port}/ws/fake`, { autoPong: false });
  dead.on("error", () => {});
  await once(dead, "open");
  await until("both are in", () => server.stats().players === 2);
  dead.send(Buffer.from("s/nothing"));
  await until("it has played once", () => server.stats().messagesIn === 1);
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advanceBy(30_000);
    await aMoment(30);
  }
  await until("one is gone", () => server.stats().players === 1);
  expect(server.stats().disconnects).toEqual({ "peer-error": 1 });
  expect(quiet.closed).toBeUndefined();
  const closed = server.close({ graceMs: 0 });
  clock.advanceBy(1);
  await closed;
});
