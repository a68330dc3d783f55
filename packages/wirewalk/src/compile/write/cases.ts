/** Objects of several cases: steps that choose one and write it. */
import { namesTested, tagsText } from "../../wire/describe/cases.ts";
import type { CaseNode, CaseTest, LayoutNode, VariantNode } from "../../wire/describe/node.ts";
import { fieldsIn } from "../../wire/describe/values.ts";
import type { Local, Test } from "../steps.ts";
import { putCode, putSmart, writeKnown, writeNumber } from "./numbers.ts";
import type { WriteState } from "./state.ts";
import { memberOf } from "./structs.ts";
import { useOf, useOfValue } from "./uses.ts";

const namesIn = (node: LayoutNode): string[] => (fieldsIn(node) ?? []).map(({ name }) => name);

export function caseTest(state: WriteState, when: CaseTest, of: Local): Test {
  const tests = Object.entries(when).map(([key, wanted]): Test => {
    const found = memberOf(state, of, key, Array.isArray(wanted) ? useOfValue(wanted[0]) : "value");
    if (wanted === "present") return { present: found };
    return wanted === "absent" ? { absent: found } : { of: found, oneOf: wanted };
  });
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : { all: tests };
}

/** The tag of a case: known where the case has one tag alone. */
export function writeTag(state: WriteState, node: VariantNode, each: CaseNode, own: Local, isKnown: boolean): void {
  const { tag, tagName } = node;
  state.within(tagName, () => {
    const [only] = each.tags ?? [];
    if (tag.kind === "prefix") {
      putCode(state, tag.codes[String(only)] as string);
    } else if (tag.kind === "oneOf" && each.tags?.length === 1) {
      writeKnown(state, tag.of, own, tag.names[String(only)] as number);
    } else if (tag.kind === "oneOf") {
      state.leaf(tag, own);
    } else if (each.tags?.length === 1 && tag.kind === "integer") {
      writeKnown(state, tag, own, only as number);
    } else if (each.tags?.length === 1 && tag.kind === "smart") {
      putSmart(state, tag.wide === true, only as number);
    } else writeNumber(state, tag, own, isKnown && tag.kind === "integer");
  });
}

export function writeVariant(state: WriteState, node: VariantNode, of: Local): void {
  const { tagName, cases } = node;
  const own = memberOf(state, of, tagName, useOf(node.tag));
  const known = cases.flatMap(({ tags = [] }) => tags);
  const text = tagsText(known);
  const otherwise = cases.find(({ tags }) => tags === undefined);
  const body = (each: CaseNode, isKnown: boolean) => (): void => {
    if (node.exact) {
      const others = new Set(cases.flatMap((other) => namesIn(other.node)));
      for (const key of namesIn(each.node)) others.delete(key);
      if (others.size > 0) state.steps.push({ step: "absent", of, keys: [...others], path: state.pathUse() });
    }
    writeTag(state, node, each, own, isKnown);
    state.object(each.node, of);
  };
  const tests = namesTested(cases);
  const refuse = (): void => {
    if (tests !== undefined) {
      const shown = memberOf(state, of, tests.key, "text");
      const check = state.within(tests.key, () => state.use("oneOf", state.path, tests.names.join(", ")));
      state.steps.push({ step: "refuse", check, shown });
      return;
    }
    const kind = otherwise === undefined ? "oneOf" : "noneOf";
    state.steps.push({
      step: "refuse",
      check: state.within(tagName, () => state.use(kind, state.path, text)),
      shown: own,
    });
  };
  const bySwitch = (): void => {
    const open = cases.filter(({ hidden, tags }) => hidden !== true && tags !== undefined);
    const isOpen = otherwise !== undefined && otherwise.hidden !== true;
    const hiddenTags = cases.filter(({ hidden }) => hidden).flatMap(({ tags = [] }) => tags);
    const last = (): void => {
      if (!isOpen || otherwise === undefined) refuse();
      else state.choose({ present: own }, body(otherwise, false), refuse);
    };
    if (open.length === 0 && hiddenTags.length === 0) {
      last();
      return;
    }
    const branches = state.branches([
      ...open.map((each) => body(each, true)),
      ...(hiddenTags.length > 0 ? [refuse] : []),
      last,
    ]);
    const listed = open.map(({ tags = [] }, index) => ({ values: tags, body: branches[index] ?? [] }));
    const refused = hiddenTags.length > 0 ? [{ values: hiddenTags, body: branches[open.length] ?? [] }] : [];
    state.steps.push({ step: "choose", of: own, cases: [...listed, ...refused], no: branches.at(-1) ?? [] });
  };
  const tested = cases.filter(({ when }) => when !== undefined);
  const from = (index: number): void => {
    const each = tested[index];
    if (each?.when === undefined) {
      bySwitch();
      return;
    }
    const run = (): void => {
      const others = cases.filter((other) => other !== each).flatMap(({ tags = [] }) => tags);
      if (each.hidden || others.length === 0) {
        body(each, false)();
        return;
      }
      // A tag of another case contradicts what the value looks like.
      const check = state.within(tagName, () => state.use("here", state.path));
      const branches = state.branches([
        () => state.steps.push({ step: "refuse", check, shown: own }),
        body(each, false),
      ]);
      state.steps.push({
        step: "choose",
        of: own,
        cases: [{ values: others, body: branches[0] ?? [] }],
        no: branches[1] ?? [],
      });
    };
    state.choose(caseTest(state, each.when, of), run, () => from(index + 1));
  };
  from(0);
}
