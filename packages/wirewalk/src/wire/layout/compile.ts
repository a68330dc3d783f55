/**
 * Puts the plans of a layout together, once, at its first read: a message whose layout has no reader by hand is read several times
 * faster than by a call of `read` for each of its fields (bench `maplestory`, `mouse`, rows `definition`). Nothing is generated as
 * text: `new Function` is refused by pages with a content security policy.
 *
 * What cannot be put together is read by the layouts one after the other, as it is described.
 */
import { ByteReader } from "../byte-reader.ts";
import {
  bitsPlace,
  isObject,
  ObjectCompiler,
  opOf,
  type Place,
  paddingField,
  stepField,
  withoutReaders,
} from "./compile-objects.ts";
import type { LayoutReader } from "./cursor.ts";
import type { Layout } from "./layout.ts";
import * as ops from "./ops.ts";
import { type Adapt, FAILED, NotPlanned, type Plan, type PlanLength, planOf, setPlan } from "./plan.ts";
import * as run from "./run.ts";
import { Field, type Step } from "./run.ts";
import { AroundStep, CodeStep, LeftStep, SizedStep } from "./run-bits.ts";
import { type ListLength, ListStep } from "./run-objects.ts";

const TOP: Place = { order: "bytes", takesReaders: true };

/** `read` by a plan where that can be followed. What is not such a value `read` itself reads, and refuses. */
export function plannedRead<T>(plan: Plan, read: (reader: LayoutReader) => T): (reader: LayoutReader) => T {
  let isCompiled = false;
  let field: Field | undefined;
  const planned = (reader: LayoutReader): T => {
    if (reader instanceof ByteReader) {
      // At the first read: most programs read few of the messages that they import.
      if (!isCompiled) field = compiled(plan);
      isCompiled = true;
      const value = field === undefined ? FAILED : run.readCompiled(field, reader);
      if (value !== FAILED) return value as T;
    }
    return read(reader);
  };
  setPlan(planned, plan);
  return planned;
}

function compiled(plan: Plan): Field | undefined {
  try {
    return fieldOf(plan, TOP);
  } catch (error) {
    if (error instanceof NotPlanned) return undefined;
    throw error;
  }
}

function fieldOfLayout(layout: Layout<unknown>, place: Place): Field {
  const plan = planOf(layout);
  try {
    if (plan !== undefined) return fieldOf(plan, place);
  } catch (error) {
    if (!(error instanceof NotPlanned && place.takesReaders)) throw error;
  }
  if (!place.takesReaders) throw new NotPlanned();
  return stepField(new run.CustomStep(layout));
}

/** One adaption after another. */
function both(first: Adapt | undefined, second: Adapt): Adapt {
  if (first === undefined) return second;
  return (raw) => {
    const value = first(raw);
    return value === FAILED ? FAILED : second(value as number);
  };
}

function fieldOf(plan: Plan, place: Place): Field {
  if (isObject(plan)) return stepField(new ObjectCompiler(fieldOfLayout).compile(plan, place));
  switch (plan.kind) {
    case "integer":
      return new Field(opOf(plan, place), plan.bits, plan.adapt);
    case "float":
      return new Field(opOf(plan, place), 32, plan.adapt);
    case "mapped": {
      const { op, bits, adapt, step } = fieldOfLayout(plan.of, place);
      return new Field(op, bits, both(adapt, plan.adapt as Adapt), step);
    }
    case "constant": {
      const { value } = plan;
      return new Field(ops.NOTHING, 0, () => value);
    }
    case "prefix": {
      const names = Object.keys(plan.codes);
      return new Field(ops.STEP, 0, (index) => names[index], codeStep(plan.codes, place));
    }
    case "bits":
      return bitsField(plan, place);
    case "limited":
      return stepField(new AroundStep(stepField(new LeftStep(plan.bytes)), fieldOfLayout(plan.of, place), undefined));
    default:
      return longField(plan, place);
  }
}

/** The kinds that take whole bytes. */
function longField(plan: Plan, place: Place): Field {
  if (plan.kind === "array") {
    const item = fieldOfLayout(plan.item, place);
    return stepField(new ListStep(item, listLength(plan.length, item, place)));
  }
  if (place.order !== "bytes") throw new NotPlanned();
  switch (plan.kind) {
    case "bytes":
      return stepField(new run.BytesStep(runOf(plan.length, place), plan.change));
    case "text":
      return stepField(new run.TextStep(runOf(plan.length, place)));
    case "cstring":
      return stepField(new run.CstringStep(plan.limit));
    case "sized": {
      const inner: Place = { order: "bytes", takesReaders: false };
      const [size, of] = [fieldOfLayout(plan.size, inner), fieldOfLayout(plan.of, inner)];
      return stepField(new SizedStep(size, of, plan.extra, plan.least));
    }
    default:
      throw new NotPlanned();
  }
}

/** Longer codes would need large tables. */
const LONGEST_CODE = 10;

function codeStep(codes: Readonly<Record<string, string>>, { order }: Place): Step {
  const texts = Object.values(codes);
  if (order !== "msb" || texts.some((code) => code.length > LONGEST_CODE) || texts.length > 127) throw new NotPlanned();
  return new CodeStep(texts);
}

function bitsField({ of, first, padding }: Extract<Plan, { kind: "bits" }>, place: Place): Field {
  const inner = fieldOfLayout(of, bitsPlace(first, place));
  return stepField(new AroundStep(undefined, inner, paddingField(first, padding)));
}

function runOf(length: PlanLength, place: Place): run.Run {
  if ("rest" in length) return { limit: length.rest };
  if ("until" in length) throw new NotPlanned();
  if (typeof length.count === "number") return { count: length.count };
  return { counter: fieldOfLayout(length.count, withoutReaders(place)), limit: limitOf(length) };
}

const limitOf = (length: PlanLength): number => (length as { readonly limit: number }).limit;

function listLength(length: PlanLength, item: Field, place: Place): ListLength {
  if ("rest" in length) {
    if (length.tolerant === true && item.step?.isTracked === true) throw new NotPlanned();
    return { limit: length.rest, tolerant: length.tolerant === true };
  }
  if ("until" in length) {
    if (place.order !== "bytes") throw new NotPlanned();
    return { limit: length.limit, until: length.until };
  }
  if (typeof length.count === "number") return { count: length.count, limit: length.count };
  return { counter: fieldOfLayout(length.count, withoutReaders(place)), limit: limitOf(length) };
}
