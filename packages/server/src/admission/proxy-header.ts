/**
 * The header by which a proxy names its client before the first byte of a TCP connection: PROXY protocol, versions 1 (a line
 * of text) and 2 (binary), as HAProxy's document `proxy-protocol.txt` describes them. It is read only from proxies that the
 * operator has named, which then have to send it.
 */
import { isIPv4, isIPv6 } from "node:net";

/** The longest line of version 1, CR and LF included (section 2.1). */
const MAX_LINE_BYTES = 107;
/** Version 2 may be 65,551 bytes long. Addresses take 216, the fields that proxies add some hundred. */
const MAX_BINARY_BYTES = 2_048;
const LINE_START = Buffer.from("PROXY ", "latin1");
const SIGNATURE = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
/** Signature, version and command, family and transport, length. */
const BINARY_HEAD = 16;

/** Bytes of an address and two ports, by the family of version 2. */
const INET_BYTES = 12;
const INET6_BYTES = 36;

/** A header, or as much of one as has come. */
export type ProxyHeader =
  | { readonly state: "incomplete" }
  /** `client` is undefined when the proxy speaks for itself (a health check) or for a client without an address. */
  | { readonly state: "complete"; readonly client: string | undefined; readonly bytes: number }
  | { readonly state: "invalid"; readonly why: string };

const incomplete: ProxyHeader = { state: "incomplete" };
const invalid = (why: string): ProxyHeader => ({ state: "invalid", why });

/** Whether a connection begins with a header of either version. */
export function startsWithProxyHeader(bytes: Uint8Array): boolean {
  return startsWith(bytes, LINE_START) || startsWith(bytes, SIGNATURE);
}

/** Reads the header at the start of `bytes`. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  if (isPrefix(bytes, SIGNATURE)) return incomplete;
  if (startsWith(bytes, SIGNATURE)) return readBinary(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (isPrefix(bytes, LINE_START)) return incomplete;
  if (startsWith(bytes, LINE_START)) return readLine(bytes);
  return invalid("it is no PROXY header");
}

function readLine(bytes: Uint8Array): ProxyHeader {
  const end = bytes.indexOf(0x0a);
  if (end === -1 ? bytes.length >= MAX_LINE_BYTES : end >= MAX_LINE_BYTES) {
    return invalid(`its line is longer than ${MAX_LINE_BYTES} bytes`);
  }
  if (end === -1) return incomplete;
  const line = Buffer.from(bytes.subarray(0, end + 1)).toString("latin1");
  if (!line.endsWith("\r\n")) return invalid("its line ends without CR LF");
  const [, family, ...rest] = line.slice(0, -2).split(" ");
  // Whatever follows is for others.
  if (family === "UNKNOWN") return { state: "complete", client: undefined, bytes: end + 1 };
  const [client = "", server = "", ...ports] = rest;
  const isAddress = family === "TCP4" ? isIPv4 : family === "TCP6" ? isIPv6 : undefined;
  if (isAddress === undefined) return invalid(`its family is ${JSON.stringify(family)}`);
  if (!isAddress(client) || !isAddress(server)) return invalid("its addresses cannot be read");
  if (ports.length !== 2 || !ports.every(isPort)) return invalid("its ports cannot be read");
  return { state: "complete", client, bytes: end + 1 };
}

function readBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < BINARY_HEAD) return incomplete;
  const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 0x0f];
  const [family, transport] = [bytes.readUInt8(13) >> 4, bytes.readUInt8(13) & 0x0f];
  const length = bytes.readUInt16BE(14);
  const total = BINARY_HEAD + length;
  if (version !== 2) return invalid(`its version is ${version}`);
  if (command > 1) return invalid(`its command is ${command}`);
  if (total > MAX_BINARY_BYTES) return invalid(`it is ${total} bytes long, at most ${MAX_BINARY_BYTES} are read`);
  const needed = family === 1 ? INET_BYTES : family === 2 ? INET6_BYTES : 0;
  const isForClient = command === 1 && needed > 0;
  if (isForClient && transport !== 1) return invalid(`its transport is ${transport}, expected a stream`);
  if (isForClient && length < needed) return invalid(`its addresses need ${needed} bytes, it has ${length}`);
  if (bytes.length < total) return incomplete;
  if (!isForClient) return { state: "complete", client: undefined, bytes: total };
  const source = bytes.subarray(BINARY_HEAD, BINARY_HEAD + (family === 1 ? 4 : 16));
  return { state: "complete", client: family === 1 ? source.join(".") : ipv6Of(source), bytes: total };
}

function ipv6Of(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, word) => bytes.readUInt16BE(2 * word).toString(16)).join(":");
}

function isPort(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 0xffff;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);
}

/** Whether there are fewer bytes than `start` has, and all are its first. */
function isPrefix(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length < start.length && bytes.every((byte, at) => start[at] === byte);
}
