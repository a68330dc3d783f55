/** **Bans**: accounts that may not join until a time, with the evidence. They are kept in the store. */
import type { Verdict } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";

const TABLE = "bans";
/** Verdicts kept with a ban: the last ones. */
const MAX_EVIDENCE = 20;
/** Bytes of a verdict's message that are kept: no movement message is longer. */
const MAX_EVIDENCE_BYTES = 1024;

/** One account's ban. Times are epoch milliseconds. */
export interface Ban {
  readonly protocol: string;
  readonly account: string;
  readonly reason: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Verdicts, oldest first, messages as hex. */
  readonly evidence: readonly JsonObject[];
}

/** A verdict as JSON, its message as hex without spaces. */
export function verdictJson(verdict: Verdict) {
  return {
    kind: verdict.kind,
    rule: verdict.rule,
    reason: verdict.reason,
    player: verdict.player,
    room: verdict.room,
    atMs: verdict.atMs,
    measured: verdict.measured ?? null,
    allowed: verdict.allowed ?? null,
    unit: verdict.unit ?? null,
    message: Buffer.from(verdict.message.subarray(0, MAX_EVIDENCE_BYTES)).toString("hex"),
    stateBefore: verdict.stateBefore,
  } as const;
}

/** The bans of a store. `epochNow` gives epoch milliseconds: bans outlive the process and its clock. */
export class Bans {
  readonly #store: Store;
  readonly #epochNow: () => number;

  constructor(store: Store, epochNow: () => number) {
    this.#store = store;
    this.#epochNow = epochNow;
  }

  /** Bans the account from now on, or until the end of its current ban if that is later. */
  add(
    protocol: string,
    ban: {
      readonly account: string;
      readonly reason: string;
      readonly durationMs: number;
      readonly evidence: readonly Verdict[];
    },
  ): Ban {
    const fromMs = this.#epochNow();
    const earlier = this.find(protocol, ban.account);
    const untilMs = Math.max(fromMs + ban.durationMs, earlier?.untilMs ?? 0);
    const record = {
      protocol,
      account: ban.account,
      reason: ban.reason,
      fromMs,
      untilMs,
      evidence: ban.evidence.slice(-MAX_EVIDENCE).map(verdictJson),
    };
    this.#store.put(TABLE, keyOf(protocol, ban.account), record);
    return record;
  }

  /** The current ban of the account; one that has expired is deleted. */
  find(protocol: string, account: string): Ban | undefined {
    const key = keyOf(protocol, account);
    const record = this.#store.get(TABLE, key);
    if (record === undefined) return undefined;
    const ban = record as unknown as Ban;
    if (ban.untilMs > this.#epochNow()) return ban;
    this.#store.delete(TABLE, key);
    return undefined;
  }

  /** All current bans, by protocol and account. */
  list(): readonly Ban[] {
    const nowMs = this.#epochNow();
    return this.#store
      .list(TABLE)
      .map(({ record }) => record as unknown as Ban)
      .filter((ban) => ban.untilMs > nowMs);
  }

  /** Deletes the ban of an account; false when it is not banned. */
  lift(protocol: string, account: string): boolean {
    if (this.find(protocol, account) === undefined) return false;
    this.#store.delete(TABLE, keyOf(protocol, account));
    return true;
  }
}

/** Names of protocols have no slash. */
function keyOf(protocol: string, account: string): string {
  return `${protocol}/${account}`;
}
