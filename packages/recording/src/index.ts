/**
 * Recordings of worlds as MCAP files: reading them, whole or damaged, and replaying them. Runs in Node and in browsers;
 * `@wirewalk/recording/node` writes them.
 *
 * ```ts
 * import { openRecording, replayRecording } from "@wirewalk/recording";
 * import { protocols } from "wirewalk/protocols";
 *
 * const recording = openRecording(bytes, { decompress: { zstd } });
 * const { differences, gaps } = replayRecording(recording, { protocols });
 * ```
 *
 * @module
 */
export {
  type CaseAction,
  CaseError,
  type CaseFacts,
  type CaseFile,
  type CaseLimit,
  type CaseSignature,
  type CaseTexts,
  isSigned,
  MAX_READ_BYTES,
  readCase,
  readCaseTexts,
} from "./cases/case-file.ts";
export {
  editedFacts,
  type Judgement,
  type JudgeOptions,
  judgeCase,
  limitsOfToday,
  mapsOfCase,
  openCase,
  type RuleChange,
  ruleChanges,
} from "./cases/judge-case.ts";
export { type MadeCase, type MakeCaseOptions, makeCase } from "./cases/make-case.ts";
export { decodeCbor } from "./cbor-reader.ts";
export { encodeCbor } from "./cbor-writer.ts";
export { effectHash } from "./effect-hash.ts";
export {
  type CheckOptions,
  checkExpectations,
  checkRecording,
  type Expectation,
  type ExpectationResult,
  type Expectations,
  expectationsFile,
} from "./expectations/expectation.ts";
export {
  type Heard,
  type HeardCheat,
  type HeardHonest,
  hearRecording,
  poissonInterval,
  type RuleHearing,
  sumUpHearing,
} from "./expectations/hearing.ts";
export {
  type HonestRecording,
  hearHonest,
  type ProposedLimit,
  type Tuning,
  tuneLimits,
} from "./expectations/tuning.ts";
export {
  type KeyFrame,
  PROFILE,
  PROFILE_VERSION,
  type RecordedOwner,
  type RecordedPlayer,
  type RecordedWorld,
  RecordKind,
  readWorldRecord,
  type Topics,
  topicsOf,
  type UsedPlace,
  type WorldRecord,
} from "./profile.ts";
export type { FoundChunk } from "./reading/chunk-records.ts";
export {
  type Damage,
  type Decompress,
  type MessageFilter,
  type OpenRecordingOptions,
  openRecording,
  type RecordedMessage,
  type Recording,
} from "./reading/read-recording.ts";
export { recordedWorld, sessionRecords } from "./reading/session-records.ts";
export type { ReplayDifference } from "./replay/comparison.ts";
export { type DataDifference, firstDifference } from "./replay/difference.ts";
export {
  type ChangedSetting,
  type CompareSettingsOptions,
  compareSettings,
  type SettingsComparison,
  type VerdictChange,
  type VerdictCounts,
} from "./replay/other-settings.ts";
export { Playback, type PlaybackOptions, type PlaybackStep } from "./replay/playback.ts";
export { checkRecordedMaps, type RecordedMaps, recordedMaps, unusedMapsText } from "./replay/recorded-maps.ts";
export {
  Replay,
  type ReplayGap,
  type ReplayOptions,
  type ReplayReport,
  type ReplayStep,
  replayRecording,
  type VerdictJson,
} from "./replay/replay.ts";
export { GameTicks, gameTicks } from "./sessions/game-ticks.ts";
export {
  type RecordedSessionRecord,
  type RecordedSessionsEnd,
  recordedHeader,
  recordedSessions,
} from "./sessions/recorded-sessions.ts";
export { type SessionCounts, SessionRecording, type SessionRecordingOptions } from "./sessions/session-recording.ts";
export type { Advice, AdviceKind } from "./verdicts/advice.ts";
export {
  type ClaimedStep,
  type ExplainedMessage,
  type ExplainedReplay,
  type ExplainOptions,
  explainVerdict,
  explanationJson,
  type NearVerdict,
  type ServerStep,
  type VerdictExplanation,
  type VerdictMeasure,
} from "./verdicts/explain-verdict.ts";
export {
  clockOffsetNs,
  findVerdict,
  listVerdicts,
  type RecordedVerdict,
  shareOf,
  VerdictReader,
  verdictFields,
  verdictFilterFields,
  verdictId,
  verdictsAt,
} from "./verdicts/recorded-verdict.ts";
export { type StoryAnswer, type StoryPart, storyOf } from "./verdicts/story.ts";
export { verdictSvg } from "./verdicts/verdict-svg.ts";
export { type FileMeans, plainMeans } from "./writing/file-means.ts";
export { MemoryOutput } from "./writing/memory-output.ts";
export { type SliceOptions, sliceRecording } from "./writing/slice-recording.ts";
export { zstdDecompress } from "./zstd/zstd.ts";
