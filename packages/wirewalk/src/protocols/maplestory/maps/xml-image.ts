/**
 * An image of the client as an XML dump has it: `imgdir`, `int`, `string`, `vector` … with names and values in attributes.
 *
 * Read are UTF-8 texts without a document type. Text between elements has no meaning and is passed over, CDATA as well.
 */
import { decodeUtf8 } from "../../../wire/index.ts";
import type { MapFile } from "../../index.ts";
import type { Point } from "../wire/messages.ts";
import { parseNumber } from "./numbers.ts";
import type { TreeNode } from "./tree.ts";
import { XmlBytes } from "./xml-bytes.ts";

/** The largest real map has 1.3 MB; with pictures in the text some have 40. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Elements in elements. A real map has 6. */
const MAX_DEPTH = 64;
/** Nodes that are kept. The largest real map has 31,000 of all, 14,000 of the wanted parts. */
const MAX_NODES = 300_000;
/** Of an attribute that is kept. */
const MAX_VALUE_BYTES = 8 * 1024;
/** Of all attributes that are kept. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Of a tag's or an attribute's name. */
const MAX_NAME_BYTES = 256;

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

/** Attributes that are kept. */
const keptAttributes: ReadonlySet<string> = new Set(["name", "value", "x", "y"]);
const numberTags: ReadonlySet<string> = new Set(["int", "short", "long", "float", "double", "byte", "ushort", "uint"]);
const textTags: ReadonlySet<string> = new Set(["string", "uol"]);

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** A node while it is read. */
class XmlNode implements TreeNode {
  readonly name: string;
  readonly value: number | string | Point | undefined;
  readonly line: number;
  readonly children: XmlNode[] = [];

  constructor(name: string, value: number | string | Point | undefined, line: number) {
    this.name = name;
    this.value = value;
    this.line = line;
  }

  child(name: string): XmlNode | undefined {
    for (const child of this.children) if (child.name === name) return child;
    return undefined;
  }
}

/**
 * Reads an image. Children of its root that are not in `parts` are there without their own children; without `parts` all is read. Throws
 * `MapError` with file, line and reason.
 */
export function readXmlImage(file: MapFile, parts?: ReadonlySet<string>): TreeNode {
  return new XmlImageReader(file, parts).read();
}

class XmlImageReader {
  readonly #input: XmlBytes;
  readonly #file: MapFile;
  readonly #parts: ReadonlySet<string> | undefined;
  #nodes = 0;
  #textBytes = 0;
  /** Bytes of the name or the value that is read. */
  readonly #buffer = new Uint8Array(MAX_VALUE_BYTES);
  /** Of the start tag that was read last. */
  #tag = "";
  #line = 0;
  #isEmpty = false;
  #name: string | undefined;
  #value: string | undefined;
  #x: string | undefined;
  #y: string | undefined;

  constructor(file: MapFile, parts: ReadonlySet<string> | undefined) {
    this.#file = file;
    this.#parts = parts;
    this.#input = new XmlBytes(file);
  }

