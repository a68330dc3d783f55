/** What a server does with verdicts and bans beside its worlds: the ledger with its policies, and the evidence of bans. */
import type { Verdict } from "wirewalk/motion";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Session } from "../session/session.ts";
import type { ThreadParts } from "../thread-parts.ts";
import type { VerdictDesk } from "../verdicts/verdict-desk.ts";
import type { BanEffect, HostedWorld } from "../worlds/hosted-world.ts";
import type { Ban } from "./bans.ts";
import type { EvidenceMaker } from "./evidence.ts";
import type { Penalty, VerdictWorld } from "./ledger.ts";

export interface PenaltiesOptions {
  readonly desk: VerdictDesk;
  /** Makes the evidence of bans. Default: bans carry verdicts alone. */
  readonly evidence: EvidenceMaker | undefined;
  readonly log: LogBudget;
  /** In a worker thread: the desk is elsewhere. */
  readonly thread?: Pick<ThreadParts, "addVerdict" | "forget"> | undefined;
}

export class Penalties {
  readonly #desk: VerdictDesk;
  readonly #evidence: EvidenceMaker | undefined;
  readonly #log: LogBudget;
  readonly #thread: PenaltiesOptions["thread"];

  constructor({ desk, evidence, log, thread }: PenaltiesOptions) {
    this.#desk = desk;
    this.#thread = thread;
    this.#evidence = evidence;
    this.#log = log;
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
    const penalty = this.#desk.found(of, { key, name }, verdict);
    if (penalty !== undefined) penalize(penalty);
  }

  /** A world made a ban, which is kept. */
  banned(world: HostedWorld, ban: Ban, effect: BanEffect): void {
    this.#evidence?.banned(world, ban, effect);
  }

  ended({ world, banKey }: Session): void {
    (this.#thread ?? this.#desk.ledger).forget(world.protocol.name, banKey);
  }

  /** Before the store and the recordings are closed. */
  async close(): Promise<void> {
    await this.#evidence?.close();
  }
}
