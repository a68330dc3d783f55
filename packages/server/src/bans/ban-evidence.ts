/**
 * **Evidence of bans**: the seconds before and after the last verdict that led to a ban, as a recording that replays, kept with the
 * ban. It is made a few seconds after the ban, and off the way of play.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { BanEffect, HostedWorld } from "../worlds/hosted-world.ts";
import type { Recordings } from "../worlds/recordings.ts";
import type { Ban, Bans } from "./bans.ts";
import { EVIDENCE_AFTER_MS, type EvidenceAnswer, type EvidenceMaker, type EvidenceRequest } from "./evidence.ts";

/** Seconds of play before and after, the longest first: with many players a shorter one fits. */
const SPANS = [
  { beforeMs: 15_000, afterMs: EVIDENCE_AFTER_MS },
  { beforeMs: 5_000, afterMs: 1_000 },
  { beforeMs: 0, afterMs: 200 },
] as const;
const MAX_BYTES = 1 << 20;
/** Bans whose evidence is still to be made; later ones carry verdicts alone. */
const MAX_WAITING = 20;

export interface BanEvidenceOptions {
  readonly clock: Clock;
  readonly bans: Pick<Bans, "keepRecording" | "find">;
  readonly recordings: Recordings;
  readonly log: LogBudget;
}

interface Waiting {
  /** Its name. */
  readonly world: string;
  readonly ban: Ban;
  readonly player: PlayerId;
  readonly atMs: number;
}

export class BanEvidence implements EvidenceMaker {
  readonly #options: BanEvidenceOptions;
  readonly #waiting = new Map<Waiting, () => void>();
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: BanEvidenceOptions) {
    this.#options = options;
  }

  banned(world: HostedWorld, ban: Ban, { player, evidence }: BanEffect): void {
    const { clock, log } = this.#options;
    const { protocol, key } = ban;
    if (this.#waiting.size >= MAX_WAITING) {
      log.warn({ protocol, key }, "a ban carries no recording: too many bans at once");
      return;
    }
    const waiting: Waiting = { world: world.name, ban, player, atMs: evidence.at(-1)?.atMs ?? clock.now() };
    const cancel = clock.after(EVIDENCE_AFTER_MS, () => void this.#take(waiting));
    this.#waiting.set(waiting, cancel);
  }

  /** Keeps the seconds before now with a ban of another user of the store. `nowMs` is the time of the world. */
  async keep(
    { name, protocol }: Pick<HostedWorld, "name" | "protocol">,
    { key, player, atMs }: EvidenceRequest,
    nowMs: number,
  ): Promise<EvidenceAnswer> {
    const ban = this.#options.bans.find(protocol.name, key);
    if (ban === undefined) return "unknown-ban";
    if (this.#waiting.size >= MAX_WAITING) return "failed";
    const waiting: Waiting = { world: name, ban, player, atMs: atMs ?? nowMs - EVIDENCE_AFTER_MS };
    this.#waiting.set(waiting, () => {});
    return this.#take(waiting);
  }

  /** Makes what is still to be made, from what has been recorded by now. */
  async close(): Promise<void> {
    for (const [waiting, cancel] of [...this.#waiting]) {
      cancel();
      void this.#take(waiting);
    }
    await this.#working;
  }

  /** One after the other: each reads seconds of a whole world. */
  #take(waiting: Waiting): Promise<EvidenceAnswer> {
    const made = this.#working.then(() => this.#make(waiting));
    this.#working = made;
    this.#waiting.delete(waiting);
    return made;
  }

  /** Never rejects. */
  async #make({ world, ban, player, atMs }: Waiting): Promise<EvidenceAnswer> {
    const { bans, recordings, log } = this.#options;
    const { protocol, key, rule } = ban;
    try {
      for (const { beforeMs, afterMs } of SPANS) {
        const about = { rule, player: String(player), reason: ban.reason };
        const bytes = await recordings.slice(world, {
          player,
          fromMs: atMs - beforeMs,
          toMs: atMs + afterMs,
          about,
        });
        if (bytes === undefined) return "not-recorded";
        if (bytes.length > MAX_BYTES) continue;
        const isKept = bans.keepRecording(protocol, key, bytes);
        if (!isKept) log.warn({ protocol, key, bytes: bytes.length }, "the recording of a ban was not kept");
        return isKept ? "kept" : "failed";
      }
      log.warn({ protocol, key }, `a ban carries no recording: its last seconds are over ${MAX_BYTES} bytes`);
    } catch (error) {
      log.warn({ protocol, key, err: error }, "a ban carries no recording");
    }
    return "failed";
  }
}
