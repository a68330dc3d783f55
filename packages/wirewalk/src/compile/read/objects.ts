/** Objects: steps that read their fields, one after another or by a case. */
import { tagsText } from "../../wire/describe/cases.ts";
import type { Condition, LayoutNode, StructNode, VariantNode } from "../../wire/describe/node.ts";
import { commonKeys, constant, groupFrom, local, numbersOf, ordered, otherTags } from "../shapes.ts";
import type { Local, Test, ValueField } from "../steps.ts";
import { readNumber, readPrefix } from "./numbers.ts";
import type { ReadState } from "./state.ts";

/** What a condition may ask of the fields before it. */
type Scope = Map<string, { readonly local: Local; readonly maybe: boolean }>;

/** Tests one after another; the last body has none. */
export function readChain(
  state: ReadState,
  bodies: readonly { readonly test: Test | undefined; readonly run: () => void }[],
): void {
  const [first, ...others] = bodies;
  if (first === undefined) return;
  if (first.test === undefined) {
    first.run();
    return;
  }
  const branches = state.branches([first.run, () => readChain(state, others)]);
  const [whenTrue = [], otherwise = []] = branches;
  state.steps.push({ step: "if", test: first.test, yes: whenTrue, no: otherwise });
}

/**
 * Branches of an object. Where bytes follow and all branches have the same keys, these become locals, so that what follows is there
 * once.
 */
export function mergeBranches(
  state: ReadState,
  bodies: readonly {
    readonly test: Test | undefined;
    readonly run: (go: (fields: readonly ValueField[]) => void) => void;
  }[],
  nodes: readonly LayoutNode[],
  then: (fields: readonly ValueField[]) => void,
  isLast: boolean,
): void {
  const keys = isLast ? undefined : commonKeys(nodes);
  if (keys === undefined) {
    readChain(
      state,
      bodies.map(({ test, run }) => ({ test, run: () => run(then) })),
    );
    return;
  }
  const locals = keys.map((key) => ({ key, to: state.merged(key) }));
  for (const { to } of locals) state.steps.push({ step: "declare", local: to });
  const go = (fields: readonly ValueField[]): void => {
    for (const { key, to } of locals) {
      const found = fields.find((field) => field.key === key);
      if (found !== undefined) state.set(to, found.value);
    }
  };
  readChain(
    state,
    bodies.map(({ test, run }) => ({ test, run: () => run(go) })),
  );
  then(locals.map(({ key, to }) => ({ key, value: local(to) })));
}

export function readStruct(
  state: ReadState,
  node: StructNode,
  then: (fields: readonly ValueField[]) => void,
  isLast: boolean,
): void {
  const { fields, order } = node;
  const kept = node.kept?.only === "writing" ? undefined : node.kept;
  const scope: Scope = new Map();
  const keep = (name: string, isBefore: boolean): void => {
    if (kept === undefined || name !== (isBefore ? kept.from : kept.to)) return;
    const place = state.place();
    if (isBefore)
      state.steps.push({ step: "keepFrom", place: { ...place, bits: place.bits - 8 * (kept.before ?? 0) } });
    else state.steps.push({ step: "keepTo", place });
  };
  const from = (index: number, found: readonly ValueField[]): void => {
    const field = fields[index];
    if (field === undefined) {
      then(ordered(found, order));
      return;
    }
    const { name, node: inner, hidden, when } = field;
    if (name === "") {
      const isEnd = isLast && index === fields.length - 1;
      state.object(inner, (more) => from(index + 1, [...found, ...more]), isEnd);
      return;
    }
    keep(name, true);
    if (when !== undefined) {
      const group = groupFrom(fields, index);
      const values = readOptional(state, group, when, scope);
      for (const each of group) keep(each.name, false);
      from(index + group.length, [...found, ...values]);
      return;
    }
    const value = state.within(name, () => {
      if (inner.kind !== "unused") return state.value(inner, name);
      state.take(inner.bits);
      return constant(0);
    });
    keep(name, false);
    if (value.is === "local") scope.set(name, { local: value.local, maybe: false });
    from(index + 1, hidden ? found : [...found, { key: name, value }]);
  };
  from(0, []);
}

/** Fields that are there together or not at all: locals that are set where they are. */
export function readOptional(
  state: ReadState,
  group: StructNode["fields"],
  when: Condition,
  scope: Scope,
): readonly ValueField[] {
  const test = conditionTest(state, when, scope);
  state.commit();
  const locals = group.map(({ name, node }) => ({ ...state.merged(name), node }));
  for (const each of locals) state.steps.push({ step: "declare", local: each });
  const [present = [], absent = []] = state.branches([
    () => {
      const values = group.map(({ name, node }) => state.within(name, () => state.value(node, name)));
      locals.forEach((to, index) => {
        state.set(to, values[index] ?? constant(0));
      });
    },
    () => undefined,
  ]);
  state.steps.push({ step: "if", test, yes: present, no: absent });
  return group.flatMap(({ name, hidden }, index): ValueField[] => {
    const own = locals[index] as Local;
    scope.set(name, { local: own, maybe: true });
    return hidden ? [] : [{ key: name, value: local(own), maybe: true }];
  });
}

