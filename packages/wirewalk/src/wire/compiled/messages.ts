/** Messages of a dialect as generated modules have them. */
import type { IdFormat } from "../describe/node.ts";
import { formatMessageId } from "../message-id.ts";
import { countBytes, type LateWords, WireError } from "../wire-error.ts";
import { cutSlab, slabFor, slabUsed } from "./memory.ts";
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
  /** The most bytes that a value takes. */
  readonly room: number | ((v: unknown) => number);
}

/** The body of a message. */
export interface CompiledMessage extends CompiledBody {
  readonly id: number;
}

/** A description that is no message. */
export interface CompiledLayout<T> extends CompiledBody<T> {
  /** Where the last reader of its module has ended. */
  readonly after: () => number;
}

/** The value that fills the bytes from `at` on. Throws `WireError`. */
export function readWhole<T>(body: CompiledBody<T>, after: () => number, b: Uint8Array, at = 0): T {
  const value = body.read(b, at, b.length);
  if (value === undefined || after() !== b.length) throw bodyFailure(value === undefined, after(), b.length);
  return value;
}

/** The bytes of a value, with so many before it that are left free. Throws `TypeError` or `RangeError` that names the field. */
export function writeWhole<T>({ room, write }: CompiledBody<T>, value: T, before = 0): Uint8Array<ArrayBuffer> {
  const b = slabFor((typeof room === "number" ? room : room(value)) + before);
  const at = slabUsed();
  const end = write(b, at + before, value as never);
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

/** How many bytes a value takes. Throws like {@link writeWhole}. */
export function sizeWhole<T>({ room, write }: CompiledBody<T>, value: T): number {
  const b = slabFor(typeof room === "number" ? room : room(value));
  // Written into memory that nobody has taken yet.
  const at = slabUsed();
  const end = write(b, at, value as never);
  if (end < 0) throw wrong();
  return end - at;
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

/** The messages that one side sends. */
export interface CompiledSide<M extends NamedMessage> {
  read(payload: Uint8Array): M;
  write(message: M): Uint8Array<ArrayBuffer>;
  readonly bodies: Readonly<Record<string, CompiledMessage>>;
  /** Where the last reader has ended. */
  readonly after: () => number;
}

/** All messages of a dialect. */
export interface CompiledDialect<C extends NamedMessage = NamedMessage, S extends NamedMessage = NamedMessage> {
  readonly dialect: string;
  readonly idName: string;
  readonly idFormat?: IdFormat;
  readonly client: CompiledSide<C>;
  readonly server: CompiledSide<S>;
}

/** The error of a body that was refused, or that has bytes behind it. */
export function bodyFailure(isRefused: boolean, after: number, end: number): WireError {
  return isRefused ? refusal() : trailing(after, end);
}

/** The error of a payload that is too short for the number of its message. */
export function noId(idName: string, needed: number, length: number): WireError {
  const why = `${countBytes(needed)} needed, ${length} left at byte 0`;
  return new WireError("truncated", () => [`Cannot read ${idName}: ${why}`, idName], 0);
}

/** What is needed to say which messages there are. */
export interface DialectOutline {
  readonly dialect: string;
  readonly idName: string;
  readonly idFormat?: IdFormat;
  readonly client: { readonly bodies: Readonly<Record<string, { readonly id: number }>> };
  readonly server: { readonly bodies: Readonly<Record<string, { readonly id: number }>> };
}

/** The error of a number that no message of the sender has. */
export function unknownId(outline: DialectOutline, sender: "client" | "server", id: number): WireError {
  return new WireError("unknown-message", () => unknownIdWords(outline, sender, id), 0);
}

function unknownIdWords(outline: DialectOutline, sender: "client" | "server", id: number): ReturnType<LateWords> {
  const { dialect, idName, idFormat } = outline;
  const ids = Object.values(outline[sender].bodies).map((body) => body.id);
  const known = ids.sort((a, b) => a - b).map((each) => formatMessageId(each, idFormat));
  const own = formatMessageId(id, idFormat);
  const why = `a ${sender} of dialect ${dialect} sends ${known.join(", ") || "nothing"}, not ${own}, at byte 0`;
  return [`Cannot read ${idName}: ${why}`, idName];
}

/** The error of a name that no message of the sender has. */
export function unknownName(outline: DialectOutline, sender: "client" | "server", message: string): RangeError {
  const known = Object.keys(outline[sender].bodies).join(", ");
  const why = `a ${sender} of dialect ${outline.dialect} sends ${known}, not ${message}`;
  return new RangeError(`Cannot write message: ${why}`);
}
