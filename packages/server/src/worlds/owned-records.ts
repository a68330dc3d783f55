/** The recording of a world by the node that owns it, as a port. */
import type { RecordedOwner } from "@wirewalk/recording";
import type { HostRecording, RecordedHost } from "@wirewalk/recording/node";
import type { EvidenceAnswer, EvidenceRequest } from "../bans/evidence.ts";

/** Names of worlds that should be recorded and are not. */
export interface UnrecordedWorlds {
  readonly worlds: readonly string[];
  /** Those of them that take no players meanwhile. */
  readonly closed: readonly string[];
}

/** What is recorded, where, and the wall clock at its time: epoch milliseconds. */
export interface OwnedRecording extends RecordedOwner {
  readonly host: RecordedHost & { readonly nowMs: number };
  readonly nowMs: number;
  readonly wallMs: number;
}

export interface OwnedWorldRecords {
  /** Begins to record the world, in the state of a snapshot. */
  record(from: OwnedRecording): Pick<HostRecording, "flush" | "close">;
  /** Keeps seconds of the recording with a ban. */
  keepEvidence(request: EvidenceRequest, nowMs: number): Promise<EvidenceAnswer>;
}
