/** What `/readyz` says of a server: how late messages are, and what works only in part. */
import type { Logger } from "pino";
import type { Bans } from "../bans/bans.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { HostedWorld } from "../worlds/hosted-world.ts";
import { hasDescriptor } from "./descriptors.ts";

export interface ReadinessSources {
  readonly worlds: readonly HostedWorld[];
  readonly stalls: Pick<Stalls, "worstMs">;
  readonly bans: Pick<Bans, "problem">;
  readonly log: Logger;
}

export class Readiness {
  readonly #sources: ReadinessSources;
  /** Whether a file descriptor was left at the last look. */
  #hasDescriptor = true;
  /** At the last look. */
  #storeProblem: string | undefined;

  constructor(sources: ReadinessSources) {
    this.#sources = sources;
  }

  /** See `HttpSources.lagMs`: what has not been read waits for a turn of the event loop, what has been read for its flush. */
  get lagMs(): number {
    const { worlds, stalls } = this.#sources;
    return Math.max(stalls.worstMs, ...worlds.map(({ worstLagMs }) => worstLagMs));
  }

  /** See `HttpSources.degraded`. */
  get degraded(): string | undefined {
    if (!this.#hasDescriptor) return "no file descriptor is left: connections are dropped";
    const { problem } = this.#sources.bans;
    return problem === undefined ? undefined : `bans are held in memory alone: ${problem}`;
  }

  /** Logs when the store stops to work and when it works again. */
  lookAtStore(): void {
    const { log, bans } = this.#sources;
    const had = this.#storeProblem;
    this.#storeProblem = bans.problem;
    if (had === undefined && bans.problem !== undefined) {
      log.error({ problem: bans.problem }, "the store fails: bans are held in memory alone, logins may be refused");
    } else if (had !== undefined && bans.problem === undefined) {
      log.info("the store works again: all bans are kept");
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
