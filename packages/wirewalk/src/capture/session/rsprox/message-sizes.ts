/** Sizes of the messages of one revision. Records carry no size where the table has a fixed one, so a file cannot be read without it. */
import type { Side } from "../../../protocols/index.ts";

/** A message by its opcode: its name, and the size of its body: fixed in bytes, or in one or two bytes (high byte first) before it. */
export interface SizedMessage {
  readonly name: string;
  readonly size: number | "varByte" | "varShort";
}

/** All messages of a revision, by sender and opcode. */
export type MessageSizes = Readonly<Record<Side, ReadonlyMap<number, SizedMessage>>>;

/** The table of a revision; undefined where none is known. */
export type FindSizes = (revision: number) => MessageSizes | undefined;

/** The client's buffer: no body is longer. */
export const MAX_BODY_BYTES = 40_000;
/** Opcodes of payloads are one byte. */
export const MAX_OPCODE = 0xff;
/** Our own message: the observer's index. It is no record: the head of a file has the index. */
export const PLAYER_INDEX_OPCODE = 253;

/** Sizes in a {@link SizeTable} that are not numbers of bytes. */
export const VAR_BYTE = -1;
export const VAR_SHORT = -2;
export const UNKNOWN = -3;

/** Sizes by opcode, without a look-up of a map for each record. */
export interface SizeTable {
  readonly client: Int32Array;
  readonly server: Int32Array;
}

function sizesOf(messages: ReadonlyMap<number, SizedMessage>, sender: Side): Int32Array {
  const sizes = new Int32Array(MAX_OPCODE + 1).fill(UNKNOWN);
  for (const [opcode, { name, size }] of messages) {
    const isSize = typeof size === "string" || (Number.isInteger(size) && size >= 0 && size <= MAX_BODY_BYTES);
    if (!(Number.isInteger(opcode) && opcode >= 0 && opcode <= MAX_OPCODE && isSize)) {
      throw new RangeError(`${name} of the ${sender} has opcode ${opcode} and size ${size}`);
    }
    sizes[opcode] = size === "varByte" ? VAR_BYTE : size === "varShort" ? VAR_SHORT : size;
  }
  return sizes;
}

/** Throws `RangeError` for an opcode over 255 or a size over {@link MAX_BODY_BYTES}. */
export function sizeTable({ client, server }: MessageSizes): SizeTable {
  const table = { client: sizesOf(client, "client"), server: sizesOf(server, "server") };
  table.server[PLAYER_INDEX_OPCODE] = UNKNOWN;
  return table;
}
