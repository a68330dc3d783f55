/** The steps of writers as Java: methods that write, and methods that count bytes. */
import { Lines } from "../lines.ts";
import type { Local, PathUse, Place, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { Constant } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType } from "../typed/types.ts";
import type { TypedWriter, TypedWriteStep } from "../typed/write.ts";
import { WriterPrinter, type WriteStepOf } from "../typed/writer-printer.ts";
import { bitOf, byteOf, javaPlaces, putKnown, putNumber } from "./places.ts";
import { type JavaNames, javaStyle, negatedEquals, textLiteral } from "./types.ts";

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

const style = javaStyle(["b", "at", "bit"]);

class Writer extends WriterPrinter<JavaNames> {
  protected readonly nextByte = "(int) ((bit + 7) >> 3)";

  constructor(writer: TypedWriter, dialect: TypedDialect, names: JavaNames, counts: boolean) {
    super(writer, dialect, names, counts, style, javaPlaces);
  }

  print(): readonly string[] {
    const { name, value } = this.writer;
    const type = this.names.typeOf(value);
    const out = new Lines(0, "  ");
    out.add(
      this.counts
        ? `private static int ${sizeName(name)}(${type} v) {`
        : `private static int ${writerName(name)}(byte[] b, int at, ${type} v) {`,
    );
    const [only] = this.body;
    if (this.counts && this.body.length === 1 && only?.step === "end") {
      // Nothing of it depends on the value.
      out.add(`  return ${only.place.bits / 8};`, "}");
      return out.list;
    }
    this.lines.indented(() => this.steps(this.body));
    const text = this.lines.toString();
    if (this.counts && /\bat\b/.test(text)) out.add("  int at = 0;");
    if (/\bbit\b/.test(text)) out.add("  long bit = 0;");
    out.list.push(...this.lines.list);
    out.add("}");
    return out.list;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected refusal(kind: "unfit" | "absent", path: string): string {
    return `throw ${kind}(${path})`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`int ${name} = ${text}`);
  }

  protected setMember(name: string, { type }: WriteStepOf<"get">["member"], text: string): void {
    this.add(`${this.names.typeOf(type, true)} ${name} = ${text}`);
  }

  protected putNumber(place: Place, as: WireInteger, text: string, type: "int" | "long" = "int"): readonly string[] {
    return putNumber(place, as, text, type);
  }

