/**
 * What the steps of readers hold, for languages that name types: the type of each local, and the record of each object.
 *
 * @module
 */
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { Local, ReadFunction, ReadStep, Value } from "../steps.ts";
import { isOf, isSame, type Member, type RecordType, type Types, type ValueType } from "./types.ts";

type ObjectValue = Extract<Value, { readonly is: "object" }>;

/** The value of a member of a record, in the order of its members: absent where `isMaybe` and its local was not set. */
export interface MemberValue {
  readonly member: Member;
  readonly value: Value;
  readonly isMaybe: boolean;
}

/** A reader with its types. */
export class TypedReader {
  readonly fn: ReadFunction;
  readonly result: ValueType;
  readonly #types: Types;
  readonly #resultOf: (name: string) => ValueType;
  readonly #locals = new Map<string, ValueType>();
  readonly #optional = new Set<string>();

  /** `resultOf`: the type of what another reader gives, by its name. */
  constructor(fn: ReadFunction, types: Types, resultOf: (name: string) => ValueType) {
    this.fn = fn;
    this.#types = types;
    this.#resultOf = resultOf;
    this.result = types.typeOf(fn.node);
    // What is set in branches has the type of the member that it becomes: the values first, then the steps for all others.
    this.#visit(fn.body, (step) => this.#byUse(step));
    this.#visit(fn.body, (step) => this.#byStep(step));
    this.#visit(fn.body, (step) => this.#bySet(step));
  }

  /** The type of a local: of an integer all that its bits can hold, though its member may have fewer values. */
  typeOf({ name }: Local): ValueType {
    const type = this.#locals.get(name);
    if (type === undefined) throw new TypeError(`Cannot compile ${name}: its type is not known`);
    return type;
  }

  /** Whether anything becomes of a local that was declared: of one that is a constant of its record nothing does. */
  isUsed({ name }: Local): boolean {
    return this.#locals.has(name);
  }

  /** Whether a local that was declared may be unset where it is used. */
  isOptional({ name }: Local): boolean {
    return this.#optional.has(name);
  }

  /** The record of an object, and the values of its members that are no constants. */
  recordOf({ node, fields }: ObjectValue): { readonly record: RecordType; readonly values: readonly MemberValue[] } {
    if (node === undefined) throw new TypeError("Cannot compile an object without a description");
    const type = this.#types.typeOf(node);
    const records = type.is === "record" ? [type] : type.is === "union" ? type.records : [];
    if (fields.some(({ key }) => key === "..."))
      throw new TypeError("Cannot compile fields beside those of a sized or compressed value in one record");
    const record = records.find(({ members }) => {
      if (members.length !== fields.length) return false;
      return members.every((member) => {
        const field = fields.find(({ key }) => key === member.key);
        if (field === undefined) return false;
        return this.#canBe(field.value, member.type);
      });
    });
    if (record === undefined)
      throw new TypeError(
        `Cannot compile an object of ${fields.map(({ key }) => key).join(", ")}: no record has these members`,
      );
    const values = record.members.flatMap((member): MemberValue[] => {
      const field = fields.find(({ key }) => key === member.key);
      if (field === undefined || member.type.is === "constant") return [];
      return [{ member, value: field.value, isMaybe: field.maybe === true }];
    });
    return { record, values };
  }

  /** Whether a value may be one of a type, by what is known before the types of locals are. */
  #canBe(value: Value, type: ValueType): boolean {
    if (value.is === "constant") return isOf(type, value.value);
    if (value.is === "object") {
      const [only] = value.fields;
      if (value.fields.length === 1 && only?.key === "...") return this.#canBe(only.value, type);
      return type.is === "record" || type.is === "union";
    }
    const { node, isMerged, type: held } = value.local;
    if (node !== undefined) return isSame(this.#types.typeOf(node), type);
    if (isMerged) return true;
    const own = type.is === "constant" ? typeof type.value : type.is;
    switch (held) {
      case "number":
        return own === "integer" || own === "real" || own === "number";
      case "bigint":
        return own === "big" || own === "bigint";
      case "text":
        return own === "text" || own === "enum" || own === "string";
      case "value":
        return own === "record" || own === "union" || own === "flags" || own === "enum" || own === "list";
      default:
        return own === held;
    }
  }

