/**
 * The steps of writers for languages that name types. The steps of a writer ask what a value looks like. Where types say that, the
 * question is answered here: of a union each record gets the steps that are left of its own, and members that are constants, or that a
 * record lacks, are no members any more.
 *
 * @module
 */
import { Names } from "../program.ts";
import { endsHere } from "../shapes.ts";
import type { CheckUse, Local, PathUse, Place, Test, WireInteger, WriteFunction, WriteStep } from "../steps.ts";
import { isSame, type Member, type RecordType, type Types, type ValueType } from "./types.ts";

/** The steps of a typed writer: those of `steps.ts` without the ones that types make superfluous, and these. */
export type TypedWriteStep =
  | Exclude<
      WriteStep,
      {
        readonly step:
          | "object"
          | "get"
          | "same"
          | "absent"
          | "integer"
          | "integers"
          | "choose"
          | "if"
          | "list"
          | "refuse"
          | "boolean";
      }
    >
  /** An integer, refused where it is not from `min` to `max`. */
  | {
      readonly step: "integer";
      readonly of: Local;
      readonly place: Place;
      readonly as: WireInteger;
      readonly min: number;
      readonly max: number;
      readonly path: PathUse;
      /** It was checked before. */
      readonly isChecked?: true;
    }
  /** A member of a record. */
  | {
      readonly step: "get";
      readonly to: Local;
      readonly of: Local;
      readonly record: RecordType;
      readonly member: Member;
    }
  /** A member that may be absent must be there from here on; `path` is its path. */
  | { readonly step: "require"; readonly of: Local; readonly path: PathUse }
  /** Refuses unless a member has this value. */
  | {
      readonly step: "same";
      readonly of: Local;
      readonly value: number | string | boolean | bigint;
      readonly check: CheckUse;
    }
  /** Refuses a member that must not be there. */
  | { readonly step: "mustLack"; readonly of: Local; readonly path: PathUse }
  | { readonly step: "boolean"; readonly to: Local; readonly of: Local }
  /** Which record of its union a value is. `as` is the value as that record. */
  | {
      readonly step: "match";
      readonly of: Local;
      readonly cases: readonly {
        readonly record: RecordType;
        readonly as: Local;
        readonly body: readonly TypedWriteStep[];
      }[];
    }
  | {
      readonly step: "choose";
      readonly of: Local;
      readonly cases: readonly {
        readonly values: readonly (string | number)[];
        readonly body: readonly TypedWriteStep[];
      }[];
      readonly no: readonly TypedWriteStep[];
      /** All names that the value may be have a case. */
      readonly isWhole: boolean;
    }
  | {
      readonly step: "if";
      readonly test: Test;
      readonly yes: readonly TypedWriteStep[];
      readonly no: readonly TypedWriteStep[];
    }
  | {
      readonly step: "list";
      readonly of: Local;
      readonly index: Local;
      readonly length: Local;
      readonly item: Local;
      /** Whether its steps look at the item. */
      readonly usesItem: boolean;
      readonly body: readonly TypedWriteStep[];
      readonly until?: { readonly byte: number; readonly check: CheckUse };
    }
  | { readonly step: "refuse"; readonly path: PathUse };

/** What is known of a local while steps are gone through: its type, or that it is absent. */
type Known = ValueType | "absent";
type Env = ReadonlyMap<string, Known>;

/** A writer with its types. */
export class TypedWriter {
  readonly name: string;
  readonly fn: WriteFunction;
  readonly value: ValueType;
  readonly body: readonly TypedWriteStep[];
  readonly #pathOf: (use: CheckUse) => string;
  readonly #locals = new Map<string, ValueType>();
  readonly #optional = new Set<string>();
  readonly #names = new Names();

