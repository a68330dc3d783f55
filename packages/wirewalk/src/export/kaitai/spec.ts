/** The parts of a Kaitai Struct specification that this export writes, and the types of one file. */
import type { JsonObject, JsonValue } from "../../wire/index.ts";

/** One entry of `seq`. */
export interface KsyField {
  readonly id: string;
  readonly [key: string]: JsonValue;
}

/** A user-defined type. */
export interface KsyType {
  readonly doc?: string;
  readonly params?: readonly JsonObject[];
  readonly seq: readonly KsyField[];
  readonly instances?: Readonly<Record<string, JsonObject>>;
}

/** The fields of a type that is being made. */
export class TypeScope {
  readonly #seq: KsyField[] = [];
  readonly #instances: Record<string, JsonObject> = {};
  readonly #taken = new Set<string>();
  readonly #enums = new Map<string, string>();
  /** What types of its fields are called after. */
  readonly name: string;
  /** The order of bits, within bits. */
  readonly bits: "msb" | "lsb" | undefined;
  readonly #whole: TypeScope | undefined;

  constructor(name: string, bits?: "msb" | "lsb", whole?: TypeScope) {
    this.name = name;
    this.bits = bits;
    this.#whole = whole;
  }

  /** The same type, within bits. */
  inBits(bits: "msb" | "lsb"): TypeScope {
    return new TypeScope(this.name, bits, this.#whole ?? this);
  }

  /** The same type, not within bits. */
  inBytes(): TypeScope {
    return this.#whole ?? this;
  }

  /** The bytes of a field of a fixed size. Throws `TypeError` for another one. */
  sizeOf(id: string): number {
    const size = (this.#whole ?? this).#seq.find((field) => field.id === id)?.size;
    if (typeof size !== "number") throw new TypeError(`a condition on the bytes of ${id}`);
    return size;
  }

  field(field: KsyField): void {
    const whole = this.#whole ?? this;
    whole.#taken.add(field.id);
    whole.#seq.push(field);
  }

  instance(id: string, instance: JsonObject): void {
    const whole = this.#whole ?? this;
    whole.#taken.add(id);
    whole.#instances[id] = instance;
  }

  /** Notes which enum the values of a field have. */
  setEnum(id: string, name: string): void {
    (this.#whole ?? this).#enums.set(id, name);
  }

  /** The enum of a field. */
  enumOf(id: string): string | undefined {
    return (this.#whole ?? this).#enums.get(id);
  }

  /** The id, or with a number when the type has it already. */
  freeId(id: string): string {
    const taken = (this.#whole ?? this).#taken;
    let free = id;
    for (let number = 2; taken.has(free); number++) free = `${id}${number}`;
    return free;
  }

  type(doc = ""): KsyType {
    const instances = this.#instances;
    return {
      ...(doc === "" ? {} : { doc }),
      seq: this.#seq,
      ...(Object.keys(instances).length === 0 ? {} : { instances }),
    };
  }
}

/** The types and enums of one file. Equal ones are one. */
export class KsyNames {
  readonly types: Record<string, KsyType> = {};
  readonly enums: Record<string, Readonly<Record<string, string>>> = {};
  readonly #names = new Map<string, string>();
  /** Whether an expression uses `_root.float_powers`. */
  usesFloatPowers = false;

  /** Gives the name of the type, which is `hint` or begins with it. */
  addType(hint: string, type: KsyType): string {
    return this.#add(this.types, hint, type);
  }

  addEnum(hint: string, names: Readonly<Record<string, string>>): string {
    return this.#add(this.enums, hint, names);
  }

  #add<T>(known: Record<string, T>, hint: string, value: T): string {
    const key = JSON.stringify(value);
    const name = this.#names.get(key);
    if (name !== undefined) return name;
    let free = hint;
    for (let number = 2; Object.hasOwn(known, free); number++) free = `${hint}${number}`;
    known[free] = value;
    this.#names.set(key, free);
    return free;
  }
}
