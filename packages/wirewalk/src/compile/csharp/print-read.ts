/** The steps of readers as C#: methods that say whether they could read, and give the value by `out`. */
import { Lines } from "../lines.ts";
import type { CheckUse, Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { type NumberSource, ReaderPrinter, type ReadStepOf } from "../typed/reader-printer.ts";
import { piecesText } from "../typed/refusals.ts";
import { type Constant, here, inBrackets } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { bitOf, byteOf, csharpPlaces, integerAt } from "./places.ts";
import { block, type CsharpNames, csharpStyle, isStruct, masked, textLiteral } from "./types.ts";

/** How the method that reads a description is called. */
export function readerName(name: string): string {
  return `Read${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** One reading method. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: CsharpNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

const style = csharpStyle(["input", "b", "at", "bit", "end", "claimed", "result", "item"]);

const numbers = ["int", "uint", "long", "float", "double"];

class Reader extends ReaderPrinter<CsharpNames> {
  protected readonly bitOfByte = "bit & ~7L";
  protected readonly nextByte = "(int)((bit + 7) >> 3)";
  protected readonly isSmartShort = "b[at] < 128";

  constructor(reader: TypedReader, dialect: TypedDialect, names: CsharpNames) {
    super(reader, dialect, names, style, csharpPlaces);
  }

  print(): readonly string[] {
    const { fn, result } = this.reader;
    const out = new Lines(0, "    ");
    this.lines.indented(() => this.steps(fn.body));
    const text = this.lines.toString();
    const type = this.names.typeOf(result);
    out.add(
      `private static bool ${readerName(fn.name)}(Input input, int end, ${fn.claims ? "long claimed, " : ""}out ${type} result)`,
      "{",
      `    result = default(${type});`,
    );
    if (/\bb\b/.test(text)) out.add("    byte[] b = input.Bytes;");
    if (/\bat\b/.test(text)) out.add("    int at = input.At;");
    if (/\bbit\b/.test(text)) out.add("    long bit = 0;");
    out.list.push(...this.lines.list);
    out.add("}");
    return out.list;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  #type(local: Local): string {
    return this.names.typeOf(this.typeOf(local), this.reader.isOptional(local));
  }

  protected set(local: Local, text: string, source?: NumberSource): void {
    if (local.isMerged) this.assign(local, text, source);
    else
      this.add(
        `${source === "int" ? "int" : this.#type(local)} ${this.name(local)} = ${this.#fitted(text, local, source)}`,
      );
  }

  protected assign(local: Local, text: string, source?: NumberSource): void {
    this.add(`${this.name(local)} = ${this.#fitted(text, local, source)}`);
  }

  /** A number for a local: no wider one becomes a narrower one by itself. */
  #fitted(text: string, to: Local, source: NumberSource): string {
    // Values are written as their target has them.
    if (source === undefined || source === "int" || !("as" in source)) return text;
    const [type, from] = [this.names.typeOf(this.typeOf(to)), typeOfLoaded(source.as)];
    return from === type || (from === "int" && type !== "uint") ? text : `(${type})(${text})`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`int ${name} = ${text}`);
  }

  protected declareUnset(local: Local): void {
    if (!local.isMerged) this.add(`${this.#type(local)} ${this.name(local)}`);
  }

  protected declareFilled(local: Local, fill: Constant | undefined): void {
    const value =
      fill !== undefined
        ? ` = ${this.names.literalOf(fill, this.typeOf(local))}`
        : this.reader.isOptional(local)
          ? " = null"
          : "";
    this.add(`${this.#type(local)} ${this.name(local)}${value}`);
  }

  #indexes(indexes: readonly Local[]): string {
    return indexes.map((index) => `, ${this.name(index)}`).join("");
  }

  protected refuseAt({ indexes }: CheckUse, code: string, path: string, bit: string): string {
    return `return input.Refuse(Code.${codeName(code)}, ${bit}, ${textLiteral(path)}${this.#indexes(indexes)})`;
  }

  protected cut(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    const indexes = this.#indexes(use.indexes);
    if (refusal.is === "at") return `return input.Truncate(${bit}, ${textLiteral(refusal.path)}${indexes})`;
    const items = refusal.is === "cuts" ? `Items(${refusal.itemBits}, ` : "(";
    return `return input.Cut${items}${bit}, end, ${textLiteral(piecesText(refusal.pieces))}${indexes})`;
  }

  #within({ path, indexes }: PathUse): string {
    return `return input.Within(${textLiteral(path)}${this.#indexes(indexes)})`;
  }

  protected nameOfEnum({ to, of, names, check, place }: ReadStepOf<"name">, type: EnumType): void {
    this.declareUnset(to);
    block(this.lines, `switch (${this.name(of)})`, () => {
      for (const [name, number] of Object.entries(names)) {
        this.lines.add(`case ${number}:`);
        this.lines.indented(() =>
          this.add(`${this.name(to)} = ${type.name}.${this.names.constantOf(type, name)}`, "break"),
        );
      }
      this.lines.add("default:");
      this.lines.indented(() => this.add(this.refuse(check, bitOf(place))));
    });
  }

  protected zeroText({ to, limit, charset, checks }: ReadStepOf<"zeroText">): void {
    const zero = this.scope.nameOf(`${to.name} end`);
    const [noEnd, long] = checks;
    this.add(`int ${zero} = ZeroAt(b, at, end, ${limit})`);
    this.when(`${zero} == -2`, this.refuse(long, bitOf(here)));
    // Bytes that end within a character are named by where they end.
    const isAt = this.dialect.refusalOf(noEnd).is === "at";
    this.when(`${zero} < 0`, isAt ? this.refuse(noEnd, bitOf(here)) : this.cut(noEnd, this.endBit));
    this.set(to, `${charset === "latin1" ? "Latin1" : "Windows1252"}(b, at, ${zero} - at)`);
    this.add(`at = ${zero} + 1`);
  }

  protected switchOn({ of, cases, no }: ReadStepOf<"switch">): void {
    block(this.lines, `switch (${this.name(of)})`, () => {
      const part = (heads: readonly string[], inside: () => void): void => {
        this.lines.add(...heads.slice(0, -1));
        block(this.lines, heads.at(-1) ?? "", () => {
          inside();
          this.add("break");
        });
      };
      for (const { values, body } of cases)
        part(
          values.map((value) => `case ${value}:`),
          () => this.steps(body),
        );
      part(["default:"], () => this.steps(no));
    });
  }

  protected emptyList(to: Local, type: ValueType, count?: number | Local, isBounded = false): void {
    const own = count === undefined || typeof count === "number" ? String(count ?? "") : this.count(count);
    const size = count === undefined || isBounded ? own : `Math.Min(${own}, 255)`;
    this.add(`${this.names.typeOf(type)} ${this.name(to)} = new ${this.names.typeOf(type)}(${size})`);
  }

  protected append(to: Local, item: string): void {
    this.add(`${this.name(to)}.Add(${item})`);
  }

  protected loop(index: Local, length: string, inside: () => void): void {
    const name = this.name(index);
    block(this.lines, `for (int ${name} = 0; ${name} < ${length}; ${name}++)`, inside);
  }

  protected endless(index: Local, inside: () => void): void {
    block(this.lines, `for (int ${this.name(index)} = 0; ; ${this.name(index)}++)`, inside);
  }

  protected tolerant({ to, name, limit, check }: ReadStepOf<"tolerant">): void {
    const type = this.typeOf(to);
    this.emptyList(to, type);
    block(this.lines, "while (at < end)", () => {
      this.when(`${this.name(to)}.Count == ${limit}`, this.refuse(check, bitOf(here)));
      if (type.is !== "list") throw new TypeError("Cannot compile items of what is no list");
      this.add("input.At = at", `${this.names.typeOf(type.item)} item`);
      this.when(`!${readerName(name)}(input, end, out item)`, "break");
      this.append(to, "item");
      this.add("at = input.At");
    });
  }

  /** A local that another reader gives. */
  #given(local: Local): string {
    this.add("input.At = at", `${this.names.typeOf(this.typeOf(local))} ${this.name(local)}`);
    return `out ${this.name(local)}`;
  }

  protected call({ to, name, path }: ReadStepOf<"call">): void {
    this.when(`!${readerName(name)}(input, end, ${this.#given(to)})`, this.#within(path));
    this.add("at = input.At");
  }

  protected sized({ to, name, size, extra, claims, start, checks }: ReadStepOf<"sized">): void {
    const until = this.scope.nameOf(`${to.name} end`);
    const wrong = this.refuseAt(checks.small, "bad-length", this.dialect.pathOf(checks.small), bitOf(start));
    this.add(`long ${until} = (long)at + ${this.name(size)}${extra === 0 ? "" : ` - ${extra}`}`);
    const args = `input, (int)Math.Min(${until}, end)${claims ? `, ${until}` : ""}, ${this.#given(to)}`;
    block(this.lines, `if (!${readerName(name)}(${args}))`, () => {
      // Where what it measures ended too early and the bytes go on, the size is wrong.
      this.when(`${until} < end && input.IsCut`, wrong);
      this.add(this.#within(checks.path));
    });
    this.when(`input.At != ${until}`, wrong);
    this.add("at = input.At");
  }

  protected inflate({ to, name, limit, ignoreReserved, exact, checks }: ReadStepOf<"inflate">): void {
    const found = this.dialect.refusalOf(checks.block);
    const path = textLiteral(found.is === "at" ? found.path : "");
    const [body, isRead] = [this.scope.nameOf(`${to.name} body`), this.scope.nameOf(`${to.name} is read`)];
    this.add(`Input ${body} = Lz4.Open(input, at, end, ${limit}, ${ignoreReserved}, ${exact ?? -1}, ${path})`);
    this.when(`${body} == null`, "return false");
    const given = this.#given(to);
    this.add(`bool ${isRead} = ${readerName(name)}(${body}, ${body}.Bytes.Length, ${given})`);
    this.when(
      `!${isRead} || ${body}.At != ${body}.Bytes.Length`,
      `return Lz4.Refuse(input, at, end, ${body}, ${isRead}, ${textLiteral(checks.body.path)})`,
    );
    this.add("at = end");
  }

  protected giveBack(value: string, at: string): void {
    this.add(`input.At = ${at}`, `result = ${value}`, "return true");
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected count(local: Local): string {
    return this.names.typeOf(this.typeOf(local)) === "int" ? this.name(local) : `(int)${this.name(local)}`;
  }

  protected override countOf(text: string): string {
    return `(int)(${text})`;
  }

  protected override product(name: string, unit: number): string {
    return unit === 1 ? name : `${name} * ${unit}L`;
  }

  protected bigAt(place: Place): string {
    return `U64le(b, ${byteOf(place)})`;
  }

  protected floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string {
    const text = `FloatBits.From(${integerAt(place, { bits: 32, signed: true, order })})`;
    return finite ? `PlainZero(${text})` : text;
  }

  protected isNotFinite(name: string): string {
    return `float.IsNaN(${name}) || float.IsInfinity(${name})`;
  }

  protected isOne(name: string): string {
    return `${name} == 1`;
  }

  protected hasBit(name: string, bit: number): string {
    return `(${name} & ${2 ** bit}) != 0`;
  }

  protected part(of: Local, shift: number, mask: number): string {
    return `(int)(${inBrackets(`${this.name(of)} >> ${shift}`)} & ${mask})`;
  }

  protected bytesOfBits(place: Place, count: string): string {
    return `BytesOfBits(b, ${bitOf(place)}, ${count})`;
  }

  protected bytes({ place, transform, reversed }: ReadStepOf<"bytes">, count: string): string {
    if (transform === undefined && reversed !== true) return `BytesAt(b, ${byteOf(place)}, ${count})`;
    return `ChangedBytes(b, ${byteOf(place)}, ${count}, ${textLiteral(transform ?? "")}, ${reversed === true})`;
  }

  protected text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string {
    return `${charset === "latin1" ? "Latin1" : "Windows1252"}(b, ${byteOf(place)}, ${count})`;
  }

  protected hasPadding(isLow: boolean): string {
    const padding = isLow ? "(b[(int)(bit >> 3)] >> (int)(bit & 7))" : "HighBits(b, bit, (int)(-bit & 7))";
    return `(bit & 7) != 0 && ${padding} != 0`;
  }

  protected wideShort(name: string): readonly string[] {
    return [`${name} = U16be(b, at) == 32767 ? -1 : U16be(b, at)`];
  }

  protected smartAt(_name: string, kind: "byte" | "long" | "wideLong"): string {
    return { byte: "b[at]", long: "U16be(b, at) - 32768", wideLong: "I32be(b, at) & 0x7fffffff" }[kind];
  }

  protected nextByteIs({ next, mask, value }: Extract<Test, { next: Place }>): string {
    return `(b[${byteOf(next)}] & ${mask}) == ${value}`;
  }

  protected byteIs(value: number): string {
    return `b[at] == ${value}`;
  }

  protected masked(name: string, mask: number): string {
    return masked(name, mask);
  }

  protected override bitsNumber(value: number, width: number): string {
    return String(width === 32 ? value | 0 : value);
  }

  protected negated(test: Test, text: string): string {
    if (!("of" in test) || "oneOf" in test || test.maybe !== undefined || test.not !== undefined) return `!(${text})`;
    if (test.is !== undefined) return text.replace(" == ", " != ");
    const { mask, from, to } = test;
    const number = masked(this.name(test.of), mask);
    if (from !== undefined && from === to) return `${number} != ${from}`;
    const below = from === undefined ? [] : [`${number} < ${from}`];
    const above = to === undefined ? [] : [`${number} > ${to}`];
    return [...below, ...above].join(" || ");
  }

  protected local(local: Local, type: ValueType): string {
    const [own, target] = [this.typeOf(local), this.names.typeOf(type)];
    if (!isStruct(own) || this.names.typeOf(own) === target || !numbers.includes(target)) return this.name(local);
    return `(${target}${this.reader.isOptional(local) ? "?" : ""})${this.name(local)}`;
  }

  protected construct(record: RecordType, args: readonly string[]): string {
    return `new ${this.names.typeOf(record)}(${args.join(", ")})`;
  }

  protected flags(type: FlagsType, tests: readonly string[]): string {
    return `new ${this.names.typeOf(type)}(${tests.join(", ")})`;
  }
}

/** `BadValue` for `bad-value`. */
export const codeName = (code: string): string =>
  code.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The type of an integer as it is loaded. */
function typeOfLoaded({ bits, signed, bias = 0, divisor = 1 }: WireInteger): string {
  if (divisor !== 1) return "double";
  const isWide = (bits === 32 && !signed) || Math.abs(bias) + 2 ** bits > 0x7fff_ffff;
  if (bias !== 0 && isWide) return "long";
  return bits === 32 && !signed ? "uint" : "int";
}
