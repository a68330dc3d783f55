/** Captures as text: records in columns, connections, statistics. */
import {
  type CaptureRecord,
  type CaptureTime,
  type FilterFields,
  type FlowReport,
  filterFields,
  type InspectorCounts,
  type MessageStatistics,
  type PlayerStatistics,
  type RecordSummary,
  readingName,
  recordFields,
} from "wirewalk/capture";
import { countBytes, escapeControls, formatHex, type JsonValue } from "wirewalk/wire";
import { UsageError } from "../context.ts";

/** Widths of columns; others are as wide as what is in them. Text that is longer is not cut. */
const WIDTHS: Readonly<Record<string, number>> = {
  time: 11,
  flow: 33,
  direction: 9,
  protocol: 14,
  dialect: 10,
  message: 18,
  bytes: 5,
  packet: 8,
};
const DEFAULT_COLUMNS = ["time", "flow", "direction", "protocol", "dialect", "message", "value"];
/** Characters of a value in a column. */
const VALUE_CHARACTERS = 160;
/** Players in a table. `--json` has all of them. */
const TABLE_PLAYERS = 50;

/** The columns of `--columns`. Throws {@link UsageError} for an unknown one. */
export function columnsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return DEFAULT_COLUMNS;
  const columns = text.split(",").map((column) => column.trim());
  for (const column of columns) {
    const [root = ""] = column.split(".");
    if (!(filterFields as readonly string[]).includes(root)) {
      throw new UsageError(`--columns: there is no field "${root}", only ${filterFields.join(", ")}`);
    }
  }
  return columns;
}

export function headLine(columns: readonly string[]): string {
  return line(columns, columns);
}

/** A record as a line. What was refused or is missing stands in the place of the message. */
export function recordLine(record: CaptureRecord, columns: readonly string[], start: CaptureTime): string {
  const fields = recordFields(record, start);
  return line(
    columns.map((column) => cell(record, fields, column)),
    columns,
  );
}

function line(cells: readonly string[], columns: readonly string[]): string {
  const padded = cells.map((text, index) => text.padEnd(WIDTHS[columns[index] as string] ?? 0));
  return `${padded.join("  ").trimEnd()}\n`;
}

function cell(record: CaptureRecord, fields: FilterFields, column: string): string {
  if (column === "time") return (fields.time as number).toFixed(6).padStart(WIDTHS.time ?? 0);
  if (column === "message" && record.kind !== "message") return record.kind === "gap" ? "(gap)" : "(refused)";
  if (column === "value") {
    if (record.kind === "gap") return `${countBytes(record.gap)} missing`;
    if (record.kind === "message" && record.isUndescribed) return undescribedWords(record.payload);
    if (record.kind === "refused") return escapeControls(`${record.error.code}: ${record.error.message}`);
  }
  const value = column
    .split(".")
    .reduce<JsonValue | undefined>(
      (inner, name) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Readonly<Record<string, JsonValue>>)[name]
          : undefined,
      fields as Readonly<Record<string, JsonValue>>,
    );
  if (value === undefined || value === null) return "-";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = escapeControls(text);
  return shown.length > VALUE_CHARACTERS ? `${shown.slice(0, VALUE_CHARACTERS)}…` : shown;
}

function undescribedWords(payload: Uint8Array): string {
  const hex = formatHex(payload.subarray(0, VALUE_CHARACTERS), { separator: "" });
  const shown = hex.length > VALUE_CHARACTERS ? `${hex.slice(0, VALUE_CHARACTERS)}…` : hex;
  return `${countBytes(payload.length)}: ${shown}`;
}

/** What each connection is, and why it is nothing else. */
export function flowLines(flows: readonly FlowReport[], json: boolean): string {
  return flows.map((flow) => (json ? flowJson(flow) : flowText(flow))).join("");
}

function flowJson({ flow, reading, fits, others }: FlowReport): string {
  const protocol = reading?.protocol.name ?? null;
  const { dialect = null, carrier = null } = reading ?? {};
  const reasons = others.map(({ candidate, reason }) => ({ reading: readingName(candidate), reason }));
  return `${JSON.stringify({ flow, protocol, dialect, carrier, fits: fits.map(readingName), others: reasons })}\n`;
}

