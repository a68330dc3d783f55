/** The protocol of the game: codec, channels, world, bots, streams, settings. */
import { type Layout, u8 } from "../../wire/index.ts";
import type { Channel, ChannelOptions, DialectInfo, MessageLayouts, PayloadCodec, Side } from "../codec.ts";
import { channelName, FramedChannel, type Framer } from "../framed-channel.ts";
import { messageTable } from "../message-table.ts";
import type { PacketStream, StreamOptionValues } from "../packet-stream.ts";
import type { PlayableProtocol } from "../protocol.ts";
import type { RevisionTable } from "../revisions.ts";
import { limitInfos, type SettingInfo } from "../settings.ts";
import type { TapSetup } from "../tap.ts";
import { OsrsBot } from "./bots/bot.ts";
import { osrsClaims } from "./claims.ts";
import { collisionMapReading } from "./maps/collision-maps.ts";
import { handCheats, mouseCheats } from "./mouse/bots/bot.ts";
import { mouseStream } from "./mouse/stream.ts";
import { mouseRules } from "./mouse/wire/dialect.ts";
import type { MouseMoveMessage } from "./mouse/wire/message.ts";
import { type MousePacket, mousePacketDescription } from "./mouse/wire/packet-description.ts";
import { addMouseWords } from "./mouse/wire/trace.ts";
import { mouseLimits, mouseLimitTable } from "./mouse/world/limits.ts";
import { playerInfoLines } from "./player-info/line-engine.ts";
import { playerInfoStream } from "./player-info/stream.ts";
import { TICK_MS } from "./player-info/wire/constants.ts";
import { INIT_BYTES } from "./player-info/wire/initial-packet.ts";
import { type PlayerInfoServerMessage, playerInfoLayouts } from "./player-info/wire/message.ts";
import { osrsPrivacy } from "./privacy.ts";
import { osrsTap, type TappedConnection } from "./tap.ts";
import { type BodySize, MAX_BODY_BYTES } from "./wire/framing.ts";
import { type GameMessages, messagesOfTable, type OsrsOpcodes, tableOpcodes } from "./wire/game-messages.ts";
import * as generated from "./wire/generated/messages.ts";
import { masksOf } from "./wire/revisions.ts";
import { openFramer, type StreamConnection } from "./wire/stream-framer.ts";
import { parseRevisionTable, TABLE_INDEX_OPCODE } from "./wire/tables/parse-table.ts";
import { nothingGiven, Tables } from "./wire/tables/tables.ts";
import { osrsGlossary } from "./world/glossary.ts";
import { osrsRules } from "./world/rules.ts";
import { OsrsShadowWorld, OsrsWorld, type OsrsWorldOptions } from "./world/world.ts";

/** Default opcodes, ours. Every revision of the game has its own: see `revisionTable`. */
export const defaultOpcodes = {
  mouseOpcode: 34,
  playerIndexOpcode: 1,
  playerInfoInitOpcode: 2,
  playerInfoOpcode: 3,
} as const;

type OpcodeName = keyof OsrsOpcodes;

/** All messages, with the size of their bodies. */
export const messageKinds: readonly {
  readonly opcode: OpcodeName;
  readonly message: (MouseMoveMessage | PlayerInfoServerMessage)["message"];
  readonly sender: Side;
  readonly size: BodySize;
  readonly summary: string;
}[] = [
  {
    opcode: "mouseOpcode",
    message: "mouseMove",
    sender: "client",
    size: "varByte",
    summary: "samples of the mouse's position",
  },
  {
    opcode: "playerIndexOpcode",
    message: "playerIndex",
    sender: "server",
    size: 2,
    summary: "the client's own player index (ours: in the game the login has it)",
  },
  {
    opcode: "playerInfoInitOpcode",
    message: "playerInfoInit",
    sender: "server",
    size: INIT_BYTES,
    summary: "the client's tile, and the map quarter of every other player",
  },
  {
    opcode: "playerInfoOpcode",
    message: "playerInfo",
    sender: "server",
    size: "varShort",
    summary: "the players in view, their movement and their mask blocks, once per tick",
  },
];

