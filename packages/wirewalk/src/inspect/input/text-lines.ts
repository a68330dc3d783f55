/** Lines of a pasted text, and errors that name a place in it. */
import { escapeControls, WireError } from "../../wire/index.ts";

/** One line without its end. */
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** The packets of a text, each with the line where it begins. */
export interface InputPacket {
  readonly bytes: Uint8Array;
  /** Counted from 1; 1 for binary input. */
  readonly line: number;
}

export function linesOf(text: string): TextLine[] {
  return text.split(/\r\n|[\n\r\f]/).map((each, index) => ({ number: index + 1, text: each }));
}

export function isBlank(line: string): boolean {
  return !/\S/.test(line);
}

/** `Cannot read dump: <why> at line 3, column 7`; the column counts from 1 and may be left out. */
export function textError(what: string, why: string, line: number, column?: number): WireError {
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new WireError("bad-hex", `Cannot read ${what}: ${why} at ${place}`, 0);
}

/** A piece of the text in an error, safe to print and at most 20 characters long. */
export function quote(text: string): string {
  const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  return JSON.stringify(escapeControls(shown));
}
