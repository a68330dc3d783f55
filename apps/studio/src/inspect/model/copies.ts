/** A packet as text for other places: hex, JSON, a test vector, code for the library. */
import { formatHex, type JsonObject } from "wirewalk/wire";
import type { Reading } from "./reading.ts";

export interface CopiedPacket {
  readonly reading: Reading;
  readonly bytes: Uint8Array;
  readonly json: JsonObject | undefined;
}

export type CopyForm = "hex" | "json" | "vector" | "code";

/** Undefined where the packet has no such form: without a value there is no JSON and no vector. */
export function copyAs(form: CopyForm, packet: CopiedPacket): string | undefined {
  switch (form) {
    case "hex":
      return formatHex(packet.bytes);
    case "json":
      return packet.json === undefined ? undefined : JSON.stringify(packet.json, undefined, 2);
    case "vector":
      return vectorOf(packet);
    case "code":
      return codeOf(packet);
  }
}

/** As in `vectors/`: bare bytes with what is in them. */
function vectorOf({ reading, bytes, json }: CopiedPacket): string | undefined {
  if (json === undefined) return undefined;
  const { protocol, part, dialect, sender } = reading;
  const name = typeof json.message === "string" ? json.message : part;
  const vector = {
    name,
    source: "copied from the inspector",
    protocol: part === "" ? protocol : `${protocol}/${part}`,
    dialect,
    sender,
    hex: formatHex(bytes),
    message: json,
  };
  return JSON.stringify(vector, undefined, 2);
}

/** Hex digits in a line of code. */
const CODE_DIGITS = 96;

/** A program that reads the packet with the library, and prints its fields and its value. */
function codeOf({ reading, bytes }: CopiedPacket): string {
  const { protocol, part, dialect, sender } = reading;
  const hex = formatHex(bytes, { separator: "" });
  const lines = hex.match(new RegExp(`.{1,${CODE_DIGITS}}`, "g")) ?? [""];
  const literal = lines.length === 1 ? `"${lines[0]}"` : `\n  "${lines.join('" +\n  "')}",\n`;
  const head = [
    `import { formatTrace } from "wirewalk/inspect";`,
    `import { protocols } from "wirewalk/protocols";`,
    `import { parseHex } from "wirewalk/wire";`,
    "",
    `const packet = parseHex(${literal});`,
  ];
  if (part === "") {
    return [
      ...head,
      `const codec = protocols["${protocol}"].codec("${dialect}");`,
      `console.log(formatTrace(packet, codec.trace("${sender}", packet)));`,
      `const message = codec.read("${sender}", packet);`,
      `console.log(JSON.stringify(codec.toJson("${sender}", message)));`,
      "",
    ].join("\n");
  }
  return [
    ...head,
    `const stream = protocols["${protocol}"].streams["${part}"];`,
    `const reader = stream.openReader({ dialect: "${dialect}", sender: "${sender}", framed: false, options: {} });`,
    "console.log(formatTrace(packet, reader.trace(packet)));",
    "",
  ].join("\n");
}
