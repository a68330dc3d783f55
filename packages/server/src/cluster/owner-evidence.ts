/**
 * **Evidence of bans in a cluster**: a gateway makes the ban of its player, and the owner of the world has the last seconds. So the
 * gateway asks the owner, a few seconds after the ban, to keep them with it. When the owner has changed meanwhile, the next one is
 * asked, which has what was played since the snapshot with which it began.
 */
import { type Cancel, type Clock, type Cluster, ClusterError } from "wirewalk/net";
import { parseBanKey } from "../bans/ban-key.ts";
import type { Ban } from "../bans/bans.ts";
import { EVIDENCE_AFTER_MS, type EvidenceAnswer, type EvidenceMaker, type EvidenceRequest } from "../bans/evidence.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { BanEffect, HostedWorld } from "../worlds/hosted-world.ts";
import { isObject, isPlayer, isTime, parseOrNothing } from "./batch.ts";
import { worldSubjects } from "./subjects.ts";

/** An owner reads seconds of its world and writes them to the store. */
const ANSWER_MS = 5_000;
/** A world is without an owner for up to a lease, and an owner finds the bans of others within a second. */
const TRIES = 5;
const AGAIN_MS = 1_000;
/** Requests that wait; later bans carry verdicts alone. */
const MAX_WAITING = 20;

/** The request that a gateway sent; undefined for data that is no such request. */
export function evidenceRequestOf(data: unknown): EvidenceRequest | undefined {
  if (!isObject(data) || typeof data.key !== "string" || !isPlayer(data.player)) return undefined;
  const key = parseBanKey(data.key);
  const { player, atMs } = data;
  if (key === undefined || (atMs !== undefined && !isTime(atMs))) return undefined;
  return { key, player, ...(atMs === undefined ? {} : { atMs }) };
}

export interface OwnerEvidenceOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: LogBudget;
}

export class OwnerEvidence implements EvidenceMaker {
  readonly #options: OwnerEvidenceOptions;
  readonly #waiting = new Set<Cancel>();
  #isClosed = false;

  constructor(options: OwnerEvidenceOptions) {
    this.#options = options;
  }

  banned(world: HostedWorld, ban: Ban, { player, evidence }: BanEffect): void {
    const { log } = this.#options;
    if (this.#waiting.size >= MAX_WAITING) {
      log.warn({ protocol: ban.protocol, key: ban.key }, "a ban carries no recording: too many bans at once");
      return;
    }
    const atMs = evidence.at(-1)?.atMs;
    const request = { key: ban.key, player, ...(atMs === undefined ? {} : { atMs }) };
    this.#after(EVIDENCE_AFTER_MS, () => void this.#ask(world.name, request, 1));
  }

  /** What has not been asked for by then is not. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #after(ms: number, call: () => void): void {
    const cancel = this.#options.clock.after(ms, () => {
      this.#waiting.delete(cancel);
      call();
    });
    this.#waiting.add(cancel);
  }

  async #ask(world: string, evidence: EvidenceRequest, tries: number): Promise<void> {
    const { cluster, log } = this.#options;
    const answer = await this.#answer(cluster, world, evidence);
    if (answer === "kept" || answer === "not-recorded" || this.#isClosed) return;
    if (answer !== "failed" && tries < TRIES) {
      this.#after(AGAIN_MS, () => void this.#ask(world, evidence, tries + 1));
    } else log.warn({ world, key: evidence.key, answer }, "a ban carries no recording");
  }

  /** `no-owner`: none has answered. */
  async #answer(cluster: Cluster, world: string, evidence: EvidenceRequest): Promise<EvidenceAnswer | "no-owner"> {
    try {
      const ask = new TextEncoder().encode(JSON.stringify({ evidence }));
      const answer = parseOrNothing(await cluster.request(worldSubjects(world).owner, ask, ANSWER_MS));
      const said = isObject(answer) ? answer.evidence : undefined;
      return said === "kept" || said === "not-recorded" || said === "unknown-ban" ? said : "failed";
    } catch (error) {
      if (error instanceof ClusterError) return "no-owner";
      throw error;
    }
  }
}
