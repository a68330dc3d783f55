/**
 * Prints the steps of a writer, and of the function that counts what it writes: what they have in common in all languages.
 *
 * Who counts has the steps of `counted.ts`.
 *
 * @module
 */
import type { CheckUse, Local, PathUse, Place, WireInteger } from "../steps.ts";
import { countedSteps } from "./counted.ts";
import type { TypedDialect } from "./program.ts";
import {
  type Constant,
  here,
  type LanguageNames,
  type PlaceText,
  type PrintStyle,
  plus,
  StepPrinter,
} from "./step-printer.ts";
import type { RecordType, ValueType } from "./types.ts";
import type { TypedWriter, TypedWriteStep } from "./write.ts";

export type WriteStepOf<Kind extends TypedWriteStep["step"]> = Extract<TypedWriteStep, { readonly step: Kind }>;

export abstract class WriterPrinter<Names extends LanguageNames> extends StepPrinter<Names> {
  protected readonly writer: TypedWriter;
  protected readonly places: PlaceText;
  /** Only counts bytes. */
  protected readonly counts: boolean;
  protected readonly body: readonly TypedWriteStep[];
  /** What stands for a member that is always there, and for a value that is one record of a union. */
  protected readonly members = new Map<string, string>();
  #temporaries = 0;

  protected constructor(
    writer: TypedWriter,
    dialect: TypedDialect,
    names: Names,
    counts: boolean,
    style: PrintStyle<Names>,
    places: PlaceText,
  ) {
    super(dialect, names, style);
    this.writer = writer;
    this.places = places;
    this.counts = counts;
    this.body = counts ? countedSteps(writer.body, style) : writer.body;
  }

  /** The whole function. */
  abstract print(): readonly string[];

  // --- Statements of a language ------------------------------------------------------------------------------------------

  /** The statement that refuses a value, or one that is absent. `path` is the text that the method `path` gives. */
  protected abstract refusal(kind: "unfit" | "absent", path: string): string;
  protected abstract setOwn(name: string, text: string): void;
  /** A local for a member that may be absent. */
  protected abstract setMember(name: string, member: WriteStepOf<"get">["member"], text: string): void;
  protected abstract putNumber(place: Place, as: WireInteger, text: string): readonly string[];
  protected abstract putKnown(place: Place, as: WireInteger, value: number): readonly string[];
  protected abstract putBig(step: WriteStepOf<"big">): void;
  protected abstract integer(step: WriteStepOf<"integer">): void;
  protected abstract float(step: WriteStepOf<"float">): void;
  /** The place behind a smart that was written. */
  protected abstract putSmart(step: WriteStepOf<"smart">): string;
  protected abstract number(step: WriteStepOf<"number">, type: Extract<ValueType, { is: "enum" }>): void;
  protected abstract bitBytes(step: WriteStepOf<"bitBytes">): void;
  protected abstract putBytes(step: WriteStepOf<"bytes">, at: string, length: string): void;
  protected abstract putText(step: WriteStepOf<"text">, at: string, length: string): void;
  protected abstract putZero(at: string): string;
  protected abstract match(step: WriteStepOf<"match">): void;
  protected abstract choose(step: WriteStepOf<"choose">): void;
  protected abstract list(step: WriteStepOf<"list">): void;
  protected abstract deflate(step: WriteStepOf<"deflate">): void;
  protected abstract notMark(step: WriteStepOf<"notMark">): string;

  // --- Expressions of a language -----------------------------------------------------------------------------------------

  protected abstract member(of: string, record: RecordType, key: string): string;
  protected abstract differs(of: Local, value: Constant): string;
  protected abstract oneIf(name: string): string;
  protected abstract flag(of: string, type: Extract<ValueType, { is: "flags" }>, key: string, bit: number): string;
  /** The number of items, bytes or characters. */
  protected abstract lengthOf(name: string, what: "list" | "bytes" | "text"): string;
  /** A number that is refused where it is not between limits. */
  protected abstract fit(text: string, min: number, max: number, path: string): string;
  protected abstract choice(test: string, yes: number, no: number): string;
  protected abstract readonly nextByte: string;
  protected abstract call(verb: "write" | "size", name: string, args: readonly string[]): string;
  /** A path and its indexes, as arguments of what refuses. */
  protected abstract path(path: PathUse): string;

