/**
 * A movement server: TCP and WebSocket listeners for the protocols of wirewalk, their worlds, bans, metrics and feed.
 *
 * ```ts
 * import { sqliteStore, startServer } from "@wirewalk/server";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const server = await startServer({
 *   http: 7400,
 *   listeners: [{ protocol: slimeOnline2, port: 5555 }],
 *   store: sqliteStore("data"),
 * });
 * process.once("SIGTERM", () => server.close());
 * ```
 *
 * @module
 */
export {
  Accounts,
  type AccountsOptions,
  type LoginOutcome,
  type LoginRequest,
  type Registration,
} from "./admission/accounts.ts";
export { type BanKey, parseBanKey } from "./bans/ban-key.ts";
export { type Ban, Bans, type BansOptions, type NewBan } from "./bans/bans.ts";
export { type DryAction, type DryVerdict, dryRun } from "./bans/dry-run.ts";
export { Ledger, type LedgerAccount, type LedgerScore, type Penalty } from "./bans/ledger.ts";
export { DEFAULT_POLICY, type Policies, type Policy, type PolicyAction, policyBounds } from "./bans/policies.ts";
export { CaptureFile, type CaptureFileOptions } from "./capture/capture-file.ts";
export type { CaptureOutput } from "./capture/capture-writer.ts";
export type { CaptureFilter, CaptureRequest, RunningCapture } from "./capture/session-captures.ts";
export type { ClusterRole } from "./cluster/cluster-node.ts";
export { drainSubject } from "./cluster/subjects.ts";
export { limitMemory } from "./health/limit-memory.ts";
export { casesFolder, docsFolder, pageFolder } from "./http/page-folder.ts";
export type { Certificate } from "./http/web-listener.ts";
export type { OutputEvent } from "./outputs/output-events.ts";
export { DEFAULT_PER_MINUTE, type OutputTarget, outputTarget, type TargetOptions } from "./outputs/output-targets.ts";
export type { OutputCounts } from "./outputs/outputs.ts";
export type { Templates } from "./outputs/template.ts";
export { type PlaybackServerOptions, type RunningPlayback, startPlayback } from "./pages/playback-server.ts";
export { CaptureRecorder, type CaptureRecorderOptions } from "./relay/capture-recorder.ts";
export { type Impairment, parseImpairment } from "./relay/impairment.ts";
export {
  type RelayAddress,
  type RelayCapture,
  type RelayOptions,
  type RunningRelay,
  startRelay,
} from "./relay/relay.ts";
export type { DirectionCounts, RelayEnds, RelayEvent } from "./relay/relay-events.ts";
export { parseRules, type RelayRule } from "./relay/rules.ts";
export type {
  ClusterMembership,
  ListenerOptions,
  RoomPort,
  RunningListener,
  RunningServer,
  RunningWorld,
  ServerOptions,
  ServerStats,
} from "./server-options.ts";
export { type Budgets, defaultBudgets } from "./session/budgets.ts";
export type { DisconnectReason } from "./session/disconnect.ts";
export { startServer } from "./start-server.ts";
export { type SqliteStoreOptions, sqliteStore } from "./store/sqlite-store.ts";
export { dismissedExpectations, writeDismissed } from "./verdicts/dismissed-recordings.ts";
export {
  ActionRefusal,
  caseActions,
  type KeptAction,
  type ShownVerdict,
  type VerdictActionName,
  verdictActions,
} from "./verdicts/shown-verdict.ts";
export {
  type ActedVerdict,
  type ActionRequest,
  actionsOf,
  keepActed,
  listActed,
  type VerdictActions,
} from "./verdicts/verdict-actions.ts";
export { type RunningWorkers, startWorkers, type WorkersOptions } from "./workers/front.ts";
export type { FromWorker, ToWorker, WorkerSetup } from "./workers/messages.ts";
export { runWorker } from "./workers/worker.ts";
export type { BanAddress } from "./worlds/hosted-world.ts";
export type { RecordingOptions } from "./worlds/recordings.ts";
