/** The steps of writers as TypeScript. */

import { Lines } from "../lines.ts";
import { endsHere } from "../shapes.ts";
import type { CheckUse, LocalType, PathUse, Place, Test, WireInteger, WriteFunction, WriteStep } from "../steps.ts";
import { bitOf, byteOf, floatBits, loaderOf, plus, storerOf } from "./places.ts";
import { areSets, literalText, type ModuleParts, setBlocks } from "./print-read.ts";
import { roomOf } from "./room.ts";

/** How the function that writes a description is called. */
export function writerName(name: string): string {
  return `write${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What a value is taken for, before it has been looked at. */
const useTypes: Readonly<Record<LocalType, string>> = {
  number: "number",
  bigint: "bigint",
  text: "string",
  boolean: "boolean",
  bytes: "Uint8Array",
  list: "readonly unknown[]",
  value: "Members",
};

const IS_OBJECT = '(value: unknown): boolean => typeof value === "object" && value !== null';

/** One writing function. */
export function printWriter(fn: WriteFunction, parts: ModuleParts): string {
  return new Writer(fn, parts).print();
}

const transforms = {
  "+128": (text: string) => `(${text}) + 128`,
  neg: (text: string) => `-(${text})`,
  sub: (text: string) => `128 - (${text})`,
} as const;

class Writer {
  readonly #lines = new Lines();
  readonly #fn: WriteFunction;
  readonly #parts: ModuleParts;
  #temporaries = 0;
  /** Numbers and bytes that have been written: they are of their type. */
  #known: ReadonlySet<string> = new Set();

  constructor(fn: WriteFunction, parts: ModuleParts) {
    this.#fn = fn;
    this.#parts = parts;
  }

  print(): string {
    const type = useTypes[this.#fn.use];
    this.#lines.block("", () => {
      if (usesBits(this.#fn.body)) this.#lines.add("let bit = 0;");
      this.#steps(this.#fn.body);
    });
    const text = withoutUnread(this.#lines.toString());
    const named = (name: string): string => (new RegExp(`\\b${name}\\b`).test(text) ? name : `_${name}`);
    return `function ${writerName(this.#fn.name)}(${named("b")}: Uint8Array, at: number, ${named("v")}: ${type}): number {${text}`;
  }

  #help(name: string): string {
    this.#parts.helpers.add(name);
    return name;
  }

  #steps(steps: readonly WriteStep[]): void {
    let moved = 0;
    const outside = this.#known;
    for (const [index, step] of steps.entries()) {
      const next = steps.slice(index + 1).find((each) => each.step !== "get");
      if (step.step === "advance" && step.base === "at" && next?.step === "call") moved = step.bits / 8;
      else if (step.step === "call") {
        this.#call(step, moved);
        moved = 0;
      } else this.#step(step);
      if (step.step === "integer" || step.step === "bytes") this.#known = new Set([...this.#known, step.of.name]);
    }
    this.#known = outside;
  }

  /** Another function writes from so many bytes after the cursor on. */
  #call({ of, name, path }: Extract<WriteStep, { step: "call" }>, moved: number): void {
    this.#lines.add(
      `at = ${writerName(name)}(b, ${plus("at", moved)}, ${of.name});`,
      `if (at < 0) return ${this.#under(path)};`,
    );
  }

  #bad({ table, id, indexes }: CheckUse, shown: string): string {
    return `${this.#help("bad")}(${[table, id, shown, ...indexes.map(({ name }) => name)].join(", ")})`;
  }

  #notObject({ of, path: { path, indexes } }: Extract<WriteStep, { step: "object" }>): string {
    return `${this.#help("badObject")}(${[JSON.stringify(path), of.name, ...indexes.map(({ name }) => name)].join(", ")})`;
  }

  #under({ path, indexes }: PathUse): string {
    return `${this.#help("under")}(${[JSON.stringify(path), ...indexes.map(({ name }) => name)].join(", ")})`;
  }

  #step(step: WriteStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "object":
        this.#parts.local("isObject", IS_OBJECT);
        lines.add(`if (!isObject(${step.of.name})) return ${this.#notObject(step)};`);
        return;
      case "get":
        lines.add(`const ${step.to.name} = ${memberText(step.of.name, step.key)} as ${useTypes[step.to.type]};`);
        return;
      case "same": {
        const { of, value, optional } = step;
        const more = optional ? ` && ${of.name} !== undefined` : "";
        lines.add(`if (${of.name} !== ${literalText(value)}${more}) return ${this.#bad(step.check, of.name)};`);
        return;
      }
      case "absent": {
        const { of, keys, path } = step;
        const tests = keys.map((key) => `${memberText(of.name, key)} !== undefined`);
        const args = [
          JSON.stringify(path.path),
          of.name,
          JSON.stringify(keys.join("|")),
          ...path.indexes.map(({ name }) => name),
        ];
        lines.add(`if (${tests.join(" || ")}) return ${this.#help("badKey")}(${args.join(", ")});`);
        return;
      }
      case "integer":
        this.#integer(step);
        return;
      case "integers":
        this.#integers(step);
        return;
      case "put":
        this.#put(step.place, step.as, literalText(wireValue(step.as, step.value)), step.value);
        return;
      case "big":
        lines.add(
          `if (!${this.#help("putBig")}(b, ${byteOf(step.place)}, ${step.of.name})) return ${this.#bad(step.check, step.of.name)};`,
        );
        return;
      case "float":
        this.#float(step);
        return;
      case "smart":
        this.#smart(step);
        return;
      case "number":
        this.#number(step);
        return;
      case "boolean": {
        const { of, to } = step;
        lines.add(
          `if (typeof ${of.name} !== "boolean") return ${this.#bad(step.check, of.name)};`,
          `const ${to.name} = ${of.name} ? 1 : 0;`,
        );
        return;
      }
      case "flags":
        this.#flags(step);
        return;
      case "length": {
        const { of, to } = step;
        lines.add(
          `if (!Array.isArray(${of.name})) return ${this.#bad(step.check, of.name)};`,
          `const ${to.name} = ${of.name}.length;`,
        );
        return;
      }
      case "atMost":
        lines.add(`if (${step.of.name} > ${step.limit}) return ${this.#bad(step.check, step.of.name)};`);
        return;
      case "exactly":
        lines.add(`if (${step.of.name} !== ${step.count}) return ${this.#bad(step.check, step.of.name)};`);
        return;
      case "bytes":
        this.#bytes(step);
        return;
      case "bitBytes": {
        const { of, count } = step;
        lines.add(
          `if (!(${of.name} instanceof Uint8Array && ${of.name}.length === ${count})) return ${this.#bad(step.check, of.name)};`,
        );
        lines.add(
          `for (let i = 0; i < ${count}; i++) ${this.#help("putHighBits")}(b, ${bitOf(step.place)} + i * 8, 8, ${of.name}[i]!);`,
        );
        return;
      }
      case "text":
        this.#text(step);
        return;
      case "advance":
        lines.add(`${step.base} += ${step.base === "bit" ? step.bits : step.bits / 8};`);
        return;
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)};`);
        return;
      case "toBytes":
        lines.add("at = (bit + 7) >> 3;");
        return;
      case "choose":
        this.#choose(step);
        return;
      case "if": {
        const { yes, no } = step;
        if (yes.length === 0 && no.length > 0) {
          lines.block(`if (!(${this.#test(step.test)})) {`, () => this.#steps(no));
          return;
        }
        const isElse = no.length > 0 && !endsHere(yes);
        lines.blocks([
          [`if (${this.#test(step.test)}) {`, () => this.#steps(yes)],
          ...(isElse ? [["else {", () => this.#steps(no)] as const] : []),
        ]);
        if (!isElse) this.#steps(no);
        return;
      }
      case "list":
        this.#list(step);
        return;
      case "call":
        this.#call(step, 0);
        return;
      case "sized":
        this.#sized(step);
        return;
      case "deflate":
        this.#deflate(step);
        return;
      case "mark":
        lines.add(`const ${step.to.name} = ${byteOf(step.place)};`);
        return;
      case "over": {
        const used = `${byteOf(step.place)} - ${step.since.name}`;
        lines.add(`if (${used} > ${step.limit}) return ${this.#bad(step.check, used)};`);
        return;
      }
      case "notMark": {
        const tests = step.parts.map(
          ({ of, bits, value }) =>
            // Whatever is not a whole number is none of the mark's: its bits may be.
            `Number.isInteger(${of.name}) && (${of.name} & ${bits === 32 ? -1 : 2 ** bits - 1}) === ${bits === 32 ? value | 0 : value}`,
        );
        lines.add(`if (${tests.join(" && ")}) return ${this.#bad(step.check, step.shown.name)};`);
        return;
      }
      case "refuse":
        lines.add(`return ${this.#bad(step.check, step.shown.name)};`);
        return;
      case "end":
        lines.add(`return ${byteOf(step.place)};`);
        return;
    }
  }

  #temporary(name: string): string {
    this.#temporaries += 1;
    return `${name}$${this.#temporaries}`;
  }

  /** A test that fails for whatever does not fit; of numbers that fill their bits it is their own truncation. */
  #misfit(name: string, as: WireInteger, min: number, max: number): string {
    const { bits, signed, divisor = 1 } = as;
    // A bigint knows no numbers beside it, and throws.
    const isNumber = `typeof ${name} !== "number" || `;
    if (fillsBits(as, min, max)) {
      if (bits === 32) return `${isNumber}${signed ? `(${name} | 0)` : `${name} >>> 0`} !== ${name}`;
      const whole = signed ? `(${name} << ${32 - bits}) >> ${32 - bits}` : `(${name} & ${2 ** bits - 1})`;
      return `${isNumber}${whole} !== ${name}`;
    }
    if (divisor === 1) return `!(Number.isInteger(${name}) && ${name} >= ${min} && ${name} <= ${max})`;
    return `${isNumber}!(Number.isInteger(${name} * ${divisor}) && ${name} >= ${min} && ${name} <= ${max})`;
  }

  #integers({ of, prefix, fields, check }: Extract<WriteStep, { step: "integers" }>): void {
    const calls = fields.map(({ key, place, as }) => {
      const storer = storerOf(place, as);
      if (storer === undefined) throw new TypeError("Cannot happen: only plain integers are written together");
      this.#parts.local(storer.name, storer.text);
      return `${storer.name}(b, ${byteOf(place)}, ${memberText(of.name, key)})`;
    });
    const args = [check.table, check.id, JSON.stringify(prefix), of.name, ...check.indexes.map(({ name }) => name)];
    const refusal = `return ${this.#help("badField")}(${args.join(", ")});`;
    const [only] = calls;
    if (calls.length === 1) {
      this.#lines.add(`if (!${only}) ${refusal}`);
      return;
    }
    this.#lines.add("if (", "  !(");
    calls.forEach((call, index) => {
      this.#lines.add(`    ${call}${index === calls.length - 1 ? "" : " &&"}`);
    });
    this.#lines.add("  )", ")", `  ${refusal}`);
  }

  #integer({ of, place, as, min, max, check, isChecked }: Extract<WriteStep, { step: "integer" }>): void {
    const storer = isChecked || !fillsBits(as, min, max) ? undefined : storerOf(place, as);
    if (storer !== undefined) {
      this.#parts.local(storer.name, storer.text);
      this.#lines.add(`if (!${storer.name}(b, ${byteOf(place)}, ${of.name})) return ${this.#bad(check, of.name)};`);
      return;
    }
    if (!isChecked) this.#lines.add(`if (${this.#misfit(of.name, as, min, max)}) return ${this.#bad(check, of.name)};`);
    const { bias = 0, divisor = 1 } = as;
    const isPlain = bias === 0 && divisor === 1;
    const moved = [
      of.name,
      ...(divisor === 1 ? [] : [`* ${divisor}`]),
      ...(bias === 0 ? [] : [bias < 0 ? `- ${-bias}` : `+ ${bias}`]),
    ].join(" ");
    const needsName = !isPlain && (as.bits > 8 || place.order !== "bytes");
    if (needsName) {
      const name = this.#temporary("wire");
      this.#lines.add(`const ${name} = ${moved};`);
      this.#put(place, as, name);
    } else this.#put(place, as, isPlain ? of.name : `(${moved})`);
  }

  /** Stores a number that fits. `known`: its value, where that is known. */
  #put(place: Place, as: WireInteger, text: string, known?: number): void {
    const { bits, order, transform } = as;
    const lines = this.#lines;
    if (place.order === "bytes") {
      const count = bits / 8;
      const digits = order === "be" || order === "le" ? undefined : order;
      for (let index = 0; index < count; index++) {
        const low = digits === undefined ? (order === "be" ? count - 1 - index : index) : Number(digits[index]);
        lines.add(`b[${byteOf(place, index)}] = ${this.#byteText(text, low, transform, known)};`);
      }
      return;
    }
    if (place.base === "bit") {
      const unsigned = as.signed ? (bits === 32 ? `${text} >>> 0` : `${text} & ${2 ** bits - 1}`) : text;
      if (place.order === "lsb") {
        // Bits from the low end lie within one byte, and the first ones of it clear the others. Called for each, this took twice as long.
        const used = `(${bitOf(place)} & 7)`;
        const byte = `b[${byteOf(place)}]`;
        lines.add(
          `if (${used} === 0) ${byte} = ${unsigned};`,
          `else ${byte}! |= ${parenthesized(unsigned)} << ${used};`,
        );
      } else lines.add(`${this.#help("putHighBits")}(b, ${bitOf(place)}, ${bits}, ${unsigned});`);
      return;
    }
    if (bits % 8 === 0 && bits > 8 && (order !== "be" || transform !== undefined)) {
      // Bytes in their own order, each as eight bits.
      const count = bits / 8;
      const digits = order === "be" || order === "le" ? undefined : order;
      for (let index = 0; index < count; index++) {
        const low = digits === undefined ? (order === "be" ? count - 1 - index : index) : Number(digits[index]);
        const byte = `(${this.#byteText(text, low, transform, known)}) & 255`;
        this.#putBits({ ...place, bits: place.bits + index * 8 }, 8, byte, undefined);
      }
      return;
    }
    const changed = transform === undefined ? text : `(${transforms[transform](text)}) & 255`;
    this.#putBits(place, bits, changed, transform === undefined ? known : undefined, as.signed);
  }

  #byteText(text: string, low: number, transform: WireInteger["transform"], known?: number): string {
    if (known !== undefined) {
      const byte = Math.floor(known / 2 ** (8 * low)) & 255;
      const changed =
        low > 0 || transform === undefined
          ? byte
          : transform === "+128"
            ? byte + 128
            : transform === "neg"
              ? -byte
              : 128 - byte;
      return String(changed & 255);
    }
    if (low > 0) return `${text} >> ${8 * low}`;
    return transform === undefined ? text : transforms[transform](text);
  }

  /** Bits at a place that is known: the first ones of a byte clear the others. */
  #putBits(place: Place, width: number, text: string, known: number | undefined, isSigned = false): void {
    const lines = this.#lines;
    const start = ((place.bits % 8) + 8) % 8;
    if (place.order === "lsb") {
      // A negative number has ones above its bits.
      const own = isSigned ? `(${parenthesized(text)} & ${2 ** width - 1})` : text;
      const moved =
        known === undefined ? (start === 0 ? own : `${parenthesized(own)} << ${start}`) : String(known << start);
      lines.add(`b[${byteOf(place)}]${start === 0 ? " =" : "! |="} ${moved};`);
      return;
    }
    let name = text;
    const count = Math.ceil((start + width) / 8);
    if (count > 1 && known === undefined && !/^[\w$]+$/.test(text)) {
      name = this.#temporary("wire");
      lines.add(`const ${name} = ${text};`);
    }
    for (let index = 0; index < count; index++) {
      // How far the number's lowest bit lies above the byte's lowest one.
      const shift = (index + 1) * 8 - start - width;
      if (known !== undefined) {
        const byte =
          (shift >= 0 ? known * 2 ** shift : Math.floor(known / 2 ** -shift)) &
          255 &
          (index === 0 ? 255 >> start : 255);
        lines.add(
          index === 0 && start > 0
            ? `b[${byteOf(place, index)}]! |= ${byte};`
            : `b[${byteOf(place, index)}] = ${byte};`,
        );
        continue;
      }
      const moved =
        shift === 0 ? name : shift > 0 ? `${parenthesized(name)} << ${shift}` : `${parenthesized(name)} >>> ${-shift}`;
      const isFirst = index === 0 && start > 0;
      // A negative number has ones above its bits.
      const masked = isFirst && isSigned ? `(${moved}) & ${255 >> start}` : moved;
      lines.add(`b[${byteOf(place, index)}]${isFirst ? "! |=" : " ="} ${masked};`);
    }
  }

  #float({ of, place, order, finite, checks }: Extract<WriteStep, { step: "float" }>): void {
    const [type, fits] = checks;
    const lines = this.#lines;
    lines.add(`if (typeof ${of.name} !== "number") return ${this.#bad(type, of.name)};`);
    const word = this.#temporary("word");
    lines.add(`const ${word} = ${this.#help("floatWordOf")}(${of.name}${finite ? " + 0" : ""});`);
    // All ones in the exponent: an infinity or no number.
    if (finite) lines.add(`if ((${word} & 2139095040) === 2139095040) return ${this.#bad(fits, of.name)};`);
    const as = floatBits(order);
    const loader = loaderOf(place, as);
    if (loader === undefined) {
      this.#put(place, as, word);
      return;
    }
    // Written once: a message of many floats that begin within bytes was three times as long.
    const name = `setI${loader.name.slice(1)}`;
    const inner = new Writer(this.#fn, this.#parts);
    inner.#lines.block("", () => inner.#put({ ...place, bits: place.bits % 8 }, as, "value"));
    this.#parts.local(name, `(b: Uint8Array, at: number, value: number): void => {${inner.#lines.toString()}`);
    lines.add(`${name}(b, ${byteOf(place)}, ${word});`);
  }

  #smart({ of, wide, min, max, check }: Extract<WriteStep, { step: "smart" }>): void {
    const lines = this.#lines;
    const n = of.name;
    lines.add(`if (!(Number.isInteger(${n}) && ${n} >= ${min} && ${n} <= ${max})) return ${this.#bad(check, n)};`);
    const two = (text: string) => [`b[at] = ${text} >> 8;`, `b[at + 1] = ${text};`, "at += 2;"];
    if (wide) {
      const word = this.#temporary("wire");
      lines.add(`const ${word} = ${n} === -1 ? 32767 : ${n};`);
      lines.blocks([
        [`if (${n} < 32767) {`, () => lines.add(...two(word))],
        [
          "else {",
          () =>
            lines.add(
              `b[at] = (${n} >> 24) | 128;`,
              `b[at + 1] = ${n} >> 16;`,
              `b[at + 2] = ${n} >> 8;`,
              `b[at + 3] = ${n};`,
              "at += 4;",
            ),
        ],
      ]);
      return;
    }
    lines.blocks([
      [`if (${n} < 128) {`, () => lines.add(`b[at] = ${n};`, "at += 1;")],
      ["else {", () => lines.add(`b[at] = (${n} >> 8) | 128;`, `b[at + 1] = ${n};`, "at += 2;")],
    ]);
  }

  #number({ to, of, names, check }: Extract<WriteStep, { step: "number" }>): void {
    const entries = Object.entries(names);
    if (entries.length <= 3) {
      const tests = entries.map(([name, number]) => `${of.name} === ${JSON.stringify(name)} ? ${number} : `);
      this.#lines.add(`const ${to.name} = ${tests.join("")}undefined;`);
    } else {
      const list = entries.map(([name, number]) => `[${JSON.stringify(name)}, ${number}]`);
      const table = this.#parts.constant("numbers", `new Map<unknown, number>([${list.join(", ")}])`);
      this.#lines.add(`const ${to.name} = ${table}.get(${of.name});`);
    }
    this.#lines.add(`if (${to.name} === undefined) return ${this.#bad(check, of.name)};`);
  }

  #flags({ to, of, flags, check }: Extract<WriteStep, { step: "flags" }>): void {
    const lines = this.#lines;
    const entries = Object.entries(flags);
    const refusal = `return ${this.#bad(check, of.name)};`;
    this.#parts.local("isObject", IS_OBJECT);
    lines.add(`if (!isObject(${of.name})) ${refusal}`);
    const members = entries.map(([name, bit]) => [memberText(of.name, name), bit] as const);
    if (entries.some(([, bit]) => bit === 31)) {
      lines.add(
        `if (${members.map(([member]) => `typeof ${member} !== "boolean"`).join(" || ")}) ${refusal}`,
        `const ${to.name} = ${members.map(([member, bit]) => `(${member} ? ${bit === 31 ? -(2 ** 31) : 2 ** bit} : 0)`).join(" | ")};`,
      );
      return;
    }
    // Each is looked at once.
    this.#parts.local(
      "flagOf",
      "(value: unknown, bit: number): number => (value === true ? bit : value === false ? 0 : -1)",
    );
    const flagged = members.map(([member, bit]) => `flagOf(${member}, ${2 ** bit})`);
    lines.add(`const ${to.name} = ${flagged.join(" | ")};`, `if (${to.name} < 0) ${refusal}`);
  }

  /** A run that was written behind the place of its count: the count, and the cursor behind the run. */
  #behind(end: string, count: WireInteger | undefined): void {
    if (count !== undefined) {
      const length = this.#temporary("length");
      this.#lines.add(`const ${length} = ${end} - at - ${count.bits / 8};`);
      this.#put({ base: "at", bits: 0, order: "bytes" }, count, withBias(length, count));
    }
  }

  #bytes({ of, least, most, check, count, transform, reversed }: Extract<WriteStep, { step: "bytes" }>): void {
    const lines = this.#lines;
    const isChanged = transform !== undefined || reversed === true;
    const more = isChanged
      ? `, ${transform === undefined ? "undefined" : JSON.stringify(transform)}, ${reversed === true}`
      : "";
    const put = this.#help(isChanged ? "putChanged" : "putBytes");
    const from = plus("at", count === undefined ? 0 : count.bits / 8);
    const call = `${put}(b, ${from}, ${of.name}, ${least}, ${most === Number.POSITIVE_INFINITY ? "Infinity" : most}${more})`;
    if (count === undefined) {
      lines.add(`at = ${call};`, `if (at < 0) return ${this.#bad(check, of.name)};`);
      return;
    }
    const end = this.#temporary("end");
    lines.add(`const ${end} = ${call};`, `if (${end} < 0) return ${this.#bad(check, of.name)};`);
    this.#behind(end, count);
    lines.add(`at = ${end};`);
  }

  #text({ of, charset, least, limit, check, isZeroEnded, count }: Extract<WriteStep, { step: "text" }>): void {
    const lines = this.#lines;
    const put = this.#help(charset === "latin1" ? "putText" : "putWindows1252");
    const end = this.#temporary("end");
    lines.add(
      `const ${end} = ${put}(b, ${plus("at", count === undefined ? 0 : count.bits / 8)}, ${of.name}, ${least}, ${limit});`,
    );
    lines.add(`if (${end} < 0) return ${this.#bad(check, of.name)};`);
    this.#behind(end, count);
    if (isZeroEnded) lines.add(`b[${end}] = 0;`, `at = ${end} + 1;`);
    else lines.add(`at = ${end};`);
  }

  #choose({ of, cases, no: otherwise }: Extract<WriteStep, { step: "choose" }>): void {
    if (areSets(cases)) {
      const { name } = of;
      this.#lines.add(
        `const ${name}Bit = typeof ${name} === "number" && ${name} >>> 0 === ${name} && ${name} < 32 ? 1 << ${name} : 0;`,
      );
      this.#lines.blocks(setBlocks(`${name}Bit`, cases, otherwise, (steps) => this.#steps(steps)));
      return;
    }
    this.#lines.block(`switch (${of.name}) {`, () => {
      for (const { values, body } of cases) {
        for (const value of values.slice(0, -1)) this.#lines.add(`case ${literalText(value)}:`);
        this.#lines.block(`case ${literalText(values.at(-1) ?? "")}: {`, () => {
          this.#steps(body);
          if (!endsHere(body)) this.#lines.add("break;");
        });
      }
      this.#lines.block("default: {", () => this.#steps(otherwise));
    });
  }

  #list({ of, index, length, item, body, until }: Extract<WriteStep, { step: "list" }>): void {
    const lines = this.#lines;
    lines.block(`for (let ${index.name} = 0; ${index.name} < ${length.name}; ${index.name}++) {`, () => {
      const isUsed = JSON.stringify(body).includes(`"name":"${item.name}"`);
      if (isUsed) lines.add(`const ${item.name} = ${of.name}[${index.name}] as ${useTypes[item.type]};`);
      if (until !== undefined) lines.add(`const ${item.name}Start = at;`);
      this.#steps(body);
      if (until !== undefined)
        lines.add(`if (b[${item.name}Start] === ${until.byte}) return ${this.#bad(until.check, item.name)};`);
    });
  }

  #sized({ of, name, extra, as, max, checks }: Extract<WriteStep, { step: "sized" }>): void {
    const lines = this.#lines;
    const bytes = as.bits / 8;
    const end = this.#temporary("end");
    const size = this.#temporary("size");
    lines.add(`const ${end} = ${writerName(name)}(b, ${plus("at", bytes)}, ${of.name});`);
    lines.add(`if (${end} < 0) return ${this.#under(checks.path)};`);
    lines.add(
      `const ${size} = ${end} - at${extra === bytes ? "" : extra < bytes ? ` - ${bytes - extra}` : ` + ${extra - bytes}`};`,
    );
    lines.add(`if (${size} > ${max}) return ${this.#bad(checks.size, size)};`);
    this.#put({ base: "at", bits: 0, order: "bytes" }, as, withBias(size, as));
    lines.add(`at = ${end};`);
  }

  #deflate({ of, name, node, head, path }: Extract<WriteStep, { step: "deflate" }>): void {
    const lines = this.#lines;
    const length = this.#temporary("length");
    const room = roomOf(node, of.name, (helper) => this.#help(helper));
    lines.add(`const ${length} = ${writerName(name)}(${this.#help("contentRoom")}(${room}), 0, ${of.name});`);
    lines.add(
      `if (${length} < 0) return ${this.#under(path)};`,
      `at = ${this.#help("deflate")}(b, at, ${length}, ${head});`,
    );
  }

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" && ");
    if ("zeros" in test) {
      const zeros = `${test.expected ? "" : "!"}${this.#help("allZero")}(${test.zeros.name})`;
      return this.#known.has(test.zeros.name) ? zeros : `${test.zeros.name} instanceof Uint8Array && ${zeros}`;
    }
    if ("absent" in test) return `${test.absent.name} === undefined`;
    if ("present" in test) return `${test.present.name} !== undefined`;
    if ("oneOf" in test) {
      const tests = test.oneOf.map((each) => `${test.of.name} === ${literalText(each)}`);
      return tests.length === 1 ? (tests[0] as string) : `(${tests.join(" || ")})`;
    }
    if ("of" in test) {
      const { of, mask, from, to, not } = test;
      const number = mask === undefined ? of.name : `((${of.name} & ${mask | 0}) >>> 0)`;
      const tests = [
        ...(this.#known.has(of.name) ? [] : [`typeof ${of.name} === "number"`]),
        ...(from !== undefined && from === to ? [`${number} === ${from}`] : []),
        ...(from !== undefined && from !== to ? [`${number} >= ${from}`] : []),
        ...(to !== undefined && from !== to ? [`${number} <= ${to}`] : []),
        ...(not === undefined ? [] : [`${number} !== ${not}`]),
      ];
      return tests.join(" && ") || "true";
    }
    throw new TypeError("Cannot happen: a writer does not look at bytes");
  }
}

