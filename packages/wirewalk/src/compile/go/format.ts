/** Statements of Go in the form that gofmt gives them: which operators have blanks around them follows from how deep they lie. */

type Expression =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly is: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: "brackets"; readonly of: Expression }
  | { readonly is: "call"; readonly of: Expression; readonly args: readonly Expression[] }
  | { readonly is: "index"; readonly of: Expression; readonly index: Expression }
  | { readonly is: "slice"; readonly of: Expression; readonly bounds: readonly (Expression | undefined)[] }
  | { readonly is: "literal"; readonly of: Expression; readonly items: readonly Expression[] }
  | { readonly is: "keyed"; readonly key: string; readonly of: Expression }
  | { readonly is: "member"; readonly of: Expression; readonly name: string };

const precedences: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ["||"],
    ["&&"],
    ["==", "!=", "<", "<=", ">", ">="],
    ["+", "-", "|", "^"],
    ["*", "/", "%", "<<", ">>", "&", "&^"],
  ].flatMap((operators, index) => operators.map((operator) => [operator, index + 1])),
);

const HIGHEST = 7;

const tokens =
  /\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|0x[\da-fA-F_]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z_]\w*|&\^|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^!<>()[\]{}.,:])/y;

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    tokens.lastIndex = 0;
    while (tokens.lastIndex < text.trimEnd().length) {
      const found = tokens.exec(text);
      if (found === null) throw new TypeError(`Cannot happen: no Go in ${text}`);
      this.#tokens.push(found[1] as string);
    }
  }

  list(): readonly Expression[] {
    const found = this.#list(undefined);
    if (this.#at < this.#tokens.length) throw new TypeError(`Cannot happen: no Go in ${this.#tokens.join(" ")}`);
    return found;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(expected?: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new TypeError(`Cannot happen: ${expected ?? "more"} is missing in ${this.#tokens.join(" ")}`);
    return token;
  }

  #isNext(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #list(end: string | undefined): readonly Expression[] {
    const found: Expression[] = [];
    while (this.#peek() !== end) {
      const own = this.#binary(1);
      if (own.is === "text" && this.#isNext(":")) found.push({ is: "keyed", key: own.text, of: this.#binary(1) });
      else found.push(own);
      if (!this.#isNext(",")) break;
    }
    return found;
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const operator = this.#peek() ?? "";
      const precedence = precedences[operator];
      if (precedence === undefined || precedence < least) return left;
      this.#at += 1;
      left = { is: "binary", operator, left, right: this.#binary(precedence + 1) };
    }
  }

  #unary(): Expression {
    const operator = this.#peek() ?? "";
    if (!["-", "!", "^", "&", "*"].includes(operator)) return this.#primary();
    this.#at += 1;
    return { is: "unary", operator, of: this.#unary() };
  }

  #primary(): Expression {
    let own: Expression;
    if (this.#isNext("(")) {
      own = { is: "brackets", of: this.#binary(1) };
      this.#take(")");
    } else if (this.#isNext("[")) {
      // A type: what it is made of stands behind it.
      this.#take("]");
      own = { is: "text", text: `[]${texts(this.#typeName())}` };
    } else own = { is: "text", text: this.#take() };
    for (;;) {
      if (this.#isNext("(")) {
        own = { is: "call", of: own, args: this.#list(")") };
        this.#take(")");
      } else if (this.#isNext("{")) {
        own = { is: "literal", of: own, items: this.#list("}") };
        this.#take("}");
      } else if (this.#isNext("[")) own = this.#bounds(own);
      else if (this.#isNext(".")) {
        if (this.#isNext("(")) {
          own = { is: "member", of: own, name: `(${texts(this.#typeName())})` };
          this.#take(")");
        } else own = { is: "member", of: own, name: this.#take() };
      } else return own;
    }
  }

  #typeName(): readonly string[] {
    const found: string[] = [];
    while (this.#peek() === "[" || this.#peek() === "*") {
      found.push(this.#take());
      if (found.at(-1) === "[") found.push(this.#take("]"));
    }
    return [...found, this.#take()];
  }

  #bounds(of: Expression): Expression {
    const bounds: (Expression | undefined)[] = [];
    for (;;) {
      const isBound = this.#peek() !== ":" && this.#peek() !== "]";
      bounds.push(isBound ? this.#binary(1) : undefined);
      if (!this.#isNext(":")) break;
    }
    this.#take("]");
    const [index] = bounds;
    return bounds.length === 1 && index !== undefined ? { is: "index", of, index } : { is: "slice", of, bounds };
  }
}

const texts = (parts: readonly string[]): string => parts.join("");

const precedenceOf = (operator: string): number => precedences[operator] ?? 0;

/** The operators of both kinds that a sum of products has, and how tight those must be that would read as others. */
function operatorsIn(of: Expression & { is: "binary" }): { has4: boolean; has5: boolean; most: number } {
  const own = precedenceOf(of.operator);
  let [has4, has5, most] = [own === 4, own === 5, 0];
  const join = (side: Expression & { is: "binary" }): void => {
    const inner = operatorsIn(side);
    has4 ||= inner.has4;
    has5 ||= inner.has5;
    most = Math.max(most, inner.most);
  };
  const { left, right } = of;
  if (left.is === "binary" && precedenceOf(left.operator) >= own) join(left);
  if (right.is === "binary" && precedenceOf(right.operator) > own) join(right);
  if (right.is === "unary") {
    const both = `${of.operator}${right.operator}`;
    if (["/*", "&&", "&^"].includes(both)) most = 5;
    else if (both === "++" || both === "--") most = Math.max(most, 4);
  }
  return { has4, has5, most };
}

/** Operators of this precedence and above stand without blanks. */
function cutoff(of: Expression & { is: "binary" }, depth: number): number {
  const { has4, has5, most } = operatorsIn(of);
  if (most > 0) return most + 1;
  if (has4 && has5) return depth === 1 ? 5 : 4;
  return depth === 1 ? 6 : 4;
}

/** An expression within one of a precedence, so deep within brackets and operators. */
function printed(of: Expression, within: number, depth: number): string {
  switch (of.is) {
    case "text":
      return of.text;
    case "unary":
      return `${of.operator}${printed(of.of, HIGHEST - 1, depth)}`;
    case "binary": {
      const own = precedenceOf(of.operator);
      const blank = own < cutoff(of, depth) ? " " : "";
      const deeper = of.left.is === "binary" && precedenceOf(of.left.operator) === own ? 0 : 1;
      const left = printed(of.left, own, depth + deeper);
      const text = `${left}${blank}${of.operator}${blank}${printed(of.right, own + 1, depth + 1)}`;
      return own < within ? `(${text})` : text;
    }
    case "brackets":
      return of.of.is === "brackets" ? printed(of.of, 0, depth) : `(${printed(of.of, 0, Math.max(1, depth - 1))})`;
    case "call": {
      const own = of.args.length > 1 ? depth + 1 : depth;
      return `${printed(of.of, HIGHEST, own)}(${of.args.map((each) => printed(each, 0, own)).join(", ")})`;
    }
    case "index":
      return `${printed(of.of, HIGHEST, 1)}[${printed(of.index, 0, depth + 1)}]`;
    case "slice": {
      const known = of.bounds.filter((each) => each !== undefined);
      const blank = depth <= 1 && known.length > 1 && known.some((each) => each.is === "binary") ? " " : "";
      const bounds = of.bounds.map((each) => (each === undefined ? "" : printed(each, 0, depth + 1)));
      const text = bounds.reduce((all, each, index) => {
        if (index === 0) return each;
        return `${all}${of.bounds[index - 1] === undefined ? "" : blank}:${each === "" ? "" : `${blank}${each}`}`;
      }, "");
      return `${printed(of.of, HIGHEST, 1)}[${text}]`;
    }
    case "literal":
      return `${printed(of.of, HIGHEST, depth)}{${of.items.map((each) => printed(each, 0, 1)).join(", ")}}`;
    case "keyed":
      return `${of.key}: ${printed(of.of, 0, 1)}`;
    case "member":
      return `${printed(of.of, HIGHEST, depth)}.${of.name}`;
  }
}

function list(text: string, depth: number): string {
  return new Parser(text)
    .list()
    .map((each) => printed(each, 0, depth))
    .join(", ");
}

/** Where an assignment has its operator, outside of brackets and texts. */
const assignment = /^((?:[^"()[\]=!<>|+:]|\[[^\]]*\]|\([^)]*\))*?)\s*(:=|\+=|\|=|-=|=)(?!=)\s*(.*)$/;

/** `isTest`: brackets around the whole of it go. */
function simple(text: string, isTest = false): string {
  const found = assignment.exec(text);
  if (found === null) {
    if (/\w(?:\+\+|--)$/.test(text)) return text;
    const [only, ...others] = isTest ? new Parser(text).list() : [];
    return only?.is === "brackets" && others.length === 0 ? printed(only.of, 0, 1) : list(text, 1);
  }
  const [, left = "", operator = "", right = ""] = found;
  if (operator === "+=" && right === "1") return `${list(left, 1)}++`;
  const isSeveral = left.includes(",") && new Parser(right).list().length > 1;
  const depth = isSeveral ? 2 : 1;
  const range = /^range (.*)$/.exec(right);
  return `${list(left, depth)} ${operator} ${range === null ? list(right, depth) : `range ${list(range[1] ?? "", 1)}`}`;
}

/** A line of a function's body, without what stands before it. */
function statement(line: string): string {
  if (/^(?:$|\/\/|var |default:|continue$|break$|[{}]$|\} else \{$|for \{$|for range |return$)/.test(line)) return line;
  const head = /^(\} else if|if|for|switch) (.*) \{$/.exec(line);
  if (head !== null) {
    const [, word = "", rest = ""] = head;
    const isType = /^(.*)\.\(type\)$/.exec(rest);
    if (isType !== null) return `${word} ${simple(isType[1] ?? "")}.(type) {`;
    const parts = word === "for" ? rest.split("; ") : [rest];
    return `${word} ${parts.map((part) => (part === "" ? "" : simple(part, true))).join("; ")} {`;
  }
  const choice = /^case (.*):$/.exec(line);
  if (choice !== null) return `case ${list(choice[1] ?? "", 1)}:`;
  const result = /^return (.*)$/.exec(line);
  if (result !== null) return `return ${list(result[1] ?? "", 1)}`;
  return simple(line);
}

/** Lines of a function's body as gofmt has them. */
export function formatted(lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const text = line.trimStart();
    return `${line.slice(0, line.length - text.length)}${statement(text)}`;
  });
}

/** Lines of two columns: those that follow one another have their second column at one place. */
export function aligned(rows: readonly (readonly [string, string] | string)[]): readonly string[] {
  const out: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as readonly [string, string] | string;
    if (typeof row === "string") {
      out.push(row);
      at += 1;
      continue;
    }
    let end = at;
    while (end < rows.length && typeof rows[end] !== "string") end += 1;
    const run = rows.slice(at, end) as readonly (readonly [string, string])[];
    const width = Math.max(...run.map(([first]) => first.length));
    out.push(...run.map(([first, second]) => `${first.padEnd(width)} ${second}`));
    at = end;
  }
  return out;
}
