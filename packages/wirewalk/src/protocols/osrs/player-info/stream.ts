/**
 * Player info as a packet stream: the packets of one observer, read with the memory of those before.
 *
 * ```ts
 * const setup = { dialect: "client", sender: "server", framed: false, options: {} };
 * const { init } = osrs.streams["player-info"].openWriter(setup).write({ observers: [5], players: { 5: [0, 3200, 3201] } });
 * const reader = osrs.streams["player-info"].openReader(setup);
 * reader.readObject({ localIndex: 5, initHex: init[5] }); // => { observers: [5], players: { 5: [0, 3200, 3201] } }
 * reader.readObject({ hex: "af7ff4" }).players; // => { 5: [0, 3202, 3203] }
 * ```
 */
import {
  ByteReader,
  type JsonObject,
  type JsonValue,
  type TraceField,
  Tracer,
  traceInto,
  WireError,
} from "../../../wire/index.ts";
import type { Received, TracedBytes, WireMessage } from "../../codec.ts";
import type { Glance, PacketReader, PacketStream, StreamSetup } from "../../packet-stream.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";
import type { GameMessages } from "../wire/game-messages.ts";
import type { OsrsServerMessage } from "../wire/message.ts";
import { plainJson } from "../wire/plain-json.ts";
import { playerInfoLineSchemas } from "./line-schemas.ts";
import { ALL_REVISIONS, hexOf, indexOf, refused, refuseOthers, revisionOf } from "./stream-fields.ts";
import { playerInfoWriter } from "./stream-writer.ts";
import { PlayerInfoClient } from "./wire/client.ts";
import { MAX_PLAYER_INDEX, type WorldTile } from "./wire/constants.ts";
import { PlayerInfoDecoder, type PlayerInfoDecoderOptions, type RevisionFit } from "./wire/decoder.ts";
import { playerInfoDialectIn } from "./wire/dialect.ts";
import { PlayerInfoEngine } from "./wire/engine/engine.ts";
import { INIT_BYTES } from "./wire/initial-packet.ts";
import { appearanceFormOf, readAppearance } from "./wire/masks/appearance.ts";
import { blockNamed, blockToJson } from "./wire/masks/mask-codec.ts";
import { type MaskRevision, noMasks } from "./wire/masks/mask-revision.ts";
import { knownRevisions, namedRevisions } from "./wire/masks/named-revisions.ts";
import { playerInfoLayouts } from "./wire/message.ts";
import type { ClientCrash, MaskBlocks, PlayerInfoUpdate, PlayerMasks } from "./wire/player-info-update.ts";

/** Where the observer stands in the trace of a packet without its initialisation. */
const SOME_TILE: WorldTile = { level: 0, x: 3200, z: 3200 };

/** Fields of a line, and those that vectors have for people. */
const initKeys = ["initHex", "localIndex", "scenario", "start", "masks", "source"];
const packetKeys = ["hex", "tick", "players", "masks"];

const revisionNames = knownRevisions.map(({ name }) => name);

/** The parts of the game that the stream uses. */
export interface PlayerInfoStreamOptions {
  /** The messages that frames have. */
  readonly messagesFor: (setup: StreamSetup) => GameMessages;
  /** Revisions with a table of messages. */
  readonly tables: readonly number[];
  readonly openChannel: Required<PacketStream>["openChannel"];
}

/**
 * - Bare packets are objects: `{ initHex, localIndex }` starts a stream, and the reader gives `{ observers: [index], players }`;
 *   `{ hex }` is its next packet. Fields for people are passed over: `players`, `masks`, `tick`, `start`, `scenario`, `source`.
 *   The reader gives `{ players: { index: [level, x, z] }, masks: { index: { block: fields } }, passBits: [bits
 *   of each pass] }`, and `wouldCrash` with what the real client could not survive. With revision `positions` masks are not
 *   read: a packet that has some has `unread: { players: [index, ...], bytes }` in place of `masks`.
 * - With revision `all` the masks are read by the first known revision that fits; `fits` names all that fit, `misfits` says of
 *   the others why and at which bit, and `fitsAll` names those that have fitted every packet.
 * - In frames `message` says which message a packet was. In a revision with a table `rebuildNormal` may hold the initialisation; messages
 *   that say nothing of players are given as their codec gives them.
 * - A bare packet is traced as an initialisation, or as the packet that comes first after the one in option `init`; a
 *   framed one with the memory of those before it. Without a revision the first known one that fits opens the masks; under a
 *   packet with masks stands which fit.
 * - The writer: see {@link playerInfoWriter}.
 */
