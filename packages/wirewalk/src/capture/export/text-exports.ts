/** Records as lines of a file: JSON lines, CSV, test vectors. */
import type { Protocol } from "../../protocols/index.ts";
import { formatHex, type JsonObject, type JsonValue } from "../../wire/index.ts";
import { formatCaptureTime } from "../file/packet.ts";
import { type CaptureRecord, recordJson } from "../records.ts";

/** Records in, pieces of a text file out. */
export interface TextExport {
  /** What stands at the start of the file. */
  readonly head: string;
  /** Empty for a record that is not exported. */
  line(record: CaptureRecord): string;
  /** What stands at the end. */
  end(): string;
}

/** One JSON object a line, see {@link recordJson}. */
export function jsonLines(): TextExport {
  return { head: "", line: (record) => `${recordJson(record)}\n`, end: () => "" };
}

/** The columns of CSV and Parquet. */
export const exportColumns = [
  "time",
  "flow",
  "direction",
  "protocol",
  "dialect",
  "message",
  "value",
  "bytes",
  "hex",
  "error",
  "gap",
] as const;

/** A record as a row: texts, numbers, or null for what it does not have. */
export function exportRow(
  record: CaptureRecord,
): Readonly<Record<(typeof exportColumns)[number], string | number | null>> {
  const { time, flow, direction, protocol, dialect, kind } = record;
  return {
    time: formatCaptureTime(time),
    flow,
    direction,
    protocol,
    dialect,
    message: kind === "message" ? record.message : null,
    value: kind === "message" ? JSON.stringify(record.value) : null,
    bytes: kind === "gap" ? null : record.payload.length,
    hex: kind === "gap" ? null : formatHex(record.payload, { separator: "" }),
    error: kind === "refused" ? record.error.message : null,
    gap: kind === "gap" ? record.gap : null,
  };
}

/** Comma-separated values (RFC 4180) with a line of names. */
export function csvLines(): TextExport {
  return {
    head: `${exportColumns.join(",")}\r\n`,
    line(record) {
      const row = exportRow(record);
      return `${exportColumns.map((column) => csvCell(row[column])).join(",")}\r\n`;
    },
    end: () => "",
  };
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Vectors of each kind of message: enough to have its forms, few enough to read. */
const VECTORS_PER_MESSAGE = 20;

/**
 * Test vectors as in `vectors/`: bare payloads with what is in them, each payload once, at most 20 of each kind of message. What a message
 * says beyond its bytes, such as the players of player info, is not in a vector.
 */
export function vectorLines(protocols: readonly Protocol[], source: string): TextExport {
  const byName = new Map(protocols.map((protocol) => [protocol.name, protocol]));
  const seen = new Map<string, Set<string>>();
  let count = 0;
  return {
    head: "[",
    line(record) {
      if (record.kind !== "message" || record.isUndescribed) return "";
      const codec = byName.get(String(record.protocol))?.codec(String(record.dialect));
      if (codec === undefined) return "";
      const { protocol, dialect, direction, message, payload } = record;
      const key = `${protocol}/${dialect}/${direction}/${message}`;
      const known = seen.get(key) ?? new Set();
      seen.set(key, known);
      const hex = formatHex(payload);
      if (known.size >= VECTORS_PER_MESSAGE || known.has(hex)) return "";
      known.add(hex);
      const json: JsonValue = codec.toJson(direction, codec.read(direction, payload));
      const vector: JsonObject = {
        name: `${message} ${known.size}`,
        source,
        protocol,
        dialect,
        sender: direction,
        hex,
        message: json,
      };
      count += 1;
      return `${count === 1 ? "" : ","}\n ${JSON.stringify(vector)}`;
    },
    end: () => "\n]\n",
  };
}
