/** The steps of readers as Python. */
import { Lines } from "../lines.ts";
import { endsHere } from "../shapes.ts";
import type { CheckUse, Local, PathUse, Place, ReadStep, Test, Value } from "../steps.ts";
import { Scope, snakeCase } from "../typed/naming.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { TypedReader } from "../typed/read.ts";
import { piecesText } from "../typed/refusals.ts";
import type { ValueType } from "../typed/types.ts";
import { bitOf, bitsAt, byteOf, integerAt, isByte } from "./places.ts";
import { type PythonNames, pythonWords, suite, textLiteral } from "./types.ts";

/** A reading function, which gives the value and the place behind it. */
export function printReader(reader: TypedReader, dialect: TypedDialect, names: PythonNames): readonly string[] {
  return new Reader(reader, dialect, names).print();
}

/** Names that a function has beside those of its steps. */
const ownNames = ["b", "at", "bit", "end", "claimed", "error", "item"];

const here: Place = { base: "at", bits: 0, order: "bytes" };

class Reader {
  readonly #lines = new Lines(0, "    ");
  readonly #reader: TypedReader;
  readonly #dialect: TypedDialect;
  readonly #names: PythonNames;
  readonly #scope = new Scope(snakeCase, [...pythonWords, ...ownNames]);

  constructor(reader: TypedReader, dialect: TypedDialect, names: PythonNames) {
    this.#reader = reader;
    this.#dialect = dialect;
    this.#names = names;
  }

  print(): readonly string[] {
    const { fn, result } = this.#reader;
    const claimed = fn.claims ? ", claimed: int" : "";
    const head = `def _read_${this.#names.functionOf(fn.name)}(b: Bytes, at: int, end: int${claimed}) -> tuple[${this.#names.typeOf(result)}, int]:`;
    suite(this.#lines, head, () => this.#steps(fn.body));
    return this.#lines.list;
  }

  #name({ name }: Local): string {
    return this.#scope.nameOf(name);
  }

