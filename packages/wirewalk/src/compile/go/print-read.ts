/** The steps of readers as Go. */
import type { CheckUse, Local, PathUse, Place, ReadStep, Test, Value } from "../steps.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { MemberValue, TypedReader } from "../typed/read.ts";
import { type NumberSource, ReaderPrinter, type ReadStepOf } from "../typed/reader-printer.ts";
import { piecesText } from "../typed/refusals.ts";
import { type Constant, here } from "../typed/step-printer.ts";
import type { EnumType, FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { formatted } from "./format.ts";
import { bitOf, byteOf, goPlaces, integerAt, loadedType } from "./places.ts";
import { exportedCase, type GoNames, goStyle, isNilable, negatedEquals, textLiteral } from "./types.ts";
import { withoutUnused } from "./unused.ts";

/** A reading function, which gives the value, the place behind it, and what was refused. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: GoNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

const style = goStyle(["b", "at", "bit", "claimed", "end", "err", "item", "next", "v"]);

class Reader extends ReaderPrinter<GoNames> {
  protected readonly bitOfByte = "bit &^ 7";
  protected readonly nextByte = "(bit + 7) >> 3";
  protected readonly isSmartShort = "b[at] < 128";
  /** Of the smart that is being read. */
  #smartType = "";
  /** Locals that stand in an item of a list from the start: they are not copied into it. */
  readonly #places = new Map<string, string>();
  #nears = 0;
  /** Locals that were found to be there. */
  readonly #held = new Set<string>();

  constructor(reader: TypedReader, dialect: TypedDialect, names: GoNames) {
    super(reader, dialect, names, style, goPlaces);
  }

  print(): readonly string[] {
    const { fn, result } = this.reader;
    this.lines.indented(() => this.steps(fn.body));
    const text = this.lines.toString();
    const claimed = fn.claims ? ", claimed int" : "";
    const own = this.names.typeOf(result);
    return [
      `func read${this.names.functionOf(fn.name)}(b []byte, at int${claimed}) (v ${own}, next int, err *WireError) {`,
      ...withoutUnused([
        ...(/\bend\b/.test(text) ? ["\tend := len(b)"] : []),
        ...(/\bbit\b/.test(text) ? ["\tvar bit int"] : []),
        ...formatted(this.lines.list),
      ]),
      "}",
    ];
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  #type(local: Local): string {
    return this.names.memberTypeOf(this.typeOf(local), this.reader.isOptional(local));
  }

  /** Whether a local is a pointer, so that it may be absent. */
  #isPointer(local: Local): boolean {
    return this.reader.isOptional(local) && !isNilable(this.typeOf(local));
  }

  protected override name(local: Local): string {
    const place = this.#places.get(local.name);
    if (place !== undefined) return place;
    return this.#held.has(local.name) ? `*${super.name(local)}` : super.name(local);
  }

  protected override step(step: ReadStep): void {
    if (step.step === "list" && step.isBounded) {
      this.#boundedList(step);
      return;
    }
    if (step.step === "smart") this.#smartType = this.names.typeOf(this.typeOf(step.to));
    super.step(step);
  }

  /** A list that is made with all its items: each is read into its place. */
  #boundedList({ to, index, count, body, item }: ReadStepOf<"list">): void {
    const type = this.typeOf(to);
    this.emptyList(to, type, count, true);
    const place = `${this.name(to)}[${this.name(index)}]`;
    const head = this.lines.list.length;
    this.lines.block(`for ${this.name(index)} := range ${this.name(to)} {`, () => {
      if (type.is !== "list") throw new TypeError("Cannot compile items of what is no list");
      const plain = plainlySet(body);
      /** Whether a local can stand in a place of a type. */
      const fits = (value: Value, own: ValueType): value is Extract<Value, { is: "local" }> =>
        value.is === "local" &&
        plain.has(value.local.name) &&
        !this.reader.isOptional(value.local) &&
        this.names.typeOf(this.typeOf(value.local)) === this.names.typeOf(own);
      const isRecord =
        item.is === "object" && type.item.is === "record" && item.fields.every(({ key }) => key !== "...");
      if (isRecord) {
        const { record, values } = this.reader.recordOf(item);
        const name = this.scope.nameOf(`${to.name} place`);
        if (values.length > 0) this.add(`${name} := &${place}`);
        const own = values.filter(({ member, value }) => !member.isOptional && fits(value, member.type));
        for (const { member, value } of own)
          if (value.is === "local")
            this.#places.set(value.local.name, `${name}.${this.names.memberOf(record, member.key)}`);
        this.steps(body);
        for (const each of values)
          if (!own.includes(each)) this.add(`${name}.${this.#member(record, each).replace(": ", " = ")}`);
        for (const { value } of own) if (value.is === "local") this.#places.delete(value.local.name);
      } else if (fits(item, type.item)) {
        this.#places.set(item.local.name, place);
        this.steps(body);
        this.#places.delete(item.local.name);
      } else {
        this.steps(body);
        this.add(`${place} = ${this.item(item, type)}`);
      }
    });
    const opened = this.lines.list[head] ?? "";
    // Go refuses an index that nothing asks for.
    const isAsked = this.lines.list.slice(head + 1).some((line) => new RegExp(`\\b${this.name(index)}\\b`).test(line));
    if (!isAsked) this.lines.list[head] = opened.replace(`${this.name(index)} := `, "");
  }

  protected override near(bytes: number): string {
    const name = this.scope.nameOf(this.#nears === 0 ? "near" : `near ${this.#nears}`);
    this.#nears += 1;
    this.add(`${name} := b[at:][:${bytes}]`);
    return name;
  }

  protected set(local: Local, text: string, source?: NumberSource): void {
    if (local.isMerged || this.#places.has(local.name)) this.assign(local, text, source);
    else this.add(`${this.name(local)} := ${text}`);
  }

  protected assign(local: Local, text: string, source?: NumberSource): void {
    const type = this.typeOf(local);
    const isNumber = type.is === "integer" || type.is === "real";
    const from = typeof source === "object" && "as" in source ? loadedType(source.as) : undefined;
    const isTaken = typeof source === "object" && "value" in source;
    const isConstant = isTaken && source.value.is === "constant";
    const isTyped = isTaken && source.value.is === "local";
    const to = this.names.typeOf(type);
    const isPointer = this.#isPointer(local);
    const isOptional = isTyped && source.value.is === "local" && this.reader.isOptional(source.value.local);
    // What comes from another local has been turned into the type already.
    const own = isNumber && !isTyped && from !== to && (isPointer || !isConstant) ? `${to}(${text})` : text;
    this.add(`${this.name(local)} = ${isPointer && !isOptional ? `ptr(${own})` : own}`);
  }

  protected setOwn(name: string, text: string): void {
    this.add(`${name} := ${text}`);
  }

  protected declareUnset(local: Local): void {
    if (!local.isMerged && !this.#places.has(local.name)) this.add(`var ${this.name(local)} ${this.#type(local)}`);
  }

  protected declareFilled(local: Local, fill: Constant | undefined): void {
    const name = this.name(local);
    const type = this.typeOf(local);
    const value = fill === undefined ? "" : this.names.literalOf(fill, type);
    const own = this.#isPointer(local) && value !== "" ? `ptr(${this.names.typeOf(type)}(${value}))` : value;
    const isZero = ["", "0", "false", '""'].includes(own);
    if (this.#places.has(local.name)) {
      if (!isZero) this.add(`${name} = ${own}`);
    } else if (isZero) this.add(`var ${name} ${this.#type(local)}`);
    else if (type.is === "integer" || type.is === "real") this.add(`var ${name} ${this.#type(local)} = ${own}`);
    else this.add(`${name} := ${own}`);
  }

  #indexes(indexes: readonly Local[]): string {
    return indexes.map((index) => `, ${this.name(index)}`).join("");
  }

  protected refuseAt({ indexes }: CheckUse, code: string, path: string, bit: string): string {
    return `return v, at, refuse(Code${exportedCase(code)}, ${textLiteral(path)}, ${bit}${this.#indexes(indexes)})`;
  }

  protected cut(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    const indexes = this.#indexes(use.indexes);
    if (refusal.is === "at") return `return v, at, truncated(${textLiteral(refusal.path)}, ${bit}${indexes})`;
    const [first] = refusal.pieces;
    if (refusal.is === "cut" && refusal.pieces.length === 1 && first !== undefined)
      return `return v, at, truncated(${textLiteral(first.path)}, ${bit}${indexes})`;
    const items = refusal.is === "cuts" ? `Items(${refusal.itemBits}, ` : "(";
    return `return v, at, cut${items}${textLiteral(piecesText(refusal.pieces))}, ${bit}, end${indexes})`;
  }

  #within({ path, indexes }: PathUse): string {
    return path === "" ? "err" : `err.within(${textLiteral(path)}${this.#indexes(indexes)})`;
  }

  protected nameOfEnum({ to, of, names, check, place }: ReadStepOf<"name">, type: EnumType): void {
    this.declareUnset(to);
    this.lines.add(`switch ${this.name(of)} {`);
    for (const [name, number] of Object.entries(names)) {
      const value = this.names.literalOf(name, type);
      this.lines.add(`case ${number}:`);
      this.lines.indented(() => this.add(`${this.name(to)} = ${this.#isPointer(to) ? `ptr(${value})` : value}`));
    }
    this.#otherwise(() => this.add(this.refuse(check, bitOf(place))));
  }

  /** The last case of a choice, and its end. */
  #otherwise(inside: () => void): void {
    this.lines.add("default:");
    const before = this.lines.list.length;
    this.lines.indented(inside);
    if (this.lines.list.length === before) this.lines.list.pop();
    this.lines.add("}");
  }

  protected zeroText({ to, limit, charset, checks }: ReadStepOf<"zeroText">): void {
    const zero = this.scope.nameOf(`${to.name} end`);
    const [noEnd, long] = checks;
    this.setOwn(zero, `zeroAt(b, at, ${limit})`);
    this.when(`${zero} == -2`, this.refuse(long, bitOf(here)));
    // Bytes that end within a character are named by where they end.
    const isAt = this.dialect.refusalOf(noEnd).is === "at";
    this.when(`${zero} < 0`, isAt ? this.refuse(noEnd, bitOf(here)) : this.cut(noEnd, this.endBit));
    this.set(to, `${charset === "latin1" ? "latin1" : "windows1252"}(b[at:${zero}])`);
    this.add(`at = ${zero} + 1`);
  }

  protected switchOn({ of, cases, no }: ReadStepOf<"switch">): void {
    this.lines.add(`switch ${this.name(of)} {`);
    for (const { values, body } of cases) {
      this.lines.add(`case ${values.join(", ")}:`);
      this.lines.indented(() => this.steps(body));
    }
    this.#otherwise(() => this.steps(no));
  }

  protected emptyList(to: Local, type: ValueType, count?: number | Local, isBounded = false): void {
    const known = typeof count === "object" ? this.count(count) : count;
    const wide = typeof count === "object" ? `int64(${this.name(count)})` : String(count);
    const size = known === undefined ? "0" : isBounded ? String(known) : `0, span(min64(${wide}, 255), 1)`;
    this.add(`${this.name(to)} := make(${this.names.typeOf(type)}, ${size})`);
  }

  protected append(to: Local, item: string): void {
    this.add(`${this.name(to)} = append(${this.name(to)}, ${item})`);
  }

  protected loop(index: Local, length: string, inside: () => void): void {
    const name = this.name(index);
    this.lines.block(
      `for ${name} := 0; ${name} < ${/^\d+$/.test(length) ? length : `int(${length})`}; ${name}++ {`,
      inside,
    );
  }

  protected endless(index: Local, inside: () => void): void {
    this.lines.block(`for ${this.name(index)} := 0; ; ${this.name(index)}++ {`, inside);
  }

  protected tolerant({ to, name, limit, check }: ReadStepOf<"tolerant">): void {
    this.emptyList(to, this.typeOf(to));
    this.lines.block("for at < end {", () => {
      this.when(`len(${this.name(to)}) == ${limit}`, this.refuse(check, bitOf(here)));
      this.add(`item, next, err := ${this.#read(name)}`);
      this.when("err != nil", "break");
      this.append(to, "item");
      this.add("at = next");
    });
  }

  #read(name: string, args = "b, at"): string {
    return `read${this.names.functionOf(name)}(${args})`;
  }

  protected call({ to, name, path }: ReadStepOf<"call">): void {
    this.add(`${this.name(to)}, next, err := ${this.#read(name)}`);
    this.when("err != nil", `return v, at, ${this.#within(path)}`);
    this.add("at = next");
  }

  protected sized({ to, name, size, extra, claims, start, checks }: ReadStepOf<"sized">): void {
    const until = this.scope.nameOf(`${to.name} end`);
    const wrong = this.refuseAt(checks.small, "bad-length", this.dialect.pathOf(checks.small), bitOf(start));
    this.setOwn(until, `at + span(int64(${this.name(size)}), 1)${extra === 0 ? "" : ` - ${extra}`}`);
    const args = `b[:between(${until}, at, end)], at${claims ? `, between(${until}, at, ${until})` : ""}`;
    this.add(`${this.name(to)}, next, err := ${this.#read(name, args)}`);
    this.lines.block("if err != nil {", () => {
      // Where what it measures ended too early and the bytes go on, the size is wrong.
      this.when(`${until} < end && err.isCut`, wrong);
      this.add(`return v, at, ${this.#within(checks.path)}`);
    });
    this.when(`next != ${until}`, wrong);
    this.add("at = next");
  }

  protected inflate({ to, name, limit, ignoreReserved, exact, checks }: ReadStepOf<"inflate">): void {
    const block = this.dialect.refusalOf(checks.block);
    const path = textLiteral(block.is === "at" ? block.path : "");
    const body = this.scope.nameOf(`${to.name} body`);
    const args = `b, at, ${limit}, ${ignoreReserved}, ${exact ?? -1}, ${path}${this.#indexes(checks.block.indexes)}`;
    this.add(`${body}, err := inflate(${args})`);
    this.when("err != nil", "return v, at, err");
    this.add(`${this.name(to)}, next, err := ${this.#read(name, `${body}, 0`)}`);
    this.when(`err == nil && next != len(${body})`, 'err = refuse(CodeTrailing, "", next * 8)');
    const { indexes } = checks.body;
    const refused = `refusedBody(b, at, err, ${textLiteral(checks.body.path)}${this.#indexes(indexes)})`;
    this.when("err != nil", `return v, at, ${refused}`);
    this.add("at = end");
  }

  protected giveBack(value: string, at: string): void {
    this.add(`return ${value}, ${at}, nil`);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  protected count(local: Local): string {
    return `int(${this.name(local)})`;
  }

  protected override product(name: string, unit: number): string {
    return `span(int64(${name}), ${unit})`;
  }

  protected bigAt(place: Place): string {
    return `u64le(b, ${byteOf(place)})`;
  }

  protected floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string {
    const bits = integerAt(place, { bits: 32, signed: false, order });
    return `math.Float32frombits(${bits})${finite ? " + 0" : ""}`;
  }

  protected isNotFinite(name: string): string {
    return `!isFinite(${name})`;
  }

  protected isOne(name: string): string {
    return `${name} == 1`;
  }

  protected hasBit(name: string, bit: number): string {
    return `uint32(${name}) & ${2 ** bit} != 0`;
  }

  protected part(of: Local, shift: number, mask: number): string {
    const type = this.names.typeOf({ is: "integer", min: 0, max: mask });
    return `${type}(uint32(${this.name(of)}) >> ${shift} & ${mask})`;
  }

  protected bytesOfBits(place: Place, count: string): string {
    return `bytesOfBits(b, ${bitOf(place)}, ${count})`;
  }

  protected bytes({ place, transform, reversed }: ReadStepOf<"bytes">, count: string): string {
    const at = byteOf(place);
    if (transform === undefined && reversed !== true) return `b[${at} : ${at} + ${count} : ${at} + ${count}]`;
    return `changed(b[${at} : ${at} + ${count}], ${textLiteral(transform ?? "")}, ${reversed === true})`;
  }

  protected text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string {
    const at = byteOf(place);
    return `${charset === "latin1" ? "latin1" : "windows1252"}(b[${at} : ${at} + ${count}])`;
  }

  protected hasPadding(isLow: boolean): string {
    return `bit & 7 != 0 && ${isLow ? "b[bit >> 3] >> (bit & 7)" : "highBits(b, bit, 8 - (bit & 7))"} != 0`;
  }

  protected wideShort(name: string): readonly string[] {
    return [`${name} = ${this.#smartType}(wideShort(b, at))`];
  }

  protected smartAt(_name: string, kind: "byte" | "long" | "wideLong"): string {
    const text = { byte: "b[at]", long: "u16be(b, at) & 0x7fff", wideLong: "u32be(b, at) & 0x7fffffff" }[kind];
    return `${this.#smartType}(${text})`;
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

  /** A test of what may be absent looks behind its pointer. */
  protected override test(test: Test): string {
    if (!("of" in test) || "oneOf" in test || !test.maybe || !this.#isPointer(test.of)) return super.test(test);
    const { maybe: _, ...own } = test;
    const present = this.isPresent(this.name(test.of));
    this.#held.add(test.of.name);
    const text = super.test(own);
    this.#held.delete(test.of.name);
    return `${present} && ${text}`;
  }

  protected negated(test: Test, text: string): string {
    if (!("of" in test) || "oneOf" in test || test.maybe !== undefined || test.not !== undefined) return `!(${text})`;
    if (test.is !== undefined) return negatedEquals(text);
    return / && | \|\| /.test(text)
      ? text
          .split(" && ")
          .map((each) => opposed(each))
          .join(" || ")
      : opposed(text);
  }

  protected local(local: Local, type: ValueType): string {
    const name = this.name(local);
    const [from, to] = [this.names.typeOf(this.typeOf(local)), this.names.typeOf(type)];
    const isNumber = type.is === "integer" || type.is === "real";
    if (!isNumber || from === to) return name;
    if (this.reader.isOptional(local)) throw new TypeError(`Cannot compile ${local.name}: its type is another`);
    return `${to}(${name})`;
  }

  /** Members that may be absent are pointers, whatever their value is here. */
  protected override value(value: Value, type: ValueType): string {
    if (value.is !== "object" || (value.fields.length === 1 && value.fields[0]?.key === "..."))
      return super.value(value, type);
    const { record, values } = this.reader.recordOf(value);
    return this.construct(
      record,
      values.map((each) => this.#member(record, each)),
    );
  }

  #member(record: RecordType, { member, value: inner }: MemberValue): string {
    const text = this.value(inner, member.type);
    const isOption = inner.is === "local" && this.reader.isOptional(inner.local);
    if (isOption && !member.isOptional) throw new TypeError(`Cannot compile ${member.key}: it may be absent`);
    const isPointer = member.isOptional && !isNilable(member.type) && !isOption;
    // A number that is known has no type yet.
    const typed = inner.is === "constant" ? `${this.names.typeOf(member.type)}(${text})` : text;
    return `${this.names.memberOf(record, member.key)}: ${isPointer ? `ptr(${typed})` : text}`;
  }

  protected construct(record: RecordType, args: readonly string[]): string {
    return `${record.name}{${args.join(", ")}}`;
  }

  protected flags(type: FlagsType, tests: readonly string[]): string {
    const members = Object.keys(type.flags).map((key, index) => `${this.names.memberOf(type, key)}: ${tests[index]}`);
    return `${type.name}{${members.join(", ")}}`;
  }
}

/** Locals that are given their value by a statement of their own: not beside a place in the bytes, not as a list. */
function plainlySet(steps: readonly ReadStep[]): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (own: readonly ReadStep[]): void => {
    for (const step of own)
      switch (step.step) {
        case "integer":
        case "big":
        case "float":
        case "smart":
        case "prefix":
        case "boolean":
        case "flags":
        case "part":
        case "bytes":
        case "text":
        case "zeroText":
        case "set":
        case "name":
          found.add(step.to.name);
          break;
        case "declare":
          found.add(step.local.name);
          break;
        case "switch":
          for (const { body } of step.cases) look(body);
          look(step.no);
          break;
        case "if":
          look(step.yes);
          look(step.no);
          break;
      }
  };
  look(steps);
  return found;
}

const opposite: Readonly<Record<string, string>> = { "==": "!=", "<=": ">", ">=": "<" };

/** The opposite of one comparison. */
const opposed = (text: string): string =>
  text.replace(/ (==|<=|>=) (?=\S+$)/, (_, sign: string) => ` ${opposite[sign]} `);
