/** What `/readyz` says of a server: how late messages are, what fails, and what works only in part. */
import type { Logger } from "pino";
import type { Accounts } from "../admission/accounts.ts";
import type { Bans } from "../bans/bans.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { HostedWorld } from "../worlds/hosted-world.ts";
import type { UnrecordedWorlds } from "../worlds/owned-records.ts";
import { hasDescriptor } from "./descriptors.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** What is said at every look, by `/readyz` and in status messages of worker threads. */
export interface Health {
  /** See `HttpSources.lagMs`. */
  readonly lagMs: number;
  /** See `HttpSources.failing`. */
  readonly failing: string | undefined;
  /** See `HttpSources.degraded`. */
  readonly degraded: string | undefined;
}

export interface ReadinessSources {
  readonly worlds: readonly Pick<HostedWorld, "worstLagMs">[];
  readonly stalls: Pick<Stalls, "worstMs">;
  readonly bans: Pick<Bans, "problem">;
  /** Undefined where no world has logins, or another thread checks them. */
  readonly accounts: Pick<Accounts, "look" | "problem"> | undefined;
  /** What is short of memory, where that is measured. */
  readonly memory?: Pick<MemoryBudget, "problem"> | undefined;
  /** The worlds that should be recorded and are not. Default: none. */
  readonly unrecorded?: () => UnrecordedWorlds;
  readonly log: Logger;
}

export class Readiness implements Health {
  readonly #sources: ReadinessSources;
  /** Whether a file descriptor was left at the last look. */
  #hasDescriptor = true;
  /** At the last look. */
  #storeProblem: string | undefined;
  #loginProblem: string | undefined;

  constructor(sources: ReadinessSources) {
    this.#sources = sources;
  }

  /** What has not been read waits for a turn of the event loop, what has been read for its flush. */
  get lagMs(): number {
    const { worlds, stalls } = this.#sources;
    return Math.max(stalls.worstMs, ...worlds.map(({ worstLagMs }) => worstLagMs));
  }

  get failing(): string | undefined {
    const { accounts, memory, unrecorded } = this.#sources;
    if (memory?.problem !== undefined) return `no new connection is accepted: ${memory.problem}`;
    if (accounts?.problem !== undefined) return `logins fail: ${accounts.problem}`;
    return listed("worlds are not recorded and take no players", unrecorded?.().closed);
  }

  get degraded(): string | undefined {
    if (!this.#hasDescriptor) return "no file descriptor is left: connections are dropped";
    const { problem } = this.#sources.bans;
    if (problem !== undefined) return `bans are held in memory alone: ${problem}`;
    return listed("worlds are not recorded", this.#sources.unrecorded?.().worlds);
  }

  /** Looks at the stores, and logs when one stops to work and when it works again. */
  lookAtStores(): void {
    const { log, bans, accounts } = this.#sources;
    const had = this.#storeProblem;
    this.#storeProblem = bans.problem;
    if (had === undefined && bans.problem !== undefined) {
      log.error({ problem: bans.problem }, "the store fails: bans are held in memory alone");
    } else if (had !== undefined && bans.problem === undefined) {
      log.info("the store works again: all bans are kept");
    }
    accounts?.look();
    const problem = accounts?.problem;
    const hadLogins = this.#loginProblem === undefined;
    this.#loginProblem = problem;
    if (hadLogins && problem !== undefined) {
      log.error({ problem }, "logins fail: the store of accounts cannot be used");
    } else if (!hadLogins && problem === undefined) {
      log.info("logins work again");
    }
  }

  /** Asks the system whether a connection could still be accepted. */
  lookForDescriptor(): void {
    const { log } = this.#sources;
    const had = this.#hasDescriptor;
    this.#hasDescriptor = hasDescriptor();
    if (had && !this.#hasDescriptor) {
      log.error({ code: "EMFILE" }, "no file descriptor is left: connections are dropped (ulimit -n)");
    } else if (!had && this.#hasDescriptor) {
      log.info("file descriptors are left again");
    }
  }
}

function listed(what: string, names: readonly string[] = []): string | undefined {
  return names.length === 0 ? undefined : `${what}: ${names.join(", ")}`;
}