function flowText({ flow, reading, fits, others }: FlowReport): string {
  const head = `${flow}  ${reading === undefined ? "no protocol fits" : readingName(reading)}`;
  const also = fits.slice(1).map((candidate) => `  fits too: ${readingName(candidate)}`);
  const not = others.map(({ candidate, reason }) => `  not ${readingName(candidate)}: ${escapeControls(reason)}`);
  return [head, ...new Set([...also, ...not]), ""].join("\n");
}

export function statisticsTable(messages: readonly MessageStatistics[]): string {
  const rows = messages.map(({ protocol, dialect, direction, message, count, bytes, perSecond, bitsPerField }) => [
    `${protocol}/${dialect}`,
    direction,
    message,
    String(count),
    String(bytes),
    (bytes / count).toFixed(1),
    perSecond.toFixed(1),
    Object.entries(bitsPerField)
      .map(([path, bits]) => `${escapeControls(path)} ${Number(bits.toFixed(1))}`)
      .join(", "),
  ]);
  return table(["protocol", "from", "message", "count", "bytes", "bytes each", "per second", "bits per field"], rows);
}

export function playerTable(players: readonly PlayerStatistics[]): string {
  const rows = players
    .slice(0, TABLE_PLAYERS)
    .map(({ flow, protocol, dialect, client, server, refused, gapBytes }) => [
      flow,
      protocol === null ? "-" : `${protocol}/${dialect}`,
      `${client.count}`,
      `${client.bytes}`,
      client.perSecond.toFixed(1),
      `${server.count}`,
      `${server.bytes}`,
      server.perSecond.toFixed(1),
      `${refused}`,
      `${gapBytes}`,
    ]);
  const more =
    players.length > TABLE_PLAYERS ? `${players.length - TABLE_PLAYERS} more players: --json lists all\n` : "";
  const titles = [
    "player",
    "protocol",
    "sent",
    "bytes",
    "per second",
    "received",
    "bytes",
    "per second",
    "refused",
    "missing bytes",
  ];
  return table(titles, rows) + more;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const text = (row: readonly string[]): string =>
    row
      .map((each, column) =>
        /^[\d.]+$/.test(each) ? each.padStart(widths[column] ?? 0) : each.padEnd(widths[column] ?? 0),
      )
      .join("  ");
  return `${[titles, ...rows].map((row) => text(row).trimEnd()).join("\n")}\n`;
}

/** What is in a file, for people. */
export function summaryText(summary: RecordSummary): string {
  const { protocols, connections, first, seconds, messages, players, undescribed, refused, reasons, gapBytes } =
    summary;
  const began = first === null ? "" : `, from ${new Date(Number(first) * 1000).toISOString()}`;
  const lines = [
    `${protocols.join(", ") || "no game"}, ${connections} connections, ${seconds.toFixed(3)} s${began}`,
    ...(players === null ? [] : [`${players.seen} players seen, at most ${players.mostAtOnce} at once`]),
    `${undescribed} messages are not described here (*), ${refused} were refused, ${countBytes(gapBytes)} are missing`,
    ...reasons.map(({ reason, count }) => `  ${count} times: ${escapeControls(reason)}`),
  ];
  const rows = messages.map(({ direction, message, count, bytes, isUndescribed }) => [
    direction,
    `${message}${isUndescribed ? " *" : ""}`,
    `${count}`,
    `${bytes}`,
  ]);
  return `${lines.join("\n")}\n\n${table(["from", "message", "count", "bytes"], rows)}`;
}

/** One line about the whole capture. */
export function summaryLine(counts: InspectorCounts, lostDatagrams: number): string {
  const { packets, connections, messages, refused, gaps, gapBytes, otherPackets, unknownLinks, malformed } = counts;
  const words = [`${packets} packets`, `${connections} connections`, `${messages} messages`, `${refused} refused`];
  words.push(gaps === 0 ? "no gaps" : `${gaps} gaps of ${countBytes(gapBytes)}`);
  if (otherPackets > 0) words.push(`${otherPackets} packets without TCP`);
  if (unknownLinks > 0) words.push(`${unknownLinks} packets of unknown link types`);
  if (malformed > 0) words.push(`${malformed} malformed packets`);
  if (lostDatagrams > 0) words.push(`${lostDatagrams} datagrams with missing fragments`);
  return `${words.join(", ")}\n`;
}
