/** What the command line calls for one kind of input of a game. */
import type { JsonObject, WireError } from "../wire/index.ts";
import type { Side, TracedBytes } from "./codec.ts";

/** An option that only this protocol's lines have, as the command line shows it. */
export interface LineFlag {
  /** As commander writes it: `--strict`, `--revision <file>`. */
  readonly flag: string;
  readonly summary: string;
  /** The value is one of these names, or else a file: the protocol is given the file's text in its place. */
  readonly fileUnless?: readonly string[];
}

export interface LineOptions {
  readonly dialect: string;
  /** The sender of the lines. */
  readonly direction: Side;
  /** Lines are carried bytes of one stream: frames, split and glued anywhere, and cipher. */
  readonly framed: boolean;
  /** Values of the protocol's own flags, by their camel-case name. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Turns lines of text into others, one after the other, with memory where the protocol has some. */
export interface LineConverter {
  /** The answers to one line: usually one, with `--framed` as many as there are payloads. Throws `WireError`. */
  line(text: string): readonly LineResult[];
  /** What is left to say at the end of the input, such as a frame that never was completed. */
  end(): readonly LineResult[];
}

/** A line of output: an object to print as JSON, bare text to print as it is, or a refusal. */
export type LineResult = { readonly json: JsonObject } | { readonly text: string } | { readonly error: WireError };

/** What `wirewalk decode`, `encode` and `inspect` call for one kind of input of a game. */
export interface LineTools {
  readonly summary: string;
  /** Who may have sent what the lines hold, the usual one first. Another `--direction` is refused. */
  readonly senders: readonly [Side, ...Side[]];
  readonly flags: readonly LineFlag[];
  /** Command lines for the commands' help, where the usual ones do not fit. */
  readonly examples?: Readonly<Record<"decode" | "encode" | "inspect", readonly string[]>>;
  decoder(options: LineOptions): LineConverter;
  encoder(options: LineOptions): LineConverter;
  /** Never throws for bytes. With `framed` there is a part for each frame; otherwise there is one part. */
  trace(bytes: Uint8Array, options: LineOptions): readonly TracedBytes[];
}
