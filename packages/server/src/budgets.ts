/**
 * **Budgets**: every quantity that somebody outside can drive up, with the most that this server puts up with. A
 * budget that is overdrawn ends that one session, under a name of its own; nobody else notices.
 *
 * Time in which this process itself did not run is never held against anybody: see `stalls.ts`.
 */

/** The most of everything. Bytes are bytes as carried, times are milliseconds. */
export interface Budgets {
  /** Bytes per second that a session may send on average. */
  readonly bytesPerSecond: number;
  /** Bytes that a session may send at once after a silence. */
  readonly bytesBurst: number;
  /** Payloads (and WebSocket control frames) per second on average. */
  readonly messagesPerSecond: number;
  /** Payloads at once after a silence. */
  readonly messagesBurst: number;
  /** Payloads that cannot be decoded, at once. */
  readonly refusedPayloadsBurst: number;
  /** Payloads that cannot be decoded, per second on average. */
  readonly refusedPayloadsPerSecond: number;
  /** Age of a frame that was begun and not finished. */
  readonly unfinishedFrameMs: number;
  /** Longest WebSocket message. */
  readonly websocketMessageBytes: number;
  /** Bytes queued for a slow reader before it hears no more broadcasts until it has caught up. */
  readonly queuedBytesSoft: number;
  /** Bytes queued for a slow reader before it is disconnected. */
  readonly queuedBytesHard: number;
  /** Time over which a slow reader may stay behind, or take nothing of what is queued, before it is disconnected. */
  readonly slowReaderMs: number;
  /** Silence. */
  readonly idleMs: number;
  /** From the connection to the end of the login, in a dialect that has one. */
  readonly loginMs: number;
  /** Connections of one remote address, feeds of the page included. */
  readonly sessionsPerAddress: number;
  /** Connections in total, feeds of the page included. */
  readonly sessions: number;
  /** Passwords hashed at the same time. */
  readonly hashesAtOnce: number;
  /** Logins that wait for their password to be hashed. */
  readonly hashesWaiting: number;
  /** Accounts kept in the store. */
  readonly accounts: number;
  /** Requests per second on the page's feed, and at once. */
  readonly feedRequestsPerSecond: number;
  /** Bytes queued for a slow page before it gets no tracks until it has caught up. */
  readonly feedQueuedBytesSoft: number;
  /** Bytes queued for a slow page before it is disconnected. */
  readonly feedQueuedBytesHard: number;
  /** Lines of log about one session, and thirty times as many about sessions coming and going, per minute. */
  readonly logLinesPerMinute: number;
}

const KIB = 1024;

/** What is used where nothing else is said. */
export const defaultBudgets: Budgets = Object.freeze({
  // Twice the largest rule of the games (60 messages a second), at up to 270 bytes a message.
  bytesPerSecond: 32 * KIB,
  // Released from a stall of three seconds an honest client sends what it held back, 180 messages and 48 KiB at the
  // most; the world's own rules judge them, this budget does not.
  bytesBurst: 192 * KIB,
  messagesPerSecond: 120,
  messagesBurst: 600,
  // Shipped clients send kinds of messages that no codec here knows; a flood of them is no client.
  refusedPayloadsBurst: 64,
  refusedPayloadsPerSecond: 2,
  // A frame of 8 KiB through a line of 1 KiB/s.
  unfinishedFrameMs: 10_000,
  // The longest payload of any protocol here is 64 KiB less one.
  websocketMessageBytes: 64 * KIB,
  // Some 20,000 movements: half a minute of a full room.
  queuedBytesSoft: 256 * KIB,
  // What the soft limit lets pass anyway, messages to this player alone and its fresh state, does not come near.
  queuedBytesHard: 1024 * KIB,
  slowReaderMs: 15_000,
  // Somebody who only stands there says nothing: kernels and WebSocket pings find dead connections much sooner.
  idleMs: 15 * 60_000,
  // Long enough to be woken on a bad line, short enough that nobody parks connections here.
  loginMs: 20_000,
  // A household or a school behind one address; a load test or a reverse proxy wants more.
  sessionsPerAddress: 64,
  // 10,000 connections take about 250 MB, sockets of the kernel not counted.
  sessions: 10_000,
  // One hash takes a thread for 50 ms and 16 MiB; libuv has four threads and other work for them.
  hashesAtOnce: 2,
  // Six seconds of waiting: less than `loginMs`.
  hashesWaiting: 256,
  // At 300 bytes a record: 30 MB.
  accounts: 100_000,
  // One per click.
  feedRequestsPerSecond: 10,
  // A quarter of a second of a full room's tracks.
  feedQueuedBytesSoft: 256 * KIB,
  feedQueuedBytesHard: 4096 * KIB,
  logLinesPerMinute: 20,
});

/** The defaults with some of them replaced. Throws `RangeError` for a budget that is not a positive number. */
export function budgetsWith(changes: Partial<Budgets> = {}): Budgets {
  const budgets: Budgets = { ...defaultBudgets, ...changes };
  for (const [name, value] of Object.entries(budgets)) {
    if (!(typeof value === "number" && value > 0)) {
      throw new RangeError(`Budget ${name} must be over 0, got ${String(value)}`);
    }
  }
  return budgets;
}
