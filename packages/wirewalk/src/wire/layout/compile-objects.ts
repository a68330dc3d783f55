/**
 * Objects of a plan: see `compile.ts`. Parts, variants and conditions inside one object become ways through it; at the end of each
 * way its keys are known, with their order.
 */
import { conditionHolds } from "./conditions.ts";
import type { Layout } from "./layout.ts";
import * as ops from "./ops.ts";
import { FAILED, NotPlanned, type Plan, type PlanField, planOf } from "./plan.ts";
import { Field, type Step } from "./run.ts";
import { CodeStep, LeftStep, PaddingStep } from "./run-bits.ts";
import * as objects from "./run-objects.ts";
import { ObjectStep, Sequence, Slot } from "./run-objects.ts";

/** Where a field lies. */
export interface Place {
  readonly order: "bytes" | "msb" | "lsb";
  /** Whether a layout that is read by hand may stand here: it needs a reader with the same end. */
  readonly takesReaders: boolean;
}

/** The place of bits. Throws {@link NotPlanned} within bits. */
export function bitsPlace(order: "msb" | "lsb", place: Place): Place {
  if (place.order !== "bytes") throw new NotPlanned();
  return { order, takesReaders: false };
}

/** The place of a count or a tag: they have names of their own in the path of errors, which is kept for fields alone. */
export const withoutReaders = ({ order }: Place): Place => ({ order, takesReaders: false });

export const paddingField = (first: "msb" | "lsb", padding: "zero" | "any"): Field =>
  stepField(new PaddingStep(first === "lsb", padding === "zero"));

export const stepField = (step: Step): Field => new Field(ops.STEP, 0, undefined, step);

/** How a number is read. Throws {@link NotPlanned} where only the cursors can. */
export function opOf(plan: ops.NumberPlan, { order }: Place): number {
  const op = ops.opOf(plan, order);
  if (op === undefined) throw new NotPlanned();
  return op;
}

/** Whether a plan gives an object whose keys are known here. */
export function isObject(plan: Plan): boolean {
  switch (plan.kind) {
    case "struct":
    case "concat":
    case "variant":
    case "byLength":
    case "mark":
      return true;
    case "bits":
    case "limited": {
      const of = planOf(plan.of);
      return of !== undefined && isObject(of);
    }
    default:
      return false;
  }
}

/** Ways through one object, each with a shape of its own: more are not worth their memory. */
const MOST_SHAPES = 300;
/** Raw tags up to here have a table. */
const MOST_TAGS = 256;

/** A key of the value: the same in all that come this way, or the value with this index. */
type Entry = readonly [name: string, at: { readonly constant: unknown } | { readonly index: number }];
type Entries = readonly Entry[];

/** One way through an object, as far as it is known. */
interface Way {
  readonly sequence: Sequence;
  /** How many values it collects. */
  values: number;
  /** Conditions that were met or not on this way: several fields may have the same one. */
  readonly decided: ReadonlyMap<string, boolean>;
}

type Then = (way: Way, entries: Entries) => void;

/** Puts one object together. */
export class ObjectCompiler {
  readonly #fieldOf: (layout: Layout<unknown>, place: Place) => Field;
  #shapes = 0;
  #mostValues = 0;
  #readByHand = 0;
  #readByPlan = 0;

  /** `fieldOf`: how the values of its fields are read. */
  constructor(fieldOf: (layout: Layout<unknown>, place: Place) => Field) {
    this.#fieldOf = fieldOf;
  }

  compile(plan: Plan, place: Place): ObjectStep {
    const first = new Sequence();
    this.#add(plan, place, { sequence: first, values: 0, decided: new Map() }, (way, entries) => {
      this.#shapes += 1;
      if (this.#shapes > MOST_SHAPES) throw new NotPlanned();
      this.#mostValues = Math.max(this.#mostValues, way.values);
      close(way.sequence, entries);
    });
    // For a few fields by hand the plan around them costs more than it saves: 220 ns for a notice of MapleStory instead of 190.
    if (this.#readByHand > this.#readByPlan) throw new NotPlanned();
    return new ObjectStep(first, this.#mostValues, this.#readByHand > 0);
  }

  #addLayout(layout: Layout<unknown>, place: Place, way: Way, then: Then): void {
    const plan = planOf(layout);
    if (plan === undefined || !isObject(plan)) throw new NotPlanned();
    this.#add(plan, place, way, then);
  }

