/** The mouse packet as a layout: what the game's table of messages reads, writes and traces. */
import { handWritten, joinPath, type Layout, type LayoutReader } from "../../../../wire/index.ts";
import { mouseRules } from "./dialect.ts";
import type { MouseMoveMessage } from "./message.ts";
import { type MousePacket, readMousePacket, writeMousePacket } from "./packet.ts";
import { traceMousePacket } from "./trace.ts";

/**
 * The body of the message for a table of messages, after the opcode. Tolerant: a cut record ends the packet. It takes all
 * that is left. Throws `RangeError` for an unknown dialect.
 */
export function mousePacketLayout(dialect: string): Layout<MousePacket> {
  const { name } = mouseRules(dialect);
  return handWritten({
    read(reader) {
      const start = reader.offset;
      return readMousePacket(name, takeAll(reader), { start });
    },
    write(writer, packet) {
      writer.bytes(writeMousePacket(name, packet));
    },
    trace(reader, tracer, path) {
      const start = reader.offset;
      const { message, fields, error } = traceMousePacket(name, takeAll(reader), { start });
      for (const { path: field, bitOffset, bitLength, raw, shown } of fields) {
        tracer.field(joinPath(path, field), bitOffset, bitLength, raw, shown);
      }
      if (message === undefined) throw error;
      return (message as MouseMoveMessage).value;
    },
  });
}

/** All the reader's bytes, those before the cursor too, so that places count from where the reader's do; all are taken. */
function takeAll(reader: LayoutReader): Uint8Array {
  const start = reader.offset;
  const { buffer, byteOffset } = reader.view(reader.remaining);
  return new Uint8Array(buffer, byteOffset - start, reader.offset);
}
