/**
 * Packets shown to people: streams as lines of text, as fields, as tables. It knows games by their contract alone.
 *
 * @module
 */
export { formatTrace, type TracePiece, type TraceStyle } from "./format-trace.ts";
export { type InputFormat, inputFormats, type ParsedInput, parseInput } from "./input/parse-input.ts";
export type { InputPacket } from "./input/text-lines.ts";
export { decodeLines, encodeLines, type LineConverter, type LineResult } from "./lines.ts";
export {
  type KnownOfPackets,
  type ReadingTrial,
  type Standing,
  type TrialOptions,
  tracePackets,
  tryReadings,
  type WayToRead,
  waysToRead,
} from "./readings.ts";
export { traceStream } from "./trace-stream.ts";
export { worldEngine } from "./world-engine.ts";
