/**
 * Captures: writes connections as pcapng, which Wireshark opens. Pure: bytes out, no file.
 *
 * ```ts
 * import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
 *
 * const connection = new TcpPackets({
 *   client: { address: "127.0.0.1", port: 50000 },
 *   server: { address: "127.0.0.1", port: 5555 },
 * });
 * const packets = [...connection.open(), ...connection.data("client", new Uint8Array([3, 0, 2, 0, 10]))];
 * const header = pcapngHeader({ application: "example", interfaceName: "relay" });
 * const file = [header, ...packets.map((packet) => pcapngPacket(0n, packet))];
 * file.length; // => 5
 * ```
 *
 * @module
 */

export {
  CaptureInspector,
  type InspectorCounts,
  type InspectorOptions,
  type InspectorSink,
} from "./capture-inspector.ts";
export { PcapngExport } from "./export/pcapng-export.ts";
export { csvLines, exportColumns, exportRow, jsonLines, type TextExport, vectorLines } from "./export/text-exports.ts";
export { CaptureReader, isCapture } from "./file/capture-reader.ts";
export {
  type CapturedPacket,
  type CaptureFault,
  type CaptureSink,
  type CaptureTime,
  formatCaptureTime,
} from "./file/packet.ts";
export { type Filter, type FilterFields, filterFields, parseFilter } from "./filter/filter.ts";
export { recordFields } from "./filter/record-fields.ts";
export { FilterError } from "./filter/tokens.ts";
export { type FlowReport, nameOf as readingName } from "./flow-reader.ts";
export { type CarriedPayload, payloadOfFrame } from "./net/pasted-frame.ts";
export {
  type CaptureHeader,
  type CaptureInterface,
  type CaptureSection,
  type InterfaceCounts,
  pcapngHeader,
  pcapngInterface,
  pcapngPacket,
  pcapngSection,
  pcapngStatistics,
} from "./pcapng.ts";
export { PrivateRecords, type PrivateRecordsOptions } from "./private-records.ts";
export { type CaptureRecord, type GapRecord, type MessageRecord, type RefusedRecord, recordJson } from "./records.ts";
export { sessionFormatOf, sessionFormats } from "./session/formats.ts";
export {
  MAPLESHARK_FORMAT,
  MapleSharkReader,
  type MapleSharkReaderOptions,
} from "./session/mapleshark/reader.ts";
export { isMsb } from "./session/mapleshark/recognize.ts";
export { mapleSharkVersions } from "./session/mapleshark/versions.ts";
export { MapleSharkWriter, type MapleSharkWriterOptions } from "./session/mapleshark/writer.ts";
export {
  PrivateSession,
  type PrivateSessionOptions,
  PrivateSessions,
} from "./session/private-session.ts";
export type { MessageSizes, SizedMessage } from "./session/rsprox/message-sizes.ts";
export { isRsprox } from "./session/rsprox/recognize.ts";
export { type RsproxReaderOptions, readRsprox } from "./session/rsprox/rsprox-reader.ts";
export { type RsproxWriterOptions, writeRsprox } from "./session/rsprox/rsprox-writer.ts";
export { TickClock } from "./session/rsprox/tick-clock.ts";
export {
  type OpenSessionOptions,
  type SessionFormat,
  type SessionHeader,
  type SessionReader,
  type SessionRecord,
  type SessionSink,
  type SessionWriter,
  START_BYTES,
  type WriteSessionOptions,
} from "./session/session.ts";
export { type SessionProtocolOptions, sessionProtocol } from "./session/session-protocol.ts";
export { SessionRecords, type SessionRecordsOptions } from "./session/session-records.ts";
export {
  isMapleSharkText,
  type MapleSharkTextCounts,
  MapleSharkTextReader,
  MapleSharkTextWriter,
} from "./session/text-logs/mapleshark-text.ts";
export { isMsnifferLog, MsnifferReader } from "./session/text-logs/msniffer.ts";
export { CaptureStatistics, type MessageStatistics, type PlayerStatistics } from "./statistics.ts";
export type { Candidate, PortMapping } from "./stream/candidates.ts";
export {
  PayloadReaders,
  type PayloadReadersOptions,
  type ShownMessage,
  type StreamOptions,
  streamOf,
} from "./stream/payload-readers.ts";
export { WebSocketTap } from "./stream/websocket-tap.ts";
export { type RecordSummary, type SummarisedMessage, Summary } from "./summary.ts";
export { type CaptureEnd, TcpPackets } from "./tcp-packets.ts";