  /** A name that only this back end needs. */
  #own(name: string): string {
    return this.#scope.nameOf(name);
  }

  #steps(steps: readonly ReadStep[]): void {
    for (const step of steps) this.#step(step);
  }

  /** A path with the numbers of its indexes. */
  #path({ path, indexes }: PathUse): string {
    let next = 0;
    const whole = path.replaceAll("[]", () => `[{${this.#name(indexes[next++] as Local)}}]`);
    return whole === path ? textLiteral(path) : `f${textLiteral(whole)}`;
  }

  #error(code: string, path: PathUse, bit: string): string {
    return `raise WireError(Code.${code.toUpperCase().replaceAll("-", "_")}, ${this.#path(path)}, ${bit})`;
  }

  /** The statement that refuses at a place. */
  #refuse(use: CheckUse, place: Place): string {
    const refusal = this.#dialect.refusalOf(use);
    if (refusal.is !== "at") return this.#cut(use, bitOf(place));
    return this.#error(refusal.code, { path: refusal.path, indexes: use.indexes }, bitOf(place));
  }

  /** The statement that refuses bytes that end too early. */
  #cut(use: CheckUse, bit: string): string {
    const refusal = this.#dialect.refusalOf(use);
    const { indexes } = use;
    if (refusal.is === "at") return `raise _truncated(${bit}, ${this.#path({ path: refusal.path, indexes })})`;
    const [first] = refusal.pieces;
    if (refusal.is === "cut" && refusal.pieces.length === 1 && first !== undefined)
      return `raise _truncated(${bit}, ${this.#path({ path: first.path, indexes })})`;
    const pieces = textLiteral(piecesText(refusal.pieces));
    const more = indexes.map((index) => `, ${this.#name(index)}`).join("");
    const items = refusal.is === "cuts" ? `_items(${refusal.itemBits}, ` : "(";
    return `raise _cut${items}${bit}, end, ${pieces}${more})`;
  }

  /** A statement under a test. */
  #when(test: string, statement: string): void {
    suite(this.#lines, `if ${test}:`, () => this.#lines.add(statement));
  }

  #set(local: Local, text: string): void {
    this.#lines.add(`${this.#name(local)} = ${text}`);
  }

  /** A call of another reader, whose errors get a path before theirs. */
  #call(statement: string, path: PathUse, before: () => void = () => undefined): void {
    const lines = this.#lines;
    suite(lines, "try:", () => lines.add(statement));
    suite(lines, "except WireError as error:", () => {
      before();
      lines.add(`error.within(${this.#path(path)})`, "raise");
    });
  }

  #step(step: ReadStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "need": {
        const { place, bits, times, check } = step;
        if (times !== undefined) {
          const isWhole = isByte(place) && bits % 8 === 0;
          const unit = isWhole ? bits / 8 : bits;
          this.#when(
            `${left(place, isWhole)} < ${this.#name(times)}${unit === 1 ? "" : ` * ${unit}`}`,
            this.#cut(check, bitOf(place)),
          );
        } else {
          const test =
            place.base === "at"
              ? `end - at < ${Math.ceil((place.bits + bits) / 8)}`
              : `end * 8 - bit < ${place.bits + bits}`;
          this.#when(test, this.#cut(check, bitOf(place)));
        }
        return;
      }
      case "integer":
        this.#set(step.to, integerAt(step.place, step.as));
        return;
      case "big":
        this.#set(step.to, `int.from_bytes(${slice(step.place, "8")}, "little")`);
        return;
      case "float":
        this.#set(
          step.to,
          `_f32(${integerAt(step.place, { bits: 32, signed: false, order: step.order })})${step.finite ? " + 0.0" : ""}`,
        );
        return;
      case "finite":
        this.#when(`not isfinite(${this.#name(step.of)})`, this.#refuse(step.check, step.place));
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
      case "name": {
        const entries = Object.entries(step.names);
        const type = entries.length === 1 ? undefined : this.#reader.typeOf(step.to);
        if (type?.is !== "enum") {
          this.#when(`${this.#name(step.of)} != ${entries[0]?.[1]}`, this.#refuse(step.check, step.place));
          return;
        }
        this.#set(step.to, `${this.#names.namesOf(type, step.names)}.get(${this.#name(step.of)})`);
        this.#when(`${this.#name(step.to)} is None`, this.#refuse(step.check, step.place));
        return;
      }
      case "boolean":
        this.#set(step.to, `${this.#name(step.of)} == 1`);
        return;
      case "flags": {
        const type = this.#reader.typeOf(step.to);
        const tests = Object.values(step.flags).map((bit) => `${this.#name(step.of)} & ${2 ** bit} != 0`);
        this.#set(step.to, `${this.#names.typeOf(type)}(${tests.join(", ")})`);
        return;
      }
      case "part":
        this.#set(step.to, `${this.#name(step.of)} >> ${step.shift} & ${step.mask}`);
        return;
      case "bytes": {
        const count = typeof step.count === "number" ? String(step.count) : this.#name(step.count);
        if (step.place.base === "bit") this.#set(step.to, `_bytes_of_bits(b, ${bitOf(step.place)}, ${count})`);
        else if (step.transform === undefined && step.reversed !== true)
          this.#set(step.to, `bytes(${slice(step.place, count)})`);
        else
          this.#set(
            step.to,
            `_changed(${slice(step.place, count)}, ${textLiteral(step.transform ?? "")}, ${step.reversed === true ? "True" : "False"})`,
          );
        return;
      }
      case "left": {
        const end = this.#reader.fn.claims ? "claimed" : "end";
        const from = parenthesized(byteOf(step.place));
        this.#when(`${end} - ${from} > ${step.limit}`, this.#refuse(step.check, step.place));
        this.#set(step.to, `${end} - ${from}`);
        return;
      }
      case "zeroText": {
        const zero = this.#own(`${step.to.name} end`);
        const [noEnd, long] = step.checks;
        lines.add(`${zero} = _zero_at(b, at, end, ${step.limit})`);
        this.#when(`${zero} == -2`, this.#refuse(long, here));
        const refusal = this.#dialect.refusalOf(noEnd);
        // Bytes that end within a character are named by where they end.
        this.#when(`${zero} < 0`, refusal.is === "at" ? this.#refuse(noEnd, here) : this.#cut(noEnd, "end * 8"));
        this.#set(step.to, `${textOf(step.charset)}(b[at:${zero}])`);
        lines.add(`at = ${zero} + 1`);
        return;
      }
      case "text":
        this.#set(step.to, `${textOf(step.charset)}(${slice(step.place, this.#name(step.count))})`);
        return;
      case "advance": {
        const count = step.base === "bit" ? step.bits : step.bits / 8;
        const times = step.times === undefined ? undefined : this.#name(step.times);
        lines.add(`${step.base} += ${times === undefined ? count : count === 1 ? times : `${times} * ${count}`}`);
        return;
      }
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)}`);
        return;
      case "toBytes":
        if (step.check !== undefined) {
          const isLow = step.place.order === "lsb";
          const padding = isLow ? "b[bit >> 3] >> (bit & 7)" : "_high_bits(b, bit, -bit & 7)";
          const refusal = this.#dialect.refusalOf(step.check);
          if (refusal.is !== "at") throw new TypeError("Cannot happen: padding is no place that bytes end at");
          const at = isLow ? "bit & ~7" : "bit";
          this.#when(
            `bit & 7 != 0 and ${padding} != 0`,
            this.#error(refusal.code, { path: refusal.path, indexes: step.check.indexes }, at),
          );
        }
        lines.add("at = (bit + 7) >> 3");
        return;
      case "declare": {
        const { local: own, fill } = step;
        if (!this.#reader.isUsed(own)) return;
        if (fill !== undefined) this.#set(own, this.#names.literalOf(fill, this.#reader.typeOf(own)));
        else if (this.#reader.isOptional(own)) this.#set(own, "None");
        return;
      }
      case "set":
        if (this.#reader.isUsed(step.to)) this.#set(step.to, this.#value(step.value, this.#reader.typeOf(step.to)));
        return;
      case "switch": {
        const { of, cases, no } = step;
        cases.forEach(({ values, body }, index) => {
          const test = values.length === 1 ? `== ${values[0]}` : `in (${values.join(", ")})`;
          suite(lines, `${index === 0 ? "if" : "elif"} ${this.#name(of)} ${test}:`, () => this.#steps(body));
        });
        if (cases.length === 0) this.#steps(no);
        else if (no.length > 0) suite(lines, "else:", () => this.#steps(no));
        return;
      }
      case "if": {
        const { test, yes, no } = step;
        if (yes.length === 0 && no.length > 0) {
          suite(lines, `if ${this.#not(test)}:`, () => this.#steps(no));
          return;
        }
        suite(lines, `if ${this.#test(test)}:`, () => this.#steps(yes));
        if (no.length === 0) return;
        if (endsHere(yes)) this.#steps(no);
        else suite(lines, "else:", () => this.#steps(no));
        return;
      }
      case "list": {
        const { to, index, count, body, item } = step;
        const type = this.#reader.typeOf(to);
        lines.add(`${this.#name(to)}: ${this.#names.typeOf(type)} = []`);
        suite(
          lines,
          `for ${this.#name(index)} in range(${typeof count === "number" ? count : this.#name(count)}):`,
          () => {
            this.#steps(body);
            lines.add(`${this.#name(to)}.append(${this.#item(item, type)})`);
          },
        );
        return;
      }
      case "openList": {
        const { to, index, place, limit, until, check, body, item } = step;
        const type = this.#reader.typeOf(to);
        lines.add(`${this.#name(to)}: ${this.#names.typeOf(type)} = []`);
        lines.add(`${this.#name(index)} = 0`);
        suite(lines, "while True:", () => {
          if (until === undefined) this.#when(place.base === "bit" ? "bit >= end * 8" : "at >= end", "break");
          else suite(lines, `if at < end and b[at] == ${until}:`, () => lines.add("at += 1", "break"));
          this.#when(`${this.#name(index)} == ${limit}`, this.#refuse(check, { ...place, bits: 0 }));
          this.#steps(body);
          lines.add(`${this.#name(to)}.append(${this.#item(item, type)})`, `${this.#name(index)} += 1`);
        });
        return;
      }
      case "tolerant": {
        const { to, name, limit, check } = step;
        lines.add(`${this.#name(to)}: ${this.#names.typeOf(this.#reader.typeOf(to))} = []`);
        suite(lines, "while at < end:", () => {
          this.#when(`len(${this.#name(to)}) == ${limit}`, this.#refuse(check, here));
          suite(lines, "try:", () => lines.add(`item, at = _read_${this.#names.functionOf(name)}(b, at, end)`));
          suite(lines, "except WireError:", () => lines.add("break"));
          lines.add(`${this.#name(to)}.append(item)`);
        });
        return;
      }
      case "call":
        this.#call(`${this.#name(step.to)}, at = _read_${this.#names.functionOf(step.name)}(b, at, end)`, step.path);
        return;
      case "sized": {
        const { to, name, size, extra, claims, start, checks } = step;
        const until = this.#own(`${to.name} end`);
        const reached = this.#own(`${to.name} reached`);
        const small = { path: this.#dialect.pathOf(checks.small), indexes: checks.small.indexes };
        const wrong = this.#error("bad-length", small, bitOf(start));
        lines.add(`${until} = at + ${this.#name(size)}${extra === 0 ? "" : ` - ${extra}`}`);
        const args = `b, at, min(${until}, end)${claims ? `, ${until}` : ""}`;
        this.#call(
          `${this.#name(to)}, ${reached} = _read_${this.#names.functionOf(name)}(${args})`,
          checks.path,
          // Where what it measures ended too early and the bytes go on, the size is wrong.
          () => this.#when(`${until} < end and error.is_cut`, `${wrong} from None`),
        );
        // A start in bits is moved on by what was read: the cursor is set last.
        this.#when(`${reached} != ${until}`, wrong);
        lines.add(`at = ${reached}`);
        return;
      }
      case "inflate": {
        const { to, name, limit, ignoreReserved, exact, checks } = step;
        const block = this.#dialect.refusalOf(checks.block);
        const path = { path: block.is === "at" ? block.path : "", indexes: checks.block.indexes };
        const body = this.#own(`${to.name} body`);
        const reached = this.#own(`${to.name} reached`);
        lines.add(
          `${body} = _inflate(b, at, end, ${limit}, ${ignoreReserved ? "True" : "False"}, ${exact ?? "None"}, ${this.#path(path)})`,
        );
        suite(lines, "try:", () => {
          lines.add(`${this.#name(to)}, ${reached} = _read_${this.#names.functionOf(name)}(${body}, 0, len(${body}))`);
          this.#when(`${reached} != len(${body})`, `raise WireError(Code.TRAILING, "", ${reached} * 8)`);
        });
        suite(lines, "except WireError as error:", () =>
          lines.add(`raise _refused_body(b, at, end, error, ${this.#path(checks.body)}) from None`),
        );
        lines.add("at = end");
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
        lines.add(`return ${this.#value(step.value, this.#reader.result)}, ${byteOf(step.place)}`);
        return;
      case "fill":
      case "rows":
        throw new TypeError("Cannot happen: rows are read by TypeScript alone");
    }
  }

  #smart({ to, wide, checks }: Extract<ReadStep, { step: "smart" }>): void {
    const [one, long, short] = checks;
    const lines = this.#lines;
    const cut = (check: CheckUse): string => this.#cut(check, bitOf(here));
    const name = this.#name(to);
    this.#when("end - at < 1", cut(one));
    suite(lines, "if b[at] < 128:", () => {
      if (!wide) {
        lines.add(`${name} = b[at]`, "at += 1");
        return;
      }
      this.#when("end - at < 2", cut(short));
      lines.add(`${name} = _u16be(b, at)`);
      this.#when(`${name} == 32767`, `${name} = -1`);
      lines.add("at += 2");
    });
    suite(lines, "else:", () => {
      this.#when(`end - at < ${wide ? 4 : 2}`, cut(long));
      lines.add(`${name} = ${wide ? "_u32be(b, at) & 0x7FFFFFFF" : "_u16be(b, at) - 32768"}`, `at += ${wide ? 4 : 2}`);
    });
  }

  #prefix({ to, codes, check, place }: Extract<ReadStep, { step: "prefix" }>): void {
    const longest = Math.max(...codes.map(({ length }) => length));
    const bits = this.#own(`${to.name} bits`);
    this.#lines.add(`${bits} = ${bitsAt(place, longest)}`);
    codes.forEach((code, index) => {
      const low = Number.parseInt(code, 2);
      const fromLow = Number.parseInt([...code].reverse().join(""), 2);
      const test =
        place.order === "lsb"
          ? `${bits} & ${2 ** code.length - 1} == ${fromLow}`
          : code.length === longest
            ? `${bits} == ${low}`
            : `${bits} >> ${longest - code.length} == ${low}`;
      suite(this.#lines, `${index === 0 ? "if" : "elif"} ${test}:`, () => this.#set(to, String(index)));
    });
    suite(this.#lines, "else:", () => this.#lines.add(this.#refuse(check, place)));
  }

  #item(value: Value, type: ValueType): string {
    return type.is === "list" ? this.#value(value, type.item) : this.#value(value, type);
  }

  // --- Tests and values --------------------------------------------------------------------------------------------------

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" and ");
    if ("any" in test) return `(${test.any.map((each) => this.#test(each)).join(" or ")})`;
    if ("zeros" in test) {
      const zeros = `${test.expected ? "not " : ""}any(${this.#name(test.zeros)})`;
      return test.maybe ? `${this.#name(test.zeros)} is not None and ${zeros}` : zeros;
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
    if ("bitsAt" in test) return `${bitsAt(test.bitsAt, test.width)} == ${test.is}`;
    if ("next" in test) return `b[${byteOf(test.next)}] & ${test.mask} == ${test.value}`;
    if ("absent" in test) return `${this.#name(test.absent)} is None`;
    if ("present" in test) return `${this.#name(test.present)} is not None`;
    if ("oneOf" in test) return `(${test.oneOf.map((each) => this.#equals(test.of, each)).join(" or ")})`;
    const { of, maybe, is } = test;
    const tests = [
      ...(maybe ? [`${this.#name(of)} is not None`] : []),
      ...(is === undefined ? [] : [this.#equals(of, is)]),
      ...rangeTests(this.#name(of), test),
    ];
    return tests.length === 0 ? "True" : tests.join(" and ");
  }

  #equals(of: Local, value: number | string | boolean | bigint): string {
    const type = this.#reader.typeOf(of);
    return `${this.#name(of)} ${type.is === "enum" || typeof value === "boolean" ? "is" : "=="} ${this.#names.literalOf(value, type)}`;
  }

  #not(test: Test): string {
    if ("left" in test && test.atMost !== undefined) return this.#test(test).replace(" <= ", " > ");
    if ("left" in test && test.atLeast !== undefined) return this.#test(test).replace(" >= ", " < ");
    const text = this.#test(test);
    return / == /.test(text) && !/ (?:and|or|==.*==) /.test(text) ? text.replace(" == ", " != ") : `not (${text})`;
  }

  /** A value of a type. */
  #value(value: Value, type: ValueType): string {
    switch (value.is) {
      case "local":
        return this.#name(value.local);
      case "constant":
        return this.#names.literalOf(value.value, type);
      case "object": {
        const [first] = value.fields;
        if (value.fields.length === 1 && first?.key === "...") return this.#value(first.value, type);
        const { record, values } = this.#reader.recordOf(value);
        const args = values.map(({ member, value: inner }) => this.#value(inner, member.type));
        return `${this.#names.typeOf(record)}(${args.join(", ")})`;
      }
    }
  }
}

/** Tests of a number under a mask, between limits. */
export function rangeTests(
  name: string,
  {
    mask,
    from,
    to,
    not,
  }: { readonly mask?: number; readonly from?: number; readonly to?: number; readonly not?: number },
): readonly string[] {
  const number = mask === undefined ? name : `${name} & ${mask}`;
  const compared = mask === undefined ? name : `(${number})`;
  return [
    ...(from !== undefined && from === to ? [`${number} == ${from}`] : []),
    ...(from !== undefined && to !== undefined && from !== to ? [`${from} <= ${compared} <= ${to}`] : []),
    ...(from !== undefined && to === undefined ? [`${compared} >= ${from}`] : []),
    ...(from === undefined && to !== undefined ? [`${compared} <= ${to}`] : []),
    ...(not === undefined ? [] : [`${compared} != ${not}`]),
  ];
}

/** What is left from a place on: bytes, or bits. */
function left(place: Place, isWhole: boolean): string {
  return isWhole ? `end - ${parenthesized(byteOf(place))}` : `end * 8 - ${parenthesized(bitOf(place))}`;
}

const parenthesized = (text: string): string => (text.includes(" ") && !text.startsWith("(") ? `(${text})` : text);

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