export function playerInfoStream({ messagesFor, tables, openChannel }: PlayerInfoStreamOptions): PacketStream {
  const unnamed = tables.map(String).filter((name) => !Object.hasOwn(namedRevisions, name));
  return {
    summary:
      'JSON lines of one observer: first {"initHex", "localIndex"}, then {"hex"} for each packet. Encode: {"observers", ' +
      '"players": {index: [level, x, z]}}, then {"players"} for each tick.',
    senders: ["server"],
    // 2,047 players with 30 bytes each, lists of them, and places for appearances.
    readerBytes: 90_000,
    options: [
      {
        name: "revision",
        kind: "document",
        names: [...Object.keys(namedRevisions), ...unnamed, ALL_REVISIONS],
        summary:
          `mask blocks: ${revisionNames.join(", ")}; positions (of whatever revision: masks are left unread), none (default), ` +
          "all (decode: those that fit), or a revision as JSON",
      },
      {
        name: "local",
        kind: "number",
        startOnly: true,
        unit: "index",
        min: 1,
        max: MAX_PLAYER_INDEX,
        summary: "inspect: the observer's index (default: 1)",
      },
      {
        name: "init",
        kind: "hex",
        startOnly: true,
        bytes: INIT_BYTES,
        summary: "inspect: the initialisation before the packet (default: all players in quarter 0)",
      },
    ],
    reversible: true,
    lineSchemas: (_dialect, schemaOf) => playerInfoLineSchemas(schemaOf),
    openReader: (setup) => (setup.framed ? framedReader(setup, tables, messagesFor(setup)) : bareReader(setup, tables)),
    openWriter: (setup) => playerInfoWriter(setup, tables),
    openChannel,
  };
}

function bareReader(setup: StreamSetup, tables: readonly number[]): PacketReader {
  const dialect = playerInfoDialectIn(setup.dialect);
  const revision = revisionOf(setup.options, tables);
  let decoder = new PlayerInfoDecoder({ dialect, revision });
  const reading = readingOf(setup);
  return {
    read: (packet) => reading(decoder, packet),
    receive: ({ payload }) => reading(decoder, payload),
    readObject(line) {
      const { initHex, localIndex, hex } = line;
      refuseOthers(line, initHex === undefined ? packetKeys : initKeys, "");
      if (initHex !== undefined) {
        const index = indexOf(localIndex, "localIndex");
        const next = new PlayerInfoDecoder({ dialect, revision });
        next.init(hexOf(initHex, "initHex"), index);
        decoder = next;
        return { observers: [index], players: playersJson(decoder) };
      }
      if (hex === undefined) throw refused("JSON", "", "a line has initHex and localIndex, or hex");
      return reading(decoder, hexOf(hex, "hex"));
    },
    trace(bytes) {
      const isInit = bytes.length === INIT_BYTES;
      const title = isInit ? "Initialisation" : "Player info";
      const tracer = new Tracer();
      const traced = new PlayerInfoDecoder({ dialect, revision });
      let crashes: readonly ClientCrash[] = [];
      let notes: readonly string[] = [];
      let looks: Pick<TracedBytes, "inner"> = {};
      const error = errorOf(() => {
        const { init } = setup.options;
        const index = localOf(setup);
        if (isInit) traced.init(bytes, index, tracer);
        else {
          traced.init(init === undefined ? someInit(index, dialect) : hexOf(String(init), "init"), index);
          notes = fitNotes(traced, bytes);
          const by = tracedBy(setup, traced, bytes);
          const update = traced.decode(bytes, tracer, by);
          crashes = update.wouldCrash;
          looks = appearancesOf(update.masks, by);
        }
      });
      const fields = withCrashes(tracer.fields, crashes);
      return { bytes, title, fields, notes, ...looks, ...(error === undefined ? {} : { error }) };
    },
  };
}

