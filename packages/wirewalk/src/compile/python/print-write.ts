/** The steps of writers as Python: functions that write, and functions that count bytes. */
import { Lines } from "../lines.ts";
import type { CheckUse, Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import { Scope, snakeCase } from "../typed/naming.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { ValueType } from "../typed/types.ts";
import type { TypedWriter, TypedWriteStep } from "../typed/write.ts";
import { bitOf, byteOf, plus, putKnown, putNumber, usesOf } from "./places.ts";
import { rangeTests } from "./print-read.ts";
import { type PythonNames, pythonWords, suite, textLiteral } from "./types.ts";

/** A writing function, which gives the place behind what it wrote. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The function that counts the bytes of what a writing function writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

/** Names that a function has beside those of its steps. */
const ownNames = ["b", "at", "bit", "byte", "v"];

const here: Place = { base: "at", bits: 0, order: "bytes" };

class Writer {
  readonly #lines = new Lines(0, "    ");
  readonly #writer: TypedWriter;
  readonly #dialect: TypedDialect;
  readonly #names: PythonNames;
  /** Only counts bytes. */
  readonly #counts: boolean;
  readonly #scope = new Scope(snakeCase, [...pythonWords, ...ownNames]);
  /** What stands for a member that is always there, and for a value that is one record of a union. */
  readonly #members = new Map<string, string>([["v", "v"]]);
  #temporaries = 0;

  constructor(writer: TypedWriter, dialect: TypedDialect, names: PythonNames, counts: boolean) {
    this.#writer = writer;
    this.#dialect = dialect;
    this.#names = names;
    this.#counts = counts;
  }

  print(): readonly string[] {
    const { name, value, body } = this.#writer;
    const type = this.#names.typeOf(value);
    const own = this.#names.functionOf(name);
    this.#lines.indented(() => this.#steps(body));
    if (!this.#counts) return [`def _write_${own}(b: bytearray, at: int, v: ${type}) -> int:`, ...this.#lines.list];
    const inner = counted(this.#lines.list);
    const start = /\bat\b/.test(inner.join("\n")) ? ["    at = 0"] : [];
    return [`def _size_of_${own}(v: ${type}) -> int:`, ...start, ...inner];
  }

  #name({ name }: Local): string {
    return this.#members.get(name) ?? this.#scope.nameOf(name);
  }

  #temporary(name: string): string {
    this.#temporaries += 1;
    return this.#scope.nameOf(`${name} ${this.#temporaries}`);
  }

  #type(local: Local): ValueType {
    return this.#writer.typeOf(local);
  }

  #steps(steps: readonly TypedWriteStep[]): void {
    for (const step of steps) this.#step(step);
  }

  /** A path with the numbers of its indexes. */
  #path({ path, indexes }: PathUse): string {
    // Who counts does not say where.
    if (this.#counts) return textLiteral(path);
    let next = 0;
    const whole = path.replaceAll("[]", () => `[{${this.#name(indexes[next++] as Local)}}]`);
    return whole === path ? textLiteral(path) : `f${textLiteral(whole)}`;
  }

  #checkPath(use: CheckUse): string {
    return this.#path({ path: this.#dialect.pathOf(use), indexes: use.indexes });
  }

  #when(test: string, statement: string): void {
    suite(this.#lines, `if ${test}:`, () => this.#lines.add(statement));
  }

  #unfit(test: string, path: string): void {
    if (!this.#counts) this.#when(test, `raise _unfit(${path})`);
  }

  #step(step: TypedWriteStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "get": {
        const text = `${this.#name(step.of)}.${this.#names.memberOf(step.record, step.member.key)}`;
        if (step.member.isOptional) lines.add(`${this.#scope.nameOf(step.to.name)} = ${text}`);
        else this.#members.set(step.to.name, text);
        return;
      }
      case "require":
        if (!this.#counts) this.#when(`${this.#name(step.of)} is None`, `raise _absent(${this.#path(step.path)})`);
        return;
      case "mustLack":
        this.#unfit(`${this.#name(step.of)} is not None`, this.#path(step.path));
        return;
      case "same":
        this.#unfit(`not (${this.#equals(step.of, step.value)})`, this.#checkPath(step.check));
        return;
      case "integer":
        if (!this.#counts) this.#integer(step);
        return;
      case "put":
        if (!this.#counts) lines.add(...putKnown(step.place, step.as, step.value));
        return;
      case "big": {
        if (this.#counts) return;
        const text = `_fit(${this.#name(step.of)}, 0, 0xFFFFFFFFFFFFFFFF, ${this.#checkPath(step.check)})`;
        lines.add(`_put_64le(b, ${byteOf(step.place)}, ${text})`);
        return;
      }
      case "float": {
        if (this.#counts) return;
        const word = this.#temporary("word");
        const path = this.#checkPath(step.checks[1]);
        lines.add(`${word} = _f32_word(${this.#name(step.of)}, ${step.finite ? "True" : "False"}, ${path})`);
        lines.add(...putNumber(step.place, { bits: 32, signed: false, order: step.order }, word));
        return;
      }
      case "smart": {
        const { of, wide, min, max, check } = step;
        const n = this.#name(of);
        if (this.#counts) lines.add(`at += ${wide ? `2 if ${n} < 32767 else 4` : `1 if ${n} < 128 else 2`}`);
        else
          lines.add(
            `at = _put_${wide ? "wide_" : ""}smart(b, at, _fit(${n}, ${min}, ${max}, ${this.#checkPath(check)}))`,
          );
        return;
      }
      case "number": {
        if (this.#counts) return;
        const type = this.#type(step.of);
        if (type.is !== "enum") throw new TypeError("Cannot compile a name of what is none");
        lines.add(`${this.#name(step.to)} = ${this.#names.numbersOf(type, step.names)}.get(${this.#name(step.of)})`);
        this.#unfit(`${this.#name(step.to)} is None`, this.#checkPath(step.check));
        return;
      }
      case "boolean":
        if (!this.#counts) lines.add(`${this.#name(step.to)} = 1 if ${this.#name(step.of)} else 0`);
        return;
      case "flags": {
        if (this.#counts) return;
        const type = this.#type(step.of);
        if (type.is !== "flags") throw new TypeError("Cannot compile flags of what is none");
        const parts = Object.entries(step.flags).map(
          ([key, bit]) => `(${2 ** bit} if ${this.#name(step.of)}.${this.#names.memberOf(type, key)} else 0)`,
        );
        lines.add(`${this.#name(step.to)} = ${parts.length === 0 ? "0" : parts.join(" | ")}`);
        return;
      }
      case "length":
        lines.add(`${this.#name(step.to)} = len(${this.#name(step.of)})`);
        return;
      case "atMost":
        this.#unfit(`${this.#name(step.of)} > ${step.limit}`, this.#checkPath(step.check));
        return;
      case "exactly":
        this.#unfit(`${this.#name(step.of)} != ${step.count}`, this.#checkPath(step.check));
        return;
      case "bytes":
        this.#bytes(step);
        return;
      case "bitBytes":
        if (this.#counts) return;
        this.#unfit(`len(${this.#name(step.of)}) != ${step.count}`, this.#checkPath(step.check));
        suite(lines, `for byte in range(${step.count}):`, () =>
          lines.add(`_put_high_bits(b, ${bitOf(step.place)} + byte * 8, 8, ${this.#name(step.of)}[byte])`),
        );
        return;
      case "text":
        this.#text(step);
        return;
      case "advance":
        lines.add(`${step.base} += ${step.base === "bit" ? step.bits : step.bits / 8}`);
        return;
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)}`);
        return;
      case "toBytes":
        lines.add("at = (bit + 7) >> 3");
        return;
      case "match":
        step.cases.forEach(({ record, as, body }, index) => {
          this.#members.set(as.name, this.#name(step.of));
          const test = `isinstance(${this.#name(step.of)}, ${this.#names.typeOf(record)})`;
          suite(lines, `${index === 0 ? "if" : "elif"} ${test}:`, () => this.#steps(body));
        });
        suite(lines, "else:", () =>
          lines.add(`raise _unfit(${textLiteral(step.of.name === "v" ? "" : step.of.name)})`),
        );
        return;
      case "choose": {
        const { of, cases, no, isWhole } = step;
        cases.forEach(({ values, body }, index) => {
          const [first = 0] = values;
          const { is } = this.#type(of);
          const test =
            values.length === 1
              ? this.#equals(of, first)
              : is === "enum"
                ? values.map((value) => this.#equals(of, value)).join(" or ")
                : `${this.#name(of)} in (${values.join(", ")})`;
          suite(lines, `${index === 0 ? "if" : "elif"} ${test}:`, () => this.#steps(body));
        });
        if (isWhole) suite(lines, "else:", () => lines.add(`raise _unfit(${textLiteral(of.name)})`));
        else if (cases.length === 0) this.#steps(no);
        else if (no.length > 0) suite(lines, "else:", () => this.#steps(no));
        return;
      }
      case "if": {
        const { test, yes, no } = step;
        if (yes.length === 0) {
          if (no.length > 0) suite(lines, `if not (${this.#test(test)}):`, () => this.#steps(no));
          return;
        }
        suite(lines, `if ${this.#test(test)}:`, () => this.#steps(yes));
        if (no.length > 0) suite(lines, "else:", () => this.#steps(no));
        return;
      }
      case "list": {
        const { of, index, item, body, until, usesItem } = step;
        const [list, i] = [this.#name(of), this.#name(index)];
        const each = usesItem ? this.#name(item) : "_";
        const at = lines.list.length;
        suite(lines, "", () => {
          const start = this.#scope.nameOf(`${item.name} start`);
          if (until !== undefined && !this.#counts) lines.add(`${start} = at`);
          this.#steps(body);
          if (until !== undefined) this.#unfit(`b[${start}] == ${until.byte}`, this.#checkPath(until.check));
        });
        const isCounted = new RegExp(`\\b${i}\\b`).test(lines.list.slice(at + 1).join("\n"));
        const head = isCounted ? `for ${i}, ${each} in enumerate(${list}):` : `for ${each} in ${list}:`;
        lines.list[at] = `${indentOf(lines.list[at + 1])}${head}`;
        return;
      }
      case "call": {
        const own = this.#names.functionOf(step.name);
        if (this.#counts) lines.add(`at += _size_of_${own}(${this.#name(step.of)})`);
        else lines.add(`at = _write_${own}(b, at, ${this.#name(step.of)})`);
        return;
      }
      case "sized":
        this.#sized(step);
        return;
      case "deflate": {
        const own = this.#names.functionOf(step.name);
        const body = this.#temporary("body");
        lines.add(`${body} = bytearray(_size_of_${own}(${this.#name(step.of)}))`);
        lines.add(`_write_${own}(${body}, 0, ${this.#name(step.of)})`);
        if (this.#counts) {
          lines.add(`at += len(_deflate(bytes(${body}), ${step.head}))`);
          return;
        }
        const block = this.#temporary("block");
        lines.add(
          `${block} = _deflate(bytes(${body}), ${step.head})`,
          `b[at : at + len(${block})] = ${block}`,
          `at += len(${block})`,
        );
        return;
      }
      case "mark":
        if (!this.#counts) lines.add(`${this.#name(step.to)} = ${byteOf(step.place)}`);
        return;
      case "over":
        this.#unfit(`${byteOf(step.place)} - ${this.#name(step.since)} > ${step.limit}`, this.#checkPath(step.check));
        return;
      case "notMark": {
        const tests = step.parts.map(({ of, bits, value }) => `${this.#name(of)} & ${2 ** bits - 1} == ${value}`);
        this.#unfit(tests.join(" and "), this.#checkPath(step.check));
        return;
      }
      case "refuse":
        lines.add(`raise _unfit(${this.#path(step.path)})`);
        return;
      case "end":
        lines.add(`return ${byteOf(step.place)}`);
        return;
    }
  }

  #integer({ of, place, as, min, max, path, isChecked }: Extract<TypedWriteStep, { step: "integer" }>): void {
    const { bias = 0, divisor = 1 } = as;
    const name = this.#name(of);
    const text =
      this.#type(of).is === "real"
        ? `_fixed(${name}, ${divisor}, ${min * divisor}, ${max * divisor}, ${this.#path(path)})`
        : isChecked
          ? name
          : `_fit(${name}, ${min}, ${max}, ${this.#path(path)})`;
    const moved = plus(text, bias);
    if (usesOf(place, as) === 1) {
      this.#lines.add(...putNumber(place, as, moved));
      return;
    }
    const wire = this.#temporary("wire");
    this.#lines.add(`${wire} = ${moved}`, ...putNumber(place, as, wire));
  }

  #bytes({ of, least, most, check, count, transform, reversed }: Extract<TypedWriteStep, { step: "bytes" }>): void {
    const lines = this.#lines;
    const name = this.#name(of);
    const before = count === undefined ? 0 : count.bits / 8;
    if (this.#counts) {
      lines.add(`at += ${before === 0 ? "" : `${before} + `}len(${name})`);
      return;
    }
    const length = this.#temporary("length");
    const limit = most === Number.POSITIVE_INFINITY ? "0x7FFFFFFF" : most;
    lines.add(`${length} = _fit(len(${name}), ${least}, ${limit}, ${this.#checkPath(check)})`);
    if (count !== undefined) lines.add(...putNumber(here, { ...count, bias: 0 }, withBias(length, count)));
    const isChanged = transform !== undefined || reversed === true;
    const text = isChanged
      ? `_changed(${name}, ${textLiteral(transform ?? "")}, ${reversed === true ? "True" : "False"})`
      : name;
    lines.add(`b[${plus("at", before)} : ${plus("at", before)} + ${length}] = ${text}`);
    lines.add(`at += ${before === 0 ? "" : `${before} + `}${length}`);
  }

  #text({ of, charset, least, limit, check, isZeroEnded, count }: Extract<TypedWriteStep, { step: "text" }>): void {
    const lines = this.#lines;
    const name = this.#name(of);
    const before = count === undefined ? 0 : count.bits / 8;
    const around = before + (isZeroEnded ? 1 : 0);
    if (this.#counts) {
      lines.add(`at += ${around === 0 ? "" : `${around} + `}len(${name})`);
      return;
    }
    const path = this.#checkPath(check);
    const [length, bytes] = [this.#temporary("length"), this.#temporary("bytes")];
    lines.add(`${length} = _fit(len(${name}), 0, ${limit}, ${path})`);
    lines.add(`${bytes} = _put_${charset === "latin1" ? "latin1" : "windows_1252"}(${name}, ${least}, ${path})`);
    if (count !== undefined) lines.add(...putNumber(here, { ...count, bias: 0 }, withBias(length, count)));
    lines.add(`b[${plus("at", before)} : ${plus("at", before)} + ${length}] = ${bytes}`);
    if (isZeroEnded) lines.add(`b[at + ${before === 0 ? "" : `${before} + `}${length}] = 0`);
    lines.add(`at += ${around === 0 ? "" : `${around} + `}${length}`);
  }

  #sized({ of, name, extra, as, max, checks }: Extract<TypedWriteStep, { step: "sized" }>): void {
    const lines = this.#lines;
    const bytes = as.bits / 8;
    const own = this.#names.functionOf(name);
    if (this.#counts) {
      lines.add(`at += ${bytes} + _size_of_${own}(${this.#name(of)})`);
      return;
    }
    const end = this.#temporary("end");
    const size = this.#temporary("size");
    lines.add(`${end} = _write_${own}(b, at + ${bytes}, ${this.#name(of)})`);
    lines.add(`${size} = _fit(${plus(`${end} - at`, extra - bytes)}, 0, ${max}, ${this.#checkPath(checks.size)})`);
    lines.add(...putNumber(here, { ...as, bias: 0, divisor: 1 }, withBias(size, as)));
    lines.add(`at = ${end}`);
  }

  #equals(of: Local, value: number | string | boolean | bigint): string {
    const type = this.#type(of);
    const is = type.is === "enum" || typeof value === "boolean" ? "is" : "==";
    return `${this.#name(of)} ${is} ${this.#names.literalOf(value, type)}`;
  }

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" and ");
    if ("any" in test) return `(${test.any.map((each) => this.#test(each)).join(" or ")})`;
    if ("zeros" in test) {
      const zeros = `${test.expected ? "not " : ""}any(${this.#name(test.zeros)})`;
      return this.#writer.isOptional(test.zeros) ? `${this.#name(test.zeros)} is not None and ${zeros}` : zeros;
    }
    if ("absent" in test) return `${this.#name(test.absent)} is None`;
    if ("present" in test) return `${this.#name(test.present)} is not None`;
    if ("oneOf" in test) return `(${test.oneOf.map((each) => this.#equals(test.of, each)).join(" or ")})`;
    if ("of" in test) {
      const name = this.#name(test.of);
      return [...(test.maybe ? [`${name} is not None`] : []), ...rangeTests(name, test)].join(" and ");
    }
    throw new TypeError("Cannot happen: a writer does not look at bytes");
  }
}

/** What stands before a line that is one level less deep. */
const indentOf = (inside = ""): string => " ".repeat(inside.length - inside.trimStart().length - 4);

function withBias(text: string, { bias = 0, divisor = 1 }: WireInteger): string {
  return plus(divisor === 1 ? text : `${text} * ${divisor}`, bias);
}

/** Counting alone: without branches that count nothing and locals that nobody asks for, and with sums in one. */
function counted(list: readonly string[]): readonly string[] {
  const lines = [...list];
  const depthOf = (line: string | undefined): number =>
    line === undefined ? 0 : line.length - line.trimStart().length;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let at = lines.length - 2; at >= 0; at--) {
      const [head = "", inside = "", next] = [lines[at], lines[at + 1], lines[at + 2]];
      const isEmpty = inside.trim() === "pass" && depthOf(inside) === depthOf(head) + 4;
      if (!isEmpty) continue;
      const isFollowed = depthOf(next) === depthOf(head) && /^\s*(?:elif|else)\b/.test(next ?? "");
      if (/^\s*else:$/.test(head) || (/^\s*(?:for|if|elif) .*:$/.test(head) && !isFollowed)) {
        lines.splice(at, 2);
        // What was around it may be empty now.
        const outer = lines[at - 1];
        if (outer?.endsWith(":") && depthOf(lines[at]) <= depthOf(outer))
          lines.splice(at, 0, `${" ".repeat(depthOf(outer) + 4)}pass`);
        isChanged = true;
      }
    }
    for (let at = 0; at < lines.length; at++) {
      const [, name] = lines[at]?.match(/^\s*(\w+) = [\w.()]+$/) ?? [];
      if (name === undefined || name === "at" || name === "bit") continue;
      if (new RegExp(`\\b${name}\\b`).test(lines.slice(at + 1).join("\n"))) continue;
      const [removed = ""] = lines.splice(at, 1);
      const outer = lines[at - 1];
      if (outer?.endsWith(":") && depthOf(lines[at]) <= depthOf(outer))
        lines.splice(at, 0, `${" ".repeat(depthOf(removed))}pass`);
      isChanged = true;
    }
  }
  const out: string[] = [];
  for (const line of lines) {
    const [, indent, before] = out.at(-1)?.match(/^(\s*)at \+= (\d+)$/) ?? [];
    const isDeep = indent !== undefined && depthOf(line) === indent.length;
    const [, more] = line.match(/^\s*at \+= (\d+)$/) ?? [];
    const [, rest] = line.match(/^\s*return at(?: \+ (\d+))?$/) ?? [];
    if (isDeep && before !== undefined && more !== undefined)
      out[out.length - 1] = `${indent}at += ${Number(before) + Number(more)}`;
    else if (isDeep && before !== undefined && /^\s*return at\b/.test(line))
      out[out.length - 1] = `${indent}return at + ${Number(before) + Number(rest ?? 0)}`;
    else out.push(line);
  }
  // Nothing of it depends on the value.
  const [only] = out;
  const fixed = out.length === 1 ? only?.match(/^(\s*)return at(?: \+ (\d+))?$/) : undefined;
  return fixed ? [`${fixed[1]}return ${fixed[2] ?? 0}`] : out;
}
