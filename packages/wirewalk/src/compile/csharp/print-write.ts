/** The steps of writers as C#: methods that write, and methods that count bytes. */
import { Lines } from "../lines.ts";
import type { Local, PathUse, Place, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import { type Constant, plus } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType } from "../typed/types.ts";
import type { TypedWriter } from "../typed/write.ts";
import { WriterPrinter, type WriteStepOf } from "../typed/writer-printer.ts";
import { bitOf, byteOf, csharpPlaces, putKnown, putNumber, usesOf } from "./places.ts";
import { block, type CsharpNames, csharpStyle, isStruct, textLiteral } from "./types.ts";

/** How the method that writes a description is called. */
export const writerName = (name: string): string => `Write${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** How the method that counts its bytes is called. */
export const sizeName = (name: string): string => `SizeOf${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A writing method. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: CsharpNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The method that counts the bytes of what a writing method writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: CsharpNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

const style = csharpStyle(["b", "at", "bit", "v"]);

class Writer extends WriterPrinter<CsharpNames> {
  protected readonly nextByte = "(int)((bit + 7) >> 3)";

  constructor(writer: TypedWriter, dialect: TypedDialect, names: CsharpNames, counts: boolean) {
    super(writer, dialect, names, counts, style, csharpPlaces);
    this.members.set("v", "v");
  }

  print(): readonly string[] {
    const { name, value } = this.writer;
    const type = this.names.typeOf(value);
    const out = new Lines(0, "    ");
    out.add(
      this.counts
        ? `private static int ${sizeName(name)}(${type} v)`
        : `private static int ${writerName(name)}(byte[] b, int at, ${type} v)`,
      "{",
    );
    const [only] = this.body;
    if (this.counts && this.body.length === 1 && only?.step === "end") {
      // Nothing of it depends on the value.
      out.add(`    return ${only.place.bits / 8};`, "}");
      return out.list;
    }
    this.lines.indented(() => this.steps(this.body));
    const text = this.lines.toString();
    if (this.counts && /\bat\b/.test(text)) out.add("    int at = 0;");
    if (/\bbit\b/.test(text)) out.add("    long bit = 0;");
    out.list.push(...this.lines.list);
    out.add("}");
    return out.list;
  }

  protected override held(local: Local): string {
    const name = this.name(local);
    return this.writer.isOptional(local) && isStruct(this.typeOf(local)) ? `${name}.Value` : name;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected refusal(kind: "unfit" | "absent", path: string): string {
    return `throw ${kind === "unfit" ? "Unfit" : "Absent"}(${path})`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`int ${name} = ${text}`);
  }

  protected setMember(name: string, { type }: WriteStepOf<"get">["member"], text: string): void {
    this.add(`${this.names.typeOf(type, true)} ${name} = ${text}`);
  }

  protected putNumber(place: Place, as: WireInteger, text: string): readonly string[] {
    return putNumber(place, as, text, "int");
  }

  protected putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
    return putKnown(place, as, value);
  }

  protected putBig({ of, place }: WriteStepOf<"big">): void {
    this.add(`Put64le(b, ${byteOf(place)}, ${this.held(of)})`);
  }

  protected integer({ of, place, as, min, max, path, isChecked }: WriteStepOf<"integer">): void {
    const type = this.typeOf(of);
    const { bias = 0, divisor = 1 } = as;
    const name = this.held(of);
    const own = this.names.typeOf(type);
    let [text, is] = [name, own];
    if (type.is === "real") {
      text = `Fixed(${name}, ${divisor}, ${min * divisor}L, ${max * divisor}L, ${this.path(path)})`;
      is = "long";
    } else {
      const isFree =
        isChecked ||
        (own === "int" && min === -0x8000_0000 && max === 0x7fff_ffff) ||
        (own === "uint" && min === 0 && max === 0xffff_ffff);
      // The smallest int has no literal of its own.
      if (!isFree && own !== "int") {
        text = `Fit(${name}, ${min}L, ${max}L, ${this.path(path)})`;
        is = "long";
      } else if (!isFree) text = this.fit(name, min, max, this.path(path));
      if (bias !== 0 && is === "uint") {
        text = `(long)${text}`;
        is = "long";
      }
    }
    const moved = plus(text, bias);
    if (usesOf(place, as) === 1) {
      this.add(...putNumber(place, as, moved, is));
      return;
    }
    const wire = this.temporary("wire");
    this.add(`${is} ${wire} = ${moved}`, ...putNumber(place, as, wire, is));
  }

  protected float({ of, place, order, finite, checks }: WriteStepOf<"float">): void {
    const word = this.temporary("word");
    const isDouble = this.names.typeOf(this.typeOf(of)) === "double";
    const value = isDouble ? `(float)${this.held(of)}` : this.held(of);
    this.setOwn(word, `FloatBits.Of(${finite ? `Finite(${value}, ${this.checkPath(checks[1])})` : value})`);
    this.add(...putNumber(place, { bits: 32, signed: true, order }, word, "int"));
  }

  protected putSmart({ of, wide, min, max, check }: WriteStepOf<"smart">): string {
    return `Put${wide ? "Wide" : ""}Smart(b, at, ${this.fit(this.held(of), min, max, this.checkPath(check))})`;
  }

  protected number({ to, of, names, check }: WriteStepOf<"number">, type: EnumType): void {
    this.add(`int ${this.name(to)}`);
    block(this.lines, `switch (${this.held(of)})`, () => {
      for (const name of type.names) {
        this.lines.add(`case ${type.name}.${this.names.constantOf(type, name)}:`);
        this.lines.indented(() => this.add(`${this.name(to)} = ${(names[name] ?? 0) | 0}`, "break"));
      }
      this.lines.add("default:");
      this.lines.indented(() => this.add(this.refusal("unfit", this.checkPath(check))));
    });
  }

  protected bitBytes({ of, count, place }: WriteStepOf<"bitBytes">): void {
    block(this.lines, `for (int i = 0; i < ${count}; i++)`, () =>
      this.add(`PutHighBits(b, ${bitOf(place)} + i * 8, 8, ${this.name(of)}[i])`),
    );
  }

  protected putBytes({ of, transform, reversed }: WriteStepOf<"bytes">, at: string): void {
    const isChanged = transform !== undefined || reversed === true;
    const more = isChanged ? `, ${textLiteral(transform ?? "")}, ${reversed === true}` : "";
    this.add(`${isChanged ? "PutChanged" : "PutBytes"}(b, ${at}, ${this.name(of)}${more})`);
  }

  protected putText({ of, charset, least, check }: WriteStepOf<"text">, at: string): void {
    const put = charset === "latin1" ? "PutLatin1" : "PutWindows1252";
    this.add(`${put}(b, ${at}, ${this.name(of)}, ${least}, ${this.checkPath(check)})`);
  }

  protected putZero(at: string): string {
    return `b[${at}] = 0`;
  }

  protected match({ of, cases }: WriteStepOf<"match">): void {
    const parts = cases.map(({ record, as, body }) => {
      const inside = (): void => {
        const type = this.names.typeOf(record);
        const [name, at] = [this.name(as), this.lines.list.length];
        this.add(`${type} ${name} = (${type})${this.name(of)}`);
        this.steps(body);
        // Where only constants of it are written, nothing asks for it.
        const isUsed = this.lines.list.slice(at + 1).some((line) => new RegExp(`\\b${name}\\b`).test(line));
        if (!isUsed) this.lines.list.splice(at, 1);
      };
      return [`${this.name(of)} is ${this.names.typeOf(record)}`, inside] as const;
    });
    const refusal = this.refusal("unfit", textLiteral(of.name === "v" ? "" : of.name));
    this.branches([...parts, [undefined, () => this.add(refusal)]]);
  }

  protected choose({ of, cases, no, isWhole }: WriteStepOf<"choose">): void {
    const type = this.typeOf(of);
    const label = (value: string | number): string =>
      type.is === "enum" ? `${type.name}.${this.names.constantOf(type, String(value))}` : String(value);
    const refusal = this.refusal("unfit", textLiteral(of.name));
    block(this.lines, `switch (${this.held(of)})`, () => {
      for (const { values, body } of cases) {
        const heads = values.map((value) => `case ${label(value)}:`);
        this.lines.add(...heads.slice(0, -1));
        block(this.lines, heads.at(-1) ?? "", () => {
          this.steps(body);
          this.add("break");
        });
      }
      block(this.lines, "default:", () => {
        if (isWhole) this.add(refusal);
        else this.steps(no);
        this.add("break");
      });
    });
  }

  protected list({ of, index, length, item, body, until, usesItem }: WriteStepOf<"list">): void {
    const name = this.name(index);
    block(this.lines, `for (int ${name} = 0; ${name} < ${this.name(length)}; ${name}++)`, () => {
      if (usesItem) this.add(`${this.names.typeOf(this.typeOf(item))} ${this.name(item)} = ${this.name(of)}[${name}]`);
      const start = this.scope.nameOf(`${item.name} start`);
      if (until !== undefined) this.setOwn(start, "at");
      this.steps(body);
      if (until !== undefined) this.unfit(`b[${start}] == ${until.byte}`, until.check);
    });
  }

  protected deflate({ of, name, head }: WriteStepOf<"deflate">): void {
    const body = this.temporary("body");
    this.add(`byte[] ${body} = new byte[${this.call("size", name, [this.name(of)])}]`);
    this.add(this.call("write", name, [body, "0", this.name(of)]));
    const packed = `Lz4.Pack(${body}, ${head})`;
    if (this.counts) {
      this.add(`at += ${packed}.Length`);
      return;
    }
    const own = this.temporary("block");
    this.add(`byte[] ${own} = ${packed}`, `PutBytes(b, at, ${own})`, `at += ${own}.Length`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected path({ path, indexes }: PathUse): string {
    // Who counts does not say where.
    return [textLiteral(path), ...(this.counts ? [] : indexes.map((index) => this.name(index)))].join(", ");
  }

  protected notMark({ parts }: WriteStepOf<"notMark">): string {
    return parts
      .map(({ of, bits, value }) => `(${this.held(of)} & ${2 ** Math.min(bits, 32) - 1}) == ${value}`)
      .join(" && ");
  }

  protected member(of: string, record: RecordType, key: string): string {
    return `${of}.${this.names.memberOf(record, key)}`;
  }

  protected differs(of: Local, value: Constant): string {
    return this.equals(of, value).replace(" == ", " != ");
  }

  protected oneIf(name: string): string {
    return `${name} ? 1 : 0`;
  }

  protected flag(of: string, type: FlagsType, key: string, bit: number): string {
    return `(${of}.${this.names.memberOf(type, key)} ? ${bit === 31 ? "int.MinValue" : 2 ** bit} : 0)`;
  }

  protected lengthOf(name: string, what: "list" | "bytes" | "text"): string {
    return `${name}.${what === "list" ? "Count" : "Length"}`;
  }

  protected fit(text: string, min: number, max: number, path: string): string {
    return `Fit(${text}, ${min}, ${max === 0x7fff_ffff ? "int.MaxValue" : max}, ${path})`;
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
