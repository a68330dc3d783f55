/**
 * The language in which records are chosen: `protocol == maplestory && value.fragments.length > 3 && time > 12s`.
 *
 * ```ts
 * import { parseFilter } from "wirewalk/capture";
 *
 * const filter = parseFilter("message == movePlayer && value.x > 100");
 * filter({ message: "movePlayer", value: { x: 448 } }); // => true
 * filter({ message: "movePlayer", value: {} }); // => false
 * parseFilter("message = movePlayer"); // throws Cannot read filter: unexpected "=" at character 9
 * ```
 *
 * On the left stands a field: `value.fragments[0].x`, `value.fragments[*].x` for any of them, `.length` of a list or a text. On the right
 * stands a value: a number, a text in quotes, or a word. A comparison of a field that is missing is false, whatever it compares with.
 *
 * @module
 */
import type { JsonValue } from "../../wire/index.ts";
import { FilterError, type Token, tokensOf } from "./tokens.ts";

/** The fields that a filter can ask for, by the first word of their path. */
export type FilterFields = Readonly<Record<string, JsonValue | undefined>>;

/** True for the records that are chosen. */
export type Filter = (fields: FilterFields) => boolean;

/** The first words of paths, for records of a capture. */
export const filterFields = [
  "time",
  "epoch",
  "packet",
  "flow",
  "client",
  "server",
  "direction",
  "protocol",
  "dialect",
  "kind",
  "message",
  "value",
  "bytes",
  "error",
  "gap",
] as const;

/** Brackets and negations within each other. */
const MAX_DEPTH = 64;

/** The values of a field: several for `[*]`, none for a missing one. */
type Operand = (fields: FilterFields) => readonly JsonValue[];

const CONSTANTS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };

type Step = string | number | "*";

const COMPARISONS: Readonly<Record<string, (a: JsonValue, b: JsonValue) => boolean>> = {
  "==": (a, b) => isEqual(a, b),
  "!=": (a, b) => !isEqual(a, b),
  "<": (a, b) => order(a, b) < 0,
  "<=": (a, b) => order(a, b) <= 0,
  ">": (a, b) => order(a, b) > 0,
  ">=": (a, b) => order(a, b) >= 0,
  contains: (a, b) => {
    if (typeof a === "string") return typeof b === "string" && a.includes(b);
    return Array.isArray(a) ? a.some((item) => isEqual(item as JsonValue, b)) : false;
  },
};

