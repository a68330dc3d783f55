/** Elements, attributes and texts of the XML that GameMaker: Studio 1 writes: no document type, no entities but the five and numbers. */

/** What a file has, in order. */
export interface XmlHandler {
  /** False: nothing of what is inside is told. */
  open(name: string, attributes: ReadonlyMap<string, string>): boolean;
  text(text: string): void;
  close(name: string): void;
}

/** Elements inside of each other. */
const MAX_DEPTH = 64;

/** Not well-formed, or more than this reader takes. */
export class XmlError extends Error {
  override readonly name = "XmlError";
  /** Counted from 1. */
  readonly line: number;

  constructor(reason: string, text: string, at: number) {
    super(reason);
    let line = 1;
    for (let next = text.indexOf("\n"); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line += 1;
    this.line = line;
  }
}

const nameAt = /[A-Za-z_][\w.:-]*/y;
const attributeAt = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const endAt = /\s*(\/?)>/y;
const closeAt = /([A-Za-z_][\w.:-]*)\s*>/y;

/** Throws {@link XmlError}. */
export function scanXml(text: string, handler: XmlHandler): void {
  const open: string[] = [];
  /** The depth of the element of which nothing is told. */
  let skipped: number | undefined;
  let at = 0;
  let hasRoot = false;
  const fail = (reason: string, place = at): never => {
    throw new XmlError(reason, text, place);
  };
  const textUntil = (end: number): void => {
    const between = text.slice(at, end);
    if (between.trim() === "") return;
    if (open.length === 0) fail("has a text outside of all elements");
    if (skipped === undefined) handler.text(decode(between, fail));
  };
  for (;;) {
    const next = text.indexOf("<", at);
    if (next === -1) break;
    textUntil(next);
    at = next;
    const skip = (start: string, end: string): boolean => {
      if (!text.startsWith(start, at)) return false;
      const last = text.indexOf(end, at + start.length);
      if (last === -1) fail(`is cut within ${start}`);
      if (start === "<![CDATA[" && open.length > 0 && skipped === undefined)
        handler.text(text.slice(at + start.length, last));
      at = last + end.length;
      return true;
    };
    if (skip("<!--", "-->") || skip("<?", "?>") || skip("<![CDATA[", "]]>")) continue;
    if (text[at + 1] === "!") fail("has a document type");
    if (text[at + 1] === "/") {
      closeAt.lastIndex = at + 2;
      const name = closeAt.exec(text)?.[1];
      if (name === undefined || open.at(-1) !== name)
        fail(`closes ${name ?? "an element"}, open is ${open.at(-1) ?? "none"}`);
      at = closeAt.lastIndex;
      open.pop();
      if (skipped === undefined) handler.close(name as string);
      else if (open.length === skipped) skipped = undefined;
      continue;
    }
    nameAt.lastIndex = at + 1;
    const name = nameAt.exec(text)?.[0] ?? fail("has no name of an element after <");
    if (open.length === 0 && hasRoot) fail("has a second outermost element");
    hasRoot = true;
    let place = nameAt.lastIndex;
    const attributes = new Map<string, string>();
    for (;;) {
      attributeAt.lastIndex = place;
      const found = attributeAt.exec(text);
      if (found === null) break;
      const [, key = "", double, single = ""] = found;
      if (attributes.has(key)) fail(`has attribute ${key} twice`, place);
      attributes.set(key, decode(double ?? single, fail));
      place = attributeAt.lastIndex;
    }
    endAt.lastIndex = place;
    const end = endAt.exec(text);
    if (end === null) fail(`is cut or wrong within <${name}`, place);
    at = endAt.lastIndex;
    const isTold = skipped === undefined && handler.open(name, attributes);
    if (end?.[1] === "/") {
      if (isTold) handler.close(name);
      continue;
    }
    open.push(name);
    if (open.length > MAX_DEPTH) fail(`has more than ${MAX_DEPTH} elements inside of each other`);
    if (!isTold) skipped ??= open.length - 1;
  }
  textUntil(text.length);
  if (open.length > 0) fail(`is cut: ${open.join(", ")} not closed`, text.length);
  if (!hasRoot) fail("has no element");
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decode(text: string, fail: (reason: string) => never): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    const known = named[name];
    if (known !== undefined && whole.endsWith(";")) return known;
    const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    if (!whole.endsWith(";") || !(code <= 0x10ffff)) fail(`has an unknown entity ${whole}`);
    return String.fromCodePoint(code);
  });
}
