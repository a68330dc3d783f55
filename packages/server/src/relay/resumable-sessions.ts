/** Sessions whose connections have ended, for connections that continue one of them. */

/** A server does not keep a player without a connection for longer. Our choice: no public source has the number. */
const KEPT_MS = 120_000;
const MAX_KEPT = 1_024;

interface Ended {
  readonly host: string;
  readonly endedMs: number;
  session: unknown;
  isTaken: boolean;
}

/**
 * A login that continues a session does not say in clear which one. The session is known only when exactly one connection of the same
 * host has ended within two minutes with a session that can be continued.
 */
export class ResumableSessions {
  readonly #ended = new Map<number, Ended>();

  /** A connection, or one of its directions, has ended. `session` comes from its tap; undefined when no connection can continue it. */
  ended(connection: number, host: string, session: unknown, nowMs: number): void {
    const before = this.#ended.get(connection);
    if (before !== undefined) before.session = session;
    else if (session !== undefined) {
      this.#forget(nowMs);
      this.#ended.set(connection, { host, endedMs: nowMs, session, isTaken: false });
    }
  }

  /** A new connection has this number. */
  opened(connection: number): void {
    this.#ended.delete(connection);
  }

  /** The session that a connection from this host continues; undefined when it is not known. */
  take(host: string, nowMs: number): unknown {
    this.#forget(nowMs);
    const [first, ...others] = [...this.#ended.values()].filter((each) => {
      return each.host === host && !each.isTaken && each.session !== undefined;
    });
    if (first === undefined || others.length > 0) return undefined;
    first.isTaken = true;
    return first.session;
  }

  #forget(nowMs: number): void {
    for (const [connection, { endedMs }] of this.#ended) {
      if (nowMs - endedMs <= KEPT_MS && this.#ended.size < MAX_KEPT) break;
      this.#ended.delete(connection);
    }
  }
}
