/** Frames and handshakes that a WebSocket client must not send. */
import { type Arena, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";
import { frame, Opcode, upgradeRequest } from "./frames.ts";
import type { Outcome } from "./outcome.ts";

const PATH = "/ws/scrap-mechanic";

const KIB = 1024;

/** A server that has seen an invalid frame ends the connection at once; this is time for a busy machine. */
const AT_ONCE_MS = 5_000;

/** An unfinished frame may take 10 s; the check runs several times a second. */
const UNFINISHED_MS = 20_000;

interface FrameAttack {
  readonly name: string;
  readonly summary: string;
  readonly bytes: () => Uint8Array;
  /** The close codes of RFC 6455, 7.4.1 that fit. */
  readonly codes: readonly number[];
}

const ping = frame({ opcode: Opcode.ping });
const times = (count: number, bytes: Uint8Array): Uint8Array => Buffer.concat(new Array<Uint8Array>(count).fill(bytes));

const frameAttacks: readonly FrameAttack[] = [
  {
    name: "unmasked-frame",
    summary: "sends a frame without a mask",
    bytes: () => frame({ opcode: Opcode.binary, payload: new Uint8Array(4), isMasked: false }),
    codes: [1002],
  },
  {
    name: "reserved-bits",
    summary: "sets each of the reserved bits, of which one means compression",
    bytes: () => frame({ opcode: Opcode.binary, payload: new Uint8Array(4), reserved: 7 }),
    codes: [1002],
  },
  {
    name: "compressed-frame",
    summary: "sends a compressed frame although compression was not agreed on",
    bytes: () => frame({ opcode: Opcode.binary, payload: Uint8Array.of(0x4b, 0x04, 0x00), reserved: 4 }),
    codes: [1002],
  },
  {
    name: "unknown-opcode",
    summary: "sends a data frame with opcode 3",
    bytes: () => frame({ opcode: 3, payload: new Uint8Array(4) }),
    codes: [1002],
  },
  {
    name: "unknown-control-opcode",
    summary: "sends a control frame with opcode 11",
    bytes: () => frame({ opcode: 11 }),
    codes: [1002],
  },
  {
    name: "text-message",
    summary: "sends a text message where only binary ones are allowed",
    bytes: () => frame({ opcode: Opcode.text, payload: Buffer.from("hello") }),
    codes: [1003],
  },
  {
    name: "oversized-message",
    summary: "begins a message of 1 MiB and sends 1 KiB of it",
    bytes: () => frame({ opcode: Opcode.binary, payload: new Uint8Array(KIB), length: 1024n * 1024n }),
    codes: [1009],
  },
  {
    name: "endless-length",
    summary: "names a length of 2^63 - 1 bytes",
    bytes: () => frame({ opcode: Opcode.binary, length: (1n << 63n) - 1n }),
    codes: [1002, 1009],
  },
  {
    name: "fragments-without-end",
    summary: "cuts one message into 1,000 empty fragments",
    bytes: () =>
      Buffer.concat([
        frame({ opcode: Opcode.binary, isFinal: false }),
        times(999, frame({ opcode: Opcode.continuation, isFinal: false })),
      ]),
    codes: [1008],
  },
  {
    name: "oversized-by-fragments",
    summary: "sends 60 fragments of 4 KiB, each below the limit of a message and all of them above",
    bytes: () =>
      Buffer.concat([
        frame({ opcode: Opcode.binary, payload: new Uint8Array(4 * KIB), isFinal: false }),
        times(59, frame({ opcode: Opcode.continuation, payload: new Uint8Array(4 * KIB), isFinal: false })),
      ]),
    codes: [1008, 1009],
  },
  {
    name: "interleaved-messages",
    summary: "begins a message inside of another one",
    bytes: () => times(2, frame({ opcode: Opcode.binary, payload: new Uint8Array(4), isFinal: false })),
    codes: [1002],
  },
  {
    name: "continuation-first",
    summary: "continues a message that was not begun",
    bytes: () => frame({ opcode: Opcode.continuation, payload: new Uint8Array(4) }),
    codes: [1002],
  },
  {
    name: "long-ping",
    summary: "sends a ping of 126 bytes, one more than allowed",
    bytes: () => frame({ opcode: Opcode.ping, payload: new Uint8Array(126) }),
    codes: [1002],
  },
  {
    name: "fragmented-ping",
    summary: "sends a ping in fragments",
    bytes: () => frame({ opcode: Opcode.ping, isFinal: false }),
    codes: [1002],
  },
  {
    name: "invalid-close-code",
    summary: "closes with code 1005, which is never sent",
    bytes: () => frame({ opcode: Opcode.close, payload: Uint8Array.of(0x03, 0xed) }),
    codes: [1002],
  },
  {
    name: "ping-flood",
    summary: "sends 5,000 pings at once",
    bytes: () => times(5_000, ping),
    codes: [1008],
  },
  {
    name: "pong-flood",
    summary: "sends 5,000 pongs that answer nothing",
    bytes: () => times(5_000, frame({ opcode: Opcode.pong })),
    codes: [1008],
  },
  {
    name: "empty-messages",
    summary: "sends 5,000 empty messages",
    bytes: () => times(5_000, frame({ opcode: Opcode.binary })),
    codes: [1008],
  },
  {
    name: "unknown-messages",
    summary: "sends 200 messages with an unknown id",
    bytes: () => times(200, frame({ opcode: Opcode.binary, payload: Uint8Array.of(0xee, 1, 2, 3) })),
    codes: [1008],
  },
];

function ofFrames({ name, summary, bytes, codes }: FrameAttack): Attack {
  return {
    name: `websocket-${name}`,
    family: "websocket",
    summary,
    expectation: `the connection is closed at once, with code ${codes.join(" or ")} or by a reset`,
    async run(arena) {
      const { client, status, closeCode } = await arena.webSocket(PATH);
      client.send(bytes());
      const tookMs = await arena.until(() => client.isClosed || closeCode() !== undefined, AT_ONCE_MS);
      const code = closeCode();
      const isRight = tookMs !== undefined && (code === undefined || codes.includes(code));
      const how = code === undefined ? "without a code" : `with ${code}`;
      const figure = tookMs === undefined ? "not closed" : `closed after ${formatMs(tookMs)} ${how}`;
      return { held: status === 101 && isRight, figure: status === 101 ? figure : `upgrade answered ${status}` };
    },
  };
}

interface HandshakeAttack {
  readonly name: string;
  readonly summary: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statuses: readonly number[];
}

const handshakeAttacks: readonly HandshakeAttack[] = [
  {
    name: "unknown-game",
    summary: "opens a WebSocket at /ws/__proto__, a game that is not served",
    path: "/ws/__proto__",
    statuses: [404],
  },
  { name: "invalid-path", summary: "opens a WebSocket at /ws/%, an invalid path", path: "/ws/%", statuses: [400, 404] },
  {
    name: "foreign-origin",
    summary: "opens a WebSocket as a page of another site does",
    headers: { Origin: "https://evil.example" },
    statuses: [403],
  },
  {
    name: "null-origin",
    summary: "opens a WebSocket as a sandboxed page does",
    headers: { Origin: "null" },
    statuses: [403],
  },
  {
    name: "rebound-name",
    summary: "opens a WebSocket under a foreign name that points at this machine (DNS rebinding)",
    headers: { Host: "evil.example", Origin: "http://evil.example" },
    statuses: [403, 421],
  },
  {
    name: "foreign-page-feed",
    summary: "opens the page's feed from a page of another site",
    path: "/ws/studio",
    headers: { Origin: "https://evil.example" },
    statuses: [403],
  },
  {
    name: "old-version",
    summary: "asks for version 7 of the protocol, a draft",
    headers: { "Sec-WebSocket-Version": "7" },
    statuses: [400, 426],
  },
  { name: "short-key", summary: "sends a key of 3 bytes", headers: { "Sec-WebSocket-Key": "YWJj" }, statuses: [400] },
];

function ofHandshake({ name, summary, path = PATH, headers = {}, statuses }: HandshakeAttack): Attack {
  return {
    name: `websocket-${name}`,
    family: "websocket",
    summary,
    expectation: `the handshake is answered with ${statuses.join(" or ")}`,
    async run(arena) {
      const { status } = await arena.webSocket(path, headers);
      return { held: statuses.includes(status), figure: status === 0 ? "no answer" : `answered ${status}` };
    },
  };
}

export const websocketAttacks: readonly Attack[] = [
  ...frameAttacks.map(ofFrames),
  ...handshakeAttacks.map(ofHandshake),
  {
    name: "websocket-compression-offer",
    family: "websocket",
    summary: "offers permessage-deflate, with which a small message may become a large one",
    expectation: "the offer is not accepted, and the connection opens without it",
    async run(arena) {
      const offer = "permessage-deflate; client_max_window_bits; server_no_context_takeover";
      const { status, head, client } = await arena.webSocket(PATH, { "Sec-WebSocket-Extensions": offer });
      const isAccepted = /sec-websocket-extensions/i.test(head);
      client.send(ping);
      const answerMs = await arena.until(() => client.text.length > head.length, AT_ONCE_MS);
      return {
        held: status === 101 && !isAccepted && answerMs !== undefined,
        figure: `answered ${status}, ${isAccepted ? "compressed" : "not compressed"}`,
      };
    },
  },
  {
    name: "websocket-half-frame",
    family: "websocket",
    summary: "begins a frame and sends nothing more",
    expectation: "the connection is closed within 20 s",
    run: (arena) => unfinished(arena, frame({ opcode: Opcode.binary, payload: new Uint8Array(2), length: 100n })),
  },
  {
    name: "websocket-half-message",
    family: "websocket",
    summary: "sends the first fragment of a message and then only pings",
    expectation: "the connection is closed within 20 s",
    run: (arena) =>
      unfinished(arena, frame({ opcode: Opcode.binary, payload: new Uint8Array(2), isFinal: false }), ping),
  },
  {
    name: "websocket-half-handshake",
    family: "websocket",
    summary: "sends the first line of a handshake and nothing more",
    expectation: "the connection is closed within 20 s",
    async run(arena) {
      const client = await arena.http();
      client.send(`GET ${PATH} HTTP/1.1\r\nHost: ${arena.httpHost}\r\n`);
      const tookMs = await arena.until(() => client.isClosed, UNFINISHED_MS);
      return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
    },
  },
  {
    name: "websocket-many-upgrades",
    family: "websocket",
    summary: "opens 1,000 WebSockets from one address that send nothing",
    expectation: "a newcomer plays within 10 s",
    async run(arena) {
      const clients = await Promise.all(
        Array.from({ length: arena.count(1_000) }, async () => {
          const client = await arena.http();
          client.send(upgradeRequest(PATH, arena.httpHost));
          return client;
        }),
      );
      const count = (): number => clients.filter(({ text }) => text.startsWith("HTTP/1.1 101")).length;
      await arena.until(() => count() === clients.length, AT_ONCE_MS);
      const tookMs = await arena.newcomer("scrap-mechanic", { carrier: "websocket", localAddress: arena.addressOf(2) });
      return { held: tookMs !== undefined, figure: `${count()} opened; a newcomer played after ${formatMs(tookMs)}` };
    },
  },
];

async function unfinished(arena: Arena, bytes: Uint8Array, everySecond?: Uint8Array): Promise<Outcome> {
  const { client, closeCode } = await arena.webSocket(PATH);
  client.send(bytes);
  const timer = setInterval(() => everySecond !== undefined && client.send(everySecond), 1_000);
  const tookMs = await arena.until(() => client.isClosed || closeCode() !== undefined, UNFINISHED_MS);
  clearInterval(timer);
  return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
}
