/**
 * The contract of a game: what servers, clients, the command line and the page know of it; and what its codec and its channels are
 * made of: `messageTable`, framers and `FramedChannel`.
 *
 * @module
 */

export type { Bot, BotOptions, Bots } from "./bot.ts";
export {
  type Calculation,
  type CalculationLine,
  type CalculationTerm,
  calculated,
  calculationLines,
} from "./calculation.ts";
export type { Channels } from "./channels.ts";
export {
  beyondEnvelope,
  type Claims,
  type ComparedPlaces,
  type Envelope,
  type KnownFact,
  type SumContext,
} from "./claims.ts";
export type {
  Channel,
  ChannelOptions,
  DialectInfo,
  MessageCodec,
  MessageId,
  MessageInfo,
  MessageLayouts,
  PayloadCodec,
  PayloadTrace,
  Reads,
  Received,
  SavedChannel,
  Sealing,
  Side,
  TracedBytes,
  WireMessage,
} from "./codec.ts";
export type { CompiledCodec } from "./compiled-codec.ts";
export { defaultDialect } from "./default-dialect.ts";
export type { Following } from "./following.ts";
export {
  type CarrierFramerOptions,
  carrierFramer,
  channelName,
  FramedChannel,
  type FramedChannelOptions,
  type Framer,
  type FramerLimits,
  WholeFramer,
} from "./framed-channel.ts";
export type { Handshake } from "./handshake.ts";
export {
  eachOf,
  type LineAnswer,
  type LineCommand,
  type LineCommands,
  type LineEngine,
  type LineEngineKind,
  type LineEngineSetup,
  type LineEntry,
  type LineRefusal,
  partsOf,
  runCommands,
} from "./line-engine.ts";
export type { Admission, Login } from "./login.ts";
export { type MapFile, MapFileError, type MapFiles, memoryFile, memoryFiles } from "./map-files.ts";
export { type LoadMapsOptions, MapError, type MapProblem, type MapReading, type WorldMaps } from "./maps.ts";
export { hasMembers, MissingMemberError, missingMembers, requireMembers } from "./members.ts";
export {
  type MessageRow,
  type MessageTable,
  type MessageTableOptions,
  messageFromJson,
  messageTable,
} from "./message-table.ts";
export { checkMaps, openMaps } from "./open-maps.ts";
export { openScrubber } from "./open-scrubber.ts";
export { openTap } from "./open-tap.ts";
export type {
  DocumentOption,
  Glance,
  HexOption,
  NumberOption,
  PacketReader,
  PacketStream,
  PacketWriter,
  StreamOption,
  StreamOptionValues,
  StreamSetup,
  SwitchOption,
} from "./packet-stream.ts";
export type { PacketThread, PacketThreads, PacketThreadTask, ThreadChoice } from "./packet-threads.ts";
export {
  type BlobLike,
  blobSource,
  PagedFiles,
  type PagedFilesOptions,
  type PageSource,
  withPages,
} from "./paged-file.ts";
export { openMapFiles } from "./path-files.ts";
export {
  codecStream,
  openStreamChannel,
  type PayloadStreamParts,
  packetStreams,
  payloadStream,
} from "./payload-stream.ts";
export type { PlayerBudget } from "./player-budget.ts";
export {
  type Privacy,
  type PseudonymScope,
  type RuleScrubberOptions,
  ruleScrubber,
  type Scrubber,
  type ScrubRule,
  type ScrubRules,
  type ScrubSetup,
} from "./privacy.ts";
export type {
  Capabilities,
  PlayableProtocol,
  PlayMember,
  Protocol,
  ProtocolWith,
  ServedProtocol,
} from "./protocol.ts";
export { Pseudonyms } from "./pseudonyms.ts";
export { figure, isLeast, quantityText, reasonText, unitWords } from "./quantity.ts";
export type { RedirectAddress, Redirecting } from "./redirect.ts";
export { type Renamed, replacedBy, ruleOfToday } from "./renamed.ts";
export {
  checkResponses,
  givenResponses,
  type PossibleResponses,
  type Response,
  type Responses,
  respond,
  savedResponses,
} from "./responses.ts";
export type { MessageSize, Revisions, RevisionTable, TableMessage } from "./revisions.ts";
export {
  type HonestCause,
  isNameUnit,
  type RuleGlossary,
  type RuleInfo,
  type RuleWeight,
  ruleInfoOf,
} from "./rule-info.ts";
export {
  limitInfos,
  type RuleLimit,
  type RuleLimits,
  ruleLimits,
  type SettingInfo,
  type Settings,
} from "./settings.ts";
export type { Gap, SavedSight, ServerNotice, Shadowed, Sight } from "./shadow.ts";
export type { LengthFraming, OpcodeFraming, StreamFraming, StreamFramings } from "./stream-framing.ts";
export { type ResumeSearch, Tap, type TapEnd, type Tapped, type Tapping, type TapSetup, type Unframed } from "./tap.ts";
export { checkTickMs, MAX_TICK_MS, type TickChoice } from "./tick.ts";
export type { Warnings } from "./warnings.ts";
export type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "./world.ts";
export { isZip, zipFiles } from "./zip-files.ts";
