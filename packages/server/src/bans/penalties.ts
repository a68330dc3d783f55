/** What a server does with verdicts and bans beside its worlds: the ledger with its policies, and the evidence of bans. */
import type { Verdict } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { NamedListener } from "../server-options.ts";
import type { Session } from "../session/session.ts";
import type { ThreadParts } from "../thread-parts.ts";
import type { VerdictBook } from "../verdicts/verdict-book.ts";
import type { BanEffect, HostedWorld } from "../worlds/hosted-world.ts";
import type { Ban, Bans } from "./bans.ts";
import type { EvidenceMaker } from "./evidence.ts";
import { Ledger, type Penalty, type VerdictWorld } from "./ledger.ts";
import { policiesOfWorlds } from "./policies.ts";

export interface PenaltiesOptions {
  readonly store: Store;
  readonly bans: Bans;
  /** Makes the evidence of bans. Default: bans carry verdicts alone. */
  readonly evidence: EvidenceMaker | undefined;
  readonly listeners: readonly NamedListener[];
  readonly log: LogBudget;
  /** Remembers verdicts for operators. */
  readonly book: Pick<VerdictBook, "add">;
  readonly epochNow: () => number;
  /** In a worker thread: the ledger is elsewhere. */
  readonly thread?: Pick<ThreadParts, "addVerdict" | "forget"> | undefined;
}

export class Penalties {
  readonly ledger: Ledger;
  readonly #evidence: EvidenceMaker | undefined;
  readonly #log: LogBudget;
  readonly #book: PenaltiesOptions["book"];
  readonly #epochNow: () => number;
  readonly #thread: PenaltiesOptions["thread"];

  /** Throws `RangeError` for an invalid policy, and what the store throws. */
  constructor({ store, bans, evidence, listeners, log, book, epochNow, thread }: PenaltiesOptions) {
    this.#thread = thread;
    this.ledger = new Ledger(store, bans.time, policiesOfWorlds(listeners));
    this.#evidence = evidence;
    this.#log = log;
    this.#book = book;
    this.#epochNow = epochNow;
  }

  /** A world gave a verdict. */
  verdict(world: HostedWorld, verdict: Verdict): void {
    if (verdict.kind === "accept" || verdict.kind === "benign") return;
    const { player } = verdict;
    const key = world.banKeyOf(player);
    if (key === undefined) return;
    const of: VerdictWorld = { name: world.name, protocol: world.protocol.name };
    const penalize = (penalty: Penalty): void => {
      const { rule, policy, score } = penalty;
      this.#log.warn(
        { protocol: of.protocol, world: of.name, key, player, rule, action: policy.action, score },
        "verdicts add up",
      );
      world.penalize(player, penalty);
    };
    const name = world.nameOf(player) ?? "";
    if (this.#thread !== undefined) {
      // The answer may come when another player has the number.
      this.#thread.addVerdict(of, { key, name }, verdict, (penalty) => {
        if (world.banKeyOf(player) === key) penalize(penalty);
      });
      return;
    }
    this.#book.add({ world: of, verdict, key, name, epochMs: Math.round(this.#epochNow()) });
    const penalty = this.ledger.add(of, key, verdict);
    if (penalty !== undefined) penalize(penalty);
  }

  /** A world made a ban, which is kept. */
  banned(world: HostedWorld, ban: Ban, effect: BanEffect): void {
    this.#evidence?.banned(world, ban, effect);
  }

  ended({ world, banKey }: Session): void {
    (this.#thread ?? this.ledger).forget(world.protocol.name, banKey);
  }

  /** Call it about once a second. */
  poll(): void {
    this.ledger.poll();
  }

  /** Before the store and the recordings are closed. */
  async close(): Promise<void> {
    await this.#evidence?.close();
    this.ledger.close();
  }
}
