import { get } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { CaptureInspector, CaptureReader, type CaptureRecord } from "wirewalk/capture";
import { systemClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { nodeRuntime } from "../runtime/runtime.ts";
import { PlainClient, until, WebClient } from "../testing/clients.ts";
import { type CaptureOutput, CaptureWriter } from "./capture-writer.ts";

const TOKEN = "a-token-of-many-characters";

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
  server = await startServer({
    http: 0,
    adminToken: TOKEN,
    listeners: [{ protocol: fakeProtocol, port: 0 }],
    ...options,
  });
  return server.listeners[0]?.port ?? 0;
};

class Download {
  status = 0;
  headers: Record<string, unknown> = {};
  bytes = Buffer.alloc(0);
  isEnded = false;
  stop = (): void => {};

  get text(): string {
    return this.bytes.toString();
  }

  /** The payloads that wirewalk reads in it, and the comments of its packets. */
  get payloads(): readonly string[] {
    return inspected(this.bytes).map((record) =>
      record.kind === "gap"
        ? `gap ${record.gap}`
        : `${record.direction} ${Buffer.from(record.payload).toString("latin1")}`,
    );
  }
}

function inspected(bytes: Uint8Array): readonly CaptureRecord[] {
  const records: CaptureRecord[] = [];
  const ports = [...server.listeners.map(({ port }) => port), server.httpAddress?.port ?? 0];
  const inspector = new CaptureInspector({
    protocols: [],
    mappings: ports.map((port) => ({ port, protocol: fakeProtocol, dialect: "plain" })),
    sink: {
      record: (record) => records.push(record),
      flow() {},
      fault: ({ text }) => {
        throw new Error(text);
      },
    },
  });
  inspector.push(bytes);
  inspector.end();
  return records;
}

/** Begins a capture, and resolves with its first bytes. */
function download(
  search: string,
  headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
): Promise<Download> {
  const { host, port } = server.adminAddress ?? server.httpAddress ?? { host: "", port: 0 };
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: `/capture${search}`, agent: false, headers }, (response) => {
      const result = new Download();
      result.status = response.statusCode ?? 0;
      result.headers = response.headers;
      result.stop = () => void response.destroy();
      response.on("data", (chunk: Buffer) => {
        result.bytes = Buffer.concat([result.bytes, chunk]);
        resolve(result);
      });
      response.on("error", () => {});
      response.on("close", () => {
        result.isEnded = true;
        resolve(result);
      });
    });
    request.on("error", reject);
  });
}

describe("a capture of a running server", () => {
  test("is given for the token alone", async () => {
    await start();
    expect(await download("", {})).toMatchObject({ status: 401 });
    expect(await download("", { authorization: "Bearer another-token-of-many" })).toMatchObject({ status: 401 });
    const given = await download("");
    expect(given).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    given.stop();
    await server.close({ graceMs: 0 });
    server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }] });
    const refused = await download("", {});
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("--admin-token-file");
  });

  test("has the bytes of each session over TCP and WebSocket, from both sides, and how it ended", async () => {
    const port = await start();
    const capture = await download("");
    const client = await PlainClient.to(port);
    client.sendText("sone");
    client.sendText("stwo");
    const web = await WebClient.to(server.httpAddress, "/ws/fake?account=ann&viewer=secret");
    web.socket.send(Buffer.from("sthree"));
    await until("all is in the capture, and was received", () => {
      const sent = (sender: string): number => capture.payloads.filter((text) => text.startsWith(sender)).length;
      return sent("client") === 3 && client.texts.length + web.texts.length === sent("server");
    });
    client.drop();
    web.socket.close();
    await until("the ends are in it", () => capture.text.split("the session ended: peer-closed").length === 3);
    await server.close({ graceMs: 0 });
    await until("it is over", () => capture.isEnded);
    expect(capture.payloads.filter((text) => text.startsWith("client"))).toEqual([
      "client sone",
      "client stwo",
      "client sthree",
    ]);
    const received = [...client.texts, ...web.texts].map((text) => `server ${text}`);
    expect(capture.payloads.filter((text) => text.startsWith("server")).toSorted()).toEqual(received.toSorted());
    expect(inspected(capture.bytes).every(({ kind }) => kind === "message")).toBe(true);
    expect(capture.text).toContain("fake/plain over tcp, session 1");
    expect(capture.text).toContain("joined as player");
    expect(capture.text).not.toContain("secret");
  });

  test("begins in the middle of sessions that are open, and filters by carrier, address, port and player", async () => {
    const port = await start();
    const first = await PlainClient.to(port);
    first.sendText("before");
    await until("it is read", () => server.stats().messagesIn === 1);
    const [all, ...filtered] = await Promise.all(
      ["", "?carrier=tcp", "?player=2", `?port=${port}&address=127.0.0.2`].map((search) => download(search)),
    );
    const second = await PlainClient.to(port, "127.0.0.2");
    second.sendText("second");
    first.sendText("first");
    const words = (): readonly (readonly string[])[] =>
      [all, ...filtered].map((each) => ["first", "second"].filter((word) => each?.text.includes(word)));
    await until("all is in the captures", () => words().flat().length >= 6);
    const [, tcp, player, address] = words();
    expect([tcp, player, address]).toEqual([["first", "second"], ["second"], ["second"]]);
    expect(all?.text).toContain("captured from its middle on");
    expect(address?.length).toBe(1);
    // A fifth one is refused.
    expect(await download("")).toMatchObject({ status: 503 });
    for (const each of [all, ...filtered]) each?.stop();
    await until("they are over", () => [all, ...filtered].every((each) => each?.isEnded === true));
    // The stream that was open has no start in the capture; of the other one all is there.
    const refused = inspected(all?.bytes ?? Buffer.alloc(0)).flatMap((each) =>
      each.kind === "refused" ? [each.error.message] : [],
    );
    expect(refused.join("\n")).toContain("Cannot read stream: the capture does not have the start of this direction");
    // The server learns of their end a little later.
    let next = await download("");
    while (next.status === 503) next = await download("");
    expect(next.status).toBe(200);
    next.stop();
  });

  test.each([
    ["?protocol=other", 'The game "other" is not served here'],
    ["?carrier=udp", 'The carrier "udp" is neither tcp nor websocket'],
    ["?address=here", '"here" is not an IP address'],
    ["?port=x", 'The port "x" is not a number'],
    ["?colour=red", 'There is no filter "colour"'],
  ])("refuses %s with a sentence", async (search, sentence) => {
    await start();
    expect(await download(search)).toMatchObject({ status: 400, text: `${sentence}\n` });
  });
});

