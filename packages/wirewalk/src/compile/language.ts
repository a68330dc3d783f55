/**
 * A language that codecs are printed in. A back end has a folder of this one with an object of this form, and a line in `languages.ts`.
 *
 * @module
 */
import type { WireErrorCode } from "../wire/wire-error.ts";
import type { TypedDialect } from "./typed/program.ts";

/** What is printed: a dialect of a game. */
export interface LanguageSource {
  /** `slime-online-2`. */
  readonly game: string;
  readonly dialect: TypedDialect;
  /** Lines for the head of each file: what it is, of which version, how it is made again. Empty ones part paragraphs. */
  readonly header: readonly string[];
  /** Code by hand that stands behind the readers and writers, in their own language. */
  readonly more?: string;
}

/** A payload, and what a codec makes of it: the bytes that its message is written as, or the refusal. */
export interface TestVector {
  readonly sender: "client" | "server";
  readonly payload: Uint8Array;
  readonly outcome:
    | { readonly written: Uint8Array }
    | { readonly code: WireErrorCode; readonly path: string; readonly bitOffset: number };
}

/** A file, by its name without folders. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

export interface Language {
  /** On the command line: `java`. */
  readonly name: string;
  /** For people, with the version that its code needs: `Java 17`. */
  readonly title: string;
  /** Names that no type of a dialect may have, in any case of letters: of the language, of its runtime, of what a codec declares. */
  readonly reserved: readonly string[];
  /** The codec: one file that compiles by itself, with nothing but the standard library. Throws `TypeError` for what it does not have. */
  codec(source: LanguageSource): SourceFile;
  /** A test of the codec that runs by itself, and ends with another exit code than 0 where a vector comes out otherwise. */
  test(source: LanguageSource, vectors: readonly TestVector[]): SourceFile;
  /** The program of `npm run proof -- languages`: see `tools/proof/README.md` for what it reads and writes. */
  driver(source: LanguageSource): SourceFile;
}
