/** The names that the members of records and the names of enums have in a language. */
import { Scope } from "./naming.ts";
import type { EnumType, FlagsType, RecordType } from "./types.ts";

/** A language's case for names, and the names that are taken before the first is given: in some languages by what the owner is. */
export interface NameStyle<Owner> {
  readonly inCase: (name: string) => string;
  readonly taken: readonly string[] | ((owner: Owner) => readonly string[]);
}

/** The names within the types of a dialect, each unique in its type. */
export class TypeNames {
  readonly #members = new Map<RecordType | FlagsType, Scope>();
  readonly #constants = new Map<EnumType, Scope>();
  readonly #memberStyle: NameStyle<RecordType | FlagsType>;
  readonly #constantStyle: NameStyle<EnumType>;

  constructor(members: NameStyle<RecordType | FlagsType>, constants: NameStyle<EnumType>) {
    this.#memberStyle = members;
    this.#constantStyle = constants;
  }

  /** The name of a member. */
  memberOf(owner: RecordType | FlagsType, key: string): string {
    const keys = owner.is === "flags" ? Object.keys(owner.flags) : owner.members.map((member) => member.key);
    return scopeOf(this.#members, owner, this.#memberStyle, keys).nameOf(key);
  }

  /** The name of a name: `LEFT_PRESS`. */
  constantOf(type: EnumType, name: string): string {
    return scopeOf(this.#constants, type, this.#constantStyle, type.names).nameOf(name);
  }
}

function scopeOf<T>(known: Map<T, Scope>, owner: T, { inCase, taken }: NameStyle<T>, keys: readonly string[]): Scope {
  const found = known.get(owner);
  if (found !== undefined) return found;
  const scope = new Scope(inCase, typeof taken === "function" ? taken(owner) : taken);
  // In their own order: of two keys with one name, the first one has it, whoever asks first.
  for (const key of keys) scope.nameOf(key);
  known.set(owner, scope);
  return scope;
}