test("what a slow reader cannot take is counted, a gap in the stream, and named on the next packet", async () => {
  server = await startServer({ listeners: [] });
  const blocks: Uint8Array[] = [];
  const sink: CaptureOutput & { queuedBytes: number } = {
    queuedBytes: 0,
    write: (bytes) => void blocks.push(bytes),
    close: async () => {},
  };
  const onError = (error: Error): void => {
    throw error;
  };
  const writer = new CaptureWriter({ sink, clock: systemClock, runtime: nodeRuntime, maxWaitingBytes: 1000, onError });
  const ends = { client: { address: "10.0.0.7", port: 50_000 }, server: { address: "10.0.0.1", port: 5555 } };
  writer.open(1, ends, 0);
  writer.bytes(1, "client", Buffer.from("a".repeat(10)), 1);
  await writer.idle();
  // The reader takes nothing, then all.
  sink.queuedBytes = 1001;
  writer.bytes(1, "client", Buffer.from("b".repeat(20)), 2);
  await writer.idle();
  sink.queuedBytes = 0;
  // More than may wait to be packed.
  for (let times = 0; times < 10; times++) writer.bytes(1, "client", Buffer.from("c".repeat(100)), 3);
  await writer.idle();
  writer.bytes(1, "client", Buffer.from("d".repeat(30)), 4);
  await writer.idle();
  const kept = Buffer.concat(blocks).toString("latin1").split("c".repeat(100)).length - 1;
  expect(kept).toBeLessThan(10);
  expect([writer.missedPackets, writer.missedBytes]).toEqual([11 - kept, 20 + (10 - kept) * 100]);
  const text = Buffer.concat(blocks).toString("latin1");
  expect(text).toContain("20 bytes of the client are missing before this: the capture was written too slowly");
  expect(text).toContain(`${(10 - kept) * 100} bytes of the client are missing before this`);
  const sequences: number[] = [];
  const head = Buffer.from(
    "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c00000001000000140000000100000000000400" + "14000000",
    "hex",
  );
  const reader = new CaptureReader({
    packet: ({ data }) => sequences.push(new DataView(data.buffer, data.byteOffset).getUint32(14 + 20 + 4)),
    fault: ({ text: why }) => {
      throw new Error(why);
    },
  });
  reader.push(Buffer.concat([head, ...blocks]));
  reader.end();
  // SYN, SYN, ACK, a, then 20 bytes are missing.
  expect(sequences.slice(0, 5)).toEqual([0, 0, 1, 1, 31]);
  expect(sequences.at(-1)).toBe(1 + 10 + 20 + 1000);
});