  // --- Steps -------------------------------------------------------------------------------------------------------------

  protected name({ name }: Local): string {
    return this.members.get(name) ?? this.scope.nameOf(name);
  }

  /** A local as what it holds, where it was tested before that it holds something. */
  protected held(local: Local): string {
    return this.name(local);
  }

  protected typeOf(local: Local): ValueType {
    return this.writer.typeOf(local);
  }

  protected mayLack(local: Local): boolean {
    return this.writer.isOptional(local);
  }

  protected temporary(name: string): string {
    this.#temporaries += 1;
    return this.scope.nameOf(`${name} ${this.#temporaries}`);
  }

  protected checkPath(use: CheckUse): string {
    return this.path(this.pathOf(use));
  }

  /** Refuses under a test. */
  protected unfit(test: string, check: CheckUse): void {
    this.when(test, this.refusal("unfit", this.checkPath(check)));
  }

  protected steps(steps: readonly TypedWriteStep[]): void {
    for (const step of steps) this.step(step);
  }

  protected step(step: TypedWriteStep): void {
    const { byteOf, bitOf } = this.places;
    switch (step.step) {
      case "get": {
        const text = this.member(this.name(step.of), step.record, step.member.key);
        if (step.member.isOptional) this.setMember(this.scope.nameOf(step.to.name), step.member, text);
        else this.members.set(step.to.name, text);
        return;
      }
      case "require":
        this.when(this.isAbsent(this.name(step.of)), this.refusal("absent", this.path(step.path)));
        return;
      case "mustLack":
        this.when(this.isPresent(this.name(step.of)), this.refusal("unfit", this.path(step.path)));
        return;
      case "same":
        this.unfit(this.differs(step.of, step.value), step.check);
        return;
      case "integer":
        this.integer(step);
        return;
      case "put":
        this.add(...this.putKnown(step.place, step.as, step.value));
        return;
      case "big":
        this.putBig(step);
        return;
      case "float":
        this.float(step);
        return;
      case "smart": {
        const { wide } = step;
        const name = this.held(step.of);
        if (!this.counts) this.add(`at = ${this.putSmart(step)}`);
        else this.add(`at += ${wide ? this.choice(`${name} < 32767`, 2, 4) : this.choice(`${name} < 128`, 1, 2)}`);
        return;
      }
      case "number": {
        const type = this.typeOf(step.of);
        if (type.is !== "enum") throw new TypeError("Cannot compile a name of what is none");
        this.number(step, type);
        return;
      }
      case "boolean":
        this.setOwn(this.name(step.to), this.oneIf(this.held(step.of)));
        return;
      case "flags": {
        const type = this.typeOf(step.of);
        if (type.is !== "flags") throw new TypeError("Cannot compile flags of what is none");
        const parts = Object.entries(step.flags).map(([key, bit]) => this.flag(this.name(step.of), type, key, bit));
        this.setOwn(this.name(step.to), parts.length === 0 ? "0" : parts.join(" | "));
        return;
      }
      case "length":
        this.setOwn(this.name(step.to), this.lengthOf(this.name(step.of), "list"));
        return;
      case "atMost":
        this.unfit(`${this.name(step.of)} > ${step.limit}`, step.check);
        return;
      case "exactly":
        this.unfit(`${this.name(step.of)} != ${step.count}`, step.check);
        return;
      case "bytes":
        this.#run(step, "bytes", 0, (at, length) => this.putBytes(step, at, length));
        return;
      case "bitBytes":
        this.unfit(`${this.lengthOf(this.name(step.of), "bytes")} != ${step.count}`, step.check);
        this.bitBytes(step);
        return;
      case "text":
        this.#run(step, "text", step.isZeroEnded ? 1 : 0, (at, length) => this.putText(step, at, length));
        return;
      case "advance":
        this.add(`${step.base} += ${step.base === "bit" ? step.bits : step.bits / 8}`);
        return;
      case "toBits":
        this.add(`bit = ${bitOf(step.place)}`);
        return;
      case "toBytes":
        this.add(`at = ${this.nextByte}`);
        return;
      case "match":
        this.match(step);
        return;
      case "choose":
        this.choose(step);
        return;
      case "if":
        this.#if(step);
        return;
      case "list":
        this.list(step);
        return;
      case "call": {
        const name = this.held(step.of);
        if (this.counts) this.add(`at += ${this.call("size", step.name, [name])}`);
        else this.add(`at = ${this.call("write", step.name, ["b", "at", name])}`);
        return;
      }
      case "sized":
        this.#sized(step);
        return;
      case "deflate":
        this.deflate(step);
        return;
      case "mark":
        this.setOwn(this.name(step.to), byteOf(step.place));
        return;
      case "over":
        this.unfit(`${byteOf(step.place)} - ${this.name(step.since)} > ${step.limit}`, step.check);
        return;
      case "notMark":
        this.unfit(this.notMark(step), step.check);
        return;
      case "refuse":
        this.add(this.refusal("unfit", this.path(step.path)));
        return;
      case "end":
        this.giveBack(byteOf(step.place));
        return;
    }
  }