export function conditionTest(state: ReadState, { field, zero, from, to, not, mask }: Condition, scope: Scope): Test {
  const known = scope.get(field);
  if (known === undefined) throw new TypeError(`Cannot compile ${state.path}: there is no field ${field} before it`);
  const maybe = known.maybe ? { maybe: true as const } : {};
  if (zero !== undefined) return { zeros: known.local, expected: zero, ...maybe };
  return {
    of: known.local,
    ...maybe,
    ...(mask === undefined ? {} : { mask }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(not === undefined ? {} : { not }),
  };
}

export function peekTest(
  state: ReadState,
  { next, atMost }: { readonly next?: { readonly mask: number; readonly value: number }; readonly atMost?: number },
): Test {
  state.wholeBytes("looking ahead");
  const place = state.place();
  const tests: Test[] = [];
  if (next !== undefined) tests.push({ left: place, atLeast: 8 }, { next: place, ...next });
  if (atMost !== undefined) tests.push({ left: place, atMost: atMost * 8 });
  return { all: tests };
}

export function readVariant(
  state: ReadState,
  node: VariantNode,
  then: (fields: readonly ValueField[]) => void,
  isLast: boolean,
): void {
  const { tagName, tag, cases, members, order } = node;
  const place = state.place();
  const numbers = numbersOf(tag);
  const known = cases.flatMap(({ tags = [] }) => tags);
  const otherwise = cases.find(({ tags }) => tags === undefined);
  const { of, check } = state.within(tagName, () => {
    const of =
      tag.kind === "prefix"
        ? readPrefix(state, tag.codes, tagName)
        : readNumber(state, tag.kind === "oneOf" ? tag.of : tag, tagName);
    const text = tag.kind === "oneOf" ? Object.values(tag.names).join(", ") : tagsText(known);
    return { of, check: state.use("none", state.path, text) };
  });
  const bodyOf = (each: (typeof cases)[number], go: (fields: readonly ValueField[]) => void) => (): void => {
    const [only] = each.tags ?? [];
    const own =
      numbers === undefined ? local(of) : constant((state.hasNumbers ? numbers.get(String(only)) : only) ?? "");
    if (tag.kind === "prefix") state.cursor.bits += (tag.codes[String(only)] as string).length;
    state.object(
      each.node,
      (fields) => {
        const inner = fields.find(({ key }) => key === tagName)?.value;
        const rest = fields.filter(({ key }) => key !== tagName);
        const all = each.hidden ? fields : [{ key: tagName, value: inner ?? own }, ...rest];
        go(members === undefined ? ordered(all, order) : all);
      },
      isLast,
    );
  };
  const keys = isLast ? undefined : commonKeys(cases.map((each) => each.node));
  const isUniform = members !== undefined || (keys !== undefined && cases.every(({ hidden }) => hidden !== true));
  // One place that makes the object, whichever case was read: with one in each case reading took 3 ns more a fragment.
  const isNamed = numbers !== undefined && !state.hasNumbers;
  // A tag that is a number stands in its own local; a name is another one in each case.
  const merged =
    members === undefined ? [tagName, ...(keys ?? [])] : [...(isNamed ? [tagName] : []), ...Object.keys(members)];
  const locals = isUniform ? merged.map((key) => ({ key, to: state.merged(key) })) : [];
  for (const { key, to } of locals) {
    const fill = members?.[key];
    state.steps.push({ step: "declare", local: to, ...(fill === undefined ? {} : { fill }) });
  }
  const go = isUniform
    ? (fields: readonly ValueField[]): void => {
        for (const { key, to } of locals) {
          const found = fields.find((field) => field.key === key);
          if (found !== undefined) state.set(to, found.value);
        }
      }
    : then;
  // Each tag of a name is a case of its own: its name is a constant of the value.
  const split = cases.flatMap((each) =>
    numbers === undefined || each.hidden || (each.tags?.length ?? 0) < 2
      ? [each]
      : (each.tags ?? []).map((one) => ({ ...each, tags: [one] })),
  );
  const tagged = split.filter(({ tags }) => tags !== undefined);
  const others =
    otherwise !== undefined && numbers !== undefined
      ? otherTags(numbers, known).map((one) => ({ ...otherwise, tags: [one] }))
      : [];
  const listed = [...tagged, ...others];
  const bodies = listed.map((each) => bodyOf(each, go));
  const refuse = (): void => {
    state.steps.push({ step: "refuse", check, place, shown: of });
  };
  const last = otherwise !== undefined && numbers === undefined ? bodyOf(otherwise, go) : refuse;
  const branches = state.branches([...bodies, last]);
  state.steps.push({
    step: "switch",
    of,
    cases: listed.map(({ tags = [] }, index) => ({
      values: tags.map((each) => (numbers === undefined ? Number(each) : (numbers.get(String(each)) as number))),
      body: branches[index] ?? [],
    })),
    no: branches.at(-1) ?? [],
  });
  if (!isUniform) return;
  const fields = locals.map(({ key, to }) => ({ key, value: local(to) }));
  const all = members === undefined || isNamed ? fields : [{ key: tagName, value: local(of) }, ...fields];
  then(ordered(all, order));
}
