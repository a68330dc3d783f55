/**
 * Old School RuneScape: how a client tells of its mouse. Codec, frames, recorder, tracker, kinematics, world and bots.
 *
 * A payload here is `opcode, body`; over a stream the body's size stands between them where the opcode has none of its
 * own. There is no login and no cipher: what a real client sends before it plays is not movement.
 *
 * ```ts
 * import { osrs } from "wirewalk/osrs";
 *
 * const codec = osrs.codec("client");
 * const packet = codec.read("client", new Uint8Array([34, 0, 0, 0x58, 0x60]));
 * packet.value.records.length; // => 1
 * codec.write("client", packet); // => new Uint8Array([34, 0, 0, 0x58, 0x60])
 * ```
 *
 * Source: the document "Event Mouse Move" and its sheet.
 *
 * @module
 */
import { u8, WireError } from "../../wire/index.ts";
import { messageTable } from "../message-table.ts";
import type { Channel, ChannelOptions, PayloadCodec, Protocol, Received, Side } from "../protocol.ts";
import { type BodySizes, frameOsrs, OsrsDeframer } from "./framing.ts";
import {
  createMouseBot,
  type MouseMoveMessage,
  MouseWorld,
  mouseCheats,
  mouseDialects,
  mouseLines,
  mouseMessageFromJson,
  mouseMessageToJson,
  mousePacketLayout,
} from "./mouse/index.ts";

import { playerInfoLines } from "./player-info/lines.ts";

export * from "./framing.ts";
export * from "./mouse/index.ts";

/** The numbers that a revision gives its messages; these are ours, where nobody says otherwise. */
export const defaultOpcodes = { mouseOpcode: 34 } as const;

/** Opcodes by their settings. */
export type OsrsOpcodes = { readonly [K in keyof typeof defaultOpcodes]: number };

const OPCODE_BYTES = 1;

type OsrsCodec = PayloadCodec<MouseMoveMessage, never>;

/** What each side's opcodes carry. */
function sizesOf(sender: Side, { mouseOpcode }: OsrsOpcodes): BodySizes {
  return sender === "client" ? new Map([[mouseOpcode, "varByte"]]) : new Map();
}

function createCodec(dialect: string, { mouseOpcode }: OsrsOpcodes): OsrsCodec {
  const summary = "where the mouse was, every 50 ms";
  const row = { message: "mouseMove", sender: "client", id: mouseOpcode, summary } as const;
  const rows = [{ ...row, layout: mousePacketLayout(dialect) }];
  const { messages, read, write, trace } = messageTable({ dialect, idName: "opcode", id: u8, rows });
  return {
    messages,
    read,
    write,
    trace,
    fromJson: (_sender, json) => mouseMessageFromJson(dialect, json),
    toJson: (_sender, message) => mouseMessageToJson(message),
  };
}

/** One end of a connection. */
function openChannel(options: ChannelOptions, codec: OsrsCodec, opcodes: OsrsOpcodes): Channel<never, never> {
  const { side } = options;
  const peer = side === "server" ? "client" : "server";
  const sizes = sizesOf(side, opcodes);
  const deframer = options.carrier === "stream" ? new OsrsDeframer(sizesOf(peer, opcodes)) : undefined;
  const whole: Uint8Array[] = [];
  const frame = (payload: Uint8Array): Uint8Array => (deframer === undefined ? payload : frameOsrs(sizes, payload));
  return {
    greeting: undefined,
    sharesFrames: true,
    get pendingBytes() {
      return deframer?.pending ?? 0;
    },
    push(bytes) {
      if (deframer === undefined) whole.push(bytes);
      else deframer.push(bytes);
    },
    next(): Received<never> | undefined {
      const payload = deframer === undefined ? whole.shift() : deframer.next();
      if (payload === undefined) return undefined;
      try {
        return { payload, message: codec.read(peer, payload) as never };
      } catch (error) {
        if (error instanceof WireError) return { payload, error };
        throw error;
      }
    },
    write: (message) => frame(codec.write(side, message)),
    frame,
  };
}

/** The game with other opcodes. Throws `RangeError` for one that is no byte, or a setting that there is none of. */
function createOsrs(settings: Readonly<Record<string, number>>): Protocol<MouseMoveMessage, never> {
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(defaultOpcodes, name)) throw new RangeError(`osrs has no setting ${name}`);
    if (!(Number.isInteger(value) && value >= 0 && value <= 0xff)) {
      throw new RangeError(`osrs.${name} must be an opcode from 0 to 255, got ${value}`);
    }
  }
  const opcodes: OsrsOpcodes = { ...defaultOpcodes, ...settings };
  const codecs = new Map<string, OsrsCodec>();
  const codec = (dialect: string): OsrsCodec => {
    const known = codecs.get(dialect) ?? createCodec(dialect, opcodes);
    codecs.set(dialect, known);
    return known;
  };
  return {
    name: "osrs",
    title: "Old School RuneScape",
    summary: "Mouse movement from the client, tracked, measured and judged by evidence alone.",
    dialects: mouseDialects.map(({ name, summary }) => ({ name, summary })),
    defaultDialect: "client",
    defaultPort: 43_594,
    codec,
    openChannel: (options: ChannelOptions) => openChannel(options, codec(options.dialect), opcodes),
    admission: () => undefined,
    createWorld: (options) => new MouseWorld(options, OPCODE_BYTES),
    settings: { mouseOpcode: { summary: "opcode of mouse movement", default: opcodes.mouseOpcode } },
    configure: createOsrs,
    cheats: mouseCheats,
    createBot: (options) => createMouseBot(options),
    lines: { mouse: mouseLines(opcodes.mouseOpcode), "player-info": playerInfoLines },
  };
}

/** The game as everything else knows it. */
export const osrs: Protocol<MouseMoveMessage, never> = createOsrs({});
