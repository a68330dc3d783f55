/** The packages that codecs are compared with, as benchmarks use them. Each throws when it is not installed. */
import { createRequire } from "node:module";
import { versionOf } from "../harness.ts";
import type { Contender } from "../report.ts";
import { type Run, sumOfBytes } from "./work.ts";

const require = createRequire(import.meta.url);

interface KaitaiCompiler {
  compile(language: string, spec: object, importer: undefined, debug: boolean): Promise<Record<string, string>>;
}

/** The stream of Kaitai's runtime. */
export interface KaitaiStream {
  isEof(): boolean;
}

/** What a spec of Kaitai was compiled to: reads a payload, which `read` sees with its stream. */
export type KaitaiReader<T> = (payload: Uint8Array) => { readonly value: T; readonly stream: KaitaiStream };

/** A spec as JSON. */
interface KaitaiSpec {
  readonly meta: { readonly id: string; readonly endian: "le" | "be"; readonly "bit-endian"?: "le" };
  readonly seq: readonly object[];
  readonly types?: Readonly<Record<string, object>>;
}

/**
 * Compiles a spec to JavaScript, as the compiler writes it for releases. The benchmarks have specs written by hand, as flat as the
 * packets allow: what `wirewalk export kaitai` writes has a type for each case and takes 112 ns instead of 82 for a move of Slime
 * Online 2.
 */
export async function kaitaiReader<T>(spec: KaitaiSpec): Promise<KaitaiReader<T>> {
  const compiler: KaitaiCompiler = require("kaitai-struct-compiler");
  const Stream: new (bytes: Uint8Array) => KaitaiStream = require("kaitai-struct/KaitaiStream");
  const source = Object.values(await compiler.compile("javascript", spec, undefined, false))[0] ?? "";
  const name = spec.meta.id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  // The compiled module is UMD: as in the browser, it fills in what stands for the global object.
  const root: Record<string, unknown> = { KaitaiStream: Stream };
  new Function("define", "exports", "require", source).call(root, undefined, undefined, undefined);
  const compiled = root[name] as Record<string, unknown> | undefined;
  const Reader = (compiled?.[name] ?? compiled) as new (stream: KaitaiStream) => T;
  return (payload) => {
    const stream = new Stream(payload);
    return { value: new Reader(stream), stream };
  };
}

/** The builder of binary-parser, with what is used here. */
export interface BinaryParser {
  endianness(order: "big" | "little"): BinaryParser;
  uint8(name: string): BinaryParser;
  int8(name: string): BinaryParser;
  uint16(name: string): BinaryParser;
  int16(name: string): BinaryParser;
  uint32(name: string): BinaryParser;
  buffer(name: string, options: object): BinaryParser;
  string(name: string, options: object): BinaryParser;
  array(name: string, options: object): BinaryParser;
  saveOffset(name: string): BinaryParser;
  choice(
    name: string | undefined,
    options: { readonly tag: string; readonly choices: Readonly<Record<number, BinaryParser>> },
  ): BinaryParser;
  parse(bytes: Uint8Array): unknown;
}

/** A function that gives new, empty parsers. */
export function binaryParsers(): () => BinaryParser {
  const { Parser }: { Parser: new () => BinaryParser } = require("binary-parser");
  return () => new Parser();
}

/** A protocol that protodef compiled. */
export interface CompiledProtocol {
  read(buffer: Buffer, offset: number, type: string): { readonly value: unknown; readonly size: number };
  write(value: unknown, buffer: Buffer, offset: number, type: string): number;
  sizeOf(value: unknown, type: string): number;
}

interface ProtocolCompiler {
  addTypesToCompile(types: object): void;
  addTypes(types: object): void;
  compileProtoDefSync(): CompiledProtocol;
}

/** Compiles types of protodef; `native` are types written in JavaScript, as its documentation has them. */
export function protodefProtocol(types: object, native?: object): CompiledProtocol {
  const { Compiler }: { Compiler: { ProtoDefCompiler: new () => ProtocolCompiler } } = require("protodef");
  const compiler = new Compiler.ProtoDefCompiler();
  if (native !== undefined) compiler.addTypes(native);
  compiler.addTypesToCompile(types);
  return compiler.compileProtoDefSync();
}

/** Writes values of a type. They are made at the first run: contestants that only read do not wait for them. */
export function protodefWrites(protocol: CompiledProtocol, type: string, make: () => readonly unknown[]): Run {
  let values: readonly unknown[] | undefined;
  return () => {
    values ??= make();
    let sum = 0;
    for (const value of values) {
      const buffer = Buffer.allocUnsafe(protocol.sizeOf(value, type));
      protocol.write(value, buffer, 0, type);
      sum += sumOfBytes(buffer);
    }
    return sum;
  };
}

/** The codecs with their versions, and what they do in every benchmark of codecs. */
export function codecContenders(checks: string): readonly Contender[] {
  return [
    {
      name: "wirewalk",
      version: "this workspace",
      does: `one codec reads, writes, traces and describes; ${checks}; refusals name field and place`,
      doesNot: "read other languages' specs",
    },
    {
      name: "kaitai, compiled",
      version: `${versionOf("kaitai-struct-compiler")}, ${versionOf("kaitai-struct")}`,
      does: `reads; ${checks}, as \`valid\` in its spec`,
      doesNot: "writes in JavaScript; names the field of a refusal",
    },
    {
      name: "binary-parser",
      version: versionOf("binary-parser"),
      does: `reads by generated code; ${checks}, in JavaScript after the parser`,
      doesNot: "writes; names the field of a refusal",
    },
    {
      name: "protodef, compiled",
      version: versionOf("protodef"),
      does: `reads and writes by generated code; ${checks}, in JavaScript after the reader`,
      doesNot: "traces or describes",
    },
  ];
}
