/** Specifications of Kaitai Struct, compiled and run by its own compiler and runtime. */
import { createRequire } from "node:module";
import type { JsonObject } from "../../wire/index.ts";
import { decodeLz4Block } from "../../wire/lz4-block.ts";

const require = createRequire(import.meta.url);

interface Compiler {
  compile(language: string, spec: object, importer: undefined, debug: boolean): Promise<Record<string, string>>;
}

/** What a type of Kaitai reads: fields and instances by their names in camel case. */
export type KaitaiObject = Readonly<Record<string, unknown>>;

/** The process that a specification with a compressed block asks for. */
class Lz4Block {
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  decode(block: Uint8Array): Uint8Array {
    return decodeLz4Block(block, { limit: this.#limit });
  }
}

/** Compiles a specification to JavaScript. The reader throws for a packet that it refuses. */
export async function kaitaiReader(spec: JsonObject): Promise<(packet: Uint8Array) => KaitaiObject> {
  const compiler: Compiler = require("kaitai-struct-compiler");
  const KaitaiStream: new (bytes: Uint8Array) => object = require("kaitai-struct/KaitaiStream");
  const [source = ""] = Object.values(await compiler.compile("javascript", spec, undefined, false));
  const { id } = spec.meta as { readonly id: string };
  const name = id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  // The compiled module is UMD: as in the browser, it fills in what stands for the global object.
  const root: Record<string, unknown> = { KaitaiStream, Lz4Block: { Lz4Block } };
  new Function("define", "exports", "require", source).call(root, undefined, undefined, undefined);
  const compiled = root[name] as Record<string, unknown> | undefined;
  const Reader = (compiled?.[name] ?? compiled) as new (stream: object) => KaitaiObject;
  return (packet) => new Reader(new KaitaiStream(packet));
}
