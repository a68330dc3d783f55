/**
 * JSON with the **place** of each value, for errors about a file that somebody wrote. It accepts what `JSON.parse` does, and refuses
 * two members of one name, of which `JSON.parse` keeps the last.
 */
import type { JsonObject, JsonValue } from "wirewalk/wire";

/** Counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A member's name or an index. */
export type PathStep = string | number;

export interface PlacedJson {
  readonly value: JsonValue;
  /** Where the value of a path begins; of one that is not there, the innermost value around it. */
  placeOf(path: readonly PathStep[]): TextPlace;
}

/** The text is not JSON. */
export class JsonTextError extends Error {
  readonly place: TextPlace;

  constructor(message: string, place: TextPlace) {
    super(message);
    this.name = "JsonTextError";
    this.place = place;
  }
}

/** Deeper than any file that makes sense. */
const MAX_DEPTH = 64;

interface Node {
  readonly at: number;
  readonly value: JsonValue;
  readonly children?: ReadonlyMap<PathStep, Node>;
}

/** Throws {@link JsonTextError}. */
export function parseJsonWithPlaces(text: string): PlacedJson {
  const root = new Parser(text).whole();
  return {
    value: root.value,
    placeOf(path) {
      let node = root;
      for (const step of path) {
        const next = node.children?.get(step);
        if (next === undefined) break;
        node = next;
      }
      return placeAt(text, node.at);
    },
  };
}

function placeAt(text: string, at: number): TextPlace {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    this.#skipBlanks();
    const node = this.#node(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail("Nothing may follow the value");
    return node;
  }

  #node(depth: number): Node {
    if (depth > MAX_DEPTH) this.#fail(`Values are nested more than ${MAX_DEPTH} deep`);
    const at = this.#at;
    switch (this.#text[at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return { at, value: this.#string() };
      default:
        return { at, value: this.#word() };
    }
  }

  #object(depth: number): Node {
    const at = this.#at;
    const children = new Map<PathStep, Node>();
    this.#list("}", () => {
      const nameAt = this.#at;
      if (this.#text[nameAt] !== '"') this.#fail("A name in double quotes is expected");
      const name = this.#string();
      if (children.has(name)) this.#fail(`"${name}" is there twice`, nameAt);
      this.#skipBlanks();
      if (this.#text[this.#at] !== ":") this.#fail('":" is expected');
      this.#at += 1;
      this.#skipBlanks();
      children.set(name, this.#node(depth + 1));
    });
    const value: JsonObject = Object.fromEntries(Array.from(children, ([name, node]) => [name, node.value]));
    return { at, value, children };
  }

  #array(depth: number): Node {
    const at = this.#at;
    const children: Node[] = [];
    this.#list("]", () => void children.push(this.#node(depth + 1)));
    return { at, value: children.map(({ value }) => value), children: new Map(children.entries()) };
  }

  /** What is between brackets, the first of which is next. */
  #list(end: string, item: () => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      this.#skipBlanks();
      const next = this.#text[this.#at];
      if (next !== "," && next !== end) this.#fail(`"," or "${end}" is expected`);
      this.#at += 1;
      if (next === end) return;
      this.#skipBlanks();
    }
  }

  #string(): string {
    const at = this.#at;
    const [found] = /"(?:[^"\\]|\\.)*"/suy.exec(this.#from()) ?? [];
    if (found === undefined) this.#fail("A string has no end");
    this.#at += found.length;
    return this.#parsed(found, at) as string;
  }

  #word(): JsonValue {
    const at = this.#at;
    const [found = ""] = /[-+.\w]*/uy.exec(this.#from()) ?? [];
    if (found === "") this.#fail(at >= this.#text.length ? "The text ends too early" : "A value is expected");
    this.#at += found.length;
    return this.#parsed(found, at);
  }

  #parsed(text: string, at: number): JsonValue {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      return this.#fail(`${text.length > 40 ? `${text.slice(0, 40)}…` : text} is not JSON`, at);
    }
  }

  #from(): string {
    return this.#text.slice(this.#at);
  }

  #skipBlanks(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #fail(message: string, at = this.#at): never {
    throw new JsonTextError(message, placeAt(this.#text, at));
  }
}
