/**
 * Mouse packets as a packet stream: the packets of one session, with positions as far as those before it tell them.
 *
 * ```ts
 * const setup = { dialect: "client", sender: "client", framed: false, options: {} };
 * const { value } = osrs.streams.mouse.openReader(setup).read(parseHex("0800 ffff012c0190 295e"));
 * value.spanMs; // => 56
 * value.records[1]; // => { form: "small", dt: 2, dx: 5, dy: -2, x: 405, y: 298, known: true, atMs: 56 }
 * ```
 */
import type { JsonObject } from "../../../wire/index.ts";
import type { WireMessage } from "../../codec.ts";
import type { PacketReader, PacketStream, StreamSetup } from "../../packet-stream.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";
import type { GameMessages } from "../wire/game-messages.ts";
import { plainJson } from "../wire/plain-json.ts";
import { mouseRulesOf } from "../wire/revision-codec.ts";
import { mouseLineSchemas } from "./line-schemas.ts";
import { PacketJson } from "./packet-json.ts";
import { mouseWriter } from "./stream-writer.ts";
import { traceMousePacket } from "./wire/trace.ts";

/** What the stream needs of the game. */
export interface MouseStreamOptions {
  /** Revisions with a table of messages, ascending. */
  readonly tables: readonly number[];
  /** The messages that frames have. */
  readonly messagesFor: (setup: StreamSetup) => GameMessages;
  readonly openChannel: Required<PacketStream>["openChannel"];
}

/**
 * - Packets are payloads: header and records. In frames opcode and size stand before them. In a revision with a table the opcode says
 *   in which dialect a packet is, and the other messages of a client are given as their codec gives them.
 * - The reader gives `{ value: { header, spanMs, records } }` (`documented`: `timeWindow` for `spanMs`). A record has what stands
 *   on the wire (`form`, `dt`, `dx` and `dy` or a place, `outside`, `button`), and what follows: `x`, `y` (null where they
 *   are not `known`), `atMs`, `first` of its client's process, `pause` and `drift`, `possible` or `certain`. `cut` is the end of
 *   a packet that is no record.
 * - The writer takes what the reader gives, or what a client samples: see {@link mouseWriter}.
 */
export function mouseStream({ tables, messagesFor, openChannel }: MouseStreamOptions): PacketStream {
  return {
    summary: "Payloads in hex: header and records, without opcode and size byte. The lines of one run are one session.",
    senders: ["client"],
    options: [
      {
        name: "strict",
        kind: "switch",
        default: false,
        summary: "refuse a packet whose last record is cut or has no form",
      },
      {
        name: "revision",
        kind: "number",
        framedOnly: true,
        unit: "revision",
        min: tables[0] ?? 0,
        max: tables.at(-1) ?? 0,
        summary: "the table of messages whose opcodes and sizes frames have (default: that of the settings)",
      },
    ],
    reversible: true,
    lineSchemas: mouseLineSchemas,
    openReader: (setup) => (setup.framed ? framedReader(setup, messagesFor(setup)) : mouseReader(setup)),
    openWriter: (setup) => mouseWriter(opcodeOf(messagesFor(setup), setup.dialect), openChannel, setup),
    openChannel,
  };
}

function mouseReader(setup: StreamSetup): PacketReader {
  const session = new PacketJson(setup.dialect, isStrict(setup));
  return {
    read: (packet) => ({ value: session.read(packet) }),
    receive: ({ payload }) => ({ value: session.read(payload.subarray(OPCODE_BYTES)) }),
    trace: (packet) => ({ ...traceMousePacket(setup.dialect, packet, { strict: isStrict(setup) }), bytes: packet }),
  };
}

/** Payloads (opcode, body) of a client. */
function framedReader(setup: StreamSetup, messages: GameMessages): PacketReader {
  const { dialect } = setup;
  // Without a table there is one opcode, in the dialect of the stream.
  const rulesOf = (message: string): string | undefined =>
    messages.table === undefined && message === "mouseMove" ? dialect : mouseRulesOf(message, dialect);
  const sessions = new Map<string, PacketJson>();
  const give = ({ message, value }: WireMessage, payload: Uint8Array): JsonObject => {
    const rules = rulesOf(message);
    if (rules === undefined) return { message, value: plainJson(value) };
    const session = sessions.get(rules) ?? new PacketJson(rules, isStrict(setup));
    sessions.set(rules, session);
    const named = message === "mouseMove" ? {} : { message };
    return { ...named, value: session.read(payload.subarray(OPCODE_BYTES)) };
  };
  return {
    read: (payload) => give(messages.codec(dialect).read("client", payload), payload),
    receive(received) {
      if (received.error !== undefined) throw received.error;
      return give(received.message, received.payload);
    },
    trace(payload) {
      const codec = messages.codec(dialect);
      const name = codec.messages.find(({ sender, id }) => sender === "client" && id === payload[0])?.message;
      const rules = name === undefined ? undefined : rulesOf(name);
      if (rules === undefined) return { ...codec.trace("client", payload), bytes: payload };
      const bytes = payload.subarray(OPCODE_BYTES);
      return { ...traceMousePacket(rules, bytes, { strict: isStrict(setup) }), bytes };
    },
  };
}

/** The opcode of the packets that a dialect writes. */
function opcodeOf({ table, opcodes }: GameMessages, dialect: string): number {
  const own = [...(table?.client ?? [])].find(([, { name }]) => name === "EVENT_NATIVE_MOUSE_MOVE");
  return dialect === "native" && own !== undefined ? own[0] : opcodes.mouseOpcode;
}

const isStrict = ({ options }: StreamSetup): boolean => options.strict === true;
