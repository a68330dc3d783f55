/**
 * **Budgets**: a limit for every quantity that a peer controls. A session that exceeds one ends, with a reason of its own;
 * other sessions are not affected.
 *
 * Time in which this process itself did not run never counts against a session: see `stalls.ts`.
 */

/** The limits. Bytes are bytes as carried, times are milliseconds. */
export interface Budgets {
  /** Bytes per second of a session, on average. */
  readonly bytesPerSecond: number;
  /** Bytes at once after a silence. */
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
  /** Frames of one WebSocket message. */
  readonly websocketFragments: number;
  /** Bytes queued for a slow reader above which it receives no broadcasts until the queue is empty. */
  readonly queuedBytesSoft: number;
  /** Bytes queued for a slow reader above which it is disconnected. */
  readonly queuedBytesHard: number;
  /**
   * Bytes queued for all players of one world. Above it players with anything queued receive no broadcasts, and those with the
   * most are disconnected until it is no longer exceeded.
   */
  readonly queuedBytesPerWorld: number;
  /** Time for which a slow reader may stay above the soft limit, or read nothing of its queue, before it is disconnected. */
  readonly slowReaderMs: number;
  /** Silence before a session is disconnected that is sent nothing either, or does not take it. */
  readonly idleMs: number;
  /** From the connection to its first valid message. A WebSocket that answers pings and a player over TCP may take longer. */
  readonly silentMs: number;
  /** From the connection to the end of the login, in a dialect that has one. */
  readonly loginMs: number;
  /** Time for which a player waits that comes from a banned address, where such bans are `soft`. It may send half as much. */
  readonly softBanDelayMs: number;
  /** Connections of one remote address, feeds of the page included. */
  readonly sessionsPerAddress: number;
  /** Connections in total, feeds of the page included. */
  readonly sessions: number;
  /** HTTP connections that are no WebSocket, beside the sessions. */
  readonly httpConnections: number;
  /** Share of `sessions` that is kept for the games and the page, in equal parts: no other may take those places. */
  readonly reservedShare: number;
  /** Passwords hashed at the same time. */
  readonly hashesAtOnce: number;
  /** Logins that wait for a hash. */
  readonly hashesWaiting: number;
  /** Logins with one name from one address that wait for a hash. */
  readonly hashesWaitingPerPair: number;
  /** Failed logins of one address, at once, from which on its new names wait behind all other logins. */
  readonly loginFailuresPerAddress: number;
  /** Failed logins of one address that are forgotten per minute. */
  readonly loginFailuresPerMinute: number;
  /** Accounts that one address may create at once. This machine's own addresses have no limit. */
  readonly registrationsPerAddress: number;
  /** Accounts that one address may create per hour on average. */
  readonly registrationsPerHour: number;
  /** Accounts kept in the store. */
  readonly accounts: number;
  /** Requests per second on the page's feed, and at once. */
  readonly feedRequestsPerSecond: number;
  /** Bytes queued for a slow page above which it receives no tracks until it has caught up. */
  readonly feedQueuedBytesSoft: number;
  /** Bytes queued for a slow page above which it is disconnected. */
  readonly feedQueuedBytesHard: number;
  /**
   * Log lines per minute about what happens in one session; a hundred times as many about all sessions together, and thirty times as
   * many about sessions that open and close.
   */
  readonly logLinesPerMinute: number;
}

const KIB = 1024;

/** The default budgets, with their reasons. */
export const defaultBudgets: Budgets = Object.freeze({
  // Twice the largest rule of the games (60 messages a second), at up to 270 bytes a message.
  bytesPerSecond: 32 * KIB,
  // After a stall of three seconds an honest client sends what it held back, at most 180 messages and 48 KiB; the world's
  // own rules judge them, this budget does not.
  bytesBurst: 192 * KIB,
  messagesPerSecond: 120,
  messagesBurst: 600,
  // Shipped clients send some kinds of messages that no codec here knows, but not many of them.
  refusedPayloadsBurst: 64,
  refusedPayloadsPerSecond: 2,
  // A frame of 8 KiB over a line of 1 KiB/s.
  unfinishedFrameMs: 10_000,
  // The longest payload of any protocol here is 64 KiB less one.
  websocketMessageBytes: 64 * KIB,
  // Clients send a message in one frame; a proxy may cut it. `ws` keeps an object for each fragment, empty ones too: without
  // a limit 64 KiB of carried bytes become 10,000 of them, and bytes of a message alone are no limit at all.
  websocketFragments: 64,
  // Some 20,000 movements: half a minute of a full room.
  queuedBytesSoft: 256 * KIB,
  // Above the soft limit only messages to this player alone and its refreshed state are queued: far less than this.
  queuedBytesHard: 1024 * KIB,
  // As much as 10,000 connections take themselves. 1,024 slow readers reach it with `queuedBytesSoft` each.
  queuedBytesPerWorld: 256 * 1024 * KIB,
  slowReaderMs: 15_000,
  // A player that stands still sends nothing. Kernels and WebSocket pings find dead connections much sooner.
  idleMs: 15 * 60_000,
  // A connection that sends none costs a place: seconds, not the minutes of a player that stands still.
  silentMs: 20_000,
  // Long enough for a bad line, short enough that connections without a login do not pile up.
  loginMs: 20_000,
  // Coming back at once is what makes a cheat cheap; a neighbour of the cheat can bear it. What a client sent meanwhile comes
  // at once when it joins: worlds take what is late by up to 6 s for what it is, and more for a cheat.
  softBanDelayMs: 4_000,
  // A household or a school behind one address; a load test or a reverse proxy needs more.
  sessionsPerAddress: 64,
  // 10,000 connections take about 250 MB, sockets of the kernel not counted.
  sessions: 10_000,
  // Some hundred browsers.
  httpConnections: 1_000,
  // With five games and the page 333 places each; one game may have 8,335.
  reservedShare: 0.2,
  // One hash takes a thread for 50 ms and 16 MiB; libuv has four threads, which do other work too.
  hashesAtOnce: 2,
  // Six seconds of waiting: less than `loginMs`.
  hashesWaiting: 256,
  // A player has one client; a second is its reconnect.
  hashesWaitingPerPair: 2,
  // A school whose pupils mistype, all in one lesson.
  loginFailuresPerAddress: 30,
  loginFailuresPerMinute: 6,
  // The same school on its first day. An account takes 300 bytes of the disk until it is removed.
  registrationsPerAddress: 32,
  registrationsPerHour: 16,
  // At 300 bytes a record: 30 MB.
  accounts: 100_000,
  // One per click.
  feedRequestsPerSecond: 10,
  // Three full snapshots of 2,000 players.
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
  if (budgets.reservedShare > 1)
    throw new RangeError(`Budget reservedShare is at most 1, got ${budgets.reservedShare}`);
  return budgets;
}