  protected giveBack(at: string): void {
    this.add(`return ${at}`);
  }

  #if({ test, yes, no }: WriteStepOf<"if">): void {
    if (yes.length === 0) this.branches([[this.negated(this.test(test)), () => this.steps(no)]]);
    else
      this.branches([
        [this.test(test), () => this.steps(yes)],
        ...(no.length > 0 ? [[undefined, () => this.steps(no)] as const] : []),
      ]);
  }

  protected abstract negated(test: string): string;

  /** Bytes or a text with its count before it, and perhaps a zero behind it. */
  #run(
    step: WriteStepOf<"bytes"> | WriteStepOf<"text">,
    what: "bytes" | "text",
    behind: number,
    put: (at: string, length: string) => void,
  ): void {
    const { count } = step;
    const before = count === undefined ? 0 : count.bits / 8;
    const around = before + behind;
    const sum = around === 0 ? "" : `${around} + `;
    if (this.counts) {
      this.add(`at += ${sum}${this.lengthOf(this.name(step.of), what)}`);
      return;
    }
    const [least, most] = step.step === "text" ? [0, step.limit] : [step.least, step.most];
    const length = this.temporary("length");
    this.setOwn(
      length,
      this.fit(this.lengthOf(this.name(step.of), what), least, Math.min(most, 0x7fff_ffff), this.checkPath(step.check)),
    );
    if (count !== undefined) this.add(...this.putNumber(here, { ...count, bias: 0 }, withBias(length, count)));
    put(plus("at", before), length);
    if (behind > 0) this.add(this.putZero(`at + ${before === 0 ? "" : `${before} + `}${length}`));
    this.add(`at += ${sum}${length}`);
  }

  #sized({ of, name, extra, as, max, checks }: WriteStepOf<"sized">): void {
    const bytes = as.bits / 8;
    if (this.counts) {
      this.add(`at += ${bytes} + ${this.call("size", name, [this.held(of)])}`);
      return;
    }
    const [end, size] = [this.temporary("end"), this.temporary("size")];
    this.setOwn(end, this.call("write", name, ["b", `at + ${bytes}`, this.held(of)]));
    const length = plus(`${end} - at`, extra - bytes);
    this.setOwn(size, this.fit(length, 0, Math.min(max, 0x7fff_ffff), this.checkPath(checks.size)));
    this.add(...this.putNumber(here, { ...as, bias: 0, divisor: 1 }, withBias(size, as)));
    this.add(`at = ${end}`);
  }
}

function withBias(text: string, { bias = 0, divisor = 1 }: WireInteger): string {
  return plus(divisor === 1 ? text : `${text} * ${divisor}`, bias);
}
