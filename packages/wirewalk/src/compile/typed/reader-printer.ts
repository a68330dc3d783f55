/**
 * Prints the steps of a reader: what they have in common in all languages. A language says how a number is loaded, how a value is made, how
 * another reader is called, and how bytes are refused.
 *
 * @module
 */
import { endsHere } from "../shapes.ts";
import type { CheckUse, Local, Place, ReadStep, Test, Value, WireInteger } from "../steps.ts";
import type { TypedDialect } from "./program.ts";
import type { TypedReader } from "./read.ts";
import {
  type Constant,
  here,
  inBrackets,
  isByte,
  type LanguageNames,
  type PlaceText,
  type PrintStyle,
  StepPrinter,
} from "./step-printer.ts";
import type { RecordType, ValueType } from "./types.ts";

export type ReadStepOf<Kind extends ReadStep["step"]> = Extract<ReadStep, { readonly step: Kind }>;

/** What a printed number is before it is set: loaded as a wire integer, or taken from another local. */
export type NumberSource = { readonly as: WireInteger } | { readonly value: Value } | "int" | undefined;

export abstract class ReaderPrinter<Names extends LanguageNames> extends StepPrinter<Names> {
  protected readonly reader: TypedReader;
  protected readonly places: PlaceText;
  /** The bytes from the cursor on that were taken last. */
  #near: string | undefined;

  protected constructor(
    reader: TypedReader,
    dialect: TypedDialect,
    names: Names,
    style: PrintStyle<Names>,
    places: PlaceText,
  ) {
    super(dialect, names, style);
    this.reader = reader;
    this.places = places;
  }

  /** The whole function. */
  abstract print(): readonly string[];

  // --- Statements of a language ------------------------------------------------------------------------------------------

  /** Gives a local its value: declares it, unless it was declared before. */
  protected abstract set(local: Local, text: string, source?: NumberSource): void;
  /** Gives a local that was declared its value. */
  protected abstract assign(local: Local, text: string, source?: NumberSource): void;
  /** Declares a local that is set in branches. */
  protected abstract declareUnset(local: Local): void;
  /** Declares a local that has a value until it is set; `fill` undefined: none. */
  protected abstract declareFilled(local: Local, fill: Constant | undefined): void;
  /** The statement that refuses at a place in bits. */
  protected abstract refuseAt(use: CheckUse, code: string, path: string, bit: string): string;
  /** The statement that refuses bytes that end too early. */
  protected abstract cut(use: CheckUse, bit: string): string;
  protected abstract nameOfEnum(step: ReadStepOf<"name">, type: Extract<ValueType, { is: "enum" }>): void;
  protected abstract zeroText(step: ReadStepOf<"zeroText">): void;
  protected abstract switchOn(step: ReadStepOf<"switch">): void;
  /** An empty list, for so many items if that is known; `isBounded`: a count that has been checked. */
  protected abstract emptyList(to: Local, type: ValueType, count?: number | Local, isBounded?: boolean): void;
  protected abstract append(to: Local, item: string): void;
  protected abstract loop(index: Local, length: string, inside: () => void): void;
  /** A loop that its body ends. */
  protected abstract endless(index: Local, inside: () => void): void;
  protected abstract tolerant(step: ReadStepOf<"tolerant">): void;
  protected abstract call(step: ReadStepOf<"call">): void;
  protected abstract sized(step: ReadStepOf<"sized">): void;
  protected abstract inflate(step: ReadStepOf<"inflate">): void;
  protected abstract giveBack(value: string, at: string): void;

  // --- Expressions of a language -----------------------------------------------------------------------------------------

  /** A local as a count. */
  protected abstract count(local: Local): string;
  protected abstract bigAt(place: Place): string;
  protected abstract floatAt(place: Place, order: ReadStepOf<"float">["order"], finite: boolean): string;
  protected abstract isNotFinite(name: string): string;
  protected abstract isOne(name: string): string;
  protected abstract hasBit(name: string, bit: number): string;
  protected abstract part(of: Local, shift: number, mask: number): string;
  protected abstract bytesOfBits(place: Place, count: string): string;
  protected abstract bytes(step: ReadStepOf<"bytes">, count: string): string;
  protected abstract text(charset: ReadStepOf<"text">["charset"], place: Place, count: string): string;
  /** Whether bits up to the next byte are set; `isLow`: from the low end of a byte. */
  protected abstract hasPadding(isLow: boolean): string;
  /** A place in bits, moved down to its byte. */
  protected abstract readonly bitOfByte: string;
  /** The byte that covers the last bit that was read. */
  protected abstract readonly nextByte: string;
  /** Whether the next byte is less than 128. */
  protected abstract readonly isSmartShort: string;
  /** Statements that set a smart of two bytes, where the highest means none. */
  protected abstract wideShort(name: string): readonly string[];
  protected abstract smartAt(name: string, kind: "byte" | "long" | "wideLong"): string;
  protected abstract nextByteIs(test: Extract<Test, { next: Place }>): string;
  protected abstract byteIs(value: number): string;
  protected abstract local(local: Local, type: ValueType): string;
  protected abstract construct(record: RecordType, args: readonly string[]): string;
  protected abstract flags(type: Extract<ValueType, { is: "flags" }>, tests: readonly string[]): string;

