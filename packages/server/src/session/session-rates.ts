/** The rates at which sessions may send, made once for all sessions of a server. */
import type { Budgets } from "./budgets.ts";
import type { Rate } from "./token-bucket.ts";

/** The part of its budgets that a player from a softly banned address has: still as much as a shipped client sends. */
const SOFT_BAN_SHARE = 0.5;

export interface SessionRates {
  readonly bytes: Rate;
  readonly messages: Rate;
  readonly refused: Rate;
  /** Of players from a banned address, where such bans are `soft`. */
  readonly strictBytes: Rate;
  readonly strictMessages: Rate;
}

export function sessionRates(budgets: Budgets): SessionRates {
  const bytes = { perSecond: budgets.bytesPerSecond, burst: budgets.bytesBurst };
  const messages = { perSecond: budgets.messagesPerSecond, burst: budgets.messagesBurst };
  const refused = { perSecond: budgets.refusedPayloadsPerSecond, burst: budgets.refusedPayloadsBurst };
  return { bytes, messages, refused, strictBytes: strict(bytes), strictMessages: strict(messages) };
}

function strict({ perSecond, burst }: Rate): Rate {
  return { perSecond: perSecond * SOFT_BAN_SHARE, burst: burst * SOFT_BAN_SHARE };
}
