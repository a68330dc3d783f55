/** What makes the **evidence** of bans, and what a gateway of a cluster asks an owner for. */
import type { PlayerId } from "wirewalk/motion";
import type { BanEffect, HostedWorld } from "../worlds/hosted-world.ts";
import type { BanKey } from "./ban-key.ts";
import type { Ban } from "./bans.ts";

/** Milliseconds after the last verdict of a ban that its evidence reaches. */
export const EVIDENCE_AFTER_MS = 3_000;

/** What makes the evidence of bans: this server, or in a cluster the owner of the world. */
export interface EvidenceMaker {
  /** A world made a ban that is kept. */
  banned(world: HostedWorld, ban: Ban, effect: BanEffect): void;
  close(): Promise<void>;
}

/** The ban whose evidence is to be kept, and whose it is. */
export interface EvidenceRequest {
  readonly key: BanKey;
  readonly player: PlayerId;
  /** The world's time of the last verdict. Default: the time of the ban. */
  readonly atMs?: number;
}

/**
 * `not-recorded`: the world is not recorded here. `unknown-ban`: the store has not shown it yet, or it is lifted. `failed`: the log says
 * why.
 */
export type EvidenceAnswer = "kept" | "not-recorded" | "unknown-ban" | "failed";