  // --- Steps -------------------------------------------------------------------------------------------------------------

  protected name({ name }: Local): string {
    return this.scope.nameOf(name);
  }

  protected typeOf(local: Local): ValueType {
    return this.reader.typeOf(local);
  }

  protected mayLack(_local: Local, maybe: boolean | undefined): boolean {
    return maybe === true;
  }

  protected refuse(use: CheckUse, bit: string): string {
    const refusal = this.dialect.refusalOf(use);
    return refusal.is === "at" ? this.refuseAt(use, refusal.code, refusal.path, bit) : this.cut(use, bit);
  }

  protected steps(steps: readonly ReadStep[]): void {
    for (const [index, step] of steps.entries()) {
      this.step(step);
      if (step.step === "need") {
        const bytes = loadedNear(step, steps.slice(index + 1));
        this.#near = bytes < LEAST_NEAR ? undefined : this.near(bytes);
      } else if (!keepsCursor(step)) this.#near = undefined;
    }
  }

  /** Takes so many bytes from the cursor on, which are there, so that a check of bounds is made once for all of them; gives their name. */
  protected near(_bytes: number): string | undefined {
    return undefined;
  }

  protected step(step: ReadStep): void {
    const { bitOf, byteOf } = this.places;
    switch (step.step) {
      case "need":
        this.#need(step);
        return;
      case "integer":
        this.set(step.to, this.places.integerAt(step.place, step.as, this.#near), { as: step.as });
        return;
      case "big":
        this.set(step.to, this.bigAt(step.place));
        return;
      case "float":
        this.set(step.to, this.floatAt(step.place, step.order, step.finite));
        return;
      case "finite":
        this.when(this.isNotFinite(this.name(step.of)), this.refuse(step.check, bitOf(step.place)));
        return;
      case "smart":
        this.#smart(step);
        return;
      case "prefix":
        this.#prefix(step);
        return;
      case "check":
        this.when(this.not(step.test), this.refuse(step.check, bitOf(step.place)));
        return;
      case "name": {
        const entries = Object.entries(step.names);
        const type = entries.length === 1 ? undefined : this.typeOf(step.to);
        if (type?.is === "enum") this.nameOfEnum(step, type);
        else this.when(`${this.name(step.of)} != ${entries[0]?.[1]}`, this.refuse(step.check, bitOf(step.place)));
        return;
      }
      case "boolean":
        this.set(step.to, this.isOne(this.name(step.of)));
        return;
      case "flags": {
        const type = this.typeOf(step.to);
        if (type.is !== "flags") throw new TypeError("Cannot compile flags of what is none");
        this.set(
          step.to,
          this.flags(
            type,
            Object.values(step.flags).map((bit) => this.hasBit(this.name(step.of), bit)),
          ),
        );
        return;
      }
      case "part":
        this.set(step.to, this.part(step.of, step.shift, step.mask));
        return;
      case "bytes": {
        const count = typeof step.count === "number" ? String(step.count) : this.count(step.count);
        this.set(step.to, step.place.base === "bit" ? this.bytesOfBits(step.place, count) : this.bytes(step, count));
        return;
      }
      case "left": {
        const left = `${this.reader.fn.claims ? "claimed" : "end"} - ${inBrackets(byteOf(step.place))}`;
        this.when(`${left} > ${step.limit}`, this.refuse(step.check, bitOf(step.place)));
        this.set(step.to, this.reader.fn.claims ? this.countOf(left) : left, "int");
        return;
      }
      case "zeroText":
        this.zeroText(step);
        return;
      case "text":
        this.set(step.to, this.text(step.charset, step.place, this.count(step.count)));
        return;
      case "advance": {
        const count = step.base === "bit" ? step.bits : step.bits / 8;
        const times = step.times === undefined ? undefined : this.count(step.times);
        this.add(`${step.base} += ${times === undefined ? count : count === 1 ? times : `${times} * ${count}`}`);
        return;
      }
      case "toBits":
        this.add(`bit = ${bitOf(step.place)}`);
        return;
      case "toBytes":
        if (step.check !== undefined) {
          const isLow = step.place.order === "lsb";
          this.when(this.hasPadding(isLow), this.refuse(step.check, isLow ? this.bitOfByte : "bit"));
        }
        this.add(`at = ${this.nextByte}`);
        return;
      case "declare":
        if (this.reader.isUsed(step.local)) this.declareFilled(step.local, step.fill);
        return;
      case "set":
        if (this.reader.isUsed(step.to))
          this.assign(step.to, this.value(step.value, this.typeOf(step.to)), { value: step.value });
        return;
      case "switch":
        this.switchOn(step);
        return;
      case "if":
        this.#if(step);
        return;
      case "list": {
        const { to, index, count, isBounded, body, item } = step;
        const type = this.typeOf(to);
        this.emptyList(to, type, count, isBounded);
        this.loop(index, typeof count === "number" ? String(count) : this.name(count), () => {
          this.steps(body);
          this.append(to, this.item(item, type));
        });
        return;
      }
      case "openList": {
        const { to, index, place, limit, until, check, body, item } = step;
        const type = this.typeOf(to);
        this.emptyList(to, type);
        this.endless(index, () => {
          if (until === undefined) this.when(place.base === "bit" ? `bit >= ${this.endBit}` : "at >= end", "break");
          else this.when(`at < end${this.style.and}${this.byteIs(until)}`, "at += 1", "break");
          this.when(`${this.name(index)} == ${limit}`, this.refuse(check, bitOf({ ...place, bits: 0 })));
          this.steps(body);
          this.append(to, this.item(item, type));
        });
        return;
      }
      case "tolerant":
        this.tolerant(step);
        return;
      case "call":
        this.call(step);
        return;
      case "sized":
        this.sized(step);
        return;
      case "inflate":
        this.inflate(step);
        return;
      case "refuse":
        this.add(this.refuse(step.check, bitOf(step.place)));
        return;
      case "keepFrom":
      case "keepTo":
        // Where bytes lie that can be passed on without being written anew: only the library's own writers take them.
        return;
      case "return":
        this.giveBack(this.value(step.value, this.reader.result), byteOf(step.place));
        return;
      case "fill":
      case "rows":
        throw new TypeError("Cannot happen: rows are read by TypeScript alone");
    }
  }

  #need({ place, bits, times, check }: ReadStepOf<"need">): void {
    const cut = this.cut(check, this.places.bitOf(place));
    if (times !== undefined) {
      const isWhole = isByte(place) && bits % 8 === 0;
      const unit = isWhole ? bits / 8 : bits;
      this.when(`${this.left(place, isWhole)} < ${this.product(this.name(times), unit)}`, cut);
    } else if (place.base === "at") this.when(`end - at < ${Math.ceil((place.bits + bits) / 8)}`, cut);
    else this.when(`${this.endBit} - bit < ${place.bits + bits}`, cut);
  }

  #smart({ to, wide, checks }: ReadStepOf<"smart">): void {
    const [one, long, short] = checks;
    const name = this.name(to);
    const need = (count: number, check: CheckUse): void =>
      this.when(`end - at < ${count}`, this.cut(check, this.places.bitOf(here)));
    need(1, one);
    this.declareUnset(to);
    this.branches([
      [
        this.isSmartShort,
        () => {
          if (wide) need(2, short);
          this.add(
            ...(wide ? this.wideShort(name) : [`${name} = ${this.smartAt(name, "byte")}`]),
            `at += ${wide ? 2 : 1}`,
          );
        },
      ],
      [
        undefined,
        () => {
          need(wide ? 4 : 2, long);
          this.add(`${name} = ${this.smartAt(name, wide ? "wideLong" : "long")}`, `at += ${wide ? 4 : 2}`);
        },
      ],
    ]);
  }