/** Whether an integer may be all that its bits can hold. */
function fillsBits({ bits, signed, bias = 0, divisor = 1 }: WireInteger, min: number, max: number): boolean {
  const low = signed ? -(2 ** (bits - 1)) : 0;
  return bias === 0 && divisor === 1 && min === low && max === low + 2 ** bits - 1;
}

/** Without the members that are taken and not looked at; those that only another function asks for are taken when it is called. */
function withoutUnread(text: string): string {
  const given = new Map<string, string>();
  const kept = text.replace(MEMBER, (line, name: string, member: string) => {
    const escaped = name.replaceAll("$", "\\$");
    const uses = text.split(new RegExp(`(?<![\\w$."])${escaped}(?![\\w$"])`)).length - 1;
    if (uses === 2 && new RegExp(`\\bat = write\\w+\\(b, [^,]+, ${escaped}\\);`).test(text)) given.set(name, member);
    else if (uses > 1) return line;
    return "";
  });
  return kept.replace(
    /(\bat = write\w+\(b, [^,]+, )([\w$]+)\);/g,
    (_, call: string, name: string) => `${call}${given.get(name) ?? name});`,
  );
}

/** A member that is taken. */
const MEMBER = /^ *const ([\w$]+) = ([\w$.[\]"]+ as [\w ]+(?:\[\])?);\n/gm;

/** A number as it stands on the wire, before its low byte is changed. */
function wireValue({ bias = 0, divisor = 1 }: WireInteger, value: number): number {
  return value * divisor + bias;
}

function withBias(text: string, { bias = 0, divisor = 1 }: WireInteger): string {
  if (bias === 0 && divisor === 1) return text;
  return `(${divisor === 1 ? text : `${text} * ${divisor}`}${bias === 0 ? "" : ` + ${bias}`})`;
}

const parenthesized = (text: string): string => (/^[\w$]+$/.test(text) ? text : `(${text})`);

function memberText(of: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${of}.${key}` : `${of}[${JSON.stringify(key)}]`;
}

function usesBits(steps: readonly WriteStep[]): boolean {
  return steps.some((step) => {
    switch (step.step) {
      case "toBits":
        return true;
      case "if":
        return usesBits(step.yes) || usesBits(step.no);
      case "choose":
        return step.cases.some(({ body }) => usesBits(body)) || usesBits(step.no);
      case "list":
        return usesBits(step.body);
      default:
        return false;
    }
  });
}
