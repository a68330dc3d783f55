/** Plain data as YAML: maps, lists and scalars, as `.ksy` files have them. */
import type { JsonObject, JsonValue } from "../../wire/index.ts";

/** Texts that YAML reads as the same text without quotes. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_.:/-]*$/;
/** Of these, the ones that mean something else, or would to some reader. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$|:$/i;

function scalar(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  // JSON texts are YAML texts.
  return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
}

const isMap = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lines of a value that stands under its key, indented. Lists of scalars stand on one line. */
function lines(value: JsonValue, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue) => {
      const [first = "", ...rest] = isMap(item) ? lines(item, `${indent}  `) : [`${indent}  ${scalar(item)}`];
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
    });
  }
  if (!isMap(value)) return [indent + scalar(value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = `${indent}${scalar(/^-?\d+$/.test(key) ? Number(key) : key)}:`;
    const isEmpty = typeof inner === "object" && inner !== null && Object.keys(inner).length === 0;
    if (isEmpty) return [`${name} ${Array.isArray(inner) ? "[]" : "{}"}`];
    if (Array.isArray(inner) && !inner.some((item) => typeof item === "object")) {
      return [`${name} [${inner.map((item) => scalar(item)).join(", ")}]`];
    }
    if (typeof inner === "object" && inner !== null) return [name, ...lines(inner, `${indent}  `)];
    if (typeof inner === "string" && inner.includes("\n")) {
      return [`${name} |`, ...inner.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`))];
    }
    return [`${name} ${scalar(inner)}`];
  });
}

/** The value as a YAML document. */
export function formatYaml(value: JsonObject): string {
  return `${lines(value, "").join("\n")}\n`;
}
