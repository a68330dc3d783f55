/** The steps of writers as Rust: functions that write, and functions that count bytes. */
import type { Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import { type Constant, plus } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType } from "../typed/types.ts";
import type { TypedWriter, TypedWriteStep } from "../typed/write.ts";
import { WriterPrinter, type WriteStepOf } from "../typed/writer-printer.ts";
import { bitOf, byteOf, putKnown, putNumber, rustPlaces } from "./places.ts";
import { isCopied, negatedEquals, type RustNames, rustStyle, textLiteral, valuesOf } from "./types.ts";

/** A writing function, which gives the place behind what it wrote. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: RustNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The function that counts the bytes of what a writing function writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: RustNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

const style = rustStyle(["b", "at", "bit", "i", "byte"]);

class Writer extends WriterPrinter<RustNames> {
  protected readonly nextByte = "(bit + 7) >> 3";
  /** Members that may be absent, and were found to be there. */
  #unwrapped: ReadonlySet<string> = new Set();

  constructor(writer: TypedWriter, dialect: TypedDialect, names: RustNames, counts: boolean) {
    super(writer, dialect, names, counts, style, rustPlaces);
    this.members.set("v", "v");
  }

  print(): readonly string[] {
    const { name, value } = this.writer;
    const type = this.names.typeOf(value, "'_");
    const own = this.names.functionOf(name);
    this.lines.indented(() => this.steps(this.body));
    const text = this.lines.toString();
    const start = [
      ...(this.counts && /\bat\b/.test(text) ? ["    let mut at = 0;"] : []),
      ...(/\bbit\b/.test(text) ? ["    let mut bit = 0;"] : []),
    ];
    const at = /\bat \+?= /.test(text) ? "mut at" : "at";
    const head = this.counts
      ? `fn size_of_${own}(v: &${type}) -> Result<usize, WriteError> {`
      : `fn write_${own}(b: &mut [u8], ${at}: usize, v: &${type}) -> Result<usize, WriteError> {`;
    return [head, ...start, ...this.lines.list, "}"];
  }

  protected override steps(steps: readonly TypedWriteStep[]): void {
    const before = this.#unwrapped;
    super.steps(steps);
    this.#unwrapped = before;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected override step(step: TypedWriteStep): void {
    if (step.step !== "require") {
      super.step(step);
      return;
    }
    const name = this.name(step.of);
    if (this.#unwrapped.has(name)) return;
    this.#unwrapped = new Set([...this.#unwrapped, name]);
    this.add(`let ${name} = ${name}.ok_or_else(|| absent(${this.path(step.path)}))?`);
  }

  protected refusal(kind: "unfit" | "absent", path: string): string {
    return `return Err(${kind}(${path}))`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`let ${name} = ${text}`);
  }

  protected setMember(name: string, { type }: WriteStepOf<"get">["member"], text: string): void {
    this.setOwn(name, isCopied(type) ? text : `${text}.as_ref()`);
  }

  protected override giveBack(at: string): void {
    this.add(`return Ok(${at})`);
  }

  /** A number of any type, as the bits that are stored. */
  protected putNumber(place: Place, as: WireInteger, text: string): readonly string[] {
    return putNumber(place, as, word(text));
  }

  protected putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
    return putKnown(place, as, value);
  }

  protected putBig({ of, place }: WriteStepOf<"big">): void {
    this.add(`put_64le(b, ${byteOf(place)}, ${this.name(of)})`);
  }

  protected integer({ of, place, as, min, max, path, isChecked }: WriteStepOf<"integer">): void {
    const type = this.typeOf(of);
    const { bias = 0, divisor = 1 } = as;
    const name = this.name(of);
    const range = type.is === "integer" ? valuesOf[this.names.typeOf(type)] : undefined;
    const isFree = isChecked === true || (range !== undefined && range[0] >= min && range[1] <= max);
    const path_ = this.path(path);
    const text =
      type.is === "real"
        ? `fixed(${name}, ${divisor}, ${min * divisor}, ${max * divisor}, || ${path_})?`
        : isFree
          ? bias === 0
            ? name
            : `${name} as i64`
          : `fit(${name} as i64, ${min}, ${max}, || ${path_})?`;
    const moved = plus(text, bias);
    const [first = "", ...more] = putNumber(place, as, "x");
    if (more.length === 0 && first.split(/\bx\b/).length === 2) {
      this.add(...this.putNumber(place, as, moved));
      return;
    }
    const wire = this.temporary("wire");
    this.add(`let ${wire} = ${word(moved)}`, ...putNumber(place, as, wire));
  }

  protected float({ of, place, order, finite, checks }: WriteStepOf<"float">): void {
    const bits = this.temporary("word");
    const single = `${this.name(of)} as f32`;
    this.setOwn(bits, `float_bits(${finite ? `finite(${single}, || ${this.checkPath(checks[1])})?` : single})`);
    this.add(...putNumber(place, { bits: 32, signed: false, order }, bits));
  }

  protected putSmart({ of, wide, min, max, check }: WriteStepOf<"smart">): string {
    return `put_${wide ? "wide_" : ""}smart(b, at, fit(${this.name(of)} as i64, ${min}, ${max}, || ${this.checkPath(check)})?)`;
  }

  protected number({ to, of, names }: WriteStepOf<"number">, type: EnumType): void {
    const inside = (): void => {
      for (const name of type.names) this.lines.add(`${this.names.literalOf(name, type)} => ${names[name] ?? 0},`);
    };
    this.lines.block(`let ${this.name(to)}: i64 = match ${this.name(of)} {`, inside, "};");
  }

  protected bitBytes({ of, place }: WriteStepOf<"bitBytes">): void {
    this.lines.block(`for (i, byte) in ${this.name(of)}.iter().enumerate() {`, () =>
      this.add(`put_high_bits(b, ${bitOf(place)} + i * 8, 8, u32::from(*byte))`),
    );
  }

  protected putBytes({ of, transform, reversed }: WriteStepOf<"bytes">, at: string, length: string): void {
    const name = this.name(of);
    const isChanged = transform !== undefined || reversed === true;
    const changed = `&changed(&${name}, ${textLiteral(transform ?? "")}, ${reversed === true})`;
    this.add(`b[${at}..${at} + ${length}].copy_from_slice(${isChanged ? changed : `&${name}`})`);
  }

  protected putText({ of, charset, least, check }: WriteStepOf<"text">, at: string): void {
    const put = charset === "latin1" ? "latin1" : "windows_1252";
    this.add(`put_${put}(b, ${at}, &${this.name(of)}, ${least}, || ${this.checkPath(check)})?`);
  }

  protected putZero(at: string): string {
    return `b[${at}] = 0`;
  }

  protected match({ of, cases }: WriteStepOf<"match">): void {
    const name = this.name(of);
    this.lines.block(`match ${name.includes(".") ? "&" : ""}${name} {`, () => {
      for (const { record, as, body } of cases) {
        const union = record.union?.name ?? record.name;
        this.lines.block(`${union}::${record.variant}(${this.name(as)}) => {`, () => this.steps(body));
      }
    });
  }

  protected choose({ of, cases, no, isWhole }: WriteStepOf<"choose">): void {
    const type = this.typeOf(of);
    if (type.is === "boolean" || type.is === "text" || type.is === "real")
      throw new TypeError(`Cannot compile a choice by a ${type.is}`);
    const label = (value: string | number): string =>
      type.is === "enum" ? this.names.literalOf(value, type) : String(value);
    this.lines.block(`match ${this.name(of)} {`, () => {
      for (const { values, body } of cases)
        this.lines.block(`${values.map(label).join(" | ")} => {`, () => this.steps(body));
      if (!isWhole) this.lines.block("_ => {", () => this.steps(no));
    });
  }

  protected list({ of, index, item, body, until, usesItem }: WriteStepOf<"list">): void {
    const { lines } = this;
    const [list, i] = [this.name(of), this.name(index)];
    const each = usesItem ? `${isCopied(this.typeOf(item)) ? "&" : ""}${this.name(item)}` : "_";
    const at = lines.list.length;
    lines.block("", () => {
      const start = this.scope.nameOf(`${item.name} start`);
      if (until !== undefined) this.setOwn(start, "at");
      this.steps(body);
      if (until !== undefined) this.unfit(`b[${start}] == ${until.byte}`, until.check);
    });
    const isCounted = new RegExp(`\\b${i}\\b`).test(lines.list.slice(at + 1).join("\n"));
    const head = isCounted ? `for (${i}, ${each}) in ${list}.iter().enumerate() {` : `for ${each} in ${list}.iter() {`;
    const last = lines.list.at(-1) ?? "";
    lines.list[at] = `${last.slice(0, last.length - 1)}${head}`;
  }

  protected deflate({ of, name, head }: WriteStepOf<"deflate">): void {
    const body = this.temporary("body");
    this.add(`let mut ${body} = vec![0; ${this.call("size", name, [this.name(of)])}]`);
    this.add(this.call("write", name, [`&mut ${body}`, "0", this.name(of)]));
    const packed = `deflate(&${body}, ${head})`;
    if (this.counts) {
      this.add(`at += ${packed}.len()`);
      return;
    }
    const block = this.temporary("block");
    this.add(
      `let ${block} = ${packed}`,
      `b[at..at + ${block}.len()].copy_from_slice(&${block})`,
      `at += ${block}.len()`,
    );
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected path(path: PathUse): string {
    // Who counts does not say where.
    if (this.counts || !path.path.includes("[]")) return `${textLiteral(path.path)}.into()`;
    return `format!(${textLiteral(this.filledPath(path, (index) => `{${index}}`))})`;
  }

  protected notMark({ parts }: WriteStepOf<"notMark">): string {
    return parts.map(({ of, bits, value }) => `(${this.name(of)} as u32 & ${2 ** bits - 1}) == ${value}`).join(" && ");
  }

  protected member(of: string, record: RecordType, key: string): string {
    return `${of}.${this.names.memberOf(record, key)}`;
  }

  protected differs(of: Local, value: Constant): string {
    return negatedEquals(this.equals(of, value));
  }

  protected oneIf(name: string): string {
    return `${name} as u32`;
  }

  protected flag(of: string, type: FlagsType, key: string, bit: number): string {
    return `(${of}.${this.names.memberOf(type, key)} as u32) << ${bit}`;
  }

  protected lengthOf(name: string, what: "list" | "bytes" | "text"): string {
    return what === "text" ? `${name}.chars().count()` : `${name}.len()`;
  }

  protected fit(text: string, min: number, max: number, path: string): string {
    return `fit_length(${text}, ${min}, ${max}, || ${path})?`;
  }

  protected choice(test: string, yes: number, no: number): string {
    return `if ${test} { ${yes} } else { ${no} }`;
  }

  protected call(verb: "write" | "size", name: string, args: readonly string[]): string {
    const own = `&${args.at(-1)}`;
    const all = [...args.slice(0, -1), own].join(", ");
    return `${verb === "size" ? "size_of" : "write"}_${this.names.functionOf(name)}(${all})?`;
  }

  protected override isAbsent(name: string): string {
    return this.#unwrapped.has(name) ? "false" : `${name}.is_none()`;
  }

  protected override isPresent(name: string): string {
    return this.#unwrapped.has(name) ? "true" : `${name}.is_some()`;
  }

  /** A test of what may be absent looks inside of it. */
  protected override test(test: Test): string {
    const local = "zeros" in test ? test.zeros : "of" in test ? test.of : undefined;
    if (local === undefined || !this.writer.isOptional(local)) return super.test(test);
    const name = this.name(local);
    const inner =
      "zeros" in test
        ? this.style.areZeros(name, test.expected)
        : super.test("maybe" in test ? (({ maybe: _, ...own }) => own)(test) : test);
    return this.#unwrapped.has(name) ? inner : `${name}.map_or(false, |${name}| ${inner})`;
  }

  protected negated(test: string): string {
    return `!(${test})`;
  }
}

/** The low 32 bits of a number. */
const word = (text: string): string => (/^[\w.]+$/.test(text) ? `(${text} as u32)` : `((${text}) as u32)`);
