/** The steps of writers as Go: functions that write, and functions that count bytes. */
import type { Local, PathUse, Place, Test, WireInteger } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import { type Constant, plus } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import type { TypedWriter, TypedWriteStep } from "../typed/write.ts";
import { WriterPrinter, type WriteStepOf } from "../typed/writer-printer.ts";
import { formatted } from "./format.ts";
import { bitOf, byteOf, goPlaces, putKnown, putNumber } from "./places.ts";
import { type GoNames, goStyle, isNilable, negatedEquals, textLiteral, valuesOf } from "./types.ts";
import { withoutUnused } from "./unused.ts";

/** A writing function, which gives the place behind what it wrote. */
export function printWriter(writer: TypedWriter, dialect: TypedDialect, names: GoNames): readonly string[] {
  return new Writer(writer, dialect, names, false).print();
}

/** The function that counts the bytes of what a writing function writes. */
export function printSize(writer: TypedWriter, dialect: TypedDialect, names: GoNames): readonly string[] {
  return new Writer(writer, dialect, names, true).print();
}

/** How a value is given to the function that writes it: a record by its address. */
export const givenTo = (type: ValueType, text: string): string => (type.is === "record" ? `&${text}` : text);

const style = goStyle(["b", "at", "bit", "n", "v", "w"]);

class Writer extends WriterPrinter<GoNames> {
  protected readonly nextByte = "(bit + 7) >> 3";
  /** Members that may be absent, and were found to be there: what they point to is meant. */
  #held: ReadonlySet<string> = new Set();
  /** Locals that hold the address of a record. */
  readonly #addresses = new Set<string>(["v"]);

  constructor(writer: TypedWriter, dialect: TypedDialect, names: GoNames, counts: boolean) {
    super(writer, dialect, names, counts, style, goPlaces);
    this.members.set("v", "v");
  }

  print(): readonly string[] {
    const { name, value } = this.writer;
    const type = `${value.is === "record" ? "*" : ""}${this.names.typeOf(value)}`;
    const own = this.names.functionOf(name);
    const head = this.counts
      ? `func sizeOf${own}(w *writer, v ${type}) int {`
      : `func write${own}(w *writer, b []byte, at int, v ${type}) int {`;
    this.lines.indented(() => this.steps(this.body));
    const text = this.lines.toString();
    return [
      head,
      ...withoutUnused([
        ...(this.counts && /\bat\b/.test(text) ? ["\tat := 0"] : []),
        ...(/\bbit\b/.test(text) ? ["\tvar bit int"] : []),
        ...formatted(this.lines.list),
      ]),
      "}",
    ];
  }

  protected override name(local: Local): string {
    const name = super.name(local);
    return this.#held.has(name) ? `*${name}` : name;
  }

  protected override steps(steps: readonly TypedWriteStep[]): void {
    const before = this.#held;
    super.steps(steps);
    this.#held = before;
  }