  #add(plan: Plan, place: Place, way: Way, then: Then): void {
    switch (plan.kind) {
      case "struct":
        this.#addFields(plan.fields, place, way, [], (end, entries) => then(end, inOrder(entries, plan.order)));
        break;
      case "concat":
        this.#addParts(plan.parts, place, way, [], (end, entries) => then(end, inOrder(entries, plan.order)));
        break;
      case "variant":
        this.#addVariant(plan, place, way, then);
        break;
      case "byLength": {
        const cases = plan.cases.map(({ bytes, layout }) => ({ bytes, way: fork(way), layout }));
        way.sequence.branch = new objects.LengthBranch(
          cases.map(({ bytes, way: { sequence } }) => ({ bytes, sequence })),
        );
        for (const each of cases) this.#addLayout(each.layout, place, each.way, then);
        break;
      }
      case "mark": {
        const parts = plan.parts.map(({ bits, value }) => ({
          field: new Field(opOf({ kind: "integer", bits, signed: false, order: "be" }, place), bits),
          value,
        }));
        const [marked, of] = [fork(way), fork(way)];
        way.sequence.branch = new objects.MarkBranch(parts, marked.sequence, of.sequence);
        this.#addLayout(plan.marked, place, marked, then);
        this.#addLayout(plan.of, place, of, then);
        break;
      }
      case "bits":
        this.#addLayout(plan.of, bitsPlace(plan.first, place), way, (end, entries) => {
          addCheck(end, paddingField(plan.first, plan.padding));
          then(end, entries);
        });
        break;
      case "limited":
        addCheck(way, stepField(new LeftStep(plan.bytes)));
        this.#addLayout(plan.of, place, way, then);
        break;
      default:
        throw new NotPlanned();
    }
  }

  #addFields([declared, ...others]: readonly PlanField[], place: Place, way: Way, entries: Entries, then: Then): void {
    if (declared === undefined) {
      then(way, entries);
      return;
    }
    const goOn = (end: Way, isThere: boolean): void =>
      this.#addFields(others, place, end, isThere ? this.#withField(declared, place, end, entries) : entries, then);
    const { when } = declared;
    if (when === undefined) {
      goOn(way, true);
      return;
    }
    const known = entries.find(([name]) => name === when.field)?.[1];
    if (known === undefined || "constant" in known) {
      goOn(way, conditionHolds(when, known?.constant));
      return;
    }
    const key = JSON.stringify([when, known]);
    const isThere = way.decided.get(key);
    if (isThere !== undefined) {
      goOn(way, isThere);
      return;
    }
    const present: Way = { ...fork(way), decided: new Map([...way.decided, [key, true]]) };
    const absent: Way = { ...fork(way), decided: new Map([...way.decided, [key, false]]) };
    way.sequence.branch = new objects.ConditionBranch(when, known.index, present.sequence, absent.sequence);
    goOn(present, true);
    goOn(absent, false);
  }

  /** The keys with one more field, which the way then has. */
  #withField({ name, layout, hidden }: PlanField, place: Place, way: Way, entries: Entries): Entries {
    const plan = planOf(layout);
    if (plan?.kind === "constant") return hidden ? entries : [...entries, [name, { constant: plan.value }]];
    const field = this.#fieldOf(layout, place);
    if (field.step?.isTracked === true) this.#readByHand += 1;
    else this.#readByPlan += 1;
    if (hidden) {
      way.sequence.slots.push(new Slot("pass", name, field));
      return entries;
    }
    const index = way.values;
    way.sequence.slots.push(new Slot("keep", name, field, index));
    way.values += 1;
    return [...entries, [name, { index }]];
  }

  #addParts([part, ...others]: readonly Layout<unknown>[], place: Place, way: Way, entries: Entries, then: Then): void {
    if (part === undefined) {
      then(way, entries);
      return;
    }
    this.#addLayout(part, place, way, (end, more) => this.#addParts(others, place, end, merged(entries, more), then));
  }

  #addVariant(plan: Extract<Plan, { kind: "variant" }>, place: Place, way: Way, then: Then): void {
    const { tagName, tag, order } = plan;
    const index = way.values;
    way.values += 1;
    const cases = plan.cases.map((each) => ({ ...each, way: fork(way) }));
    const sequences = new Map<unknown, Sequence>(
      cases.flatMap(({ tags = [], way: { sequence } }) => tags.map((name) => [name, sequence] as const)),
    );
    const otherwise = cases.find(({ tags }) => tags === undefined)?.way.sequence;
    way.sequence.branch = tagBranch(this.#fieldOf(tag, withoutReaders(place)), index, sequences, otherwise);
    for (const { layout, tags, hidden, way: own } of cases) {
      const entry: Entry = [tagName, tags?.length === 1 ? { constant: tags[0] } : { index }];
      this.#addLayout(layout, place, own, (end, entries) => {
        then(end, inOrder(hidden ? entries : merged([entry], entries), order));
      });
    }
  }
}

