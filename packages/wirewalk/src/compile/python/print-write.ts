/** The steps of writers as Python: functions that write, and functions that count bytes. */
import type { Local, PathUse, Place, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import { type Constant, plus } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType } from "../typed/types.ts";
import type { TypedWriter } from "../typed/write.ts";
import { WriterPrinter, type WriteStepOf } from "../typed/writer-printer.ts";
import { bitOf, byteOf, putKnown, putNumber, pythonPlaces, usesOf } from "./places.ts";
import { type PythonNames, pythonStyle, suite, textLiteral } from "./types.ts";

/** A writing function, which gives the place behind what it wrote. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The function that counts the bytes of what a writing function writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

const style = pythonStyle(["b", "at", "bit", "byte", "v"]);

class Writer extends WriterPrinter<PythonNames> {
  protected readonly nextByte = "(bit + 7) >> 3";

  constructor(writer: TypedWriter, dialect: TypedDialect, names: PythonNames, counts: boolean) {
    super(writer, dialect, names, counts, style, pythonPlaces);
    this.members.set("v", "v");
  }

  print(): readonly string[] {
    const { name, value } = this.writer;
    const type = this.names.typeOf(value);
    const own = this.names.functionOf(name);
    const [only] = this.body;
    if (this.counts && this.body.length === 1 && only?.step === "end")
      // Nothing of it depends on the value.
      return [`def _size_of_${own}(v: ${type}) -> int:`, `    return ${only.place.bits / 8}`];
    this.lines.indented(() => this.steps(this.body));
    if (!this.counts) return [`def _write_${own}(b: bytearray, at: int, v: ${type}) -> int:`, ...this.lines.list];
    const start = /\bat\b/.test(this.lines.toString()) ? ["    at = 0"] : [];
    return [`def _size_of_${own}(v: ${type}) -> int:`, ...start, ...this.lines.list];
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected refusal(kind: "unfit" | "absent", path: string): string {
    return `raise _${kind}(${path})`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`${name} = ${text}`);
  }

  protected setMember(name: string, _member: WriteStepOf<"get">["member"], text: string): void {
    this.setOwn(name, text);
  }

  protected putNumber(place: Place, as: WireInteger, text: string): readonly string[] {
    return putNumber(place, as, text);
  }

  protected putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
    return putKnown(place, as, value);
  }

  protected putBig({ of, place, check }: WriteStepOf<"big">): void {
    const text = `_fit(${this.name(of)}, 0, 0xFFFFFFFFFFFFFFFF, ${this.checkPath(check)})`;
    this.add(`_put_64le(b, ${byteOf(place)}, ${text})`);
  }

  protected integer({ of, place, as, min, max, path, isChecked }: WriteStepOf<"integer">): void {
    const { bias = 0, divisor = 1 } = as;
    const name = this.name(of);
    const text =
      this.typeOf(of).is === "real"
        ? `_fixed(${name}, ${divisor}, ${min * divisor}, ${max * divisor}, ${this.path(path)})`
        : isChecked
          ? name
          : this.fit(name, min, max, this.path(path));
    const moved = plus(text, bias);
    if (usesOf(place, as) === 1) {
      this.add(...putNumber(place, as, moved));
      return;
    }
    const wire = this.temporary("wire");
    this.add(`${wire} = ${moved}`, ...putNumber(place, as, wire));
  }

  protected float({ of, place, order, finite, checks }: WriteStepOf<"float">): void {
    const word = this.temporary("word");
    this.setOwn(word, `_f32_word(${this.name(of)}, ${finite ? "True" : "False"}, ${this.checkPath(checks[1])})`);
    this.add(...putNumber(place, { bits: 32, signed: false, order }, word));
  }

  protected putSmart({ of, wide, min, max, check }: WriteStepOf<"smart">): string {
    return `_put_${wide ? "wide_" : ""}smart(b, at, ${this.fit(this.name(of), min, max, this.checkPath(check))})`;
  }

  protected number({ to, of, names, check }: WriteStepOf<"number">, type: EnumType): void {
    this.setOwn(this.name(to), `${this.names.numbersOf(type, names)}.get(${this.name(of)})`);
    this.unfit(`${this.name(to)} is None`, check);
  }

  protected bitBytes({ of, count, place }: WriteStepOf<"bitBytes">): void {
    suite(this.lines, `for byte in range(${count}):`, () =>
      this.add(`_put_high_bits(b, ${bitOf(place)} + byte * 8, 8, ${this.name(of)}[byte])`),
    );
  }

  protected putBytes({ of, transform, reversed }: WriteStepOf<"bytes">, at: string, length: string): void {
    const name = this.name(of);
    const isChanged = transform !== undefined || reversed === true;
    const changed = `_changed(${name}, ${textLiteral(transform ?? "")}, ${reversed === true ? "True" : "False"})`;
    this.add(`b[${at} : ${at} + ${length}] = ${isChanged ? changed : name}`);
  }

  protected putText({ of, charset, least, check }: WriteStepOf<"text">, at: string, length: string): void {
    const put = charset === "latin1" ? "latin1" : "windows_1252";
    this.add(`b[${at} : ${at} + ${length}] = _put_${put}(${this.name(of)}, ${least}, ${this.checkPath(check)})`);
  }

  protected putZero(at: string): string {
    return `b[${at}] = 0`;
  }

  protected match({ of, cases }: WriteStepOf<"match">): void {
    const parts = cases.map(({ record, as, body }) => {
      const inside = (): void => {
        this.members.set(as.name, this.name(of));
        this.steps(body);
      };
      return [`isinstance(${this.name(of)}, ${this.names.typeOf(record)})`, inside] as const;
    });
    const refusal = this.refusal("unfit", textLiteral(of.name === "v" ? "" : of.name));
    this.branches([...parts, [undefined, () => this.add(refusal)]]);
  }

  protected choose({ of, cases, no, isWhole }: WriteStepOf<"choose">): void {
    const isEnum = this.typeOf(of).is === "enum";
    const parts = cases.map(({ values, body }) => {
      const [first = 0] = values;
      const test =
        values.length === 1
          ? this.equals(of, first)
          : isEnum
            ? values.map((value) => this.equals(of, value)).join(" or ")
            : `${this.name(of)} in (${values.join(", ")})`;
      return [test, () => this.steps(body)] as const;
    });
    if (isWhole) {
      const refusal = this.refusal("unfit", textLiteral(of.name));
      this.branches([...parts, [undefined, () => this.add(refusal)]]);
    } else if (cases.length === 0) this.steps(no);
    else this.branches(no.length > 0 ? [...parts, [undefined, () => this.steps(no)]] : parts);
  }

  protected list({ of, index, item, body, until, usesItem }: WriteStepOf<"list">): void {
    const lines = this.lines;
    const [list, i] = [this.name(of), this.name(index)];
    const each = usesItem ? this.name(item) : "_";
    const at = lines.list.length;
    suite(lines, "", () => {
      const start = this.scope.nameOf(`${item.name} start`);
      if (until !== undefined) this.setOwn(start, "at");
      this.steps(body);
      if (until !== undefined) this.unfit(`b[${start}] == ${until.byte}`, until.check);
    });
    const isCounted = new RegExp(`\\b${i}\\b`).test(lines.list.slice(at + 1).join("\n"));
    const head = isCounted ? `for ${i}, ${each} in enumerate(${list}):` : `for ${each} in ${list}:`;
    lines.list[at] = `${indentOf(lines.list[at + 1])}${head}`;
  }

  protected deflate({ of, name, head }: WriteStepOf<"deflate">): void {
    const body = this.temporary("body");
    this.add(`${body} = bytearray(${this.call("size", name, [this.name(of)])})`);
    this.add(this.call("write", name, [body, "0", this.name(of)]));
    const packed = `_deflate(bytes(${body}), ${head})`;
    if (this.counts) {
      this.add(`at += len(${packed})`);
      return;
    }
    const block = this.temporary("block");
    this.add(`${block} = ${packed}`, `b[at : at + len(${block})] = ${block}`, `at += len(${block})`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected path(path: PathUse): string {
    // Who counts does not say where.
    if (this.counts || !path.path.includes("[]")) return textLiteral(path.path);
    return `f${textLiteral(this.filledPath(path, (index) => `{${index}}`))}`;
  }

  protected notMark({ parts }: WriteStepOf<"notMark">): string {
    return parts.map(({ of, bits, value }) => `${this.name(of)} & ${2 ** bits - 1} == ${value}`).join(" and ");
  }

  protected member(of: string, record: RecordType, key: string): string {
    return `${of}.${this.names.memberOf(record, key)}`;
  }

  protected differs(of: Local, value: Constant): string {
    return `not (${this.equals(of, value)})`;
  }

  protected oneIf(name: string): string {
    return `1 if ${name} else 0`;
  }

  protected flag(of: string, type: FlagsType, key: string, bit: number): string {
    return `(${2 ** bit} if ${of}.${this.names.memberOf(type, key)} else 0)`;
  }

  protected lengthOf(name: string): string {
    return `len(${name})`;
  }

  protected fit(text: string, min: number, max: number, path: string): string {
    return `_fit(${text}, ${min}, ${max === 0x7fff_ffff ? "0x7FFFFFFF" : max}, ${path})`;
  }

  protected choice(test: string, yes: number, no: number): string {
    return `${yes} if ${test} else ${no}`;
  }

  protected call(verb: "write" | "size", name: string, args: readonly string[]): string {
    return `_${verb === "size" ? "size_of" : "write"}_${this.names.functionOf(name)}(${args.join(", ")})`;
  }

  protected negated(test: string): string {
    return `not (${test})`;
  }
}

/** What stands before a line that is one level less deep. */
const indentOf = (inside = ""): string => " ".repeat(inside.length - inside.trimStart().length - 4);
