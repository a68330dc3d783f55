/** What tshark shows of a message with a dissector of ours, beside what our own reader reads. */
import type { PayloadCodec, Side } from "../../../protocols/index.ts";
import { cp1252Code, formatHex, type JsonValue, WireError } from "../../../wire/index.ts";
import type { ShownField, ShownMessage } from "./pdml.ts";
import type { MoreReading } from "./player-info-sessions.ts";

/** The values of a message by path, without the places in lists. */
type Values = Map<string, JsonValue[]>;

function addValues(values: Values, path: string, value: JsonValue): void {
  if (Array.isArray(value)) for (const item of value) addValues(values, path, item);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) addValues(values, `${path}.${name}`, inner as JsonValue);
  } else {
    const list = values.get(path);
    if (list === undefined) values.set(path, [value]);
    else list.push(value);
  }
}

/** Whether a field of tshark shows a value of ours. */
function isShown(field: ShownField, value: JsonValue): boolean {
  const { show, line, hex } = field;
  if (typeof value === "boolean") return show === (value ? "1" : "0") || show === (value ? "True" : "False");
  if (typeof value === "number") return Number(show) === value || Math.fround(Number(show)) === value;
  if (typeof value !== "string") return false;
  if (show === value || show.replaceAll(":", "") === value) return true;
  if (value === "NaN" || value.endsWith("Infinity")) {
    return show.toLowerCase().replaceAll("-nan", "nan") === value.toLowerCase().replace("infinity", "inf");
  }
  // A name of a number: the line has it.
  if (/^-?\d+$/.test(show) && (line.endsWith(`: ${value} (${show})`) || line.endsWith(`: ${show} (${value})`)))
    return true;
  // What XML and terminals cannot show: the bytes say it.
  const bytes = textBytes(value);
  return bytes !== undefined && (hex === bytes || hex === `${bytes}00`);
}

/** Latin-1, or Windows-1252 where it has other characters. */
function textBytes(text: string): string | undefined {
  const codes = Array.from(text, (each) => (each.charCodeAt(0) <= 0xff ? each.charCodeAt(0) : cp1252Code(each)));
  return codes.includes(undefined) ? undefined : formatHex(Uint8Array.from(codes as number[]), { separator: "" });
}

/** Fields that every message has beside its own. */
const commonFields =
  /^(?:sender|dialect|message|header|payload|rest|refusal\.\w+|refused\.[\w-]+|\w+\.block|[\w.]+\.mark)$/;

/** The fields of a message by path, with the numbers on the wire. */
function tracedValues(codec: PayloadCodec, sender: Side, payload: Uint8Array, message: string): Values {
  const { fields, inner } = codec.trace(sender, payload);
  const values: Values = new Map();
  for (const { path, raw } of [...fields, ...(inner?.fields ?? [])]) {
    addValues(values, `${message}.${path.replace(/\[\d+\]/g, "")}`, typeof raw === "bigint" ? String(raw) : raw);
  }
  return values;
}

/** How tshark's message differs from ours; undefined when it does not. */
export function differenceOf(
  codec: PayloadCodec,
  sender: Side,
  payload: Uint8Array,
  shown: ShownMessage,
  more?: MoreReading,
): string | undefined {
  const fault = (why: string): string =>
    `${formatHex(payload)} from the ${sender}: ${why}\n  ${shown.line}\n${shown.fields.map((each) => `    ${each.path} = ${each.show} | ${each.line}`).join("\n")}`;
  const first = (path: string): string | undefined => shown.fields.find((each) => each.path === path)?.show;
  if (first("sender") !== sender) return fault(`the sender is ${first("sender")}`);
  let message: { readonly message: string; readonly value: object };
  try {
    message = codec.read(sender, payload);
    if (more instanceof WireError) throw more;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const own = [error.code, error.path, String(error.bitOffset), error.message];
    const theirs = ["code", "path", "bit", "reason"].map((name) => first(`refusal.${name}`));
    return own.every((each, index) => each === theirs[index])
      ? undefined
      : fault(`refused with\n    ${own.join(" | ")}, by tshark with\n    ${theirs.join(" | ")}`);
  }
  if (first("refusal.code") !== undefined) return fault(`tshark refuses: ${first("refusal.reason")}`);
  const values: Values = new Map();
  addValues(values, message.message, codec.toJson(sender, message).value as JsonValue);
  for (const [path, value] of more?.values ?? []) addValues(values, `${message.message}.${path}`, value);
  const traced = tracedValues(codec, sender, payload, message.message);
  for (const [path, raw] of more?.traced ?? []) addValues(traced, `${message.message}.${path}`, raw);
  const byPath = new Map<string, ShownField[]>();
  for (const each of shown.fields) {
    const list = byPath.get(each.path);
    if (list === undefined) byPath.set(each.path, [each]);
    else list.push(each);
  }
  for (const [path, own] of values) {
    const fields = byPath.get(path) ?? [];
    // A tag that the value leaves out is a field all the same.
    const list = fields.length > own.length ? (traced.get(path) ?? own) : own;
    if (fields.length !== list.length) return fault(`${path} has ${list.length} values, ${fields.length} in tshark`);
    const at = list.findIndex((value, index) => !isShown(fields[index] as ShownField, value));
    if (at >= 0) return fault(`${path} number ${at} is ${JSON.stringify(list[at])}`);
  }
  const idName = codec.id.name;
  for (const [path] of byPath) {
    const isKnown = values.has(path) || traced.has(path) || path === idName || commonFields.test(path);
    const isBranch =
      [...values.keys(), ...traced.keys()].some((each) => each.startsWith(`${path}.`)) || path === message.message;
    if (!isKnown && !isBranch) return fault(`${path} is no field of ours`);
  }
  return undefined;
}
