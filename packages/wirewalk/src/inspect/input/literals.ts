/** Bytes written as in a program: arrays of numbers in brackets, and texts in quotes with escapes such as `\x1e`. */
import { joinBytes } from "../../wire/index.ts";
import { type InputPacket, quote, type TextLine, textError } from "./text-lines.ts";

/** A text may be such a literal. */
export const LITERAL = /["'`{[]|\\x/;

/** A text between quotes, or what follows it without a separator. */
interface Piece {
  readonly text: string;
  readonly at: number;
}

/**
 * The packets: each array is one, and so is each text; texts with nothing but white space, `\` or `+` between them are one. A text
 * without a backslash holds hex or base64, which `parsePlain` reads. Where there are braces, brackets hold lengths and no bytes.
 */
export function parseLiterals(text: string, parsePlain: (line: TextLine) => Uint8Array): readonly InputPacket[] {
  return new LiteralParser(text, parsePlain).parse();
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

class LiteralParser {
  readonly #text: string;
  readonly #parsePlain: (line: TextLine) => Uint8Array;
  readonly #opening: string;
  readonly #lineStarts: readonly number[];
  readonly #packets: InputPacket[] = [];
  /** Texts that may go on. */
  #pieces: Piece[] = [];
  #at = 0;

  constructor(text: string, parsePlain: (line: TextLine) => Uint8Array) {
    this.#text = text;
    this.#parsePlain = parsePlain;
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\r\n|[\n\r\f]/g), (end) => end.index + end[0].length)];
    this.#opening = hasBraces(text) ? "{" : "[";
  }

  parse(): readonly InputPacket[] {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) break;
      if (this.#skipComment()) continue;
      if (character === '"' || character === "'" || character === "`") this.#pieces.push(this.#quoted(character));
      else if (character === "\\" && this.#text[this.#at + 1] === "x") this.#pieces.push(this.#bare());
      else {
        if (character === this.#opening) {
          this.#endText();
          this.#array();
        } else {
          // A name, `=` or `;` ends a text. Between parts of one may stand white space, `\` and `+`, and the `b` of Python.
          if (!/[\s\\+b()]/.test(character)) this.#endText();
          this.#at += 1;
        }
      }
    }
    this.#endText();
    if (this.#packets.length === 0) throw textError("literal", "it has no bytes", 1);
    return this.#packets;
  }

  #skipComment(): boolean {
    const start = this.#text.slice(this.#at, this.#at + 2);
    if (start !== "/*" && start !== "//") return false;
    const end = start === "/*" ? "*/" : "\n";
    const to = this.#text.indexOf(end, this.#at + 2);
    this.#at = to < 0 ? this.#text.length : to + end.length;
    return true;
  }

  #quoted(mark: string): Piece {
    const at = this.#at + 1;
    let to = at;
    while (to < this.#text.length && this.#text[to] !== mark) to += this.#text[to] === "\\" ? 2 : 1;
    if (to >= this.#text.length) throw this.#error("a text without its end", this.#at);
    this.#at = to + 1;
    return { text: this.#text.slice(at, to), at };
  }

  /** `\x1e\x80` without quotes. */
  #bare(): Piece {
    const at = this.#at;
    while (this.#at < this.#text.length && !/\s/.test(this.#text[this.#at] as string)) this.#at += 1;
    return { text: this.#text.slice(at, this.#at), at };
  }

  #endText(): void {
    const pieces = this.#pieces.filter(({ text }) => text !== "");
    this.#pieces = [];
    const [first] = pieces;
    if (first === undefined) return;
    const line = this.#lineOf(first.at);
    const isEscaped = pieces.some(({ text }) => text.includes("\\"));
    const parts = pieces.map((piece) =>
      isEscaped ? this.#unescape(piece) : this.#parsePlain({ number: this.#lineOf(piece.at), text: piece.text }),
    );
    this.#packets.push({ bytes: joinBytes(parts), line });
  }

  #unescape({ text, at }: Piece): Uint8Array {
    const bytes = new Uint8Array(text.length);
    let length = 0;
    for (let index = 0; index < text.length; ) {
      const [value, taken] = characterAt(text, index);
      if (value === undefined)
        throw this.#error(`${quote(text.slice(index, index + taken))} is not a byte`, at + index);
      if (value >= 0) bytes[length++] = value;
      index += taken;
    }
    return bytes.slice(0, length);
  }

  #array(): void {
    const closing = CLOSING[this.#opening] as string;
    let start = this.#at;
    const items: Piece[] = [];
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#error(`an array without its ${closing}`, start);
      if (this.#skipComment()) continue;
      if (character === closing) break;
      if (character === this.#opening) {
        // An array of arrays: each inner one is a packet.
        if (items.length > 0) throw this.#error("an array inside an array of bytes", this.#at);
        start = this.#at;
        this.#at += 1;
      } else if (/[\s,]/.test(character)) this.#at += 1;
      else if (character === '"') {
        // An array of texts: each is a packet.
        this.#pieces.push(this.#quoted(character));
        this.#endText();
      } else items.push(this.#item(closing));
    }
    this.#at += 1;
    if (items.length === 0) return;
    // `02, 0a` is hex where an item has a letter; `10, 20` is decimal.
    const isHex =
      items.every(({ text }) => /^[\da-f]{2}$/i.test(text)) && items.some(({ text }) => /[a-f]/i.test(text));
    const bytes = items.map((item) => {
      const value = isHex ? Number.parseInt(item.text, 16) : numberOf(item.text);
      if (value === undefined) throw this.#error(`${quote(item.text)} is not a byte`, item.at);
      return value;
    });
    this.#packets.push({ bytes: Uint8Array.from(bytes), line: this.#lineOf(start) });
  }

  #item(closing: string): Piece {
    const at = this.#at;
    if (this.#text[at] === "'") {
      this.#quoted("'");
      return { text: this.#text.slice(at, this.#at), at };
    }
    while (this.#at < this.#text.length && !/[\s,]/.test(this.#text[this.#at] as string)) {
      if (this.#text[this.#at] === closing || this.#text.startsWith("/*", this.#at)) break;
      this.#at += 1;
    }
    return { text: this.#text.slice(at, this.#at), at };
  }

  #lineOf(at: number): number {
    return this.#placeOf(at).line;
  }

  #placeOf(at: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (this.#lineStarts[low] as number) + 1 };
  }

  #error(why: string, at: number): Error {
    const { line, column } = this.#placeOf(at);
    return textError("literal", why, line, column);
  }
}