function tagBranch(
  { op, bits, adapt, step }: Field,
  index: number,
  sequences: ReadonlyMap<unknown, Sequence>,
  otherwise: Sequence | undefined,
): objects.Branch {
  const isSmall = op === ops.U8 || op === ops.BITS;
  const count = step instanceof CodeStep ? step.count : isSmall ? 2 ** bits : Number.POSITIVE_INFINITY;
  if (count > MOST_TAGS) return new objects.TagBranch(new Field(op, bits, adapt, step), index, sequences, otherwise);
  const values = Array.from({ length: count }, (_, raw) => (adapt === undefined ? raw : adapt(raw)));
  const table = values.map((value) => (value === FAILED ? undefined : (sequences.get(value) ?? otherwise)));
  return new objects.TableBranch(new Field(op, bits, undefined, step), index, values, table);
}

/** A new way that has collected the same values. */
const fork = ({ values, decided }: Way): Way => ({ sequence: new Sequence(), values, decided });

function addCheck({ sequence }: Way, field: Field): void {
  sequence.slots.push(new Slot("pass", "", field));
}

const nothing = new Field(ops.NOTHING, 0);

/** Ends a way: its last sequence makes the object. What it reads is set at once where the keys come in the order of the bytes. */
function close(sequence: Sequence, entries: Entries): void {
  if (entries.some(([name]) => name === "__proto__")) throw new NotPlanned();
  const { slots } = sequence;
  const own = new Map(slots.flatMap((slot) => (slot.action === "keep" ? [[slot.index, slot] as const] : [])));
  const inKeyOrder = entries.flatMap(([, at]) => ("index" in at && own.has(at.index) ? [at.index] : []));
  const isDirect = inKeyOrder.join() === [...own.keys()].join();
  const waiting = isDirect ? [...slots] : [];
  const closed: Slot[] = isDirect ? [] : [...slots];
  for (const [name, at] of entries) {
    const slot = "index" in at && isDirect ? own.get(at.index) : undefined;
    if ("constant" in at) {
      closed.push(new Slot("set constant", name, nothing, -1, at.constant));
    } else if (slot === undefined) {
      closed.push(new Slot("set kept", name, nothing, at.index));
    } else {
      // With what is passed over before it.
      const before = waiting.splice(0, waiting.indexOf(slot) + 1).slice(0, -1);
      closed.push(...before, new Slot("set", name, slot.field));
    }
  }
  sequence.slots = [...closed, ...waiting];
  sequence.maker = objectMaker();
}

/** A maker of plain objects. */
function objectMaker(): objects.Maker {
  function PlainObject(): void {}
  PlainObject.prototype = Object.prototype;
  return PlainObject as unknown as objects.Maker;
}

/** As `{ ...first, ...second }` has its keys. */
function merged(first: Entries, second: Entries): Entries {
  const byName = new Map(first);
  for (const [name, at] of second) byName.set(name, at);
  return [...byName];
}

function inOrder(entries: Entries, order: readonly string[] | undefined): Entries {
  if (order === undefined) return entries;
  const first = order.flatMap((key) => entries.filter(([name]) => name === key));
  return [...first, ...entries.filter(([name]) => !order.includes(name))];
}
