/** The steps of readers as Python. */
import type { CheckUse, Local, PathUse, Place, Test } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { ReaderPrinter, type ReadStepOf } from "../typed/reader-printer.ts";
import { piecesText } from "../typed/refusals.ts";
import { type Constant, here } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { bitOf, byteOf, integerAt, pythonPlaces } from "./places.ts";
import { type PythonNames, pythonStyle, suite, textLiteral } from "./types.ts";

/** A reading function, which gives the value and the place behind it. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

const style = pythonStyle(["b", "at", "bit", "end", "claimed", "error", "item"]);

class Reader extends ReaderPrinter<PythonNames> {
  protected readonly bitOfByte = "bit & ~7";
  protected readonly nextByte = "(bit + 7) >> 3";
  protected readonly isSmartShort = "b[at] < 128";

  constructor(reader: TypedReader, dialect: TypedDialect, names: PythonNames) {
    super(reader, dialect, names, style, pythonPlaces);
  }

  print(): readonly string[] {
    const { fn, result } = this.reader;
    const claimed = fn.claims ? ", claimed: int" : "";
    const head = `def _read_${this.names.functionOf(fn.name)}(b: Bytes, at: int, end: int${claimed}) -> tuple[${this.names.typeOf(result)}, int]:`;
    suite(this.lines, head, () => this.steps(fn.body));
    return this.lines.list;
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  protected set(local: Local, text: string): void {
    this.setOwn(this.name(local), text);
  }

  protected assign(local: Local, text: string): void {
    this.set(local, text);
  }

  protected setOwn(name: string, text: string): void {
    this.add(`${name} = ${text}`);
  }

  protected declareUnset(): void {}

  protected declareFilled(local: Local, fill: Constant | undefined): void {
    if (fill !== undefined) this.set(local, this.names.literalOf(fill, this.typeOf(local)));
    else if (this.reader.isOptional(local)) this.set(local, "None");
  }

  /** A path with the numbers of its indexes. */
  #path(path: PathUse): string {
    const text = textLiteral(this.filledPath(path, (index) => `{${index}}`));
    return path.indexes.length === 0 || !path.path.includes("[]") ? text : `f${text}`;
  }

  #read(name: string): string {
    return `_read_${this.names.functionOf(name)}`;
  }

  protected refuseAt({ indexes }: CheckUse, code: string, path: string, bit: string): string {
    return `raise WireError(Code.${code.toUpperCase().replaceAll("-", "_")}, ${this.#path({ path, indexes })}, ${bit})`;
  }

  protected cut(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    const { indexes } = use;
    if (refusal.is === "at") return `raise _truncated(${bit}, ${this.#path({ path: refusal.path, indexes })})`;
    const [first] = refusal.pieces;
    if (refusal.is === "cut" && refusal.pieces.length === 1 && first !== undefined)
      return `raise _truncated(${bit}, ${this.#path({ path: first.path, indexes })})`;
    const more = indexes.map((index) => `, ${this.name(index)}`).join("");
    const items = refusal.is === "cuts" ? `_items(${refusal.itemBits}, ` : "(";
    return `raise _cut${items}${bit}, end, ${textLiteral(piecesText(refusal.pieces))}${more})`;
  }

  protected nameOfEnum({ to, of, names, check, place }: ReadStepOf<"name">, type: EnumType): void {
    this.set(to, `${this.names.namesOf(type, names)}.get(${this.name(of)})`);
    this.when(`${this.name(to)} is None`, this.refuse(check, bitOf(place)));
  }

  protected zeroText({ to, limit, charset, checks }: ReadStepOf<"zeroText">): void {
    const zero = this.scope.nameOf(`${to.name} end`);
    const [noEnd, long] = checks;
    this.setOwn(zero, `_zero_at(b, at, end, ${limit})`);
    this.when(`${zero} == -2`, this.refuse(long, bitOf(here)));
    // Bytes that end within a character are named by where they end.
    const isAt = this.dialect.refusalOf(noEnd).is === "at";
    this.when(`${zero} < 0`, isAt ? this.refuse(noEnd, bitOf(here)) : this.cut(noEnd, this.endBit));
    this.set(to, `${textOf(charset)}(b[at:${zero}])`);
    this.add(`at = ${zero} + 1`);
  }

  protected switchOn({ of, cases, no }: ReadStepOf<"switch">): void {
    if (cases.length === 0) {
      this.steps(no);
      return;
    }
    this.branches([
      ...cases.map(({ values, body }) => {
        const test = values.length === 1 ? `== ${values[0]}` : `in (${values.join(", ")})`;
        return [`${this.name(of)} ${test}`, () => this.steps(body)] as const;
      }),
      ...(no.length > 0 ? [[undefined, () => this.steps(no)] as const] : []),
    ]);
  }

  protected emptyList(to: Local, type: ValueType): void {
    this.add(`${this.name(to)}: ${this.names.typeOf(type)} = []`);
  }

  protected append(to: Local, item: string): void {
    this.add(`${this.name(to)}.append(${item})`);
  }

  protected loop(index: Local, length: string, inside: () => void): void {
    suite(this.lines, `for ${this.name(index)} in range(${length}):`, inside);
  }

  protected endless(index: Local, inside: () => void): void {
    this.add(`${this.name(index)} = 0`);
    suite(this.lines, "while True:", () => {
      inside();
      this.add(`${this.name(index)} += 1`);
    });
  }

  protected tolerant({ to, name, limit, check }: ReadStepOf<"tolerant">): void {
    this.emptyList(to, this.typeOf(to));
    suite(this.lines, "while at < end:", () => {
      this.when(`len(${this.name(to)}) == ${limit}`, this.refuse(check, bitOf(here)));
      suite(this.lines, "try:", () => this.add(`item, at = ${this.#read(name)}(b, at, end)`));
      suite(this.lines, "except WireError:", () => this.add("break"));
      this.append(to, "item");
    });
  }

  /** A call of another reader, whose errors get a path before theirs. */
  #called(statement: string, path: PathUse, before: () => void = () => undefined): void {
    suite(this.lines, "try:", () => this.add(statement));
    suite(this.lines, "except WireError as error:", () => {
      before();
      this.add(`error.within(${this.#path(path)})`, "raise");
    });
  }

  protected call({ to, name, path }: ReadStepOf<"call">): void {
    this.#called(`${this.name(to)}, at = ${this.#read(name)}(b, at, end)`, path);
  }

  protected sized({ to, name, size, extra, claims, start, checks }: ReadStepOf<"sized">): void {
    const until = this.scope.nameOf(`${to.name} end`);
    const reached = this.scope.nameOf(`${to.name} reached`);
    const wrong = this.refuseAt(checks.small, "bad-length", this.dialect.pathOf(checks.small), bitOf(start));
    this.add(`${until} = at + ${this.name(size)}${extra === 0 ? "" : ` - ${extra}`}`);
    const args = `b, at, min(${until}, end)${claims ? `, ${until}` : ""}`;
    this.#called(
      `${this.name(to)}, ${reached} = ${this.#read(name)}(${args})`,
      checks.path,
      // Where what it measures ended too early and the bytes go on, the size is wrong.
      () => this.when(`${until} < end and error.is_cut`, `${wrong} from None`),
    );
    // A start in bits is moved on by what was read: the cursor is set last.
    this.when(`${reached} != ${until}`, wrong);
    this.add(`at = ${reached}`);
  }

  protected inflate({ to, name, limit, ignoreReserved, exact, checks }: ReadStepOf<"inflate">): void {
    const block = this.dialect.refusalOf(checks.block);
    const path = this.#path({ path: block.is === "at" ? block.path : "", indexes: checks.block.indexes });
    const body = this.scope.nameOf(`${to.name} body`);
    const reached = this.scope.nameOf(`${to.name} reached`);
    const reserved = ignoreReserved ? "True" : "False";
    this.setOwn(body, `_inflate(b, at, end, ${limit}, ${reserved}, ${exact ?? "None"}, ${path})`);
    suite(this.lines, "try:", () => {
      this.add(`${this.name(to)}, ${reached} = ${this.#read(name)}(${body}, 0, len(${body}))`);
      this.when(`${reached} != len(${body})`, `raise WireError(Code.TRAILING, "", ${reached} * 8)`);
    });
    suite(this.lines, "except WireError as error:", () =>
      this.add(`raise _refused_body(b, at, end, error, ${this.#path(checks.body)}) from None`),
    );
    this.add("at = end");
  }

  protected giveBack(value: string, at: string): void {
    this.add(`return ${value}, ${at}`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected count(local: Local): string {
    return this.name(local);
  }

  protected bigAt(place: Place): string {
    return `int.from_bytes(${slice(place, "8")}, "little")`;
  }

  protected floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string {
    return `_f32(${integerAt(place, { bits: 32, signed: false, order })})${finite ? " + 0.0" : ""}`;
  }

  protected isNotFinite(name: string): string {
    return `not isfinite(${name})`;
  }

  protected isOne(name: string): string {
    return `${name} == 1`;
  }

  protected hasBit(name: string, bit: number): string {
    return `${name} & ${2 ** bit} != 0`;
  }

  protected part(of: Local, shift: number, mask: number): string {
    return `${this.name(of)} >> ${shift} & ${mask}`;
  }

  protected bytesOfBits(place: Place, count: string): string {
    return `_bytes_of_bits(b, ${bitOf(place)}, ${count})`;
  }

  protected bytes({ place, transform, reversed }: ReadStepOf<"bytes">, count: string): string {
    if (transform === undefined && reversed !== true) return `bytes(${slice(place, count)})`;
    return `_changed(${slice(place, count)}, ${textLiteral(transform ?? "")}, ${reversed === true ? "True" : "False"})`;
  }

  protected text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string {
    return `${textOf(charset)}(${slice(place, count)})`;
  }

  protected hasPadding(isLow: boolean): string {
    return `bit & 7 != 0 and ${isLow ? "b[bit >> 3] >> (bit & 7)" : "_high_bits(b, bit, -bit & 7)"} != 0`;
  }

  protected wideShort(name: string): readonly string[] {
    return [`${name} = -1 if _u16be(b, at) == 32767 else _u16be(b, at)`];
  }

  protected smartAt(_name: string, kind: "byte" | "long" | "wideLong"): string {
    return { byte: "b[at]", long: "_u16be(b, at) - 32768", wideLong: "_u32be(b, at) & 0x7FFFFFFF" }[kind];
  }

  protected nextByteIs({ next, mask, value }: Extract<Test, { next: Place }>): string {
    return `b[${byteOf(next)}] & ${mask} == ${value}`;
  }

  protected byteIs(value: number): string {
    return `b[at] == ${value}`;
  }

  protected masked(name: string, mask: number): string {
    return `${name} & ${mask}`;
  }

  protected negated(_test: Test, text: string): string {
    return / == /.test(text) && !/ (?:and|or|==.*==) /.test(text) ? text.replace(" == ", " != ") : `not (${text})`;
  }

  protected local(local: Local): string {
    return this.name(local);
  }

  protected construct(record: RecordType, args: readonly string[]): string {
    return `${this.names.typeOf(record)}(${args.join(", ")})`;
  }

  protected flags(type: FlagsType, tests: readonly string[]): string {
    return `${this.names.typeOf(type)}(${tests.join(", ")})`;
  }
}

/** Some bytes at a place. */
function slice(place: Place, count: string): string {
  const from = byteOf(place);
  const until =
    /^\d+$/.test(count) && place.base === "at"
      ? byteOf({ ...place, bits: place.bits + 8 * Number(count) })
      : `${from} + ${count}`;
  return `b[${from} : ${until}]`;
}

const textOf = (charset: "latin1" | "windows-1252"): string => (charset === "latin1" ? "_latin1" : "_windows_1252");