  /** `pathOf`: the path of what a check is about. */
  constructor(fn: WriteFunction, types: Types, pathOf: (use: CheckUse) => string) {
    this.fn = fn;
    this.name = fn.name;
    this.#pathOf = pathOf;
    this.value = types.typeOf(fn.node);
    for (const name of localsIn(fn.body)) this.#names.take(name);
    this.#locals.set("v", this.value);
    this.body = withoutUnread(this.#block(fn.body, new Map([["v", this.value]])));
  }

  /** The type of a local. */
  typeOf({ name }: Local): ValueType {
    const type = this.#locals.get(name);
    if (type === undefined) throw new TypeError(`Cannot compile ${name}: its type is not known`);
    return type;
  }

  /** Whether a local holds a member that may be absent. */
  isOptional({ name }: Local): boolean {
    return this.#optional.has(name);
  }

  #refuse(check: CheckUse): TypedWriteStep {
    return { step: "refuse", path: { path: this.#pathOf(check), indexes: check.indexes } };
  }

  #fresh(name: string, type: ValueType): Local {
    const local: Local = { name: this.#names.take(name), type: "value" };
    this.#locals.set(local.name, type);
    return local;
  }

  #learn({ name }: Local, type: ValueType): void {
    this.#locals.set(name, type);
  }

  #block(steps: readonly WriteStep[], before: Env): readonly TypedWriteStep[] {
    const env = new Map(before);
    const out: TypedWriteStep[] = [];
    const required = new Set<string>();
    for (const [index, step] of steps.entries()) {
      const rest = (): readonly WriteStep[] => steps.slice(index + 1);
      /** Of what is used as a value: an optional one must be there. */
      const use = (local: Local, path: PathUse): void => {
        if (!this.#optional.has(local.name) || required.has(local.name)) return;
        required.add(local.name);
        out.push({ step: "require", of: local, path });
      };
      switch (step.step) {
        case "object": {
          const known = env.get(step.of.name);
          if (known !== undefined && known !== "absent") use(step.of, step.path);
          if (known === undefined || known === "absent" || known.is !== "union") break;
          out.push({
            step: "match",
            of: step.of,
            cases: known.records.map((record) => {
              const as = this.#fresh(step.of.name === "v" ? "value" : step.of.name, record);
              const inner = steps.slice(index + 1).map((each) => renamed(each, step.of.name, as.name));
              return { record, as, body: this.#block(inner, new Map([...env, [as.name, record]])) };
            }),
          });
          return out;
        }
        case "get": {
          const record = env.get(step.of.name);
          if (record === undefined || record === "absent" || record.is !== "record") {
            if (record !== undefined && record !== "absent" && record.is === "flags") break;
            throw new TypeError(`Cannot compile ${step.key}: it is asked of what is no record`);
          }
          const member = record.members.find(({ key }) => key === step.key);
          if (member === undefined) {
            env.set(step.to.name, "absent");
            break;
          }
          env.set(step.to.name, member.type);
          if (member.type.is === "constant") break;
          // The same local holds a member of each record of a union.
          const to = this.#rename(step.to, member);
          if (to !== step.to) return [...out, ...this.#renamedRest(step, to, member, record, rest(), env)];
          out.push({ step: "get", to, of: step.of, record, member });
          break;
        }
        case "same": {
          const known = env.get(step.of.name);
          if (known === "absent") {
            if (!step.optional) out.push(this.#refuse(step.check));
          } else if (known?.is === "constant") {
            if (known.value !== step.value) out.push(this.#refuse(step.check));
          } else out.push({ step: "same", of: step.of, value: step.value, check: step.check });
          break;
        }
        case "absent": {
          const record = env.get(step.of.name);
          if (record === undefined || record === "absent" || record.is !== "record") break;
          for (const key of step.keys) {
            const member = record.members.find((each) => each.key === key);
            if (member === undefined || !member.isOptional) continue;
            const to = this.#fresh(key, member.type);
            this.#optional.add(to.name);
            const path = { ...step.path, path: step.path.path === "" ? key : `${step.path.path}.${key}` };
            out.push({ step: "get", to, of: step.of, record, member }, { step: "mustLack", of: to, path });
          }
          break;
        }
        case "integers": {
          const record = env.get(step.of.name);
          if (record === undefined || record === "absent" || record.is !== "record")
            throw new TypeError("Cannot compile integers of what is no record");
          for (const { key, place, as } of step.fields) {
            const member = record.members.find((each) => each.key === key);
            if (member === undefined) throw new TypeError(`Cannot compile ${key}: its record has no such member`);
            const path = { path: step.prefix === "" ? key : `${step.prefix}.${key}`, indexes: step.check.indexes };
            if (member.type.is === "constant") {
              out.push({ step: "put", place, as, value: Number(member.type.value) });
              continue;
            }
            const to = this.#fresh(key, member.type);
            out.push({ step: "get", to, of: step.of, record, member });
            if (member.isOptional) {
              this.#optional.add(to.name);
              out.push({ step: "require", of: to, path });
            }
            const low = as.signed ? -(2 ** (as.bits - 1)) : 0;
            const max = low + 2 ** as.bits - 1;
            out.push({ step: "integer", of: to, place, as, min: low, max, path });
          }
          break;
        }
        case "choose": {
          const known = env.get(step.of.name);
          if (known === "absent" || known === undefined) {
            return [...out, ...this.#block([...step.no, ...(endsHere(step.no) ? [] : rest())], env)];
          }
          if (known.is === "constant") {
            const chosen = step.cases.find(({ values }) => values.includes(known.value as string | number));
            const body = chosen?.body ?? step.no;
            return [...out, ...this.#block([...body, ...(endsHere(body) ? [] : rest())], env)];
          }
          use(step.of, { path: step.of.name, indexes: [] });
          out.push(this.#choose(step, known, env));
          break;
        }
        case "if": {
          const folded = this.#fold(step.test, env);
          if (typeof folded === "boolean") {
            const body = folded ? step.yes : step.no;
            return [...out, ...this.#block([...body, ...(endsHere(body) ? [] : rest())], env)];
          }
          out.push({ step: "if", test: folded, yes: this.#block(step.yes, env), no: this.#block(step.no, env) });
          break;
        }
        case "list": {
          const known = env.get(step.of.name);
          if (known === undefined || known === "absent" || known.is !== "list")
            throw new TypeError("Cannot compile a list of what is none");
          this.#learn(step.item, known.item);
          this.#learn(step.index, { is: "integer", min: 0, max: 0x7fff_ffff });
          const body = withoutUnread(this.#block(step.body, new Map([...env, [step.item.name, known.item]])));
          out.push({ ...step, body, usesItem: usesLocal(body, step.item.name) });
          break;
        }
        case "boolean":
          use(step.of, { path: this.#pathOf(step.check), indexes: step.check.indexes });
          this.#learn(step.to, { is: "integer", min: 0, max: 1 });
          env.set(step.to.name, { is: "integer", min: 0, max: 1 });
          out.push({ step: "boolean", to: step.to, of: step.of });
          break;
        case "refuse":
          out.push(this.#refuse(step.check));
          break;
        case "number":
        case "flags":
        case "length": {
          use(step.of, { path: this.#pathOf(step.check), indexes: step.check.indexes });
          const range = { is: "integer", min: step.step === "length" ? 0 : -0x8000_0000, max: 0x7fff_ffff } as const;
          this.#learn(step.to, range);
          env.set(step.to.name, range);
          const known = env.get(step.of.name);
          if (step.step === "number" && known !== undefined && known !== "absent" && known.is === "constant")
            env.set(step.to.name, { is: "constant", value: step.names[String(known.value)] as number });
          else out.push(step);
          break;
        }
        case "mark":
          this.#learn(step.to, { is: "integer", min: 0, max: 0x7fff_ffff });
          out.push(step);
          break;
        case "integer": {
          const { of, place, as, min, max, check, isChecked } = step;
          const path = { path: this.#pathOf(check), indexes: check.indexes };
          use(of, path);
          const known = env.get(of.name);
          if (known !== undefined && known !== "absent" && known.is === "constant")
            out.push({ step: "put", place, as, value: Number(known.value) });
          else out.push({ step: "integer", of, place, as, min, max, path, ...(isChecked ? { isChecked } : {}) });
          break;
        }
        case "smart":
        case "float":
        case "big":
        case "bytes":
        case "bitBytes":
        case "text": {
          const check = step.step === "float" ? step.checks[0] : step.check;
          use(step.of, { path: this.#pathOf(check), indexes: check.indexes });
          out.push(step);
          break;
        }
        case "call":
        case "sized":
        case "deflate":
          use(step.of, step.step === "sized" ? step.checks.path : step.path);
          out.push(step);
          break;
        default:
          out.push(step);
      }
    }
    return out;
  }

  /** A choice that is left open: cases that the type does not allow are refused. */
  #choose(step: Extract<WriteStep, { step: "choose" }>, known: ValueType, env: Env): TypedWriteStep {
    const names = known.is === "enum" ? known.names : undefined;
    const { values: numbers, excluded } = known.is === "integer" ? known : {};
    const isAllowed = (value: string | number): boolean =>
      (names?.includes(String(value)) ?? numbers?.includes(Number(value)) ?? true) &&
      excluded?.includes(Number(value)) !== true;
    const cases = step.cases.flatMap(({ values, body }) => {
      const own = values.filter(isAllowed);
      return own.length === 0 ? [] : [{ values: own, body: this.#block(body, env) }];
    });
    const covered = cases.flatMap(({ values }) => values);
    const isWhole = names?.every((name) => covered.includes(name)) ?? false;
    const refusal: TypedWriteStep = { step: "refuse", path: { path: step.of.name, indexes: [] } };
    if (excluded !== undefined && excluded.length > 0) cases.push({ values: [...excluded], body: [refusal] });
    const no = isWhole ? [] : numbers === undefined ? this.#block(step.no, env) : [refusal];
    return { step: "choose", of: step.of, cases, no, isWhole };
  }

  /** A local for a member: the same one, unless another record's member with another type has taken it. */
  #rename(to: Local, member: Member): Local {
    const known = this.#locals.get(to.name);
    if (known !== undefined && !(isSame(known, member.type) && this.#optional.has(to.name) === member.isOptional)) {
      const own = this.#fresh(to.name, member.type);
      if (member.isOptional) this.#optional.add(own.name);
      return own;
    }
    this.#learn(to, member.type);
    if (member.isOptional) this.#optional.add(to.name);
    return to;
  }

  #renamedRest(
    step: Extract<WriteStep, { step: "get" }>,
    to: Local,
    member: Member,
    record: RecordType,
    rest: readonly WriteStep[],
    env: Map<string, Known>,
  ): readonly TypedWriteStep[] {
    const inner = rest.map((each) => renamed(each, step.to.name, to.name));
    return [
      { step: "get", to, of: step.of, record, member },
      ...this.#block(inner, new Map([...env, [to.name, member.type]])),
    ];
  }

  /** What is left of a test, or its answer. */
  #fold(test: Test, env: Env): Test | boolean {
    if ("all" in test) return this.#foldAll(test.all, env, false);
    if ("any" in test) return this.#foldAll(test.any, env, true);
    const known = (local: Local): Known => env.get(local.name) ?? "absent";
    if ("present" in test || "absent" in test) {
      const local = "present" in test ? test.present : test.absent;
      const found = known(local);
      if (found !== "absent" && this.#optional.has(local.name)) return test;
      return (found !== "absent") === "present" in test;
    }
    if ("zeros" in test) return known(test.zeros) === "absent" ? false : test;
    if ("oneOf" in test) {
      const found = known(test.of);
      if (found === "absent") return false;
      if (found.is === "constant") return test.oneOf.includes(found.value as string);
      if (found.is !== "enum") return test;
      const own = test.oneOf.filter((each) => found.names.includes(String(each)));
      return own.length === 0 ? false : own.length === found.names.length ? true : { ...test, oneOf: own };
    }
    if ("of" in test) {
      const found = known(test.of);
      if (found === "absent") return false;
      if (found.is !== "constant") return this.#optional.has(test.of.name) ? { ...test, maybe: true } : test;
      const number = test.mask === undefined ? Number(found.value) : (Number(found.value) & test.mask) >>> 0;
      const { from = number, to = number, not } = test;
      return number >= from && number <= to && number !== not;
    }
    throw new TypeError("Cannot happen: a writer does not look at bytes");
  }

  #foldAll(tests: readonly Test[], env: Env, decides: boolean): Test | boolean {
    const folded = tests.map((each) => this.#fold(each, env));
    if (folded.includes(decides)) return decides;
    const open = folded.filter((each) => typeof each !== "boolean");
    const [only] = open;
    if (only === undefined) return !decides;
    return open.length === 1 ? only : decides ? { any: open } : { all: open };
  }
}

/** A step with a local under another name. */
function renamed<T>(data: T, from: string, to: string): T {
  if (Array.isArray(data)) return data.map((each) => renamed(each, from, to)) as T;
  if (typeof data !== "object" || data === null) return data;
  if ("kind" in data) return data;
  const entries = Object.entries(data).map(([key, each]) => [key, renamed(each, from, to)] as const);
  const copy = Object.fromEntries(entries);
  const isLocal = "name" in copy && "type" in copy && copy.name === from;
  return (isLocal ? { ...copy, name: to } : copy) as T;
}

/** The names of all locals of some steps. */
function localsIn(data: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(data)) for (const each of data) localsIn(each, found);
  else if (typeof data === "object" && data !== null && !("kind" in data)) {
    if ("name" in data && "type" in data && typeof data.name === "string") found.add(data.name);
    for (const [key, each] of Object.entries(data)) {
      // Types are no steps, and a record and its union are within one another.
      if (key !== "record" && key !== "member") localsIn(each, found);
    }
  }
  return found;
}

/** Whether steps use a local. */
export function usesLocal(steps: readonly TypedWriteStep[], name: string): boolean {
  return localsIn(steps).has(name);
}

/** Without members that are taken and not looked at. */
function withoutUnread(steps: readonly TypedWriteStep[]): readonly TypedWriteStep[] {
  const kept = steps.map((step): TypedWriteStep => {
    switch (step.step) {
      case "match":
        return { ...step, cases: step.cases.map((each) => ({ ...each, body: withoutUnread(each.body) })) };
      case "choose":
        return {
          ...step,
          cases: step.cases.map((each) => ({ ...each, body: withoutUnread(each.body) })),
          no: withoutUnread(step.no),
        };
      case "if":
        return { ...step, yes: withoutUnread(step.yes), no: withoutUnread(step.no) };
      default:
        return step;
    }
  });
  return kept.filter((step, index) => step.step !== "get" || usesLocal(kept.slice(index + 1), step.to.name));
}
