/** What a contract rule is, and what rules are written with. */
import type { PlayMember } from "../protocol.ts";
import { equalPlain } from "./equal-plain.ts";

/** One rule of the contract, for one protocol and dialect. */
export interface Rule {
  /** As a sentence about the protocol: `refuses unknown dialects`. */
  readonly name: string;
  /** True where the check is the same for every seed. */
  readonly isFixed?: true;
  /** Throws an error that says what is wrong, when the protocol breaks the rule. All that it does follows from the seed. */
  check(seed: number): void;
}

/** A rule before it is known which protocol and dialect it is for. */
export interface RuleFor<S> extends Pick<Rule, "name" | "isFixed"> {
  check(subject: S, seed: number): void;
}

/** A rule that a protocol was not checked by. */
export interface LeftOutRule {
  readonly name: string;
  /** `pebble has no world (createWorld)`. */
  readonly why: string;
}

/** Rules that need the same members of a protocol. */
export interface RuleSet<M extends PlayMember, S> {
  readonly needs: readonly M[];
  readonly rules: readonly RuleFor<S>[];
}

/** Throws unless the rule holds. */
export function must(holds: boolean, why: () => string): asserts holds {
  if (!holds) throw new Error(why());
}

/** Throws unless the call throws an error of one of these classes. */
export function mustThrow(
  call: () => unknown,
  classes: readonly (abstract new (...args: never[]) => Error)[],
  what: () => string,
): void {
  const names = (): string => classes.map(({ name }) => name).join(" or ");
  try {
    call();
  } catch (error) {
    const fits = classes.some((each) => error instanceof each);
    must(fits, () => `${what()} throws ${String(error)}, expected ${names()}`);
    return;
  }
  throw new Error(`${what()} throws nothing, expected ${names()}`);
}

/** Throws unless both are equal as plain data. */
export function mustEqual(found: unknown, expected: unknown, what: () => string): void {
  if (equalPlain(found, expected)) return;
  throw new Error(`${what()}: found ${show(found)}, expected ${show(expected)}`);
}

// Node and browsers have it; the pure rooms see the types of neither.
declare function structuredClone<T>(data: T): T;

/** A copy as another process would get it. */
export function cloned<T>(data: T): T {
  return structuredClone(data);
}

/** Plain data as a line, for errors. */
export function show(data: unknown): string {
  const text = JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    if (value instanceof Uint8Array) return `bytes ${Array.from(value.subarray(0, 40)).join(" ")}`;
    if (value instanceof Map) return { map: [...value] };
    if (value instanceof Set) return { set: [...value] };
    if (Object.is(value, -0)) return "-0";
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    return value === undefined ? "undefined" : value;
  });
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}
