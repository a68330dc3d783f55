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
import type { PacketReader, PacketStream, StreamSetup } from "../../packet-stream.ts";
import { OPCODE_BYTES } from "../wire/framing.ts";
import { mouseLineSchemas } from "./line-schemas.ts";
import { PacketJson } from "./packet-json.ts";
import { mouseWriter } from "./stream-writer.ts";
import { traceMousePacket } from "./wire/trace.ts";

/** What the stream needs of the game. */
export interface MouseStreamOptions {
  /** Stands before the size in frames. */
  readonly opcode: number;
  readonly openChannel: Required<PacketStream>["openChannel"];
}

/**
 * - Packets are payloads: header and records. In frames opcode and size stand before them.
 * - The reader gives `{ value: { header, spanMs, records } }` (`documented`: `timeWindow` for `spanMs`). A record has what stands
 *   on the wire (`form`, `dt`, `dx` and `dy` or a place, `outside`, `button`), and what follows: `x`, `y` (null where they
 *   are not `known`), `atMs`, `first` of its client's process, `pause` and `drift`, `possible` or `certain`. `cut` is the end of
 *   a packet that is no record.
 * - The writer takes what the reader gives, or what a client samples: see {@link mouseWriter}.
 */
export function mouseStream({ opcode, openChannel }: MouseStreamOptions): PacketStream {
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
    ],
    reversible: true,
    lineSchemas: mouseLineSchemas,
    openReader: mouseReader,
    openWriter: (setup) => mouseWriter(opcode, openChannel, setup),
    openChannel,
  };
}

function mouseReader(setup: StreamSetup): PacketReader {
  const session = new PacketJson(setup.dialect, isStrict(setup));
  return {
    read: (packet) => ({ value: session.read(packet) }),
    receive: ({ payload }) => ({ value: session.read(payload.subarray(OPCODE_BYTES)) }),
    trace(packet) {
      const bytes = setup.framed ? packet.subarray(OPCODE_BYTES) : packet;
      return { ...traceMousePacket(setup.dialect, bytes, { strict: isStrict(setup) }), bytes };
    },
  };
}

const isStrict = ({ options }: StreamSetup): boolean => options.strict === true;
