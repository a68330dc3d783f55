/** Plain data as the text of a Lua table. */

/** Longer tables stand on several lines. */
const LINE_LENGTH = 110;

const KEYWORDS = new Set(
  "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

/** Something that stands in the text as it is: the name of a variable. */
export class LuaName {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A call of a function that takes one table. */
export class LuaCall {
  readonly name: string;
  readonly table: LuaValue;

  constructor(name: string, table: LuaValue) {
    this.name = name;
    this.table = table;
  }
}

/** What can stand in a Lua table. */
export type LuaValue =
  | number
  | string
  | boolean
  | LuaName
  | LuaCall
  | readonly LuaValue[]
  | { readonly [key: string]: LuaValue | undefined };

/** A text in double quotes. Lua takes bytes as they are; control characters are written by their number. */
export function luaString(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be written by their number
  return `"${escaped.replace(/[\u0000-\u001f\u007f]/g, (each) => `\\${String(each.charCodeAt(0)).padStart(3, "0")}`)}"`;
}

function luaKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key) ? key : `[${luaString(key)}]`;
}

function isList(value: LuaValue): value is readonly LuaValue[] {
  return Array.isArray(value);
}

type Part = readonly [key: string, value: LuaValue];

function partsOf(value: Exclude<LuaValue, number | string | boolean | LuaName | LuaCall>): readonly Part[] {
  if (isList(value)) return value.map((each): Part => ["", each]);
  return Object.entries(value).flatMap(([key, each]): Part[] =>
    each === undefined ? [] : [[`${luaKey(key)} = `, each]],
  );
}

/** The value on one line of at most `room` characters; undefined when it needs more. */
function lineOf(value: LuaValue, room: number): string | undefined {
  if (room < 0) return undefined;
  if (value instanceof LuaName) return value.text;
  if (value instanceof LuaCall) {
    const table = lineOf(value.table, room - value.name.length);
    return table === undefined ? undefined : value.name + table;
  }
  if (typeof value === "string") return luaString(value);
  if (typeof value !== "object") return String(value);
  const parts = partsOf(value);
  if (parts.length === 0) return "{}";
  let line = "";
  for (const [key, each] of parts) {
    const piece = lineOf(each, room - line.length - key.length);
    if (piece === undefined) return undefined;
    line += `${line === "" ? "{ " : ", "}${key}${piece}`;
    if (line.length + 2 > room) return undefined;
  }
  return `${line} }`;
}

/** The value as Lua, indented where it needs more than one line. `width`: what stands before it on its first line. */
export function luaText(value: LuaValue, indent = "", width = indent.length): string {
  const line = lineOf(value, LINE_LENGTH - width);
  if (line !== undefined) return line;
  if (value instanceof LuaName) return value.text;
  if (value instanceof LuaCall) return value.name + luaText(value.table, indent, width + value.name.length);
  if (typeof value === "string") return luaString(value);
  if (typeof value !== "object") return String(value);
  const inner = `${indent}  `;
  const lines = partsOf(value).map(
    ([key, each]) => `${inner}${key}${luaText(each, inner, inner.length + key.length)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}