/** Payloads (opcode, body) of a server. */
function framedReader(setup: StreamSetup, tables: readonly number[], messages: GameMessages): PacketReader {
  const options = { dialect: playerInfoDialectIn(setup.dialect), revision: revisionOf(setup.options, tables) };
  // Each when it is needed: 70 kB for the memory of 2,047 players.
  let opened: PlayerInfoClient | undefined;
  let traced: PlayerInfoDecoder | undefined;
  const reading = readingOf(setup);
  const codec = messages.codec(setup.dialect);
  let index: number | undefined;

  const give = (received: WireMessage): JsonObject => {
    opened ??= startedClient(setup, options);
    const client = opened;
    const message = received as OsrsServerMessage;
    switch (message.message) {
      case "playerInfo":
        return { message: message.message, ...reading(client.decoder, message.value.bytes) };
      case "playerIndex":
        client.receive(message);
        return { message: message.message, index: message.value.index };
      case "playerInfoInit":
        client.receive(message);
        return { message: message.message };
      default:
        client.receive(message);
        return { message: received.message, value: plainJson(received.value) };
    }
  };
  const glance = (received: Received): Glance => {
    if (received.error !== undefined) throw received.error;
    opened ??= startedClient(setup, options);
    const message = received.message as OsrsServerMessage;
    if (message.message !== "playerInfo") {
      opened.receive(message);
      return { message: message.message };
    }
    opened.decoder.decode(message.value.bytes);
    return { message: message.message, players: opened.decoder.locals };
  };
  return {
    read: (payload) => give(codec.read("server", payload)),
    receive(received) {
      if (received.error !== undefined) throw received.error;
      return give(received.message);
    },
    ...(setup.options.revision === ALL_REVISIONS ? {} : { glance }),
    trace(payload) {
      traced ??= new PlayerInfoDecoder(options);
      const decoder = traced;
      const name = codec.messages.find(({ sender, id }) => sender === "server" && id === payload[0])?.message;
      // Of a message without memory the codec shows all.
      if (name !== "playerIndex" && name !== "playerInfoInit" && name !== "playerInfo") {
        const trace = codec.trace("server", payload);
        const message = trace.message as OsrsServerMessage | undefined;
        const error = errorOf(() => {
          if (message?.message !== "rebuildNormal" || message.value.init === undefined) return;
          decoder.init(message.value.init, index ?? localOf(setup));
        });
        return { bytes: payload, ...trace, ...(error === undefined ? {} : { error }) };
      }
      const bytes = payload.subarray(OPCODE_BYTES);
      const tracer = new Tracer();
      let crashes: readonly ClientCrash[] = [];
      let notes: readonly string[] = [];
      let looks: Pick<TracedBytes, "inner"> = {};
      const error = errorOf(() => {
        index ??= localOf(setup);
        if (name === "playerIndex") {
          index = traceInto(playerInfoLayouts.playerIndex, new ByteReader(bytes), tracer, "").index;
        } else if (name === "playerInfoInit") decoder.init(bytes, index, tracer);
        else {
          notes = fitNotes(decoder, bytes);
          const by = tracedBy(setup, decoder, bytes);
          const update = decoder.decode(bytes, tracer, by);
          crashes = update.wouldCrash;
          looks = appearancesOf(update.masks, by);
        }
      });
      const outcome = error === undefined ? { message: codec.read("server", payload) } : { error };
      return { bytes, fields: withCrashes(tracer.fields, crashes), notes, ...looks, ...outcome };
    },
  };
}

/** A client that knows the initialisation of option `init`, where there is one. */
function startedClient(setup: StreamSetup, options: PlayerInfoDecoderOptions): PlayerInfoClient {
  const client = new PlayerInfoClient(options);
  const { init } = setup.options;
  if (init !== undefined) {
    client.receive({ message: "playerIndex", value: { index: localOf(setup) } });
    client.receive({ message: "playerInfoInit", value: { bytes: hexOf(String(init), "init") } });
  }
  return client;
}

/** How packets become JSON: by the decoder's revision, or with revision `all` by those that fit. */
function readingOf({ options }: StreamSetup): (decoder: PlayerInfoDecoder, packet: Uint8Array) => JsonObject {
  if (options.revision !== ALL_REVISIONS) return (decoder, packet) => updateJson(decoder, decoder.decode(packet));
  let fitsAll: ReadonlySet<string> = new Set(revisionNames);
  return (decoder, packet) => {
    const fits = decoder.fits(packet, knownRevisions);
    const fitting = fits.filter(({ error }) => error === undefined).map(({ revision }) => revision);
    // Where none fits, the one that came furthest says why.
    const [best] = fitting;
    if (best === undefined) throw fits.map(({ error }) => error).reduce(laterError);
    const update = decoder.decode(packet, undefined, best);
    const names = fitting.map(({ name }) => name);
    fitsAll = new Set(names.filter((name) => fitsAll.has(name)));
    const misfits = fits.flatMap(({ revision, error }) =>
      error === undefined ? [] : [[revision.name, error.message]],
    );
    return {
      ...updateJson(decoder, update, best),
      fits: names,
      ...(misfits.length === 0 ? {} : { misfits: Object.fromEntries(misfits) as JsonObject }),
      fitsAll: [...fitsAll],
    };
  };
}

