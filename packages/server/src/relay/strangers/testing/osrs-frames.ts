import { ByteWriter } from "./osrs-bytes.ts";
import type { Isaac } from "./osrs-isaac.ts";
import { CLIENT_SIZES, SERVER, SERVER_SIZES } from "./osrs-table.ts";
import type { StreamReader } from "./stream-reader.ts";

export interface OsrsMessage {
  readonly opcode: number;
  readonly body: Buffer;
}

/** The largest body that the client's buffer holds. */
const LARGEST_BODY = 40_000;

export type Sender = "client" | "server";

/** A message with its enciphered opcode and its size. Each byte of a body of URL_OPEN takes a number of the cipher too. */
export function frame(sender: Sender, { opcode, body }: OsrsMessage, cipher: Isaac): Buffer {
  const size = (sender === "server" ? SERVER_SIZES : CLIENT_SIZES)[opcode];
  if (size === undefined || size === "x") throw new Error(`Revision 239 has no message ${opcode} of the ${sender}`);
  if (typeof size === "number" ? body.length !== size : body.length > (size === "b" ? 255 : LARGEST_BODY)) {
    throw new Error(`Message ${opcode} of the ${sender} with ${body.length} bytes`);
  }
  const bytes = new ByteWriter();
  if (sender === "server" && opcode >= 128) bytes.u8(((opcode >> 8) | 128) + cipher.next());
  bytes.u8(opcode + cipher.next());
  if (size === "b") bytes.u8(body.length);
  if (size === "s") bytes.u16(body.length);
  const isEnciphered = sender === "server" && opcode === SERVER.URL_OPEN;
  return bytes.bytes(isEnciphered ? body.map((byte) => byte + cipher.next()) : body).done();
}

/** A message as it came, and its bytes on the wire. */
export interface ReadFrame extends OsrsMessage {
  readonly wireBytes: number;
}

export async function readFrame(sender: Sender, reader: StreamReader, cipher: Isaac): Promise<ReadFrame> {
  let wireBytes = 1;
  let opcode = ((await reader.u8()) - cipher.next()) & 255;
  if (sender === "server" && opcode >= 128) {
    wireBytes += 1;
    opcode = ((opcode & 127) << 8) | (((await reader.u8()) - cipher.next()) & 255);
  }
  const size = (sender === "server" ? SERVER_SIZES : CLIENT_SIZES)[opcode];
  if (size === undefined || size === "x") throw new Error(`The ${sender} sent ${opcode}, which is no message`);
  const bytes = size === "b" ? await reader.u8() : size === "s" ? await reader.u16be() : size;
  if (bytes > LARGEST_BODY) throw new Error(`Message ${opcode} of the ${sender} with ${bytes} bytes`);
  wireBytes += bytes + (size === "b" ? 1 : size === "s" ? 2 : 0);
  const body = Buffer.from(await reader.take(bytes));
  const isEnciphered = sender === "server" && opcode === SERVER.URL_OPEN;
  return { opcode, wireBytes, body: isEnciphered ? Buffer.from(body.map((byte) => byte - cipher.next())) : body };
}
