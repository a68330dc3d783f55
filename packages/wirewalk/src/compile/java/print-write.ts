/** The steps of writers as Java: methods that write, and methods that count bytes. */
import { Lines } from "../lines.ts";
import type { CheckUse, Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import { camelCase, Scope } from "../typed/naming.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { ValueType } from "../typed/types.ts";
import type { TypedWriter, TypedWriteStep } from "../typed/write.ts";
import { bitOf, byteOf, plus, putKnown, putNumber } from "./places.ts";
import { type JavaNames, javaWords, textLiteral, typeOfConstant } from "./types.ts";

/** How the method that writes a description is called. */
export const writerName = (name: string): string => `write${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** How the method that counts its bytes is called. */
export const sizeName = (name: string): string => `sizeOf${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A writing method. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: JavaNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The method that counts the bytes of what a writing method writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: JavaNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

/** Names that a method has beside those of its steps. */
const ownNames = ["b", "at", "bit"];

const here: Place = { base: "at", bits: 0, order: "bytes" };

class Writer {
  readonly #lines = new Lines(0, "  ");
  readonly #writer: TypedWriter;
  readonly #dialect: TypedDialect;
  readonly #names: JavaNames;
  /** Only counts bytes. */
  readonly #counts: boolean;
  readonly #scope = new Scope(camelCase, [...javaWords, ...ownNames]);
  /** What stands for a member that is always there: a call of its record. */
  readonly #members = new Map<string, string>();
  #temporaries = 0;

  constructor(writer: TypedWriter, dialect: TypedDialect, names: JavaNames, counts: boolean) {
    this.#writer = writer;
    this.#dialect = dialect;
    this.#names = names;
    this.#counts = counts;
  }

  print(): readonly string[] {
    const { name, value, body } = this.#writer;
    const type = this.#names.typeOf(value);
    this.#lines.indented(() => this.#steps(body));
    const inner = this.#counts ? counted(this.#lines.list) : this.#lines.list;
    const text = inner.join("\n");
    const out = new Lines(0, "  ");
    out.add(
      this.#counts
        ? `private static int ${sizeName(name)}(${type} v) {`
        : `private static int ${writerName(name)}(byte[] b, int at, ${type} v) {`,
    );
    if (this.#counts && /\bat\b/.test(text)) out.add("  int at = 0;");
    if (/\bbit\b/.test(text)) out.add("  long bit = 0;");
    out.list.push(...inner);
    out.add("}");
    return out.list;
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

  /** The path of a check and its indexes, as arguments. */
  #path({ path, indexes }: PathUse): string {
    return [textLiteral(path), ...indexes.map((index) => this.#name(index))].join(", ");
  }

  #checkPath(use: CheckUse): string {
    return this.#path({ path: this.#dialect.pathOf(use), indexes: use.indexes });
  }

  #put(place: Place, as: WireInteger, text: string, type: "int" | "long"): void {
    this.#lines.add(...putNumber(place, as, text, type));
  }

  #when(test: string, statement: string): void {
    this.#lines.block(`if (${test}) {`, () => this.#lines.add(statement));
  }

  #step(step: TypedWriteStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "get": {
        const text = `${this.#name(step.of)}.${this.#names.memberOf(step.record, step.member.key)}()`;
        if (step.member.isOptional)
          lines.add(`${this.#names.typeOf(step.member.type, true)} ${this.#scope.nameOf(step.to.name)} = ${text};`);
        else this.#members.set(step.to.name, text);
        return;
      }
      case "require":
        if (!this.#counts) this.#when(`${this.#name(step.of)} == null`, `throw absent(${this.#path(step.path)});`);
        return;
      case "mustLack":
        if (!this.#counts) this.#when(`${this.#name(step.of)} != null`, `throw unfit(${this.#path(step.path)});`);
        return;
      case "same":
        if (this.#counts) return;
        this.#when(this.#differs(step.of, step.value), `throw unfit(${this.#checkPath(step.check)});`);
        return;
      case "integer":
        if (!this.#counts) this.#integer(step);
        return;
      case "put":
        if (!this.#counts) lines.add(...putKnown(step.place, step.as, step.value));
        return;
      case "big":
        if (!this.#counts) lines.add(`put64le(b, ${byteOf(step.place)}, ${this.#name(step.of)});`);
        return;
      case "float":
        if (!this.#counts) this.#float(step);
        return;
      case "smart":
        this.#smart(step);
        return;
      case "number":
        if (!this.#counts) this.#number(step);
        return;
      case "boolean":
        if (!this.#counts) lines.add(`int ${this.#name(step.to)} = ${this.#name(step.of)} ? 1 : 0;`);
        return;
      case "flags": {
        if (this.#counts) return;
        const type = this.#type(step.of);
        if (type.is !== "flags") throw new TypeError("Cannot compile flags of what is none");
        const parts = Object.entries(step.flags).map(
          ([key, bit]) =>
            `(${this.#name(step.of)}.${this.#names.memberOf(type, key)}() ? ${bit === 31 ? "0x80000000" : 2 ** bit} : 0)`,
        );
        lines.add(`int ${this.#name(step.to)} = ${parts.join(" | ")};`);
        return;
      }
      case "length":
        lines.add(`int ${this.#name(step.to)} = ${this.#name(step.of)}.size();`);
        return;
      case "atMost":
        if (!this.#counts)
          this.#when(`${this.#name(step.of)} > ${step.limit}`, `throw unfit(${this.#checkPath(step.check)});`);
        return;
      case "exactly":
        if (!this.#counts)
          this.#when(`${this.#name(step.of)} != ${step.count}`, `throw unfit(${this.#checkPath(step.check)});`);
        return;
      case "bytes":
        this.#bytes(step);
        return;
      case "bitBytes":
        if (this.#counts) return;
        this.#when(`${this.#name(step.of)}.length != ${step.count}`, `throw unfit(${this.#checkPath(step.check)});`);
        lines.block(`for (int i = 0; i < ${step.count}; i++) {`, () =>
          lines.add(`putHighBits(b, ${bitOf(step.place)} + i * 8, 8, ${this.#name(step.of)}[i]);`),
        );
        return;
      case "text":
        this.#text(step);
        return;
      case "advance":
        lines.add(`${step.base} += ${step.base === "bit" ? step.bits : step.bits / 8};`);
        return;
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)};`);
        return;
      case "toBytes":
        lines.add("at = (int) ((bit + 7) >> 3);");
        return;
      case "match":
        this.#match(step);
        return;
      case "choose":
        this.#choose(step);
        return;
      case "if":
        this.#if(step);
        return;
      case "list": {
        const { of, index, length, item, body, until, usesItem } = step;
        lines.block(
          `for (int ${this.#name(index)} = 0; ${this.#name(index)} < ${this.#name(length)}; ${this.#name(index)}++) {`,
          () => {
            if (usesItem)
              lines.add(
                `${this.#names.typeOf(this.#type(item))} ${this.#name(item)} = ${this.#name(of)}.get(${this.#name(index)});`,
              );
            const start = `${this.#name(item)}Start`;
            if (until !== undefined && !this.#counts) lines.add(`int ${start} = at;`);
            this.#steps(body);
            if (until !== undefined && !this.#counts)
              this.#when(`(b[${start}] & 0xff) == ${until.byte}`, `throw unfit(${this.#checkPath(until.check)});`);
          },
        );
        return;
      }
      case "call":
        if (this.#counts) lines.add(`at += ${sizeName(step.name)}(${this.#name(step.of)});`);
        else lines.add(`at = ${writerName(step.name)}(b, at, ${this.#name(step.of)});`);
        return;
      case "sized":
        this.#sized(step);
        return;
      case "deflate": {
        const body = this.#temporary("body");
        lines.add(`byte[] ${body} = new byte[${sizeName(step.name)}(${this.#name(step.of)})];`);
        lines.add(`${writerName(step.name)}(${body}, 0, ${this.#name(step.of)});`);
        if (this.#counts) lines.add(`at += Lz4.pack(${body}, ${step.head}).length;`);
        else {
          const block = this.#temporary("block");
          lines.add(
            `byte[] ${block} = Lz4.pack(${body}, ${step.head});`,
            `System.arraycopy(${block}, 0, b, at, ${block}.length);`,
            `at += ${block}.length;`,
          );
        }
        return;
      }
      case "mark":
        if (!this.#counts) lines.add(`int ${this.#name(step.to)} = ${byteOf(step.place)};`);
        return;
      case "over":
        if (this.#counts) return;
        this.#when(
          `${byteOf(step.place)} - ${this.#name(step.since)} > ${step.limit}`,
          `throw unfit(${this.#checkPath(step.check)});`,
        );
        return;
      case "notMark": {
        if (this.#counts) return;
        const tests = step.parts.map(
          ({ of, bits, value }) =>
            `(${this.#name(of)} & ${bits >= 32 ? "0xffffffffL" : 2 ** bits - 1}) == ${value}${bits >= 32 ? "L" : ""}`,
        );
        this.#when(tests.join(" && "), `throw unfit(${this.#checkPath(step.check)});`);
        return;
      }
      case "refuse":
        lines.add(
          this.#counts ? `throw unfit(${textLiteral(step.path.path)});` : `throw unfit(${this.#path(step.path)});`,
        );
        return;
      case "end":
        lines.add(`return ${byteOf(step.place)};`);
        return;
    }
  }

  #integer({ of, place, as, min, max, path, isChecked }: Extract<TypedWriteStep, { step: "integer" }>): void {
    const type = this.#type(of);
    const { bias = 0, divisor } = as;
    const java = this.#names.typeOf(type);
    const name = this.#name(of);
    if (type.is === "real") {
      const wire = this.#temporary("wire");
      const [low, high] = [min, max].map((each) => `${each * (divisor ?? 1)}L`);
      this.#lines.add(`long ${wire} = fixed(${name}, ${divisor ?? 1}, ${low}, ${high}, ${this.#path(path)});`);
      this.#put(place, as, bias === 0 ? wire : `${wire} ${bias < 0 ? "-" : "+"} ${Math.abs(bias)}`, "long");
      return;
    }
    const isFree = isChecked || (java === "int" && min === -0x8000_0000 && max === 0x7fff_ffff);
    const isLong = java === "long";
    const fit = (value: number): string => (isLong ? `${value}L` : String(value));
    const text = isFree ? name : `fit(${name}, ${fit(min)}, ${fit(max)}, ${this.#path(path)})`;
    const isOnce =
      /^(?:b\[[^\]]*\] = \(byte\) \S|put)/.test(putNumber(place, as, "x", "int")[0] ?? "") &&
      putNumber(place, as, "x", "int").length === 1;
    if (isOnce && bias === 0) {
      this.#put(place, as, text, isLong ? "long" : "int");
      return;
    }
    const wire = this.#temporary("wire");
    this.#lines.add(`${java} ${wire} = ${text}${bias === 0 ? "" : bias < 0 ? ` - ${-bias}` : ` + ${bias}`};`);
    this.#put(place, as, wire, isLong ? "long" : "int");
  }

  #float({ of, place, order, finite, checks }: Extract<TypedWriteStep, { step: "float" }>): void {
    const word = this.#temporary("word");
    const text = finite ? `finite(${this.#name(of)}, ${this.#checkPath(checks[1])})` : this.#name(of);
    const isDouble = this.#names.typeOf(this.#type(of)) === "double";
    this.#lines.add(`int ${word} = floatBits(${isDouble ? `(float) ${text}` : text});`);
    this.#put(place, { bits: 32, signed: true, order }, word, "int");
  }

  #smart({ of, wide, min, max, check }: Extract<TypedWriteStep, { step: "smart" }>): void {
    const n = this.#name(of);
    if (this.#counts) {
      this.#lines.add(`at += ${n} < ${wide ? "32767 ? 2 : 4" : "128 ? 1 : 2"};`);
      return;
    }
    this.#lines.add(`at = put${wide ? "Wide" : ""}Smart(b, at, fit(${n}, ${min}, ${max}, ${this.#checkPath(check)}));`);
  }

  #number({ to, of, names }: Extract<TypedWriteStep, { step: "number" }>): void {
    const type = this.#type(of);
    if (type.is !== "enum") throw new TypeError("Cannot compile a name of what is none");
    const lines = this.#lines;
    lines.block(
      `int ${this.#name(to)} = switch (${this.#name(of)}) {`,
      () => {
        for (const name of type.names)
          lines.add(`case ${this.#names.constantOf(type, name)} -> ${(names[name] ?? 0) | 0};`);
      },
      "};",
    );
  }

  #bytes({ of, least, most, check, count, transform, reversed }: Extract<TypedWriteStep, { step: "bytes" }>): void {
    const lines = this.#lines;
    const name = this.#name(of);
    const before = count === undefined ? 0 : count.bits / 8;
    if (this.#counts) {
      lines.add(`at += ${before === 0 ? "" : `${before} + `}${name}.length;`);
      return;
    }
    const limits = `${least}, ${most === Number.POSITIVE_INFINITY ? "Integer.MAX_VALUE" : most}, ${this.#checkPath(check)}`;
    const length = this.#temporary("length");
    lines.add(`int ${length} = fit(${name}.length, ${limits});`);
    if (count !== undefined) this.#put(here, { ...count, bias: 0 }, withBias(length, count), "int");
    const isChanged = transform !== undefined || reversed === true;
    const more = isChanged ? `, ${textLiteral(transform ?? "")}, ${reversed === true}` : "";
    lines.add(`${isChanged ? "putChanged" : "putBytes"}(b, ${plus("at", before)}, ${name}${more});`);
    lines.add(`at += ${before === 0 ? "" : `${before} + `}${length};`);
  }

  #text({ of, charset, least, limit, check, isZeroEnded, count }: Extract<TypedWriteStep, { step: "text" }>): void {
    const lines = this.#lines;
    const name = this.#name(of);
    const before = count === undefined ? 0 : count.bits / 8;
    const around = before + (isZeroEnded ? 1 : 0);
    if (this.#counts) {
      lines.add(`at += ${around === 0 ? "" : `${around} + `}${name}.length();`);
      return;
    }
    const length = this.#temporary("length");
    lines.add(`int ${length} = fit(${name}.length(), 0, ${limit}, ${this.#checkPath(check)});`);
    if (count !== undefined) this.#put(here, { ...count, bias: 0 }, withBias(length, count), "int");
    const put = charset === "latin1" ? "putLatin1" : "putWindows1252";
    lines.add(`${put}(b, ${plus("at", before)}, ${name}, ${least}, ${this.#checkPath(check)});`);
    if (isZeroEnded) lines.add(`b[at + ${before === 0 ? "" : `${before} + `}${length}] = 0;`);
    lines.add(`at += ${around === 0 ? "" : `${around} + `}${length};`);
  }

  #sized({ of, name, extra, as, max, checks }: Extract<TypedWriteStep, { step: "sized" }>): void {
    const lines = this.#lines;
    const bytes = as.bits / 8;
    if (this.#counts) {
      lines.add(`at += ${bytes} + ${sizeName(name)}(${this.#name(of)});`);
      return;
    }
    const end = this.#temporary("end");
    const size = this.#temporary("size");
    const more = extra - bytes;
    lines.add(`int ${end} = ${writerName(name)}(b, at + ${bytes}, ${this.#name(of)});`);
    lines.add(
      `int ${size} = fit(${end} - at${more === 0 ? "" : more < 0 ? ` - ${-more}` : ` + ${more}`}, 0, ${Math.min(max, 0x7fff_ffff)}, ${this.#checkPath(checks.size)});`,
    );
    this.#put(here, { ...as, bias: 0, divisor: 1 }, withBias(size, as), "int");
    lines.add(`at = ${end};`);
  }

  #match({ of, cases }: Extract<TypedWriteStep, { step: "match" }>): void {
    const lines = this.#lines;
    lines.blocks([
      ...cases.map(({ record, as, body }, index) => {
        // A record without a member that is looked at needs no name.
        const open = `${index === 0 ? "" : "else "}if (${this.#name(of)} instanceof ${this.#names.typeOf(record)} ${this.#name(as)}) {`;
        return [open, () => this.#steps(body)] as const;
      }),
      ["else {", () => lines.add(`throw unfit(${textLiteral(of.name === "v" ? "" : of.name)});`)],
    ]);
  }

  #choose({ of, cases, no, isWhole }: Extract<TypedWriteStep, { step: "choose" }>): void {
    const lines = this.#lines;
    const type = this.#type(of);
    if (type.is === "boolean" || type.is === "text" || type.is === "real")
      throw new TypeError(`Cannot compile a choice by a ${type.is}`);
    const label = (value: string | number): string =>
      type.is === "enum" ? this.#names.constantOf(type, String(value)) : String(Number(value) | 0);
    const of_ = this.#names.typeOf(type) === "long" ? `(int) ${this.#name(of)}` : this.#name(of);
    lines.block(`switch (${of_}) {`, () => {
      for (const { values, body } of cases)
        lines.block(`case ${values.map(label).join(", ")} -> {`, () => this.#steps(body));
      if (!isWhole) lines.block("default -> {", () => this.#steps(no));
      else if (cases.every(({ body }) => ends(body))) lines.add("default -> throw new IllegalStateException();");
    });
  }

  #if({ test, yes, no }: Extract<TypedWriteStep, { step: "if" }>): void {
    const lines = this.#lines;
    if (yes.length === 0) {
      if (no.length > 0) lines.block(`if (!(${this.#test(test)})) {`, () => this.#steps(no));
      return;
    }
    lines.blocks([
      [`if (${this.#test(test)}) {`, () => this.#steps(yes)],
      ...(no.length > 0 ? [["else {", () => this.#steps(no)] as const] : []),
    ]);
  }

  #differs(of: Local, value: number | string | boolean | bigint): string {
    const equals = this.#equals(of, value);
    return equals.includes(".equals(") ? `!${equals}` : equals.replace(" == ", " != ");
  }

  #equals(of: Local, value: number | string | boolean | bigint): string {
    const type = this.#type(of);
    const text = this.#names.literalOf(value, type.is === "constant" ? typeOfConstant(value) : type);
    const isText = typeof value === "string" && type.is !== "enum";
    return isText ? `${text}.equals(${this.#name(of)})` : `${this.#name(of)} == ${text}`;
  }

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" && ");
    if ("any" in test) return `(${test.any.map((each) => this.#test(each)).join(" || ")})`;
    if ("zeros" in test) {
      const zeros = `${test.expected ? "" : "!"}allZero(${this.#name(test.zeros)})`;
      return this.#writer.isOptional(test.zeros) ? `${this.#name(test.zeros)} != null && ${zeros}` : zeros;
    }
    if ("absent" in test) return `${this.#name(test.absent)} == null`;
    if ("present" in test) return `${this.#name(test.present)} != null`;
    if ("oneOf" in test) {
      const tests = test.oneOf.map((each) => this.#equals(test.of, each));
      return tests.length === 1 ? (tests[0] as string) : `(${tests.join(" || ")})`;
    }
    if ("of" in test) {
      const { of, maybe, mask, from, to, not } = test;
      const name = this.#name(of);
      const number = mask === undefined ? name : `(${name} & ${mask > 0x7fff_ffff ? `${mask}L` : mask})`;
      const literal = (value: number): string => (Math.abs(value) > 0x7fff_ffff ? `${value}L` : String(value));
      const tests = [
        ...(maybe ? [`${name} != null`] : []),
        ...(from !== undefined && from === to ? [`${number} == ${literal(from)}`] : []),
        ...(from !== undefined && from !== to ? [`${number} >= ${literal(from)}`] : []),
        ...(to !== undefined && from !== to ? [`${number} <= ${literal(to)}`] : []),
        ...(not === undefined ? [] : [`${number} != ${literal(not)}`]),
      ];
      return tests.join(" && ");
    }
    throw new TypeError("Cannot happen: a writer does not look at bytes");
  }
}

/** Whether steps end with a return or a refusal in every branch. */
function ends(steps: readonly TypedWriteStep[]): boolean {
  const last = steps.at(-1);
  switch (last?.step) {
    case "end":
    case "refuse":
      return true;
    case "match":
      return last.cases.every(({ body }) => ends(body));
    case "if":
      return ends(last.yes) && ends(last.no);
    case "choose":
      return last.cases.every(({ body }) => ends(body)) && (last.isWhole || ends(last.no));
    default:
      return false;
  }
}

function withBias(text: string, { bias = 0, divisor = 1 }: WireInteger): string {
  if (bias === 0 && divisor === 1) return text;
  return `${divisor === 1 ? text : `${text} * ${divisor}`}${bias === 0 ? "" : bias < 0 ? ` - ${-bias}` : ` + ${bias}`}`;
}

/** Counting alone: without branches that count nothing, and with what follows one another added up. */
function counted(list: readonly string[]): string[] {
  let lines = [...list];
  // Blocks that have become empty go, the inner ones first.
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let at = 0; at + 1 < lines.length; at++) {
      const [open = "", close = ""] = [lines[at], lines[at + 1]];
      if (/^\s*(?:for|if) .*\{$/.test(open) && /^\s*\}$/.test(close)) {
        lines.splice(at, 2);
        isChanged = true;
      } else if (/\belse .*\{$/.test(open) && /^\s*\}$/.test(close) && !/ else if/.test(open)) {
        lines.splice(at, 1);
        isChanged = true;
      }
    }
  }
  const text = (from: number): string => lines.slice(from).join("\n");
  lines = lines.filter((line, at) => {
    const [, name] = line.match(/^\s*(?:int|\w[\w.<>[\]]*) (\w+) = [\w.()]+;$/) ?? [];
    return name === undefined || name === "at" || new RegExp(`\\b${name}\\b`).test(text(at + 1));
  });
  const out: string[] = [];
  for (const line of lines) {
    const last = out.at(-1) ?? "";
    const [, indent, before] = last.match(/^(\s*)at \+= (\d+);$/) ?? [];
    const [, more] = line.match(/^\s*at \+= (\d+);$/) ?? [];
    const [, rest] = line.match(/^\s*return at(?: \+ (\d+))?;$/) ?? [];
    if (before !== undefined && more !== undefined)
      out[out.length - 1] = `${indent}at += ${Number(before) + Number(more)};`;
    else if (before !== undefined && /^\s*return at\b/.test(line))
      out[out.length - 1] = `${indent}return at + ${Number(before) + Number(rest ?? 0)};`;
    else out.push(line);
  }
  // Nothing of it depends on the value.
  const [only] = out;
  const fixed = out.length === 1 ? only?.match(/^(\s*)return at(?: \+ (\d+))?;$/) : undefined;
  return fixed ? [`${fixed[1]}return ${fixed[2] ?? 0};`] : out;
}
