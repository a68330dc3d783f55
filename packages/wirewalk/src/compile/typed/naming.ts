/** Names in a language's case, from the keys of descriptions. */

/** The words of a name: `leftPressAir` and `left-press-air` are `left`, `press`, `air`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `leftPress` for a key. A name never begins with a digit, and is never empty. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** `LeftPress` for a key. */
export function pascalCase(name: string): string {
  return safe(wordsOf(name).map(capital).join(""), "Value");
}

/** `left_press` for a key. */
export function snakeCase(name: string): string {
  return safe(wordsOf(name).join("_").toLowerCase(), "value");
}

/** `LEFT_PRESS` for a key. */
export function upperCase(name: string): string {
  return safe(wordsOf(name).join("_").toUpperCase(), "VALUE");
}

const safe = (name: string, empty: string): string => (name === "" ? empty : /^\d/.test(name) ? `N${name}` : name);

/** Names of one scope in a language, each unique: of the members of a record, the names of an enum, the locals of a function. */
export class Scope {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #case: (name: string) => string;

  /** `taken`: words that are no names in the language, and names that the scope has anyway. */
  constructor(inCase: (name: string) => string, taken: Iterable<string>) {
    this.#case = inCase;
    this.#taken = new Set(taken);
  }

  /** The name for a key: the same one each time. */
  nameOf(key: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const plain = this.#case(key);
    let name = plain;
    if (this.#taken.has(name)) name = `${plain}_`;
    for (let count = 2; this.#taken.has(name); count++) name = `${plain}${count}`;
    this.#taken.add(name);
    this.#names.set(key, name);
    return name;
  }
}

/** A description as a sentence of a comment. What a language cannot have in a comment is changed before. */
export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?)]$/.test(text) ? "" : "."}`;
}
