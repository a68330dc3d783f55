/** What the main thread of a server and its worker threads send each other. */
import type { Verdict } from "wirewalk/motion";
import type { LoginOutcome, LoginRequest } from "../admission/accounts.ts";
import type { BanKey } from "../bans/ban-key.ts";
import type { Penalty, VerdictWorld } from "../bans/ledger.ts";
import type { CaptureFilter } from "../capture/session-captures.ts";
import type { ServedWorld } from "../feed/feed.ts";
import type { Health } from "../health/readiness.ts";
import type { RunningListener, ServerStats } from "../server-options.ts";
import type { VerdictAccount } from "../thread-parts.ts";
import type { ActionTarget, DismissedPlay } from "../verdicts/verdict-actions.ts";

/** What a worker is started with; the rest is the caller's own. */
export interface WorkerSetup {
  /** From 1; 0 is the main thread. */
  readonly index: number;
  /** Worker threads in all. */
  readonly threads: number;
  /** Worlds of this worker, by name. */
  readonly worlds: readonly string[];
  /** Unix socket of its HTTP, in a folder that only this user can open. */
  readonly socketPath: string;
  /** See `SharedCounts`. */
  readonly counts: SharedArrayBuffer;
  readonly countedListeners: readonly string[];
  /** From which pseudonyms in recordings are made. */
  readonly secret: Uint8Array;
}

/** Once a second. */
export interface WorkerStatus extends Health {
  readonly stats: ServerStats;
}

export type FromWorker =
  | {
      readonly type: "listening";
      readonly listeners: readonly RunningListener[];
      readonly served: readonly ServedWorld[];
    }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "status"; readonly status: WorkerStatus }
  | { readonly type: "login"; readonly id: number; readonly request: Omit<LoginRequest, "isWanted"> }
  /** The peer of that login is gone. */
  | { readonly type: "login-unwanted"; readonly id: number }
  | {
      readonly type: "verdict";
      readonly id: number;
      readonly world: VerdictWorld;
      readonly account: VerdictAccount;
      readonly verdict: Verdict;
    }
  | { readonly type: "acted"; readonly id: number; readonly answer: ActionAnswer }
  | { readonly type: "forget"; readonly protocol: string; readonly key: BanKey }
  /** An account has logged in: its sessions in worlds of the game elsewhere end. */
  | { readonly type: "take-over"; readonly protocol: string; readonly account: string }
  | { readonly type: "capture"; readonly id: number; readonly head: Uint8Array; readonly blocks: Uint8Array }
  | {
      readonly type: "capture-ended";
      readonly id: number;
      readonly missedBytes: number;
      readonly missedPackets: number;
    }
  | { readonly type: "log"; readonly line: string }
  | { readonly type: "closed" };

/** What an operator wants done in the worlds of a worker. */
export type ActionCall =
  | { readonly hand: "warn"; readonly target: ActionTarget; readonly text: string }
  | { readonly hand: "end"; readonly target: ActionTarget; readonly how: "kick" | "ban"; readonly detail: string }
  | { readonly hand: "dismiss"; readonly play: DismissedPlay };

/** What the hand answers. */
export type ActionAnswer = string | boolean | undefined;

export type ToWorker =
  | { readonly type: "act"; readonly id: number; readonly call: ActionCall }
  | {
      readonly type: "login";
      readonly id: number;
      readonly outcome: LoginOutcome;
      readonly problem: string | undefined;
    }
  | { readonly type: "penalty"; readonly id: number; readonly penalty: Penalty | undefined }
  | { readonly type: "take-over"; readonly protocol: string; readonly account: string }
  | {
      readonly type: "capture";
      readonly id: number;
      readonly filter: CaptureFilter | undefined;
      readonly hasGamePorts: boolean;
    }
  /** So many bytes wait for the disk or the reader. */
  | { readonly type: "capture-queued"; readonly id: number; readonly bytes: number }
  | { readonly type: "capture-stop"; readonly id: number }
  | { readonly type: "close"; readonly graceMs: number };
