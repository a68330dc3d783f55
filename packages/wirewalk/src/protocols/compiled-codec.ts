/**
 * A codec out of the generated readers and writers of a dialect: it reads and writes payloads, and nothing else. No traces, no JSON,
 * no words: those need the descriptions.
 *
 * @module
 */
import { type CompiledDialect, uncutSlab, unknownName } from "../wire/compiled/index.ts";

/** A decoded message: its name in camel case and its fields. */
interface Message {
  readonly message: string;
  readonly value: object;
}

/** Reads and writes the payloads of one dialect, and bodies alone for hosts with opcodes and frames of their own. */
export interface CompiledCodec<C extends Message, S extends Message> {
  /** The message of a payload. Throws `WireError` for anything that is not exactly one message. */
  read(sender: "client", payload: Uint8Array): C;
  read(sender: "server", payload: Uint8Array): S;
  /** Throws `TypeError` or `RangeError` for a message that cannot be written. */
  write(sender: "client", message: C): Uint8Array<ArrayBuffer>;
  write(sender: "server", message: S): Uint8Array<ArrayBuffer>;
  /** The message of a body: what follows the opcode. Throws `RangeError` for an unknown name, and `WireError`. */
  readBody<N extends C["message"]>(sender: "client", name: N, body: Uint8Array): Extract<C, { readonly message: N }>;
  readBody<N extends S["message"]>(sender: "server", name: N, body: Uint8Array): Extract<S, { readonly message: N }>;
  /** The body of a message, without its opcode. */
  writeBody(sender: "client", message: C): Uint8Array<ArrayBuffer>;
  writeBody(sender: "server", message: S): Uint8Array<ArrayBuffer>;
  /** The bytes of a message's body. Throws like {@link writeBody}. */
  sizeOfBody(sender: "client", message: C): number;
  sizeOfBody(sender: "server", message: S): number;
  /** The opcode of a message. Throws `RangeError` for an unknown name. */
  opcodeOf(sender: "client", name: C["message"]): number;
  opcodeOf(sender: "server", name: S["message"]): number;
}

type Sender = "client" | "server";

/** The codec of a generated dialect. */
export function compiledCodec<C extends Message, S extends Message>(
  dialect: CompiledDialect<C, S>,
): CompiledCodec<C, S> {
  const opcodeOf = (sender: Sender, name: string): number => {
    const ids = dialect.ids[sender];
    if (!Object.hasOwn(ids, name)) throw unknownName(dialect, sender, name);
    return ids[name] as number;
  };
  // Functions of the dialect's own module: those of all dialects would be one to an engine, which then takes none into its callers.
  const { read, write } = dialect;
  const writeBody = (sender: Sender, message: Message) => write(sender, message as never, 0);
  return {
    read,
    write,
    readBody: (sender: Sender, message: string, body: Uint8Array) =>
      read(sender, body, opcodeOf(sender, message), 0) as never,
    writeBody,
    sizeOfBody(sender: Sender, message: Message) {
      const { length } = writeBody(sender, message);
      uncutSlab(length);
      return length;
    },
    opcodeOf,
  };
}

/** The codecs of a game, by dialect. Throws `RangeError` for an unknown one. */
export function compiledCodecs<D extends string>(
  game: string,
  dialects: Readonly<Record<D, CompiledDialect>>,
): (dialect: D) => CompiledCodec<never, never> {
  const made = new Map<string, CompiledCodec<never, never>>();
  return (dialect) => {
    const own = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
    if (own === undefined) {
      throw new RangeError(`Unknown dialect ${dialect} of ${game}: it has ${Object.keys(dialects).join(", ")}`);
    }
    const codec = made.get(dialect) ?? (compiledCodec(own) as CompiledCodec<never, never>);
    made.set(dialect, codec);
    return codec;
  };
}
