/** Sessions whose connections have ended, for connections that go on with one of them. */

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
 * A login that goes on with a session does not say which in clear. It can be one alone when one connection alone of the same host has
 * ended within two minutes whose session could go on: otherwise nothing is known of it.
 */
export class ResumableSessions {
  readonly #ended = new Map<number, Ended>();

  /** A connection has ended, or a direction of it. `session` is what the tap says of it, undefined when nothing can go on with it. */
  ended(connection: number, host: string, session: unknown, nowMs: number): void {
    const before = this.#ended.get(connection);
    if (before !== undefined) before.session = session;
    else if (session !== undefined) {
      this.#forget(nowMs);
      this.#ended.set(connection, { host, endedMs: nowMs, session, isTaken: false });
    }
  }

  /** The number of a connection is given again. */
  opened(connection: number): void {
    this.#ended.delete(connection);
  }

  /** The session that a connection from this host goes on with. */
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