const DEFAULT_REVISION = 206;

export type OsrsDialect = "client" | "native" | "documented";

/** All dialects of the game. */
export const osrsDialects: readonly (DialectInfo & { readonly name: OsrsDialect })[] = [
  {
    name: "client",
    source: "client",
    summary: "The Java client: mouse as of revisions 180 to 240, player info as of 206 to 241.",
  },
  {
    name: "native",
    source: "client",
    summary: "The native (C++) client: as client, with the last mouse button after each mouse record.",
  },
  {
    name: "documented",
    source: "document",
    summary: "As the documents read: mouse as offsets with a time window, player info not aligned between its passes.",
  },
];

/** Throws `RangeError` for an unknown dialect. */
function checkDialect(dialect: string): void {
  if (osrsDialects.some(({ name }) => name === dialect)) return;
  const known = osrsDialects.map(({ name }) => name).join(", ");
  throw new RangeError(`Unknown dialect ${dialect} of osrs: it has ${known}`);
}

const compiled = { client: generated.client, native: generated.native, documented: generated.documented };

type OsrsCodec = PayloadCodec<MouseMoveMessage, PlayerInfoServerMessage>;

/** All settings with their values. */
interface OsrsSettings extends OsrsOpcodes {
  readonly revision: number;
}

/** The messages of our own demo, with these opcodes. */
function demoMessages(opcodes: OsrsOpcodes): GameMessages {
  const sizesOf = (sender: Side) =>
    new Map(messageKinds.filter((kind) => kind.sender === sender).map(({ opcode, size }) => [opcodes[opcode], size]));
  const codecs = new Map<string, OsrsCodec>();
  return {
    table: undefined,
    opcodes,
    sizes: { client: sizesOf("client"), server: sizesOf("server") },
    codec(dialect) {
      const codec = codecs.get(dialect) ?? createCodec(dialect, opcodes);
      codecs.set(dialect, codec);
      return codec as PayloadCodec;
    },
  };
}

function createCodec(dialect: string, opcodes: OsrsOpcodes): OsrsCodec & { readonly layouts: MessageLayouts } {
  const layouts: Readonly<Record<string, Layout<object>>> = {
    ...playerInfoLayouts,
    mouseMove: mousePacketDescription(dialect),
  };
  const rows = messageKinds.map(({ opcode, message, sender, summary }) => {
    return { message, sender, id: opcodes[opcode], summary, layout: layouts[message] as Layout<object> };
  });
  const table = messageTable({ dialect, idName: "opcode", id: u8, rows, compiled: compiled[dialect as OsrsDialect] });
  return {
    ...table,
    trace(sender, payload) {
      const trace = table.trace(sender, payload);
      const { message, fields } = trace;
      if (message?.message === "mouseMove") {
        addMouseWords(mouseRules(dialect), message.value as MousePacket, { fields, before: 1 }, payload);
      }
      return trace;
    },
  };
}

/** One end of a connection. */
function openChannel(
  options: ChannelOptions,
  messages: GameMessages,
  connection: StreamConnection,
): Channel<never, never> {
  const codec = messages.codec(options.dialect);
  const framer: Framer = openFramer(options, messages, connection);
  return new FramedChannel({ name: channelName("osrs", options), side: options.side, codec, framer }) as Channel<
    never,
    never
  >;
}

/** The opcodes that a revision has; those of other messages are ours. */
function opcodesIn(table: RevisionTable | undefined): OsrsOpcodes {
  if (table === undefined) return defaultOpcodes;
  return { ...defaultOpcodes, playerIndexOpcode: TABLE_INDEX_OPCODE, ...tableOpcodes(table) };
}

