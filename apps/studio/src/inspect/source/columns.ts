/** Columns of the list: the fields that a filter knows, by the same paths as `--columns` of the command line. */
import { type CaptureRecord, type CaptureTime, type FilterFields, filterFields, recordFields } from "wirewalk/capture";
import { countBytes, escapeControls, type JsonValue } from "wirewalk/wire";

export const defaultColumns: readonly string[] = ["time", "direction", "message", "value", "bytes"];

/** Characters of a cell: more does not fit on a screen. */
const MAX_CHARACTERS = 300;

/** Names the first unknown column; undefined when all are known. */
export function columnsFault(columns: readonly string[]): string | undefined {
  const unknown = columns.find((column) => !(filterFields as readonly string[]).includes(column.split(".")[0] ?? ""));
  if (unknown === undefined) return undefined;
  return `There is no field "${unknown}", only ${filterFields.join(", ")}.`;
}

/** Whether a filter or a list of columns asks for what is in messages. */
export function asksForValue(text: string): boolean {
  return /\bvalue\b/.test(text);
}

/** One text for each column. What was refused or is missing stands in the place of the message. */
export function cellsOf(record: CaptureRecord, columns: readonly string[], start: CaptureTime): readonly string[] {
  const fields = recordFields(record, start);
  return columns.map((column) => cellOf(record, fields, column));
}

function cellOf(record: CaptureRecord, fields: FilterFields, column: string): string {
  if (column === "time") return (fields.time as number).toFixed(6);
  if (column === "message" && record.kind !== "message") return record.kind === "gap" ? "(gap)" : "(refused)";
  if (column === "value") {
    if (record.kind === "gap") return `${countBytes(record.gap)} missing`;
    if (record.kind === "refused") return cut(`${record.error.code}: ${record.error.message}`);
    return record.isUndescribed ? `${countBytes(record.payload.length)}, not described` : cut(wordsOf(record.value));
  }
  let value: JsonValue | undefined = fields as Readonly<Record<string, JsonValue>>;
  for (const name of column.split(".")) {
    const isObject: boolean = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    value = isObject ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
  }
  if (value === undefined || value === null) return "–";
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(text: string): string {
  const shown = escapeControls(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
  return shown;
}

/** A value with the names of its fields: `code 10, direction leftPressAir`. Lists say how many they have. */
export function wordsOf(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `${value.length} items`;
  return Object.entries(value)
    .map(([name, inner]) => {
      if (Array.isArray(inner)) return `${name} × ${inner.length}`;
      if (typeof inner !== "object" || inner === null) return `${name} ${String(inner)}`;
      const simple = Object.values(inner).every((each) => typeof each !== "object");
      if (!simple) return `${name} { ${Object.keys(inner).length} }`;
      const set = Object.entries(inner);
      // Flags: those that are set.
      if (set.every(([, each]) => typeof each === "boolean")) {
        return `${name} ${set.flatMap(([flag, isSet]) => (isSet === true ? [flag] : [])).join("+") || "none"}`;
      }
      return `${name} ${set.map(([key, each]) => `${key} ${String(each)}`).join(" ")}`;
    })
    .join(", ");
}
