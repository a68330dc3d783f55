/** Messages of a dialect as generated modules have them. */
import type { IdFormat } from "../describe/node.ts";
import { formatMessageId } from "../message-id.ts";
import { countBytes, type LateWords, WireError } from "../wire-error.ts";
import { cutSlab, slabFor, slabUsed, USUAL_ROOM } from "./memory.ts";
import { refusal, trailing, wrong } from "./refusals.ts";

/** An object of which nothing is known yet. */
export interface Members {
  readonly [name: string]: unknown;
}

/** The reader and the writer of one description. */
export interface CompiledBody<T = object> {
  /** The value from `at` on; undefined where the bytes are refused. `after` says where it has ended. */
  read(b: Uint8Array, at: number, end: number): T | undefined;
  /** Writes a value and gives the position after it; below 0 where it is refused. There must be room for it. */
  write(b: Uint8Array, at: number, v: never): number;
  /** The most bytes that a value takes. Default: no more than are reserved without a look at it, 9 KiB. */
  readonly room?: number | ((v: unknown) => number);
}

/** A description that is no message. */
export interface CompiledLayout<T> extends CompiledBody<T> {
  /** Where the last reader of its module has ended. */
  readonly after: () => number;
}

/** The value that fills the bytes from `at` on. Throws `WireError`. */
export function readWhole<T>(body: CompiledBody<T>, after: () => number, b: Uint8Array, at = 0): T {
  const value = body.read(b, at, b.length);
  if (value === undefined || after() !== b.length) throw notRead(value === undefined, after(), b.length);
  return value;
}

/** The most bytes that a value takes. */
export function roomFor({ room = USUAL_ROOM }: Pick<CompiledBody, "room">, value: unknown): number {
  return typeof room === "function" ? room(value) : room;
}

/** The bytes of a value, with so many before it that are left free. Throws `TypeError` or `RangeError` that names the field. */
export function writeWhole<T>(body: CompiledBody<T>, value: T, before = 0): Uint8Array<ArrayBuffer> {
  const b = slabFor(roomFor(body, value) + before);
  const at = slabUsed();
  const end = body.write(b, at + before, value as never);
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

/** The value of bytes that a compiled description fills. Throws `WireError`. */
export function decodeCompiled<T>(layout: CompiledLayout<T>, bytes: Uint8Array): T {
  return readWhole(layout, layout.after, bytes);
}

/** The bytes of a value by a compiled description. Throws `TypeError` or `RangeError` that names the field. */
export function encodeCompiled<T>(layout: CompiledLayout<T>, value: T): Uint8Array<ArrayBuffer> {
  return writeWhole(layout, value);
}

interface NamedMessage {
  readonly message: string;
  readonly value: object;
}

type Sender = "client" | "server";

/** What is needed to say which messages there are. */
export interface DialectOutline {
  readonly dialect: string;
  readonly idName: string;
  readonly idFormat?: IdFormat;
  /** The numbers of messages by sender and name. */
  readonly ids: Readonly<Record<Sender, Readonly<Record<string, number>>>>;
}

/** All messages of a dialect. */
export interface CompiledDialect<C extends NamedMessage = NamedMessage, S extends NamedMessage = NamedMessage>
  extends DialectOutline {
  /** The message of a payload; of a body alone where its number is given, from `at` on. Throws `WireError`. */
  read(sender: "client", payload: Uint8Array, id?: number, at?: number): C;
  read(sender: "server", payload: Uint8Array, id?: number, at?: number): S;
  read(sender: Sender, payload: Uint8Array, id?: number, at?: number): C | S;
  /** The payload of a message; without its number, and so many bytes left free before the body, where `before` is given. */
  write(sender: "client", message: C, before?: number): Uint8Array<ArrayBuffer>;
  write(sender: "server", message: S, before?: number): Uint8Array<ArrayBuffer>;
  write(sender: Sender, message: C | S, before?: number): Uint8Array<ArrayBuffer>;
}

/** The error of a message whose body was not read, or ends too early. */
export const notRead = (isRefused: boolean, after: number, end: number): WireError =>
  isRefused ? refusal() : trailing(after, end);

/** The error of a number that names no message: `at` is behind it, and behind the end where it is cut. */
export function noMessage(outline: DialectOutline, sender: Sender, id: number, at: number, end: number): WireError {
  if (at <= end) return unknownId(outline, sender, id);
  const { idName } = outline;
  const why = `${countBytes(at)} needed, ${end} left at byte 0`;
  return new WireError("truncated", () => [`Cannot read ${idName}: ${why}`, idName], 0);
}

/** Which messages there are, and which is none of them. */
function sends({ dialect }: DialectOutline, sender: Sender, known: readonly string[], not: string): string {
  return `a ${sender} of dialect ${dialect} sends ${known.join(", ") || "nothing"}, not ${not}`;
}

/** The error of a number that no message of the sender has. */
export function unknownId(outline: DialectOutline, sender: Sender, id: number): WireError {
  const { idName, idFormat } = outline;
  const words: LateWords = () => {
    const ids = Object.values(outline.ids[sender]).sort((a, b) => a - b);
    const known = ids.map((each) => formatMessageId(each, idFormat));
    return [
      `Cannot read ${idName}: ${sends(outline, sender, known, formatMessageId(id, idFormat))}, at byte 0`,
      idName,
    ];
  };
  return new WireError("unknown-message", words, 0);
}

/** The error of a name that no message of the sender has. */
export function unknownName(outline: DialectOutline, sender: Sender, message: string): RangeError {
  return new RangeError(`Cannot write message: ${sends(outline, sender, Object.keys(outline.ids[sender]), message)}`);
}
