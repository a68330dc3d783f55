/** The head of a file: a table of its fields for each kind, which drives reading and writing (sheet 2.2). */
import { ByteReader, ByteWriter, withPath } from "../../../wire/index.ts";
import { readText, writeText } from "./text.ts";
import type { HeadKind } from "./versions.ts";

/** What heads hold. Which of them a file has, its version says. */
export interface HeadFields {
  /** Of the game, as the server's greeting says it. */
  readonly build: number;
  readonly localPort: number;
  readonly remotePort?: number;
  readonly localEndpoint?: string;
  readonly remoteEndpoint?: string;
  readonly locale?: number;
  /** The text of the greeting. */
  readonly patchLocation?: string;
}

type FieldKind = "u8" | "u16" | "u32" | "text";

const endpoints = [
  ["localEndpoint", "text"],
  ["localPort", "u16"],
  ["remoteEndpoint", "text"],
  ["remotePort", "u16"],
] as const;

/** In the order of the file, after the version. The oldest files have the build in the version's place. */
const tables: Readonly<Record<HeadKind, readonly (readonly [name: keyof HeadFields, kind: FieldKind])[]>> = {
  oldest: [["localPort", "u16"]],
  ports: [
    ["locale", "u16"],
    ["build", "u16"],
    ["localPort", "u16"],
  ],
  "endpoints-locale-16": [...endpoints, ["locale", "u16"], ["build", "u16"]],
  endpoints: [...endpoints, ["locale", "u8"], ["build", "u16"]],
  patch: [...endpoints, ["locale", "u8"], ["build", "u16"], ["patchLocation", "text"]],
  "build-32": [...endpoints, ["locale", "u8"], ["build", "u32"]],
};

/** Reads a head up to the first record. `truncated` where the bytes end before it does. */
export function readHead(bytes: Uint8Array, kind: HeadKind): { readonly fields: HeadFields; readonly end: number } {
  const reader = new ByteReader(bytes);
  const fields: Record<string, number | string> = { build: reader.u16le() };
  for (const [name, type] of tables[kind]) {
    try {
      fields[name] = readField(reader, type);
    } catch (error) {
      throw withPath(withPath(error, name), "header");
    }
  }
  return { fields: fields as unknown as HeadFields, end: reader.offset };
}

/** The bytes of a head. Throws `RangeError` for what the version cannot hold; a field that the head has and `fields` has not is 0 or empty. */
export function writeHead(version: number, kind: HeadKind, fields: HeadFields): Uint8Array {
  const writer = new ByteWriter();
  writer.u16le(version);
  for (const [name, type] of tables[kind]) {
    try {
      writeField(writer, type, fields[name] ?? (type === "text" ? "" : 0));
    } catch (error) {
      throw withPath(withPath(error, name), "header");
    }
  }
  return writer.toBytes();
}

function readField(reader: ByteReader, kind: FieldKind): number | string {
  if (kind === "text") return readText(reader);
  if (kind === "u8") return reader.u8();
  return kind === "u16" ? reader.u16le() : reader.u32le();
}

function writeField(writer: ByteWriter, kind: FieldKind, value: number | string): void {
  if (kind === "text") writeText(writer, value as string);
  else if (kind === "u8") writer.u8(value as number);
  else if (kind === "u16") writer.u16le(value as number);
  else writer.u32le(value as number);
}