/** The default settings, with the opcodes of the revision, with the given ones. Throws `RangeError` for an unknown setting or an invalid value. */
function settingsWith(given: Readonly<Record<string, number | undefined>>, tables: Tables): OsrsSettings {
  const { revision = DEFAULT_REVISION } = given;
  const table = tables.table(revision);
  const fixed: Readonly<Record<string, number>> = table === undefined ? {} : tableOpcodes(table);
  const settings: Record<string, number> = { ...opcodesIn(table), revision: DEFAULT_REVISION };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(settings, name)) throw new RangeError(`osrs has no setting ${name}`);
    if (name === "revision") {
      if (!tables.revisions.includes(value)) {
        throw new RangeError(`osrs.revision must be one of ${tables.revisionsText}, got ${value}`);
      }
    } else if (!(Number.isInteger(value) && value >= 0 && value <= 0xff)) {
      throw new RangeError(`osrs.${name} must be an opcode from 0 to 255, got ${value}`);
    } else if (Object.hasOwn(fixed, name) && fixed[name] !== value) {
      throw new RangeError(`osrs.${name} is ${fixed[name]} in the table of revision ${revision}, got ${value}`);
    }
    settings[name] = value;
  }
  const checked = settings as unknown as OsrsSettings;
  checkOpcodes(checked);
  return checked;
}

/** Throws `RangeError` when two messages of the same sender have the same opcode. */
function checkOpcodes(opcodes: OsrsOpcodes): void {
  const taken = new Map<string, OpcodeName>();
  for (const { opcode, sender } of messageKinds) {
    const key = `${sender} ${opcodes[opcode]}`;
    const other = taken.get(key);
    if (other !== undefined) {
      throw new RangeError(`osrs.${other} and osrs.${opcode} are both ${opcodes[opcode]}: a ${sender} sends both`);
    }
    taken.set(key, opcode);
  }
}

const settingSummaries = (tables: Tables): Readonly<Record<keyof OsrsSettings, string>> => ({
  mouseOpcode: "opcode of mouse movement",
  playerIndexOpcode: "opcode of the client's own index",
  playerInfoInitOpcode: "opcode of the initialisation of player info",
  playerInfoOpcode: "opcode of player info",
  revision: `revision of the game, for mask blocks and the table of messages: ${tables.revisionsText} (0: no blocks)`,
});