  #visit(steps: readonly ReadStep[], look: (step: ReadStep) => void): void {
    for (const step of steps) {
      look(step);
      switch (step.step) {
        case "switch":
          for (const { body } of step.cases) this.#visit(body, look);
          this.#visit(step.no, look);
          break;
        case "if":
          this.#visit(step.yes, look);
          this.#visit(step.no, look);
          break;
        case "list":
        case "openList":
          this.#visit(step.body, look);
      }
    }
  }

  /** Types by what becomes of values. */
  #byUse(step: ReadStep): void {
    switch (step.step) {
      case "return":
        this.#expect(step.value, this.result);
        return;
      case "list":
      case "openList": {
        const type = this.#ofNode(step.to.node);
        this.#locals.set(step.to.name, type);
        if (type.is === "list") this.#expect(step.item, type.item);
        return;
      }
      case "tolerant":
        this.#locals.set(step.to.name, this.#ofNode(step.to.node));
        return;
      case "set":
        if (step.to.node !== undefined) this.#expect(step.value, this.#ofNode(step.to.node));
        else if (step.value.is === "object") this.#expect(step.value, this.#ofNode(step.value.node));
        return;
      case "declare":
        if (step.local.node !== undefined) this.#locals.set(step.local.name, this.#ofNode(step.local.node));
    }
  }

  #ofNode(node: LayoutNode | undefined): ValueType {
    if (node === undefined) throw new TypeError("Cannot compile a value without a description");
    return this.#types.typeOf(node);
  }

  #expect(value: Value, type: ValueType): void {
    if (value.is === "local") {
      const { name, isMerged } = value.local;
      // A constant that is known only by where it was read: the value that was read is checked, and is not kept.
      if (type.is !== "constant" || isMerged) this.#locals.set(name, type);
      return;
    }
    if (value.is !== "object") return;
    const [only] = value.fields;
    if (value.fields.length === 1 && only?.key === "...") {
      this.#expect(only.value, type);
      return;
    }
    for (const { member, value: inner, isMaybe } of this.recordOf(value).values) {
      this.#expect(inner, member.type);
      if (isMaybe && inner.is === "local") this.#optional.add(inner.local.name);
    }
  }

  /** Types of what no object has. */
  #byStep(step: ReadStep): void {
    const learn = ({ name }: Local, type: ValueType): void => {
      if (!this.#locals.has(name)) this.#locals.set(name, type);
    };
    switch (step.step) {
      case "integer": {
        const { bits, signed, bias = 0, divisor } = step.as;
        const low = signed ? -(2 ** (bits - 1)) : 0;
        const range = { is: "integer", min: low - bias, max: low + 2 ** bits - 1 - bias } as const;
        const type: ValueType = divisor === undefined ? range : { is: "real" };
        // It is checked as it was loaded: the member that it becomes may have fewer values.
        if (step.to.isMerged) learn(step.to, type);
        else this.#locals.set(step.to.name, type);
        return;
      }
      case "big":
        learn(step.to, { is: "big" });
        return;
      case "float":
        // The member that it becomes may be a wider real.
        if (step.to.isMerged) learn(step.to, { is: "real", isSingle: true });
        else this.#locals.set(step.to.name, { is: "real", isSingle: true });
        return;
      case "smart":
        learn(step.to, { is: "integer", min: step.wide ? -1 : 0, max: step.wide ? 0x7fff_ffff : 0x7fff });
        return;
      case "prefix":
        learn(step.to, { is: "integer", min: -1, max: step.codes.length });
        return;
      case "part":
        learn(step.to, { is: "integer", min: 0, max: step.mask });
        return;
      case "left":
        learn(step.to, { is: "integer", min: 0, max: 0x7fff_ffff });
        return;
      case "boolean":
        learn(step.to, { is: "boolean" });
        return;
      case "bytes":
        learn(step.to, { is: "bytes" });
        return;
      case "text":
      case "zeroText":
        learn(step.to, { is: "text" });
        return;
      case "call":
      case "sized":
      case "inflate": {
        const type = this.#resultOf(step.name);
        learn(step.to, type);
        if (!isSame(this.typeOf(step.to), type))
          throw new TypeError(`Cannot compile ${step.to.name}: a sized or compressed value is one of several cases`);
        // The member that it becomes may be a wider real.
        if (!step.to.isMerged) this.#locals.set(step.to.name, type);
      }
    }
  }

  /** Types of locals that are set in branches and no object has. */
  #bySet(step: ReadStep): void {
    if (step.step !== "set" || this.#locals.has(step.to.name)) return;
    const { value } = step;
    if (value.is === "local") this.#locals.set(step.to.name, this.typeOf(value.local));
    else if (value.is === "constant" && typeof value.value === "number")
      this.#locals.set(step.to.name, { is: "integer", min: -0x8000_0000, max: 0x7fff_ffff });
    else if (value.is === "constant" && typeof value.value === "boolean")
      this.#locals.set(step.to.name, { is: "boolean" });
  }
}