/** `names`: the fields that records have. Throws {@link FilterError} with the place of the mistake. */
export function parseFilter(text: string, names: readonly string[] = filterFields): Filter {
  const parser = new Parser(tokensOf(text), names);
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #names: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], names: readonly string[]) {
    this.#tokens = tokens;
    this.#names = names;
  }

  whole(): Filter {
    const filter = this.#either();
    const next = this.#next;
    if (next.kind !== "end") throw new FilterError(next.at, `expected && or ||, got ${shown(next)}`);
    return filter;
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #takes(text: string): boolean {
    const next = this.#next;
    if (next.kind !== "sign" || next.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw new FilterError(this.#next.at, `expected "${text}", got ${shown(this.#next)}`);
  }

  #either(): Filter {
    let filter = this.#both();
    while (this.#takes("||")) {
      const [a, b] = [filter, this.#both()];
      filter = (fields) => a(fields) || b(fields);
    }
    return filter;
  }

  #both(): Filter {
    let filter = this.#single();
    while (this.#takes("&&")) {
      const [a, b] = [filter, this.#single()];
      filter = (fields) => a(fields) && b(fields);
    }
    return filter;
  }

  #single(): Filter {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new FilterError(this.#next.at, `it is nested more than ${MAX_DEPTH} deep`);
    const filter = this.#negationOrComparison();
    this.#depth -= 1;
    return filter;
  }

  #negationOrComparison(): Filter {
    if (this.#takes("!")) {
      const inner = this.#single();
      return (fields) => !inner(fields);
    }
    if (this.#takes("(")) {
      const inner = this.#either();
      this.#expect(")");
      return inner;
    }
    return this.#comparison();
  }

  /** A field, and perhaps what it is compared with. */
  #comparison(): Filter {
    const left = this.#field();
    const next = this.#next;
    const name = next.kind === "sign" || next.kind === "word" ? next.text : "";
    if (name === "in") {
      this.#at += 1;
      const items = this.#list();
      return (fields) => left(fields).some((value) => items.some((item) => isEqual(value, item)));
    }
    const compare = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
    if (compare !== undefined) {
      this.#at += 1;
      const right = this.#value();
      return (fields) => left(fields).some((value) => compare(value, right));
    }
    // A field alone: it is there, and is neither false nor 0 nor empty.
    return (fields) => left(fields).some((value) => value !== false && value !== 0 && value !== "" && value !== null);
  }

  #list(): readonly JsonValue[] {
    this.#expect("{");
    const items = [this.#value()];
    while (this.#takes(",")) items.push(this.#value());
    this.#expect("}");
    return items;
  }

  #value(): JsonValue {
    const token = this.#next;
    this.#at += 1;
    switch (token.kind) {
      case "number":
      case "text":
        return token.value;
      case "word":
        return Object.hasOwn(CONSTANTS, token.text) ? (CONSTANTS[token.text] as JsonValue) : token.text;
      default:
        throw new FilterError(token.at, `expected a value, got ${shown(token)}`);
    }
  }

  #field(): Operand {
    const token = this.#next;
    if (token.kind !== "word") throw new FilterError(token.at, `expected a field, got ${shown(token)}`);
    if (!this.#names.includes(token.text)) {
      throw new FilterError(token.at, `there is no field "${token.text}", only ${this.#names.join(", ")}`);
    }
    this.#at += 1;
    return this.#path(token.text);
  }

  #path(root: string): Operand {
    const steps: Step[] = [];
    while (true) {
      if (this.#takes(".")) {
        const name = this.#next;
        if (name.kind !== "word") throw new FilterError(name.at, `expected the name of a field, got ${shown(name)}`);
        this.#at += 1;
        steps.push(name.text);
      } else if (this.#takes("[")) {
        steps.push(this.#index());
        this.#expect("]");
      } else break;
    }
    return (fields) => {
      const value = fields[root];
      return value === undefined ? [] : walk(value, steps, 0);
    };
  }

  #index(): Step {
    if (this.#takes("*")) return "*";
    const token = this.#next;
    if (token.kind === "text") {
      this.#at += 1;
      return token.value;
    }
    if (token.kind !== "number" || !Number.isInteger(token.value) || token.value < 0) {
      throw new FilterError(token.at, `expected an index, a name in quotes or *, got ${shown(token)}`);
    }
    this.#at += 1;
    return token.value;
  }
}

/** The values at the end of a path. */
function walk(value: JsonValue, steps: readonly Step[], at: number): readonly JsonValue[] {
  const step = steps[at];
  if (step === undefined) return [value];
  if (step === "length" && (typeof value === "string" || Array.isArray(value)))
    return walk(value.length, steps, at + 1);
  if (typeof value !== "object" || value === null) return [];
  if (step === "*") return Object.values(value).flatMap((each: JsonValue) => walk(each, steps, at + 1));
  if (!Object.hasOwn(value, step)) return [];
  const inner = (value as Readonly<Record<string | number, JsonValue>>)[step];
  return inner === undefined ? [] : walk(inner, steps, at + 1);
}

/** A 64-bit number is a text of digits in JSON: it equals the number. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === "number" && typeof b === "string") return b !== "" && a === Number(b);
  if (typeof a === "string" && typeof b === "number") return a !== "" && Number(a) === b;
  return a === b;
}

/** Less than 0, 0, or more than 0; not a number where the two have no order. */
function order(a: JsonValue, b: JsonValue): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return numberOf(a) - numberOf(b);
}

function numberOf(value: JsonValue): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
}

function shown(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end";
    case "text":
      return JSON.stringify(token.value);
    case "number":
      return String(token.value);
    default:
      return `"${token.text}"`;
  }
}
