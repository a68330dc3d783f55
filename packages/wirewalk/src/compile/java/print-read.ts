/** The steps of readers as Java. */
import { Lines } from "../lines.ts";
import type { CheckUse, Local, PathUse, Place, ReadStep, Test, Value, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { type NumberSource, ReaderPrinter, type ReadStepOf } from "../typed/reader-printer.ts";
import { piecesText } from "../typed/refusals.ts";
import { type Constant, here } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { bitOf, byteOf, integerAt, javaPlaces } from "./places.ts";
import { type JavaNames, javaStyle, literal, masked, negatedEquals, textLiteral } from "./types.ts";

/** How the method that reads a description is called. */
export function readerName(name: string): string {
  return `read${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** One reading method. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: JavaNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

const style = javaStyle(["in", "b", "at", "bit", "end", "claimed"]);

class Reader extends ReaderPrinter<JavaNames> {
  protected readonly bitOfByte = "bit & ~7L";
  protected readonly nextByte = "(int) ((bit + 7) >> 3)";
  protected readonly isSmartShort = "b[at] >= 0";

  constructor(reader: TypedReader, dialect: TypedDialect, names: JavaNames) {
    super(reader, dialect, names, style, javaPlaces);
  }

  print(): readonly string[] {
    const { fn, result } = this.reader;
    const body = new Lines(0, "  ");
    this.lines.indented(() => this.steps(fn.body));
    const text = this.lines.toString();
    body.add(
      `private static ${this.names.typeOf(result, true)} ${readerName(fn.name)}(In in, int end${fn.claims ? ", long claimed" : ""}) {`,
    );
    if (/\bb\b/.test(text)) body.add("  byte[] b = in.bytes;");
    if (/\bat\b/.test(text)) body.add("  int at = in.at;");
    if (/\bbit\b/.test(text)) body.add("  long bit;");
    body.list.push(...withoutDetours(this.lines.list));
    body.add("}");
    return body.list;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  #type(local: Local): string {
    return this.names.typeOf(this.typeOf(local), this.reader.isOptional(local));
  }

  #boxedType(local: Local): string {
    return this.names.typeOf(this.typeOf(local), true);
  }

  protected set(local: Local, text: string, source?: NumberSource): void {
    if (local.isMerged) this.assign(local, text, source);
    else this.add(`${source === "int" ? "int" : this.#type(local)} ${this.name(local)} = ${text}`);
  }

  protected assign(local: Local, text: string, source?: NumberSource): void {
    this.add(`${this.name(local)} = ${this.#fitted(text, local, source)}`);
  }

  /** A number for a local that is declared: Java makes no Long of an int, and no int of a long. */
  #fitted(text: string, to: Local, source: NumberSource): string {
    const type = this.names.typeOf(this.typeOf(to));
    const from =
      source === undefined || source === "int"
        ? ""
        : "as" in source
          ? typeOfLoaded(source.as)
          : this.#typeOf(source.value);
    if (from === "long" && type === "int") return `(int) (${text})`;
    return this.reader.isOptional(to) && from === "int" && type !== "int" ? `(${type}) (${text})` : text;
  }

  /** The type of a local that stands for a value; empty for what is written as its target has it. */
  #typeOf(value: Value): string {
    const type = value.is === "local" ? this.names.typeOf(this.typeOf(value.local)) : "";
    // It is turned into the type of its target where it is taken.
    return type === "long" ? "" : type;
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
    const name = code.toUpperCase().replaceAll("-", "_");
    return `return in.refuse(Code.${name}, ${bit}, ${textLiteral(path)}${this.#indexes(indexes)})`;
  }

  protected cut(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    const indexes = this.#indexes(use.indexes);
    if (refusal.is === "at") return `return in.truncate(${bit}, ${textLiteral(refusal.path)}${indexes})`;
    const items = refusal.is === "cuts" ? `Items(${refusal.itemBits}, ` : "(";
    return `return in.cut${items}${bit}, end, ${textLiteral(piecesText(refusal.pieces))}${indexes})`;
  }

  #within({ path, indexes }: PathUse): string {
    return `return in.within(${textLiteral(path)}${this.#indexes(indexes)})`;
  }

  protected nameOfEnum({ to, of, names, check, place }: ReadStepOf<"name">, type: EnumType): void {
    const target = this.name(to);
    this.declareUnset(to);
    this.lines.block(`switch (${this.count(of)}) {`, () => {
      for (const [name, number] of Object.entries(names))
        this.add(`case ${number} -> ${target} = ${type.name}.${this.names.constantOf(type, name)}`);
      this.lines.block("default -> {", () => this.add(this.refuse(check, bitOf(place))));
    });
  }

  protected zeroText({ to, limit, charset, checks }: ReadStepOf<"zeroText">): void {
    const zero = `${this.name(to)}End`;
    const [noEnd, long] = checks;
    this.add(`int ${zero} = zeroAt(b, at, end, ${limit})`);
    this.when(`${zero} == -2`, this.refuse(long, bitOf(here)));
    // Bytes that end within a character are named by where they end.
    const isAt = this.dialect.refusalOf(noEnd).is === "at";
    this.when(`${zero} < 0`, isAt ? this.refuse(noEnd, bitOf(here)) : this.cut(noEnd, this.endBit));
    this.set(to, `${charset === "latin1" ? "latin1" : "windows1252"}(b, at, ${zero} - at)`);
    this.add(`at = ${zero} + 1`);
  }

  protected switchOn({ of, cases, no }: ReadStepOf<"switch">): void {
    // Java chooses by an `int` alone: a number of 32 bits is turned into it with its bits.
    this.lines.block(`switch (${this.count(of)}) {`, () => {
      for (const { values, body } of cases)
        this.lines.block(`case ${values.map((value) => value | 0).join(", ")} -> {`, () => this.steps(body));
      this.lines.block("default -> {", () => this.steps(no));
    });
  }

  protected emptyList(to: Local, type: ValueType, count?: number | Local, isBounded = false): void {
    const size =
      count === undefined
        ? ""
        : typeof count === "number"
          ? isBounded
            ? String(count)
            : `(int) Math.min(${count}, 255)`
          : isBounded
            ? this.count(count)
            : `(int) Math.min(${this.name(count)}, 255)`;
    this.add(`${this.names.typeOf(type)} ${this.name(to)} = new ArrayList<>(${size})`);
  }

  /** A list whose count is known is an array of its items from the start. */
  protected override step(step: ReadStep): void {
    const type = step.step === "list" && step.isBounded ? this.typeOf(step.to) : undefined;
    // Java makes no array of lists.
    if (step.step !== "list" || type?.is !== "list" || type.item.is === "list" || type.item.is === "bytes") {
      super.step(step);
      return;
    }
    const { to, index, count, body, item } = step;
    const own = this.names.typeOf(type.item, true);
    const items = this.scope.nameOf(`${to.name} items`);
    this.add(`${own}[] ${items} = new ${own}[${typeof count === "number" ? count : this.count(count)}]`);
    this.loop(index, `${items}.length`, () => {
      this.steps(body);
      this.add(`${items}[${this.name(index)}] = ${this.item(item, type)}`);
    });
    this.add(`${this.names.typeOf(type)} ${this.name(to)} = Arrays.asList(${items})`);
  }

  protected append(to: Local, item: string): void {
    this.add(`${this.name(to)}.add(${item})`);
  }

  protected loop(index: Local, length: string, inside: () => void): void {
    const name = this.name(index);
    this.lines.block(`for (int ${name} = 0; ${name} < ${length}; ${name}++) {`, inside);
  }

  protected endless(index: Local, inside: () => void): void {
    this.lines.block(`for (int ${this.name(index)} = 0; ; ${this.name(index)}++) {`, inside);
  }

  protected tolerant({ to, name, limit, check }: ReadStepOf<"tolerant">): void {
    const type = this.typeOf(to);
    this.emptyList(to, type);
    this.lines.block("while (at < end) {", () => {
      this.when(`${this.name(to)}.size() == ${limit}`, this.refuse(check, bitOf(here)));
      const item = type.is === "list" ? this.names.typeOf(type.item, true) : "var";
      this.add("in.at = at", `${item} item = ${readerName(name)}(in, end)`);
      this.when("item == null", "break");
      this.append(to, "item");
      this.add("at = in.at");
    });
  }

  protected call({ to, name, path }: ReadStepOf<"call">): void {
    this.add("in.at = at", `${this.#boxedType(to)} ${this.name(to)} = ${readerName(name)}(in, end)`);
    this.when(`${this.name(to)} == null`, this.#within(path));
    this.add("at = in.at");
  }

  protected sized({ to, name, size, extra, claims, start, checks }: ReadStepOf<"sized">): void {
    const until = `${this.name(to)}End`;
    const small = this.dialect.pathOf(checks.small);
    const wrong = `return in.refuse(Code.BAD_LENGTH, ${bitOf(start)}, ${textLiteral(small)}${this.#indexes(checks.small.indexes)})`;
    this.add(`long ${until} = (long) at + ${this.name(size)}${extra === 0 ? "" : ` - ${extra}`}`);
    const args = `in, (int) Math.min(${until}, end)${claims ? `, ${until}` : ""}`;
    this.add("in.at = at", `${this.#boxedType(to)} ${this.name(to)} = ${readerName(name)}(${args})`);
    this.lines.block(`if (${this.name(to)} == null) {`, () => {
      // Where what it measures ended too early and the bytes go on, the size is wrong.
      this.when(`${until} < end && in.isCut`, wrong);
      this.add(this.#within(checks.path));
    });
    this.when(`in.at != ${until}`, wrong);
    this.add("at = in.at");
  }

  protected inflate({ to, name, limit, ignoreReserved, exact, checks }: ReadStepOf<"inflate">): void {
    const block = this.dialect.refusalOf(checks.block);
    const path = textLiteral(block.is === "at" ? block.path : "");
    const [own, body] = [this.name(to), `${this.name(to)}Body`];
    this.add(`In ${body} = Lz4.open(in, at, end, ${limit}, ${ignoreReserved}, ${exact ?? -1}, ${path})`);
    this.when(`${body} == null`, "return null");
    this.add(`${this.#boxedType(to)} ${own} = ${readerName(name)}(${body}, ${body}.bytes.length)`);
    this.when(
      `${own} == null || ${body}.at != ${body}.bytes.length`,
      `return Lz4.refuse(in, at, end, ${body}, ${own} != null, ${textLiteral(checks.body.path)})`,
    );
    this.add("at = end");
  }

  protected giveBack(value: string, at: string): void {
    this.add(`in.at = ${at}`, `return ${value}`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  /** A local as an `int`, of which it is known that it is one. */
  protected count(local: Local): string {
    return this.names.typeOf(this.typeOf(local)) === "long" ? `(int) ${this.name(local)}` : this.name(local);
  }

  protected override countOf(text: string): string {
    return `(int) (${text})`;
  }

  protected override product(name: string, unit: number): string {
    return unit === 1 ? name : `${name} * ${unit}L`;
  }

  protected bigAt(place: Place): string {
    return `u64le(b, ${byteOf(place)})`;
  }

  protected floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string {
    return `Float.intBitsToFloat(${integerAt(place, { bits: 32, signed: true, order })})${finite ? " + 0.0f" : ""}`;
  }

  protected isNotFinite(name: string): string {
    return `!Float.isFinite(${name})`;
  }

  protected isOne(name: string): string {
    return `${name} == 1`;
  }

  protected hasBit(name: string, bit: number): string {
    return `(${name} & ${bit === 31 ? "0x80000000" : 2 ** bit}) != 0`;
  }

  protected part(of: Local, shift: number, mask: number): string {
    return `${this.count(of)} >>> ${shift} & ${mask}`;
  }

  protected bytesOfBits(place: Place, count: string): string {
    return `bytesOfBits(b, ${bitOf(place)}, ${count})`;
  }

  protected bytes({ place, transform, reversed }: ReadStepOf<"bytes">, count: string): string {
    if (transform === undefined && reversed !== true) return `bytesAt(b, ${byteOf(place)}, ${count})`;
    return `changedBytes(b, ${byteOf(place)}, ${count}, ${textLiteral(transform ?? "")}, ${reversed === true})`;
  }

  protected text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string {
    return `${charset === "latin1" ? "latin1" : "windows1252"}(b, ${byteOf(place)}, ${count})`;
  }

  protected hasPadding(isLow: boolean): string {
    const padding = isLow ? "((b[(int) (bit >> 3)] & 0xff) >> (bit & 7))" : "highBits(b, bit, (int) (-bit & 7))";
    return `(bit & 7) != 0 && ${padding} != 0`;
  }

  protected wideShort(name: string): readonly string[] {
    return [`${name} = u16be(b, at) == 32767 ? -1 : u16be(b, at)`];
  }

  protected smartAt(_name: string, kind: "byte" | "long" | "wideLong"): string {
    return { byte: "b[at]", long: "u16be(b, at) - 32768", wideLong: "i32be(b, at) & 0x7fffffff" }[kind];
  }

  protected nextByteIs({ next, mask, value }: Extract<Test, { next: Place }>): string {
    return `(b[${byteOf(next)}] & ${mask}) == ${value}`;
  }

  protected byteIs(value: number): string {
    return `(b[at] & 0xff) == ${value}`;
  }

  protected masked(name: string, mask: number): string {
    return masked(name, mask);
  }

  protected override bitsNumber(value: number, width: number): string {
    return String(width === 32 ? value | 0 : value);
  }

  protected negated(test: Test, text: string): string {
    if (!("of" in test) || "oneOf" in test || test.maybe !== undefined || test.not !== undefined) return `!(${text})`;
    if (test.is !== undefined) return negatedEquals(text);
    const { mask, from, to } = test;
    const number = masked(this.name(test.of), mask);
    if (from !== undefined && from === to) return `${number} != ${literal(from)}`;
    const below = from === undefined ? [] : [`${number} < ${literal(from)}`];
    const above = to === undefined ? [] : [`${number} > ${literal(to)}`];
    return [...below, ...above].join(" || ");
  }

  protected local(local: Local, type: ValueType): string {
    const isLong = this.names.typeOf(this.typeOf(local)) === "long";
    return isLong && this.names.typeOf(type) === "int" ? `(int) ${this.name(local)}` : this.name(local);
  }

  protected construct(record: RecordType, args: readonly string[]): string {
    return `new ${this.names.typeOf(record)}(${args.join(", ")})`;
  }

  protected flags(type: FlagsType, tests: readonly string[]): string {
    return `new ${this.names.typeOf(type)}(${tests.join(", ")})`;
  }
}

/** The type of an integer as it is loaded. */
function typeOfLoaded({ bits, signed, divisor }: WireInteger): string {
  if (divisor !== undefined) return "double";
  return bits === 32 && !signed ? "long" : "int";
}

/** Without the way from a place to a local and back, where one call follows another. */
function withoutDetours(lines: readonly string[]): readonly string[] {
  const isBoth = (at: number): boolean =>
    lines[at]?.trim() === "at = in.at;" && lines[at + 1]?.trim() === "in.at = at;";
  return lines.filter((_, at) => !isBoth(at) && !isBoth(at - 1));
}
