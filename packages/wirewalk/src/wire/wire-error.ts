/**
 * The one error that hostile or damaged bytes can cause. It says what was wrong, where, and in which field.
 *
 * ```ts
 * import { decode, struct, u8, u16le } from "wirewalk/wire";
 *
 * const position = struct({ level: u8, x: u16le });
 * decode(position, new Uint8Array([1, 2])); // throws truncated: Cannot read x: 2 bytes needed, 1 left at byte 1
 * ```
 *
 * @module
 */

/**
 * What was wrong with the bytes:
 *
 * - `truncated`: the bytes end before the value does.
 * - `trailing`: the message is complete and bytes are left.
 * - `unknown-message`: no message of this protocol and direction has that id.
 * - `unknown-variant`: a value that selects a layout or a name selects none.
 * - `bad-value`: a field holds a value that it may not hold.
 * - `limit`: a count or length is over its named limit.
 * - `bad-length`: a length contradicts what it measures, or is zero where something must follow.
 * - `bad-hex`: a text is not hexadecimal bytes.
 * - `bad-checksum`: a check value does not match the bytes it guards.
 * - `bad-state`: these bytes may not come now, or nothing may come any more after an earlier error.
 */
export type WireErrorCode =
  | "truncated"
  | "trailing"
  | "unknown-message"
  | "unknown-variant"
  | "bad-value"
  | "limit"
  | "bad-length"
  | "bad-hex"
  | "bad-checksum"
  | "bad-state";

/** A {@link WireError} as plain data, for logs and for the page. */
export interface WireErrorJson {
  code: WireErrorCode;
  message: string;
  bitOffset: number;
  path: string;
}

/** Makes the message of an error and its path, once somebody looks at one of them. */
export type LateWords = () => readonly [message: string, path: string];

/** Gives the whole path of a field while something is read that keeps one; undefined otherwise. Set by `read-path.ts`. */
export const naming: { pathOf?: (inner: string) => string | undefined } = {};

/** `Cannot read <what>: <why>` with a path in the place of what. */
function renamed(message: string, path: string): string {
  const colon = message.indexOf(": ");
  return colon >= 0 && message.startsWith(READ_PREFIX) ? READ_PREFIX + path + message.slice(colon) : message;
}

/** `Error`, with the number of stack frames that an engine captures where it lets that be set. */
const stackTraces = Error as ErrorConstructor & { stackTraceLimit?: number };

/** Not in engines without the property, and not under frozen intrinsics. */
const hasStackTraceLimit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")?.writable === true;

const READ_PREFIX = "Cannot read ";
const WRITE_PREFIX = "Cannot write ";

/**
 * Bytes were refused. Decoders throw this and nothing else, whatever the bytes; wrong arguments of our own caller are
 * `TypeError` and `RangeError` instead.
 *
 * Messages read `Cannot read <what>: <why> at byte <n>`. Where a layout is being read, its path stands for `<what>`, so that
 * the message names the field as the application knows it; {@link WireError.within} puts a path before that.
 *
 * It has no stack trace: hostile bytes make a server create these errors as fast as they arrive, capturing a stack costs
 * several times more than all the rest of a refusal, and the path and the offset say more than the frames of a decoder.
 * Generated readers also leave its words until they are asked for: making them took 0.6 of 1.1 us, and a message that an engine's
 * `Error` is given costs 0.14 us by itself. From the first look on, `message` is an own property as any error has it.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;
  /** Where, in bits from the start of the bytes being read; a byte offset is this divided by 8. */
  readonly bitOffset: number;
  #path: string;
  #late: LateWords | undefined;

  constructor(code: WireErrorCode, message: string | LateWords, bitOffset: number, path = "") {
    const whole = naming.pathOf?.(path);
    const limit = stackTraces.stackTraceLimit ?? 0;
    if (hasStackTraceLimit) stackTraces.stackTraceLimit = 0;
    if (typeof message !== "string") super();
    else super(whole === undefined ? message : renamed(message, whole));
    if (hasStackTraceLimit) stackTraces.stackTraceLimit = limit;
    this.code = code;
    this.bitOffset = bitOffset;
    this.#path = whole ?? path;
    this.#late = typeof message === "string" ? undefined : message;
  }

  override get message(): string {
    return this.#settle();
  }

  override set message(value: string) {
    this.#settle();
    // As `Error` has it: not among the keys.
    Object.defineProperty(this, "message", { value, writable: true, configurable: true });
  }

  /** Makes the words if they are missing yet, and with them a message that is an own property. */
  #settle(): string {
    const late = this.#late;
    if (late === undefined) return "";
    this.#late = undefined;
    const [message, path] = late();
    const outer = this.#path;
    this.#path = joinPath(outer, path);
    const whole = outer === "" ? message : renamed(message, this.#path);
    this.message = whole;
    return whole;
  }

  /** The field, as in `fragments[3].x`; empty when no field was being read. */
  get path(): string {
    this.#settle();
    return this.#path;
  }

  /** Says that the failing field lies inside `segment` (`"fragments"`, `"[3]"`), and returns the same error. */
  within(segment: string): this {
    this.#path = joinPath(segment, this.path);
    this.message = renamed(this.message, this.#path);
    return this;
  }

  toJSON(): WireErrorJson {
    return { code: this.code, message: this.message, bitOffset: this.bitOffset, path: this.path };
  }
}

/** Joins two pieces of a field path: `a` and `b` to `a.b`, `a` and `[3].b` to `a[3].b`; an empty piece adds nothing. */
export function joinPath(outer: string, inner: string): string {
  if (outer === "") return inner;
  if (inner === "") return outer;
  return inner.startsWith("[") ? outer + inner : `${outer}.${inner}`;
}

/**
 * For the `catch` around reading or writing a field: adds the field's name to the error and returns it, to be thrown
 * again. Other errors than `WireError`, `RangeError` and `TypeError` come back untouched.
 */
export function withPath(error: unknown, segment: string): unknown {
  if (error instanceof WireError) return error.within(segment);
  if (error instanceof RangeError || error instanceof TypeError) {
    const { message } = error;
    error.message = message.startsWith(WRITE_PREFIX)
      ? WRITE_PREFIX + joinPath(segment, message.slice(WRITE_PREFIX.length))
      : `${WRITE_PREFIX}${segment}: ${message}`;
  }
  return error;
}

/** `1 byte`, `2 bytes`: for messages. */
export function countBytes(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}

/** `byte 3`, or `byte 3 bit 2` within a byte: for messages. */
export function placeText(bitOffset: number): string {
  const bit = bitOffset % 8;
  return `byte ${Math.floor(bitOffset / 8)}${bit === 0 ? "" : ` bit ${bit}`}`;
}
