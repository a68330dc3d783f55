/**
 * The contract of a game: what servers, clients, the command line and the page know of it.
 *
 * @module
 */
export type { Bot, BotOptions } from "./bot.ts";
export type {
  Channel,
  ChannelOptions,
  DialectInfo,
  MessageInfo,
  PayloadCodec,
  PayloadTrace,
  Received,
  Side,
  TracedBytes,
  WireMessage,
} from "./codec.ts";
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
export type { Protocol, SettingInfo } from "./protocol.ts";
export { checkTickMs, MAX_TICK_MS } from "./tick.ts";
export type { Admission, Effect, Joining, Refusal, World, WorldOptions } from "./world.ts";
