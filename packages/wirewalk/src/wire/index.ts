/**
 * Bytes and bits: cursors, descriptions and what interprets them, traces, hex, frames, and the one error that bytes can cause.
 *
 * @module
 */

export * from "./bit-reader.ts";
export * from "./bit-writer.ts";
export { ByteReader } from "./byte-reader.ts";
export { ByteWriter, WRITER_LIMIT_BYTES } from "./byte-writer.ts";
export * from "./carrier.ts";
export * from "./describe/index.ts";
export * from "./frames.ts";
export * from "./hex.ts";
export * from "./inflate.ts";
export * from "./interpret/index.ts";
export * from "./join-bytes.ts";
export * from "./json.ts";
export { decodeLatin1, encodeLatin1, escapeControls } from "./latin1.ts";
export * from "./lz4-block.ts";
export { formatMessageId } from "./message-id.ts";
export * from "./nearest.ts";
export * from "./rc4.ts";
export { readAt, readPath } from "./read-path.ts";
export * from "./trace.ts";
export * from "./utf8.ts";
export * from "./windows-1252.ts";
export {
  countBytes,
  joinPath,
  placeText,
  WireError,
  type WireErrorCode,
  type WireErrorJson,
  withPath,
} from "./wire-error.ts";
export { type XmlLimits, XmlReader } from "./xml/xml-reader.ts";
export { XmlError, type XmlSource } from "./xml/xml-source.ts";
