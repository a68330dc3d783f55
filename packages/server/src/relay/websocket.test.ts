/** A relay before the HTTP port of a server: WebSockets of a game, of a page, and plain requests. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CaptureInspector } from "wirewalk/capture";
import { mapleStory } from "wirewalk/maplestory";
import { connectWebSocket, systemClock, type Transport } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { formatHex, parseHex } from "wirewalk/wire";
import { startServer } from "../index.ts";
import { until } from "../testing/clients.ts";
import { CaptureRecorder } from "./capture-recorder.ts";
import { type RelayOptions, type RunningRelay, startRelay } from "./relay.ts";
import type { RelayEvent } from "./relay-events.ts";
import type { RelayRule } from "./rules.ts";

interface Relayed {
  readonly relay: RunningRelay;
  readonly events: readonly RelayEvent[];
  readonly host: string;
  /** Messages of the first connection in a direction, by name. */
  messages(direction: "client" | "server"): readonly string[];
  lost(): readonly string[];
}

async function relayed(
  protocol: PlayableProtocol,
  dialect: string,
  options: Partial<Pick<RelayOptions, "capture" | "rules">> = {},
): Promise<Relayed> {
  const server = await startServer({ http: 0, listeners: [{ protocol, dialect }], demo: true });
  const events: RelayEvent[] = [];
  const relay = await startRelay({
    protocol,
    dialect,
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: server.httpAddress?.port ?? 0 },
    clock: systemClock,
    epochMs: Date.now,
    onEvent: (event) => events.push(event),
    shadow: { seed: 1, demo: true },
    ...options,
  });
  onTestFinished(async () => {
    await relay.close();
    await server.close({ graceMs: 0 });
  });
  const reasons = (): string[] =>
    events.flatMap((event) => (event.event === "lost" ? [`${event.direction}: ${event.reason}`] : []));
  return {
    relay,
    events,
    host: `127.0.0.1:${relay.address.port}`,
    messages: (direction) =>
      events.flatMap((event) =>
        event.event === "message" && event.direction === direction && event.connection === 1 ? [event.message] : [],
      ),
    lost: () => reasons().sort(),
  };
}

/** A client, and what it received. */
async function connect(url: string): Promise<{ readonly transport: Transport; readonly received: string[] }> {
  const transport = await connectWebSocket(url);
  const received: string[] = [];
  transport.listen({
    bytes: (bytes) => received.push(formatHex(bytes, { separator: "" })),
    closed: () => {},
  });
  return { transport, received };
}

/** movePlayer of Slime Online 2: right is pressed, at 448, 160. */
/** Right pressed where players come in, at (220, 420): elsewhere nobody begins. */
const RIGHT = parseHex("00 08 02 dc 00 a4 01");

test("a player is judged where its WebSocket puts it, and a recording holds the session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-websocket-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.pcapng");
  const recorder = new CaptureRecorder({ file, clock: systemClock, onFailed: () => {} });
  const { relay, events, host, messages } = await relayed(slimeOnline2, "documented", { capture: recorder });
  const { transport } = await connect(`ws://${host}/ws/slime-online-2?room=2&account=ann`);
  transport.send(RIGHT);
  // Pressed already, and far away.
  transport.send(parseHex("00 08 02 00 00 00 00"));
  await until("it is judged", () => events.some(({ event }) => event === "verdict"));
  transport.close("enough");
  await until("it is closed", () => events.some(({ event }) => event === "close"));
  expect(events.find(({ event }) => event === "unframed")).toMatchObject({
    what: "handshake",
    direction: "client",
    bytes: expect.toSatisfy((bytes: Uint8Array) => Buffer.from(bytes).includes("room=2&account=ann")),
  });
  expect(messages("client")).toEqual(["movePlayer", "movePlayer"]);
  await relay.close();
  await recorder.close();

  const read: unknown[] = [];
  const inspector = new CaptureInspector({
    protocols: [slimeOnline2],
    mappings: [{ port: relay.address.port, protocol: slimeOnline2, dialect: "documented" }],
    sink: { record: (record) => read.push(record), fault: (fault) => read.push(fault), flow: () => {} },
  });
  inspector.push(readFileSync(file));
  inspector.end();
  const shown = events.flatMap((event) => (event.event === "message" ? [event] : []));
  expect(read).toMatchObject(shown.map(({ message, value }) => ({ message, value })));
});

test("a page passes: its files and its feed are not read, with the reason", async () => {
  const { host, lost, events } = await relayed(slimeOnline2, "documented");
  expect((await fetch(`http://${host}/livez`)).status).toBe(200);
  const { transport, received } = await connect(`ws://${host}/ws/studio`);
  await until(
    "the feed speaks",
    () => received.length > 0 || events.filter(({ event }) => event === "open").length > 1,
  );
  await until("all is read", () => lost().length === 4);
  transport.close("enough");
  expect(lost()).toEqual([
    expect.stringMatching(/^client: Cannot read HTTP request: it asks for no WebSocket/),
    "client: it is the feed of a page",
    expect.stringMatching(/^server: Cannot read HTTP answer: "HTTP\/1.1 200 OK" opens no WebSocket/),
    "server: it is the feed of a page",
  ]);
});

test.each([
  ["slime-online-2", "documented", slimeOnline2 as PlayableProtocol],
  // Over TCP the relay holds what its client sends until the server has greeted: not so a request.
  ["maplestory", "v62", mapleStory as PlayableProtocol],
])("rules of %s %s are not applied over WebSocket: bytes pass, with the reason", async (name, dialect, protocol) => {
  const rules: readonly RelayRule[] = [{ direction: "client", message: "movePlayer", drop: true }];
  const { host, lost } = await relayed(protocol, dialect, { rules });
  const near = await connect(`ws://${host}/ws/${name}?account=ann`);
  const far = await connect(`ws://${host}/ws/${name}?account=ben`);
  if (name === "slime-online-2") {
    near.transport.send(RIGHT);
    await until("the message arrives", () => far.received.length > 0);
  }
  await until("it is said", () => lost().length === 4);
  expect(new Set(lost().map((reason) => reason.replace(/^\w+: /, "")))).toEqual(
    new Set([
      "no rule applies from here on: Cannot apply rules: the client connects by WebSocket, expected the game's frames over TCP",
    ]),
  );
  near.transport.close("enough");
  far.transport.close("enough");
});