/** Whether a brace stands outside of quotes. */
function hasBraces(text: string): boolean {
  let mark: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (mark === undefined && character === "{") return true;
    if (character === "\\") at += 1;
    else if (mark === undefined && /["'`]/.test(character)) mark = character;
    else if (character === mark) mark = undefined;
  }
  return false;
}

const ESCAPES: Readonly<Record<string, number>> = {
  "0": 0,
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  e: 27,
  '"': 34,
  "'": 39,
  "?": 63,
  "\\": 92,
};

/** The byte at a place and the characters that it takes: -1 for the end of a line that goes on, undefined for no byte. */
function characterAt(text: string, at: number): readonly [number | undefined, number] {
  const character = text[at] as string;
  if (character !== "\\") {
    const code = character.charCodeAt(0);
    return [code > 0xff ? undefined : code, 1];
  }
  const found = /^\\(?:x([\da-fA-F]{2})|u00([\da-fA-F]{2})|([0-3]?[0-7]{1,2})|(\r?\n)|(.))?/s.exec(
    text.slice(at, at + 8),
  );
  const [whole = "", byte, unicode, octal, lineEnd, letter] = found ?? [];
  if (byte !== undefined || unicode !== undefined)
    return [Number.parseInt(byte ?? (unicode as string), 16), whole.length];
  if (octal !== undefined) return [Number.parseInt(octal, 8), whole.length];
  if (lineEnd !== undefined) return [-1, whole.length];
  return [letter === undefined ? undefined : ESCAPES[letter], Math.max(1, whole.length)];
}

/** `0x1e`, `30`, `0b11110`, `0o36`, `'a'`, `-1`, and `30u8`; undefined for what is no byte. */
function numberOf(text: string): number | undefined {
  const quoted = /^'(.{1,4})'$/s.exec(text)?.[1];
  if (quoted !== undefined) {
    const [value, taken] = characterAt(quoted, 0);
    return taken === quoted.length && value !== undefined && value >= 0 ? value : undefined;
  }
  const [, minus, digits = ""] =
    /^(?:\(byte\))?(-?)(0x[\da-f]{1,4}|0b[01]{1,8}|0o[0-7]{1,3}|\d{1,3})(?:_?[ui]8|u|l)?$/i.exec(text) ?? [];
  if (digits === "") return undefined;
  const value = Number(digits);
  if (minus === "-") return value >= 1 && value <= 128 ? 256 - value : undefined;
  return value <= 0xff ? value : undefined;
}