/** The game with other settings and tables. Throws `RangeError`, see {@link settingsWith}. */
function createOsrs(
  given: Readonly<Record<string, number>>,
  tables: Tables = new Tables(nothingGiven),
): Required<PlayableProtocol<MouseMoveMessage, PlayerInfoServerMessage>> {
  const isLimit = (name: string): boolean => Object.hasOwn(mouseLimitTable, name);
  const limits = mouseLimits(Object.fromEntries(Object.entries(given).filter(([name]) => isLimit(name))));
  const settings = settingsWith(Object.fromEntries(Object.entries(given).filter(([name]) => !isLimit(name))), tables);
  const revision = masksOf(settings.revision);
  const ownTable = tables.table(settings.revision);
  const ownMessages = ownTable === undefined ? demoMessages(settings) : messagesOfTable(ownTable, settings);
  const byTable = new WeakMap<RevisionTable, GameMessages>();
  const codec = (dialect: string): OsrsCodec => {
    checkDialect(dialect);
    return ownMessages.codec(dialect) as OsrsCodec;
  };
  const infos = Object.entries(settingSummaries(tables)).map(([name, summary]): [string, SettingInfo] => {
    const value = settings[name as keyof OsrsSettings];
    const most = name === "revision" ? Math.max(...tables.revisions) : 0xff;
    const source = name === "playerIndexOpcode" ? "ours" : "osrs-player-info";
    return [
      name,
      { summary, kind: "game", unit: "", default: value, least: 0, most, isWhole: true, source, rules: [] },
    ];
  });
  /** The messages of a packet stream that names a revision are those of its table, unless the settings give opcodes. */
  const messagesFor = ({ options }: { readonly options: StreamOptionValues }): GameMessages => {
    const { playerInfoOpcode, mouseOpcode } = given;
    if (playerInfoOpcode !== undefined || mouseOpcode !== undefined) return ownMessages;
    const table = tables.table(options.revision === undefined ? settings.revision : Number(options.revision));
    if (table === undefined || table === ownTable) return ownMessages;
    const messages = byTable.get(table) ?? messagesOfTable(table, opcodesIn(table));
    byTable.set(table, messages);
    return messages;
  };
  const { sizes } = tables;
  const otherTables = (): readonly RevisionTable[] =>
    tables.known.flatMap((revision) => tables.table(revision) ?? []).filter((table) => table !== ownTable);
  const openTapped = (side: Side, { dialect }: TapSetup, connection: TappedConnection): Channel<never, never> => {
    checkDialect(dialect);
    const known = { ...connection, sizes, otherTables };
    return openChannel({ side, dialect, carrier: "stream" }, ownMessages, known);
  };
  const openFramed: Required<PacketStream>["openChannel"] = (side, setup) => {
    checkDialect(setup.dialect);
    const options: ChannelOptions = { side, dialect: setup.dialect, carrier: "stream" };
    return openChannel(options, messagesFor(setup), { seed: undefined, sizes });
  };
  const streamParts = { messagesFor, tables: tables.known, openChannel: openFramed };
  return {
    name: "osrs",
    title: "Old School RuneScape",
    summary: "Mouse movement from the client, measured and judged; player info from the server, written and read.",
    dialects: osrsDialects,
    defaultPort: 43_594,
    codec,
    openChannel: (options: ChannelOptions) => {
      checkDialect(options.dialect);
      return openChannel(options, ownMessages, { seed: undefined, sizes });
    },
    createWorld: (options) => {
      // A native client of a revision with a table has both layouts, each under its opcode.
      const isClient = ownTable !== undefined && options.dialect === "native";
      const given: OsrsWorldOptions = {
        limits,
        ...options,
        revision,
        ...(isClient ? { mouseMoveLayout: "client" } : {}),
      };
      if (options.shadow !== true) return new OsrsWorld(given);
      const known = codec(options.dialect);
      return new OsrsShadowWorld({ ...given, undescribed: (payload) => known.undescribed?.("client", payload) });
    },
    bots: {
      cheats: mouseCheats,
      hardCheats: handCheats,
      create: (options) => new OsrsBot(options, revision, ownTable === undefined ? {} : { hasTable: true }),
    },
    streams: {
      mouse: mouseStream(streamParts),
      "player-info": playerInfoStream(streamParts),
    },
    capabilities: {
      maps: collisionMapReading,
      claims: osrsClaims,
      rules: osrsRules,
      glossary: osrsGlossary,
      settings: {
        values: { ...Object.fromEntries(infos), ...limitInfos(mouseLimitTable, limits) },
        configure: (settings) => createOsrs(settings, tables),
      },
      revisions: {
        known: tables.known,
        table: (revision) => tables.table(revision),
        withTable: (json) => createOsrs(given, tables.with(parseRevisionTable(json))),
      },
      privacy: osrsPrivacy((dialect) => codec(dialect) as PayloadCodec, revision),
      tick: { defaultMs: TICK_MS },
      threads: { most: 16 },
      engines: { "player-info": playerInfoLines },
      framing: () => ({
        is: "opcode",
        sizes: ownMessages.sizes,
        bodyLimit: MAX_BODY_BYTES,
        // As frames are opened: those of the game's server, not those of our own demo.
        isSmart: { client: false, server: ownTable !== undefined },
      }),
      tap: osrsTap(openTapped, settings.revision),
    },
  };
}

/** The protocol with its default settings. */
export const osrs: Required<PlayableProtocol<MouseMoveMessage, PlayerInfoServerMessage>> = createOsrs({});

/** The codec and the channels of the game with its own settings: the opcodes of {@link defaultOpcodes}. */
export const { codec: osrsCodec, openChannel: openOsrsChannel } = osrs;

const layoutsOf = (dialect: OsrsDialect): MessageLayouts => createCodec(dialect, defaultOpcodes).layouts;

/** The description of every message's body, by dialect, sender and name. */
export const osrsLayouts: Readonly<Record<OsrsDialect, MessageLayouts>> = {
  client: layoutsOf("client"),
  native: layoutsOf("native"),
  documented: layoutsOf("documented"),
};
