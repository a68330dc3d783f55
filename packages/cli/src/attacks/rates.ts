/** Too much, too fast, or too slowly read. */
import type { Transport } from "wirewalk/net";
import { type Arena, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";
import { frame, Opcode } from "./frames.ts";
import type { Outcome } from "./outcome.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const AT_ONCE_MS = 5_000;
/** A second above the rate uses up a part of the burst: at 300 messages a second it is used up in 4 s. */
const STEADY_MS = 20_000;

/** How long a player plays honestly before it floods: its first messages are greetings. */
const PLAY_MS = 3_000;

/** Longer than any burst needs to fill, and shorter than a silent connection may be open. */
const IDLE_MS = 12_000;

const NEWCOMER = 3;

/** What a server may hold for players that read nothing: 256 KiB each. */
const MAX_HELD_BYTES = 50 * 256 * KIB;

/** A player that plays, and then sends its last message again and again. */
async function flood(
  arena: Arena,
  game: string,
  { count, perSecond }: { readonly count: number; readonly perSecond?: number },
): Promise<Outcome> {
  let last: Uint8Array | undefined;
  let carrier: Transport | undefined;
  const run = await arena.player(game, {
    wrap(transport) {
      carrier = transport;
      return {
        ...transport,
        carrier: transport.carrier,
        get queuedBytes() {
          return transport.queuedBytes;
        },
        send(bytes) {
          last = bytes;
          transport.send(bytes);
        },
      };
    },
  });
  await arena.sleep(PLAY_MS);
  if (last === undefined || run.closed !== undefined) return { held: false, figure: `no play: ${run.closed ?? ""}` };
  const message = last;
  let sent = 0;
  const startMs = performance.now();
  const isOver = await arena.until(
    () => {
      const due = perSecond === undefined ? count : ((performance.now() - startMs) / 1000) * perSecond;
      for (; sent < Math.min(due, count) && run.closed === undefined; sent += 1) carrier?.send(message);
      return run.closed !== undefined;
    },
    perSecond === undefined ? AT_ONCE_MS : STEADY_MS,
  );
  return { held: isOver !== undefined, figure: `closed after ${formatMs(isOver)} and ${sent} messages` };
}

export const ratesAttacks: readonly Attack[] = [
  ...(["osrs", "scrap-mechanic"] as const).flatMap((game): Attack[] => [
    {
      name: `rates-flood-${game}`,
      family: "rates",
      summary: `sends 20,000 messages of ${game} at once`,
      expectation: "the connection is closed within 5 s",
      run: (arena) => flood(arena, game, { count: 20_000 }),
    },
    {
      name: `rates-steady-${game}`,
      family: "rates",
      summary: `sends 300 messages of ${game} a second, twice as many as allowed`,
      expectation: "the connection is closed within 20 s",
      run: (arena) => flood(arena, game, { count: 300 * 20, perSecond: 300 }),
    },
  ]),
  {
    name: "rates-bytes",
    family: "rates",
    summary: "sends ten WebSocket messages of 60 KiB at once",
    expectation: "the connection is closed within 5 s",
    async run(arena) {
      const { client, closeCode } = await arena.webSocket("/ws/scrap-mechanic");
      const message = frame({ opcode: Opcode.binary, payload: new Uint8Array(60 * KIB) });
      for (let sent = 0; sent < 10; sent += 1) client.send(message);
      const tookMs = await arena.until(() => client.isClosed || closeCode() !== undefined, AT_ONCE_MS);
      return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
    },
  },
  {
    name: "rates-burst-after-idle",
    family: "rates",
    summary: "sends nothing for 12 s to save up, then 700 messages at once, 100 more than a burst may have",
    expectation: "the connection is closed within 5 s: a burst has a ceiling",
    async run(arena) {
      const { client, closeCode } = await arena.webSocket("/ws/scrap-mechanic");
      await arena.sleep(IDLE_MS);
      if (client.isClosed) return { held: false, figure: "closed while idle" };
      client.send(Buffer.concat(new Array<Uint8Array>(700).fill(frame({ opcode: Opcode.pong }))));
      const tookMs = await arena.until(() => client.isClosed || closeCode() !== undefined, AT_ONCE_MS);
      return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
    },
  },
  {
    name: "rates-reconnect-storm",
    family: "rates",
    summary: "connects to maplestory and drops the connection 5,000 times",
    expectation: "a newcomer plays within 10 s, and no connection is left over after 5 s",
    async run(arena) {
      const before = await arena.metric("wirewalk_connections");
      for (let done = 0; done < arena.count(5_000); done += 100) {
        for (const client of await arena.crowd("maplestory", 100)) client.drop();
      }
      const newcomerMs = await arena.newcomer("maplestory", { localAddress: arena.addressOf(NEWCOMER) });
      let left = Number.POSITIVE_INFINITY;
      await arena.until(async () => {
        left = (await arena.metric("wirewalk_connections")) - before;
        return left <= 0;
      }, AT_ONCE_MS);
      return {
        held: newcomerMs !== undefined && left <= 0,
        figure: `a newcomer played after ${formatMs(newcomerMs)}; ${Math.max(0, left)} connections left over`,
      };
    },
  },
  {
    name: "rates-stalled-readers",
    family: "rates",
    summary: "lets 50 players of scrap-mechanic play for 15 s and read nothing",
    expectation: "the server holds at most 12.5 MiB for them, and a newcomer plays within 10 s",
    async run(arena) {
      await stalled(arena, 50);
      let most = 0;
      await arena.until(async () => {
        most = Math.max(most, await arena.metric("wirewalk_held_bytes"));
        return most > MAX_HELD_BYTES;
      }, 15_000);
      const newcomerMs = await arena.newcomer("scrap-mechanic", { localAddress: arena.addressOf(NEWCOMER) });
      return {
        held: most <= MAX_HELD_BYTES && newcomerMs !== undefined,
        figure: `held ${(most / MIB).toFixed(2)} MiB; a newcomer played after ${formatMs(newcomerMs)}`,
      };
    },
  },
  {
    name: "rates-crowd",
    family: "rates",
    summary: "opens 9,000 connections that send nothing, 9,000 with half of a frame and 100 that read nothing",
    expectation: "a newcomer plays within 10 s, and deliveries to honest players take at most 150 ms (p99)",
    maxHonestDelayMs: 150,
    async run(arena) {
      await stalled(arena, 100);
      const silent = await arena.crowd("slime-online-2", 9_000);
      const halves = await arena.crowd("scrap-mechanic", 9_000, Uint8Array.of(0));
      const newcomerMs = await arena.newcomer("scrap-mechanic", { localAddress: arena.addressOf(NEWCOMER) });
      await arena.sleep(5_000);
      const open = [...silent, ...halves].filter(({ isClosed }) => !isClosed).length;
      return {
        held: newcomerMs !== undefined,
        figure: `a newcomer played after ${formatMs(newcomerMs)}; ${open} connections still open`,
      };
    },
  },
];

/** Players that play and read nothing. */
async function stalled(arena: Arena, full: number): Promise<void> {
  await Promise.all(
    Array.from({ length: arena.count(full) }, async () => {
      const run = await arena.player("scrap-mechanic", {
        localAddress: arena.addressOf(4),
        onSocket(socket) {
          setTimeout(() => socket.pause(), 1_000).unref();
        },
      });
      await arena.until(() => run.counts.messagesIn > 0 || run.closed !== undefined, AT_ONCE_MS);
    }),
  );
}