/** The appearances of a packet opened to their fields, each inside the one before; those that cannot be read stay bytes. */
function appearancesOf(masks: readonly PlayerMasks[], revision: MaskRevision): Pick<TracedBytes, "inner"> {
  const form = appearanceFormOf(revision);
  if (form === undefined) return {};
  let inner: TracedBytes | undefined;
  for (const { index, blocks } of masks.toReversed()) {
    const [bytes] = Object.values(blocks.appearance ?? {});
    if (!(bytes instanceof Uint8Array)) continue;
    const tracer = new Tracer();
    const error = errorOf(() => void readAppearance(bytes, form, tracer));
    if (error !== undefined) continue;
    const look = { title: `Appearance of player ${index}`, bytes, fields: tracer.fields };
    inner = inner === undefined ? look : { ...look, inner };
  }
  return inner === undefined ? {} : { inner };
}

function laterError<E extends WireError>(a: E | undefined, b: E | undefined): E | undefined {
  return (b?.bitOffset ?? -1) > (a?.bitOffset ?? -1) ? b : a;
}

/** The revision that a packet is traced by: without one, and with `all`, the first that fits. */
function tracedBy({ options }: StreamSetup, decoder: PlayerInfoDecoder, packet: Uint8Array): MaskRevision {
  if (options.revision !== undefined && options.revision !== ALL_REVISIONS) return decoder.revision;
  return decoder.fits(packet, knownRevisions).find(({ error }) => error === undefined)?.revision ?? decoder.revision;
}

/** Which known revisions the masks of a packet fit; nothing for a packet without masks or with passes that cannot be read. */
function fitNotes(decoder: PlayerInfoDecoder, packet: Uint8Array): readonly string[] {
  let fits: readonly RevisionFit[] = [];
  errorOf(() => {
    fits = decoder.fits(packet, [noMasks, ...knownRevisions]);
  });
  const [none, ...known] = fits;
  // Without masks any revision fits.
  if (none === undefined || none.error === undefined) return [];
  return known.map(({ revision: { name }, error }) =>
    error === undefined ? `fits revision ${name}` : `not revision ${name}, bit ${error.bitOffset}: ${error.message}`,
  );
}

/** The fields of a trace, with a word at those that the real client could not survive. */
function withCrashes(fields: readonly TraceField[], crashes: readonly ClientCrash[]): readonly TraceField[] {
  if (crashes.length === 0) return fields;
  return fields.map((field) => {
    const crash = crashes.find(({ index, path }) => {
      const place = `masks.player[${index}].${path}`;
      return field.path === place || field.path.startsWith(`${place}.`);
    });
    if (crash === undefined) return field;
    const shown = field.shown === undefined ? "" : `${field.shown}; `;
    return { ...field, shown: `${shown}would crash the client: ${crash.reason}` };
  });
}

function updateJson(
  decoder: PlayerInfoDecoder,
  { masks, unread, passBits, wouldCrash }: PlayerInfoUpdate,
  revision: MaskRevision = decoder.revision,
): JsonObject {
  return {
    players: playersJson(decoder),
    ...(unread === undefined
      ? { masks: Object.fromEntries(masks.map(({ index, blocks }) => [index, blocksJson(revision, blocks)])) }
      : { unread: { players: [...unread.players], bytes: unread.bytes } }),
    passBits: [...passBits],
    ...(wouldCrash.length === 0 ? {} : { wouldCrash: wouldCrash.map((crash) => ({ ...crash })) }),
  };
}

/** The tiles of the players in view. */
function playersJson({ locals, level, x, z }: PlayerInfoDecoder): JsonObject {
  const players = Array.from(locals, (index) => {
    return [index, [level[index] as number, x[index] as number, z[index] as number]] as const;
  });
  return Object.fromEntries(players);
}

function blocksJson(revision: MaskRevision, blocks: MaskBlocks): JsonObject {
  const entries = Object.entries(blocks).map(([name, fields]): [string, JsonValue] => {
    return [name, blockToJson(blockNamed(revision, name), fields)];
  });
  return Object.fromEntries(entries);
}

/** The observer's index in a trace. */
function localOf({ options }: StreamSetup): number {
  const { local = 1 } = options;
  return indexOf(Number(local), "local");
}

/** An initialisation in which all players are in map quarter 0. */
function someInit(index: number, dialect: string): Uint8Array {
  const engine = new PlayerInfoEngine({ dialect });
  engine.add(index, SOME_TILE);
  return engine.observe(index);
}

function errorOf(work: () => void): WireError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}
