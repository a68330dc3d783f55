/** The steps of readers as Java. */
import { Lines } from "../lines.ts";
import { endsHere } from "../shapes.ts";
import type { CheckUse, Local, PathUse, Place, ReadStep, Test, Value, WireInteger } from "../steps.ts";
import { camelCase, Scope } from "../typed/naming.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { piecesText } from "../typed/refusals.ts";
import type { ValueType } from "../typed/types.ts";
import { bitOf, bitsAt, byteOf, integerAt, isByte } from "./places.ts";
import { type JavaNames, javaWords, textLiteral, typeOfConstant } from "./types.ts";

/** How the method that reads a description is called. */
export function readerName(name: string): string {
  return `read${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** One reading method. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: JavaNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

/** Names that a method has beside those of its steps. */
const ownNames = ["in", "b", "at", "bit", "end", "claimed"];

class Reader {
  readonly #lines = new Lines(0, "  ");
  readonly #reader: TypedReader;
  readonly #dialect: TypedDialect;
  readonly #names: JavaNames;
  readonly #scope = new Scope(camelCase, [...javaWords, ...ownNames]);

  constructor(reader: TypedReader, dialect: TypedDialect, names: JavaNames) {
    this.#reader = reader;
    this.#dialect = dialect;
    this.#names = names;
  }

  print(): readonly string[] {
    const { fn, result } = this.#reader;
    const body = new Lines(0, "  ");
    const whole = this.#lines;
    whole.indented(() => this.#steps(fn.body));
    const text = whole.toString();
    body.add(
      `private static ${this.#names.typeOf(result, true)} ${readerName(fn.name)}(In in, int end${fn.claims ? ", long claimed" : ""}) {`,
    );
    if (/\bb\b/.test(text)) body.add("  byte[] b = in.bytes;");
    if (/\bat\b/.test(text)) body.add("  int at = in.at;");
    if (/\bbit\b/.test(text)) body.add("  long bit;");
    body.list.push(...withoutDetours(whole.list));
    body.add("}");
    return body.list;
  }

  #name({ name }: Local): string {
    return this.#scope.nameOf(name);
  }

  #type(local: Local): string {
    return this.#names.typeOf(this.#reader.typeOf(local), this.#reader.isOptional(local));
  }

  /** A local as an `int`, of which it is known that it is one. */
  #int(local: Local): string {
    return this.#names.typeOf(this.#reader.typeOf(local)) === "long" ? `(int) ${this.#name(local)}` : this.#name(local);
  }

  #steps(steps: readonly ReadStep[]): void {
    for (const step of steps) this.#step(step);
  }

  #indexes(indexes: readonly Local[]): string {
    return indexes.map((index) => `, ${this.#name(index)}`).join("");
  }

  /** The statement that refuses at a place. */
  #refuse(use: CheckUse, place: Place): string {
    const refusal = this.#dialect.refusalOf(use);
    if (refusal.is !== "at") return this.#cut(use, place);
    const code = refusal.code.toUpperCase().replaceAll("-", "_");
    return `return in.refuse(Code.${code}, ${bitOf(place)}, ${textLiteral(refusal.path)}${this.#indexes(use.indexes)});`;
  }

  /** The statement that refuses bytes that end too early. */
  #cut(use: CheckUse, place: Place): string {
    const refusal = this.#dialect.refusalOf(use);
    if (refusal.is === "at")
      return `return in.truncate(${bitOf(place)}, ${textLiteral(refusal.path)}${this.#indexes(use.indexes)});`;
    const pieces = textLiteral(piecesText(refusal.pieces));
    const items = refusal.is === "cuts" ? `Items(${refusal.itemBits}, ` : "(";
    return `return in.cut${items}${bitOf(place)}, end, ${pieces}${this.#indexes(use.indexes)});`;
  }

  #path({ path, indexes }: PathUse): string {
    return `return in.within(${textLiteral(path)}${this.#indexes(indexes)});`;
  }

  #need({ place, bits, times, check }: Extract<ReadStep, { step: "need" }>): void {
    let test: string;
    if (times !== undefined) {
      const isWhole = isByte(place) && bits % 8 === 0;
      const unit = isWhole ? bits / 8 : bits;
      const needed = unit === 1 ? this.#name(times) : `${this.#name(times)} * ${unit}L`;
      test = `${left(place, isWhole)} < ${needed}`;
    } else if (place.base === "at") test = `end - at < ${Math.ceil((place.bits + bits) / 8)}`;
    else test = `end * 8L - bit < ${place.bits + bits}`;
    this.#when(test, this.#cut(check, place));
  }

  /** A statement under a test. */
  #when(test: string, statement: string): void {
    this.#lines.block(`if (${test}) {`, () => this.#lines.add(statement));
  }

  /** `from`: the type of an expression that is a number. */
  #declare(local: Local, text: string, from = ""): void {
    if (local.isMerged) this.#lines.add(`${this.#name(local)} = ${this.#boxed(text, local, from)};`);
    else this.#lines.add(`${this.#type(local)} ${this.#name(local)} = ${text};`);
  }

  /** A number for a local: Java makes no Long of an int, and no int of a long. */
  #boxed(text: string, to: Local, from: string): string {
    const type = this.#names.typeOf(this.#reader.typeOf(to));
    if (from === "long" && type === "int") return `(int) (${text})`;
    return this.#reader.isOptional(to) && from === "int" && type !== "int" ? `(${type}) (${text})` : text;
  }

  #step(step: ReadStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "need":
        this.#need(step);
        return;
      case "integer":
        this.#declare(step.to, integerAt(step.place, step.as), javaTypeOf(step.as));
        return;
      case "big":
        this.#declare(step.to, `u64le(b, ${byteOf(step.place)})`);
        return;
      case "float": {
        const word = integerAt(step.place, { bits: 32, signed: true, order: step.order });
        this.#declare(step.to, `Float.intBitsToFloat(${word})${step.finite ? " + 0.0f" : ""}`);
        return;
      }
      case "finite":
        this.#when(`!Float.isFinite(${this.#name(step.of)})`, this.#refuse(step.check, step.place));
        return;
      case "smart":
        this.#smart(step);
        return;
      case "prefix":
        this.#prefix(step);
        return;
      case "check":
        this.#when(this.#not(step.test), this.#refuse(step.check, step.place));
        return;
      case "name":
        this.#nameStep(step);
        return;
      case "boolean":
        this.#declare(step.to, `${this.#name(step.of)} == 1`);
        return;
      case "flags": {
        const type = this.#reader.typeOf(step.to);
        const tests = Object.values(step.flags).map(
          (bit) => `(${this.#name(step.of)} & ${bit === 31 ? "0x80000000" : 2 ** bit}) != 0`,
        );
        this.#declare(step.to, `new ${this.#names.typeOf(type)}(${tests.join(", ")})`);
        return;
      }
      case "part":
        this.#declare(step.to, `${this.#int(step.of)} >>> ${step.shift} & ${step.mask}`);
        return;
      case "bytes": {
        const count = typeof step.count === "number" ? String(step.count) : this.#int(step.count);
        if (step.place.base === "bit") this.#declare(step.to, `bytesOfBits(b, ${bitOf(step.place)}, ${count})`);
        else if (step.transform === undefined && step.reversed !== true)
          this.#declare(step.to, `bytesAt(b, ${byteOf(step.place)}, ${count})`);
        else
          this.#declare(
            step.to,
            `changedBytes(b, ${byteOf(step.place)}, ${count}, ${textLiteral(step.transform ?? "")}, ${step.reversed === true})`,
          );
        return;
      }
      case "left": {
        const end = this.#reader.fn.claims ? "claimed" : "end";
        const from = parenthesized(byteOf(step.place));
        this.#when(`${end} - ${from} > ${step.limit}`, this.#refuse(step.check, step.place));
        lines.add(
          `int ${this.#name(step.to)} = ${this.#reader.fn.claims ? `(int) (${end} - ${from})` : `${end} - ${from}`};`,
        );
        return;
      }
      case "zeroText": {
        const zero = `${this.#name(step.to)}End`;
        const [noEnd, long] = step.checks;
        const here: Place = { base: "at", bits: 0, order: "bytes" };
        lines.add(`int ${zero} = zeroAt(b, at, end, ${step.limit});`);
        this.#when(`${zero} == -2`, this.#refuse(long, here));
        const refusal = this.#dialect.refusalOf(noEnd);
        // Bytes that end within a character are named by where they end.
        const cut =
          refusal.is === "at" ? this.#refuse(noEnd, here) : this.#cut(noEnd, here).replace("at * 8L", "end * 8L");
        this.#when(`${zero} < 0`, cut);
        this.#declare(step.to, `${step.charset === "latin1" ? "latin1" : "windows1252"}(b, at, ${zero} - at)`);
        lines.add(`at = ${zero} + 1;`);
        return;
      }
      case "text":
        this.#declare(
          step.to,
          `${step.charset === "latin1" ? "latin1" : "windows1252"}(b, ${byteOf(step.place)}, ${this.#int(step.count)})`,
        );
        return;
      case "advance": {
        const count = step.base === "bit" ? step.bits : step.bits / 8;
        const times = step.times === undefined ? undefined : this.#int(step.times);
        lines.add(`${step.base} += ${times === undefined ? count : count === 1 ? times : `${times} * ${count}`};`);
        return;
      }
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)};`);
        return;
      case "toBytes":
        if (step.check !== undefined) {
          const isLow = step.place.order === "lsb";
          const padding = isLow ? "(b[(int) (bit >> 3)] & 0xff) >> (bit & 7)" : "highBits(b, bit, (int) (-bit & 7))";
          const refusal = this.#refuse(step.check, { base: "bit", bits: 0, order: "msb" });
          this.#when(
            `(bit & 7) != 0 && ${isLow ? `(${padding})` : padding} != 0`,
            isLow ? refusal.replace(", bit,", ", bit & ~7L,") : refusal,
          );
        }
        lines.add("at = (int) ((bit + 7) >> 3);");
        return;
      case "declare": {
        const { local: own, fill } = step;
        if (!this.#reader.isUsed(own)) return;
        const type = this.#reader.typeOf(own);
        if (fill !== undefined)
          lines.add(`${this.#type(own)} ${this.#name(own)} = ${this.#names.literalOf(fill, type)};`);
        else lines.add(`${this.#type(own)} ${this.#name(own)}${this.#reader.isOptional(own) ? " = null" : ""};`);
        return;
      }
      case "set":
        if (!this.#reader.isUsed(step.to)) return;
        lines.add(
          `${this.#name(step.to)} = ${this.#boxed(this.#value(step.value, this.#reader.typeOf(step.to)), step.to, this.#valueType(step.value))};`,
        );
        return;
      case "switch":
        this.#switch(step);
        return;
      case "if":
        this.#if(step);
        return;
      case "list": {
        const { to, index, count, isBounded, body, item } = step;
        const length = typeof count === "number" ? String(count) : this.#name(count);
        const type = this.#reader.typeOf(to);
        const size = typeof count === "number" ? length : this.#int(count);
        lines.add(
          `${this.#names.typeOf(type)} ${this.#name(to)} = new ArrayList<>(${isBounded ? size : `(int) Math.min(${length}, 255)`});`,
        );
        lines.block(
          `for (int ${this.#name(index)} = 0; ${this.#name(index)} < ${length}; ${this.#name(index)}++) {`,
          () => {
            this.#steps(body);
            lines.add(`${this.#name(to)}.add(${this.#item(item, type)});`);
          },
        );
        return;
      }
      case "openList": {
        const { to, index, place, limit, until, check, body, item } = step;
        const type = this.#reader.typeOf(to);
        const here: Place = { ...place, bits: 0 };
        lines.add(`${this.#names.typeOf(type)} ${this.#name(to)} = new ArrayList<>();`);
        lines.block(`for (int ${this.#name(index)} = 0; ; ${this.#name(index)}++) {`, () => {
          if (until === undefined) this.#when(place.base === "bit" ? "bit >= end * 8L" : "at >= end", "break;");
          else {
            lines.block(`if (at < end && (b[at] & 0xff) == ${until}) {`, () => lines.add("at += 1;", "break;"));
          }
          this.#when(`${this.#name(index)} == ${limit}`, this.#refuse(check, here));
          this.#steps(body);
          lines.add(`${this.#name(to)}.add(${this.#item(item, type)});`);
        });
        return;
      }
      case "tolerant": {
        const { to, name, limit, check } = step;
        const type = this.#reader.typeOf(to);
        lines.add(`${this.#names.typeOf(type)} ${this.#name(to)} = new ArrayList<>();`);
        lines.block("while (at < end) {", () => {
          this.#when(
            `${this.#name(to)}.size() == ${limit}`,
            this.#refuse(check, { base: "at", bits: 0, order: "bytes" }),
          );
          lines.add("in.at = at;");
          lines.add(
            `${type.is === "list" ? this.#names.typeOf(type.item, true) : "var"} item = ${readerName(name)}(in, end);`,
          );
          this.#when("item == null", "break;");
          lines.add(`${this.#name(to)}.add(item);`, "at = in.at;");
        });
        return;
      }
      case "call":
        lines.add(
          "in.at = at;",
          `${this.#boxedType(step.to)} ${this.#name(step.to)} = ${readerName(step.name)}(in, end);`,
        );
        this.#when(`${this.#name(step.to)} == null`, this.#path(step.path));
        lines.add("at = in.at;");
        return;
      case "sized":
        this.#sized(step);
        return;
      case "inflate": {
        const { to, name, limit, ignoreReserved, exact, checks } = step;
        const block = this.#dialect.refusalOf(checks.block);
        const path = block.is === "at" ? block.path : "";
        const body = `${this.#name(to)}Body`;
        lines.add(
          `In ${body} = Lz4.open(in, at, end, ${limit}, ${ignoreReserved}, ${exact ?? -1}, ${textLiteral(path)});`,
        );
        this.#when(`${body} == null`, "return null;");
        lines.add(`${this.#boxedType(to)} ${this.#name(to)} = ${readerName(name)}(${body}, ${body}.bytes.length);`);
        this.#when(
          `${this.#name(to)} == null || ${body}.at != ${body}.bytes.length`,
          `return Lz4.refuse(in, at, end, ${body}, ${this.#name(to)} != null, ${textLiteral(checks.body.path)});`,
        );
        lines.add("at = end;");
        return;
      }
      case "refuse":
        lines.add(this.#refuse(step.check, step.place));
        return;
      case "keepFrom":
      case "keepTo":
        // Where bytes lie that can be passed on without being written anew: only the library's own writers take them.
        return;
      case "return":
        lines.add(`in.at = ${byteOf(step.place)};`, `return ${this.#value(step.value, this.#reader.result)};`);
        return;
      case "fill":
      case "rows":
        throw new TypeError("Cannot happen: rows are read by TypeScript alone");
    }
  }

  /** The type of a local that stands for a value; empty for what is written as its target has it. */
  #valueType(value: Value): string {
    const type = value.is === "local" ? this.#names.typeOf(this.#reader.typeOf(value.local)) : "";
    // It is turned into the type of its target where it is taken.
    return type === "long" ? "" : type;
  }

  #boxedType(local: Local): string {
    return this.#names.typeOf(this.#reader.typeOf(local), true);
  }

  #smart({ to, wide, checks }: Extract<ReadStep, { step: "smart" }>): void {
    const [one, long, short] = checks;
    const here: Place = { base: "at", bits: 0, order: "bytes" };
    const lines = this.#lines;
    const name = this.#name(to);
    this.#when("end - at < 1", this.#cut(one, here));
    if (!to.isMerged) lines.add(`int ${name};`);
    const need = (count: number, check: CheckUse): void => this.#when(`end - at < ${count}`, this.#cut(check, here));
    lines.blocks([
      [
        "if (b[at] >= 0) {",
        () => {
          if (!wide) {
            lines.add(`${name} = b[at];`, "at += 1;");
            return;
          }
          need(2, short);
          lines.add(`${name} = u16be(b, at) == 32767 ? -1 : u16be(b, at);`, "at += 2;");
        },
      ],
      [
        "else {",
        () => {
          need(wide ? 4 : 2, long);
          lines.add(
            `${name} = ${wide ? "i32be(b, at) & 0x7fffffff" : "u16be(b, at) - 32768"};`,
            `at += ${wide ? 4 : 2};`,
          );
        },
      ],
    ]);
  }

  #prefix({ to, codes, check, place }: Extract<ReadStep, { step: "prefix" }>): void {
    const longest = Math.max(...codes.map(({ length }) => length));
    const bits = `${this.#name(to)}Bits`;
    this.#lines.add(`int ${bits} = ${bitsAt(place, longest)};`);
    const tests = codes.map((code, index) => {
      const low = Number.parseInt(code, 2);
      const fromLow = Number.parseInt([...code].reverse().join(""), 2);
      const test =
        place.order === "lsb"
          ? `(${bits} & ${2 ** code.length - 1}) == ${fromLow}`
          : code.length === longest
            ? `${bits} == ${low}`
            : `${bits} >> ${longest - code.length} == ${low}`;
      return `${test} ? ${index} : `;
    });
    this.#lines.add(`int ${this.#name(to)} = ${tests.join("")}-1;`);
    this.#when(`${this.#name(to)} < 0`, this.#refuse(check, place));
  }

  #nameStep({ to, of, names, check, place }: Extract<ReadStep, { step: "name" }>): void {
    const entries = Object.entries(names);
    const [first] = entries;
    const refusal = this.#refuse(check, place);
    const type = entries.length === 1 ? undefined : this.#reader.typeOf(to);
    if (type?.is !== "enum") {
      this.#when(`${this.#name(of)} != ${first?.[1]}`, refusal);
      return;
    }
    const target = this.#name(to);
    if (!to.isMerged) this.#lines.add(`${this.#type(to)} ${target};`);
    this.#lines.block(`switch (${this.#int(of)}) {`, () => {
      for (const [name, number] of entries)
        this.#lines.add(`case ${number} -> ${target} = ${type.name}.${this.#names.constantOf(type, name)};`);
      this.#lines.block("default -> {", () => this.#lines.add(refusal));
    });
  }

  #switch({ of, cases, no }: Extract<ReadStep, { step: "switch" }>): void {
    const lines = this.#lines;
    lines.block(`switch (${this.#switched(of)}) {`, () => {
      for (const { values, body } of cases) {
        lines.block(`case ${values.map((value) => value | 0).join(", ")} -> {`, () => this.#steps(body));
      }
      lines.block("default -> {", () => this.#steps(no));
    });
  }

  /** A number to choose by. Java chooses by an `int` alone: one of 32 bits is turned into it with its bits. */
  #switched(of: Local): string {
    return this.#int(of);
  }

  #if({ test, yes, no }: Extract<ReadStep, { step: "if" }>): void {
    const lines = this.#lines;
    if (yes.length === 0 && no.length > 0) {
      lines.block(`if (${this.#not(test)}) {`, () => this.#steps(no));
      return;
    }
    const isElse = no.length > 0 && !endsHere(yes);
    lines.blocks([
      [`if (${this.#test(test)}) {`, () => this.#steps(yes)],
      ...(isElse ? [["else {", () => this.#steps(no)] as const] : []),
    ]);
    if (!isElse) this.#steps(no);
  }

  #sized({ to, name, size, extra, claims, start, checks }: Extract<ReadStep, { step: "sized" }>): void {
    const lines = this.#lines;
    const until = `${this.#name(to)}End`;
    const small = this.#dialect.pathOf(checks.small);
    const where = `${bitOf(start)}, ${textLiteral(small)}${this.#indexes(checks.small.indexes)}`;
    lines.add(`long ${until} = (long) at + ${this.#name(size)}${extra === 0 ? "" : ` - ${extra}`};`);
    lines.add(
      "in.at = at;",
      `${this.#boxedType(to)} ${this.#name(to)} = ${readerName(name)}(in, (int) Math.min(${until}, end)${claims ? `, ${until}` : ""});`,
    );
    lines.block(`if (${this.#name(to)} == null) {`, () => {
      // Where what it measures ended too early and the bytes go on, the size is wrong.
      this.#when(`${until} < end && in.isCut`, `return in.refuse(Code.BAD_LENGTH, ${where});`);
      lines.add(this.#path(checks.path));
    });
    this.#when(`in.at != ${until}`, `return in.refuse(Code.BAD_LENGTH, ${where});`);
    lines.add("at = in.at;");
  }

  #item(value: Value, type: ValueType): string {
    return type.is === "list" ? this.#value(value, type.item) : this.#value(value, type);
  }

  // --- Tests and values --------------------------------------------------------------------------------------------------

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" && ");
    if ("any" in test) return `(${test.any.map((each) => this.#test(each)).join(" || ")})`;
    if ("zeros" in test) {
      const zeros = `${test.expected ? "" : "!"}allZero(${this.#name(test.zeros)})`;
      return test.maybe ? `${this.#name(test.zeros)} != null && ${zeros}` : zeros;
    }
    if ("left" in test) {
      const { left: place, exactly, atLeast, atMost } = test;
      const isWhole = [exactly, atLeast, atMost].every((bits) => bits === undefined || bits % 8 === 0) && isByte(place);
      const unit = isWhole ? 8 : 1;
      if (exactly !== undefined) return `${left(place, isWhole)} == ${exactly / unit}`;
      return atLeast !== undefined
        ? `${left(place, isWhole)} >= ${atLeast / unit}`
        : `${left(place, isWhole)} <= ${(atMost ?? 0) / unit}`;
    }
    if ("bitsAt" in test) return `${bitsAt(test.bitsAt, test.width)} == ${test.width === 32 ? test.is | 0 : test.is}`;
    if ("next" in test) return `(b[${byteOf(test.next)}] & ${test.mask}) == ${test.value}`;
    if ("absent" in test) return `${this.#name(test.absent)} == null`;
    if ("present" in test) return `${this.#name(test.present)} != null`;
    if ("oneOf" in test) return `(${test.oneOf.map((each) => this.#equals(test.of, each)).join(" || ")})`;
    const { of, maybe, mask, from, to, not, is } = test;
    const number = this.#masked(of, mask);
    const tests = [
      ...(maybe ? [`${this.#name(of)} != null`] : []),
      ...(is === undefined ? [] : [this.#equals(of, is)]),
      ...(from !== undefined && from === to ? [`${number} == ${literal(from)}`] : []),
      ...(from !== undefined && from !== to ? [`${number} >= ${literal(from)}`] : []),
      ...(to !== undefined && from !== to ? [`${number} <= ${literal(to)}`] : []),
      ...(not === undefined ? [] : [`${number} != ${literal(not)}`]),
    ];
    return tests.length === 0 ? "true" : tests.join(" && ");
  }

  #masked(of: Local, mask: number | undefined): string {
    if (mask === undefined) return this.#name(of);
    return `(${this.#name(of)} & ${mask > 0x7fff_ffff ? `${mask}L` : mask})`;
  }

  #equals(of: Local, value: number | string | boolean | bigint): string {
    const type = this.#reader.typeOf(of);
    const text = this.#names.literalOf(value, type.is === "constant" ? typeOfConstant(value) : type);
    return typeof value === "string" && type.is !== "enum"
      ? `${text}.equals(${this.#name(of)})`
      : `${this.#name(of)} == ${text}`;
  }

  #not(test: Test): string {
    if ("left" in test && test.atMost !== undefined) {
      const isWhole = isByte(test.left) && test.atMost % 8 === 0;
      return `${left(test.left, isWhole)} > ${test.atMost / (isWhole ? 8 : 1)}`;
    }
    if ("of" in test && !("oneOf" in test) && test.maybe === undefined && test.not === undefined) {
      const { of, mask, from, to, is } = test;
      const number = this.#masked(of, mask);
      if (is !== undefined) {
        const equals = this.#equals(of, is);
        return equals.includes(".equals(") ? `!${equals}` : equals.replace(" == ", " != ");
      }
      if (from !== undefined && from === to) return `${number} != ${literal(from)}`;
      const below = from === undefined ? [] : [`${number} < ${literal(from)}`];
      const above = to === undefined ? [] : [`${number} > ${literal(to)}`];
      return [...below, ...above].join(" || ");
    }
    return `!(${this.#test(test)})`;
  }

  /** A value of a type. */
  #value(value: Value, type: ValueType): string {
    switch (value.is) {
      case "local": {
        const isLong = this.#names.typeOf(this.#reader.typeOf(value.local)) === "long";
        return isLong && this.#names.typeOf(type) === "int"
          ? `(int) ${this.#name(value.local)}`
          : this.#name(value.local);
      }
      case "constant":
        return this.#names.literalOf(value.value, type);
      case "object": {
        const [first] = value.fields;
        if (value.fields.length === 1 && first?.key === "...") return this.#value(first.value, type);
        const { record, values } = this.#reader.recordOf(value);
        const args = values.map(({ member, value: inner }) => this.#value(inner, member.type));
        return `new ${this.#names.typeOf(record)}(${args.join(", ")})`;
      }
    }
  }
}

/** The type of an integer as it is loaded. */
function javaTypeOf({ bits, signed, divisor }: WireInteger): string {
  if (divisor !== undefined) return "double";
  return bits === 32 && !signed ? "long" : "int";
}

/** Without the way from a place to a local and back, where one call follows another. */
function withoutDetours(lines: readonly string[]): readonly string[] {
  const isBoth = (at: number): boolean =>
    lines[at]?.trim() === "at = in.at;" && lines[at + 1]?.trim() === "in.at = at;";
  return lines.filter((_, at) => !isBoth(at) && !isBoth(at - 1));
}

/** What is left from a place on: bytes, or bits. */
function left(place: Place, isWhole: boolean): string {
  return isWhole ? `end - ${parenthesized(byteOf(place))}` : `end * 8L - ${parenthesized(bitOf(place))}`;
}

const parenthesized = (text: string): string => (text.includes(" ") && !text.startsWith("(") ? `(${text})` : text);

const literal = (value: number): string => (Math.abs(value) > 0x7fff_ffff ? `${value}L` : String(value));