  /** Whether a local is a pointer because it may be absent; one to a struct is used as the struct is. */
  #isPointer(local: Local): boolean {
    const type = this.typeOf(local);
    return this.writer.isOptional(local) && !isNilable(type) && type.is !== "record" && type.is !== "flags";
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected override step(step: TypedWriteStep): void {
    if (step.step === "require") {
      const name = this.name(step.of);
      if (this.#held.has(name.replace("*", ""))) return;
      super.step(step);
      if (this.#isPointer(step.of)) this.#held = new Set([...this.#held, name]);
    } else super.step(step);
  }

  protected refusal(kind: "unfit" | "absent", path: string): string {
    return `return w.${kind}(at, ${path})`;
  }

  protected setOwn(name: string, text: string): void {
    this.add(`${name} := ${text}`);
  }

  protected setMember(name: string, { type }: WriteStepOf<"get">["member"], text: string): void {
    this.setOwn(name, text);
    if (type.is === "record") this.#addresses.add(name);
  }

  protected putNumber(place: Place, as: WireInteger, text: string): readonly string[] {
    return putNumber(place, as, `uint32(${text})`);
  }

  protected putKnown(place: Place, as: WireInteger, value: number): readonly string[] {
    return putKnown(place, as, value);
  }

  protected putBig({ of, place }: WriteStepOf<"big">): void {
    this.add(`put64le(b, ${byteOf(place)}, ${this.name(of)})`);
  }

  protected integer({ of, place, as, min, max, path, isChecked }: WriteStepOf<"integer">): void {
    const type = this.typeOf(of);
    const { bias = 0, divisor = 1 } = as;
    const name = this.name(of);
    const range = type.is === "integer" ? valuesOf(this.names.typeOf(type)) : undefined;
    const isFree = isChecked === true || (range !== undefined && range[0] >= min && range[1] <= max);
    const path_ = this.path(path);
    const text =
      type.is === "real"
        ? `w.fixed(float64(${name}), ${divisor}, ${min * divisor}, ${max * divisor}, ${path_})`
        : isFree
          ? bias === 0
            ? name
            : `int64(${name})`
          : `w.fit(int64(${name}), ${min}, ${max}, ${path_})`;
    const moved = plus(text, bias);
    const [first = "", ...more] = putNumber(place, as, "uint32(x)");
    if (more.length === 0 && first.split(/\bx\b/).length === 2) {
      this.add(...this.putNumber(place, as, moved));
      return;
    }
    const wire = this.temporary("wire");
    this.add(`${wire} := uint32(${moved})`, ...putNumber(place, as, wire));
  }

  protected float({ of, place, order, finite, checks }: WriteStepOf<"float">): void {
    const single = this.names.typeOf(this.typeOf(of)) === "float32" ? this.name(of) : `float32(${this.name(of)})`;
    const bits = `floatBits(${finite ? `w.finite(${single}, ${this.checkPath(checks[1])})` : single})`;
    const word = this.temporary("word");
    this.add(`${word} := ${bits}`, ...putNumber(place, { bits: 32, signed: false, order }, word));
  }

  protected putSmart({ of, wide, min, max, check }: WriteStepOf<"smart">): string {
    const value = `w.fit(int64(${this.name(of)}), ${min}, ${max}, ${this.checkPath(check)})`;
    return `put${wide ? "Wide" : ""}Smart(b, at, ${value})`;
  }

  protected number({ to, of, names, check }: WriteStepOf<"number">, type: EnumType): void {
    this.add(`var ${this.name(to)} int64`, `switch ${this.name(of)} {`);
    for (const name of type.names) {
      this.lines.add(`case ${this.names.literalOf(name, type)}:`);
      this.lines.indented(() => this.add(`${this.name(to)} = ${names[name] ?? 0}`));
    }
    this.lines.add("default:");
    this.lines.indented(() => this.add(this.refusal("unfit", this.checkPath(check))));
    this.lines.add("}");
  }

  protected bitBytes({ of, place }: WriteStepOf<"bitBytes">): void {
    const name = this.name(of);
    this.lines.block(`for n := range ${name} {`, () =>
      this.add(`putHighBits(b, ${bitOf(place)} + n * 8, 8, uint32(${name}[n]))`),
    );
  }

  protected putBytes({ of, transform, reversed }: WriteStepOf<"bytes">, at: string): void {
    const isChanged = transform !== undefined || reversed === true;
    const name = this.name(of);
    const bytes = isChanged ? `changed(${name}, ${textLiteral(transform ?? "")}, ${reversed === true})` : name;
    this.add(`copy(b[${at}:], ${bytes})`);
  }

  protected putText({ of, charset, least, check }: WriteStepOf<"text">, at: string): void {
    const put = charset === "latin1" ? "putLatin1" : "putWindows1252";
    this.add(`w.${put}(b[${at}:], ${this.name(of)}, ${least}, ${this.checkPath(check)})`);
  }

  protected putZero(at: string): string {
    return `b[${at}] = 0`;
  }

  protected match({ of, cases }: WriteStepOf<"match">): void {
    const own = this.scope.nameOf(`${of.name} value`);
    const head = this.lines.list.length;
    this.lines.add(`switch ${own} := ${this.name(of)}.(type) {`);
    for (const { record, as, body } of cases) {
      this.members.set(as.name, own);
      this.lines.add(`case ${this.names.typeOf(record)}:`);
      this.lines.indented(() => this.steps(body));
    }
    const isUsed = this.lines.list.slice(head + 1).some((line) => new RegExp(`\\b${own}\\b`).test(line));
    if (!isUsed) this.lines.list[head] = (this.lines.list[head] as string).replace(`${own} := `, "");
    this.#orElse(textLiteral(of.name === "v" ? "" : of.name));
  }

  /** The last case of a choice that is whole: what is none of its cases is refused. */
  #orElse(path: string): void {
    this.lines.add("default:");
    this.lines.indented(() => this.add(this.refusal("unfit", path)));
    this.lines.add("}");
  }

  protected choose({ of, cases, no, isWhole }: WriteStepOf<"choose">): void {
    const type = this.typeOf(of);
    if (type.is === "boolean" || type.is === "text" || type.is === "real")
      throw new TypeError(`Cannot compile a choice by a ${type.is}`);
    this.lines.add(`switch ${this.name(of)} {`);
    for (const { values, body } of cases) {
      this.lines.add(`case ${values.map((value) => this.names.literalOf(value, type)).join(", ")}:`);
      this.lines.indented(() => this.steps(body));
    }
    if (isWhole) {
      this.#orElse(textLiteral(of.name));
      return;
    }
    if (no.length > 0) this.lines.add("default:");
    this.lines.indented(() => this.steps(no));
    this.lines.add("}");
  }

  protected list({ of, index, item, body, until, usesItem }: WriteStepOf<"list">): void {
    const { lines } = this;
    const [list, i] = [this.name(of), this.name(index)];
    const at = lines.list.length;
    lines.block("", () => {
      if (usesItem) {
        const isRecord = this.typeOf(item).is === "record";
        this.setOwn(this.name(item), `${isRecord ? "&" : ""}${list}[${i}]`);
        if (isRecord) this.#addresses.add(this.name(item));
      }
      const start = this.scope.nameOf(`${item.name} start`);
      if (until !== undefined) this.setOwn(start, "at");
      this.steps(body);
      if (until !== undefined) this.unfit(`b[${start}] == ${until.byte}`, until.check);
    });
    const isCounted = new RegExp(`\\b${i}\\b`).test(lines.list.slice(at + 1).join("\n"));
    lines.list[at] = `${lines.list.at(-1)?.slice(0, -1)}for ${isCounted ? `${i} := ` : ""}range ${list} {`;
  }

  protected deflate({ of, name, head }: WriteStepOf<"deflate">): void {
    const body = this.temporary("body");
    this.setOwn(body, `make([]byte, ${this.call("size", name, [this.name(of)])})`);
    this.add(this.call("write", name, [body, "0", this.name(of)]));
    const packed = `deflate(${body}, ${head})`;
    if (this.counts) this.add(`at += len(${packed})`);
    else this.add(`at += copy(b[at:], ${packed})`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected path({ path, indexes }: PathUse): string {
    // Who counts does not say where.
    return [textLiteral(path), ...(this.counts ? [] : indexes.map((index) => this.name(index)))].join(", ");
  }

  protected notMark({ parts }: WriteStepOf<"notMark">): string {
    return parts
      .map(({ of, bits, value }) => `uint32(${this.name(of)}) & ${2 ** Math.min(bits, 32) - 1} == ${value}`)
      .join(" && ");
  }

  protected member(of: string, record: RecordType, key: string): string {
    return `${of}.${this.names.memberOf(record, key)}`;
  }

  protected differs(of: Local, value: Constant): string {
    return negatedEquals(this.equals(of, value));
  }

  protected oneIf(name: string): string {
    return `bitIf(${name}, 0)`;
  }

  protected flag(of: string, type: FlagsType, key: string, bit: number): string {
    return `bitIf(${of}.${this.names.memberOf(type, key)}, ${bit})`;
  }

  protected lengthOf(name: string, what: "list" | "bytes" | "text"): string {
    return what === "text" ? `utf8.RuneCountInString(${name})` : `len(${name})`;
  }

  protected fit(text: string, min: number, max: number, path: string): string {
    return `w.fitLength(${text}, ${min}, ${max}, ${path})`;
  }

  protected choice(test: string, yes: number, no: number): string {
    return `either(${test}, ${yes}, ${no})`;
  }

  protected call(verb: "write" | "size", name: string, args: readonly string[]): string {
    const type = this.dialect.writers.find((each) => each.name === name)?.value;
    const last = args.at(-1) ?? "";
    const own = type === undefined || this.#addresses.has(last) ? last : givenTo(type, last);
    return `${verb === "size" ? "sizeOf" : "write"}${this.names.functionOf(name)}(${["w", ...args.slice(0, -1), own].join(", ")})`;
  }

  protected override isAbsent(name: string): string {
    return name.startsWith("*") ? "false" : `${name} == nil`;
  }

  protected override isPresent(name: string): string {
    return name.startsWith("*") ? "true" : `${name} != nil`;
  }

  /** A test of what may be absent looks behind its pointer. */
  protected override test(test: Test): string {
    if (!("of" in test) || !this.#isPointer(test.of) || this.name(test.of).startsWith("*")) return super.test(test);
    const name = this.name(test.of);
    const before = this.#held;
    this.#held = new Set([...before, name]);
    const text = super.test("maybe" in test ? (({ maybe: _, ...own }) => own)(test) : test);
    this.#held = before;
    return `${name} != nil && ${text}`;
  }

  protected negated(test: string): string {
    return `!(${test})`;
  }
}
