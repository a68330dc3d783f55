/** The steps of readers as TypeScript. */
import type { LayoutNode } from "../../wire/describe/node.ts";
import { Lines } from "../lines.ts";
import { endsHere } from "../shapes.ts";
import type {
  CheckUse,
  Local,
  PathUse,
  Place,
  ReadFunction,
  ReadStep,
  Test,
  Value,
  ValueField,
  WireInteger,
} from "../steps.ts";
import { bitOf, bitsAt, byteOf, floatBits, integerAt, isByte, loaderOf, plus } from "./places.ts";
import { keyText, type TypeNames, typeOf, typeWithKeys } from "./types.ts";

/** What the functions of a module share. */
export interface ModuleParts {
  /** Functions of the runtime that are called. */
  readonly helpers: Set<string>;
  /** A small function of the module itself: one that is imported is looked up at every call. */
  local(name: string, text: string): void;
  /** A constant of the module, made once for each text. */
  constant(name: string, text: string): string;
  readonly typeNames: TypeNames;
}

/** A literal as TypeScript writes it. */
export function literalText(value: number | string | boolean | bigint): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" ? JSON.stringify(value) : Object.is(value, -0) ? "-0" : String(value);
}

/** One reading function. */
export function printReader(fn: ReadFunction, resultType: string, parts: ModuleParts): string {
  return new Reader(fn, parts).print(resultType);
}

class Reader {
  readonly #lines = new Lines();
  readonly #fn: ReadFunction;
  readonly #parts: ModuleParts;
  #objects = 0;
  /** Objects that are made before all of their fields are read, and the members that stand for locals. */
  readonly #growing = new Map<Value, GrowingObject>();
  readonly #members = new Map<string, string>();

  constructor(fn: ReadFunction, parts: ModuleParts) {
    this.#fn = fn;
    this.#parts = parts;
  }

  print(resultType: string): string {
    const { parameters, text } = this.#whole();
    return `function ${functionName(this.#fn)}(${parameters}): ${resultType} | undefined {${text}`;
  }