  #prefix({ to, codes, check, place }: ReadStepOf<"prefix">): void {
    const longest = Math.max(...codes.map(({ length }) => length));
    const bits = this.scope.nameOf(`${to.name} bits`);
    this.setOwn(bits, this.places.bitsAt(place, longest));
    this.declareUnset(to);
    const parts = codes.map((code, index) => {
      const low = Number.parseInt(code, 2);
      const fromLow = Number.parseInt([...code].reverse().join(""), 2);
      const test =
        place.order === "lsb"
          ? `${this.masked(bits, 2 ** code.length - 1)} == ${fromLow}`
          : code.length === longest
            ? `${bits} == ${low}`
            : `${bits} >> ${longest - code.length} == ${low}`;
      return [test, () => this.add(`${this.name(to)} = ${index}`)] as const;
    });
    this.branches([...parts, [undefined, () => this.add(this.refuse(check, this.places.bitOf(place)))]]);
  }

  #if({ test, yes, no }: ReadStepOf<"if">): void {
    if (yes.length === 0 && no.length > 0) {
      this.branches([[this.not(test), () => this.steps(no)]]);
      return;
    }
    const isElse = no.length > 0 && !endsHere(yes);
    this.branches([
      [this.test(test), () => this.steps(yes)],
      ...(isElse ? [[undefined, () => this.steps(no)] as const] : []),
    ]);
    if (!isElse) this.steps(no);
  }

  // --- Tests and values --------------------------------------------------------------------------------------------------

  /** A number of a few bits, for this back end alone. */
  protected abstract setOwn(name: string, text: string): void;
  protected abstract masked(name: string, mask: number): string;
  /** A count of bytes of a wider number that has been checked. */
  protected countOf(text: string): string {
    return text;
  }
  protected get endBit(): string {
    return `end * ${this.style.byteBits}`;
  }
  protected product(name: string, unit: number): string {
    return unit === 1 ? name : `${name} * ${unit}`;
  }

  /** What is left from a place on: bytes, or bits. */
  protected left(place: Place, isWhole: boolean): string {
    const { byteOf, bitOf } = this.places;
    return isWhole ? `end - ${inBrackets(byteOf(place))}` : `${this.endBit} - ${inBrackets(bitOf(place))}`;
  }

  protected override testOfBytes(test: Extract<Test, { left: Place } | { bitsAt: Place } | { next: Place }>): string {
    if ("bitsAt" in test)
      return `${this.places.bitsAt(test.bitsAt, test.width)} == ${this.bitsNumber(test.is, test.width)}`;
    if ("next" in test) return this.nextByteIs(test);
    const { left: place, exactly, atLeast, atMost } = test;
    const isWhole = [exactly, atLeast, atMost].every((bits) => bits === undefined || bits % 8 === 0) && isByte(place);
    const unit = isWhole ? 8 : 1;
    const left = this.left(place, isWhole);
    if (exactly !== undefined) return `${left} == ${exactly / unit}`;
    return atLeast !== undefined ? `${left} >= ${atLeast / unit}` : `${left} <= ${(atMost ?? 0) / unit}`;
  }

  /** Bits of a width as `bitsAt` gives them. */
  protected bitsNumber(value: number, _width: number): string {
    return String(value);
  }

  /** The opposite of a test, without a `not` where that is plain. */
  protected not(test: Test): string {
    const text = this.test(test);
    if ("left" in test) return text.replace(/ (==|<=|>=) /, (_, operator: string) => ` ${opposite[operator]} `);
    return this.negated(test, text);
  }

  protected abstract negated(test: Test, text: string): string;

  protected item(value: Value, type: ValueType): string {
    return this.value(value, type.is === "list" ? type.item : type);
  }

  /** A value of a type. */
  protected value(value: Value, type: ValueType): string {
    switch (value.is) {
      case "local":
        return this.local(value.local, type);
      case "constant":
        return this.names.literalOf(value.value, type);
      case "object": {
        const [first] = value.fields;
        if (value.fields.length === 1 && first?.key === "...") return this.value(first.value, type);
        const { record, values } = this.reader.recordOf(value);
        return this.construct(
          record,
          values.map(({ member, value: inner }) => this.value(inner, member.type)),
        );
      }
    }
  }
}

/** What fewer bytes would save is less than what it takes to take them. */
const LEAST_NEAR = 3;

/** Whether a step leaves the cursor where it is, and has no other steps within. */
function keepsCursor({ step }: ReadStep): boolean {
  return ["integer", "check", "name", "boolean", "flags", "part"].includes(step);
}

/** How many bytes from the cursor on a check has found, if the steps behind it load numbers from these alone; else 0. */
function loadedNear({ place, bits, times }: ReadStepOf<"need">, next: readonly ReadStep[]): number {
  const bytes = Math.ceil((place.bits + bits) / 8);
  const end = next.findIndex((step) => !keepsCursor(step));
  const loads = next.slice(0, end === -1 ? next.length : end).filter((step) => step.step === "integer");
  const isNear = ({ place: { base, order, bits: from }, as }: ReadStepOf<"integer">): boolean =>
    base === "at" && order === "bytes" && from % 8 === 0 && from + as.bits <= bytes * 8;
  return place.base === "at" && times === undefined && loads.length > 0 && loads.every(isNear) ? bytes : 0;
}

const opposite: Readonly<Record<string, string>> = { "==": "!=", "<=": ">", ">=": "<" };
