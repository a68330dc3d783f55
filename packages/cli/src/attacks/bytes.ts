/** Bytes at the TCP ports of the games that no client sends. */
import { type Arena, closes, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";
import { CannotRun, type Outcome } from "./outcome.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const games = ["slime-online-2", "osrs", "maplestory", "scrap-mechanic"] as const;

/** An unfinished frame may take 10 s. */
const UNFINISHED_MS = 20_000;

/** A connection without a valid message may take 20 s of fair time, or 40 s of real time. */
const SILENT_MS = 50_000;

const AT_ONCE_MS = 5_000;

/** Long enough that a login with it takes more than 20 s at a byte a second. */
const SLOW = "slow-slow-slow";

/** The game uses a length of two bytes before each payload; the first of 0xFFFF is the longest in either order. */
const LONGEST = Uint8Array.of(0xff, 0xff);

interface ByteAttack {
  readonly name: string;
  readonly summary: string;
  readonly game: (typeof games)[number];
  readonly bytes: () => Uint8Array;
  readonly withinMs: number;
}

const times = (count: number, bytes: Uint8Array): Uint8Array => Buffer.concat(new Array<Uint8Array>(count).fill(bytes));

const byteAttacks: readonly ByteAttack[] = [
  ...games.flatMap((game): ByteAttack[] => [
    {
      name: `half-frame-${game}`,
      summary: `sends the first byte of a frame to ${game} and nothing more`,
      game,
      // A length or an opcode with more behind it; the mouse packet of `osrs` is 0x22.
      bytes: () => Uint8Array.of(game === "osrs" ? 0x22 : 0x01),
      withinMs: UNFINISHED_MS,
    },
    {
      name: `http-at-${game}`,
      summary: `sends an HTTP request to the port of ${game}`,
      game,
      bytes: () => Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      withinMs: SILENT_MS,
    },
    {
      name: `tls-at-${game}`,
      summary: `begins a TLS handshake at the port of ${game}`,
      game,
      bytes: () => Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03),
      withinMs: SILENT_MS,
    },
  ]),
  ...(["slime-online-2", "scrap-mechanic"] as const).flatMap((game): ByteAttack[] => [
    {
      name: `zero-lengths-${game}`,
      summary: `sends 20,000 empty frames to ${game}`,
      game,
      bytes: () => times(20_000, Uint8Array.of(0, 0)),
      withinMs: AT_ONCE_MS,
    },
    {
      name: `longest-length-${game}`,
      summary: `names a length of 65,535 bytes to ${game} and sends none of them`,
      game,
      bytes: () => LONGEST,
      withinMs: AT_ONCE_MS,
    },
  ]),
  {
    name: "unchecked-header-maplestory",
    summary: "sends a header to maplestory whose two halves do not fit the cipher (after a lost byte)",
    game: "maplestory",
    bytes: () => Uint8Array.of(0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0),
    withinMs: AT_ONCE_MS,
  },
  {
    name: "unknown-opcode-osrs",
    summary: "sends an opcode to osrs whose length is not known",
    game: "osrs",
    bytes: () => Uint8Array.of(0xff),
    withinMs: AT_ONCE_MS,
  },
  {
    name: "truncated-mouse-osrs",
    summary: "sends mouse packets to osrs whose header ends in the middle, 200 times",
    game: "osrs",
    bytes: () => times(200, Uint8Array.of(0x22, 1, 0)),
    withinMs: AT_ONCE_MS,
  },
  {
    name: "lz4-past-the-start",
    summary: "sends scrap-mechanic LZ4 blocks that copy bytes from before their start, 200 times",
    game: "scrap-mechanic",
    // No literals, a match of 4 bytes 65,535 bytes back.
    bytes: () => times(200, Uint8Array.of(0, 4, 0x1e, 0x00, 0xff, 0xff)),
    withinMs: AT_ONCE_MS,
  },
  {
    name: "lz4-zero-offset",
    summary: "sends scrap-mechanic LZ4 blocks with a match at distance 0, 200 times",
    game: "scrap-mechanic",
    bytes: () => times(200, Uint8Array.of(0, 5, 0x1e, 0x10, 0x00, 0x00, 0x00)),
    withinMs: AT_ONCE_MS,
  },
  {
    name: "lz4-cut-literals",
    summary: "sends scrap-mechanic LZ4 blocks that name more literals than follow, 200 times",
    game: "scrap-mechanic",
    bytes: () => times(200, Uint8Array.of(0, 4, 0x1e, 0xf0, 0xff, 0x00)),
    withinMs: AT_ONCE_MS,
  },
];

function ofBytes({ name, summary, game, bytes, withinMs }: ByteAttack): Attack {
  return {
    name: `bytes-${name}`,
    family: "bytes",
    summary,
    expectation: `the connection is closed within ${withinMs / 1000} s`,
    async run(arena) {
      const client = await arena.tcp(game);
      client.send(bytes());
      return closes(arena, client, withinMs);
    },
  };
}

