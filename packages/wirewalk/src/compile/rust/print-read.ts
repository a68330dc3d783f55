/** The steps of readers as Rust. */
import type { CheckUse, Local, PathUse, Place, ReadStep, Test, Value } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { type NumberSource, ReaderPrinter, type ReadStepOf } from "../typed/reader-printer.ts";
import { piecesText } from "../typed/refusals.ts";
import { type Constant, here } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { bitOf, byteOf, integerAt, loadedType, rustPlaces } from "./places.ts";
import { negatedEquals, pathText, type RustNames, rustStyle, textLiteral } from "./types.ts";

/** A reading function, which gives the value and the place behind it. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: RustNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

const style = rustStyle(["b", "at", "bit", "end", "claimed", "error", "item", "near", "next", "found"]);

class Reader extends ReaderPrinter<RustNames> {
  protected readonly bitOfByte = "bit & !7";
  protected readonly nextByte = "(bit + 7) >> 3";
  protected readonly isSmartShort = "b[at] < 128";

  constructor(reader: TypedReader, dialect: TypedDialect, names: RustNames) {
    super(reader, dialect, names, style, rustPlaces);
  }

  print(): readonly string[] {
    const { fn, result } = this.reader;
    this.lines.indented(() => this.steps(fn.body));
    const text = this.lines.toString();
    const lifetime = this.names.lifetimeOf(result);
    const bytes = lifetime === "" ? "&[u8]" : "&'a [u8]";
    const claimed = fn.claims ? ", claimed: usize" : "";
    const at = /\bat \+?= /.test(text) ? "mut at" : "at";
    return [
      `fn read_${this.names.functionOf(fn.name)}${lifetime}(b: ${bytes}, ${at}: usize${claimed}) -> Result<(${this.names.typeOf(result)}, usize), WireError> {`,
      ...(/\bend\b/.test(text) ? ["    let end = b.len();"] : []),
      ...(/\bbit\b/.test(text) ? ["    let mut bit = 0;"] : []),
      ...this.lines.list,
      "}",
    ];
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  #type(local: Local): string {
    const type = this.names.typeOf(this.typeOf(local));
    return this.reader.isOptional(local) ? `Option<${type}>` : type;
  }

  protected set(local: Local, text: string, source?: NumberSource): void {
    if (local.isMerged) this.assign(local, text, source);
    else if (source === "int") this.add(`let ${this.name(local)} = ${text}`);
    else this.add(`let ${this.name(local)}: ${this.#type(local)} = ${text}`);
  }

  protected assign(local: Local, text: string, source?: NumberSource): void {
    const type = this.typeOf(local);
    const isNumber = type.is === "integer" || type.is === "real";
    const from = typeof source === "object" && "as" in source ? loadedType(source.as) : undefined;
    const isTaken = typeof source === "object" && "value" in source;
    // What comes from another local has been turned into the type already.
    const own =
      isNumber && !isTaken && from !== this.names.typeOf(type) ? `(${text}) as ${this.names.typeOf(type)}` : text;
    const isOptional = isTaken && source.value.is === "local" && this.reader.isOptional(source.value.local);
    this.add(`${this.name(local)} = ${this.reader.isOptional(local) && !isOptional ? `Some(${own})` : own}`);
  }

  protected setOwn(name: string, text: string): void {
    this.add(`let ${name} = ${text}`);
  }

  protected declareUnset(local: Local): void {
    if (!local.isMerged) this.add(`let ${this.name(local)}: ${this.#type(local)}`);
  }

  protected declareFilled(local: Local, fill: Constant | undefined): void {
    const isOptional = this.reader.isOptional(local);
    const value = fill === undefined ? "None" : this.names.literalOf(fill, this.typeOf(local));
    const own = fill !== undefined && isOptional ? `Some(${value})` : value;
    if (fill === undefined && !isOptional) this.add(`let ${this.name(local)}: ${this.#type(local)}`);
    else this.add(`let mut ${this.name(local)}: ${this.#type(local)} = ${own}`);
  }

  /** A path with the numbers of its indexes. */
  #path(path: PathUse): string {
    const filled = this.filledPath(path, (index) => `{${index}}`);
    return pathText(filled, path.path.includes("[]"));
  }

  protected refuseAt({ indexes }: CheckUse, code: string, path: string, bit: string): string {
    return `return Err(WireError::new(Code::${pascal(code)}, ${this.#path({ path, indexes })}, ${bit}))`;
  }

  protected cut(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    const { indexes } = use;
    if (refusal.is === "at") return `return Err(truncated(${this.#path({ path: refusal.path, indexes })}, ${bit}))`;
    const [first] = refusal.pieces;
    if (refusal.is === "cut" && refusal.pieces.length === 1 && first !== undefined)
      return `return Err(truncated(${this.#path({ path: first.path, indexes })}, ${bit}))`;
    const items = refusal.is === "cuts" ? `_items(${refusal.itemBits}, ` : "(";
    const list = `&[${indexes.map((index) => this.name(index)).join(", ")}]`;
    return `return Err(cut${items}${textLiteral(piecesText(refusal.pieces))}, ${list}, ${bit}, end))`;
  }

  protected nameOfEnum({ to, of, names, check, place }: ReadStepOf<"name">, type: EnumType): void {
    const inside = (): void => {
      for (const [name, number] of Object.entries(names))
        this.lines.add(`${number} => ${some(this.names.literalOf(name, type))},`);
      this.lines.add(`_ => ${this.refuse(check, bitOf(place))},`);
    };
    const isOptional = this.reader.isOptional(to);
    const some = (text: string): string => (isOptional ? `Some(${text})` : text);
    this.lines.block(`${to.isMerged ? "" : "let "}${this.name(to)} = match ${this.name(of)} {`, inside, "};");
  }

  protected zeroText({ to, limit, charset, checks }: ReadStepOf<"zeroText">): void {
    const zero = this.scope.nameOf(`${to.name} end`);
    const [noEnd, long] = checks;
    // Bytes that end within a character are named by where they end.
    const isAt = this.dialect.refusalOf(noEnd).is === "at";
    const cut = isAt ? this.refuse(noEnd, bitOf(here)) : this.cut(noEnd, this.endBit);
    const inside = (): void =>
      this.lines.add("Ok(found) => found,", `Err(true) => ${this.refuse(long, bitOf(here))},`, `Err(false) => ${cut},`);
    this.lines.block(`let ${zero} = match zero_at(b, at, ${limit}) {`, inside, "};");
    this.set(to, `${textOf(charset)}(&b[at..${zero}])`);
    this.add(`at = ${zero} + 1`);
  }

  protected switchOn({ of, cases, no }: ReadStepOf<"switch">): void {
    this.lines.block(`match ${this.name(of)} {`, () => {
      for (const { values, body } of cases) this.lines.block(`${values.join(" | ")} => {`, () => this.steps(body));
      this.lines.block("_ => {", () => this.steps(no));
    });
  }

  protected override near(bytes: number): string {
    this.add(`let near = &b[at..at + ${bytes}]`);
    return "near";
  }

  /** Items that cannot be refused are collected, so that the list does not look at its room for each. */
  protected override step(step: ReadStep): void {
    if (step.step !== "list" || !step.isBounded || !step.body.every(isPlain)) {
      super.step(step);
      return;
    }
    const { to, index, count, body, item } = step;
    const type = this.typeOf(to);
    this.emptyList(to, type, count, true);
    const length = typeof count === "number" ? `${count}usize` : `${this.name(count)} as usize`;
    this.lines.block(
      `${this.name(to)}.extend((0..${length}).map(|${this.name(index)}| {`,
      () => {
        this.steps(body);
        this.lines.add(this.item(item, type));
      },
      "}));",
    );
  }

  protected emptyList(to: Local, type: ValueType, count?: number | Local, isBounded = false): void {
    const length = typeof count === "object" ? this.count(count) : String(count);
    const size = isBounded ? length : `(${length}).min(255)`;
    const made = count === undefined ? "Vec::new()" : `Vec::with_capacity(${size})`;
    this.add(`let mut ${this.name(to)}: ${this.names.typeOf(type)} = ${made}`);
  }

  protected append(to: Local, item: string): void {
    this.add(`${this.name(to)}.push(${item})`);
  }

  protected loop(index: Local, length: string, inside: () => void): void {
    const to = /^\d+$/.test(length) ? `${length}usize` : `${length} as usize`;
    this.lines.block(`for ${this.name(index)} in 0..${to} {`, inside);
  }

  protected endless(index: Local, inside: () => void): void {
    this.lines.block(`for ${this.name(index)} in 0usize.. {`, inside);
  }

  protected tolerant({ to, name, limit, check }: ReadStepOf<"tolerant">): void {
    this.emptyList(to, this.typeOf(to));
    this.lines.block("while at < end {", () => {
      this.when(`${this.name(to)}.len() == ${limit}`, this.refuse(check, bitOf(here)));
      this.lines.block(`match ${this.#read(name)} {`, () => {
        this.lines.block("Ok((item, next)) => {", () => this.add(`${this.name(to)}.push(item)`, "at = next"));
        this.lines.add("Err(_) => break,");
      });
    });
  }

  #read(name: string, args = "b, at"): string {
    return `read_${this.names.functionOf(name)}(${args})`;
  }

  protected call({ to, name, path }: ReadStepOf<"call">): void {
    const within = path.path === "" ? "" : `.map_err(|error| error.within(${this.#path(path)}))`;
    this.add(`let (${this.name(to)}, next) = ${this.#read(name)}${within}?`, "at = next");
  }

  protected sized({ to, name, size, extra, claims, start, checks }: ReadStepOf<"sized">): void {
    const until = this.scope.nameOf(`${to.name} end`);
    const wrong = this.refuseAt(checks.small, "bad-length", this.dialect.pathOf(checks.small), bitOf(start));
    const end = `at.saturating_add(${this.count(size)})`;
    this.setOwn(until, extra === 0 ? end : `${end}.saturating_sub(${extra})`);
    const args = `&b[..${until}.clamp(at, end)], at${claims ? `, ${until}.max(at)` : ""}`;
    const inside = (): void =>
      this.lines.add(
        "Ok(found) => found,",
        // Where what it measures ended too early and the bytes go on, the size is wrong.
        `Err(error) if ${until} < end && error.is_cut => ${wrong},`,
        `Err(error) => return Err(error.within(${this.#path(checks.path)})),`,
      );
    this.lines.block(`let (${this.name(to)}, next) = match ${this.#read(name, args)} {`, inside, "};");
    this.when(`next != ${until}`, wrong);
    this.add("at = next");
  }

  protected inflate({ to, name, limit, ignoreReserved, exact, checks }: ReadStepOf<"inflate">): void {
    const block = this.dialect.refusalOf(checks.block);
    const path = this.#path({ path: block.is === "at" ? block.path : "", indexes: checks.block.indexes });
    const body = this.scope.nameOf(`${to.name} body`);
    const size = exact === undefined ? "None" : `Some(${exact})`;
    this.setOwn(body, `inflate(b, at, ${limit}, ${ignoreReserved}, ${size}, &${path})?`);
    const refused = (error: string): string => `return Err(refused_body(b, at, ${error}, ${this.#path(checks.body)}))`;
    const inside = (): void =>
      this.lines.add(
        `Ok((found, next)) if next == ${body}.len() => found,`,
        `Ok((_, next)) => ${refused('WireError::new(Code::Trailing, "", next * 8)')},`,
        `Err(error) => ${refused("error")},`,
      );
    this.lines.block(`let ${this.name(to)} = match ${this.#read(name, `&${body}, 0`)} {`, inside, "};");
    this.add("at = end");
  }

  protected giveBack(value: string, at: string): void {
    this.add(`return Ok((${value}, ${at}))`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected count(local: Local): string {
    return `(${this.name(local)} as usize)`;
  }

  protected override product(name: string, unit: number): string {
    return unit === 1 ? `${name} as usize` : `(${name} as usize).saturating_mul(${unit})`;
  }

  protected bigAt(place: Place): string {
    return `u64le(b, ${byteOf(place)})`;
  }

  protected floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string {
    return `f32::from_bits(${integerAt(place, { bits: 32, signed: false, order })})${finite ? " + 0.0" : ""}`;
  }

  protected isNotFinite(name: string): string {
    return `!${name}.is_finite()`;
  }

  protected isOne(name: string): string {
    return `${name} == 1`;
  }

  protected hasBit(name: string, bit: number): string {
    return `(${name} as u32) & ${2 ** bit} != 0`;
  }

  protected part(of: Local, shift: number, mask: number): string {
    const type = this.names.typeOf({ is: "integer", min: 0, max: mask });
    return `((${this.name(of)} as u32) >> ${shift} & ${mask}) as ${type}`;
  }

  protected bytesOfBits(place: Place, count: string): string {
    return this.#owned(`bytes_of_bits(b, ${bitOf(place)}, ${count})`);
  }

  #owned(text: string): string {
    return this.names.borrows ? `Cow::Owned(${text})` : text;
  }

  protected bytes({ place, transform, reversed }: ReadStepOf<"bytes">, count: string): string {
    const run = `&${slice(place, count)}`;
    if (transform !== undefined || reversed === true)
      return this.#owned(`changed(${run}, ${textLiteral(transform ?? "")}, ${reversed === true})`);
    return this.names.borrows ? `Cow::Borrowed(${run})` : `${run.slice(1)}.to_vec()`;
  }

  protected text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string {
    return `${textOf(charset)}(&${slice(place, count)})`;
  }

  protected hasPadding(isLow: boolean): string {
    const padding = isLow ? "b[bit >> 3] >> (bit & 7)" : "high_bits(b, bit, 8 - (bit & 7))";
    return `bit & 7 != 0 && ${padding} != 0`;
  }

  protected wideShort(name: string): readonly string[] {
    return [`${name} = if u16be(b, at) == 32767 { -1 } else { u16be(b, at) as i32 as _ }`];
  }

  protected smartAt(_name: string, kind: "byte" | "long" | "wideLong"): string {
    return { byte: "b[at] as _", long: "(u16be(b, at) & 0x7fff) as _", wideLong: "(u32be(b, at) & 0x7fffffff) as _" }[
      kind
    ];
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

  /** A test of what may be absent looks inside of it. */
  protected override test(test: Test): string {
    if ("zeros" in test && test.maybe) {
      const name = this.name(test.zeros);
      return `${name}.as_ref().map_or(false, |${name}| ${this.style.areZeros(name, test.expected)})`;
    }
    if (!("of" in test) || "oneOf" in test || !test.maybe) return super.test(test);
    const { maybe: _, ...own } = test;
    const name = this.name(test.of);
    return `${name}.clone().map_or(false, |${name}| ${super.test(own)})`;
  }

  protected negated(test: Test, text: string): string {
    if (!("of" in test) || "oneOf" in test || test.maybe !== undefined || test.not !== undefined) return `!(${text})`;
    if (test.is !== undefined) return negatedEquals(text);
    return / && | \|\| /.test(text)
      ? `!(${text})`
      : text.replace(/ (==|<=|>=) (?=\S+$)/, (_, sign: string) => ` ${opposite[sign]} `);
  }

  protected local(local: Local, type: ValueType): string {
    const name = this.name(local);
    const [from, to] = [this.names.typeOf(this.typeOf(local)), this.names.typeOf(type)];
    const isNumber = type.is === "integer" || type.is === "real";
    if (!isNumber || from === to) return name;
    return this.reader.isOptional(local) ? `${name}.map(|${name}| ${name} as ${to})` : `${name} as ${to}`;
  }

  /** Members that may be absent are options, whatever their value is here. */
  protected override value(value: Value, type: ValueType): string {
    if (value.is !== "object" || (value.fields.length === 1 && value.fields[0]?.key === "..."))
      return super.value(value, type);
    const { record, values } = this.reader.recordOf(value);
    const args = values.map(({ member, value: inner }) => {
      const text = this.value(inner, member.type);
      const isOption = inner.is === "local" && this.reader.isOptional(inner.local);
      if (isOption && !member.isOptional) throw new TypeError(`Cannot compile ${member.key}: it may be absent`);
      const name = this.names.memberOf(record, member.key);
      const own = member.isOptional && !isOption ? `Some(${text})` : text;
      return own === name ? name : `${name}: ${own}`;
    });
    return this.construct(record, args);
  }

  protected construct(record: RecordType, args: readonly string[]): string {
    const made = `${record.name} {${args.length === 0 ? "" : ` ${args.join(", ")} `}}`;
    return record.union === undefined ? made : `${record.union.name}::${record.variant}(${made})`;
  }

  protected flags(type: FlagsType, tests: readonly string[]): string {
    const members = Object.keys(type.flags).map((key, index) => `${this.names.memberOf(type, key)}: ${tests[index]}`);
    return `${type.name} { ${members.join(", ")} }`;
  }
}

/** Whether a step only loads. */
const isPlain = ({ step }: ReadStep): boolean =>
  ["integer", "big", "boolean", "flags", "part", "advance"].includes(step);

const opposite: Readonly<Record<string, string>> = { "==": "!=", "<=": ">", ">=": "<" };

/** `BadValue` of `bad-value`. */
const pascal = (code: string): string => code.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/** Some bytes at a place. */
function slice(place: Place, count: string): string {
  const from = byteOf(place);
  return `b[${from}..${from} + ${count}]`;
}

const textOf = (charset: "latin1" | "windows-1252"): string => (charset === "latin1" ? "latin1" : "windows_1252");