  protected putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
    return putKnown(place, as, value);
  }

  protected putBig({ of, place }: WriteStepOf<"big">): void {
    this.add(`put64le(b, ${byteOf(place)}, ${this.name(of)})`);
  }

  protected integer({ of, place, as, min, max, path, isChecked }: WriteStepOf<"integer">): void {
    const type = this.typeOf(of);
    const { bias = 0, divisor } = as;
    const java = this.names.typeOf(type);
    const name = this.name(of);
    const moved = bias === 0 ? "" : bias < 0 ? ` - ${-bias}` : ` + ${bias}`;
    if (type.is === "real") {
      const wire = this.temporary("wire");
      const [low, high] = [min, max].map((each) => `${each * (divisor ?? 1)}L`);
      this.add(`long ${wire} = fixed(${name}, ${divisor ?? 1}, ${low}, ${high}, ${this.path(path)})`);
      this.add(...putNumber(place, as, `${wire}${moved}`, "long"));
      return;
    }
    const isFree = isChecked || (java === "int" && min === -0x8000_0000 && max === 0x7fff_ffff);
    const isLong = java === "long";
    const fit = (value: number): string => (isLong ? `${value}L` : String(value));
    const text = isFree ? name : `fit(${name}, ${fit(min)}, ${fit(max)}, ${this.path(path)})`;
    const [put = "", ...more] = putNumber(place, as, "x", "int");
    const isOnce = more.length === 0 && /^(?:b\[[^\]]*\] = \(byte\) \S|put)/.test(put);
    if (isOnce && bias === 0) {
      this.add(...putNumber(place, as, text, isLong ? "long" : "int"));
      return;
    }
    const wire = this.temporary("wire");
    this.add(`${java} ${wire} = ${text}${moved}`, ...putNumber(place, as, wire, isLong ? "long" : "int"));
  }

  protected float({ of, place, order, finite, checks }: WriteStepOf<"float">): void {
    const word = this.temporary("word");
    const text = finite ? `finite(${this.name(of)}, ${this.checkPath(checks[1])})` : this.name(of);
    const isDouble = this.names.typeOf(this.typeOf(of)) === "double";
    this.setOwn(word, `floatBits(${isDouble ? `(float) ${text}` : text})`);
    this.add(...putNumber(place, { bits: 32, signed: true, order }, word, "int"));
  }

  protected putSmart({ of, wide, min, max, check }: WriteStepOf<"smart">): string {
    return `put${wide ? "Wide" : ""}Smart(b, at, ${this.fit(this.name(of), min, max, this.checkPath(check))})`;
  }

  protected number({ to, of, names }: WriteStepOf<"number">, type: EnumType): void {
    const inside = (): void => {
      for (const name of type.names) this.add(`case ${this.names.constantOf(type, name)} -> ${(names[name] ?? 0) | 0}`);
    };
    this.lines.block(`int ${this.name(to)} = switch (${this.name(of)}) {`, inside, "};");
  }

  protected bitBytes({ of, count, place }: WriteStepOf<"bitBytes">): void {
    this.lines.block(`for (int i = 0; i < ${count}; i++) {`, () =>
      this.add(`putHighBits(b, ${bitOf(place)} + i * 8, 8, ${this.name(of)}[i])`),
    );
  }

  protected putBytes({ of, transform, reversed }: WriteStepOf<"bytes">, at: string): void {
    const isChanged = transform !== undefined || reversed === true;
    const more = isChanged ? `, ${textLiteral(transform ?? "")}, ${reversed === true}` : "";
    this.add(`${isChanged ? "putChanged" : "putBytes"}(b, ${at}, ${this.name(of)}${more})`);
  }

  protected putText({ of, charset, least, check }: WriteStepOf<"text">, at: string): void {
    const put = charset === "latin1" ? "putLatin1" : "putWindows1252";
    this.add(`${put}(b, ${at}, ${this.name(of)}, ${least}, ${this.checkPath(check)})`);
  }

  protected putZero(at: string): string {
    return `b[${at}] = 0`;
  }

  protected match({ of, cases }: WriteStepOf<"match">): void {
    const parts = cases.map(({ record, as, body }) => {
      const test = `${this.name(of)} instanceof ${this.names.typeOf(record)} ${this.name(as)}`;
      return [test, () => this.steps(body)] as const;
    });
    const refusal = this.refusal("unfit", textLiteral(of.name === "v" ? "" : of.name));
    this.branches([...parts, [undefined, () => this.add(refusal)]]);
  }

  protected choose({ of, cases, no, isWhole }: WriteStepOf<"choose">): void {
    const type = this.typeOf(of);
    if (type.is === "boolean" || type.is === "text" || type.is === "real")
      throw new TypeError(`Cannot compile a choice by a ${type.is}`);
    const label = (value: string | number): string =>
      type.is === "enum" ? this.names.constantOf(type, String(value)) : String(Number(value) | 0);
    const chosen = this.names.typeOf(type) === "long" ? `(int) ${this.name(of)}` : this.name(of);
    this.lines.block(`switch (${chosen}) {`, () => {
      for (const { values, body } of cases)
        this.lines.block(`case ${values.map(label).join(", ")} -> {`, () => this.steps(body));
      if (!isWhole) this.lines.block("default -> {", () => this.steps(no));
      else if (cases.every(({ body }) => ends(body))) this.add("default -> throw new IllegalStateException()");
    });
  }

  protected list({ of, index, length, item, body, until, usesItem }: WriteStepOf<"list">): void {
    const name = this.name(index);
    this.lines.block(`for (int ${name} = 0; ${name} < ${this.name(length)}; ${name}++) {`, () => {
      if (usesItem)
        this.add(`${this.names.typeOf(this.typeOf(item))} ${this.name(item)} = ${this.name(of)}.get(${name})`);
      const start = `${this.name(item)}Start`;
      if (until !== undefined) this.setOwn(start, "at");
      this.steps(body);
      if (until !== undefined) this.unfit(`(b[${start}] & 0xff) == ${until.byte}`, until.check);
    });
  }

  protected deflate({ of, name, head }: WriteStepOf<"deflate">): void {
    const body = this.temporary("body");
    this.add(`byte[] ${body} = new byte[${this.call("size", name, [this.name(of)])}]`);
    this.add(this.call("write", name, [body, "0", this.name(of)]));
    const packed = `Lz4.pack(${body}, ${head})`;
    if (this.counts) {
      this.add(`at += ${packed}.length`);
      return;
    }
    const block = this.temporary("block");
    this.add(
      `byte[] ${block} = ${packed}`,
      `System.arraycopy(${block}, 0, b, at, ${block}.length)`,
      `at += ${block}.length`,
    );
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected path({ path, indexes }: PathUse): string {
    // Who counts does not say where.
    return [textLiteral(path), ...(this.counts ? [] : indexes.map((index) => this.name(index)))].join(", ");
  }

  protected notMark({ parts }: WriteStepOf<"notMark">): string {
    const bitsOf = (bits: number): string => (bits >= 32 ? "0xffffffffL" : String(2 ** bits - 1));
    const tests = parts.map(
      ({ of, bits, value }) => `(${this.name(of)} & ${bitsOf(bits)}) == ${value}${bits >= 32 ? "L" : ""}`,
    );
    return tests.join(" && ");
  }

  protected member(of: string, record: RecordType, key: string): string {
    return `${of}.${this.names.memberOf(record, key)}()`;
  }

  protected differs(of: Local, value: Constant): string {
    return negatedEquals(this.equals(of, value));
  }

  protected oneIf(name: string): string {
    return `${name} ? 1 : 0`;
  }

  protected flag(of: string, type: FlagsType, key: string, bit: number): string {
    return `(${of}.${this.names.memberOf(type, key)}() ? ${bit === 31 ? "0x80000000" : 2 ** bit} : 0)`;
  }

  protected lengthOf(name: string, what: "list" | "bytes" | "text"): string {
    return `${name}${{ list: ".size()", bytes: ".length", text: ".length()" }[what]}`;
  }

  protected fit(text: string, min: number, max: number, path: string): string {
    return `fit(${text}, ${min}, ${max === 0x7fff_ffff ? "Integer.MAX_VALUE" : max}, ${path})`;
  }

  protected choice(test: string, yes: number, no: number): string {
    return `${test} ? ${yes} : ${no}`;
  }

  protected call(verb: "write" | "size", name: string, args: readonly string[]): string {
    return `${verb === "size" ? sizeName(name) : writerName(name)}(${args.join(", ")})`;
  }

  protected negated(test: string): string {
    return `!(${test})`;
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
