/**
 * What layouts say of themselves for reading and writing without a call for each field. A layout registers a plan with its `read`
 * and `write`; `compile.ts` and `compile-write.ts` put the plans of a message together, `run.ts` and `write-run.ts` follow them. A
 * function written by hand has no plan: it is called as it is.
 *
 * Plans never refuse: where anything does not fit they give up ({@link FAILED}), and the layout's own `read` or `write` does it
 * again and says what is wrong, and where.
 */
import type { Layout } from "./layout.ts";
import type { Condition, IntegerOrder } from "./node.ts";

/** What reading by a plan gives where the bytes are not such a value. */
export const FAILED: unique symbol = Symbol("failed");

/** Thrown where a layout must read or write by itself what its plan says; caught where plans are put together. */
export class NotPlanned extends Error {}

/** How many items or bytes a run has. */
export type PlanLength =
  | { readonly count: number }
  | { readonly count: Layout<number>; readonly limit: number }
  | { readonly rest: number; readonly tolerant?: true }
  | { readonly until: number; readonly limit: number };

export interface PlanField {
  readonly name: string;
  readonly layout: Layout<unknown>;
  readonly hidden: boolean;
  readonly when: Condition | undefined;
}

export interface PlanCase {
  readonly tags: readonly (string | number)[] | undefined;
  readonly layout: Layout<unknown>;
  readonly hidden: boolean;
  /** Whether a test of the value selects it, and not the tag alone. */
  readonly hasTest: boolean;
}

/** The value of a number, or FAILED. */
export type Adapt = (raw: number) => unknown;

/** The number of a value, or FAILED. */
export type Prepare = (value: never) => unknown;

/** Which case a value is written by, and its tag; undefined where it is no value of any case. */
export type SelectCase = (
  value: Readonly<Record<string, unknown>>,
) => readonly [index: number, tag: unknown] | undefined;

/** How a layout's bytes become its value. */
export type Plan =
  | {
      readonly kind: "integer";
      readonly bits: number;
      readonly signed: boolean;
      readonly order: IntegerOrder;
      readonly adapt?: Adapt;
      readonly prepare?: Prepare;
    }
  | { readonly kind: "float"; readonly order: "be" | "le"; readonly adapt?: Adapt; readonly prepare?: Prepare }
  | {
      readonly kind: "mapped";
      readonly of: Layout<unknown>;
      readonly adapt: (raw: never) => unknown;
      readonly prepare: Prepare;
    }
  | { readonly kind: "constant"; readonly value: unknown; readonly optional: boolean }
  | { readonly kind: "prefix"; readonly codes: Readonly<Record<string, string>> }
  | { readonly kind: "cstring"; readonly limit: number }
  | { readonly kind: "text"; readonly length: PlanLength }
  | { readonly kind: "bytes"; readonly length: PlanLength; readonly change?: (bytes: Uint8Array) => Uint8Array }
  | { readonly kind: "array"; readonly item: Layout<unknown>; readonly length: PlanLength }
  | { readonly kind: "struct"; readonly fields: readonly PlanField[]; readonly order: readonly string[] | undefined }
  | {
      readonly kind: "concat";
      readonly parts: readonly Layout<unknown>[];
      readonly order: readonly string[] | undefined;
    }
  | {
      readonly kind: "variant";
      readonly tagName: string;
      readonly tag: Layout<unknown>;
      readonly cases: readonly PlanCase[];
      readonly order: readonly string[] | undefined;
      readonly select: SelectCase;
    }
  | {
      readonly kind: "byLength";
      readonly cases: readonly { readonly bytes?: number; readonly layout: Layout<unknown> }[];
      readonly select: SelectCase;
    }
  | {
      readonly kind: "mark";
      readonly parts: readonly { readonly bits: number; readonly value: number }[];
      readonly marked: Layout<unknown>;
      readonly of: Layout<unknown>;
      /** 0 for a value that is written as the mark, 1 for others. */
      readonly select: SelectCase;
    }
  | {
      readonly kind: "bits";
      readonly of: Layout<unknown>;
      readonly first: "msb" | "lsb";
      readonly padding: "zero" | "any";
    }
  | { readonly kind: "limited"; readonly of: Layout<unknown>; readonly bytes: number }
  | {
      readonly kind: "sized";
      readonly size: Layout<number>;
      readonly of: Layout<unknown>;
      readonly extra: number;
      readonly least: number;
    };

type Read = Layout<unknown>["read"];

const PLAN: unique symbol = Symbol("plan");

/**
 * A function with its plan, not a layout: a layout whose reader is replaced has no plan any more, and one that is only described
 * further keeps it. A property, as a WeakMap made layouts six times as slow to make.
 */
interface Planned {
  [PLAN]?: Plan;
}

/** Says what a `read` or a `write` does. */
export function setPlan(act: (cursor: never, value: never) => unknown, plan: Plan): void {
  (act as Planned)[PLAN] = plan;
}

/** What the layout's `write` does, where it is known. */
export function planOfWrite(layout: { readonly write: Layout<unknown>["write"] }): Plan | undefined {
  return (layout.write as Planned)[PLAN];
}

/** What the layout's `read` does, where it is known. */
export function planOf(layout: { readonly read: Read }): Plan | undefined {
  return (layout.read as Planned)[PLAN];
}