  #whole(): { readonly parameters: string; readonly text: string } {
    const { body, claims, into } = this.#fn;
    this.#lines.block("", () => {
      if (usesBits(body)) this.#lines.add("let bit = 0;");
      this.#steps(body);
    });
    const text = this.#lines.toString();
    // A description without bytes looks at none.
    const unused = (parameter: string): string =>
      new RegExp(`\\b${parameter}\\b`).test(text) ? parameter : `_${parameter}`;
    const parameters = [
      `${unused("b")}: Uint8Array`,
      "at: number",
      `${unused("end")}: number`,
      ...(claims ? ["claimed: number"] : []),
    ];
    if (into === "object") parameters.push(`row: ${rowType(this.#fn)}`);
    if (into === "rows") parameters.push("words: Int32Array");
    return { parameters: parameters.join(", "), text };
  }

  /**
   * The steps of a rare case as a function of its own, where they ask for nothing that was read before: an engine takes only small
   * functions into their callers, and a call for each row took 2 ns of 11.
   */
  #apart(body: readonly ReadStep[], index: number): void {
    const name = `${functionName(this.#fn)}${index}`;
    const { parameters, text } = new Reader({ ...this.#fn, body }, this.#parts).#whole();
    this.#parts.local(name, `(${parameters}): number | undefined => {${text}`);
    this.#lines.add(`return ${name}(b, at, end, row);`);
  }

  #help(name: string): string {
    this.#parts.helpers.add(name);
    return name;
  }

  #steps(steps: readonly ReadStep[]): void {
    this.#findGrowing(steps);
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1];
      const before = steps[index - 1];
      if (step.step === "advance" && isAdded(step, next)) continue;
      if (step.step === "call") {
        const moved = before?.step === "advance" && isAdded(before, step) ? before.bits / 8 : 0;
        this.#call(step, moved, next?.step === "return" && next.place.bits === 0);
        continue;
      }
      if (step.step === "return" && before?.step === "call" && step.place.bits === 0) {
        this.#lines.add(`return ${this.#value(step.value)};`);
        continue;
      }
      if (step.step === "prefix") {
        const isFirst = this.#fn.body === steps && steps.slice(0, index).every((each) => each.step === "need");
        this.#prefix(step, isChosenBy(step, next) ? next : undefined, isFirst && this.#fn.into === "object");
      } else if (before?.step !== "prefix" || !isChosenBy(before, step)) this.#step(step);
    }
  }

  #call({ to, name, path }: CallStep, moved: number, isLast: boolean): void {
    this.#lines.add(
      `const ${to.name} = ${readerName(name)}(b, ${plus("at", moved)}, end);`,
      `if (${to.name} === undefined) return ${this.#path(path)};`,
    );
    // What follows the last one ends where that has ended.
    if (!isLast) this.#lines.add("at = after;");
  }

  /**
   * The object that a list of steps ends with, where it has fields that may not be there: these are read into the object itself, without
   * a local each, where that gives the object its fields in their order.
   */
  #findGrowing(steps: readonly ReadStep[]): void {
    const value = steps.flatMap((each) => (each.step === "return" || each.step === "set" ? [each.value] : [])).at(-1);
    if (value?.is !== "object") return;
    const { fields } = value;
    const type = this.#objectType(value);
    const declared = new Map(
      steps.flatMap((each, index) => (each.step === "declare" ? [[each.local.name, index]] : [])),
    );
    let from = 0;
    for (const { key, value: inner, maybe } of fields) {
      if (key === "...") return;
      if (maybe !== true) continue;
      const at = inner.is === "local" ? declared.get(inner.local.name) : undefined;
      if (at === undefined || at < from) return;
      from = at;
    }
    const starts = fields.map(({ value: inner }) =>
      inner.is === "local" ? declared.get(inner.local.name) : undefined,
    );
    const isLate = fields.some(({ value: inner, maybe }, index) => {
      const next = fields.findIndex((each, at) => at > index && each.maybe === true);
      return maybe !== true && next >= 0 && localsOf(inner).some((name) => isSetFrom(steps, starts[next] ?? 0, name));
    });
    const grown = fields.filter(({ maybe }) => maybe === true);
    const names = grown.flatMap((field) => localsOf(field.value));
    const set = steps.flatMap((each) => (each.step === "if" ? setsOf(setEarly(each.yes, names), names) : []));
    if (grown.length === 0 || isLate || type === undefined || set.join() !== names.join()) return;
    const object: GrowingObject = { name: this.#objectName(), type, fields, made: 0 };
    this.#growing.set(value, object);
    grown.forEach(({ key }, index) => {
      this.#members.set(names[index] as string, memberText(object.name, key));
    });
  }

  /** Gives a growing object its fields up to one that may not be there, or all. */
  #grow(object: GrowingObject, until: number): void {
    const own = object.fields.slice(object.made, until).filter(({ maybe }) => maybe !== true);
    if (object.made === 0) {
      const members = own.map(({ key, value }) => memberOf(key, this.#value(value)));
      this.#lines.add(`const ${object.name} = ${objectText(members)} as ${object.type};`);
    } else {
      for (const { key, value } of own) this.#lines.add(`${memberText(object.name, key)} = ${this.#value(value)};`);
    }
    object.made = until;
  }

  #declare({ local, fill }: Extract<ReadStep, { step: "declare" }>): void {
    for (const object of this.#growing.values()) {
      const index = object.fields.findIndex(
        ({ value, maybe }) => maybe === true && value.is === "local" && value.local === local,
      );
      if (index < 0) continue;
      if (object.made <= index) this.#grow(object, index + 1);
      return;
    }
    const type = fill === undefined ? typeNote(local, this.#parts.typeNames) : ` = ${literalText(fill)}`;
    this.#lines.add(`let ${local.name}${type};`);
  }

  #name(local: Local): string {
    return this.#members.get(local.name) ?? local.name;
  }

  #objectName(): string {
    this.#objects += 1;
    return this.#objects === 1 ? "object" : `object${this.#objects}`;
  }

  #objectType({ node, fields }: Extract<Value, { is: "object" }>): string | undefined {
    if (node === undefined) return undefined;
    const keys = fields.map(({ key }) => key);
    const known = new Map(
      fields.flatMap(({ key, value }) => (value.is === "constant" ? [[key, literalText(value.value)] as const] : [])),
    );
    return typeWithKeys(node, keys, known, this.#parts.typeNames);
  }

  /** The call that notes a refusal at a place. */
  #refusal({ table, id, indexes }: CheckUse, place: Place, shown?: string): string {
    const more = indexes.map(({ name }) => name);
    const args = [
      table,
      String(id),
      isByte(place) ? byteOf(place) : bitOf(place),
      ...(shown === undefined && more.length === 0 ? [] : [shown ?? "0"]),
      ...more,
    ];
    return `${this.#help(isByte(place) ? "no" : "noBit")}(${args.join(", ")})`;
  }

  #path({ path, indexes }: PathUse): string {
    return `${this.#help("on")}(${[JSON.stringify(path), ...indexes.map(({ name }) => name)].join(", ")})`;
  }

  #need(step: Extract<ReadStep, { step: "need" }>): void {
    const { place, bits, times, check } = step;
    const isWhole = isByte(place);
    let test: string;
    if (times !== undefined) {
      const unit = isWhole && bits % 8 === 0 ? bits / 8 : bits;
      const needed = unit === 1 ? times.name : `${times.name} * ${unit}`;
      const left =
        isWhole && bits % 8 === 0
          ? `end - ${parenthesized(byteOf(place))}`
          : `end * 8 - ${parenthesized(bitOf(place))}`;
      test = `${left} < ${needed}`;
    } else if (place.base === "at") {
      test = `end - at < ${Math.ceil((place.bits + bits) / 8)}`;
    } else {
      test = `end * 8 - bit < ${place.bits + bits}`;
    }
    const cut = this.#help(isWhole ? "cut" : "cutBit");
    const total = times !== undefined && bits === 8 ? [times.name] : [];
    const args = [
      check.table,
      check.id,
      isWhole ? byteOf(place) : bitOf(place),
      "end",
      ...(total.length > 0 || check.indexes.length > 0 ? [total[0] ?? "0"] : []),
      ...check.indexes.map(({ name }) => name),
    ];
    this.#lines.add(`if (${test}) return ${cut}(${args.join(", ")});`);
  }

  #step(step: ReadStep): void {
    const lines = this.#lines;
    switch (step.step) {
      case "need":
        this.#need(step);
        return;
      case "integer":
        lines.add(`${step.to.isMerged ? "" : "const "}${this.#name(step.to)} = ${this.#integer(step.place, step.as)};`);
        return;
      case "big":
        lines.add(`const ${step.to.name} = ${this.#help("bigAt")}(b, ${byteOf(step.place)});`);
        return;
      case "float": {
        const text = `${this.#help("floatOf")}(${this.#integer(step.place, floatBits(step.order))})`;
        lines.add(`const ${step.to.name} = ${text}${step.finite ? " + 0" : ""};`);
        return;
      }
      case "finite":
        lines.add(
          `if (${step.of.name} - ${step.of.name} !== 0) return ${this.#refusal(step.check, step.place, step.of.name)};`,
        );
        return;
      case "smart":
        this.#smart(step);
        return;
      case "prefix":
        this.#prefix(step);
        return;
      case "check":
        lines.add(`if (${this.#not(step.test)}) return ${this.#refusal(step.check, step.place, shownBy(step))};`);
        return;
      case "name":
        this.#named(step);
        return;
      case "boolean":
        lines.add(`const ${step.to.name} = ${step.of.name} === 1;`);
        return;
      case "flags":
        this.#flags(step);
        return;
      case "part":
        lines.add(`const ${step.to.name} = (${step.of.name} >>> ${step.shift}) & ${step.mask};`);
        return;
      case "bytes": {
        const count = typeof step.count === "number" ? String(step.count) : step.count.name;
        const isChanged = step.transform !== undefined || step.reversed === true;
        const more = isChanged
          ? `, ${step.transform === undefined ? "undefined" : JSON.stringify(step.transform)}, ${step.reversed === true}`
          : "";
        if (step.place.base === "bit") {
          lines.add(`const ${step.to.name} = ${this.#help("bytesOfBits")}(b, ${bitOf(step.place)}, ${count}${more});`);
          return;
        }
        lines.add(
          `const ${step.to.name} = ${this.#help(isChanged ? "changedBytes" : "bytesAt")}(b, ${byteOf(step.place)}, ${count}${more});`,
        );
        return;
      }
      case "left": {
        const end = this.#fn.claims ? "claimed" : "end";
        lines.add(`const ${step.to.name} = ${end} - ${parenthesized(byteOf(step.place))};`);
        lines.add(
          `if (${step.to.name} > ${step.limit}) return ${this.#refusal(step.check, step.place, step.to.name)};`,
        );
        return;
      }
      case "zeroText": {
        const zero = `${step.to.name}End`;
        const [noEnd, long] = step.checks;
        const here: Place = { base: "at", bits: 0, order: "bytes" };
        lines.add(`const ${zero} = ${this.#help("zeroAt")}(b, at, end, ${step.limit});`);
        lines.add(`if (${zero} === -2) return ${this.#refusal(long, here)};`);
        const cut =
          step.charset === "latin1"
            ? this.#refusal(noEnd, here, "end - at")
            : `${this.#help("cut")}(${[noEnd.table, noEnd.id, "end", "end", ...(noEnd.indexes.length > 0 ? ["0"] : []), ...noEnd.indexes.map(({ name }) => name)].join(", ")})`;
        lines.add(`if (${zero} < 0) return ${cut};`);
        const decode = this.#help(step.charset === "latin1" ? "decodeLatin1" : "decodeWindows1252");
        lines.add(`const ${step.to.name} = ${decode}(b, at, ${zero});`, `at = ${zero} + 1;`);
        return;
      }
      case "text": {
        const decode = this.#help(step.charset === "latin1" ? "decodeLatin1" : "decodeWindows1252");
        const from = byteOf(step.place);
        lines.add(`const ${step.to.name} = ${decode}(b, ${from}, ${from} + ${step.count.name});`);
        return;
      }
      case "advance": {
        const count = step.base === "bit" ? step.bits : step.bits / 8;
        const times = step.times?.name;
        lines.add(`${step.base} += ${times === undefined ? count : count === 1 ? times : `${times} * ${count}`};`);
        return;
      }
      case "toBits":
        lines.add(`bit = ${bitOf(step.place)};`);
        return;
      case "toBytes":
        this.#toBytes(step);
        return;
      case "declare":
        this.#declare(step);
        return;
      case "set":
        lines.add(`${this.#name(step.to)} = ${this.#value(step.value)};`);
        return;
      case "switch":
        this.#switch(step);
        return;
      case "if":
        this.#if(step.test, setEarly(step.yes, [...this.#members.keys()]), step.no);
        return;
      case "list":
        this.#list(step);
        return;
      case "openList":
        this.#openList(step);
        return;
      case "tolerant":
        this.#tolerant(step);
        return;
      case "call":
        this.#call(step, 0, false);
        return;
      case "sized":
        this.#sized(step);
        return;
      case "inflate":
        this.#inflate(step);
        return;
      case "refuse":
        lines.add(`return ${this.#refusal(step.check, step.place, step.shown?.name)};`);
        return;
      case "keepFrom":
        lines.add(`keptFrom = ${byteOf(step.place)};`);
        return;
      case "keepTo":
        lines.add(`keptTo = ${byteOf(step.place)};`);
        return;
      case "fill":
        for (const { key, value } of step.fields) lines.add(`row.${key} = ${this.#value(value)};`);
        lines.add(`return ${byteOf(step.place)};`);
        return;
      case "rows":
        this.#rows(step);
        return;
      case "return": {
        const value = this.#value(step.value);
        lines.add(`after = ${byteOf(step.place)};`, `return ${value};`);
        return;
      }
    }
  }

  #integer(place: Place, as: WireInteger): string {
    const loader = loaderOf(place, as);
    if (loader === undefined) return integerAt(place, as, this.#parts.helpers);
    this.#parts.local(loader.name, loader.text);
    return `${loader.name}(b, ${byteOf(place)})`;
  }

  #smart({ to, wide, checks }: Extract<ReadStep, { step: "smart" }>): void {
    const [one, long, short] = checks;
    const cut = (check: CheckUse): string =>
      `${this.#help("cut")}(${[check.table, check.id, "at", "end", ...(check.indexes.length > 0 ? ["0"] : []), ...check.indexes.map(({ name }) => name)].join(", ")})`;
    const lines = this.#lines;
    const two = "((b[at]! << 8) | b[at + 1]!)";
    lines.add(`if (end - at < 1) return ${cut(one)};`, `let ${to.name} = b[at]!;`);
    const isShort = `if (${to.name} < 128) {`;
    const inTwo = (check: CheckUse, value: string): void =>
      lines.add(`if (end - at < 2) return ${cut(check)};`, `${to.name} = ${value};`, "at += 2;");
    if (!wide) {
      lines.blocks([
        [isShort, () => lines.add("at += 1;")],
        ["else {", () => inTwo(long, `${two} - 32768`)],
      ]);
      return;
    }
    const four = "((b[at]! & 127) << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!";
    lines.blocks([
      [
        isShort,
        () => {
          inTwo(short, two);
          lines.add(`if (${to.name} === 32767) ${to.name} = -1;`);
        },
      ],
      ["else {", () => lines.add(`if (end - at < 4) return ${cut(long)};`, `${to.name} = ${four};`, "at += 4;")],
    ]);
  }

  /** A code of bits; `chosen`: what it decides, and nothing else does with it; `isApart`: rare cases become functions of their own. */
  #prefix({ to, codes, check, place }: PrefixStep, chosen?: SwitchStep, isApart = false): void {
    const longest = Math.max(...codes.map(({ length }) => length));
    const bits = `${to.name}Bits`;
    this.#lines.add(`const ${bits} = ${bitsAt(place, longest, this.#parts.helpers)};`);
    // Bits of the longest code tell them all apart: a shorter one covers a range of them.
    const isLow = place.order === "lsb";
    const ranges = codes.map((code, index) => {
      const low = Number.parseInt(code, 2) * 2 ** (longest - code.length);
      return { low, high: low + 2 ** (longest - code.length) - 1, index };
    });
    const tests = ranges.map(({ low, high, index }): string => {
      const code = codes[index] as string;
      // From the low end, the first bit of a code is its lowest.
      const fromLow = Number.parseInt([...code].reverse().join(""), 2);
      return isLow
        ? `(${bits} & ${2 ** code.length - 1}) === ${fromLow}`
        : low === high
          ? `${bits} === ${low}`
          : low === 0
            ? `${bits} <= ${high}`
            : `${bits} >= ${low} && ${bits} <= ${high}`;
    });
    const isWhole = ranges.reduce((sum, { low, high }) => sum + high - low + 1, 0) === 2 ** longest;
    const refusal = `return ${this.#refusal(check, place, bits)};`;
    if (chosen !== undefined) {
      // Each code is tested once: to make a number of it first, and choose by that, took 2 ns more.
      const cases = chosen.cases.flatMap(({ values, body }) => values.map((value) => ({ test: tests[value], body })));
      this.#lines.blocks([
        ...cases.map(({ test, body }, index) => {
          const isElse = isWhole && index === cases.length - 1;
          const open = `${index === 0 ? "" : "else "}${isElse ? "{" : `if (${test}) {`}`;
          const isRare = isApart && index >= USUAL_CASES && endsHere(body);
          return [open, () => (isRare ? this.#apart(body, index) : this.#steps(body))] as const;
        }),
        ...(isWhole ? [] : [["else {", () => this.#lines.add(refusal)] as const]),
      ]);
      return;
    }
    this.#lines.add(`const ${to.name} = ${tests.map((test, index) => `${test} ? ${index} : `).join("")}-1;`);
    if (!isWhole) this.#lines.add(`if (${to.name} < 0) ${refusal}`);
  }

  #named({ to, of, names, check, place }: Extract<ReadStep, { step: "name" }>): void {
    const entries = Object.entries(names);
    const [first] = entries;
    const refusal = this.#refusal(check, place, of.name);
    if (entries.length === 1 && first !== undefined) {
      this.#lines.add(
        `if (${of.name} !== ${first[1]}) return ${refusal};`,
        `const ${to.name} = ${JSON.stringify(first[0])};`,
      );
      return;
    }
    const most = Math.max(...entries.map(([, number]) => number));
    const least = Math.min(...entries.map(([, number]) => number));
    if (least >= 0 && most <= 255) {
      const byNumber = new Map(entries.map(([name, number]) => [number, name]));
      const list = Array.from({ length: most + 1 }, (_, number) =>
        byNumber.has(number) ? JSON.stringify(byNumber.get(number)) : "undefined",
      );
      const table = this.#parts.constant("names", `[${list.join(", ")}] as const`);
      this.#lines.add(`const ${to.name} = ${table}[${of.name}];`);
    } else {
      const list = entries.map(([name, number]) => `[${number}, ${JSON.stringify(name)}]`);
      const table = this.#parts.constant("names", `new Map([${list.join(", ")}] as const)`);
      this.#lines.add(`const ${to.name} = ${table}.get(${of.name} as never);`);
    }
    this.#lines.add(`if (${to.name} === undefined) return ${refusal};`);
  }

  #flags({ to, of, flags, shared }: Extract<ReadStep, { step: "flags" }>): void {
    const entries = Object.entries(flags);
    const text = (raw: string): string =>
      `{ ${entries.map(([name, bit]) => `${keyText(name)}: (${raw} & ${bit === 31 ? "-2147483648" : 2 ** bit}) !== 0`).join(", ")} }`;
    if (!shared) {
      this.#lines.add(`const ${to.name} = ${text(of.name)};`);
      return;
    }
    const most = 2 ** (Math.max(...entries.map(([, bit]) => bit)) + 1) - 1;
    const table = this.#parts.constant(
      "sets",
      `Array.from({ length: ${most + 1} }, (_, bits) => Object.freeze(${text("bits")}))`,
    );
    this.#lines.add(`const ${to.name} = ${table}[${of.name} & ${most}]!;`);
  }

  #toBytes({ check, place }: Extract<ReadStep, { step: "toBytes" }>): void {
    if (check !== undefined) {
      const isLow = place.order === "lsb";
      const padding = isLow ? "b[bit >> 3]! >> (bit & 7)" : `${this.#help("highBits")}(b, bit, -bit & 7)`;
      const named = isLow ? "bit & ~7" : "bit";
      const more = [padding, ...check.indexes.map(({ name }) => name)];
      this.#lines.add(
        `if ((bit & 7) !== 0 && ${isLow ? `(${padding})` : padding} !== 0) return ${this.#help("noBit")}(${[check.table, check.id, named, ...more].join(", ")});`,
      );
    }
    this.#lines.add("at = (bit + 7) >> 3;");
  }

  #switch({ of, cases, no: otherwise }: Extract<ReadStep, { step: "switch" }>): void {
    if (areSets(cases)) {
      this.#lines.add(`const ${of.name}Bit = ${of.name} < 32 ? 1 << ${of.name} : 0;`);
      this.#lines.blocks(setBlocks(`${of.name}Bit`, cases, otherwise, (steps) => this.#steps(steps)));
      return;
    }
    this.#lines.block(`switch (${of.name}) {`, () => {
      for (const { values, body } of cases) {
        for (const value of values.slice(0, -1)) this.#lines.add(`case ${value}:`);
        this.#lines.block(`case ${values.at(-1)}: {`, () => {
          this.#steps(body);
          if (!endsHere(body)) this.#lines.add("break;");
        });
      }
      this.#lines.block("default: {", () => this.#steps(otherwise));
    });
  }

  #if(test: Test, then: readonly ReadStep[], otherwise: readonly ReadStep[]): void {
    const isElse = otherwise.length > 0 && !endsHere(then);
    this.#lines.blocks([
      [`if (${this.#test(test)}) {`, () => this.#steps(then)],
      ...(isElse ? [["else {", () => this.#steps(otherwise)] as const] : []),
    ]);
    if (!isElse) this.#steps(otherwise);
  }

  #itemType(to: Local): string {
    const node = to.node?.kind === "array" ? to.node.item : undefined;
    return node === undefined ? "unknown" : typeOf(node, this.#parts.typeNames);
  }

  #list({ to, index, count, isBounded, body, item }: Extract<ReadStep, { step: "list" }>): void {
    const length = typeof count === "number" ? String(count) : count.name;
    const type = this.#itemType(to);
    this.#lines.add(
      isBounded ? `const ${to.name} = new Array<${type}>(${length});` : `const ${to.name}: Array<${type}> = [];`,
    );
    this.#lines.block(`for (let ${index.name} = 0; ${index.name} < ${length}; ${index.name}++) {`, () => {
      this.#steps(body);
      const value = this.#value(item);
      this.#lines.add(isBounded ? `${to.name}[${index.name}] = ${value};` : `${to.name}.push(${value});`);
    });
  }

  #rows({ index, count, body, words, place }: Extract<ReadStep, { step: "rows" }>): void {
    const length = typeof count === "number" ? String(count) : count.name;
    this.#lines.block(`for (let ${index.name} = 0; ${index.name} < ${length}; ${index.name}++) {`, () => {
      this.#steps(body);
      this.#lines.add(`const start = ${index.name} * ${words.length};`);
      words.forEach((columns, word) => {
        const parts = columns.flatMap(({ locals, shift, bits }) =>
          locals.map(({ name }) =>
            shift === 0 ? name : shift + bits === 32 ? `(${name} << ${shift})` : `(${name} << ${shift})`,
          ),
        );
        this.#lines.add(
          `words[${word === 0 ? "start" : `start + ${word}`}] = ${parts.length === 0 ? "0" : parts.join(" | ")};`,
        );
      });
    });
    this.#lines.add(`after = ${byteOf(place)};`, `return ${length};`);
  }

  #openList({ to, index, place, limit, until, check, body, item }: Extract<ReadStep, { step: "openList" }>): void {
    const here: Place = { ...place, bits: 0 };
    const isBits = place.base === "bit";
    this.#lines.add(`const ${to.name}: Array<${this.#itemType(to)}> = [];`);
    this.#lines.block(`for (let ${index.name} = 0; ; ${index.name}++) {`, () => {
      if (until === undefined) this.#lines.add(isBits ? "if (bit >= end * 8) break;" : "if (at >= end) break;");
      else {
        this.#lines.block(`if (at < end && b[at] === ${until}) {`, () => this.#lines.add("at += 1;", "break;"));
      }
      this.#lines.add(`if (${index.name} === ${limit}) return ${this.#refusal(check, here)};`);
      this.#steps(body);
      this.#lines.add(`${to.name}.push(${this.#value(item)});`);
    });
  }

  #tolerant({ to, name, limit, check }: Extract<ReadStep, { step: "tolerant" }>): void {
    this.#lines.add(`const ${to.name}: Array<${this.#itemType(to)}> = [];`);
    this.#lines.block("while (at < end) {", () => {
      this.#lines.add(
        `if (${to.name}.length === ${limit}) return ${this.#refusal(check, { base: "at", bits: 0, order: "bytes" })};`,
      );
      this.#lines.add(`const item = ${readerName(name)}(b, at, end);`, "if (item === undefined) break;");
      this.#lines.add(`${to.name}.push(item);`, "at = after;");
    });
  }

  #sized({ to, name, size, extra, claims, start, checks }: Extract<ReadStep, { step: "sized" }>): void {
    const until = `${to.name}End`;
    const lines = this.#lines;
    const at = byteOf(start);
    lines.add(`const ${until} = at + ${size.name}${extra === 0 ? "" : ` - ${extra}`};`);
    lines.add(
      `const ${to.name} = ${readerName(name)}(b, at, ${until} < end ? ${until} : end${claims ? `, ${until}` : ""});`,
    );
    const indexes = checks.path.indexes.map((each) => each.name);
    const args = [
      checks.small.table,
      JSON.stringify(checks.path.path),
      checks.small.id,
      `${until} < end`,
      at,
      size.name,
      ...indexes,
    ];
    lines.add(`if (${to.name} === undefined) return ${this.#help("inSized")}(${args.join(", ")});`);
    const wrong = [
      checks.small.table,
      checks.small.id,
      at,
      `${size.name}, after - at${extra === 0 ? "" : ` + ${extra}`}`,
      ...indexes,
    ];
    lines.add(`if (after !== ${until}) return ${this.#help("notSize")}(${wrong.join(", ")});`, "at = after;");
  }

  #inflate({ to, name, limit, ignoreReserved, exact, checks }: Extract<ReadStep, { step: "inflate" }>): void {
    const lines = this.#lines;
    const options = [limit, ignoreReserved, exact ?? -1, checks.block.table, checks.block.id];
    const length = `${to.name}Length`;
    lines.add(
      `const ${length} = ${this.#help("inflate")}(b, at, end, ${options.join(", ")});`,
      `if (${length} < 0) return undefined;`,
    );
    lines.add(`const ${to.name} = ${readerName(name)}(${this.#help("inflated")}(), 0, ${length});`);
    const args = [JSON.stringify(checks.body.path), "b", "at", "end", `${to.name} === undefined ? -1 : after`, length];
    lines.add(
      `if (${to.name} === undefined || after !== ${length}) return ${this.#help("inBlock")}(${args.join(", ")});`,
    );
    lines.add("at = end;");
  }

  // --- Tests and values --------------------------------------------------------------------------------------------------

  #test(test: Test): string {
    if ("all" in test) return test.all.map((each) => this.#test(each)).join(" && ");
    if ("any" in test) return `(${test.any.map((each) => this.#test(each)).join(" || ")})`;
    if ("zeros" in test) {
      const name = this.#name(test.zeros);
      const zeros = `${test.expected ? "" : "!"}${this.#help("allZero")}(${name})`;
      return test.maybe ? `${name} !== undefined && ${zeros}` : zeros;
    }
    if ("left" in test) {
      const { left, exactly, atLeast, atMost } = test;
      const isWhole = [exactly, atLeast, atMost].every((bits) => bits === undefined || bits % 8 === 0) && isByte(left);
      const text = isWhole ? `end - ${parenthesized(byteOf(left))}` : `end * 8 - ${parenthesized(bitOf(left))}`;
      const unit = isWhole ? 8 : 1;
      if (exactly !== undefined) return `${text} === ${exactly / unit}`;
      return atLeast !== undefined ? `${text} >= ${atLeast / unit}` : `${text} <= ${(atMost ?? 0) / unit}`;
    }
    if ("bitsAt" in test) {
      const is = test.width === 32 ? test.is | 0 : test.is;
      return `${bitsAt(test.bitsAt, test.width, this.#parts.helpers)} === ${is}`;
    }
    if ("next" in test) return `(b[${byteOf(test.next)}]! & ${test.mask}) === ${test.value}`;
    if ("absent" in test) return `${this.#name(test.absent)} === undefined`;
    if ("present" in test) return `${this.#name(test.present)} !== undefined`;
    if ("oneOf" in test)
      return `(${test.oneOf.map((each) => `${this.#name(test.of)} === ${literalText(each)}`).join(" || ")})`;
    const { of, maybe, mask, from, to, not, is } = test;
    const name = this.#name(of);
    const number = mask === undefined ? name : `((${name} & ${mask | 0}) >>> 0)`;
    const tests = [
      ...(maybe ? [`${name} !== undefined`] : []),
      ...(is === undefined ? [] : [`${number} === ${literalText(is)}`]),
      ...(from !== undefined && from === to ? [`${number} === ${from}`] : []),
      ...(from !== undefined && from !== to ? [`${number} >= ${from}`] : []),
      ...(to !== undefined && from !== to ? [`${number} <= ${to}`] : []),
      ...(not === undefined ? [] : [`${number} !== ${not}`]),
    ];
    return tests.length === 0 ? "true" : tests.join(" && ");
  }

  #not(test: Test): string {
    if ("left" in test && test.atMost !== undefined) {
      const isWhole = isByte(test.left) && test.atMost % 8 === 0;
      return isWhole
        ? `end - ${parenthesized(byteOf(test.left))} > ${test.atMost / 8}`
        : `end * 8 - ${parenthesized(bitOf(test.left))} > ${test.atMost}`;
    }
    if ("of" in test && !("oneOf" in test) && test.maybe === undefined && test.not === undefined) {
      const { of, mask, from, to, is } = test;
      const number = mask === undefined ? of.name : `(${of.name} & ${mask | 0})`;
      if (is !== undefined) return `${number} !== ${literalText(is)}`;
      if (from !== undefined && from === to) return `${number} !== ${from}`;
      const below = from === undefined ? [] : [`${number} < ${from}`];
      const above = to === undefined ? [] : [`${number} > ${to}`];
      return [...below, ...above].join(" || ");
    }
    return `!(${this.#test(test)})`;
  }

  /** An expression for a value; objects with fields that may not be there are made before it. */
  #value(value: Value): string {
    switch (value.is) {
      case "local":
        return this.#name(value.local);
      case "constant":
        return literalText(value.value);
      case "object": {
        const { fields } = value;
        const [first] = fields;
        // All of it is what another function has made.
        if (fields.length === 1 && first?.key === "...") return this.#value(first.value);
        const growing = this.#growing.get(value);
        if (growing !== undefined) {
          this.#grow(growing, fields.length);
          return growing.name;
        }
        if (fields.some(({ maybe }) => maybe === true)) return this.#madeLate(value);
        const members = fields.map(({ key, value: inner }) => memberOf(key, this.#value(inner)));
        // Of fields that were set in branches the compiler does not know which go together.
        const isMerged = fields.some(
          ({ key, value: each }) => key === "..." || (each.is === "local" && each.local.isMerged),
        );
        const cast = isMerged && value.node !== undefined ? ` as ${typeOf(value.node, this.#parts.typeNames)}` : "";
        return `${objectText(members)}${cast}`;
      }
    }
  }

  /** An object of fields that were all read before. */
  #madeLate(value: Extract<Value, { is: "object" }>): string {
    const { fields, node } = value;
    const first = fields.findIndex(({ maybe }) => maybe === true);
    const type = this.#objectType(value);
    const sure = fields.slice(0, first).map(({ key, value: inner }) => memberOf(key, this.#value(inner)));
    const name = this.#objectName();
    this.#lines.add(`const ${name} = ${objectText(sure)} as ${type ?? "Record<string, unknown>"};`);
    for (const { key, value: inner, maybe } of fields.slice(first)) {
      const text = this.#value(inner);
      const target = memberText(name, key);
      if (key === "...") this.#lines.add(`Object.assign(${name}, ${text});`);
      else this.#lines.add(maybe ? `if (${text} !== undefined) ${target} = ${text};` : `${target} = ${text};`);
    }
    return type === undefined && node !== undefined
      ? `${name} as unknown as ${typeOf(node, this.#parts.typeNames)}`
      : name;
  }
}

/** An object that is made before all of its fields are read. */
interface GrowingObject {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly ValueField[];
  /** So many of them have been passed: those that are there always are made. */
  made: number;
}

/** The locals that a value is made of. */
function localsOf(value: Value): readonly string[] {
  if (value.is === "object") return value.fields.flatMap((field) => localsOf(field.value));
  return value.is === "local" ? [value.local.name] : [];
}

/** Which of some locals are set, in this order. */
function setsOf(steps: readonly ReadStep[], names: readonly string[]): readonly string[] {
  return steps.flatMap((each) =>
    (each.step === "integer" || each.step === "set") && names.includes(each.to.name) ? [each.to.name] : [],
  );
}

/** Steps that set some locals as soon as what they are set to was read. */
function setEarly(steps: readonly ReadStep[], names: readonly string[]): readonly ReadStep[] {
  const ordered = [...steps];
  for (const step of steps) {
    if (step.step !== "set" || !names.includes(step.to.name)) continue;
    const parts = localsOf(step.value);
    ordered.splice(ordered.indexOf(step), 1);
    const made = ordered.findLastIndex((each) => parts.some((name) => isSetFrom([each], 0, name)));
    ordered.splice(parts.length === 0 || made < 0 ? ordered.length : made + 1, 0, step);
  }
  return ordered;
}

/** Whether one of the steps from an index on sets a local. */
function isSetFrom(steps: readonly ReadStep[], index: number, name: string): boolean {
  return JSON.stringify(steps.slice(index)).includes(`"to":{"name":${JSON.stringify(name)}`);
}

const memberOf = (key: string, text: string): string =>
  key === "..." ? `...${text}` : key === text ? key : `${keyText(key)}: ${text}`;

const objectText = (members: readonly string[]): string => (members.length === 0 ? "{}" : `{ ${members.join(", ")} }`);

const memberText = (object: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${object}.${key}` : `${object}[${JSON.stringify(key)}]`;

/** A case that some values choose, and its steps. */
interface Case<S> {
  readonly values: readonly (string | number)[];
  readonly body: readonly S[];
}

/** Two cases or more, of several small numbers. Tests of their bits are foretold by a processor, a jump through a table is not. */
export function areSets(cases: readonly Case<unknown>[]): boolean {
  const isSmall = (value: string | number): boolean => typeof value === "number" && value >= 0 && value < 32;
  const isSeveral = cases.length > 1 && cases.some(({ values }) => values.length > 1);
  return isSeveral && cases.every(({ values }) => values.every(isSmall));
}

/** The blocks of such cases. `bit` holds the bit of the number, or 0 where it is no small number. */
export function setBlocks<S>(
  bit: string,
  cases: readonly Case<S>[],
  otherwise: readonly S[],
  print: (steps: readonly S[]) => void,
): readonly (readonly [open: string, inside: () => void])[] {
  const blocks = cases.map(({ values, body }, index) => {
    const set = values.reduce<number>((sum, value) => sum | (1 << Number(value)), 0);
    return [`${index === 0 ? "" : "else "}if ((${bit} & ${set}) !== 0) {`, () => print(body)] as const;
  });
  return [...blocks, ["else {", () => print(otherwise)]];
}

/** The first cases of a row are its usual ones. */
const USUAL_CASES = 2;

/** Whether a call begins so much further: then the cursor moves once, after it. */
function isAdded(advance: ReadStep, next: ReadStep | undefined): advance is Extract<ReadStep, { step: "advance" }> {
  return advance.step === "advance" && advance.base === "at" && advance.times === undefined && next?.step === "call";
}

type CallStep = Extract<ReadStep, { step: "call" }>;
type PrefixStep = Extract<ReadStep, { step: "prefix" }>;
type SwitchStep = Extract<ReadStep, { step: "switch" }>;

/** Whether a code of bits decides the next step alone, and nothing else asks for its number. */
function isChosenBy({ to, codes }: PrefixStep, next: ReadStep | undefined): next is SwitchStep {
  if (next?.step !== "switch" || next.of !== to) return false;
  const isWhole = next.cases.reduce((sum, { values }) => sum + values.length, 0) === codes.length;
  return isWhole && !JSON.stringify(next.cases).includes(`"name":"${to.name}"`);
}

const parenthesized = (text: string): string => (text.includes(" ") && !text.startsWith("(") ? `(${text})` : text);

/** How a reading function is called. */
export function functionName({ name, into }: ReadFunction): string {
  return into === "value" ? readerName(name) : `${readerName(name)}${into === "rows" ? "Rows" : "Into"}`;
}

/** The type of the object that a description is read into. */
export function rowType({ name }: Pick<ReadFunction, "name">): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Row`;
}

/** How the function that reads a description is called. */
export function readerName(name: string): string {
  return `read${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function typeNote(local: Local, names: TypeNames): string {
  return local.node === undefined ? "" : `: ${typeOf(local.node as LayoutNode, names)} | undefined`;
}

function usesBits(steps: readonly ReadStep[]): boolean {
  return steps.some((step) => {
    switch (step.step) {
      case "toBits":
        return true;
      case "if":
        return usesBits(step.yes) || usesBits(step.no);
      case "switch":
        return step.cases.some(({ body }) => usesBits(body)) || usesBits(step.no);
      case "list":
      case "openList":
        return usesBits(step.body);
      default:
        return false;
    }
  });
}

/** What the words of a refusal show: of a limit of whole bytes, how many are left. */
function shownBy({ shown, test }: Extract<ReadStep, { step: "check" }>): string | undefined {
  if (shown !== undefined || !("left" in test) || test.atMost === undefined) return shown?.name;
  return `end - ${parenthesized(byteOf(test.left))}`;
}