  read(): TreeNode {
    const input = this.#input;
    if (this.#file.size > MAX_BYTES) input.refuse(`${this.#file.size} bytes, at most ${MAX_BYTES} are read,`);
    this.#byteOrderMark();
    if (!this.#toStartTag(undefined)) input.refuse("it has no element");
    const root = this.#node();
    if (!this.#isEmpty) this.#below(root, 1, this.#tag);
    for (let byte = input.take(); byte >= 0; byte = input.take()) {
      if (isSpace(byte)) continue;
      if (byte !== signs.less || (input.peek() !== bytes.mark && input.peek() !== signs.question)) {
        input.refuse("more after the end of its root");
      }
      this.#markup(input.take());
    }
    return root;
  }

  #byteOrderMark(): void {
    const input = this.#input;
    const first = input.peek();
    if (first === 0xfe || first === 0xff) input.refuse("it is UTF-16, read is UTF-8");
    if (first !== 0xef) return;
    if (input.take() !== 0xef || input.take() !== 0xbb || input.take() !== 0xbf) input.refuse("it is no text of UTF-8");
  }

  /** Reads what is below an element, up to its end tag. */
  #below(parent: XmlNode, depth: number, tag: string): void {
    if (depth > MAX_DEPTH) this.#input.refuse(`nested deeper than ${MAX_DEPTH}`);
    while (this.#toStartTag(tag)) {
      const node = this.#node();
      parent.children.push(node);
      if (this.#isEmpty) continue;
      const isSkipped = depth === 1 && this.#parts !== undefined && !this.#parts.has(node.name);
      if (isSkipped) this.#skipBelow(this.#tag, node.line);
      else this.#below(node, depth + 1, this.#tag);
    }
  }

  #node(): XmlNode {
    if (++this.#nodes > MAX_NODES) this.#input.refuse(`more than ${MAX_NODES} elements`);
    return new XmlNode(this.#name ?? "", this.#nodeValue(), this.#line);
  }

  #nodeValue(): number | string | Point | undefined {
    const tag = this.#tag;
    if (numberTags.has(tag)) return parseNumber(this.#value) ?? this.#value;
    if (textTags.has(tag)) return this.#value;
    if (tag !== "vector") return undefined;
    const [x, y] = [parseNumber(this.#x), parseNumber(this.#y)];
    return x === undefined || y === undefined ? undefined : { x, y };
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

  /** `<!…` and `<?…`, after that byte. */
  #markup(byte: number): void {
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
      if (!input.skipPastEnd(signs.bracket, 2)) input.refuse("it is cut: a section of CDATA has no end", line);
    } else if (start.startsWith("DOCTYPE")) input.refuse("a document type (DOCTYPE) is not read");
    else input.refuse(`<!${start}`);
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
    const name = this.#readName(input.take());
    while (isSpace(input.peek())) input.take();
    const byte = input.take();
    if (byte < 0) this.#refuseCut(parent ?? name);
    if (byte !== signs.greater) input.refuse(`</${name}> has more than a name`);
    if (name !== parent) input.refuse(parent === undefined ? `</${name}> ends nothing` : `</${name}> ends <${parent}>`);
  }

  #startTag(first: number): void {
    const input = this.#input;
    this.#line = input.line;
    this.#tag = this.#readName(first);
    this.#name = undefined;
    this.#value = undefined;
    this.#x = undefined;
    this.#y = undefined;
    for (;;) {
      const isApart = isSpace(input.peek());
      while (isSpace(input.peek())) input.take();
      const byte = input.take();
      if (byte === signs.greater) {
        this.#isEmpty = false;
        return;
      }
      if (byte === signs.slash) {
        if (input.take() !== signs.greater) input.refuse(`<${this.#tag}>: a / without >`);
        this.#isEmpty = true;
        return;
      }
      if (byte < 0) this.#refuseCut(this.#tag);
      if (!isApart) input.refuse(`<${this.#tag}>: no space before an attribute`);
      this.#attribute(byte);
    }
  }

  #attribute(first: number): void {
    const input = this.#input;
    const name = this.#readName(first);
    while (isSpace(input.peek())) input.take();
    if (input.take() !== signs.equals) input.refuse(`<${this.#tag}>: attribute ${name} has no value`);
    while (isSpace(input.peek())) input.take();
    const quote = input.take();
    if (quote !== bytes.quote && quote !== bytes.apostrophe) {
      if (quote < 0) this.#refuseCut(this.#tag);
      input.refuse(`<${this.#tag}>: the value of attribute ${name} has no quotes`);
    }
    if (!keptAttributes.has(name)) {
      // Such as a whole picture.
      if (!input.skipPast(quote)) this.#refuseCut(this.#tag);
      return;
    }
    const value = this.#attributeValue(name, quote);
    const known = name === "name" ? this.#name : name === "value" ? this.#value : name === "x" ? this.#x : this.#y;
    if (known !== undefined) input.refuse(`<${this.#tag}>: attribute ${name} twice`);
    if (name === "name") this.#name = value;
    else if (name === "value") this.#value = value;
    else if (name === "x") this.#x = value;
    else this.#y = value;
  }

  #attributeValue(name: string, quote: number): string {
    const input = this.#input;
    const buffer = this.#buffer;
    let text = "";
    let length = 0;
    for (;;) {
      const byte = input.take();
      if (byte === quote) break;
      if (byte < 0) this.#refuseCut(this.#tag);
      if (byte === signs.less) input.refuse(`<${this.#tag}>: a < in attribute ${name}`);
      if (byte === bytes.amp) {
        text += decodeUtf8(buffer, 0, length) + this.#entity();
        length = 0;
        if (text.length > MAX_VALUE_BYTES) this.#refuseLong(name);
        continue;
      }
      if (length + text.length >= MAX_VALUE_BYTES) this.#refuseLong(name);
      buffer[length++] = isSpace(byte) ? bytes.space : byte;
    }
    this.#textBytes += length + text.length;
    if (this.#textBytes > MAX_TEXT_BYTES) input.refuse(`more than ${MAX_TEXT_BYTES} bytes of values`);
    return text + decodeUtf8(buffer, 0, length);
  }

  #refuseLong(name: string): never {
    return this.#input.refuse(`<${this.#tag}>: attribute ${name} is longer than ${MAX_VALUE_BYTES} bytes`);
  }

  #entity(): string {
    const input = this.#input;
    let name = "";
    for (let byte = input.take(); byte !== signs.semicolon; byte = input.take()) {
      if (byte < 0) this.#refuseCut(this.#tag);
      if (!isNameByte(byte) || name.length > 32) input.refuse(`& without the ; of an entity`);
      name += String.fromCharCode(byte);
    }
    const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
    if (digits === null)
      return (Object.hasOwn(entities, name) && entities[name]) || input.refuse(`unknown entity &${name};`);
    const [, hex, decimal] = digits;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code === 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) {
      input.refuse(`&${name}; is no character`);
    }
    return String.fromCodePoint(code);
  }

  #readName(first: number): string {
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
    return decodeUtf8(buffer, 0, length);
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
