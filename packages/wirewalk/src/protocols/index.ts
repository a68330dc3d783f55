/**
 * The contract of a game: what servers, clients, the command line and the page know of it.
 *
 * @module
 */
export type { Bot, BotOptions, Bots } from "./bot.ts";
export type {
  Channel,
  ChannelOptions,
  DialectInfo,
  MessageCodec,
  MessageInfo,
  PayloadCodec,
  PayloadTrace,
  Received,
  SavedChannel,
  Sealing,
  Side,
  TracedBytes,
  WireMessage,
} from "./codec.ts";
export type { Following } from "./following.ts";
export type { Handshake } from "./handshake.ts";
export type { Admission, Login } from "./login.ts";
export type {
  DocumentOption,
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
export { type PayloadStreamParts, payloadStream } from "./payload-stream.ts";
export type { Capabilities, Protocol } from "./protocol.ts";
export type { SettingInfo, Settings } from "./settings.ts";
export { checkTickMs, MAX_TICK_MS, type TickChoice } from "./tick.ts";
export type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "./world.ts";
