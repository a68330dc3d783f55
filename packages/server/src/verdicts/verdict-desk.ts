/**
 * What is found in all worlds of a server comes together here: scores, the book for operators, and outputs. One thread has it, also
 * where the worlds are in several.
 */
import type { Verdict } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { Bans } from "../bans/bans.ts";
import { Ledger, type Penalty, type VerdictWorld } from "../bans/ledger.ts";
import { policiesOfWorlds } from "../bans/policies.ts";
import { CounterSet, type Metrics } from "../health/metrics.ts";
import { addActionMetrics, addOutputMetrics } from "../health/output-metrics.ts";
import { actionEvent, penaltyEvent, type ToldVerdict, verdictEvent } from "../outputs/events-of.ts";
import type { OutputTarget } from "../outputs/output-targets.ts";
import { Outputs } from "../outputs/outputs.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { NamedListener } from "../server-options.ts";
import type { VerdictAccount } from "../thread-parts.ts";
import { type ActionHands, VerdictActions } from "./verdict-actions.ts";
import { VerdictBook } from "./verdict-book.ts";

export interface VerdictDeskOptions {
  readonly store: Store;
  readonly bans: Bans;
  readonly listeners: readonly NamedListener[];
  readonly hands: ActionHands;
  /** Default: none. */
  readonly outputs?: readonly OutputTarget[] | undefined;
  readonly epochNow: () => number;
  readonly log: LogBudget;
}

export class VerdictDesk {
  readonly ledger: Ledger;
  readonly actions: VerdictActions;
  readonly #book = new VerdictBook();
  readonly #outputs: Outputs | undefined;
  readonly #epochNow: () => number;
  readonly #policies = new CounterSet();
  readonly #operators = new CounterSet();

  /** Throws `RangeError` for an invalid policy and an output that cannot be, and what the store throws. */
  constructor({ store, bans, listeners, hands, outputs = [], epochNow, log }: VerdictDeskOptions) {
    this.ledger = new Ledger(store, bans.time, policiesOfWorlds(listeners));
    this.#epochNow = epochNow;
    this.#outputs = outputs.length === 0 ? undefined : new Outputs({ targets: outputs, store, log });
    this.actions = new VerdictActions({
      store,
      book: this.#book,
      bans,
      ledger: this.ledger,
      hands,
      epochNow,
      log,
      onAction: (verdict, action) => {
        this.#operators.add({ world: verdict.world, action: action.action, result: action.result });
        // A failed one has done nothing, and its caller is told so.
        if (action.result === "done") this.#outputs?.tell(actionEvent(verdict, action));
      },
    });
  }

  /** A verdict above benign about an account. A penalty when a policy's limit is reached. */
  found(world: VerdictWorld, { key, name }: VerdictAccount, verdict: Verdict): Penalty | undefined {
    const of: ToldVerdict = { world, verdict, name, epochMs: Math.round(this.#epochNow()) };
    this.#book.add({ ...of, key });
    if (this.#outputs?.takesVerdicts === true) this.#outputs.tell(verdictEvent(of));
    const penalty = this.ledger.add(world, key, verdict);
    if (penalty === undefined) return undefined;
    this.#policies.add({
      protocol: world.protocol,
      world: world.name,
      rule: penalty.rule,
      action: penalty.policy.action,
    });
    this.#outputs?.tell(penaltyEvent(of, penalty));
    return penalty;
  }

  addTo(metrics: Metrics): void {
    addActionMetrics(metrics, this.#policies, this.#operators);
    addOutputMetrics(metrics, () => this.#outputs?.counts ?? []);
  }

  /** Call it about once a second. */
  poll(): void {
    this.ledger.poll();
  }

  /** Before the store is closed. */
  async close(): Promise<void> {
    this.ledger.close();
    await this.#outputs?.close();
  }
}
