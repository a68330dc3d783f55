/**
 * XML, read forwards and element by element: what map files of games need of it. Memory is bounded: a file is read in chunks, and what a
 * caller does not enter is passed over, with only its nesting looked at.
 *
 * Read are UTF-8 texts without a document type, and no entities but the five of XML and numbers.
 *
 * ```ts
 * import { encodeLatin1, XmlReader } from "wirewalk/wire";
 *
 * const bytes = encodeLatin1('<room><width>640</width><walls><wall x="3"/></walls></room>');
 * const source = { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
 * const xml = new XmlReader(source, ["x"], { bytes: 1000, elements: 100, valueBytes: 100, textBytes: 1000 });
 * const found = [];
 * for (xml.enter(); xml.next(); ) {
 *   if (xml.tag === "width") found.push(xml.text());
 *   else if (xml.tag === "walls") for (xml.enter(); xml.next(); ) found.push(xml.attribute("x") ?? "");
 * }
 * xml.end();
 * found; // => ["640", "3"]
 * ```
 *
 * @module
 */
import { encodeLatin1 } from "../latin1.ts";
import { XmlBytes } from "./xml-bytes.ts";
import type { XmlSource } from "./xml-source.ts";
import { XmlTexts } from "./xml-texts.ts";

/** What a file may have at most. */
export interface XmlLimits {
  readonly bytes: number;
  /** Elements that are read. Those that are passed over do not count. */
  readonly elements: number;
  /** Of an attribute or a text that is kept. */
  readonly valueBytes: number;
  /** Of all attributes and texts that are kept. */
  readonly textBytes: number;
}

/** Elements in elements. A real map has 6. */
const MAX_DEPTH = 64;
/** Of a tag's or an attribute's name. */
const MAX_NAME_BYTES = 256;
/** Of an entity between & and ;. */
const MAX_ENTITY_CHARACTERS = 32;
/** Of the memory for a value; it grows up to the limit. */
const FIRST_VALUE_BYTES = 1024;

const bytes = { tab: 9, lf: 10, cr: 13, space: 32, mark: 0x21, quote: 0x22, amp: 0x26, apostrophe: 0x27 };
const signs = {
  hyphen: 0x2d,
  slash: 0x2f,
  semicolon: 0x3b,
  less: 0x3c,
  equals: 0x3d,
  greater: 0x3e,
  question: 0x3f,
  bracket: 0x5d,
};

const entities: Readonly<Record<string, number>> = {
  lt: signs.less,
  gt: signs.greater,
  amp: bytes.amp,
  quot: bytes.quote,
  apos: bytes.apostrophe,
};

/** An attribute that is kept, with its value in the element that was reached last. */
interface KeptAttribute {
  readonly name: string;
  readonly bytes: Uint8Array;
  value: string | undefined;
}

/** Reads one text, once. All methods throw {@link XmlError} with the line, for what is wrong in the text. */
export class XmlReader {
  readonly #input: XmlBytes;
  readonly #limits: XmlLimits;
  readonly #texts = new XmlTexts();
  /** Attributes that are kept, and their values in the element that was reached last. */
  readonly #kept: readonly KeptAttribute[];
  /** Tags of the elements that were entered and have not ended. */
  readonly #open: string[] = [];
  #elements = 0;
  #textBytes = 0;
  /** Bytes of the name or the value that is read. */
  #buffer = new Uint8Array(FIRST_VALUE_BYTES);
  /** Of the element that was reached last. */
  #tag = "";
  #line = 0;
  #isEmpty = false;
  /** It has content that nobody has read yet. */
  #isUnread = false;
  /** It was entered, and is empty. */
  #hasEnded = false;

  /** Reaches the outermost element. Of attributes that are not in `attributes` only the end is looked for. */
  constructor(source: XmlSource, attributes: readonly string[], limits: XmlLimits) {
    this.#input = new XmlBytes(source);
    this.#limits = limits;
    this.#kept = attributes.map((name) => ({ name, bytes: encodeLatin1(name), value: undefined }));
    if (source.size > limits.bytes) this.refuse(`${source.size} bytes, at most ${limits.bytes} are read,`);
    this.#byteOrderMark();
    this.#toStartTag(undefined);
  }

  /** The name of the element that was reached last. */
  get tag(): string {
    return this.#tag;
  }