/** A block of this many bytes, one literal and a match that goes on and on: 255 bytes of output for each byte. */
function bomb(blockBytes: number): Uint8Array {
  const block = new Uint8Array(blockBytes).fill(0xff);
  // One literal, a match of 19 bytes and more, at distance 1.
  block.set([0x1f, 0x00, 0x01, 0x00]);
  block[blockBytes - 1] = 0;
  const packet = new Uint8Array(3 + blockBytes);
  new DataView(packet.buffer).setUint16(0, blockBytes + 1);
  packet[2] = 0x1e;
  packet.set(block, 3);
  return packet;
}

export const bytesAttacks: readonly Attack[] = [
  ...byteAttacks.map(ofBytes),
  ...games.map(
    (game): Attack => ({
      name: `bytes-garbage-${game}`,
      family: "bytes",
      summary: `sends 64 KiB of random bytes to ${game}, ten times`,
      expectation: `every connection is closed within ${SILENT_MS / 1000} s`,
      run: (arena) => garbage(arena, game),
    }),
  ),
  {
    name: "bytes-lz4-bomb",
    family: "bytes",
    summary: "sends scrap-mechanic 60 LZ4 blocks of 1,000 bytes that name 254,000 each, over each of 20 connections",
    expectation: "the server's memory grows by at most 64 MiB, and every connection is closed within 50 s",
    async run(arena) {
      const before = await arena.metric("process_resident_memory_bytes");
      const bytes = times(60, bomb(1_000));
      const clients = await Promise.all(Array.from({ length: arena.count(20) }, () => arena.tcp("scrap-mechanic")));
      for (const client of clients) client.send(bytes);
      await arena.sleep(1_000);
      const grownMib = ((await arena.metric("process_resident_memory_bytes")) - before) / MIB;
      const tookMs = await arena.until(() => clients.every(({ isClosed }) => isClosed), SILENT_MS);
      return {
        held: grownMib <= 64 && tookMs !== undefined,
        figure: `grown by ${grownMib.toFixed(1)} MiB, closed after ${formatMs(tookMs)}`,
      };
    },
  },
  {
    name: "bytes-slow-login",
    family: "bytes",
    summary: "sends a login to slime-online-2 one byte a second",
    expectation: "the connection is closed within 20 s",
    flags: ["--dialect", "slime-online-2=v0106"],
    async run(arena) {
      const { protocol, dialect } = arena.game("slime-online-2");
      if (protocol.capabilities?.login?.admission(dialect) === undefined)
        throw new CannotRun(`${dialect} has no login`);
      const channel = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
      const bytes = channel.write({
        message: "login",
        value: { version: "0.106", user: SLOW, password: SLOW, mac: "" },
      });
      const client = await arena.tcp("slime-online-2");
      let at = 0;
      const timer = setInterval(() => {
        client.send(bytes.subarray(at, at + 1));
        at += 1;
      }, 1_000);
      const outcome = await closes(arena, client, UNFINISHED_MS);
      clearInterval(timer);
      return { ...outcome, figure: `${outcome.figure} and ${at} of ${bytes.length} bytes` };
    },
  },
  {
    name: "bytes-damaged-stream",
    family: "bytes",
    summary: "plays maplestory honestly, then flips one bit of what it sends",
    expectation: "its connection is closed within 5 s after the first wrong bit",
    async run(arena) {
      const { protocol, dialect } = arena.game("maplestory");
      const channel = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
      const client = await arena.tcp("maplestory");
      const greetMs = await arena.until(() => client.received.length > 0, AT_ONCE_MS);
      if (greetMs === undefined) return { held: false, figure: "no greeting" };
      channel.push(new Uint8Array(client.received));
      const bot = protocol.bots.create({ dialect, random: arena.random, number: 1, cheat: "none" });
      for (const message of bot.start(0)) {
        const bytes = channel.write(message);
        bytes[0] = (bytes[0] ?? 0) ^ 0x10;
        client.send(bytes);
      }
      return closes(arena, client, AT_ONCE_MS);
    },
  },
];

async function garbage(arena: Arena, game: string): Promise<Outcome> {
  const clients = await Promise.all(Array.from({ length: arena.count(10) }, () => arena.tcp(game)));
  for (const client of clients) {
    const bytes = new Uint8Array(64 * KIB);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = arena.random.integer(0, 255);
    client.send(bytes);
  }
  const tookMs = await arena.until(() => clients.every(({ isClosed }) => isClosed), SILENT_MS);
  const open = clients.filter(({ isClosed }) => !isClosed).length;
  return { held: tookMs !== undefined, figure: `${open} still open; all closed after ${formatMs(tookMs)}` };
}
