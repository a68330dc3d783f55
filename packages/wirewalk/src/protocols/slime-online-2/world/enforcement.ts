/**
 * What follows from findings: verdicts, counted violations and bans. Violations belong to the account, so they outlive a
 * player that leaves (docs/protocols/slime-online-2.md, standard 8.8).
 */
import type { Verdict } from "../../../motion/index.ts";
import {
  copyPlain,
  copyState,
  type EffectQueue,
  mapOf,
  number,
  type StateOf,
  savedVerdict,
  state,
  text,
} from "../../world-kit/index.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import { AntiCheat, isCorrected, savedAntiCheat, type ViolationKind } from "./anti-cheat.ts";
import type { Finding } from "./judging.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { stateJson } from "./observation.ts";
import type { Player } from "./player.ts";

/** Accounts that left and whose violations are kept, at most. */
const MAX_DEPARTED = 1000;

/** The violations of an account that left. */
interface Departed {
  readonly antiCheat: AntiCheat<Verdict>;
  readonly atMs: number;
}

/** The violations of accounts that left, the first to leave first. */
export const savedDeparted = mapOf(text, state({ antiCheat: savedAntiCheat(savedVerdict), atMs: number }));
type SavedDeparted = StateOf<typeof savedDeparted>;

export class Enforcement {
  readonly #effects: EffectQueue<SlimeServerMessage>;
  readonly #logOnly: boolean;
  readonly #rules: SlimeRuleLimits;
  readonly #departed: Map<string, Departed>;

  /** @param departed what {@link save} returned. */
  constructor(
    effects: EffectQueue<SlimeServerMessage>,
    logOnly: boolean,
    rules: SlimeRuleLimits,
    departed: SavedDeparted = new Map(),
  ) {
    this.#effects = effects;
    this.#logOnly = logOnly;
    this.#rules = rules;
    this.#departed = new Map(
      Array.from(departed, ([account, { antiCheat, atMs }]) => {
        return [account, { antiCheat: AntiCheat.restore(antiCheat, rules), atMs }];
      }),
    );
  }

  /** Puts out a finding as a verdict and counts it if it is a violation. May end in a ban. */
  report(player: Player, finding: Finding, payload: Uint8Array, nowMs: number): void {
    const { violation } = finding;
    const verdict = this.#verdict(player, finding, payload, nowMs);
    if (violation !== undefined) this.#count(player, violation, verdict, nowMs);
  }

  /** The violations of an account that joins: its own of the last minute, if it left within it. */
  admit(account: string): AntiCheat<Verdict> {
    const departed = this.#departed.get(account);
    this.#departed.delete(account);
    return departed?.antiCheat ?? new AntiCheat(this.#rules);
  }

  /** Keeps the violations of a player that leaves. */
  dismiss({ account, antiCheat }: Player, nowMs: number): void {
    if (antiCheat.total("teleport") === 0 && antiCheat.correctionsOf(nowMs) === 0) return;
    this.#departed.delete(account);
    this.#departed.set(account, { antiCheat, atMs: nowMs });
    if (this.#departed.size > MAX_DEPARTED) this.#forget(Infinity, 1);
  }

  /** Forgets violations that no longer count. */
  tick(nowMs: number): void {
    this.#forget(nowMs - this.#rules.correctionWindowMs, MAX_DEPARTED);
  }

  save(): SavedDeparted {
    return copyState(savedDeparted, this.#departed);
  }

  #verdict(player: Player, finding: Omit<Finding, "violation">, payload: Uint8Array, nowMs: number): Verdict {
    const { kind, rule, reason, evidence, about } = finding;
    return this.#effects.verdict({
      kind,
      rule,
      reason,
      player: player.id,
      room: String(player.room),
      atMs: nowMs,
      ...evidence,
      message: payload,
      stateBefore: { ...stateJson(player), ...about },
    });
  }

  /** Only what is corrected counts towards a ban. */
  #count(player: Player, kind: ViolationKind, verdict: Verdict, nowMs: number): void {
    const { antiCheat, account } = player;
    if (!isCorrected(kind)) {
      antiCheat.record(kind, nowMs, verdict);
      return;
    }
    // The verdict itself belongs to the taker of the effects. The evidence of a ban stays here, so it is a copy.
    antiCheat.record(kind, nowMs, copyPlain(verdict));
    const detection = antiCheat.check(nowMs);
    if (detection.kind === "clean") return;
    const { reason, durationMs } = detection;
    const evidence = detection.evidence.map((violation) => violation.evidence);
    const { maxTeleports, teleportWindowMs, maxCorrections, correctionWindowMs } = this.#rules;
    const measured =
      evidence.length > maxTeleports && reason === "Multiple speed violations"
        ? { measured: evidence.length, allowed: maxTeleports, unit: `teleports/${windowOf(teleportWindowMs)}` }
        : {
            measured: antiCheat.correctionsOf(nowMs),
            allowed: maxCorrections,
            unit: `corrections/${windowOf(correctionWindowMs)}`,
          };
    const finding = {
      kind: this.#logOnly ? "flag" : "reject",
      rule: "anti-cheat",
      reason,
      evidence: measured,
    } as const;
    this.#verdict(player, finding, verdict.message, nowMs);
    antiCheat.clear();
    if (this.#logOnly) return;
    player.banned = true;
    this.#effects.ban({ player: player.id, account, reason, durationMs, evidence });
    this.#effects.close(player.id, "banned");
  }

  /** Forgets up to `count` accounts that left by `byMs`, the first to leave first. */
  #forget(byMs: number, count: number): void {
    let left = count;
    for (const [account, { atMs }] of this.#departed) {
      if (atMs > byMs || left-- <= 0) return;
      this.#departed.delete(account);
    }
  }
}

/** A length of time as units of rates have it: `min`, `h`, `90 s`. */
function windowOf(ms: number): string {
  if (ms === 60_000) return "min";
  return ms === 3_600_000 ? "h" : `${ms / 1000} s`;
}