  /** The line in which it begins, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Whether it has no content, and no end tag. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Its attribute of a name that is kept. Undefined where it has none. */
  attribute(name: string): string | undefined {
    for (const kept of this.#kept) if (kept.name === name) return kept.value;
    return undefined;
  }

  /** Goes into the element that was reached last: `next` gives what is in it. */
  enter(): void {
    if (this.#hasEnded || this.#isUnread === this.#isEmpty)
      throw new TypeError(`Cannot enter <${this.#tag}>: it is read`);
    if (this.#open.push(this.#tag) > MAX_DEPTH) this.refuse(`nested deeper than ${MAX_DEPTH}`);
    this.#isUnread = false;
    this.#hasEnded = this.#isEmpty;
  }

  /** Reaches the next element in the one that was entered last. False where there is no other: that one is left. */
  next(): boolean {
    const parent = this.#open.at(-1);
    if (parent === undefined) throw new TypeError("Cannot read on: no element is entered");
    if (this.#hasEnded) this.#hasEnded = false;
    else {
      this.#skipUnread();
      if (this.#toStartTag(parent)) return true;
    }
    this.#open.pop();
    return false;
  }

  /** The text in the element that was reached last, CDATA included. Elements in it are passed over. */
  text(): string {
    if (this.#isEmpty) return "";
    if (!this.#isUnread) throw new TypeError(`Cannot read the text of <${this.#tag}>: it is read`);
    this.#isUnread = false;
    return this.#textBelow(this.#tag);
  }

  /** Reads on to the end of the file. The outermost element must have been left, or not entered. */
  end(): void {
    if (this.#open.length > 0) throw new TypeError(`Cannot end: <${this.#open.join("><")}> not left`);
    this.#skipUnread();
    const input = this.#input;
    for (let byte = input.take(); byte >= 0; byte = input.take()) {
      if (isSpace(byte)) continue;
      if (byte !== signs.less || (input.peek() !== bytes.mark && input.peek() !== signs.question)) {
        input.refuse("more after the end of its root");
      }
      this.#markup(input.take());
    }
  }

  /** Throws {@link XmlError} with the line that is reached. */
  refuse(reason: string): never {
    return this.#input.refuse(reason);
  }

  #byteOrderMark(): void {
    const input = this.#input;
    const first = input.peek();
    if (first === 0xfe || first === 0xff) input.refuse("it is UTF-16, read is UTF-8");
    if (first !== 0xef) return;
    if (input.take() !== 0xef || input.take() !== 0xbb || input.take() !== 0xbf) input.refuse("it is no text of UTF-8");
  }

  #skipUnread(): void {
    if (this.#isUnread) this.#skipBelow(this.#tag, this.#line);
    this.#isUnread = false;
  }

  /** Goes to the next start tag and reads it. False: the end tag of `parent` was there, and is taken. */
  #toStartTag(parent: string | undefined): boolean {
    const input = this.#input;
    for (;;) {
      if (parent === undefined) {
        // Before the root, where there may be no text.
        while (isSpace(input.peek())) input.take();
        const first = input.take();
        if (first < 0) input.refuse("it has no element");
        if (first !== signs.less) input.refuse("it is no XML: text before its root");
      } else if (!input.skipPast(signs.less)) this.#refuseCut(parent);
      const byte = input.take();
      if (byte === bytes.mark || byte === signs.question) {
        this.#markup(byte);
        continue;
      }
      if (byte === signs.slash) {
        this.#endTag(parent);
        return false;
      }
      this.#startTag(byte);
      return true;
    }
  }

  #refuseCut(open: string): never {
    return this.#input.refuse(`it is cut: <${open}> has no end`);
  }

  /** `<!…` and `<?…`, after that byte. What CDATA has goes to `put`. */
  #markup(byte: number, put?: (byte: number) => void): void {
    const input = this.#input;
    const line = input.line;
    if (byte === signs.question) {
      if (!input.skipPastEnd(signs.question, 1)) input.refuse("it is cut: a declaration has no end", line);
      return;
    }
    const start = this.#word();
    if (start === "--") {
      if (!input.skipPastEnd(signs.hyphen, 2)) input.refuse("it is cut: a comment has no end", line);
    } else if (start === "[CDATA[") {
      if (!this.#cdata(put)) input.refuse("it is cut: a section of CDATA has no end", line);
    } else if (start.startsWith("DOCTYPE")) input.refuse("a document type (DOCTYPE) is not read");
    else input.refuse(`<!${start}`);
  }

  /** Up to and with `]]>`. False where the text ends before it. */
  #cdata(put: ((byte: number) => void) | undefined): boolean {
    const input = this.#input;
    if (put === undefined) return input.skipPastEnd(signs.bracket, 2);
    for (let brackets = 0; ; ) {
      const byte = input.take();
      if (byte < 0) return false;
      if (byte === signs.bracket) {
        // Two of them stand before the end.
        if (brackets === 2) put(byte);
        else brackets += 1;
        continue;
      }
      if (byte === signs.greater && brackets === 2) return true;
      for (; brackets > 0; brackets--) put(signs.bracket);
      put(byte);
    }
  }

  /** As much after `<!` as says what it is. */
  #word(): string {
    let word = "";
    while (word !== "--" && word !== "[CDATA[" && word.length < 8) {
      const byte = this.#input.peek();
      if (byte < 0 || isSpace(byte) || byte === signs.greater) break;
      word += String.fromCharCode(this.#input.take());
    }
    return word;
  }

  #endTag(parent: string | undefined): void {
    const input = this.#input;
    const name = this.#texts.of(this.#buffer, this.#readName(input.take()));
    while (isSpace(input.peek())) input.take();
    const byte = input.take();
    if (byte < 0) this.#refuseCut(parent ?? name);
    if (byte !== signs.greater) input.refuse(`</${name}> has more than a name`);
    if (name !== parent) input.refuse(parent === undefined ? `</${name}> ends nothing` : `</${name}> ends <${parent}>`);
  }

  #startTag(first: number): void {
    const input = this.#input;
    if (++this.#elements > this.#limits.elements) input.refuse(`more than ${this.#limits.elements} elements`);
    this.#line = input.line;
    this.#tag = this.#texts.of(this.#buffer, this.#readName(first));
    for (const kept of this.#kept) kept.value = undefined;
    for (;;) {
      const isApart = isSpace(input.peek());
      while (isSpace(input.peek())) input.take();
      const byte = input.take();
      if (byte === signs.greater) {
        this.#isEmpty = false;
        break;
      }
      if (byte === signs.slash) {
        if (input.take() !== signs.greater) input.refuse(`<${this.#tag}>: a / without >`);
        this.#isEmpty = true;
        break;
      }
      if (byte < 0) this.#refuseCut(this.#tag);
      if (!isApart) input.refuse(`<${this.#tag}>: no space before an attribute`);
      this.#attribute(byte);
    }
    this.#isUnread = !this.#isEmpty;
  }

  #attribute(first: number): void {
    const input = this.#input;
    const length = this.#readName(first);
    const kept = this.#keptAttribute(length);
    // The buffer is that of the value as well.
    const name = kept?.name ?? this.#texts.of(this.#buffer, length);
    while (isSpace(input.peek())) input.take();
    const equals = input.take();
    if (equals < 0) this.#refuseCut(this.#tag);
    if (equals !== signs.equals) input.refuse(`<${this.#tag}>: attribute ${name} has no value`);
    while (isSpace(input.peek())) input.take();
    const quote = input.take();
    if (quote !== bytes.quote && quote !== bytes.apostrophe) {
      if (quote < 0) this.#refuseCut(this.#tag);
      input.refuse(`<${this.#tag}>: the value of attribute ${name} has no quotes`);
    }
    if (kept === undefined) {
      // Such as a whole picture.
      if (!input.skipPast(quote)) this.#refuseCut(this.#tag);
      return;
    }
    const value = this.#attributeValue(name, quote);
    if (kept.value !== undefined) input.refuse(`<${this.#tag}>: attribute ${name} twice`);
    kept.value = value;
  }

  /** The one whose name is in the buffer. */
  #keptAttribute(length: number): KeptAttribute | undefined {
    const buffer = this.#buffer;
    for (const kept of this.#kept) {
      if (kept.bytes.length !== length) continue;
      let at = 0;
      while (at < length && kept.bytes[at] === buffer[at]) at += 1;
      if (at === length) return kept;
    }
    return undefined;
  }

  #attributeValue(name: string, quote: number): string {
    const input = this.#input;
    let length = 0;
    const put = (byte: number): void => {
      if (length >= this.#limits.valueBytes) this.#refuseLong(`attribute ${name}`);
      this.#put(byte, length++);
    };
    for (;;) {
      const byte = input.take();
      if (byte === quote) break;
      if (byte < 0) this.#refuseCut(this.#tag);
      if (byte === signs.less) input.refuse(`<${this.#tag}>: a < in attribute ${name}`);
      if (byte === bytes.amp) putCharacter(this.#entity(), put);
      else put(isSpace(byte) ? bytes.space : byte);
    }
    this.#count(length);
    return this.#texts.of(this.#buffer, length);
  }

  #put(byte: number, at: number): void {
    if (at === this.#buffer.length) {
      const larger = new Uint8Array(Math.min(2 * at, Math.max(this.#limits.valueBytes, FIRST_VALUE_BYTES)));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer[at] = byte;
  }

  #count(textBytes: number): void {
    this.#textBytes += textBytes;
    const most = this.#limits.textBytes;
    if (this.#textBytes > most) this.#input.refuse(`more than ${most} bytes of values`);
  }

  #refuseLong(what: string): never {
    return this.#input.refuse(`<${this.#tag}>: ${what} is longer than ${this.#limits.valueBytes} bytes`);
  }

  /** The code of the character that an entity stands for. */
  #entity(): number {
    const input = this.#input;
    let name = "";
    for (let byte = input.take(); byte !== signs.semicolon; byte = input.take()) {
      if (byte < 0) this.#refuseCut(this.#tag);
      if (!isNameByte(byte) || name.length > MAX_ENTITY_CHARACTERS) input.refuse(`& without the ; of an entity`);
      name += String.fromCharCode(byte);
    }
    const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
    if (digits === null) {
      const known = Object.hasOwn(entities, name) ? entities[name] : undefined;
      return known ?? input.refuse(`unknown entity &${name};`);
    }
    const [, hex, decimal] = digits;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code === 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) {
      input.refuse(`&${name}; is no character`);
    }
    return code;
  }

  /** Puts a name into the buffer. Its length in bytes. */
  #readName(first: number): number {
    const input = this.#input;
    const buffer = this.#buffer;
    let length = 0;
    if (first < 0) input.refuse("it is cut within a tag");
    if (!isNameByte(first)) input.refuse(`${describeByte(first)} where a name begins`);
    buffer[length++] = first;
    while (isNameByte(input.peek())) {
      if (length === MAX_NAME_BYTES) input.refuse(`a name longer than ${MAX_NAME_BYTES} bytes`);
      buffer[length++] = input.take();
    }
    return length;
  }

  #textBelow(tag: string): string {
    const input = this.#input;
    const line = this.#line;
    let length = 0;
    let text = "";
    const put = (byte: number): void => {
      if (text.length + length >= this.#limits.valueBytes) this.#refuseLong("its text");
      this.#put(byte, length++);
    };
    /** An element in the text needs the memory. */
    const flush = (): void => {
      this.#count(length);
      text += this.#texts.of(this.#buffer, length);
      length = 0;
    };
    for (;;) {
      const byte = input.take();
      if (byte < 0) input.refuse(`it is cut: <${tag}> of line ${line} has no end`);
      if (byte === bytes.amp) putCharacter(this.#entity(), put);
      else if (byte !== signs.less) put(byte);
      else {
        const after = input.take();
        if (after === signs.slash) {
          flush();
          this.#endTag(tag);
          break;
        }
        if (after === bytes.mark || after === signs.question) this.#markup(after, put);
        else {
          flush();
          this.#startTag(after);
          this.#skipUnread();
        }
      }
    }
    return text;
  }

  /** Passes over what is below an element, up to its end tag: 80 to 95 % of a map's bytes. Only the nesting is looked at. */
  #skipBelow(tag: string, line: number): void {
    const input = this.#input;
    for (let depth = 1; depth > 0; ) {
      if (!input.skipPast(signs.less)) input.refuse(`it is cut: <${tag}> of line ${line} has no end`);
      const byte = input.take();
      if (byte === bytes.mark || byte === signs.question) this.#markup(byte);
      else if (byte === signs.slash) {
        depth -= 1;
        if (depth === 0) this.#endTag(tag);
        else if (!input.skipPast(signs.greater)) this.#refuseCut(tag);
      } else if (!this.#skipStartTag(byte)) {
        depth += 1;
        if (depth > MAX_DEPTH) input.refuse(`nested deeper than ${MAX_DEPTH}`);
      }
    }
  }

  /** Passes over a start tag. Whether it is an end tag at once. */
  #skipStartTag(first: number): boolean {
    const input = this.#input;
    if (!isNameByte(first)) input.refuse(`${describeByte(first)} where a name begins`);
    for (let last = 0; ; ) {
      const byte = input.take();
      if (byte === signs.greater) return last === signs.slash;
      if (byte === bytes.quote || byte === bytes.apostrophe) {
        if (!input.skipPast(byte)) input.refuse("it is cut within a tag");
      } else if (byte < 0) input.refuse("it is cut within a tag");
      else if (byte === signs.less) input.refuse("a < within a tag");
      last = byte;
    }
  }
}

function isSpace(byte: number): boolean {
  return byte === bytes.space || byte === bytes.lf || byte === bytes.cr || byte === bytes.tab;
}

/** Whether it may be part of a name: all but spaces, the signs of tags, and control characters. */
function isNameByte(byte: number): boolean {
  if (byte <= bytes.space) return false;
  if (byte === bytes.quote || byte === bytes.apostrophe || byte === bytes.amp || byte === bytes.mark) return false;
  return byte !== signs.slash && byte !== signs.semicolon && (byte < signs.less || byte > signs.question);
}

function describeByte(byte: number): string {
  if (byte < 0) return "the end";
  return byte > bytes.space && byte < 0x7f ? String.fromCharCode(byte) : `byte ${byte}`;
}

/** The bytes of a character in UTF-8. */
function putCharacter(code: number, put: (byte: number) => void): void {
  if (code < 0x80) {
    put(code);
    return;
  }
  const more = code < 0x800 ? 1 : code < 0x1_0000 ? 2 : 3;
  // As many ones as bytes.
  put(((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more)));
  for (let rest = more - 1; rest >= 0; rest--) put(0x80 | ((code >> (6 * rest)) & 0x3f));
}
